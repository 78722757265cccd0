"""A card as its form was answered, and a known card as answers of the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.games.dominations.box import LETTERS, VALUES
from companion.games.dominations.card_fields import (
    BARE,
    EFFECTS,
    KINDS,
    LEVELS,
    MAY_BE_ABOUT,
    PARTS,
    TRIGGERS,
    WORDS,
    is_told,
)
from companion.games.dominations.cards import (
    GOALS,
    Card,
    Cost,
    Level,
    Mastery,
    Monument,
    Objective,
    Shape,
    Side,
)
from companion.games.dominations.choices import Wish
from companion.games.dominations.effects import Effect, Measure, parse_effect
from companion.games.dominations.goals import Goal, parse_goal


def card(kind: str, told: Wish) -> Card:
    """The card that was told, without its name; NotationError says what does not fit."""
    match kind:
        case "mastery":
            needs, advance = _cost(told, "nd", "nn"), _cost(told, "ad", "an")
            other = _side(told, "a", 3) if is_told(told, "a") else None
            value = _number(told, "value") or VALUES[0]
            domain = _letter(told, "domain") or LETTERS[0]
            basic = _side(told, "b", 1)
            return Mastery("", "", domain, value, needs, advance, basic, other)
        case "monument":
            return _monument(told)
        case _:
            return Objective("", "", tuple(_goal(told, f"o{n}") for n in range(1, GOALS + 1)))


def _monument(told: Wish) -> Card:
    shape = Shape(told["shape"]) if told.get("shape") in set(Shape) else Shape.LOZENGE
    rewarded = dict.fromkeys(_letter(told, name) for name in ("r1", "r2"))
    reward = "".join(rewarded)
    points = _number(told, "rp") if reward else 0
    coastal, beside = bool(told.get("coastal")), _letter(told, "beside")
    return Monument("", "", shape, tuple(_levels(told)), coastal, beside, reward, points)


def _letter(told: Wish, name: str) -> str:
    """The Domain that was chosen; empty when none was."""
    letter = told.get(name, "")
    return letter if letter in [*LETTERS] else ""


def _levels(told: Wish) -> Iterator[Level]:
    for number in range(1, LEVELS + 1):
        cost = _cost(told, f"l{number}d", f"l{number}n")
        if cost is None:
            return
        effects = tuple(_effects(told, (f"l{number}e",), number))
        yield Level(cost, Side(effects, _number(told, f"l{number}p"), _number(told, f"l{number}i")))


def _side(told: Wish, side: str, first: int) -> Side:
    names = tuple(f"{side}{n}" for n in range(1, EFFECTS + 1))
    return Side(tuple(_effects(told, names, first)), _number(told, f"{side}p"), _number(told, f"{side}i"))


def _effects(told: Wish, names: Iterable[str], first: int) -> Iterator[Effect]:
    for number, name in enumerate(names, first):
        if told.get(f"{name}t") in dict(TRIGGERS) and told[f"{name}t"]:
            yield parse_effect(_effect(told, name, number))


def _effect(told: Wish, name: str, number: int) -> str:
    """One effect in the small language; words that are still to be written are marked by their number."""
    trigger, about, unit = told[f"{name}t"], told.get(f"{name}x", ""), told.get(f"{name}u", "")
    head = [trigger]
    if trigger == "produce":
        head.append(told.get(f"{name}e", "1"))
    if trigger in MAY_BE_ABOUT or trigger.startswith("pay"):
        head.append(about)
    if unit == WORDS:
        return f'{_joined(head)}: "§{number}"'
    bare = trigger in BARE or trigger.startswith("pay")
    measure = told.get(f"{name}m", "")
    of = (
        told.get(f"{name}d", "")
        if measure in (Measure.NODUS, Measure.NODUS_NOT, Measure.LEFT, Measure.LIMIT)
        else ""
    )
    per = ["per", measure, of] if measure else []
    return f"{_joined(head)}: {_joined([told.get(f'{name}n', ''), '' if bare else unit, *per])}"


def _joined(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _goal(told: Wish, name: str) -> Goal:
    kind, words = told.get(f"{name}k", KINDS[0][0]), []
    for part in range(1, PARTS + 1):
        what, count = told.get(f"{name}w{part}", ""), _number(told, f"{name}n{part}")
        domains = "".join(sorted({told.get(f"{name}{x}{part}", "") for x in "de"} & {*LETTERS}))
        if count and kind in ("cities", "masteries"):
            words.append(f"{what or '?'}:{count}")
            words += [domains or LETTERS] if kind == "masteries" else []
        elif count and kind == "nodi":
            words.append(f"{what or '?'}{count}")
        elif count and part == 1:
            words.append(str(count))
    return parse_goal(_joined([kind if kind in dict(KINDS) else KINDS[0][0], *(words or ["?"])]))


def _cost(told: Wish, domain: str, amount: str) -> Cost | None:
    letter, number = told.get(domain, ""), _number(told, amount)
    return Cost(letter, number) if letter in [*LETTERS] and number else None


def _number(told: Wish, name: str) -> int:
    text = told.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


# ---- from a card that is known to the answers ----


def answers(found: Card) -> Mapping[str, str]:
    """The form as a known card fills it in."""
    match found:
        case Mastery():
            told = {"domain": found.domain, "value": str(found.value)}
            told |= _told_cost(found.needs, "nd", "nn") | _told_cost(found.advance, "ad", "an")
            told |= _told_side(found.basic, "b", ("b1", "b2"))
            return told | (_told_side(found.advanced, "a", ("a1", "a2")) if found.advanced else {})
        case Monument():
            told = {
                "shape": found.shape.value,
                "coastal": "1" if found.coastal else "",
                "beside": found.beside,
            }
            told |= {f"r{n}": letter for n, letter in enumerate(found.reward[:2], 1)}
            told |= {"rp": str(found.reward_points)}
            for number, level in enumerate(found.levels[:LEVELS], 1):
                told |= _told_cost(level.cost, f"l{number}d", f"l{number}n")
                told |= _told_side(level.side, f"l{number}", (f"l{number}e",))
            return told
        case Objective():
            return {
                key: value
                for n, goal in enumerate(found.goals, 1)
                for key, value in _told_goal(goal, f"o{n}")
            }


def _told_cost(cost: Cost | None, domain: str, amount: str) -> dict[str, str]:
    return {domain: cost.domain, amount: str(cost.amount)} if cost else {}


def _told_side(side: Side, name: str, names: Iterable[str]) -> dict[str, str]:
    told = {f"{name}p": str(side.points), f"{name}i": str(side.influence)}
    for each, effect in zip(names, side.effects, strict=False):
        told |= {f"{each}{key}": value for key, value in _told_effect(effect)}
    return told


def _told_effect(effect: Effect) -> Iterator[tuple[str, str]]:
    yield "t", _joined([effect.trigger.value, effect.target])
    yield from (("x", effect.about), ("e", str(effect.every)), ("n", str(effect.amount or "")))
    yield "u", WORDS if effect.text else effect.unit
    yield from (("m", effect.measure.value if effect.measure else ""), ("d", effect.of))


def _told_goal(goal: Goal, name: str) -> Iterator[tuple[str, str]]:
    if not goal.known:
        return
    yield f"{name}k", goal.kind.value
    for part, each in enumerate(goal.parts[:PARTS], 1):
        yield f"{name}n{part}", str(each.count)
        yield f"{name}w{part}", each.key
        yield from ((f"{name}{x}{part}", letter) for x, letter in zip("de", each.domains[:2], strict=False))
