"""What nobody told, and people went past: an Era's end, a turn, a Monument; nothing that was played later is lost."""

from __future__ import annotations

import pytest

from companion.core import notation
from companion.core.correction import Difference, work_out_correction
from companion.core.log import Source
from companion.core.session import Session
from companion.games.dominations.rules.correction import ways_to_keep
from companion.games.dominations.rules.position import Position
from tests.games.dominations.stories import (
    CARDS,
    DOMINATIONS,
    FISHING,
    LIVESTOCK,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)
from tests.games.stories import EVENING

FIRST = "\n".join([*["1 produces P1\n1 ends\n2 produces C1\n2 ends"] * 5])
END = "era effects\n1 assimilates nothing\nera roles\norder 2 1\nera next"
SECOND = "2 produces T3\n2 builds T\n2 ends\n1 produces A2\n1 trades A2 for S1\n1 ends"
STORY = f"{FIRST}\n{END}\n{SECOND}\n{passing(8, first=1)}\nera effects\n2 assimilates nothing"


def without(session: Session, *lines: str) -> Difference:
    """The difference when the first entries that say so had not been there."""
    told = {
        notation.write_entry(DOMINATIONS, step.event).partition(" because")[0]: step.seq
        for step in reversed(session.fold.steps)
    }
    return work_out_correction(session, {told[line]: None for line in lines}, "as it lies", EVENING)


def numbers(position: Position) -> list[object]:
    """What people would compare with their boards."""
    seats = [(has(position, n), position.seats[n - 1].influence) for n in (1, 2)]
    return [position.points, position.order, position.turns, position.era, position.stage, *seats]


@pytest.mark.parametrize("step", END.splitlines())
def test_a_step_that_is_taken_out_of_an_eras_end_takes_no_later_turn_along(step: str) -> None:
    session = evening(2, STORY)
    difference = without(session, step)

    assert difference.left_out == ()
    final = session.record(difference.final, Source.PAGE, EVENING)
    assert final.position == difference.after.position
    assert len(final.problems) == len(difference.kept)
    if step != "order 2 1":
        # One entry alone is named: the one that went past the missing step.
        assert (len(difference.kept), numbers(final.position)) == (1, numbers(session.position))


def test_steps_that_are_taken_out_together_are_counted_on_the_way() -> None:
    session = evening(2, STORY)
    difference = without(session, "era effects", "1 assimilates nothing", "era roles")

    assert difference.left_out == ()
    assert numbers(difference.after.position) == numbers(session.position)


def test_a_whole_end_of_an_era_that_is_taken_out_is_counted_when_the_next_one_begins() -> None:
    session = evening(2, STORY)
    difference = without(session, *END.splitlines())

    assert difference.left_out == ()
    after = difference.after.position
    assert (after.era, after.turns, after.stage, after.points) == (
        2,
        (5, 5),
        "roles",
        session.position.points,
    )
    # One after the other, it comes to the same.
    for step in END.splitlines():
        final = without(session, step).final
        session = session.record(final, Source.PAGE, EVENING)
    assert numbers(session.position) == numbers(after)


def test_an_era_may_go_over_into_the_next_without_the_end_of_its_last_turn() -> None:
    almost = FIRST.removesuffix("\n2 ends")
    over = "The Era is over: nobody lays a territory now."
    assert refusal(2, almost, "1 produces A2") == over

    position = play(2, f'{almost}\n1 produces A2 because "late"')

    assert (position.era, position.turns, has(position, 1)) == (2, (0, 0), {"A": 2})
    assert position.points == play(2, f"{FIRST}\n{END}").points
    third = f'{almost}\n2 ends\n{END}\n{passing(10, first=1)}\nera next because "x"\n{passing(9, first=1)}\n1 passes'
    assert refusal(2, third, '2 produces T1 because "x"') == over


