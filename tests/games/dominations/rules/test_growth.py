"""Laying territories: what they produce, what Cities bring, and what Reserves hold."""

from __future__ import annotations

import pytest

from tests.games.dominations.stories import (
    AGRICULTURE,
    LIVESTOCK,
    corrected,
    era_over,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)

RING = "tile A:SSS at 5,5u\ntile A:SSS at 4,5d\ntile A:SSS at 4,5u\ntile A:SSS at 4,4d\ntile A:SSS at 5,4u"
"""Five of the six territories round the point 5,5; the sixth is 5,4d."""


def test_the_rulebooks_example_of_a_territory() -> None:
    position = play(2, "tile A:ATR at 4,0u\n1 lays T:TSC at 4,0d")

    assert has(position, 1) == {"T": 4, "C": 1, "R": 1}
    assert next((line.amount, line.produced, line.working) for line in position.lines) == (
        4,
        True,
        "T + TTCR + T",
    )


def test_a_territory_has_to_lie_side_by_side_with_another() -> None:
    assert refusal(2, "", "1 lays T:TSC at 4,4u").startswith("A territory has to lie side by side")
    assert refusal(2, "", "1 lays T:TSC at 1,1u").startswith("A territory has to lie side by side")
    assert refusal(2, "", "1 lays T:TSC at 0,0u") == "Something lies there already."
    assert refusal(2, "", "1 lays T:TSC at 0,0d") == ""


def test_anybodys_territory_will_do_and_colours_need_not_match() -> None:
    position = play(2, "1 lays T:TTT at 0,0d\n2 lays C:RRR at 1,0u")

    assert has(position, 2) == {"T": 2, "C": 1, "R": 2}


def test_the_player_decides_against_the_rules_with_a_reason() -> None:
    session = evening(2, '1 lays T:TSC at 4,4u because "we like islands"')

    assert has(session.position, 1) == {"T": 1}
    assert [str(problem) for problem in session.problems] == [
        "lays a territory of Trade (Trade, Science, Crafts), against the rules: we like islands"
    ]


def test_a_locus_replaces_the_sides_and_has_no_concentration() -> None:
    position = play(2, f"{RING}\n1 lays C:SST at 5,4d")

    # 5,4d has its corners at 6,4, 6,5 and 5,5: its third dot lies in the circle.
    assert has(position, 1) == {"S": 5, "C": 1, "T": 1}
    # Where there is room, six of one colour side by side are six: neither the sides nor concentration add any.
    alike = play(2, f"{RING}\n1 adjusts limit S +15\n1 lays C:SSS at 5,4d")
    assert has(alike, 1) == {"S": 6, "C": 1}


def test_of_several_loci_the_player_chooses_one() -> None:
    # Filling 5,4d closes the circles round 5,5 and round 6,5 at once.
    two = f"{RING}\ntile A:TTT at 6,5u\ntile A:TTT at 5,5d\ntile A:TTT at 6,4u\ntile A:TTT at 6,4d"
    session = evening(2, f"{two}\n1 lays C:CCC at 5,4d")
    held = session.position.held

    assert held is not None
    assert held.need.choices == ("@5,5", "@6,5")
    assert str(session.turn.action) == "Choose which Locus counts"
    assert refusal(2, f"{two}\n1 lays C:CCC at 5,4d", "1 chooses @7,7") == "This is not among the choices."
    assert refusal(2, f"{two}\n1 lays C:CCC at 5,4d", "2 chooses @5,5") == "Another player is asked."
    assert has(play(2, f"{two}\n1 lays C:CCC at 5,4d\n1 chooses @5,5"), 1) == {"C": 2, "S": 5}
    assert has(play(2, f"{two}\n1 lays C:CCC at 5,4d\n1 chooses @6,5"), 1) == {"C": 2, "S": 1, "T": 4}


def test_a_locus_that_nobody_chose_brings_the_field_alone() -> None:
    two = f"{RING}\ntile A:TTT at 6,5u\ntile A:TTT at 5,5d\ntile A:TTT at 6,4u\ntile A:TTT at 6,4d"
    cities = f'{rich(2, "A9")}\n2 builds at 6,5u because "x"\n2 builds at 6,4d because "x"'
    session = evening(2, f'{two}\n{cities}\n1 lays C:CCC at 5,4d\n1 ends because "we went on"')

    assert (has(session.position, 1), has(session.position, 2)) == ({"C": 1}, {"A": 3})
    assert "nobody answered “Choose which Locus counts”" in str(session.problems[-1])
    again = f'{two}\ntile C:CCC at 5,4d\n1 holds inventor\n1 reactivates 5,4d\n1 ends because "x"'
    assert has(play(2, again), 1) == {"C": 1}


