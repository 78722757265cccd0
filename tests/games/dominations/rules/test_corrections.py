"""Corrections of old turns: what follows from them, and what stays as it lies."""

from __future__ import annotations

import pytest

from companion.core import notation
from companion.core.correction import work_out_correction
from companion.games.dominations.page.problems import problems
from companion.games.dominations.text.notation import parse_event
from tests.games.dominations.stories import (
    CARDS,
    DOMINATIONS,
    FISHING,
    corrected,
    evening,
    has,
    passing,
    play,
    rich,
    started,
)
from tests.games.stories import EVENING


def test_another_field_changes_what_every_later_turn_brought() -> None:
    session = evening(2, "1 lays T:TTT at 0,0d\n2 lays C:RRR at 1,0u\n1 produces A1")

    difference = corrected(session, "1 lays T:TTT at 0,0d", "1 lays S:TTT at 0,0d")

    assert has(difference.before.position, 1) == {"T": 3, "A": 1}
    assert has(difference.after.position, 1) == {"T": 2, "S": 1, "A": 1}
    assert (difference.left_out, difference.kept) == ((), frozenset())


def test_a_city_follows_its_territory() -> None:
    story = f"{rich(1, 'T5', 5)}\n1 lays T:TTT at 0,0d\n1 builds at 0,0d\n2 produces C1"
    difference = corrected(evening(2, story), "1 lays T:TTT at 0,0d", "1 lays T:TTT at -1,1u")

    assert [str(city.cell) for city in difference.after.position.cities] == ["-1,1u"]
    assert (difference.left_out, difference.kept) == ((), frozenset())


def test_what_can_no_longer_be_paid_stays_with_a_reason() -> None:
    story = f"{FISHING}\n1 produces C3\n1 develops fishing nodi C1\n2 produces T1"
    difference = corrected(evening(2, story), "1 produces C3", "1 produces C2")

    assert has(difference.after.position, 1) == {}
    assert [card.key for card in difference.after.position.seats[0].tree.masteries] == ["fishing"]
    assert [str(p) for p in difference.after.problems] == [
        "develops “Pescaria”, against the rules: as it lies"
    ]
    assert len(difference.kept) == 1


def test_what_an_entry_chose_stays_chosen_where_it_still_fits() -> None:
    session = evening(2, "1 lays T:TTV at 0,0d choosing S\n1 ends")
    other = corrected(session, "1 lays T:TTV at 0,0d choosing S", "1 lays T:TCV at 0,0d")
    without = corrected(session, "1 lays T:TTV at 0,0d choosing S", "1 lays T:TTT at 0,0d")

    assert [change.event for change in other.changes] == [parse_event("1 lays T:TCV at 0,0d choosing S")]
    assert [change.event for change in without.changes] == [parse_event("1 lays T:TTT at 0,0d")]


def test_a_ruling_corrected_recounts_everything_it_touched() -> None:
    story = (
        f"{rich(1, 'T20 A20')}\nrule overflow per_domain\n1 produces T1 A1\n2 produces T1\n1 produces T1 A1"
    )
    session = evening(2, story, options="")

    difference = corrected(session, "rule overflow per_domain", "rule overflow per_occasion")

    assert difference.before.position.points == (4, 0)
    assert difference.after.position.points == (2, 0)


def test_a_mastery_taken_for_another_is_turned_over_as_that() -> None:
    other = FISHING.replace("fishing", "mining").replace("Pescaria", "Mineração")
    turns = "1 passes\n1 develops fishing\n2 passes\n1 passes\n1 advances fishing"
    story = f"{FISHING}\n{other}\n{rich(1, 'C20')}\n{turns}"

    difference = corrected(evening(2, story), "1 develops fishing", "1 develops mining")

    cards = difference.after.position.seats[0].tree.masteries
    assert [(card.key, card.advanced) for card in cards] == [("mining", True)]
    assert len(difference.changes) == 2


def test_an_entry_left_out_comes_back_with_one_undo() -> None:
    story = "1 lays T:TTT at 0,0d\n2 lays C:RRR at 1,0u"
    session = evening(2, story)
    seq = session.fold.steps[0].seq

    difference = work_out_correction(session, {seq: None}, "as it lies", EVENING)

    assert has(difference.after.position, 1) == {}
    assert has(difference.before.position, 1) == {"T": 3}


