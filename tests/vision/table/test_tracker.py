"""A camera that is bumped while markers are hidden: nothing is read by a plane that is wrong."""

from __future__ import annotations

import pytest

from companion.virtual.scene import CUP, NAPKIN
from tests.vision.live.tables import MAT, Looking, Table, labels


@pytest.fixture
def looking() -> Looking:
    table = Table()
    table.put("domino-45", 620, 300, 27)  # m2 w0
    table.put("domino-48", 900, 500, 3)  # w0 m3
    looking = Looking(table, 1)
    looking.settled()
    return looking


def hide(looking: Looking, *markers: int) -> None:
    for marker in markers:
        face = (CUP, NAPKIN)[marker % 2]
        looking.scene.add(f"over-{marker}", face)
        looking.scene.put(f"over-{marker}", *MAT.middles[marker], 0)


def uncover(looking: Looking, *markers: int) -> None:
    for marker in markers:
        looking.scene.remove(f"over-{marker}")


@pytest.mark.parametrize("hidden", ((0, 2), (0, 1, 2, 3)))
def test_hidden_markers_keep_nobody_from_reading(looking: Looking, hidden: tuple[int, ...]) -> None:
    hide(looking, *hidden)

    glances = looking.glances(6)

    assert {glance.plane is None for glance in glances} == {False}
    assert labels(glances[-1].seen) == ["m2", "m3", "w0", "w0"]


@pytest.mark.parametrize("hidden", ((0, 2), (1, 2, 3), (0, 1, 2, 3)))
def test_a_bump_while_markers_are_hidden_makes_blind_until_they_are_seen(
    looking: Looking, hidden: tuple[int, ...]
) -> None:
    hide(looking, *hidden)
    looking.glances(2)
    looking.camera.bump(20, 0)

    blind = looking.glances(8)
    uncover(looking, *hidden)
    found, *later = looking.glances(6)

    assert {glance.seen for glance in blind} == {None}
    assert blind[-1].picture is None
    assert round(found.moved) == 20
    assert labels(later[-1].seen) == ["m2", "m3", "w0", "w0"]


def test_a_camera_that_was_pushed_back_is_believed_again(looking: Looking) -> None:
    hide(looking, 0, 2)
    looking.glances(2)
    looking.camera.bump(20, 0)
    blind = looking.glances(2)[-1]
    looking.camera.straighten()

    assert (blind.picture, labels(looking.glances(6)[-1].seen)) == (None, ["m2", "m3", "w0", "w0"])
