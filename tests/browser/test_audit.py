"""Every page beside axe-core, by day and by evening; and beside our own rules of size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from companion.games import GAMES
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.evenings import begin, evening, in_phase, over
from tests.soak.running import Running

pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")
SMALLEST_PX = 14
"""Nothing is written smaller."""
RULES = """(smallest) => {
  const shown = (e) => e.getClientRects().length && getComputedStyle(e).clipPath === "none";
  const said = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const small = (e) => said(e) && parseFloat(getComputedStyle(e).fontSize) < smallest;
  const all = [...document.querySelectorAll("body *")].filter((e) => !e.closest("svg") && shown(e));
  return [
    ...all.filter(small).map((e) => `small: ${e.outerHTML.slice(0, 90)}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []),
  ];
}"""


@pytest.fixture(scope="module")
def pages(companion: Running) -> Sequence[str]:
    """Pages of every kind: of the house, and of every game as it begins and as it goes on."""
    visitor = companion.unlocked()
    placing = evening(companion, in_phase("place", entries=20))
    ended = evening(companion, over)
    begun = []
    for key, game in GAMES.items():
        form = {"players": str(game.seats[0]), **{f"colour{n}": c.value for n, c in enumerate(game.colours)}}
        address = visitor.post(f"/new/{key}", form).location
        begun += [f"/new/{key}", address, f"{address}/result", f"{address}/replay", f"{address}/correct/1"]
    return (
        *("/", "/sessions", "/sessions?state=bin", "/people", "/people/ana", "/join", "/unlock", "/nowhere"),
        *("/book/dominion", "/count/kingdomino", "/count/carcassonne", *begun),
        *(placing, f"{placing}/log", f"{placing}/correct/5", begin(visitor, ("Ana", "Rui"), "score_only")),
        *(ended, f"{ended}/result", f"{ended}/replay?at=40"),
    )


@pytest.mark.parametrize(("size", "theme"), (("lying", "light"), ("phone", "dark")))
def test_no_page_is_hard_to_use(device: OpenDevice, pages: Sequence[str], size: str, theme: str) -> None:
    one = device(size, color_scheme=theme, bypass_csp=True)
    one.unlock()
    one.forgives = ("404",)

    found = {page: wrong for page in pages if (wrong := faults(one, page))}

    assert found == {}


def faults(one: Device, page: str) -> list[Any]:
    """What is hard to use on a page, by axe-core's graver rules and by ours."""
    one.open(page)
    if one.find("details.menu").count():
        one.tap("details.menu > summary")
    told = Axe().run(one.page, options={"resultTypes": ["violations"]}).response["violations"]
    grave = [
        (rule["id"], node["html"][:120]) for rule in told if rule["impact"] in GRAVE for node in rule["nodes"]
    ]
    return [*grave, *one.page.evaluate(RULES, SMALLEST_PX)]
