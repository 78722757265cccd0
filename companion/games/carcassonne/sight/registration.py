"""What lies on the table, sorted: tiles in columns and rows, however far these have drifted, and followers on
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

from companion.core.game import Setup
from companion.core.lattice import join_neighbours, offset, quarter
from companion.core.observation import SURE, Area, Observation
from companion.games.carcassonne.rules.board import (
    TILES,
    Board,
    Cell,
    Placement,
    Segment,
    upright,
)
from companion.games.carcassonne.rules.position import Position
from companion.games.carcassonne.sight.shapes import HALF_SIDE, TILE_SIDE, spot_from_middle
from companion.games.carcassonne.sight.standing import parts_at
from companion.games.carcassonne.text.words import tile_label

SIDE_MM = TILE_SIDE / 10
"""Of a tile, in millimetres; shapes are in tenths of one."""
HALF_MM = SIDE_MM / 2
CLEAR = 0.7
"""Confidence from which a tile is believed to be something else than the log says, or to have nothing on it."""
USUAL = 0.92
"""What a bare tile has to look like its kind, in parts of the likeness that half of them have: tiles of expansions, and
those that a gallery has in other prints alone, look nearly like others of the box."""
ENOUGH_AGREES = 0.8
"""How much of the board has to be found before no better way to lay it over the table is looked for."""
MOST_ANCHORS = 12
"""Tiles tried as the one from which all the others are found."""
FOLLOWER, FARMER = KINDS = "follower", "farmer"
"""A figure that stands, and one that lies; their colours follow."""
_OVERHANG = 0.62
"""How far from a tile's middle a follower may stand and still be on it, in sides."""
_NUDGED = 20.0
"""Millimetres over which a follower may have been pushed and still be the one of the log."""


@dataclass(frozen=True)
class SeenTile:
    """A tile where it lies in the board's columns and rows."""

    placement: Placement
    seen: Observation
    angle: float
    """How the chart's picture of it is turned on the table; of rotations that look alike, the placement's."""

    @property
    def cell(self) -> Cell:
        return self.placement.cell

    @property
    def like_its_kind(self) -> bool:
        return self.seen.usual >= USUAL

    @property
    def plain(self) -> bool:
        """Whether it is believed although the log says something else."""
        return self.seen.confidence >= CLEAR and self.like_its_kind

    @property
    def area(self) -> Area:
        return Area(self.seen.x, self.seen.y, SIDE_MM, SIDE_MM, self.angle)


@dataclass(frozen=True)
class SeenFollower:
    """A follower on a tile."""

    player: int | None
    """Whose it is by its colour, where that is one of a player."""
    cell: Cell
    parts: tuple[str, ...]
    """The parts of the tile it may stand on, the likeliest first; more than one where it is not clear."""
    seen: Observation

    @property
    def sure(self) -> bool:
        """Whether it is clear whose it is."""
        return _colour_sure(self.seen)

    def may_be_of(self, player: int) -> bool:
        """Whether it may be one of that player: nobody knows whose it is where its colour is not clear."""
        return self.player == player or not self.sure

    @property
    def plain(self) -> bool:
        """Whether it is seen so clearly that the log must be wrong where it has another one, or none."""
        return self.seen.confidence >= CLEAR or _pose_unsure(self.seen)

    @property
    def area(self) -> Area:
        return Area(self.seen.x, self.seen.y, HALF_MM, HALF_MM)


@dataclass(frozen=True)
class RegisteredTable:
    """The table as a camera shows it."""

    tiles: Mapping[Cell, SeenTile]
    known: Mapping[Segment, Observation]
    """The followers that stand where the log has them, and those on their way home."""
    figures: tuple[SeenFollower, ...]
    """All others."""
    loose: tuple[Observation, ...]
    """Tiles that belong to no column and row."""
    moved: Mapping[Cell, SeenTile]
    """Where tiles of the log lie now that are not in their places."""


LETTER_OF_LABEL = {tile_label(letter): letter for letter in TILES}


