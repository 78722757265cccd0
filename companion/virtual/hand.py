"""How people lay pieces, and how an arm moves to do it.

Against the neighbour that lies there, with gaps, askew, and never twice alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, ceil, cos, degrees, hypot, radians, sin
from random import Random

from companion.core.observation import Face, PlacedPiece
from companion.virtual.collision import PieceOutline, gap_between, outline_of, overlap, push_apart
from companion.virtual.scene import Scene, Snapshot

GAP_MM = 1.5
"""Widest gap people leave between pieces they lay side by side."""
SKEW = 0.7
"""Standard deviation of how far a piece is turned against its neighbour, in degrees."""
SKEW_LIMIT = 1.8
SLIP_MM = 0.45
"""Standard deviation along the edge of the neighbour."""
TOUCHING_MM = 3.0
"""Pieces that should lie closer than this are laid against each other; others only near each other."""
LOOSE_MM = 2.5
"""Standard deviation of where a piece lies that nothing touches."""
LOOSE_SKEW = 1.2
STOOD_MM = 3.0
"""Standard deviation of where a figure stands."""
STOOD_LIMIT_MM = 7.0
OVERLAP_MM = 0.5
"""What people let pass, because they do not see it."""
AWAY_MM = 6.0
"""Farther than this nobody pushes a piece to make it fit: it is laid on top of what is in its way."""

Place = tuple[str, float, float, float]
"""A face and where it should lie."""


@dataclass(frozen=True)
class PieceMove:
    """One piece that a hand takes and lays down again."""

    piece: str
    start: PlacedPiece | None
    """Where it lies; None when it comes out of the box."""
    end: PlacedPiece | None
    """Where it shall lie; None when it goes back into the box."""
    nudged: tuple[PlacedPiece, ...] = ()
    """What is pushed aside a little so that it fits."""


@dataclass
class HandPlanner:
    """Somebody who lays pieces; ideal places are counted from the table's upper left corner."""

    faces: Mapping[str, Face]
    random: Random
    _names: dict[Place, str] = field(default_factory=dict)
    """Which piece has the place of the ideal one: pieces with one face stand in for each other."""

    def plan(
        self, before: Sequence[PlacedPiece], after: Sequence[PlacedPiece], look: Callable[[], Snapshot]
    ) -> Iterator[PieceMove]:
        """What to do, one after the other, so that the table shows `after`; people look at it before each move."""
        leaving, coming = pieces_moved(before, after)
        free = self._leaving(leaving)
        spare: dict[str, list[str]] = defaultdict(list)
        for piece in look().aside:
            spare[piece.face].append(piece.piece)
        pairs = [(wish, self._stand_in(wish, free, spare)) for wish in coming]
        # What leaves for good goes first, and figures before all, for they stand on the others.
        for name in (name for names in free.values() for name in names):
            if (start := look().find(name)) is not None:
                yield PieceMove(name, start, None)
        there = [one for one in after if one not in coming]
        for wish, name in sorted(pairs, key=lambda pair: self.faces[pair[0].face].stands):
            snapshot = look()
            table = {one.piece: one for one in snapshot.lying if one.piece != name}
            end, nudged = self._lay(replace(wish, piece=name), wish, there, table)
            self._names[_place(wish)] = name
            there.append(wish)
            yield PieceMove(name, snapshot.find(name), end, nudged)

    def forget(self) -> None:
        """Begin with an empty table."""
        self._names.clear()

    def find_again(self, before: Sequence[PlacedPiece], lying: Sequence[PlacedPiece]) -> None:
        """Learn which piece has the place of which ideal one where other people have laid them."""
        self._names.clear()
        left = {one.piece: one for one in lying}
        for ideal in sorted(before, key=lambda one: self.faces[one.face].stands):
            x, y = ideal.x, ideal.y
            if self.faces[ideal.face].stands:
                below = [one for one in before if not self.faces[one.face].stands]
                near = min(below, key=lambda one: hypot(one.x - x, one.y - y), default=ideal)
                actual = next((one for one in lying if one.piece == self.name_of(near)), near)
                x, y, _ = carried_along(ideal, near, actual)
            same = [one for one in left.values() if one.face == ideal.face]
            if same:
                found = min(same, key=lambda one: (hypot(one.x - x, one.y - y), one.piece != ideal.piece))
                self._names[_place(ideal)] = found.piece
                del left[found.piece]

    def _leaving(self, leaving: Sequence[PlacedPiece]) -> dict[str, list[str]]:
        """The pieces that leave their places, by their face."""
        free: dict[str, list[str]] = defaultdict(list)
        for ideal in sorted(leaving, key=lambda one: not self.faces[one.face].stands):
            free[ideal.face].append(self._names.pop(_place(ideal), ideal.piece))
        return free

    def _stand_in(self, wish: PlacedPiece, free: dict[str, list[str]], spare: dict[str, list[str]]) -> str:
        for names in (free[wish.face], spare[wish.face]):
            if names:
                chosen = wish.piece if wish.piece in names else names[0]
                names.remove(chosen)
                return chosen
        return wish.piece

    def _lay(
        self,
        piece: PlacedPiece,
        wish: PlacedPiece,
        placed: Sequence[PlacedPiece],
        table: Mapping[str, PlacedPiece],
    ) -> tuple[PlacedPiece, tuple[PlacedPiece, ...]]:
        there = [(ideal, table[name]) for ideal in placed if (name := self.name_of(ideal)) in table]
        if self.faces[piece.face].stands:
            return self._stand(piece, wish, there), ()
        lain = self._beside(piece, wish, there)
        shapes = [self._shape(actual) for actual in table.values() if not self.faces[actual.face].stands]
        return self._made_to_fit(lain, shapes)

    def name_of(self, ideal: PlacedPiece) -> str:
        """Which piece has this ideal place."""
        return self._names.get(_place(ideal), ideal.piece)

    def _stand(
        self, piece: PlacedPiece, wish: PlacedPiece, there: Sequence[tuple[PlacedPiece, PlacedPiece]]
    ) -> PlacedPiece:
        """A figure stands somewhere about the middle of what it stands on, turned anyhow."""
        below = min(
            (
                pair
                for pair in there
                if not self.faces[pair[0].face].stands and self._gap(wish, pair[0], centre=True) == 0
            ),
            key=lambda pair: hypot(pair[0].x - wish.x, pair[0].y - wish.y),
            default=(wish, wish),
        )
        x, y, _ = carried_along(wish, *below)
        dx, dy = (self._about(STOOD_MM, STOOD_LIMIT_MM) for _axis in "xy")
        return replace(piece, x=x + dx, y=y + dy, angle=self.random.uniform(0, 360))

    def _beside(
        self, piece: PlacedPiece, wish: PlacedPiece, there: Sequence[tuple[PlacedPiece, PlacedPiece]]
    ) -> PlacedPiece:
        """A piece is pushed against its nearest neighbour as that one lies, not as it should lie."""
        flat = [pair for pair in there if not self.faces[pair[0].face].stands]
        near = [(self._gap(wish, pair[0]), index) for index, pair in enumerate(flat)]
        gap, index = min(near, default=(TOUCHING_MM, 0), key=lambda one: (one[0] > 0.1, one))
        if gap >= TOUCHING_MM:
            dx, dy = (self._about(LOOSE_MM, 2 * LOOSE_MM) for _axis in "xy")
            turn = self._about(LOOSE_SKEW, 2 * LOOSE_SKEW)
            return replace(piece, x=wish.x + dx, y=wish.y + dy, angle=wish.angle + turn)
        ideal, actual = flat[index]
        x, y, angle = carried_along(wish, ideal, actual)
        out_x, out_y = _away(self._shape(wish), self._shape(ideal), angle - wish.angle)
        gap, slip = self.random.uniform(0, GAP_MM), self._about(SLIP_MM, 3 * SLIP_MM)
        return replace(
            piece,
            x=x + gap * out_x - slip * out_y,
            y=y + gap * out_y + slip * out_x,
            angle=angle + self._about(SKEW, SKEW_LIMIT),
        )

    def _made_to_fit(
        self, lain: PlacedPiece, others: Sequence[PieceOutline]
    ) -> tuple[PlacedPiece, tuple[PlacedPiece, ...]]:
        """Push the new piece until it overlaps nothing; where that is not enough, its neighbours give way."""
        near = [shape for shape in others if gap_between(self._shape(lain), shape) < 3 * GAP_MM]
        (fitted, *_rest), left = push_apart([self._shape(lain), *near], 1, OVERLAP_MM)
        if left <= OVERLAP_MM and _close(fitted.lying, lain):
            return fitted.lying, ()
        calm = [one for one in others if not any(overlap(one, two) > GAP_MM for two in others if two != one)]
        (fitted, *moved), left = push_apart([self._shape(lain), *calm], 1 + len(calm), OVERLAP_MM)
        nudged = [(new.lying, old.lying) for new, old in zip(moved, calm, strict=True) if new != old]
        if left > OVERLAP_MM or not all(_close(*pair) for pair in [(fitted.lying, lain), *nudged]):
            return lain, ()
        return fitted.lying, tuple(new for new, _old in nudged)

    def _gap(self, one: PlacedPiece, other: PlacedPiece, centre: bool = False) -> float:
        shape = self._shape(one)
        return gap_between(replace(shape, width=0, height=0) if centre else shape, self._shape(other))

    def _shape(self, lying: PlacedPiece) -> PieceOutline:
        return outline_of(lying, self.faces[lying.face])

    def _about(self, usual: float, most: float) -> float:
        return min(max(self.random.gauss(0, usual), -most), most)


