"""What every camera does: one picture after the other, whoever takes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING, Protocol, cast

from companion.core.errors import CameraError
from companion.core.message import message as _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]


FRAME_S = 0.2
"""Between two pictures: nobody lays pieces faster, and looking more often only costs work."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table, in full and as an image pyramid: what needs no detail asks for a smaller level.

    A JPEG is unpacked when somebody looks, and no further than that: of twelve megapixels, the half takes two fifths
    of the time. What a level shows never depends on which others were looked at.
    """

    given: Pixels | bytes
    """Rows of blue, green and red, as OpenCV has them; or the JPEG that the camera gave."""
    time: float
    """Seconds of the clock that the camera was given; only differences mean something."""
    number: int = 0
    """Counted by the camera: a gap means that pictures were left out."""
    _levels: dict[int, Pixels] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; a JPEG is not unpacked for it."""
        if not isinstance(self.given, bytes):
            return self.given.shape[1], self.given.shape[0]
        from hardware.folder_camera import photo_size

        size = photo_size(self.given)
        if size is None:
            raise CameraError(DAMAGED)
        return size

    @property
    def pixels(self) -> Pixels:
        """All of it, in rows of blue, green and red; CameraError where a JPEG cannot be unpacked."""
        return self.halved(0)

    def halved(self, times: int) -> Pixels:
        """With half as many pixels a side, so many times; as often as one likes, each is worked out once."""
        if times not in self._levels:
            self._levels[times] = self._level(times)
        return self._levels[times]

    def at_least(self, width: int) -> Pixels:
        """Halved until the next time would make it narrower than that."""
        return self.halved(max(0, int(log2(self.size[0] / width))))

    def _level(self, times: int) -> Pixels:
        if times > 1 or (times and not isinstance(self.given, bytes)):
            return halved(self.halved(times - 1), 1)
        if not isinstance(self.given, bytes):
            return self.given
        import cv2
        import numpy as np

        width, height = (max(1, side >> times) for side in self.size)
        kind = cv2.IMREAD_REDUCED_COLOR_2 if times else cv2.IMREAD_COLOR
        packed = np.frombuffer(self.given, np.uint8)
        unpacked = cv2.imdecode(packed, kind | cv2.IMREAD_IGNORE_ORIENTATION)
        if unpacked is None:
            raise CameraError(DAMAGED)
        return cast("Pixels", unpacked[:height, :width])


DAMAGED = _("The camera gave a damaged picture.")


def halved(pixels: Pixels, times: int) -> Pixels:
    """The picture with half as many pixels a side, so many times: many small pixels would be skipped, and their noise
    kept; and no other part of a size is worked out so soon."""
    import cv2

    for _again in range(times):
        height, width = (side // 2 for side in pixels.shape[:2])
        if not (height and width):
            break
        whole = pixels[: 2 * height, : 2 * width]
        pixels = cast("Pixels", cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))
    return pixels


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