def register_board(setup: Setup, position: Position, observations: Sequence[Observation]) -> RegisteredTable:
    """Lay the board of the log over what is seen, so that most of it agrees."""
    board, best, most = position.board, RegisteredTable({}, {}, (), (), {}), (-1, 0, 0)
    seen = [one for one in observations if one.label in LETTER_OF_LABEL]
    followers = list(_followers(setup, observations))
    for tiles in _laid_over(board, seen):
        found = _sorted_out(position, seen, followers, tiles)
        agreeing = sum(agrees(board, tile) for tile in tiles.values())
        strangers = sum(figure.cell in board.tiles for figure in found.figures)
        there = sum(cell in board.tiles and tile.seen.confidence < CLEAR for cell, tile in tiles.items())
        if (agreeing, there, -strangers) > most:
            best, most = found, (agreeing, there, -strangers)
        if agreeing >= ENOUGH_AGREES * len(board.tiles) and not strangers:
            break
    return best


def _sorted_out(
    position: Position,
    seen: Sequence[Observation],
    followers: Sequence[tuple[int | None, Observation]],
    tiles: Mapping[Cell, SeenTile],
) -> RegisteredTable:
    used = {id(tile.seen) for tile in tiles.values()}
    tiles = {cell: _as_told(tile, position.board) for cell, tile in tiles.items()}
    loose = tuple(one for one in seen if id(one) not in used)
    on_tiles = [(player, one) for player, one in followers if _tile_under(one, tiles)]
    known = _matched(position, tiles, on_tiles)
    there = {id(one) for one in known.values()}
    figures = tuple(_figure(player, one, tiles) for player, one in on_tiles if id(one) not in there)
    return RegisteredTable(tiles, known, figures, loose, _moved(position.board, tiles))


def _moved(board: Board, tiles: Mapping[Cell, SeenTile]) -> Mapping[Cell, SeenTile]:
    """A tile that is missing and another of its type that is new are the same."""
    new = [tile for cell, tile in tiles.items() if cell not in board.tiles]
    found: dict[Cell, SeenTile] = {}
    for cell, known in reversed(tuple(board.tiles.items())):
        same = next((tile for tile in new if tile.placement.tile == known.letter), None)
        if cell not in tiles and same:
            found[cell] = same
            new.remove(same)
    return found


def _laid_over(board: Board, seen: Sequence[Observation]) -> Iterator[Mapping[Cell, SeenTile]]:
    """Ways to lay the board over the table."""
    for anchor, cell, axis in _anchors(board, seen):
        others = [one for one in seen if one is not anchor]
        known = [(x - cell[0], y - cell[1]) for x, y in board.tiles]
        grown = join_neighbours(replace(anchor, angle=axis), others, SIDE_MM, known)
        tiles = {
            (x + cell[0], y + cell[1]): anchor if (x, y) == (0, 0) else one for (x, y), one in grown.items()
        }
        found = {at: _tile(at, one, board, axis) for at, one in tiles.items()}
        yield found


def _anchors(board: Board, seen: Sequence[Observation]) -> Iterator[tuple[Observation, Cell, float]]:
    """Tiles that may be those of the log, the rarest first, each with the angle at which the board would lie."""
    cells: dict[str, list[Cell]] = {}
    for cell, tile in board.tiles.items():
        cells.setdefault(tile.letter, []).append(cell)
    clear = sorted(seen, key=lambda one: (len(cells.get(LETTER_OF_LABEL[one.label], ())), -one.confidence))
    pairs = [(one, cell) for one in clear for cell in cells.get(LETTER_OF_LABEL[one.label], ())]
    for one, cell in pairs[:MOST_ANCHORS]:
        tile = board.tiles[cell]
        same = {turn for turn in range(4) if upright(tile.letter, turn) == upright(tile.letter, tile.turn)}
        for turn in sorted(same, key=lambda turn: turn != tile.turn):
            yield one, cell, (one.angle - 90 * turn) % 360


def _tile(cell: Cell, seen: Observation, board: Board, axis: float) -> SeenTile:
    letter, looks = LETTER_OF_LABEL[seen.label], quarter(seen.angle, axis)
    turn, known = upright(letter, looks), board.tiles.get(cell)
    if known and known.letter == letter and upright(letter, known.turn) == turn:
        turn = known.turn
    return SeenTile(Placement(letter, *cell, turn), seen, (seen.angle + 90 * (turn - looks)) % 360)


