"""Recording without a confirmation: only when the table has allowed it, and never against somebody's word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.log import Source
from companion.core.observation import Observation
from tests.watch.evening import Evening

LINE = "line 3 17 24 41"
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
