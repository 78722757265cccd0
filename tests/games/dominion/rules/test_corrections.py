"""An early entry put right: what was played, bought and trashed later stays in the count."""

from __future__ import annotations

import pytest

from companion.core import notation
from companion.core.correction import Difference, work_out_correction
from companion.core.session import Session
from tests.games.dominion.stories import DOMINION, FIRST_GAME, evening, refusal, session_of, started, turn_of
from tests.games.stories import EVENING, tell

REASON = "after a correction"


def corrected(session: Session, line: str, instead: str | None, nth: int = 0) -> Difference:
    """The difference that another line makes in the place of one of the log; without one it did not happen."""
    found = [step.seq for step in session.fold.steps if notation.write_entry(DOMINION, step.event) == line]
    event = DOMINION.parse(instead) if instead else None
    return work_out_correction(session, {found[nth]: event}, REASON, EVENING)


def lines_kept(difference: Difference) -> list[str]:
    after = difference.after
    return [
        notation.write_entry(DOMINION, step.event) for step in after.fold.steps if step.seq in difference.kept
    ]


def owned(session: Session, seat: int) -> dict[str, int]:
    return {id: count for id, count in session.position.owned[seat].items() if count}


def test_a_card_that_asks_something_for_one_that_did_not() -> None:
    """Nobody remembers what the Pawn was used for: what came after stays, and the page says that it does."""
    story = "1 plays village / 1 plays 4 copper / 1 buys smithy / 1 ends / 2 plays 3 copper / 2 buys silver"
    difference = corrected(evening(2, story, hand="village pawn"), "1 plays village", "1 plays pawn")

    assert lines_kept(difference) == [f'1 plays 4 copper because "{REASON}"']
    assert difference.left_out == ()
    assert owned(difference.after, 0)["smithy"] == 1
    assert owned(difference.after, 1)["silver"] == 1


def test_a_card_that_asks_nothing_for_one_that_did() -> None:
    story = "1 plays pawn / 1 chooses coin buy / 1 plays 3 copper / 1 buys silver / 1 ends / 2 ends"
    difference = corrected(evening(2, story, hand="village pawn"), "1 plays pawn", "1 plays village")

    assert [str(misfit.reason) for misfit in difference.left_out] == ["Nothing is being asked now."]
    assert owned(difference.after, 0)["silver"] == 1
    assert turn_of(difference.after.position).player == 0


def test_a_turn_that_did_not_end() -> None:
    """The players after it had their turns all the same."""
    story = "1 ends / 2 ends / 3 plays 3 copper / 3 buys silver / 3 ends / 1 plays 4 copper / 1 buys smithy"
    difference = corrected(evening(3, story), "2 ends", None)

    assert lines_kept(difference) == [f'3 plays 3 copper because "{REASON}"']
    assert difference.left_out == ()
    assert (owned(difference.after, 2)["silver"], owned(difference.after, 0)["smithy"]) == (1, 1)
    assert difference.after.position.turns == (2, 1, 1)


def test_an_end_that_came_earlier_than_people_saw() -> None:
    """They played on after the last Province: what they bought is in their decks."""
    session = evening(
        2, "pile province 1 / 1 ends / 2 plays 3 copper / 2 buys silver / 2 ends / 1 plays 3 copper"
    )
    session = tell(session, ("1 buys village", "1 ends", "stop"))
    difference = corrected(session, "pile province 1", "pile province 0")

    assert owned(difference.after, 1)["silver"] == 1
    assert owned(difference.after, 0)["village"] == 1
    assert difference.after.position.ended
    assert difference.left_out[1:] == ()


@pytest.mark.parametrize("line", ("2 gains curse", "1 trashes estate"))
def test_what_was_forgotten_is_told_while_the_decks_are_counted(line: str) -> None:
    session = tell(evening(2, "stop"), (f'{line} because "we forgot"',))

    assert session.position.ended
    assert (session.position.trash, owned(session, 1).get("curse", 0)) in (({}, 1), ({"estate": 1}, 0))


