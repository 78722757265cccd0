"""Statistics and exports beside a plain recount of the same sessions, of which there are five hundred."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import pairwise
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.core.game import Colour, Player, Setup
from companion.core.log import Filed, FiledAs, Source
from companion.core.session import Session, begin_session
from companion.games import GAMES
from companion.sessions.exports import bg_stats_link, bg_stats_play, csv_table
from companion.sessions.index import SessionSummary, summary
from companion.sessions.statistics import game_statistics, people, statistics_of
from tests.games.noughts.game import Noughts

KINGDOMINO, NOUGHTS = GAMES["kingdomino"], Noughts()
NAMES = ("Ana", "ana", "Bruno", "Clara", "João Pedro", "=1+1", "@rui", "Blue", "Teo")
SESSIONS = 500


def nameless(player: Player) -> bool:
    """Whoever is called Blue goes by a colour here, whatever theirs is."""
    return player.name == "Blue"


def _kingdomino(id: str, random: Random, time: datetime) -> Session:
    """The end of a game, told by kingdoms of a few squares: no table is quicker, and ties are many."""
    names = random.sample([name for name in NAMES if name != "ana"], random.randint(2, 4))
    players = tuple(Player(name, colour) for name, colour in zip(names, KINGDOMINO.colours, strict=False))
    session = begin_session(id, KINGDOMINO, Setup(players, frozenset({"score_only"})), _source(random), time)
    for seat in range(1, len(players) + 1 - (random.random() < 0.2)):
        kingdom = f"w{random.randint(0, 1)}w{random.randint(0, 1)}##f0f{random.randint(0, 2)}"
        time += timedelta(seconds=random.randint(1, 90))
        session = session.record(KINGDOMINO.parse(f"{seat} shows 5 {kingdom}"), _source(random), time)
    return session


def _noughts(id: str, random: Random, time: datetime) -> Session:
    """A game with turns, and with breaks between some of them."""
    names = random.sample(["Ana", "Bruno", "Clara", "Teo"], 2)
    names = [name.lower() if random.random() < 0.2 else name for name in names]
    setup = Setup((Player(names[0], Colour.BLUE), Player(names[1], Colour.RED)))
    session = begin_session(id, NOUGHTS, setup, _source(random), time)
    for _move in range(random.choice((3, 9, 9, 9))):
        if session.turn.over:
            break
        time += timedelta(seconds=random.choice((4, 30, 75, 4000)))
        session = session.record(random.choice(NOUGHTS.legal(session.position)), Source.PAGE, time)
    return session


def _source(random: Random) -> Source:
    return Source.DEMO if random.random() < 0.1 else Source.PAGE


def _filed(session: Session, random: Random, time: datetime) -> Session:
    for said in random.sample([*FiledAs], random.choice((0, 0, 0, 1, 2))):
        name = "+Friday" if said is FiledAs.NAMED else ""
        session = session.record(Filed(said, name), Source.PAGE, time)
    return session


@pytest.fixture(scope="module")
def sessions() -> Sequence[Session]:
    """The newest first, as lists have them."""
    random, time, found = Random(18), datetime(2026, 1, 1, 20, tzinfo=UTC), []
    for number in range(SESSIONS):
        time += timedelta(hours=random.randint(1, 40))
        make = random.choice((_kingdomino, _kingdomino, _noughts))
        found.append(_filed(make(f"s{number}", random, time), random, time + timedelta(days=1)))
    return found[::-1]


@pytest.fixture(scope="module")
def summaries(sessions: Sequence[Session]) -> Sequence[SessionSummary]:
    return [summary(session) for session in sessions]


def _state(session: Session) -> tuple[bool, bool]:
    """Whether a session is one of people, outside the bin; and whether it counts: read off its lines."""
    deleted = kept = False
    for entry in session.entries:
        if isinstance(entry.event, Filed):
            deleted = {"deleted": True, "undeleted": False}.get(entry.event.as_.value, deleted)
            kept = kept or entry.event.as_.value == "kept"
    theirs = (kept or session.entries[0].source.value != "demo") and not deleted
    return theirs, theirs and session.game.turn(session.position).over


def _points(session: Session) -> list[int]:
    return [
        sum(line.points for line in session.game.tally(session.position).lines if line.player == seat)
        for seat in range(len(session.setup.players))
    ]


def _ranks(session: Session) -> tuple[int, ...]:
    return session.game.tally(session.position).standing.ranks


def test_the_sessions_are_as_mixed_as_a_household_s(sessions: Sequence[Session]) -> None:
    states = Counter(map(_state, sessions))

    assert len(sessions) == SESSIONS
    assert min(states[False, False], states[True, False], states[True, True]) > 40


def test_people_are_who_sat_at_tables_of_people(
    sessions: Sequence[Session], summaries: Sequence[SessionSummary]
) -> None:
    played, won = Counter[str](), Counter[str]()
    for session in sessions:
        theirs, counts = _state(session)
        for player, rank in zip(session.setup.players, _ranks(session), strict=True):
            if theirs and player.name != "Blue":
                played[player.name.lower()] += counts
                won[player.name.lower()] += counts and rank == 1

    found = people(summaries, nameless)

    assert {one.key: (one.played, one.won) for one in found} == {
        name: (played[name], won[name]) for name in played
    }
    assert [one.seen for one in found] == sorted((one.seen for one in found), reverse=True)


@pytest.mark.parametrize("name", ("ana", "bruno", "joão pedro", "teo"))
def test_everybody_s_numbers_are_those_of_a_plain_recount(
    name: str, sessions: Sequence[Session], summaries: Sequence[SessionSummary]
) -> None:
    points: dict[str, list[int]] = defaultdict(list)
    won, shared, met = Counter[str](), Counter[str](), defaultdict[str, list[int]](list)
    for session in sessions:
        names = [player.name.lower() for player in session.setup.players]
        if name not in names or not _state(session)[1]:
            continue
        own, key, ranks = names.index(name), session.game.key, _ranks(session)
        points[key].append(_points(session)[own])
        won[key] += ranks[own] == 1
        shared[key] += ranks[own] == 1 and list(ranks).count(1) > 1
        for other, rank in zip(names, ranks, strict=True):
            if other not in (name, "blue"):
                met[other].append(rank - ranks[own])

    found = statistics_of(name, summaries, nameless)

    assert found is not None
    assert {
        one.game: (one.played, one.won, one.shared, one.best, one.worst, round(one.mean, 6))
        for one in found.games
    } == {
        key: (len(row), won[key], shared[key], max(row), min(row), round(sum(row) / len(row), 6))
        for key, row in points.items()
    }
    assert {one.key: (one.played, one.ahead, one.level, one.behind) for one in found.against} == {
        other: (
            len(ranks),
            len([rank for rank in ranks if rank > 0]),
            ranks.count(0),
            len([rank for rank in ranks if rank < 0]),
        )
        for other, ranks in met.items()
    }


def test_time_per_turn_leaves_breaks_out(
    sessions: Sequence[Session], summaries: Sequence[SessionSummary]
) -> None:
    seconds, turns = 0.0, 0
    for session in sessions:
        names = [player.name.lower() for player in session.setup.players]
        if session.game.key != "noughts" or "ana" not in names or not _state(session)[1]:
            continue
        moves = [entry.time for entry in session.entries if not isinstance(entry.event, Filed)]
        gaps = [(after - before).total_seconds() for before, after in pairwise(moves)]
        own = gaps[names.index("ana") :: 2]
        if any(gap <= 900 for gap in own):
            seconds, turns = seconds + sum(gap for gap in own if gap <= 900), turns + len(own)

    found = statistics_of("ana", summaries, nameless)

    assert found is not None
    (timed,) = [one.per_turn for one in found.games if one.game == "noughts"]
    assert timed is not None
    assert timed.total_seconds() == pytest.approx(seconds / turns, abs=1e-3)
    assert [one.per_turn for one in found.games if one.game == "kingdomino"] == [None]


def test_records_are_the_best_results_of_all(
    sessions: Sequence[Session], summaries: Sequence[SessionSummary]
) -> None:
    best: dict[str, int] = {}
    for session in sessions:
        if _state(session)[1]:
            best[session.game.key] = max(best.get(session.game.key, -1), *_points(session))

    assert {one.game: one.best.points for one in game_statistics(summaries)} == best


def test_the_table_has_a_row_for_everybody(
    sessions: Sequence[Session], summaries: Sequence[SessionSummary]
) -> None:
    rows = [*csv.DictReader(StringIO(csv_table(summaries).removeprefix("\ufeff")))]
    expected = [
        (session.id, str(seat), player.name, str(points), str(rank), str(int(rank == 1)))
        for session in sessions
        if _state(session)[1]
        for seat, (player, points, rank) in enumerate(
            zip(session.setup.players, _points(session), _ranks(session), strict=True), start=1
        )
    ]

    assert [
        (
            row["session"],
            row["seat"],
            row["player"].removeprefix("'"),
            row["points"],
            row["rank"],
            row["won"],
        )
        for row in rows
    ] == expected
    # A spreadsheet must not take somebody's name for a formula.
    assert [text for row in rows for text in row.values() if text.startswith(("=", "+", "-", "@"))] == []


def test_bg_stats_gets_a_play_as_it_documents_one(
    sessions: Sequence[Session], summaries: Sequence[SessionSummary]
) -> None:
    session, told = next(
        (one, summed)
        for one, summed in zip(sessions, summaries, strict=True)
        if summed.counts and summed.game == "noughts"
    )

    play = bg_stats_play(told, NOUGHTS, str)

    one, another = session.setup.players
    points, ranks = _points(session), _ranks(session)
    assert play == {
        "sourceName": "Table Companion",
        "sourcePlayId": session.id,
        "playDate": session.entries[0].time.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": round(told.lasted.total_seconds() / 60),
        "board": "",
        "comments": session.filing.name,
        "game": {
            "name": "Noughts and crosses",
            "bggId": 0,
            "sourceGameId": "noughts",
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": player.name.lower(),
                "score": points[seat],
                "rank": ranks[seat],
                "winner": ranks[seat] == 1,
                "startPlayer": seat == 0,
                "role": "",
            }
            for seat, player in enumerate((one, another))
        ],
    }
    later = bg_stats_play(replace(told, first=1), NOUGHTS, str)
    assert [player["startPlayer"] for player in later["players"]] == [False, True]
    link = urlsplit(bg_stats_link(play))
    assert (link.scheme, link.netloc, link.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    assert json.loads(parse_qs(link.query)["data"][0]) == play
