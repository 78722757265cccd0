"""Stories of hands that lay pieces as people do."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from companion.core.observation import Face, PlacedPiece
from companion.virtual.collision import gap_between, outline_of, overlap
from companion.virtual.hand import HandPlanner
from companion.virtual.players import lay_at_once
from companion.virtual.scene import Scene

SIDE = 40.0
TILE = Face("tile", SIDE, SIDE, "")
PEG = Face("peg", 12, 12, "", stands=True)
FACES = {"tile": TILE, "peg": PEG}


def a_scene(tiles: int, pegs: int = 0) -> Scene:
    box = {f"tile-{n}": TILE for n in range(tiles)} | {f"peg-{n}": PEG for n in range(pegs)}
    return Scene(box, 1600, 900)


def tile(number: int, column: float, row: float) -> PlacedPiece:
    return PlacedPiece(f"tile-{number}", "tile", 500 + column * SIDE, 300 + row * SIDE)


@pytest.mark.parametrize("seed", range(8))
def test_pieces_laid_side_by_side_keep_close_and_never_overlap_badly(seed: int) -> None:
    cells = [(column, row) for column in range(5) for row in range(5)]
    Random(seed).shuffle(cells)
    scene, fingers, done = a_scene(25), HandPlanner(FACES, Random(seed)), list[PlacedPiece]()
    for number, cell in enumerate(cells):
        lay_at_once(scene, fingers, done, [*done, tile(number, *cell)])
        done.append(tile(number, *cell))
    shapes = [outline_of(one, TILE) for one in scene.snapshot.lying]
    lies = {one.piece: one for one in scene.snapshot.lying}

    assert len(shapes) == 25
    assert max(overlap(one, two) for one, two in combinations(shapes, 2)) < 1
    assert max(abs((one.angle + 180) % 360 - 180) for one in scene.snapshot.lying) < 8
    assert max(abs(one.x - lies[one.piece].x) + abs(one.y - lies[one.piece].y) for one in done) < 0.45 * SIDE


def test_a_piece_follows_the_neighbour_that_lies_there() -> None:
    scene, fingers = a_scene(2), HandPlanner(FACES, Random(1))
    scene.put("tile-0", 800, 600, 30)
    lay_at_once(scene, fingers, [tile(0, 0, 0)], [tile(0, 0, 0), tile(1, 1, 0)])
    new = scene.snapshot.find("tile-1")

    assert new is not None
    assert (new.x, new.y) == pytest.approx((800 + SIDE * 0.866, 600 + SIDE * 0.5), abs=3)
    assert new.angle == pytest.approx(30, abs=1.9)


def test_gaps_are_up_to_a_millimetre_and_a_half() -> None:
    gaps = []
    for seed in range(200):
        scene, fingers = a_scene(2), HandPlanner(FACES, Random(seed))
        lay_at_once(scene, fingers, [], [tile(0, 0, 0), tile(1, 1, 0)])
        one, two = (outline_of(lying, TILE) for lying in scene.snapshot.lying)
        gaps.append(gap_between(one, two))
        assert overlap(one, two) < 0.6

    assert 0.2 < sum(gaps) / len(gaps) < 1
    assert max(gaps) < 2


def test_figures_stand_about_the_middle_and_are_turned_anyhow() -> None:
    angles, offsets = [], []
    for seed in range(60):
        scene, fingers = a_scene(1, 1), HandPlanner(FACES, Random(seed))
        scene.put("tile-0", 700, 500, 20)
        lay_at_once(scene, fingers, [tile(0, 0, 0)], [tile(0, 0, 0), PlacedPiece("peg-0", "peg", 500, 300)])
        peg = scene.snapshot.find("peg-0")
        assert peg is not None
        angles.append(peg.angle)
        offsets.append(max(abs(peg.x - 700), abs(peg.y - 500)))

    assert max(offsets) <= 7
    assert sum(offsets) / len(offsets) > 1
    assert min(angles) < 60
    assert max(angles) > 300


def test_first_a_figure_leaves_then_its_piece_moves() -> None:
    scene, fingers = a_scene(1, 1), HandPlanner(FACES, Random(2))
    before = [tile(0, 0, 0), PlacedPiece("peg-0", "peg", 500, 300)]
    lay_at_once(scene, fingers, [], before)
    moves = []
    for move in fingers.plan(before, [tile(0, 5, 3)], lambda: scene.snapshot):
        moves.append((move.piece, move.end is None))
        if move.end is None:
            scene.remove(move.piece)

    assert moves == [("peg-0", True), ("tile-0", False)]


def test_pieces_that_look_alike_stand_in_for_each_other() -> None:
    scene, fingers = a_scene(3), HandPlanner(FACES, Random(3))
    before = [tile(0, 0, 0), tile(1, 3, 0)]
    lay_at_once(scene, fingers, [], before)
    swapped = [replace(tile(1, 0, 0)), replace(tile(0, 3, 0))]

    assert list(fingers.plan(before, swapped, lambda: scene.snapshot)) == []


def test_a_place_that_is_too_narrow_makes_its_neighbours_give_way() -> None:
    scene, fingers = a_scene(3), HandPlanner(FACES, Random(4))
    scene.put("tile-0", 500, 300)
    scene.put("tile-2", 500 + 2 * SIDE - 3, 300)
    before = [tile(0, 0, 0), tile(2, 2, 0)]
    moves = list(fingers.plan(before, [*before, tile(1, 1, 0)], lambda: scene.snapshot))

    assert [move.piece for move in moves] == ["tile-1"]
    assert {one.piece for one in moves[0].nudged} >= {"tile-2"}


def test_a_piece_is_laid_on_top_of_what_is_badly_in_its_way() -> None:
    scene, fingers = a_scene(3), HandPlanner(FACES, Random(5))
    scene.put("tile-0", 500, 300)
    scene.put("tile-2", 500 + SIDE + 4, 306, 30)
    (move,) = fingers.plan([tile(0, 0, 0)], [tile(0, 0, 0), tile(1, 1, 0)], lambda: scene.snapshot)

    assert move.end is not None
    assert (move.end.x, move.end.y) == pytest.approx((540, 300), abs=3)
    assert move.nudged == ()
