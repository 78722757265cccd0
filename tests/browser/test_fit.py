"""The page fits: nothing to scroll in play, nothing too small to touch or to read, at every size, in every
language.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.device import LANGUAGES
from tests.browser.evenings import begin, evening, in_phase, over, recorded, tell
from tests.soak.running import Running

pytestmark = pytest.mark.browser

LONG_NAMES = ("Ana", "Maximiliano", "Beatriz", "Tomé da Silva Gonçalves")
TOUCH = {"lying": 48, "upright": 48, "phone": 44, "small phone": 44}
"""Pixels that whatever is touched has at least, each way."""
CLOSER = {"duel, wide": 38, "duel, wide, with ghost": 38, "duel, counted": 40, "against the rules": 38}
"""Where squares are smaller on phones. While a kingdom of the Mighty Duel has five columns, the next domino may come
to lie in any of nine: 360 pixels have no more than 39 for each. And a kingdom of 7 by 7 squares shares the height of a
small phone with what is wrong in it. A tap on a domino that lies there only asks about it."""
SCROLLING = {
    "lying": ("tray",),
    "upright": ("tray",),
    "phone": ("tray", "numbers"),
    "small phone": ("tray", "numbers"),
}
"""What may scroll by itself: a tray with many doubts, and on a phone the pad of 48 dominoes."""
MID_GAME = 45
"""Entries after which kingdoms are wide and both lines are full."""
WIDE = (
    *("line 1 2 3 4", "1 takes 1", "1 takes 2", "2 takes 3", "2 takes 4", "line 13 14 15 16"),
    *("1 lays 1 at 1,0 E", "1 takes 13", "1 lays 2 at -2,0 E", "1 takes 14"),
    *("2 lays 3 at 1,0 E", "2 takes 15", "2 lays 4 at -2,0 E", "2 takes 16", "line 17 18 19 20"),
)
"""How a game of two begins in which the first kingdom is five columns wide, and the next domino fits at both ends."""
PAGES_OF_A_GAME = ("/log", "/result", "/correct/1", "/correct?entry=20&event=nothing")
EVERYWHERE = ("/", "/sessions", "/people", "/join", "/unlock", "/new/kingdomino")


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
    wide = begin(visitor, LONG_NAMES[:2], "mighty_duel")
    for event in WIDE:
        tell(visitor, wide, event)
    duel_counted = begin(visitor, LONG_NAMES[:2], "score_only", "mighty_duel")
    for player in (1, 2):
        tell(visitor, duel_counted, f"{player} shows 7 w1w1f0f0f0w0w0/w0w0##f0l0w0f0/w0s2s0m3l1w0w0")
    first = begin(visitor, LONG_NAMES)
    tell(visitor, first, "line 3 18 33 47")
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
        "duel, wide": wide,
        "duel, wide, with ghost": f"{wide}?at=13@3,0",
        "duel, counting": begin(visitor, LONG_NAMES[:2], "score_only", "mighty_duel"),
        "duel, counted": duel_counted,
        "first king": f"{first}?who=2",
        "somebody else's kingdom": f"{placing}?look={1 if position.player else 2}",
        "over": evening(companion, over, "dynasty", "harmony", "middle_kingdom", names=LONG_NAMES),
        "counting": counting,
        "counted, impossibly": counted,
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", TOUCH)
def test_every_moment_of_a_game_fits(
    device: OpenDevice, phases: Mapping[str, str], size: str, language: str
) -> None:
    tablet = device(size, language)
    tablet.unlock()

    wrong = {}
    for moment, address in phases.items():
        tablet.open(address)
        seen = tablet.look(_touch(size, moment))
        scrolling = [box for box in seen.pop("scrolling") if not _may_scroll(box, size)]
        wrong[moment] = {kind: found for kind, found in {**seen, "scrolling": scrolling}.items() if found}

    assert {moment: found for moment, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", TOUCH)
def test_every_other_page_is_as_wide_as_the_device(
    device: OpenDevice, phases: Mapping[str, str], size: str, language: str
) -> None:
    """These may be long; everything else holds for them as well, the open menu included."""
    tablet = device(size, language)
    tablet.unlock()
    pages = (*EVERYWHERE, *(phases["over"] + page for page in PAGES_OF_A_GAME))

    wrong = {}
    for page in pages:
        tablet.open(page)
        tablet.tap("details.menu > summary")
        seen = tablet.look(TOUCH[size])
        wrong[page] = {
            kind: seen[kind] for kind in ("wide", "outside", "small", "tiny", "cut", "broken") if seen[kind]
        }

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
          const name = document.querySelector(".score .name");
          name.textContent = "Maximilianissimus";
          Object.assign(name.style, { whiteSpace: "normal", overflowWrap: "anywhere" });
          Object.assign(document.body.style, { minHeight: "2000px", width: "600px" });
          Object.assign(document.querySelectorAll("button.take")[1].style, { pointerEvents: "none" });
        }"""
    )
    seen = {kind for kind, found in tablet.look(40, 20).items() if found}

    assert {"wide", "tall", "small", "outside", "covered", "tiny", "broken"} - seen == set()


def _touch(size: str, moment: str) -> float:
    return CLOSER.get(moment, TOUCH[size]) if "phone" in size else TOUCH[size]


def _may_scroll(box: str, size: str) -> bool:
    return any(f".{part}" in box for part in SCROLLING[size])


@pytest.mark.parametrize("moment", ("place", "over"))
def test_a_phone_on_its_side_shows_the_board_and_everybody_s_points(
    device: OpenDevice, phases: Mapping[str, str], moment: str
) -> None:
    phone = device("phone")
    phone.page.set_viewport_size({"width": 844, "height": 390})
    phone.unlock()
    phone.open(phases[moment])

    size = "element => { const box = element.getBoundingClientRect(); return [box.width, box.height, box.bottom]; }"
    bottoms = [score.evaluate(size)[2] for score in phone.find("aside .score").all()]
    width, height, _bottom = phone.find("main.table").evaluate(size)
    assert (len(bottoms), max(bottoms) <= 390) == (4, True)
    assert (width >= 0.75 * 844, height >= 0.55 * 390) == (True, True)
