"""The house stays in order: a README in every room, and nothing that grows too large. Imports: `make check`."""

from __future__ import annotations

import subprocess
from pathlib import Path

HOUSE = Path(__file__).parents[1]
ROOMS = ("companion", "companion/games", "")
"""Folders whose folders are rooms."""


def test_every_room_says_what_belongs_in_it() -> None:
    inside = [path.parent for folder in ROOMS for path in (HOUSE / folder).glob("*/__init__.py")]
    rooms = [path for path in inside if path != HOUSE / "companion"]

    assert len(rooms) > 15
    assert [str(room.relative_to(HOUSE)) for room in sorted(rooms) if not (room / "README.md").exists()] == []


def test_no_tracked_file_is_over_8_mb() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HOUSE, capture_output=True, text=True, check=True)
    files = [HOUSE / name for name in listed.stdout.split("\0") if name]

    assert files
    assert [str(f) for f in files if f.is_file() and f.stat().st_size > 8_000_000] == []
