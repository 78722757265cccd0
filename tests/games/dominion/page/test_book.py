"""The book of cards on the page: looked for in any language, read beside a box in another, added to by files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest

from companion.games.dominion.rules.cards import read_cards
from companion.games.dominion.text import rulings
from companion.sessions.live import LiveSessions
from tests.games.dominion.pages import Page, page_of
from tests.games.dominion.stories import DOMINION, FIRST_GAME, remove_cards

CARDS = """
[box.our-house]
name = "Our house"

[grandmother]
name = "Grandmother"
pt = "Avó"
box = "our-house"
cost = 4
types = "action"
"""
RULINGS = """
[headings.our-house]
"Cards" = ["Grandmother"]

[[rulings.grandmother]]
source = "our-house: Cards › Grandmother"
en.ask = "Does {grandmother} answer with a {moat}?"
en.answer = "Never."
"""


@pytest.fixture
def own() -> Iterator[None]:
    """A household's own card, and what it wrote about it."""
    DOMINION.learn(CARDS)
    DOMINION.learn(RULINGS)
    yield
    remove_cards(*read_cards(CARDS))
    rulings._learned.clear()


def book(page: Page, query: str, language: str = "en") -> str:
    answer = page.client.get(f"/book/dominion?{query}", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


@pytest.mark.parametrize(
    ("query", "language", "expected"),
    (
        ("find=fosso", "en", "Moat"),
        ("find=Moat", "pt-BR", "Fosso"),
        ("find=mascarda", "es", "Mascarada"),
        ("find=laborat%C3%B3rio", "pt-BR", "Laboratório"),
    ),
)
def test_a_card_is_found_by_any_of_its_names(
    table: LiveSessions, query: str, language: str, expected: str
) -> None:
    assert f"<h2>{expected}</h2>" in book(page_of(table), query, language)


def test_several_cards_that_fit_are_listed_the_best_first(table: LiveSessions) -> None:
    listed = re.findall(r'<a class="listed.*?<b>(.*?)</b>', book(page_of(table), "find=village"), re.DOTALL)

    assert listed[:2] == ["Village", "Mining Village"]


def test_nothing_found_says_what_to_do(table: LiveSessions) -> None:
    assert "No card is called like that." in book(page_of(table), "find=zzzzzz")


def test_a_card_says_what_it_gives_and_where_the_rule_is(table: LiveSessions) -> None:
    told = book(page_of(table), "card=masquerade")

    assert [part for part in ("+2 Cards", "<h2>Masquerade</h2>", "<b>Mascarada") if part not in told] == []
    assert "Who trashes a card with the Masquerade?" in told
    assert "Las Cartas de Reino › Mascarada" in told
    assert "Masquerade: from public lists of cards; the rulebooks do not print it" in told


def test_cards_are_called_as_in_the_box(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 starts"))
    chosen = page.client.post("/printed", data={"printed": "es", "back": "/book/dominion"})
    assert chosen.status_code == 303

    assert "<b>Foso</b>" in page.html()
    assert "End this turn" in page.html()
    told = book(page, "card=moat")
    assert "<h2>Foso</h2>" in told
    assert "Do I lose the Foso when I show it?" in told
    page.client.post("/printed", data={"printed": "page", "back": "/"})
    assert "<b>Moat</b>" in page.html()


def test_a_card_is_read_about_beside_its_pile(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 starts"))
    told = unescape(page.html("?card=moat"))

    assert "pile moat 9" in page.buttons("?card=moat")
    assert 'class="questions"' in told


@pytest.mark.usefixtures("own")
def test_own_questions_stand_beside_own_cards(table: LiveSessions) -> None:
    told = book(page_of(table), "find=avo", "en")

    assert "Does Grandmother answer with a Moat?" in told
    assert "Never." in told
    assert "Our house" in book(page_of(table), "")


def test_a_card_that_people_only_wrote_about_is_found(table: LiveSessions) -> None:
    DOMINION.learn('[names.harbour]\nes = { name = "Puerto" }')
    try:
        told = book(page_of(table), "find=puerto", "pt-BR")
    finally:
        rulings._learned.clear()

    assert "<h2>Puerto</h2>" in told
    assert "Ninguém escreveu sobre esta carta ainda." in told


def test_the_page_stays_where_somebody_ticks_what_is_on_the_table(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}",))
    form = {"seq": str(page.session.seq), "event": "ticked copper", "room": "table"}
    answer = page.client.post(f"/s/{page.id}/record", data=form)
    assert answer.location == f"/s/{page.id}?room=table"
    odd = {"seq": str(page.session.seq), "event": "ticked gold", "room": "//elsewhere"}

    assert page.client.post(f"/s/{page.id}/record", data=odd).location == f"/s/{page.id}"


def test_another_game_has_no_book(table: LiveSessions) -> None:
    assert page_of(table).client.get("/book/kingdomino").status_code == 404
    assert page_of(table).client.get("/book/nothing").status_code == 404
