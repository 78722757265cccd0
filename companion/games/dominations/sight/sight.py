"""How Dominations looks from above, and what lies where on a table that a camera watches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import cycle, islice

from companion.core.game import Setup
from companion.core.observation import Area, Face, Lying, Observation, Reading
from companion.core.tinted import Tinted
from companion.games.dominations.rules.board import NO_DOT, Tile
from companion.games.dominations.rules.box import LETTERS, MARKERS, TILES, VESTIGIUM, Domain
from companion.games.dominations.rules.position import Position
from companion.games.dominations.sight import faces
from companion.games.dominations.sight.placed import middle

CARD_AT = (-560.0, 375.0, 0.0)
"""Where the virtual table has the card: in a corner, out of the way."""
STEPS = (1, 2, 3)
"""How far apart the resources of one of the virtual table's territories are, in the row of Domains."""


class DominationsSight:
    """The protocols `companion.core.observation.Sight` and `companion.core.tinted.Tinting`."""

    @property
    def tinted(self) -> Tinted:
        return faces.tinted()

    @cached_property
    def faces(self) -> Sequence[Face]:
        tiles = (faces.territory(tile) for tile in faces.territories())
        return (faces.blank(), faces.cradle(), faces.card(), *faces.cities(), *tiles)

    @cached_property
    def pieces(self) -> Mapping[str, Face]:
        numbers = Counter[str]()
        found = {faces.CRADLE_LABEL: faces.cradle(), faces.CARD: faces.card()}
        for tile in deck():
            label = faces.label_of(tile)
            numbers[label] += 1
            found[f"{label}-{numbers[label]}"] = faces.territory(faces.alike(tile))
        for face in faces.cities():
            found |= {f"{face.label}-{n + 1}": face for n in range(MARKERS // 3)}
        return found

    def arrange(self, setup: Setup, position: Position) -> Sequence[Lying]:
        cradle = Lying(faces.CRADLE_LABEL, faces.CRADLE_LABEL, 0, 0)
        return (cradle, Lying(faces.CARD, faces.CARD, *CARD_AT), *_tiles(position), *_cities(setup, position))

    def read(
        self,
        setup: Setup,  # noqa: ARG002  # a territory is nobody's
        position: Position,
        seen: Sequence[Observation],
        unknown: Sequence[Area] = (),
    ) -> Reading:
        # Imported here: only a table that is watched is read.
        from companion.games.dominations.sight.reader import read

        return read(position, seen, unknown)


def deck() -> Iterator[Tile]:
    """As many territories as a box has; which ones these are is not known, so that the virtual table has its own."""
    row = LETTERS + VESTIGIUM
    for number, field in zip(range(TILES), cycle(Domain), strict=False):
        step = STEPS[number // len(Domain) % len(STEPS)]
        begin = number // (len(Domain) * len(STEPS)) + LETTERS.index(field)
        dots = "".join(islice(cycle(row), begin, begin + 3 * step, step))
        yield Tile(field, dots if number % 7 else dots[:2] + NO_DOT)


def _tiles(position: Position) -> Iterator[Lying]:
    numbers = Counter[str]()
    for cell, tile in position.board.tiles.items():
        label = faces.label_of(tile)
        numbers[label] += 1
        angle = faces.DOWN * cell.down + 120 * faces.turns(tile)
        yield Lying(f"{label}-{numbers[label]}", label, *_at(middle(cell)), angle % 360)


def _cities(setup: Setup, position: Position) -> Iterator[Lying]:
    numbers = Counter[str]()
    for city in position.cities:
        if city.cell is not None:
            label = f"{faces.CITY}-{setup.players[city.owner].colour}-{city.level}"
            numbers[label] += 1
            yield Lying(f"{label}-{numbers[label]}", label, *_at(middle(city.cell)))


def _at(place: tuple[float, float]) -> tuple[float, float]:
    """On the table; the Cradle lies in its middle."""
    return place[0] * faces.SIDE, place[1] * faces.SIDE
