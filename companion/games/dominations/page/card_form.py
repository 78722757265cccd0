"""Reading out a card: a form of choices that becomes the card's line, so that nobody writes the small languages.

The answers come with the address, the title and words that fit no choice as well, so that nothing told is
lost. Answers make a card, a known card makes answers, and whatever was chosen that the card does not say is
named and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, product
from string import ascii_lowercase

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.notation import LINE_LIMIT, quote
from companion.games.dominations.page.card_chips import mastery_chips
from companion.games.dominations.page.elements import (
    Action,
    ActionGroup,
    ActionPanel,
    To,
    Wish,
    domain_action,
    group,
    leads,
    panel,
    printed_text,
    told_player,
)
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, UNKNOWN, VALUES, Domain
from companion.games.dominations.rules.cards import (
    ABOUT,
    BARE,
    GOAL_LIMIT,
    GOALS,
    HIGHEST_AMOUNT,
    HIGHEST_COST,
    IN_ONE_DOMAIN,
    MOST_EFFECTS,
    MOST_LEVELS,
    TEXT_LIMIT,
    WITH_DOMAIN,
    Card,
    CardEffect,
    EffectUnit,
    Goal,
    GoalKind,
    KnowledgeCost,
    Level,
    Mastery,
    Measure,
    Monument,
    Objective,
    PieceShape,
    Side,
    Trigger,
    Unmarked,
    checked_card,
    parse_effect,
    parse_goal,
    readable,
    same_title,
)
from companion.games.dominations.rules.position import Position, QuestionKind
from companion.games.dominations.text.notation import TITLE_LIMIT, readable_title, write_card
from companion.games.dominations.text.words import (
    GOAL_TEXTS,
    MEASURE_TEXTS,
    TARGET_TEXTS,
    TRIGGER_TEXTS,
    UNIT_TEXTS,
    effect_text,
    goal_text,
    points_text,
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
NEW = "new"
FILLED, READY, OTHER = "filled", "ready", "other"
"""Wishes of the form: it was filled in, it is to be read to the table, its title may be that of a known card."""
CARD_KINDS: Mapping[str, tuple[type[Card], Message]] = {
    "mastery": (Mastery, _("Masteries")),
    "monument": (Monument, _("Monuments")),
    "objective": (Objective, _("Objectives")),
}


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


@dataclass(frozen=True)
class FormTrouble:
    """What keeps a card from being read out."""

    text: Message
    in_words: To | None = None
    """Leads to the same form, where people say in words what cannot be counted."""
    field: str = ""
    """Where they write it."""
    draft: Message | None = None
    """What they chose until now, for them to go on with."""
    most: int = 0


@dataclass(frozen=True)
class FormView:
    """The card that is being read out."""

    kind: str
    key: str
    title: Message | None
    called: Message
    """What stands where people write the title."""
    longest: int
    sections: tuple[FormSection, ...]
    asked: bool
    """Whether something waits for this card."""
    told: tuple[Message, ...] = ()
    """What it says, in words, for the table to compare with the card."""
    line: str = ""
    """What is recorded when it says the same; nothing as long as it says nothing yet."""
    troubles: tuple[FormTrouble, ...] = ()
    twin: str = ""
    """A known card of the same title: whether it is that one has to be said first."""
    in_play: bool = False
    """Whether it was read before, and has given somebody something since."""
    chips: tuple[ActionGroup, ...] = ()
    """What most cards say, a tap each."""

    @property
    def names(self) -> tuple[str, ...]:
        """The wishes of this form, for links that lead away from it."""
        return (SAY, FILLED, READY, OTHER, *shown_answers(self.sections))


def form_view(position: Position, wish: Wish) -> FormView | None:
    """The form, while a card is read out."""
    kind, key, asked = _which(position, wish)
    if not kind or not key:
        return None
    known = position.cards.find(key)
    monuments = tuple((each, position.title(each)) for each in position.cards.monuments)
    title = position.title(key) if known else None
    if known and FILLED not in wish and form_loses(kind, known, monuments):
        return _by_its_line(position, kind, known, asked)
    fields = without_gaps(kind, wish) if FILLED in wish else (answers_from_card(known) if known else {})
    sections = form_sections(kind, fields, monuments)
    if FILLED not in wish or READY not in wish:
        called: Message = Unmarked("", title=title)
    else:
        called = printed_text(fields.get(SAY, ""))
    found = FormView(kind, key, title, called, TITLE_LIMIT, sections, asked)
    if kind == "mastery":
        found = replace(found, chips=_chips(wish, found, known))
    if FILLED not in wish or READY not in wish:
        return found
    twin = "" if asked or OTHER in wish else _twin(position, kind, key, str(called))
    if twin:
        return replace(found, twin=twin)
    return _read(position, found, key if known or asked else _free(position))


def _chips(wish: Wish, form: FormView, known: Card | None) -> tuple[ActionGroup, ...]:
    """A tap for what most Masteries say; what was told so far goes along."""
    told = shown_answers(form.sections)
    title = wish.get(SAY, known.title if known else "")
    kept = {name: wish.get(name) for name in (_KEEPING, "objective", OTHER)}
    base = leads(do="card", kind=form.kind, key=wish.get("key", form.key))

    def answering(changes: Mapping[str, str]) -> To:
        answers = {name: value for name, value in {**told, **changes}.items() if value}
        return {**base, **kept, SAY: title or None, **answers, FILLED: "1", READY: "1"}

    def fields(name: str, line: str) -> Mapping[str, str]:
        values = _told_effect(parse_effect(line)) if line else [""] * len(effect_fields(name))
        return dict(zip(effect_fields(name), values, strict=True))

    return mastery_chips(told, answering, fields)


def _which(position: Position, wish: Wish) -> tuple[str, str, bool]:
    """The kind and the name of the card, and whether something waits for it."""
    if position.held and position.held.need.ask is QuestionKind.CARD:
        key = position.held.need.about
        return card_kind(position, key), key, True
    if position.held or wish.get("do") != "card":
        return "", "", False
    kind, key = wish.get("kind", ""), wish.get("key", "")
    known = key == NEW or (position.cards.find(key) is not None and card_kind(position, key) == kind)
    return (kind, key, False) if kind in CARD_KINDS and known else ("", "", False)


def card_kind(position: Position, key: str) -> str:
    found = position.cards.find(key)
    return next((kind for kind, (card, _name) in CARD_KINDS.items() if isinstance(found, card)), "mastery")


def _by_its_line(position: Position, kind: str, known: Card, asked: bool) -> FormView:
    """A card that says more than the form can tell is changed in the notation, and nothing of it is lost."""
    trouble = FormTrouble(_("The form cannot tell all that this card says: put its line right instead."))
    title, told, line = position.title(known.key), _told(position, known), write_card(known)
    return FormView(kind, known.key, title, title, LINE_LIMIT, (), asked, told, line, (trouble,))


def _read(position: Position, found: FormView, key: str) -> FormView:
    """The form with what the card says as it was told, or with what keeps it from being read out."""
    try:
        card = card_from_answers(found.kind, shown_answers(found.sections))
        if troubles := tuple(form_troubles(found.sections, card)):
            return replace(found, troubles=troubles)
        card = replace(checked_card(card), key=key, title=readable_title(str(found.called)))
    except CompanionError as error:
        return replace(found, troubles=(FormTrouble(error.message),))
    return replace(found, told=_told(position, card), line=write_card(card), in_play=_in_play(position, key))


def _told(position: Position, card: Card) -> tuple[Message, ...]:
    return tuple(card_text(card, position.title))


def _in_play(position: Position, key: str) -> bool:
    site = position.sites.get(key)
    has = any(seat.objective == key or seat.tree.find(key) for seat in position.seats)
    return key in position.taught and (has or bool(site and site.taken))


def _twin(position: Position, kind: str, key: str, title: str) -> str:
    """Another card of the same title, in whatever language; nothing where there is none."""
    cards = (card for card in _shelf(position, kind) if card.key != key)
    return next((card.key for card in cards if same_title(title, card.key, card.title)), "")


def _shelf(position: Position, kind: str) -> Iterator[Card]:
    shelves = (position.cards.masteries, position.cards.monuments, position.cards.objectives)
    return (card for shelf in shelves for card in shelf.values() if isinstance(card, CARD_KINDS[kind][0]))


def _free(position: Position) -> str:
    """A name for a card that no table knows: own_a, own_b and so on, after own_z own_aa."""
    names = ("own_" + "".join(letters) for n in count(1) for letters in product(ascii_lowercase, repeat=n))
    return next(name for name in names if position.cards.find(name) is None)


_KEEPING = "keep"


def keeping_room(position: Position, wish: Wish, form: FormView) -> str:
    """Who was about to keep which Objective when a card had to be read out first: so people go on from there."""
    who = told_player(position, wish.get(_KEEPING))
    if who is None:
        return ""
    keys = [*position.cards.objectives]
    read = form.line.split()[1] if form.line else form.key
    kept = read if form.kind == "objective" else wish.get("objective", "")
    number = keys.index(kept) if kept in keys else len(keys)
    told = kept and number < len(ascii_lowercase)
    return f"{_KEEPING}{ascii_lowercase[who]}{ascii_lowercase[number] if told else ''}"


def kept_again(position: Position, room: str) -> Wish:
    """The wishes of somebody who comes back from there; none for any other room."""
    told = room.removeprefix(_KEEPING)
    if told == room or len(told) not in (1, 2):
        return {}
    keys = [*position.cards.objectives]
    wish = {"do": "keep", "who": str(ascii_lowercase.index(told[0]) + 1)}
    number = ascii_lowercase.index(told[1]) if len(told) > 1 else len(keys)
    return {**wish, "objective": keys[number]} if number < len(keys) else wish


def titles_panel(position: Position, wish: Wish) -> ActionPanel:
    """The titles that are printed somewhere and were not read out yet, and a card nobody knows."""
    kind = wish.get("kind", "")
    kind = kind if kind in CARD_KINDS else "mastery"
    tabs = (
        Action(name, to=leads(do="card", kind=each, **_going_back(wish)), chosen=each == kind)
        for each, (_card, name) in CARD_KINDS.items()
    )
    domains = (
        domain_action(
            d, to=leads(do="card", kind=kind, dom=d.value, **_going_back(wish)), chosen=wish.get("dom") == d
        )
        for d in (Domain if kind == "mastery" else ())
    )
    found = [
        _title(position, card, kind, wish) for card in _shelf(position, kind) if _shown(card, wish.get("dom"))
    ]
    found.sort(key=lambda choice: (choice.note is not None, choice.domain, str(choice.text)))
    new = Action(
        _("A card that is not here"), to=leads(do="card", kind=kind, key=NEW, **_going_back(wish)), main=True
    )
    return panel(
        _("Read out a card"),
        group(tabs, None, "kinds"),
        group(domains, None, "tabs"),
        group((new,)),
        group(found),
        back=leads(),
    )


def _going_back(wish: Wish) -> To:
    """What people were about to keep."""
    return {name: wish[name] for name in (_KEEPING, "objective") if name in wish}


def _shown(card: Card, domain: str | None) -> bool:
    return not domain or not isinstance(card, Mastery) or card.domain == domain


def _title(position: Position, card: Card, kind: str, wish: Wish) -> Action:
    domain = card.domain if isinstance(card, Mastery) and card.domain in LETTERS else ""
    note = _("read out") if card.key in position.taught else None
    return Action(
        position.title(card.key),
        to=leads(do="card", kind=kind, key=card.key, **_going_back(wish)),
        domain=domain,
        note=note,
    )


Options = tuple[tuple[str, Message], ...]
NO_OPTION: Options = (("", Message("–")),)
DOMAINS: Options = tuple((domain.value, DOMAIN_NAMES[domain]) for domain in Domain)
NUMBERS: Options = tuple((str(n), printed_text(str(n))) for n in range(HIGHEST_AMOUNT + 1))
AMOUNTS_FROM_ONE: Options = NUMBERS[1:]
COSTS: Options = NO_OPTION + AMOUNTS_FROM_ONE[:HIGHEST_COST]
MORE: Options = tuple((str(n), printed_text(str(n))) for n in range(35, 101, 5))
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
EFFECT_ROW: Sequence[tuple[str, Message, Options]] = (
    ("t", _("When"), TRIGGERS),
    ("x", _("about"), NO_OPTION + DOMAINS),
    ("e", _("for every"), AMOUNTS_FROM_ONE[:9]),
    ("n", _("gives"), NO_OPTION + AMOUNTS_FROM_ONE),
    ("u", _("of"), UNITS),
    ("m", _("for each"), MEASURES),
    ("d", _("of the Domain"), NO_OPTION + DOMAINS),
    ("q", _("this many of them at a time"), AMOUNTS_FROM_ONE[:9]),
)
"""The fields of an effect: how their names end, what is asked, and what may be chosen."""
GOAL_KINDS: Options = tuple((kind.value, text) for kind, text in GOAL_TEXTS.items())
OF_WHAT: Mapping[str, tuple[str, ...]] = {
    GoalKind.CITIES: ("1", "2", "3"),
    GoalKind.NODI: tuple(LETTERS),
    GoalKind.MASTERIES: tuple(map(str, VALUES)),
}
"""Of what a goal may ask for so many: a level, a Domain, a value."""
SHAPES = {PieceShape.LOZENGE: _("a lozenge"), PieceShape.CIRCLE: _("round")}


def form_sections(kind: str, told: Wish, monuments: Options) -> tuple[FormSection, ...]:
    """The form, with what was told so far, and room for one more of everything."""
    match kind:
        case "mastery":
            return tuple(_mastery_form(told))
        case "monument":
            return tuple(_monument_form(told))
        case _:
            return tuple(_goal_form(told, f"o{n}", n, monuments) for n in range(1, GOALS + 1))


def _mastery_form(told: Wish) -> Iterator[FormSection]:
    values = tuple((str(value), printed_text(str(value))) for value in VALUES)
    card = (
        _field(told, "domain", _("Domain"), DOMAINS),
        _field(told, "value", _("Value"), values),
        _field(told, "nd", _("Needs a Mastery of"), NO_OPTION + DOMAINS),
        _field(told, "nn", _("of value"), NO_OPTION + values),
    )
    yield FormSection(_("The card"), card)
    yield from _side_form(told, "b", _("The basic side"), (), 2)
    turned = _cost_form(told, "a", _("Turning it over costs"))
    yield from _side_form(told, "a", _("The other side"), turned, 2, seldom=True)


def _monument_form(told: Wish) -> Iterator[FormSection]:
    rewards = range(2, _offered(told, [[f"r{n}"] for n in REWARD_NUMBERS], 2) + 1)
    piece = (
        _field(told, "shape", _("Shape"), ((shape.value, name) for shape, name in SHAPES.items())),
        _field(told, "coastal", _("Coast"), (("", _("without")), ("1", _("with")))),
        _field(told, "beside", _("Beside a City of"), NO_OPTION + DOMAINS),
        _field(told, "r1", _("Rewards Cities of"), NO_OPTION + DOMAINS),
        *(_field(told, f"r{n}", _("and of"), NO_OPTION + DOMAINS) for n in rewards),
        _field(told, "rp", _("with points"), NUMBERS),
    )
    yield FormSection(_("The piece"), piece)
    levels = [[*_cost_and_print(f"l{n}"), *chain.from_iterable(_effects_of(f"l{n}"))] for n in LEVELS]
    for number in range(1, _offered(told, levels, 5) + 1):
        cost = _cost_form(told, f"l{number}", _("Costs"))
        name = _("Level %(level)d", level=number)
        yield from _side_form(told, f"l{number}", name, cost, 1, seldom=number > 1)


def _cost_form(told: Wish, name: str, label: Message) -> tuple[FormField, ...]:
    domain = _field(told, f"{name}d", label, NO_OPTION + DOMAINS)
    return domain, _field(told, f"{name}n", _("how much"), COSTS)


def _side_form(
    told: Wish, side: str, name: Message, cost: tuple[FormField, ...], least: int, seldom: bool = False
) -> Iterator[FormSection]:
    """What stands on one side: its corners with the first effect, then so many more effects at least.

    On the other side of a Mastery, no points are told where nobody has told that side.
    """
    points = _field(told, f"{side}p", _("Points"), (NO_OPTION if side == "a" else ()) + NUMBERS)
    influence = _field(told, f"{side}i", _("Influence"), NUMBERS)
    first = (*cost, points, influence, *_effect_form(told, f"{side}1"))
    yield FormSection(name, first, seldom, f"{side}1")
    for number in range(2, _offered(told, _effects_of(side), least) + 1):
        more = tuple(_effect_form(told, f"{side}{number}"))
        yield FormSection(_("One more effect"), more, True, f"{side}{number}")


def _effect_form(told: Wish, name: str) -> Iterator[FormField]:
    yield from (_field(told, name + end, label, options) for end, label, options in EFFECT_ROW)
    yield _written(told, name, TEXT_LIMIT)


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


def _written(told: Wish, name: str, most: int) -> FormField:
    return FormField(SAY + name, _("in words"), (), told.get(SAY + name, ""), most)


def _field(told: Wish, name: str, label: Message, options: Iterable[tuple[str, Message]]) -> FormField:
    """A choice; what a card is known to say is always among its options, unknown or unusual as it may be."""
    found = tuple(options)
    value = told.get(name, found[0][0])
    if value not in dict(found) and (value == UNKNOWN or (value.isdecimal() and len(value) < 3)):
        found = (*found, (value, printed_text(value)))
    return FormField(name, label, found, value if value in dict(found) else found[0][0])


def _offered(told: Wish, rows: Sequence[Sequence[str]], least: int) -> int:
    """How many of what these fields tell are offered: one more than were told."""
    chosen = (number for number, row in enumerate(rows, 1) if any(is_chosen(told, name) for name in row))
    return min(len(rows), max(least, max(chosen, default=0) + 1))


def shown_answers(form: Iterable[FormSection]) -> Wish:
    """The answers as the form shows them."""
    return {field.name: field.value for section in form for field in section.fields}


def is_chosen(told: Wish, name: str) -> bool:
    return told.get(name, "") not in ("", UNTOUCHED.get(name[-1], ""))


def effect_fields(name: str) -> list[str]:
    """What tells one effect."""
    return [*(name + end for end, _label, _options in EFFECT_ROW), SAY + name]


def _effects_of(side: str) -> list[list[str]]:
    return [effect_fields(f"{side}{number}") for number in EFFECTS]


def _cost_and_print(side: str) -> list[str]:
    return [f"{side}{field}" for field in "dnpi"]


def _parts_of(goal: str) -> list[list[str]]:
    return [[f"{goal}{field}{part}" for field in ("n", "w", *IN_DOMAINS)] for part in PARTS]


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


UNFIT = CardEffect(Trigger.NOW, text=UNKNOWN)
"""Instead of an effect that the small language cannot say as it was told."""


def card_from_answers(kind: str, told: Wish) -> Card:
    """The card that was told, without its name and its title, as far as it can be said."""
    match kind:
        case "mastery":
            return Mastery(
                "",
                "",
                _letter(told, "domain") or LETTERS[0],
                _number(told, "value") if "value" in told else VALUES[0],
                _cost_from_answers(told, "n"),
                _cost_from_answers(told, "a"),
                _side_from_answers(told, "b"),
                _side_from_answers(told, "a") if is_told(told, "a") else None,
            )
        case "monument":
            shape = PieceShape(told["shape"]) if told.get("shape") in set(PieceShape) else PieceShape.LOZENGE
            reward = "".join(dict.fromkeys(_letter(told, f"r{n}") for n in REWARD_NUMBERS))
            points = _number(told, "rp") if reward else 0
            coastal, beside = bool(told.get("coastal")), _letter(told, "beside")
            return Monument("", "", shape, tuple(_levels(told)), coastal, beside, reward, points)
        case _:
            return Objective("", "", tuple(_goal(told, f"o{n}") for n in range(1, GOALS + 1)))


def is_told(told: Wish, side: str) -> bool:
    """Whether anything was told of that side; 0 points are something."""
    names = [f"{side}p", *(f"{side}{number}t" for number in EFFECTS)]
    return any(told.get(name) for name in names) or told.get(f"{side}i", "0") != "0"


def _levels(told: Wish) -> Iterator[Level]:
    levels = [(_cost_from_answers(told, f"l{n}"), _side_from_answers(told, f"l{n}")) for n in LEVELS]
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
    names = (f"{side}{n}" for n in EFFECTS)
    found = (
        _effect(told, name) for name in names if any(is_chosen(told, each) for each in effect_fields(name))
    )
    return Side(tuple(found), _number(told, f"{side}p"), _number(told, f"{side}i"))


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
    counts, needs, _unit = trigger_needs(told, name)
    every = (told.get(f"{name}e") or UNTOUCHED["e"]) if counts else ""
    return told.get(f"{name}t", ""), every, "" if needs is False else told.get(f"{name}x", "")


def trigger_needs(told: Wish, name: str) -> tuple[bool, bool | None, bool]:
    """Whether a trigger is of every so many; whether it needs a Domain, None when it may; whether it gives a unit."""
    trigger = told.get(f"{name}t", "")
    if trigger not in set(Trigger):
        # What becomes cheaper stands behind it.
        trigger = trigger.partition(" ")[0]
    return (*ABOUT.get(trigger, (False, False)), trigger not in BARE)


def _amount(told: Wish, name: str) -> Iterator[str]:
    """How much is given of what, and for each of what."""
    *_head, unit = trigger_needs(told, name)
    yield told.get(f"{name}n", "")
    yield told.get(f"{name}u", "") if unit else ""
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


def _cost_from_answers(told: Wish, name: str) -> KnowledgeCost | None:
    """What something costs, as far as anybody knows it."""
    letter, number = _letter(told, f"{name}d"), _number(told, f"{name}n")
    return KnowledgeCost(letter or UNKNOWN, number) if letter or number else None


def _letter(told: Wish, name: str) -> str:
    """The Domain that was chosen, or that nobody knows it; empty when nothing was."""
    letter = told.get(name, "")
    return letter if letter in [*LETTERS, UNKNOWN] else ""


def _number(told: Wish, name: str) -> int:
    text = told.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def answers_from_card(found: Card) -> Mapping[str, str]:
    """The form as a known card fills it in."""
    match found:
        case Mastery():
            told = {"domain": found.domain, "value": str(found.value or UNKNOWN)}
            told |= (
                _told_cost(found.needs, "n") | _told_cost(found.advance, "a") | _told_side(found.basic, "b")
            )
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
                told |= _told_cost(level.cost, f"l{number}") | _told_side(level.side, f"l{number}")
            return told
        case Objective():
            goals = (_told_goal(goal, f"o{n}") for n, goal in enumerate(found.goals, 1))
            return dict(chain.from_iterable(goals))


def _told_cost(cost: KnowledgeCost | None, name: str) -> dict[str, str]:
    return {f"{name}d": cost.domain, f"{name}n": str(cost.amount or UNKNOWN)} if cost else {}


def _told_side(side: Side, name: str) -> dict[str, str]:
    told = {f"{name}p": str(side.points), f"{name}i": str(side.influence)}
    for number, effect in enumerate(side.effects, 1):
        told |= zip(effect_fields(f"{name}{number}"), _told_effect(effect), strict=True)
    return told


def _told_effect(effect: CardEffect) -> Iterator[str]:
    """The values of its fields, in their order."""
    yield _joined([effect.trigger.value, effect.target])
    yield from (effect.about, str(effect.every), str(effect.amount or UNKNOWN))
    yield WORDS if effect.text else effect.unit
    yield from (effect.measure.value if effect.measure else "", effect.of, str(effect.per), effect.text)


def _told_goal(goal: Goal, name: str) -> Iterator[tuple[str, str]]:
    yield f"{name}k", goal.kind.value
    if goal.kind is GoalKind.TEXT:
        yield f"{SAY}{name}", goal.text
    for part, each in enumerate(goal.parts, 1):
        yield f"{name}n{part}", str(each.count)
        yield f"{name}w{part}", each.key
        domains = "" if each.domains == LETTERS else each.domains
        yield from ((f"{name}{x}{part}", letter) for x, letter in zip(IN_DOMAINS, domains, strict=False))


def form_loses(kind: str, found: Card, monuments: Options) -> bool:
    """Whether the form would drop anything of a known card that is read again."""
    told = answers_from_card(found)
    shown = shown_answers(form_sections(kind, told, monuments))
    try:
        return answers_from_card(card_from_answers(kind, shown)) != told
    except CompanionError:
        # Then the form says itself what is wrong.
        return False


def form_troubles(form: Sequence[FormSection], card: Card) -> Iterator[FormTrouble]:
    """Whatever the form shows as chosen, and the card does not say."""
    told, taken = shown_answers(form), answers_from_card(card)
    for section in form:
        if missing := _missing(section, told):
            text = _("%(where)s: “%(what)s” is still to be told.", where=section.name, what=joined(missing))
            yield FormTrouble(text)
            continue
        left = [
            field
            for field in section.fields
            if field.chosen and taken.get(field.name, field.untouched) != field.value
        ]
        if left:
            yield _left_out(section, told, left)


def _left_out(section: FormSection, told: Wish, left: Sequence[FormField]) -> FormTrouble:
    own = _of_the_part(section)
    values = {"where": section.name, "what": joined(field.says for field in left)}
    if not any(field in own for field in left):
        return FormTrouble(_("%(where)s: “%(what)s” does not fit what else was chosen.", **values))
    text = _(
        "%(where)s: nothing can count “%(what)s” there. Choose otherwise, or say it in words and do it by hand.",
        **values,
    )
    words = own[-1]
    chosen = [field.says for field in own[1:] if field.chosen and field.value != WORDS]
    draft = printed_text(words.value) if words.value else joined(chosen) if chosen else None
    to = {**{field.name: None for field in own}, **_kept(section.part, told)}
    return FormTrouble(text, to, words.name, draft, words.most)


def _of_the_part(section: FormSection) -> Sequence[FormField]:
    """The fields of the effect or of the goal: first when or what, at last the words."""
    names = [field.name.removeprefix(SAY) for field in section.fields]
    return [
        field
        for field, name in zip(section.fields, names, strict=True)
        if section.part and name.startswith(section.part)
    ]


def _kept(part: str, told: Wish) -> To:
    """What is told of an effect or a goal besides its words."""
    if f"{part}k" in told:
        return {f"{part}k": GoalKind.TEXT.value}
    trigger, every, about = effect_head(told, part)
    return {f"{part}t": trigger, f"{part}e": every or None, f"{part}x": about or None, f"{part}u": WORDS}


def _missing(section: FormSection, told: Wish) -> Sequence[Message]:
    """What an effect or a goal cannot do without, and nobody has told yet."""
    own = _of_the_part(section)
    needed = {*_needed(section.part, told)} if any(field.chosen for field in own) else ()
    return [field.label for field in own if field.name in needed and not field.value]


def _needed(part: str, told: Wish) -> Iterator[str]:
    if told.get(f"{part}k", told.get(f"{part}u")) in (GoalKind.TEXT, WORDS):
        yield f"{SAY}{part}"
    if f"{part}k" in told:
        return
    _counts, about, unit = trigger_needs(told, part)
    yield f"{part}t"
    if about:
        yield f"{part}x"
    if told[f"{part}u"] != WORDS:
        yield from (f"{part}n", *((f"{part}u",) if unit else ()))
    if told[f"{part}m"] in IN_ONE_DOMAIN:
        yield f"{part}d"


def card_text(card: Card, title: Callable[[str], Message | str]) -> Iterator[Message]:
    match card:
        case Mastery():
            yield from _mastery(card)
        case Monument():
            yield from _monument_text(card)
        case Objective(goals=goals):
            yield from (goal_text(goal, title) for goal in goals)


def _mastery(card: Mastery) -> Iterator[Message]:
    yield _("%(domain)s of value %(value)s", domain=_domain(card.domain), value=str(card.value or UNKNOWN))
    if card.needs:
        domain, value = _domain(card.needs.domain), str(card.needs.amount or UNKNOWN)
        yield _("Needs a Mastery of %(domain)s of value %(value)s", domain=domain, value=value)
    yield from _side_text(card.basic)
    if card.advance:
        yield _("Turning it over costs %(cost)s", cost=_cost_text(card.advance))
    if card.advanced:
        yield _("Turned over:")
        yield from _side_text(card.advanced)


def _monument_text(card: Monument) -> Iterator[Message]:
    yield _("Shape: %(shape)s", shape=SHAPES[card.shape])
    if card.coastal:
        yield _("With a coast")
    if card.beside:
        yield _("Lies beside a City of %(domain)s", domain=_domain(card.beside))
    if card.reward:
        yield _(
            "Rewards Cities of %(domains)s with points: %(points)d",
            domains=joined(map(_domain, card.reward)),
            points=card.reward_points,
        )
    for number, level in enumerate(card.levels, 1):
        yield _("Level %(level)d costs %(cost)s", level=number, cost=_cost_text(level.cost))
        yield from _side_text(level.side)


def _side_text(side: Side) -> Iterator[Message]:
    if side == Side():
        yield _("nothing else")
    if side.points:
        yield points_text(side.points)
    if side.influence:
        yield _("%(count)d Influence", count=side.influence)
    yield from map(effect_text, side.effects)


def _cost_text(cost: KnowledgeCost) -> Message:
    return _("%(amount)s %(unit)s", amount=str(cost.amount or UNKNOWN), unit=_domain(cost.domain))


def _domain(letter: str) -> Message:
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else printed_text(letter)
