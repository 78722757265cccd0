"""The stream of news: one event at once, one for every entry, a sign of life, and an end for everybody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House, create_app, session
from companion.web.rate_limiter import PinRateLimiter
from tests.web.serving import MOVES, PIN, Listener, Serving, begin, play, serving

SOON_S = 10.0
"""Longer than anything here takes; nothing waits for it unless it fails."""


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A house of its own with room for three listeners and a fast heart."""
    monkeypatch.setattr(session, "HEARTBEAT_S", 0.05)
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    house = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=3)
    with serving(create_app(house), house) as found:
        yield found
    table.close()


@pytest.fixture
def listening(served: Serving) -> Iterator[list[Listener]]:
    """Three pages that follow a session just begun."""
    session = begin(served.house.sessions)
    found = [Listener(served.port, session.id) for _each in range(3)]
    yield found
    for listener in found:
        listener.close()


def until(house: House, settled: int) -> bool:
    """Whether that many streams are open, at the latest after a while."""
    limit = monotonic() + SOON_S
    while monotonic() < limit:
        if house.streams.count == settled:
            return True
        threading.Event().wait(0.01)
    return False


def test_what_is_there_is_told_at_once_and_every_entry_after_it(served: Serving) -> None:
    table = served.house.sessions
    session = play(table, begin(table), *MOVES[:3])
    listener = Listener(served.port, session.id)

    assert (listener.response.status, listener.response.headers["Content-Type"]) == (
        200,
        "text/event-stream; charset=utf-8",
    )
    assert listener.response.headers["Cache-Control"] == "no-store"
    assert [listener.line() for _each in range(4)] == ["retry: 1000\n", "\n", "id: 4\n", 'data: {"seq": 4}\n']
    for number, move in enumerate(MOVES[3:], start=5):
        session = play(table, session, move)
        assert listener.news() == number
    table.undo(session.id, session.seq, session.entries[0].source)
    assert listener.news() == session.seq + 1
    listener.close()


def test_a_quiet_stream_says_that_it_is_there(listening: list[Listener]) -> None:
    said = [listening[0].line() for _line in range(7)]

    assert said[5:] == [": still here\n", "\n"]


def test_news_of_another_game_is_not_told(served: Serving, listening: list[Listener]) -> None:
    for listener in listening:
        assert listener.news() == 1
    play(served.house.sessions, begin(served.house.sessions), *MOVES)

    assert [listening[0].line() for _line in range(3)] == ["\n", ": still here\n", "\n"]


def test_more_listeners_than_there_is_room_for_are_asked_to_come_back(
    served: Serving, listening: list[Listener]
) -> None:
    assert [listener.news() for listener in listening] == [1, 1, 1]
    fourth = Listener(served.port, served.house.sessions.list(1)[0].id)

    assert (fourth.response.status, fourth.response.headers["Retry-After"]) == (503, "5")
    fourth.close()
    assert served.visitor().get("/").status == 200, "pages are answered all the same"


def test_a_listener_that_goes_away_makes_room(served: Serving, listening: list[Listener]) -> None:
    for listener in listening:
        listener.news()
    assert served.house.streams.count == 3

    listening[0].close()

    assert until(served.house, 2)
    again = Listener(served.port, served.house.sessions.list(1)[0].id)
    assert again.news() == 1
    again.close()


def test_asking_for_the_head_takes_no_room(served: Serving) -> None:
    session = begin(served.house.sessions)

    for _each in range(5):
        assert served.visitor().ask("HEAD", f"/s/{session.id}/events").status == 200
    assert until(served.house, 0)


def test_closing_ends_every_stream(served: Serving, listening: list[Listener]) -> None:
    for listener in listening:
        listener.news()

    served.house.sessions.news.close()

    assert [listener.news() for listener in listening] == [-1, -1, -1]
    assert until(served.house, 0)


def test_every_listener_hears_every_entry(served: Serving, listening: list[Listener]) -> None:
    visitor, session = served.unlocked(), served.house.sessions.list(1)[0]

    for seq, move in enumerate(MOVES, start=1):
        assert [listener.news() for listener in listening] == [seq, seq, seq]
        assert visitor.post(f"/s/{session.id}/record", {"seq": str(seq), "event": move}).status == 303
    assert [listener.news() for listener in listening] == [len(MOVES) + 1] * 3


def test_the_saved_file_is_what_the_command_exports(
    served: Serving,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    from companion.cli import main

    table = served.house.sessions
    session = play(table, begin(table, names=("Zoë", "“Ana” 🎲")), *MOVES)
    (tmp_path / "companion.toml").write_text(f'[store]\nfolder = "{tmp_path}"\n', encoding="utf-8")
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    saved = served.visitor().get(f"/s/{session.id}/export")
    code = main(["sessions", "export", session.id, "--config", str(tmp_path / "companion.toml")])

    assert code == 0
    assert capfdbinary.readouterr().out == saved.text.encode()
    assert saved.headers["Content-Disposition"] == f"attachment; filename=kingdomino-{session.id}.jsonl"
