"""What is asked about a card, one choice each; and the card that the answers make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.choices import Wish, printed_text
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, UNKNOWN, VALUES, Domain
from companion.games.dominations.rules.cards import GOALS, HIGHEST_COST, MOST_EFFECTS, MOST_LEVELS, PieceShape
from companion.games.dominations.rules.effects import HIGHEST_AMOUNT, TEXT_LIMIT, EffectUnit, Measure, Trigger
from companion.games.dominations.rules.goals import GOAL_LIMIT, GoalKind
from companion.games.dominations.text.effect_words import (
    GOAL_TEXTS,
    MEASURE_TEXTS,
    TARGET_TEXTS,
    TRIGGER_TEXTS,
    UNIT_TEXTS,
)

EFFECTS = range(1, MOST_EFFECTS + 1)
LEVELS = range(1, MOST_LEVELS + 1)
REWARD_NUMBERS = range(1, len(LETTERS) + 1)
PARTS = range(1, len(LETTERS) + 1)
"""What a goal asks for; nothing has more of them than there are Domains."""
IN_DOMAINS = "defgh"
"""The Domains in which a part of a goal may be; where none is told, it may be in all six."""
WORDS = "words"
"""The answer for what fits no choice: people write it."""
SAY = "say"
"""The field of the title; what people write of an effect or of a goal has its name behind that."""
UNTOUCHED: Mapping[str, str] = {"e": "1", "q": "1", "p": "0", "i": "0"}
"""What says nothing yet in the fields whose names end so; in every other, nothing does."""

Options = tuple[tuple[str, Message], ...]
NO_OPTION: Options = (("", Message("–")),)
DOMAINS: Options = tuple((domain.value, DOMAIN_NAMES[domain]) for domain in Domain)
NUMBERS: Options = tuple((str(n), printed_text(str(n))) for n in range(HIGHEST_AMOUNT + 1))
AMOUNTS_FROM_ONE: Options = NUMBERS[1:]
COSTS: Options = NO_OPTION + AMOUNTS_FROM_ONE[:HIGHEST_COST]
TRIGGERS: Options = (
    *NO_OPTION,
    *((trigger.value, text) for trigger, text in TRIGGER_TEXTS.items() if trigger is not Trigger.PAY),
    *((f"pay {target}", text) for target, text in TARGET_TEXTS.items()),
)
UNITS: Options = (
    *NO_OPTION,
    *DOMAINS,
    *((key, text) for key, text in UNIT_TEXTS.items() if key != EffectUnit.UNKNOWN),
    (WORDS, _("something else, in words")),
)
MEASURES: Options = (
    *NO_OPTION,
    *((measure.value, text) for measure, text in MEASURE_TEXTS.items() if measure is not Measure.UNKNOWN),
)
GOAL_KINDS: Options = tuple((kind.value, text) for kind, text in GOAL_TEXTS.items())
OF_WHAT: Mapping[str, tuple[str, ...]] = {
    GoalKind.CITIES: ("1", "2", "3"),
    GoalKind.NODI: tuple(LETTERS),
    GoalKind.MASTERIES: tuple(map(str, VALUES)),
}
"""Of what a goal may ask for so many: a level, a Domain, a value."""


@dataclass(frozen=True)
class FormField:
    """One choice of the form."""

    name: str
    label: Message
    options: Options
    value: str
    most: int = 0
    """How many characters people write there; none where they choose."""

    @property
    def untouched(self) -> str:
        return self.options[0][0] if self.options else ""

    @property
    def chosen(self) -> bool:
        return self.value != self.untouched

    @property
    def says(self) -> Message:
        """What was chosen, by the name of the choice."""
        value = dict(self.options).get(self.value, printed_text(self.value))
        return Message("%(label)s: %(value)s", {"label": self.label, "value": value})


@dataclass(frozen=True)
class FormSection:
    """Choices that belong together; those that most cards do without are folded away until one is made."""

    name: Message
    fields: tuple[FormField, ...]
    seldom: bool = False
    part: str = ""
    """The effect or the goal that its fields tell, and that people may say in words."""

    @property
    def folded(self) -> bool:
        return self.seldom and not any(field.chosen for field in self.fields)


def form_sections(kind: str, told: Wish, monuments: Options) -> tuple[FormSection, ...]:
    """The form, with what was told so far, and room for one more of everything."""
    match kind:
        case "mastery":
            return tuple(_mastery_form(told))
        case "monument":
            return tuple(_monument_form(told))
        case _:
            return tuple(_goal_form(told, f"o{n}", n, monuments) for n in range(1, GOALS + 1))


def _offered(told: Wish, rows: Sequence[Sequence[str]], least: int) -> int:
    """How many of what these fields tell are offered: one more than were told."""
    chosen = (number for number, row in enumerate(rows, 1) if any(is_chosen(told, name) for name in row))
    return min(len(rows), max(least, max(chosen, default=0) + 1))


def _mastery_form(told: Wish) -> Iterator[FormSection]:
    values = tuple((str(value), printed_text(str(value))) for value in VALUES)
    yield FormSection(
        _("The card"),
        (
            _field(told, "domain", _("Domain"), DOMAINS),
            _field(told, "value", _("Value"), values),
            _field(told, "nd", _("Needs a Mastery of"), NO_OPTION + DOMAINS),
            _field(told, "nn", _("of value"), NO_OPTION + values),
        ),
    )
    for side, name in (("b", _("The basic side")), ("a", _("The other side"))):
        turned = (
            (
                _field(told, "ad", _("Turning it over costs"), NO_OPTION + DOMAINS),
                _field(told, "an", _("how much"), COSTS),
            )
            if side == "a"
            else ()
        )
        printed = (*turned, *_printed(told, side))
        yield FormSection(name, (*printed, *_effect_form(told, f"{side}1")), side == "a", f"{side}1")
        yield from _more_effects(told, side, 2)


def _more_effects(told: Wish, side: str, least: int) -> Iterator[FormSection]:
    for number in range(2, _offered(told, _effects_of(side), least) + 1):
        name = f"{side}{number}"
        yield FormSection(_("One more effect"), tuple(_effect_form(told, name)), True, name)


def _monument_form(told: Wish) -> Iterator[FormSection]:
    rewards = _offered(told, [[f"r{n}"] for n in REWARD_NUMBERS], 2)
    shapes = ((PieceShape.LOZENGE.value, _("a lozenge")), (PieceShape.CIRCLE.value, _("round")))
    yield FormSection(
        _("The piece"),
        (
            _field(told, "shape", _("Shape"), shapes),
            _field(told, "coastal", _("Coast"), (("", _("without")), ("1", _("with")))),
            _field(told, "beside", _("Beside a City of"), NO_OPTION + DOMAINS),
            _field(told, "r1", _("Rewards Cities of"), NO_OPTION + DOMAINS),
            *(_field(told, f"r{n}", _("and of"), NO_OPTION + DOMAINS) for n in range(2, rewards + 1)),
            _field(told, "rp", _("with points"), NUMBERS),
        ),
    )
    for number in range(1, _offered(told, [_level_fields(f"l{n}") for n in LEVELS], 5) + 1):
        level = f"l{number}"
        cost = (
            _field(told, f"{level}d", _("Costs"), NO_OPTION + DOMAINS),
            _field(told, f"{level}n", _("how much"), COSTS),
        )
        fields = (*cost, *_printed(told, level), *_effect_form(told, f"{level}1"))
        yield FormSection(_("Level %(level)d", level=number), fields, number > 1, f"{level}1")
        yield from _more_effects(told, level, 1)


def _goal_form(told: Wish, name: str, number: int, monuments: Options) -> FormSection:
    """The kind of a goal, and what it asks for: a level, a Domain, a value or a Monument, and how many."""
    what = (
        *NO_OPTION,
        *((str(n), _("level %(level)d", level=n)) for n in (1, 2, 3)),
        *DOMAINS,
        *((str(n), _("value %(value)d", value=n)) for n in VALUES[1:]),
        *monuments,
    )
    fields = [_field(told, f"{name}k", _("It asks for"), GOAL_KINDS)]
    for part in range(1, _offered(told, _parts_of(name), 3) + 1):
        fields.append(_field(told, f"{name}n{part}", _("how many"), (*NO_OPTION, *AMOUNTS_FROM_ONE, *MORE)))
        fields.append(_field(told, f"{name}w{part}", _("of what"), what))
        asked = [f"{name}{x}{part}" for x in IN_DOMAINS]
        for domain in asked[: _offered(told, [[each] for each in asked], 2)]:
            label = _("in") if domain == asked[0] else _("or in")
            fields.append(_field(told, domain, label, NO_OPTION + DOMAINS))
    fields.append(_written(told, name, GOAL_LIMIT))
    return FormSection(_("Goal %(goal)d", goal=number), tuple(fields), number > 1, name)


MORE: Options = tuple((str(n), printed_text(str(n))) for n in range(35, 101, 5))


def _printed(told: Wish, side: str) -> tuple[FormField, ...]:
    """What stands in the corners; on the other side of a Mastery, nothing where nobody has told that side."""
    return (
        _field(told, f"{side}p", _("Points"), (NO_OPTION if side == "a" else ()) + NUMBERS),
        _field(told, f"{side}i", _("Influence"), NUMBERS),
    )


def _effect_form(told: Wish, name: str) -> Iterator[FormField]:
    yield _field(told, f"{name}t", _("When"), TRIGGERS)
    yield _field(told, f"{name}x", _("about"), NO_OPTION + DOMAINS)
    yield _field(told, f"{name}e", _("for every"), AMOUNTS_FROM_ONE[:9])
    yield _field(told, f"{name}n", _("gives"), NO_OPTION + AMOUNTS_FROM_ONE)
    yield _field(told, f"{name}u", _("of"), UNITS)
    yield _field(told, f"{name}m", _("for each"), MEASURES)
    yield _field(told, f"{name}d", _("of the Domain"), NO_OPTION + DOMAINS)
    yield _field(told, f"{name}q", _("this many of them at a time"), AMOUNTS_FROM_ONE[:9])
    yield _written(told, name, TEXT_LIMIT)


def _written(told: Wish, name: str, most: int) -> FormField:
    return FormField(SAY + name, _("in words"), (), told.get(SAY + name, ""), most)


def _field(told: Wish, name: str, label: Message, options: Iterable[tuple[str, Message]]) -> FormField:
    """A choice; what a card is known to say is always among its options, unknown or unusual as it may be."""
    found = tuple(options)
    value = told.get(name, found[0][0])
    if value not in dict(found) and (value == UNKNOWN or (value.isdecimal() and len(value) < 3)):
        found = (*found, (value, printed_text(value)))
    return FormField(name, label, found, value if value in dict(found) else found[0][0])


def shown_answers(form: Iterable[FormSection]) -> Wish:
    """The answers as the form shows them."""
    return {field.name: field.value for section in form for field in section.fields}


def effect_fields(name: str) -> list[str]:
    """What tells one effect."""
    return [*(f"{name}{field}" for field in "txenumdq"), SAY + name]


def _effects_of(side: str) -> list[list[str]]:
    return [effect_fields(f"{side}{number}") for number in EFFECTS]


def _level_fields(level: str) -> list[str]:
    return [*(f"{level}{field}" for field in "dnpi"), *chain.from_iterable(_effects_of(level))]


def _parts_of(goal: str) -> list[list[str]]:
    return [[f"{goal}{field}{part}" for field in ("n", "w", *IN_DOMAINS)] for part in PARTS]


def is_chosen(told: Wish, name: str) -> bool:
    return told.get(name, "") not in ("", UNTOUCHED.get(name[-1], ""))


def without_gaps(kind: str, told: Wish) -> Wish:
    """The answers without gaps: what was told second comes first where nothing does."""
    found = {name: value.strip() for name, value in told.items()}
    for rows in _rows(kind):
        kept = [row for row in rows if any(is_chosen(found, name) for name in row)]
        values = [[found.get(name, "") for name in row] for row in kept]
        found |= dict.fromkeys((name for row in rows for name in row), "")
        for row, moved in zip(rows, values, strict=False):
            found |= zip(row, moved, strict=True)
    return found


def _rows(kind: str) -> Iterator[list[list[str]]]:
    """What may be told several times over: the fields of each time."""
    match kind:
        case "objective":
            for goal in (f"o{n}" for n in range(1, GOALS + 1)):
                yield from ([[f"{goal}{x}{part}"] for x in IN_DOMAINS] for part in PARTS)
                yield _parts_of(goal)
        case _:
            yield [[f"r{n}"] for n in REWARD_NUMBERS]
            for side in ("b", "a", *(f"l{n}" for n in LEVELS)):
                yield _effects_of(side)


def is_told(told: Wish, side: str) -> bool:
    """Whether anything was told of that side; 0 points are something."""
    names = [f"{side}p", *(f"{side}{number}t" for number in EFFECTS)]
    return any(told.get(name) for name in names) or told.get(f"{side}i", "0") != "0"
