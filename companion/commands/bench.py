"""`companion bench [NAME]`: how fast the companion is on this computer, and how well it reads photos."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from companion.commands.benches import BENCHES, Burden
from companion.commands.terminal import Exit, Terminal, config_argument, json_argument, terminal
from companion.core.errors import NotationError
from companion.core.message import Say
from companion.core.message import message as _
from companion.household.settings import load_settings

if TYPE_CHECKING:
    from companion.photos.photos import PhotoReader
    from models.train.read_bench import Labelled

READ = "read"
PICTURES = (".jpg", ".jpeg", ".png")
COUNTED = "counted"
"""What came of a picture that shows no kingdom and got points all the same."""


def arguments(parser: ArgumentParser, say: Say) -> None:
    names = ", ".join((*BENCHES, READ))
    name = say(_("Measure only this one of %(names)s.", names=names))
    parser.add_argument("name", metavar=say(_("NAME")), nargs="?", help=name)
    folder = say(_("For read: the folder with labelled photos of kingdoms."))
    parser.add_argument("folder", metavar=say(_("FOLDER")), nargs="?", type=Path, help=folder)
    annotate = say(_("For read: a folder for the photos with what was read drawn over them."))
    parser.add_argument("--annotate", metavar=say(_("OUT")), type=Path, help=annotate)
    others = say(_("For read: a folder with pictures that show no kingdom; they must get no points."))
    parser.add_argument("--others", metavar=say(_("OTHERS")), type=Path, help=others)
    gallery = say(_("For read: the enrolled gallery to read by, instead of the shipped one."))
    parser.add_argument("--gallery", metavar=say(_("NAME")), help=gallery)
    left_out = say(
        _(
            "For read: choose numbers on the other sessions before a session is read: those that judge (doubts), "
            "or those that find pieces, too (all), which takes ten times as long."
        )
    )
    parser.add_argument("--left-out", nargs="?", choices=("doubts", "all"), const="doubts", help=left_out)
    config_argument(parser, say)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    if args.name == READ:
        return _read(args, terminal(args))
    if any((args.folder, args.annotate, args.others, args.gallery, args.left_out)):
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
    from companion.photos.photos import PhotoReader
    from companion.vision.gallery.boxes import BoxRepository
    from companion.vision.gallery.shipped import load_shipped
    from models.train.read_bench import labelled

    boxes = BoxRepository(load_settings(args.config).settings.data_folder)
    photos = PhotoReader(boxes.load(args.gallery) if args.gallery else load_shipped("kingdomino"))
    known, others = list(labelled(args.folder)), _pictures(args.others)
    if args.left_out:
        return _left_out(photos, known, others, reader, args.left_out == "all")
    return _as_it_is(args, photos, known, others, reader)


def _as_it_is(
    args: Namespace,
    photos: PhotoReader,
    known: Sequence[Labelled],
    others: Sequence[Path],
    reader: Terminal,
) -> int:
    from models.train.read_bench import Figures, measure_other, measure_photo

    sessions = dict[str, Figures]()
    for one in reader.counted(known):
        figures = sessions.setdefault(one.session, Figures(one.session))
        if wrong := measure_photo(photos, one, figures, args.annotate):
            reader.say(f"{one.file.name}: {wrong}")
    for figures in sessions.values():
        _tell(reader, figures.row())
    rows = [figures.row() for figures in sessions.values()]
    if others:
        outcomes = [(file.name, measure_other(photos, file)) for file in reader.counted(others)]
        for name, outcome in outcomes:
            if outcome:
                reader.say(f"{name}: {outcome}")
        counted = sum(outcome == COUNTED for _name, outcome in outcomes)
        reader.say(
            _(
                "Of %(count)d pictures of other things %(counted)d got points.",
                count=len(others),
                counted=counted,
            )
        )
        rows.append({"others": len(others), "counted": counted})
    reader.data(rows)
    return Exit.DONE


def _left_out(
    photos: PhotoReader, known: Sequence[Labelled], others: Sequence[Path], reader: Terminal, every: bool
) -> int:
    from models.train.left_out import ThresholdSearch, samples

    sessions = list(dict.fromkeys(one.session for one in known))
    if len(sessions) < 2:
        raise NotationError(_("Leaving a session out needs photos of at least two sessions."))
    trial, rows = ThresholdSearch(photos, list(samples(known, others)), every), []
    for session in reader.counted(sessions):
        found = trial.leave_out(session)
        rows.append(found.row())
        _tell(reader, found.photos.row())
        reader.say(_("Spoilt on purpose:"))
        _tell(reader, found.spoilt.row())
        reader.say(_numbers(found.chosen))
        pictures, refused, counted = found.others
        if pictures:
            reader.say(f"  {pictures} others, {refused} refused, {counted} counted")
    by_all = trial.choose()
    reader.say(" + ".join(sessions) + ":")
    reader.say(_numbers(by_all))
    reader.data([*rows, {"left_out": None, "chosen": dict(by_all)}])
    return Exit.DONE


def _numbers(chosen: Mapping[str, float]) -> str:
    return "  " + ", ".join(f"{name} {value:g}" for name, value in chosen.items())


def _pictures(folder: Path | None) -> list[Path]:
    if folder is None:
        return []
    if not folder.is_dir():
        raise NotationError(_("There is no folder %(folder)s.", folder=folder.name))
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() in PICTURES)


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
    if row["silently_wrong"]:
        reader.say(" ", _("Silently wrong: %(photos)s.", photos=", ".join(row["silently_wrong"])))
    if row["median_ms"]:
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
