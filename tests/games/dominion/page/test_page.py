"""The page of Dominion over a real log: whatever it offers can be tapped, and says what happened."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from random import Random

import pytest

from companion.core import notation
from companion.core.log import Source
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.games.dominion.hands import game_of
from tests.games.dominion.pages import Page, app_of, counted, page_of
from tests.games.dominion.stories import DOMINION, FIRST_GAME, kingdom_with
from tests.web.serving import knowing_the_pin

AS_LISTED = "cellar village smithy moat market merchant militia mine workshop remodel"
"""The first game's cards in the order that the table of sets has them."""


SEED = 28
"""A game that ends with the Provinces after 23 rounds."""
FIRST_ROUNDS, LAST_ROUNDS = 4, 20
"""Between them the short test taps nothing."""


def test_a_game_is_set_up_played_and_counted_by_tapping(table: LiveSessions) -> None:
    page = page_of(table, 2)
    page.tap(f"kingdom {AS_LISTED}")
    assert page.session.position.kingdom
    page.tap("ticked copper", query="?room=table")
    page.tap("ticked decks", query="?room=table")
    page.tap("1 starts", query="?room=begin")
    assert page.counters() == ["1", "1", "0"]
    page.tap("1 plays 4 copper")
    assert page.counters() == ["1", "1", "4"]
    assert "1 buys market" not in page.buttons()
    page.tap("1 buys militia ends")
    page.tap("2 plays 3 copper")
    page.tap("2 buys silver ends")
    page.post("undo", {})
    page.tap("2 buys village ends")
    page.tap("1 plays militia")
    page.tap("all suffer" if "all suffer" in page.buttons() else "2 suffers")
    page.tap("pile province 7", query="?card=province")
    page.tap("stop")
    page.tap("1 has copper:7 estate:3 militia:1 turns:2")
    assert page.session.position.decks[0] is not None
    page.tap("2 has copper:7 estate:3 village:1 turns:1")

    assert page.session.turn.over
    assert page.session.tally.standing.winners == (1,)
    assert "1 Province is missing" in page.html()
    assert page.client.get(f"/s/{page.id}/result").status_code == 200
    assert page.client.get(f"/s/{page.id}/result.svg").status_code == 200


def test_chance_draws_a_card_is_exchanged_and_another_vetoed(table: LiveSessions) -> None:
    page = page_of(table)
    page.tap("wishes actions reaction costs")
    page.post("draw", {})
    assert len(page.session.position.kingdom) == 10
    table.record(page.id, page.session.seq, f"kingdom {FIRST_GAME}", Source.PAGE)
    swaps = [line for line in page.buttons("?card=market") if line.startswith("swap market ")]
    assert len(swaps) == 3
    page.tap(swaps[0], query="?card=market")
    assert "market" not in page.session.position.kingdom
    page.tap("2 vetoes mine", query="?card=mine")
    assert page.session.position.vetoed == {"mine"}
    page.post("draw", {})

    assert page.session.position.turn is not None


def test_a_vetoed_card_asks_what_comes_for_it(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}",))
    page.tap("1 likes witch", query="?room=all&card=witch")
    page.tap("2 vetoes mine", query="?card=mine")
    assert "It was vetoed: choose what comes for it." in page.html()
    swap = next(line for line in page.buttons() if line.startswith("swap mine "))
    page.tap(swap)

    assert "mine" not in page.session.position.kingdom
    assert "It was vetoed" not in page.html()


