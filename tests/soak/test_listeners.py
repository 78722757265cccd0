"""Many pages follow one game: how long a tap takes to reach the last of them, and that nothing is left behind.

An ordinary run has 20 listeners and no limits of time. For the figures:
`pytest -m soak -s tests/soak/test_listeners.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from threading import Event
from time import monotonic

import pytest

from companion.games import GAMES
from companion.sessions.json_lines import read_session
from tests.soak.running import Running
from tests.web.serving import FORM, Listener
from tests.web.visitor import Visitor

FEW, MANY = 20, 100
ENTRIES = 50
LONG_S = 30.0
"""Longer than anything here takes; nothing waits for it unless it fails."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.close()


@dataclass(frozen=True)
class Burden:
    """What the companion takes of the computer, as Linux tells it."""

    threads: int
    megabytes: float
    files: int

    @classmethod
    def of(cls, house: Running) -> Burden:
        process = Path(f"/proc/{house.process.pid}")
        said = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        files = len(list((process / "fd").iterdir()))
        return cls(int(said["Threads"]), round(int(said["VmRSS"].split()[0]) / 1024, 1), files)


def lightened(house: Running, files: int) -> Burden:
    """What it takes once the streams are gone; the companion notices at the next sign of life."""
    limit = monotonic() + LONG_S
    while Burden.of(house).files > files and monotonic() < limit:
        Event().wait(0.1)
    return Burden.of(house)


def taps(visitor: Visitor, path: str, entries: int) -> Iterator[dict[str, str]]:
    """The forms of a game played at random; each is sent before the next is asked for."""
    random = Random(1)
    for _entry in range(entries):
        session = read_session(visitor.get(f"{path}/export").text.splitlines(), GAMES)
        drawn = session.game.draw(session.position, random.randrange(2**32))
        event = drawn or random.choice(list(session.game.legal(session.position)))
        yield {"seq": str(session.seq), "event": session.game.write(event)}


def heard(listener: Listener, seq: int) -> float:
    """The moment at which this listener was told of that entry."""
    while (number := listener.news()) != seq:
        assert number >= 0, "the stream ended"
    return monotonic()


def follow(house: Running, listeners: int, entries: int) -> tuple[list[float], list[float]]:
    """Seconds from sending each tap, and from its answer, until the last listener knows of it."""
    visitor = house.unlocked()
    path = visitor.post("/new/kingdomino", FORM).location
    pages = [Listener(house.port, path.rpartition("/")[2]) for _each in range(listeners)]
    from_sending, from_answer = [], []
    with ThreadPoolExecutor(listeners) as readers:
        assert [page.news() for page in pages] == [1] * listeners
        for form in taps(visitor, path, entries):
            hearing = [readers.submit(heard, page, int(form["seq"]) + 1) for page in pages]
            sent = monotonic()
            assert visitor.post(f"{path}/record", form).status == 303
            answered = monotonic()
            last = max(moment.result(LONG_S) for moment in hearing)
            from_sending.append(last - sent)
            from_answer.append(last - answered)
    report(f"with {listeners} listeners", Burden.of(house))
    for page in pages:
        page.close()
    return from_sending, from_answer


def room_again(house: Running, listeners: int) -> float:
    """Seconds until as many pages have found their place, each asking again as pages do."""
    path, began = house.unlocked().post("/new/kingdomino", FORM).location, monotonic()
    found: list[Listener] = []
    while len(found) < listeners:
        page = Listener(house.port, path.rpartition("/")[2])
        if page.response.status == 200:
            found.append(page)
            continue
        page.close()
        assert monotonic() - began < LONG_S
        Event().wait(0.05)
    seconds = monotonic() - began
    for page in found:
        page.close()
    return seconds


def report(what: str, figures: object) -> None:
    sys.stdout.write(f"{what}: {figures}\n")


def in_words(seconds: list[float]) -> str:
    ms = [1000 * value for value in seconds]
    return f"median {median(ms):.0f} ms, p95 {quantiles(ms, n=20)[-1]:.0f} ms, max {max(ms):.0f} ms"


def test_every_page_hears_every_entry_and_leaves_nothing_behind(house: Running) -> None:
    house.start()
    house.visitor().get("/s/nobody")  # by now everything that runs is running
    before = Burden.of(house)

    from_sending, _from_answer = follow(house, FEW, entries=10)

    assert len(from_sending) == 10
    after = lightened(house, before.files + 2)
    assert after.files <= before.files + 2
    assert after.threads <= before.threads
    assert house.stop() == 0
    assert house.complaints == ""


@pytest.mark.soak
def test_a_hundred_pages_follow_one_game(house: Running) -> None:
    house.start()
    house.visitor().get("/s/nobody")  # by now everything that runs is running
    before = Burden.of(house)
    report("before", before)

    from_sending, from_answer = follow(house, MANY, ENTRIES)

    report("from sending the tap to the last page", in_words(from_sending))
    report("from its answer to the last page", in_words(from_answer))
    after = lightened(house, before.files + 2)
    report("after", after)
    report("room for as many again after", f"{room_again(house, MANY):.1f} s")
    assert after.files <= before.files + 2
    assert after.threads <= before.threads
    assert house.stop() == 0
