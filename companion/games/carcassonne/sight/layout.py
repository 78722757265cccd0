"""How Carcassonne looks from above: its tiles and followers, and where they lie on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core.game import Colour, Setup
from companion.core.lattice import offset
from companion.core.observation import Area, Face, Observation, PlacedPiece, Pose, Reading, Wood
from companion.games.carcassonne.rules.board import TILES, TURNS, Cell, FeatureKind, feature_kind, upright
from companion.games.carcassonne.rules.position import FOLLOWERS_EACH, Position
from companion.games.carcassonne.sight import faces
from companion.games.carcassonne.sight.faces import (
    LYING_SIZE,
    STANDING_SIZE,
    lying_follower,
    standing_follower,
)
from companion.games.carcassonne.sight.registration import FARMER, FOLLOWER, SIDE_MM
from companion.games.carcassonne.sight.shapes import spot_from_middle
from companion.games.carcassonne.text.words import tile_label

if TYPE_CHECKING:
    from companion.games.carcassonne.sight.photographed import CarcassonnePhotos

COLOURS = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW, Colour.BLACK)


class CarcassonneSight:
    """The protocol `companion.core.observation.Sight`."""

    @cached_property
    def photos(self) -> CarcassonnePhotos:
        # Imported here, as below: only who shows photos reads them.
        from companion.games.carcassonne.sight.photographed import CarcassonnePhotos

        return CarcassonnePhotos()

    @cached_property
    def faces(self) -> Sequence[Face]:
        return (*map(_tile_face, TILES), *map(_standing_face, COLOURS), *map(_lying_face, COLOURS))

    @cached_property
    def pieces(self) -> Mapping[str, Face]:
        return {
            f"{face.label}-{number}": face
            for face in self.faces
            for number in range(1, _in_the_box(face) + 1)
        }

    def arrange(self, setup: Setup, position: Position) -> Sequence[PlacedPiece]:
        return (*_tiles(position), *_followers(setup, position))

    def read(
        self, setup: Setup, position: Position, seen: Sequence[Observation], unknown: Sequence[Area] = ()
    ) -> Reading:
        # Imported here: only a table that is watched is read.
        from companion.games.carcassonne.sight.reader import read_table

        return read_table(setup, position, seen, unknown)


def _in_the_box(face: Face) -> int:
    kind, _, letter = face.label.partition("-")
    return FOLLOWERS_EACH if kind in (FOLLOWER, FARMER) else TILES[letter].count


def _tile_face(letter: str) -> Face:
    ways = len({upright(letter, turn) for turn in TURNS})
    return Face(tile_label(letter), SIDE_MM, SIDE_MM, faces.tile_face(letter), ways=ways)


def _standing_face(colour: Colour) -> Face:
    side = STANDING_SIZE
    return Face(
        f"{FOLLOWER}-{colour}",
        side,
        side,
        standing_follower(colour),
        True,
        True,
        wood=Wood(colour, Pose.STANDS),
    )


def _lying_face(colour: Colour) -> Face:
    return Face(f"{FARMER}-{colour}", *LYING_SIZE, lying_follower(colour), True, wood=Wood(colour, Pose.LIES))


def _tiles(position: Position) -> Iterator[PlacedPiece]:
    numbers = Counter[str]()
    for cell, tile in position.board.tiles.items():
        label = tile_label(tile.letter)
        numbers[label] += 1
        yield PlacedPiece(f"{label}-{numbers[label]}", label, *_middle(cell), 90 * tile.turn)


def _followers(setup: Setup, position: Position) -> Iterator[PlacedPiece]:
    numbers = Counter[str]()
    standing = [(player, segment) for segment, player in position.followers.items()]
    for player, segment in dict.fromkeys((*standing, *position.returning)):
        x, y, part = segment
        role = FARMER if feature_kind(segment) is FeatureKind.FIELD else FOLLOWER
        label = f"{role}-{setup.players[player].colour}"
        numbers[label] += 1
        tile = position.board.tiles[x, y]
        dx, dy = offset(*spot_from_middle(tile.letter, part), 90 * tile.turn)
        left, top = _middle((x, y))
        yield PlacedPiece(f"{label}-{numbers[label]}", label, left + dx, top + dy)


def _middle(cell: Cell) -> tuple[float, float]:
    """Where the middle of a tile lies; the tile that began the game lies in the middle of the table."""
    return cell[0] * SIDE_MM, cell[1] * SIDE_MM
