"""Carcassonne by touch: a turn, the farm explained, the end told step by step, and turns of events gone wrong."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.carcassonne import FARM, ON_THE_FARM, drawn, seated, size, tap
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.evenings import recorded
from tests.soak.running import Running

pytestmark = pytest.mark.browser

DEVICES = (("lying", "pt-BR"), ("upright", "es"), ("phone", "en"))


@pytest.mark.parametrize(("size", "language"), DEVICES)
def test_a_tile_and_a_follower_are_laid_by_touch(
    device: OpenDevice, companion: Running, size: str, language: str
) -> None:
    tablet = _at_the_table(device, size, language, seated(companion.unlocked(), 2))

    tablet.tap('.bag a[href*="tile=U"]')
    tablet.page.wait_for_selector("a.target")
    assert tablet.find("a.target").count() == 3
    tap(tablet, 0.5, 1.5)
    assert _held(tablet) == "1 lays U at 0,1 N"
    tap(tablet, 0.5, 1.5)
    tablet.page.wait_for_selector('button[value="1 lays U at 0,1 S"]')
    tablet.record("button[value*=' lays ']")

    claims = tablet.find("a.claim")
    assert claims.count() == 3
    while not tablet.find(".role.primary").count():
        _tap_closer(tablet, claims.first)
    tablet.record(".role.primary")
    assert (tablet.find("a.follower").count(), _hands(tablet)) == (1, ["6", "7"])

    tablet.record('form[action$="/undo"] button')
    assert (tablet.find("a.follower").count(), claims.count()) == (0, 3)
    tablet.record('form[action$="/undo"] button')
    assert tablet.find(".tiles use").count() == 1


@pytest.mark.parametrize(("size", "language"), DEVICES)
def test_the_farm_is_explained_by_touch(
    device: OpenDevice, companion: Running, size: str, language: str
) -> None:
    tablet = _at_the_table(device, size, language, seated(companion.unlocked(), 2, lines=FARM))
    names = {"pt-BR": "Campo de Ana e Rui", "es": "Campo de Ana y Rui", "en": "Field of Ana and Rui"}

    tap(tablet, *ON_THE_FARM)
    tablet.page.wait_for_selector(".sum")
    told = " ".join(tablet.find(".sum").inner_text().split())
    assert names[language] in told
    assert re.search(r"2 \w+ \w+ × 3 = 6", told)
    assert tablet.find("#veil use").count() == 8  # a field on four tiles, and two cities of two

    tablet.page.go_back()
    tablet.page.wait_for_selector(".sum", state="detached")
    tap(tablet, *ON_THE_FARM)
    tablet.page.wait_for_selector(".sum")
    tablet.page.mouse.click(*_beside(tablet))
    tablet.page.wait_for_selector(".sum", state="detached")
    assert "about" not in tablet.page.url


def test_a_line_of_the_tally_and_a_follower_lead_to_the_same_sum(
    device: OpenDevice, companion: Running
) -> None:
    tablet = _at_the_table(device, "lying", "en", seated(companion.unlocked(), 2, lines=FARM))

    tablet.tap("#score1 summary")
    tablet.tap(tablet.find("#score1 .reasons a").filter(has_text="Field"))
    tablet.page.wait_for_selector(".sum")
    by_line = tablet.find(".sum").inner_text()
    tablet.tap("#close-about")
    tablet.page.wait_for_selector(".sum", state="detached")
    tablet.tap("a.follower >> nth=0")
    tablet.page.wait_for_selector(".sum")

    assert tablet.find(".sum").inner_text() == by_line


def test_the_end_is_told_step_by_step(device: OpenDevice, companion: Running) -> None:
    tablet = _at_the_table(
        device,
        "lying",
        "en",
        seated(companion.unlocked(), 2, lines=(*FARM, "1 lays B at 2,-1 N with m0", "end")),
    )
    assert tablet.find(".places b").all_inner_texts() == ["0", "0"]

    told = []
    while tablet.find(".pages .primary").count():
        tablet.point(".pages .primary")
        told.append(
            (
                tablet.find(".sum > span").first.inner_text().split("\n")[-1],
                tablet.find(".places b").all_inner_texts(),
            )
        )

    assert told == [
        ("Unfinished monastery of Ana", ["4", "0"]),
        ("Take every follower off the table but the farmers", ["4", "0"]),
        ("Field of Ana and Rui", ["10", "6"]),
    ]
    assert tablet.totals == [10, 6]


def test_a_tile_recorded_in_the_wrong_place_three_turns_ago_is_put_right(
    device: OpenDevice, companion: Running
) -> None:
    visitor = companion.unlocked()
    address = seated(
        visitor,
        2,
        lines=("1 lays U at 0,1 N with r0", "2 lays B at 1,1 N", "1 lays B at 2,1 N", "2 lays B at -1,1 N"),
    )
    before = recorded(visitor, address).position.board.tiles.keys()
    tablet = _at_the_table(device, "lying", "en", f"{address}/log")

    tablet.follow('a[href$="/correct/2"]')
    assert _held(tablet) == "1 lays U at 0,1 N with r0"
    tap(tablet, 0.5, -0.5)
    tablet.page.wait_for_selector('.ghost[data-last="0,-1"]')
    tablet.follow("button[value*=' lays ']")
    boards = [table.locator("rect.changed").count() for table in tablet.find(".changed-table .board").all()]
    # Her thief goes along with the tile.
    expect(tablet.find("main")).to_contain_text("Nobody’s points change.")
    assert tablet.find(".difference").count() == 0
    assert (boards, tablet.find(".changed-table .figure.changed").count()) == ([1, 1], 2)
    assert "2 later entries break the rules then. They stay as they lie" in tablet.find("main").inner_text()
    tablet.follow('form[action$="/correct"] button')

    session = recorded(visitor, address)
    assert session.position.board.tiles.keys() == {(0, 0), (0, -1), (1, 1), (2, 1), (-1, 1)}
    tablet.tap("#problems summary")
    told = tablet.find("#problems .notice span").all_inner_texts()
    assert sum("against the rules: after a correction" in text for text in told) == 2
    tablet.record('form[action$="/undo"] button')
    assert recorded(visitor, address).position.board.tiles.keys() == before


def test_a_knight_forgotten_turns_ago_gets_the_points_of_the_city_completed_since(
    device: OpenDevice, companion: Running
) -> None:
    city = ("first D at 0,0 W", "1 lays R at 0,-1 S", "2 lays D at 1,0 W", "1 lays N at 1,-1 W")
    visitor = companion.unlocked()
    address = seated(visitor, 2, lines=(*city, "2 lays E at -1,-1 E", "1 lays V at 0,1 N"))
    phone = _at_the_table(device, "phone", "es", f"{address}/log")

    phone.follow('a[href$="/correct/3"]')
    assert _held(phone) == "1 lays R at 0,-1 S"
    phone.follow(phone.find(".roles button").filter(has_text="caballero"))
    rows = [" ".join(text.split()) for text in phone.find(".difference tbody tr").all_inner_texts()]
    assert rows == ["A Ana 0 10 +10", "R Rui 0 0"]
    phone.follow('form[action$="/correct"] button')

    assert (phone.totals, recorded(visitor, address).position.points) == ([10, 0], (10, 0))


def test_a_forgotten_follower_and_a_tile_against_the_rules_are_kept_with_a_reason(
    device: OpenDevice, companion: Running
) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, lines=("1 lays U at 0,1 N", "2 lays U at 0,2 N"))
    tablet = _at_the_table(device, "upright", "en", address)

    tap(tablet, 0.5, 1.5)
    tablet.page.wait_for_selector(".sum")
    tablet.tap("#forgotten summary")
    tablet.page.fill("#forgotten input[name=because]", "nobody tapped it")
    tablet.record("#forgotten button >> nth=0")
    tablet.tap('.controls a[href*="bag=1"]')
    tablet.tap('.bag a[href*="tile=C"]')
    tablet.page.wait_for_selector("#overrule")
    tablet.tap("#overrule summary")
    tablet.tap('#overrule a[href*="all=1"]')
    tablet.page.wait_for_selector("a.target >> nth=9")
    tap(tablet, 1.5, 1.5)
    tablet.page.wait_for_selector(".ghost.wrong")
    tablet.page.fill("#overrule input[name=because]", "it lay there for an hour")
    tablet.record("#overrule button[value*=' lays ']")

    tablet.tap("#problems summary")
    assert [
        text.split(": ")[-1] for text in tablet.find("#problems div.notice > span").all_inner_texts()
    ] == [
        "nobody tapped it",
        "it lay there for an hour",
    ]
    tablet.tap('.tray a[href*="why=p.1"]')
    tablet.page.wait_for_selector("#veil", state="attached")


def test_a_table_nobody_watched_is_tapped_in(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, "score_only")
    tablet = _at_the_table(device, "phone", "en", address)

    for tile, x, y in (("D", 0, 0), ("E", 1, 0)):
        tablet.tap(f'.bag a[href*="tile={tile}"]')
        tablet.page.wait_for_selector("a.target")
        tap(tablet, x + 0.5, y + 0.5)
        tablet.page.wait_for_selector(".ghost")
        assert (
            tablet.find("a.feature").count() == 0
        )  # a tap on another tile must not lose the one that is held
        tablet.record("button[value^=table]")
    tap(tablet, 1.5, 0.5)
    tablet.tap(tablet.find(".roles a").filter(has_text="knight"))
    tablet.page.wait_for_selector(".who")
    tablet.record(".who button >> nth=1")
    assert "Track not told yet" in tablet.find(".missing").inner_text()
    assert tablet.find('.tray a[href$="/result"]').count() == 0
    tablet.tap("#on-track")
    tablet.page.fill("#track0", "31")
    tablet.page.fill("#track1", "54")
    tablet.record(".points button")

    table = recorded(visitor, address).position.table
    assert [tile[:3] for tile in table.tiles] == [("D", 0, 0), ("E", 1, 0)]
    assert (table.followers, table.points) == (((1, (1, 0, "c0")),), (31, 54))
    assert tablet.totals[0] == 31


def test_everything_works_without_scripts(device: OpenDevice, companion: Running) -> None:
    address = seated(companion.unlocked(), 2, lines=FARM)
    tablet = _at_the_table(device, "lying", "en", address, java_script_enabled=False)

    tablet.follow("a.follower >> nth=0")
    assert "2 complete cities × 3 = 6" in " ".join(tablet.find(".sum").inner_text().split())
    tablet.page.go_back()
    assert tablet.find(".sum").count() == 0
    tablet.follow('.bag a[href*="tile=U"]')
    tablet.follow("a.target >> nth=0")
    tablet.follow("button[value*=' lays ']")
    tablet.follow("a.claim >> nth=0")
    tablet.follow(".role.primary")
    assert recorded(companion.visitor(), address).position.supply(0) == 5


def test_whoever_only_looks_may_ask_but_not_lay(device: OpenDevice, companion: Running) -> None:
    phone = device("phone", "en")
    phone.open(seated(companion.unlocked(), 5, lines=drawn(20)))

    assert (phone.find("a.target").count(), phone.find(".world ~ .hand form").count()) == (0, 0)
    phone.tap(".hand a[href*='bag=1']")
    phone.page.wait_for_selector(".bag")
    assert phone.find(".bag a").count() == 0
    phone.tap("a.follower >> nth=0")
    phone.page.wait_for_selector(".sum")
    assert phone.find("#forgotten").count() == 0


def _at_the_table(device: OpenDevice, size: str, language: str, address: str, **more: bool) -> Device:
    tablet = device(size, language, **more)
    tablet.unlock()
    tablet.open(address)
    return tablet


def _tap_closer(tablet: Device, target: Locator) -> None:
    """A tap that brings the board closer first, where the target is too small for a finger."""
    before = size(tablet)
    tablet.tap(target)
    tablet.until(lambda: size(tablet) != before or tablet.find(".role.primary").count() > 0)


def _held(tablet: Device) -> str:
    tablet.page.wait_for_selector(".ghost")
    return tablet.find("button[value*=' lays ']").first.get_attribute("value") or ""


def _beside(tablet: Device) -> tuple[float, float]:
    """Where no tile lies, and none can."""
    box = tablet.find(".world").bounding_box()
    assert box
    return box["x"] + 4, box["y"] + 4


def _hands(tablet: Device) -> list[str]:
    """The followers that everybody has in hand."""
    return [text.strip() for text in tablet.find(".beside > span:first-child").all_inner_texts()]


SHEET = (
    *("1 has 31", "2 has 44", "3 has 8", "4 has 52"),
    *("scores city 5 2 for 1", "scores field 3 for 1", "scores road 4 for 1 3", "scores monastery 7 for 1"),
    *("scores city 3 for 2", "scores field 2 for 2", "scores road 2 for 3", "scores city 4 1 for 3"),
    *("scores field 4 for 3", "scores monastery 6 for 4", "scores road 3 for 4", "scores field 1 for 4"),
    "end",
)
"""An end of four: what each has on the track, and twelve things that count."""


@pytest.mark.parametrize(("size", "language"), (("lying", "en"), ("phone", "pt-BR")))
def test_an_end_is_told_in_numbers_by_thirty_taps(
    device: OpenDevice, companion: Running, size: str, language: str
) -> None:
    address = seated(companion.unlocked(), 4, "score_only")
    tablet = _at_the_table(device, size, language, address)
    taps = 1
    tablet.point('a[href*="room=sheet1"]')

    for line in SHEET:
        taps += _tell(tablet, line)

    session = recorded(companion.visitor(), address)
    assert tuple(map(session.game.write, (step.event for step in session.fold.steps))) == SHEET
    assert tablet.totals == list(session.tally.totals) == [58, 53, 31, 64]
    assert session.turn.over
    assert taps <= 30


def test_something_told_in_numbers_is_put_right_where_it_stands(
    device: OpenDevice, companion: Running
) -> None:
    address = seated(companion.unlocked(), 4, "score_only", lines=SHEET)
    tablet = _at_the_table(device, "lying", "en", address)

    tablet.follow(tablet.find(".told a").filter(has_text="5 tiles, 2 pennants"))
    assert tablet.find("button.primary").all_inner_texts() == ["5"]
    tablet.follow("button[value='scores city 6 2 for 1']")
    tablet.follow('form[action$="/correct"] button')

    assert recorded(companion.visitor(), address).tally.totals == (59, 53, 31, 64)


def _tell(tablet: Device, line: str) -> int:
    """Tap what records that line; how many taps it took."""
    button = tablet.find(f"button[value='{line}']")
    what, _for, owners = line.partition(" for ")
    links = []
    if " has " in line:
        links = [f'.tens a[href*="tens={int(line.split()[2]) // 10 * 10}"]']
    elif owners:
        first, *others = owners.split()
        links = [f'.people a:not(.on)[href*="room=sheet{first}"]']
        links += [f'.sharing a[href*="also={other}"]' for other in others]
        links += [f'.pennants a[href*="pennants={count}"]' for count in what.split()[3:]]
    taps = 1
    for link in links:
        if button.count() == 0 and tablet.find(link).count():
            tablet.point(link)
            taps += 1
    tablet.record(button)
    return taps


def test_a_tile_and_its_follower_are_put_right_where_they_lie(device: OpenDevice, companion: Running) -> None:
    lines = ("1 lays U at 0,1 N", "1 places r0 at 0,1", "2 lays B at 1,1 N")
    address = seated(companion.unlocked(), 2, lines=lines)
    tablet = _at_the_table(device, "phone", "en", address)

    tablet.point("a.follower >> nth=0")
    told = [" ".join(text.split()) for text in tablet.find(".touched .deed").all_inner_texts()]
    assert told == ["Ana places a thief", "Ana lays a tile"]
    tablet.follow('.touched a[href$="/correct/3"]')
    assert tablet.find(".role.primary").all_inner_texts() == ["thief"]
    tablet.follow(tablet.find(".role").filter(has_text="farmer").first)
    tablet.follow('form[action$="/correct"] button')

    assert [part for _x, _y, part in recorded(companion.visitor(), address).position.followers] == ["f0"]
