from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event
from threading import enumerate as threads

import pytest

from companion.virtual.mock_pins import BOUNCES_S, MockPins
from hardware.pins import load_pin_map
from tests.hardware.clockwork import Clock, sounding

BOARD = load_pin_map()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pins(clock: Clock) -> Iterator[MockPins]:
    before = set(threads())
    pins = MockPins(BOARD, later=clock.later)
    yield pins
    pins.close()
    assert set(threads()) == before


def edges(pins: MockPins, clock: Clock, seconds: float) -> list[tuple[float, bool]]:
    """When the pin of the first seat is pulled down and let go, as seen by who looks very often."""
    pin = pins.factory.pin(BOARD.seats[0].button)
    start, found, was = clock.now, list[tuple[float, bool]](), [True]

    def look(now: float) -> None:
        if pin.state != was[0]:
            was[0] = bool(pin.state)
            found.append((round(now - start, 3), not pin.state))

    look(start)
    clock.go(seconds, look, beat=0.0005)
    return found


def test_nobody_touches_a_button_at_first(pins: MockPins) -> None:
    buttons = [pins.factory.pin(spot.button) for spot in BOARD.spots.values()]

    assert ([pin.state for pin in buttons], [pin.pull for pin in buttons]) == ([True] * 7, ["up"] * 7)
    assert (pins.lit, pins.common_lit, sounding(pins)) == ((False,) * 6, False, False)


def test_a_push_pulls_the_pin_down_for_a_while(pins: MockPins, clock: Clock) -> None:
    pins.push(0, 0.25)

    assert edges(pins, clock, 1.0) == [(0.0, True), (0.25, False)]


def test_a_bounce_is_many_edges_within_a_blink(pins: MockPins, clock: Clock) -> None:
    pins.bounce(0, 0.1)

    found = edges(pins, clock, 1.0)

    assert (len(found), found[0], found[-1][1]) == (2 + 2 * len(BOUNCES_S), (0.0, True), False)
    assert found[len(BOUNCES_S)][0] <= 0.03
    assert found[-1][0] == pytest.approx(0.1 + 2 * sum(BOUNCES_S), abs=0.002)


def test_chatter_goes_on_and_ends_open(pins: MockPins, clock: Clock) -> None:
    pins.chatter(0, 2.0)

    found = edges(pins, clock, 5.0)

    assert 150 < len(found) < 200
    assert (found[-1][1], 1.9 < found[-1][0] < 2.1) == (False, True)


def test_a_stuck_button_stays_down_until_it_is_released(pins: MockPins, clock: Clock) -> None:
    pins.push(0, 0.1)
    pins.stick(0)
    held = edges(pins, clock, 100.0)
    pins.release(0)

    assert held == [(0.0, True)]
    assert pins.factory.pin(BOARD.seats[0].button).state is True


def test_a_new_push_replaces_the_one_before(pins: MockPins, clock: Clock) -> None:
    pins.push(0, 0.2)
    first = edges(pins, clock, 0.1)
    pins.push(0, 0.5)

    assert (first, edges(pins, clock, 1.0)) == ([(0.0, True)], [(0.0, True), (0.5, False)])


@pytest.mark.parametrize(("seconds", "held"), ((-3.0, 0.0), (float("nan"), 0.0), (1e9, 60.0)))
def test_no_finger_stays_for_ever(pins: MockPins, clock: Clock, seconds: float, held: float) -> None:
    pins.push(1, seconds)
    clock.go(held, lambda _now: None, beat=10.0)

    assert pins.factory.pin(BOARD.seats[1].button).state is True


def test_there_is_no_seat_without_a_button(pins: MockPins) -> None:
    with pytest.raises(KeyError):
        pins.push(6)


def test_a_push_returns_at_once_and_leaves_no_thread_behind() -> None:
    before = set(threads())
    pins = MockPins(BOARD)
    pin = pins.factory.pin(BOARD.common.button)

    begun = time.monotonic()
    pins.push(None, 2.0)
    down = pin.state is False
    while pin.state is False and time.monotonic() - begun < 20:
        Event().wait(0.01)

    assert (down, pin.state) == (True, True)
    assert time.monotonic() - begun >= 2.0
    pins.close()
    assert set(threads()) == before


def test_closing_takes_every_finger_off_at_once() -> None:
    pins = MockPins(BOARD)
    for seat in BOARD.spots:
        pins.push(seat, 50.0)

    begun = time.monotonic()
    pins.close()

    assert time.monotonic() - begun < 20
    assert {pins.factory.pin(spot.button).state for spot in BOARD.spots.values()} == {True}
