"""What was set about the camera, kept for the next start: all of it or nothing, and told when it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from companion.core.devices import FoundBy
from tests.watch.home import Home


@pytest.mark.parametrize(
    "damage",
    (
        lambda text: text[:40],
        lambda _text: "",
        lambda _text: "[]",
        lambda text: text.replace('"corners": [[', '"corners": [["'),
        lambda text: json.dumps(json.loads(text) | {"corners": [[0, 0], [1, 1], [0, 1], [1, 0]]}),
        lambda text: json.dumps(json.loads(text) | {"table": [1600, 1e9]}),
        lambda text: json.dumps(json.loads(text) | {"frame": [0, 0]}),
        lambda text: text + " " * 70_000,
    ),
)
def test_a_damaged_file_is_told_and_left_aside(home: Home, damage: Callable[[str], str]) -> None:
    home.look()
    home.show_corners()
    home.file.write_text(damage(home.file.read_text()))
    damaged = home.file.read_text()
    home.start()

    aim = home.look()

    told = [str(notice) for notice in home.rig.notices]
    assert told == [f"{home.file} cannot be read: set up the camera again, on its page."]
    assert (aim.found, home.file.read_text() == damaged) == (FoundBy.MARKERS, True)


def test_a_damaged_picture_leaves_the_corners(home: Home) -> None:
    home.look()
    home.show_corners()
    home.rig.aimer.learn_empty()
    home.look(3)
    (picture,) = home.file.parent.glob("empty-*.png")
    picture.write_bytes(picture.read_bytes()[:-9])
    home.start()

    aim = home.look()

    assert (aim.found, aim.empty, len(home.rig.notices)) == (FoundBy.CORNERS, False, 1)
    assert "show the empty table again" in str(home.rig.notices[0])


def test_what_cannot_be_kept_counts_for_now_and_is_told(home: Home) -> None:
    home.file.parent.write_text("no folder")
    home.look()
    home.show_corners()

    assert home.aim.found is FoundBy.CORNERS
    assert home.told.startswith("This counts until the next start only: it cannot be kept in ")


def test_no_half_of_anything_is_left_behind(home: Home) -> None:
    home.look()
    for _again in range(3):
        home.virtual.camera.bump(5, 0)
        home.show_corners()
        home.rig.aimer.learn_empty()
        home.look(3)

    kept = json.loads(home.file.read_text())
    assert sorted(path.name for path in home.file.parent.iterdir()) == sorted(
        ["camera.json", kept["empty"], kept["shown"]]
    )
