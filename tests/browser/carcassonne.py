"""Tables of Carcassonne as far on as a browser test needs them, and fingers on their boards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, islice

from playwright.sync_api import CDPSession

from companion.commands.bench import random_carcassonne
from companion.games.carcassonne.text.notation import write_event
from tests.browser.device import Device
from tests.web.visitor import Visitor

NAMES = ("Ana", "Rui", "Beatriz", "Tomé", "Maximiliano")
COLOURS = ("red", "blue", "green", "yellow", "black")
FARM = (
    *(
        "first D at 0,0 W",
        "1 lays E at 0,-1 S with f0",
        "2 lays U at 1,0 E with f0",
        "1 lays E at 1,-1 N",
        "1 places none",
    ),
    *("2 lays E at 1,-2 S", "2 places none"),
)
"""A field of the first two players that borders two complete cities."""
ON_THE_FARM = (1.5, 0.12)
"""In tiles from the corner of the first one."""
UNIT = 450


def seated(visitor: Visitor, players: int, *options: str, lines: Iterable[str] = ()) -> str:
    """Begin a game and record what happens; its address."""
    form = {f"option_{option}": "on" for option in options}
    for seat in range(players):
        form |= {f"name{seat}": NAMES[seat], f"colour{seat}": COLOURS[seat]}
    address = visitor.post("/new/carcassonne", form).location
    for seq, line in zip(count(1), lines, strict=False):
        answer = visitor.post(f"{address}/record", {"event": line, "seq": str(seq)})
        assert (answer.status, answer.notices) == (303, []), line
    return address


def evening(moves: int | None = None, seed: int = 4) -> list[str]:
    """What happens in a game of five at random; all 72 tiles come to lie in it."""
    return [write_event(event) for _position, event in islice(random_carcassonne(seed), moves)]


def drawn(turn: int) -> list[str]:
    """Such a game, up to the moment when that many tiles were drawn and the last is in hand."""
    lines = evening()
    draws = [number for number, line in enumerate(lines) if " draws " in line]
    return lines[: draws[turn - 1] + 1]


def point(device: Device, x: float, y: float) -> tuple[float, float]:
    """Where a point of the table, in tiles, is on the screen."""
    found = device.page.evaluate(
        """([x, y]) => {
          const { left, top, width } = document.querySelector("svg.board").getBoundingClientRect();
          const box = document.querySelector("svg.board").viewBox.baseVal;
          return [left + (x - box.x) * width / box.width, top + (y - box.y) * width / box.width];
        }""",
        [x * UNIT, y * UNIT],
    )
    return found[0], found[1]


def tap(device: Device, x: float, y: float) -> None:
    """Tap that point of the table."""
    device.page.touchscreen.tap(*point(device, x, y))


def size(device: Device) -> float:
    """How many pixels a tile is wide."""
    return point(device, 1, 0)[0] - point(device, 0, 0)[0]


class Fingers:
    """Fingers that move over the screen, as a touch screen tells the browser."""

    def __init__(self, device: Device) -> None:
        self._session: CDPSession = device.page.context.new_cdp_session(device.page)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> None:
        self._move([(start, end)], steps)

    def pinch(self, middle: tuple[float, float], before: float, after: float, steps: int = 8) -> None:
        """Two fingers side by side move apart, or together."""
        x, y = middle
        hands = [((x + side * before / 2, y), (x + side * after / 2, y)) for side in (-1, 1)]
        self._move(hands, steps)

    def fling(self, x: float, y: float, dx: float, dy: float, speed: int) -> None:
        """Chromium's own finger, which moves between its frames as a real one does."""
        self._session.send(
            "Input.synthesizeScrollGesture",
            {
                **{"x": x, "y": y, "xDistance": dx, "yDistance": dy, "speed": speed},
                **{"gestureSourceType": "touch", "preventFling": True},
            },
        )

    def _move(self, hands: list[tuple[tuple[float, float], tuple[float, float]]], steps: int) -> None:
        for step in range(steps + 1):
            points = [
                {"x": a[0] + (b[0] - a[0]) * step / steps, "y": a[1] + (b[1] - a[1]) * step / steps, "id": n}
                for n, (a, b) in enumerate(hands)
            ]
            self._touch("touchMove" if step else "touchStart", points)
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
