"""What the page offers can be done: whatever can be tapped is accepted, and whatever costs too much says so."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.events import TurnEnded
from tests.games.dominations.crawling import crawled, offers, refused
from tests.games.dominations.random_evenings import Evening
from tests.games.dominations.stories import CARDS, era_over, evening, play


@pytest.mark.parametrize(("players", "seed"), ((2, 1), (3, 2), (4, 3)))
def test_whatever_can_be_tapped_is_accepted(players: int, seed: int) -> None:
    positions = list(Evening(players, seed).play())

    found = [refused(position) for position in positions[::17]]

    assert [wrong for wrongs in found for wrong in wrongs] == []


def test_a_territory_is_told_with_five_taps() -> None:
    position = play(2, f"cradle {'-' * 12}")
    view = page(position, {})
    target = next(target for target in view["targets"] if target.place == "0,0d")
    taps = 1
    wish = {key: value for key, value in target.to.items() if value}
    for letter in "TCR":
        choice = next(c for c in offers(page(position, wish)) if c.domain == letter)
        wish, taps = {key: value for key, value in choice.to.items() if value}, taps + 1
    last = next(c for c in offers(page(position, wish)) if c.domain == "V")

    assert (last.line, taps + 1) == ("1 lays T:CRV at 0,0d", 5)


def test_without_a_map_the_numbers_are_told_and_nobodys_are_lost() -> None:
    wish = {"tier": "ledger", "g1": "T3", "g2": "C1"}
    view = page(play(2, ""), wish)
    more = next(c for c in offers(view) if c.to.get("g1") == "T3A1")

    assert more.to["g2"] == "C1"
    assert [c.line for c in offers(view) if c.main] == ["1 produces T3, 2 C1"]


def test_without_a_map_the_merchant_is_reminded_of_their_field() -> None:
    notes = [
        [str(note) for note in page(play(2, story), {"tier": tier})["hand"].notes]
        for story, tier in (
            ("1 holds merchant", "ledger"),
            ("2 holds merchant", "ledger"),
            ("1 holds merchant", "map"),
        )
    ]

    assert ["Merchant: the Field brings 2." in each for each in notes] == [True, False, False]


def test_a_table_goes_on_as_it_told_its_last_territory_and_may_change() -> None:
    told = play(2, "1 produces T3\n1 ends")

    assert (page(told, {})["tier"], page(told, {"tier": "map"})["tier"]) == ("ledger", "map")
    assert page(play(2, "1 lays T:TTT at 0,0d"), {})["tier"] == "map"
    assert page(told, {"tier": "map"})["seats"] == page(told, {})["seats"]


def test_a_game_begun_in_numbers_is_drawn_on_the_map_later() -> None:
    position = play(2, "1 produces T3\n1 builds T\n1 ends")
    old = page(position, {"do": "old", "at": "0,0d", "col": "TCR"})
    assert "tile T:CRS at 0,0d" in [c.line for c in offers(old)]

    drawn = play(2, "1 produces T3\n1 builds T\ntile T:CRS at 0,0d")
    here = page(drawn, {"at": "0,0d"})
    assert "1 has T1 at 0,0d" in [c.line for c in offers(here)]


ARTISANS = """
mastery artisans "Artesãos" C 3 basic 0 0 "pay city: 1"
1 lays T:TTT at 0,0d
1 adjusts C +3
1 develops artisans
1 ends
2 passes
2 ends
"""


def test_prices_are_told_with_what_cards_take_off() -> None:
    reminders = page(play(2, ARTISANS), {})["reminders"]
    offered = offers(page(play(2, f"{ARTISANS}1 lays C:CCC at 1,0u"), {}))
    city = next(choice for choice in offered if choice.line == "1 builds at 0,0d")

    assert "Artesãos – Cities cost less: 1" in [str(text) for text in reminders]
    assert (city.number, str(city.note)) == ("−2", "printed: 3")


def test_the_end_of_an_era_is_told_before_it_is_counted() -> None:
    story = "1 adjusts T +2\n2 adjusts T +2\n2 adjusts influence +5"
    effects = page(play(2, story + "\n" + era_over(2)), {})
    roles = page(play(2, story + "\n" + era_over(2) + "\nera effects\n2 assimilates nothing"), {})

    assert [str(step.name) for step in effects["wizard"].steps if step.now] == [
        "Effects at the end of the Era"
    ]
    merchant = next(row for row in roles["wizard"].comparisons if row.role == "merchant")
    assert (merchant.values, merchant.winner, merchant.tied) == ((2, 2), 0, (0, 1))
    assert {str(line.why) for line in roles["wizard"].brings} >= {"Merchant"}
    leads = page(play(2, story + "\n" + era_over(2) + "\nera effects"), {})["wizard"]
    assert [(row.values, row.winner, row.tied) for row in leads.influence] == [((0, 5), 1, ())]


def test_goals_are_shown_with_how_far_they_are() -> None:
    position = play(2, f"{CARDS}\n1 keeps egyptian and gardens\n1 adjusts influence +1")
    goals = page(position, {"look": "1"})["look"]["seat"].goals

    assert [(str(goal.text), goal.far, goal.reached) for goal in goals][:2] == [
        ("Influence: 2", ((1, 2),), False),
        ("Cities by level: 1 of level 1", ((0, 1),), False),
    ]


def test_what_is_far_from_right_is_put_right_by_fewer_taps() -> None:
    position = play(2, "1 lays T:TTT at 0,0d\n2 adjusts points +3\n2 adjusts influence +1")
    steps = {c.line: c.brief for c in offers(page(position, {"check": "2"})) if c.brief}

    # No larger step is offered where one less leaves nothing.
    assert steps == {"2 adjusts points -3": "−3", "2 adjusts points +5": "+5", "2 adjusts influence +5": "+5"}


def test_a_board_is_put_right_with_a_tap_that_stands_in_the_log() -> None:
    position = play(2, "1 lays T:TTT at 0,0d")
    lines = {c.line for c in offers(page(position, {"check": "2"}))}

    assert {
        "2 adjusts T +1",
        "2 adjusts limit T +5",
        "2 adjusts influence +1",
        "2 adjusts markers -1",
    } <= lines
    assert "2 adjusts T -1" not in lines


def test_pages_without_sense_are_pages_all_the_same() -> None:
    session = evening(2, CARDS)
    for key in (
        "at",
        "at2",
        "col",
        "who",
        "g1",
        "key",
        "nodi",
        "mix",
        "dom",
        "give",
        "times",
        "order",
        "look",
        "check",
    ):
        for value in ("", "0", "-1", "99,99u", "@9,9", "zzz", "T99", "own_a"):
            for do in ("", "card", "mastery", "monument", "trade", "old", "keep", "order", "piece", "invent"):
                assert page(session.position, {key: value, "do": do})["stage"]


def test_the_crawler_sees_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    position = play(2, "")
    assert (len([*crawled(position, 12)]), refused(position)) == (12, [])

    monkeypatch.setattr("tests.games.dominations.crawling.parse_event", lambda _line: TurnEnded(1))
    assert refused(position, 3) != []
