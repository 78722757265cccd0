"""How well the eye reads full tables, by hand: `python -m tests.vision.accuracy kingdomino 100 120`; prints figures.

For Carcassonne `carcassonne 100 120 45` reads boards of so many tiles, seen for the first time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from time import perf_counter

import numpy as np

from companion.vision.gallery.known import KnownPieces
from tests.vision.live.boards import board, tiles_known
from tests.vision.live.tables import QUIET, STANDING, Looking, Outcome, Table, compare, full_table


def measure(table: Table, seed: int, on: Iterable[str], known: KnownPieces | None) -> tuple[Outcome, float]:
    """One table from nothing, and how many milliseconds it took to explain it."""
    looking = Looking(table, seed, on, known=known)
    times: list[float] = []
    for _ in range(200):
        began = perf_counter()
        glance = looking.look()
        times.append((perf_counter() - began) * 1000)
        if glance.seen is not None:
            return compare(table, glance.seen), sum(times)
    raise TimeoutError(f"the table of seed {seed} was never still")


def told(name: str, outcomes: list[tuple[Outcome, float]]) -> str:
    every = [outcome for outcome, _ in outcomes]
    found = [pair for outcome in every for pair in outcome.found]
    right = [seen.confidence for lying, seen in found if lying.face == seen.label]
    mistaken = [seen.confidence for lying, seen in found if lying.face != seen.label]
    missed = [lying for outcome in every for lying in outcome.missed]
    false = [seen.confidence for outcome in every for seen in outcome.false]
    off = np.concatenate([outcome.off for outcome in every])
    turned = np.concatenate([outcome.turned for outcome in every])
    sure = sum(c > 0.5 for c in right)
    lines = (
        f"{name}: {len(every)} tables, {len(found) + len(missed)} faces on them",
        f"  right and sure {sure}, right and doubtful {len(right) - sure}, missed {len(missed)}"
        f" ({sum(lying.face.startswith(STANDING) for lying in missed)} of them stand)",
        f"  wrong label {len(mistaken)}, surest {max(mistaken, default=0):.2f};"
        f" nothing there {len(false)}, surest {max(false, default=0):.2f}",
        f"  wrong and sure {sum(len(outcome.wrong) for outcome in every)}",
        f"  off {off.mean():.2f} mm, 99 % {np.quantile(off, 0.99):.2f} mm; turned {turned.mean():.2f} degrees,"
        f" 99 % {np.quantile(turned, 0.99):.1f}",
        f"  {np.median([took for _, took in outcomes]):.0f} ms a table, slowest {max(t for _, t in outcomes):.0f} ms",
    )
    return "\n".join(lines)


def main() -> None:
    game, *numbers = sys.argv[1:]
    first, last, *tiles = map(int, numbers)
    for name, on in (("usual", QUIET), ("usual and a lamp's reflection", (*QUIET, "glare"))):
        found = [
            measure(board(seed, *tiles), seed, on, tiles_known())
            if game == "carcassonne"
            else measure(full_table(seed), seed, on, None)
            for seed in range(first, last)
        ]
        sys.stdout.write(told(name, found) + "\n")


if __name__ == "__main__":
    main()