def test_what_nobody_was_asked_then_is_left_open_and_named() -> None:
    story = "tile A:SSS at 4,0u\n1 lays T:RRR at 4,0d\n1 ends\n2 produces T1\n1 produces A1"

    difference = corrected(evening(2, story), "1 lays T:RRR at 4,0d", "1 lays T:VRR at 4,0d")

    assert has(difference.after.position, 1) == {"T": 1, "A": 1, "S": 2, "R": 1}
    assert has(difference.after.position, 2) == {"T": 1}
    assert difference.left_out == ()
    open_question = "beside territory 1: nobody answered “Which Domain is the Vestigium?”"
    deed = "lays a territory of Trade (Vestigium, Religion, Religion)"
    assert f"{deed} {open_question}" in [str(problem) for problem in difference.after.problems]


def test_a_correction_may_bring_its_answers_along() -> None:
    story = "tile A:SSS at 4,0u\n1 lays T:RRR at 4,0d\n1 ends\n2 produces T1"

    difference = corrected(evening(2, story), "1 lays T:RRR at 4,0d", "1 lays T:VRR at 4,0d choosing P")

    assert has(difference.after.position, 1) == {"T": 1, "S": 2, "R": 1, "P": 1}
    assert difference.after.problems == ()


def test_a_city_follows_a_territory_that_brought_its_answers() -> None:
    story = "1 adjusts T +5\n1 lays T:VTT at 0,0d\n1 chooses A\n1 builds at 0,0d"
    session = evening(2, "1 adjusts T +5\n1 lays T:VTT at 0,0d choosing A\n1 builds at 0,0d")

    assert has(session.position, 1) == has(evening(2, story).position, 1)
    difference = corrected(session, "1 lays T:VTT at 0,0d choosing A", "1 lays T:VTT at -1,1u choosing A")
    assert [str(city.cell) for city in difference.after.position.cities] == ["-1,1u"]


def test_a_ruling_nobody_made_is_the_default_when_people_went_on() -> None:
    session = evening(2, '1 passes\n1 ends because "we went on"\n2 produces T1', options="")

    assert "no_tile" not in session.position.rulings
    assert has(session.position, 2) == {"T": 1}
    assert [str(problem) for problem in session.problems] == [
        "lays no territory: nobody answered “A player has no territory. May the player pass?”"
    ]


def test_a_card_nobody_read_out_is_not_taken_when_people_went_on() -> None:
    story = '1 adjusts C +5\n1 passes\n1 develops fishing\n1 ends because "later"'
    session = evening(2, story)

    assert session.position.seats[0].tree.masteries == ()
    assert has(session.position, 1) == {"C": 5}
    assert "nobody answered “Read out the card “Fishing*””" in str(session.problems[0])


def test_what_nothing_can_keep_takes_no_later_entry_along() -> None:
    told = "1 lays T:TTT at 0,0d\ntile A:SSS at 1,0u"
    story = f'{FISHING}\n{told}\n1 develops fishing because "x"\n2 produces T1'

    difference = corrected(evening(2, story), "1 lays T:TTT at 0,0d", '1 lays T:TTT at 1,0u because "x"')

    assert [str(misfit.reason) for misfit in difference.left_out] == ["Something lies there already."]
    assert [card.key for card in difference.after.position.seats[0].tree.masteries] == ["fishing"]
    assert has(difference.after.position, 2) == {"T": 1}


def test_a_turn_that_is_taken_out_leaves_the_others_in_theirs() -> None:
    story = (
        "1 lays T:TTT at 0,0d\n2 produces C1\n1 produces A1\n2 produces C1\n" + passing(6) + "\nera effects"
    )
    session = evening(2, story)
    assert session.position.stage == "assimilation"

    difference = work_out_correction(session, {session.fold.steps[0].seq: None}, "as it lies", EVENING)

    assert (difference.left_out, difference.after.position.stage) == ((), "assimilation")
    assert [has(difference.after.position, player) for player in (1, 2)] == [{"A": 1}, {"C": 2}]


