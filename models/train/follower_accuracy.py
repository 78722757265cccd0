"""How well figures are found on the tiles of labelled photos: `python -m models.train.follower_accuracy FOLDER`.

FOLDER holds photos and a JSON file beside each: `photo` (the file's name), `cells` (of each tile `x`, `y`, the middle
`c` and the sides `u`, to the right, and `v`, down, in pixels; without `v` a tile is square) and `tokens` (of each
figure `colour`, `x`, `y`; where somebody said so `fx` and `fy`, its place in the cell, and `posture`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.game import Colour
from companion.vision.photo.figures import USUAL, Figure, find_figures
from companion.vision.photo.grid import Cell
from companion.vision.photo.keypoints import Floats
from companion.vision.picture_file import decode_picture, working_size


@dataclass
class Told:
    """What came of the figures of a photo, or of several."""

    name: str
    there: int = 0
    right: int = 0
    """Colour and cell; asked about or not."""
    asked: int = 0
    """Of these, how many are questions."""
    colour: int = 0
    """In its cell, but in another colour."""
    neighbour: int = 0
    """In its colour, but in a cell beside."""
    missed: int = 0
    invented: int = 0
    doubted: int = 0
    """Asked about, and not there."""
    postures: int = 0
    postures_right: int = 0
    away: list[float] = field(default_factory=list)
    """How far from the labelled places, in sides of a tile."""
    ms: list[float] = field(default_factory=list)

    def add(self, other: Told) -> None:
        for name, value in vars(other).items():
            if name != "name":
                setattr(self, name, getattr(self, name) + value)

    def __str__(self) -> str:
        line = (
            f"{self.name}: {self.right} of {self.there} right ({self.asked} asked), {self.colour} in another colour, "
            f"{self.neighbour} on a neighbour, {self.missed} missed; "
            f"{self.invented} invented, {self.doubted} more asked"
        )
        if self.postures:
            line += f"; {self.postures_right} of {self.postures} postures"
        if self.away:
            line += f"; {median(self.away):.2f} of a tile off"
        return f"{line}; {median(self.ms):.0f} ms"


def labelled(
    folder: Path, only: str = ""
) -> Iterator[tuple[str, Pixels, dict[Cell, Floats], list[Mapping[str, Any]]]]:
    """Each labelled photo in the size in which photos are read, with its tiles and its figures."""
    for file in sorted(folder.glob("*.json")):
        if only not in file.stem:
            continue
        known = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(known, dict) or "tokens" not in known or "cells" not in known:
            continue
        path = folder / Path(known["photo"]).name
        whole = decode_picture(path.read_bytes())
        picture = working_size(whole)
        scale = picture.shape[1] / whole.shape[1]
        corners = {(one["x"], one["y"]): outline(one) * scale for one in known["cells"]}
        yield path.name, picture, corners, known["tokens"]


def outline(cell: Mapping[str, Any]) -> Floats:
    """The corners of a labelled tile."""
    middle, right = np.array(cell["c"]), np.array(cell["u"]) / 2
    down = np.array(cell["v"]) / 2 if "v" in cell else np.array([-right[1], right[0]])
    return np.array(
        [middle - right - down, middle + right - down, middle + right + down, middle - right + down]
    )


def compared(name: str, found: tuple[Figure, ...], tokens: Sequence[Mapping[str, Any]]) -> Told:
    """What came of a photo. A figure that is asked about counts as right when its first answer is."""
    told, left = Told(name, len(tokens)), list(found)
    open_ = list(tokens)

    def take(near: int, same: bool) -> Iterator[tuple[Mapping[str, Any], Figure]]:
        for token in list(open_):
            cell = token["x"], token["y"]
            fitting = [
                one
                for one in left
                if max(abs(one.cell[0] - cell[0]), abs(one.cell[1] - cell[1])) <= near
                and (one.colour == token["colour"]) == same
            ]
            if fitting:
                best = max(fitting, key=lambda one: one.confidence)
                open_.remove(token)
                left.remove(best)
                yield token, best

    for token, one in take(0, True):
        told.right += 1
        told.asked += one.confidence < 0.5
        if "fx" in token:
            told.away.append(float(np.hypot(one.place[0] - token["fx"], one.place[1] - token["fy"])))
        if "posture" in token:
            told.postures += 1
            told.postures_right += one.posture == token["posture"]
    told.colour = len(list(take(0, False)))
    told.neighbour = len(list(take(1, True)))
    told.missed = len(open_)
    told.invented = sum(one.confidence >= 0.5 for one in left)
    told.doubted = sum(one.confidence < 0.5 for one in left)
    return told


def annotated(picture: Pixels, corners: Mapping[Cell, Floats], found: tuple[Figure, ...]) -> Pixels:
    """The picture with what was found drawn over it."""
    drawn = picture.copy()
    for square in corners.values():
        cv2.polylines(drawn, [np.rint(square).astype(np.int32)], True, (255, 0, 255), 1, cv2.LINE_AA)
    for one in found:
        at = round(one.pixel[0]), round(one.pixel[1])
        cv2.drawMarker(drawn, at, (255, 255, 255), cv2.MARKER_CROSS, 14, 3)
        cv2.drawMarker(drawn, at, (0, 0, 255), cv2.MARKER_CROSS, 14, 1)
        text = f"{one.colour} {one.posture[:2]} {one.confidence:.2f}"
        for colour, thick in (((0, 0, 0), 3), ((255, 255, 255), 1)):
            cv2.putText(
                drawn,
                text,
                (at[0] + 5, at[1] + 18),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.45,
                colour,
                thick,
                cv2.LINE_AA,
            )
    return drawn


def main(folder: Path, only: str, target: Path | None) -> None:
    everything = Told("all")
    for name, picture, corners, tokens in labelled(folder, only):
        began = perf_counter()
        colours = {*USUAL, *(Colour(token["colour"]) for token in tokens)}
        found = find_figures(picture, corners, sorted(colours))
        ms = (perf_counter() - began) * 1000
        told = compared(name, found, tokens)
        told.ms = [ms]
        everything.add(told)
        sys.stdout.write(f"{told}\n")
        if target:
            cv2.imwrite(str(target / f"{Path(name).stem}.png"), annotated(picture, corners, found))
    sys.stdout.write(f"{everything}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="photos with this in the name of their labels")
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT", help="folder for the photos with what was found"
    )
    args = parser.parse_args()
    main(args.folder, args.only, args.annotate)
