"""Answers of `score` and `replay`: worked out document by document, and told to a person line by line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.commands.documents import work_through
from companion.commands.terminal import Exit, json_argument, terminal
from companion.core import notation
from companion.core.errors import NotationError
from companion.core.game import AnyGame, DocumentFormat, Line, ShowsBoards
from companion.core.message import Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import Session
from companion.games import GAMES, find_game

Json = Mapping[str, Any]

_SHARED = _("equal in everything")


def answer_lines(game: str, answer: Json) -> Iterator[Line]:
    """The lines that say what is in an answer."""
    if "turns" in answer:
        yield from _session(answer)
    else:
        yield from documents_of(find_game(game)).tell_answer(answer)


def documents_of(game: AnyGame) -> DocumentFormat:
    """What the game does with documents of its own, or NotationError."""
    if game.documents is None:
        raise NotationError(_("This game has no documents: replay a session that was exported."))
    return game.documents


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
        points = _n(
            "%(name)s: %(count)d point", "%(name)s: %(count)d points", player["points"], name=player["name"]
        )
        yield (points,)
        for line in player["lines"]:
            working = f"{line['working']:>7} =" if line["working"] else " " * 9
            yield f"  {working} {line['points']:3} ", line["reason"]
        if isinstance(game, ShowsBoards):
            yield from game.tell_board(player)
    if answer["over"] and not answer["winners"]:
        yield (_("nobody has won yet: something is still to be told"),)
    elif answer["over"]:
        names = [answer["players"][winner]["name"] for winner in answer["winners"]]
        yield (_("victory: %(names)s (%(reason)s)", names=", ".join(names), reason=answer["why"]),)
    yield from ((problem,) for problem in answer["problems"])


Asked = tuple[str, Callable[[], Mapping[str, Any]]]
"""The name of a document, and how to get its answer."""


def game_arguments(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument("game", metavar=say(_("GAME")), help=", ".join(GAMES))
    files = say(_("A JSON file with one document or a list of them; “-” reads the standard input."))
    parser.add_argument("files", metavar=say(_("FILE")), nargs="+", help=files)
    json_argument(parser, say)


def answer_documents(
    args: Namespace, files: Iterable[str], find: Callable[[str, str], Iterable[Asked]]
) -> Exit:
    """Print the answer to every document; the exit code is that of the worst."""
    reader, worst = terminal(args), Exit.DONE
    for name, found in work_through(reader, files, find):
        if isinstance(found, Exit):
            worst = max(worst, found)
            continue
        reader.data(found)
        if not reader.json:
            reader.say(name)
            for line in answer_lines(args.game, found):
                reader.say(" ", *line)
    return worst
