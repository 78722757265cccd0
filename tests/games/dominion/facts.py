"""The facts of both rulebooks, read from facts.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FACTS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))
KINGDOM = [id for id, row in FACTS["cards"].items() if row["box"] != "base"]
"""The ids of all 51 kingdom cards."""
