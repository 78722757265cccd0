"""How well labelled photos of boards of Carcassonne are read: `python -m models.train.board_accuracy LABELS PHOTOS`.

LABELS is a folder of JSON files, or some of these files, one for each photo; PHOTOS is a folder in which the photos lie
by their names, however deep. A label:

    {"photo": "a.jpg",
     "cells": [{"x": 0, "y": 0, "letter": "D", "rot": 1, "c": [812, 430], "u": [98, 3], "v": [-4, 91]}],
     "tokens": [{"x": 0, "y": 0, "colour": "blue", "part": "c0"}]}

`c` is the middle of a tile in pixels of the photo, `u` and `v` lead along its row and column by the side of a tile;
without `v` the photo is from straight above. The letter `?` is a tile of another box. A token without a `part` is
known by its place and colour alone; without `tokens` nobody has labelled followers. `--gallery` reads by an enrolled
box, `--annotate OUT` draws what was read over each photo.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from companion.core.lattice import Cell
from companion.games.carcassonne.rules.board import TILES, upright
from companion.games.carcassonne.rules.position import add_counts
from companion.games.carcassonne.sight.layout import COLOURS
from companion.games.carcassonne.sight.photo import BoardReading, TileKind, position_of, table_of
from companion.games.carcassonne.sight.photographed import CarcassonnePhotos
from companion.photos.reader import PhotoRead, PhotoReader, annotate_reads, open_photo, shipped_gallery
from companion.vision.gallery.box import BoxRepository
from companion.vision.gallery.squares import SquareGallery
from companion.vision.photo.annotate import save_picture
from companion.vision.photo.extent import LocatedSquares
from companion.vision.picture_file import size_of

SIGHT = CarcassonnePhotos()
FOREIGN = "?"
BESIDE = 0.4
"""Sides of a tile by which one is found beside where it lies, at most."""


@dataclass(frozen=True)
class LabelledBoard:
    """A photo, and what lies on its table."""

    photo: Path
    cells: Sequence[Mapping[str, Any]]
    tokens: Sequence[Mapping[str, Any]] | None
    """None where nobody has labelled them."""


@dataclass
class BoardFigures:
    """What came of some photos."""

    photos: int = 0
    tiles: int = 0
    right: int = 0
    asked: int = 0
    """Tiles of the box that are asked about, right or not."""
    silent: int = 0
    """Read wrongly, or not at all, and nobody is asked."""
    refused: int = 0
    """On photos in which no board is read."""
    invented: int = 0
    """Places without a tile that are taken for one."""
    invented_silent: int = 0
    foreign: int = 0
    foreign_told: int = 0
    """Tiles of other boxes that are taken for none of this one, or asked about."""
    unknown: int = 0
    """Tiles of the box that are taken for none of it."""
    followers: int = 0
    followers_right: int = 0
    """In their place and of their colour."""
    followers_asked: int = 0
    parts: int = 0
    """Followers of which it is labelled on which part they stand, and that are right so far."""
    parts_right: int = 0
    parts_silent: int = 0
    followers_invented: int = 0
    tallies: int = 0
    tallies_right: int = 0
    tallies_asked: int = 0
    """Wrong, and something is asked."""
    tallies_answered: int = 0
    """Right once every question is answered as the label says."""
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __iadd__(self, other: BoardFigures) -> BoardFigures:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self


def labelled(labels: Sequence[Path], photos: Path) -> Iterator[LabelledBoard]:
    """The photos that are labelled, by their files' names."""
    files = [file for one in labels for file in (sorted(one.glob("*.json")) if one.is_dir() else [one])]
    known = {file.name: file for file in photos.rglob("*") if file.is_file()}
    for file in files:
        label = json.loads(file.read_text("utf-8"))
        if not isinstance(label, dict) or "cells" not in label:
            continue
        photo, tokens = Path(str(label["photo"])).name, label.get("tokens")
        if photo not in known:
            raise SystemExit(f"{file.name}: there is no photo {photo} in {photos.name}.")
        yield LabelledBoard(known[photo], label["cells"], tokens if isinstance(tokens, list) else None)


