"""How well and how fast labelled photos of kingdoms are read: `python -m models.train.reading_accuracy FOLDER`.

The folder holds `labels.json` and the photos it names. `--annotate OUT` draws what was read over each photo,
`--others` names a folder of pictures that show no kingdom, `--gallery` an enrolled box to read by, and
`--left-out` reads every session by numbers that were chosen on the others. Figures come session by session,
for people or with `--json`.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from companion.commands.documents import parse_json, read_text
from companion.commands.terminal import Exit, Terminal, exit_code, terminal
from companion.core.errors import CompanionError, NotationError
from companion.core.message import message as _
from companion.games.kingdomino.rules.kingdom import Cell, kingdom_around_castle
from companion.games.kingdomino.rules.pieces import CASTLE, SQUARES, Square, Terrain
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.photographed import KingdominoPhotos
from companion.household.settings import load_settings
from companion.photos.reader import NOTHING, PhotoRead, PhotoReader, annotate_reads
from companion.vision.gallery import squares as galleries
from companion.vision.gallery.box import BoxRepository
from companion.vision.photo.annotate import save_picture

LABELS = "labels.json"
CORNERS = "corners_px_TL_TR_BR_BL"
MOST_PHOTOS = 10_000
LONGEST_NAME = 40
SIDES = range(3, 8)
"""Places of a row or a column of a kingdom that is labelled: of five one may be empty from end to end."""
FOLDERS = ("boards", "photos")


@dataclass(frozen=True)
class Labelled:
    """A photo somebody has labelled."""

    file: Path
    session: str
    """Photos taken together: the same light, camera and table."""
    squares: Mapping[Cell, str]
    score: int
    corners: tuple[tuple[float, float], ...] | None = None
    """Of the kingdom in pixels of the photo, clockwise from the upper left of its first place, if they are known."""


APART = frozenset({"session", "times"})
"""What figures have besides what can be added."""


@dataclass
class Figures:
    """What came of the photos of one session."""

    session: str
    photos: int = 0
    squares: int = 0
    squares_right: int = 0
    squares_asked: int = 0
    """Places in doubt, right or not."""
    questions: int = 0
    """All of them; about all places that are taken for empty together it is one."""
    kingdoms_asked: int = 0
    """Of these, questions about whole kingdoms: a row may be missing, or more lies beside it."""
    squares_silently_wrong: int = 0
    scores_right: int = 0
    scores_sure: int = 0
    """Right, and nothing was asked."""
    scores_asked: int = 0
    """Wrong, and somebody is asked before it counts."""
    scores_silently_wrong: int = 0
    silently_wrong: list[str] = field(default_factory=list)
    """Those photos."""
    refused: int = 0
    """Photos in which no kingdom was found."""
    times: dict[str, list[float]] = field(default_factory=dict)

    def __add__(self, other: Figures) -> Figures:
        """Those of both; the session is the first one's."""
        both = {name: value + getattr(other, name) for name, value in vars(self).items() if name not in APART}
        every = {
            step: self.times.get(step, []) + other.times.get(step, [])
            for step in {**self.times, **other.times}
        }
        return Figures(**{**both, "session": self.session, "times": every})

    def row(self) -> dict[str, Any]:
        """What scripts read."""
        known = {name: value for name, value in vars(self).items() if name != "times"}
        return {**known, "median_ms": {step: round(median(t) * 1e3, 1) for step, t in self.times.items()}}


PHOTOS = KingdominoPhotos()


def labelled(folder: Path) -> Iterator[Labelled]:
    """The photos of a folder by its labels."""
    try:
        table = parse_json(read_text(str(folder / LABELS)))
    except CompanionError as error:
        raise NotationError(_("%(file)s: %(reason)s", file=LABELS, reason=error.message)) from error
    if not isinstance(table, dict) or not any(name in table for name in FOLDERS):
        raise NotationError(_("%(file)s has neither “boards” nor “photos”.", file=LABELS))
    if not all(isinstance(table.get(name, {}), dict) for name in FOLDERS):
        raise NotationError(
            _("“boards” and “photos” in %(file)s name photos, each with its label.", file=LABELS)
        )
    entries = [(part, name, entry) for part in FOLDERS for name, entry in table.get(part, {}).items()]
    if not entries:
        raise NotationError(_("%(file)s names no photo.", file=LABELS))
    if len(entries) > MOST_PHOTOS:
        raise NotationError(_("At most %(limit)d photos can be measured at a time.", limit=MOST_PHOTOS))
    for part, name, entry in entries:
        yield _labelled(folder / part, name, entry)


def _labelled(folder: Path, name: str, entry: Any) -> Labelled:
    try:
        rows = [[_square(place) for place in row] for row in entry["grid"]]
        session = str(entry.get("session") or Path(name).stem.rstrip("0123456789"))[:LONGEST_NAME]
        score = _number(entry["score"])
        corners = tuple((float(x), float(y)) for x, y in entry.get(CORNERS, ())) or None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotationError(_("The label of %(name)s cannot be read.", name=name[:60])) from error
    squares = {(x, y): square for y, row in enumerate(rows) for x, square in enumerate(row)}
    _check(name, rows, squares, score)
    labels = {cell: label_text(square) for cell, square in squares.items()}
    return Labelled(folder / Path(name).name, session, labels, score, corners)


