"""When table and log do not agree: reading pauses, says why, and offers ways out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.devices import Lamp
from companion.core.errors import StaleSession
from companion.core.observation import Area, Observation
from companion.watch.state import Status
from tests.games.kingdomino.sight.eyes import seen, without
from tests.watch.evening import GAME, OPENING, Evening

LAID = (*OPENING, "1 lays 3 at 1,0 E", "1 takes 20")


@pytest.fixture
def laid(tmp_path: Path) -> Iterator[Evening]:
    """Ana has laid her first domino; it is Rui's turn."""
    evening = Evening(tmp_path)
    evening.tap(*LAID)
    evening.look(evening.after())
    yield evening
    evening.close()


def table(evening: Evening, *lines: str) -> tuple[Observation, ...]:
    """What lies there after these lines instead of the log's own."""
    position = GAME.start(evening.session.setup)
    for line in lines:
        position = GAME.apply(position, GAME.parse(line))
    return seen(evening.session.setup, position)


def ways(evening: Evening) -> list[str]:
    return [way.key for way in evening.watch.ways]


def test_a_glimpse_of_something_odd_pauses_nothing(laid: Evening) -> None:
    laid.look(table(laid, *OPENING, "1 lays 3 at 0,1 E", "1 takes 20"), seconds=0.4)
    laid.look(laid.after(), seconds=0.4)

    assert (laid.watch.status, laid.watch.ways) == (Status.WATCHING, ())


