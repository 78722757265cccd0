"""Films made out of real photos of finished kingdoms, and what the camera above the table makes of them.

`python -m tests.bench.films FOLDER`: `labels.json` and the photos it names, as for `models.train.reading_accuracy`.
Dominoes are taken away one after the other in the reverse of an order in which people may have laid them, and
covered with the photo's own table, or, where a photo ends at the kingdom's edges, with another one (`--ground`). The
kingdom then grows before a companion that only counts. With `--into` the films are kept, a folder each: numbered
pictures, and `script.json` with what lies there in each.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import Mat
from companion.app import Clock, Rig, open_rig
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.rules.kingdom import HOME, STEPS, Cell, Kingdom, Placement, around
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Square, Terrain
from companion.games.kingdomino.sight.layout import SIDE
from companion.household.settings import CameraSettings, Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.virtual.art import GROUND_LIMIT, Print
from companion.virtual.camera import ROOM
from companion.virtual.rasterizer import PAPER, stamp_face
from companion.virtual.renderer import MARGIN, ground, marker_card
from companion.watch.state import Status
from hardware.camera import FRAME_S, Frame
from tests.bench.pictures import enrolled

GAME = GAMES["kingdomino"]
MAT = Mat()
SIZES = "1280x720", "1920x1080", "4056x3040"
BEYOND_MM = 25
"""Table that is seen around the mat."""
PATCH_MM, SMOOTH_MM, COARSE_MM = 18, 45, 4
GROWN_MM = 5
"""Around a kingdom there is its shadow: none of the table."""
LARGEST = 5
"""Squares of a side; larger kingdoms are for two players, whose castles a photo does not tell."""
MOST_TILINGS = 1000
AS_IT_LIES = "as it lies in the photo"
LEAST_S, MOST_S = 1.6, 6.0
"""How long each picture is looked at: longer than the table has to be still, and until it has been read."""
QUALITY = 92

Pixels = NDArray[np.uint8]


# -- what happened -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finished:
    """A labelled photo of a finished kingdom."""

    file: Path
    session: str
    squares: Mapping[Cell, Square]
    """By column and row of the grid."""
    columns: int
    rows: int
    corners: tuple[tuple[float, float], ...] = ()
    """Of the grid in the photo, clockwise from the upper left; empty where the photo ends there."""

    @property
    def home(self) -> Cell:
        return next(cell for cell, square in self.squares.items() if square == CASTLE)


def finished(folder: Path) -> Iterator[Finished]:
    """Every labelled photo of a folder with a castle in it."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for kind in ("boards", "photos"):
        for name, label in labels.get(kind, {}).items():
            file = next((one for one in (folder / kind / name, folder / name) if one.exists()), None)
            squares = {
                (column, row): Square(Terrain(one["terrain"]), one["crowns"])
                for row, line in enumerate(label["grid"])
                for column, one in enumerate(line)
                if one["terrain"] != "empty"
            }
            corners = tuple(tuple(corner) for corner in label.get("corners_px_TL_TR_BR_BL", ()))
            session = label.get("session") or re.sub(r"\d.*", "", name)
            if file and CASTLE in squares.values() and (kind == "boards" or corners):
                rows = label["grid"]
                yield Finished(file, session, squares, len(rows[0]), len(rows), corners)


def building_order(squares: Mapping[Cell, Square], home: Cell, size: int, seed: int) -> Kingdom | None:
    """The same squares laid domino by domino around the castle, as the rules allow it wherever that can be; None when
    no box has them."""
    cells = {(x - home[0], y - home[1]): square for (x, y), square in squares.items() if (x, y) != home}
    tilings, random = list(islice(_tilings(cells), MOST_TILINGS)), Random(seed)
    kingdoms = (_laid(tiling, size, random) for tiling in tilings)
    legal = (one for one in kingdoms if not any(laid.because for laid in one.placements))
    return next(legal, _laid(tilings[0], size, random) if tilings else None)


def _laid(tiling: Sequence[Placement], size: int, random: Random) -> Kingdom:
    """Laid in any order that the rules allow; where none is left, as it lies."""
    left, kingdom = list(tiling), Kingdom(size)
    while left:
        legal = [one for one in left if one in kingdom.placements_of(one.domino)]
        chosen = random.choice(legal or [one for one in left if _touches(one, kingdom)] or left)
        left.remove(chosen)
        kingdom = kingdom.laid(chosen if legal else chosen._replace(because=AS_IT_LIES))
    return kingdom


def _touches(placement: Placement, kingdom: Kingdom) -> bool:
    return any(near in kingdom.squares for cell in placement.cells for near in around(cell))


