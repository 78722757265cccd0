"""How Carcassonne looks from above: its tiles and followers, and where they lie on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from companion.core.game import Colour, Setup
from companion.core.lattice import offset
from companion.core.observation import Area, Face, Lying, Observation, Reading
from companion.games.carcassonne.rules.position import FOLLOWERS_EACH, Position
from companion.games.carcassonne.rules.tiles import TILES, Cell, Kind
from companion.games.carcassonne.sight import faces, figures
from companion.games.carcassonne.sight.seen import FARMER, FOLLOWER, HALF, SIDE, label_of
from companion.games.carcassonne.sight.shapes import shapes
from companion.games.carcassonne.text.words import kind

COLOURS = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW, Colour.BLACK)


class CarcassonneSight:
    """The protocol `companion.core.observation.Sight`."""

    @cached_property
    def faces(self) -> Sequence[Face]:
        tiles = (Face(label_of(letter), SIDE, SIDE, faces.tile(letter)) for letter in TILES)
        return (*tiles, *map(_standing, COLOURS), *map(_lying, COLOURS))

    @cached_property
    def pieces(self) -> Mapping[str, Face]:
        return {
            f"{face.label}-{number}": face
            for face in self.faces
            for number in range(1, _in_the_box(face) + 1)
        }

    def arrange(self, setup: Setup, position: Position) -> Sequence[Lying]:
        return (*_tiles(position), *_followers(setup, position))

    def read(
        self, setup: Setup, position: Position, seen: Sequence[Observation], unknown: Sequence[Area] = ()
    ) -> Reading:
        # Imported here: only a table that is watched is read.
        from companion.games.carcassonne.sight.reader import read

        return read(setup, position, seen, unknown)


def _in_the_box(face: Face) -> int:
    kind, _, letter = face.label.partition("-")
    return FOLLOWERS_EACH if kind in (FOLLOWER, FARMER) else TILES[letter].count


def _standing(colour: Colour) -> Face:
    side = figures.STANDING
    return Face(f"{FOLLOWER}-{colour}", side, side, figures.from_above(colour), stands=True, round=True)


def _lying(colour: Colour) -> Face:
    return Face(f"{FARMER}-{colour}", *figures.LYING, figures.lying(colour), stands=True)


def _tiles(position: Position) -> Iterator[Lying]:
    numbers = Counter[str]()
    for cell, tile in position.board.tiles.items():
        label = label_of(tile.letter)
        numbers[label] += 1
        yield Lying(f"{label}-{numbers[label]}", label, *_middle(cell), 90 * tile.turn)


def _followers(setup: Setup, position: Position) -> Iterator[Lying]:
    numbers = Counter[str]()
    standing = [(player, segment) for segment, player in position.followers.items()]
    for player, segment in dict.fromkeys((*standing, *position.returning)):
        x, y, part = segment
        role = FARMER if kind(segment) is Kind.FIELD else FOLLOWER
        label = f"{role}-{setup.players[player].colour}"
        numbers[label] += 1
        tile = position.board.tiles[x, y]
        spot = shapes(tile.letter)[part].spot
        dx, dy = offset(spot[0] / 10 - HALF, spot[1] / 10 - HALF, 90 * tile.turn)
        left, top = _middle((x, y))
        yield Lying(f"{label}-{numbers[label]}", label, left + dx, top + dy)


def _middle(cell: Cell) -> tuple[float, float]:
    """Where the middle of a tile lies; the tile that began the game lies in the middle of the table."""
    return cell[0] * SIDE, cell[1] * SIDE
