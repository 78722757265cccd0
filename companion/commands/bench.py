"""`companion bench [NAME]`: how fast the companion is on this computer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

from companion.commands.benches import BENCHES, Burden
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
        raise NotationError(
            _("There is no bench “%(name)s”, only %(known)s.", name=args.name[:40], known=", ".join(BENCHES))
        )
    reader, rows = terminal(args), []
    for name, bench in BENCHES.items():
        if args.name not in (None, name):
            continue
        if isinstance(bench, Burden):
            for cost in bench.run():
                row = {"name": cost.name, "cpu_percent": cost.cpu_percent, "memory_mb": cost.memory_mb}
                rows.append(row)
                reader.say(f"{cost.name:16} {cost.cpu_percent:9.1f} %  {cost.memory_mb:9.1f} MB ", cost.what)
        else:
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
