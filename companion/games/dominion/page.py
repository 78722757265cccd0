"""What the page of Dominion draws, given what somebody is pointing at.

A person's wishes come with the address: `card` (one of the ten, to exchange or veto) and `set` (a recommended set).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.games.dominion import notation, words
from companion.games.dominion.card_names import card as card_name
from companion.games.dominion.cards import CARDS
from companion.games.dominion.events import (
    BuyingBegun,
    CardBought,
    CardPlayed,
    CardSwapped,
    CardVetoed,
    Event,
    FirstPlayer,
    KingdomChosen,
    SetUpTicked,
    TurnEnded,
    WishesMade,
)
from companion.games.dominion.legal import legal
from companion.games.dominion.moves import EXTRA_ITEMS
from companion.games.dominion.position import Phase, Position
from companion.games.dominion.randomiser import NEED_NAMES, Need, Wishes, draw, drawn_anew
from companion.games.dominion.sets import SETS
from companion.games.dominion.steps import Gain, Trash
from companion.games.dominion.tally import differences
from companion.games.dominion.variants import boxes

OFFERED = 3
"""How many cards are offered for one that is exchanged."""
MOST_COPIES = 60
"""A deck counted by tapping goes up to here; more is written in the log's notation."""

Wish = Mapping[str, str]


@dataclass(frozen=True)
class Button:
    """Something to tap, and the line it records."""

    event: str
    label: Message
    on: bool = False


@dataclass(frozen=True)
class Pile:
    """A pile of the supply."""

    id: str
    name: Message
    types: tuple[str, ...]
    cost: int
    price: int
    count: int
    buy: str
    """The line that buys a card of it; empty where it cannot be bought now."""
    tick: Button


@dataclass(frozen=True)
class SetView:
    """A recommended set, and what is done about cards that are not in the boxes."""

    id: str
    name: str
    rulebook: str
    choose: str
    cards: Message
    missing: tuple[tuple[Message, Message], ...]
    """Each missing card, and what may come for it, the best first."""


