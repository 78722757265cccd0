"""A session as a file: out and in again unchanged, and a clear word about every file that is something else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.errors import CompanionError, NotationError
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions import json_lines
from companion.sessions.json_lines import import_session, read_session, write_session
from companion.sessions.repository import SessionRepository
from tests.sessions.evenings import evening, eventful, played

EXPORTED = tuple(write_session(played(moves=5)))
HEAD, START, LINE = EXPORTED[0], EXPORTED[1], EXPORTED[2]


def said(lines: list[str]) -> str:
    """What is said about a file of these lines; empty when it is read."""
    try:
        read_session(lines, GAMES)
    except CompanionError as error:
        return str(error)
    return ""


def changed(line: str, **values: object) -> str:
    return json.dumps({**json.loads(line), **values})


@pytest.mark.parametrize("session", (evening(), played(), eventful()), ids=("begun", "over", "eventful"))
def test_out_and_in_again_nothing_has_changed(store: SessionRepository, session: Session) -> None:
    store.begin(session)
    exported = list(write_session(store.load(session.id)))

    again = read_session(exported, GAMES)

    assert again == session
    assert list(write_session(again)) == exported


def test_a_session_moves_to_another_log(store: SessionRepository, tmp_path: Path) -> None:
    elsewhere = SessionRepository(f"sqlite:///{tmp_path / 'elsewhere.db'}", GAMES)
    store.begin(eventful())

    assert import_session(elsewhere, read_session(write_session(store.load("eventful")), GAMES))
    assert elsewhere.load("eventful") == eventful()
    elsewhere.close()


def test_a_session_imported_twice_is_there_once(store: SessionRepository) -> None:
    session = read_session(EXPORTED, GAMES)

    assert import_session(store, session)
    assert not import_session(store, session)
    assert [item.entries for item in store.list()] == [len(session.entries)]


def test_a_session_that_went_on_is_not_overwritten(store: SessionRepository) -> None:
    store.begin(played(moves=6))

    with pytest.raises(NotationError, match="another session “evening1” in the log already"):
        import_session(store, read_session(EXPORTED, GAMES))

    assert store.load("evening1") == played(moves=6)


def test_empty_lines_and_other_line_ends_do_not_matter() -> None:
    assert read_session([f"{line}\r\n" for line in ("", *EXPORTED, "", " ")], GAMES) == played(moves=5)


HEADLESS = "This is not a session of Table Companion: its first line should say which session it is."
SPOILED: tuple[tuple[str, Callable[[list[str]], list[str]], str], ...] = (
    ("nothing in it", lambda _: [], "This file is empty."),
    ("only empty lines", lambda _: ["", "  "], "This file is empty."),
    ("a photo", lambda _: ["\ufffd\ufffdJFIF\0\x10"], "Line 1 is not JSON."),
    ("a page of a book", lambda _: ["Call me Ishmael."], "Line 1 is not JSON."),
    ("JSON of something else", lambda _: ['{"name": "x"}'], HEADLESS),
    ("a list", lambda _: ["[1, 2]"], "Line 1 is not an entry of a log."),
    ("a number", lambda _: ["7"], "Line 1 is not an entry of a log."),
    ("brackets without end", lambda _: ["[" * 50_000], "Line 1 is not JSON."),
    ("an endless line", lambda e: [e[0], '{"x": "' + "x" * 100_000 + '"}'], "Line 2 is too long."),
    ("an endless number", lambda e: [e[0], "9" * 5000], "Line 2 is not JSON."),
    ("the head is missing", lambda e: e[1:], HEADLESS),
    ("a newer format", lambda e: [changed(e[0], companion=2), *e[1:]], HEADLESS),
    ("no name", lambda e: [changed(e[0], session=""), *e[1:]], HEADLESS),
    ("a name with a path", lambda e: [changed(e[0], session="../etc"), *e[1:]], HEADLESS),
    ("a name that is no text", lambda e: [changed(e[0], session=["a"]), *e[1:]], HEADLESS),
    (
        "a game we do not have",
        lambda e: [changed(e[0], game="chess"), *e[1:]],
        "This session is of a game we do not have: “chess”.",
    ),
    ("no entries", lambda e: e[:1], "This log does not begin by saying who plays."),
    ("cut in the middle", lambda e: [*e[:3], e[3][:20]], "Line 4 is not JSON."),
    ("a line is missing", lambda e: [*e[:3], *e[4:]], "Line 4: entry 3 should come here."),
    ("a line twice", lambda e: [*e[:3], *e[2:]], "Line 4: entry 3 should come here."),
    ("two lines swapped", lambda e: [*e[:2], e[3], e[2]], "Line 3: entry 2 should come here."),
    ("numbers as words", lambda e: [e[0], changed(e[1], seq="1")], "Line 2: entry 1 should come here."),
    ("numbers as truths", lambda e: [e[0], changed(e[1], seq=True)], "Line 2: entry 1 should come here."),
    ("numbers with a point", lambda e: [e[0], changed(e[1], seq=1.0)], "Line 2: entry 1 should come here."),
    ("an odd source", lambda e: [e[0], changed(e[1], source="oracle")], "Line 2 is not an entry of a log."),
    (
        "a source in a list",
        lambda e: [e[0], changed(e[1], source=["page"])],
        "Line 2 is not an entry of a log.",
    ),
    ("no event", lambda e: [e[0], changed(e[1], event=None)], "Line 2 is not an entry of a log."),
    ("a time in words", lambda e: [e[0], changed(e[1], time="noon")], "Line 2: “noon” is not a time."),
    ("no time", lambda e: [e[0], changed(e[1], time=None)], "Line 2: “None” is not a time."),
    (
        "a time before all time",
        lambda e: [e[0], changed(e[1], time="0001-01-01T00:00:00+14:00")],
        "Line 2: “0001-01-01T00:00:00+14:00” is not a time.",
    ),
    (
        "a time without its zone",
        lambda e: [e[0], changed(e[1], time="2026-05-01T20:30:00")],
        "Line 2: “2026-05-01T20:30:00” does not say which time zone it is in.",
    ),
    (
        "an event nobody knows",
        lambda e: [*e[:2], changed(e[2], event="1 eats 26")],
        "Line 3: “1 eats 26” is not a move of Kingdomino.",
    ),
    (
        "half a character",
        lambda e: [*e[:2], changed(e[2], event="line 1 2 3 4\ud800")],
        "Line 3: This line is too long, or has characters that do not belong in it.",
    ),
    (
        "an event against the rules",
        lambda e: [*e[:2], changed(e[2], event="1 takes 26")],
        "Line 3, entry 2: No king can be set now.",
    ),
    (
        "points written in by hand",
        lambda e: [*e[:2], changed(e[2], event="1 scores 99")],
        "Line 3: “1 scores 99” is not a move of Kingdomino.",
    ),
    ("it starts twice", lambda e: [*e[:2], changed(e[1], seq=2)], "Line 3: The session has started already."),
    (
        "it never starts",
        lambda e: [e[0], changed(e[2], seq=1)],
        "This log does not begin by saying who plays.",
    ),
    (
        "it takes back what is not there",
        lambda e: [*e, changed(e[-1], seq=7, event="withdraw 99")],
        "Line 8: Entry 99 cannot be taken back.",
    ),
    (
        "it takes back the start",
        lambda e: [*e, changed(e[-1], seq=7, event="withdraw 1")],
        "Line 8: Entry 1 cannot be taken back.",
    ),
)


@pytest.mark.parametrize(("spoil", "expected"), [row[1:] for row in SPOILED], ids=[row[0] for row in SPOILED])
def test_what_a_spoiled_file_says(spoil: Callable[[list[str]], list[str]], expected: str) -> None:
    assert said(spoil(list(EXPORTED))) == expected


def test_the_unspoiled_file_is_read() -> None:
    assert said(list(EXPORTED)) == ""


def test_a_log_without_end_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "LONGEST_LOG", 500)
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        yield HEAD
        yield START
        while True:
            read += 1
            yield changed(LINE, seq=read + 1, event="line 1 2 3 4" if read == 1 else _flip(read))

    assert said_of(endless()) == "This session has more than 500 entries."
    assert read <= 501


def _flip(number: int) -> str:
    return "withdraw 2" if number % 2 == 0 else "restore 2"


def said_of(lines: Iterator[str]) -> str:
    with pytest.raises(NotationError) as refusal:
        read_session(lines, GAMES)
    return str(refusal.value)


def test_nothing_of_a_refused_file_is_in_the_log(store: SessionRepository) -> None:
    for _name, spoil, _expected in SPOILED:
        with pytest.raises(CompanionError):
            import_session(store, read_session(spoil(list(EXPORTED)), GAMES))

    assert list(store.list()) == []


def test_a_clock_that_was_set_back_is_no_reason_to_refuse() -> None:
    session = played(moves=5)
    earlier = session.record(
        session.game.legal(session.position)[0], session.entries[0].source, session.entries[0].time
    )

    assert read_session(write_session(earlier), GAMES) == earlier
