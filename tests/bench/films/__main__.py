"""Films made out of real photos of finished tables, and what the camera above the table makes of them.

`python -m tests.bench.films FOLDER` for kingdoms, `--game carcassonne` for boards. Pieces are taken away one after the
other in the reverse of an order in which people may have laid them. The table then grows before a companion. With
`--into` the films are kept, a folder each: numbered pictures, and `script.json` with what lies there in each.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import copytree

from companion.virtual.art import GROUND_LIMIT, Print
from companion.virtual.camera import ROOM
from models.train.board_accuracy import labelled
from tests.bench.films.boards import FilmedBoards, cut_tiles
from tests.bench.films.kingdoms import FilmedKingdoms
from tests.bench.films.table import MAT, TablePhoto, stage
from tests.bench.films.watching import FilmedGame, Steps, watch_film, write_film
from tests.bench.pictures import enrolled

SIZES = "1280x720", "1920x1080", "4056x3040"


def main(words: list[str]) -> None:
    args = _parser().parse_args(words)
    filmed: FilmedGame = FilmedKingdoms(args.folder)
    if args.game == "carcassonne":
        filmed = FilmedBoards(args.labels or [args.folder], args.folder, args.pieces, args.followers)
    photos = [one for one in filmed.photos() if not args.session or one.session in args.session]
    with tempfile.TemporaryDirectory() as folder:
        box, cut = Path(folder) / "box", Path(folder) / "cut"
        box.mkdir()
        cut.mkdir()
        for board in labelled(args.taught, args.folder):
            cut_tiles(board, cut)
        if args.box or args.taught:
            enrolled(args.game, args.box or cut, box)
        for size in args.size:
            for found in watch_all(args, filmed, size, _some(photos, args.most), Path(folder)):
                sys.stdout.write((json.dumps(asdict(found)) if args.json else str(found)) + "\n")
                sys.stdout.flush()


def watch_all(
    args: Namespace, filmed: FilmedGame, size: str, photos: Sequence[TablePhoto], folder: Path
) -> Iterator[Steps]:
    """Session by session."""
    scale = ROOM * int(size.split("x")[0]) / MAT.width
    grounds = sorted(args.ground.iterdir()) if args.ground and args.ground.is_dir() else [args.ground]
    sessions = dict[str, Steps]()
    for number, photo in enumerate(photos):
        found = sessions.setdefault(photo.session, Steps(photo.session, size))
        scenes = filmed.scenes(photo, number)
        if not scenes:
            sys.stderr.write(f"{photo.file.name}: no pieces of one box make this table\n")
            continue
        film = (args.into or folder) / size / photo.file.stem
        real = Print(grounds[number % len(grounds)], GROUND_LIMIT) if grounds[0] else None
        write_film(photo, scenes, stage(photo, scale, real, number), film)
        with tempfile.TemporaryDirectory(dir=folder) as data:
            copytree(folder / "box", data, dirs_exist_ok=True)
            for line in watch_film(filmed, photo, scenes, film, found, Path(data), not args.flat):
                if args.verbose:
                    sys.stderr.write(line + "\n")
        if args.verbose:
            sys.stderr.write(f"{photo.file.name}: {found}\n")
    yield from sessions.values()


def _some(photos: Sequence[TablePhoto], most: int) -> list[TablePhoto]:
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
    parser.add_argument(
        "folder", type=Path, help="of kingdoms: labels.json and the photos it names; of boards: photos"
    )
    parser.add_argument("--game", choices=("kingdomino", "carcassonne"), default="kingdomino")
    parser.add_argument("--labels", type=Path, nargs="+", help="of boards: label files, or folders of them")
    parser.add_argument(
        "--size", nargs="+", default=SIZES, help="the camera whose sharpness films have: 1280x720 …"
    )
    parser.add_argument(
        "--ground", type=Path, help="a table for photos that show none: a picture, or a folder of them"
    )
    parser.add_argument("--box", type=Path, help="pictures that the household's box is enrolled from")
    parser.add_argument(
        "--taught", type=Path, nargs="+", default=(), help="labelled boards whose tiles the box is taught"
    )
    parser.add_argument("--session", nargs="+", help="only photos of these sessions")
    parser.add_argument("--most", type=int, default=1000, help="photos of each session")
    parser.add_argument("--pieces", type=int, default=1000, help="tiles of a board that are laid")
    parser.add_argument(
        "--followers", action="store_true", help="lay tiles with followers, too, where these are labelled"
    )
    parser.add_argument("--flat", action="store_true", help="look for nothing that stands on pieces")
    parser.add_argument("--into", type=Path, help="a folder that keeps the films")
    parser.add_argument("--verbose", action="store_true", help="a line a film and what was not right in it")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
