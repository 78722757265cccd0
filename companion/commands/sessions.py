"""`companion sessions`: the games of the log, in and out."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.terminal import Exit, Terminal, config_argument, exit_code, json_argument, terminal
from companion.core.errors import CompanionError, NotationError, StoreError
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n

if TYPE_CHECKING:
    from companion.core.session import Session
    from companion.sessions.repository import ListedSession, SessionRepository

MOST_LISTED = 50


def arguments(parser: ArgumentParser, say: Say) -> None:
    _common_arguments(parser, say)
    actions = parser.add_subparsers(dest="action", metavar=say(_("ACTION")), title=say(_("actions")))
    added = {
        # What was said before the action holds, unless it is said again after it.
        name: actions.add_parser(name, help=say(help), description=say(help), argument_default=SUPPRESS)
        for name, help in _ACTIONS.items()
    }
    for action in added.values():
        _common_arguments(action, say)
    for name in ("show", "export"):
        added[name].add_argument(
            "id", metavar="ID", help=say(_("The name of the game, as the list tells it."))
        )
    output = say(_("Write to this file instead of the terminal."))
    added["export"].add_argument("-o", "--output", metavar=say(_("FILE")), default=None, help=output)
    file = say(_("A file that was exported; “-” reads the standard input."))
    added["import"].add_argument("file", metavar=say(_("FILE")), help=file)
    most = say(_("How many games to list, unless told otherwise: %(count)d.", count=MOST_LISTED))
    added["list"].add_argument("--limit", type=int, default=MOST_LISTED, metavar="N", help=most)
    everything = say(_("List demonstrations that nobody took over, and what is in the bin, too."))
    added["list"].add_argument("--all", action="store_true", default=False, help=everything)


def _common_arguments(parser: ArgumentParser, say: Say) -> None:
    config_argument(parser, say)
    json_argument(parser, say)


_ACTIONS: Mapping[str, Message] = {
    "list": _("List the games, the newest first."),
    "show": _("Show the log of a game, entry by entry."),
    "export": _("Write a game as a file that any Table Companion can read."),
    "import": _("Put an exported game into the log."),
}


def run(args: Namespace) -> int:
    reader, store = terminal(args), _open(args)
    try:
        match args.action:
            case "show":
                return _show(reader, store.load(args.id))
            case "export":
                return _export(store.load(args.id), args.output)
            case "import":
                return _import(reader, store, args.file)
            case _:
                most, everything = getattr(args, "limit", MOST_LISTED), getattr(args, "all", False)
                return _list(reader, store.list(max(0, most), played=not everything), store.load, everything)
    finally:
        store.close()


def _open(args: Namespace) -> SessionRepository:
    # Imported here: `companion sessions --help` needs no database.
    from companion.games import GAMES
    from companion.household.settings import load_settings
    from companion.sessions.repository import SessionRepository

    loaded = load_settings(args.config)
    for problem in loaded.problems:
        terminal().complain(problem)
    return SessionRepository(loaded.settings.store_url, GAMES)


def _list(
    reader: Terminal, listed: Sequence[ListedSession], load: Callable[[str], Session], everything: bool
) -> int:
    worst = Exit.DONE
    for found in listed:
        try:
            session = load(found.id)
            if session.filing.deleted and not everything:
                continue
            row = _summary(session)
        except CompanionError as error:
            worst = max(worst, exit_code(error))
            reader.wrong(found.id, error)
            continue
        reader.data({"id": found.id, "game": found.game, "created": found.created.isoformat(), **row})
        when = found.created.astimezone().strftime("%Y-%m-%d %H:%M")
        players = ", ".join(f"{p['name']} {p['points']}" for p in row["players"])
        name = f"“{row['name']}”  " if row["name"] else ""
        reader.say(f"{found.id}  {when}  {found.game}  {name}", players, " ", _outcome(row))
    if not listed:
        reader.say(_("There are no games yet."))
    return worst


def _summary(session: Session) -> dict[str, Any]:
    standing = session.tally.standing
    players = zip(session.setup.players, session.tally.totals, standing.ranks, strict=True)
    return {
        "entries": len(session.entries),
        "source": session.entries[0].source.value,
        "name": session.filing.name,
        "put_away": session.filing.closed,
        "deleted": session.filing.deleted,
        "players": [
            {"name": player.name, "points": points, "rank": rank} for player, points, rank in players
        ],
        "over": session.turn.over,
        "winners": list(standing.winners) if session.turn.over else [],
    }


def _outcome(row: Mapping[str, Any]) -> Message:
    if not row["over"]:
        return _n("not over after %(count)d entry", "not over after %(count)d entries", row["entries"])
    names = ", ".join(row["players"][winner]["name"] for winner in row["winners"])
    return _n("won by %(names)s", "shared by %(names)s", len(row["winners"]), names=names)


def _show(reader: Terminal, session: Session) -> int:
    from companion.commands.answers import answer_lines, session_answer
    from companion.sessions.repository import entry_row

    counting = {1, *(step.seq for step in session.fold.steps)}
    for entry in session.entries:
        row, counts = entry_row(session.game, entry), entry.seq in counting
        reader.data({**row, "counts": counts})
        mark, when = " " if counts else "×", entry.time.astimezone().strftime("%H:%M:%S")
        reader.say(f"{entry.seq:4} {mark} {when}  {entry.source.value:7}  {row['event']}")
    if not reader.json:
        for told in answer_lines(session.game.key, session_answer(session, reader.put)):
            reader.say(*told)
    return Exit.DONE


def _export(session: Session, output: str | None) -> int:
    from companion.sessions.json_lines import write_session

    content = "".join(f"{line}\n" for line in write_session(session)).encode()
    if output is None:
        sys.stdout.buffer.write(content)
        return Exit.DONE
    try:
        Path(output).write_bytes(content)
    except OSError as error:
        raise StoreError(
            _("%(file)s cannot be written: %(reason)s.", file=output, reason=str(error.strerror))
        ) from error
    return Exit.DONE


def _read(file: str) -> Session:
    """The session of a file; what is wrong with one that was edited by hand is said with what to do."""
    from companion.commands.documents import read_text
    from companion.games import GAMES
    from companion.sessions.json_lines import read_session

    text = read_text(file)
    try:
        return read_session(text.split("\n"), GAMES)
    except NotationError as error:
        reason = _(
            "%(reason)s Nothing was imported: put it right in the file, and import it again.",
            reason=error.message,
        )
        raise NotationError(reason) from error


def _import(reader: Terminal, store: SessionRepository, file: str) -> int:
    from companion.sessions.json_lines import import_session

    try:
        session = _read(file)
        new = import_session(store, session)
    except CompanionError as error:
        return reader.wrong(file, error)
    reader.data({"id": session.id, "entries": len(session.entries), "imported": new})
    reader.say(
        _("Game %(id)s is in the log now.", id=session.id)
        if new
        else _("Game %(id)s was in the log already, to the letter.", id=session.id)
    )
    return Exit.DONE
