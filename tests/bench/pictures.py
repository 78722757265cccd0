"""Folders of pictures of printed pieces, as people have them, made ready for the virtual table and for a box."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import cli
from companion.commands.terminal import Exit
from companion.games.kingdomino.rules.pieces import DOMINOES

SQUARE = 256
"""Pixels of a square that a domino is put together from."""

SUFFIXES = (".jpg", ".jpeg", ".png")
_DOMINO = re.compile(r"(?:domino-)?(\d{1,2})")
_CASTLE = re.compile(r"(?:start|castle)[ _-]([a-z]+)")
_KIND = re.compile(r"(wheat|forest|lake|grassland|grass|swamp|mine)[ _-]?([0-3])")

Pixels = NDArray[np.uint8]


def dominoes_of(folder: Path, into: Path, seed: int) -> Path:
    """A picture of each domino and castle: its own, or put together from two squares of its kinds, chosen by seed."""
    whole, squares = dict[str, Path](), defaultdict[str, list[Path]](list)
    for file, name in _named(folder):
        if which := _DOMINO.fullmatch(name):
            whole.setdefault(f"domino-{int(which[1])}", file)
        elif castle := _CASTLE.fullmatch(name):
            squares[f"castle-{castle[1]}"].append(file)
        elif kind := _KIND.match(name):
            squares[kind[1][0] + kind[2]].append(file)
    into.mkdir(parents=True, exist_ok=True)
    random = Random(f"dominoes {seed}")
    for label, files in squares.items():
        if label.startswith("castle-"):
            whole[label] = random.choice(files)
    for number, halved in sorted(DOMINOES.items()):
        kinds = str(halved.left), str(halved.right)
        if f"domino-{number}" not in whole and all(squares[kind] for kind in kinds):
            halves = [_square(random.choice(squares[kind])) for kind in kinds]
            cv2.imwrite(str(into / f"domino-{number}.png"), np.concatenate(halves, axis=1))
    for label, file in whole.items():
        (into / f"{label}{file.suffix.lower()}").symlink_to(file.resolve())
    return into


def enrolled(game: str, folder: Path, data: Path) -> None:
    """Teach the household of that data folder a box by the pictures of a folder, as somebody would at a terminal."""
    settings = data / "companion.toml"
    settings.write_text(f'[store]\nfolder = "{data}"\n', encoding="utf-8")
    told = StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        done = cli.main(["enrol", game, str(folder), "--config", str(settings), "--json"])
    if done != Exit.DONE:
        sys.exit(f"{folder} teaches no box of {game}: {told.getvalue()}")


def _named(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every picture with the name that says what it shows: its own, or that of its folder."""
    for one in sorted(folder.iterdir()):
        if one.is_dir():
            yield from ((file, one.name) for file in sorted(one.iterdir()) if file.suffix.lower() in SUFFIXES)
        elif one.suffix.lower() in SUFFIXES:
            yield one, one.stem


def _square(file: Path) -> Pixels:
    pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
    assert pixels is not None, f"{file} is no picture"
    return np.asarray(cv2.resize(pixels, (SQUARE, SQUARE), interpolation=cv2.INTER_AREA), np.uint8)