def _square(place: Mapping[str, Any]) -> Square | None:
    if place["terrain"] == "empty":
        return None
    square = Square(Terrain(place["terrain"]), _number(place["crowns"]))
    if square != CASTLE and not SQUARES.get(square):
        raise ValueError(f"the box has no {square}")
    return square


def _number(said: Any) -> int:
    """JSON's true is no number, and half a point is none."""
    if type(said) is not int:
        raise ValueError(f"{said!r} is no whole number")
    return said


def _check(
    name: str, rows: Sequence[Sequence[object]], squares: Mapping[Cell, Square | None], score: int
) -> None:
    """Refuse a label that would call a right reading wrong."""
    sides = {len(rows), *map(len, rows)}
    if not sides <= {*SIDES} or len({*map(len, rows)}) > 1 or list(squares.values()).count(CASTLE) != 1:
        raise NotationError(
            _(
                "The label of %(name)s is no kingdom: it has rows of one length, %(least)d to %(most)d places each "
                "way, and one castle.",
                name=name[:60],
                least=SIDES[0],
                most=SIDES[-1],
            )
        )
    kingdom = kingdom_around_castle({cell: one for cell, one in squares.items() if one}, SIDES[-1])
    points = property_points(kingdom) if kingdom else 0
    if points != score:
        raise NotationError(
            _(
                "The label of %(name)s contradicts itself: its squares are worth %(points)d, its score is %(score)d.",
                name=name[:60],
                points=points,
                score=score,
            )
        )


def label_text(square: Square | None) -> str:
    """A square in two signs; the castle as C."""
    if square is None:
        return NOTHING
    return "C" if square == CASTLE else str(square)


def turned(cell: Cell, columns: int, rows: int, quarters: int) -> Cell:
    """Where a place is after turning a rectangle of places clockwise."""
    for _quarter in range(quarters):
        cell, columns, rows = (rows - 1 - cell[1], cell[0]), rows, columns
    return cell


def match_label(known: Labelled, read: PhotoRead) -> tuple[Mapping[Cell, str], frozenset[Cell]]:
    """The places that were read, and those asked about, turned as the labels are: a photo has no upper side."""
    if read.found is None or read.shown is None:
        return {}, frozenset()
    columns, rows, shown = read.found.columns, read.found.rows, read.shown
    places = {cell: label_text(shown.squares.get(cell)) for cell in read.found.looks.cells}
    ways = []
    for quarters in range(4):
        there = {turned(cell, columns, rows, quarters): square for cell, square in places.items()}
        asked = frozenset(turned(one.cell, columns, rows, quarters) for one in shown.unsure)
        ways.append((sum(there.get(cell) == square for cell, square in known.squares.items()), there, asked))
    _right, there, asked = max(ways, key=lambda way: way[0])
    return there, asked


def count_photo(figures: Figures, known: Labelled, read: PhotoRead) -> bool:
    """Add one photo to the figures of its session; whether all of it was right."""
    places, asked = match_label(known, read)
    wrong = {cell for cell, square in known.squares.items() if places.get(cell, NOTHING) != square}
    wrong |= {cell for cell, square in places.items() if known.squares.get(cell, NOTHING) != square}
    figures.photos += 1
    figures.squares += len(known.squares)
    for step, seconds in read.times.items():
        figures.times.setdefault(step, []).append(seconds)
    if read.times:
        figures.times.setdefault("all", []).append(sum(read.times.values()))
    if read.shown is None:
        figures.refused += 1
        return False
    figures.squares_right += len(known.squares) - len(wrong & set(known.squares))
    figures.squares_asked += len(asked)
    whole = (not read.shown.whole) + (not read.shown.alone)
    figures.kingdoms_asked += whole
    figures.questions += len(read.shown.questions) + whole
    figures.squares_silently_wrong += len(wrong - asked)
    if read.shown.points == known.score:
        figures.scores_right += 1
        figures.scores_sure += not read.shown.asks
    elif read.shown.asks:
        figures.scores_asked += 1
    else:
        figures.scores_silently_wrong += 1
        figures.silently_wrong.append(known.file.name)
    return not wrong


def measure_photo(reader: PhotoReader, known: Labelled, figures: Figures, annotate: Path | None) -> str:
    """Read one photo; what is wrong with it in a few words, or nothing."""
    try:
        read = reader.read(known.file.read_bytes())
    except OSError as error:
        raise NotationError(_("%(file)s cannot be read.", file=known.file.name)) from error
    except CompanionError as error:
        raise NotationError(_("%(file)s: %(reason)s", file=known.file.name, reason=error.message)) from error
    right = count_photo(figures, known, read)
    if annotate is not None:
        _draw(annotate, known, read, right)
    if right:
        return ""
    places, asked = match_label(known, read)
    wrong = [
        f"{cell[0]},{cell[1]} {square} as {places.get(cell, 'nothing')}{' (asked)' if cell in asked else ''}"
        for cell, square in known.squares.items()
        if places.get(cell, NOTHING) != square
    ]
    return ", ".join(wrong) if read.shown else "no kingdom found"


