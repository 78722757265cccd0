"""A game of Dominations on disk: cut short in the middle of an Era's end, taken elsewhere, and edited by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import NotationError
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.json_lines import read_session
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.games.dominations.stories import DOMINATIONS, era_over
from tests.games.stories import lines_of

PEOPLE = tuple(
    Player(name, colour) for name, colour in zip(("Ana", "Rui"), DOMINATIONS.colours, strict=False)
)
WIZARD = f"{era_over()}\n1 adjusts T +2\nera effects\n1 assimilates nothing"


def opened(folder: Path) -> LiveSessions:
    return LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))


def begun(table: LiveSessions, story: str, source: Source = Source.PAGE) -> Session:
    session = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE)
    for line in lines_of(story):
        session = table.record(session.id, session.seq, line, source)
    return session


def test_power_that_fails_in_the_middle_of_an_eras_end_loses_nothing(tmp_path: Path) -> None:
    table = opened(tmp_path)
    before = begun(table, WIZARD)
    table.close()

    table = opened(tmp_path)
    after = table.session(before.id)

    assert (after.position, after.position.stage) == (before.position, "roles")
    after = table.record(after.id, after.seq, "era roles", Source.PAGE)
    assert after.position.seats[0].roles == ("merchant",)
    table.close()


def test_a_session_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    table = opened(tmp_path)
    session = begun(table, WIZARD)
    exported = table.export(session.id)
    table.close()

    assert read_session(exported.splitlines(), GAMES).position == session.position


@pytest.mark.parametrize("source", (Source.CAMERA, Source.BUTTON))
def test_an_evening_that_was_watched_opens_and_counts_as_one_that_was_tapped(
    tmp_path: Path, source: Source
) -> None:
    story = "1 lays T:TTC at 0,0d\n1 ends\n2 lays C:RRR at 1,0u\n2 ends\n1 lays C:CCT at 0,-2d"
    table = opened(tmp_path)
    tapped, exported = begun(table, story), table.export(begun(table, story, source).id)
    table.close()

    opened_again = read_session(exported.splitlines(), GAMES)

    assert [entry.source for entry in opened_again.entries[1:]] == [source] * 5
    assert (opened_again.position, opened_again.tally) == (tapped.position, tapped.tally)


def test_a_line_edited_by_hand_is_complained_about(tmp_path: Path) -> None:
    table = opened(tmp_path)
    exported = table.export(begun(table, WIZARD).id)
    table.close()

    with pytest.raises(NotationError, match="effekts"):
        read_session(exported.replace("era effects", "era effekts").splitlines(), GAMES)
    with pytest.raises(NotationError, match="has its order"):
        read_session(exported.replace("era effects", "era roles").splitlines(), GAMES)
