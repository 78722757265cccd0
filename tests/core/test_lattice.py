"""Rows of pieces laid by hand: they lean, leave gaps and drift, and still each has its place."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from companion.core.lattice import Cell, join_neighbours, offset, quarter, skew
from companion.core.observation import Observation

SIDE = 40.0


def laid(cells: Mapping[Cell, str], seed: int, angle: float, drift: float) -> dict[Cell, Observation]:
    """Pieces laid one against the other from the middle: whatever is wrong with one, the next inherits."""
    random = Random(seed)
    found = {(0, 0): Observation("home", 500, 400, angle)}
    for x, y in sorted(cells, key=lambda cell: (abs(cell[0]) + abs(cell[1]), cell)):
        near = min(found, key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y))
        at, step = found[near], (x - near[0], y - near[1])
        gap = SIDE + random.uniform(0, 1.5)
        dx, dy = offset(step[0] * gap, step[1] * gap, at.angle)
        turned = at.angle + random.gauss(drift, 1.0)
        found[x, y] = Observation(cells[x, y], at.x + dx + random.gauss(0, 0.5), at.y + dy, turned)
    return found


SQUARE = {(x, y): f"{x},{y}" for x in range(-4, 5) for y in range(-2, 3) if (x, y) != (0, 0)}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("angle", (0, 33, 90, 181.5, 270))
def test_every_piece_of_a_drifting_field_is_found_in_its_cell(seed: int, angle: float) -> None:
    pieces = laid(SQUARE, seed, angle, drift=0.4)
    home = pieces.pop((0, 0))
    others = list(pieces.values())
    Random(seed).shuffle(others)

    found = join_neighbours(home, others, SIDE)

    assert {cell: piece.label for cell, piece in found.items()} == {(0, 0): "home", **SQUARE}


def test_a_piece_that_lies_by_itself_belongs_to_nothing() -> None:
    home, near, far = (Observation(label, x, 0) for label, x in (("home", 0), ("near", 41), ("far", 140)))

    assert list(join_neighbours(home, [near, far], SIDE)) == [(0, 0), (1, 0)]


def test_what_is_known_is_found_beyond_a_gap() -> None:
    home, far = Observation("home", 0, 0), Observation("far", 121, 2)

    assert join_neighbours(home, [far], SIDE, known=[(1, 0), (2, 0), (3, 0)]) == {(0, 0): home, (3, 0): far}
    assert join_neighbours(home, [far], SIDE, known=[(2, 0)]) == {(0, 0): home}


@pytest.mark.parametrize(
    ("angle", "axis", "turns", "leaning"),
    ((0, 0, 0, 0), (92, 0, 1, 2), (178, 0, 2, -2), (358, 90, 3, -2), (44, 0, 0, 44)),
)
def test_a_turn_is_a_number_of_quarters_and_a_little_more(
    angle: float, axis: float, turns: int, leaning: float
) -> None:
    assert (quarter(angle, axis), skew(angle, axis)) == (turns, leaning)