def measured(reader: PhotoReader, board: LabelledBoard) -> tuple[BoardFigures, PhotoRead]:
    data = board.photo.read_bytes()
    began = process_time()
    picture = open_photo(data)
    read = reader.read_table(picture)[0]
    figures = BoardFigures(photos=1, seconds=[process_time() - began])
    if read.found is None or not isinstance(read.shown, BoardReading):
        figures.tiles = figures.refused = sum(one["letter"] != FOREIGN for one in board.cells)
        figures.notes.append(f"{board.photo.name}: no board")
        return figures, read
    scale = max(picture.shape[:2]) / max(size_of(data))
    compare(figures, Comparison(board, [read.found], read.shown, scale))
    return figures, read


class Comparison:
    """Which places that were found are those of the label."""

    def __init__(
        self, board: LabelledBoard, views: Sequence[LocatedSquares], shown: BoardReading, scale: float
    ) -> None:
        """`views` are all pictures of it that were read together, as they lie in the labelled photo."""
        self.board, self.shown = board, shown
        self.places: dict[Cell, Cell] = {}
        self.turns: dict[Cell, int] = {}
        self.agree = True
        """Whether all pictures have each tile in one place."""
        for found in views:
            middles = {cell: np.mean(found.outline_of(cell), axis=0) for cell in found.looks.cells}
            for one in board.cells:
                self._find(found, middles, one, scale)
        self.agree &= len({*self.places.values()}) == len(self.places)

    def _find(
        self, found: LocatedSquares, middles: Mapping[Cell, Any], one: Mapping[str, Any], scale: float
    ) -> None:
        middle, row = np.array(one["c"]) * scale, np.array(one["u"], float) * scale
        column = np.array(one.get("v", (-one["u"][1], one["u"][0])), float) * scale
        cell = min(middles, key=lambda cell: float(np.hypot(*(middles[cell] - middle))))
        off = np.linalg.solve(np.stack([row, column], 1), middles[cell] - middle)
        if np.abs(off).max() < BESIDE:
            angle = np.degrees(np.arctan2(row[1], row[0]))
            turn = round((found.grid.angle(cell) - angle) / 90) % 4
            known = self.places.setdefault((one["x"], one["y"]), cell)
            self.agree &= known == cell and self.turns.setdefault((one["x"], one["y"]), turn) == turn

    def truth(self, one: Mapping[str, Any]) -> TileKind:
        """What the reading should have, as its rows and columns are turned."""
        turn = (one["rot"] - self.turns.get((one["x"], one["y"]), 0)) % 4
        return TileKind(one["letter"], upright(one["letter"], turn))

    def part(self, token: Mapping[str, Any]) -> str:
        """On which part a follower stands, as the tile is turned in the reading: of turns that look alike the first
        counts, in which another part may lie there."""
        known = {(one["x"], one["y"]): one for one in self.board.cells}
        one = known[token["x"], token["y"]]
        if one["letter"] == FOREIGN:
            return str(token["part"])
        turned = TILES[one["letter"]].turned
        lying = turned[(one["rot"] - self.turns[token["x"], token["y"]]) % 4].part(token["part"])
        same = (part.id for part in turned[self.truth(one).turn].parts if lying and part.ports == lying.ports)
        return next(same, str(token["part"]))


def compare(figures: BoardFigures, seen: Comparison) -> None:
    shown, name = seen.shown, seen.board.photo.name
    unsure = {one.cell for one in shown.unsure}
    for one in seen.board.cells:
        place = seen.places.get((one["x"], one["y"]))
        kind = shown.squares.get(place) if place else None
        if one["letter"] == FOREIGN:
            if not one.get("hidden"):
                figures.foreign += 1
                figures.foreign_told += place is not None and (kind is None or place in unsure)
            continue
        figures.tiles += 1
        right = kind is not None and kind.bare == seen.truth(one)
        figures.right += right
        figures.asked += place in unsure
        figures.unknown += place is not None and kind is None
        if not right and place not in unsure:
            figures.silent += 1
            read = "nothing" if kind is None else str(kind.bare)
            figures.notes.append(
                f"{name}: {one['x']},{one['y']} is {one['letter']}{one['rot']}, read as {read}"
            )
    invented = shown.squares.keys() - seen.places.values()
    figures.invented += len(invented)
    figures.invented_silent += len(invented - unsure)
    if seen.board.tokens is not None:
        _compare_followers(figures, seen, unsure)


