"""Sessions are named, put away, thrown into the bin and fetched back; all of it lies in their own log."""

from __future__ import annotations

from companion.core.log import Filed, FiledAs, Source
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.json_lines import read_session
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from tests.sessions.playing import KINGDOMINO, PAIR, lines, refused

CLOSED, REOPENED = Filed(FiledAs.CLOSED), Filed(FiledAs.REOPENED)
PUT_AWAY = "IllegalEvent: This game was put away: open it again before anything else is recorded."


def test_a_game_that_was_put_away_takes_nothing_until_it_is_opened(
    table: LiveSessions, game: Session
) -> None:
    closed = table.file(game.id, CLOSED, Source.PAGE)

    assert not closed.going
    assert refused(lambda: table.record(game.id, closed.seq, "2 takes 17", Source.CAMERA)) == PUT_AWAY
    assert refused(lambda: table.undo(game.id, closed.seq, Source.BUTTON)) == PUT_AWAY
    opened = table.file(game.id, REOPENED, Source.PAGE)
    assert opened.going
    assert opened.position == game.position
    assert lines(table.undo(game.id, opened.seq, Source.PAGE))[-1] == "withdraw 11"


def test_what_is_so_already_is_not_recorded_again(table: LiveSessions, game: Session) -> None:
    named = Filed(FiledAs.NAMED, "Friday")
    once = table.file(game.id, named, Source.PAGE)

    assert table.file(game.id, named, Source.PAGE) is once
    assert table.file(game.id, REOPENED, Source.PAGE) is once
    assert lines(once)[-1] == 'session named "Friday"'


def test_name_and_bin_outlive_a_restart_and_go_with_the_file(
    table: LiveSessions, game: Session, store: SessionRepository
) -> None:
    table.file(game.id, Filed(FiledAs.NAMED, "Friday"), Source.PAGE)
    kept = table.file(game.id, Filed(FiledAs.DELETED), Source.PAGE)

    assert store.load(game.id).filing == kept.filing
    assert read_session(table.export(game.id).split("\n"), GAMES).filing == kept.filing


def test_a_file_is_taken_in_while_people_play(table: LiveSessions, game: Session) -> None:
    elsewhere = table.export(game.id).replace(game.id, "elsewhere").split("\n")

    assert table.take_in(read_session(elsewhere, GAMES))
    assert not table.take_in(read_session(elsewhere, GAMES))
    assert table.session("elsewhere").position == game.position
    other = table.begin(KINGDOMINO, PAIR, Source.PAGE)
    changed = [line.replace("elsewhere", other.id) for line in elsewhere]
    assert "already. Nothing was imported." in refused(lambda: table.take_in(read_session(changed, GAMES)))
