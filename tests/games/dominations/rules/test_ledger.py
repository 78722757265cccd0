"""The ledger: games told without a map, numbers set right, and going back and forth between ledger and map."""

from __future__ import annotations

from companion.core.correction import work_out_correction
from companion.core.log import Restored, Source, Withdrawn
from companion.games.dominations.page.boards import checking_panel
from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.events import Produced
from tests.games.dominations.stories import (
    CARDS,
    DOMINATIONS,
    era_over,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)
from tests.games.stories import EVENING


def test_a_turn_can_be_told_by_its_amounts_alone() -> None:
    position = play(3, "1 produces T4 C1, 2 A2, 3 R1 S1")

    assert [has(position, player) for player in (1, 2, 3)] == [{"T": 4, "C": 1}, {"A": 2}, {"S": 1, "R": 1}]
    assert [str(line.why) for line in position.lines] == [
        "Territory",
        "Territory",
        "Exchange",
        "Exchange",
        "Exchange",
    ]


def test_limits_and_overflow_hold_in_the_ledger_as_well() -> None:
    position = play(2, f"{rich(2, 'T20')}\n1 produces C9, 2 T1")

    assert (has(position, 1), has(position, 2), position.points) == ({"C": 5}, {"T": 20}, (0, 1))


def test_cities_need_no_place() -> None:
    story = f"{rich(1, 'T9', 10)}\n1 passes\n1 builds T\n2 passes\n1 passes\n1 upgrades T1"
    position = play(2, story)

    assert [(city.domain, city.level, city.cell) for city in position.cities] == [("T", 2, None)]
    assert refusal(2, f"{story}\n2 passes\n1 passes", "1 upgrades T1") == "There is no such City."


def test_a_table_goes_from_ledger_to_map_and_loses_nothing() -> None:
    ledger = f"{rich(1, 'T9', 10)}\n1 produces A1\n1 builds T\n2 produces C2"
    told = f"{ledger}\ntile T:RRR at 4,0u\n1 has T1 at 4,0u"

    assert (has(play(2, told), 1), has(play(2, told), 2)) == ({"T": 6, "A": 1}, {"C": 2})
    # From then on the map knows whom a territory pays.
    position = play(2, f"{told}\n2 ends\n1 lays S:SSS at 4,0d")
    assert has(position, 1) == {"T": 7, "A": 1, "S": 3, "R": 2}
    assert refusal(2, told, "1 has T1 at 4,0u") == "There is no such City."
    assert refusal(2, f"{ledger}\ntile C:RRR at 4,0u", "1 has T1 at 4,0u").startswith(
        "This City cannot stand there"
    )


def test_a_table_goes_from_map_to_ledger_and_back() -> None:
    told = "1 lays T:RRR at 0,0d\n2 produces T1 R2\n1 produces S3\ntile C:SSS at 1,0u"
    story = f'{told}\n2 lays A:PPP at 2,0u because "a gap"'

    position = play(2, story)
    assert [str(cell) for cell in position.board.tiles] == ["0,0d", "1,0u", "2,0u"]
    assert (has(position, 1), has(position, 2)) == ({"T": 1, "S": 3, "R": 2}, {"T": 1, "A": 1, "R": 2})


def test_a_monument_begun_without_a_map_is_placed_later_and_pays_nothing_twice() -> None:
    story = f"{CARDS}\n1 keeps roman and lighthouse\n{rich(1, 'T5')}\ntile T:RRR at 4,0d\n1 passes\n1 raises lighthouse"
    position = play(2, f"{story}\npiece lighthouse at 4,1u+3,1d")

    assert position.points == play(2, story).points
    assert [str(cell) for cell in position.board.beside("lighthouse")] == ["4,0d"]
    assert refusal(2, story, "piece gardens at @1,1") == "This Monument is not waiting for its place."


def test_adjustments_stay_in_the_log_with_their_reason() -> None:
    session = evening(2, '1 produces T3\n1 adjusts T -1 because "the slider says 2"\n1 adjusts points +5')
    position = session.position

    assert (has(position, 1), position.points) == ({"T": 2}, (5, 0))
    assert [(str(line.why), line.amount) for line in position.lines] == [
        ("Territory", 3),
        ("Set right by hand", -1),
        ("Set right by hand", 5),
    ]
    assert len(session.entries) == 4


def test_adjustments_stay_within_the_tracks() -> None:
    assert refusal(2, "", "1 adjusts T +6") == "This would come to 6, and has to stay from 0 to 5."
    assert refusal(2, "", "1 adjusts T -1").startswith("This would come to -1")
    assert refusal(2, "", "1 adjusts limit T +3") == "A limit is 5, 10, 15 or 20."
    assert refusal(2, "1 adjusts limit T +5\n1 adjusts T +9", "1 adjusts limit T -5").startswith(
        "There is more in this"
    )
    assert refusal(2, "", "1 adjusts influence -1").startswith("This would come to -1")
    assert refusal(2, "", "1 adjusts points -1").startswith("This would come to -1")
    assert refusal(2, "", "1 adjusts markers +1").startswith("This would come to 16")
    assert refusal(2, "", "3 adjusts T +1") == "There is no such player."


