"""What a still table shows, and how it comes into the log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.devices import Lamp
from companion.core.errors import IllegalEvent, StaleSession
from companion.core.log import Source
from companion.watch.state import Status
from tests.games.kingdomino.sight.eyes import without
from tests.watch.evening import LINE, OPENING, Evening


def test_what_is_seen_waits_until_somebody_confirms_it(evening: Evening) -> None:
    evening.look(evening.after(LINE), seconds=3)

    assert (evening.proposed, evening.lines) == ([LINE], [])
    evening.watcher.confirm(evening.watch.seq, evening.watch.version)
    assert (evening.proposed, evening.lines) == ([], [LINE])


def test_the_button_of_the_player_whose_turn_it_is_confirms(evening: Evening) -> None:
    evening.tap(LINE)
    evening.look(evening.after("1 takes 24"))
    evening.watcher.press(0)

    assert evening.lines == [LINE, "1 takes 24"]
    assert evening.session.entries[-1].source is Source.BUTTON
    assert evening.announced == "Recorded: chooses domino 24."


def test_a_press_while_a_hand_is_over_the_table_waits_for_the_table(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(None)
    evening.watcher.press(None)
    evening.look(None, seconds=1)

    assert evening.lines == []
    evening.look(table)
    assert evening.lines == [LINE]


def test_a_press_that_nothing_comes_of_is_told(evening: Evening) -> None:
    evening.tap(LINE)
    evening.look(evening.after())
    evening.watcher.press(0)

    assert evening.announced == "Pressed: looking at the table …"
    evening.look(evening.after(), seconds=7)
    assert (evening.announced, evening.lines) == (
        "There is nothing new on the table. Draw a king: who chooses a domino?",
        [LINE],
    )


def test_a_press_says_what_is_still_missing(evening: Evening) -> None:
    two = without(evening.after(LINE), "g2", "l0")
    evening.look(two)
    evening.watcher.press(None)
    evening.look(two, seconds=7)

    assert evening.announced == "There is nothing new on the table. 2 of 4 dominoes of the new line are seen."


def test_another_players_button_records_nothing(evening: Evening) -> None:
    evening.tap(*OPENING)
    evening.look(evening.after("1 lays 3 at 1,0 E"))
    evening.watcher.press(1)

    assert evening.proposed == ["1 lays 3 at 1,0 E"]
    assert evening.announced == "It is the turn of Ana."


def test_a_long_press_takes_back_and_the_table_may_say_it_again(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(table)
    evening.watcher.press(None)
    evening.watcher.press(None, long=True)

    assert evening.lines == [LINE, "withdraw 2"]
    assert (evening.announced, evening.proposed) == ("Taken back: New line: 3 · 17 · 24 · 41.", [LINE])


def test_a_long_press_with_nothing_to_take_back_says_so(evening: Evening) -> None:
    evening.watcher.press(0, long=True)

    assert evening.announced == "There is nothing to take back."


def test_a_confirmation_of_what_has_changed_meanwhile_is_refused(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    seq, version = evening.watch.seq, evening.watch.version
    evening.look(evening.after("line 3 17 24 45"))

    with pytest.raises(StaleSession, match="The table has changed since you looked"):
        evening.watcher.confirm(seq, version)
    assert evening.lines == []


def test_there_is_nothing_to_confirm_on_an_empty_table(evening: Evening) -> None:
    evening.look(evening.after())

    with pytest.raises(IllegalEvent, match="There is nothing to confirm now"):
        evening.watcher.confirm(evening.watch.seq, evening.watch.version)


def test_what_was_tapped_in_is_not_proposed_again(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(table)
    evening.tap(LINE)
    evening.look(table)

    assert (evening.proposed, evening.watch.seq) == ([], 2)


def test_an_unclear_half_is_asked_about_and_the_answer_recorded(evening: Evening) -> None:
    unclear = tuple(
        replace(one, confidence=0.2, runner_up="w1") if one.label == "g2" else one
        for one in evening.after(LINE)
    )
    evening.look(unclear)
    asked = evening.watch.reading.doubts[0]

    assert str(asked.question) == "Which dominoes are in the new line?"
    evening.watcher.press(None)
    assert (evening.lines, evening.announced) == ([], "There is a question on the page.")
    evening.watcher.answer(evening.watch.seq, evening.watch.version, 0, 0)
    assert evening.lines == [LINE]


@pytest.mark.parametrize(("doubt", "choice"), ((0, 9), (1, 0), (-1, 0), (0, -1)))
def test_an_answer_nobody_offered_is_refused(evening: Evening, doubt: int, choice: int) -> None:
    evening.look(tuple(replace(one, confidence=0.2) for one in evening.after(LINE)))

    with pytest.raises(IllegalEvent, match="There is no such answer"):
        evening.watcher.answer(evening.watch.seq, evening.watch.version, doubt, choice)


def test_a_doubt_waved_away_is_not_asked_again_about_the_same_entry(evening: Evening) -> None:
    unclear = tuple(replace(one, confidence=0.2) for one in evening.after(LINE))
    evening.look(unclear)
    evening.watcher.answer(
        evening.watch.seq, evening.watch.version, 0, len(evening.watch.reading.doubts[0].choices) - 1
    )
    evening.look(unclear)

    assert (evening.watch.reading.doubts, evening.lines) == ((), [])


def test_a_doubt_is_asked_again_after_the_companion_was_killed(evening: Evening, tmp_path: Path) -> None:
    unclear = tuple(replace(one, confidence=0.2) for one in evening.after(LINE))
    evening.look(unclear)
    asked = evening.watch.reading.doubts
    again = evening.restarted(tmp_path)
    again.look(unclear)

    assert again.watch.reading.doubts == asked
    again.close()


def test_the_lamps_say_whose_turn_it_is_and_what_waits(evening: Evening) -> None:
    table = evening.after(*OPENING)
    evening.tap(*OPENING)
    evening.look(table)
    evening.look(evening.after("1 lays 3 at 1,0 E"))
    evening.watcher.press(0)

    assert [lamps.seats for lamps in evening.lamps[-3:]] == [
        (Lamp.STEADY, Lamp.OFF),
        (Lamp.PULSE, Lamp.OFF),
        (Lamp.STEADY, Lamp.OFF),
    ]


def test_a_camera_that_is_gone_and_one_that_cannot_find_the_table_are_told(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    evening.blind(2)

    assert evening.watch.status is Status.BLIND
    assert evening.said.startswith("The table cannot be found: 2 of 4 markers")
    evening.look(evening.after(LINE))
    assert (evening.watch.status, evening.proposed) == (Status.WATCHING, [LINE])


def test_only_what_people_can_see_makes_a_new_version(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(table)
    version = evening.watch.version
    evening.look(table, seconds=10)

    assert evening.watch.version == version


def test_a_page_from_before_a_restart_confirms_nothing(evening: Evening, tmp_path: Path) -> None:
    evening.look(evening.after(LINE))
    seq, version = evening.watch.seq, evening.watch.version
    again = evening.restarted(tmp_path)
    again.look(again.after("line 3 17 24 45"))

    assert (seq, again.watch.version > version) == (again.watch.seq, True)
    with pytest.raises(StaleSession):
        again.watcher.confirm(seq, version)
    assert again.lines == []
    again.close()


def test_a_press_before_the_first_picture_waits_for_it(evening: Evening) -> None:
    evening.time = 5_000.0
    evening.watcher.press(None)
    evening.look(evening.after(LINE))

    assert evening.lines == [LINE]


def test_a_press_that_waits_is_over_once_somebody_has_recorded_something(evening: Evening) -> None:
    evening.tap(*OPENING)
    evening.look(None)
    evening.watcher.press(None)
    evening.tap("1 lays 3 at 1,0 E", "1 takes 20")
    evening.look(evening.after("2 lays 17 at 1,0 E"))

    assert evening.announced == "The table has changed since you looked. Nothing was recorded: look again."
    assert evening.lines[-1] == "1 takes 20"


def test_a_press_that_waits_does_not_bring_back_what_was_taken_back(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(table)
    evening.watcher.press(None)
    evening.look(None)
    evening.watcher.press(None)
    evening.table.undo(evening.id, evening.session.seq, Source.PAGE)
    evening.look(table, seconds=3)

    assert evening.lines == [LINE, "withdraw 2"]


def test_a_press_that_comes_too_late_records_nothing(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(None)
    evening.watcher.press(None)
    evening.time += 300
    evening.look(table)

    assert (evening.lines, evening.proposed) == ([], [LINE])


def test_a_press_while_a_hand_moves_waits_even_after_an_undo(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    evening.watcher.press(None)
    evening.look(None)
    evening.watcher.press(None, long=True)

    assert evening.watch.status is Status.MOVING
    evening.watcher.press(None)
    assert evening.lines == [LINE, "withdraw 2"]


def test_a_confirmation_sent_twice_counts_once_and_is_no_error(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    seq, version = evening.watch.seq, evening.watch.version
    evening.watcher.confirm(seq, version)
    again = evening.watcher.confirm(seq, version)

    assert (evening.lines, again.seq) == ([LINE], 2)


def test_what_was_believed_and_is_unclear_now_is_asked(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(tuple(replace(one, confidence=0.6) for one in table))
    evening.look(tuple(replace(one, confidence=0.45) for one in table), seconds=2)

    assert (evening.proposed, len(evening.watch.reading.doubts)) == ([], 1)


def test_a_question_keeps_its_picture_while_the_table_is_not_found(evening: Evening) -> None:
    evening.look(tuple(replace(one, confidence=0.2) for one in evening.after(LINE)))
    asked = evening.watch.reading.doubts[0]
    assert asked.area
    before = evening.watcher.crop(asked.area)
    evening.blind(1)

    assert evening.watcher.crop(asked.area) == before
