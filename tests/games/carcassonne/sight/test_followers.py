"""Followers that stand where they are easily taken for something else: nothing of it may be believed silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from companion.core.observation import Observation, Reading
from companion.games.carcassonne.rules.board import TILES
from tests.games.carcassonne.eyes import between, seen
from tests.games.carcassonne.stories import CARCASSONNE, evening

CORNER = """
    1 lays E at -1,0 N with f0
    2 lays V at 0,1 S
    2 places none
"""
"""A farmer of Red on a tile with a city, to the north of which another such tile fits."""


def table_of(story: str) -> tuple[Observation, ...]:
    session = evening(2, story)
    return seen(session.setup, session.position, 1)


def read(log: str, table: Sequence[Observation]) -> Reading:
    session = evening(2, log)
    return CARCASSONNE.sight.read(session.setup, session.position, table)


def nearest(table: Sequence[Observation], label: str, x: float, y: float) -> Observation:
    return min((one for one in table if one.label == label), key=lambda one: abs(one.x - x) + abs(one.y - y))


def told(reading: Reading) -> tuple[list[str], list[str], list[str]]:
    """What is proposed, asked, and in disagreement."""
    return (
        [CARCASSONNE.write(one.event) for one in reading.proposals],  # type: ignore[arg-type]  # its own events
        [str(one.question) for one in reading.doubts],
        [str(one.text) for one in reading.contradictions],
    )


SEVEN = """
    1 lays E at -1,0 W with f0
    2 lays I at -2,0 W
    1 lays H at -1,-1 N with c0
    2 lays X at 0,1 N
    1 lays N at -1,-2 E with c0
    2 lays V at -2,1 N
    1 lays R at -3,0 W with f0
    2 lays R at -3,-1 E
    1 lays H at 1,0 N with f0
    2 lays I at -2,-2 S
    1 lays K at 0,2 N with f0
    2 lays T at -1,-3 S
    1 lays G at 1,2 E with f0
    2 lays U at -1,-4 N
    2 places none
