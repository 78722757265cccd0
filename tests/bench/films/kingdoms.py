"""Kingdoms that are laid again domino by domino, before a companion that only counts.

`labels.json` and the photos it names are as for `models.train.reading_accuracy`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from companion.core.game import AnyGame, Player, Setup
from companion.games import GAMES
from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.rules.kingdom import HOME, STEPS, Cell, Kingdom, Placement, around
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Square, Terrain
from companion.games.kingdomino.sight.layout import SIDE
from companion.watch.state import Status
from tests.bench.films.table import TablePhoto, corners_of
from tests.bench.films.watching import Outcome, Scene, Viewing

LARGEST = 5
"""Squares of a side; larger kingdoms are for two players, whose castles a photo does not tell."""
MOST_TILINGS = 1000
AS_IT_LIES = "as it lies in the photo"


@dataclass(frozen=True)
class Finished(TablePhoto):
    """A labelled photo of a finished kingdom."""

    squares: Mapping[Cell, Square] = field(kw_only=True)
    """By column and row of the grid."""

    @property
    def home(self) -> Cell:
        return next(cell for cell, square in self.squares.items() if square == CASTLE)


def finished(folder: Path) -> Iterator[Finished]:
    """Every labelled photo of a folder with a castle in it."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for kind in ("boards", "photos"):
        for name, label in labels.get(kind, {}).items():
            file = next((one for one in (folder / kind / name, folder / name) if one.exists()), None)
            grid = label["grid"]
            squares = {
                (column, row): Square(Terrain(one["terrain"]), one["crowns"])
                for row, line in enumerate(grid)
                for column, one in enumerate(line)
                if one["terrain"] != "empty"
            }
            corners = tuple(tuple(corner) for corner in label.get("corners_px_TL_TR_BR_BL", ()))
            session = label.get("session") or re.sub(r"\d.*", "", name)
            if file and CASTLE in squares.values() and (kind == "boards" or corners):
                cells = ((column, row) for column in range(len(grid[0])) for row in range(len(grid)))
                outlines = {cell: corners_of(*cell) for cell in cells}
                yield Finished(
                    file, session, SIDE, len(grid[0]), len(grid), outlines, corners, squares=squares
                )


class FilmedKingdoms:
    """The protocol `tests.bench.films.watching.FilmedGame`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.game: AnyGame = GAMES["kingdomino"]

    def photos(self) -> Iterator[Finished]:
        for photo in finished(self._folder):
            if max(photo.columns, photo.rows) <= LARGEST:
                yield photo
            else:
                sys.stderr.write(f"{photo.file.name}: more than {LARGEST} squares a side, left out\n")

    def setup(self, photo: TablePhoto) -> Setup:  # noqa: ARG002
        colours = tuple(self.game.colours)[: self.game.seats[-1]]
        return Setup(tuple(Player(f"{colour}", colour) for colour in colours), frozenset({"score_only"}))

    def scenes(self, photo: TablePhoto, seed: int) -> Sequence[Scene]:
        """The castle alone, then a domino more each time."""
        assert isinstance(photo, Finished)
        kingdom = building_order(photo.squares, photo.home, LARGEST, seed)
        scenes, lying, (x, y) = list[Scene](), dict[Cell, Square](), photo.home
        for placement in (None, *kingdom.placements) if kingdom else ():
            cells = (HOME,) if placement is None else placement.cells
            lying |= {cell: kingdom.squares[cell] for cell in cells} if kingdom else {}
            squares = [[*cell, square.terrain.value, square.crowns] for cell, square in lying.items()]
            told = {"placement": placement, "cells": squares}
            scenes.append(Scene(tuple((column + x, row + y) for column, row in cells), {**lying}, told))
        return scenes

    def judge(self, viewing: Viewing, truth: Mapping[Cell, Square]) -> Outcome:
        watch = viewing.watch
        if watch.reading.doubts:
            return Outcome.ASKED
        if watch.reading.contradictions:
            return Outcome.DISPUTED
        shown = [one.event for one in watch.reading.proposals if isinstance(one.event, KingdomShown)]
        if not shown or watch.status is not Status.WATCHING:
            return Outcome.NOTHING
        right = len(shown) == 1 and any(truth == turned for turned in _turned(shown[0].kingdom.squares))
        return Outcome.RIGHT if right else Outcome.SILENTLY_WRONG

    def settle(self, viewing: Viewing, truth: Mapping[Cell, Square]) -> bool:
        """Say whose a kingdom is where that is asked, if what was seen of it is true."""
        watch = viewing.watch
        if watch.reading.doubts:
            said = [choice.events[0] for choice in watch.reading.doubts[0].choices if choice.events]
            shown = [one.kingdom.squares for one in said if isinstance(one, KingdomShown)]
            if len(shown) > 1 and truth in _turned(shown[0]):
                viewing.rig.watcher.answer(watch.seq, watch.version, 0, 0)
        return True


def _turned(squares: Mapping[Cell, Square]) -> Iterator[Mapping[Cell, Square]]:
    """A photo has no upper side."""
    for _quarter in range(4):
        yield squares
        squares = {(-y, x): square for (x, y), square in squares.items()}


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
