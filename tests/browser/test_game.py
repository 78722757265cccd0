"""A game of four by touch, on every size of device; every language is spoken."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from tests.browser.conftest import OpenDevice
from tests.browser.device import DEVICES, LANGUAGES, NAMES, Device
from tests.browser.evenings import begin, evening, in_phase, over, play_on, recorded, tell
from tests.soak.running import Running

pytestmark = pytest.mark.browser

FIRST, SECOND = (3, 18, 33, 48), (5, 19, 36, 45)


@pytest.mark.parametrize(("size", "language"), DEVICES)
def test_four_people_play_by_touch(device: OpenDevice, companion: Running, size: str, language: str) -> None:
    tablet = device(size, language)

    _come_in(tablet)
    _sit_down(tablet)
    assert tablet.turn == _action(companion, tablet)

    tablet.line(*FIRST)
    tablet.record('form[action$="/draw"] button')
    for domino in FIRST:
        assert tablet.turn.endswith(tablet.words.gettext("Choose a domino"))
        tablet.choose(domino)
    tablet.line(*SECOND)
    _play_a_round(tablet, FIRST, SECOND)

    session = recorded(companion.visitor(), tablet.address)
    assert (session.position.round, session.position.phase.value) == (2, "draw")
    assert tablet.totals == list(session.tally.totals)
    assert sorted(tablet.totals) == [0, 0, 1, 3]

    _correct_the_line(tablet)
    _undo_and_redo(tablet)
    _finish(tablet, companion)


def _come_in(tablet: Device) -> None:
    """The first page, in the language of the device; starting a game asks for the PIN."""
    tablet.open("/")
    assert tablet.find("html").get_attribute("lang") == tablet.language
    start = tablet.words.gettext("Start a game")
    assert (start == "Start a game") == (tablet.language == "en")
    assert start in tablet.find("h2").all_inner_texts()
    tablet.follow('a[href="/new/kingdomino"]')
    tablet.unlock()


def _sit_down(tablet: Device) -> None:
    """Four names, each with a colour, two of them not the ones that were proposed."""
    tablet.open("/new/kingdomino")
    assert GAMES["kingdomino"].name.say(tablet.words) in tablet.turn
    tablet.tap(f"#players-{len(NAMES)}")
    for seat, (name, colour) in enumerate(zip(NAMES, ("blue", "yellow", "green", "pink"), strict=True)):
        tablet.page.fill(f"input[name=name{seat}]", name)
        tablet.tap(f"input[name=colour{seat}][value={colour}]")
    tablet.follow("form.setup > button")
    assert tablet.find("aside .name").all_inner_texts() == list(NAMES)


def _play_a_round(tablet: Device, line: tuple[int, ...], next_line: tuple[int, ...]) -> None:
    """Everybody places a domino beside the castle, the first one turned, and chooses from the next line."""
    for domino, chosen in zip(line, next_line, strict=True):
        assert tablet.turn.endswith(tablet.words.gettext("Place domino %(domino)d") % {"domino": domino})
        tablet.hold(domino, 1, 0)
        held = tablet.held
        if domino == line[0]:
            tablet.tap('.controls a[href*="turn="]')
            tablet.page.wait_for_selector(f'button[name=event]:not([value="{held}"])[value*=" lays "]')
            assert tablet.held != held
        tablet.place()
        tablet.choose(chosen)


def _correct_the_line(tablet: Device) -> None:
    """Domino 48 was really 47, misread in the first line: three crowns of the mine become two."""
    before = tablet.totals
    tablet.tap("details.menu > summary")
    tablet.follow(f'a[href="{tablet.address}/log"]')
    tablet.follow('a[href$="/correct/2"]')
    assert _ticked(tablet) == list(FIRST)
    for domino in (48, 47):
        tablet.tap(f'input[name=with][value="{domino}"]')
    tablet.follow("button[name=event][value=line]")

    rows = tablet.find("table.difference tbody tr")
    assert rows.locator("td:nth-child(2)").all_inner_texts() == [str(total) for total in before]
    assert rows.filter(has=tablet.find("small")).locator("td:last-child").inner_text().split() == ["2", "−1"]
    assert "47" in tablet.find("ins").first.inner_text()
    assert tablet.find(".seq").all_inner_texts()[0] == "2"

    tablet.follow('form[action$="/correct"] button')
    assert tablet.totals == [2 if total == 3 else total for total in before]


def _ticked(tablet: Device) -> list[int]:
    return [int(box.get_attribute("value") or 0) for box in tablet.find("input[name=with]:checked").all()]


def _undo_and_redo(tablet: Device) -> None:
    corrected = tablet.totals
    tablet.record('form[action$="/undo"] button')
    assert sorted(tablet.totals) == [0, 0, 1, 3]
    tablet.record('form[action$="/redo"] button')
    assert tablet.totals == corrected


def _finish(tablet: Device, companion: Running) -> None:
    """The others play on from another device; this one shows how it ended."""
    play_on(companion.unlocked(), tablet.address, over)
    tablet.page.wait_for_selector('.tray a[href$="/result"]')
    totals = tablet.totals
    tablet.follow('.tray a[href$="/result"]')

    assert tablet.find(".ranking .total").all_inner_texts() == [str(t) for t in sorted(totals, reverse=True)]
    assert tablet.find(".ranking .rank").first.inner_text() == "1"
    assert tablet.words.gettext("Points") in tablet.find(".ranking thead").inner_text()


def _action(companion: Running, tablet: Device) -> str:
    """What the table waits for, in the words of the catalogue."""
    return recorded(companion.visitor(), tablet.address).turn.action.say(tablet.words)


def test_kings_are_set_as_they_come_out_of_the_hand(device: OpenDevice, companion: Running) -> None:
    """A table with its own box draws the kings itself, and says whose it was."""
    tablet = device("phone", "pt-BR")
    tablet.unlock()
    tablet.open(begin(companion.unlocked()))
    tablet.line(*FIRST)
    for player, domino in zip((3, 1, 4), FIRST, strict=False):
        assert tablet.find("button.take").count() == 0
        tablet.tap(f'.controls a[href*="who={player}"]')
        tablet.page.wait_for_selector("button.take")
        tablet.choose(domino)
    tablet.choose(FIRST[3])

    line = recorded(companion.visitor(), tablet.address).position.line
    assert [slot.player for slot in line] == [2, 0, 3, 1]


def test_what_breaks_the_rules_needs_a_reason_and_stays_in_sight(
    device: OpenDevice, companion: Running
) -> None:
    tablet = device("lying", "es")
    tablet.unlock()
    tablet.open(evening(companion, in_phase("place", entries=20)))
    seq = tablet.seq
    tablet.tap("details.overrule > summary")
    discard = "details.overrule button[name=event][value*=' discards ']"
    tablet.tap(discard)
    assert (tablet.seq, tablet.find("details.overrule input:invalid").count()) == (seq, 1)
    tablet.page.fill("input[name=because]", "¡se cayó de la mesa!")
    tablet.record(discard)

    assert "¡se cayó de la mesa!" in tablet.find(".tray").inner_text()
    tablet.open(f"{tablet.address}/log")
    assert "¡se cayó de la mesa!" in tablet.find(".log li").first.inner_text()


def test_of_too_many_dominoes_the_first_gives_way(device: OpenDevice, companion: Running) -> None:
    tablet = device("phone")
    tablet.unlock()
    tablet.open(begin(companion.unlocked()))
    drawn = tablet.find("button[name=event][value=line]")
    for domino in (9, 2, 7, 5, 1, 8):
        assert drawn.is_disabled() == (domino in (9, 2, 7, 5))
        tablet.tap(f'input[name=with][value="{domino}"]')
    assert _ticked(tablet) == [1, 5, 7, 8]

    tablet.record("button[name=event][value=line]")
    tablet.open(f"{tablet.address}/correct/2")
    tablet.tap('input[name=with][value="30"]')
    assert _ticked(tablet) == [5, 7, 8, 30]


def test_the_result_is_a_picture_to_share(device: OpenDevice, companion: Running, tmp_path: Path) -> None:
    phone = device("phone")
    phone.open(evening(companion, over) + "/result")

    picture = phone.find("#result-picture")
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1200
    with phone.page.expect_download() as shared:
        phone.tap("a[data-share]")
    shared.value.save_as(tmp_path / "result.png")

    kept = (tmp_path / "result.png").read_bytes()
    assert shared.value.suggested_filename.startswith("kingdomino-")
    assert kept[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(kept[16:20]), int.from_bytes(kept[20:24])) == (1200, 900)
    assert len(kept) > 20_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tie_is_told_with_its_reason(device: OpenDevice, companion: Running, language: str) -> None:
    """Both have 6 points; Rui's largest property is larger."""
    visitor = companion.unlocked()
    address = begin(visitor, ("Ana", "Rui"), "score_only")
    tell(visitor, address, "1 shows 5 m3w0/##w0/..w1")
    tell(visitor, address, "2 shows 5 ##w0w0w0/..w1w0w0")
    tablet = device("lying", language)
    tablet.open(address)

    standing = recorded(visitor, address).tally.standing
    assert (standing.ranks, standing.decided_by and standing.decided_by.key) == ((2, 1), "largest_property")
    reason = standing.decided_by.name.say(tablet.words) if standing.decided_by else ""
    said = tablet.find(".tray .info span").inner_text()
    assert (said.startswith("Rui "), reason in said, "Ana" in said) == (True, True, False)
    tablet.follow('.tray a[href$="/result"]')
    assert tablet.find(".verdict").inner_text() == said
    assert tablet.find(".ranking .rank").all_inner_texts() == ["1", "2"]


