"""A tablet or a phone on the table: a real browser's page, and the fingers on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, ViewportSize

from companion.core.message import Translator
from companion.household.languages import catalogue

SIZES: dict[str, ViewportSize] = {
    "lying": {"width": 1280, "height": 800},
    "small lying": {"width": 1024, "height": 768},
    "upright": {"width": 800, "height": 1280},
    "phone": {"width": 390, "height": 844},
    "small phone": {"width": 360, "height": 640},
}
LANGUAGES = ("pt-BR", "es", "en")
DEVICES = (("lying", "pt-BR"), ("lying", "es"), ("upright", "en"), ("small phone", "pt-BR"), ("phone", "es"))
"""Every size and every language; the two longer languages on the sizes that are tight."""
NAMES = ("Ana", "Rui", "Beatriz", "Tomé")
NEXT = ", ".join(
    (
        'form[action$="/draw"] button',
        "button[name=event][value*=' takes ']",
        ".controls > form > button[name=event][value*=' lays ']",
        ".controls > form > button[name=event][value*=' discards ']",
    )
)
"""Whatever moves the game on; only one kind of them is on the page."""
PATIENCE_S = 30
"""Longer than anything here takes on a busy machine; nothing waits for it unless it fails."""
LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


@dataclass
class Device:
    """One browser with its own cookies, on one companion."""

    page: Page
    port: int
    pin: str
    language: str = "en"
    complaints: list[str] = field(default_factory=list)
    """What went wrong in the page, and what it asked of other computers; a test ends without any."""

    forgives: tuple[str, ...] = ()
    """What it may complain of, because the test wants it to happen."""

    def __post_init__(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def words(self) -> Translator:
        return catalogue(self.language)

    @property
    def seq(self) -> int:
        """The number of the last entry the page shows."""
        return int(self.page.get_attribute("#page", "data-seq") or 0)

    @property
    def address(self) -> str:
        """The session's address, without what somebody points at."""
        return re.sub(r"^(/s/\w+).*", r"\1", urlsplit(self.page.url).path)

    @property
    def totals(self) -> list[int]:
        return [int(text) for text in self.page.locator("[data-total]").all_inner_texts()]

    @property
    def turn(self) -> str:
        """What the page says everybody waits for."""
        return " ".join(self.page.locator("h1").inner_text().split())

    def open(self, path: str) -> None:
        self.page.goto(self.origin + path)

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def tap(self, target: str | Locator) -> None:
        (self.find(target) if isinstance(target, str) else target).first.tap()

    def follow(self, target: str | Locator) -> None:
        """Tap what leads to another page, and wait until it is there."""
        with self.page.expect_navigation():
            self.tap(target)

    def point(self, target: str | Locator | tuple[float, float]) -> None:
        """Tap what the page answers where it is, and wait until it shows the answer."""
        self.page.evaluate(
            "() => { window.answered = false;"
            " document.addEventListener('page:fresh', () => { window.answered = true; }, { once: true }); }"
        )
        if isinstance(target, tuple):
            self.page.touchscreen.tap(*target)
        else:
            self.tap(target)
        self.until("window.answered")

    def record(self, target: str | Locator) -> None:
        """Tap what records something, and wait until the page shows it."""
        seq = self.seq
        self.tap(target)
        self.wait_after(seq)

    def wait_after(self, seq: int, timeout: float | None = None) -> None:
        """Until the page shows another entry than that."""
        self.page.wait_for_selector(f'#page[data-seq]:not([data-seq="{seq}"])', timeout=timeout)

    def until(self, condition: str | Callable[[], bool]) -> None:
        """Until that is so, asked from outside: the page's own policy forbids code made of text."""
        limit = monotonic() + PATIENCE_S
        while not (self.page.evaluate(condition) if isinstance(condition, str) else condition()):
            assert monotonic() < limit, condition
            self.page.wait_for_timeout(20)

    def watch_picture(self, name: str) -> None:
        """From now on, in every frame and whenever it changes: is that picture still there, does it show something?"""
        self.page.evaluate(
            """(name) => {
                const image = document.getElementById(name);
                window.gaps = 0;
                const look = () => {
                    if (document.getElementById(name) !== image || !image.naturalWidth) window.gaps += 1;
                };
                const frame = () => { look(); requestAnimationFrame(frame); };
                new MutationObserver(look).observe(image, { attributes: true });
                frame();
            }""",
            name,
        )

    @property
    def gaps(self) -> int:
        """How often the watched picture was missing, replaced or empty."""
        return int(self.page.evaluate("window.gaps"))

    def unlock(self) -> None:
        """Type the PIN where the page asks for it; the page leads back to where it was asked."""
        if not urlsplit(self.page.url).path.startswith("/unlock"):
            self.open("/unlock")
        self.page.fill("input[name=pin]", self.pin)
        self.follow('form[action="/unlock"] button')

    def start(self, names: Iterable[str] = NAMES, *options: str) -> None:
        """Start a game by the form of a new one."""
        people = tuple(names)
        self.open("/new/kingdomino")
        self.tap(f"#players-{len(people)}")
        for seat, name in enumerate(people):
            self.page.fill(f"input[name=name{seat}]", name)
        # A new game begins with the options of the last one of its kind.
        for box in self.find("input[name^=option_]").all():
            box.set_checked((box.get_attribute("name") or "").removeprefix("option_") in options)
        self.follow("form.setup > button")

    # ---- Kingdomino ----

    def line(self, *dominoes: int) -> None:
        """Tick the dominoes on the pad, and say that they are drawn."""
        for domino in dominoes:
            self.tap(f'input[name=with][value="{domino}"]')
        self.record("button[name=event][value=line]")

    def choose(self, domino: int | None = None) -> None:
        """Set the king on that domino, or on the first that is free."""
        ending = f'$=" takes {domino}"' if domino else '*=" takes "'
        self.record(f"button[name=event][value{ending}]")

    def hold(self, domino: int, x: int, y: int) -> None:
        """Tap the square where the first half comes to lie."""
        self.tap(f'a[href*="at={domino}%40{x}%2C{y}"]')
        self.page.wait_for_selector("button[name=event][value*=' lays ']")

    @property
    def held(self) -> str:
        """What would be recorded if the domino were placed now."""
        return self.find("button[name=event][value*=' lays ']").first.get_attribute("value") or ""

    def place(self) -> None:
        self.record("button[name=event][value*=' lays ']")

    def next_target(self) -> Locator:
        """What records the next move; where to place the domino is found with the page's own hints."""
        if self.find("a.target").count():
            self.tap('.controls a[href*="hint=1"]')
            self.page.wait_for_selector("a.target.hint")
            self.tap("a.target.hint")
            self.page.wait_for_selector("button[name=event][value*=' lays ']")
        return self.find(NEXT).first

    def go_on(self) -> None:
        """Make the next move, whatever it is."""
        self.record(self.next_target())

    # ---- what the page looks like ----

    def look(self, touch: float, text: float = 14) -> dict[str, list[str]]:
        """What is too small, too wide or in the way, by kind."""
        found: dict[str, list[str]] = self.page.evaluate(LOOK, {"touch": touch, "text": text})
        return found

    def nameless(self) -> list[str]:
        """Controls a screen reader would have no name for, as Chromium itself sees them."""
        session = self.page.context.new_cdp_session(self.page)
        nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        return [
            node["role"]["value"]
            for node in nodes
            if not node["ignored"]
            and _takes_focus(node)
            and not str(node.get("name", {}).get("value", "")).strip()
            and node["role"]["value"] != "RootWebArea"
        ]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(text in message.text for text in self.forgives):
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.complaints.append(f"asked elsewhere: {request.url}")


def _takes_focus(node: dict[str, Any]) -> bool:
    properties = {item["name"]: item["value"].get("value") for item in node.get("properties", ())}
    return bool(properties.get("focusable"))