def test_a_step_is_skipped_only_with_a_reason_and_never_taken_twice() -> None:
    order = "The end of an Era has its order, and this is not the next step."
    assert refusal(2, FIRST, "era roles") == order
    assert refusal(2, FIRST, 'era objectives because "late"') == order
    assert refusal(2, f"{FIRST}\nera effects\n1 assimilates nothing", 'era effects because "again"') == order
    assert refusal(2, f"{FIRST}\nera effects", "1 produces T1") == "No turn is being played now."
    assert play(2, f'{FIRST}\nera roles because "in a hurry"').points == (0, 1)


def test_the_last_count_takes_what_is_missing_before_it_as_well() -> None:
    era = f"{passing(10)}\nera effects\n1 assimilates nothing\nera roles\nera next"
    told = f"{era}\n{era}\n{FIRST}\n"
    whole = play(2, f"{told}era effects\n1 assimilates nothing\nera roles\nera objectives")

    hurried = play(2, f'{told}era objectives because "late"')

    assert (hurried.stage, hurried.points) == ("over", whole.points) == ("over", (3, 3))
    assert refusal(2, f"{told}era effects", 'era next because "late"').startswith("The end of an Era has its")


def test_an_era_that_ends_in_the_middle_of_a_turn_leaves_no_territory_to_the_next() -> None:
    story = '1 produces T1\nera effects because "late"\n1 assimilates nothing\nera roles\nera next'

    assert refusal(2, story, "1 produces C1") == ""
    assert refusal(2, f"{story}\n1 produces C1", "1 produces C1").startswith("Only the Worker lays a second")


@pytest.mark.parametrize("player", (1, 2))
def test_what_was_forgotten_in_a_turn_is_told_before_the_next_era(player: int) -> None:
    story = f"{rich(player, 'T9 C9')}\n{passing(10)}\nera effects"
    assert refusal(2, story, f"{player} builds T") == "No turn is being played now."

    told = f'{player} builds T because "forgotten"\n{player} trades C2 for A1 because "forgotten"'
    position = play(2, f"{story}\n{told}")

    assert (position.stage, has(position, player)) == ("assimilation", {"T": 6, "C": 7, "A": 1})
    assert position.seats[player - 1].influence == 1


def test_nothing_is_played_once_the_game_is_over() -> None:
    era = f"{passing(10)}\nera effects\n1 assimilates nothing\nera roles\n"
    over = f"{rich(1, 'T9')}\n{era}era next\n{era}era next\n{era}era objectives\n1 adjusts T +5"

    assert refusal(2, over, '1 builds T because "forgotten"') == "No turn is being played now."
    assert refusal(2, over, '1 passes because "more"') == "No turn is being played now."


def test_a_trade_in_anothers_turn_needs_a_reason() -> None:
    story = f"{rich(1, 'T9')}\n1 passes\n2 passes"
    assert refusal(2, story, "1 trades T2 for A1") == "It is another player's turn."

    assert has(play(2, f'{story}\n1 trades T2 for A1 because "forgotten"'), 1) == {"T": 7, "A": 1}


def test_a_turn_that_is_ended_late_has_ended_already() -> None:
    late = "This player's turn is not being played: it ended with the next territory, or has not begun."
    assert refusal(2, "1 produces T1\n2 produces C1", "1 ends") == late
    assert refusal(2, "", "2 ends") == late
    assert play(2, "1 produces T1\n2 produces C1\n2 ends").turns == (1, 1)


def test_a_turn_of_which_nobody_told_anything_ends_out_of_its_order_with_a_reason() -> None:
    away = '2 ends because "not here"'
    assert (play(3, away).turns, play(3, away).player) == ((0, 1, 0), 0)
    assert play(3, f"{away}\n1 produces T1\n1 ends\n3 produces T1\n3 ends").turns == (1, 1, 1)
    # Who had that turn already has none to end.
    assert refusal(3, away, away).startswith("This player's turn is not being played")
    assert refusal(3, "1 produces T1", away).startswith("This player's turn is not being played")


