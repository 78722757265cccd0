"""A panel for tests, which leaves no thread behind."""

from __future__ import annotations

from collections.abc import Iterator
from threading import enumerate as threads

import pytest

from tests.hardware.clockwork import Table


@pytest.fixture
def table() -> Iterator[Table]:
    before = set(threads())
    table = Table()
    yield table
    table.panel.close()
    assert set(threads()) == before
