"""What each card does in one line, and what is asked about the game itself."""

from __future__ import annotations

import re

import pytest

from companion.core.errors import NotationError
from companion.games.dominion.rules.cards import ABSENT, CARDS
from companion.games.dominion.rules.names import LANGUAGES
from companion.games.dominion.text.rulings import house_book, read_book
from companion.sessions.live import LiveSessions
from tests.games.dominion.pages import app_of, page_of
from tests.games.dominion.stories import FIRST_GAME

PLUS = {"cards": "Card", "actions": "Action", "buys": "Buy", "coins": "Coin"}
OPTIONAL = ("courtier", "diplomat")
"""What these give depends on what is chosen or held."""
FIGURES = re.compile(r"\+?\d+")


def test_every_card_has_a_line_in_every_language() -> None:
    lines = house_book().does

    assert set(lines) == {*CARDS, *ABSENT}
    assert len(lines) == 71
    assert {tuple(sorted(texts)) for texts in lines.values()} == {tuple(sorted(LANGUAGES))}
    assert [id for id, texts in lines.items() if not all(text.endswith(".") for text in texts.values())] == []


@pytest.mark.parametrize("id", house_book().does)
def test_a_line_has_the_same_figures_in_every_language(id: str) -> None:
    figures = {code: sorted(FIGURES.findall(text)) for code, text in house_book().does[id].items()}

    assert figures["es"] == figures["pt-BR"] == figures["en"]


@pytest.mark.parametrize("id", [id for id in house_book().does if id not in OPTIONAL])
def test_a_line_says_what_the_card_gives(id: str) -> None:
    """By the cards' own data: what it gives at once, and its points."""
    card, line = {**CARDS, **ABSENT}[id], house_book().does[id]["en"]
    missing = []
    for kind, word in PLUS.items():
        count = getattr(card.plus, kind)
        said = f"{count} coin" if "action" not in card.types else f"+{count} {word}"
        if count and said not in line:
            missing.append(said)
    if card.points:
        missing += [part for part in (f"{abs(card.points.each)} point",) if part not in line]

    assert missing == []


@pytest.mark.parametrize(
    ("language", "lines"),
    (
        ("en", ("+2 Cards. Shown from your hand, it keeps an Attack off you.", "Who begins?")),
        ("pt-BR", ("+2 Cartas. Mostrado da mão, livra você de um Ataque.", "Quem começa?")),
        ("es", ("+2 Cartas. Si lo enseñas de la mano, te libra de un Ataque.", "¿Quién empieza?")),
    ),
)
def test_lines_and_rules_stand_in_the_book(
    table: LiveSessions, language: str, lines: tuple[str, str]
) -> None:
    client = app_of(table).test_client()
    book = client.get("/book/dominion", headers={"Accept-Language": language}).get_data(as_text=True)
    assert [line for line in lines if line not in book] == []

    card = client.get("/book/dominion?card=moat", headers={"Accept-Language": language})
    assert f'<p class="does">{lines[0]}</p>' in card.get_data(as_text=True)


@pytest.mark.parametrize(
    ("language", "query", "answer"),
    (
        ("es", "empate", "Si jugaron los mismos"),
        ("pt-BR", "embaralhar", "Só quando"),
        ("en", "shuffle", "Only when"),
    ),
)
def test_a_rule_of_the_game_is_looked_up(table: LiveSessions, language: str, query: str, answer: str) -> None:
    client = app_of(table).test_client()
    found = client.get(f"/book/dominion?find={query}", headers={"Accept-Language": language})

    assert answer in found.get_data(as_text=True)


def test_a_pile_tells_what_its_card_does(table: LiveSessions) -> None:
    page = page_of(table, 2, lines=(f"kingdom {FIRST_GAME}", "1 starts"))

    assert "Turn a card of your hand into one that costs up to 2 more." in page.html("?card=remodel")


def test_a_file_of_ones_own_adds_lines_and_rules() -> None:
    book = read_book(
        """
        [names.harbour]
        en = { name = "Harbour" }
        [does.harbour]
        en = "+1 Card; the {moat} sleeps."
        [[rules]]
        source = "dominion-2e: Embaralhando"
        en.ask = "Who shuffles here?"
        en.answer = "Grandmother."
        """,
        "own.toml",
        house_book(),
    )

    assert book.say(book.does["harbour"], "pt-BR", printed="es") == "+1 Card; the Foso sleeps."
    assert (book.ask(book.rules[-1], "es"), book.rules[-1].number) == ("Who shuffles here?", 10)


@pytest.mark.parametrize(
    ("toml", "why"),
    (
        ('[does.moat]\nen = "x"', "“moat” is known already"),
        ('[does.mote]\nen = "x"', "there is no card “mote”"),
        ("[names.a]\nen = { name = 'A' }\n[does.a]", "it needs words in at least one of"),
        (f'[names.a]\nen = {{ name = "A" }}\n[does.a]\nen = "{"x" * 111}"', "110"),
        ("rules = 3", "write [[rules]] above each"),
    ),
)
def test_what_is_wrong_with_a_line_is_told(toml: str, why: str) -> None:
    with pytest.raises(NotationError) as told:
        read_book(toml, "own.toml", house_book())

    assert why in str(told.value)