def test_an_order_put_right_keeps_a_turn_whose_territory_was_taken_out() -> None:
    session = evening(2, f"{FIRST}\n{END}\n2 produces T3\n2 ends\n1 produces A2\n1 ends")
    wrong = without(session, "2 produces T3")
    session = session.record(wrong.final, Source.PAGE, EVENING)
    assert session.position.turns == (1, 1)
    seq = next(s.seq for s in session.fold.steps if notation.write_entry(DOMINATIONS, s.event) == "order 2 1")

    difference = work_out_correction(session, {seq: DOMINATIONS.parse("order 1 2")}, "as it lies", EVENING)

    assert (difference.left_out, difference.after.position.turns) == ((), (1, 1))


def test_a_monument_nobody_said_was_kept_is_raised_with_a_reason() -> None:
    keeps = "1 keeps roman and lighthouse"
    story = f"{CARDS}\n{keeps}\n{rich(1, 'T20')}\n1 passes\n1 raises lighthouse nodi T1\n2 passes\n2 ends"
    session = evening(2, story)

    difference = without(session, keeps)

    assert difference.left_out == ()
    assert difference.after.position.sites == session.position.sites
    assert difference.after.position.points == session.position.points
    bare = story.replace(keeps, "").rpartition("\n1 raises")[0]
    assert refusal(2, bare, "1 raises lighthouse nodi T1") == "This Monument is not in the game."
    beside = '1 builds at 4,0d because "x"\n1 raises lighthouse at 4,1u+3,1d nodi T1 because "y"'
    assert play(2, f"{bare}\ntile T:RRR at 4,0d\n{beside}").points == (16, 0)


def test_a_city_rises_where_it_was_built_after_all() -> None:
    tiles = "tile T:TTT at 0,0d\ntile T:CCC at 1,0u"
    turns = "1 passes\n1 builds at 0,0d\n2 passes\n1 passes\n1 upgrades at 0,0d"
    session = evening(2, f"{tiles}\n{rich(1, 'T20')}\n{turns}")
    seq = next(s.seq for s in session.fold.steps if "builds" in notation.write_entry(DOMINATIONS, s.event))

    difference = work_out_correction(
        session, {seq: DOMINATIONS.parse("1 builds at 1,0u")}, "as it lies", EVENING
    )

    assert (difference.left_out, difference.kept) == ((), frozenset())
    assert [(str(city.cell), city.level) for city in difference.after.position.cities] == [("1,0u", 2)]
    moved = work_out_correction(session, {seq: DOMINATIONS.parse("1 builds T")}, "as it lies", EVENING)
    assert (moved.left_out, moved.kept) == ((), frozenset())
    assert [(city.cell, city.level) for city in moved.after.position.cities] == [(None, 2)]


def test_a_city_that_somebody_else_built_rises_as_theirs() -> None:
    turns = '1 passes\n1 builds at 0,0d\n2 passes\n1 passes\n1 upgrades at 0,0d\n2 upgrades at 0,0d because "a card"'
    session = evening(
        2, f"tile T:TTT at 0,0d\ntile T:CCC at 1,0u\n{rich(1, 'T20')}\n{rich(2, 'T20')}\n{turns}"
    )
    seq = next(s.seq for s in session.fold.steps if "builds" in notation.write_entry(DOMINATIONS, s.event))

    difference = work_out_correction(
        session, {seq: DOMINATIONS.parse("1 builds at 1,0u")}, "as it lies", EVENING
    )
    after = difference.after.position
    assert (difference.left_out, [(str(c.cell), c.level) for c in after.cities]) == ((), [("1,0u", 3)])
    assert [notation.write_entry(DOMINATIONS, change.event) for change in difference.changes[1:]] == [
        "1 upgrades at 1,0u",
        '2 upgrades at 1,0u because "a card"',
    ]

    theirs = DOMINATIONS.parse('2 builds at 0,0d because "theirs"')
    after = work_out_correction(session, {seq: theirs}, "as it lies", EVENING).after.position
    assert [(city.owner, city.level) for city in after.cities] == [(1, 3)]
    assert [has(after, player)["T"] for player in (1, 2)] == [20, 2]


