"""The page fits: nothing to scroll in play, nothing too small to touch or to read, at every size, in every language."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.device import LANGUAGES, SIZES
from tests.browser.evenings import begin, evening, in_phase, over, recorded, tell
from tests.soak.running import Running

pytestmark = pytest.mark.browser

LONG_NAMES = ("Ana", "Maximiliano", "Beatriz", "Tomé da Silva Gonçalves")
TOUCH = {"lying": 44, "upright": 44, "phone": 40}
SCROLLING = {"lying": ("tray",), "upright": ("tray",), "phone": ("tray", "numbers")}
"""What may scroll by itself: a tray with many doubts, and on a phone the pad of 48 dominoes."""
MID_GAME = 45
"""Entries after which kingdoms are wide and both lines are full."""
EVERYWHERE = ("/", "/sessions", "/join", "/unlock", "/new/kingdomino")


@pytest.fixture(scope="session")
def phases(companion: Running) -> Mapping[str, str]:
    """An address of every kind of moment in a game."""
    visitor = companion.unlocked()
    placing = evening(companion, in_phase("place", MID_GAME), names=LONG_NAMES)
    session = recorded(visitor, placing)
    placement = session.game.legal(session.position)[0].placement
    counting = begin(visitor, LONG_NAMES, "score_only", "harmony")
    counted = begin(visitor, LONG_NAMES, "score_only", "harmony")
    for player in range(1, 5):
        tell(visitor, counted, f"{player} shows 5 w1w1f0f0f0/w0w0##f0l0/w0s2s0m3l1")
    overruled = evening(companion, in_phase("place", MID_GAME), names=LONG_NAMES)
    position = recorded(visitor, overruled).position
    reason = "everybody at the table has seen that it fell into the soup before it was placed"
    tell(visitor, overruled, f'{position.player + 1} discards {position.domino} because "{reason}"')
    held = f"{placing}?at={placement.domino}@{placement.x},{placement.y}"
    return {
        "draw": evening(companion, in_phase("draw"), names=LONG_NAMES),
        "draw later": evening(companion, in_phase("draw", MID_GAME), names=LONG_NAMES),
        "three players": evening(companion, in_phase("draw"), names=LONG_NAMES[:3]),
        "choose_first": evening(companion, in_phase("choose_first"), names=LONG_NAMES),
        "choose": evening(companion, in_phase("choose", MID_GAME), names=LONG_NAMES),
        "place": placing,
        "place with hints": f"{placing}?hint=1",
        "place with ghost": held,
        "place turned every way": f"{held}&all=1&turn=2",
        "against the rules": overruled,
        "duel": evening(companion, in_phase("place", 2 * MID_GAME), "mighty_duel", names=LONG_NAMES[:2]),
        "over": evening(companion, over, "dynasty", "harmony", "middle_kingdom", names=LONG_NAMES),
        "counting": counting,
        "counted, impossibly": counted,
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_moment_of_a_game_fits(
    device: OpenDevice, phases: Mapping[str, str], size: str, language: str
) -> None:
    tablet = device(size, language)
    tablet.unlock()

    wrong = {}
    for moment, address in phases.items():
        tablet.open(address)
        seen = tablet.look(TOUCH[size])
        scrolling = [box for box in seen.pop("scrolling") if not _may_scroll(box, size)]
        wrong[moment] = {kind: found for kind, found in {**seen, "scrolling": scrolling}.items() if found}

    assert {moment: found for moment, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_other_page_is_as_wide_as_the_device(
    device: OpenDevice, phases: Mapping[str, str], size: str, language: str
) -> None:
    """These may be long; everything else holds for them as well, the open menu included."""
    tablet = device(size, language)
    tablet.unlock()
    pages = (*EVERYWHERE, *(phases["over"] + page for page in ("/log", "/result", "/correct/1")))

    wrong = {}
    for page in pages:
        tablet.open(page)
        tablet.tap("details.menu > summary")
        seen = tablet.look(TOUCH[size])
        wrong[page] = {kind: seen[kind] for kind in ("wide", "outside", "small", "tiny", "cut") if seen[kind]}

    assert {page: found for page, found in wrong.items() if found} == {}


def test_what_does_not_fit_is_seen(device: OpenDevice, companion: Running) -> None:
    """The measure itself: a page made too large, with a button too small and a text too tiny."""
    tablet = device("phone")
    tablet.unlock()
    tablet.open(evening(companion, in_phase("choose", MID_GAME)))
    assert {kind for kind, found in tablet.look(40).items() if found} == set()

    tablet.page.evaluate(
        """() => {
          const found = document.querySelector("button.take");
          Object.assign(found.style, { height: "20px", minHeight: "0", fontSize: "9px", translate: "-200px" });
          Object.assign(document.body.style, { minHeight: "2000px", width: "600px" });
          Object.assign(document.querySelectorAll("button.take")[1].style, { pointerEvents: "none" });
        }"""
    )
    seen = {kind for kind, found in tablet.look(40, 20).items() if found}

    assert {"wide", "tall", "small", "outside", "covered", "tiny"} - seen == set()


def _may_scroll(box: str, size: str) -> bool:
    return any(f".{part}" in box for part in SCROLLING[size])
