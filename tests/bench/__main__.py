"""From a tap, a button or a frame to another tablet, and what watching takes: `python -m tests.bench [NAME]`.

These start real servers and a virtual camera: they say more about the whole than `companion bench`, and take longer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping

from companion.commands.bench import PACKAGES, figures, play_by_seed
from tests.bench import watch_to_page
from tests.bench.resting_table import resting_table
from tests.bench.tap_to_page import tap_to_page
from tests.bench.watching_cost import watching_cost

SECONDS: Mapping[str, Callable[[], Iterator[float]]] = {
    "tap-to-page": lambda: tap_to_page(play_by_seed(1), PACKAGES),
    "button-to-page": lambda: watch_to_page.button_to_page(play_by_seed(1)),
    "frame-to-page": lambda: watch_to_page.frame_to_page(play_by_seed(1)),
}


def main(names: list[str]) -> None:
    for name, run in SECONDS.items():
        if not names or name in names:
            row = figures(name, list(run()))
            print(f"{name:16} {row['median_ms']:9.3f} ms  95% ≤ {row['p95_ms']:9.3f} ms")
    if not names or "watching-cost" in names:
        for cost in watching_cost(play_by_seed(1), PACKAGES):
            print(f"{cost.name:16} {cost.cpu_percent:9.1f} %  {cost.memory_mb:9.1f} MB")
    if not names or "resting-table" in names:
        for rest in resting_table():
            print(rest)


if __name__ == "__main__":
    main(sys.argv[1:])
