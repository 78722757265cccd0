"""What is asked about a card, one choice each; and the card that the answers make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.box import DOMAIN_NAMES, VALUES, Domain
from companion.games.dominations.cards import (
    GOALS,
    HIGHEST_COST,
    Shape,
)
from companion.games.dominations.choices import Wish, said
from companion.games.dominations.effect_words import (
    GOAL_TEXTS,
    MEASURE_TEXTS,
    TARGET_TEXTS,
    TRIGGER_TEXTS,
    UNIT_TEXTS,
)
from companion.games.dominations.effects import MOST, Measure, Trigger, Unit
from companion.games.dominations.goals import Kind

LEVELS = 5
EFFECTS = 2
"""Effects that are asked for on one side of a card."""
PARTS = 3
WORDS = "words"
"""The answer for what fits no choice: people write it."""

Options = tuple[tuple[str, Message], ...]
NOTHING: Options = (("", Message("–")),)
DOMAINS: Options = tuple((domain.value, DOMAIN_NAMES[domain]) for domain in Domain)
NUMBERS: Options = tuple((str(n), said(str(n))) for n in range(MOST + 1))
SOME: Options = NUMBERS[1:]
COSTS: Options = NOTHING + SOME[:HIGHEST_COST]
TRIGGERS: Options = (
    *NOTHING,
    *((trigger.value, text) for trigger, text in TRIGGER_TEXTS.items() if trigger is not Trigger.PAY),
    *((f"pay {target}", text) for target, text in TARGET_TEXTS.items()),
)
UNITS: Options = (
    *NOTHING,
    *DOMAINS,
    *((key, text) for key, text in UNIT_TEXTS.items() if key != Unit.UNKNOWN),
    (WORDS, _("something else, in words")),
)
MEASURES: Options = (
    *NOTHING,
    *((measure.value, text) for measure, text in MEASURE_TEXTS.items() if measure is not Measure.UNKNOWN),
)
KINDS: Options = tuple((kind.value, text) for kind, text in GOAL_TEXTS.items() if kind is not Kind.TEXT)
BARE = ("trade", "limit")
ABOUT = ("produce", "nodus", "limit")
MAY_BE_ABOUT = (*ABOUT, "trade")


@dataclass(frozen=True)
class Field:
    """One choice of the form."""

    name: str
    label: Message
    options: Options
    value: str


@dataclass(frozen=True)
class Section:
    """Choices that belong together; those that most cards do without are folded away."""

    name: Message
    fields: tuple[Field, ...]
    folded: bool = False


def sections(kind: str, told: Wish) -> tuple[Section, ...]:
    """The form, with what was told so far."""
    match kind:
        case "mastery":
            return tuple(_mastery_form(told))
        case "monument":
            return tuple(_monument_form(told))
        case _:
            return tuple(_goal_form(told, f"o{n}", n) for n in range(1, GOALS + 1))


def _mastery_form(told: Wish) -> Iterator[Section]:
    values = tuple((str(value), said(str(value))) for value in VALUES)
    yield Section(
        _("The card"),
        (
            _field(told, "domain", _("Domain"), DOMAINS),
            _field(told, "value", _("Value"), values),
            _field(told, "nd", _("Needs a Mastery of"), NOTHING + DOMAINS),
            _field(told, "nn", _("of value"), NOTHING + values),
        ),
    )
    for side, name in (("b", _("The basic side")), ("a", _("The other side"))):
        turned = (
            (
                _field(told, "ad", _("Turning it over costs"), NOTHING + DOMAINS),
                _field(told, "an", _("how much"), COSTS),
            )
            if side == "a"
            else ()
        )
        printed = (*turned, *_printed(told, side))
        yield Section(
            name, (*printed, *_effect_form(told, f"{side}1")), side == "a" and not is_told(told, "a")
        )
        more = _("One more effect")
        yield Section(more, tuple(_effect_form(told, f"{side}2")), not told.get(f"{side}2t"))


def _monument_form(told: Wish) -> Iterator[Section]:
    shapes = ((Shape.LOZENGE.value, _("a lozenge")), (Shape.CIRCLE.value, _("round")))
    yield Section(
        _("The piece"),
        (
            _field(told, "shape", _("Shape"), shapes),
            _field(told, "coastal", _("Coast"), (("", _("without")), ("1", _("with")))),
            _field(told, "beside", _("Beside a City of"), NOTHING + DOMAINS),
            _field(told, "r1", _("Rewards Cities of"), NOTHING + DOMAINS),
            _field(told, "r2", _("and of"), NOTHING + DOMAINS),
            _field(told, "rp", _("with points"), NUMBERS),
        ),
    )
    for number in range(1, LEVELS + 1):
        level = f"l{number}"
        cost = (
            _field(told, f"{level}d", _("Costs"), NOTHING + DOMAINS),
            _field(told, f"{level}n", _("how much"), COSTS),
        )
        fields = (*cost, *_printed(told, level), *_effect_form(told, f"{level}e"))
        folded = number > 1 and not told.get(f"{level}d")
        yield Section(_("Level %(level)d", level=number), fields, folded)


def _goal_form(told: Wish, name: str, number: int) -> Section:
    """The kind of a goal, and up to three things of it: a level, a Domain or a value, and how many."""
    what = (
        *NOTHING,
        *((str(n), _("level %(level)d", level=n)) for n in (1, 2, 3)),
        *DOMAINS,
        *((str(n), _("value %(value)d", value=n)) for n in VALUES[1:]),
    )
    fields = [_field(told, f"{name}k", _("It asks for"), KINDS)]
    for part in range(1, PARTS + 1):
        fields.append(_field(told, f"{name}n{part}", _("how many"), (*NOTHING, *SOME, *MORE)))
        fields.append(_field(told, f"{name}w{part}", _("of what"), what))
        fields.append(_field(told, f"{name}d{part}", _("in"), NOTHING + DOMAINS))
        fields.append(_field(told, f"{name}e{part}", _("or in"), NOTHING + DOMAINS))
    return Section(_("Goal %(goal)d", goal=number), tuple(fields), number > 1 and not told.get(f"{name}n1"))


MORE: Options = tuple((str(n), said(str(n))) for n in range(35, 101, 5))


def _printed(told: Wish, side: str) -> tuple[Field, ...]:
    return (
        _field(told, f"{side}p", _("Points"), NUMBERS),
        _field(told, f"{side}i", _("Influence"), NUMBERS),
    )


def _effect_form(told: Wish, name: str) -> Iterator[Field]:
    yield _field(told, f"{name}t", _("When"), TRIGGERS)
    yield _field(told, f"{name}x", _("about"), NOTHING + DOMAINS)
    yield _field(told, f"{name}e", _("for every"), SOME[:9])
    yield _field(told, f"{name}n", _("gives"), NOTHING + SOME)
    yield _field(told, f"{name}u", _("of"), UNITS)
    yield _field(told, f"{name}m", _("for each"), MEASURES)
    yield _field(told, f"{name}d", _("of the Domain"), NOTHING + DOMAINS)


def _field(told: Wish, name: str, label: Message, options: Iterable[tuple[str, Message]]) -> Field:
    found = tuple(options)
    value = told.get(name, found[0][0])
    return Field(name, label, found, value if value in dict(found) else found[0][0])


def is_told(told: Wish, side: str) -> bool:
    return any(told.get(f"{side}{rest}", "0") not in ("", "0") for rest in ("p", "i", "d", "n", "1t", "2t"))
