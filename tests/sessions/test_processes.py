"""Several processes, one log: each confirmed entry is there once, under its number, and nobody waits for a reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.core import notation
from companion.games import GAMES
from companion.sessions.repository import SessionRepository

HOUSE = Path(__file__).parents[2]
ENTRIES = 60


def hammer(url: str, name: str, *ids: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.sessions.hammer", url, name, str(ENTRIES), *ids]
    return subprocess.Popen(command, cwd=HOUSE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def confirmed(process: subprocess.Popen[str]) -> list[tuple[str, int, str]]:
    """What a process was told that it had recorded: session, number, event."""
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    told = (line.split(" ", 2) for line in out.splitlines())
    return [(id, int(seq), event) for id, seq, event in told]


def kept(store: SessionRepository, *ids: str) -> list[tuple[str, int, str]]:
    return [
        (id, entry.seq, notation.write_entry(session.game, entry.event))
        for id in ids
        for session in (store.load(id),)
        for entry in session.entries
    ]


@pytest.mark.parametrize("ids", (("same",), ("one", "two", "three")), ids=("one session", "several sessions"))
def test_two_processes_record_at_once(store: SessionRepository, ids: tuple[str, ...]) -> None:
    processes = [hammer(store.url, name, *ids) for name in ("left", "right")]
    told = [entry for process in processes for entry in confirmed(process)]

    assert sorted(told) == sorted(kept(store, *ids))
    for id in ids:
        session = store.load(id)
        assert [entry.seq for entry in session.entries] == list(range(1, session.seq + 1))
        assert session.fold.misfits == ()
    assert store.latest() >= len(told) > ENTRIES


def test_each_process_has_its_own_session(store: SessionRepository) -> None:
    processes = {name: hammer(store.url, name, name) for name in ("left", "right")}
    told = {name: confirmed(process) for name, process in processes.items()}

    for name, entries in told.items():
        assert entries == kept(store, name)
        assert len(entries) == ENTRIES


def test_a_reader_sees_whole_sessions_that_only_grow(store: SessionRepository) -> None:
    process, seen, number = hammer(store.url, "writer", "same"), 0, 0
    while process.poll() is None:
        number, before = store.latest(), number
        assert number >= before
        if number:
            session = store.load("same")
            assert session.seq == len(session.entries) >= seen
            assert session.fold.misfits == ()
            seen = session.seq
    told = confirmed(process)

    assert told == kept(store, "same")
    assert 0 < seen <= ENTRIES


def test_two_processes_begin_the_same_new_log(url: str) -> None:
    processes = [hammer(url, name, "same") for name in ("left", "right")]
    told = [entry for process in processes for entry in confirmed(process)]
    store = SessionRepository(url, GAMES)

    assert sorted(told) == kept(store, "same")
    store.close()
