"""What goes wrong with buttons: one that bounces, one that sticks, and a loose wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.virtual.mock_pins import MockPins
from companion.watch.state import Status
from tests.watch.people import ANA, RUI, People, Shown

STUCK = "This button is stuck: it does not count until it has been released."
FLICKERS = "This button flickers, as with a loose wire: it does not count until it is calm."


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    found = People(tmp_path)
    found.lay(*ANA)
    assert found.look() == Shown(Status.WATCHING, proposed=ANA)
    yield found
    found.close()


@pytest.fixture
def pins(people: People) -> MockPins:
    assert people.rig.pins
    return people.rig.pins


def test_a_button_that_bounces_is_pressed_once(people: People, pins: MockPins) -> None:
    pins.bounce(0)
    people.wait(1)

    assert (people.did, people.lines) == ("Recorded", ANA)
    people.lay(*RUI)
    people.look()
    pins.bounce(1, 0.3)
    people.wait(1)
    assert people.lines == (*ANA, *RUI)


def test_a_button_that_sticks_changes_nothing_and_the_others_count(people: People, pins: MockPins) -> None:
    people.push(0)
    people.lay(*RUI)
    people.look()
    pins.stick(1)
    people.wait(12)

    assert (people.told, people.lines) == (STUCK, ANA)
    assert people.look() == Shown(Status.WATCHING, proposed=RUI)
    people.push(None)
    assert people.lines == (*ANA, *RUI), "the common button counts for everybody"
    pins.release(1)
    people.wait(1)
    people.push(1)
    assert people.told == "Pressed: looking at the table …", "once it is released it counts again"


def test_a_loose_wire_is_told_and_its_button_counts_again_when_it_is_calm(
    people: People, pins: MockPins
) -> None:
    people.virtual.cause("chatter")
    pins.chatter(0, 5)
    people.wait(2)
    pins.push(0)
    people.wait(2)

    assert (people.told, people.lines) == (FLICKERS, ())
    people.wait(4)
    people.push(0)
    assert (people.did, people.lines) == ("Recorded", ANA)