def test_a_piece_whose_place_is_taken_is_raised_all_the_same() -> None:
    turns = "1 lays C:CCC at 5,0u\n1 builds at 4,0d\n1 ends\n2 passes\n2 ends\n1 passes"
    story = f"{CARDS}\n1 keeps roman and lighthouse\n{rich(1, 'T15')}\ntile T:RRR at 4,0d\n{turns}"
    session = evening(2, f"{story}\n1 raises lighthouse at 4,1u+3,1d nodi T1\n1 ends\n2 produces C1")
    seq = next(s.seq for s in session.fold.steps if "lays" in notation.write_entry(DOMINATIONS, s.event))

    difference = work_out_correction(
        session, {seq: DOMINATIONS.parse("1 lays C:CCC at 4,1u")}, "as it lies", EVENING
    )

    site = difference.after.position.sites["lighthouse"]
    assert (difference.left_out, site.taken, site.place) == ((), 1, None)
    assert difference.after.position.unpaid == {"lighthouse"}


def test_a_choice_of_no_domain_is_not_told_otherwise() -> None:
    asked = play(2, "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d")
    assert [*ways_to_keep(DOMINATIONS.parse("1 chooses sides"), "as it lies", asked)] == []
    for chosen, told in (("TCA", "TC"), ("T", "TT"), ("TC", None)):
        found = ways_to_keep(DOMINATIONS.parse(f"1 chooses {chosen}"), "as it lies", asked)
        assert [notation.write_entry(DOMINATIONS, event) for event in found] == [f"1 chooses {told}"] * bool(
            told
        )


def test_a_city_stays_where_its_territory_is_told_by_its_amounts_after_all() -> None:
    turns = "1 lays T:TTT at 0,0d\n1 builds at 0,0d\n2 passes\n1 passes\n1 upgrades at 0,0d"
    session = evening(2, f"{rich(1, 'T20')}\n{turns}")
    seq = next(s.seq for s in session.fold.steps if "lays" in notation.write_entry(DOMINATIONS, s.event))

    difference = work_out_correction(
        session, {seq: DOMINATIONS.parse("1 produces T3")}, "as it lies", EVENING
    )

    assert (difference.left_out, difference.kept) == ((), frozenset())
    assert [(c.domain, c.cell, c.level) for c in difference.after.position.cities] == [("T", None, 2)]


def test_who_assimilated_nothing_after_all_has_nothing_to_turn_over() -> None:
    cards = f"{CARDS}\n1 adjusts C +5\n1 passes\n1 develops fishing nodi C1\n1 ends\n2 passes\n2 ends\n{passing(8)}"
    end = "2 adjusts influence +3\nera effects\n2 assimilates fishing nodi C1\nera roles\nera next\n2 adjusts C +4"
    session = evening(2, f"{cards}\n{end}\n1 passes\n2 passes\n2 advances fishing\n2 ends")
    seq = next(
        s.seq for s in session.fold.steps if "assimilates" in notation.write_entry(DOMINATIONS, s.event)
    )

    difference = work_out_correction(
        session, {seq: DOMINATIONS.parse("2 assimilates nothing")}, "as it lies", EVENING
    )

    assert [notation.write_entry(DOMINATIONS, gone.event) for gone in difference.left_out] == [
        '2 advances fishing because "as it lies"'
    ]
    assert difference.after.position.turns == session.position.turns


