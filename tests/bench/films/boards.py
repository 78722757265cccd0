"""Boards of Carcassonne that grow tile by tile before a companion that follows the game, as at a table during play.

Labels are those of `models.train.board_accuracy`. In a film nobody takes followers home when a feature is completed:
only tiles on which nobody stands are laid, and, with `followers`, those whose follower is labelled with its part.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import IllegalEvent
from companion.core.game import AnyGame, Player, Setup
from companion.core.lattice import Cell, offset
from companion.core.log import Source
from companion.core.notation import AS_IT_LIES
from companion.games import GAMES
from companion.games.carcassonne.rules.board import START_TILE, TILES, Placement, upright
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, NoFollower, TileLaid
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position, start
from companion.games.carcassonne.sight.layout import COLOURS
from companion.games.carcassonne.sight.registration import SIDE_MM
from companion.virtual.demonstration import answer_questions, correct_log
from companion.watch.recording import WAY_GO_ON
from companion.watch.state import UNREAD, Status
from models.train.board_accuracy import FOREIGN, LabelledBoard, labelled
from tests.bench.films.table import Points, TablePhoto, corners_of
from tests.bench.films.watching import Outcome, Scene, Viewing

LEAST_PLAYERS = 2
BARE_MM = 10, 60
"""Nearer to a board there are its shadows and the edges of its cardboard, farther away hands and boxes."""
CUT_PX = 256
QUESTIONS = 4
"""As many as one step may bring."""


@dataclass(frozen=True)
class GrownBoard(TablePhoto):
    """A labelled photo of a board, with the tiles that can be laid again."""

    tiles: Mapping[Cell, Placement] = field(kw_only=True)
    """By column and row of the grid."""
    followers: Mapping[Cell, tuple[str, str]] = field(kw_only=True)
    """On which of them somebody stands: whose colour, and on what part."""
    colours: tuple[str, ...] = field(kw_only=True)
    """Of all who play."""


def grown_board(board: LabelledBoard, followers: bool) -> GrownBoard:
    columns, rows = ([cell[axis] for cell in board.cells] for axis in ("x", "y"))
    left, top = min(columns), min(rows)
    lattice = np.concatenate([corners_of(one["x"] - left, one["y"] - top) for one in board.cells])
    outlines = {(one["x"] - left, one["y"] - top): _outline(one) for one in board.cells}
    matrix, _ = cv2.findHomography(np.concatenate([*outlines.values()]), lattice)
    assert matrix is not None, f"{board.photo.name}: the labels lie on no plane"
    width, height = max(columns) - left + 1, max(rows) - top + 1
    tokens = {(one["x"] - left, one["y"] - top): one for one in board.tokens or ()}
    standing = {
        cell: (one["colour"], one["part"])
        for cell, one in tokens.items()
        if followers and one["colour"] in [*COLOURS] and "part" in one
    }
    tiles = {
        (one["x"] - left, one["y"] - top): Placement(
            one["letter"], one["x"] - left, one["y"] - top, one["rot"]
        )
        for one in board.cells
        if one["letter"] != FOREIGN
    }
    seen = [one["colour"] for one in tokens.values()]
    played = sorted((colour.value for colour in COLOURS), key=lambda colour: -seen.count(colour))
    return GrownBoard(
        board.photo,
        board.photo.stem,
        SIDE_MM,
        width,
        height,
        {cell: _through(matrix, outline) for cell, outline in outlines.items()},
        _through(np.linalg.inv(matrix), np.array(corners_of(0, 0, width, height))),
        BARE_MM,
        tiles={cell: tile for cell, tile in tiles.items() if cell in standing or cell not in tokens},
        followers=standing,
        colours=tuple(played[: max(LEAST_PLAYERS, len({*seen} & {*played}))]),
    )


def _outline(cell: Mapping[str, Any]) -> NDArray[np.float64]:
    """A labelled tile in its photo, clockwise from the corner that is the upper left one in the grid."""
    middle, row = np.array(cell["c"], float), np.array(cell["u"], float)
    column = np.array(cell.get("v", (-row[1], row[0])), float)
    return middle + np.array([-row - column, row - column, row + column, column - row]) / 2


def _through(matrix: Any, points: NDArray[Any]) -> Points:
    found = cv2.perspectiveTransform(points[None].astype(np.float64), np.asarray(matrix, np.float64))[0]
    return tuple((float(x), float(y)) for x, y in found)


def cut_tiles(board: LabelledBoard, into: Path) -> None:
    """The tiles of a photo on which nobody stands, each upright in a picture with its letter."""
    read = cv2.imread(str(board.photo), cv2.IMREAD_COLOR)
    assert read is not None, f"{board.photo.name} is no picture"
    taken = {(one["x"], one["y"]) for one in board.tokens or ()}
    for number, one in enumerate(board.cells):
        if one["letter"] == FOREIGN or (one["x"], one["y"]) in taken:
            continue
        corners = np.roll(_outline(one), -one["rot"], axis=0).astype(np.float32)
        square = np.array(corners_of(0, 0), np.float32) * CUT_PX - 0.5
        matrix = cv2.getPerspectiveTransform(corners, square)
        cut = cv2.warpPerspective(read, matrix, (CUT_PX, CUT_PX), flags=cv2.INTER_AREA)
        cv2.imwrite(str(into / f"{one['letter']}_{board.photo.stem}-{number}.png"), cut)


class FilmedBoards:
    """The protocol `tests.bench.films.watching.FilmedGame`; a truth is all that happened since the game began."""

    def __init__(self, labels: Sequence[Path], folder: Path, most: int, followers: bool) -> None:
        self._labels, self._folder, self._most, self._followers = labels, folder, most, followers
        self.game: AnyGame = GAMES["carcassonne"]

    def photos(self) -> Iterator[GrownBoard]:
        for board in labelled(self._labels, self._folder):
            if board.tokens is None:
                sys.stderr.write(f"{board.photo.name}: nobody has labelled its followers, left out\n")
            else:
                yield grown_board(board, self._followers)

    def setup(self, photo: TablePhoto) -> Setup:
        assert isinstance(photo, GrownBoard)
        colours = {colour.value: colour for colour in COLOURS}
        return Setup(tuple(Player(name, colours[name]) for name in photo.colours))

    def scenes(self, photo: TablePhoto, seed: int) -> Sequence[Scene]:
        """The tile that begins the game, then a tile more each time; of some beginnings, the one that goes farthest."""
        assert isinstance(photo, GrownBoard)
        begin = [
            cell
            for cell, tile in photo.tiles.items()
            if tile.tile == START_TILE and cell not in photo.followers
        ]
        orders = [_Regrowth(photo, home, Random(seed)).scenes(self._most) for home in sorted(begin)]
        return max(orders, key=len, default=())

    def judge(self, viewing: Viewing, truth: Sequence[Event]) -> Outcome:
        watch, expected = viewing.watch, _not_recorded(viewing, truth)
        reading = watch.reading
        if watch.status in UNREAD:
            return Outcome.NOTHING
        if reading.contradictions:
            return Outcome.DISPUTED
        proposed = [one.event for one in reading.proposals]
        laid = next((event for event in proposed if isinstance(event, TileLaid)), None)
        true = proposed == expected[: len(proposed)]
        if not true:
            return Outcome.WRONG_WHO if laid in expected else Outcome.SILENTLY_WRONG
        if reading.doubts:
            return Outcome.ASKED_WHO if laid else Outcome.ASKED
        return Outcome.RIGHT if proposed == expected else Outcome.NOTHING

    def settle(self, viewing: Viewing, truth: Sequence[Event]) -> bool:
        """Answer and press as people do; then tell the log what it does not say yet."""
        watcher = viewing.rig.watcher
        for _question in range(QUESTIONS):
            if not viewing.watch.reading.doubts or viewing.watch.reading.contradictions:
                break
            answer_questions(watcher, _not_recorded(viewing, truth))
        reading, expected = viewing.watch.reading, _not_recorded(viewing, truth)
        ready = not reading.doubts and not reading.contradictions and viewing.watch.status is Status.WATCHING
        if expected and ready and [one.event for one in reading.proposals] == expected:
            watcher.confirm(viewing.watch.seq, viewing.watch.version)
        session = viewing.sessions.session(viewing.id)
        told = not _not_recorded(viewing, truth) and len(session.fold.steps) == len(truth)
        if not told:
            correct_log(viewing.sessions, session, truth, Source.PAGE)
            viewing.step()
        while viewing.watch.status is Status.PAUSED and viewing.watch.ways:
            watcher.take(viewing.watch.version, WAY_GO_ON)
            viewing.step()
        return told


def _not_recorded(viewing: Viewing, truth: Sequence[Event]) -> list[Event]:
    """What the log does not say yet."""
    steps = viewing.sessions.session(viewing.id).fold.steps
    same = takewhile(lambda pair: pair[0].event == pair[1], zip(steps, truth, strict=False))
    return list(truth[sum(1 for _pair in same) :])


class _Regrowth:
    """A board that is laid again from one of its tiles on, as the rules allow it wherever that can be."""

    def __init__(self, photo: GrownBoard, home: Cell, random: Random) -> None:
        self._photo, self._home, self._random = photo, home, random
        self._turn = photo.tiles[home].turn
        self._left = {cell: tile for cell, tile in photo.tiles.items() if cell != home}
        self._now: Position = start(len(photo.colours), frozenset())
        self._told: list[Event] = []

    def scenes(self, most: int) -> Sequence[Scene]:
        scenes = [Scene((self._home,), (), {"events": []})]
        while len(scenes) < most and (cell := self._next()):
            told = [GAMES["carcassonne"].write(event) for event in self._told[len(scenes[-1].truth) :]]
            scenes.append(Scene((cell,), tuple(self._told), {"events": told}))
        return scenes

    def _next(self) -> Cell | None:
        """Lay one more tile where that can be; those that are against the rules come last."""
        beside = [cell for cell in self._left if self._placement(cell).cell in self._now.board.frontier]
        self._random.shuffle(beside)
        for because in ("", AS_IT_LIES.text):
            for cell in beside:
                if self._lay(cell, because):
                    del self._left[cell]
                    return cell
        return None

    def _lay(self, cell: Cell, because: str) -> bool:
        player = self._now.player
        colour, part = self._photo.followers.get(cell, ("", ""))
        if colour and self._photo.colours[player] != colour:
            return False
        placement = self._placement(cell)
        events: list[Event] = [TileLaid(player, placement, because=because)]
        try:
            after = apply(self._now, events[0])
            if after.phase is Phase.FOLLOWER or part:
                events.append(self._placed(cell, player, part) if part else NoFollower(player))
                after = apply(after, events[1])
        except IllegalEvent:
            return False
        self._now, self._told = after, [*self._told, *events]
        return True

    def _placed(self, cell: Cell, player: int, part: str) -> FollowerPlaced:
        """On the same part by the name that it has as the log counts: some tiles look the same in two turns."""
        placement, turned = self._placement(cell), TILES[self._photo.tiles[cell].tile].turned
        lying = turned[(self._photo.tiles[cell].turn - self._turn) % 4].part(part)
        same = (
            one.id
            for one in turned[placement.turn].parts
            if lying and (one.kind, one.ports) == (lying.kind, lying.ports)
        )
        return FollowerPlaced(player, (*placement.cell, next(same)))

    def _placement(self, cell: Cell) -> Placement:
        """Where a tile lies as the log counts, by the tile that began."""
        tile = self._photo.tiles[cell]
        dx, dy = offset(cell[0] - self._home[0], cell[1] - self._home[1], -90 * self._turn)
        return Placement(tile.tile, round(dx), round(dy), upright(tile.tile, (tile.turn - self._turn) % 4))
