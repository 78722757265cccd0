"""Corrections of old turns: what follows from them, and what stays as it lies."""

from __future__ import annotations

from companion.core import notation
from companion.core.correction import Difference, work_out
from companion.core.session import Session
from tests.games.dominations.stories import DOMINATIONS, EVENING, FISHING, evening, has, passing, play, rich


def corrected(session: Session, line: str, new: str) -> Difference:
    """The difference when the entry that says `line` had said something else."""
    seq = next(s.seq for s in session.fold.steps if notation.write(DOMINATIONS, s.event) == line)
    return work_out(session, {seq: DOMINATIONS.parse(new)}, "as it lies", EVENING)


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
        "develops “fishing”, against the rules: as it lies"
    ]
    assert len(difference.kept) == 1


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

    difference = work_out(session, {seq: None}, "as it lies", EVENING)

    assert has(difference.after.position, 1) == {}
    assert has(difference.before.position, 1) == {"T": 3}


WHITE = "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d\n1 chooses CC\n1 ends\n2 produces T1"


def test_less_vestigium_than_was_chosen_keeps_the_first_choices() -> None:
    difference = corrected(evening(2, WHITE), "1 lays T:VRR at 4,0d", "1 lays T:SRR at 4,0d")

    assert has(difference.before.position, 1) == {"T": 1, "C": 2, "S": 1, "R": 1}
    assert has(difference.after.position, 1) == {"T": 1, "C": 1, "S": 2, "R": 1}
    assert (difference.left_out, len(difference.kept)) == ((), 1)


def test_what_nobody_was_asked_then_is_left_open_and_named() -> None:
    story = "tile A:SSS at 4,0u\n1 lays T:RRR at 4,0d\n1 ends\n2 produces T1\n1 produces A1"

    difference = corrected(evening(2, story), "1 lays T:RRR at 4,0d", "1 lays T:VRR at 4,0d")

    assert has(difference.after.position, 1) == {"T": 1, "A": 1, "S": 2, "R": 1}
    assert has(difference.after.position, 2) == {"T": 1}
    assert difference.left_out == ()
    assert (
        "lays a territory of Trade (Vestigium, Religion, Religion): nobody answered “Choose the Domains of 1 Vestigium”"
        in [str(problem) for problem in difference.after.problems]
    )


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

    assert session.position.rulings["no_tile"] == "pass"
    assert has(session.position, 2) == {"T": 1}
    assert [str(problem) for problem in session.problems] == [
        "lays no territory: nobody answered “A player has no territory. May the player pass?”"
    ]


def test_a_card_nobody_read_out_is_not_taken_when_people_went_on() -> None:
    story = '1 adjusts C +5\n1 passes\n1 develops fishing\n1 ends because "later"'
    session = evening(2, story)

    assert session.position.seats[0].tree.masteries == ()
    assert has(session.position, 1) == {"C": 5}
    assert "nobody answered “Read out the card “Pescaria””" in str(session.problems[0])


def test_what_nothing_can_keep_takes_no_later_entry_along() -> None:
    story = f"{FISHING}\n1 produces T3 C3\n1 adjusts T +2\n1 develops fishing\n2 produces T1"

    difference = corrected(evening(2, story), "1 produces T3 C3", "1 produces T5")

    assert [str(misfit.reason) for misfit in difference.left_out] == [
        "This would come to 7, and has to stay from 0 to 5."
    ]
    assert [card.key for card in difference.after.position.seats[0].tree.masteries] == ["fishing"]
    assert has(difference.after.position, 2) == {"T": 1}


def test_a_turn_that_is_taken_out_leaves_the_others_in_theirs() -> None:
    story = (
        "1 lays T:TTT at 0,0d\n2 produces C1\n1 produces A1\n2 produces C1\n" + passing(6) + "\nera effects"
    )
    session = evening(2, story)
    assert session.position.stage == "assimilation"

    difference = work_out(session, {session.fold.steps[0].seq: None}, "as it lies", EVENING)

    assert (difference.left_out, difference.after.position.stage) == ((), "assimilation")
    assert [has(difference.after.position, player) for player in (1, 2)] == [{"A": 1}, {"C": 2}]


def test_a_territory_whose_place_is_taken_keeps_its_turn() -> None:
    story = "1 lays T:TTT at 0,0d\n2 lays C:CCC at 1,0u\n2 ends\n" + passing(8) + "\nera effects"
    difference = corrected(evening(2, story), "1 lays T:TTT at 0,0d", '1 lays T:TTT at 1,0u because "here"')

    assert (difference.left_out, difference.after.position.stage) == ((), "assimilation")
    assert has(difference.after.position, 2) == {}
    assert len(difference.kept) == 1


def test_people_may_go_on_with_the_next_turn_for_a_reason() -> None:
    position = play(3, '3 produces T1 because "the others are in the kitchen"\n1 produces C1')

    assert (position.player, position.round) == (0, 2)
    assert [has(position, player) for player in (1, 2, 3)] == [{"C": 1}, {}, {"T": 1}]
