"""Complete games with known results, played through the session as people's own games are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from companion.core import notation
from companion.core.session import Session, fold
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.position import Phase
from companion.games.kingdomino.rules.scoring import (
    harmony_points,
    largest_property,
    middle_kingdom_points,
    property_points,
)
from companion.games.kingdomino.text.notation import (
    parse_kingdom,
    write_kingdom,
)
from tests.games.kingdomino.golden_games import BONUSES, FOLDER, GAMES, GoldenGame, GoldenKingdom, read_games
from tests.games.kingdomino.stories import KINGDOMINO, entries_of, session_of, started
from tests.games.stories import tell

each_game = pytest.mark.parametrize("golden", GAMES.values(), ids=list(GAMES))


def test_the_folder_holds_150_games_of_four_kinds() -> None:
    kinds = Counter(name.partition("-")[0] for name in GAMES)

    assert kinds == {"2p": 50, "3p": 40, "4p": 40, "duel": 20}


def test_a_game_that_got_lost_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    one = (FOLDER / "two_players.txt").read_text(encoding="utf-8").split("\n\n")[1]
    path.write_text(f"# 2 complete games of two players\n\n{one}", encoding="utf-8")

    with pytest.raises(ValueError, match="announces another number of games than the 1 it has"):
        list(read_games(path))


@each_game
def test_every_domino_has_as_many_places_as_counted(golden: GoldenGame) -> None:
    session = session_of(golden.start)
    counted, found = [], []
    for line in golden.log:
        if line.places is not None:
            counted.append((line.text, line.places))
            found.append((line.text, _places(session)))
        session = tell(session, [line.text])

    assert counted == found
    assert len(counted) == session.position.dominoes_in_play


def _places(session: Session) -> int:
    legal = session.game.legal(session.position)
    assert all(isinstance(event, DominoPlaced | DominoDiscarded) for event in legal)
    return sum(isinstance(event, DominoPlaced) for event in legal)


@each_game
def test_every_kingdom_comes_out_as_drawn_and_counted(golden: GoldenGame) -> None:
    session = session_of(golden.start, golden.events)

    assert session.turn.over
    assert session.problems == ()
    assert [counted(kingdom) for kingdom in session.position.kingdoms] == list(golden.kingdoms)


def counted(kingdom: Kingdom) -> GoldenKingdom:
    """A kingdom as the golden files describe it."""
    base, middle, harmony = property_points(kingdom), middle_kingdom_points(kingdom), harmony_points(kingdom)
    left, top, right, bottom = kingdom.bounds
    return GoldenKingdom(
        drawing=write_kingdom(kingdom),
        properties=tuple(
            f"{found.terrain.value} {found.size}×{found.crowns}" for found in kingdom.properties()
        ),
        largest_property=largest_property(kingdom),
        crowns=kingdom.crowns,
        centred=kingdom.centred,
        full=kingdom.centred and right - left == bottom - top == kingdom.size - 1,
        within=max(-left, -top, right, bottom) <= kingdom.size // 2,
        harmony=kingdom.complete,
        totals={
            "base": base,
            "middle": base + middle,
            "harmony": base + harmony,
            "both": base + middle + harmony,
        },
    )


@pytest.mark.parametrize("way", BONUSES)
@each_game
def test_the_tally_of_each_variant_has_the_known_totals_and_ranks(golden: GoldenGame, way: str) -> None:
    session = Session("golden", KINGDOMINO, entries_of([golden.started(BONUSES[way]), *golden.events]))
    standing = session.tally.standing

    assert session.tally.totals == tuple(kingdom.totals[way] for kingdom in golden.kingdoms)
    assert standing.ranks == golden.ranks[way].ranks
    assert (standing.decided_by.key if standing.decided_by else "shared") == golden.ranks[way].decided_by


@pytest.mark.parametrize("way", BONUSES)
@each_game
def test_kingdoms_tapped_in_as_they_lie_have_the_same_tally(golden: GoldenGame, way: str) -> None:
    session = session_of(golden.started(f"score_only {BONUSES[way]}".strip()), golden.shown)

    assert session.turn.over
    assert session.tally.totals == tuple(kingdom.totals[way] for kingdom in golden.kingdoms)
    assert session.tally.standing.ranks == golden.ranks[way].ranks


@each_game
def test_kingdoms_that_were_really_built_raise_no_doubt(golden: GoldenGame) -> None:

    assert session_of(golden.started("score_only"), golden.shown).problems == ()


@each_game
def test_every_line_is_written_as_it_is_read(golden: GoldenGame) -> None:
    for line in (golden.start, *golden.events):
        assert notation.write_entry(KINGDOMINO, notation.parse_entry(KINGDOMINO, line)) == line


@each_game
def test_the_rounds_are_counted(golden: GoldenGame) -> None:
    positions = fold(KINGDOMINO, entries_of([golden.start, *golden.events])).positions
    placing = [position.round for position in positions if position.phase is Phase.PLACE]
    rounds = {"2p": 6}.get(golden.name.partition("-")[0], 12)
    dominoes_a_line = len(placing) // rounds

    assert placing == [number for number in range(1, rounds + 1) for _each in range(dominoes_a_line)]


@each_game
def test_every_drawing_is_written_as_it_is_read(golden: GoldenGame) -> None:
    for kingdom in golden.kingdoms:
        assert write_kingdom(parse_kingdom(kingdom.drawing, golden.size)) == kingdom.drawing


def test_a_golden_game_starts_like_any_other() -> None:
    assert GAMES["3p-01"].start == started(3)
    assert GAMES["3p-01"].started("harmony") == started(3, "harmony")