def test_vestigium_is_split_by_whoever_produces_it_and_feeds_gains() -> None:
    story = f"{AGRICULTURE}\n{rich(1, 'C3', 10)}\n1 passes\n1 develops agriculture\n1 ends\n2 passes\n2 ends"
    session = evening(2, f"{story}\ntile A:SVS at 4,0u\n1 lays T:VRR at 4,0d")

    assert str(session.turn.action) == "Which Domains are the 2 Vestigium?"
    position = play(2, f"{story}\ntile A:SVS at 4,0u\n1 lays T:VRR at 4,0d\n1 chooses CC")
    assert has(position, 1) == {"T": 1, "C": 3, "S": 1, "R": 1}
    assert refusal(2, f"{story}\ntile A:SVS at 4,0u\n1 lays T:VRR at 4,0d", "1 chooses C").startswith(
        "Choose 2"
    )


def test_gains_answer_production_and_never_other_gains() -> None:
    """Rulebook 004, FAQ: Agriculture counts what Livestock adds, not what Fishing gave."""
    cards = 'mastery fishing "Pescaria" C 3 basic 0 0 "turn start: 2 C"\n' + AGRICULTURE + "\n" + LIVESTOCK
    grown = f"""{cards}
        {rich(1, "C12")}
        1 passes
        1 develops fishing
        2 passes
        1 passes                 # Fishing gives 2, which Agriculture does not count
        1 develops agriculture
        2 passes
        """
    assert has(play(2, grown), 1) == {"C": 8}
    assert has(play(2, f"{grown}\n2 ends"), 1) == {"C": 10}
    # One Crafts from the Field is no pair; with Livestock it is two, which bring one more.
    assert has(play(2, f"{grown}\n1 lays C:TTT at 0,0d"), 1) == {"C": 11, "T": 2}
    more = f"{grown}\n1 passes\n1 develops livestock\n2 passes\n1 lays C:TTT at 0,0d"
    assert has(play(2, more), 1) == {"C": 10 - 6 + 2 + 2 + 1, "T": 2}


def test_pairs_are_counted_over_the_whole_turn() -> None:
    story = f"{AGRICULTURE}\n{rich(1, 'C3', 10)}\n1 holds worker\n1 passes\n1 develops agriculture\n2 passes"

    position = play(2, f"{story}\n1 lays C:TTT at 0,0d\n1 lays C:TTT at 1,0u")

    assert has(position, 1)["C"] == 1 + 1 + 1
    assert position.seats[0].roles == ()


def test_the_rulebooks_example_of_barter() -> None:
    """Whoever has Barter gains 1 more Trade from the territory that produced 4."""
    barter = 'mastery barter "Escambo" T 3 basic 0 0 "produce 4 T: 1 T"'
    story = f"{barter}\n{rich(1, 'T3', 10)}\n1 passes\n1 develops barter\n2 passes\ntile A:ATR at 4,0u"

    assert has(play(2, f"{story}\n1 lays T:TSC at 4,0d"), 1) == {"T": 5, "C": 1, "R": 1}


def test_cities_pay_their_owners_on_anybodys_turn() -> None:
    story = f"tile A:SSS at 4,0u\n{rich(1, 'A9', 15)}\n1 passes\n1 builds at 4,0u\n2 lays T:RRR at 4,0d"
    position = play(2, story)

    assert has(position, 1) == {"A": 7}
    assert [
        (str(line.why), line.produced) for line in position.lines if line.amount == 1 and line.player == 0
    ] == [
        ("City of level 1", False),
        ("Exchange", True),
    ]


def test_a_city_pays_its_level_and_its_own_lord_as_well() -> None:
    story = f"tile A:SSS at 4,0u\n{rich(1, 'A20')}\n1 passes\n1 builds at 4,0u\n2 passes\n1 passes\n1 upgrades at 4,0u"

    assert has(play(2, f"{story}\n2 passes\n1 lays T:RRR at 4,0d"), 1) == {"A": 13, "S": 2, "T": 1, "R": 2}


def test_gains_during_ones_turn_ignore_what_others_bring() -> None:
    agriculture = 'mastery agriculture "Agricultura" A 3 basic 0 0 "produce 1 A: 1 A"'
    story = f"""{agriculture}
        tile A:SSS at 4,0u
        {rich(1, "A10")}
        1 passes
        1 builds at 4,0u
        1 develops agriculture
        2 lays T:RRR at 4,0d
        """
    assert has(play(2, story), 1) == {"A": 5}


def test_a_locus_activates_every_city_of_its_circle_once() -> None:
    story = f"""{RING}
        {rich(1, "A5", 10)}
        {rich(2, "A5", 10)}
        1 passes
        1 builds at 5,5u
        2 passes
        2 builds at 4,4d
        1 passes
        2 lays C:SST at 5,4d
        """
    position = play(2, story)

    assert (has(position, 1), has(position, 2)) == ({"A": 3}, {"A": 3, "S": 5, "C": 1, "T": 1})


