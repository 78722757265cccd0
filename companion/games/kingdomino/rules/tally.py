"""The points of a position as lines that say why."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.message import message as _
from companion.core.tally import Tally, TallyLine
from companion.games.kingdomino.rules.kingdom import Cell, Property
from companion.games.kingdomino.rules.pieces import TERRAIN_NAMES
from companion.games.kingdomino.rules.position import Phase, Position
from companion.games.kingdomino.rules.scoring import harmony_points, middle_kingdom_points, rank, rank_dynasty
from companion.games.kingdomino.rules.variants import Variant


def place_name(player: int, cell: Cell) -> str:
    """The name of a square on the table, as the drawing marks it."""
    return f"{player + 1}:{cell[0]},{cell[1]}"


def tally(position: Position) -> Tally:
    """Points as they stand; the bonuses count once nothing can change them any more."""
    lines = tuple(line for player in range(position.players) for line in _lines(position, player))
    totals = [
        sum(line.points for line in lines if line.player == player) for player in range(position.players)
    ]
    dynasty = Variant.DYNASTY in position.variants
    standing = rank_dynasty(totals) if dynasty else rank(position.kingdoms, totals)
    return Tally(position.players, lines, standing)


def _lines(position: Position, player: int) -> Iterator[TallyLine]:
    for number, past in enumerate(position.past, start=1):
        yield TallyLine(player, _("Game %(number)d of the dynasty", number=number), past[player])
    for found in position.kingdoms[player].properties():
        yield _property_line(player, found)
    if position.game_ended or position.phase is Phase.OVER:
        yield from _bonus_lines(position, player)


def _property_line(player: int, found: Property) -> TallyLine:
    where = tuple(place_name(player, cell) for cell in found.cells)
    return TallyLine(
        player, TERRAIN_NAMES[found.terrain], found.points, f"{found.size} × {found.crowns}", where
    )


def _bonus_lines(position: Position, player: int) -> Iterator[TallyLine]:
    kingdom = position.kingdoms[player]
    if Variant.MIDDLE_KINGDOM in position.variants and kingdom.centred:
        yield TallyLine(
            player,
            _("The Middle Kingdom"),
            middle_kingdom_points(kingdom),
            where=(place_name(player, (0, 0)),),
        )
    if Variant.HARMONY in position.variants and kingdom.complete:
        everywhere = tuple(place_name(player, cell) for cell in kingdom.squares)
        yield TallyLine(player, _("Harmony"), harmony_points(kingdom), where=everywhere)