def test_a_territory_whose_place_is_taken_keeps_its_turn() -> None:
    story = "1 lays T:TTT at 0,0d\n2 lays C:CCC at 1,0u\n2 ends\n" + passing(8) + "\nera effects"
    difference = corrected(evening(2, story), "1 lays T:TTT at 0,0d", '1 lays T:TTT at 1,0u because "here"')

    assert (difference.left_out, difference.after.position.stage) == ((), "assimilation")
    assert has(difference.after.position, 2) == {}
    assert len(difference.kept) == 1


def test_people_may_go_on_with_another_turn_and_nobody_loses_one() -> None:
    story = '3 produces T1 because "the others are in the kitchen"\n3 ends'
    assert (play(3, story).player, play(3, story).turns) == (0, (0, 0, 1))
    assert (play(3, f"{story}\n1 produces C1\n1 ends").player) == 1

    position = play(3, f"{story}\n1 produces C1\n2 produces A1\n2 ends")

    assert (position.player, position.round) == (0, 2)
    assert [has(position, player) for player in (1, 2, 3)] == [{"C": 1}, {"A": 1}, {"T": 1}]
    assert [str(problem) for problem in problems(position)] == [
        "lays a territory: 1 Trade, against the rules: the others are in the kitchen"
    ]


def test_what_a_turn_brings_at_its_start_comes_once_though_others_go_before() -> None:
    fishers = f"{FISHING}\n{rich(1, 'C9')}\n1 passes\n1 develops fishing\n2 passes\n3 passes\n3 ends"
    assert has(play(3, fishers), 1) == {"C": 7}

    story = f'{fishers}\n2 passes because "1 looks for something"\n2 ends'
    position = play(3, story)

    assert (position.player, position.round, has(position, 1)) == (0, 2, {"C": 7})
    assert has(play(3, f"{story}\n1 passes\n1 ends\n3 passes\n3 ends"), 1) == {"C": 8}


def test_what_to_remember_at_the_start_of_a_turn_waits_for_it() -> None:
    card = 'mastery well "Poço" C 3 basic 0 0 "turn start: ? C"'
    story = f"{card}\n{rich(1, 'C9')}\n1 passes\n1 develops well\n2 passes\n3 passes\n3 ends"
    put_off = f'{story}\n2 passes because "1 looks for something"\n2 ends'

    assert [reminder.key for reminder in play(3, put_off).reminders] == ["well"]
    assert play(3, f"{put_off}\n1 passes\n1 ends").reminders == ()


def test_an_era_that_people_end_early_leaves_nothing_to_the_next_one() -> None:
    story = f"{FISHING}\n{rich(1, 'C9')}\n1 passes\n1 develops fishing nodi C1\n2 passes\n2 ends"
    early = f'{story}\n2 passes because "1 has left"\nera effects because "it is late"'
    position = play(2, f"{early}\n1 assimilates nothing\nera roles\nera next")

    assert (position.era, position.turns, has(position, 1)) == (2, (0, 0), {"C": 1})
    assert [str(problem) for problem in problems(position)][1:] == [
        "End of the Era: the effects at the end of the Era, against the rules: it is late"
    ]


def test_the_era_ends_when_everybody_has_had_five_turns() -> None:
    ahead = "\n".join('3 passes because "first"\n3 ends' for _turn in range(5))
    rest = "\n".join("1 passes\n1 ends\n2 passes\n2 ends" for _turn in range(4))
    almost = f"{ahead}\n{rest}\n1 passes\n1 ends\n2 passes"

    assert (play(3, almost).stage, play(3, almost).player) == ("construction", 1)
    over = play(3, f"{almost}\n2 ends")
    assert (over.stage, over.round, over.turns) == ("effects", 5, (5, 5, 5))


def test_what_somebody_makes_up_for_takes_nothing_away_from_a_turn() -> None:
    story = f'{rich(2, "T9")}\n2 builds T because "forgotten"'

    assert (play(2, story).player, play(2, story).stage) == (0, "growth")
    assert play(2, f"{story}\n1 passes\n1 ends").turns == (1, 0)


