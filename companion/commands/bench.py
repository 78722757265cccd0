"""`companion bench [NAME]`: how fast the companion is on this computer, and how well it reads photos."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from companion.commands.benches import BENCHES, Burden
from companion.commands.terminal import Exit, Terminal, json_argument, terminal
from companion.core.errors import NotationError
from companion.core.message import Say
from companion.core.message import message as _

READ = "read"


def arguments(parser: ArgumentParser, say: Say) -> None:
    names = ", ".join((*BENCHES, READ))
    name = say(_("Measure only this one of %(names)s.", names=names))
    parser.add_argument("name", metavar=say(_("NAME")), nargs="?", help=name)
    folder = say(_("For read: the folder with labelled photos of kingdoms."))
    parser.add_argument("folder", metavar=say(_("FOLDER")), nargs="?", type=Path, help=folder)
    annotate = say(_("For read: a folder for the photos with what was read drawn over them."))
    parser.add_argument("--annotate", metavar=say(_("OUT")), type=Path, help=annotate)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    if args.name == READ:
        return _read(args, terminal(args))
    if args.folder is not None or args.annotate is not None:
        raise NotationError(_("Only the bench “read” takes a folder."))
    if args.name not in (None, *BENCHES):
        known = ", ".join((*BENCHES, READ))
        raise NotationError(
            _("There is no bench “%(name)s”, only %(known)s.", name=args.name[:40], known=known)
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


def _read(args: Namespace, reader: Terminal) -> int:
    if args.folder is None:
        raise NotationError(_("Which folder? companion bench read FOLDER"))
    # Imported here: no other bench needs pictures, and starting has to be quick.
    from companion.commands.photo_reading import PhotoReader
    from companion.commands.read_bench import Figures, labelled, measure
    from companion.vision.shipped import shipped

    photos, sessions = PhotoReader(shipped("kingdomino")), dict[str, Figures]()
    for known in labelled(args.folder):
        figures = sessions.setdefault(known.session, Figures(known.session))
        wrong = measure(photos, known, figures, args.annotate)
        if wrong:
            reader.say(f"{known.file.name}: {wrong}")
    for figures in sessions.values():
        _tell(reader, figures.row())
    reader.data([figures.row() for figures in sessions.values()])
    return Exit.DONE


def _tell(reader: Terminal, row: dict[str, Any]) -> None:
    reader.say(
        _(
            "%(session)s: %(right)d of %(squares)d squares, %(asked)d asked about, %(silent)d silently wrong; "
            "scores of %(photos)d photos: %(scores)d right (%(sure)d without a question), %(doubted)d asked, "
            "%(wrong)d silently wrong, %(refused)d without a kingdom.",
            session=row["session"],
            right=row["squares_right"],
            squares=row["squares"],
            asked=row["squares_asked"],
            silent=row["squares_silently_wrong"],
            photos=row["photos"],
            scores=row["scores_right"],
            sure=row["scores_sure"],
            doubted=row["scores_asked"],
            wrong=row["scores_silently_wrong"],
            refused=row["refused"],
        )
    )
    reader.say("  " + ", ".join(f"{step} {ms} ms" for step, ms in row["median_ms"].items()))


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
