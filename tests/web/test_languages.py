"""Every page in every language, through the real application: no English is left on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from random import Random

import pytest
from flask.testing import FlaskClient

from companion.app import open_house
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.household.languages import LANGUAGES
from companion.household.settings import LoadedSettings, Settings, StoreSettings
from companion.web import House, create_app
from tests.catalogues import ALIKE, FOLDERS, PLACEHOLDER, pairs


@dataclass(frozen=True)
class Household:
    """The page as `companion serve` puts it together, open on its own screen and unlocked."""

    house: House
    visitor: FlaskClient

    def read(self, address: str, language: str) -> str:
        """What the page says, without what is in its tags but nobody reads."""
        answer = self.visitor.get(address, headers={"Accept-Language": language})
        assert f'<html lang="{language}"' in answer.text
        return unescape(re.sub(r'(?s)<script.*?</script>|(?:href|value|src|action)="[^"]*"', "", answer.text))

    def played(self, *options: str, until: Callable[[Session], bool]) -> Session:
        """A game that went its way until that moment."""
        table, random = self.house.sessions, Random(7)
        setup = Setup((Player("Ana", Colour.PINK), Player("Rui", Colour.BLUE)), frozenset(options))
        session = table.begin(GAMES["kingdomino"], setup, Source.PAGE)
        while not until(session):
            drawn = session.game.draw(session.position, random.randrange(1000))
            event = drawn or random.choice(list(session.game.legal(session.position)))
            session = table.record(session.id, session.seq, session.game.write(event), Source.PAGE)
        return session


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    folder = str(tmp_path_factory.mktemp("household"))
    house = open_house(LoadedSettings(Settings(store=StoreSettings(folder=folder)), None), 8000)
    visitor = create_app(house).test_client()
    visitor.post("/unlock", data={"pin": house.doorkeeper.pin})
    yield Household(house, visitor)
    house.sessions.close()


def in_phase(phase: str, seq: int = 1) -> Callable[[Session], bool]:
    return lambda session: session.seq >= seq and bool(session.position.phase == phase)


@pytest.fixture(scope="module")
def addresses(household: Household) -> list[str]:
    """One of every page, and a game at every kind of moment."""
    phases = [household.played(until=in_phase(phase)) for phase in ("draw", "choose_first", "choose")]
    counting = household.played("score_only", until=in_phase("show"))
    placing = household.played(until=in_phase("place", 20))
    held = placing.game.legal(placing.position)[0].placement
    over = household.played("harmony", "middle_kingdom", until=lambda session: session.turn.over)
    return [
        *("/", "/sessions", "/join", "/unlock", "/new/kingdomino", "/nowhere"),
        *(f"/s/{session.id}" for session in (*phases, counting, placing, over)),
        f"/s/{placing.id}?hint=1",
        f"/s/{placing.id}?at={held.domino}@{held.x},{held.y}",
        *(f"/s/{over.id}/{page}" for page in ("log", "result", "correct/1", "correct/2")),
        f"/s/{over.id}/correct?entry=2&event=nothing",
    ]


def english_in(page: str, locale: str) -> set[str]:
    """English sentences on a page, by the longest stretch of each that has no value in it."""
    sentences = {english for domain in FOLDERS for english, _said in pairs(domain, locale)} - ALIKE
    stretches = {max(re.split(PLACEHOLDER, text), key=len).strip() for text in sentences}
    return {text for text in stretches if len(text) > 12 and text in page}


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_no_page_speaks_english_to_others(household: Household, addresses: list[str], language: str) -> None:
    locale = language.replace("-", "_")

    left = {address: english_in(household.read(address, language), locale) for address in addresses}

    assert {address: english for address, english in left.items() if english} == {}


def test_english_is_seen_on_every_page_where_it_is_spoken(household: Household, addresses: list[str]) -> None:
    without = [address for address in addresses if not english_in(household.read(address, "en"), "es")]

    assert without == []