"""
"""All followers of Red are on the table, and it is their turn."""


@pytest.mark.parametrize(("over", "on_the_new_tile"), ((-3, True), (2, False), (5, False)))
def test_a_follower_on_the_border_is_asked_about_even_where_its_owner_stands_already(
    over: float, on_the_new_tile: bool
) -> None:
    table = table_of(CORNER + "1 lays E at -1,-1 S\n")
    new, old = (nearest(table, "tile-E", -45, y) for y in (-45, 0))
    knight = Observation("follower-red", (new.x + old.x) / 2, (new.y + old.y) / 2 + over)
    question = "A follower of Red stands between two tiles. Is it on the new one?"

    assert told(read(CORNER, (*table, knight))) == (
        ["1 lays E at -1,-1 S", *(["1 places c0 at -1,-1"] if on_the_new_tile else [])],
        [] if on_the_new_tile else [question],
        [],
    )


def test_of_two_followers_on_the_new_tile_people_say_which_was_placed() -> None:
    table = table_of(CORNER + "1 lays E at -1,-1 S\n")
    new = nearest(table, "tile-E", -45, -45)
    both = [Observation("follower-red", *between(new, "c0")), Observation("farmer-red", *between(new, "f0"))]
    reading = read(CORNER, (*table, *both))

    assert told(reading) == (
        ["1 lays E at -1,-1 S"],
        ["More than one follower of Red is on the new tile. Which one was placed?"],
        [],
    )
    assert {str(choice.text) for choice in reading.doubts[0].choices} == {
        "In the city",
        "In the field",
        "Something else",
    }


def test_a_second_follower_on_an_old_tile_is_told() -> None:
    table = table_of(CORNER)
    old = nearest(table, "tile-E", -45, 0)
    second = Observation("follower-red", *between(old, "c0"))

    assert told(read(CORNER, (*table, second)))[2] == [
        "There is a follower of Red that the log does not know."
    ]


@pytest.mark.parametrize("letter", TILES)
def test_a_follower_moved_to_another_part_of_its_tile_is_told(letter: str) -> None:
    way = next(iter(evening(2).position.board.placements(letter)))
    line = f"1 lays {letter} at {way.x},{way.y} {'NESW'[way.turn]}"
    stands = {part: f"{line} with {part}\n" for part in TILES[letter].parts}
    staying = [part for part, story in stands.items() if evening(2, story).position.followers]
    silent = [
        (here, there)
        for here, there in permutations(staying, 2)
        if not any(told(read(stands[here], table_of(stands[there])))[1:])
    ]

    assert staying
    assert silent == []


@pytest.mark.parametrize("letter", TILES)
def test_a_tile_of_the_log_that_looks_like_another_has_the_parts_that_the_log_says(letter: str) -> None:
    way = next(iter(evening(2).position.board.placements(letter)))
    line = f"1 lays {letter} at {way.x},{way.y} {'NESW'[way.turn]}"
    stands = {part: f"{line} with {part}\n" for part in TILES[letter].parts}
    wrong = []
    for part, story in stands.items():
        if not evening(2, story).position.followers:
            continue
        table = table_of(story)
        new = nearest(table, f"tile-{letter}", 45 * way.x, 45 * way.y)
        for other in TILES:
            for turned in (0, 90, 180, 270):
                like = replace(
                    new,
                    label=f"tile-{other}",
                    angle=(new.angle + turned) % 360,
                    confidence=0.0,
                    runner_up=new.label,
                )
                unclear = [like if one is new else one for one in table]
                placed, asked, odd = told(read(f"{line}\n", unclear))
                if odd or not (asked or placed == [f"1 places {part} at {way.x},{way.y}"]):
                    wrong.append((part, other, turned, str((placed, odd))))
                if any(told(read(story, unclear))):
                    wrong.append((part, other, turned, "stays"))

    assert wrong == []


def test_an_eighth_follower_is_asked_about() -> None:
    table = table_of(SEVEN + "1 lays B at -4,-1 N\n")
    session = evening(2, SEVEN + "1 lays B at -4,-1 N\n")
    new = next(one for one in table if one.label == "tile-B")
    reading = read(SEVEN, (*table, Observation("follower-red", *between(new, "m0"))))
    kept = reading.doubts[0].choices[0].events

    assert session.position.supply(0) == 0
    assert told(reading) == (
        ["1 lays B at -4,-1 N"],
        ["That is against the rules: All 7 followers of this player are on the table."],
        [],
    )
    assert [CARCASSONNE.write(event) for event in kept] == [  # type: ignore[arg-type]  # its own events
        "1 lays B at -4,-1 N",
        '1 places m0 at -4,-1 because "as it lies on the table"',
    ]


@pytest.mark.parametrize(
    ("brought", "moved", "gone"),
    (
        ("1 lays V at -1,0 N with f0\n", "1 lays V at -1,0 N with r0", "1 lays V at -1,0 N"),
        ("1 lays V at -1,0 N\n1 places f0 at -1,0\n", "1 places r0 at -1,0", ""),
        (
            '1 lays V at -1,0 N\n1 places none\n1 places f0 at -1,0 because "late"\n',
            '1 places r0 at -1,0 because "late"',
            "",
        ),
    ),
)
def test_the_entry_that_brought_a_follower_is_the_one_to_correct(brought: str, moved: str, gone: str) -> None:
    table = table_of("1 lays V at -1,0 N with r0\n")
    bare = tuple(one for one in table if one.label.startswith("tile"))

    for shown, expected in ((table, moved), (bare, gone)):
        (found,) = read(brought, shown).contradictions
        assert CARCASSONNE.write(found.meant) == brought.strip().splitlines()[-1]  # type: ignore[arg-type]  # its own events
        assert (CARCASSONNE.write(found.lies) if found.lies else "") == expected  # type: ignore[arg-type]