def test_a_number_set_right_comes_as_far_as_its_board_has_room() -> None:
    for line, mine in (
        ("1 adjusts T +6", (5, 0, 0, 15)),
        ("1 adjusts T -1", (0, 0, 0, 15)),
        ("1 adjusts influence -1", (0, 0, 0, 15)),
        ("1 adjusts points -9", (0, 0, 0, 15)),
        ("1 adjusts markers +9", (0, 0, 0, 15)),
        ("1 adjusts markers -20", (0, 0, 0, 0)),
    ):
        position = play(2, f'{line} because "as it lies"')
        seat = position.seats[0]
        assert (has(position, 1).get("T", 0), seat.influence, position.points[0], seat.markers) == mine
        assert [str(event.because) for event in position.overruled] == ["as it lies"]  # type: ignore[union-attr]
    for line, limit in (("+18", 20), ("-3", 5), ("+6", 10)):
        assert (
            play(2, f'1 adjusts limit T {line} because "as it lies"').seats[0].limits[Domain.TRADE] == limit
        )


def test_a_number_set_right_is_kept_when_an_earlier_one_changes() -> None:
    session = evening(2, "1 produces T2\n1 adjusts T +3\n1 ends\n2 produces C1")
    seq = next(step.seq for step in session.fold.steps if isinstance(step.event, Produced))

    difference = work_out_correction(
        session, {seq: DOMINATIONS.parse("1 produces T4")}, "as it lies", EVENING
    )

    assert (difference.left_out, has(difference.after.position, 1)) == ((), {"T": 5})
    assert len(difference.after.problems) == 1


def test_a_reserve_that_kept_more_is_set_right_as_well() -> None:
    card = 'mastery stores "Silos" C 3 basic 0 0 "era end: 5 C"'
    story = f"{card}\n1 adjusts C +5\n1 passes\n1 develops stores\n1 ends\n2 passes\n2 ends\n{passing(6)}"
    story += "\n1 passes\n1 ends\n2 passes\n1 adjusts C +2\n2 ends\nrule era_end_limit kept\nera effects"
    assert has(play(2, story), 1) == {"C": 9}

    assert has(play(2, f"{story}\n1 adjusts C -1"), 1) == {"C": 8}
    assert has(play(2, f"{story}\n1 adjusts C +1"), 1) == {"C": 10}
    assert refusal(2, f"{story}\n1 adjusts C +1", "1 adjusts C +11").startswith("This would come to 21")
    crafts = checking_panel(play(2, story), {"check": "1"}).groups[1].steppers[1]
    assert (crafts.number, crafts.of, crafts.less is None, crafts.more is None) == (9, 5, False, False)
    assert refusal(2, "rule era_end_limit kept", "1 adjusts C +6").startswith("This would come to 6")


def test_a_reserve_beyond_20_is_set_right_as_well() -> None:
    card = 'mastery stores "Silos" C 3 basic 0 0 "era end: 9 C"'
    story = f"{card}\n{rich(1, 'C20')}\n1 passes\n1 develops stores\n1 ends\n2 passes\n2 ends\n{passing(8)}"
    story += "\nrule era_end_limit kept\nera effects"

    assert has(play(2, f"{story}\n1 adjusts C -1"), 1) == {"C": 25}


def test_roles_can_change_hands() -> None:
    assert play(2, "1 holds inventor\n2 holds inventor").seats[1].roles == ("inventor",)
    assert play(2, "1 holds inventor\nnobody holds inventor").seats[0].roles == ()
    assert refusal(2, "", "1 holds emperor") == "There is no such Role."


def test_numbers_can_be_set_right_while_something_is_asked() -> None:
    story = "tile A:SVS at 4,0u\n1 lays T:SRR at 4,0d\n1 adjusts P +1\n1 chooses P"

    assert has(play(2, story), 1) == {"T": 1, "S": 2, "P": 2, "R": 1}


def test_undo_goes_back_across_the_end_of_an_era_exactly() -> None:
    session = evening(
        2,
        f"{era_over()}\n1 adjusts T +2\nera effects\n1 assimilates nothing\nera roles\nera next\n1 produces C1",
    )
    steps = list(session.fold.steps)
    for step in reversed(steps):
        session = session.record(Withdrawn(step.seq), Source.PAGE, EVENING)
        assert session.position == session.fold.positions[-1]
        assert len(session.fold.steps) == step.seq - 2
    assert session.position == evening(2).position
    for step in steps:
        session = session.record(Restored(step.seq), Source.PAGE, EVENING)
    assert session.position.era == 2
    assert has(session.position, 1) == {"C": 1}


def test_a_lost_marker_is_pointed_out() -> None:
    assert [str(p) for p in evening(2, "1 adjusts markers -1").problems] == [
        "City markers that are not accounted for: 1."
    ]


def test_undo_takes_back_one_answer_and_asks_again() -> None:
    session = evening(2, "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d\n1 chooses CC")
    asked = session.fold.positions[-2]

    undone = session.record(Withdrawn(session.seq), Source.PAGE, EVENING)

    assert undone.position == asked
    assert str(undone.turn.action) == "Which Domains are the 2 Vestigium?"
    assert undone.record(Restored(session.seq), Source.PAGE, EVENING).position == session.position
