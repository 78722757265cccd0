"""One session that cannot be read, or one mistake of ours, spoils nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import text

from companion.core.session import Session
from companion.games import GAMES
from companion.household.logging import begin_logging
from companion.sessions.database import open_engine, writing
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.serving import MOVES, PIN, begin, play


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'companion.db'}"


@pytest.fixture
def house(url: str) -> Iterator[House]:
    table = LiveSessions(SessionRepository(url, GAMES))
    yield House(table, PinRateLimiter(PIN), b"s" * 32)
    table.close()


@pytest.fixture
def client(house: House) -> FlaskClient:
    return create_app(house).test_client()


@pytest.fixture
def good(house: House) -> Session:
    return play(house.sessions, begin(house.sessions), *MOVES)


@pytest.fixture
def odd(house: House) -> Session:
    return play(house.sessions, begin(house.sessions), *MOVES)


def spoil(house: House, url: str, change: str) -> None:
    """Change the log behind everybody's back."""
    engine = open_engine(url)
    with writing(engine) as connection:
        connection.execute(text(change))
    engine.dispose()
    house.sessions._live.clear()


@pytest.mark.parametrize(
    ("change", "status", "says"),
    (
        (
            "UPDATE entries SET event = 'starts' WHERE {} AND seq = 1",
            400,
            "does not begin by saying who plays",
        ),
        ("DELETE FROM entries WHERE {} AND seq = 1", 400, "does not begin by saying who plays"),
        ("UPDATE entries SET source = 'oracle' WHERE {} AND seq = 3", 503, "cannot be read by this version"),
        ("UPDATE entries SET time = 'noon' WHERE {} AND seq = 3", 503, "cannot be read by this version"),
        ("UPDATE sessions SET game = 'chess' WHERE {}", 503, "which this version does not know"),
    ),
)
def test_a_session_that_cannot_be_read_spoils_no_other(
    house: House,
    url: str,
    client: FlaskClient,
    good: Session,
    odd: Session,
    change: str,
    status: int,
    says: str,
) -> None:
    column = "id" if "sessions" in change else "session"
    spoil(house, url, change.format(f"{column} = '{odd.id}'"))

    for path in ("/", "/sessions", f"/s/{good.id}", f"/s/{good.id}/log", f"/s/{good.id}/result"):
        answer = client.get(path)
        assert answer.status_code == 200, path
    for path in ("", "/log", "/result", "/result.svg", "/export", "/events"):
        answer = client.get(f"/s/{odd.id}{path}")
        if answer.status_code != 200:  # what is left of it may still be exported
            assert answer.status_code == status, path
            assert says in answer.text, path
        answer.close()
    assert client.get(f"/s/{odd.id}").status_code == status
    assert "it is kept as it is" in client.get("/sessions").text


def test_an_entry_nobody_understands_is_left_out_and_said(
    house: House, url: str, client: FlaskClient, good: Session
) -> None:
    spoil(house, url, "UPDATE entries SET event = '<b>eats</b>' WHERE seq = 11")

    page = client.get(f"/s/{good.id}")

    assert page.status_code == 200
    assert "Entry 11 does not count: Nobody understands “&lt;b&gt;eats&lt;/b&gt;”." in page.text
    assert "Cannot be understood: &lt;b&gt;eats&lt;/b&gt;" in client.get(f"/s/{good.id}/log").text


def test_a_mistake_of_ours_is_said_without_a_traceback(
    house: House,
    client: FlaskClient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(house.sessions.index, "refresh", lambda: 1 / 0)
    begin_logging("info", tmp_path)

    answer = client.get("/sessions")

    assert answer.status_code == 500
    assert "Something in the companion went wrong. Nothing that was recorded is lost" in answer.text
    assert "Traceback" not in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert "Traceback" not in capsys.readouterr().err
    assert "ZeroDivisionError: division by zero" in (tmp_path / "errors.log").read_text()
