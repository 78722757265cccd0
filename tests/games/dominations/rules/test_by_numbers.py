"""Turns told in numbers alone: what cards and Roles bring is paid, asked for or named, though no map shows it."""

from __future__ import annotations

from companion.games.dominations.page.page import page
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import LIVESTOCK, has, play, refusal, rich

GUILD = f"""
mastery guild "Guilda" T 3 basic 0 0 "activate: 2 points" "activate: 1 city"
{rich(1, "T12 C9")}
1 produces T1
1 builds T
1 develops guild nodi T1
1 ends
"""
ANOTHER_CITY = "1 produces T1\n1 builds T\n1 ends"


def test_a_city_that_was_paid_was_activated() -> None:
    position = play(2, f"{GUILD}\n2 produces C2 T1, 1 T1")

    assert position.points == (2, 0)
    assert has(position, 1) == {"T": 7 + 1 + 1, "C": 9}
    assert position.reminders == ()


def test_cities_paid_together_were_activated_each() -> None:
    paid_both = f"{GUILD}\n2 passes\n2 ends\n{ANOTHER_CITY}\n2 produces C2, 1 T2"

    assert play(2, paid_both).points == (4, 0)


def test_who_may_have_had_more_cities_activated_or_fewer_is_reminded() -> None:
    upgraded = "2 passes\n2 ends\n1 adjusts T +6\n1 passes\n1 upgrades T1\n1 ends"
    story = f"{GUILD}\n2 passes\n2 ends\n{ANOTHER_CITY}\n2 passes\n2 ends\n{ANOTHER_CITY}\n{upgraded}"
    position = play(2, f"{story}\n2 produces C2, 1 T2")

    # Of Cities of levels 1, 1 and 2, either the two small ones were paid or the large one.
    assert position.points == (0, 0)
    assert [str(text) for text in page(position, {})["reminders"]] == [
        "Guilda – When a territory activates a City: 2 points",
        "Guilda – When a territory activates a City: 1 of the City's Domain",
    ]


def test_who_was_paid_for_no_city_that_is_known_is_reminded() -> None:
    assert [due.player for due in play(2, f"{GUILD}\n2 produces C2, 1 A1").reminders] == [0, 0]


def test_of_own_cities_nobody_knows_whether_they_were_activated() -> None:
    with_own = f"{GUILD}\n2 passes\n2 ends\n1 produces T3"

    assert len(play(2, with_own).reminders) == 2
    assert play(2, with_own.replace("T3", "C3")).reminders == ()


INVENTED = "1 produces T1\n1 ends\n2 produces A1\n2 ends\n1 holds inventor"


def test_without_a_map_the_inventor_reactivates_by_numbers() -> None:
    before = play(2, INVENTED)
    after = play(2, f"{INVENTED}\n1 reactivates T2 C1, 2 A1")

    hand = page(before, {"do": "invent"})["hand"]
    assert str(hand.title) == "What did the reactivated territory bring?"
    offered = offers(page(before, {"do": "invent", "g1": "T2"}))
    assert "1 reactivates T2" in [choice.line for choice in offered]
    assert (has(after, 1), has(after, 2)) == ({"T": 3, "C": 1}, {"A": 2})
    assert (after.seats[0].roles, after.again) == ((), True)


def test_by_numbers_the_inventor_reactivates_once_and_first() -> None:
    used = f"{INVENTED}\n1 reactivates T2"

    assert refusal(2, used, "1 reactivates T2").startswith("Only the Inventor")
    assert refusal(2, f"{INVENTED}\n1 produces T1", "1 reactivates T2") == (
        "A territory was laid in this turn already."
    )
    assert "invent" not in str(
        page(play(2, f"{INVENTED}\n1 holds worker\n1 produces T1"), {"do": "again"})["hand"]
    )


def test_cards_that_give_more_are_named_before_the_numbers_are_told() -> None:
    market = 'mastery market "Feira" T 3 basic 0 0 "activate: 1 points"'
    learnt = f"{LIVESTOCK}\n{market}\n{rich(1, 'C9 T9')}\n1 holds merchant\n1 passes\n1 develops livestock\n"
    story = f"{learnt}1 ends\n2 produces A1\n2 develops market because 'a gift'\n2 ends".replace("'", '"')

    def notes(wish: dict[str, str], story: str = story) -> list[list[str]]:
        """Above what is tapped, and below it."""
        hand = page(play(2, story), {"tier": "ledger", **wish})["hand"]
        (below,) = [group.notes for group in hand.groups if group.steppers]
        return [[*map(str, hand.notes)], [*map(str, below)][1:]]

    mine = ["Merchant: the Field brings 2.", "Gado – Fields produce more: 1 Crafts"]
    assert notes({}) == [mine, []]
    # Above the buttons nothing changes with whom they are for: they keep their place.
    assert notes({"who": "2"}) == [mine, ["Feira – When a territory activates a City: 1 points"]]
    assert notes({"do": "invent"}, f"{story}\n1 holds inventor") == [mine[1:], []]


def test_below_a_name_stands_what_was_told_in_the_letters_of_the_page() -> None:
    def told(**wish: str) -> list[str]:
        hand = page(play(2), {"tier": "ledger", **wish})["hand"]
        return [
            str(choice.number) for group in hand.groups if group.kind == "seats" for choice in group.choices
        ]

    assert told() == ["–", "–"]
    assert told(g1="T3C1", g2="S2") == ["Tr3 Cr1", "Sc2"]
    assert told(g1="T3C1A1S1P1") == ["7 in all", "–"]


def test_what_records_the_numbers_stands_there_from_the_beginning() -> None:
    def lines(**wish: str) -> list[str]:
        hand = page(play(2), {"tier": "ledger", **wish})["hand"]
        return [choice.line for group in hand.groups for choice in group.choices if choice.main]

    assert (lines(), lines(g1="T3")) == ([""], ["1 produces T3"])
