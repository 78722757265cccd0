"""What every test leaves as it was."""

from __future__ import annotations

import locale
import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _language_of_the_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command run in this process speaks the language of its terminal, and lets the system speak it, too."""
    monkeypatch.setenv("LANGUAGE", os.environ.get("LANGUAGE", ""))
    spoken = locale.setlocale(locale.LC_MESSAGES)
    yield
    locale.setlocale(locale.LC_MESSAGES, spoken)
