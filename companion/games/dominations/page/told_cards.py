"""A card as its form was answered, and a known card as answers of the form.

What the small languages have no place for, the card does not say: `fitting.py` compares it with its answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.core.errors import CompanionError, NotationError
from companion.core.message import message as _
from companion.core.notation import quote
from companion.games.dominations.page.card_fields import (
    EFFECTS,
    GOAL_KINDS,
    IN_DOMAINS,
    LEVELS,
    OF_WHAT,
    PARTS,
    REWARD_NUMBERS,
    SAY,
    UNTOUCHED,
    WORDS,
    Options,
    effect_fields,
    form_sections,
    is_chosen,
    is_told,
    shown_answers,
)
from companion.games.dominations.page.choices import Wish
from companion.games.dominations.rules.box import LETTERS, UNKNOWN, VALUES
from companion.games.dominations.rules.cards import (
    GOALS,
    Card,
    KnowledgeCost,
    Level,
    Mastery,
    Monument,
    Objective,
    PieceShape,
    Side,
)
from companion.games.dominations.rules.effects import (
    ABOUT,
    BARE,
    WITH_DOMAIN,
    CardEffect,
    Trigger,
    parse_effect,
    readable,
)
from companion.games.dominations.rules.goals import Goal, GoalKind, parse_goal

UNFIT = CardEffect(Trigger.NOW, text=UNKNOWN)
"""Instead of an effect that the small language cannot say as it was told."""


def card_from_answers(kind: str, told: Wish) -> Card:
    """The card that was told, without its name and its title, as far as it can be said."""
    match kind:
        case "mastery":
            needs, advance = _cost_from_answers(told, "nd", "nn"), _cost_from_answers(told, "ad", "an")
            other = _side_from_answers(told, "a") if is_told(told, "a") else None
            value = _number(told, "value") if "value" in told else VALUES[0]
            domain = _letter(told, "domain") or LETTERS[0]
            basic = _side_from_answers(told, "b")
            return Mastery("", "", domain, value, needs, advance, basic, other)
        case "monument":
            return _told_monument(told)
        case _:
            return Objective("", "", tuple(_goal(told, f"o{n}") for n in range(1, GOALS + 1)))


def _told_monument(told: Wish) -> Card:
    shape = PieceShape(told["shape"]) if told.get("shape") in set(PieceShape) else PieceShape.LOZENGE
    rewarded = dict.fromkeys(_letter(told, f"r{n}") for n in REWARD_NUMBERS)
    reward = "".join(rewarded)
    points = _number(told, "rp") if reward else 0
    coastal, beside = bool(told.get("coastal")), _letter(told, "beside")
    return Monument("", "", shape, tuple(_levels(told)), coastal, beside, reward, points)


def _letter(told: Wish, name: str) -> str:
    """The Domain that was chosen, or that nobody knows it; empty when nothing was."""
    letter = told.get(name, "")
    return letter if letter in [*LETTERS, UNKNOWN] else ""


def _levels(told: Wish) -> Iterator[Level]:
    names = [f"l{number}" for number in LEVELS]
    levels = [
        (_cost_from_answers(told, f"{name}d", f"{name}n"), _side_from_answers(told, name)) for name in names
    ]
    said = [number for number, (cost, side) in enumerate(levels) if cost or side != Side()]
    for number, cost, side in ((number, *levels[number]) for number in said):
        if number and number - 1 not in said:
            raise NotationError(
                _(
                    "Level %(level)d is told, and level %(before)d says nothing: tell them in their order.",
                    level=number + 1,
                    before=number,
                )
            )
        yield Level(cost or KnowledgeCost(UNKNOWN, 0), side)


def _side_from_answers(told: Wish, side: str) -> Side:
    effects = tuple(_effects(told, side))
    return Side(effects, _number(told, f"{side}p"), _number(told, f"{side}i"))


def _effects(told: Wish, side: str) -> Iterator[CardEffect]:
    for number in EFFECTS:
        if any(is_chosen(told, field) for field in effect_fields(f"{side}{number}")):
            yield _effect(told, f"{side}{number}")


def _effect(told: Wish, name: str) -> CardEffect:
    head = f"{_joined(effect_head(told, name))}:"
    if told.get(f"{name}u") == WORDS and (words := told.get(f"{SAY}{name}")):
        tail = quote(readable(words))
    else:
        tail = _joined(_amount(told, name))
    try:
        return parse_effect(f"{head} {tail}")
    except NotationError:
        return UNFIT


def effect_head(told: Wish, name: str) -> tuple[str, str, str]:
    """When an effect happens: its trigger, for how much and about which Domain, where that makes a difference."""
    counts, needs = trigger_needs(told, name)
    every = (told.get(f"{name}e") or UNTOUCHED["e"]) if counts else ""
    return told.get(f"{name}t", ""), every, "" if needs is False else told.get(f"{name}x", "")


def trigger_needs(told: Wish, name: str) -> tuple[bool, bool | None]:
    """Whether the trigger of an effect is of every so many, and whether it needs a Domain; None when it may."""
    return ABOUT.get(_trigger(told, name), (False, False))


def needs_no_unit(told: Wish, name: str) -> bool:
    """Whether an effect's amount needs no unit."""
    return _trigger(told, name) in BARE