def measure_other(reader: PhotoReader, file: Path) -> str:
    """What comes of a picture that shows no kingdom: nothing, a question or a reason, or points."""
    try:
        read = reader.read(file.read_bytes())
    except CompanionError as error:
        return str(error)
    if read.shown is None:
        return ""
    return "asked" if read.shown.asks else "counted"


def _draw(folder: Path, known: Labelled, read: PhotoRead, right: bool) -> None:
    points = None if read.shown is None else read.shown.points
    title = f"{known.file.name}: {points}, labelled {known.score}{_about_the_whole(read)}"
    name = re.sub(r"[^\w-]", "_", f"{'' if right else 'wrong_'}{known.session}_{known.file.stem}")
    save_picture(annotate_reads(PHOTOS, read.picture, [read], title), folder / f"{name}.jpg")


def _about_the_whole(read: PhotoRead) -> str:
    """What is asked about the kingdom as a whole, in the letters that can be drawn."""
    if read.shown is None:
        return ", no kingdom"
    asked = ((read.shown.whole, "a row missing?"), (read.shown.alone, "more beside it?"))
    return "".join(f", {question}" for sure, question in asked if not sure)


PICTURES = (".jpg", ".jpeg", ".png")
EVERY_SESSION = "*"
"""What stands for all sessions together."""
_LEGEND = _(
    "Squares are told by the first letter of wheat, forest, lake, grassland, swamp or mine and their crowns; "
    "C is the castle, - a place without a piece."
)
COUNTED = "counted"
"""What came of a picture that shows no kingdom and got points all the same."""


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        "reading_accuracy", description="How well and how fast labelled photos of kingdoms are read."
    )
    parser.add_argument("folder", type=Path, help="labels.json and the photos it names")
    parser.add_argument(
        "--annotate", type=Path, help="a folder for the photos with what was read drawn over them"
    )
    parser.add_argument(
        "--others", type=Path, help="a folder of pictures that show no kingdom; none may get points"
    )
    parser.add_argument("--gallery", help="the enrolled gallery to read by, instead of the shipped one")
    parser.add_argument(
        "--left-out",
        nargs="?",
        choices=("doubts", "all"),
        const="doubts",
        help="choose numbers on the other sessions: those that judge, or also those that find pieces (slow)",
    )
    parser.add_argument("--config", type=Path, help="the settings file to use instead of the one found")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    args = parser.parse_args(words)
    try:
        return _run(args, terminal(args))
    except CompanionError as error:
        terminal().complain(error.message)
        return exit_code(error)


def _run(args: Namespace, reader: Terminal) -> int:
    boxes = BoxRepository(load_settings(args.config).settings.data_folder)
    photos = PhotoReader(
        PHOTOS, boxes.load(args.gallery) if args.gallery else galleries.load_shipped("kingdomino")
    )
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
    sessions = dict[str, Figures]()
    for one in reader.counted(known):
        figures = sessions.setdefault(one.session, Figures(one.session))
        if wrong := measure_photo(photos, one, figures, args.annotate):
            reader.say(f"{one.file.name}: {wrong}")
    reader.say(_LEGEND)
    for figures in sessions.values():
        _tell(reader, figures.row())
    rows = [figures.row() for figures in sessions.values()]
    if len(sessions) > 1:
        every = sum(sessions.values(), Figures(EVERY_SESSION))
        _tell(reader, every.row())
        rows.append(every.row())
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
    # Imported here: it measures by what stands above.
    from models.train.thresholds import SampleReader, ThresholdSearch, covered_samples, samples

    sessions = list(dict.fromkeys(one.session for one in known))
    if len(sessions) < 2:
        raise NotationError(_("Leaving a session out needs photos of at least two sessions."))
    shown, covered = list(samples(known, others)), list(covered_samples(known))
    trial = ThresholdSearch(SampleReader(photos, shown), SampleReader(photos, covered), every)
    rows = []
    for session in reader.counted(sessions):
        found = trial.leave_out(session)
        rows.append(found.row())
        _tell(reader, found.photos.row())
        reader.say(_("Spoilt on purpose:"))
        _tell(reader, found.spoilt.row())
        reader.say("  " + ", ".join(f"{outcome} {count}" for outcome, count in found.covered.items()))
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
            "%(questions)d questions, %(kingdoms)d of them about whole kingdoms; "
            "scores of %(photos)d photos: %(scores)d right (%(sure)d without a question), %(doubted)d asked, "
            "%(wrong)d silently wrong, %(refused)d without a kingdom.",
            session=row["session"],
            right=row["squares_right"],
            squares=row["squares"],
            asked=row["squares_asked"],
            questions=row["questions"],
            kingdoms=row["kingdoms_asked"],
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


if __name__ == "__main__":
    sys.exit(main())
