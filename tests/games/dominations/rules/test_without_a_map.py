"""What only a map could count: people are asked, and what the log did not pay is named until they have told it."""

from __future__ import annotations

from companion.games.dominations.page.boards import GoalView
from companion.games.dominations.page.eras import final_table
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.eras import reached_goals
from companion.games.dominations.rules.position import Position
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import (
    DOMINATIONS,
    EGYPTIAN,
    GARDENS,
    LIGHTHOUSE,
    LIVESTOCK,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)

BUILDERS = 'objective builders "Construtores" "adjacent 2" "control 1" "apart 2" "influence 9" "cities 1:2"'
TWO_CITIES = f"""
{BUILDERS}
{GARDENS}
1 keeps builders and gardens
{rich(1, "C9")}
1 produces C1
1 builds C
1 ends
2 passes
2 ends
1 produces C1
1 builds C
1 ends
2 passes
2 ends
"""
ERA = "era effects\n1 assimilates nothing\nera roles\n"
NEXT = f"era next\n{passing(10)}\n{ERA}"
COUNTED = f"{TWO_CITIES}{passing(6)}\n{ERA}{NEXT}{NEXT}2 reached 0 goals\n"


def goals(position: Position) -> tuple[GoalView, ...]:
    views: tuple[GoalView, ...] = page(position, {})["seats"][0].goals
    return views


def problems(players: int, story: str) -> list[str]:
    return [str(remark.text) for remark in evening(players, story).problems]


def test_of_cities_without_a_place_people_count_what_needs_the_map() -> None:
    beside, _control, apart, _influence, cities = goals(play(2, TWO_CITIES))

    assert (beside.far, beside.tick, apart.tick) == ((), "1 reached 1", "1 reached 3")
    assert (cities.far, cities.tick, cities.reached) == (((2, 2),), "", True)


def test_with_every_city_on_the_map_it_is_counted_again() -> None:
    drawn = f"{TWO_CITIES}tile C:RRR at 0,0d\ntile C:RRR at 1,0u\n1 has C1 at 0,0d"
    half, whole = (goals(play(2, story))[0] for story in (drawn, f"{drawn}\n1 has C1 at 1,0u"))

    assert (half.tick, half.far) == ("1 reached 1", ())
    assert (whole.tick, whole.far, whole.reached) == ("", ((2, 2),), True)
    # What was ticked before can still be taken back.
    ticked = play(2, f"{drawn}\n1 reached 3\n1 has C1 at 1,0u")
    assert goals(ticked)[2].tick == "1 missed 3"


def test_too_few_cities_miss_a_goal_wherever_they_stand() -> None:
    one = TWO_CITIES.rpartition("1 builds C")[0]

    assert [(goal.tick, goal.far) for goal in goals(play(2, one))[:1]] == [("", ((0, 2),))]


def test_before_the_count_somebody_says_what_nobody_can_count() -> None:
    asked = problems(2, COUNTED)
    assert asked == [
        "Nobody has said whether goal 1 is reached, and it cannot be counted: Cities side by side: 2",
        "Nobody has said whether goal 3 is reached, and it cannot be counted: Groups of Cities: 2",
    ]
    assert problems(2, TWO_CITIES) == []
    assert [goal.miss for goal in goals(play(2, COUNTED))] == ["1 missed 1", "", "1 missed 3", "", ""]

    told = f"{COUNTED}1 reached 1\n1 missed 3"
    assert problems(2, told) == []
    assert [goal.miss for goal in goals(play(2, told))] == [""] * 5
    assert reached_goals(play(2, told), 0) == {1, 5}
    # Counted all the same, the total stays in doubt.
    assert problems(2, f"{COUNTED}era objectives") == asked


def test_who_missed_a_goal_may_have_reached_it_after_all() -> None:
    told = f"{COUNTED}1 missed 1"

    assert refusal(2, told, "1 missed 1") == "This goal is marked so already."
    assert play(2, f"{told}\n1 reached 1").seats[0].missed == frozenset()
    # While turns are left, nobody knows yet.
    assert refusal(2, TWO_CITIES, "1 missed 1") == "This goal is marked so already."