def _as_told(tile: SeenTile, board: Board) -> SeenTile:
    """A tile of the log that is not plainly another one is what the log says: followers stand on its parts.

    One that really lies otherwise is told once it is seen plainly.
    """
    known, placement = board.tiles.get(tile.cell), tile.placement
    if known is None or tile.plain:
        return tile
    told = Placement(known.letter, placement.x, placement.y, known.turn)
    return replace(tile, placement=told, angle=(tile.angle + 90 * (known.turn - placement.turn)) % 360)


def agrees(board: Board, tile: SeenTile) -> bool:
    """Whether the log has that tile there, lying so."""
    placement = tile.placement
    known = board.tiles.get(placement.cell)
    return known is not None and (known.letter, known.turn) == (placement.tile, placement.turn)


def _followers(setup: Setup, observations: Sequence[Observation]) -> Iterator[tuple[int | None, Observation]]:
    """Followers with whose they are; those in a colour that nobody plays, where that is not clear, may be anybody's."""
    players = {str(person.colour): player for player, person in enumerate(setup.players)}
    for one in observations:
        kind, _, colour = one.label.partition("-")
        if kind in KINDS and (colour in players or not _colour_sure(one)):
            yield players.get(colour), one


def _matched(
    position: Position, tiles: Mapping[Cell, SeenTile], followers: Sequence[tuple[int | None, Observation]]
) -> Mapping[Segment, Observation]:
    """The followers of the log with what is seen of them, the nearest first."""
    expected = [*((player, segment) for segment, player in position.followers.items()), *position.returning]
    pairs = sorted(
        (away, segment, index)
        for player, segment in expected
        for index, (owner, one) in enumerate(followers)
        if (owner == player or not _colour_sure(one))
        and segment[:2] in tiles
        and agrees(position.board, tiles[segment[:2]])
        and (away := _distance_mm(tiles[segment[:2]], segment[2], one)) < _NUDGED
        and segment[2] in _parts(tiles[segment[:2]], one)
    )
    found: dict[Segment, Observation] = {}
    taken: set[int] = set()
    for _mm, segment, index in pairs:
        if segment not in found and index not in taken:
            found[segment] = followers[index][1]
            taken.add(index)
    return found


def _figure(player: int | None, one: Observation, tiles: Mapping[Cell, SeenTile]) -> SeenFollower:
    tile = _tile_under(one, tiles)
    assert tile
    return SeenFollower(player, tile.cell, _parts(tile, one), one)


def _distance_mm(tile: SeenTile, part: str, figure: Observation) -> float:
    """How far a figure is from where a follower of that part stands."""
    return dist(_in_tile(tile, figure), spot_from_middle(tile.placement.tile, part))


def touches(tile: SeenTile, figure: Observation) -> bool:
    """Whether a figure stands on a tile, or so near to it that it may belong there."""
    return max(map(abs, _in_tile(tile, figure))) <= _OVERHANG * SIDE_MM


def _tile_under(figure: Observation, tiles: Mapping[Cell, SeenTile]) -> SeenTile | None:
    """The tile on which a figure stands."""

    def away(tile: SeenTile) -> float:
        return max(map(abs, _in_tile(tile, figure)))

    nearest = min(tiles.values(), key=away, default=None)
    return nearest if nearest and touches(nearest, figure) else None


def _in_tile(tile: SeenTile, one: Observation) -> tuple[float, float]:
    """Where something is from the middle of a tile, in the tile's own directions as the chart shows it."""
    return offset(one.x - tile.seen.x, one.y - tile.seen.y, -tile.angle)


def _parts(tile: SeenTile, figure: Observation) -> tuple[str, ...]:
    """The parts it may stand on: a farmer lies in a field, all the others stand."""
    x, y = _in_tile(tile, figure)
    lies = None if _pose_unsure(figure) else figure.label.startswith(FARMER)
    return parts_at(tile.placement.tile, (x * 10 + HALF_SIDE, y * 10 + HALF_SIDE), lies)


def _colour_sure(figure: Observation) -> bool:
    """Whether its colour is clear: where it stands tells whether it should stand or lie."""
    return figure.confidence >= SURE or _pose_unsure(figure)


def _pose_unsure(figure: Observation) -> bool:
    """Whether it is a follower of that colour for sure, but may stand or lie."""
    kind, _, colour = figure.label.partition("-")
    other = FOLLOWER if kind == FARMER else FARMER
    return figure.confidence < SURE and figure.runner_up == f"{other}-{colour}"
