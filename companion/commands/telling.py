"""Answers told to a person: points line by line, and why somebody wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.core import notation
from companion.core.abilities import ShowsBoards
from companion.core.game import Line
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import Session
from companion.games import find_game

Json = Mapping[str, Any]

_SHARED = _("equal in everything")


def answer_lines(game: str, answer: Json) -> Iterator[Line]:
    """The lines that say what is in an answer."""
    if "turns" in answer:
        yield from _session(answer)
    else:
        yield from find_game(game).tell_answer(answer)


def session_answer(session: Session, say: Say = str) -> dict[str, Any]:
    """A session of any game as `companion replay` answers it; scripts get their sentences in English."""
    tally, standing, game = session.tally, session.tally.standing, session.game
    boards = game.boards(session.position) if isinstance(game, ShowsBoards) else None
    players = [
        {
            "name": player.name,
            "points": tally.totals[number],
            "lines": [
                {"reason": say(line.reason), "working": line.working, "points": line.points}
                for line in tally.of(number)
            ],
            **(boards[number] if boards else {}),
        }
        for number, player in enumerate(session.setup.players)
    ]
    return {
        "id": session.id,
        "game": session.game.key,
        "turns": [notation.write_entry(session.game, step.event) for step in session.fold.steps],
        "players": players,
        "over": session.turn.over,
        "ranks": list(standing.ranks),
        "winners": list(standing.winners) if session.turn.over else [],
        "decided_by": standing.decided_by.key if standing.decided_by else "shared",
        "why": say(standing.decided_by.name if standing.decided_by else _SHARED),
        "problems": [say(problem.text) for problem in session.problems],
    }


def _session(answer: Json) -> Iterator[Line]:
    turns, game = len(answer["turns"]), find_game(answer["game"])
    yield (_n("%(count)d entry counts", "%(count)d entries count", turns),)
    for player in answer["players"]:
        yield from _points(player["name"], player["points"])
        for line in player["lines"]:
            working = f"{line['working']:>7} =" if line["working"] else " " * 9
            yield f"  {working} {line['points']:3} ", line["reason"]
        if isinstance(game, ShowsBoards):
            yield from game.tell_board(player)
    if answer["over"]:
        names = [answer["players"][winner]["name"] for winner in answer["winners"]]
        yield (_("victory: %(names)s (%(reason)s)", names=", ".join(names), reason=answer["why"]),)
    yield from ((problem,) for problem in answer["problems"])


def _points(name: Message | str, points: int) -> Iterator[Line]:
    yield (_n("%(name)s: %(count)d point", "%(name)s: %(count)d points", points, name=name),)