@pytest.mark.parametrize(("limit", "expected"), ((5, 0), (10, 0), (15, 0), (20, 1)))
def test_what_a_reserve_cannot_hold_is_lost_and_above_20_brings_a_point(limit: int, expected: int) -> None:
    position = play(2, f"{rich(1, f'T{limit}', limit)}\n1 produces T3")

    assert (has(position, 1), position.points) == ({"T": limit}, (expected, 0))
    assert position.lines[1 if limit else 0].lost == 3


def test_the_rulebooks_example_of_overflow_counts_every_turn() -> None:
    """At 20, a territory worth 3 brings a point, and the next one another."""
    position = play(2, f"{rich(1, 'T20')}\n1 produces T3\n1 ends\n2 passes\n1 produces T3")

    assert (has(position, 1)["T"], position.points) == (20, (2, 0))


def test_reaching_20_exactly_brings_nothing() -> None:
    assert play(2, f"{rich(1, 'T17')}\n1 produces T3").points == (0, 0)


def test_the_merchants_fields_bring_two() -> None:
    assert has(play(2, "1 holds merchant\n1 lays T:RRR at 0,0d"), 1) == {"T": 2, "R": 2}


def test_the_worker_lays_a_second_territory_once() -> None:
    story = "1 holds worker\n1 lays T:RRR at 0,0d\n1 lays T:RRR at 1,0u"

    assert play(2, story).seats[0].roles == ()
    assert refusal(2, story, "1 lays T:RRR at 0,1u").startswith("Only the Worker")
    assert refusal(2, "1 lays T:RRR at 0,0d", "1 lays T:RRR at 1,0u").startswith("Only the Worker")


def test_the_inventor_reactivates_a_territory_and_its_neighbours_cities() -> None:
    story = f"""tile A:SSS at 4,0u
        tile T:RRR at 4,0d
        {rich(2, "A3")}
        1 passes
        2 passes
        2 builds at 4,0u
        1 holds inventor
        """
    position = play(2, f"{story}\n1 reactivates 4,0d")

    assert (has(position, 1), has(position, 2)) == ({"T": 1, "S": 2, "R": 2}, {"A": 1})
    assert position.seats[0].roles == ()
    assert refusal(2, "tile T:RRR at 4,0d", "1 reactivates 4,0d").startswith("Only the Inventor")
    assert refusal(2, "1 holds inventor", "1 reactivates 4,0d") == "There lies no territory."


def test_the_inventor_chooses_between_a_locus_and_the_sides() -> None:
    story = f"1 adjusts limit S +5\n{RING}\ntile C:SST at 5,4d\n1 holds inventor\n1 reactivates 5,4d"

    assert has(play(2, f"{story}\n1 chooses @5,5"), 1) == {"C": 1, "S": 5, "T": 1}
    # Along the sides: its own three dots, two of each neighbour, and Science beside Science twice.
    assert has(play(2, f"{story}\n1 chooses sides"), 1) == {"C": 1, "S": 8, "T": 1}


def test_trading_is_two_for_one_in_ones_own_turn() -> None:
    story = f"{rich(1, 'T4', 10)}\n{rich(2, 'T4', 10)}"

    assert has(play(2, f"{story}\n1 trades T4 for A2"), 1) == {"A": 2}
    assert refusal(2, story, "1 trades T3 for A2") == "2 of one Domain are traded for 1 of another."
    assert refusal(2, story, "1 trades T6 for A3") == "There is not so much in the Reserve."
    assert refusal(2, story, "1 trades T2 for T1").startswith("Knowledge is traded for that of another")
    assert refusal(2, story, "2 trades T2 for A1") == "It is another player's turn."


def test_trades_that_are_told_at_once_are_as_many_occasions_as_one_by_one() -> None:
    """Rulebook 004: a point each time Knowledge would come above 20, and each exchange is one."""
    story = rich(1, "T4 A20")
    at_once, one_by_one = "1 trades T4 for A2", "1 trades T2 for A1\n1 trades T2 for A1"

    assert [play(2, f"{story}\n{trades}").points for trades in (at_once, one_by_one)] == [(2, 0), (2, 0)]
    odd = play(2, f'{story}\n1 trades T3 for A2 because "so"')
    assert (odd.points, has(odd, 1)) == ((1, 0), {"T": 1, "A": 20})


def test_promissory_notes_trade_one_for_one() -> None:
    notes = 'mastery notes "Notas Promissórias" T 9 basic 0 0 "trade: 1"'
    story = f"{notes}\n{rich(1, 'T12')}\n1 passes\n1 develops notes"

    assert has(play(2, f"{story}\n1 trades T3 for A3"), 1) == {"A": 3}


