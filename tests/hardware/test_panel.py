from __future__ import annotations

import logging
from dataclasses import replace
from threading import Event
from threading import enumerate as threads

import pytest

from companion.core.devices import Lamp, Lamps
from companion.core.errors import PanelError
from companion.core.message import Message
from companion.virtual.mock_pins import MockPins
from hardware.panel import Panel, shines
from tests.hardware.clockwork import BOARD, Table, sounding

OFF, STEADY, PULSE, BLINK = Lamp.OFF, Lamp.STEADY, Lamp.PULSE, Lamp.BLINK


@pytest.mark.parametrize("seat", (None, 0, 1, 2, 3, 4, 5))
def test_every_button_is_heard(table: Table, seat: int | None) -> None:
    table.pins.push(seat)
    table.go(0.3)

    assert table.pressed == [(seat, False)]


def test_buttons_do_not_disturb_each_other(table: Table) -> None:
    table.pins.push(0, seconds=2.0)
    table.go(0.1)
    table.pins.push(None)
    table.pins.chatter(5, 3.0)
    table.go(5.0)

    assert table.pressed == [(None, False), (0, True)]
    assert table.troubled == [
        ("This button flickers, as with a loose wire: it does not count until it is calm.", 5)
    ]


def test_a_contact_that_bounces_is_one_press(table: Table) -> None:
    for _number in range(20):
        table.pins.bounce(2)
        table.go(0.5)

    assert table.pressed == [(2, False)] * 20


def test_a_stuck_button_is_told_once_and_counts_again_when_it_is_free(table: Table) -> None:
    table.pins.stick(None)
    table.go(60.0)
    table.pins.release(None)
    table.go(1.0)
    table.pins.push(None)
    table.go(1.0)

    assert table.troubled == [
        ("The common button is stuck: it does not count until it has been released.", None)
    ]
    assert table.pressed == [(None, False)]


def test_who_leans_on_a_button_while_the_panel_wakes_does_not_mean_it(table: Table) -> None:
    table.panel.close()
    table.pins.stick(1)
    table.panel = table.reach()
    table.go(2.0)
    table.pins.release(1)
    table.go(1.0)

    assert table.pressed == []


def test_an_edge_that_got_lost_is_noticed(table: Table) -> None:
    pin = table.pins.factory.pin(BOARD.seats[0].button)
    pin.edges = "falling"  # the driver swallows what is released
    table.pins.push(0, 0.2)
    table.go(1.0)

    assert table.pressed == [(0, False)]


@pytest.mark.parametrize(
    ("lamp", "expected"),
    (
        (OFF, "····································"),
        (STEADY, "●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●●"),
        (PULSE, "●●●●●●●●●●··········●●●●●●●●●●······"),
        (BLINK, "●·········●·········●·········●·····"),
    ),
)
def test_lamps_speak(table: Table, lamp: Lamp, expected: str) -> None:
    table.panel.show(Lamps((lamp,)))

    assert table.lamps_over(3.6, step=0.1) == expected


def test_a_flash_is_short_and_a_pulse_is_even() -> None:
    seconds = [number / 100 for number in range(1000)]

    lit = {lamp: sum(shines(lamp, second) for second in seconds) / 100 for lamp in Lamp}

    assert lit == pytest.approx({OFF: 0, STEADY: 10, PULSE: 5, BLINK: 1.5}, abs=0.05)


def test_each_lamp_says_its_own(table: Table) -> None:
    table.panel.show(Lamps((OFF, STEADY, OFF, BLINK), common=PULSE))
    table.go(0.1)
    first = table.pins.lit, table.pins.common_lit
    table.go(0.2)
    second = table.pins.lit, table.pins.common_lit
    table.go(1.0)

    assert first == ((False, True, False, True, False, False), True)
    assert second == ((False, True, False, False, False, False), True)
    assert table.pins.common_lit is False