def test_a_domino_that_was_moved_pauses_the_reading_and_can_be_followed(laid: Evening) -> None:
    laid.look(table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20"), seconds=2)

    assert (laid.watch.status, laid.said) == (Status.PAUSED, "Domino 3 of Ana has been moved.")
    assert ways(laid) == ["again", "moved", "go-on"]
    assert laid.lamps[-1].common is Lamp.BLINK
    laid.watcher.take(laid.watch.version, "moved")
    assert laid.lines[-1] == "correct 8: 1 lays 3 at -1,0 W"
    assert (laid.watch.status, laid.watch.ways) == (Status.WATCHING, ())


def test_a_domino_taken_back_can_be_taken_out_of_the_log(laid: Evening) -> None:
    laid.tap("2 lays 17 at 1,0 E")
    gone = table(laid, *LAID)
    # The domino is in the hand of somebody who thinks again.
    in_hand = tuple(one for one in gone if abs(one.x - 725) > 60 or one.y > 430)
    laid.look(in_hand, seconds=2)

    assert (laid.watch.status, laid.said) == (Status.PAUSED, "Domino 17 of Rui is not where it was.")
    assert ways(laid) == ["again", "undo", "go-on"]
    laid.watcher.take(laid.watch.version, "undo")
    assert laid.lines[-1] == "withdraw 10"
    laid.look(gone)
    assert (laid.watch.status, laid.watch.ways) == (Status.WATCHING, ())


def test_nothing_is_recorded_while_table_and_log_disagree(laid: Evening) -> None:
    moved = table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20", "2 lays 17 at 1,0 E")
    laid.look(moved, seconds=2)
    before = laid.lines
    laid.watcher.press(1)
    laid.look(moved, seconds=10)

    assert laid.lines == before
    assert laid.announced == "Table and log disagree: look at the page."


def test_people_can_say_that_the_log_is_right_and_reading_goes_on(laid: Evening) -> None:
    hidden = tuple(one for one in laid.after() if one.label != "f0" or one.y < 440)
    laid.look(hidden, seconds=2)

    assert (laid.watch.status, ways(laid)) == (Status.PAUSED, ["again", "go-on"])
    laid.watcher.take(laid.watch.version, "go-on")
    assert (laid.watch.status, ways(laid)) == (Status.WATCHING, [])
    assert laid.lines == list(LAID)


def test_what_people_let_pass_comes_up_again_when_it_happens_again(laid: Evening) -> None:
    hidden = tuple(one for one in laid.after() if one.label != "f0" or one.y < 440)
    laid.look(hidden, seconds=2)
    laid.watcher.take(laid.watch.version, "go-on")
    laid.look(laid.after(), seconds=0.4)
    laid.look(hidden, seconds=2)
    assert ways(laid) == [], "a glimpse of it is not the end of it"

    laid.look(laid.after(), seconds=3)
    laid.look(hidden, seconds=2)
    assert laid.watch.status is Status.PAUSED


def test_the_log_is_right_about_one_disagreement_and_the_next_is_asked(laid: Evening) -> None:
    laid.tap("2 lays 17 at 1,0 E", "2 takes 30")
    odd = table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20", "2 lays 17 at -1,0 W", "2 takes 30")
    laid.look(odd, seconds=2)
    _first, second = laid.watch.reading.contradictions
    laid.watcher.take(laid.watch.version, "go-on")

    assert (laid.watch.status, laid.watch.reading.contradictions) == (Status.PAUSED, (second,))
    assert laid.said == str(second.text)
    laid.watcher.take(laid.watch.version, "moved")
    assert (laid.watch.status, laid.lines[-1]) == (Status.WATCHING, "correct 10: 2 lays 17 at -1,0 W")


def test_a_way_is_refused_once_another_tablet_has_recorded_something(laid: Evening) -> None:
    laid.look(table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20"), seconds=2)
    version = laid.watch.version
    laid.tap("2 lays 17 at 1,0 E")

    with pytest.raises(StaleSession):
        laid.watcher.take(version, "moved")
    assert laid.lines[-1] == "2 lays 17 at 1,0 E"


def test_the_pause_ends_by_itself_once_table_and_log_agree(laid: Evening) -> None:
    laid.look(table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20"), seconds=2)
    laid.look(laid.after())

    assert (laid.watch.status, laid.watch.ways, laid.lines) == (Status.WATCHING, (), list(LAID))


def test_tapping_goes_on_while_reading_is_paused(laid: Evening) -> None:
    laid.look(table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20"), seconds=2)
    laid.tap("2 lays 17 at 1,0 E")

    assert laid.lines[-1] == "2 lays 17 at 1,0 E"


def test_a_way_nobody_offered_or_an_old_one_is_refused(laid: Evening) -> None:
    laid.look(table(laid, *OPENING, "1 lays 3 at -1,0 W", "1 takes 20"), seconds=2)
    for version, way in ((laid.watch.version, "undo"), (laid.watch.version + 1, "moved"), (0, "moved")):
        with pytest.raises(StaleSession):
            laid.watcher.take(version, way)

    assert laid.lines == list(LAID)


def test_two_dominoes_laid_before_one_was_read_are_told_one_after_the_other(laid: Evening) -> None:
    laid.look(laid.after("2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S"))

    assert laid.proposed == ["2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S"]


def test_a_domino_laid_out_of_turn_pauses(laid: Evening) -> None:
    now, later = laid.after(), laid.after("2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S")
    hasty = {one.label: one for one in later if one.x < 600 and one.label in {"f1", "w0"}}
    laid.look((*without(now, "f1"), *hasty.values()), seconds=2)

    assert laid.watch.status is Status.PAUSED
    assert laid.said == "Domino 24 lies in the kingdom of Ana already, but it is not its turn yet."
    assert laid.proposed == []


def test_a_domino_laid_against_the_rules_is_asked_about(laid: Evening) -> None:
    laid.tap("2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S", "1 takes 40")
    laid.look(laid.after('2 lays 41 at 3,0 E because "to see"'))
    asked = laid.watch.reading.doubts[0]

    assert str(asked.question) == (
        "Domino 41 may not lie there. There it touches neither the castle nor a square of its own terrain."
    )
    assert [str(choice.text) for choice in asked.choices] == [
        "It lies there all the same",
        "We lay it elsewhere",
    ]
    laid.watcher.answer(laid.watch.seq, laid.watch.version, 0, 0)
    assert laid.lines[-1] == '2 lays 41 at 3,0 E because "as it lies on the table"'


def test_a_piece_with_something_put_over_it_counts_as_lying_there(laid: Evening) -> None:
    napkin = Area(300, 510, 120, 120)
    visible = tuple(one for one in laid.after() if one.label != "f0" or one.y < 440)
    laid.look(visible, seconds=3, unknown=[napkin])

    assert (laid.watch.status, laid.watch.ways) == (Status.WATCHING, ())
    laid.look(visible, seconds=3)
    assert laid.watch.status is Status.PAUSED, "the napkin is gone, and so is the domino"


def test_a_domino_that_was_turned_round_can_be_followed(laid: Evening) -> None:
    laid.tap("2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S", "1 takes 40")
    laid.look(
        table(laid, *LAID, "2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,2 N", "1 takes 40"), seconds=2
    )

    assert (laid.watch.status, laid.said) == (Status.PAUSED, "Domino 24 of Ana has been moved.")
    assert ways(laid) == ["again", "moved", "go-on"]
    laid.watcher.take(laid.watch.version, "moved")
    assert laid.lines[-1] == "correct 12: 1 lays 24 at 0,2 N"
    assert (laid.watch.status, laid.watch.ways) == (Status.WATCHING, ())