@cache
def _numbers() -> Mapping[tuple[Square, Square], tuple[int, ...]]:
    """The dominoes with these halves, left and right."""
    found = defaultdict[tuple[Square, Square], list[int]](list)
    for number, domino in sorted(DOMINOES.items()):
        found[domino.left, domino.right].append(number)
    return {halves: tuple(numbers) for halves, numbers in found.items()}


def _tilings(
    squares: Mapping[Cell, Square], used: frozenset[int] = frozenset()
) -> Iterator[tuple[Placement, ...]]:
    """Every way in which dominoes of one box make these squares, the places with the fewest ways first."""
    if not squares:
        yield ()
        return
    ways = min((list(_ways(cell, squares, used)) for cell in squares), key=len)
    for way in ways:
        rest = {cell: square for cell, square in squares.items() if cell not in way.cells}
        for others in _tilings(rest, used | {way.domino}):
            yield (way, *others)


def _ways(cell: Cell, squares: Mapping[Cell, Square], used: frozenset[int]) -> Iterator[Placement]:
    for direction, (dx, dy) in STEPS.items():
        for left, right in ((cell, (cell[0] + dx, cell[1] + dy)), ((cell[0] - dx, cell[1] - dy), cell)):
            if left in squares and right in squares:
                free = [n for n in _numbers().get((squares[left], squares[right]), ()) if n not in used]
                if free:
                    yield Placement(free[0], *left, direction)


# -- how it looked -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stage:
    """The table of a film, in pixels from above: with the finished kingdom, and with nothing."""

    scale: float
    """Pixels of a millimetre."""
    whole: Pixels
    empty: Pixels
    grid: tuple[float, float]
    """The upper left corner of the kingdom, in millimetres from the upper left of the picture."""

    def with_cells(self, cells: Sequence[Cell]) -> Pixels:
        """With these squares of the grid only."""
        shown = np.zeros(self.whole.shape[:2], np.uint8)
        for column, row in cells:
            places = [(self.grid[0] + x * SIDE, self.grid[1] + y * SIDE) for x, y in _corners(column, row)]
            corners = np.rint((np.array(places) * self.scale - 0.5) * 16).astype(np.int32)
            cv2.fillConvexPoly(shown, corners, (255,), cv2.LINE_AA, 4)
        part = shown[..., None].astype(np.float32) / 255
        picture = np.asarray(np.rint(self.whole * part + self.empty * (1 - part)), np.uint8)
        everything = (0, 0, picture.shape[1], picture.shape[0])
        for marker, (x, y) in MAT.middles.items():
            left, top = (x + BEYOND_MM) * self.scale, (y + BEYOND_MM) * self.scale
            card = stamp_face(marker_card(MAT, marker), left, top, 0, self.scale, PAPER)
            card.cast(picture, everything)
            card.lay(picture, everything)
        return picture


def _corners(column: int, row: int) -> tuple[tuple[int, int], ...]:
    return (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)


def stage(photo: Finished, scale: float, real: Print | None, seed: int) -> Stage:
    """The photo from above in the middle of a table with markers."""
    whole = np.array((MAT.width, MAT.height)) + 2 * BEYOND_MM
    sides = np.array((photo.columns, photo.rows)) * SIDE
    left, top = ((whole - sides) / 2).tolist()
    width, height = np.rint(whole * scale).astype(int).tolist()
    places = (np.array(_corners(0, 0)) * sides + (left, top)) * scale - 0.5
    seen, there = _from_above(photo, places, (width, height))
    if photo.corners:
        wider = (np.array(_corners(0, 0)) * 2 - 1) * GROWN_MM * scale
        cv2.fillConvexPoly(there, np.rint(places + wider).astype(np.int32), (0,))
        empty = own_table(seen, there > 250, scale, seed)
    else:
        empty = _other_table(scale, (width, height), real, seed)
    return Stage(scale, seen, empty, (left, top))


def _from_above(photo: Finished, places: NDArray[np.float64], size: tuple[int, int]) -> tuple[Pixels, Pixels]:
    """The photo with the corners of its grid in these places; and 255 where it shows anything."""
    read = cv2.imread(str(photo.file), cv2.IMREAD_COLOR)
    assert read is not None, f"{photo.file} is no picture"
    right, bottom = read.shape[1] - 0.5, read.shape[0] - 0.5
    edges = (-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)
    pixels: Any = read
    corners: NDArray[Any] = np.array(photo.corners or edges, np.float32)
    # No finer than it is shown: pixels that are skipped would leave their noise.
    while cv2.contourArea(corners) > 4 * cv2.contourArea(places.astype(np.float32)):
        pixels, corners = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), corners / 2
    matrix = cv2.getPerspectiveTransform(corners, places.astype(np.float32))
    shown = np.full(pixels.shape[:2], 255, np.uint8)
    seen, there = (cv2.warpPerspective(one, matrix, size, flags=cv2.INTER_LINEAR) for one in (pixels, shown))
    return np.asarray(seen, np.uint8), np.asarray(there, np.uint8)


