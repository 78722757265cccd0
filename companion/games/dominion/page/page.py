"""What the page of Dominion draws, given what somebody is pointing at.

A person's wishes come with the address: `card` (one to read about), and those of `choosing.py`, `turning.py` and
`counting.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.message import message as _
from companion.games.dominion.page import against, counting, supply, turning
from companion.games.dominion.page.choosing import BEGIN, TABLE, VETO, set_up
from companion.games.dominion.page.lookup import card_view
from companion.games.dominion.page.turning import Button, Wish, button
from companion.games.dominion.rules.card_names import legend
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import BuyingBegun, Event, TurnEnded
from companion.games.dominion.rules.legal import legal
from companion.games.dominion.rules.position import Phase, Position
from companion.games.dominion.rules.sets import ABSENT

TRASH = "trash"
"""The wish to see what lies in the trash."""
OTHER = "other"
"""The wish to play a card that has no button."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    turn, asked = position.turn, wish.get("card", "")
    going = turn is not None and not position.ended
    before = set_up(position, wish) if position.phase is Phase.SET_UP else None
    return {
        "phase": position.phase.value,
        "turn": turn,
        "piles": supply.piles(position),
        "end": supply.end(position),
        "trash": supply.trash(position),
        "trashed": sum(position.trash.values()),
        "turns": position.turns,
        "told": tuple(turning.told(turn)) if turn else (),
        "in_play": tuple(turning.in_play(turn)) if turn else (),
        "effects": tuple(turning.effects(turn)) if turn else (),
        "actions": turning.actions(position),
        "treasures": tuple(turning.treasures(position)),
        "steps": tuple(
            _step(event) for event in legal(position) if isinstance(event, BuyingBegun | TurnEnded)
        ),
        "asked": turning.asked(position, wish) if going else None,
        "attack": turning.attack(position),
        "card": card_view(asked) if position.phase is not Phase.SET_UP else None,
        "shows_trash": asked == TRASH,
        "ways": against.ways(position, asked),
        "unlisted": against.unlisted(position) if going else (),
        "shows_unlisted": asked == OTHER and going,
        "set_up": before,
        "counting": counting.counting(position, wish),
        "legend": legend(_named(position, before["room"] if before else "", wish)),
        "decks": counting.counted(position) if position.ended else (),
    }


def _named(position: Position, room: str, wish: Wish) -> tuple[str, ...]:
    """Every card that is spoken of: where sets or all cards are shown, each of them."""
    if position.phase is Phase.OVER and not wish.get("deck") and not wish.get("card"):
        return tuple(id for deck in position.decks if deck for id in deck.cards)
    if position.phase is Phase.SET_UP and room not in (BEGIN, TABLE, VETO):
        return (*CARDS, *ABSENT)
    return () if room == BEGIN else (*(position.supply or CARDS), *position.trash)


def _step(event: Event) -> Button:
    return button(event, _("To the Buy phase") if isinstance(event, BuyingBegun) else _("End this turn"))
