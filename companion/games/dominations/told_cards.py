"""A card as its form was answered, and a known card as answers of the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.core.errors import CompanionError
from companion.games.dominations.box import LETTERS, UNKNOWN, VALUES
from companion.games.dominations.card_fields import (
    BARE,
    EFFECTS,
    IN_DOMAINS,
    KINDS,
    LEVELS,
    MAY_BE_ABOUT,
    PARTS,
    REWARDS,
    TRIGGERS,
    WORDS,
    Options,
    is_told,
    sections,
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
from companion.games.dominations.goals import Goal, Kind, parse_goal

TO_WRITE = "§1"
"""Instead of words that people still have to write."""


def card(kind: str, told: Wish) -> Card:
    """The card that was told, without its name; NotationError says what does not fit."""
    match kind:
        case "mastery":
            needs, advance = _cost(told, "nd", "nn"), _cost(told, "ad", "an")
            other = _side(told, "a") if is_told(told, "a") else None
            value = _number(told, "value") if "value" in told else VALUES[0]
            domain = _letter(told, "domain") or LETTERS[0]
            basic = _side(told, "b")
            return Mastery("", "", domain, value, needs, advance, basic, other)
        case "monument":
            return _monument(told)
        case _:
            return Objective("", "", tuple(_goal(told, f"o{n}") for n in range(1, GOALS + 1)))


def _monument(told: Wish) -> Card:
    shape = Shape(told["shape"]) if told.get("shape") in set(Shape) else Shape.LOZENGE
    rewarded = dict.fromkeys(_letter(told, f"r{n}") for n in REWARDS)
    reward = "".join(rewarded)
    points = _number(told, "rp") if reward else 0
    coastal, beside = bool(told.get("coastal")), _letter(told, "beside")
    return Monument("", "", shape, tuple(_levels(told)), coastal, beside, reward, points)


def _letter(told: Wish, name: str) -> str:
    """The Domain that was chosen, or that nobody knows it; empty when nothing was."""
    letter = told.get(name, "")
    return letter if letter in [*LETTERS, UNKNOWN] else ""


def _levels(told: Wish) -> Iterator[Level]:
    for name in (f"l{number}" for number in LEVELS):
        cost, side = _cost(told, f"{name}d", f"{name}n"), _side(told, name)
        if cost or side != Side():
            yield Level(cost or Cost(UNKNOWN, 0), side)


def _side(told: Wish, side: str) -> Side:
    effects = tuple(_effects(told, side))
    return Side(effects, _number(told, f"{side}p"), _number(told, f"{side}i"))


def _effects(told: Wish, side: str) -> Iterator[Effect]:
    for name in (f"{side}{number}" for number in EFFECTS):
        if told.get(f"{name}t") in dict(TRIGGERS) and told[f"{name}t"]:
            yield parse_effect(_effect(told, name))


def _effect(told: Wish, name: str) -> str:
    """One effect in the small language; words are still to be written."""
    trigger, about, unit = told[f"{name}t"], told.get(f"{name}x", ""), told.get(f"{name}u", "")
    head = [trigger]
    if trigger == "produce":
        head.append(told.get(f"{name}e", "1"))
    if trigger in MAY_BE_ABOUT or trigger.startswith("pay"):
        head.append(about)
    if unit == WORDS:
        return f'{_joined(head)}: "{TO_WRITE}"'
    bare = trigger in BARE or trigger.startswith("pay")
    measure = told.get(f"{name}m", "")
    of = (
        told.get(f"{name}d", "")
        if measure in (Measure.NODUS, Measure.NODUS_NOT, Measure.LEFT, Measure.LIMIT)
        else ""
    )
    count = told.get(f"{name}q", "1")
    per = ["per", count if count != "1" else "", measure, of] if measure else []
    return f"{_joined(head)}: {_joined([told.get(f'{name}n', ''), '' if bare else unit, *per])}"


def _joined(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _goal(told: Wish, name: str) -> Goal:
    kind, words = told.get(f"{name}k", KINDS[0][0]), []
    if kind == Kind.TEXT:
        return parse_goal(TO_WRITE)
    for part in PARTS:
        what, count = told.get(f"{name}w{part}", ""), _number(told, f"{name}n{part}")
        domains = "".join(dict.fromkeys(_letter(told, f"{name}{x}{part}") for x in IN_DOMAINS))
        if count and kind in ("cities", "masteries"):
            words.append(f"{what or '?'}:{count}")
            words += [domains or LETTERS] if kind == "masteries" else []
        elif count and kind == "nodi":
            words.append(f"{what or '?'}{count}")
        elif kind == "control" and len(what) > 1:
            words.append(what)
        elif count and part == 1:
            words.append(str(count))
    return parse_goal(_joined([kind if kind in dict(KINDS) else KINDS[0][0], *(words or ["?"])]))


def _cost(told: Wish, domain: str, amount: str) -> Cost | None:
    """What something costs, as far as anybody knows it."""
    letter, number = _letter(told, domain), _number(told, amount)
    return Cost(letter or UNKNOWN, number) if letter or number else None


def _number(told: Wish, name: str) -> int:
    text = told.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


# ---- from a card that is known to the answers ----


def answers(found: Card) -> Mapping[str, str]:
    """The form as a known card fills it in."""
    match found:
        case Mastery():
            told = {"domain": found.domain, "value": str(found.value or UNKNOWN)}
            told |= _told_cost(found.needs, "nd", "nn") | _told_cost(found.advance, "ad", "an")
            told |= _told_side(found.basic, "b")
            return told | (_told_side(found.advanced, "a") if found.advanced else {})
        case Monument():
            told = {
                "shape": found.shape.value,
                "coastal": "1" if found.coastal else "",
                "beside": found.beside,
            }
            told |= {f"r{n}": letter for n, letter in enumerate(found.reward, 1)}
            told |= {"rp": str(found.reward_points)}
            for number, level in enumerate(found.levels, 1):
                told |= _told_cost(level.cost, f"l{number}d", f"l{number}n")
                told |= _told_side(level.side, f"l{number}")
            return told
        case Objective():
            return {
                key: value
                for n, goal in enumerate(found.goals, 1)
                for key, value in _told_goal(goal, f"o{n}")
            }


def _told_cost(cost: Cost | None, domain: str, amount: str) -> dict[str, str]:
    return {domain: cost.domain, amount: str(cost.amount or UNKNOWN)} if cost else {}


def _told_side(side: Side, name: str) -> dict[str, str]:
    told = {f"{name}p": str(side.points), f"{name}i": str(side.influence)}
    for number, effect in enumerate(side.effects, 1):
        told |= {f"{name}{number}{key}": value for key, value in _told_effect(effect)}
    return told


def _told_effect(effect: Effect) -> Iterator[tuple[str, str]]:
    yield "t", _joined([effect.trigger.value, effect.target])
    yield from (("x", effect.about), ("e", str(effect.every)), ("n", str(effect.amount or UNKNOWN)))
    yield "u", WORDS if effect.text else effect.unit
    yield from (
        ("m", effect.measure.value if effect.measure else ""),
        ("d", effect.of),
        ("q", str(effect.per)),
    )


def _told_goal(goal: Goal, name: str) -> Iterator[tuple[str, str]]:
    yield f"{name}k", goal.kind.value
    for part, each in enumerate(goal.parts, 1):
        yield f"{name}n{part}", str(each.count)
        yield f"{name}w{part}", each.key
        domains = "" if each.domains == LETTERS else each.domains
        yield from ((f"{name}{x}{part}", letter) for x, letter in zip(IN_DOMAINS, domains, strict=False))


def loses(kind: str, found: Card, monuments: Options) -> bool:
    """Whether the form would drop anything of a known card that is read again."""
    told = answers(found)
    shown = {field.name: field.value for part in sections(kind, told, monuments) for field in part.fields}
    try:
        return answers(card(kind, shown)) != told
    except CompanionError:
        # Then the form says itself what is wrong.
        return False