def era_two(order: str, politics: str = "P") -> str:
    """Three players; the second Era is played through in that order, and the third one begun."""
    first = f"1 lays T:TC{politics} at 0,0d\n1 ends\n2 lays P:PPP at 1,0u\n2 ends\n3 passes\n3 ends"
    told = f"order {order}" if politics == "P" else ""
    lines = [first, passing(12, 3), "era effects", "1 assimilates nothing", "era roles", told, "era next"]
    for turn in range(5):
        for player in order.split() if politics == "P" else "123":
            lines += [f"{player} produces T3 P2", *([f"{player} builds T"] if turn == 1 else [])]
            lines += [f"{player} ends"]
    leader = order[0] if politics == "P" else "1"
    return "\n".join([*lines, "era effects", f"{leader} assimilates nothing", "era roles"])


def test_a_governor_found_late_keeps_all_that_was_played_since() -> None:
    story = era_two("1 2 3", politics="R").replace("P:PPP", "C:CCS") + "\norder 2 1 3\nera next"
    session = evening(3, f"{story}\n2 produces A3")
    assert (session.position.era, len(session.position.cities)) == (3, 3)

    difference = corrected(session, "1 lays T:TCR at 0,0d", "1 lays P:TCP at 0,0d")

    after = difference.after.position
    assert difference.left_out == ()
    assert (after.era, after.round, len(after.cities), has(after, 2)) == (3, 1, 3, {"A": 3})
    assert [str(problem) for problem in difference.after.problems] == [
        "The next Era began, and the Governor's order or a step before it was never told: as it lies",
        "Territories beside the Cradle were counted without its dots, which nobody had told: they may have brought"
        " more. Check the boards.",
    ]


@pytest.mark.parametrize("order", ("1 2 3", "2 3 1", "3 1 2"))
def test_an_order_put_right_after_its_era_keeps_every_turn(order: str) -> None:
    session = evening(3, era_two("3 2 1"))

    difference = corrected(session, "order 3 2 1", f"order {order}")

    before, after = difference.before.position, difference.after.position
    assert difference.left_out == ()
    assert (after.era, after.stage, after.turns) == (2, "next", (5, 5, 5))
    assert [has(after, player) for player in (1, 2, 3)] == [has(before, player) for player in (1, 2, 3)]
    assert len(after.cities) == 3


def test_an_order_stays_though_nobody_is_governor_after_all() -> None:
    story = f"rule no_tile pass\n{era_two('3 2 1')}\norder 2 1 3\nera next\n2 produces A3"
    session = evening(3, story, options="")
    wrong = {"1 lays T:TCP at 0,0d": "1 lays T:TCR at 0,0d", "2 lays P:PPP at 1,0u": "2 lays C:CCS at 1,0u"}
    asked = {
        step.seq: DOMINATIONS.parse(wrong[line])
        for step in session.fold.steps
        if (line := notation.write_entry(DOMINATIONS, step.event)) in wrong
    }

    difference = work_out_correction(session, asked, "as it lies", EVENING)

    after = difference.after.position
    assert (difference.left_out, after.era, after.order, after.player) == ((), 3, (1, 0, 2), 1)
    assert [str(problem) for problem in difference.after.problems[:2]] == [
        "The order is player 3, player 2, player 1, against the rules: as it lies",
        "The order is player 3, player 2, player 1: nobody answered "
        "“Nobody is Governor. Does the order stay, or may the table choose it?”",
    ]


def test_an_order_put_right_early_leaves_the_others_their_turns() -> None:
    story = era_two("3 2 1")
    story = story[: story.index("1 produces")]
    session = evening(3, story)
    assert (session.position.player, session.position.turns) == (0, (0, 1, 1))

    after = corrected(session, "order 3 2 1", "order 1 2 3").after.position

    assert (after.player, after.round, after.turns) == (0, 1, (0, 1, 1))


@pytest.mark.parametrize(
    "told",
    (
        f"{FISHING}\n{rich(3, 'C5')}\n1 passes\n2 passes\n3 passes\n3 develops fishing nodi C1",
        f"{CARDS}\n3 keeps roman and lighthouse\n3 reached 2",
        "1 passes\n2 passes\n3 produces T1\n3 ends",
    ),
)
def test_who_was_at_the_table_after_all_leaves_out_what_nobody_did(told: str) -> None:
    session = evening(3, told)
    two = notation.parse_entry(DOMINATIONS, started(2))

    difference = work_out_correction(session, {1: two}, "as it lies", EVENING)

    left_out = {missed.seq for missed in difference.left_out}
    third = {entry.seq for entry in session.entries if getattr(entry.event, "player", None) == 2}
    assert third <= left_out
