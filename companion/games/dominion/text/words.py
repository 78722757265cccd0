"""Dominion told in words: what the table waits for, what happened, what people should look at, and which of our
own drawings stands beside them.

A few cards have a drawing of their own, the others one for what they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Remark
from companion.core.message import Message
from companion.core.message import joined as parts_listed
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules import events
from companion.games.dominion.rules.cards import (
    ABSENT,
    CARDS,
    COPPER,
    DUCHY,
    ESTATE,
    GOLD,
    PROVINCE,
    SILVER,
    Card,
    CardType,
    Gain,
)
from companion.games.dominion.rules.events import Event, Overrulable
from companion.games.dominion.rules.kingdom import NEED_NAMES, KingdomNeed
from companion.games.dominion.rules.names import card_list, card_name
from companion.games.dominion.rules.position import Phase, Position
from companion.games.dominion.rules.questions import answer_names, question_text
from companion.games.dominion.rules.scoring import differences, tally, unlike_the_log
from companion.games.dominion.text.notation import write_event

OWN_FACES = (COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE)
"""Cards with a drawing of their own, by their ids."""
TELLING_TYPES = (CardType.CURSE, CardType.TREASURE, CardType.ATTACK, CardType.REACTION)
"""Types that a table has to know from afar, the most telling first."""
TRASH_FACE = "bin"
"""The trash."""
PLAIN_FACE = "action"


def card_face(id: str) -> str:
    """The drawing of a card, as static/faces.svg calls it; a card nobody knows any more has the plain one."""
    card = CARDS.get(id) or ABSENT.get(id)
    return PLAIN_FACE if card is None else id if id in OWN_FACES else _by_deed(card)


def _by_deed(card: Card) -> str:
    telling = next((type.value for type in TELLING_TYPES if type in card.types), "")
    if telling or CardType.ACTION not in card.types:
        return telling or ("victory" if CardType.VICTORY in card.types else PLAIN_FACE)
    deeds = (
        ("village", card.best.actions >= 2),
        ("fire", card.trashes),
        ("cards", card.best.cards >= 2),
        ("coins", card.best.coins >= 1),
        ("hammer", any(isinstance(step, Gain) for step in card.own_steps)),
    )
    return next((name for name, does in deeds if does), PLAIN_FACE)


def colour_type(id: str) -> str:
    """The type that colours a card."""
    card = CARDS.get(id) or ABSENT.get(id)
    types = card.types if card else frozenset()
    order = (*TELLING_TYPES, CardType.ACTION, CardType.VICTORY)
    return next((type.value for type in order if type in types), PLAIN_FACE)


def next_action(position: Position) -> Message:
    """What the table is waiting for, in a few words."""
    match position.phase:
        case Phase.SET_UP:
            if not position.kingdom:
                return _("Choose ten kingdom cards")
            return _("Build the table, then say who begins")
        case Phase.COUNT:
            return _("The game is over: count the decks")
        case Phase.OVER:
            return _("The decks are counted")
        case _ if position.task:
            return question_text(position, position.task)
        case _ if position.light:
            text = _("What is bought?")
        case Phase.ACTION:
            text = _("Action phase")
        case Phase.BUY:
            text = _("Buy phase")
        case _:
            text = _("Clean-up: discard everything, draw 5 cards")
    return _("%(phase)s · the game ends after this turn", phase=text) if position.ending else text


def setup_item_name(key: str) -> Message:
    """Something on the list of what to put on the table."""
    match key:
        case "decks":
            return _("Each player: 7 Copper and 3 Estates, shuffled, 5 drawn")
        case "trash":
            return _("A place for the trash")
        case _:
            return card_name(key)


def short_text(event: Event) -> Message:
    """An answer as its button says it."""
    match event:
        case events.AnswersChosen(_player, keys):
            return answer_names(keys)
        case events.NumberTold(_player, number):
            return Message("%(count)d", {"count": number})
        case _:
            return describe(event).text


def describe(event: Event) -> Remark:
    player: int | None = getattr(event, "player", None)
    return Remark(_told(event), player, _face(event))


def _face(event: Event) -> str:
    """The drawing of the card that somebody does something with."""
    match event:
        case (
            events.CardPlayed(_player, id) | events.CardBought(_player, id) | events.CardGained(_player, id)
        ) if id:
            return card_face(id)
        case events.CardsTrashed(_player, (id, *_others)) | events.CardsRevealed(_player, (id, *_others)):
            return card_face(id)
        case _:
            return ""


def _told(event: Event) -> Message:
    """What happened; of what a player did, the words that follow the name."""
    match event:
        case events.KingdomChosen(cards):
            return _("The kingdom: %(cards)s", cards=card_list(cards))
        case events.CardSwapped(out, into):
            return _("%(into)s comes for %(out)s", into=card_name(into), out=card_name(out))
        case events.WishesMade(()):
            return _("Any ten cards will do")
        case events.WishesMade(needs):
            return _("Wished for: %(wishes)s", wishes=parts_listed(NEED_NAMES[KingdomNeed(n)] for n in needs))
        case events.KingdomPlayed(cards):
            return _("Played before: %(cards)s", cards=card_list(cards))
        case events.FavouritesKept(cards):
            return _("Favourites: %(cards)s", cards=card_list(cards)) if cards else _("No favourites")
        case events.WinnersTold(names):
            return _("Won the last game: %(names)s", names=parts_listed(names))
        case events.SetUpTicked(key, True):
            return _("On the table: %(item)s", item=setup_item_name(key))
        case events.SetUpTicked(key):
            return _("Not on the table: %(item)s", item=setup_item_name(key))
        case events.FirstPlayer():
            return _("begins")
        case events.CardVetoed(_player, id):
            return _("vetoes %(card)s", card=card_name(id)) if id else _("vetoes nothing")
        case events.CardLiked(_player, id):
            return _("would like %(card)s", card=card_name(id))
        case events.CardAllowed(id):
            return _("Neither vetoed nor a favourite: %(card)s", card=card_name(id))
        case events.CardPlayed(_player, id, count):
            return _("plays %(cards)s", cards=card_list([id] * count)) if id else _("plays nothing")
        case events.CardBought(_player, id, True):
            return _("buys %(card)s and ends the turn", card=card_name(id))
        case events.CardBought(_player, id):
            return _("buys %(card)s", card=card_name(id))
        case events.OthersGained(id):
            return _("The others gain %(card)s", card=card_name(id))
        case events.ProblemReviewed():
            return _("Looked at, and put away")
        case events.CardGained(_player, id):
            return _("gains %(card)s", card=card_name(id)) if id else _("gains nothing")
        case events.CardsTrashed(_player, cards):
            return _("trashes %(cards)s", cards=card_list(cards)) if cards else _("trashes nothing")
        case events.CardsRevealed(_player, cards):
            return _("reveals %(cards)s", cards=card_list(cards)) if cards else _("reveals nothing")
        case events.AnswersChosen(_player, keys):
            return _("chooses: %(answers)s", answers=answer_names(keys))
        case events.NumberTold(_player, number):
            return _n("discards %(count)d card", "discards %(count)d cards", number)
        case events.CardPassed(_player, id):
            return _("passed %(card)s to the left", card=card_name(id)) if id else _("had no card to pass")
        case events.AttackSuffered(None):
            return _("Everybody suffers the Attack")
        case events.AttackSuffered():
            return _("suffers the Attack")
        case events.BuyingBegun():
            return _("goes on to the Buy phase")
        case events.TurnEnded():
            return _("ends the turn")
        case events.GameStopped():
            return _("The game is stopped")
        case events.PileCounted(id, number):
            return _("Pile of %(card)s: %(count)d", card=card_name(id), count=number)
        case events.TrashCounted(counts):
            return _n("In the trash: %(count)d card", "In the trash: %(count)d cards", sum(counts.values()))
        case events.DeckCounted(_player, counts):
            return _n("has %(count)d card", "has %(count)d cards", sum(counts.values()))


def problems(position: Position) -> Iterator[Remark]:
    """What people should look at and have not put away."""
    for key, remark in _found(position):
        if key not in position.reviewed:
            yield replace(remark, dismissal=write_event(events.ProblemReviewed(key)))


def _found(position: Position) -> Iterator[tuple[str, Remark]]:
    """Each with a key that changes when what it says does: what was put away is not meant any more then."""
    for number, event in enumerate(position.overruled):
        told = _("Against the rules: %(what)s", what=describe(event).text)
        same = position.overruled[:number].count(event)
        line = re.sub("[^a-z0-9_]+", "-", write_event(replace(event, because="")))
        yield f"rule:{line[:100]}:{same + 1}", Remark(told, event.player, told_at=_shown(event))
    if _turns_missing(position):
        yield (
            "turns",
            Remark(
                _(
                    "Equal points, and nobody knows all their turns: the victory is shared. "
                    "Say how many turns each had: fewer win."
                )
            ),
        )
    if position.ended and position.unseen:
        yield (
            f"passed:{len(position.unseen)}",
            Remark(
                _n(
                    "%(count)d card was passed and nobody said which: two decks may have one card more or less "
                    "than the log says.",
                    "%(count)d cards were passed and nobody said which: so many cards of a deck may be others "
                    "than the log says.",
                    len(position.unseen),
                )
            ),
        )
    for id, missing in differences(position).items():
        said = _untold(id, missing) if position.light and missing > 0 else _lost(id, missing)
        yield f"lost:{id}:{missing}", Remark(said, where=(id,), told_at=(("card", id),))
    for seat, deck in enumerate(position.decks):
        for id, by_log in unlike_the_log(position, seat, deck).items() if deck else ():
            counted = deck.cards.get(id, 0) if deck else 0
            told = _(
                "%(card)s: %(counted)d counted, %(log)d by the log.",
                card=card_name(id),
                counted=counted,
                log=by_log,
            )
            where, shown = (f"{seat + 1}:{id}",), (("deck", str(seat + 1)),)
            yield f"deck:{seat + 1}:{id}:{counted}:{by_log}", Remark(told, seat, where=where, told_at=shown)


def _shown(event: Overrulable) -> tuple[tuple[str, str], ...]:
    """Where the page shows what was recorded with a reason."""
    match event:
        case events.DeckCounted(player):
            return (("deck", str(player + 1)),)
        case events.CardsTrashed():
            return (("card", "trash"),)
        case events.CardPlayed(_player, id) | events.CardGained(_player, id) | events.CardBought(_player, id):
            return (("card", id),) if id else ()
        case _:
            return ()


def _turns_missing(position: Position) -> bool:
    """Whether the victory is shared only because nobody knows who had fewer turns."""
    winners = tally(position).standing.winners
    told = [position.turns_known[seat] for seat in winners]
    return None not in position.decks and len(winners) > 1 and not all(told)


def _untold(id: str, missing: int) -> Message:
    return _n(
        "%(count)d %(card)s is in no deck and in no pile: trashed, or not counted?",
        "%(count)d × %(card)s are in no deck and in no pile: trashed, or not counted?",
        missing,
        card=card_name(id),
    )


def _lost(id: str, missing: int) -> Message:
    if missing < 0:
        return _n(
            "%(count)d %(card)s too many: count the decks, the supply and the trash again.",
            "%(count)d × %(card)s too many: count the decks, the supply and the trash again.",
            -missing,
            card=card_name(id),
        )
    return _n(
        "%(count)d %(card)s is missing: look in the decks, the supply and the trash.",
        "%(count)d × %(card)s are missing: look in the decks, the supply and the trash.",
        missing,
        card=card_name(id),
    )
