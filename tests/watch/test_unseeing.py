"""While there is nothing to be seen, people tap on: lamps keep up, and a button says why it records nothing."""

from __future__ import annotations

from companion.core.message import message as _
from companion.core.panel import Lamp
from companion.watch.state import Status
from tests.watch.evening import Evening

LINE = "line 3 17 24 41"
GONE = _("The camera is gone.")


def test_a_button_says_why_nothing_is_seen_and_records_nothing_later(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(table)
    evening.watcher.unable(Status.NO_CAMERA, GONE)
    evening.watcher.press(None)

    assert evening.announced == "The camera is gone."
    evening.look(table, seconds=2)
    assert (evening.proposed, evening.lines) == ([LINE], [])


def test_a_press_that_waits_when_the_camera_goes_is_over(evening: Evening) -> None:
    table = evening.after(LINE)
    evening.look(None)
    evening.watcher.press(None)
    evening.watcher.unable(Status.NO_CAMERA, GONE)

    assert evening.announced == "The camera is gone."
    evening.look(table, seconds=2)
    assert (evening.proposed, evening.lines) == ([LINE], [])


def test_lamps_follow_what_is_tapped_without_a_camera(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    evening.watcher.unable(Status.NO_CAMERA, GONE)
    assert evening.lamps[-1].common is Lamp.STEADY, "nothing waits for a button now"

    evening.tap(LINE)
    first = evening.session.turn.player
    evening.watcher.unable(Status.NO_CAMERA, GONE)
    evening.tap("1 takes 24", "2 takes 17")
    evening.watcher.unable(Status.NO_CAMERA, GONE)

    assert (first, evening.watch.seq, evening.proposed) == (None, 4, [])
    assert (evening.watch.status, evening.said) == (Status.NO_CAMERA, "The camera is gone.")


def test_lamps_follow_what_is_tapped_while_the_table_is_not_found(evening: Evening) -> None:
    opening = (LINE, "1 takes 3", "2 takes 17", "1 takes 24", "2 takes 41", "line 1 20 30 40")
    evening.blind(2)
    evening.tap(*opening)
    evening.blind(2)
    ana = evening.lamps[-1].seats
    evening.tap("1 lays 3 at 1,0 E", "1 takes 20")
    evening.blind(2)

    assert (ana, evening.lamps[-1].seats) == ((Lamp.STEADY, Lamp.OFF), (Lamp.OFF, Lamp.STEADY))
    assert evening.watch.status is Status.BLIND


def test_what_a_stuck_button_took_back_is_brought_back(evening: Evening) -> None:
    evening.tap(LINE, "1 takes 24")
    evening.look(evening.after())
    evening.watcher.press(1, long=True)
    taken_back = evening.lines[-1]
    evening.watcher.jammed(1)

    assert (taken_back, evening.lines[-1]) == ("withdraw 3", "restore 3")
    evening.watcher.jammed(1)
    assert len(evening.lines) == 4, "once"


def test_what_people_took_back_themselves_stays_so(evening: Evening) -> None:
    evening.tap(LINE, "1 takes 24")
    evening.look(evening.after())
    evening.watcher.press(0, long=True)
    evening.watcher.jammed(1)
    evening.tap("1 takes 17")
    evening.watcher.jammed(0)

    assert evening.lines == [LINE, "1 takes 24", "withdraw 3", "1 takes 17"]