def _other_table(scale: float, size: tuple[int, int], real: Print | None, seed: int) -> Pixels:
    """As much of another table as fits, at its own size."""
    whole = ground(MAT, scale, MARGIN, seed, real)
    left, top = (whole.shape[1] - size[0]) // 2, (whole.shape[0] - size[1]) // 2
    return np.ascontiguousarray(whole[top : top + size[1], left : left + size[0]])


def own_table(seen: Pixels, known: NDArray[np.bool_], scale: float, seed: int) -> Pixels:
    """The table all over: where it is not seen its light goes on smoothly, with its grain from elsewhere."""
    random = np.random.default_rng(seed)
    levels = seen.astype(np.float32)
    light = _light(levels, known, scale)
    grain = np.where(known[..., None], levels - light, 0)
    side = max(4, round(PATCH_MM * scale))
    whole = cv2.erode(known.astype(np.uint8), np.ones((side, side), np.uint8), anchor=(0, 0))
    rows, columns = np.nonzero(whole[: -side + 1, : -side + 1])
    filled = levels.copy()
    for top in range(0, seen.shape[0], side):
        for left in range(0, seen.shape[1], side):
            part = np.s_[top : top + side, left : left + side]
            if known[part].all() or not len(rows):
                continue
            pick = int(random.integers(len(rows)))
            patch = grain[rows[pick] : rows[pick] + side, columns[pick] : columns[pick] + side]
            height, width = filled[part].shape[:2]
            fresh = light[part] + patch[:height, :width]
            filled[part] = np.where(known[part][..., None], levels[part], fresh)
    return np.asarray(np.clip(np.rint(filled), 0, 255), np.uint8)


