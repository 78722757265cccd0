"""What lies where on a table that needs no hardware, the hand above it, and things no box holds.

Napkin, cup, tablet, strip of lamps.

Millimetres from the table's upper left corner. `Scene` is the one owner, callable from any thread; everybody
else gets snapshots.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import hypot, isfinite
from pathlib import Path
from threading import Lock

from companion.core.observation import Area, Face, PlacedPiece

PIECES_LIMIT = 400
"""More than any box holds."""


@dataclass(frozen=True)
class ReachingHand:
    """A hand above the table, with the arm it belongs to."""

    x: float
    """Where its fingertips are, as is y."""
    y: float
    angle: float = 0
    """Degrees clockwise from pointing up, away from somebody who sits at the lower edge."""
    seed: int = 0
    """Whose hand it is: the same seed has the same skin and sleeve."""
    holding: PlacedPiece | None = None
    taken: PlacedPiece | None = None
    """Where what it holds lay before; None when that came out of the box."""


@dataclass(frozen=True)
class Snapshot:
    """The scene at one moment."""

    version: int
    lying: tuple[PlacedPiece, ...]
    """From the bottom to the top."""
    aside: tuple[PlacedPiece, ...]
    """In the box: x and y mean nothing."""
    hand: ReachingHand | None = None

    def find(self, piece: str) -> PlacedPiece | None:
        """Where a piece lies, if it does."""
        return next((lying for lying in self.lying if lying.piece == piece), None)


class Scene:
    """The one owner of what lies where; callable from any thread."""

    def __init__(self, box: Mapping[str, Face], width: float, height: float) -> None:
        self.width, self.height = width, height
        self._lock = Lock()
        self._box = dict(box)
        self._faces = {face.label: face for face in self._box.values()}
        self._lying: dict[str, PlacedPiece] = {}
        self._hand: ReachingHand | None = None
        self._version = 0
        self._snapshot = self._look()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def faces(self) -> Mapping[str, Face]:
        """Every face that lies or has lain here, by its label: who draws an older snapshot finds its faces, too."""
        with self._lock:
            return dict(self._faces)

    def refill(self, box: Mapping[str, Face]) -> None:
        """Bring another game's box; what lay here is gone."""
        with self._lock:
            self._box = dict(box)
            self._faces |= {face.label: face for face in self._box.values()}
            self._lying.clear()
            self._hand = None
            self._changed()

    def add(self, piece: str, face: Face) -> None:
        """Bring another piece to the table's box."""
        with self._lock:
            if piece not in self._box and len(self._box) < PIECES_LIMIT:
                self._box[piece] = face
                self._faces[face.label] = face
                self._changed()

    def put(self, piece: str, x: float, y: float, angle: float = 0) -> None:
        """Lay a piece down on top of all that lies flat, within the table; KeyError when there is no such piece."""
        with self._lock:
            self._put(piece, x, y, angle)
            if self._hand and self._hand.holding and self._hand.holding.piece == piece:
                self._hand = replace(self._hand, holding=None)
            self._changed()

    def remove(self, piece: str) -> None:
        """Put a piece back into the box; KeyError when there is no such piece."""
        with self._lock:
            self._known(piece)
            if self._lying.pop(piece, None) is not None:
                self._changed()

    def clear(self) -> None:
        """Put everything back into the box."""
        with self._lock:
            self._lying.clear()
            self._hand = None
            self._changed()

    def take(self, piece: str) -> bool:
        """Let the hand pick up a piece from the table or the box; False when there is no hand, or it is full."""
        with self._lock:
            face = self._known(piece)
            if self._hand is None or self._hand.holding is not None:
                return False
            taken = self._lying.pop(piece, None)
            lying = taken or PlacedPiece(piece, face.label, self._hand.x, self._hand.y)
            self._hand = replace(self._hand, holding=lying, taken=taken)
            self._changed()
            return True

    def lay(self, piece: str, x: float, y: float, angle: float) -> bool:
        """Let the hand lay down what it holds; False when somebody has taken the piece out of it."""
        with self._lock:
            if self._hand is None or self._hand.holding is None or self._hand.holding.piece != piece:
                return False
            self._hand = replace(self._hand, holding=None)
            self._put(piece, x, y, angle)
            self._changed()
            return True

    def reach(self, x: float, y: float, angle: float, seed: int, turned: float = 0) -> None:
        """Move the hand there, and with it the piece it holds, turned that way."""
        with self._lock:
            holding, taken = (self._hand.holding, self._hand.taken) if self._hand else (None, None)
            if holding is not None:
                holding = replace(holding, x=x, y=y, angle=turned)
            self._hand = ReachingHand(x, y, angle, seed, holding, taken)
            self._snapshot = replace(self._snapshot, hand=self._hand)

    def withdraw(self) -> None:
        """Take the hand away; a piece it still holds goes back into the box."""
        with self._lock:
            held = self._hand is not None and self._hand.holding is not None
            self._hand = None
            if held:
                self._changed()
            else:
                self._snapshot = replace(self._snapshot, hand=None)

    def _known(self, piece: str) -> Face:
        if piece not in self._box:
            raise KeyError(piece)
        return self._box[piece]

    def _put(self, piece: str, x: float, y: float, angle: float) -> None:
        face = self._known(piece)
        if not all(map(isfinite, (x, y, angle))):
            raise ValueError(f"{piece} cannot lie at {x}, {y} turned by {angle}")
        x, y = min(max(x, 0.0), self.width), min(max(y, 0.0), self.height)
        self._lying.pop(piece, None)
        self._lying[piece] = PlacedPiece(piece, face.label, x, y, angle % 360)

    def _changed(self) -> None:
        self._version += 1
        self._snapshot = self._look()

    def _look(self) -> Snapshot:
        # What stands is never pushed under something flat: people lift the figure, not slide a tile over it.
        order = sorted(self._lying.values(), key=lambda lying: self._box[lying.piece].stands)
        holding = self._hand.holding.piece if self._hand and self._hand.holding else None
        aside = (
            PlacedPiece(piece, face.label, 0, 0)
            for piece, face in self._box.items()
            if piece not in self._lying and piece != holding
        )
        return Snapshot(self._version, tuple(order), tuple(aside), self._hand)


