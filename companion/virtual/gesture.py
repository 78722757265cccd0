"""How an arm moves above the table: in from its seat, to a piece, with it to its place, and out again."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, ceil, degrees, hypot

from companion.virtual.hand import PieceMove
from companion.virtual.scene import Scene

TICK_S = 0.1
"""Between two places of a moving hand; a camera takes no more than a picture in that time."""
SPEED = 900.0
"""Millimetres a hand moves in a second."""
LEAST_S = 0.35
"""No way is shorter, however near."""
BEYOND_MM = 90.0
"""How far outside the table a hand waits."""
SHOULDER_MM = 320.0
"""How far behind that the arm begins."""
STILL_MM = 15.0
"""A piece that was moved farther than this while the hand was on its way is not pushed aside any more."""


def seat_place(seat: int, seats: int, width: float, height: float) -> tuple[float, float]:
    """Where somebody's hand waits; people sit clockwise from the upper left, two of them at the ends."""
    if seats <= 2:
        return (-BEYOND_MM if seat == 0 else width + BEYOND_MM), height / 2
    above = (seats + 1) // 2
    if seat < above:
        return width * (seat + 0.5) / above, -BEYOND_MM
    below = seats - above
    return width * (below - (seat - above) - 0.5) / below, height + BEYOND_MM


class Arm:
    """One person's arm; its ways are told as seconds to wait until it wants to go on."""

    def __init__(self, scene: Scene, seat: int, seats: int) -> None:
        self._scene, self._seed = scene, seat
        self._home = seat_place(seat, seats, scene.width, scene.height)
        self._at = self._home
        self._turned = 0.0

    def perform(self, move: PieceMove) -> Iterator[float]:
        """Take a piece from where it lies, or from the box, and lay it down there, or put it back into the box."""
        start = self._home if move.start is None else (move.start.x, move.start.y)
        yield from self._go(*start, self._turned)
        if not self._scene.take(move.piece):
            return  # somebody else has it
        self._turned = move.start.angle if move.start else 0.0
        if move.end is None:
            yield from self.leave()
            return
        yield from self._go(move.end.x, move.end.y, move.end.angle)
        self._make_room(move)
        self._scene.lay(move.piece, move.end.x, move.end.y, move.end.angle)
        yield TICK_S

    def leave(self) -> Iterator[float]:
        """Take the hand off the table."""
        yield from self._go(*self._home, self._turned)
        self._scene.withdraw()

    def _make_room(self, move: PieceMove) -> None:
        for nudged in move.nudged:
            lies = self._scene.snapshot.find(nudged.piece)
            if lies and hypot(lies.x - nudged.x, lies.y - nudged.y) < STILL_MM:
                self._scene.put(nudged.piece, nudged.x, nudged.y, nudged.angle)

    def _go(self, x: float, y: float, turned: float) -> Iterator[float]:
        from_x, from_y, from_turned = *self._at, self._turned
        turn = (turned - from_turned + 180) % 360 - 180
        ticks = ceil(max(LEAST_S, hypot(x - from_x, y - from_y) / SPEED) / TICK_S)
        for tick in range(1, ticks + 1):
            part = tick / ticks
            eased = part * part * (3 - 2 * part)
            self._at = from_x + (x - from_x) * eased, from_y + (y - from_y) * eased
            self._turned = from_turned + turn * eased
            self._scene.reach(*self._at, self._pointing(), self._seed, self._turned)
            yield TICK_S

    def _pointing(self) -> float:
        """Away from the shoulder, in degrees clockwise from upwards."""
        (x, y), (home_x, home_y) = self._at, self._home
        out_x = (home_x < 0) * -1 + (home_x > self._scene.width)
        out_y = (home_y < 0) * -1 + (home_y > self._scene.height)
        dx, dy = x - home_x - out_x * SHOULDER_MM, y - home_y - out_y * SHOULDER_MM
        return degrees(atan2(dx, -dy))
