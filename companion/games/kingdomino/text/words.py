"""Kingdomino told in words."""

from __future__ import annotations

from companion.core.game import Remark
from companion.core.message import Message
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
from companion.games.kingdomino.rules.position import Phase, Position
from companion.games.kingdomino.rules.scoring import place_name


def next_action(position: Position) -> Message:
    """What the table is waiting for, in a few words."""
    match position.phase:
        case Phase.DRAW if position.game_ended:
            return _(
                "Game %(number)d is over. Draw the first line of the next one", number=len(position.past) + 1
            )
        case Phase.DRAW if not position.drawn:
            return _n(
                "Draw %(count)d domino for the first line",
                "Draw %(count)d dominoes for the first line",
                position.line_length,
            )
        case Phase.DRAW:
            return _n(
                "Draw %(count)d domino for the next line",
                "Draw %(count)d dominoes for the next line",
                position.line_length,
            )
        case Phase.CHOOSE_FIRST if position.player is None:
            return _("Draw a king: who chooses a domino?")
        case Phase.CHOOSE_FIRST | Phase.CHOOSE:
            return _("Choose a domino")
        case Phase.PLACE:
            return _("Place domino %(domino)d", domino=position.domino or 0)
        case Phase.SHOW:
            return _("Tap in each kingdom as it lies")
        case Phase.OVER:
            return _("The game is over")


def describe_missing_line(position: Position, seen: int) -> Message:
    """What a table waits for that shows so many new dominoes."""
    count = position.line_length
    if seen > count:
        return _(
            "%(seen)d new dominoes are seen, but a line has only %(count)d: put the others away.",
            seen=seen,
            count=count,
        )
    if seen:
        return _("%(seen)d of %(count)d dominoes of the new line are seen.", seen=seen, count=count)
    if position.game_ended:
        return _(
            "Clear the table, then draw the first line of the next game: %(count)d dominoes.", count=count
        )
    if not position.drawn:
        return _("Draw the first line: %(count)d dominoes.", count=count)
    return _("Draw the next line: %(count)d dominoes.", count=count)


def describe_event(event: Event) -> Remark:
    match event:
        case DominoesRemoved(dominoes):
            return Remark(_("Set aside: dominoes %(dominoes)s", dominoes=_list(dominoes)))
        case LineDrawn(dominoes):
            return Remark(_("New line: %(dominoes)s", dominoes=_list(dominoes)))
        case KingsDrawn():
            return Remark(_("The kings are drawn"))
        case DominoChosen(player, domino):
            return Remark(_("chooses domino %(domino)d", domino=domino), player)
        case DominoPlaced(player, placement):
            where = tuple(place_name(player, cell) for cell in placement.cells)
            return Remark(_("places domino %(domino)d", domino=placement.domino), player, where=where)
        case DominoDiscarded(player, domino):
            return Remark(_("discards domino %(domino)d", domino=domino), player)
        case GameStopped():
            return Remark(_("The game ends before the last domino"))
        case KingdomShown(player, kingdom):
            return Remark(
                _n(
                    "shows a kingdom of %(count)d square",
                    "shows a kingdom of %(count)d squares",
                    len(kingdom.squares) - 1,
                ),
                player,
            )


def _list(numbers: tuple[int, ...]) -> str:
    return " · ".join(map(str, numbers))