def _trigger(told: Wish, name: str) -> str:
    """The trigger alone, without what becomes cheaper."""
    trigger = told.get(f"{name}t", "")
    return trigger if trigger in set(Trigger) else trigger.partition(" ")[0]


def _amount(told: Wish, name: str) -> Iterator[str]:
    """How much is given of what, and for each of what."""
    yield told.get(f"{name}n", "")
    yield "" if needs_no_unit(told, name) else told.get(f"{name}u", "")
    if measure := told.get(f"{name}m"):
        count = told.get(f"{name}q") or UNTOUCHED["q"]
        yield from ("per", count if count != UNTOUCHED["q"] else "", measure)
        yield told.get(f"{name}d", "") if measure in WITH_DOMAIN else ""


def _joined(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _goal(told: Wish, name: str) -> Goal:
    kind, words = told.get(f"{name}k", GOAL_KINDS[0][0]), []
    if kind == GoalKind.TEXT:
        return parse_goal(told.get(f"{SAY}{name}") or UNKNOWN)
    for part in PARTS:
        what, count = told.get(f"{name}w{part}", ""), _number(told, f"{name}n{part}")
        of = what if what in OF_WHAT.get(kind, ()) else UNKNOWN
        domains = "".join(dict.fromkeys(_letter(told, f"{name}{x}{part}") for x in IN_DOMAINS))
        if count and kind in (GoalKind.CITIES, GoalKind.MASTERIES):
            words.append(f"{of}:{count}")
            words += [domains or LETTERS] if kind == GoalKind.MASTERIES else []
        elif count and kind == GoalKind.NODI:
            words.append(f"{of}{count}")
        elif kind == GoalKind.CONTROL and len(what) > 1:
            words.append(what)
        elif count and part == 1:
            words.append(str(count))
    return parse_goal(
        _joined([kind if kind in dict(GOAL_KINDS) else GOAL_KINDS[0][0], *(words or [UNKNOWN])])
    )


def _cost_from_answers(told: Wish, domain: str, amount: str) -> KnowledgeCost | None:
    """What something costs, as far as anybody knows it."""
    letter, number = _letter(told, domain), _number(told, amount)
    return KnowledgeCost(letter or UNKNOWN, number) if letter or number else None


def _number(told: Wish, name: str) -> int:
    text = told.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


# ---- from a card that is known to the answers ----


def answers_from_card(found: Card) -> Mapping[str, str]:
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


def _told_cost(cost: KnowledgeCost | None, domain: str, amount: str) -> dict[str, str]:
    return {domain: cost.domain, amount: str(cost.amount or UNKNOWN)} if cost else {}


def _told_side(side: Side, name: str) -> dict[str, str]:
    told = {f"{name}p": str(side.points), f"{name}i": str(side.influence)}
    for number, effect in enumerate(side.effects, 1):
        told |= {f"{name}{number}{key}": value for key, value in _told_effect(effect)}
        told |= {f"{SAY}{name}{number}": effect.text} if effect.text else {}
    return told


def _told_effect(effect: CardEffect) -> Iterator[tuple[str, str]]:
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
    if not goal.known:
        yield f"{SAY}{name}", goal.text
    for part, each in enumerate(goal.parts, 1):
        yield f"{name}n{part}", str(each.count)
        yield f"{name}w{part}", each.key
        domains = "" if each.domains == LETTERS else each.domains
        yield from ((f"{name}{x}{part}", letter) for x, letter in zip(IN_DOMAINS, domains, strict=False))


def form_loses(kind: str, found: Card, monuments: Options) -> bool:
    """Whether the form would drop anything of a known card that is read again."""
    told = answers_from_card(found)
    try:
        return (
            answers_from_card(card_from_answers(kind, shown_answers(form_sections(kind, told, monuments))))
            != told
        )
    except CompanionError:
        # Then the form says itself what is wrong.
        return False
