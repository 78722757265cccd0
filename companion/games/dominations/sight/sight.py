"""How Dominations looks from above, and what lies where on a table that a camera watches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import cycle, islice

from companion.core.game import Setup
from companion.core.observation import Area, Face, Observation, PlacedPiece, Reading
from companion.core.tinted import Tinted
from companion.games.dominations.rules.board import NO_DOT, Tile
from companion.games.dominations.rules.box import LETTERS, MARKERS, TILES, VESTIGIUM, Domain
from companion.games.dominations.rules.position import Position
from companion.games.dominations.sight import faces
from companion.games.dominations.sight.placed import cell_centre

CARD_AT = (-560.0, 375.0, 0.0)
"""Where the virtual table has the card: in a corner, out of the way."""
CITY_LEVELS_LAID = (1, 2, 3)
"""How far apart the resources of one of the virtual table's territories are, in the row of Domains."""


class DominationsSight:
    """The protocols `companion.core.observation.Sight` and `companion.core.tinted.Tinting`."""

    @property
    def tinted(self) -> Tinted:
        return faces.tinted_territories()

    @cached_property
    def faces(self) -> Sequence[Face]:
        tiles = (faces.territory_face(tile) for tile in faces.territory_faces())
        return (
            faces.blank_territory_face(),
            faces.cradle_face(),
            faces.colour_card_face(),
            *faces.city_faces(),
            *tiles,
        )

    @cached_property
    def pieces(self) -> Mapping[str, Face]:
        numbers = Counter[str]()
        found = {faces.CRADLE_LABEL: faces.cradle_face(), faces.CARD_LABEL: faces.colour_card_face()}
        for tile in virtual_deck():
            label = faces.face_label(tile)
            numbers[label] += 1
            found[f"{label}-{numbers[label]}"] = faces.territory_face(faces.canonical_tile(tile))
        for face in faces.city_faces():
            found |= {f"{face.label}-{n + 1}": face for n in range(MARKERS // 3)}
        return found

    def arrange(self, setup: Setup, position: Position) -> Sequence[PlacedPiece]:
        cradle = PlacedPiece(faces.CRADLE_LABEL, faces.CRADLE_LABEL, 0, 0)
        return (
            cradle,
            PlacedPiece(faces.CARD_LABEL, faces.CARD_LABEL, *CARD_AT),
            *_tiles(position),
            *_cities(setup, position),
        )

    def read(
        self,
        setup: Setup,  # noqa: ARG002  # a territory is nobody's
        position: Position,
        seen: Sequence[Observation],
        unknown: Sequence[Area] = (),
    ) -> Reading:
        # Imported here: only a table that is watched is read.
        from companion.games.dominations.sight.reader import read_table

        return read_table(position, seen, unknown)


def virtual_deck() -> Iterator[Tile]:
    """As many territories as a box has; which ones these are is not known, so that the virtual table has its own."""
    row = LETTERS + VESTIGIUM
    for number, field in zip(range(TILES), cycle(Domain), strict=False):
        step = CITY_LEVELS_LAID[number // len(Domain) % len(CITY_LEVELS_LAID)]
        begin = number // (len(Domain) * len(CITY_LEVELS_LAID)) + LETTERS.index(field)
        dots = "".join(islice(cycle(row), begin, begin + 3 * step, step))
        yield Tile(field, dots if number % 7 else dots[:2] + NO_DOT)


def _tiles(position: Position) -> Iterator[PlacedPiece]:
    numbers = Counter[str]()
    for cell, tile in position.board.tiles.items():
        label = faces.face_label(tile)
        numbers[label] += 1
        angle = faces.DOWN_ANGLE * cell.down + 120 * faces.turns_of_face(tile)
        yield PlacedPiece(f"{label}-{numbers[label]}", label, *_at(cell_centre(cell)), angle % 360)


def _cities(setup: Setup, position: Position) -> Iterator[PlacedPiece]:
    numbers = Counter[str]()
    for city in position.cities:
        if city.cell is not None:
            label = f"{faces.CITY_LABEL}-{setup.players[city.owner].colour}-{city.level}"
            numbers[label] += 1
            yield PlacedPiece(f"{label}-{numbers[label]}", label, *_at(cell_centre(city.cell)))


def _at(place: tuple[float, float]) -> tuple[float, float]:
    """On the table; the Cradle lies in its middle."""
    return place[0] * faces.TERRITORY_SIDE, place[1] * faces.TERRITORY_SIDE