def pieces_moved(
    before: Sequence[PlacedPiece], after: Sequence[PlacedPiece]
) -> tuple[list[PlacedPiece], list[PlacedPiece]]:
    """What leaves its place, and what comes to one; identical pieces that only swap names stay."""
    kept_before = {_place(one): one for one in before}
    kept_after = {_place(one): one for one in after}
    leaving = [one for place, one in kept_before.items() if place not in kept_after]
    coming = [one for place, one in kept_after.items() if place not in kept_before]
    return leaving, coming


def _place(lying: PlacedPiece) -> Place:
    return lying.face, round(lying.x, 3), round(lying.y, 3), round(lying.angle % 360, 3)


def carried_along(wish: PlacedPiece, ideal: PlacedPiece, actual: PlacedPiece) -> tuple[float, float, float]:
    """Where something should lie, given how a neighbour lies instead of where it should."""
    turn = actual.angle - ideal.angle
    c, s = cos(radians(turn)), sin(radians(turn))
    dx, dy = wish.x - ideal.x, wish.y - ideal.y
    return actual.x + dx * c - dy * s, actual.y + dx * s + dy * c, wish.angle + turn


def _close(one: PlacedPiece, other: PlacedPiece) -> bool:
    return hypot(one.x - other.x, one.y - other.y) <= AWAY_MM


def _away(shape: PieceOutline, neighbour: PieceOutline, turn: float) -> tuple[float, float]:
    """The direction in which a gap to the neighbour opens, on a table turned by so much."""
    x, y = neighbour.normal_towards(shape.x, shape.y)
    c, s = cos(radians(turn)), sin(radians(turn))
    return x * c - y * s, x * s + y * c


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
