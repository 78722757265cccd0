"""What a kingdom is worth, who wins, and the points as lines that say why.

Rulebook 002, "Final da Partida e Pontuação".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from companion.core.message import message as _
from companion.core.tally import Criterion, Standing, Tally, TallyLine, stand
from companion.games.kingdomino.rules.kingdom import Cell, Kingdom, Property
from companion.games.kingdomino.rules.pieces import TERRAIN_NAMES
from companion.games.kingdomino.rules.position import (
    HARMONY_POINTS,
    MIDDLE_KINGDOM_POINTS,
    Phase,
    Position,
    Variant,
)


def property_points(kingdom: Kingdom) -> int:
    return sum(found.points for found in kingdom.properties())


def middle_kingdom_points(kingdom: Kingdom) -> int:
    """The bonus by the rectangle around the kingdom, which an incomplete kingdom can earn as well."""
    return MIDDLE_KINGDOM_POINTS if kingdom.centred else 0


def harmony_points(kingdom: Kingdom) -> int:
    """The bonus of a kingdom that took every domino: only then all its squares are filled."""
    return HARMONY_POINTS if kingdom.complete else 0


def points(kingdom: Kingdom, variants: Set[str]) -> int:
    """What the kingdom brings in a game by these variants."""
    total = property_points(kingdom)
    if Variant.MIDDLE_KINGDOM in variants:
        total += middle_kingdom_points(kingdom)
    if Variant.HARMONY in variants:
        total += harmony_points(kingdom)
    return total


def largest_property(kingdom: Kingdom) -> int:
    return max((found.size for found in kingdom.properties()), default=0)


def rank(kingdoms: Sequence[Kingdom], totals: Sequence[int]) -> Standing:
    """Points, then the largest property with or without crowns, then crowns; who is still equal shares the victory."""
    return stand(
        (
            points_criterion(totals),
            Criterion(
                "largest_property",
                _("the largest property"),
                tuple(largest_property(kingdom) for kingdom in kingdoms),
            ),
            Criterion("crowns", _("the most crowns"), tuple(kingdom.crowns for kingdom in kingdoms)),
        )
    )


def rank_dynasty(totals: Sequence[int]) -> Standing:
    """Rulebook 002, "Dinastia" names no tie-break: equal totals share the victory."""
    return stand((points_criterion(totals),))


def points_criterion(totals: Sequence[int]) -> Criterion:
    return Criterion("score", _("points"), tuple(totals))


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
