"""One press may stand for several deeds: they are recorded, told and taken back as one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.errors import IllegalEvent, StaleSession, StoreError
from companion.core.log import Source
from companion.core.message import message as _
from companion.sessions.repository import SessionRepository
from tests.watch.evening import OPENING, Evening

TURN = ("1 lays 3 at 1,0 E", "1 takes 20")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Evening]:
    """Ana has laid her domino and set her king."""
    evening = Evening(tmp_path)
    evening.tap(*OPENING)
    evening.look(evening.after(*TURN))
    assert evening.proposed == list(TURN)
    yield evening
    evening.close()


def test_one_press_records_the_whole_turn_and_names_it(played: Evening) -> None:
    played.watcher.press(0)

    assert played.lines == [*OPENING, *TURN]
    assert "places domino 3" in played.announced or "lays domino 3" in played.announced
    assert played.announced.endswith("chooses domino 20.")


def test_holding_takes_back_what_one_press_recorded_and_names_it(played: Evening) -> None:
    played.watcher.press(0)
    played.watcher.press(0, long=True)

    assert played.lines[-2:] == ["withdraw 9", "withdraw 8"]
    assert played.announced.startswith("Taken back: ")
    assert played.announced.endswith("chooses domino 20.")
    assert played.session.position == played.session.fold.before(8)


def test_holding_takes_back_one_tap_when_it_was_a_tap(played: Evening) -> None:
    played.tap(*TURN)
    played.watcher.press(0, long=True)

    assert played.lines == [*OPENING, *TURN, "withdraw 9"]


def test_holding_twice_takes_back_two_presses(played: Evening) -> None:
    played.watcher.press(0)
    played.look(played.after("2 lays 17 at 1,0 E", "2 takes 30"))
    played.watcher.press(1)
    played.watcher.press(1, long=True)
    played.watcher.press(1, long=True)

    assert played.session.position == played.session.fold.before(8)


def test_a_deed_of_somebody_else_is_named_with_its_player(played: Evening) -> None:
    played.watcher.press(None)

    assert played.announced.startswith("Recorded: Ana ")


def test_many_deeds_are_told_in_short(played: Evening) -> None:
    played.look(played.after(*TURN, "2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S"))
    played.watcher.press(0)

    assert played.lines == [*OPENING, *TURN, "2 lays 17 at 1,0 E", "2 takes 30", "1 lays 24 at 0,1 S"]
    assert played.announced.endswith(", 2 more.")


def test_nothing_is_half_recorded_when_the_disk_fails(
    played: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> None:
        raise StoreError(_("The disk is full."))

    monkeypatch.setattr(SessionRepository, "append", full)
    played.watcher.press(0)

    assert (played.lines, played.announced) == (list(OPENING), "The disk is full.")
    monkeypatch.undo()
    played.watcher.press(0)
    assert played.lines == [*OPENING, *TURN]


def test_nothing_is_half_recorded_when_somebody_taps_at_the_same_moment(played: Evening) -> None:
    seq, version = played.watch.seq, played.watch.version
    played.tap(TURN[0])

    with pytest.raises(StaleSession):
        played.watcher.confirm(seq, version)
    assert played.lines == [*OPENING, TURN[0]]


def test_several_events_are_recorded_all_or_none(played: Evening) -> None:
    before = played.session
    with pytest.raises(IllegalEvent):
        played.table.record_all(played.id, before.seq, [TURN[0], "2 takes 20"], Source.PAGE)

    assert played.session == before
