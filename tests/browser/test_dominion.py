"""Dominion by touch: four people round a tablet, wrong taps put right, the end announced in time, decks counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from companion.sessions.json_lines import import_session
from companion.sessions.repository import SessionRepository
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.dominion import ATTACK, FIRST_GAME, held, played, seated
from tests.browser.evenings import recorded
from tests.games.dominion.hands import Game
from tests.games.dominion.stories import DOMINION, session_of, started
from tests.soak.running import Running

pytestmark = pytest.mark.browser

SEED = 28
"""A game that ends with the Provinces after 23 rounds."""
FIRST_LINES = 16
"""So many lines of it are tapped in the short test, and those of the last turns in another."""
LAST_PROVINCES = 1
"""From here on the end is near."""
WRONG = 0.1
"""How often a finger slips."""
UNDO = 'form[action$="/undo"] button'
ANNOUNCED = ".turn-now .end.near"


def button(line: str) -> str:
    return f'button[name=event][value="{line}"]'


def at_the_table(
    device: OpenDevice, address: str, size: str = "lying", language: str = "en", **more: bool
) -> Device:
    tablet = device(size, language, **more)
    tablet.unlock()
    tablet.open(address)
    return tablet


def wrong_tap(tablet: Device, random: Random, right: str) -> None:
    """A finger on another button, and undone."""
    others = tablet.find("main button[name=event]:visible")
    values = [value for value in others.evaluate_all("all => all.map((one) => one.value)") if value != right]
    if wrong := [value for value in values if value != "stop"]:
        tablet.record(button(random.choice(wrong)))
        tablet.record(UNDO)


def play_by_touch(tablet: Device, game: Game, lines: Iterable[str]) -> None:
    """Tap every line, with a wrong tap here and there."""
    random = Random(SEED)
    for told in lines:
        line = DOMINION.write(DOMINION.parse(told))
        if random.random() < WRONG:
            wrong_tap(tablet, random, line)
        tablet.record(button(line))
        # At once, and never before, by piles that are counted apart from the companion.
        assert tablet.find(ANNOUNCED).count() == int(game.over and not line.endswith(" ends")), line


def near_the_end(companion: Running, game: Game, lines: Iterator[str]) -> str:
    """The address of that game, played on until one Province is left."""
    played = []
    while game.piles["province"] > LAST_PROVINCES:
        played.append(next(lines))
    (database,) = companion.folder.rglob("companion.db")
    store = SessionRepository(f"sqlite:///{database}", GAMES)
    assert import_session(store, session_of(started(4), played))
    store.close()
    return "/s/story"


def count_by_touch(tablet: Device) -> None:
    """Every deck as the log knows it."""
    for _player in range(4):
        tablet.record(".counting header button")


def test_the_first_turns_are_tapped(device: OpenDevice, companion: Running) -> None:
    game = played(SEED)
    lines = game.lines()
    begun = list(islice(lines, 2))
    tablet = at_the_table(device, seated(companion.unlocked(), 4, lines=begun))
    play_by_touch(tablet, game, islice(lines, FIRST_LINES))

    assert recorded(companion.unlocked(), tablet.address).problems == ()


@pytest.mark.parametrize("whole", (False, pytest.param(True, marks=pytest.mark.soak)), ids=("end", "whole"))
def test_four_people_play_by_touch(device: OpenDevice, companion: Running, whole: bool) -> None:
    visitor, game = companion.unlocked(), played(SEED)
    lines = game.lines()
    address = seated(visitor, 4, lines=islice(lines, 2)) if whole else near_the_end(companion, game, lines)
    tablet = at_the_table(device, address)
    play_by_touch(tablet, game, lines)
    expect(tablet.find("h1")).to_contain_text("count the decks")
    count_by_touch(tablet)

    assert tablet.totals == [person.points for person in game.people]
    assert recorded(visitor, tablet.address).problems == ()
    assert min(recorded(visitor, tablet.address).position.turns) >= 20


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("phone", "es")))
def test_a_table_is_set_up_by_touch(device: OpenDevice, companion: Running, size: str, language: str) -> None:
    visitor = companion.unlocked()
    tablet = at_the_table(device, seated(visitor, 3), size, language)
    tablet.record('form[action$="/draw"] button')
    first = tablet.find(".ten .pile a.front").first
    tablet.tap(first)
    tablet.page.wait_for_selector(".pointed")
    tablet.record(".pointed button[value^=swap]")
    tablet.tap(".next a.primary")
    tablet.page.wait_for_selector(".to-tick")
    for ticked in range(3):
        assert tablet.find(".ticked").count() == ticked
        tablet.record(".to-tick .pile:not(.ticked) button")
    tablet.tap('.whose a[href*="room=begin"]')
    tablet.page.wait_for_selector(".starters")
    tablet.record(".starters button.primary")

    assert tablet.find("[data-counter]").all_inner_texts() == ["1", "1", "0"]


def test_an_attack_goes_round_by_touch(device: OpenDevice, companion: Running) -> None:
    tablet = at_the_table(device, seated(companion.unlocked(), 4, lines=ATTACK), "upright")
    tablet.record(button("2 reveals moat"))
    assert tablet.find(".attack .safe").count() == 1
    tablet.record(button("all suffer"))

    assert tablet.find(".attack").count() == 0
    assert tablet.find('[data-place="curse"]').get_attribute("data-count") == "28"


def test_several_cards_are_picked_and_one_put_back(device: OpenDevice, companion: Running) -> None:
    lines = (FIRST_GAME.replace("cellar", "chapel"), "1 starts", *held("chapel"), "1 plays chapel")
    tablet = at_the_table(device, seated(companion.unlocked(), 2, lines=lines))
    for picked, card in enumerate(("copper", "estate", "estate"), start=1):
        tablet.tap(tablet.find(f'.picks a[href$="{card}"]:not(.picked)'))
        expect(tablet.find(".picked")).to_have_count(picked)
    tablet.tap(".picked")
    tablet.record(button("1 trashes estate estate"))

    assert tablet.find(".trash .left").inner_text() == "2"


def test_everyone_counts_on_a_phone_of_their_own(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, lines=(FIRST_GAME, "1 starts", "stop"))
    tablet = at_the_table(device, address)
    phone = at_the_table(device, f"{address}?deck=2", "phone")
    for card, count in (("province", 1), ("copper", 6)):
        phone.tap(f'[data-place="2:{card}"] a.front')
        phone.tap(f'.pad .number:text-is("{count}")')
        phone.page.wait_for_selector(f'[data-place="2:{card}"][data-count="{count}"]')
    assert phone.find(".points b").inner_text() == "9"
    phone.record(button("2 has copper:6 estate:3 province:1 turns:0"))
    tablet.page.wait_for_selector('[data-total="1"]:text-is("9")')
    tablet.record(".counting header button")

    assert tablet.totals == [3, 9]
    expect(tablet.find(".verdict-of.won h2")).to_contain_text("Maximiliano")
    # One Copper is missing and a Province too many.
    assert len(recorded(visitor, address).problems) >= 2


def test_a_card_is_read_about_and_another_looked_up(device: OpenDevice, companion: Running) -> None:
    phone = at_the_table(device, seated(companion.unlocked(), 2, lines=(FIRST_GAME, "1 starts")), "phone")
    phone.tap('[data-place="moat"] a.about')
    phone.page.wait_for_selector(".about-card")
    phone.tap(".questions summary")
    expect(phone.find(".questions [open] .source")).to_be_visible()
    phone.follow('.now a[href^="/book/"]')
    phone.page.fill("input[name=find]", "milicia")
    phone.follow(".look-up button")
    expect(phone.find(".about-card h2")).to_have_text("Militia")
    phone.follow('button[name=printed][value="pt-BR"]')
    expect(phone.find(".about-card h2")).to_have_text("Milícia")
    phone.follow('a[href^="/s/"]')

    expect(phone.find('[data-place="moat"] b')).to_have_text("Fosso")


def scrolled(phone: Device) -> float:
    """How far somebody has scrolled down the table."""
    return float(phone.page.evaluate("document.getElementById('dominion').scrollTop"))


def test_what_is_asked_later_begins_at_its_beginning_and_the_rest_stays(
    device: OpenDevice, companion: Running
) -> None:
    """On a phone, where the supply lies below what is asked now."""
    lines = (FIRST_GAME, "1 starts", *held("market"), "1 plays market", "1 plays 3 copper")
    phone = at_the_table(device, seated(companion.unlocked(), 2, lines=lines), "phone")
    phone.find('[data-place="mine"]').scroll_into_view_if_needed()
    before = scrolled(phone)
    assert before > 0
    phone.record(button("1 buys village"))
    assert scrolled(phone) == pytest.approx(before, abs=1)
    phone.tap('[data-place="mine"] a.about')
    phone.page.wait_for_selector(".about-card")

    assert scrolled(phone) == 0


def test_a_finger_that_stays_on_a_pile_opens_its_card(device: OpenDevice, companion: Running) -> None:
    """It buys nothing; a short tap on the same pile does."""
    address = seated(companion.unlocked(), 2, lines=(FIRST_GAME, "1 starts", "1 plays 3 copper"))
    tablet = at_the_table(device, address)
    pile = tablet.find(button("1 buys village ends"))
    box = pile.bounding_box()
    assert box is not None
    tablet.page.mouse.move(box["x"] + 30, box["y"] + 30)
    tablet.page.mouse.down()
    tablet.page.wait_for_timeout(700)
    tablet.page.mouse.up()
    expect(tablet.find(".about-card h2")).to_have_text("Village")
    assert recorded(companion.unlocked(), address).position.supply["village"] == 10
    tablet.record(button("1 buys village ends"))

    assert recorded(companion.unlocked(), address).position.supply["village"] == 9


def test_an_untold_purchase_takes_three_taps(device: OpenDevice, companion: Running) -> None:
    address = seated(companion.unlocked(), 2, lines=(FIRST_GAME, "1 starts"))
    tablet = at_the_table(device, address, "small phone", "pt-BR")
    tablet.find('[data-place="militia"] .about').click()
    tablet.find("#against summary").click()
    tablet.record(button("1 gains militia"))

    expect(tablet.find(button("1 plays militia"))).to_be_visible()


def test_a_turn_without_scripts(device: OpenDevice, companion: Running) -> None:
    address = seated(companion.unlocked(), 2, lines=(FIRST_GAME, "1 starts"))
    tablet = at_the_table(device, address, java_script_enabled=False)
    for line in ("1 plays 4 copper", "1 buys militia ends"):
        tablet.follow(button(line))

    assert "Maximiliano" in tablet.turn
