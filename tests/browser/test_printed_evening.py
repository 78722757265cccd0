"""One story on the page alone: printed dominoes that nobody knows are taught, read for a round, and counted.

The companion is the real one, before a folder camera into which the table's pictures come as it is played on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator

from companion.core.game import Colour, Player, Setup
from companion.games.kingdomino.sight.lessons import LESSONS, piece_name
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.printed import PhotographedTable, printed_art
from tests.browser.test_photo import looks_well
from tests.games.kingdomino.golden_games import FOLDER, read_games
from tests.soak.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.whole]

SETUP = Setup((Player("Ana", Colour.PINK), Player("Rui", Colour.YELLOW)))
EVENING = next(game for game in read_games(FOLDER / "two_players.txt") if game.name == "2p-28")
"""Two kingdoms of 5 by 5 squares, and nothing is discarded."""
LINES = tuple(line for line in EVENING.events if not line.startswith(("removed", "kings")))
ROUND = 14
"""Lines until everybody has placed the first dominoes and chosen the next."""
TRUTH = {
    player.name: np.array(
        [
            [str(piece_name("castle" if piece == "##" else piece)) for piece in re.findall("..", row)]
            for row in kingdom.drawing.split("/")
        ]
    )
    for player, kingdom in zip(SETUP.players, EVENING.kingdoms, strict=True)
}
"""What lies in each kingdom at the end, row by row, as the page calls it."""
PATIENCE_MS = 150_000
"""A camera that looks at a whole table takes long on a busy machine; nothing waits for it unless it fails."""
EXPECTED = [kingdom.totals["base"] for kingdom in EVENING.kingdoms]


def test_printed_dominoes_are_taught_read_played_and_counted(
    own_companion: Running, device: OpenDevice, tmp_path: Path
) -> None:
    table = PhotographedTable(tmp_path / "frames", printed_art(tmp_path / "art"))
    table.photographed()
    own_companion.settings = '[camera]\nsource = "folder"\nplace = "frames"\n'
    own_companion.start()
    tablet, phone = device("lying", at=own_companion), device("phone", at=own_companion)
    tablet.forgives = ("status of 409",)  # the table may change under a finger
    for one in (tablet, phone):
        one.page.set_default_timeout(PATIENCE_MS)
        one.unlock()

    tablet.start(("Ana", "Rui"))
    game = tablet.address
    table.set_out(SETUP)
    table.play(LINES[0])
    shown(tablet, ".tray .notice", "The camera does not know these pieces yet. Teach it your box")
    both_look_well(tablet, phone)

    tablet.follow(".tray .notice a.button")
    teach(tablet, phone, table)
    tablet.follow("main > .row a.primary")
    assert tablet.address == game

    table.set_out(SETUP)
    table.play(LINES[0])
    shown(tablet, ".sign", "Knows these pieces")
    confirm(tablet, 1)
    both_look_well(tablet, phone)
    played = 1
    for turn in turns(LINES[1:ROUND]):
        table.play(*turn)
        played += len(turn)
        confirm(tablet, played)
    assert (tablet.totals, tablet.find(".asking").count()) == (table.totals, 0)
    both_look_well(tablet, phone)

    table.play(*LINES[ROUND:])
    assert count(tablet, phone) == {"Ana": EXPECTED[0], "Rui": EXPECTED[1]}
    tablet.open(game)
    # The game that went on ends as it was counted: it is stopped, and each kingdom shown as it lies.
    assert tablet.seq == ROUND + 1 + 1 + len(SETUP.players)
    assert tablet.totals == EXPECTED
    assert own_companion.complaints == ""


def teach(tablet: Device, phone: Device, table: PhotographedTable) -> None:
    """Photo after photo with the camera above the table, each looked at before it is learned."""
    for number, lesson in enumerate(LESSONS):
        shown(tablet, "h2", f"Lay down: {lesson.name}")
        table.lay_out(lesson)
        shown(tablet, "#live", "take it now")
        tablet.follow("button[name=camera]")
        assert tablet.find("form[action$='/learn']").count() == 1, tablet.find("main").inner_text()
        if not number:
            both_look_well(tablet, phone)
        tablet.follow("form[action$='/learn'] button")
    shown(tablet, ".notice", "Every kind of square is known.")
    both_look_well(tablet, phone)


def turns(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What is confirmed together: who places a domino chooses the next one."""
    both = {after for before, after in pairwise(lines) if " lays " in before and " takes " in after}
    for before, after in pairwise((*lines, "")):
        if before not in both:
            yield (before, after) if after in both else (before,)


