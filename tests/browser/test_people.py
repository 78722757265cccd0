"""Everybody can use it: names for screen readers, the keyboard alone, enough contrast, light and evening."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import monotonic

import pytest
from playwright.sync_api import Locator, Route

from companion.core.message import message as _
from companion.games.kingdomino.rules.pieces import TERRAIN_NAMES, Terrain
from tests.browser.conftest import OpenDevice
from tests.browser.device import LANGUAGES, Device
from tests.browser.evenings import begin, evening, in_phase, over
from tests.soak.running import Running

pytestmark = pytest.mark.browser

ENOUGH_CONTRAST = 4.5
PAIRS = (
    ("ink", "ground"),
    ("ink", "paper"),
    ("soft", "ground"),
    ("soft", "paper"),
    ("accent", "ground"),
    ("accent", "paper"),
    ("on-accent", "accent"),
    ("warn", "paper"),
    ("warn", "warn-ground"),
    ("ink", "warn-ground"),
    ("ink", "info-ground"),
)
"""Text tokens and the grounds they stand on."""
GROUNDS = {"light": (246, 241, 231), "evening": (29, 27, 24)}
STATIC = _("The game is over")


def keyboard_to(tablet: Device, target: Locator) -> None:
    """Press Tab until the target has the focus, and see that the focus shows."""
    for _press in range(120):
        tablet.page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            break
    else:
        raise AssertionError(f"the keyboard does not reach {target}")
    # A box that lies unseen over its label shows the focus on the label.
    outline = target.evaluate(
        "e => getComputedStyle((e.matches('input') && e.closest('label')) || e).outlineWidth"
    )
    assert float(outline.removesuffix("px")) >= 2


def test_the_keyboard_alone_plays_a_turn(device: OpenDevice, companion: Running) -> None:
    address = evening(companion, in_phase("place", entries=10))
    desk = device("lying")
    desk.unlock()
    desk.open(address)
    seq, press = desk.seq, desk.page.keyboard.press

    keyboard_to(desk, desk.find('a[href*="hint=1"]'))
    press("Enter")
    desk.find(".target.hint").first.wait_for()
    keyboard_to(desk, desk.find(".target.hint").first)
    press("Enter")
    lay = desk.find("button[name=event][value*=' lays ']").first
    lay.wait_for()
    keyboard_to(desk, lay)
    press("Enter")
    desk.wait_after(seq)
    keyboard_to(desk, desk.find("button[name=event][value*=' takes ']").first)
    press(" ")
    desk.wait_after(seq + 1)

    assert desk.seq == seq + 2


def test_the_keyboard_alone_taps_in_a_kingdom(device: OpenDevice, companion: Running) -> None:
    desk = device("lying", "es")
    desk.unlock()
    desk.open(begin(companion.unlocked(), ("Ana", "Rui"), "score_only"))

    keyboard_to(desk, desk.find('input[name=brush][value="w"]'))
    keyboard_to(desk, desk.find('[data-cell="13"]'))
    desk.page.keyboard.press("Enter")
    desk.page.keyboard.press("Tab")
    desk.page.keyboard.press(" ")
    desk.page.keyboard.press(" ")
    wheat = TERRAIN_NAMES[Terrain.WHEAT].say(desk.words)
    assert desk.find('[data-cell="14"]').get_attribute("aria-label") == f"5, 3: {wheat} 1"
    keyboard_to(desk, desk.find("form[data-count] .controls button"))
    desk.page.keyboard.press("Enter")
    desk.wait_after(1)

    assert desk.totals == [2, 0]


@pytest.mark.parametrize("theme", GROUNDS)
def test_text_stands_out_from_its_ground(device: OpenDevice, theme: str) -> None:
    tablet = device("lying")
    tablet.open("/")
    _choose_theme(tablet, theme)
    names = sorted({name for pair in PAIRS for name in pair})
    colours = {name: _colour(tablet, name) for name in names}

    contrasts = {f"{text} on {ground}": contrast(colours[text], colours[ground]) for text, ground in PAIRS}

    assert {pair: round(c, 2) for pair, c in contrasts.items() if c < ENOUGH_CONTRAST} == {}


def test_contrast_is_that_of_the_web_guidelines() -> None:
    assert round(contrast((0, 0, 0), (255, 255, 255)), 2) == 21
    assert round(contrast((119, 119, 119), (255, 255, 255)), 2) == 4.48


def test_light_and_evening_are_chosen_by_people_or_by_the_device(
    device: OpenDevice, companion: Running
) -> None:
    address = evening(companion, in_phase("place", entries=20))
    for wish, ground in (("light", GROUNDS["light"]), ("dark", GROUNDS["evening"])):
        tablet = device("lying", color_scheme=wish)
        tablet.open(address)
        assert _ground(tablet) == ground
        for theme, chosen in GROUNDS.items():
            _choose_theme(tablet, theme)
            assert (tablet.address, _ground(tablet)) == (address, chosen)
        _choose_theme(tablet, "auto")
        assert _ground(tablet) == ground


def test_the_language_is_chosen_by_people_or_by_the_device(device: OpenDevice, companion: Running) -> None:
    address = evening(companion, over)
    tablet = device("phone", "es-AR")
    tablet.open(address)
    assert tablet.find("html").get_attribute("lang") == "es"
    for language in LANGUAGES:
        tablet.tap("details.menu > summary")
        tablet.follow(f'button[name=language][value="{language}"]')
        tablet.language = language
        assert tablet.find("html").get_attribute("lang") == language
        assert (tablet.address, tablet.turn) == (address, STATIC.say(tablet.words))


def test_a_tap_answers_at_once(device: OpenDevice, companion: Running, figure: Callable[[str], None]) -> None:
    """Pressed is pressed, however long the companion takes; and it does not take long."""
    tablet = device("lying")
    tablet.unlock()
    tablet.open(begin(companion.unlocked()))
    waiting: list[Route] = []
    tablet.page.route("**/draw", lambda route: waiting.append(route), times=1)
    seq = tablet.seq
    draw = tablet.find('form[action$="/draw"] button')
    before = draw.evaluate("button => getComputedStyle(button).filter")
    draw.tap()
    tablet.find("button.busy").wait_for()
    assert (before, tablet.seq) == ("none", seq)
    assert draw.evaluate("button => getComputedStyle(button).filter") != before
    tablet.until(lambda: bool(waiting))
    waiting.pop().continue_()
    tablet.wait_after(seq)

    times = []
    for _tap in range(20):
        seq = tablet.seq
        target = tablet.next_target()
        began = monotonic()
        target.tap()
        tablet.wait_after(seq)
        times.append(monotonic() - began)
    figure(f"20 taps: the page shows what was recorded after {median(times) * 1000:.0f} ms (median)")


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """By the Web Content Accessibility Guidelines."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: tuple[int, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _colour(tablet: Device, name: str) -> tuple[int, ...]:
    """A custom property as the browser understands it."""
    text: str = tablet.page.evaluate(
        """(name) => {
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.color = `var(--${name})`;
          return getComputedStyle(probe).color;
        }""",
        name,
    )
    return _rgb(text)


def _ground(tablet: Device) -> tuple[int, ...]:
    return _rgb(tablet.find("body").evaluate("body => getComputedStyle(body).backgroundColor"))


def _rgb(text: str) -> tuple[int, ...]:
    assert text.startswith("rgb("), text
    return tuple(int(part) for part in text.removeprefix("rgb(").removesuffix(")").split(","))


def _choose_theme(tablet: Device, theme: str) -> None:
    tablet.tap("details.menu > summary")
    tablet.follow(f'button[name=theme][value="{theme}"]')
