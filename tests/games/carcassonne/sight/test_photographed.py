"""What places of a photo show together: by their looks, what continues them, and what the box has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from companion.core.game import Colour, Player, Setup
from companion.core.lattice import Cell
from companion.core.observation import Pose
from companion.core.photo import GalleryRow, PhotoTable, ScoredBy, SeenFigure, SeenSquares
from companion.games.carcassonne.rules.board import TILES
from companion.games.carcassonne.sight.photo import (
    BoardReading,
    TileDoubt,
    TileKind,
    kind_named,
    parts_under,
    position_of,
    read_board,
)
from companion.games.carcassonne.sight.photographed import CarcassonnePhotos
from companion.games.carcassonne.text.notation import write_event
from tests.games.carcassonne.stories import CARCASSONNE

PHOTOS = CarcassonnePhotos()
ROWS = [GalleryRow(f"tile-{letter}", turn) for letter in TILES for turn in range(4)]
SURE, OTHERS = 0.95, 0.3


def seen(
    lying: Mapping[Cell, str],
    like: Mapping[Cell, Mapping[str, float]] | None = None,
    figures: Sequence[SeenFigure] = (),
) -> SeenSquares:
    """Places that look like tiles (`A1` is an A turned by a quarter), and some that look like others as well."""
    scores = {}
    for cell, name in lying.items():
        known = {kind_named(name): SURE}
        known |= {kind_named(other): how for other, how in ((like or {}).get(cell) or {}).items()}
        kinds = [PHOTOS.kind(f"{row.label.removeprefix('tile-')}{row.turn}") for row in ROWS]
        scores[cell] = [known.get(kind, OTHERS) for kind in kinds]
    return SeenSquares(ROWS, scores, figures=figures)


def read(*given: object, **more: object) -> BoardReading:
    found = read_board(seen(*given, **more))  # type: ignore[arg-type]  # handed on
    assert found
    return found


ROAD = {(0, 0): "D0", (0, 1): "U0", (0, 2): "V2"}
"""The first tile, a straight road below it, and a bend."""


def test_what_looks_clear_and_continues_is_read_and_nobody_asked() -> None:
    found = read(ROAD)

    assert ({cell: str(kind) for cell, kind in found.squares.items()}, found.unsure) == (ROAD, ())


def test_of_two_that_look_alike_the_one_is_taken_that_continues_its_neighbours() -> None:
    found = read(ROAD, {(0, 1): {"U0": 0.8, "U1": 0.84}})

    assert str(found.squares[0, 1]) == "U0"


def test_a_tile_laid_against_the_rules_is_read_as_it_lies_and_told() -> None:
    wrong = {**ROAD, (0, 1): "U1"}

    found = read(wrong)

    assert {cell: str(kind) for cell, kind in found.squares.items()} == wrong
    assert [*position_of(found.table, 1).board.mismatches()] == [((0, 0), (0, 1)), ((0, 1), (0, 2))]


def test_what_looks_like_another_tile_than_fits_is_asked_about() -> None:
    found = read(ROAD, {(0, 1): {"U0": 0.7, "U1": 0.9}})

    (doubt,) = found.unsure
    assert (doubt.cell, doubt.reason, [str(kind) for kind in doubt.candidates]) == (
        (0, 1),
        TileDoubt.NEIGHBOURS,
        ["U0", "U1"],
    )


def test_more_of_a_type_than_the_box_has_are_asked_about_and_the_least_sure_is_its_twin() -> None:
    """There is one Q; two places look like it, and one of them hardly less like an R."""
    lying = {(0, 0): "Q0", (2, 0): "Q0", (1, 0): "B0", (1, 1): "B0"}

    found = read(lying, {(2, 0): {"Q0": 0.9, "R0": 0.86}})

    assert (str(found.squares[0, 0]), str(found.squares[2, 0])) == ("Q0", "R0")
    assert (2, 0) in {one.cell for one in found.unsure}


def test_what_looks_like_no_tile_of_the_box_is_none_and_asked_about() -> None:
    lying = {**ROAD, (1, 0): "E3"}

    found = read(lying, {(1, 0): {"E3": 0.4}})

    (doubt,) = found.unsure
    assert ((1, 0) in found.squares, doubt.cell, doubt.reason) == (False, (1, 0), TileDoubt.UNKNOWN)


def test_where_most_is_nothing_of_the_box_nothing_is_read() -> None:
    nothing = {cell: dict.fromkeys(("D0", "U0", "V2"), 0.4) for cell in ROAD}

    assert read_board(seen(ROAD, nothing)) is None


def test_a_bare_tile_that_looks_less_like_its_drawing_than_all_others_is_asked_about() -> None:
    """A tile of an expansion looks nearly like one of the box."""
    found = read({**ROAD, (0, 3): "B0"}, {(0, 3): {"B0": 0.8}})

    assert [(one.cell, one.reason, one.candidates[1]) for one in found.unsure] == [
        ((0, 3), TileDoubt.UNLIKE, None)
    ]


def test_a_tile_on_which_somebody_stands_may_look_less_like_its_drawing() -> None:
    standing = SeenFigure((0, 1), 0.5, 0.5, "blue", Pose.STANDS)

    found = read(ROAD, {(0, 1): {"U0": 0.7}}, figures=[standing])

    assert (found.unsure, str(found.squares[0, 1])) == ((), "U0-r0-blue")


@pytest.mark.parametrize(
    ("name", "x", "y", "pose", "expected"),
    (
        ("D0", 0.9, 0.5, Pose.STANDS, ["c0"]),
        ("D0", 0.45, 0.5, Pose.STANDS, ["r0"]),
        ("D0", 0.15, 0.5, Pose.LIES, ["f0"]),
        ("D0", 0.15, 0.5, Pose.DISC, ["f0"]),
        ("D0", 0.3, 0.5, Pose.UNCLEAR, ["f0", "r0"]),
        ("D1", 0.5, 0.9, Pose.STANDS, ["c0"]),
        ("B0", 0.5, 0.5, Pose.STANDS, ["m0"]),
        ("B0", 0.1, 0.1, Pose.LIES, ["f0"]),
        ("C0", -0.05, 0.5, Pose.STANDS, ["c0"]),
    ),
)
def test_a_follower_stands_on_the_part_where_its_foot_is(
    name: str, x: float, y: float, pose: Pose, expected: Sequence[str]
) -> None:
    kind = kind_named(name)
    assert kind
    found = read({(0, 0): name, (0, 5): "B0", (5, 5): "B0"})
    position = position_of(found.table, 1)

    parts = parts_under(kind, (0, 0), SeenFigure((0, 0), x, y, "blue", pose), position)

    assert sorted(parts) == expected


def test_a_follower_whose_colour_is_not_clear_is_asked_about() -> None:
    unclear = SeenFigure((0, 0), 0.9, 0.5, "blue", Pose.STANDS, 0.45, "black")

    found = read(ROAD, figures=[unclear])

    (doubt,) = found.unsure
    assert (doubt.reason, [str(kind) for kind in doubt.candidates]) == (
        TileDoubt.FOLLOWER,
        ["D0-c0-blue", "D0", "D0-c0-black"],
    )


def test_whether_nobody_stands_where_hardly_anything_is_seen_is_one_question() -> None:
    weak = [SeenFigure(cell, 0.5, 0.5, "red", Pose.UNCLEAR, 0.2) for cell in ((0, 0), (0, 1), (0, 2))]

    found = read(ROAD, figures=weak)

    assert [len(one.places) for one in found.questions] == [3]
    assert {kind.part for kind in found.squares.values()} == {""}
    assert str(PHOTOS.joint(found.unsure[0].joint, 3).asked) == "Does nobody stand on these 3 tiles?"


def test_a_doubtful_tile_is_asked_about_with_whoever_stands_on_it() -> None:
    standing = SeenFigure((0, 1), 0.5, 0.5, "red", Pose.UNCLEAR)

    found = read(ROAD, {(0, 1): {"U0": 0.9, "D2": 0.88}}, figures=[standing])

    (doubt,) = found.unsure
    assert [str(kind) for kind in doubt.candidates][:2] == ["U0-r0-red", "D2-r0-red"]
    assert {kind.part for kind in doubt.candidates if kind} > {"r0"}


def test_a_second_figure_that_is_hardly_seen_is_no_second_follower() -> None:
    two = [
        SeenFigure((0, 0), 0.9, 0.5, colour, Pose.STANDS, how)
        for colour, how in (("red", 0.9), ("blue", 0.1))
    ]

    assert (read(ROAD, figures=two).unsure, str(read(ROAD, figures=two).squares[0, 0])) == ((), "D0-c0-red")
    both = [two[0], SeenFigure((0, 0), 0.2, 0.5, "blue", Pose.LIES, 0.8)]
    assert [one.reason for one in read(ROAD, figures=both).unsure] == [TileDoubt.TOGETHER]


def test_the_question_that_moves_most_points_comes_first() -> None:
    """Whether a knight stands in the city is worth more than whose road of one tile it is."""
    unclear = [
        SeenFigure((0, 2), 0.5, 0.45, "red", Pose.STANDS, 0.45, ""),
        SeenFigure((1, 0), 0.5, 0.5, "blue", Pose.STANDS, 0.45, ""),
    ]
    lying = {**ROAD, (1, 0): "C0", (2, 0): "R3"}

    found = read(lying, figures=unclear)

    assert [one.cell for one in found.unsure] == [(1, 0), (0, 2)]


def test_the_table_is_recorded_as_it_was_read() -> None:
    found = read(ROAD, figures=[SeenFigure((0, 0), 0.9, 0.5, "blue", Pose.STANDS)])
    setup = Setup((Player("Ana", Colour.RED), Player("Rui", Colour.BLUE)), PHOTOS.options)
    table = PhotoTable(setup, CARCASSONNE.start(setup), 0, (12, 30))

    settled = PHOTOS.settle(found, found.squares, table)

    assert settled.event
    told = write_event(settled.event)  # type: ignore[arg-type]  # an event of this game
    assert told == "table D@0,0N U@0,1N V@0,2S | 2:c0@0,0 | 12 30"


def test_followers_of_a_colour_that_nobody_plays_are_no_result() -> None:
    found = read(ROAD, figures=[SeenFigure((0, 0), 0.9, 0.5, "black", Pose.STANDS)])
    setup = Setup((Player("Ana", Colour.RED), Player("Rui", Colour.BLUE)), PHOTOS.options)

    settled = PHOTOS.settle(found, found.squares, PhotoTable(setup, CARCASSONNE.start(setup)))

    assert (settled.event, str(settled.refused)) == (
        None,
        "Followers stand there whose colour nobody plays: Black.",
    )


def test_of_two_on_a_tile_who_overhangs_its_edge_belongs_to_the_neighbour() -> None:
    knight = SeenFigure((0, 0), 0.9, 0.5, "blue", Pose.STANDS)
    farmer = SeenFigure((0, 0), 0.2, 0.97, "black", Pose.LIES)

    found = read(ROAD, figures=[knight, farmer])

    assert (str(found.squares[0, 0]), found.squares[0, 1].colour) == ("D0-c0-blue", "black")
    assert [one.cell for one in found.unsure] == [(0, 1)]


def test_what_the_points_leave_out_is_told() -> None:
    found = read(ROAD, figures=[SeenFigure((0, 0), 0.9, 0.5, "black", Pose.STANDS)])
    setup = Setup((Player("Ana", Colour.RED), Player("Rui", Colour.BLACK)), PHOTOS.options)
    but_one = {cell: kind for cell, kind in found.squares.items() if cell != (0, 2)}

    settled = PHOTOS.settle(found, but_one, PhotoTable(setup, CARCASSONNE.start(setup)))
    told = PHOTOS.describe(found, 1, 3, ScoredBy(("red", "blue"), ()), str)

    assert str(settled.troubles[0]) == (
        "1 piece is none of the box: it is not counted, and what leads onto it ends there."
    )
    assert "Followers stand there whose colour nobody plays: Black." in told["problems"]


@pytest.mark.parametrize("name", ("A1", "tile-B", "U0-f1-red", "X0-r3-black"))
def test_a_kind_is_told_by_its_name(name: str) -> None:
    kind = kind_named(name)

    assert kind
    assert kind_named(str(kind)) == kind


@pytest.mark.parametrize("name", ("", "Y1", "A4", "A1-c0-red", "A1-m0", "tile-", "tile-a", "domino-1-left"))
def test_what_is_no_tile_has_no_kind(name: str) -> None:
    assert kind_named(name) is None


def test_a_turn_that_looks_alike_is_the_same_kind() -> None:
    assert (kind_named("B3"), kind_named("H2")) == (TileKind("B", 0), TileKind("H", 0))