def confirm(tablet: Device, lines: int) -> None:
    """Tap what the camera proposes once it does, and yes where it does not see clearly, until so many are recorded."""
    proposed, asked = tablet.find(".confirm button"), tablet.page.locator(".answers button", has_text="Yes")
    while tablet.seq <= lines:
        proposed.or_(asked).first.wait_for()
        version = tablet.page.get_attribute("#page", "data-watch")
        tablet.tap(proposed if proposed.count() else asked)
        tablet.page.wait_for_selector(f'#page:not([data-watch="{version}"])')
    assert tablet.seq == lines + 1


def count(tablet: Device, phone: Device) -> dict[str, int]:
    """Count what lies there from the camera's picture; what is asked is answered by what lies there in truth."""
    tablet.tap("#menu summary")
    tablet.follow("#menu a[href*='/count/']")
    picture_of_whole_kingdoms(tablet)
    both_look_well(tablet, phone)
    tablet.follow(".panel > a.primary")
    asked = 0
    while not tablet.find(".ranking").count():
        if tablet.find(".question").count():
            asked += 1
            tablet.follow(true_answer(tablet))
        else:
            tablet.follow(".panel > a.primary")
        assert asked <= sum(grid.size for grid in TRUTH.values()), "each place is asked about once"
    both_look_well(tablet, phone)
    rows = tablet.find(".ranking tr").all()
    told = {row.locator("input").input_value(): int(row.locator(".total").inner_text()) for row in rows}
    tablet.follow(".recording button.primary")
    assert tablet.page.url.endswith("/result")
    return told


def picture_of_whole_kingdoms(tablet: Device) -> None:
    """Take the picture again until the camera shows how the game ended, as people do who were too early."""
    tablet.follow("button[name=camera]")
    while not whole_kingdoms(tablet):
        tablet.follow(tablet.page.get_by_text("Begin again"))
        tablet.follow("button[name=camera]")


def whole_kingdoms(tablet: Device) -> bool:
    places = []
    for number in range(tablet.find(".owners li").count()):
        tablet.follow(tablet.find(".owners a.seen").nth(number))
        places.append(tablet.find(".photographed .place").count())
        tablet.follow("header a[href*='look=all']")
    return places == [grid.size for grid in TRUTH.values()]


def true_answer(tablet: Device) -> Locator:
    """What the place that is asked about shows in truth, among all that it may be."""
    player = tablet.find("h1").inner_text().removeprefix("Kingdom of ")
    x, y = cell_of(tablet.find(".question .crop").get_attribute("aria-label") or "")
    read = {
        cell_of(told): told.partition(": ")[2].removesuffix("?")
        for place in tablet.find(".photographed .place").all()
        if (told := place.get_attribute("aria-label"))
    }
    grids = [np.rot90(TRUTH[player], quarter) for quarter in range(4)]
    lies = max(grids, key=lambda grid: sum(grid[y, x] == said for (x, y), said in read.items()))
    right = tablet.find(".answers a, .kinds a").filter(has_text=re.compile(f"^\\s*{lies[y, x]}\\s*$"))
    if not right.first.is_visible():
        tablet.tap("#more summary")
    return right


def cell_of(label: str) -> tuple[int, int]:
    """Column and row from 0, of what is called `column 1, row 1`."""
    column, row = re.findall(r"\d+", label)[:2]
    return int(column) - 1, int(row) - 1


def shown(device: Device, selector: str, words: str) -> Locator:
    """What says so, as soon as it does."""
    found = device.page.locator(selector, has_text=words).first
    found.wait_for()
    return found


def both_look_well(tablet: Device, phone: Device) -> None:
    """What the tablet shows, and the same on a phone."""
    looks_well(tablet)
    phone.page.goto(tablet.page.url)
    # There a kingdom is as small as it is on the table.
    looks_well(phone, 38, 10)
