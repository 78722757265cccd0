"""Rulebook 002, "Dinastia": three golden games in a row, played in one session."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.core.session import Session
from companion.games.kingdomino.rules.scoring import rank
from tests.games.kingdomino.golden_games import BONUSES, GAMES, GoldenGame
from tests.games.kingdomino.stories import KINGDOMINO, entries_of, refusal, session_of, started
from tests.games.stories import tell

NAMES = list(GAMES)
IN_A_ROW = [
    three
    for three in zip(NAMES, NAMES[1:], NAMES[2:], strict=False)
    if len({n.partition("-")[0] for n in three}) == 1
][::3]
TIED = [
    ("2p-01", "2p-02", "2p-48"),
    ("3p-01", "3p-03", "3p-12"),
    ("3p-01", "3p-04", "3p-40"),
    ("4p-01", "4p-02", "4p-30"),
    ("4p-01", "4p-03", "4p-06"),
    ("duel-04", "duel-06", "duel-09"),
]
"""Dynasties in which several players have the most points."""


def dynasty_of(names: tuple[str, ...], way: str = "base") -> tuple[list[GoldenGame], Session]:
    games = [GAMES[name] for name in names]
    start = games[0].started(f"dynasty {BONUSES[way]}".strip())
    return games, Session(
        "golden", KINGDOMINO, entries_of([start, *(line for game in games for line in game.events)])
    )


def sums(games: list[GoldenGame], way: str) -> tuple[int, ...]:
    """What each player's known points of these games come to."""
    return tuple(sum(game.kingdoms[p].totals[way] for game in games) for p in range(len(games[0].kingdoms)))


@pytest.mark.parametrize("way", BONUSES)
@pytest.mark.parametrize("names", (*IN_A_ROW, *TIED), ids="+".join)
def test_the_points_of_three_games_together_decide(names: tuple[str, ...], way: str) -> None:
    games, session = dynasty_of(names, way)
    totals = sums(games, way)

    assert session.problems == ()
    assert session.turn.over
    assert session.tally.totals == totals
    assert session.tally.standing.winners == tuple(p for p, t in enumerate(totals) if t == max(totals))


@pytest.mark.parametrize("names", TIED, ids="+".join)
def test_equal_totals_share_the_victory_though_a_single_game_would_have_broken_the_tie(
    names: tuple[str, ...],
) -> None:
    _games, session = dynasty_of(names)
    one_game = rank(session.position.kingdoms, session.tally.totals)

    assert len(one_game.winners) == 1
    assert len(session.tally.standing.winners) == 2
    assert session.tally.standing.decided_by is None


def test_a_dynasty_shows_every_game_as_a_line_of_its_own() -> None:
    games, session = dynasty_of(("2p-01", "2p-02", "2p-03"))
    past = [(str(line.reason), line.points) for line in session.tally.of(0)][:2]

    assert past == [
        ("Game 1 of the dynasty", games[0].kingdoms[0].totals["base"]),
        ("Game 2 of the dynasty", games[1].kingdoms[0].totals["base"]),
    ]
    assert session.position.past == (sums(games[:1], "base"), sums(games[1:2], "base"))


def test_bonuses_count_in_each_game_of_a_dynasty() -> None:
    games, session = dynasty_of(("3p-01", "3p-02", "3p-03"), "both")

    assert session.position.past == (sums(games[:1], "both"), sums(games[1:2], "both"))
    assert session.tally.totals != sums(games, "base")


def test_a_game_that_is_over_waits_for_the_first_line_of_the_next() -> None:
    games = [GAMES["2p-01"], GAMES["2p-02"]]
    session = session_of(games[0].started("dynasty"), games[0].events)

    assert str(session.turn.action) == "Game 1 is over. Draw the first line of the next one"
    assert not session.turn.over
    assert session.tally.totals == sums(games[:1], "base")

    line = next(text for text in games[1].events if text.startswith("line"))
    session = tell(session, [line])

    assert str(session.turn.action) == "Draw a king: who chooses a domino?"
    assert [len(kingdom.squares) for kingdom in session.position.kingdoms] == [1, 1]
    assert session.tally.totals == sums(games[:1], "base")


@pytest.mark.parametrize("first", ("removed", "line", "kings"))
def test_whatever_is_told_first_begins_the_next_game(first: str) -> None:
    game = GAMES["3p-01"]
    line = next(text for text in game.events if text.startswith(first))
    before = session_of(game.started("dynasty"), game.events)
    after = tell(before, [line])

    assert before.position.past == ()
    assert after.position.past == (sums([game], "base"),)
    assert after.position.discards == ((), (), ())


def test_every_game_of_a_dynasty_has_all_its_dominoes_again() -> None:
    _games, session = dynasty_of(("4p-01", "4p-01", "4p-01"))

    assert session.fold.misfits == ()
    assert session.tally.totals == tuple(3 * kingdom.totals["base"] for kingdom in GAMES["4p-01"].kingdoms)


def test_there_is_no_fourth_game() -> None:
    names = ("2p-01", "2p-02", "2p-03")
    story = "\n".join(text for name in names for text in GAMES[name].events)

    assert refusal(2, story, "line 1 2 3 4", "dynasty") == (
        "A new line is drawn when every domino of the last one is taken."
    )


def test_points_only_grow_from_game_to_game() -> None:
    _games, session = dynasty_of(("4p-01", "4p-02", "4p-03"))
    ends = [position for position in session.fold.positions if position.game_ended]
    totals = [session.game.tally(position).totals for position in ends]

    assert len(totals) == 3
    assert all(all(a <= b for a, b in zip(one, other, strict=True)) for one, other in pairwise(totals))


def test_a_dynasty_without_bonuses_starts_like_any_other_game() -> None:
    assert GAMES["2p-01"].started("dynasty") == started(2, "dynasty")