def test_what_one_player_keeps_stays_though_another_card_has_to_be_read_out() -> None:
    session = evening(2, f"{CARDS}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens\n1 redraws")
    card = next(line for line in CARDS.splitlines() if line.startswith("objective roman"))

    difference = without(session, card)

    assert difference.left_out == ()
    held = difference.after.position.held
    assert held is not None
    assert held.need.about == "roman"
    assert difference.after.position.seats[1].objective == "egyptian"
    assert difference.after.position.seats[0].redrawn
    after = difference.after.record(DOMINATIONS.parse(card), Source.PAGE, EVENING)
    assert [seat.objective for seat in after.position.seats] == ["roman", "egyptian"]


def test_cards_that_were_kept_the_other_way_round_change_hands() -> None:
    session = evening(2, f"{CARDS}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens")
    seq = session.fold.steps[-2].seq

    swapped = work_out_correction(
        session, {seq: DOMINATIONS.parse("2 keeps roman and lighthouse")}, "", EVENING
    )
    renamed = work_out_correction(session, {seq: DOMINATIONS.parse("1 keeps roman and unheard")}, "", EVENING)

    assert swapped.left_out == ()
    assert [seat.objective for seat in swapped.after.position.seats] == ["egyptian", "roman"]
    assert len(renamed.changes) == 1


def test_what_asks_something_itself_waits_for_what_is_asked_already() -> None:
    story = f"{CARDS.replace(CARDS.splitlines()[-1], '')}\n1 keeps egyptian and lighthouse"
    waiting = "Something is asked: answer it first, or take back what it is about."

    assert refusal(2, story, "2 keeps unheard and gardens") == waiting
    assert refusal(2, story, "2 keeps roman and gardens") == ""


RICH = f"{FISHING}\n{LIVESTOCK}\n{rich(1, 'T9 C20')}"
FORGOTTEN = '1 builds T because "forgot last turn"'
AT = {
    "growth": "",
    "construction": "1 passes",
    "development": "1 passes\n1 builds C",
    "done": "1 passes\n1 develops fishing nodi C1",
}


@pytest.mark.parametrize("stage", ("growth", "development", "done"))
@pytest.mark.parametrize(
    "deed", ("builds T", "upgrades T1", "raises lighthouse", "lays T:TTT at 0,0d", "produces T1")
)
def test_a_deed_out_of_its_phase_leaves_the_phase_as_it_is(stage: str, deed: str) -> None:
    lighthouse = 'monument lighthouse "O Farol" lozenge level T 5 5 0'
    story = f'{RICH}\n{lighthouse}\n2 builds T because "so"\n1 builds T because "so"\n{AT[stage]}'
    told = f'{story}\n1 {deed} because "forgot"'
    if stage == "growth" and deed.split()[0] in ("lays", "produces"):
        assert play(2, told).stage == "construction"
    else:
        assert play(2, told).stage == stage


def test_a_mastery_out_of_its_phase_leaves_the_phase_as_it_is() -> None:
    told = [f'{RICH}\n{AT[stage]}\n1 develops livestock because "forgot"' for stage in ("growth", "done")]

    assert [play(2, story).stage for story in told] == ["growth", "done"]


def test_what_was_forgotten_leaves_the_territory_of_the_turn() -> None:
    assert refusal(2, f"{RICH}\n{FORGOTTEN}", "1 lays T:TTT at 0,0d") == ""
    assert refusal(2, f"{RICH}\n{FORGOTTEN}", "1 builds C").startswith("A turn begins with a territory")


def test_what_was_forgotten_gives_no_second_mastery_and_no_second_city() -> None:
    done = f"{RICH}\n{AT['done']}\n{FORGOTTEN}"
    built = f'{RICH}\n{AT["development"]}\n1 lays T:TTT at 0,0d because "forgot"'

    assert refusal(2, done, "1 develops livestock").startswith("Only one Mastery")
    assert refusal(2, built, "1 builds C").startswith("Only one City or Monument")
    assert refusal(2, built, "1 develops fishing") == ""


def test_what_is_paid_too_little_for_in_its_own_phase_is_of_the_turn() -> None:
    story = '1 passes\n1 builds T because "paid with something else"'

    assert play(2, story).stage == "development"