def test_ten_others_come_for_the_ten(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 vetoes witch"))
    kingdoms = [page.session.position.kingdom]
    for _time in range(3):
        page.tap(next(line for line in page.buttons() if line.startswith("kingdom ")))
        kingdoms.append(page.session.position.kingdom)

    assert len(set(kingdoms)) == 4
    assert not any("witch" in kingdom for kingdom in kingdoms)


def test_whoever_only_looks_sees_what_the_table_waits_for(table: LiveSessions) -> None:
    page = page_of(table)
    onlooker = app_of(table).test_client()
    assert "The ten cards are being chosen." in onlooker.get(f"/s/{page.id}").get_data(as_text=True)
    page.tap(f"kingdom {AS_LISTED}")
    page.tap("1 starts", query="?room=begin")
    told = onlooker.get(f"/s/{page.id}?card=moat").get_data(as_text=True)

    assert "<h2>Moat</h2>" in told
    assert 'name="event"' not in told


def test_missing_cards_of_a_set_are_named_with_others_instead(table: LiveSessions) -> None:
    html = unescape(page_of(table).html())

    assert "Chancellor is in no box here. Instead: Vassal, " in html
    assert "Courtier is in no box here." in html


@pytest.mark.parametrize(
    ("card", "lines", "offered"),
    (
        ("pawn", ("1 plays pawn",), "1 chooses buy coin"),
        ("throne_room", ("1 plays throne_room",), "1 plays nothing"),
        ("workshop", ("1 plays workshop",), "1 gains village"),
        ("chapel", ("1 plays chapel",), "1 trashes nothing"),
        ("secret_chamber", ("1 plays secret_chamber",), "1 counts 4"),
        ("tribute", ("1 plays tribute",), "2 reveals nothing"),
        ("torturer", ("1 plays torturer",), "2 chooses discard"),
        ("swindler", ("1 plays swindler", "2 trashes copper"), "2 gains curse"),
    ),
)
def test_what_a_card_asks_has_buttons(
    table: LiveSessions, card: str, lines: tuple[str, ...], offered: str
) -> None:
    page = page_of(
        table, lines=(kingdom_with([card]), "1 starts", f'1 gains {card} because "a story"', *lines)
    )

    assert offered in page.buttons()
    assert 'class="question"' in page.html()


def test_several_cards_are_trashed_at_once(table: LiveSessions) -> None:
    lines = (kingdom_with(["chapel"]), "1 starts", '1 gains chapel because "a story"', "1 plays chapel")
    page = page_of(table, lines=lines)
    assert not [
        line for line in page.buttons("?picked=estate+estate+estate+estate") if line.count("estate") > 3
    ]
    page.tap("1 trashes estate copper", query="?picked=estate+copper")

    assert page.session.position.trash == {"estate": 1, "copper": 1}


def test_the_end_is_announced_on_the_page(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 starts", "pile province 1"))
    assert "The game ends after this turn" not in page.html()
    page.tap("pile province 0", query="?card=province")

    assert "The game ends after this turn" in page.html()


def test_a_table_that_has_chosen_nothing_begins_with_a_light_game(tmp_path: Path) -> None:
    fresh = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    client, light = knowing_the_pin(app_of(fresh)), 'name="option_light" checked'
    assert light in client.get("/new/dominion").get_data(as_text=True)
    # What was played last comes before what is usual.
    page_of(fresh, 2)
    assert light not in client.get("/new/dominion").get_data(as_text=True)
    fresh.close()


def test_a_light_game_is_told_by_taps(table: LiveSessions) -> None:
    page = page_of(table, 3, "light", (f"kingdom {FIRST_GAME}", "1 starts"))
    assert page.counters() == []
    page.tap("1 buys province ends")
    page.tap("3 gains curse", query="?who=3")
    page.tap("others gain curse", query="?who=others")
    page.tap("2 buys silver", query="?who=2")
    page.tap("2 buys silver ends")
    assert 'name="overrule"' not in page.html("?card=estate")
    page.tap("3 trashes estate", query="?card=estate")
    page.tap("3 ends")

    assert page.session.position.turns == (2, 1, 1)
    assert page.session.position.supply["curse"] == 17
    assert page.session.problems == ()


def test_what_was_looked_at_is_put_away_by_a_tap(table: LiveSessions) -> None:
    lines = (f"kingdom {FIRST_GAME}", "1 starts", '1 gains market because "a gift"')
    page = page_of(table, 2, lines=lines)
    assert "?card=market" in page.html()
    page.tap("reviewed rule:1-gains-market:1")

    assert "Against the rules" not in page.html()


def test_decks_alone_are_counted(table: LiveSessions) -> None:
    page = page_of(table, 2, "score_only")
    page.tap("1 has province:2 turns:0", query=f"?deck=1&held={counted(page, 1, province=2)}")
    page.tap("2 has duchy:5 turns:9", query=f"?deck=2&held={counted(page, 2, duchy=5)}&turns=9")

    assert page.session.tally.totals == (12, 15)


def test_an_entry_is_corrected_on_the_same_table(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 starts", "1 plays 3 copper", "1 buys silver"))
    answer = page.client.get(f"/s/{page.id}/correct/5")
    assert 'value="1 buys village"' in answer.get_data(as_text=True)
    shown = page.client.get(f"/s/{page.id}/correct?entry=5&event=1+buys+village")

    assert shown.status_code == 200
    told = shown.get_data(as_text=True)
    assert "buys Village" in told
    # A Silver goes back, a Village is gone.
    counts = re.findall(r'data-place="(\w+)">.*?<b>(\d+)</b>.*?<b>(\d+)</b>', told, re.DOTALL)
    assert counts == [("silver", "39", "40"), ("village", "10", "9")]
    assert ("Nobody’s points change." in told, 'class="difference"' in told) == (True, False)


@pytest.mark.parametrize(
    ("language", "names"),
    (
        ("pt-BR", ("Cobre", "Fosso", "Milícia")),
        ("es", ("Cobre", "Foso", "Milicia")),
        ("en", ("Copper", "Moat")),
    ),
)
def test_cards_have_the_names_of_the_page(table: LiveSessions, language: str, names: tuple[str, ...]) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 starts"))
    html = page.client.get(f"/s/{page.id}", headers={"Accept-Language": language}).get_data(as_text=True)

    assert [name for name in names if f"<b>{name}</b>" not in html] == []


@pytest.mark.parametrize("whole", (False, pytest.param(True, marks=pytest.mark.soak)), ids=("some", "whole"))
def test_four_people_play_twenty_rounds_by_tapping(table: LiveSessions, whole: bool) -> None:
    """Every line has its button when its moment comes; wrong taps are taken back; the end is announced."""
    game, page, random = game_of(4, SEED), page_of(table, 4), Random(SEED)
    announced = []
    for text in game.lines():
        line = notation.write_entry(DOMINION, DOMINION.parse(text))
        if text.startswith("kingdom"):
            table.record(page.id, page.session.seq, line, Source.PAGE)
            continue
        if not whole and FIRST_ROUNDS < game.people[0].turns < LAST_ROUNDS:
            table.record(page.id, page.session.seq, line, Source.PAGE)
            continue
        buttons = page.buttons("?room=begin")
        assert line in buttons
        if random.random() < 0.1:
            page.post("record", {"event": random.choice(buttons)})
            page.post("undo", {})
        page.post("record", {"event": line})
        announced.append(page.session.position.ending)

    first = announced.index(True)
    assert all(announced[first:])
    assert len(announced[first:]) <= 6
    assert page.session.position.turns == tuple(person.turns for person in game.people)
    assert min(page.session.position.turns) >= 20
    for seat, person in enumerate(game.people):
        line = next(line for line in page.buttons() if line.startswith(f"{seat + 1} has "))
        assert set(line.split()[2:]) == {
            *(f"{card}:{count}" for card, count in person.everything.items()),
            f"turns:{person.turns}",
        }
        page.tap(line)
    assert page.session.tally.totals == tuple(person.points for person in game.people)
    assert page.session.problems == ()


def test_the_next_game_knows_the_last_one(table: LiveSessions) -> None:
    first, seats = page_of(table, 2), {"name0": "Ana", "colour0": "red", "name1": "Rui", "colour1": "blue"}
    begun = first.client.post("/new/dominion", data=seats).location
    page = Page(first.client, table, begun.rpartition("/")[2])
    page.tap("1 likes bridge", query="?room=all&card=bridge")
    page.tap(f"kingdom {AS_LISTED}")
    for line in ("1 starts", "stop", "1 has estate:3 turns:1", "2 has estate:2 turns:0"):
        page.post("record", {"event": line})
    again = first.client.post("/new/dominion", data={**seats, "name0": "Rui", "name1": "Ana"}).location
    page = Page(first.client, table, again.rpartition("/")[2])
    position = page.session.position
    assert position.played[-1] == set(AS_LISTED.split())
    assert (position.liked, position.won) == ({"bridge"}, ("Ana",))
    assert "earlier game" in page.html()
    page.post("draw", {})
    page.post("draw", {})

    assert len(set(page.session.position.kingdom) & set(AS_LISTED.split())) <= 5
    # Ana won, and Rui sits to her left wherever the two sit.
    assert page.session.position.player == 0


@pytest.mark.parametrize(("language", "name"), (("pt-BR", "Duque*"), ("es", "Duque"), ("en", "Duke")))
def test_a_name_without_a_source_is_marked_wherever_it_is_said(
    table: LiveSessions, language: str, name: str
) -> None:
    lines = (kingdom_with(["duke", "upgrade"]), "1 starts", '1 gains duke because "a story"')
    page = page_of(table, lines=lines)
    told = {}
    for place in (f"/s/{page.id}", f"/s/{page.id}?card=duke", "/book/dominion", "/book/dominion?card=duke"):
        html = page.client.get(place, headers={"Accept-Language": language}).get_data(as_text=True)
        told[place] = html.count(f"{name}<"), 'class="legend"' in html

    assert all(found for found, _legend in told.values())
    assert {legend for _found, legend in told.values()} == {name.endswith("*")}


def test_a_table_without_such_a_name_has_no_legend(table: LiveSessions) -> None:
    page = page_of(table, lines=(f"kingdom {FIRST_GAME}", "1 starts"))

    assert 'class="legend"' not in page.client.get(
        f"/s/{page.id}", headers={"Accept-Language": "pt-BR"}
    ).get_data(as_text=True)


def test_what_was_handed_down_is_taken_out_in_the_log_and_by_no_undo(table: LiveSessions) -> None:
    first, seats = page_of(table, 2), {"name0": "Ana", "colour0": "red", "name1": "Rui", "colour1": "blue"}
    for line in ("1 likes bridge", "1 likes duke", f"kingdom {AS_LISTED}", "1 starts"):
        first.post("record", {"event": line})
    begun = first.client.post("/new/dominion", data=seats).location
    page = Page(first.client, table, begun.rpartition("/")[2])
    assert (page.session.position.liked, len(page.session.position.played)) == ({"bridge", "duke"}, 1)
    assert first.client.post(f"/s/{page.id}/undo", data={"seq": page.session.seq}).status_code == 422
    for step in page.session.fold.steps:
        page.post("correct", {"change": f"{step.seq}:nothing"})

    assert (page.session.position.liked, page.session.position.played) == (frozenset(), ())


def test_the_legend_stands_only_where_a_marked_name_does(table: LiveSessions) -> None:
    chosen = page_of(table, lines=(kingdom_with(["duke", "upgrade"]),))
    counted = page_of(table, options="score_only")

    def told(id: str, query: str = "") -> tuple[bool, bool]:
        answer = chosen.client.get(f"/s/{id}{query}", headers={"Accept-Language": "pt-BR"})
        table_only = answer.get_data(as_text=True).partition("<main")[2].partition("</main>")[0]
        return "Duque*" in table_only, 'class="legend"' in table_only

    for query in ("", "?room=all", "?room=table", "?room=veto"):
        assert told(chosen.id, query) == (True, True)
    assert told(chosen.id, "?room=begin") == (False, False)
    assert told(counted.id) == (True, True)


def test_a_name_from_public_lists_is_told_without_the_mark(table: LiveSessions) -> None:
    page = page_of(table, lines=(kingdom_with(["cellar"]), "1 starts"))
    address = f"/s/{page.id}?card=cellar"
    html = page.client.get(address, headers={"Accept-Language": "es"}).get_data(as_text=True)

    assert 'class="origin">' in html
    assert "*" not in html.partition('class="about-card')[2].partition("</ul>")[0]
