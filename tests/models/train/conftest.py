from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from models.train.reading_accuracy import main
from tests.commands.conftest import Said, home

__all__ = ("home",)

Measure = Callable[..., Said]


@pytest.fixture
def measure(capsys: pytest.CaptureFixture[str]) -> Measure:
    """Run the bench of photos, as the terminal would."""

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return run