def test_a_turn_begins_with_a_territory_and_has_its_order() -> None:
    assert refusal(2, rich(1, "T9"), "1 builds T") == "A turn begins with a territory: lay one, or pass."
    assert refusal(2, "", "1 ends") == "A turn begins with a territory: lay one, or pass."
    assert refusal(2, "", "2 passes") == "It is another player's turn."
    built = f"{rich(1, 'T9')}\n1 passes\n1 builds T"
    assert refusal(2, built, "1 builds T").startswith("Only one City or Monument")
    assert refusal(2, built, "1 produces T1").startswith("A territory is laid at the beginning")


def test_the_next_territory_ends_the_turn_before() -> None:
    assert play(2, "1 produces T1\n2 produces T1").player == 1
    assert play(3, "order 3 1 2\n3 produces T1").player == 2
    assert play(3, "order 3 1 2\n3 passes\n3 ends\n1 passes\n1 ends").player == 1


def test_after_five_turns_each_the_era_ends() -> None:
    assert play(2, passing(9)).stage == "growth"
    assert play(2, era_over()).stage == "effects"
    assert refusal(2, era_over(), "1 passes") == "No turn is being played now."
    assert play(4, era_over(4)).stage == "effects"


def test_territories_are_drawn_again_only_before_an_era_is_played() -> None:
    late = "Territories are drawn again only before the first turn of an Era."

    assert refusal(2, "1 passes", "1 redraws") == refusal(2, "1 passes\n1 ends", "2 redraws") == late
    assert refusal(2, "1 passes", '1 redraws because "we forgot"') == ""


def test_everybody_draws_again_once_in_an_era() -> None:
    assert play(2, "1 redraws\n2 redraws").seats[0].redrawn
    assert refusal(2, "1 redraws", "1 redraws") == "This player has drawn again in this Era already."
    next_era = f"1 redraws\n{era_over()}\nera effects\n1 assimilates nothing\nera roles\nera next"
    assert refusal(2, next_era, "1 redraws") == ""


def test_a_card_that_adds_to_fields_adds_to_a_reactivated_one() -> None:
    livestock = f"{LIVESTOCK}\n{rich(1, 'C9')}\n1 passes\n1 develops livestock\n2 passes\n2 ends"
    story = f"tile T:RRR at 0,0d\n{livestock}\n1 adjusts C -3\n1 holds inventor\n1 reactivates 0,0d"

    assert has(play(2, story), 1) == {"T": 1, "C": 1, "R": 2}


def test_the_merchant_adds_to_what_is_laid_and_not_to_what_is_reactivated() -> None:
    story = "tile T:RRR at 0,0d\n1 holds merchant\n1 holds inventor\n1 reactivates 0,0d"

    assert has(play(2, story), 1) == {"T": 1, "R": 2}


def test_a_territory_brings_its_field_at_least() -> None:
    assert refusal(2, "", "1 produces -") == "A territory brings at least the 1 Knowledge of its Field."
    assert refusal(2, "", '1 produces - because "nobody counted"') == ""


WHITE = "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d\n1 chooses CC\n1 ends\n2 produces T1"


def test_less_vestigium_than_was_chosen_keeps_the_first_choices() -> None:
    difference = corrected(evening(2, WHITE), "1 lays T:VRR at 4,0d", "1 lays T:SRR at 4,0d")

    assert has(difference.before.position, 1) == {"T": 1, "C": 2, "S": 1, "R": 1}
    assert has(difference.after.position, 1) == {"T": 1, "C": 1, "S": 2, "R": 1}
    assert (difference.left_out, len(difference.kept)) == ((), 1)


@pytest.mark.parametrize("told", ("\n1 chooses ", " choosing "))
@pytest.mark.parametrize(
    ("chosen", "count", "kept"),
    (("AAAASSSSPPPP", 8, {"A": 4, "S": 4}), ("AAS", 7, {"A": 5, "S": 2}), ("A", 17, {"A": 17})),
)
def test_any_number_of_vestigium_keeps_what_was_chosen_first_and_repeats_it(
    chosen: str, count: int, kept: dict[str, int], told: str
) -> None:
    card = f'mastery many "Muitos" T 3 basic 0 0 "now: {len(chosen)} V"'
    story = f"{card}\n{rich(1, 'T3')}\n1 adjusts limit A +15\n1 passes\n1 develops many{told}{chosen}\n1 ends"

    difference = corrected(evening(2, story), card, card.replace(f"{len(chosen)} V", f"{count} V"))

    assert has(difference.after.position, 1) == kept
    assert difference.left_out == ()
