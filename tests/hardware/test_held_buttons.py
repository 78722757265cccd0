"""Buttons that are held: long presses, and how people are told that they may let go."""

from __future__ import annotations

import pytest

from companion.core.panel import Lamp, Lamps
from tests.hardware.clockwork import Table

OFF, STEADY = Lamp.OFF, Lamp.STEADY


def test_a_long_press_is_told_when_the_button_comes_up(table: Table) -> None:
    table.pins.push(3, seconds=4.0)

    table.go(3.95)
    before = list(table.pressed)
    table.go(0.15)

    assert (before, table.pressed) == ([], [(3, True)])
    table.go(5.0)
    assert table.pressed == [(3, True)]


@pytest.mark.parametrize(
    ("lamp", "expected"),
    (
        (OFF, "···············●●●●●●●●●●·············"),
        (STEADY, "●●●●●●●●●●●●●●●··········●●●●●●●●●●●●●"),
    ),
)
def test_a_lamp_turns_round_while_its_button_may_be_let_go_as_a_long_press(
    table: Table, lamp: Lamp, expected: str
) -> None:
    table.panel.show(Lamps((lamp,)))
    table.go(0.3)
    table.pins.push(0, seconds=1.25)

    assert table.lamps_over(1.9) == expected


def test_the_buzzer_says_when_a_button_may_be_let_go_and_a_stuck_one_stays_silent(table: Table) -> None:
    table.pins.stick(2)
    heard = []
    for second in range(15):
        table.go(0.75)
        before = table.pins.sounding
        table.go(0.06)
        heard += [second] if table.pins.sounding and not before else []
        table.go(0.19)

    assert (heard, table.pressed) == ([0], [])