@dataclass(frozen=True)
class DeckView:
    """A deck that is being counted."""

    player: int
    counted: bool
    cards: tuple[tuple[str, Message, int, int], ...]
    """Each card that may be in it: its id, its name, what is counted or should be, and the most there can be."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    phase, turn = position.phase, position.turn
    able = tuple(legal(position))
    playing = turn is not None and not turn.tasks
    return {
        "phase": phase.value,
        "turn": turn,
        "piles": tuple(_pile(position, id) for id in position.supply),
        "trash": _counted(position.trash),
        "empty": len(position.empty_piles),
        "ending": position.ending and not position.ended,
        "turns": position.turns,
        "told": tuple((told.player, words.note(told)) for told in turn.told) if turn else (),
        "in_play": tuple(card_name(id) for id in turn.in_play if id) if turn else (),
        "plays": tuple(_button(event) for event in able if playing and isinstance(event, CardPlayed)),
        "treasures": tuple(_treasures(position)) if playing else (),
        "steps": tuple(_button(event) for event in able if isinstance(event, BuyingBegun | TurnEnded)),
        "question": words.question(position, turn.tasks[0]) if turn and turn.tasks else None,
        "asked": turn.tasks[0].player if turn and turn.tasks else None,
        "answers": tuple(map(_button, able)) if turn and turn.tasks else (),
        "gaining": bool(turn and turn.tasks and isinstance(turn.tasks[0].step, Gain)),
        "several": _several(position),
        "set_up": _set_up(position, wish) if phase is Phase.SET_UP else None,
        "decks": tuple(_deck(position, player) for player in range(position.players))
        if position.ended
        else (),
        "missing": tuple((card_name(id), count) for id, count in differences(position).items()),
    }


def wishes_of(position: Position) -> Wishes:
    """What the log asks of the next draw."""
    last = position.played[-1] if position.played else frozenset()
    recent = frozenset[str]().union(*position.played[-4:-1])
    available = {card.id for card in CARDS.values() if card.box in boxes(position.variants)}
    return Wishes(
        boxes(position.variants),
        position.wishes,
        vetoed=position.vetoed,
        favourites=position.liked & available,
        last=last,
        recent=recent,
    )


def _button(event: Event, on: bool = False) -> Button:
    return Button(notation.write_event(event), words.describe(event).text, on)


def _pile(position: Position, id: str) -> Pile:
    turn, card, count = position.turn, CARDS[id], position.supply[id]
    buys = turn is not None and not position.ended and not turn.tasks and turn.buys and count
    affordable = buys and turn is not None and position.price(id) <= turn.coins
    return Pile(
        id,
        card_name(id),
        tuple(sorted(card.types)),
        card.cost,
        position.price(id),
        count,
        notation.write_event(CardBought(turn.player, id)) if turn and affordable else "",
        Button(
            notation.write_event(SetUpTicked(id, id not in position.ticked)),
            card_name(id),
            id in position.ticked,
        ),
    )


def _counted(cards: Mapping[str, int]) -> tuple[tuple[Message, int], ...]:
    return tuple((card_name(id), count) for id, count in cards.items() if count)


def _treasures(position: Position) -> Iterator[Button]:
    """Coppers and the like come several at once."""
    turn = position.turn
    if turn is None or turn.bought:
        return
    for id in ("copper", "silver", "gold"):
        left = position.owned[turn.player].get(id, 0) - turn.in_play.count(id)
        for count in range(2, min(left, 5) + 1):
            yield _button(CardPlayed(turn.player, id, count))


def _several(position: Position) -> tuple[int, int, tuple[tuple[str, Message], ...]] | None:
    """Where several cards are trashed at once: by whom, how many, and which there are."""
    task = position.turn.tasks[0] if position.turn and position.turn.tasks else None
    if task is None or not isinstance(task.step, Trash) or task.step.most < 2:
        return None
    held = tuple((id, card_name(id)) for id, count in position.owned[task.player].items() if count > 0)
    return task.player, task.step.most, held


def _set_up(position: Position, wish: Wish) -> Mapping[str, Any]:
    chosen = wish.get("card", "")
    asked = [need for need in Need if need in position.wishes]
    return {
        "sets": tuple(_set(id, position) for id in SETS),
        "looked": wish.get("set", ""),
        "chosen": chosen if chosen in position.kingdom else "",
        "swaps": tuple(_swaps(position, chosen)) if chosen in position.kingdom else (),
        "vetoes": tuple(
            _button(CardVetoed(player, chosen))
            for player in range(position.players)
            if chosen in position.kingdom
        ),
        "wishes": tuple(
            Button(
                notation.write_event(WishesMade(tuple(n for n in Need if (n in asked) != (n is need)))),
                NEED_NAMES[need],
                need in asked,
            )
            for need in Need
        ),
        "impossible": _impossible(position),
        "ticks": tuple(
            Button(
                notation.write_event(SetUpTicked(item, item not in position.ticked)),
                words.item(item),
                item in position.ticked,
            )
            for item in EXTRA_ITEMS
        ),
        "starters": tuple(
            (player, notation.write_event(FirstPlayer(player))) for player in range(position.players)
        ),
        "vetoed": tuple(card_name(id) for id in sorted(position.vetoed)),
        "liked": tuple(card_name(id) for id in sorted(position.liked)),
    }


def _set(id: str, position: Position) -> SetView:
    found, owned = SETS[id], boxes(position.variants)
    completed = found.completed(owned)
    return SetView(
        id,
        found.name,
        found.rulebook,
        notation.write_event(KingdomChosen(completed)),
        words.listed(completed),
        tuple(
            (card_name(card), words.listed(found.substitutes(card, owned))) for card in found.missing(owned)
        ),
    )


def _swaps(position: Position, out: str) -> Iterator[Button]:
    """A few cards that could come for one of the ten; each keeps what was wished for."""
    offered: set[str] = set()
    for seed in range(4 * OFFERED):
        try:
            came = drawn_anew(position.kingdom, out, wishes_of(position), Random(f"{position.kingdom}{seed}"))
        except IllegalEvent:
            return
        if came not in offered and len(offered) < OFFERED:
            offered.add(came)
            yield _button(CardSwapped(out, came))


def _impossible(position: Position) -> Message | None:
    """Why no ten cards are as people wish."""
    try:
        draw(wishes_of(position), Random(0))
    except IllegalEvent as error:
        return error.message
    return None


def _deck(position: Position, player: int) -> DeckView:
    deck = position.decks[player]
    guess = deck.cards if deck else position.owned[player] if any(position.turns) else {}
    ids = position.supply or CARDS
    listed = {**dict.fromkeys(ids, 0), **guess}
    return DeckView(
        player,
        deck is not None,
        tuple((id, card_name(id), max(0, count), MOST_COPIES) for id, count in listed.items()),
    )
