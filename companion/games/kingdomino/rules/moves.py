"""How events move a game of Kingdomino on.

`apply(position, event)` gives the next position or raises `IllegalEvent` with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    Event,
    GameStopped,
    KingdomShown,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.rules.kingdom import Kingdom, Placement
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.rules.position import Discard, Phase, Position, Slot, start
from companion.games.kingdomino.rules.scoring import points

Value = TypeVar("Value")


def apply(position: Position, event: Event) -> Position:
    """The position after an event, or IllegalEvent."""
    if position.stopped and not isinstance(event, KingdomShown):
        raise IllegalEvent(_("The game is over."))
    match event:
        case DominoesRemoved(dominoes):
            return _remove(_next_game(position), dominoes)
        case KingsDrawn(players):
            return _draw_kings(_next_game(position), players)
        case LineDrawn(dominoes):
            return _draw_line(_next_game(position), dominoes)
        case DominoChosen(player, domino):
            return _choose(position, player, domino)
        case DominoPlaced(player, placement):
            return _place(position, player, placement)
        case DominoDiscarded(player, domino, because):
            return _discard(position, player, Discard(domino, because))
        case GameStopped():
            return _stop(position)
        case KingdomShown(player, kingdom):
            return _show(position, player, kingdom)


def _next_game(position: Position) -> Position:
    """Rulebook 002, "Dinastia": after the last domino the next of three games begins."""
    if not position.game_ended or position.last_game:
        return position
    ended = tuple(points(kingdom, position.variants) for kingdom in position.kingdoms)
    return start(position.players, position.variants, (*position.past, ended))


def _remove(position: Position, dominoes: tuple[int, ...]) -> Position:
    spare = len(DOMINOES) - position.dominoes_in_play
    if position.drawn or position.phase is not Phase.DRAW:
        raise IllegalEvent(_("Dominoes are set aside before the first line is drawn."))
    if len(set(dominoes)) != spare or len(dominoes) != spare:
        raise IllegalEvent(
            _(
                "With %(players)d players %(count)d dominoes are set aside.",
                players=position.players,
                count=spare,
            )
        )
    return replace(position, removed=tuple(sorted(dominoes)))


def _draw_kings(position: Position, players: tuple[int, ...]) -> Position:
    everyone = sorted([*range(position.players)] * position.kings_each)
    if position.phase not in (Phase.DRAW, Phase.CHOOSE_FIRST) or any(
        slot.player is not None for slot in position.line
    ):
        raise IllegalEvent(_("The kings are drawn before the first domino is chosen."))
    if sorted(players) != everyone:
        raise IllegalEvent(
            _n(
                "Each player has %(count)d king in the hand.",
                "Each player has %(count)d kings in the hand.",
                position.kings_each,
            )
        )
    return replace(position, kings=players)


def _draw_line(position: Position, dominoes: tuple[int, ...]) -> Position:
    if position.phase is not Phase.DRAW:
        raise IllegalEvent(_("A new line is drawn when every domino of the last one is taken."))
    if len(set(dominoes)) != position.line_length or len(dominoes) != position.line_length:
        raise IllegalEvent(
            _n(
                "A line has %(count)d different domino.",
                "A line has %(count)d different dominoes.",
                position.line_length,
            )
        )
    for domino in dominoes:
        if domino in position.drawn:
            raise IllegalEvent(_("Domino %(domino)d is out of the box already.", domino=domino))
        if domino in position.removed:
            raise IllegalEvent(_("Domino %(domino)d was set aside.", domino=domino))
    ordered = tuple(sorted(dominoes))
    slots = tuple(Slot(domino) for domino in ordered)
    drawn = (*position.drawn, *ordered)
    if not position.line:
        return replace(position, line=slots, drawn=drawn)
    return replace(position, next_line=slots, drawn=drawn)


def _choose(position: Position, player: int, domino: int) -> Position:
    line = position.open_line
    if not line:
        raise IllegalEvent(_("No king can be set now."))
    _check_chooser(position, player)
    index = next((i for i, slot in enumerate(line) if slot.domino == domino), None)
    if index is None:
        raise IllegalEvent(_("Domino %(domino)d is not in the line.", domino=domino))
    if line[index].player is not None:
        raise IllegalEvent(_("There is a king on domino %(domino)d already.", domino=domino))
    chosen = (*line[:index], Slot(domino, player), *line[index + 1 :])
    if position.phase is Phase.CHOOSE_FIRST:
        return replace(position, line=chosen)
    return _round_over(replace(position, next_line=chosen, choosing=False))


def _check_chooser(position: Position, player: int) -> None:
    if position.player is not None:
        _check_turn(position, player)
    elif not 0 <= player < position.players or not position.kings_left(player):
        raise IllegalEvent(_("This player has no king left to set."))


def _check_turn(position: Position, player: int) -> None:
    if player != position.player:
        raise IllegalEvent(_("It is another player's turn."))


def _place(position: Position, player: int, placement: Placement) -> Position:
    _check_placing(position, player, placement.domino)
    kingdom = position.kingdoms[player].laid(placement)
    return _placed(replace(position, kingdoms=_with(position.kingdoms, player, kingdom)))


def _discard(position: Position, player: int, discard: Discard) -> Position:
    _check_placing(position, player, discard.domino)
    # Rulebook 002, "Como Ligar os Dominós": a domino is discarded if it cannot be added.
    fits = bool(position.kingdoms[player].placements_of(discard.domino))
    if fits and not discard.because:
        raise IllegalEvent(
            _("Domino %(domino)d fits somewhere, so it has to be placed.", domino=discard.domino)
        )
    discards = (*position.discards[player], discard if fits else Discard(discard.domino))
    return _placed(replace(position, discards=_with(position.discards, player, discards)))


def _check_placing(position: Position, player: int, domino: int) -> None:
    if position.phase is not Phase.PLACE:
        raise IllegalEvent(_("No domino can be placed now."))
    _check_turn(position, player)
    if domino != position.domino:
        raise IllegalEvent(_("Domino %(domino)d comes next.", domino=position.domino or 0))


def _placed(position: Position) -> Position:
    position = replace(position, placed=position.placed + 1, choosing=bool(position.next_line))
    return position if position.choosing else _round_over(position)


def _round_over(position: Position) -> Position:
    """The next line becomes the line once every king has moved over to it."""
    if position.placed < len(position.line) or not position.next_line:
        return position
    return replace(position, line=position.next_line, placed=0, next_line=())


def _stop(position: Position) -> Position:
    if position.shown:
        raise IllegalEvent(_("Only the end of this game is counted: show each kingdom as it lies."))
    if position.phase is Phase.OVER:
        raise IllegalEvent(_("The game is over."))
    return replace(position, stopped=True)


def _show(position: Position, player: int, kingdom: Kingdom) -> Position:
    if not position.shown:
        raise IllegalEvent(_("In this game kingdoms grow domino by domino."))
    if not 0 <= player < position.players:
        raise IllegalEvent(_("There is no such player."))
    if max(kingdom.bounds.columns, kingdom.bounds.rows) > position.size:
        raise IllegalEvent(
            _("This table plays with kingdoms of %(size)d by %(size)d squares.", size=position.size)
        )
    # It may have been shown before people put right how large kingdoms may be.
    shown = replace(kingdom, size=position.size)
    return replace(position, kingdoms=_with(position.kingdoms, player, shown))


def _with(values: Sequence[Value], index: int, value: Value) -> tuple[Value, ...]:
    return (*values[:index], value, *values[index + 1 :])
