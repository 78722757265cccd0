"""Which goals are reached, and who controls a Monument, once more and written plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.games.dominations.corners import corners
from tests.games.dominations.deck import DECK, PILES

if TYPE_CHECKING:
    from tests.games.dominations.people import Person
    from tests.games.dominations.plain import PlainTable


def reached(table: PlainTable, player: int, goal: str) -> bool:
    kind, *words = goal.split()
    person = table.people[player]
    mine = {cell: level for cell, (owner, level) in table.cities.items() if owner == player}
    together = groups(set(mine))
    match kind:
        case "influence":
            return person.influence >= int(words[0])
        case "adjacent":
            return max([len(g) for g in together], default=0) >= int(words[0])
        case "apart":
            return len(together) >= int(words[0])
        case "cities":
            levels = sorted(mine.values())
            # The lowest demands take the lowest Cities that will do.
            for level, count in (map(int, w.split(":")) for w in words):
                for _each in range(count):
                    fitting = [n for n in levels if n >= level]
                    if not fitting:
                        return False
                    levels.remove(fitting[0])
            return True
        case "nodi":
            strict = table.rulings.get("nodi") == "masteries"
            nodi = person.nodi - person.with_campfire if strict else person.nodi
            return all(nodi[w[0]] >= int(w[1:]) for w in words)
        case "masteries":
            pairs = zip(words[::2], words[1::2], strict=True)
            return all(owns(person, word, letters) for word, letters in pairs)
    held = [key for key in PILES if controls(table, player, key)]
    return words[0] in held if words[0].isalpha() else len(held) >= int(words[0])


def owns(person: Person, demand: str, letters: str) -> bool:
    value, count = map(int, demand.split(":"))
    return sum(DECK[key].value == value and DECK[key].domain in letters for key in person.cards) >= count


def groups(cells: set[str]) -> list[set[str]]:
    found: list[set[str]] = []
    for cell in cells:
        touching = [g for g in found if any(len(set(corners(cell)) & set(corners(c))) == 2 for c in g)]
        found = [g for g in found if g not in touching] + [{cell}.union(*touching)]
    return found


def controls(table: PlainTable, player: int, key: str) -> bool:
    scores = []
    for number, person in enumerate(table.people):
        near = [c for c in table.neighbours(key) if c in table.cities and table.cities[c][0] == number]
        cards = sum(name == key for name, _level in person.levels)
        scores.append(
            cards + sum(table.cities[c][1] for c in near) + (0.5 if (key, 1) in person.levels else 0)
        )
    if max(scores) <= 0:
        return False
    return table.best(scores) == player