def _light(levels: NDArray[np.float32], known: NDArray[np.bool_], scale: float) -> NDArray[np.float32]:
    """What is known, smoothed and carried on to where nothing is known."""
    size = tuple(max(8, round(side / scale / COARSE_MM)) for side in levels.shape[1::-1])
    weight = np.asarray(cv2.resize(known.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)
    small = cv2.resize(levels * known[..., None], size, interpolation=cv2.INTER_AREA)
    small = small / np.maximum(weight, 1e-6)[..., None]
    smooth = _spread(np.asarray(small, np.float32), weight, SMOOTH_MM / COARSE_MM)
    return np.asarray(cv2.resize(smooth, levels.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _spread(levels: NDArray[np.float32], weight: NDArray[np.float32], px: float) -> NDArray[np.float32]:
    total, share = np.zeros_like(levels), np.zeros_like(weight)
    for wider in (8.0, 2.0, 1.0):  # what is near counts for more, where there is any
        near = cv2.GaussianBlur(weight, (0, 0), px * wider)
        part = np.clip(near * 4, 0, 1)
        mean = (
            cv2.GaussianBlur(levels * weight[..., None], (0, 0), px * wider)
            / np.maximum(near, 1e-6)[..., None]
        )
        total = np.asarray(total * (1 - part[..., None]) + mean * part[..., None], np.float32)
        share = np.asarray(share * (1 - part) + part, np.float32)
    mean_level = (levels * weight[..., None]).sum((0, 1)) / max(float(weight.sum()), 1.0)
    return np.asarray(total + (1 - share[..., None]) * mean_level, np.float32)


def write_film(photo: Finished, kingdom: Kingdom, shown: Stage, folder: Path) -> None:
    """A picture with the castle alone, then one for each domino, after one of the empty table."""
    folder.mkdir(parents=True, exist_ok=True)
    cells, steps, (x, y) = list[Cell](), list[dict[str, Any]](), photo.home
    for number, placement in enumerate([None, *kingdom.placements]):
        cells += [HOME] if placement is None else placement.cells
        picture = shown.with_cells([(column + x, row + y) for column, row in cells])
        name = f"{number + 1:03}.jpg"
        cv2.imwrite(str(folder / name), picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
        squares = [[*cell, *_told(kingdom.squares[cell])] for cell in cells]
        steps.append({"picture": name, "placement": placement, "cells": squares})
    cv2.imwrite(str(folder / "000.jpg"), shown.with_cells([]), (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    script = {
        "photo": photo.file.name,
        "session": photo.session,
        "empty": "000.jpg",
        "steps": steps,
    }
    (folder / "script.json").write_text(json.dumps(script) + "\n", encoding="utf-8")


def _told(square: Square) -> tuple[str, int]:
    return square.terrain.value, square.crowns


# -- what is made of it --------------------------------------------------------------------------------------------


@dataclass
class Steps:
    """What came of the films of one session."""

    session: str
    size: str
    films: int = 0
    unlearned: int = 0
    """Films of whose empty table the companion would not learn anything, since it took it for pieces."""
    steps: int = 0
    """Dominoes laid, one a step."""
    right: int = 0
    """The kingdom as it lies was proposed, and nothing asked."""
    asked: int = 0
    disputed: int = 0
    """Said to be no kingdom: its castle not seen, or too large."""
    nothing: int = 0
    """Neither proposed nor asked."""
    silently_wrong: int = 0
    ends_right: int = 0
    """Films at the end of which the whole kingdom was proposed, and nothing asked."""
    wrong: list[str] = field(default_factory=list)
    """Which steps were silently wrong."""

    def __str__(self) -> str:
        return (
            f"{self.size} {self.session}: {self.films} films ({self.unlearned} on tables that could not be learned),"
            f" {self.steps} steps, {self.right} right,"
            f" {self.asked} asked, {self.disputed} disputed, {self.nothing} without a reading,"
            f" {self.silently_wrong} silently wrong; {self.ends_right} whole kingdoms right"
            + (f" ({', '.join(self.wrong)})" if self.wrong else "")
        )


class FilmCamera:
    """Shows one picture until another is put before it, by a clock of its own."""

    name = "film"

    def __init__(self) -> None:
        self.now, self._number = 0.0, 0
        self.pixels: Pixels = np.zeros((16, 16, 3), np.uint8)

    def frame(self) -> Frame:
        self.now, self._number = self.now + FRAME_S, self._number + 1
        return Frame(self.pixels, self.now, self._number)

    def close(self) -> None: ...


def watch_film(film: Path, found: Steps, data: Path) -> None:
    """Show a film to a companion that only counts, picture by picture."""
    script = json.loads((film / "script.json").read_text(encoding="utf-8"))
    sessions = LiveSessions(SessionRepository(f"sqlite:///{data / 'companion.db'}", GAMES))
    settings = Settings(store=Kept(folder=str(data)), camera=CameraSettings(source="folder", place=str(film)))
    camera = FilmCamera()
    rig = open_rig(settings, sessions, time=Clock(lambda: camera.now, lambda _seconds: None))
    try:
        rig.loop._camera = camera
        players = tuple(Player(f"{colour}", colour) for colour in tuple(GAME.colours)[: GAME.seats[-1]])
        setup = Setup(players, frozenset({"score_only"}))
        rig.watcher.follow(sessions.begin(GAME, setup, Source.COMMAND).id)
        _show(rig, camera, film / script["empty"])
        for _once_more in range(
            2
        ):  # a patterned table may look like pieces: then people have to say it twice
            if not rig.aimer.aim.empty:
                rig.aimer.learn_empty()
                _show(rig, camera, film / script["empty"])
        found.unlearned += not rig.aimer.aim.empty
        found.films += 1
        for number, step in enumerate(script["steps"]):
            _show(rig, camera, film / step["picture"])
            if number:  # the castle alone is no kingdom
                came = _judge(rig, step)
                found.steps += 1
                setattr(found, came, getattr(found, came) + 1)
                if came == "silently_wrong":
                    found.wrong.append(f"{film.name} {step['picture']}")
        found.ends_right += came == "right"
    finally:
        rig.close()
        sessions.close()


def _show(rig: Rig, camera: FilmCamera, picture: Path) -> None:
    pixels = cv2.imread(str(picture), cv2.IMREAD_COLOR)
    assert pixels is not None
    camera.pixels = np.asarray(pixels, np.uint8)
    since = camera.now
    while camera.now - since < LEAST_S or (
        camera.now - since < MOST_S and rig.watcher.watch.status in (Status.MOVING, Status.STARTING)
    ):
        rig.loop.step()


def _judge(rig: Rig, step: Mapping[str, Any]) -> str:
    reading = rig.watcher.watch.reading
    truth = {(x, y): Square(Terrain(terrain), crowns) for x, y, terrain, crowns in step["cells"]}
    if reading.doubts:
        _say_whose(rig, truth)
        return "asked"
    if reading.contradictions:
        return "disputed"
    shown = [one.event for one in reading.proposals if isinstance(one.event, KingdomShown)]
    if not shown or rig.watcher.watch.status is not Status.WATCHING:
        return "nothing"
    right = len(shown) == 1 and any(truth == turned for turned in _turned(shown[0].kingdom.squares))
    return "right" if right else "silently_wrong"


def _say_whose(rig: Rig, truth: Mapping[Cell, Square]) -> None:
    """Answer as people would where it is asked whose a kingdom is, if what was seen of it is true."""
    watch = rig.watcher.watch
    said = [choice.events[0] for choice in watch.reading.doubts[0].choices if choice.events]
    shown = [one.kingdom.squares for one in said if isinstance(one, KingdomShown)]
    if len(shown) > 1 and truth in _turned(shown[0]):
        rig.watcher.answer(watch.seq, watch.version, 0, 0)


def _turned(squares: Mapping[Cell, Square]) -> Iterator[Mapping[Cell, Square]]:
    """A photo has no upper side."""
    for _quarter in range(4):
        yield squares
        squares = {(-y, x): square for (x, y), square in squares.items()}


def main(words: list[str]) -> None:
    args = _parser().parse_args(words)
    photos = [one for one in finished(args.folder) if not args.session or one.session in args.session]
    small = [one for one in photos if max(one.columns, one.rows) <= LARGEST]
    if len(small) < len(photos):
        sys.stderr.write(
            f"{len(photos) - len(small)} kingdoms of more than {LARGEST} squares a side left out\n"
        )
    with tempfile.TemporaryDirectory() as folder:
        box = Path(folder) / "box"
        box.mkdir()
        if args.box:
            enrolled(GAME.key, args.box, box)
        for size in args.size:
            for found in watch_all(args, size, _some(small, args.most), Path(folder), box):
                sys.stdout.write((json.dumps(asdict(found)) if args.json else str(found)) + "\n")
                sys.stdout.flush()


def watch_all(
    args: Namespace, size: str, photos: Sequence[Finished], folder: Path, box: Path
) -> Iterator[Steps]:
    """Session by session."""
    scale = ROOM * int(size.split("x")[0]) / MAT.width
    grounds = sorted(args.ground.iterdir()) if args.ground and args.ground.is_dir() else [args.ground]
    sessions = defaultdict[str, Steps](lambda: Steps("", size))
    for number, photo in enumerate(photos):
        found = sessions[photo.session]
        found.session = photo.session
        kingdom = building_order(photo.squares, photo.home, max(LARGEST, photo.columns, photo.rows), number)
        if kingdom is None:
            sys.stderr.write(f"{photo.file.name}: no dominoes of one box make this kingdom\n")
            continue
        film = (args.into or folder) / size / photo.file.stem
        real = Print(grounds[number % len(grounds)], GROUND_LIMIT) if grounds[0] else None
        write_film(photo, kingdom, stage(photo, scale, real, number), film)
        with tempfile.TemporaryDirectory(dir=folder) as data:
            for file in box.rglob("*"):
                if file.is_file():
                    (Path(data) / file.relative_to(box)).parent.mkdir(parents=True, exist_ok=True)
                    (Path(data) / file.relative_to(box)).write_bytes(file.read_bytes())
            watch_film(film, found, Path(data))
        if args.verbose:
            sys.stderr.write(f"{photo.file.name}: {found}\n")
    yield from sessions.values()


def _some(photos: Sequence[Finished], most: int) -> list[Finished]:
    """So many of each session."""
    counted = defaultdict[str, int](int)
    chosen = []
    for photo in photos:
        counted[photo.session] += 1
        if counted[photo.session] <= most:
            chosen.append(photo)
    return chosen


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m tests.bench.films", description=__doc__)
    parser.add_argument("folder", type=Path, help="labels.json and the photos it names")
    parser.add_argument(
        "--size", nargs="+", default=SIZES, help="the camera whose sharpness films have: 1280x720 …"
    )
    parser.add_argument(
        "--ground", type=Path, help="a table for photos that show none: a picture, or a folder of them"
    )
    parser.add_argument("--box", type=Path, help="pictures that the household's box is enrolled from")
    parser.add_argument("--session", nargs="+", help="only photos of these sessions")
    parser.add_argument("--most", type=int, default=1000, help="photos of each session")
    parser.add_argument("--into", type=Path, help="a folder that keeps the films")
    parser.add_argument("--verbose", action="store_true", help="a line a film")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
