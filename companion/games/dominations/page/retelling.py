"""An entry told once more: a correction begins with all that it says, at the table as it was told there."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.errors import CompanionError
from companion.core.notation import split_reason
from companion.games.dominations.page import growing, recolouring
from companion.games.dominations.page.choices import Wish
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.events import (
    Event,
    Plain,
    Produced,
    Reactivated,
    TerritoryLaid,
    TileTold,
)
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.made import plain_event
from companion.games.dominations.rules.phases import GROWTH_EVENTS
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from companion.games.dominations.text.notation import parse_event
from companion.games.dominations.text.words_of_notation import write_amounts

Told = Mapping[str, str | None]


def retelling_wishes(position: Position, event: Event) -> tuple[tuple[str, str], ...]:
    """Where the page tells a territory with all that was said of it; nothing for what is a tap or two."""
    told = _told(position, plain_event(event))
    return tuple((key, value) for key, value in told.items() if value)


def _told(position: Position, event: Plain) -> Told:
    match event:
        case Produced(player, amounts, others, old=old):
            brought = {f"g{n + 1}": write_amounts(each) for n, each in ((player, amounts), *others)}
            numbers = {name: text.replace(" ", "") for name, text in brought.items()}
            return {
                "do": _do(position, event, old),
                "tier": growing.LEDGER_TIER,
                **numbers,
                **_against(event),
            }
        case TerritoryLaid(tile=tile, cell=cell):
            return {"do": _do(position, event), **_lies(tile, cell), **_against(event)}
        case Reactivated(cell=cell):
            return {"do": "invent", "tier": growing.MAP_TIER, "at": str(cell), **_against(event)}
        case TileTold(tile, cell):
            return {"do": growing.DRAW_OLD, **_lies(tile, cell)}
    return {}


def _lies(tile: Tile, cell: Cell) -> Told:
    return recolouring.recolouring_wish(cell, tile.field + tile.dots, recolouring.ALL_TOLD)


def _do(position: Position, event: TerritoryLaid | Produced, old: bool = False) -> str | None:
    if old:
        return "invent"
    if event.because:
        return growing.LAY_AGAINST
    return "again" if position.stage is GameStage.CONSTRUCTION and not _next(position, event) else None


def _against(event: TerritoryLaid | Produced | Reactivated) -> Told:
    return {"against": str(event.player + 1)} if event.because else {}


def retold_table(position: Position, wish: Wish) -> Position:
    """Whoever lays a territory has seen the turn before come to its end: what it said is told after that."""
    try:
        was = plain_event(parse_event(split_reason(wish.get("was", ""))[0]))
    except CompanionError:
        return position
    if not isinstance(was, GROWTH_EVENTS) or position.stage is GameStage.GROWTH or not _next(position, was):
        return position
    return recolouring.after_turn_end(position) or position


def _next(position: Position, event: TerritoryLaid | Produced | Reactivated | Plain) -> bool:
    """Whether another turn begins with it."""
    player = getattr(event, "player", position.player)
    return position.stage in OF_A_TURN and (player != position.player or getattr(event, "anew", False))
