"""`companion bench [NAME]`: how fast the companion is on this computer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

from companion.commands.benches import BENCHES
from companion.commands.terminal import Exit, json_argument, terminal
from companion.core.errors import NotationError
from companion.core.message import Say
from companion.core.message import message as _


def arguments(parser: ArgumentParser, say: Say) -> None:
    name = say(_("Measure only this one of %(names)s.", names=", ".join(BENCHES)))
    parser.add_argument("name", metavar=say(_("NAME")), nargs="?", help=name)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    if args.name not in (None, *BENCHES):
        known = ", ".join(BENCHES)
        raise NotationError(
            _("There is no bench “%(name)s”, only %(known)s.", name=args.name[:40], known=known)
        )
    reader, rows = terminal(args), []
    for name, bench in BENCHES.items():
        if args.name in (None, name):
            row = figures(name, list(bench.run()))
            rows.append(row)
            reader.say(f"{name:16} {row['median_ms']:9.3f} ms  95% ≤ {row['p95_ms']:9.3f} ms ", bench.help)
    reader.data(rows)
    return Exit.DONE


def figures(name: str, seconds: Sequence[float]) -> dict[str, Any]:
    """What scripts read: the median and the time that 95 of 100 stay below."""
    middle, slow = median(seconds), quantiles(seconds, n=20, method="inclusive")[-1]
    return {
        "name": name,
        "n": len(seconds),
        "median_ms": round(middle * 1e3, 3),
        "p95_ms": round(slow * 1e3, 3),
        "median_us": round(middle * 1e6, 1),
    }
