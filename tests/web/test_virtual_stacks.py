"""What looks alike lies in the virtual table's box in one stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from companion.core.log import Source
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.watch.state import Status
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.games.carcassonne.stories import evening
from tests.web.pretending import PretendedTable, PretendedWatcher, laid_out
from tests.web.serving import PIN, Serving, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    """A house where five people begin a game of Carcassonne on the virtual table."""
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    watcher = PretendedWatcher(table)
    session = table.begin(GAMES["carcassonne"], evening(5).setup, Source.PAGE)
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    virtual = laid_out(session, watcher)
    house = House(
        table,
        PinRateLimiter(PIN),
        b"s" * 32,
        listeners=8,
        watcher=cast("Any", watcher),
        virtual=cast("Any", virtual),
    )
    with serving(create_app(house), house) as found:
        yield found
    table.close()


def test_what_looks_alike_lies_in_one_stack(served: Serving) -> None:
    virtual, ana = served.house.virtual, served.unlocked()
    assert isinstance(virtual, PretendedTable)
    stacks = boxed(ana.get("/table").text)
    in_hand = boxed(ana.get("/table?piece=tile-V-3").text)

    assert (stacks["tile-V-1"], stacks["tile-X-1"], stacks["follower-red-1"]) == (9, 1, 7)
    assert (in_hand["tile-V-3"], "tile-V-1" in in_hand) == (9, False)
    assert sum(stacks.values()) == sum(in_hand.values()) == len(virtual.aside) == 71 + 5 * 14


def boxed(page: str) -> dict[str, int]:
    """The pieces in the box that are drawn, each with how many lie in its stack."""
    found = re.findall(r'data-box="([^"]+)".*?</svg>(?:<b>(\d+)</b>)?</a>', page)
    return {name: int(count or 1) for name, count in found}