def _compare_followers(figures: BoardFigures, seen: Comparison, unsure: set[Cell]) -> None:
    shown, name = seen.shown, seen.board.photo.name
    truth = {
        seen.places[one["x"], one["y"]]: seen.truth(one) for one in seen.board.cells if _known(one, seen)
    }
    standing = dict[Cell, Mapping[str, Any]]()
    for token in seen.board.tokens or ():
        if token["colour"] in [*COLOURS] and (place := seen.places.get((token["x"], token["y"]))):
            standing.setdefault(place, token)
    for place, token in standing.items():
        kind = shown.squares.get(place)
        figures.followers += 1
        right = kind is not None and kind.colour == token["colour"]
        figures.followers_right += right
        figures.followers_asked += place in unsure
        if not right:
            read = kind.colour if kind and kind.colour else "nobody"
            figures.notes.append(f"{name}: {token['colour']} on {token['x']},{token['y']} is read as {read}")
        elif kind and token.get("part") and token.get("sure", True):
            part = seen.part(token)
            figures.parts += 1
            figures.parts_right += kind.part == part
            if kind.part != part and place not in unsure:
                figures.parts_silent += 1
                where = f"{name}: {token['colour']} on {token['x']},{token['y']}"
                figures.notes.append(f"{where} stands on {token['part']}, read as {kind.part}")
    figures.followers_invented += sum(
        bool(kind.part) for cell, kind in shown.squares.items() if cell not in standing
    )
    if all("part" in token for token in standing.values()):
        figures.tallies += 1
        for place, token in standing.items():
            if place in truth:
                truth[place] = truth[place]._replace(part=seen.part(token), colour=token["colour"])
        same = _points(truth) == _points(shown.squares)
        figures.tallies_right += same
        figures.tallies_asked += not same and bool(unsure)
        answered = {place: kind for place, kind in shown.squares.items() if place not in unsure}
        answered |= {place: kind for place, kind in truth.items() if place in unsure}
        figures.tallies_answered += _points(truth) == _points(answered)
        if not same:
            figures.notes.append(f"{name}: points {_points(truth)}, read as {_points(shown.squares)}")


def _known(one: Mapping[str, Any], seen: Comparison) -> bool:
    return one["letter"] != FOREIGN and (one["x"], one["y"]) in seen.places


def _points(squares: Mapping[Cell, TileKind]) -> Sequence[int]:
    """What each colour gets at the end, without the track."""
    position = position_of(table_of(squares, COLOURS), len(COLOURS))
    return add_counts((0,) * len(COLOURS), position.outlook)


def gallery_named(name: str, boxes: Path) -> SquareGallery:
    gallery = BoxRepository(boxes).load(name) if name else shipped_gallery("carcassonne")
    if gallery is None:
        raise SystemExit("There is no gallery of tiles.")
    return gallery


def main(argv: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+", help="label files, or folders of them")
    parser.add_argument("photos", type=Path, help="where the photos are")
    parser.add_argument("--gallery", default="", help="read by this enrolled box alone")
    parser.add_argument("--boxes", type=Path, default=Path(), help="the folder of enrolled boxes")
    parser.add_argument("--annotate", type=Path, help="draw what was read over each photo, into this folder")
    args = parser.parse_args(argv)
    reader = PhotoReader(SIGHT, gallery_named(args.gallery, args.boxes))
    every = BoardFigures()
    for board in labelled(args.labels, args.photos):
        figures, read = measured(reader, board)
        tell(board.photo.name, figures)
        every += figures
        if args.annotate:
            drawn = annotate_reads(SIGHT, read.picture, [read], board.photo.name)
            save_picture(drawn, args.annotate / f"{board.photo.stem}.jpg")
    tell("all", every)
    return 0


def tell(name: str, one: BoardFigures) -> None:
    print(
        f"{name}: tiles {one.right} of {one.tiles}, {one.asked} asked, {one.silent} silently wrong, "
        f"{one.unknown} taken for none, {one.refused} on photos without a reading; "
        f"invented {one.invented} ({one.invented_silent} silently); "
        f"foreign {one.foreign_told} of {one.foreign} told; followers {one.followers_right} of {one.followers}, "
        f"{one.followers_asked} asked, {one.followers_invented} invented; parts {one.parts_right} of {one.parts}, "
        f"{one.parts_silent} silently wrong; tallies {one.tallies_right} of {one.tallies} right, "
        f"{one.tallies_asked} asked, {one.tallies_answered} right once all is answered; "
        f"{max(one.seconds, default=0):.2f} s of processor at most"
    )
    if name != "all":
        for note in one.notes:
            print(f"    {note}")


if __name__ == "__main__":
    sys.exit(main())
