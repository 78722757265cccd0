"""Tables on which lies what no box has.

The eye gives each picture so much work and no more, and reads on meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.core.observation import Face
from companion.vision.gallery.squares import Vectors
from companion.vision.live.eye import FrameReading
from companion.vision.live.locator import Locator
from companion.vision.live.workspace import Workspace
from companion.vision.poses import Poses
from tests.vision.live.tables import Looking, Table, labels

SIDE = 44
LOOKS_LIMIT = 6_500
"""Crops compared in one picture: so many that no other heap is begun, and those of the last one."""


def tile(number: int) -> Face:
    """A tile of another game."""
    choose = random.Random(number)
    colours = [f"#{choose.randrange(0x1000000):06x}" for _colour in range(6)]
    drawn = [f'<rect width="{SIDE * 10}" height="{SIDE * 10}" fill="{colours[0]}"/>']
    for _shape in range(4):
        (x, y, radius), (one, other) = (
            (choose.randrange(20, 400) for _ in range(3)),
            choose.sample(colours, 2),
        )
        drawn.append(f'<circle cx="{x}" cy="{y}" r="{radius // 4}" fill="{one}"/>')
        drawn.append(f'<rect x="{y}" y="{x}" width="{radius // 2}" height="{radius}" fill="{other}"/>')
    return Face(f"tile-{number}", SIDE, SIDE, "".join(drawn))


def scatter(table: Table, count: int) -> None:
    """Lay so many of those tiles down, apart from each other."""
    for number in range(count):
        face = tile(number)
        table.scene.add(face.label, face)
        table.scene.put(face.label, 300 + 90 * (number % 5), 250 + 90 * (number // 5), 5 * number)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many crops were compared, in each picture since."""
    counted, look = [0], Locator.looks

    def counting(locator: Locator, view: Workspace, poses: Poses) -> Vectors:
        counted[-1] += len(poses)
        return look(locator, view, poses)

    monkeypatch.setattr(Locator, "looks", counting)
    return counted


def sure(glance: FrameReading) -> list[str]:
    return labels(one for one in glance.seen or () if one.confidence > 0.5)


def still(looking: Looking, looks: list[int], frames: int) -> Iterator[FrameReading]:
    for _frame in range(frames):
        looks.append(0)
        glance = looking.look()
        if glance.still:
            yield glance


def test_what_lies_there_is_read_while_odd_things_are_looked_at(looks: list[int]) -> None:
    table = Table()
    table.put("domino-45", 1000, 300, 27)  # m2 w0
    looking = Looking(table, 1)
    looking.settled()
    scatter(table, 20)
    table.put("domino-48", 1000, 500, 3)  # w0 m3

    glances = list(still(looking, looks, 18))

    assert sum(looks) > 1.5 * LOOKS_LIMIT
    assert max(looks) <= LOOKS_LIMIT
    assert {tuple(sure(glance)) for glance in glances} == {("m2", "w0"), ("m2", "m3", "w0", "w0")}
    assert sure(glances[-1]) == ["m2", "m3", "w0", "w0"]
    assert {len(glance.unknown) for glance in glances} == {20, 21}
    assert looks[-1] == 0, "then everything has been looked at"


def test_nothing_is_told_before_the_whole_table_was_looked_at_once(looks: list[int]) -> None:
    table = Table()
    table.put("domino-45", 1000, 300, 27)
    scatter(table, 16)
    looking = Looking(table, 1)

    glances = list(still(looking, looks, 14))

    told = [glance.seen is not None for glance in glances]
    assert told == sorted(told)
    assert (told[0], told[-1]) == (False, True)
    assert sure(glances[-1]) == ["m2", "w0"]
    assert max(looks) <= LOOKS_LIMIT
