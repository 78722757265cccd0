"""What goes wrong with the camera: bumped, unplugged, looking at our own lamps; with what people are told."""

from __future__ import annotations

import pytest

from companion.core.devices import Lamp
from companion.virtual.faults import DISTURBANCES
from companion.vision.live.eye import FrameReading
from companion.watch.state import Status
from tests.watch.people import ANA, RUI, People, Shown

CALM = Shown(Status.WATCHING)
UNPLUGGED = "The camera is unplugged: plug it in again, nothing is lost."


def test_a_bumped_camera_finds_its_markers_again_and_says_how_far_it_was(people: People) -> None:
    said = []
    for far, x, y in ((1, 1.0, 0.0), (5, 0.0, -5.0), (20, 12.0, 16.0), (50, -30.0, -40.0)):
        people.virtual.camera.bump(x, y)
        assert (far, people.look()) == (far, CALM)
        said.append(people.told)
    bumped = "The camera was bumped by {} mm; the markers were found again."

    assert said == ["", *(bumped.format(far) for far in (5, 20, 50))]
    people.lay(*ANA)
    assert people.look() == Shown(Status.WATCHING, proposed=ANA)
    people.push(0)
    assert people.lines == ANA


def test_a_bump_while_something_waits_to_be_confirmed_takes_nothing_away(people: People) -> None:
    people.lay(*ANA)
    people.look()
    people.virtual.camera.bump(15, 20, 0.5)

    assert people.look() == Shown(Status.WATCHING, proposed=ANA)
    people.push(0)
    assert people.lines == ANA


def test_an_unplugged_camera_is_told_and_what_happened_meanwhile_is_read_afterwards(people: People) -> None:
    people.virtual.cause("unplugged")
    people.wait(2)
    assert people.shown == Shown(Status.NO_CAMERA, UNPLUGGED)
    people.lay(*ANA)
    people.push(0)
    assert (people.told, people.lines) == (UNPLUGGED, ())
    people.wait(60)

    assert people.look() == Shown(Status.WATCHING, proposed=ANA)
    people.push(0)
    assert people.lines == ANA


def test_people_tap_on_without_a_camera_and_the_table_agrees_when_it_is_back(people: People) -> None:
    people.lay(*ANA, *RUI)
    people.virtual.cause("unplugged")
    people.wait(2)
    people.tap(*ANA)
    people.wait(2)
    assert people.watch.lamps.seats == (Lamp.OFF, Lamp.STEADY), "it is Rui's turn"
    people.virtual.cause("unplugged")

    assert people.look() == Shown(Status.WATCHING, proposed=RUI)
    people.push(1)
    assert people.lines == (*ANA, *RUI)


def test_our_own_lamps_and_screens_are_no_news(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute in which a lamp goes on and off, and the tablet on the table shows one picture after another."""
    for one in DISTURBANCES:
        people.virtual.switch(one.key, one.key == "screens")
    people.lay(*ANA)
    assert people.look().proposed == ANA
    before, news, glances = people.watch, people.table.news.nudges, list[FrameReading]()
    absorb, lit = people.rig.watcher.absorb, set[bool]()

    def look(glance: FrameReading, capture: dict[str, float]) -> None:
        glances.append(glance)
        assert people.rig.pins
        lit.add(people.rig.pins.lit[0])
        absorb(glance, capture)

    monkeypatch.setattr(people.rig.watcher, "absorb", look)
    people.wait(60)

    assert (before.lamps.seats[0], lit, len(glances) >= 140) == (Lamp.PULSE, {True, False}, True)
    assert {(glance.still, glance.hand) for glance in glances} == {(True, False)}
    assert {name for glance in glances for name, _ms in glance.stages} == {"rectify", "settle"}, (
        "nothing read"
    )
    assert (people.watch.version, people.table.news.nudges) == (before.version, news)
    people.push(0)
    assert people.lines == ANA