def test_decks_counted_after_an_end_that_was_none_stay_counted() -> None:
    """The third pile was not empty after all; the people have counted all the same."""
    story = "pile moat 0 / pile village 0 / 1 plays 4 copper / pile cellar 1 / 1 buys cellar / 1 ends"
    session = evening(2, story, FIRST_GAME)
    session = tell(session, ("1 has copper:7 estate:3 cellar:1 turns:1", "2 has copper:7 estate:3"))
    assert session.turn.over
    difference = corrected(session, "1 buys cellar", "1 buys silver")

    assert lines_kept(difference) == [f'1 has copper:7 estate:3 cellar:1 turns:1 because "{REASON}"']
    assert difference.left_out == ()
    assert difference.after.turn.over
    assert [deck and dict(deck.cards) for deck in difference.after.position.decks] == [
        {"copper": 7, "estate": 3, "cellar": 1},
        {"copper": 7, "estate": 3},
    ]
    assert difference.after.position.turns == (1, 0)
    assert str(difference.after.problems[0]) == "Against the rules: has 11 cards"


def test_decks_are_not_counted_before_the_game_has_begun() -> None:
    session = session_of(started(2), (f"kingdom {FIRST_GAME}",))

    assert refusal(session, '1 has copper:7 because "so"').startswith("The game has not begun")


def test_actions_after_the_buy_phase_began_too_early_stay() -> None:
    """A Treasure was played where the log had an Action: the Actions after it were played all the same."""
    story = "1 plays village / 1 plays village / 1 plays smithy / 1 plays 4 copper / 1 buys silver / 1 ends"
    difference = corrected(
        evening(2, story, hand="village village smithy"), "1 plays village", "1 plays copper"
    )

    assert lines_kept(difference) == [
        f'1 plays village because "{REASON}"',
        f'1 plays smithy because "{REASON}"',
    ]
    assert difference.left_out == ()
    assert owned(difference.after, 0)["silver"] == 1


def test_treasures_after_an_answer_that_was_taken_back_stay() -> None:
    """A Vassal still asks which Action it plays; a Copper is none, and was played all the same."""
    story = "1 plays vassal / 1 plays nothing / 1 plays 2 copper / 1 buys smithy / 1 ends"
    difference = corrected(evening(2, story, hand="vassal"), "1 plays nothing", None)

    assert lines_kept(difference) == [f'1 plays 2 copper because "{REASON}"']
    assert difference.left_out == ()
    assert owned(difference.after, 0)["smithy"] == 1


def test_a_purchase_from_a_pile_that_is_empty_by_the_log_stays() -> None:
    story = "pile smithy 1 / 1 plays 4 copper / 1 buys smithy / 1 ends"
    session = evening(2, story, FIRST_GAME)
    difference = corrected(session, "pile smithy 1", "pile smithy 0")

    assert lines_kept(difference) == [f'1 buys smithy because "{REASON}"']
    assert owned(difference.after, 0)["smithy"] == 1
    assert difference.after.position.supply["smithy"] == 0


@pytest.mark.parametrize("line", ("1 gains gold", "1 buys gold"))
def test_what_people_took_from_an_empty_pile_is_theirs(line: str) -> None:
    """The pile of the log was wrong, and the page says so."""
    session = tell(evening(2, "pile gold 0"), (f'{line} because "there was one"',))

    assert (owned(session, 0)["gold"], session.position.supply["gold"]) == (1, 0)
    assert str(session.problems[0]).startswith("Against the rules: ")
    assert refusal(session, "1 buys gold") == "There is no Gold in the supply."


def test_a_card_without_a_pile_is_gained_with_a_reason() -> None:
    session = tell(evening(2, ""), ('1 gains duke because "it was in the box"',))

    assert owned(session, 0)["duke"] == 1
    assert "duke" not in session.position.supply


def test_taking_a_correction_back_brings_everything_back() -> None:
    story = "1 plays village / 1 plays 4 copper / 1 buys smithy / 1 ends / 2 ends"
    session = evening(2, story, hand="village pawn")
    difference = corrected(session, "1 plays village", "1 plays pawn")
    after = session.record(difference.final, session.entries[-1].source, EVENING)
    back = tell(after, (f"withdraw {after.seq}",))

    assert after.position == difference.after.position
    assert back.position == session.position
