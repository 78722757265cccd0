"""What the log cannot know, and what nobody told it: the page offers it all the same, and believes no wrong deck."""

from __future__ import annotations

from html import unescape

import pytest

from companion.games.dominion.legal import legal
from companion.games.dominion.notation import write_event
from companion.games.dominion.page import page as view_of
from companion.table import Table
from tests.games.dominion.pages import page_of
from tests.games.dominion.stories import evening, kingdom_with, play, refusal

PASSED = (
    *(kingdom_with(["masquerade", "moat"]), "1 starts", '1 gains masquerade because "a story"'),
    *('1 gains curse because "a story"', "1 plays masquerade", "1 trashes estate"),
)


def offered(position: object) -> list[str]:
    return [write_event(event) for event in legal(position)]  # type: ignore[arg-type]


def test_a_deck_is_not_filled_in_once_cards_were_passed(table: Table) -> None:
    page = page_of(table, 2, lines=(*PASSED, "stop"))
    for query in ("", "?deck=1", "?deck=2", "?deck=2&turns=3"):
        assert [line for line in page.buttons(query) if " has " in line] == []
    assert "Count this one from the table, card by card." in unescape(page.html())
    page.tap("1 has copper:7 estate:2 turns:1", query="?deck=1&held=007032")

    # What was counted is filled in when it is counted again.
    assert "1 has copper:7 estate:2 turns:1" in page.buttons("?deck=1")
    assert [line for line in page.buttons("?deck=2") if " has " in line] == []


def test_without_passing_the_deck_of_the_log_is_offered(table: Table) -> None:
    page = page_of(table, 2, lines=(kingdom_with(["moat"]), "1 starts", "stop"))

    assert "2 has copper:7 estate:3 turns:0" in page.buttons("?deck=2")


def test_received_cards_can_be_played_trashed_revealed_and_shown() -> None:
    ten = "masquerade moat chapel tribute throne_room village militia pawn remodel mine"
    before = "1 plays masquerade / 1 trashes estate / 1 ends"
    position = play(2, before, kingdom=ten, hand="masquerade")
    assert {"2 plays village", "2 plays militia", "2 plays gold"} <= {*offered(position), *_more(position)}
    trashing = play(2, f"{before} / 2 plays remodel", kingdom=ten, hand="masquerade")
    assert "2 trashes gold" in offered(trashing)
    playing = play(2, f"{before} / 2 plays throne_room", kingdom=ten, hand="masquerade")
    assert "2 plays militia" in offered(playing)
    attacked = play(2, f"{before} / 2 plays militia", kingdom=ten, hand="masquerade")
    assert "1 reveals moat" in offered(attacked)
    revealing = view_of(play(2, f"{before} / 2 plays tribute", kingdom=ten, hand="masquerade"), {})

    assert "Militia" in [str(pick.name) for pick in revealing["asked"].picking.more]


def _more(position: object) -> list[str]:
    """What the Treasures' buttons record."""
    return [line for card in view_of(position, {})["treasures"] for line in card.events]  # type: ignore[arg-type]


@pytest.mark.parametrize("card", ("remodel", "chapel", "upgrade", "trading_post"))
def test_a_card_in_play_is_not_in_the_hand_to_be_trashed(card: str) -> None:
    story = evening(2, f"1 plays {card}", hand=card)
    asked = view_of(story.position, {})["asked"]
    named = {str(pick.wish) for pick in asked.picking.more} if asked.picking else set()

    assert card not in named
    assert f"1 trashes {card}" not in offered(story.position)
    assert "no such cards to trash" in refusal(story, f"1 trashes {card}")
    assert refusal(story, f'1 trashes {card} because "it lay there"') == ""
    assert f"1 trashes {card}" in offered(play(2, f"1 plays {card}", hand=f"{card} {card}")) or asked.picking


@pytest.mark.parametrize("card", ("cellar", "secret_chamber"))
def test_more_than_ten_discarded_cards_have_buttons(table: Table, card: str) -> None:
    lines = (kingdom_with([card]), "1 starts", f'1 gains {card} because "a story"', f"1 plays {card}")
    page = page_of(table, lines=lines)

    assert 'id="rarer"' in page.html()
    page.tap("1 counts 17")
    assert page.session.position.turn.tasks == ()


def test_a_tribute_is_told_card_by_card(table: Table) -> None:
    many = "gold duchy silver village smithy market festival laboratory moat gardens curse"
    lines = (
        *(kingdom_with(["tribute", "moat"]), "1 starts", '1 gains tribute because "a story"'),
        *(f'2 gains {card} because "a story"' for card in many.split()),
        "1 plays tribute",
    )
    page = page_of(table, 2, lines=lines)
    assert len([line for line in page.buttons() if " reveals " in line]) == 1
    query = "?picked=copper"
    assert len([line for line in page.buttons(query) if " reveals " in line]) == 14
    assert "2 reveals copper" in page.buttons(query)
    page.tap("2 reveals copper village", query=query)

    assert page.counters() == ["2", "1", "2"]


def test_an_attack_still_waits_while_its_player_chooses() -> None:
    """Minion asks whoever plays it first: a Moat may be shown before, and nobody is done."""
    ten = "minion moat village smithy market festival laboratory gardens workshop cellar"
    story = '2 gains moat because "a story" / 1 plays minion'
    _name, others = view_of(play(3, story, kingdom=ten, hand="minion"), {})["attack"]
    assert [other.state for other in others] == ["waits", "waits"]
    assert [button.event for button in others[0].buttons] == ["2 reveals moat"]
    _name, others = view_of(play(3, f"{story} / 2 reveals moat", kingdom=ten, hand="minion"), {})["attack"]

    assert [other.state for other in others] == ["safe", "waits"]


def test_whoever_is_asked_later_is_not_done() -> None:
    ten = "torturer village smithy market festival laboratory gardens workshop cellar harbinger"
    _name, others = view_of(play(4, "1 plays torturer", kingdom=ten, hand="torturer"), {})["attack"]
    assert [other.state for other in others] == ["waits", "waits", "waits"]
    told = play(4, "1 plays torturer / 2 chooses discard", kingdom=ten, hand="torturer")

    assert [other.state for other in view_of(told, {})["attack"][1]] == ["done", "waits", "waits"]
