"""An arm that rests at the table's edge: what is away from it is read, and nothing near it."""

from __future__ import annotations

from math import hypot

from companion.vision.live.eye import REST_S, FrameReading
from companion.vision.table.motion import LIES_S
from tests.vision.live.tables import QUIET, Looking, Table, labels

RESTING = 400, 770, 0, 3
"""A hand just over the lower edge."""
FRAMES = 5
"""In a second."""


def looking_at(*dominoes: tuple[str, float, float]) -> Looking:
    table = Table()
    for domino, x, y in dominoes:
        table.put(domino, x, y, 4)
    looking = Looking(table, 1, (*QUIET, "hand"))
    looking.settled()
    return looking


def after(looking: Looking, seconds: float) -> FrameReading:
    """The glance after so many seconds; the pictures between are few."""
    looking.look()
    looking.clock.now += seconds - 2 / FRAMES
    return looking.glances(2)[-1]


def unknown_near(glance: FrameReading, x: float, y: float) -> bool:
    return any(hypot(area.x - x, area.y - y) < 60 for area in glance.unknown)


def test_what_is_laid_away_from_a_resting_arm_is_read() -> None:
    looking = looking_at(("domino-45", 620, 300))
    looking.scene.reach(*RESTING)
    looking.scene.put("domino-48", 900, 500, 3)

    moving = looking.look()
    waiting = after(looking, REST_S / 2)
    read = after(looking, REST_S)

    assert (moving.seen, waiting.seen, waiting.hand) == (None, None, True)
    assert (read.still, read.hand, labels(read.seen)) == (True, False, ["m2", "m3", "w0", "w0"])
    assert unknown_near(read, 400, 840)


def test_nothing_is_read_while_an_arm_rests_near_a_piece() -> None:
    looking = looking_at(("domino-45", 400, 725))
    looking.scene.reach(*RESTING)
    looking.scene.put("domino-48", 900, 500, 3)

    near = after(looking, LIES_S - 2)
    lying = after(looking, 3)

    assert (near.hand, near.seen) == (True, None)
    assert (lying.hand, labels(lying.seen)) == (False, ["m2", "m3", "w0", "w0"])


def test_what_is_laid_near_a_resting_arm_is_read_once_it_is_gone() -> None:
    looking = looking_at(("domino-45", 620, 300))
    looking.scene.reach(*RESTING)
    looking.scene.put("domino-48", 500, 800, 3)

    near = after(looking, REST_S + 1)
    looking.scene.withdraw()
    gone = looking.glances(6)[-1]

    assert labels(near.seen) == ["m2", "w0"]
    assert unknown_near(near, 500, 800)
    assert (labels(gone.seen), gone.unknown) == (["m2", "m3", "w0", "w0"], ())


def test_what_has_lain_at_the_edge_for_long_is_read_as_any_other_thing() -> None:
    looking = looking_at(("domino-45", 620, 300))
    for number in range(5):
        looking.scene.put(f"domino-{number + 5}", 300, 714 + 41 * number, 0)

    early = after(looking, REST_S + 1)
    late = after(looking, LIES_S)

    assert labels(early.seen) == ["m2", "w0"]
    assert len(late.seen or ()) == 12


def test_a_table_that_nobody_has_read_yet_is_not_read_around_an_arm() -> None:
    table = Table()
    table.put("domino-45", 620, 300, 4)
    looking = Looking(table, 1, (*QUIET, "hand"))
    looking.scene.reach(*RESTING)

    glance = after(looking, REST_S + 1)

    assert (glance.hand, glance.seen) == (True, None)
