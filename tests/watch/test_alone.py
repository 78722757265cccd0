"""Recording without a confirmation: only when the table has allowed it, and never against somebody's word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core import notation
from companion.core.errors import StoreError
from companion.core.log import Source
from companion.core.message import message as _
from companion.core.observation import Observation
from companion.sessions.repository import SessionRepository
from tests.watch.evening import GAME, LINE, Evening

OTHER = "line 3 17 24 45"


@pytest.fixture
def bold(tmp_path: Path) -> Iterator[Evening]:
    """A table that has allowed it from the start."""
    evening = Evening(tmp_path, alone=True)
    yield evening
    evening.close()


def nudged(seen: tuple[Observation, ...], by: float = 6) -> tuple[Observation, ...]:
    return tuple(replace(one, x=one.x + by) for one in seen)


def test_nothing_is_recorded_alone_unless_the_table_allows_it(evening: Evening) -> None:
    evening.look(evening.after(LINE), seconds=5)

    assert evening.lines == []
    evening.watcher.let_alone(True)
    evening.look(evening.after(LINE))
    assert (evening.lines, evening.session.entries[-1].source) == ([LINE], Source.CAMERA)


def test_it_waits_until_the_table_has_lain_unchanged(bold: Evening) -> None:
    table = bold.after(LINE)
    bold.look(table, seconds=0.4)

    assert bold.lines == []
    bold.look(table, seconds=0.6)
    assert bold.lines == [LINE]


@pytest.mark.parametrize("by", ("button", "page"))
def test_what_was_just_taken_back_is_not_recorded_again_even_when_it_is_nudged(
    bold: Evening, by: str
) -> None:
    table = bold.after(LINE)
    bold.look(table, seconds=2)
    if by == "button":
        bold.watcher.press(None, long=True)
    else:
        bold.table.undo(bold.id, bold.session.seq, Source.PAGE)
    bold.look(table, seconds=5)
    bold.look(nudged(table), seconds=5)

    assert (bold.lines, bold.proposed) == ([LINE, "withdraw 2"], [LINE])
    bold.watcher.press(None)
    assert bold.lines == [LINE, "withdraw 2", LINE], "on somebody's word it is"


def test_something_else_than_what_was_taken_back_is_recorded_alone(bold: Evening) -> None:
    bold.look(bold.after(LINE), seconds=2)
    bold.watcher.press(None, long=True)
    bold.look(bold.after(OTHER), seconds=2)

    assert bold.lines == [LINE, "withdraw 2", OTHER]


def test_each_table_allows_it_for_itself(evening: Evening) -> None:
    evening.watcher.let_alone(True)
    another = evening.table.begin(evening.session.game, evening.session.setup, Source.PAGE)
    evening.watcher.follow(another.id)

    assert not evening.watch.alone


def test_what_was_corrected_to_nothing_stays_so(bold: Evening) -> None:
    table = bold.after(LINE)
    bold.look(table, seconds=2)
    bold.table.correct(bold.id, bold.session.seq, {2: "nothing"}, Source.PAGE)
    bold.look(table, seconds=5)

    assert (bold.lines, bold.proposed) == ([LINE, "correct 2: nothing"], [LINE])


def test_what_was_taken_back_stays_so_after_a_name_was_put_right(bold: Evening) -> None:
    table = bold.after(LINE)
    bold.look(table, seconds=2)
    bold.table.undo(bold.id, bold.session.seq, Source.PAGE)
    started = notation.write_entry(GAME, bold.session.entries[0].event).replace("Ana", "Eva")
    bold.table.correct(bold.id, bold.session.seq, {1: started}, Source.PAGE)
    bold.look(table, seconds=5)

    assert (len(bold.lines), bold.proposed) == (3, [LINE])


def test_what_people_said_no_to_is_not_recorded_alone(bold: Evening) -> None:
    bold.tap(LINE)
    table = bold.after("1 takes 24")
    king = next(one for one in table if one.label.startswith("king") and one not in bold.after())
    unclear = tuple(replace(one, confidence=0.3) if one is king else one for one in table)
    bold.look(unclear, seconds=2)
    asked = bold.watch.reading.doubts[0]
    bold.watcher.answer(bold.watch.seq, bold.watch.version, 0, len(asked.choices) - 1)
    bold.look(table, seconds=5)

    assert (bold.lines, bold.proposed) == ([LINE], ["1 takes 24"])


def test_after_a_hand_it_has_to_lie_again(bold: Evening) -> None:
    table = bold.after(LINE)
    bold.look(table, seconds=0.2)
    bold.look(None, seconds=5)
    bold.look(table, seconds=0.2)

    assert bold.lines == []
    bold.look(table, seconds=1)
    assert bold.lines == [LINE]


def test_a_full_disk_is_told_once(bold: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise StoreError(_("The disk is full."))

    monkeypatch.setattr(SessionRepository, "append", full)
    bold.look(bold.after(LINE), seconds=2)
    told = bold.watch.announcement
    bold.look(bold.after(LINE), seconds=5)

    assert (bold.announced, bold.watch.announcement) == ("The disk is full.", told)
