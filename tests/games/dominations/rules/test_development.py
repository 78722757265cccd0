"""Masteries: costs, prerequisites, one of each, turning over, and cards read out for the first time."""

from __future__ import annotations

import pytest

from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.cards import parse_goal
from companion.games.dominations.rules.eras import goal_progress
from companion.games.dominations.rules.gains import (
    advance_prices,
    city_prices,
    level_prices,
    mastery_prices,
    track_place,
    unused_roles,
)
from tests.games.dominations.stories import AGRICULTURE, CARDS, FISHING, evening, has, play, refusal, rich

FORGE = 'mastery forge "Forja" C 9 needs C 3 basic 4 2'


def test_a_mastery_costs_its_value_in_its_own_domain_and_counts_at_once() -> None:
    position = play(
        2,
        f"{FISHING}\n{FORGE}\n{rich(1, 'C20')}\n1 passes\n1 develops fishing\n2 passes\n1 passes\n1 develops forge",
    )

    assert has(position, 1) == {"C": 20 - 3 + 1 - 9}
    assert (position.points, position.seats[0].influence) == ((4, 0), 2)


def test_a_mastery_of_nine_presupposes_another_one() -> None:
    story = f"{FISHING}\n{FORGE}\n{rich(1, 'C20')}\n1 passes"

    assert (
        refusal(2, story, "1 develops forge") == "The Mastery that this card presupposes is not in the Tree."
    )
    later = f"{rich(1, 'C20')}\n1 passes\n1 develops fishing\n2 passes\n1 passes"
    assert refusal(2, f"{FISHING}\n{FORGE}\n{later}", "1 develops forge") == ""
    for other in ("needs C 6", "needs A 3"):  # of a lower value, of another Domain
        done = f"{FISHING}\n{FORGE.replace('needs C 3', other)}\n{later}"
        assert (
            refusal(2, done, "1 develops forge")
            == "The Mastery that this card presupposes is not in the Tree."
        )


def test_no_tree_has_two_of_a_kind_and_the_rack_has_four() -> None:
    one = f"{FISHING}\n{rich(1, 'C20')}\n1 passes\n1 develops fishing\n2 passes\n1 passes"

    assert refusal(2, one, "1 develops fishing").startswith("This Mastery is in the Tree already")
    assert play(2, one).left_in_the_rack("fishing") == 3


def test_one_mastery_a_turn() -> None:
    story = f"{FISHING}\n{AGRICULTURE}\n{rich(1, 'C20')}\n1 passes\n1 develops fishing"

    assert refusal(2, story, "1 develops agriculture").startswith("Only one Mastery")
    assert refusal(2, story, "1 advances fishing").startswith("Only one Mastery")
    assert refusal(2, story, "1 builds C").startswith("Only one City or Monument")


def test_turning_over_costs_what_the_corner_says_and_replaces_the_effect() -> None:
    story = (
        f"{FISHING}\n{rich(1, 'C20')}\n1 passes\n1 develops fishing\n2 passes\n1 passes\n1 advances fishing"
    )
    position = play(2, f"{story}\n2 passes\n2 ends")

    # 3 to develop, 1 gained, 3 to turn over, and 2 gained from then on.
    assert has(position, 1) == {"C": 20 - 3 + 1 - 3 + 2}
    assert (position.points, position.seats[0].influence) == ((2, 0), 1)
    assert refusal(2, f"{story}\n2 passes\n1 passes", "1 advances fishing").startswith("Only a basic Mastery")


def test_discounts_lower_the_cost_and_a_free_card_is_free() -> None:
    artisans = 'mastery artisans "Artesãos" C 3 basic 0 0 "pay mastery: 1"'
    turns = "1 passes\n1 develops artisans\n2 passes\n1 passes\n1 develops fishing"
    story = f"{artisans}\n{FISHING}\n1 adjusts C +5\n{turns}"

    assert has(play(2, story), 1) == {}
    free = artisans.replace("pay mastery: 1", "pay mastery: 9")
    assert has(play(2, story.replace(artisans, free)), 1) == {"C": 2}


def test_a_card_nobody_read_out_is_asked_for_and_taken_then() -> None:
    story = f"{rich(1, 'C9')}\n1 passes\n1 develops fishing"
    session = evening(2, story)

    assert str(session.turn.action) == "Read out the card “Fishing*”"
    assert session.position.seats[0].tree.masteries == ()
    assert refusal(2, story, "1 ends").startswith("Something is asked")
    taught = play(2, f"{story}\n{FISHING}")
    assert (taught.held, [card.key for card in taught.seats[0].tree.masteries]) == (None, ["fishing"])
    assert has(taught, 1) == {"C": 6}


def test_a_cost_that_nobody_told_is_not_guessed() -> None:
    vague = 'mastery fishing "Pescaria" ? 3 basic 0 0'

    assert refusal(2, f"{vague}\n{rich(1, 'C9')}\n1 passes", "1 develops fishing").startswith(
        "Nobody has told yet"
    )
    assert refusal(
        2,
        f"{AGRICULTURE}\n{rich(1, 'C9')}\n1 passes\n1 develops agriculture\n2 passes\n1 passes",
        "1 advances agriculture",
    ).startswith("Nobody has told yet")