TABLET = Area(800, 806, 236, 158, 3)
STRIP = Area(800, 58, 330, 56)
IGNORE = (TABLET, STRIP)
"""Where a screen and our own lamps change all the time; grown by their shadows when pictures are compared."""
ASIDE = (Area(1506, 450, 236, 158, 93), Area(58, 450, 330, 56, 90))
"""Where people put both instead when a game needs the table's middle from edge to edge."""

_DRAWN = dict(
    re.findall(
        r'^<g id="(\w+)".*?>(.*?)^</g>', Path(__file__).with_name("props.svg").read_text("utf-8"), re.M | re.S
    )
)
"""Drawings by the name of the prop, in tenths of a millimetre."""
NAPKIN = Face("napkin", 130, 130, _DRAWN["napkin"], stands=True)
CUP = Face("cup", 112, 88, _DRAWN["cup"], stands=True)
COVERS = {face.label: face for face in (NAPKIN, CUP)}

ARM_LENGTH = 900.0
HAND_WIDTH = 150.0
FINGERTIP = (62.0, 12.0)
"""Where on the drawing of a hand the fingers hold a piece."""

SKINS = (("#f0c8a6", "#c9966f"), ("#d9a57c", "#a97450"), ("#a8714a", "#7b4d30"), ("#6f4630", "#4a2d1e"))
SLEEVES = (
    ("#3f5f86", "#2d4564"),
    ("#8a3d46", "#652a32"),
    ("#d8d2c4", "#b0a898"),
    ("#4f6b52", "#384d3a"),
    ("", ""),
)
"""Cloth and its folds; people in short sleeves have none."""


