from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from gettext import textdomain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli import main
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.session import Session, begin_session
from companion.games import GAMES
from companion.sessions.repository import SessionRepository


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Somebody who speaks English and has neither settings nor games."""
    for name in ("COMPANION_CONFIG", "COMPANION_DEBUG", "XDG_CONFIG_HOME", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    before = textdomain()
    yield tmp_path
    textdomain(before)


Companion = Callable[..., Said]


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str]) -> Companion:
    """Run a command, as the terminal would."""

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return run


@pytest.fixture
def played() -> Session:
    """A game that Ana and Rui played to its end."""
    table = Setup((Player("Ana", Colour.PINK), Player("Rui", Colour.BLUE)), frozenset({"harmony"}))
    time, random = datetime(2026, 5, 1, 20, 30, tzinfo=UTC), Random(7)
    session = begin_session("evening1", GAMES["kingdomino"], table, Source.PAGE, time)
    while not session.turn.over:
        drawn = session.game.draw(session.position, random.randrange(1000))
        event = drawn or random.choice(list(session.game.legal(session.position)))
        session = session.record(event, Source.PAGE, time)
    return session


@pytest.fixture
def store(home: Path) -> Iterator[SessionRepository]:
    """The log in the data folder."""
    store = SessionRepository(f"sqlite:///{home}/data/table-companion/companion.db", GAMES)
    yield store
    store.close()
