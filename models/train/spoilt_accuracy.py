"""How labelled photos are read that were spoilt on purpose: `python -m models.train.spoilt_accuracy FOLDER…`.

Every photo is spoilt in every way of `models.train.spoiling`, by fixed seeds. A kingdom counts as asked about well
when its score is right once every question is answered rightly.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from companion.commands.terminal import Exit, exit_code, terminal
from companion.core.errors import CompanionError
from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Square
from companion.games.kingdomino.sight.photo import find_tilings
from companion.photos.reader import PhotoRead, PhotoReader, annotate_reads
from companion.vision.gallery import squares as galleries
from companion.vision.photo.annotate import save_picture
from companion.vision.photo.grid import grid_of_picture, score_cells, view_grid
from companion.vision.picture_file import decode_picture, size_of
from models.train.reading_accuracy import PHOTOS, Labelled, labelled, turned
from models.train.scenes import Domino, LaidKingdom, Scene, points_of, scene_of, straightened
from models.train.spoiling import SPOILT, spoilt

SHIFTS = range(-2, 3)
"""Columns and rows by which what was read may lie beside what is labelled."""
WORKED_ON = 1600
"""Pixels of the longer side of a photo before it is spoilt."""
NEIGHBOURS = 3
"""Other photos of a session that come into a picture of several kingdoms."""


class Outcome(StrEnum):
    """What came of a kingdom; the worst last."""

    SURE = "right without a question"
    CONFIRMED = "right with questions"
    ASKED = "wrong, and asked about"
    REFUSED = "refused"
    MISLED = "wrong although every question was answered"
    SILENT = "silently wrong"


@dataclass(frozen=True)
class Result:
    """What came of a kingdom of a spoilt photo."""

    session: str
    photo: str
    kind: str
    outcome: Outcome
    questions: int
    ms: float
    """Of the whole picture."""


def outcomes(scene: Scene, reads: Sequence[PhotoRead]) -> Iterator[tuple[Outcome, int]]:
    """What came of each kingdom of a picture, and in how many questions."""
    found: dict[int, list[tuple[Outcome, int]]] = {}
    for read in reads:
        if read.shown and read.found:
            best = [_matched(known, read) for known in scene.kingdoms]
            which = max(range(len(best)), key=lambda index: best[index][0])
            found.setdefault(which, []).append(_outcome(scene.kingdoms[which], read, best[which][1]))
    for index in range(len(scene.kingdoms)):
        yield max(found.get(index, [(Outcome.REFUSED, 0)]), key=lambda one: [*Outcome].index(one[0]))


def _matched(known: LaidKingdom, read: PhotoRead) -> tuple[int, Mapping[Cell, Cell]]:
    """How many squares are right where the label fits best, and which place of it each place shows then."""
    assert read.found
    assert read.shown
    columns, rows = read.found.columns, read.found.rows
    ways = []
    for quarters in range(4):
        there = {cell: turned(cell, columns, rows, quarters) for cell in read.found.looks.cells}
        for right in SHIFTS:
            for down in SHIFTS:
                to = {cell: (x + right, y + down) for cell, (x, y) in there.items()}
                alike = sum(
                    bool(square) and known.squares.get(to[cell]) == square
                    for cell, square in read.shown.squares.items()
                )
                ways.append((alike, -abs(right) - abs(down), to))
    alike, _near, to = max(ways, key=lambda way: way[:2])
    return alike, to


def _outcome(known: LaidKingdom, read: PhotoRead, to: Mapping[Cell, Cell]) -> tuple[Outcome, int]:
    assert read.shown
    shown, asked = read.shown, {one.cell for one in read.shown.unsure}
    if any(known.squares.get(to[cell]) == CASTLE != shown.squares.get(cell) for cell in asked):
        # Whoever says where the castle is, is asked what else lies where it was seen.
        asked |= {cell for cell, square in shown.squares.items() if square == CASTLE}
    answered: dict[Cell, Square | None] = {
        to[cell]: known.squares.get(to[cell]) if cell in asked else shown.squares.get(cell) for cell in to
    }
    if not (shown.whole and shown.alone):
        answered = {cell: known.squares.get(cell) for cell in known.squares} | answered
    questions = len(shown.questions) + (not shown.whole) + (not shown.alone)
    if not shown.asks:
        return (Outcome.SURE if shown.points == known.points else Outcome.SILENT), 0
    if points_of(answered) != known.points:
        return Outcome.MISLED, questions
    return (Outcome.CONFIRMED if shown.points == known.points else Outcome.ASKED), questions


def scenes(known: Sequence[Labelled]) -> Iterator[tuple[Labelled, Scene]]:
    """The photos as scenes; one that shows more than its kingdom needs the corners in its label."""
    for one in known:
        data = one.file.read_bytes()
        if one.corners is None and one.file.parent.name != "boards":
            continue
        picture = decode_picture(data, WORKED_ON)
        scale = min(1.0, WORKED_ON / max(picture.shape[:2]))
        small = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        corners = (
            None if one.corners is None else np.array(one.corners) * max(small.shape[:2]) / max(size_of(data))
        )
        scene = scene_of(small, one.squares, corners)
        yield one, replace(scene, kingdoms=(replace(scene.kingdom, dominoes=_dominoes(scene)),))


def _dominoes(scene: Scene) -> tuple[Domino, ...]:
    """Which squares belong together, as far as the photo as it is says so: what is laid anew are real dominoes."""
    kingdom, upright = scene.kingdom, np.asarray(straightened(scene), np.uint8)
    grid = grid_of_picture(upright, kingdom.columns, kingdom.rows)
    looks = score_cells(view_grid(upright, grid, 0, 0, kingdom.columns, kingdom.rows), _reader().gallery)
    found = find_tilings(_reader().ways[0].rows, dict(zip(looks.cells, looks.scores.tolist(), strict=True)))
    # Both halves of a domino are laid one after the other, the castle between two dominoes.
    laid = (
        [cell for cell, square in found.tilings[0].squares.items() if square != CASTLE]
        if found.tilings
        else []
    )
    pairs = zip(laid[::2], laid[1::2], strict=True)
    return tuple(pair for pair in pairs if all(kingdom.squares.get(cell) for cell in pair))


@cache
def _reader() -> PhotoReader:
    return PhotoReader(PHOTOS, galleries.load_shipped("kingdomino"))


@dataclass(frozen=True)
class _Work:
    """A photo to be spoilt and read, in another process."""

    seed: int
    known: Labelled
    scene: Scene
    others: tuple[Scene, ...]
    kinds: frozenset[str]
    annotate: Path | None


def _measured(work: _Work) -> list[Result]:
    return list(_results(work))


def _results(work: _Work) -> Iterator[Result]:
    for kind, scene in spoilt(work.scene, work.others, work.seed, work.kinds):
        began = perf_counter()
        reads = _reader().read_table(scene.picture)
        ms = (perf_counter() - began) * 1e3
        found = list(outcomes(scene, reads))
        for outcome, questions in found:
            yield Result(work.known.session, work.known.file.name, kind, outcome, questions, ms)
        if work.annotate:
            worst = max((outcome for outcome, _questions in found), key=[*Outcome].index)
            name = f"{worst.name.lower()}_{kind.replace(' ', '_')}_{work.known.file.stem}.jpg"
            points = " ".join(str(one.points) for one in scene.kingdoms)
            save_picture(
                annotate_reads(PHOTOS, scene.picture, reads, f"{worst}: {points}"), work.annotate / name
            )


def measure(
    folders: Sequence[Path],
    kinds: Sequence[str] = (),
    sessions: Sequence[str] = (),
    annotate: Path | None = None,
    jobs: int = 1,
) -> Iterator[Result]:
    """Spoil and read the labelled photos of folders, each in the ways that are named, or in all."""
    known = [one for folder in folders for one in scenes(list(labelled(folder)))]
    works = [
        _Work(seed, one, scene, _neighbours(scene, one, known), frozenset(kinds or SPOILT), annotate)
        for seed, (one, scene) in enumerate(known)
        if not sessions or one.session in sessions
    ]
    if jobs == 1:
        for work in works:
            yield from _results(work)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for results in pool.map(_measured, works):
            yield from results


def _neighbours(scene: Scene, one: Labelled, known: Sequence[tuple[Labelled, Scene]]) -> tuple[Scene, ...]:
    """Kingdoms of the same session that one box has dominoes for together with this one."""
    box = Counter(frozenset({domino.left, domino.right}) for domino in DOMINOES.values())
    box.subtract(scene.kingdom.kinds)
    chosen = []
    for other, there in known:
        left = box.copy()
        left.subtract(there.kingdom.kinds)
        if other.session == one.session and other is not one and min(left.values()) >= 0:
            chosen.append(there)
            box = left
    return tuple(chosen[:NEIGHBOURS])


def table_of(results: Sequence[Result]) -> dict[str, Any]:
    """The figures of some kingdoms."""
    came = Counter(one.outcome for one in results)
    return {
        "kingdoms": len(results),
        **{outcome.name.lower(): came[outcome] for outcome in Outcome},
        "questions": sum(one.questions for one in results),
        "median_ms": round(median(one.ms for one in results), 1) if results else 0.0,
    }


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser("spoilt_accuracy", description="How photos are read that were spoilt on purpose.")
    parser.add_argument("folders", type=Path, nargs="+", help="labels.json and the photos it names")
    parser.add_argument(
        "--kind", action="append", choices=[*SPOILT], help="spoil in this way alone; may be repeated"
    )
    parser.add_argument("--session", action="append", help="photos of this session alone; may be repeated")
    parser.add_argument(
        "--annotate", type=Path, help="a folder for the pictures with what was read drawn over them"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    args = parser.parse_args(words)
    reader = terminal(args)
    try:
        results = list(measure(args.folders, args.kind or (), args.session or (), args.annotate, args.jobs))
    except CompanionError as error:
        reader.complain(error.message)
        return exit_code(error)
    rows = []
    for key, name in (("session", "session"), ("kind", "kind")):
        for value in dict.fromkeys(getattr(one, name) for one in results):
            rows.append({key: value, **table_of([one for one in results if getattr(one, name) == value])})
    rows.append({"all": True, **table_of(results)})
    for row in rows:
        reader.say("  ".join(f"{name} {value}" for name, value in row.items()))
    for one in results:
        if one.outcome in (Outcome.MISLED, Outcome.SILENT):
            reader.say(f"{one.outcome}: {one.photo}, {one.kind}")
    reader.data(rows)
    return Exit.DONE


if __name__ == "__main__":
    sys.exit(main())
