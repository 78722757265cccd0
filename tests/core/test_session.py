"""A session is its log: recording, undoing and correcting always give what playing the log anew gives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.core import notation
from companion.core.correction import Difference, work_out_correction
from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import Colour, Player, Setup
from companion.core.log import Change, Corrected, Entry, Source, Started, Unreadable
from companion.core.session import PAUSE, Session, begin_session, fold
from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.events import DominoChosen, LineDrawn

KINGDOMINO = Kingdomino()
EIGHT = datetime(2026, 1, 1, 20, tzinfo=UTC)
START = 'start kingdomino with "Pink" pink, "Blue" blue'
FIRST_LINE = (
    "line 4 31 39 41",  # entry 2
    "1 takes 41",
    "1 takes 31",
    "2 takes 39",
    "2 takes 4",  # 6
)
ROUND = (
    *FIRST_LINE,
    "line 10 17 19 25",  # 7
    "2 lays 4 at 0,-2 S",  # 8
    "2 takes 19",
    "1 lays 31 at -1,-1 S",  # 10
    "1 takes 10",
    "2 lays 39 at 0,2 N",
    "2 takes 25",
    "1 lays 41 at -1,1 S",
    "1 takes 17",  # 15
)


def log(*lines: str) -> tuple[Entry, ...]:
    """The entries as a store gives them back, a minute apart."""
    events = (notation.read_entry(KINGDOMINO, line) for line in (START, *lines))
    return tuple(
        Entry(seq, event, Source.PAGE, EIGHT + timedelta(minutes=seq - 1))
        for seq, event in enumerate(events, start=1)
    )


def played(*lines: str) -> Session:
    """The session with each line recorded as people do, a minute after the one before."""
    started = notation.parse_entry(KINGDOMINO, START)
    assert isinstance(started, Started)
    session = begin_session("evening", KINGDOMINO, started.setup, Source.PAGE, EIGHT)
    return tell(session, *lines)


def tell(session: Session, *lines: str) -> Session:
    for line in lines:
        event = notation.parse_entry(KINGDOMINO, line)
        session = session.record(event, Source.PAGE, EIGHT + timedelta(minutes=session.seq))
    return session


def problems(session: Session) -> list[str]:
    return [str(problem) for problem in session.problems]


def change(text: str) -> tuple[Change, ...]:
    event = notation.parse_entry(KINGDOMINO, f"correct {text}")
    assert isinstance(event, Corrected)
    return event.changes


def corrected(session: Session, text: str) -> Difference:
    return work_out_correction(session, {each.seq: each.event for each in change(text)}, "so", EIGHT)


def followed(session: Session, text: str) -> tuple[Change, ...]:
    """A correction, and what reads otherwise by it; not what it puts against the rules."""
    difference = corrected(session, text)
    gone = {misfit.seq for misfit in difference.left_out}
    return tuple(each for each in difference.changes if each.seq not in difference.kept | gone)


def test_a_session_begins_with_who_plays() -> None:
    session = played()

    assert session.entries == log()
    assert (session.seq, session.fold.steps, session.fold.misfits) == (1, (), ())
    assert [player.name for player in session.setup.players] == ["Pink", "Blue"]
    assert str(session.turn.action) == "Draw 4 dominoes for the first line"
    assert session.tally.totals == (0, 0)


def test_a_session_nobody_could_play_does_not_begin() -> None:
    three = tuple(Player(c.value, c) for c in (Colour.PINK, Colour.BLUE, Colour.GREEN))

    with pytest.raises(IllegalEvent, match="The Mighty Duel is for two players"):
        begin_session("evening", KINGDOMINO, Setup(three, frozenset({"mighty_duel"})), Source.PAGE, EIGHT)


@pytest.mark.parametrize(
    "lines",
    (
        ROUND,
        (*ROUND, "withdraw 15"),
        (*ROUND, "withdraw 15", "withdraw 14", "restore 14"),
        (*ROUND, "withdraw 15", "1 takes 17"),
        (*ROUND, "correct 8: 2 lays 4 at 0,1 S"),
        (*ROUND, "correct 8: nothing", "withdraw 16"),
        (*ROUND, "withdraw 10", "withdraw 11"),
    ),
)
def test_recording_one_by_one_gives_what_playing_the_log_gives(lines: tuple[str, ...]) -> None:
    session = played(*lines)
    anew = Session("evening", KINGDOMINO, log(*lines))

    assert session.entries == anew.entries
    assert session.fold == fold(KINGDOMINO, anew.entries)
    assert session.tally == anew.tally
    assert problems(session) == problems(anew)


def test_recording_leaves_the_session_before_untouched() -> None:
    before = played(*FIRST_LINE)
    position, entries = before.position, before.entries
    after = tell(before, "line 10 17 19 25")

    assert (before.position, before.entries) == (position, entries)
    assert after.entries[:-1] == entries
    assert after.entries[-1] == Entry(
        7, LineDrawn((10, 17, 19, 25)), Source.PAGE, EIGHT + timedelta(minutes=6)
    )


def test_what_the_rules_refuse_is_not_recorded() -> None:
    session = played(*FIRST_LINE)

    with pytest.raises(IllegalEvent, match="No king can be set now"):
        tell(session, "1 takes 10")
    with pytest.raises(IllegalEvent, match="Entry 9 cannot be taken back"):
        tell(session, "withdraw 9")
    assert session.seq == 6


def test_undo_and_redo_bring_back_the_very_position() -> None:
    session = played(*ROUND)
    undone = tell(session, "withdraw 15", "withdraw 14")

    assert undone.position == played(*ROUND[:-2]).position
    assert tell(undone, "restore 14", "restore 15").position == session.position


def test_what_no_longer_fits_is_left_out_and_reported() -> None:
    session = played(*ROUND, "withdraw 8")

    assert [misfit.seq for misfit in session.fold.misfits] == [9, 10, 11, 12, 13, 14, 15]
    assert session.position == played(*ROUND[:6]).position
    assert problems(session)[:2] == [
        "Entry 9 does not count: No king can be set now.",
        "Entry 10 does not count: It is another player's turn.",
    ]
    assert tell(session, "restore 8").fold.misfits == ()


def test_a_misfit_counts_again_once_there_is_room_for_it() -> None:
    session = played(*ROUND, "withdraw 8", "2 lays 4 at 1,0 E")

    assert [misfit.seq for misfit in session.fold.misfits] == [9, 10, 11, 12, 13, 14, 15]
    corrected = tell(session, "withdraw 17", "correct 8: 2 lays 4 at 1,0 E", "restore 8")
    assert corrected.fold.misfits == ()


def test_a_line_nobody_understands_stays_in_the_log_and_out_of_the_game() -> None:
    session = Session("evening", KINGDOMINO, log(*FIRST_LINE, "1 eats 26", "line 10 17 19 25"))

    assert session.entries[6].event == Unreadable("1 eats 26", "“1 eats 26” is not a move of Kingdomino.")
    assert problems(session) == ["Entry 7 does not count: Nobody understands “1 eats 26”."]
    assert session.position == played(*FIRST_LINE, "line 10 17 19 25").position
    assert tell(session, "correct 7: nothing").problems == ()


def test_a_log_that_does_not_say_who_plays_is_no_session() -> None:
    with pytest.raises(NotationError, match="This log does not begin by saying who plays"):
        fold(KINGDOMINO, log("line 4 31 39 41")[1:])
    with pytest.raises(NotationError, match="This log does not begin by saying who plays"):
        fold(KINGDOMINO, ())


def test_a_second_start_in_a_log_does_not_count() -> None:
    session = Session("evening", KINGDOMINO, log(*FIRST_LINE, START, "line 10 17 19 25"))

    assert problems(session) == ["Entry 7 does not count: The session has started already."]
    assert session.position == played(*FIRST_LINE, "line 10 17 19 25").position


def test_the_position_before_an_entry_is_the_one_it_was_recorded_in() -> None:
    session = played(*ROUND, "withdraw 12", "restore 12")

    for seq in range(2, 16):
        assert session.fold.before(seq) == played(*ROUND[: seq - 2]).position, seq
    assert session.fold.before(17) == session.position


def test_the_position_before_an_entry_that_does_not_count() -> None:
    session = played(*ROUND, "withdraw 8")

    assert session.fold.before(8) == played(*ROUND[:6]).position
    assert session.fold.before(10) == played(*ROUND[:6]).position


def test_a_correction_takes_along_the_entries_that_follow_from_it() -> None:
    session = played(*ROUND)

    assert followed(session, "2: line 4 31 39 43") == change(
        "2: line 4 31 39 43; 3: 1 takes 43; 14: 1 lays 43 at -1,1 S"
    )
    assert followed(session, "9: 2 takes 10") == change("9: 2 takes 10; 11: 1 takes 19")
    assert followed(session, "8: 2 lays 4 at 0,1 S") == change("8: 2 lays 4 at 0,1 S")
    assert followed(session, "9: nothing") == change("9: nothing")


def test_a_correction_chosen_by_hand_is_kept_as_it_is() -> None:
    session = played(*ROUND)

    chosen = "2: line 4 31 39 43; 14: 1 lays 43 at 1,0 E"

    assert followed(session, chosen) == change("2: line 4 31 39 43; 3: 1 takes 43; 14: 1 lays 43 at 1,0 E")


def test_a_correction_with_all_that_follows_leaves_nothing_out() -> None:
    after = corrected(played(*ROUND), "2: line 4 31 39 43").after

    assert after.fold.misfits == ()
    assert after.position.kingdoms[0].placements[-1].domino == 43


def test_who_plays_can_be_corrected_in_the_middle_of_a_game() -> None:
    other = START.replace("pink", "green").replace("with", "harmony with")
    session = tell(played(*ROUND), f"correct 1: {other}")

    assert session.setup.players[0] == Player("Pink", Colour.GREEN)
    assert session.setup.options == {"harmony"}
    assert session.position.variants == {"harmony"}
    assert session.fold.misfits == ()


def test_who_plays_cannot_be_corrected_to_a_table_that_cannot_play() -> None:
    session = played(*FIRST_LINE)
    three = START.replace("with", "mighty_duel with") + ', "Green" green'

    with pytest.raises(IllegalEvent, match="The Mighty Duel is for two players"):
        tell(session, f"correct 1: {three}")


def test_an_entry_that_could_not_be_read_back_is_not_recorded() -> None:
    session = played(*FIRST_LINE)
    many = Corrected(tuple(Change(6, notation.parse_entry(KINGDOMINO, "2 takes 4")) for _each in range(2000)))

    with pytest.raises(IllegalEvent, match="too much for one entry"):
        session.record(many, Source.PAGE, EIGHT)


def test_a_correction_that_changes_nothing_changes_nothing() -> None:
    session = played(*ROUND)
    same = tuple(Change(step.seq, step.event) for step in session.fold.steps)

    assert session.record(Corrected(same), Source.PAGE, EIGHT).fold == session.fold


def minutes(session: Session, now: int) -> list[int]:
    times = session.thinking(EIGHT + timedelta(minutes=now))
    return [round(time / timedelta(minutes=1)) for time in times]


def test_thinking_counts_while_one_player_is_waited_for() -> None:
    session = played("line 4 31 39 41", "kings 1 1 2 2", *FIRST_LINE[1:], *ROUND[5:])

    # The box gives the lines, so nobody thinks before entries 2, 3 and 8.
    assert minutes(session, 15) == [6, 6]
    assert minutes(session, 18) == [6, 6]


def test_a_first_choice_in_any_order_is_nobodys_thinking() -> None:
    assert minutes(played(*FIRST_LINE), 9) == [0, 0]


def test_the_player_whose_turn_it_is_is_thinking_now() -> None:
    session = played(*FIRST_LINE, "line 10 17 19 25")

    assert minutes(session, 6) == [0, 0]
    assert minutes(session, 10) == [0, 4]


def test_a_break_is_nobodys_thinking() -> None:
    session = played(*FIRST_LINE, "line 10 17 19 25")
    longest = EIGHT + timedelta(minutes=6) + PAUSE

    assert session.thinking(longest) == (timedelta(), PAUSE)
    assert session.thinking(longest + timedelta(seconds=1)) == (timedelta(), timedelta())


def test_a_clock_that_was_set_back_takes_nothing_away() -> None:
    session = played(*FIRST_LINE, "line 10 17 19 25")

    assert session.thinking(EIGHT) == (timedelta(), timedelta())


def test_what_was_taken_back_is_not_waited_for() -> None:
    session = played(*FIRST_LINE, "line 10 17 19 25", "2 lays 4 at 0,-2 S", "withdraw 8")

    assert minutes(session, 10) == [0, 4]


def test_a_choice_taken_back_can_be_made_again() -> None:
    session = played(*FIRST_LINE, "withdraw 6", "2 takes 4")

    assert session.fold.misfits == ()
    assert session.entries[-1].event == DominoChosen(1, 4)
