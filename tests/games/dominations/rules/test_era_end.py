"""The end of an Era in its exact order: effects, Influence, Roles, and what comes before the next one."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.position import Position
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import (
    DOMINATIONS,
    FISHING,
    era_over,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)

TO_ROLES = "era effects\n1 assimilates nothing"


def ended(story: str = "", players: int = 2) -> str:
    """An Era in which nobody does anything, with what is set up just before its end."""
    return f"{era_over(players)}\n{story}\nera effects"


def roles_of(story: str, players: int = 2) -> list[tuple[str, ...]]:
    return [seat.roles for seat in play(players, story).seats]


def test_the_steps_come_in_their_order() -> None:
    assert refusal(2, "", "era effects").startswith("The end of an Era has its order")
    assert refusal(2, era_over(), "era roles").startswith("The end of an Era has its order")
    assert refusal(2, era_over(), "1 assimilates nothing").startswith("The end of an Era has its order")
    assert refusal(2, ended(), "era roles").startswith("The end of an Era has its order")
    done = f"{ended()}\n1 assimilates nothing\nera roles\nera next"
    assert (play(2, done).era, play(2, done).round, play(2, done).stage) == (2, 1, "growth")


def test_effects_at_the_end_of_an_era_come_before_everything_else() -> None:
    warehouses = 'mastery warehouses "Armazéns" C 3 basic 0 0 "era end: 1 points per left C"'
    story = f"{warehouses}\n{rich(1, 'C9')}\n1 passes\n1 develops warehouses\n2 passes\n2 ends"
    rest = passing(8)

    assert play(2, f"{story}\n{rest}\nera effects").points == (6, 0)


def test_who_has_most_influence_assimilates_and_then_everybodys_influence_brings_points() -> None:
    fishing = FISHING.replace("basic 0 0", "basic 0 4")
    story = f"""{fishing}
        {rich(1, "C9")}
        1 passes
        1 develops fishing
        2 passes
        2 ends
        {passing(8)}
        2 adjusts influence +7
        era effects
        """
    position = play(2, f"{story}\n2 assimilates fishing")

    assert [seat.influence for seat in position.seats] == [4, 11]
    assert position.points == (4, 11)
    assert position.left_in_the_rack("fishing") == 2
    assert refusal(2, story, "1 assimilates nothing").startswith("Only who has most Influence")


@pytest.mark.parametrize(
    ("influence", "value", "allowed"),
    ((12, 3, True), (12, 6, False), (13, 6, True), (22, 9, False), (22, 6, True), (23, 9, True)),
)
def test_influence_limits_what_is_assimilated(influence: int, value: int, allowed: bool) -> None:
    card = f'mastery thing "Coisa" C {value} basic 0 0'
    story = f"{card}\n{rich(1, 'C9')}\n1 passes\n1 develops thing\n2 passes\n2 ends\n{passing(8)}"
    story += f"\n2 adjusts influence +{influence}\nera effects"

    assert (refusal(2, story, "2 assimilates thing") == "") is allowed


def test_only_what_somebody_else_has_is_assimilated() -> None:
    story = f"{FISHING}\n{ended('1 adjusts influence +3')}"

    assert refusal(2, story, "1 assimilates fishing").startswith("Nobody else has this Mastery")


def test_what_is_assimilated_has_to_fit_the_tree_and_costs_nothing() -> None:
    story = f"""{FISHING}
        2 has campfire TTTT
        {rich(1, "C9")}
        1 passes
        1 develops fishing
        2 passes
        2 ends
        {passing(8)}
        2 adjusts influence +3
        2 adjusts C +4
        era effects
        """
    assert refusal(2, story, "2 assimilates fishing in 1,0 CCCC").startswith("A card has to make a Nodus")
    assert has(play(2, f"{story}\n2 assimilates fishing in 1,0 CCCT"), 2) == {"C": 4}


def test_the_advanced_side_is_assimilated_by_who_has_the_basic_one() -> None:
    story = f"""{FISHING}
        {rich(1, "C20")}
        {rich(2, "C9")}
        1 passes
        1 develops fishing
        2 passes
        2 develops fishing
        1 passes
        1 advances fishing
        2 passes
        2 ends
        {passing(6)}
        2 adjusts influence +9
        era effects
        """
    position = play(2, f"{story}\n2 assimilates advanced fishing")
    card = position.seats[1].tree.find("fishing")

    assert card is not None
    assert card.advanced
    # 2 points and 1 Influence are printed on that side; the Influence counts at once.
    assert position.points[1] == 2 + 10
    assert position.left_in_the_rack("fishing") == 2


def test_roles_go_to_who_has_most_left_and_ties_to_who_is_first() -> None:
    left = "1 adjusts T +2\n2 adjusts T +2\n2 adjusts S +1\n1 adjusts C +1"
    story = f"{ended(left)}\n1 assimilates nothing\nera roles"

    assert roles_of(story) == [("merchant", "worker"), ("inventor",)]
    assert play(2, story).points == (3 + 1, 2)
    first_is_black = f"order 2 1\n{passing(10, first=1)}\n{left}\n{TO_ROLES.replace('1', '2')}\nera roles"
    assert roles_of(first_is_black) == [("worker",), ("merchant", "inventor")]


def test_where_nothing_is_left_nobody_takes_the_card() -> None:
    assert roles_of(f"{ended()}\n1 assimilates nothing\nera roles") == [(), ()]


def test_one_player_may_take_all_six() -> None:
    every = "\n".join(f"1 adjusts {letter} +1" for letter in "TCASPR")
    position = play(3, f"{ended(every, 3)}\n1 assimilates nothing\nera roles")

    assert position.seats[0].roles == (
        "governor",
        "high_priest",
        "diplomat",
        "merchant",
        "inventor",
        "worker",
    )
    assert position.points == (6 + 5 + 4 + 3 + 2 + 1, 0, 0)


def test_the_governor_brings_nothing_when_two_play() -> None:
    assert play(2, f"{ended('1 adjusts P +1')}\n1 assimilates nothing\nera roles").points == (0, 0)
    assert play(3, f"{ended('1 adjusts P +1', 3)}\n1 assimilates nothing\nera roles").points == (6, 0, 0)


def test_the_diplomats_influence_comes_after_influence_was_counted() -> None:
    position = play(2, f"{ended('1 adjusts A +1')}\n1 assimilates nothing\nera roles")

    assert (position.points, position.seats[0].influence) == ((4, 0), 2)


def test_the_governor_orders_the_initiative_freely() -> None:
    story = f"{ended('2 adjusts P +1', 3)}\n1 assimilates nothing\nera roles"
    session = evening(3, story)

    assert session.turn.player == 1
    assert refusal(3, story, "era next") == "The Governor determines the order first."
    position = play(3, f"{story}\norder 3 2 1\nera next")
    assert (position.order, position.player) == ((2, 1, 0), 2)


def test_who_holds_the_governor_determines_the_order() -> None:
    story = f"{ended('2 adjusts P +1', 3)}\n1 assimilates nothing\nera roles"

    assert play(3, f"{story}\nnobody holds governor\nera next").era == 2
    assert evening(3, f"{story}\n3 holds governor").turn.player == 2
    assert refusal(3, f"{story}\n3 holds governor", "era next") == "The Governor determines the order first."


def test_an_era_goes_on_in_its_order_when_people_say_why_the_governor_told_none() -> None:
    story = f"{ended('2 adjusts P +1', 3)}\n1 assimilates nothing\nera roles"
    session = evening(3, f'{story}\nera next because "nobody minds"')

    assert (session.position.era, session.position.order, session.turn.player) == (2, (0, 1, 2), 0)
    assert [str(problem) for problem in session.problems] == [
        "The next Era began, and the Governor's order or a step before it was never told: nobody minds"
    ]


def test_the_order_is_drawn_by_lot_before_the_first_turn_and_then_stays() -> None:
    assert play(3, "order 3 1 2").player == 2
    assert refusal(3, "", "order 3 1").startswith("The order names every player once")
    assert refusal(3, "1 passes", "order 3 1 2").startswith("Only the Governor changes the order")
    assert refusal(2, passing(2), "order 2 1").startswith("Only the Governor changes the order")
    second = f"{ended()}\n1 assimilates nothing\nera roles\nera next"
    assert refusal(2, second, "order 2 1").startswith("Only the Governor changes the order")
    assert play(3, '1 passes\norder 3 1 2 because "we mixed them up"').order == (2, 0, 1)


def test_without_a_governor_the_order_stays() -> None:
    story = f"{ended()}\n1 assimilates nothing\nera roles"

    assert refusal(2, story, "order 2 1") == "Without a Governor, the order stays as it is."
    assert play(2, f"{story}\nera next").order == (0, 1)


def test_a_governor_may_think_again_until_the_era_begins() -> None:
    story = f"{ended('1 adjusts P +1')}\n1 assimilates nothing\nera roles\norder 2 1"
    ruled = f"rule no_governor keep\nrule no_tile pass\n{story}"

    assert play(2, f"{story}\norder 1 2\nera next").order == (0, 1)
    assert refusal(2, ruled, "order 1 2", options="") == ""
    assert play(2, f"rule no_tile pass\n{story}\norder 1 2", options="").held is None
    assert refusal(2, f"{story}\nnobody holds governor", "order 1 2").startswith("Without a Governor")


def test_the_high_priest_draws_nine() -> None:
    position = play(2, f"{ended('1 adjusts R +1')}\n1 assimilates nothing\nera roles\nera next")

    assert [position.hand_size(player) for player in (0, 1)] == [9, 7]


def test_knowledge_is_lost_and_influence_kept_before_the_next_era() -> None:
    pottery = 'mastery pottery "Cerâmica" C 6 basic 0 0 "era start: 5 C"'
    story = f"""{pottery}
        {rich(1, "C9 T4")}
        1 redraws
        1 passes
        1 develops pottery
        2 passes
        2 ends
        {passing(8)}
        1 adjusts influence +3
        {TO_ROLES}
        era roles
        """
    before, after = play(2, story), play(2, f"{story}\nera next")

    assert (has(before, 1), has(after, 1)) == ({"C": 3, "T": 4}, {"C": 5})
    assert (after.seats[0].influence, after.seats[0].redrawn, after.seats[0].limits["T"]) == (3, False, 20)  # type: ignore[index]


def test_sanctuary_pays_for_each_role_just_obtained() -> None:
    sanctuary = 'mastery sanctuary "Santuário" R 6 basic 0 0 "role: 6 points"'
    story = (
        f"{sanctuary}\n{rich(1, 'R9 T4 S1')}\n1 passes\n1 develops sanctuary\n2 passes\n2 ends\n{passing(8)}"
    )

    assert play(2, f"{story}\n{TO_ROLES}\nera roles").points == (5 + 3 + 2 + 18, 0)


def test_the_fifth_level_of_the_lighthouse_adds_two_to_what_is_left() -> None:
    card = 'mastery beacon "Farol" T 3 basic 0 0 "compare: 2 V"'
    story = f"{card}\n1 adjusts T +3\n1 passes\n1 develops beacon\n2 passes\n2 ends\n{passing(8)}"
    story += f"\n1 adjusts S +1\n2 adjusts S +2\n{TO_ROLES}\nera roles"

    assert roles_of(f"{story}\n1 chooses S") == [("inventor",), ()]
    assert roles_of(f"{story}\n1 chooses T") == [(), ("inventor",)]


THIRD = f"{era_over()}\n{TO_ROLES}\nera roles\nera next\n" * 2 + era_over()


def test_at_the_end_of_the_third_era_each_role_brings_three_and_no_power() -> None:
    story = f"{THIRD}\n1 adjusts A +1\n1 adjusts R +1\n2 adjusts T +1\n{TO_ROLES}\nera roles"
    position = play(2, story)

    assert (position.points, position.seats[0].influence, position.stage) == ((6, 3), 0, "objectives")
    assert [seat.roles for seat in position.seats] == [(), ()]


def test_the_game_ends_with_the_objectives() -> None:
    session = evening(2, f"{THIRD}\n{TO_ROLES}\nera roles\nera objectives")

    assert session.turn.over
    assert (
        refusal(2, f"{THIRD}\n{TO_ROLES}\nera roles\nera objectives", "1 passes")
        == "No turn is being played now."
    )


def test_a_tie_at_the_end_goes_to_who_is_nearer_the_first_place() -> None:
    told = "1 reached 0 goals\n2 reached 0 goals"
    session = evening(2, f"{THIRD}\n{TO_ROLES}\nera roles\nera objectives\n{told}")

    assert session.tally.standing.winners == (0,)
    assert session.tally.standing.decided_by is not None
    assert session.tally.standing.decided_by.key == "initiative"


def test_every_comparison_is_told_with_its_tie() -> None:
    left = ended("1 adjusts T +2\n2 adjusts T +2\n2 adjusts S +1", 3)
    story = f"{left}\n1 assimilates nothing\nera roles"
    position = play(3, story)

    assert [(c.role, c.values, c.winner, c.tied) for c in position.compared if any(c.values)] == [
        ("merchant", (2, 2, 0), 0, (0, 1)),
        ("inventor", (0, 1, 0), 1, (1,)),
    ]
    assert [c.winner for c in position.compared] == [None, None, None, 0, 1, None]
    assert play(3, f"{story}\nera next").compared == ()


AT_ROLES = f"rule no_tile pass\n{passing(15, players=3)}\nera effects\n1 assimilates nothing"
NEXT = f"{AT_ROLES}\nera roles"
ORDER = "Nobody is Governor: choose the order"


def era_and_order(story: str, options: str = "") -> tuple[int, tuple[int, ...], int]:
    position = play(3, story, options=options)
    return position.era, position.order, position.player


def people(position: Position, **wish: str) -> dict[int | None, str | None]:
    """Who can be tapped on the Initiative track: by the last tap what it records, by others who is told so far."""
    found = [c for c in offers(page(position, wish)) if c.to.get("order") or c.line.startswith("order ")]
    return {choice.player: choice.line or choice.to["order"] for choice in found}


def test_an_era_that_begins_without_a_governor_asks_for_the_ruling() -> None:
    session = evening(3, f"{NEXT}\nera next", options="")

    assert (str(session.turn.action), session.turn.player) == (
        "Nobody is Governor. Does the order stay, or may the table choose it?",
        None,
    )
    assert era_and_order(f"{NEXT}\nera next\nrule no_governor keep") == (2, (0, 1, 2), 0)


def test_a_governor_orders_and_nobody_is_asked() -> None:
    story = NEXT.replace("era effects", "2 adjusts P +1\nera effects")

    assert era_and_order(f"{story}\norder 3 2 1\nera next") == (2, (2, 1, 0), 2)


def test_the_table_taps_its_order_and_the_era_begins() -> None:
    story = f"{NEXT}\nera next\nrule no_governor choose"
    held = play(3, story, options="")

    assert str(DOMINATIONS.turn(held).action) == ORDER
    assert str(page(held, {})["hand"].title) == ORDER
    assert people(held) == {0: "1", 1: "2", 2: "3"}
    assert people(held, order="3") == {0: "order 3 1 2", 1: "order 3 2 1"}
    assert era_and_order(f"{story}\norder 3 2 1") == (2, (2, 1, 0), 2)
    assert refusal(3, story, "order 3 2", options="") == "This is not among the choices."
    assert refusal(3, story, "1 chooses 321", options="").startswith("The whole table is asked")


def test_a_table_that_ruled_from_the_start_taps_its_order_before_the_era() -> None:
    position = play(3, NEXT, options="no_governor_choose")

    assert str(page(position, {})["hand"].title) == str(DOMINATIONS.turn(position).action) == ORDER
    assert people(position, order="2") == {0: "order 2 1 3", 2: "order 2 3 1"}
    lines = [choice.line for choice in offers(page(position, {}))]
    assert "era next" not in lines
    ordered = play(3, f"{NEXT}\norder 2 3 1", options="no_governor_choose")
    assert "era next" in [choice.line for choice in offers(page(ordered, {}))]
    assert era_and_order(f"{NEXT}\norder 2 3 1\nera next", "no_governor_choose") == (2, (1, 2, 0), 1)


def test_a_role_put_right_after_the_order_has_the_table_asked_again() -> None:
    story = f"{NEXT}\norder 2 3 1\n3 holds governor"

    assert refusal(3, story, "era next", "no_governor_choose") == "The Governor determines the order first."
    assert era_and_order(f"{story}\nnobody holds governor\nera next\norder 1 2 3", "no_governor_choose") == (
        2,
        (0, 1, 2),
        0,
    )


def test_an_era_that_people_went_on_to_asks_as_well() -> None:
    """Steps before it are counted on the way, so that the order is part of the entry that waits for it."""
    story = f'{AT_ROLES}\nera next because "late"\nrule no_governor choose'

    assert era_and_order(f"{story}\norder 3 2 1") == (2, (2, 1, 0), 2)
    left = f'{story}\n1 passes because "we went on"'
    assert era_and_order(left) == (2, (0, 1, 2), 0)
    (*_others, problem) = DOMINATIONS.problems(play(3, left, options=""))
    assert str(problem).endswith(f"nobody answered “{ORDER}”")


GOALS = 'objective mine "Minha" "words to tick" "influence 2" "cities 1:9" "more words" "apart 9"'
LIGHTHOUSE = 'monument lighthouse "O Farol" lozenge level T 5 5 0'
ERA = f"{passing(10)}\nera effects\n1 assimilates nothing\nera roles\n"
COUNTED = (
    f"{GOALS}\n{LIGHTHOUSE}\n1 keeps mine and lighthouse\n{ERA}era next\n{ERA}era next\n{ERA}era objectives"
)


def objectives(story: str) -> list[tuple[int, int, str]]:
    """The lines of the Objectives: whose, how much, and why."""
    lines = play(2, story).lines
    return [(line.player, line.amount, str(line.why)) for line in lines if line.objective]


def test_a_goal_that_is_ticked_after_the_count_counts() -> None:
    nobody = (1, 0, "Objective: nobody has said how many goals are reached")
    others = "goals, and others are still to be told"
    assert objectives(COUNTED) == [(0, 0, f"Objective: 0 of 5 {others}"), nobody]

    ticked = f"{COUNTED}\n1 reached 1"
    assert objectives(ticked) == [(0, 10, f"Objective: 1 of 5 {others}"), nobody]
    assert play(2, ticked).points == (10, 0)
    assert objectives(f"{ticked}\n1 missed 1") == objectives(COUNTED)


def test_a_number_set_right_after_the_count_may_reach_a_goal() -> None:
    assert play(2, f"{COUNTED}\n1 adjusts influence +2").points == (10, 0)
    assert play(2, f"{COUNTED}\n1 adjusts influence +2\n1 adjusts influence -1").points == (0, 0)


def test_an_objective_that_is_read_again_after_the_count_is_counted_again() -> None:
    read = GOALS.replace("cities 1:9", "influence 0")

    assert play(2, f"{COUNTED}\n{read}").points == (10, 0)


def test_the_winner_is_the_one_of_the_last_count() -> None:
    story = f"{COUNTED}\n2 adjusts points +5\n2 reached 0 goals\n1 missed 4\n1"
    winners = [evening(2, f"{story} {goal} 1").tally.standing.winners for goal in ("missed", "reached")]

    assert winners == [(1,), (0,)]


def test_a_question_that_only_matters_after_the_count_is_asked_then() -> None:
    read = GOALS.replace("influence 2", "nodi T1")
    card = (
        'mastery plain "Lisa" T 3 basic 0 0\n1 adjusts T +3\n1 passes\n1 develops plain in 1,0 CCCT\n1 ends'
    )
    begun = COUNTED.replace(ERA, f"{card}\n{passing(9, first=1)}{ERA.removeprefix(passing(10))}", 1)
    story = f"rule no_tile pass\nrule no_governor keep\n{begun}"

    held = play(2, f"{story}\n{read}", options="").held
    assert held is not None
    assert held.need.about == "nodi"
    ruled = [play(2, f"{story}\n{read}\nrule nodi {answer}", options="") for answer in ("all", "masteries")]
    assert [position.points for position in ruled] == [(10, 0), (0, 0)]
