"""From what is seen on a table of Carcassonne to what has happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from companion.core.game import Remark
from companion.core.observation import Area, Observation, Reading
from companion.games.carcassonne.rules.board import upright
from companion.games.carcassonne.rules.events import Event, TileDiscarded, TileLaid
from companion.games.carcassonne.rules.position import Phase, Position
from tests.games.carcassonne.eyes import between, changed, seen, without
from tests.games.carcassonne.stories import CARCASSONNE, evening
from tests.games.stories import lines_of, tell

OPENING = """
    1 lays V at -1,0 N
    1 places f0 at -1,0
"""
"""A curve beside the first tile, and a farmer of Red on it; Blue is next."""


def read(
    after: str,
    before: str = OPENING,
    table: Sequence[Observation] | None = None,
    unknown: Sequence[Area] = (),
) -> Reading:
    """What is read on a table where all of this has happened, by a log that knows a part of it."""
    known = evening(2, before)
    shown = tell(known, lines_of(after))
    found = seen(shown.setup, shown.position, 1) if table is None else table
    return CARCASSONNE.sight.read(known.setup, known.position, found, unknown)


def table_of(story: str, turned: float = 0) -> tuple[Observation, ...]:
    session = evening(2, story)
    return seen(session.setup, session.position, 1, turned)


def proposed(reading: Reading) -> list[str]:
    return [CARCASSONNE.write(one.event) for one in reading.proposals]  # type: ignore[arg-type]  # its own events


def asked(reading: Reading) -> list[tuple[str, list[str]]]:
    return [(str(one.question), [str(choice.text) for choice in one.choices]) for one in reading.doubts]


def drawn(reading: Reading) -> list[tuple[str, int]]:
    """The tiles that answers show, and how many quarters each is turned on the table."""
    answers = [choice.text for doubt in reading.doubts for choice in doubt.choices]
    return [(one.face, round(one.angle / 90) % 4) for one in answers if isinstance(one, Remark) and one.face]


def turns_of_a_game(players: int, seed: int) -> Iterator[tuple[Position, list[Event], Position]]:
    """A whole game by chance, turn by turn; of tiles that look alike turned, the first is laid."""
    random, position = Random(seed), evening(players).position
    while not CARCASSONNE.turn(position).over:
        before = position
        drawn = CARCASSONNE.draw(position, random.getrandbits(32))
        assert drawn
        held = CARCASSONNE.apply(position, drawn)
        event = random.choice(CARCASSONNE.legal(held))
        if isinstance(event, TileDiscarded):
            position = CARCASSONNE.apply(held, event)
            continue
        assert isinstance(event, TileLaid)
        turn: list[Event] = [event]
        position = CARCASSONNE.apply(position, turn[0])
        if position.phase is Phase.FOLLOWER:
            turn.append(random.choice(CARCASSONNE.legal(position)))
            position = CARCASSONNE.apply(position, turn[1])
        yield before, turn, position


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_every_turn_of_a_game_is_read_from_the_table_after_it(players: int) -> None:
    setup, way_round = evening(players).setup, Random(players).uniform(0, 360)
    for number, (before, turn, after) in enumerate(turns_of_a_game(players, players)):
        reading = CARCASSONNE.sight.read(setup, before, seen(setup, after, number, way_round))

        assert [one.event for one in reading.proposals] == turn
        assert (reading.doubts, reading.contradictions) == ((), ())


def test_a_table_that_has_not_changed_says_what_it_waits_for() -> None:
    reading = read("")

    assert (reading.proposals, reading.doubts, reading.contradictions) == ((), (), ())
    assert str(reading.waiting) == "Draw a tile and lay it"


def test_that_nobody_places_a_follower_is_proposed_but_cannot_be_seen() -> None:
    reading = read("2 lays U at 0,1 N")

    assert proposed(reading) == ["2 lays U at 0,1 N", "2 places none"]
    assert [one.shown for one in reading.proposals] == [True, False]


def test_the_next_tile_shows_that_nobody_placed_a_follower() -> None:
    reading = read("2 lays U at 0,1 N\n1 lays U at 0,2 N\n1 places f1 at 0,2")

    assert proposed(reading) == [
        "2 lays U at 0,1 N",
        "2 places none",
        "1 lays U at 0,2 N",
        "1 places f1 at 0,2",
    ]
    assert [one.shown for one in reading.proposals] == [True, True, True, True]


def test_of_two_tiles_that_may_have_come_in_either_order_people_say_which_was_first() -> None:
    reading = read("2 lays U at 0,1 N\n2 places none\n1 lays E at 1,0 W\n1 places none")

    assert proposed(reading) == []
    question, answers = asked(reading)[0]
    assert question == "There is more than one new tile. Which one is from Blue?"
    assert answers == ["This tile", "This tile"]
    assert sorted(drawn(reading)) == [("tile-E", 3), ("tile-U", 0)]


def test_two_tiles_that_look_alike_are_told_apart_by_where_they_are() -> None:
    reading = read("2 lays U at 0,1 N\n2 places none\n1 lays U at 0,-1 N\n1 places none")

    assert sorted(asked(reading)[0][1]) == ["This tile, above", "This tile, below"]


def test_whose_followers_are_on_them_tells_the_order() -> None:
    reading = read("2 lays U at 0,1 N\n2 places r0 at 0,1\n1 lays E at 1,0 W\n1 places f0 at 1,0")

    assert proposed(reading) == [
        "2 lays U at 0,1 N",
        "2 places r0 at 0,1",
        "1 lays E at 1,0 W",
        "1 places f0 at 1,0",
    ]


def test_before_the_first_tile_lies_there_it_is_asked_for() -> None:
    reading = read("", before="", table=())

    assert (reading.proposals, reading.contradictions) == ((), ())
    assert str(reading.waiting) == "Lay the tile that begins the game in the middle of the table."


def test_the_tile_that_begins_the_game_may_lie_anyhow() -> None:
    known = evening(2)
    after = tell(known, ["1 lays U at 0,1 N"])
    reading = CARCASSONNE.sight.read(known.setup, known.position, seen(after.setup, after.position, 1, 133))

    assert proposed(reading) == ["1 lays U at 0,1 N", "1 places none"]


def test_a_tile_that_touches_no_other_is_waited_for() -> None:
    reading = read("", table=(*table_of(OPENING), Observation("tile-B", 300, 40)))

    assert reading.proposals == ()
    assert str(reading.waiting) == "A tile touches no other: push it up to them."


def test_a_follower_between_two_places_is_asked_about() -> None:
    story = OPENING + "2 lays V at 0,1 E\n"
    tile = next(one for one in table_of(story) if (one.label, one.y > 30) == ("tile-V", True))
    place = between(tile, "r0")
    unclear = Observation("follower-blue", *place, confidence=0.3, runner_up="farmer-blue")
    reading = read("2 lays V at 0,1 E", table=(*table_of(story), unclear))

    assert asked(reading) == [
        ("Where does the follower of Blue stand?", ["On the road", "In the field", "Something else"])
    ]
    assert [CARCASSONNE.write(event) for event in reading.doubts[0].choices[0].events] == [  # type: ignore[arg-type]
        "2 lays V at 0,1 E",
        "2 places r0 at 0,1",
    ]


def test_whether_a_follower_lies_or_stands_is_told_by_where_it_is() -> None:
    story = OPENING + "2 lays B at -1,-1 N\n2 places m0 at -1,-1\n"
    unclear = changed(
        table_of(story), "follower-blue", label="farmer-blue", confidence=0.2, runner_up="follower-blue"
    )
    before = OPENING + "2 lays B at -1,-1 N\n"
    reading = read("", before=before, table=unclear)

    assert proposed(reading) == ["2 places m0 at -1,-1"]
    assert reading.doubts == ()


def test_whose_follower_it_is_has_to_be_clear() -> None:
    story = OPENING + "2 lays U at 0,1 N\n2 places r0 at 0,1\n"
    unclear = changed(table_of(story), "follower-blue", confidence=0.3, runner_up="follower-black")
    reading = read("", table=unclear)

    assert asked(reading) == [
        (
            "A follower is not seen clearly: Blue places a thief?",
            ["Yes", "No follower", "Something else"],
        )
    ]


def test_a_tile_that_is_not_clear_is_asked_about() -> None:
    story = OPENING + "2 lays U at 0,1 N\n"
    unclear = changed(table_of(story), "tile-U", confidence=0.2, runner_up="tile-V")
    reading = read("", table=unclear)
    question, answers = asked(reading)[0]

    assert question == "The new tile is not seen clearly. Which one is it?"
    assert answers == [
        "This tile",
        "This tile, turned to the right",
        "This tile, turned halfway round",
        "Something else",
    ]
    assert drawn(reading) == [("tile-U", 0), ("tile-V", 1), ("tile-V", 2)]


def test_a_tile_that_looks_less_like_its_kind_than_others_do_is_asked_about() -> None:
    """It may be its twin, printed as no gallery has it."""
    story = OPENING + "2 lays U at 0,1 N\n"
    odd = changed(table_of(story), "tile-U", usual=0.85, runner_up="tile-V")

    assert drawn(read("", table=odd)) == [("tile-U", 0), ("tile-V", 1), ("tile-V", 2)]
    assert proposed(read("", table=changed(odd, "tile-U", usual=0.95)))[0] == "2 lays U at 0,1 N"


@pytest.mark.parametrize(
    ("runner_up", "unrivalled", "proposed"),
    (("tile-B", 0.6, True), ("tile-B", 0.4, False), ("tile-V", 0.6, False), ("tile-U", 0.6, False)),
)
def test_a_tile_is_believed_where_what_else_it_looks_like_cannot_lie(
    runner_up: str, unrivalled: float, proposed: bool
) -> None:
    story = OPENING + "2 lays U at 0,1 N\n"
    table = changed(table_of(story), "tile-U", confidence=0.2, runner_up=runner_up, unrivalled=unrivalled)
    reading = read("", table=table)

    assert bool(reading.proposals) == proposed
    assert any("Which one is it?" in question for question, _answers in asked(reading)) != proposed


def test_answers_show_tiles_as_they_lie_on_a_table_seen_from_another_side() -> None:
    story = OPENING + "2 lays U at 0,1 N\n"
    unclear = changed(table_of(story, turned=90), "tile-U", confidence=0.2, runner_up="tile-V")

    assert drawn(read("", table=unclear)) == [("tile-U", 1), ("tile-V", 2), ("tile-V", 3)]


def test_nothing_is_taken_for_bare_that_is_not_seen_to_be() -> None:
    story = OPENING + "2 lays U at 0,1 N\n"
    dim = changed(table_of(story), "tile-U", confidence=0.6)
    reading = read("", table=dim)

    assert asked(reading) == [
        (
            "The new tile is not seen clearly. Is a follower of Blue on it?",
            ["No follower", "In the field", "On the road"],
        )
    ]


def test_something_unknown_on_the_new_tile_may_be_a_follower() -> None:
    story = OPENING + "2 lays U at 0,1 N\n"
    tile = next(one for one in table_of(story) if one.label == "tile-U")
    reading = read("", table=table_of(story), unknown=(Area(tile.x + 5, tile.y, 15, 15),))

    assert [question for question, _answers in asked(reading)] == [
        "The new tile is not seen clearly. Is a follower of Blue on it?"
    ]


def test_a_tile_that_looks_the_same_from_two_sides_is_recorded_one_way() -> None:
    assert (upright("U", 2), upright("U", 3), upright("V", 2), upright("X", 3)) == (0, 1, 2, 0)
    assert proposed(read("2 lays U at 0,1 S"))[0] == "2 lays U at 0,1 N"


def test_a_follower_that_goes_home_may_still_stand_there_and_be_gone_already() -> None:
    story = OPENING + "2 lays E at 1,0 W\n2 places c0 at 1,0\n"
    standing = table_of(story)
    assert "follower-blue" in {one.label for one in standing}

    for table in (standing, without(standing, "follower-blue")):
        reading = read("", before=story, table=table)
        assert (reading.proposals, reading.doubts, reading.contradictions) == ((), (), ())
