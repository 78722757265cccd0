"""What the page knows of earlier games, and how it marks names that no source has."""

from __future__ import annotations

import pytest

from companion.sessions.table import LiveSessions
from tests.games.dominion.pages import Page, page_of
from tests.games.dominion.stories import FIRST_GAME, kingdom_with

AS_LISTED = "cellar village smithy moat market merchant militia mine workshop remodel"


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