MONUMENT = f"""
{BUILDERS}
{LIGHTHOUSE}
1 keeps builders and lighthouse
{rich(1, "T15")}
1 produces T1
1 raises lighthouse nodi T1
1 ends
2 passes
2 ends
"""


def test_nobody_controls_a_monument_for_sure_while_a_city_may_stand_beside_it() -> None:
    alone, built = play(2, MONUMENT), play(2, f"{MONUMENT}1 passes\n1 builds T")

    assert goals(alone)[1].far == ((1, 1),)
    assert (goals(built)[1].far, goals(built)[1].tick) == ((), "1 reached 2")
    assert [page(position, {})["sites"][0][3] for position in (alone, built)] == [0, None]


def test_a_monument_that_a_goal_asks_for_is_named_as_it_is_printed() -> None:
    position = play(2, MONUMENT.replace('"control 1"', '"control lighthouse"'))

    assert str(goals(position)[1].text) == "Monuments controlled: O Farol"
    assert (goals(position)[1].far, str(goals(play(2, MONUMENT))[1].text)) == (
        ((1, 1),),
        "Monuments controlled: 1",
    )


LEFT = "“O Farol” has not rewarded Cities that no map showed beside it: tell whose."
OWED = f"{MONUMENT}1 produces T1\n1 builds T\n1 ends\n2 passes\n2 ends"


def test_rewards_that_no_map_shows_are_told_and_brought_by_a_line() -> None:
    before = play(2, OWED).points

    assert (problems(2, MONUMENT), problems(2, OWED)) == ([], [LEFT])
    told = f"{OWED}\nrewards lighthouse 1"
    assert (play(2, told).points, problems(2, told)) == ((before[0] + 10, 0), [])
    assert [str(line.why) for line in play(2, told).lines[-1:]] == ["Reward of O Farol"]
    assert problems(2, f"{OWED}\nrewards lighthouse nobody") == []
    assert refusal(2, told, "rewards lighthouse 1").startswith("No rewards of this Monument are left")
    assert refusal(2, OWED, "rewards lighthouse 1 1").startswith("This player has not so many Cities")
    assert refusal(2, OWED, "rewards lighthouse 3") == "There is no such player."
    assert refusal(2, OWED, "rewards gardens 1").startswith("No rewards of this Monument are left")


def test_every_problem_leads_to_where_it_is_told() -> None:
    bare = f"cradle {'-' * 12}\n{BUILDERS}"
    begun = (
        f"{bare}\n{LIGHTHOUSE}\n1 keeps builders and lighthouse\n{rich(1, 'S15 T15')}\n1 lays S:SSS at 0,0d"
    )
    stories = (
        (OWED, "Whose Cities does “O Farol” reward?"),
        (f"{begun}\n1 raises lighthouse nodi T1", "Where does its piece stand?"),
        ("1 adjusts markers -1", "Does the table show the same?"),
    )
    for story, title in stories:
        position = play(2, story)
        (told_at,) = {remark.told_at for remark in DOMINATIONS.problems(position)}
        assert str(page(position, dict(told_at))["hand"].title) == title

    looked = [dict(remark.told_at) for remark in DOMINATIONS.problems(play(2, COUNTED))]
    assert looked == [{"look": "1"}] * 2


def test_a_piece_and_a_city_that_are_drawn_later_are_not_taken_for_paid() -> None:
    drawn = f"{OWED}\ntile T:TTT at 0,0d\n1 has T1 at 0,0d\npiece lighthouse at 0,1u+0,1d"

    assert problems(2, drawn) == [LEFT]
    told = f"{drawn}\nrewards lighthouse 1"
    assert play(2, told).points[0] == play(2, drawn).points[0] + 10
    # A City that the map finds beside it only later owes as much.
    later = f"{told}\n{rich(1, 'S5')}\n1 passes\n1 builds S\n1 ends\ntile S:SSS at 0,2u\n1 has S1 at 0,2u"
    assert problems(2, later) == [LEFT]


