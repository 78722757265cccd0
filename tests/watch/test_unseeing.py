"""While there is nothing to be seen, people tap on: lamps keep up, and a button says why it records nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.devices import Lamp
from companion.core.errors import IllegalEvent
from companion.core.log import Source
from companion.core.message import message as _
from companion.core.observation import Reading
from companion.watch.state import Status
from tests.watch.evening import GAME, LINE, OPENING, Evening

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
    evening.blind(2)
    evening.tap(*OPENING)
    evening.blind(2)
    ana = evening.lamps[-1].seats
    evening.tap("1 lays 3 at 1,0 E", "1 takes 20")
    evening.blind(2)

    assert (ana, evening.lamps[-1].seats) == ((Lamp.STEADY, Lamp.OFF), (Lamp.OFF, Lamp.STEADY))
    assert evening.watch.status is Status.BLIND


def test_what_was_proposed_before_is_not_confirmed_while_nothing_is_seen(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    evening.watcher.unable(Status.NO_CAMERA, GONE)

    with pytest.raises(IllegalEvent, match="There is nothing to confirm now"):
        evening.watcher.confirm(evening.watch.seq, evening.watch.version)
    assert evening.lines == []


def test_another_session_begins_with_nothing_seen(evening: Evening) -> None:
    evening.look(evening.after(LINE))
    evening.watcher.unable(Status.BLIND, GONE)
    evening.watcher.press(None)
    another = evening.table.begin(evening.session.game, evening.session.setup, Source.PAGE)
    evening.watcher.follow(another.id)

    watch = evening.watch
    assert (watch.status, watch.said, watch.seen, watch.unknown) == (Status.STARTING, None, (), ())
    assert (watch.reading, watch.announcement) == (Reading(), None)


def test_a_press_after_the_game_says_that_it_is_over(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    while not evening.session.turn.over:
        position = evening.session.position
        evening.tap(GAME.write(GAME.draw(position, 1) or GAME.legal(position)[0]))
    evening.look(())
    evening.watcher.press(0)

    assert evening.announced == "The game is over"
    evening.close()