def test_saying_the_same_again_does_not_disturb_a_pulse(table: Table) -> None:
    shown = ""
    for _second in range(4):
        table.panel.show(Lamps((PULSE,)))
        shown += table.lamps_over(1.0, step=0.5)

    assert shown == "●●··●●··"


def test_a_session_with_more_seats_than_lamps_is_shown_as_far_as_it_goes(table: Table) -> None:
    table.panel.show(Lamps((STEADY,) * 8))
    table.go(0.1)

    assert table.pins.lit == (True,) * 6


def test_the_buzzer_beeps_for_a_press_that_counted(table: Table) -> None:
    table.panel.beep()
    table.go(0.03)
    during = sounding(table.pins)
    table.go(0.1)

    assert (during, sounding(table.pins)) == (True, False)


def test_a_panel_without_a_buzzer_stays_silent() -> None:
    board = replace(BOARD, buzzer=None)
    pins = MockPins(board)
    panel = Panel(board, pins.factory, lambda _seat, _long: None, lambda _text, _seat: None)
    panel.beep()
    panel.tick(0.0)

    assert sounding(pins) is False
    panel.close()


def test_closing_leaves_the_lamps_off_and_the_pins_free(table: Table) -> None:
    table.panel.show(Lamps((STEADY,) * 6, common=STEADY))
    table.panel.beep()
    table.go(0.03)
    pins = [table.pins.factory.pin(spot.lamp) for spot in BOARD.spots.values()]
    lit = [pin.state for pin in pins]

    table.panel.close()
    table.panel.close()

    assert (lit, [pin.state for pin in pins]) == ([True] * 7, [False] * 7)
    assert {pin.function for pin in pins} == {"input"}
    table.reach().close()


def test_a_listener_that_fails_does_not_stop_the_panel(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int | None] = []

    def fail(seat: int | None, _long: bool) -> None:
        heard.append(seat)
        raise ValueError("no idea")

    table.panel.close()
    table.panel = Panel(BOARD, table.pins.factory, fail, table.trouble, table.clock)
    for seat in (0, 1):
        table.pins.push(seat)
        table.go(0.5)

    assert (heard, [record.message for record in caplog.records]) == ([0, 1], ["a press was lost"] * 2)


def test_a_thread_of_its_own_hears_a_real_press() -> None:
    before = set(threads())
    pressed, heard = list[tuple[int | None, bool]](), Event()

    def press(seat: int | None, long: bool) -> None:
        pressed.append((seat, long))
        heard.set()

    pins = MockPins(BOARD)
    panel = Panel(BOARD, pins.factory, press, lambda _text, _seat: None)
    panel.start()
    panel.show(Lamps(common=STEADY))
    pins.bounce(4, 0.08)

    assert heard.wait(5.0)
    assert (pressed, pins.common_lit) == ([(4, False)], True)
    panel.close()
    pins.close()
    assert set(threads()) == before


def test_pins_that_stop_answering_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    told, text = Event(), list[str]()

    def trouble(said: Message, _seat: int | None) -> None:
        text.append(str(said))
        told.set()

    pins = MockPins(BOARD)
    panel = Panel(BOARD, pins.factory, lambda _seat, _long: None, trouble)
    pins.factory.pin(BOARD.common.lamp).function = "input"  # somebody else took it
    panel.show(Lamps(common=STEADY))
    with caplog.at_level(logging.ERROR):
        panel.start()
        assert told.wait(5.0)
        Event().wait(0.1)
        panel.close()

    assert text == ["Buttons and lamps do not answer: cannot set state of pin GPIO20."]
    assert "the pins do not answer" in caplog.text


def test_a_second_panel_on_the_same_pins_is_refused(table: Table) -> None:
    with pytest.raises(PanelError, match=r"^Another program uses the pins .*already in use") as found:
        table.reach()

    assert "Close it" in str(found.value)
    table.pins.push(0)
    table.go(0.5)
    assert table.pressed == [(0, False)]