def test_words_and_question_marks_are_shown_at_their_trigger_and_never_applied() -> None:
    card = r'mastery oddity "Estranha" C 3 basic 0 0 "turn start: \"swap two cards\"" "now: 6 ?"'
    story = f"{card}\n{rich(1, 'C9')}\n1 passes\n1 develops oddity"
    position = play(2, story)

    assert [(r.player, str(r.effect)) for r in position.reminders] == [(0, "now: 6 ?")]
    assert (has(position, 1), position.points, position.seats[0].influence) == ({"C": 6}, (0, 0), 0)
    later = play(2, f"{story}\n2 passes\n2 ends")
    assert [str(r.effect) for r in later.reminders] == ['turn start: "swap two cards"']
    assert has(later, 1) == {"C": 6}


def test_a_card_read_out_again_counts_from_then_on() -> None:
    better = FISHING.replace('basic 0 0 "turn start: 1 C"', 'basic 0 0 "turn start: 3 C"')
    story = f"{FISHING}\n{rich(1, 'C9')}\n1 passes\n1 develops fishing\n2 passes\n1 passes\n{better}\n2 passes\n2 ends"

    assert has(play(2, story), 1) == {"C": 9 - 3 + 1 + 3}


def test_a_limit_read_out_again_counts_from_then_on() -> None:
    cistern = 'mastery cistern "Cisterna" T 3 basic 0 0 "limit T: 10"'
    story = f"{cistern}\n1 adjusts T +5\n1 passes\n1 develops cistern\n{cistern.replace('10', '15')}"

    assert play(2, story).seats[0].limits[Domain.TRADE] == 15


def test_one_name_is_one_card() -> None:
    assert (
        refusal(2, FISHING, 'objective fishing "Outra" "a" "b" "c" "d" "e"')
        == "There is another card of this name."
    )


def test_simultaneous_gains_come_in_the_order_that_serves_their_owner() -> None:
    """Whoever owns them orders them: a raised limit comes before what fills it."""
    card = 'mastery granary "Celeiro" C 3 basic 0 0 "now: 9 C" "limit C: 15"'

    assert has(play(2, f"{card}\n1 adjusts C +5\n1 passes\n1 develops granary"), 1) == {"C": 11}


def test_knowledge_is_gained_before_what_is_counted_by_what_is_left() -> None:
    cards = f"""
    mastery warehouses "Armazéns" C 3 basic 0 0 "era end: 1 points per left C" "era end: 1 influence per left C"
    mastery mills "Moinhos" C 3 basic 0 0 "era end: 5 C"
    {rich(1, "C20")}
    1 adjusts C -8
    1 passes
    1 develops warehouses
    2 passes
    1 passes
    1 develops mills
    era effects because "we stopped"
    """

    position = play(2, cards)
    assert (position.points[0], position.seats[0].influence) == (11, 11)


@pytest.mark.parametrize("first", ("small", "large"))
def test_of_gains_in_one_domain_the_largest_comes_first_and_all_above_20_bring_a_point(first: str) -> None:
    second = {"small": "large", "large": "small"}[first]
    story = f"""
    mastery small "Pequena" C 3 basic 0 0 "produce 2 C: 1 T"
    mastery large "Grande" C 3 basic 0 0 "produce 2 C: 5 T"
    {rich(1, "C20 T18")}
    1 passes
    1 develops {first}
    2 passes
    1 passes
    1 develops {second}
    2 passes
    1 produces C2
    """

    assert (play(2, story).points[0], has(play(2, story), 1)["T"]) == (2, 20)


@pytest.mark.parametrize("keys", (("mills", "barns"), ("barns", "mills")))
def test_gains_that_count_each_other_come_in_the_better_order(keys: tuple[str, str]) -> None:
    """Of 2 Crafts and 4 Trade it becomes 6 and 16 in one order, 10 and 8 in the other."""
    story = f"""
    mastery mills "Moinhos" C 3 basic 0 0 "era end: 1 C per left T"
    mastery barns "Celeiros" C 3 basic 0 0 "era end: 2 T per left C"
    {rich(1, "C9 T4")}
    1 passes
    1 develops {keys[0]}
    2 passes
    1 passes
    1 develops {keys[1]}
    1 adjusts C -1
    era effects because "we stopped"
    """

    assert has(play(2, story), 1) == {"C": 2 + 4, "T": 4 + 12}


def test_how_vestigium_was_split_counts_for_the_order() -> None:
    """Of 18 Trade and 17 Crafts, 5 Trade first let the 1 Trade among the 6 come above 20 as well."""
    story = f"""
    mastery mixed "Mista" C 3 basic 0 0 "now: 6 V" "now: 5 T"
    {rich(1, "C20 T18")}
    1 passes
    1 develops mixed
    1 chooses TCCCCC
    """

    assert play(2, story).points[0] == 3


