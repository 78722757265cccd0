"""What looks at pictures keeps to itself: no file beside the household's own, nothing to send."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LOOK = """
import numpy as np
from companion.vision.gallery.squares import embed
print(embed(np.zeros((2, 40, 40, 3), np.float32)).shape[0])
"""


def test_nothing_is_noted_of_this_computer(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    kept = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}

    told = subprocess.run(
        [sys.executable, "-c", LOOK], env=kept | home, capture_output=True, text=True, check=True
    )

    assert told.stdout == "2\n"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
