"""Whole evenings in printed art, from frames and pushes of buttons: `python -m tests.bench.evenings --art FOLDER`.

The pieces that lie on the virtual table are pictures out of one folder; the box that the companion knows is enrolled
from another one, or from none. No picture is kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import copytree
from time import perf_counter

from companion.games import GAMES
from companion.virtual.art import load_art
from companion.virtual.image_effects import DAYLIGHT
from tests.bench.pictures import dominoes_of, enrolled
from tests.bench.wood import carve
from tests.watch.night import GAME as KINGDOMINO
from tests.watch.night import Night
from tests.watch.played import Played, play
from tests.watch.test_whole_carcassonne import night_of_tiles

SIZES = "1280x720", "1920x1080", "4056x3040"


@dataclass(frozen=True)
class Evenings:
    """What came of all evenings with pictures of one size."""

    size: str
    evenings: int
    finished: int
    """In how many of them the log says everything that happened."""
    events: int
    by_button: int
    questions: int
    by_hand: int
    """How often people had to tell something themselves, after 14 seconds without a reading."""
    silently_wrong: int
    """Entries that a push recorded though nothing of that kind had happened."""
    minutes: float
    """At the table."""
    cpu_minutes: float

    def __str__(self) -> str:
        return (
            f"{self.size}: {self.evenings} evenings ({self.finished} to their end), {self.events} events,"
            f" {self.by_button} by button, {self.questions} questions, {self.by_hand} times by hand,"
            f" {self.silently_wrong} silently wrong; {self.minutes:.0f} minutes at the table,"
            f" {self.cpu_minutes:.0f} by the clock"
        )


def main(words: list[str]) -> None:
    args = _parser().parse_args(words)
    for size in args.size:
        began = perf_counter()
        played = [evening(args, size, seed) for seed in args.seeds]
        found = summed(size, played, perf_counter() - began)
        sys.stdout.write((json.dumps(asdict(found)) if args.json else str(found)) + "\n")
        sys.stdout.flush()


def evening(args: Namespace, size: str, seed: int) -> Played:
    """One evening; what it kept is gone with it."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        if args.box:
            enrolled(args.game, args.box, data)
        played = play(_night(args, size, seed, data), 60 * args.minutes)
    if args.verbose:
        sys.stderr.write(f"{size}, seed {seed}: {played.told(args.game)}; {played.wrong} silently wrong\n")
    return played


def _night(args: Namespace, size: str, seed: int, data: Path) -> Night:
    width, height = (int(side) for side in size.split("x"))
    sight = GAMES[args.game].sight
    assert sight
    art = None
    if args.art or args.ground:
        pieces = args.art
        if pieces and args.game == KINGDOMINO.key:
            pieces = dominoes_of(pieces, data / "art", seed)
        elif pieces and args.wood:
            pieces = copytree(pieces, data / "art")
            carve(pieces, sight.faces)
        art = load_art(pieces, args.ground, sight.pieces)
    if args.game == KINGDOMINO.key:
        night = Night(data, args.players, seed, size=(width, height), art=art)
    else:
        night = night_of_tiles(data, args.players, args.tiles, seed, (width, height), art)
    night.virtual.camera.lamp = args.lamp
    return night


def summed(size: str, played: list[Played], seconds: float) -> Evenings:
    return Evenings(
        size,
        len(played),
        sum(one.log == one.script for one in played),
        sum(len(one.log) for one in played),
        sum(one.pushed for one in played),
        sum(one.doubts for one in played),
        sum(one.by_hand for one in played),
        sum(one.wrong for one in played),
        round(sum(one.minutes for one in played), 1),
        round(seconds / 60, 1),
    )


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m tests.bench.evenings", description=__doc__)
    parser.add_argument("--game", choices=("kingdomino", "carcassonne"), default="kingdomino")
    parser.add_argument(
        "--art", type=Path, help="pictures of the pieces that lie there; without, our drawings"
    )
    parser.add_argument(
        "--wood", action="store_true", help="followers of Carcassonne look like wood, not like our drawings"
    )
    parser.add_argument("--box", type=Path, help="pictures that the household's box is enrolled from")
    parser.add_argument(
        "--ground", type=Path, help="what the table looks like: a picture, or a folder of them"
    )
    parser.add_argument("--size", nargs="+", default=SIZES, help="of the camera's pictures: 1280x720 …")
    parser.add_argument("--seeds", nargs="+", type=int, default=range(10), help="an evening each")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--tiles", type=int, default=72, help="of Carcassonne")
    parser.add_argument("--lamp", default=DAYLIGHT, help="daylight, or a lamp: 4000, 2700")
    parser.add_argument(
        "--minutes", type=float, default=240, help="at the table, after which an evening ends"
    )
    parser.add_argument("--verbose", action="store_true", help="a line an evening")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