def furniture_places(begun: Sequence[PlacedPiece]) -> tuple[Area, ...]:
    """Where tablet and lamps lie: far from where a game begins, for it grows from there."""

    def room(places: Sequence[Area]) -> float:
        return min((hypot(one.x - at.x, one.y - at.y) for one in begun for at in places), default=0)

    return max(IGNORE, ASIDE, key=room)


@cache
def hand_face(seed: int) -> Face:
    """Whose hand it is, seen from above, fingers up and the arm long enough to end beyond the table."""
    choose = random.Random(seed)
    skin, line = choose.choice(SKINS)
    cloth, fold = choose.choice(SLEEVES)
    drawing = _DRAWN["hand"].replace(SKINS[0][0], skin).replace(SKINS[0][1], line)
    sleeve = _sleeve(cloth, fold, choose.randint(2500, 3600)) if cloth else ""
    return Face("hand", HAND_WIDTH, ARM_LENGTH, drawing + sleeve, stands=True)


def _sleeve(cloth: str, fold: str, cuff: int) -> str:
    return (
        f'<path fill="{cloth}" d="M400 {cuff}Q760 {cuff - 90} 1130 {cuff}L1260 9000H230z"/>'
        f'<path fill="none" stroke="{fold}" stroke-width="26" d="M400 {cuff + 130}Q760 {cuff + 40} 1130 {cuff + 130}"/>'
        f'<path fill="none" stroke="{fold}" stroke-width="34" stroke-linecap="round" opacity=".6"'
        f' d="M480 {cuff + 700}q180 240 120 700M980 {cuff + 500}q-90 500-20 900M560 {cuff + 2200}q200 300 60 900"/>'
    )


@cache
def tablet_face(picture: int) -> Face:
    """A tablet with one of several pictures on its screen."""
    choose = random.Random(picture)
    ground = choose.choice(("#f4efe4", "#e9f0ea", "#2b2a33", "#f7e9d7"))
    inks = ("#e5ac34", "#3c7150", "#559dcd", "#b0573f", "#8a78a8")
    rows = "".join(
        f'<rect x="{190 + 480 * (n % 4)}" y="{180 + 420 * (n // 4)}" rx="30" width="400" height="340"'
        f' fill="{choose.choice(inks)}" opacity=".{choose.randint(4, 9)}"/>'
        for n in range(12)
    )
    width, height = TABLET.width * 10, TABLET.height * 10
    return Face(
        f"tablet-{picture}",
        TABLET.width,
        TABLET.height,
        f'<rect width="{width:g}" height="{height:g}" rx="90" fill="#26262a"/>'
        f'<rect x="90" y="90" width="{width - 180:g}" height="{height - 180:g}" rx="20" fill="{ground}"/>{rows}',
    )


@cache
def strip_face(lit: tuple[bool, ...]) -> Face:
    """A strip of buttons with a lamp in each."""
    width, height = STRIP.width * 10, STRIP.height * 10
    gap = width / (len(lit) + 1)
    buttons = "".join(_button(gap * (n + 1), height / 2, min(190, 0.4 * gap), on) for n, on in enumerate(lit))
    wood = f'<rect width="{width:g}" height="{height:g}" rx="70" fill="#8a5f3c"/>'
    return Face("strip", STRIP.width, STRIP.height, wood + buttons)


def _button(x: float, y: float, radius: float, on: bool) -> str:
    rings = [(1.0, "#3a2b20", 1.0), (0.8, "#fff3c4" if on else "#5b4a3a", 1.0)]
    if on:
        rings.insert(0, (1.4, "#ffe9a8", 0.35))
    return "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{part * radius:g}" fill="{ink}" opacity="{opacity}"/>'
        for part, ink, opacity in rings
    )
