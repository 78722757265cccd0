"""What the page can do with the virtual table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.core.message import Message
from companion.core.observation import Area, Face, PlacedPiece


@dataclass(frozen=True)
class Switch:
    """Something of the virtual table that can be switched on and off: a disturbance of the camera's pictures."""

    key: str
    name: Message
    on: bool
    about: Message | None = None
    """What it does to the pictures, in a line."""


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong when somebody asks for it, such as a bumped camera."""

    key: str
    name: Message
    about: Message | None = None
    """What happens, in a line."""
    told: Message | None = None
    """What has gone wrong and what to expect of the page, while that lasts."""
    ending: Message | None = None
    """How it is put right, while it lasts: by causing it again."""
    pieces: tuple[str, ...] = ()
    """What has been touched by it."""


class VirtualTableControl(Protocol):
    """A table without hardware; every call answers at once and from any thread."""

    width: float
    """Millimetres, as is the height."""
    height: float

    @property
    def version(self) -> int:
        """Grows whenever a piece moves or something goes wrong, so that pages can ask whether they are up to date."""
        ...

    @property
    def faces(self) -> Mapping[str, Face]:
        """The faces of everything that may lie here, by label."""
        ...

    @property
    def lying(self) -> Sequence[PlacedPiece]:
        """The pieces on the table from the bottom to the top, in millimetres from its upper left corner."""
        ...

    @property
    def furniture(self) -> Sequence[tuple[Face, Area]]:
        """What of our own lies there, such as tablet and lamps: nothing is read on it."""
        ...

    @property
    def aside(self) -> Sequence[PlacedPiece]:
        """The pieces in the box that people can take: x and y mean nothing for them."""
        ...

    @property
    def switches(self) -> Sequence[Switch]: ...

    @property
    def faults(self) -> Sequence[Fault]: ...

    @property
    def playing(self) -> bool:
        """Whether the invisible hand plays."""
        ...

    def put(self, piece: str, x: float, y: float, angle: float) -> None:
        """Lay a piece of the table or the box there, or KeyError."""
        ...

    def remove(self, piece: str) -> None:
        """Put a piece back into the box, or KeyError."""
        ...

    def switch(self, key: str, on: bool) -> None:
        """Switch a disturbance, or KeyError."""
        ...

    def cause(self, key: str) -> None:
        """Let that fault happen, or put it right while it lasts; KeyError, or IllegalEvent when it cannot be now."""
        ...

    def push(self, seat: int | None, seconds: float = 0.1) -> None:
        """Hold a button of the panel down for so long; None is the common one."""
        ...

    def play(self, on: bool) -> None:
        """Let the invisible hand play, or stop it for good so that people can take their seats; else IllegalEvent."""
        ...
