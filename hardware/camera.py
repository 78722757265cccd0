"""What every camera does: one picture after the other, whoever takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]


FRAME_S = 0.2
"""Between two pictures: nobody lays pieces faster, and looking more often only costs work."""


@dataclass(frozen=True)
class Frame:
    """One picture of the table."""

    pixels: Pixels
    """Rows of blue, green and red, as OpenCV has them."""
    time: float
    """Seconds of the clock that the camera was given; only differences mean something."""
    number: int = 0
    """Counted by the camera: a gap means that pictures were left out."""


class Camera(Protocol):
    """Somewhere pictures come from."""

    @property
    def name(self) -> str:
        """What people know it by, such as a folder or an address."""
        ...

    def frame(self) -> Frame:
        """Wait for the next picture; CameraError when there is none, after which asking again may help."""
        ...

    def close(self) -> None: ...
