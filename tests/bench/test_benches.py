"""The benches that need a server and a camera still run; what they measure is looked at by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.commands.bench import PACKAGES, play_by_seed
from companion.core.session import Session
from tests.bench import resting_table, watch_to_page, watching_cost
from tests.bench.tap_to_page import tap_to_page
from tests.commands.conftest import home

__all__ = ("home",)


def test_a_tap_reaches_another_tablet() -> None:
    """The real server and two connections; every event of a game has to come through."""
    assert len(list(tap_to_page(play_by_seed(1), PACKAGES))) == len(play_by_seed(1).entries) - 1


@pytest.mark.parametrize("bench", (watch_to_page.button_to_page, watch_to_page.frame_to_page))
def test_what_the_watched_table_says_reaches_another_tablet(
    monkeypatch: pytest.MonkeyPatch, bench: Callable[[Session], Iterator[float]]
) -> None:
    """The real rig on the virtual table, the panel on mock pins, and a real server."""
    monkeypatch.setattr(watch_to_page, "PRESSES", 3)
    monkeypatch.setattr(watch_to_page, "SIGHTS", 3)

    seconds = list(bench(play_by_seed(1)))

    assert (len(seconds), min(seconds) > 0.001) == (3, True)


def test_what_watching_takes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real process with the virtual camera, before and while it watches a game."""
    for name, value in (("SECONDS", 1.0), ("READY_S", 1.0), ("SIZES", ((1280, 720),))):
        monkeypatch.setattr(watching_cost, name, value)

    costs = list(watching_cost.watching_cost(play_by_seed(1), PACKAGES))

    assert [cost.name for cost in costs] == ["idle-1280", "watching-1280"]
    assert all(cost.cpu_percent > 0 and 30 < cost.memory_mb < 2000 for cost in costs)


def test_what_a_resting_table_takes_is_told_by_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resting_table, "FRAMES", 3)

    rests = list(resting_table.resting_table([(1280, 720)]))

    assert [(rest.packed, list(rest.stages)) for rest in rests] == [
        (packed, ["capture", "rectify", "settle", "show"]) for packed in (False, True)
    ]
    assert all(rest.cpu_ms > 0 for rest in rests)