def test_a_city_that_was_there_before_the_monument_may_lie_beside_it() -> None:
    city = (
        f"{BUILDERS}\n{LIGHTHOUSE}\n1 keeps builders and lighthouse\n{rich(1, 'T15')}\n1 passes\n1 builds T"
    )
    raised = f"{city}\n1 ends\n2 passes\n2 ends\n1 passes\n1 raises lighthouse nodi T1"

    assert (problems(2, city), problems(2, raised)) == ([], [LEFT])


def test_a_city_that_nobody_has_drawn_leaves_control_in_doubt_beside_a_drawn_piece() -> None:
    drawn = f"{MONUMENT}tile T:TTT at 0,0d\npiece lighthouse at 0,1u+0,1d"
    built = f"{drawn}\n1 passes\n1 builds T"

    assert goals(play(2, drawn))[1].far == ((1, 1),)
    assert goals(play(2, built))[1].far == ()
    assert goals(play(2, f"{built}\n1 has T1 at 0,0d"))[1].far == ((1, 1),)


def test_each_monument_and_each_domain_is_told_apart() -> None:
    both = OWED.replace(BUILDERS, f"{BUILDERS}\n{GARDENS}\n{EGYPTIAN}\n2 keeps egyptian and gardens", 1)
    city = f"{rich(1, 'C9')}\n1 passes\n1 builds C\n1 ends"
    story = f"{both}\n{city}\n{rich(2, 'C9')}\n2 passes\n2 raises gardens nodi C1\n2 ends"
    gardens = LEFT.replace("O Farol", "Jardins Suspensos")

    assert problems(2, story) == [gardens, LEFT]
    assert problems(2, f"{story}\nrewards lighthouse 1") == [gardens]
    # The second City of White's is of Crafts, which this Monument does not reward.
    assert refusal(2, story, "rewards lighthouse 1 1").startswith("This player has not so many Cities")


def test_another_level_of_a_monument_brings_no_reward_again() -> None:
    told = f"{OWED}\nrewards lighthouse 1\n1 passes\n1 raises lighthouse nodi T1"

    assert (play(2, told).sites["lighthouse"].taken, problems(2, told)) == (2, [])


def test_a_city_on_the_map_may_lie_beside_a_piece_that_is_not() -> None:
    lying = f"{BUILDERS}\n{LIGHTHOUSE}\n1 keeps builders and lighthouse\n{rich(1, 'T15')}\ntile T:RRR at 4,0d"
    built = f"{lying}\n1 passes\n1 builds at 4,0d\n1 ends\n2 passes\n2 ends\n1 passes"

    assert problems(2, f"{built}\n1 raises lighthouse nodi T1") == [LEFT]


def test_rewards_are_told_by_taps() -> None:
    position = play(2, OWED)
    key = page(position, {})["sites"][0][4]
    first = page(position, {"do": "rewards", "key": key})
    tapped = next(choice for choice in offers(first) if choice.player == 0)
    again = page(position, {name: value for name, value in tapped.to.items() if value})

    assert [choice.line for choice in offers(first) if choice.main] == ["rewards lighthouse nobody"]
    assert [choice.line for choice in offers(again) if choice.main] == ["rewards lighthouse 1"]
    # White has one City that it rewards, and nobody else has any.
    assert [choice.player for choice in offers(again) if choice.to and choice.player is not None] == []
    assert page(play(2, f"{OWED}\nrewards lighthouse 1"), {})["sites"][0][4] == ""


def test_what_the_map_shows_is_paid_and_leaves_nothing_to_tell() -> None:
    lying = f"{BUILDERS}\n{LIGHTHOUSE}\n1 keeps builders and lighthouse\n{rich(1, 'T15')}\ntile T:RRR at 4,0d"
    raised = f"{lying}\n1 passes\n1 builds at 4,0d\n1 ends\n2 passes\n2 ends\n1 passes"
    position = play(2, f"{raised}\n1 raises lighthouse at 4,1u+3,1d")

    assert (position.points[0], position.unpaid) == (16, frozenset())


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
    assert notes({"who": "2"}) == [mine, ["Feira – When a territory activates a City: 1 point"]]
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
