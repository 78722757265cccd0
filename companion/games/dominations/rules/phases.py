"""When something may happen: whose turn it is, in which phase, and what people make up for."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules import eras
from companion.games.dominations.rules.box import ERAS
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.events import (
    Advanced,
    Built,
    Contributed,
    Developed,
    Event,
    Passed,
    Plain,
    Produced,
    Reactivated,
    TerritoryLaid,
    Traded,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from companion.games.dominations.rules.steps import EraStep

GROWTH_EVENTS = (TerritoryLaid, Produced, Reactivated, Passed)
CONSTRUCTION_EVENTS = (Built, Upgraded, Contributed)
DEVELOPMENT_EVENTS = (Developed, Advanced)
TURN_EVENTS = (*GROWTH_EVENTS, *CONSTRUCTION_EVENTS, *DEVELOPMENT_EVENTS, Traded, TurnEnded)
NEXT_STAGES = (
    (GROWTH_EVENTS, GameStage.CONSTRUCTION),
    (CONSTRUCTION_EVENTS, GameStage.DEVELOPMENT),
    (DEVELOPMENT_EVENTS, GameStage.DONE),
)


def come_to_phase(draft: Draft, event: Plain) -> None:
    """The turn and the phase in which an event may happen; rulebook 004, "Fase de Crescimento"."""
    if draft.position.stage not in OF_A_TURN and not _beyond_the_turns(draft, event):
        return
    position = draft.position
    player = getattr(event, "player", position.player)
    another = isinstance(event, GROWTH_EVENTS) and player != position.player
    next_turn = another or getattr(event, "anew", False)
    if next_turn and position.stage is not GameStage.GROWTH:
        # Who lays the next territory has seen the turn before come to its end.
        eras.end_turn(draft)
        if draft.position.stage is GameStage.EFFECTS:
            _begin_next_era(draft, _("The Era is over: nobody lays a territory now."))
        position = draft.position
    draft.object_to(*_against_the_turn(position, event, player))
    if isinstance(event, (*GROWTH_EVENTS, TurnEnded)) and event.because:
        eras.give_turn_to(draft, player)
        position = draft.position
    draft.object_to(*_against_the_phase(position, event))


def stage_after(position: Position, event: Plain) -> GameStage | None:
    """The phase after what happens in its own; what people make up for takes nothing away from a turn."""
    if position.stage not in OF_A_TURN or getattr(event, "player", None) != position.player:
        return None
    if [*_against_the_phase(position, event)]:
        return None
    return next((stage for events, stage in NEXT_STAGES if isinstance(event, events)), None)


def in_turn(position: Position, player: int) -> bool:
    """Whether a player has begun a turn that is not over."""
    laid = position.stage is not GameStage.GROWTH or (
        position.held and isinstance(position.held.event, GROWTH_EVENTS)
    )
    return position.player == player and position.stage in OF_A_TURN and bool(laid)


def _beyond_the_turns(draft: Draft, event: Plain) -> bool:
    """People say why: the next Era has begun though nobody said so, or something of a turn was forgotten."""
    stage, no_turn = draft.position.stage, _("No turn is being played now.")
    if isinstance(event, GROWTH_EVENTS):
        _begin_next_era(draft, no_turn)
        return True
    if isinstance(event, TurnEnded) or stage is GameStage.OVER:
        raise IllegalEvent(no_turn)
    draft.object_to(no_turn)
    return False


def _begin_next_era(draft: Draft, objection: Message) -> None:
    if draft.position.era == ERAS:
        raise IllegalEvent(objection)
    draft.object_to(objection)
    eras.take_step(draft, EraStep.NEXT)


def _against_the_turn(position: Position, event: Event, player: int) -> Iterable[Message]:
    if player != position.player:
        if isinstance(event, TurnEnded) and not _passed_over(position, event):
            raise IllegalEvent(
                _(
                    "This player's turn is not being played: it ended with the next territory, or has not begun."
                )
            )
        yield _("It is another player's turn.")


def _passed_over(position: Position, event: TurnEnded) -> bool:
    """Whether it is a turn that nobody told anything of, out of its order."""
    turns, due = position.turns, position.stage is GameStage.GROWTH
    return bool(event.because) and due and turns[event.player] <= turns[position.player]


def _against_the_phase(position: Position, event: Event) -> Iterable[Message]:
    stage = position.stage
    if isinstance(event, GROWTH_EVENTS):
        second = stage is GameStage.CONSTRUCTION and isinstance(event, (TerritoryLaid, Produced, Reactivated))
        if stage is not GameStage.GROWTH and not second:
            yield _("A territory is laid at the beginning of a turn.")
    elif isinstance(event, (*CONSTRUCTION_EVENTS, *DEVELOPMENT_EVENTS)) and stage is GameStage.GROWTH:
        yield _("A turn begins with a territory: lay one, or pass.")
    elif isinstance(event, CONSTRUCTION_EVENTS) and stage is not GameStage.CONSTRUCTION:
        yield _("Only one City or Monument is built in a turn, before any Mastery.")
    elif isinstance(event, DEVELOPMENT_EVENTS) and stage is GameStage.DONE:
        yield _("Only one Mastery is developed or turned over in a turn.")
