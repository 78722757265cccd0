"""How well the eye reads full tables, by hand: `python -m tests.vision.accuracy 100 120`; prints figures to quote."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from time import perf_counter

import numpy as np

from tests.vision.tables import QUIET, Looking, Outcome, compare, full_table


def measure(seed: int, on: Iterable[str]) -> tuple[Outcome, float]:
    """One table from nothing, and how many milliseconds it took to explain it."""
    table = full_table(seed)
    looking = Looking(table, seed, on)
    for _ in range(200):
        began = perf_counter()
        glance = looking.look()
        took = (perf_counter() - began) * 1000
        if glance.seen is not None:
            return compare(table, glance.seen), took
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
        f" ({sum(lying.face.startswith('king') for lying in missed)} kings)",
        f"  wrong label {len(mistaken)}, surest {max(mistaken, default=0):.2f};"
        f" nothing there {len(false)}, surest {max(false, default=0):.2f}",
        f"  wrong and sure {sum(len(outcome.wrong) for outcome in every)}",
        f"  off {off.mean():.2f} mm, 99 % {np.quantile(off, 0.99):.2f} mm; turned {turned.mean():.2f} degrees,"
        f" 99 % {np.quantile(turned, 0.99):.1f}",
        f"  {np.median([took for _, took in outcomes]):.0f} ms a table, slowest {max(t for _, t in outcomes):.0f} ms",
    )
    return "\n".join(lines)


def main() -> None:
    first, last = (int(word) for word in sys.argv[1:3])
    for name, on in (("usual", QUIET), ("usual and a lamp's reflection", (*QUIET, "glare"))):
        sys.stdout.write(told(name, [measure(seed, on) for seed in range(first, last)]) + "\n")


if __name__ == "__main__":
    main()
