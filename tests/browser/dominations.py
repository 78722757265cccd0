"""People who play Dominations by touch: every tap is counted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Locator

from companion.games import GAMES
from tests.browser.device import Device
from tests.browser.evenings import recorded
from tests.web.visitor import Visitor

NAMES = ("Ana", "Rui", "Beatriz", "Tomé")
COLOURS = tuple(colour.value for colour in GAMES["dominations"].colours)
VISIBLE = """() => {
  const frame = document.querySelector(".world").getBoundingClientRect();
  const hidden = [...document.querySelectorAll(".zoom")].map((box) => box.getBoundingClientRect());
  const free = (x, y) => x > frame.left + 12 && x < frame.right - 12 && y > frame.top + 12 && y < frame.bottom - 12
    && !hidden.some((box) => x > box.left - 8 && y > box.top - 8);
  return [...document.querySelectorAll("a.target")].map((target) => {
    const { left, right, top, bottom } = target.getBoundingClientRect();
    return [target.dataset.place, (left + right) / 2, (top + bottom) / 2];
  }).filter(([, x, y]) => free(x, y));
}"""
"""The places on the map that a finger can reach now, and where they are."""
SHOWN = "() => location.href + document.querySelector('svg.board')?.style.transform"
"""What a tap on the map changes: where the page leads, or what of the table is in sight."""


BARE_CRADLE = f"cradle {'-' * 12}"
"""Nobody is asked for its dots then."""


def seated(visitor: Visitor, players: int, *options: str, lines: Iterable[str] = ()) -> str:
    """Begin a game and record what happens; its address."""
    form = {f"option_{option}": "on" for option in options}
    for seat in range(players):
        form |= {f"name{seat}": NAMES[seat], f"colour{seat}": COLOURS[seat]}
    address = visitor.post("/new/dominations", form).location
    begun = recorded(visitor, address).seq  # the cards of the game before are known in this one
    for seq, line in enumerate((BARE_CRADLE, *lines), begun):
        answer = visitor.post(f"{address}/record", {"event": line, "seq": str(seq)})
        assert (answer.status, answer.notices) == (303, []), line
    return address


@dataclass
class Finger:
    """A finger on one device, and how often it tapped."""

    device: Device
    random: Random = field(default_factory=lambda: Random(7))
    taps: int = 0

    def find(self, selector: str) -> Locator:
        return self.device.find(selector)

    def point(self, target: str | Locator) -> None:
        """Tap what leads on, and wait until the page shows it."""
        self.taps += 1
        before = self.device.page.url
        self.device.tap(target)
        self.device.page.wait_for_function("(url) => location.href !== url", arg=before)
        self.settle()

    def record(self, target: str | Locator) -> None:
        """Tap what records something."""
        self.taps += 1
        self.device.record(target)

    def settle(self) -> None:
        self.device.page.wait_for_function("() => !document.querySelector('.busy')")

    def colour(self, letter: str) -> Locator:
        return self.find(f".group.grid .choice-of:has(svg.domain-{letter})").first

    def tap_map(self, place: str = "") -> None:
        """Tap that place of the map, or any that can be reached; the first tap may only bring it closer."""
        for _try in range(4):
            found = [each for each in self.device.page.evaluate(VISIBLE) if place in ("", each[0])]
            if not found:
                self.taps += 1
                self.device.tap("#zoom-whole")
                continue
            place, x, y = self.random.choice(found)
            before, url = self.device.page.evaluate(SHOWN), self.device.page.url
            self.taps += 1
            self.device.page.touchscreen.tap(x, y)
            self.device.until(f"() => ({SHOWN})() !== {json.dumps(before)}")
            if self.device.page.url != url:
                self.settle()
                return
        raise AssertionError(f"no place of the map could be tapped: {place}")

    def lay(self, place: str = "", colours: str = "") -> None:
        """A territory: where it lies, its Field, its three resources."""
        self.tap_map(place)
        for letter in (colours or "".join(self.random.choices("TCASPR", k=4)))[:3]:
            self.point(self.colour(letter))
        last = (colours or "".join(self.random.choices("TCASPR", k=4)))[3]
        self.record(self.colour(last))

    def answer(self) -> int:
        """Answer what is asked; how often something was."""
        asked = 0
        while self.find("button[value^='rule '], button[value*=' chooses ']").count():
            self.record(self.find("button[value^='rule '], button[value*=' chooses ']").first)
            asked += 1
        return asked

    def build(self) -> bool:
        """The first City that can be paid for, if there is one."""
        offered = self.find(
            ".choice-of:not(.off)[value*=' builds '], .choice-of:not(.off)[value*=' upgrades ']"
        )
        if offered.count():
            self.record(offered.first)
            return True
        if self.find("a.choice-of[href*='do=city']").count():
            self.point(self.find("a.choice-of[href*='do=city']").first)
            self.tap_map()
            self.record(".choice-of[value*=' builds ']")
            return True
        return False

    def develop(self) -> bool:
        """The first Mastery that can be paid for, with one Nodus; or none."""
        self.point("a.choice-of[href*='do=mastery']")
        offered = self.find("a.choice-of:not(.off)[href*='key=']:not([href*='do=card'])")
        if not offered.count():
            self.point(".hand > header a.button")
            return False
        self.point(offered.first)
        self.record(self.colour("C"))
        return True

    def end(self) -> None:
        self.record("button[value$=' ends']")
