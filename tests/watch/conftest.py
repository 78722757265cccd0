"""A watched table for two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watch.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    found = Evening(tmp_path)
    yield found
    found.close()