def test_a_held_domino_survives_a_look_at_another_kingdom(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = begin(visitor, ("Ana", "Rui"))
    for line in ("line 4 31 39 41", "1 takes 4", "1 takes 31", "2 takes 39", "2 takes 41", "line 5 6 7 8"):
        tell(visitor, address, line)
    tablet = device("lying", "en")
    tablet.unlock()
    tablet.open(address)
    tablet.hold(4, 1, 0)
    held = tablet.held

    tablet.point('.others a[href*="look=2"]')
    assert tablet.find(".ghost").count() == 0
    tablet.point('.others a[href*="look=1"]')

    assert (tablet.find(".ghost").count(), tablet.held) == (1, held)


def test_a_game_is_stopped_early_and_a_kingdom_shown_as_it_lies(
    device: OpenDevice, companion: Running
) -> None:
    visitor = companion.unlocked()
    address = begin(visitor, ("Ana", "Rui"))
    tell(visitor, address, "line 4 31 39 41")
    tablet = device("lying", "en")
    tablet.unlock()
    tablet.open(address)

    tablet.tap("#menu > summary")
    tablet.tap("#stop-early summary")
    tablet.record("#stop-early button")
    assert (tablet.turn, tablet.find("#menu[open]").count()) == ("The game is over", 0)
    tablet.point('.others a[href*="look=2"]')
    tablet.tap('input[name=brush][value="w"]')
    for _tap in range(2):
        tablet.tap('[data-cell="13"]')
    tablet.record("form[data-count] .controls button")

    assert tablet.totals == [0, 1]


@pytest.mark.parametrize("size", ("lying", "phone"))
def test_a_domino_is_put_right_where_it_lies(device: OpenDevice, companion: Running, size: str) -> None:
    visitor = companion.unlocked()
    address = begin(visitor, ("Ana", "Rui"))
    for line in ("line 4 31 39 41", "1 takes 4", "1 takes 31", "2 takes 39", "2 takes 41", "line 5 6 7 8"):
        tell(visitor, address, line)
    for line in ("1 lays 4 at 1,0 E", "1 takes 5"):
        tell(visitor, address, line)
    tablet = device(size, "en")
    tablet.unlock()
    tablet.open(address)

    tablet.point("a.laid >> nth=1")
    assert "places domino 4" in tablet.find(".touched").inner_text()
    tablet.point(".touched a[href*=numbers]")
    assert tablet.find(".large .number-of text").all_text_contents() == ["4"]
    found = tablet.look(48)
    assert {kind: found[kind] for kind in ("wide", "outside", "covered")} == {
        "wide": [],
        "outside": [],
        "covered": [],
    }
    tablet.hold(31, 0, 1)
    assert tablet.find(".touched").count() == 0  # who lays a domino is asked about that one
    tablet.open(f"{address}?look=1")
    tablet.point("a.laid >> nth=1")
    tablet.follow('.touched a[href*="/correct/"]')
    assert tablet.held == "1 lays 4 at 1,0 E"
    tablet.point('a[href*="at=4%400%2C1"]')
    assert tablet.find(".lay").count() == 1
    tablet.follow("button[name=event][value*=' lays ']")
    tablet.follow('form[action$="/correct"] button')

    kingdom = recorded(companion.visitor(), address).position.kingdoms[0]
    assert [(laid.domino, laid.cells[0] == (1, 0)) for laid in kingdom.placements] == [(4, False)]
