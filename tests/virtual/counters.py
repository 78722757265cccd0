"""A tiny game for a virtual table: round counters on a board of three by three, drawn by their own few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from companion.core.game import AnyGame, Colour, Player, Setup, Turn
from companion.core.log import Source
from companion.core.message import Message
from companion.core.observation import AnySight, Area, Face, Observation, PlacedPiece, Reading
from companion.core.session import Session, begin_session
from companion.core.tally import Standing, Tally, TallyLine

CELL = 60.0
SETUP = Setup((Player("Ana", Colour.RED), Player("Bia", Colour.BLUE)))
INKS = ("#c63a31", "#2f6fb5")


@dataclass(frozen=True)
class Laid:
    """A counter lies in a cell."""

    cell: int


@dataclass(frozen=True)
class Crowned:
    """A peg stands on a counter of one's own."""

    cell: int


@dataclass(frozen=True)
class Wished:
    """Something happened that nobody can see."""


Position = tuple[object, ...]
"""The events so far."""


class Counters:
    """Each turn a counter is laid, and a peg set on it; after that somebody wishes for something."""

    key = "counters"

    @property
    def sight(self) -> AnySight:
        return SIGHT

    def start(self, setup: Setup) -> Position:
        assert len(setup.players) == 2
        return ()

    def apply(self, position: Position, event: object) -> Position:
        return (*position, event)

    def turn(self, position: Position) -> Turn:
        done = len(position)
        over = done >= 9
        return Turn(Message("go on"), None if over or done == 4 else (done - (done > 4)) // 2 % 2, over)

    def draw(self, position: Position, seed: int) -> object | None:
        return Wished() if len(position) == 4 and seed >= 0 else None

    def legal(self, position: Position) -> Sequence[object]:
        if len(position) >= 9:
            return ()
        last = position[-1] if position else None
        if isinstance(last, Laid):
            return [Crowned(last.cell)]
        taken = {event.cell for event in position if isinstance(event, Laid)}
        return [Laid(cell) for cell in range(9) if cell not in taken]

    def write(self, event: object) -> str:
        return repr(event)

    def tally(self, position: Position) -> Tally:
        lines = tuple(
            TallyLine(n // 2 % 2, Message("laid"), event.cell)
            for n, event in enumerate(position)
            if isinstance(event, Laid)
        )
        return Tally(2, lines, Standing((1, 1), None))


def _disc(label: str, ink: str) -> Face:
    circle = (
        f'<circle cx="250" cy="250" r="250" fill="{ink}"/><circle cx="250" cy="250" r="170" fill="#fff4"/>'
    )
    return Face(label, 50, 50, circle, round=True)


class CountersSight:
    """The protocol `Sight`."""

    def __init__(self) -> None:
        self._discs = [_disc(f"disc-{player}", ink) for player, ink in enumerate(INKS)]
        self._peg = Face("peg", 16, 16, '<circle cx="80" cy="80" r="80" fill="#f4c93f"/>', stands=True)

    @property
    def faces(self) -> Sequence[Face]:
        return (*self._discs, self._peg)

    @property
    def pieces(self) -> Mapping[str, Face]:
        discs = {f"{disc.label}-{n}": disc for disc in self._discs for n in range(5)}
        return discs | {f"peg-{n}": self._peg for n in range(5)}

    def arrange(self, _setup: Setup, position: Position) -> Sequence[PlacedPiece]:
        laid = [event.cell for event in position if isinstance(event, Laid)]
        crowned = [event.cell for event in position if isinstance(event, Crowned)]
        discs = (
            PlacedPiece(f"disc-{n % 2}-{n // 2}", f"disc-{n % 2}", *_place(cell))
            for n, cell in enumerate(laid)
        )
        pegs = (PlacedPiece(f"peg-{n}", "peg", *_place(cell)) for n, cell in enumerate(crowned))
        return (*discs, *pegs)

    def read(
        self, _setup: Setup, _position: Position, _seen: Sequence[Observation], _unknown: Sequence[Area] = ()
    ) -> Reading:
        return Reading()


def _place(cell: int) -> tuple[float, float]:
    return (cell % 3 - 1) * CELL, (cell // 3 - 1) * CELL


SIGHT = cast(AnySight, CountersSight())
GAME = cast(AnyGame, Counters())


class Evening:
    """A session with a companion that reads as well as it is told to; its panel's lamps stay dark."""

    lit = (False, False)
    common_lit = False

    def __init__(self, reads: bool = True) -> None:
        self.session: Session = begin_session("evening", GAME, SETUP, Source.DEMO, datetime.now(UTC))
        self.reads = reads
        self.pushed: list[int | None] = []
        self.by_hand: list[object] = []

    def record(self, events: Sequence[Any], source: Source = Source.CAMERA) -> None:
        for event in events:
            self.session = self.session.record(event, source, datetime.now(UTC))

    def push(self, seat: int | None, seconds: float = 0.1) -> None:
        assert seconds > 0
        self.pushed.append(seat)

    def answer(self, truth: Sequence[object]) -> None:
        if self.reads and self.pushed:
            self.record(truth)
