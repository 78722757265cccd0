""""""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.devices import Lamp, Lamps
from hardware.debounce import STUCK_S, ButtonEvent, ButtonFault, ButtonTrouble, Contact, Press
from tests.hardware.clockwork import Table, sounding

SHORT, LONG = Press(2), Press(2, long=True)
STUCK, CHATTERING = ButtonTrouble(2, ButtonFault.STUCK), ButtonTrouble(2, ButtonFault.CHATTERING)


def happening(times: list[float], until: float = 30.0, beat: float = 0.05) -> list[ButtonEvent]:
    """What is told of a contact that changes at these times, closing first, and is looked at every now and then."""
    return [news for _time, news in told(times, until, beat)]


def told(times: list[float], until: float = 30.0, beat: float = 0.05) -> list[tuple[float, ButtonEvent]]:
    contact, found, now, todo = Contact(2), list[tuple[float, ButtonEvent]](), 0.0, list(times)
    while now <= until:
        while todo and todo[0] <= now:
            time = todo.pop(0)
            found += ((time, news) for news in contact.edge(not contact.closed, time))
        found += ((now, news) for news in contact.tick(now))
        now += beat
    return found


def swinging(start: float, seconds: float, gap: float) -> list[float]:
    """Edges with that gap between them; they end with the contact open."""
    count = round(seconds / gap) // 2 * 2
    return [start + number * gap for number in range(count)]


@pytest.mark.parametrize(
    ("edges", "expected"),
    (
        # nothing, and what nobody meant
        ([], []),
        ([1.0, 1.014], []),
        ([1.0, 1.001, 1.002, 1.012, 1.013, 1.027], []),
        (swinging(1.0, 1.0, 0.01), []),
        # one press
        ([1.0, 1.1], [SHORT]),
        ([1.0, 1.02], [SHORT]),
        ([1.0, 1.79], [SHORT]),
        ([1.0, 1.004, 1.006, 1.012, 1.02, 1.1], [SHORT]),
        ([1.0, 1.1, 1.105, 1.11, 1.112, 1.125], [SHORT]),
        ([1.0, 1.003, 1.02, 1.025, 1.028, 1.2, 1.201, 1.203, 1.221, 1.222], [SHORT]),
        ([1.0, 1.1, 1.2, 1.3], [SHORT]),  # a finger that trembles
        # two
        ([1.0, 1.1, 1.26, 1.36], [SHORT, SHORT]),
        ([1.0, 1.1, 3.0, 4.0], [SHORT, LONG]),
        # a long one
        ([1.0, 1.81], [LONG]),
        ([1.0, 9.0], [LONG]),
        ([1.0, 1.004, 1.01, 2.0, 2.004, 2.01], [LONG]),
        ([1.0, 1.5, 1.502, 2.4], [LONG]),  # a dip on the way
        ([1.0, 2.5, 2.52, 2.6], [LONG]),  # and one after it has become long
        ([1.0, 10.9], [LONG]),
        # stuck: nothing was done
        ([1.0], [STUCK]),
        ([1.0, 11.1], [STUCK]),
        ([1.0, 6.0, 6.02, 11.1], [STUCK]),
        ([1.0, 12.0, 12.1, 12.2, 14.0, 14.1], [STUCK, SHORT]),
        ([1.0, 12.0, 14.0, 16.0], [STUCK, LONG]),
        ([1.0, 12.0, 14.0], [STUCK, STUCK]),
        # chattering
        (swinging(1.0, 6.0, 0.005), [CHATTERING]),
        (swinging(1.0, 6.0, 0.02), [CHATTERING]),
        (swinging(1.0, 6.0, 0.06), [SHORT, CHATTERING]),
        (swinging(1.0, 6.0, 0.14), [SHORT, CHATTERING]),
        ([1.0, *swinging(2.0, 6.0, 0.02)[:-1]], [CHATTERING]),  # which looks like a long press at first
        (swinging(1.0, 1.2, 0.02), [SHORT]),  # too short to be told from a finger, and never a long press
        ([*swinging(1.0, 3.0, 0.01), 6.0, 6.1], [CHATTERING]),
        ([*swinging(1.0, 3.0, 0.01), 7.1, 7.2], [CHATTERING, SHORT]),
    ),
)
def test_edges_become_presses(edges: list[float], expected: list[ButtonEvent]) -> None:
    assert happening(edges) == expected


def test_a_press_is_told_when_it_ends() -> None:
    found = told([1.0, 1.1, 3.0, 5.0], beat=0.01)

    assert [news for _time, news in found] == [SHORT, LONG]
    assert [time for time, _news in found] == pytest.approx([1.13, 5.03], abs=0.015)


