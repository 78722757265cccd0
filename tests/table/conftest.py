from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.store.store import Store
from companion.table import Table
from tests.table.playing import KINGDOMINO, MOVES, PAIR, Clock, play


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'companion.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url, GAMES)
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(store: Store, clock: Clock) -> Iterator[Table]:
    table = Table(store, clock)
    yield table
    table.close()


@pytest.fixture
def neighbour(url: str) -> Iterator[Table]:
    """Another companion on the same log."""
    store = Store(url, GAMES)
    neighbour = Table(store)
    yield neighbour
    neighbour.close()
    store.close()


@pytest.fixture
def game(table: Table) -> Session:
    """A game of two that has come to entry 11."""
    return play(table, table.begin(KINGDOMINO, PAIR, Source.PAGE), *MOVES)
