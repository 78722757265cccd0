"""A watched table for two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watch.evening import Evening
from tests.watch.home import Home
from tests.watch.people import People


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    found = Evening(tmp_path)
    yield found
    found.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A companion on the virtual table, without disturbances."""
    found = Home(tmp_path).start()
    yield found
    found.close()


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Two people in the middle of a game on the virtual table."""
    found = People(tmp_path)
    yield found
    found.close()
