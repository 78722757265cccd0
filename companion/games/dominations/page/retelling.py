"""An entry told once more: a correction begins with all that it says, at the table as it was told there."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.errors import CompanionError
from companion.core.notation import split_reason
from companion.games.dominations.page import growing, recolouring
from companion.games.dominations.page.choices import Wish
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.events import Event, Laid, Plain, Produced, Reactivated, TileTold
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.made import plain
from companion.games.dominations.rules.phases import GROWTH
from companion.games.dominations.rules.position import OF_A_TURN, Position, Stage
from companion.games.dominations.text.notation import parse_event
from companion.games.dominations.text.words_of_notation import write_amounts

Told = Mapping[str, str | None]


def wishes(position: Position, event: Event) -> tuple[tuple[str, str], ...]:
    """Where the page tells a territory with all that was said of it; nothing for what is a tap or two."""
    told = _told(position, plain(event))
    return tuple((key, value) for key, value in told.items() if value)


def _told(position: Position, event: Plain) -> Told:
    match event:
        case Produced(player, amounts, others, old=old):
            brought = {f"g{n + 1}": write_amounts(each) for n, each in ((player, amounts), *others)}
            numbers = {name: text.replace(" ", "") for name, text in brought.items()}
            return {"do": _do(position, event, old), "tier": growing.LEDGER, **numbers, **_against(event)}
        case Laid(tile=tile, cell=cell):
            return {"do": _do(position, event), **_lies(tile, cell), **_against(event)}
        case Reactivated(cell=cell):
            return {"do": "invent", "tier": growing.MAP, "at": str(cell), **_against(event)}
        case TileTold(tile, cell):
            return {"do": growing.OLD, **_lies(tile, cell)}
    return {}


def _lies(tile: Tile, cell: Cell) -> Told:
    return recolouring.spot_wish(cell, tile.field + tile.dots, recolouring.DONE)


def _do(position: Position, event: Laid | Produced, old: bool = False) -> str | None:
    if old:
        return "invent"
    if event.because:
        return growing.LAY
    return "again" if position.stage is Stage.CONSTRUCTION and not _next(position, event) else None


def _against(event: Laid | Produced | Reactivated) -> Told:
    return {"against": str(event.player + 1)} if event.because else {}


def table(position: Position, wish: Wish) -> Position:
    """Whoever lays a territory has seen the turn before come to its end: what it said is told after that."""
    try:
        was = plain(parse_event(split_reason(wish.get("was", ""))[0]))
    except CompanionError:
        return position
    if not isinstance(was, GROWTH) or position.stage is Stage.GROWTH or not _next(position, was):
        return position
    return recolouring.turn_over(position) or position


def _next(position: Position, event: Laid | Produced | Reactivated | Plain) -> bool:
    """Whether another turn begins with it."""
    player = getattr(event, "player", position.player)
    return position.stage in OF_A_TURN and (player != position.player or getattr(event, "anew", False))
