"""What people read: territories by number and Field, cards by title, players by name, Domains in their own
language.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.core import notation
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.message import BilingualCatalogue
from companion.core.session import Session
from companion.core.session import entry_in_words as told
from companion.games import GAMES
from companion.games.dominations.page import construction
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.box import SHORT_NAMES
from companion.games.dominations.rules.cards import MARK
from companion.games.dominations.rules.position import LedgerLine, Position
from companion.games.dominations.text.tally import reason_now
from companion.games.dominations.text.words import describe
from companion.household.languages import LANGUAGES, catalogue
from companion.sessions.live import LiveSessions
from tests.games.dominations.random_evenings import Evening
from tests.games.dominations.stories import (
    AGRICULTURE,
    CARDS,
    DOMINATIONS,
    FISHING,
    era_over,
    evening,
    play,
    rich,
)

PEOPLE = tuple(
    Player(name, colour) for name, colour in zip(("Ana", "Rui", "Eva"), DOMINATIONS.colours, strict=False)
)
PLACE = re.compile(r"@-?\d+,-?\d+|(?<![\w,.])-?\d+,-?\d+[ud]\b")
"""A place of the map as notation writes it."""


def words(session: Session, line: str) -> str:
    return str(told(session, notation.parse_entry(DOMINATIONS, line)).text)


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("1 lays T:TTC at 0,0d", "lays a territory of Trade (Trade, Trade, Crafts) beside the Cradle"),
        (
            "2 lays C:RRR at 1,0u",
            "lays a territory of Crafts (Religion, Religion, Religion) beside territory 1",
        ),
        ("1 builds at 0,0d", "builds a City on territory 1 (Trade)"),
        ("1 upgrades at 0,0d", "upgrades the City on territory 1 (Trade)"),
        ("1 upgrades T1", "upgrades a City of Trade"),
        ("1 reactivates 1,0u", "reactivates territory 2 (Crafts)"),
        ("1 reactivates T3", "reactivates a territory: 3 Trade"),
        ("1 develops fishing nodi C1", "develops “Pescaria”"),
        ("1 develops agriculture nodi C1", "develops “Agriculture*”"),
        ("1 keeps roman and lighthouse", "keeps “Roman*” and “The Lighthouse*”"),
        ("1 chooses TTS", "chooses 2 Trade, Science"),
        ("order 2 1", "The order is Black, White"),
        ("rewards hanging_gardens 2", "“Hanging Gardens*” rewards Cities of Black"),
        ("1 has campfire TXV?", "has the Campfire card Trade, Corruptio, Vestigium, unknown"),
        ("1 builds at 5,5d", "builds a City on a territory"),
    ),
)
def test_an_entry_is_told_by_the_names_of_this_table(line: str, expected: str) -> None:
    session = evening(2, f"{FISHING}\n1 lays T:TTC at 0,0d\n1 ends\n2 lays C:RRR at 1,0u")

    assert words(session, line) == expected


@pytest.mark.parametrize(
    "line",
    (
        "1 produces T2, 2 R1",
        "1 reactivates 0,0d",
        "1 builds T",
        "1 chooses TTS",
        "order 2 1",
        "1 develops fishing",
    ),
)
def test_where_words_say_all_no_notation_stands_beside_them(line: str) -> None:
    assert describe(DOMINATIONS.parse(line)).whole


@pytest.mark.parametrize(
    "line",
    ("1 lays T:TTC at 0,0d", "tile T:TTC at 0,0d", "1 upgrades T1", "1 develops fishing nodi C1", FISHING),
)
def test_what_words_leave_out_is_read_in_the_notation(line: str) -> None:
    assert not describe(DOMINATIONS.parse(line)).whole


def test_the_log_has_notation_only_where_words_leave_something_out(
    table: LiveSessions, player: FlaskClient
) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    for line in ("1 produces T2, 2 R1", "1 ends", "2 lays C:RRR at 0,0d"):
        table.record(id, table.session(id).seq, line, Source.PAGE)

    assert re.findall(r"<small>([^<]*)</small>", player.get(f"/s/{id}/log?details=1").text) == [
        "2 lays C:RRR at 0,0d"
    ]


def reasons(position: Position, player: int) -> list[tuple[str, int, str]]:
    def told_of(line: LedgerLine) -> tuple[str, int, str]:
        return str(line.unit), line.amount, str(reason_now(position, line))

    return [told_of(line) for line in position.lines if line.player == player - 1 and line.produced]


ERA_ENDS = "era effects\n1 assimilates nothing\nera roles\nera next"
CITY = "1 lays T:TTT at 0,0d\n1 adjusts T +2\n1 builds at 0,0d\n1 ends"


def test_what_a_territory_brought_is_a_sentence_with_every_part_of_the_number() -> None:
    position = play(2, f"{rich(2, 'T0')}\n{CITY}\n2 lays T:TTC at 1,0u")

    assert reasons(position, 2) == [
        ("T", 5, "Territory 2 (Trade): Field 1 + resources 3 + concentration 1"),
        ("C", 1, "Territory 2 (Trade): resources 1"),
    ]
    assert reasons(position, 1)[1:] == [("T", 1, "Exchange: territory 1")]


def test_own_cities_and_vestigium_are_parts_of_the_number() -> None:
    position = play(2, f"{rich(1, 'T0')}\n{CITY}\n2 passes\n2 ends\n1 lays T:VVV at 1,0u\n1 chooses TT")

    assert reasons(position, 1)[1] == (
        "T",
        6,
        "Territory 2 (Trade): Field 1 + resources 2 + own Cities 1 + Vestigium and cards 2"
        " (ruling, white resources: No concentration)",
    )


def test_the_era_is_told_only_where_it_is_another_one() -> None:
    first, second = play(2, "1 produces T1"), play(2, f"1 adjusts T +1\n{era_over()}\n{ERA_ENDS}")

    assert str(reason_now(first, first.lines[0])) == "Territory"
    assert str(reason_now(second, second.lines[0])) == "Set right by hand, in Era 1"


def test_every_number_of_a_territory_is_the_sum_of_the_parts_it_tells() -> None:
    """Whole games at random: what the sentence says comes to the amount."""
    game = Evening(3, 4)
    for _position, _turn in zip(game.play(), range(150), strict=False):
        pass
    position = game.position
    lines = [line for line in position.lines if line.produced and line.working and line.where]

    wrong = []
    for line in lines:
        _place, _colon, parts = str(reason_now(position, line)).partition("): ")
        counts = re.findall(r"(?:Field|resources|concentration|Cities|cards) (\d+)", parts)
        if sum(map(int, counts)) != line.amount + line.lost:
            wrong.append((parts, line.amount, line.lost))
    assert (len(lines) > 50, wrong) == (True, [])


def test_the_letters_of_the_domains_are_those_of_the_language_and_never_the_same() -> None:
    said = {code: [name.say(catalogue(code)) for name in SHORT_NAMES.values()] for code in LANGUAGES}

    assert said == {
        "pt-BR": ["Co", "Of", "Ar", "Ci", "Po", "Re"],
        "es": ["Co", "Of", "Ar", "Ci", "Po", "Re"],
        "en": ["Tr", "Cr", "Ar", "Sc", "Po", "Re"],
    }
    assert all(len(set(letters)) == 6 for letters in said.values())


def test_a_title_without_a_source_is_marked_until_the_table_has_read_it_out() -> None:
    unread, read = play(2).title("fishing"), play(2, FISHING).title("fishing")

    assert [unread.say(catalogue(code)) for code in LANGUAGES] == [
        "Pescaria",
        f"Pesca{MARK}",
        f"Fishing{MARK}",
    ]
    assert [read.say(catalogue(code)) for code in LANGUAGES] == ["Pescaria"] * 3
    assert unread.say(BilingualCatalogue(catalogue("es"), "pt-BR")) == "Pescaria"


def test_the_mark_is_explained_where_it_stands_and_nowhere_else() -> None:
    position = play(2, CARDS)
    wish = {"do": "card", "kind": "mastery"}

    legends = [str(page(play(2), wish)["legend"]), str(page(play(2), {})["legend"])]
    in_portuguese = page(position, wish)["legend"].say(catalogue("pt-BR"))
    assert (legends[0].startswith(MARK), legends[1], in_portuguese) == (True, "", "")


def test_every_greyed_card_says_why_it_cannot_be_taken() -> None:
    livestock = 'mastery forge "Forja" C 9 needs C 6 basic 0 0'
    position = play(2, f"{CARDS}\n{AGRICULTURE}\n{livestock}\n1 keeps roman and gardens\n1 produces C1")

    offered = [c for g in construction.masteries_panel(position, {}).groups for c in g.choices if c.off]
    levels = [c for g in construction.monuments_panel(position, {}).groups for c in g.choices if c.off]
    assert {str(c.text): str(c.note) for c in (*offered, *levels)} == {
        "Agricultura": "2 Crafts short",
        "Gado": "5 Crafts short",
        "Pescaria": "2 Crafts short",
        "Forja": "needs Crafts of value 6",
        "Jardins Suspensos": "Level 1 of 1 – 2 Crafts short",
    }


# ---- the page itself ----


def visible(html: str) -> str:
    """What people read of a page, without the notation that stands small beside an entry or is an example."""
    text = re.sub(r"<(script|style|small)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", text))


STORY = (
    *("1 lays T:TTC at 0,0d", "1 adjusts T +2", "1 builds at 0,0d", "1 ends", "2 lays T:TTV at 1,0u"),
    *("2 chooses S", "2 ends", "3 lays A:AAA at -1,0d", "3 ends", "1 lays A:AAC at 0,0u"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_shows_a_place_in_notation(table: LiveSessions, player: FlaskClient, language: str) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    pages: dict[str, str] = {}
    for line in ("1 adjusts limit T +15", *STORY):
        seq = table.session(id).seq
        answer = player.post(
            f"/s/{id}/record", data={"seq": seq, "event": line, "overrule": "1", "because": "so"}
        )
        if answer.status_code != 303:
            player.post(f"/s/{id}/record", data={"seq": seq, "event": line})
        for wish in ("", "?look=1", "?do=invent"):
            pages[line + wish] = player.get(f"/s/{id}{wish}", headers={"Accept-Language": language}).text
    pages["log"] = player.get(f"/s/{id}/log", headers={"Accept-Language": language}).text

    assert {name: found for name, html in pages.items() if (found := PLACE.findall(visible(html)))} == {}


def test_an_entry_of_the_log_leads_to_its_territory_on_the_map(
    table: LiveSessions, player: FlaskClient
) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    for line in ("1 lays T:TTC at 0,0d", "1 adjusts T +2", "1 builds at 0,0d"):
        player.post(f"/s/{id}/record", data={"seq": table.session(id).seq, "event": line})

    ways = re.findall(r'href="(/s/\w+\?why=e\.\d+)"', player.get(f"/s/{id}/log").text)
    shown = player.get(unescape(ways[0])).text
    assert len(ways) == 2
    assert re.findall(r'class="lit" data-place="([^"]+)"', shown) == ["0,0d"]
    assert re.findall(r'class="number-of">.*?<text[^>]*>(\d+)<', shown) == ["1"]


def test_a_card_that_was_read_out_is_confirmed(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE), Source.PAGE).id
    before = player.get(f"/s/{id}").text
    player.post(f"/s/{id}/record", data={"seq": "1", "event": FISHING})

    after = visible(player.get(f"/s/{id}").text)
    assert ('id="read-out"' in before, "“Pescaria” is read out: the table knows it now." in after) == (
        False,
        True,
    )
