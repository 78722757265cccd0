"""What the page of Dominion draws, given what somebody is pointing at.

A person's wishes come with the address: `card` (one to read about), and those of `choosing.py`, `turning.py` and
`counting.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.message import message as _
from companion.games.dominion import counting, supply, turning
from companion.games.dominion.card_names import legend
from companion.games.dominion.cards import CARDS
from companion.games.dominion.choosing import set_up
from companion.games.dominion.events import BuyingBegun, Event, TurnEnded
from companion.games.dominion.legal import legal
from companion.games.dominion.lookup import card_view
from companion.games.dominion.position import Phase, Position
from companion.games.dominion.sets import ABSENT
from companion.games.dominion.turning import Button, Wish, button

TRASH = "trash"
"""The wish to see what lies in the trash."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    turn, asked = position.turn, wish.get("card", "")
    going = turn is not None and not position.ended
    return {
        "phase": position.phase.value,
        "turn": turn,
        "piles": supply.piles(position),
        "end": supply.end(position),
        "trash": supply.counted(position.trash),
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
        "set_up": set_up(position, wish) if position.phase is Phase.SET_UP else None,
        "counting": counting.counting(position, wish),
        "legend": legend(_named(position)),
        "decks": counting.counted(position) if position.ended else (),
    }


def _named(position: Position) -> tuple[str, ...]:
    """Every card that may be spoken of: while ten are being chosen, all of them."""
    return (*CARDS, *ABSENT) if position.phase is Phase.SET_UP else (*position.supply, *position.trash)


def _step(event: Event) -> Button:
    return button(event, _("To the Buy phase") if isinstance(event, BuyingBegun) else _("End the turn"))
