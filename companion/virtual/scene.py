"""What lies where on a table that needs no hardware, and the hand above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from threading import Lock

from companion.core.observation import Face, PlacedPiece

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
