"""A Monument rewards each City once, whether the map shows it beside the piece or people tell it."""

from __future__ import annotations

from companion.games.dominations.page.final_count import final_table
from companion.games.dominations.page.page import page
from tests.games.dominations.crawling import offers
from tests.games.dominations.rules.test_without_a_map import LEFT, MONUMENT, OWED, problems
from tests.games.dominations.stories import evening, passing, play, refusal, rich

BLACKS = f"{MONUMENT}{rich(2, 'T9')}\n1 passes\n1 ends\n2 passes\n2 builds T\n2 ends\nrewards lighthouse 2"
BOTH = f"{BLACKS}\n1 passes\n1 builds T\n1 ends\n2 passes\n2 ends"
PIECE = "tile T:TTT at 0,0d\npiece lighthouse at 0,1u+0,1d"
NO_PLACE = "A City of Trade has no place on the map: nothing that is laid there pays for it. Tap its Field."
TOO_MANY = "“O Farol” has rewarded more Cities than the map shows beside it."


def test_a_city_that_was_rewarded_is_not_rewarded_when_another_one_is_built() -> None:
    before = play(2, BOTH).points

    assert problems(2, BOTH) == [LEFT]
    assert refusal(2, BOTH, "rewards lighthouse 2 1").startswith("This player has not so many Cities")
    assert play(2, f"{BOTH}\nrewards lighthouse 1").points == (before[0] + 10, before[1])
    second = f"{BOTH}\nrewards lighthouse 1\n{rich(2, 'S9')}\n1 passes\n1 ends\n2 passes\n2 builds S"
    assert play(2, f"{second}\nrewards lighthouse 2").points == (before[0] + 10, before[1] + 10)


def test_a_reward_counts_among_the_monuments_of_the_final_table() -> None:
    table = final_table(play(2, BLACKS), {})

    assert [row.points[1] for row in table if row.why.text == "Monuments"] == [10]


def test_the_page_offers_who_was_not_rewarded_and_says_who_was() -> None:
    view = page(play(2, BOTH), {"do": "rewards", "key": "lighthouse"})

    assert [choice.player for choice in offers(view) if choice.to and choice.player is not None] == [0]
    told = next(group for group in view["hand"].groups if group.name and group.name.text == "Rewarded before")
    assert [choice.player for choice in told.choices] == [1]


def test_a_city_that_the_map_finds_beside_a_monument_is_owed_though_nobody_was_rewarded() -> None:
    nobody = f"{OWED}\nrewards lighthouse nobody\n{PIECE}"
    beside = f"{nobody}\n1 has T1 at 0,0d"

    assert (problems(2, nobody), problems(2, beside)) == ([NO_PLACE], [LEFT])
    told = f"{beside}\nrewards lighthouse 1"
    assert (play(2, told).points[0], problems(2, told)) == (play(2, beside).points[0] + 10, [])


def test_a_piece_that_the_map_finds_beside_a_city_owes_it_as_well() -> None:
    story = f"{OWED}\nrewards lighthouse nobody\ntile T:TTT at 0,0d\n1 has T1 at 0,0d"

    assert problems(2, f"{story}\npiece lighthouse at 0,1u+0,1d") == [LEFT]
    assert problems(2, f"{story}\npiece lighthouse at 4,1u+4,1d") == []


def test_what_was_told_and_what_the_map_shows_is_one_reward() -> None:
    told = f"{OWED}\nrewards lighthouse 1\n{PIECE}\n1 has T1 at 0,0d"

    assert problems(2, told) == []
    assert evening(2, told).position.sites["lighthouse"].rewarded == (0,)


def test_a_city_that_was_rewarded_and_stands_elsewhere_is_named() -> None:
    story = f"{OWED}\nrewards lighthouse 1\n{PIECE}\ntile T:TTT at 6,6u\n1 has T1 at 6,6u"

    assert problems(2, story) == [TOO_MANY]


def test_a_city_that_the_map_showed_is_not_told_again() -> None:
    lying = f"{MONUMENT}{PIECE}\n1 passes\n1 builds at 0,0d\n1 ends\n2 passes\n2 ends"
    hidden = f"{lying}\n1 passes\n1 builds T\n1 ends\n{passing(1, first=1)}"

    assert problems(2, lying) == []
    assert problems(2, hidden) == [LEFT]
    assert refusal(2, hidden, "rewards lighthouse 1 1").startswith("This player has not so many Cities")
    assert refusal(2, hidden, "rewards lighthouse 1") == ""
