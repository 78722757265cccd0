"""Corners that are shown beside markers, and what was known of the empty table before."""

from __future__ import annotations

from calibration.mat import Mat
from companion.core.devices import FoundBy
from tests.watch.home import FRAME, Home


def test_a_corner_that_the_markers_have_elsewhere_is_asked_about(home: Home) -> None:
    home.look()
    home.show_corners((120, 100), *Mat().corners[1:])
    dragged = home.told
    home.show_corners((20, 15), *Mat().corners[1:])

    assert dragged == (
        "The markers say otherwise: by them, the table's upper left corner is 16 cm from there. Keep your corners if "
        "they are the table's, or go by the markers."
    )
    assert (home.told, home.aim.found) == ("", FoundBy.CORNERS)


def test_corners_are_not_doubted_where_no_markers_are_seen(home: Home) -> None:
    home.look()
    home.cover(Mat().middles[1], Mat().middles[2])
    home.look(1)
    home.show_corners((120, 100), *Mat().corners[1:])

    assert home.told == ""


def test_going_by_the_markers_again_brings_the_empty_table_back(home: Home) -> None:
    known = home.look(1).empty
    home.show_corners((120, 100), *Mat().corners[1:])
    elsewhere = home.look(1).empty
    home.rig.aimer.set_corners(None, FRAME)
    back = home.look(1)

    assert (known, elsewhere, back.empty, back.found) == (True, False, True, FoundBy.MARKERS)


def test_an_empty_table_that_was_forgotten_does_not_come_back(home: Home) -> None:
    home.look(1)
    home.show_corners((120, 100), *Mat().corners[1:])
    home.rig.aimer.forget_empty()
    home.look()
    home.rig.aimer.set_corners(None, FRAME)

    assert not home.look(1).empty
