"""Who played what, who won, and how long it took: pure sums over the summaries of sessions.

People are their names: whoever is called the same, in capitals or not, is the same person. Players whom nobody
named count as somebody's opponents and as nobody themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from companion.core.game import Colour, Player, name_key
from companion.sessions.index import PlayerResult, SessionSummary


@dataclass(frozen=True)
class Person:
    """Somebody who has played here."""

    key: str
    name: str
    """As it was written last."""
    colours: Mapping[str, Colour]
    """The colour they had last, by the game."""
    colour: Colour
    """The one they had last of all."""
    played: int
    """Games that came to their end; somebody may be at their first."""
    won: int
    seen: datetime
    """When they sat down last."""


@dataclass(frozen=True)
class GameResults:
    """What several sessions of one game came to for one person."""

    game: str
    played: int
    won: int
    shared: int
    """Victories they had to share."""
    best: int
    best_in: str
    """The session of their best result."""
    worst: int
    mean: float
    per_turn: timedelta | None
    """How long the table waited for them a turn; None where nobody was waited for."""


@dataclass(frozen=True)
class HeadToHead:
    """How two people did in the games they both played."""

    key: str
    name: str
    colour: Colour
    played: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        return self.played - self.ahead - self.behind


@dataclass(frozen=True)
class PersonStatistics:
    person: Person
    games: Sequence[GameResults]
    """The games they played most first."""
    against: Sequence[HeadToHead]
    """Whom they met most first."""


@dataclass(frozen=True)
class GameStatistics:
    """What all sessions of one game came to."""

    game: str
    played: int
    best: PlayerResult
    best_in: str
    mean: float
    """Points of all players on average."""
    lasted: timedelta | None
    """How long a session takes on average; None where nobody was waited for."""


Nameless = Callable[[Player], bool]
"""Whether a player goes by their colour."""


def nobody(_player: Player) -> bool:
    return False


def people(summaries: Iterable[SessionSummary], nameless: Nameless = nobody) -> Sequence[Person]:
    """Everybody who sat at a table of people, whoever was there last first."""
    found: dict[str, Person] = {}
    for session in _of_people(summaries):
        for result in session.results:
            if nameless(result.player):
                continue
            key = name_key(result.player.name)
            before = found.get(key)
            counts = int(session.counts)
            colours = {session.game: result.player.colour}
            if before is None:
                won = int(session.counts and result.won)
                player = result.player
                found[key] = Person(key, player.name, colours, player.colour, counts, won, session.began)
            else:
                found[key] = Person(
                    key,
                    before.name,
                    {**colours, **before.colours},
                    before.colour,
                    before.played + counts,
                    before.won + int(session.counts and result.won),
                    before.seen,
                )
    return [*found.values()]


def statistics_of(
    key: str, summaries: Iterable[SessionSummary], nameless: Nameless = nobody
) -> PersonStatistics | None:
    """What is known of one person; None of somebody who never sat at a table."""
    sessions = [*summaries]
    everybody = {person.key: person for person in people(sessions, nameless)}
    if key not in everybody:
        return None
    games: dict[str, list[tuple[SessionSummary, PlayerResult]]] = {}
    met: dict[str, list[int]] = {}
    for session in sessions:
        own = next(
            (one for one in session.results if name_key(one.player.name) == key and not nameless(one.player)),
            None,
        )
        if own is None or not session.counts:
            continue
        games.setdefault(session.game, []).append((session, own))
        for other in session.results:
            if other is not own and not nameless(other.player):
                met.setdefault(name_key(other.player.name), []).append(other.rank - own.rank)
    against = [
        HeadToHead(
            other,
            everybody[other].name,
            everybody[other].colour,
            len(ranks),
            sum(rank > 0 for rank in ranks),
            sum(rank < 0 for rank in ranks),
        )
        for other, ranks in met.items()
    ]
    return PersonStatistics(
        everybody[key],
        sorted((_results(game, played) for game, played in games.items()), key=lambda one: -one.played),
        sorted(against, key=lambda one: -one.played),
    )


def _results(game: str, played: Sequence[tuple[SessionSummary, PlayerResult]]) -> GameResults:
    results = [result for _session, result in played]
    best = max(played, key=lambda one: one[1].points)
    won = [(session, result) for session, result in played if result.won]
    timed = [result for result in results if result.turns and result.thought]
    turns = sum(result.turns for result in timed)
    return GameResults(
        game=game,
        played=len(played),
        won=len(won),
        shared=sum(sum(one.won for one in session.results) > 1 for session, _result in won),
        best=best[1].points,
        best_in=best[0].id,
        worst=min(result.points for result in results),
        mean=fmean(result.points for result in results),
        per_turn=sum((result.thought for result in timed), timedelta()) / turns if turns else None,
    )


def game_statistics(summaries: Iterable[SessionSummary]) -> Sequence[GameStatistics]:
    """Each game that people played to its end, the one they played most first."""
    games: dict[str, list[SessionSummary]] = {}
    for session in summaries:
        if session.counts:
            games.setdefault(session.game, []).append(session)
    return sorted((_of_game(game, played) for game, played in games.items()), key=lambda one: -one.played)


def _of_game(game: str, played: Sequence[SessionSummary]) -> GameStatistics:
    results = [(result, session) for session in played for result in session.results]
    best, best_in = max(results, key=lambda one: one[0].points)
    timed = [session.lasted for session in played if session.lasted]
    return GameStatistics(
        game=game,
        played=len(played),
        best=best,
        best_in=best_in.id,
        mean=fmean(result.points for result, _session in results),
        lasted=sum(timed, timedelta()) / len(timed) if timed else None,
    )


def _of_people(summaries: Iterable[SessionSummary]) -> Iterable[SessionSummary]:
    return (one for one in summaries if not one.demonstration and not one.filing.deleted)
