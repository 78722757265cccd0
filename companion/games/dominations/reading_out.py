"""Reading out a card: a form of choices that becomes the card's line, so that nobody writes the small language.

The answers come with the address: `kind` and `key` say which card, `ready` that all was chosen, and the fields of
`card_fields.py` what it says. What people write themselves, the title and words that fit no choice, is joined to the
line when it is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import LINE_LIMIT
from companion.games.dominations import card_fields, effect_words, told_cards
from companion.games.dominations.box import DOMAIN_NAMES, LETTERS, Domain
from companion.games.dominations.card_fields import Section
from companion.games.dominations.cards import Card, Mastery, Monument, Objective, Side, checked
from companion.games.dominations.choices import NAME, Choice, Group, Hand, Wish, group, leads, said
from companion.games.dominations.effects import Effect
from companion.games.dominations.goals import Goal
from companion.games.dominations.position import Ask, Position
from companion.games.dominations.teaching import TITLE_LIMIT, write_card
from companion.games.dominations.titles import Unmarked

KINDS = ("mastery", "monument", "objective")
NEW = "new"
TITLE = "§0"
_WRITTEN = re.compile(r"§[01]")
"""Where something that people write goes into the line."""


@dataclass(frozen=True)
class Blank:
    """Something that people write, and what of the line comes before it."""

    before: str
    label: Message
    value: Message
    most: int


@dataclass(frozen=True)
class FormView:
    """The card that is being read out."""

    kind: str
    key: str
    title: Message | None
    sections: tuple[Section, ...]
    told: tuple[Message, ...]
    """What it says, in words, for the table to compare with the card."""
    blanks: tuple[Blank, ...]
    rest: str
    """The end of the line."""
    trouble: Message | None
    asked: bool
    """Whether something waits for this card."""


def form(position: Position, wish: Wish) -> FormView | None:
    """The form, while a card is read out."""
    kind, key, asked = _which(position, wish)
    if not kind or not key:
        return None
    known = _known(position, key)
    fields = wish if "filled" in wish else {**wish, **(told_cards.answers(known) if known else {})}
    monuments = tuple((each, position.title(each)) for each in position.cards.monuments)
    title = position.title(key) if known else None
    if known and "filled" not in wish and told_cards.loses(kind, known, monuments):
        return _by_its_line(position, kind, known, asked)
    card, trouble = (
        _card(kind, key if known else _free(position), fields) if "ready" in wish else (None, None)
    )
    pieces = _WRITTEN.split(write_card(card)) if card else []
    words = (title, *map(said, _words(known))) if known else ()
    blanks = tuple(map(_blank, range(len(pieces) - 1), pieces, (*words, *[None] * len(pieces))))
    return FormView(
        kind,
        key,
        title,
        card_fields.sections(kind, fields, monuments),
        _told(card, position.title) if card else (),
        blanks,
        pieces[-1] if pieces else "",
        trouble,
        asked,
    )


def _by_its_line(position: Position, kind: str, known: Card, asked: bool) -> FormView:
    """A card that says more than the form can tell is changed in the notation, and nothing of it is lost."""
    trouble = _("The form cannot tell all that this card says: put its line right instead.")
    line = Blank("", _("Its line"), said(write_card(known)), LINE_LIMIT)
    told = _told(known, position.title)
    return FormView(kind, known.key, position.title(known.key), (), told, (line,), "", trouble, asked)


def _words(known: Card) -> Iterator[str]:
    """What a known card says in words, in the order of its line."""
    match known:
        case Mastery(basic=basic, advanced=advanced):
            sides = [basic, advanced or Side()]
        case Monument(levels=levels):
            sides = [level.side for level in levels]
        case Objective(goals=goals):
            yield from (goal.text for goal in goals if not goal.known)
            return
    yield from (effect.text for side in sides for effect in side.effects if effect.text)


def _which(position: Position, wish: Wish) -> tuple[str, str, bool]:
    """The kind and the name of the card, and whether something waits for it."""
    if position.held and position.held.need.ask is Ask.CARD:
        key = position.held.need.about
        return kind_of(position, key), key, True
    if position.held or wish.get("do") != "card":
        return "", "", False
    kind, key = wish.get("kind", ""), wish.get("key", "")
    known = key == NEW or (_known(position, key) is not None and kind_of(position, key) == kind)
    return (kind, key, False) if kind in KINDS and known else ("", "", False)


def kind_of(position: Position, key: str) -> str:
    shelves = (position.cards.masteries, position.cards.monuments, position.cards.objectives)
    return next((kind for kind, shelf in zip(KINDS, shelves, strict=True) if key in shelf), "mastery")


def _known(position: Position, key: str) -> Card | None:
    cards = position.cards
    return cards.masteries.get(key) or cards.monuments.get(key) or cards.objectives.get(key)


def _free(position: Position) -> str:
    """A name for a card that no table knows: own_a, own_b and so on."""
    number = 0
    while True:
        letters, rest = "", number
        while True:
            letters, rest = "abcdefghijklmnopqrstuvwxyz"[rest % 26] + letters, rest // 26 - 1
            if rest < 0:
                break
        if _known(position, f"own_{letters}") is None:
            return f"own_{letters}"
        number += 1


def _card(kind: str, key: str, fields: Wish) -> tuple[Card | None, Message | None]:
    """The card as it was told, or what is wrong with it."""
    try:
        card = replace(told_cards.card(kind, fields), key=key, title=TITLE)
        return checked(card), None
    except CompanionError as error:
        return None, error.message


def _blank(number: int, before: str, known: Message | None) -> Blank:
    if number == 0:
        return Blank(before, _("Its title"), Unmarked("", title=known), TITLE_LIMIT)
    return Blank(before, _("What the card says"), known or NAME, 100)


def _told(card: Card, title: Callable[[str], Message | str]) -> tuple[Message, ...]:
    match card:
        case Mastery(basic=basic, advanced=advanced):
            other = _side(advanced) if advanced else ()
            return (*_corner(card), *_side(basic), *((_("Turned over:"), *other) if other else ()))
        case Monument(levels=levels):
            found: list[Message] = []
            for number, level in enumerate(levels, 1):
                found += [_("Level %(level)d", level=number), *_side(level.side)]
            return tuple(found)
        case Objective(goals=goals):
            return tuple(_goal(goal, title) for goal in goals)


def _corner(card: Mastery) -> Iterator[Message]:
    """What is printed in its corners: a card read out in the wrong Domain is found out here."""
    if card.cost.known and card.domain in LETTERS:
        name = DOMAIN_NAMES[Domain(card.domain)]
        yield _("%(domain)s of value %(value)d", domain=name, value=card.value)


def _side(side: Side) -> tuple[Message, ...]:
    printed = []
    if side.points:
        printed.append(_("%(count)d points", count=side.points))
    if side.influence:
        printed.append(_("%(count)d Influence", count=side.influence))
    return (*printed, *map(_effect, side.effects))


def _goal(goal: Goal, title: Callable[[str], Message | str]) -> Message:
    to_write = goal.text == told_cards.TO_WRITE
    return effect_words.GOAL_TEXTS[goal.kind] if to_write else effect_words.goal_text(goal, title)


def _effect(effect: Effect) -> Message:
    if effect.text:
        return _("%(when)s: by hand, in words", when=effect_words.when(effect))
    return effect_words.effect_text(effect)


def titles(position: Position, wish: Wish) -> Hand:
    """The titles that are printed somewhere and were not read out yet, and a card nobody knows."""
    kind = wish.get("kind", "")
    kind = kind if kind in KINDS else KINDS[0]
    cards = _shelf(position, kind)
    tabs = tuple(
        Choice(name, to=leads(do="card", kind=each), chosen=each == kind)
        for each, name in zip(KINDS, (_("Masteries"), _("Monuments"), _("Objectives")), strict=True)
    )
    found = [_title(position, card, kind) for card in cards if _shown(card, wish.get("dom", ""))]
    found.sort(key=lambda choice: (choice.note is not None, choice.domain, str(choice.text)))
    new = Choice(_("A card that is not here"), to=leads(do="card", kind=kind, key=NEW), main=True)
    domains = tuple(
        Choice(
            DOMAIN_NAMES[d],
            to=leads(do="card", kind=kind, dom=d.value),
            domain=d.value,
            chosen=wish.get("dom") == d,
        )
        for d in Domain
    )
    by_domain = (Group(domains, None, "tabs"),) if kind == KINDS[0] else ()
    return Hand(
        _("Read out a card"),
        (Group(tabs, None, "kinds"), *by_domain, Group((new,)), *group(found)),
        (),
        leads(),
    )


def _shelf(position: Position, kind: str) -> tuple[Card, ...]:
    match kind:
        case "mastery":
            return tuple(position.cards.masteries.values())
        case "monument":
            return tuple(position.cards.monuments.values())
    return tuple(position.cards.objectives.values())


def _shown(card: Card, domain: str) -> bool:
    return not domain or not isinstance(card, Mastery) or card.domain == domain


def _title(position: Position, card: Card, kind: str) -> Choice:
    domain = card.domain if isinstance(card, Mastery) and card.domain in LETTERS else ""
    note = _("read out") if card.key in position.taught else None
    return Choice(
        position.title(card.key), to=leads(do="card", kind=kind, key=card.key), domain=domain, note=note
    )
