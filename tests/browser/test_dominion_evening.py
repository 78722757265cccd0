"""An evening for four at a tablet, every tap counted: a light game, and one in which every card is told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest

from companion.games.dominion.page.decks import PAD
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.dominion import played, seated
from tests.browser.dominion_taps import light_taps, live_taps, turns_of
from tests.browser.evenings import recorded
from tests.browser.test_dominion import at_the_table, button
from tests.games.dominion.hands import Game
from tests.soak.running import Running

pytestmark = pytest.mark.browser

SEED = 28
"""A game that ends with the Provinces after 23 rounds, and whose turns take more taps than those of most."""
FIRST_TURNS = 12
"""So many are tapped in the short test."""
WHOLE = pytest.param(None, marks=pytest.mark.soak, id="whole")
MOST_LIGHT, MOST_LIVE = 2, 4.5
"""Taps a turn takes on average at most."""


def tap(tablet: Device, what: str) -> None:
    """Tap the button of a line, or the link to an address."""
    if what.startswith("?"):
        tablet.tap(f'a[href*="{what[1:]}"]')
        tablet.page.wait_for_selector(".takes .on")
    else:
        tablet.record(button(what))


def tell_number(tablet: Device, number: int) -> int:
    """Tap the number of the card that the pad asks for; how many taps that took."""
    further, offset = number // PAD, number % PAD
    for _pad in range(further):
        asked = tablet.page.url
        tablet.tap(".pad a:last-child")
        changed(tablet, asked)
    asked = tablet.page.url
    tablet.tap(tablet.find(".pad .number").nth(offset))
    changed(tablet, asked)
    return further + 1


def changed(tablet: Device, address: str) -> None:
    """Until the page shows what another address asks for."""
    tablet.page.wait_for_function("(address) => location.href !== address", arg=address)
    tablet.page.wait_for_load_state("networkidle")


def count_decks(tablet: Device, game: Game) -> int:
    """Count every deck as its player holds it, by the pad; how many taps that took."""
    taps = 0
    for person in game.people:
        while tablet.find(".pad").count():
            place = tablet.find(".pile.open").get_attribute("data-place") or ""
            card, held = place.partition(":")[2], person.everything
            taps += tell_number(tablet, held.total() if card == "all" else held[card])
        tablet.record(".counting header button")
        taps += 1
    return taps


@pytest.mark.parametrize("turns", (pytest.param(FIRST_TURNS, id="begun"), WHOLE))
@pytest.mark.parametrize(("size", "language"), (("small lying", "pt-BR"), ("phone", "es"), ("upright", "en")))
def test_a_light_evening(
    device: OpenDevice,
    companion: Running,
    figure: Callable[[str], None],
    size: str,
    language: str,
    turns: int | None,
) -> None:
    visitor, game = companion.unlocked(), played(SEED)
    lines = game.lines()
    address = seated(visitor, 4, "light", lines=islice(lines, 2))
    tablet = at_the_table(device, address, size, language)
    taps = told = 0
    for turn in islice(turns_of(lines), turns):
        told += 1
        for what in light_taps(turn, 4):
            tap(tablet, what)
            taps += 1
    position = recorded(visitor, address).position
    assert {card: left for card, left in game.piles.items() if position.supply[card] != left} == {}
    if not position.ended:
        tablet.tap(".ways details summary")
        tablet.record(button("stop"))
    assert recorded(visitor, address).position.turns == tuple(person.turns for person in game.people)
    counting = count_decks(tablet, game)

    assert tablet.totals == [person.points for person in game.people]
    assert recorded(visitor, address).problems == ()
    assert taps / told <= MOST_LIGHT
    figure(
        f"a light game on {size}: {taps} taps in {told} turns, {taps / told:.2f} a turn; {counting} to count four decks"
    )


@pytest.mark.parametrize("turns", (pytest.param(FIRST_TURNS, id="begun"), WHOLE))
def test_an_evening_with_coins(
    device: OpenDevice, companion: Running, figure: Callable[[str], None], turns: int | None
) -> None:
    visitor, game = companion.unlocked(), played(SEED)
    lines = game.lines()
    address = seated(visitor, 4, lines=islice(lines, 2))
    tablet = at_the_table(device, address)
    taps = told = 0
    for turn in islice(turns_of(lines), turns):
        told += 1
        for what in live_taps(turn):
            tap(tablet, what)
            taps += 1

    position = recorded(visitor, address).position
    assert {card: left for card, left in game.piles.items() if position.supply[card] != left} == {}
    assert taps / told <= MOST_LIVE
    figure(f"a game with coins: {taps} taps in {told} turns, {taps / told:.2f} a turn")
