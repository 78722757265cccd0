"""What the log cannot know, and what nobody told it: the page offers it all the same, and believes no wrong deck."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest

from companion.games.dominion.page.presenter import page as view_of
from companion.games.dominion.rules import cards
from companion.games.dominion.rules.cards import read_cards
from companion.games.dominion.rules.legal import legal_events
from companion.games.dominion.rules.position import Phase
from companion.games.dominion.text.notation import write_event
from companion.sessions.live import LiveSessions
from tests.games.dominion.pages import counted, page_of
from tests.games.dominion.stories import evening, kingdom_with, play, refusal, remove_cards, turn_of

PASSED = (
    *(kingdom_with(["masquerade", "moat"]), "1 starts", '1 gains masquerade because "a story"'),
    *('1 gains curse because "a story"', "1 plays masquerade", "1 trashes estate"),
)


def offered(position: object) -> list[str]:
    return [write_event(event) for event in legal_events(position)]  # type: ignore[arg-type]


def test_a_deck_is_not_filled_in_once_cards_were_passed(table: LiveSessions) -> None:
    page = page_of(table, 2, lines=(*PASSED, "stop"))
    for query in ("", "?deck=1", "?deck=2", "?deck=2&turns=3"):
        assert [line for line in page.buttons(query) if " has " in line] == []
    assert "passed Blue a card unseen: which one?" in unescape(page.html())
    query = f"?deck=1&held={counted(page, 1, estate=2)}"
    page.tap("1 has copper:7 estate:2 masquerade:1 turns:1", query=query)

    # What was counted is filled in when it is counted again.
    assert "1 has copper:7 estate:2 masquerade:1 turns:1" in page.buttons("?deck=1")
    assert [line for line in page.buttons("?deck=2") if " has " in line] == []


def test_without_passing_the_deck_of_the_log_is_offered(table: LiveSessions) -> None:
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

    assert "Militia" in [str(pick.label) for pick in revealing["asked"].picking.more]


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
def test_more_than_ten_discarded_cards_have_buttons(table: LiveSessions, card: str) -> None:
    lines = (kingdom_with([card]), "1 starts", f'1 gains {card} because "a story"', f"1 plays {card}")
    page = page_of(table, lines=lines)

    assert 'id="rarer"' in page.html()
    page.tap("1 counts 17")
    assert page.session.position.turn.tasks == ()


def test_a_tribute_is_told_card_by_card(table: LiveSessions) -> None:
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


def test_a_purchase_that_nobody_told_is_recorded_and_the_card_can_be_played(table: LiveSessions) -> None:
    page = page_of(table, 2, lines=(kingdom_with(["witch", "moat"]), "1 starts", "1 ends", "2 ends"))
    assert "1 plays witch" not in page.buttons()
    html = page.html("?card=witch")
    assert 'name="overrule"' in html
    assert "1 gains witch" in page.buttons("?card=witch")
    page.post("record", {"event": "1 gains witch", "overrule": "1", "because": "nobody told it in time"})

    assert page.session.position.owned[0]["witch"] == 1
    page.tap("1 plays witch")
    assert "nobody told it in time" in page.client.get(f"/s/{page.id}/log").get_data(as_text=True)


def test_a_card_that_the_log_knows_nobody_has_is_played_with_a_reason(table: LiveSessions) -> None:
    page = page_of(table, 2, lines=(kingdom_with(["witch", "moat"]), "1 starts"))
    assert "?card=other" in unescape(page.html())
    query = "?card=other"
    assert {"1 plays witch", "1 plays gold"} <= set(page.buttons(query))
    assert {"1 plays copper", "1 plays estate"}.isdisjoint(page.buttons(query))
    page.post("record", {"event": "1 plays witch", "overrule": "1", "because": "it was bought"})

    assert page.session.position.turn.in_play == ("witch",)


def test_whatever_is_offered_with_a_reason_can_be_recorded(table: LiveSessions) -> None:
    page = page_of(table, 3, lines=(kingdom_with(["chapel", "moat"]), "1 starts"))
    lines = page.buttons("?card=chapel")
    told = [line for line in lines if not line.startswith("pile ") and "chapel" in line]
    assert told == [
        *("1 gains chapel", "2 gains chapel", "3 gains chapel"),
        *("1 trashes chapel", "2 trashes chapel", "3 trashes chapel"),
        *("1 plays chapel", "1 buys chapel"),
    ]
    for line in told:
        page.post("record", {"event": line, "overrule": "1", "because": "we saw it"})
        page.post("undo", {})
    gone = page_of(table, 2, lines=(kingdom_with(["chapel"]), "1 starts", "pile chapel 0"))

    assert [
        line for line in gone.buttons("?card=chapel") if " gains chapel" in line or " buys chapel" in line
    ] == []


def test_the_trash_is_put_right(table: LiveSessions) -> None:
    page = page_of(table, 2, lines=(kingdom_with(["chapel"]), "1 starts", "trash copper:2"))
    page.tap("trash copper:2 curse:1", query="?card=trash")
    page.tap("trash copper:1 curse:1", query="?card=trash")
    page.tap("trash curse:1", query="?card=trash")

    assert page.session.position.trash == {"curse": 1}


OWN = """
[box.ours]
name = "Ours"
[purse]
name = "Purse"
box = "ours"
cost = 3
types = "action treasure"
plus = "+1 coin"
[seer]
name = "Seer"
box = "ours"
cost = 3
types = "action"
steps = [{ reveal = 5, by_type = { action = "+1 action" } }]
"""


@pytest.fixture
def own_cards() -> Iterator[None]:
    found = read_cards(OWN)
    cards.add_cards(*found)
    yield
    remove_cards(*found)


@pytest.mark.usefixtures("own_cards")
def test_an_action_that_is_a_treasure_too_is_a_treasure_once_no_action_is_left() -> None:
    held = "purse smithy"
    assert "1 plays purse" in offered(play(2, "", hand=held))
    assert "1 plays purse" in offered(play(2, "1 plays smithy", hand=held))
    at_once, bought = (
        play(2, f"1 plays smithy{way} / 1 plays purse", hand=held) for way in ("", " / 1 to buy")
    )

    assert [turn_of(position).coins for position in (at_once, bought)] == [1, 1]
    assert turn_of(at_once).phase is Phase.BUY


@pytest.mark.usefixtures("own_cards")
def test_five_revealed_cards_are_asked_one_by_one() -> None:
    many = "silver gold duchy village smithy market festival laboratory moat cellar curse".split()
    story = " / ".join([*(f'2 gains {card} because "a story"' for card in many), "1 plays seer"])
    position = play(2, story, hand="seer moat")
    picking = view_of(position, {"picked": "gold copper copper"})["asked"].picking

    assert len(offered(position)) <= 200
    assert (len(picking.picked), len(picking.more)) == (3, 12)
