"""What people are told when a table of Carcassonne is not as the log has it, or not as the rules want it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.core.message import message as _
from companion.core.observation import Contradiction, Observation, Reading
from companion.core.session import Session
from tests.games.carcassonne.eyes import changed, seen, without
from tests.games.carcassonne.stories import CARCASSONNE, evening

STORY = """
    1 lays V at -1,0 N
    1 places f0 at -1,0
    2 lays U at 0,1 N
    2 places none
    1 lays E at 1,0 W
    1 places c0 at 1,0   # completes the city
"""
"""Red has a farmer, and a knight on the way home; Blue is next."""


def session_of(story: str = STORY) -> Session:
    return evening(2, story)


def table_of(story: str = STORY, seed: int = 1) -> tuple[Observation, ...]:
    session = session_of(story)
    return seen(session.setup, session.position, seed)


def read(table: Sequence[Observation], log: str = STORY) -> Reading:
    session = session_of(log)
    return CARCASSONNE.sight.read(session.setup, session.position, table)


def told(reading: Reading) -> list[str]:
    return [str(found.text) for found in reading.contradictions]


def pictures(reading: Reading) -> list[list[tuple[str, int]]]:
    """The tiles drawn beside the words, and how many quarters each is turned on the table."""
    return [
        [(one.face, round(one.angle / 90) % 4) for one in found.pictures] for found in reading.contradictions
    ]


def corrections(reading: Reading) -> list[tuple[str, str]]:
    """What the log says, and what it would have to say."""
    return [(_line(found.meant), _line(found.lies)) for found in reading.contradictions]


def _line(event: object) -> str:
    return CARCASSONNE.write(event) if event else ""  # type: ignore[arg-type]  # its own events


def at(table: Sequence[Observation], label: str, x: float, y: float) -> Observation:
    """The piece of that label that lies nearest to a place."""
    return min(
        (one for one in table if one.label == label), key=lambda one: (one.x - x) ** 2 + (one.y - y) ** 2
    )


def test_a_tile_laid_against_the_rules_is_asked_about_and_may_stay() -> None:
    reading = read(table_of(STORY + '2 lays U at 2,0 E because "we liked it"\n'))
    doubt = reading.doubts[0]

    assert str(doubt.question) == "That is against the rules: The tile does not continue what lies beside it."
    assert [str(choice.text) for choice in doubt.choices] == [
        "It lies there all the same",
        "We lay it differently",
    ]
    assert [_line(event) for event in doubt.choices[0].events] == [
        '2 lays U at 2,0 E because "as it lies on the table"'
    ]
    assert (reading.proposals, reading.contradictions) == ((), ())


def test_a_follower_where_somebody_is_already_is_asked_about() -> None:
    road = "1 lays U at 0,1 N\n1 places r0 at 0,1\n"
    table = table_of(road + '2 lays U at 0,2 N\n2 places r0 at 0,2 because "so"')
    reading = read(table, log=road)

    assert str(reading.doubts[0].question) == (
        "That is against the rules: Somebody stands there already, however far away."
    )
    assert [_line(event) for event in reading.doubts[0].choices[0].events] == [
        "2 lays U at 0,2 N",
        '2 places r0 at 0,2 because "as it lies on the table"',
    ]


def test_whose_tile_it_is_is_asked_when_the_follower_belongs_to_somebody_else() -> None:
    table = table_of(STORY + '1 lays U at 0,2 N because "hasty"\n1 places r0 at 0,2\n')
    doubt = read(table).doubts[0]

    assert str(doubt.question) == (
        "It is the turn of Blue, but the follower on the new tile is one of Red. Whose tile is it?"
    )
    assert [str(choice.text) for choice in doubt.choices] == ["Red laid it, out of turn", "We put that right"]
    assert [_line(event) for event in doubt.choices[0].events] == [
        '1 lays U at 0,2 N because "as it lies on the table"'
    ]


def test_a_tile_that_was_taken_back_can_be_taken_out_of_the_log() -> None:
    reading = read(without(table_of(), "tile-E", "follower-red"))

    assert told(reading) == ["A tile is not where it was."]
    assert pictures(reading) == [[("tile-E", 3)]]
    assert corrections(reading) == [("1 lays E at 1,0 W", "")]
    assert reading.proposals == ()


def test_a_tile_that_was_moved_is_no_new_tile() -> None:
    elsewhere = STORY.partition("1 lays E")[0] + '1 lays E at 0,-1 N because "there is room"'
    reading = read(table_of(elsewhere))

    assert told(reading) == ["A tile has been moved."]
    assert corrections(reading) == [("1 lays E at 1,0 W", "1 lays E at 0,-1 N")]
    assert (reading.proposals, reading.doubts) == ((), ())


def test_a_tile_that_was_turned_is_told() -> None:
    table = table_of()
    tile = at(table, "tile-V", -45, 0)
    turned = tuple(replace(one, angle=(one.angle + 90) % 360) if one is tile else one for one in table)
    reading = read(without(turned, "farmer-red"))

    assert told(reading) == ["A tile has been turned.", "The follower of Red is not where it was."]
    assert pictures(reading) == [[("tile-V", 0), ("tile-V", 1)], []]
    assert corrections(reading)[0] == ("1 lays V at -1,0 N", "1 lays V at -1,0 E")


def test_another_tile_than_the_log_says_is_told_when_it_is_clear() -> None:
    clear = changed(table_of(), "tile-V", label="tile-W")
    unclear = changed(clear, "tile-W", confidence=0.6)
    odd = changed(clear, "tile-W", usual=0.85)

    assert told(read(clear)) == ["There lies another tile than the log says."]
    assert told(read(odd)) == []
    assert pictures(read(clear)) == [[("tile-V", 0), ("tile-W", 0)]]
    assert told(read(unclear)) == []


def test_a_board_that_was_shoved_as_a_whole_is_the_same_board() -> None:
    shoved = tuple(replace(one, x=one.x + 140, y=one.y - 75) for one in table_of())

    assert (told(read(shoved)), read(shoved).proposals) == ([], ())


def test_a_board_that_is_not_there_is_told_in_one_sentence() -> None:
    assert told(read(())) == ["The tiles of this game are not to be seen."]


def test_many_missing_tiles_are_told_together() -> None:
    story = STORY + "2 lays U at 0,2 N\n1 lays U at 0,3 N\n2 lays U at 0,-1 N\n"
    reading = read(without(table_of(story), "tile-U"), log=story)

    assert told(reading) == ["4 tiles are not where they were."]


def test_a_follower_put_down_a_turn_late_is_put_where_it_belongs_in_the_log() -> None:
    late = STORY.replace("2 places none", "2 places r0 at 0,1")
    reading = read(table_of(late))

    assert told(reading) == ["There is a follower of Blue that the log does not know."]
    assert corrections(reading) == [("2 places none", "2 places r0 at 0,1")]


def test_it_is_a_part_of_laying_the_tile_when_nobody_said_that_none_comes() -> None:
    log = STORY.replace("2 places none\n", "")
    reading = read(table_of(STORY.replace("2 places none", "2 places r0 at 0,1")), log=log)

    assert corrections(reading) == [("2 lays U at 0,1 N", "2 lays U at 0,1 N with r0")]


def test_a_follower_on_somebody_elses_old_tile_can_only_be_put_right_on_the_table() -> None:
    tile = at(table_of(), "tile-U", 0, 45)
    stray = Observation("follower-red", tile.x, tile.y)
    reading = read((*without(table_of(), "follower-red"), stray))

    assert told(reading) == ["There is a follower of Red that the log does not know."]
    assert corrections(reading) == [("", "")]


def test_a_follower_that_went_home_too_early_is_missed() -> None:
    reading = read(without(table_of(), "farmer-red"))

    assert told(reading) == ["The follower of Red is not where it was."]
    assert corrections(reading) == [("1 places f0 at -1,0", "")]


def test_nobody_is_missed_on_a_tile_that_is_not_clear() -> None:
    assert told(read(changed(without(table_of(), "farmer-red"), "tile-V", confidence=0.2))) == []


def test_a_follower_left_standing_after_it_was_counted_is_no_matter() -> None:
    knight = at(table_of(), "follower-red", 30, 0)
    later = STORY + "2 lays U at 0,2 N\n2 places none\n1 lays U at 0,3 N\n1 places none\n"
    reading = read((*table_of(later), knight), log=later)

    assert (told(reading), reading.doubts, reading.proposals) == ([], (), ())


def test_more_tiles_than_turns_can_have_been_missed_are_told() -> None:
    later = STORY + "2 lays U at 0,2 N\n1 lays U at 0,3 N\n2 lays U at 0,4 N\n1 lays U at 0,5 N\n"
    reading = read(table_of(later))

    assert reading.contradictions[0] == Contradiction(
        _("There is a tile on the table that the log does not know."), reading.contradictions[0].area
    )
    assert reading.proposals == ()