def test_a_button_says_when_it_may_be_let_go_as_a_long_press() -> None:
    contact, armed = Contact(2), []
    list(contact.edge(True, 1.0))
    for now in (1.5, 1.79, 1.81, 10.9, 11.1):
        list(contact.tick(now))
        armed.append(contact.armed)

    assert armed == [False, False, True, True, False]


@pytest.mark.parametrize("closed", (True, False))
def test_who_holds_a_button_while_we_start_does_not_mean_it(closed: bool) -> None:
    contact = Contact(2, closed, 5.0)

    found = [*contact.tick(7.0), *contact.edge(False, 8.0), *contact.tick(9.0), *contact.edge(True, 9.1)]

    assert (found, [*contact.edge(False, 10.0), *contact.tick(10.1)]) == ([], [LONG])


def test_a_button_that_is_stuck_from_the_start_is_told() -> None:
    contact = Contact(2, closed=True, time=5.0)

    assert [*contact.tick(14.9), *contact.tick(15.0), *contact.tick(99.0)] == [STUCK]


def test_edges_that_are_heard_of_late_count_when_they_were() -> None:
    contact = Contact(2)

    found = [*contact.tick(2.0), *contact.edge(True, 1.0), *contact.edge(False, 1.5), *contact.tick(2.05)]

    assert found == [SHORT]


def test_an_edge_is_never_earlier_than_the_one_before() -> None:
    contact = Contact(2)

    found = [*contact.edge(True, 4.0), *contact.edge(False, 4.005), *contact.edge(True, 1.0)]

    assert [*found, *contact.tick(4.01)] == []


def test_an_edge_that_is_told_twice_is_one() -> None:
    contact = Contact(2)

    found = [
        *contact.edge(True, 1.0),
        *contact.edge(True, 1.5),
        *contact.edge(False, 1.6),
        *contact.edge(False, 1.61),
        *contact.tick(1.7),
    ]

    assert found == [SHORT]


bounces = st.lists(st.floats(0.0001, 0.004), max_size=7).filter(lambda gaps: len(gaps) % 2 == 0)


def bouncing(start: float, gaps: list[float]) -> list[float]:
    times = [start]
    for gap in gaps:
        times.append(times[-1] + gap)
    return times


@settings(max_examples=300, deadline=None)
@given(bounces, bounces, st.floats(0.06, 9.0), st.sampled_from((0.01, 0.03, 0.05)))
def test_bounce_never_gives_two_presses(down: list[float], up: list[float], held: float, beat: float) -> None:
    found = happening(bouncing(1.0, down) + bouncing(1.0 + held, up), beat=beat)

    assert len(found) == 1
    assert found == [LONG] if held > 0.85 else found in ([SHORT], [LONG])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.0001, 0.0149), st.floats(0.0001, 0.5)), max_size=60),
    st.sampled_from((0.003, 0.05)),
)
def test_noise_never_gives_a_press(noise: list[tuple[float, float]], beat: float) -> None:
    times, now = [], 1.0
    for closed, opened in noise:
        times += [now, now + closed]
        now += closed + opened

    assert [news for news in happening(times, until=now + 1, beat=beat) if isinstance(news, Press)] == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0.0001, 0.149), min_size=200, max_size=400))
def test_a_loose_wire_gives_at_most_one_press_and_is_told_once(gaps: list[float]) -> None:
    times = bouncing(1.0, gaps if len(gaps) % 2 else gaps[:-1])
    lasting = times[-1] - times[0] > 1.7

    found = happening(times, until=times[-1] + 1)

    assert [type(news) for news in found].count(Press) <= 1
    assert found.count(CHATTERING) == 1 if lasting else found.count(CHATTERING) <= 1


@settings(max_examples=300, deadline=None)
@given(st.lists(st.floats(0.0001, 12.0), max_size=60), st.booleans())
def test_every_press_takes_its_time(gaps: list[float], closed: bool) -> None:
    """Whatever the contact does: presses are as far apart as a finger needs, and stuck is told once each time."""
    contact, now = Contact(2, closed), 0.0
    found: list[tuple[float, ButtonEvent]] = []
    for gap in gaps:
        now += gap
        found += ((now, news) for news in contact.edge(not contact.closed, now))
    found += ((now + STUCK_S, news) for news in contact.tick(now + STUCK_S))

    presses = [news for _time, news in found if isinstance(news, Press)]
    assert len(presses) <= (len(gaps) + 1) // 2
    assert len([news for _time, news in found if news == STUCK]) <= (len(gaps) + 2) // 2


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
        before = sounding(table.pins)
        table.go(0.06)
        heard += [second] if sounding(table.pins) and not before else []
        table.go(0.19)

    assert (heard, table.pressed) == ([0], [])
