"""What the page of Dominion draws, given what somebody is pointing at.

A person's wishes come with the address: `card` (one to read about), and those of `setup.py`, `turn.py` and
`decks.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.message import message as _
from companion.games.dominion.page import decks
from companion.games.dominion.page.book import card_view
from companion.games.dominion.page.setup import BEGIN, TABLE, VETO, setup_view
from companion.games.dominion.page.turn import (
    Button,
    Wish,
    action_buttons,
    attack_view,
    button,
    end_view,
    instruction_views,
    overruling_ways,
    play_area_view,
    question_view,
    supply_view,
    takers,
    trash_view,
    treasure_views,
    turn_effects,
    unlisted_cards,
)
from companion.games.dominion.rules.cards import ABSENT, CARDS
from companion.games.dominion.rules.events import BuyingBegun, Event, TurnEnded
from companion.games.dominion.rules.legal import legal_events
from companion.games.dominion.rules.names import name_legend
from companion.games.dominion.rules.position import Phase, Position

TRASH = "trash"
"""The wish to see what lies in the trash."""
OTHER = "other"
"""The wish to play a card that has no button."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    turn, asked = position.turn, wish.get("card", "")
    going = turn is not None and not position.ended
    before = setup_view(position, wish) if position.phase is Phase.SET_UP else None
    return {
        "phase": position.phase.value,
        "turn": turn,
        "light": position.light,
        "takers": takers(position, wish),
        "piles": supply_view(position, wish),
        "end": end_view(position),
        "trash": trash_view(position),
        "trashed": sum(position.trash.values()),
        "turns": position.turns,
        "told": tuple(instruction_views(turn)) if turn else (),
        "in_play": tuple(play_area_view(turn)) if turn else (),
        "effects": tuple(turn_effects(turn)) if turn else (),
        "actions": action_buttons(position),
        "treasures": tuple(treasure_views(position)),
        "begins_buying": bool(
            turn and turn.phase is Phase.ACTION and turn.actions and action_buttons(position)
        ),
        "steps": tuple(
            _step(event, position)
            for event in legal_events(position)
            if isinstance(event, BuyingBegun | TurnEnded)
        ),
        "asked": question_view(position, wish) if going else None,
        "attack": attack_view(position),
        "card": card_view(asked) if position.phase is not Phase.SET_UP else None,
        "shows_trash": asked == TRASH,
        "ways": overruling_ways(position, asked),
        "unlisted": unlisted_cards(position) if going and not position.light else (),
        "shows_unlisted": asked == OTHER and going,
        "set_up": before,
        "counting": decks.deck_view(position, wish),
        "legend": name_legend(_named(position, before["room"] if before else "", wish)),
        "passed": tuple(decks.passed_cards(position)) if going else (),
        "decks": decks.deck_summaries(position) if position.ended else (),
    }


def _named(position: Position, room: str, wish: Wish) -> tuple[str, ...]:
    """Every card that is spoken of: where sets or all cards are shown, each of them."""
    if position.phase is Phase.OVER and not wish.get("deck") and not wish.get("card"):
        return tuple(id for deck in position.decks if deck for id in deck.cards)
    if position.phase is Phase.SET_UP and room not in (BEGIN, TABLE, VETO):
        return (*CARDS, *ABSENT)
    return () if room == BEGIN else (*(position.supply or CARDS), *position.trash)


def _step(event: Event, position: Position) -> Button:
    if isinstance(event, BuyingBegun):
        return button(event, _("To the Buy phase"))
    bought = position.turn and position.turn.bought
    return button(event, _("Buys nothing") if position.light and not bought else _("End this turn"))
