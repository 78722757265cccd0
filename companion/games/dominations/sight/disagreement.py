"""Where a table of Dominations shows something else than the log says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.observation import Area, Contradiction
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.events import TerritoryLaid
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.position import OF_A_TURN, Position
from companion.games.dominations.sight import faces
from companion.games.dominations.sight.placed import AlignedTable, CellPose, SeenTerritory, differing_colours

MOST_CONTRADICTIONS = 3
"""More missing territories than that are told together."""
COLOURS_OF_ANOTHER = 2
"""So many colours have to be surely others for a territory to be another one: a single one may be a shadow."""


def contradictions(
    position: Position, placed: AlignedTable, unknown: Sequence[Area], asked: int
) -> Iterator[Contradiction]:
    """Everything that is not as the log has it; so many new territories are asked about."""
    gone = [
        cell
        for cell in reversed(tuple(position.board.tiles))
        if cell not in placed.territories and not _hidden(placed.spreads.get(cell), unknown)
    ]
    if len(gone) > MOST_CONTRADICTIONS:
        text = _n(
            "%(count)d territory is not where it was.",
            "%(count)d territories are not where they were.",
            len(gone),
        )
        yield Contradiction(text)
    else:
        yield from (_gone(position, placed, cell) for cell in gone)
    for cell, one in placed.territories.items():
        known = position.board.tiles.get(cell)
        if known and differing_colours(known, one) >= COLOURS_OF_ANOTHER:
            yield _another(position, one)
    new = [one for cell, one in placed.territories.items() if cell not in position.board.pieces]
    if len(new) > asked and position.stage in OF_A_TURN and not position.held:
        text = _("There are territories on the table that the log does not know: draw them on the map.")
        yield Contradiction(text, new[0].area)


def _hidden(spread: CellPose | None, unknown: Sequence[Area]) -> bool:
    """Whether something lies there that may hide a territory."""
    near = faces.CIRCUMRADIUS
    return spread is not None and any(
        hypot(area.x - spread.x, area.y - spread.y) < near + max(area.width, area.height) / 2
        for area in unknown
    )


def _gone(position: Position, placed: AlignedTable, cell: Cell) -> Contradiction:
    meant, spread = _brought(position, cell), placed.spreads.get(cell)
    side = 2 * faces.CIRCUMRADIUS
    area = Area(spread.x, spread.y, side, side) if spread else None
    return Contradiction(
        _("A territory is not where it was."), area, meant, None, meant.player if meant else None
    )


def _another(position: Position, one: SeenTerritory) -> Contradiction:
    meant = _brought(position, one.cell)
    lies = (
        TerritoryLaid(meant.player, one.tile, one.cell, meant.because)
        if meant and one.tile and one.sure
        else None
    )
    text = _("There lies another territory than the log says.")
    return Contradiction(text, one.area, meant, lies, meant.player if meant else None)


def _brought(position: Position, cell: Cell) -> TerritoryLaid | None:
    """The event by which a territory came to lie there, as far as the ledger tells."""
    tile: Tile = position.board.tiles[cell]
    for event in position.overruled:
        if isinstance(event, TerritoryLaid) and (event.tile, event.cell) == (tile, cell):
            return event
    laid = [line.player for line in position.lines if line.produced and line.where == (str(cell),)]
    return TerritoryLaid(laid[0], tile, cell) if laid else None