def test_war_counts_cities_first_and_city_levels_once_turned_over() -> None:
    """Rulebook 004, FAQ: a City is one whatever its level; its levels are its markers."""
    war = (
        'mastery war "Guerra" P 3 advance P 3 basic 0 0 "now: 1 influence per city"'
        ' advanced 0 0 "now: 1 influence per city level"'
    )
    turns = "1 passes\n1 builds T\n2 passes\n1 passes\n1 upgrades T1\n1 develops war\n2 passes\n1 passes"
    story = f"{war}\n{rich(1, 'T20 P9')}\n{turns}"

    # Influence 1 and 2 of the City itself; one for the City, then two for its levels.
    assert play(2, story).seats[0].influence == 3 + 1
    assert play(2, f"{story}\n1 advances war").seats[0].influence == 3 + 1 + 2


def test_a_card_of_which_nobody_told_place_or_nodi_is_pointed_out() -> None:
    story = f"{FISHING}\n{rich(1, 'C5')}\n1 passes\n1 develops fishing"

    assert [(str(remark.text), remark.player) for remark in evening(2, story).problems] == [
        ("Nobody has told which Nodi “Pescaria” makes: it makes one at least.", 0)
    ]
    assert evening(2, f"{story} nodi C1").problems == evening(2, f"{story} in 1,0 CCCC").problems == ()


def test_a_card_raises_a_limit_and_the_highest_counts() -> None:
    card = 'mastery granary "Celeiro" C 6 basic 0 0 "limit C: 15"'
    story = f"{card}\n1 adjusts C +5\n1 passes\n1 builds C\n1 ends\n2 passes\n2 ends\n1 adjusts C +7"
    planted = f"{story}\n1 passes\n1 develops granary nodi C1"
    assert play(2, story).seats[0].limits[Domain.CRAFTS] == 10
    assert play(2, planted).seats[0].limits[Domain.CRAFTS] == 15

    low = f"{card.replace('15', '10')}\n1 adjusts limit C +10\n1 adjusts C +9\n1 passes\n1 develops granary nodi C1"
    assert play(2, low).seats[0].limits[Domain.CRAFTS] == 15


def test_prices_show_what_reductions_leave() -> None:
    theocracy = 'mastery theocracy "Teocracia" P 6 basic 0 0 "pay city: 2"'
    position = play(2, f"{theocracy}\n{rich(1, 'P6 T5', 10)}\n1 passes\n1 develops theocracy")
    prices = city_prices(position, 0)

    assert [(p.printed, p.cost, p.payable) for p in (prices[Domain.TRADE, n] for n in (1, 2, 3))] == [
        (3, 1, True),
        (6, 4, True),
        (9, 7, False),
    ]
    assert city_prices(position, 1)[Domain.TRADE, 1].cost == 3


def test_only_cards_read_out_have_a_price() -> None:
    position = play(
        2, f"{CARDS}\n1 keeps roman and lighthouse\n{rich(1, 'C9')}\n1 passes\n1 develops fishing"
    )

    assert sorted(mastery_prices(position, 0)) == ["agriculture", "livestock"]
    assert sorted(mastery_prices(position, 1)) == ["agriculture", "fishing", "livestock"]
    assert {key: price.cost for key, price in advance_prices(position, 0).items()} == {"fishing": 3}
    assert {key: price.printed for key, price in level_prices(position, 0).items()} == {"lighthouse": 5}


def test_powers_that_are_used_once_are_reminded_of() -> None:
    assert unused_roles(play(2, "1 holds worker\n1 holds merchant"), 0) == ("worker",)


def test_tracks_are_told_by_lap_and_place() -> None:
    assert [track_place(n, "influence") for n in (49, 50, 63)] == [(0, 49), (1, 0), (1, 13)]
    assert [track_place(n, "points") for n in (99, 100, 312)] == [(0, 99), (1, 0), (3, 12)]


def test_goals_show_how_far_they_are() -> None:
    position = play(2, f"1 adjusts influence +7\n{rich(1, 'T9')}\n1 passes\n1 builds T")

    def far(goal: str) -> list[tuple[int, int]]:
        return [(part.have, part.need) for part in goal_progress(position, 0, parse_goal(goal))]

    assert far("influence 30") == [(8, 30)]
    assert far("cities 1:2 2:1") == [(1, 3)]
    assert far("nodi T8 P5") == [(0, 8), (0, 5)]


def test_more_territories_than_the_box_has_are_pointed_out() -> None:
    cells = [f"{i},{j}{way}" for i in range(20, 30) for j in range(5) for way in "ud"][:91]
    session = evening(2, "\n".join(f"tile T:TTT at {cell}" for cell in cells))

    assert [str(problem) for problem in session.problems] == ["There are only 90 territories in the box."]
    assert evening(2, "\n".join(f"tile T:TTT at {cell}" for cell in cells[:90])).problems == ()
