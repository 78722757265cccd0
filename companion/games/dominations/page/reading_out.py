"""Reading out a card: a form of choices that becomes the card's line, so that nobody writes the small language.

The answers come with the address, the title and words that fit no choice as well: `kind` and `key` say which card,
`ready` that all was told, and the fields of `card_fields.py` what it says. So whatever keeps a card from being read
out, nothing that was told of it is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import LINE_LIMIT
from companion.games.dominations.page import card_fields, card_words, fitting, told_cards
from companion.games.dominations.page.card_fields import SAY, FormSection
from companion.games.dominations.page.choices import (
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    action_group,
    leads,
    printed_text,
)
from companion.games.dominations.page.fitting import FormTrouble
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, Domain
from companion.games.dominations.rules.cards import Card, Mastery, checked_card
from companion.games.dominations.rules.position import Position, QuestionKind
from companion.games.dominations.rules.titles import Unmarked, same_title
from companion.games.dominations.text.teaching import TITLE_LIMIT, readable_title, write_card

CARD_KINDS = ("mastery", "monument", "objective")
NEW = "new"
FILLED, READY, OTHER = "filled", "ready", "other"
"""Wishes of the form: it was filled in, it is to be read to the table, its title may be that of a known card."""


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

    @property
    def names(self) -> tuple[str, ...]:
        """The wishes of this form, for links that lead away from it."""
        return (SAY, FILLED, READY, OTHER, *card_fields.shown_answers(self.sections))


def form_view(position: Position, wish: Wish) -> FormView | None:
    """The form, while a card is read out."""
    kind, key, asked = _which(position, wish)
    if not kind or not key:
        return None
    known, monuments = (
        _known(position, key),
        tuple((each, position.title(each)) for each in position.cards.monuments),
    )
    title = position.title(key) if known else None
    if known and FILLED not in wish and told_cards.form_loses(kind, known, monuments):
        return _by_its_line(position, kind, known, asked)
    fields = (
        card_fields.without_gaps(kind, wish)
        if FILLED in wish
        else (told_cards.answers_from_card(known) if known else {})
    )
    sections = card_fields.form_sections(kind, fields, monuments)
    if FILLED not in wish or READY not in wish:
        return FormView(kind, key, title, Unmarked("", title=title), TITLE_LIMIT, sections, asked)
    called = printed_text(fields.get(SAY, ""))
    found = FormView(kind, key, title, called, TITLE_LIMIT, sections, asked)
    twin = "" if asked or OTHER in wish else _twin(position, kind, key, str(called))
    if twin:
        return replace(found, twin=twin)
    return _read(position, found, key if known or asked else _free(position))


def _read(position: Position, found: FormView, key: str) -> FormView:
    """The form with what the card says as it was told, or with what keeps it from being read out."""
    try:
        card = told_cards.card_from_answers(found.kind, card_fields.shown_answers(found.sections))
        if troubles := tuple(fitting.form_troubles(found.sections, card)):
            return replace(found, troubles=troubles)
        card = replace(checked_card(card), key=key, title=readable_title(str(found.called)))
    except CompanionError as error:
        return replace(found, troubles=(FormTrouble(error.message),))
    return replace(found, told=_told(position, card), line=write_card(card), in_play=_in_play(position, key))


def _in_play(position: Position, key: str) -> bool:
    site = position.sites.get(key)
    has = any(seat.objective == key or seat.tree.find(key) for seat in position.seats)
    return key in position.taught and (has or bool(site and site.taken))


def _told(position: Position, card: Card) -> tuple[Message, ...]:
    return tuple(card_words.card_text(card, position.title))


def _by_its_line(position: Position, kind: str, known: Card, asked: bool) -> FormView:
    """A card that says more than the form can tell is changed in the notation, and nothing of it is lost."""
    trouble = FormTrouble(_("The form cannot tell all that this card says: put its line right instead."))
    title, told, line = position.title(known.key), _told(position, known), write_card(known)
    return FormView(kind, known.key, title, title, LINE_LIMIT, (), asked, told, line, (trouble,))


def _twin(position: Position, kind: str, key: str, title: str) -> str:
    """Another card of the same title, in whatever language; nothing where there is none."""
    cards = (card for card in _shelf(position, kind) if card.key != key)
    return next((card.key for card in cards if same_title(title, card.key, card.title)), "")


def _which(position: Position, wish: Wish) -> tuple[str, str, bool]:
    """The kind and the name of the card, and whether something waits for it."""
    if position.held and position.held.need.ask is QuestionKind.CARD:
        key = position.held.need.about
        return card_kind(position, key), key, True
    if position.held or wish.get("do") != "card":
        return "", "", False
    kind, key = wish.get("kind", ""), wish.get("key", "")
    known = key == NEW or (_known(position, key) is not None and card_kind(position, key) == kind)
    return (kind, key, False) if kind in CARD_KINDS and known else ("", "", False)


def card_kind(position: Position, key: str) -> str:
    shelves = (position.cards.masteries, position.cards.monuments, position.cards.objectives)
    return next((kind for kind, shelf in zip(CARD_KINDS, shelves, strict=True) if key in shelf), "mastery")


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


def titles_panel(position: Position, wish: Wish) -> ActionPanel:
    """The titles that are printed somewhere and were not read out yet, and a card nobody knows."""
    kind = wish.get("kind", "")
    kind = kind if kind in CARD_KINDS else CARD_KINDS[0]
    cards = _shelf(position, kind)
    tabs = tuple(
        Action(name, to=leads(do="card", kind=each), chosen=each == kind)
        for each, name in zip(CARD_KINDS, (_("Masteries"), _("Monuments"), _("Objectives")), strict=True)
    )
    found = [_title(position, card, kind) for card in cards if _shown(card, wish.get("dom", ""))]
    found.sort(key=lambda choice: (choice.note is not None, choice.domain, str(choice.text)))
    new = Action(_("A card that is not here"), to=leads(do="card", kind=kind, key=NEW), main=True)
    domains = tuple(
        Action(
            DOMAIN_NAMES[d],
            to=leads(do="card", kind=kind, dom=d.value),
            domain=d.value,
            chosen=wish.get("dom") == d,
        )
        for d in Domain
    )
    by_domain = (ActionGroup(domains, None, "tabs"),) if kind == CARD_KINDS[0] else ()
    return ActionPanel(
        _("Read out a card"),
        (ActionGroup(tabs, None, "kinds"), *by_domain, ActionGroup((new,)), *action_group(found)),
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


def _title(position: Position, card: Card, kind: str) -> Action:
    domain = card.domain if isinstance(card, Mastery) and card.domain in LETTERS else ""
    note = _("read out") if card.key in position.taught else None
    return Action(
        position.title(card.key), to=leads(do="card", kind=kind, key=card.key), domain=domain, note=note
    )
