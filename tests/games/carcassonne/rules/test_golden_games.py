"""Complete games with known results, played through the session as people's own games are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from companion.core import notation
from companion.core.errors import IllegalEvent
from companion.core.session import Session, fold
from companion.games.carcassonne.rules.board import FeatureKind
from companion.games.carcassonne.rules.events import TileLaid, WholeTable
from companion.games.carcassonne.rules.position import Phase, Position, add_counts
from companion.games.carcassonne.rules.scoring import Count
from companion.games.carcassonne.text.notation import write_table
from tests.games.carcassonne.golden_games import (
    FOLDER,
    GAMES,
    GoldenCount,
    GoldenGame,
    GoldenLine,
    read_games,
)
from tests.games.carcassonne.stories import CARCASSONNE, entries_of, session_of
from tests.games.stories import tell

each_game = pytest.mark.parametrize("golden", GAMES.values(), ids=list(GAMES))


def test_the_folder_holds_120_whole_games_and_18_short_ones() -> None:
    kinds = Counter(name[:2] if name[0].isdigit() else "short" for name in GAMES)

    assert kinds == {"2p": 30, "3p": 30, "4p": 30, "5p": 30, "short": 18}


def test_a_game_that_got_lost_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    one = (FOLDER / "small.txt").read_text(encoding="utf-8").split("\n\n")[1]
    path.write_text(f"# 2 short games\n\n{one}", encoding="utf-8")

    with pytest.raises(ValueError, match="announces another number of games than the 1 it has"):
        list(read_games(path))


def counted(counts: tuple[Count, ...]) -> list[GoldenCount]:
    """What was counted, as the golden files tell it."""
    return sorted(
        (
            GoldenCount(count.kind.value, owner, _amount(count), count.points)
            for count in counts
            for owner in count.owners
        ),
        key=repr,
    )


def _amount(count: Count) -> str:
    if count.kind is FeatureKind.FIELD:
        return str(len(count.cities))
    return f"{count.tiles}+{count.pennants}" if count.pennants else str(count.tiles)


def as_played(session: Session, line: GoldenLine) -> tuple[Session, GoldenLine]:
    """The session after a turn, and the turn told as the golden files tell it, as far as this one does."""
    before: Position = session.position
    if not line.lays:
        return tell(session, [line.text]), GoldenLine(line.text)
    laid = CARCASSONNE.parse(line.tile_alone)
    assert isinstance(laid, TileLaid)
    places = len(list(before.board.placements(laid.placement.tile)))
    session = tell(session, [line.tile_alone])
    claims = tuple(sorted(part for _x, _y, part in session.position.claims))
    refused = tuple(part for part in line.refused if is_refused(session, laid, part))
    if session.position.phase is Phase.FOLLOWER:
        session = tell(session, [line.ending])
    after: Position = session.position
    fresh = after.scored[len(before.scored) :]
    known = line.places is not None or line.counted
    return session, GoldenLine(
        text=line.text,
        places=places if line.places is not None else None,
        claims=claims if line.claims is not None else None,
        refused=refused,
        counted=tuple(counted(fresh)) if known else (),
        points=after.points,
        now=add_counts(after.points, after.outlook) if line.now else None,
        hands=tuple(map(after.supply, range(after.players))) if line.hands else None,
    )


def is_refused(session: Session, laid: TileLaid, part: str) -> bool:
    try:
        tell(session, [f"{laid.player + 1} places {part} at {laid.placement.x},{laid.placement.y}"])
    except IllegalEvent:
        return True
    return False


@each_game
def test_every_turn_comes_out_as_counted(golden: GoldenGame) -> None:
    session, played = session_of(golden.start), []
    for line in golden.log:
        session, found = as_played(session, line)
        played.append(found)

    expected = [
        GoldenLine(**{**vars(line), "counted": tuple(sorted(line.counted, key=repr))}) for line in golden.log
    ]
    assert played == expected
    assert session.tally.totals == golden.totals
    assert counted(session.position.outlook) == sorted(golden.final, key=repr) or not golden.final
    assert session.problems == ()


@each_game
def test_a_log_with_one_line_a_turn_comes_to_the_same(golden: GoldenGame) -> None:
    session = session_of(golden.start, golden.events)

    assert session.tally.totals == golden.totals
    assert session.fold.misfits == ()


@each_game
def test_the_last_table_alone_has_the_same_end(golden: GoldenGame) -> None:
    start = golden.start.replace("carcassonne", "carcassonne score_only", 1)
    session = session_of(start, [last_table(golden)])

    assert session.tally.totals == golden.totals
    assert session.problems == ()
    assert session.turn.over


def last_table(golden: GoldenGame) -> str:
    """The table as it lies at the end, with what is on the track."""
    session = session_of(golden.start, golden.events)
    position: Position = session.position
    if position.phase is Phase.FOLLOWER:
        position = tell(session, [f"{position.player + 1} places none"]).position
    placements = [
        event.placement for event in map(CARCASSONNE.parse, golden.events) if hasattr(event, "placement")
    ]
    followers = [(player, segment) for segment, player in position.followers.items()]
    return write_table(WholeTable(tuple(placements), tuple(followers), position.points))


@each_game
def test_every_line_is_written_as_it_is_read(golden: GoldenGame) -> None:
    for line in (golden.start, *golden.events, last_table(golden)):
        assert notation.write_entry(CARCASSONNE, notation.parse_entry(CARCASSONNE, line)) == line


def test_a_whole_game_is_over_when_its_last_turn_is() -> None:
    session = session_of(GAMES["4p-01"].start, GAMES["4p-01"].events)
    ended = session if session.turn.over else tell(session, [f"{session.position.player + 1} places none"])

    assert ended.turn.over
    assert ended.position.tiles_in_the_bag == 0


def test_a_log_from_elsewhere_is_folded_the_same() -> None:
    golden = GAMES["5p-01"]
    recorded = session_of(golden.start, golden.events)

    assert fold(CARCASSONNE, entries_of([golden.start, *golden.events])).positions == recorded.fold.positions
