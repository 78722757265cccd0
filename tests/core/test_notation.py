"""Every entry of a log is one line of text, and every line of text is an entry or a clear refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import notation
from companion.core.errors import CompanionError, NotationError
from companion.core.game import NAME_LIMIT, Colour, Player, Setup
from companion.core.log import Change, Corrected, Restored, Started, Unreadable, Withdrawn
from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.events import DominoChosen, DominoDiscarded, DominoPlaced
from companion.games.kingdomino.rules.kingdom import Direction, Placement

KINGDOMINO = Kingdomino()
START = 'start kingdomino with "Pink" pink, "Blue" blue'
NO_PLACE = "has no place in a correction: say what happened in the game."
BAD_NAME = 'start kingdomino with "\\x" pink, "Blue" blue'
UNQUOTED = 'start kingdomino with Pink pink, "Blue" blue'
TWO = (Player("Pink", Colour.PINK), Player("Blue", Colour.BLUE))


def write(event: object) -> str:
    return notation.write_entry(KINGDOMINO, event)


def parse(line: str) -> object:
    return notation.parse_entry(KINGDOMINO, line)


@pytest.mark.parametrize(
    ("line", "event"),
    (
        (START, Started(Setup(TWO))),
        (
            'start kingdomino harmony middle_kingdom with "Pink" pink, "Blue" blue',
            Started(Setup(TWO, frozenset({"harmony", "middle_kingdom"}))),
        ),
        ("withdraw 7", Withdrawn(7)),
        ("restore 7", Restored(7)),
        ("correct 5: 1 takes 26", Corrected((Change(5, DominoChosen(0, 26)),))),
        (
            "correct 5: 1 takes 26; 7: nothing",
            Corrected((Change(5, DominoChosen(0, 26)), Change(7, None))),
        ),
        ("correct back 9", Corrected((), 9)),
        (
            "correct back 9; 5: 1 takes 26; 7: nothing",
            Corrected((Change(5, DominoChosen(0, 26)), Change(7, None)), 9),
        ),
        (f"correct 1: {START}", Corrected((Change(1, Started(Setup(TWO))),))),
        (
            'correct 5: 2 discards 3 because "so; they say \\"no\\""; 7: 1 takes 26',
            Corrected(
                (Change(5, DominoDiscarded(1, 3, 'so; they say "no"')), Change(7, DominoChosen(0, 26)))
            ),
        ),
        (
            '1 lays 26 at 1,0 E because "we agreed"',
            DominoPlaced(0, Placement(26, 1, 0, Direction.EAST, "we agreed")),
        ),
    ),
)
def test_a_line_says_an_event_and_the_event_writes_the_line(line: str, event: object) -> None:
    assert parse(line) == event
    assert write(event) == line


def test_options_are_written_in_one_order_however_they_were_said() -> None:
    said = 'start kingdomino middle_kingdom harmony with "Pink" pink, "Blue" blue'

    assert write(parse(said)) == 'start kingdomino harmony middle_kingdom with "Pink" pink, "Blue" blue'


@pytest.mark.parametrize(
    ("line", "message"),
    (
        ("", "“” is not a move of Kingdomino."),
        ("hello", "“hello” is not a move of Kingdomino."),
        ("withdraw", "“” is not the number of an entry."),
        ("withdraw 0", "“0” is not the number of an entry."),
        ("withdraw -1", "“-1” is not the number of an entry."),
        ("withdraw 1.5", "“1.5” is not the number of an entry."),
        ("withdraw 1 2", "“1 2” is not the number of an entry."),
        ("withdraw ٣", "“٣” is not the number of an entry."),
        ("withdraw 1234567890", "“1234567890” is not the number of an entry."),
        ("session", "“” does not say how the session is kept."),
        ("session gone", "“gone” does not say how the session is kept."),
        ("session named", "“named” does not say how the session is kept."),
        ('session closed "x"', '“closed "x"” does not say how the session is kept.'),
        (f'session named "{41 * "x"}"', "A session's name has 40 characters at most, in one line."),
        ("correct 5: session closed", "“session closed” has no place in a correction: say what happened in the game."),
        ("restore x", "“x” is not the number of an entry."),
        ("correct 5", "“5” does not say which entry to correct."),
        ("correct back it", "“it” is not the number of an entry."),
        ("correct 5: 1 takes 26; back 9", "“back 9” does not say which entry to correct."),
        ("correct x: 1 takes 26", "“x” is not the number of an entry."),
        ("correct 5: 1 eats 26", "“1 eats 26” is not a move of Kingdomino."),
        ("correct 5: 1 takes 26; 7", "“7” does not say which entry to correct."),
        ("correct ", "“” does not say which entry to correct."),
        ("correct 5: nothing;; 7: nothing", "“5: nothing;; 7: nothing” does not say which entry to correct."),
        ('correct 5: 1 takes 26"', '“5: 1 takes 26"” does not say which entry to correct.'),
        ("correct 5: withdraw 3", "“withdraw 3” " + NO_PLACE),
        ("correct 5: restore 3", "“restore 3” " + NO_PLACE),
        ("correct 5: correct", "“correct” " + NO_PLACE),
        (BAD_NAME, '"\\x" is not properly quoted.'),
        ("start", "“start” does not start a game of Kingdomino."),
        ("start kingdomino", "“start kingdomino” does not start a game of Kingdomino."),
        (
            'start carcassonne with "Pink" pink, "Blue" blue',
            '“start carcassonne with "Pink" pink, "Blue" blue” does not start a game of Kingdomino.',
        ),
        (
            'start kingdomino with "Pink" pink, "Blue" mauve',
            '“start kingdomino with "Pink" pink, "Blue" mauve” names a colour we do not know.',
        ),
        ('start kingdomino with "Pink" pink', "Kingdomino is for 2 to 4 players, not for 1."),
        (START.replace("with", "giants with"), "There is no option called “giants”."),
        (UNQUOTED, f"“{UNQUOTED}” does not start a game of Kingdomino."),
        ('1 discards 3 because "\\q"', '"\\q" is not properly quoted.'),
        ('1 discards 3 because "\\ud800"', '"\\ud800" is not properly quoted.'),
        ("1 takes 2\n1 takes 3", "This line is too long, or has characters that do not belong in it."),
        ("1 takes 26\x00", "This line is too long, or has characters that do not belong in it."),
    ),
)  # fmt: skip
def test_a_line_nobody_understands_is_refused_with_the_reason(line: str, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(line)

    assert str(refused.value) == message


def test_a_line_has_a_longest_length() -> None:
    longest = "1 takes 26".ljust(notation.LINE_LIMIT)

    with pytest.raises(NotationError, match="is not a move of Kingdomino"):
        parse(longest)
    with pytest.raises(NotationError, match="This line is too long"):
        parse(longest + " ")


def test_a_reason_has_a_longest_length() -> None:
    longest = "é" * notation.REASON_LIMIT
    line = notation.with_reason("1 discards 3", longest)

    assert parse(line) == DominoDiscarded(0, 3, longest)
    with pytest.raises(NotationError, match="A reason has 200 characters at most"):
        parse(notation.with_reason("1 discards 3", longest + "é"))


def test_a_long_line_of_nonsense_is_refused_at_once() -> None:
    nonsense = (
        "correct " + "5: " * 6000,
        "correct 5: " * 1800,
        'start kingdomino with "' + "\\" * 19_000,
        "start kingdomino" + " a" * 9000 + " with",
        "start " + "a" * 19_000,
        "1 takes 26" + ' because "' * 1900,
        "line" + " 1" * 9000 + " ",
    )

    for line in nonsense:
        with pytest.raises(NotationError):
            parse(line)


def test_a_log_keeps_what_it_does_not_understand_word_for_word() -> None:
    read = notation.read_entry(KINGDOMINO, "1 eats 26")

    assert read == Unreadable("1 eats 26", "“1 eats 26” is not a move of Kingdomino.")
    assert write(read) == "1 eats 26"
    assert notation.read_entry(KINGDOMINO, "1 takes 26") == DominoChosen(0, 26)


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=NAME_LIMIT).filter(
    lambda name: name.isprintable() and bool(name.strip())
)
DIFFICULT = st.sampled_from(
    ['"', "\\", ";", ": ", '" because "', "nothing", ", ", "“", "ß", "ﬀ", "𝄞", "é", " with "]
)
REASONS = st.lists(DIFFICULT | st.text(st.characters(codec="utf-8"), max_size=8), min_size=1, max_size=8)


@settings(deadline=None)  # a small computer takes its time
@given(st.lists(NAMES | DIFFICULT.filter(str.strip), min_size=2, max_size=2, unique_by=str.casefold))
def test_any_names_can_be_written_and_read(names: list[str]) -> None:
    players = tuple(
        Player(name, colour) for name, colour in zip(names, (Colour.GREEN, Colour.PINK), strict=True)
    )
    started = Started(Setup(players, frozenset({"harmony"})))

    assert parse(write(started)) == started
    assert write(started).isprintable()


@settings(deadline=None)  # a small computer takes its time
@given(st.lists(REASONS.map("".join).filter(bool), min_size=1, max_size=4))
def test_any_reasons_can_be_written_and_read_within_a_correction(reasons: list[str]) -> None:
    changes = tuple(
        Change(seq, DominoDiscarded(0, 3, because)) for seq, because in enumerate(reasons, start=5)
    )

    assert parse(write(Corrected(changes))) == Corrected(changes)
    for change in changes:
        assert parse(write(change.event)) == change.event


@pytest.mark.parametrize("because", ("no\u00a0break", "👩\u200d👧 said so", "one\ntwo", "\u2028", "\x7f"))
def test_a_reason_may_have_characters_that_a_line_cannot_show(because: str) -> None:
    line = notation.with_reason("1 discards 3", because)

    assert line.isprintable()
    assert parse(line) == DominoDiscarded(0, 3, because)
    assert write(parse(line)) == line


@settings(deadline=None)  # a small computer takes its time
@given(st.text(max_size=200))
def test_any_text_is_understood_or_refused_never_a_surprise(text: str) -> None:
    for line in (
        text,
        f"correct {text}",
        f"start {text}",
        f"1 lays {text}",
        f"1 shows 5 {text}",
        f"line {text}",
    ):
        try:
            event = parse(line)
        except CompanionError:
            continue
        assert parse(write(event)) == event


@pytest.mark.parametrize(
    "line",
    (
        *(
            'session named "Friday, at Zoë’s “den” 🎲"',
            'session named ""',
            "session closed",
            "session reopened",
        ),
        *("session deleted", "session undeleted", "session kept"),
    ),
)
def test_how_a_session_is_kept_is_a_line_of_its_log(line: str) -> None:
    assert write(parse(line)) == line
