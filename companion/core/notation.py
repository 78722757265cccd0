"""One line of text for every entry of a log; what a game's own events look like is the game's affair.

start kingdomino harmony with "Ana" pink, "Rui" blue
withdraw 7
restore 7
correct 5: 1 takes 26; 7: nothing
session named "Friday"
session closed
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import AnyGame, Colour, Player, Setup, check_setup
from companion.core.log import (
    Change,
    Corrected,
    Filed,
    FiledAs,
    Restored,
    Started,
    Unreadable,
    Withdrawn,
)
from companion.core.message import Message
from companion.core.message import message as _

Event = TypeVar("Event")
Way = tuple[re.Pattern[str], Callable[[re.Match[str], str], Event]]
"""A pattern of a line, and what builds its event from what was found and the reason given."""

LINE_LIMIT = 20_000
"""Longest line of notation we read; a correction of a whole dynasty stays well below."""

REASON_LIMIT = 200
"""Longest reason for overruling the rules."""

SESSION_NAME_LIMIT = 40
"""Longest name of a session, in characters: it is a line of a list."""

AS_IT_LIES = _("as it lies on the table")
"""The reason where people let stand what the camera has seen; every log has it in English."""

NOTHING = "nothing"
_BACK = "back "
"""Before the number of the correction that is taken back."""
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_START = re.compile(
    rf"start (?P<game>\S+)(?P<options>(?: [a-z_]+)*?) with (?P<players>{_QUOTED} \w+(?:, {_QUOTED} \w+)*)"
)
_PLAYER = re.compile(rf"({_QUOTED}) (\w+)")
_BECAUSE = re.compile(rf"(?P<event>.*?) because (?P<reason>{_QUOTED})")
_PART = re.compile(rf'(?:[^";]|{_QUOTED})+')
_PARTS = re.compile(rf"{_PART.pattern}(?:;{_PART.pattern})*")
_LOG_WORD = re.compile(r"(?:withdraw|restore|correct|session)\b")


def quote(text: str) -> str:
    """Text in quotation marks, safe in a line of notation."""
    # A line is printable throughout; a no-break space or the joiner inside an emoji is not.
    written = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in written)


def unquote(text: str) -> str:
    try:
        read = str(json.loads(text))
        read.encode()
    except ValueError as error:
        raise NotationError(_("%(text)s is not properly quoted.", text=text[:80])) from error
    return read


def player_of(text: str, players: int) -> int:
    """A player as a line of notation counts them, from 1."""
    if text not in map(str, range(1, players + 1)):
        raise NotationError(_("There is no player %(player)s.", player=text[:8]))
    return int(text) - 1


def first_match(line: str, ways: Iterable[Way[Event]]) -> Event | None:
    """The event a line stands for by the first pattern that fits all of it; each is built with the reason given."""
    text, because = split_reason(line)
    for pattern, build in ways:
        if found := pattern.fullmatch(text):
            return build(found, because)
    return None


def with_reason(text: str, because: str) -> str:
    """Add to a line of notation why people overrule the rules."""
    return f"{text} because {quote(because)}" if because else text


def split_reason(text: str) -> tuple[str, str]:
    """A line of notation without its reason, and the reason."""
    found = _BECAUSE.fullmatch(text)
    if not found:
        return text, ""
    because = unquote(found["reason"])
    if len(because) > REASON_LIMIT:
        raise NotationError(_("A reason has %(limit)d characters at most.", limit=REASON_LIMIT))
    return found["event"], because


def told_reason(because: str) -> Message | str:
    """A reason for people to read: the companion's own in their language, theirs as they wrote it."""
    return AS_IT_LIES if because == AS_IT_LIES.text else because


def write_entry(game: AnyGame, event: object) -> str:
    """The entry's event in one line."""
    match event:
        case Started(setup):
            return _write_start(game, setup)
        case Withdrawn(seq):
            return f"withdraw {seq}"
        case Restored(seq):
            return f"restore {seq}"
        case Corrected(changes, back):
            parts = (
                f"{c.seq}: {NOTHING if c.event is None else write_entry(game, c.event)}" for c in changes
            )
            return f"correct {'; '.join([*([f'{_BACK}{back}'] if back else []), *parts])}"
        case Filed(FiledAs.NAMED, name):
            return f"session {FiledAs.NAMED} {quote(name)}"
        case Filed(said):
            return f"session {said}"
        case Unreadable(text):
            return text
        case _:
            return game.write(event)


def parse_entry(game: AnyGame, text: str) -> object:
    """The event a line stands for."""
    if len(text) > LINE_LIMIT or not text.isprintable():
        raise NotationError(_("This line is too long, or has characters that do not belong in it."))
    keyword, _space, rest = text.partition(" ")
    match keyword:
        case "start":
            return Started(_parse_start(game, text))
        case "withdraw":
            return Withdrawn(_number(rest))
        case "restore":
            return Restored(_number(rest))
        case "correct":
            return _parse_correction(game, rest)
        case "session":
            return _parse_filed(rest)
        case _:
            return game.parse(text)


def parse_move(game: AnyGame, text: str) -> object:
    """The event of a line that has to be one of the game's own: undo and corrections have their own ways in."""
    event = parse_entry(game, text)
    if isinstance(event, (Started, Withdrawn, Restored, Corrected, Filed)):
        raise NotationError(_("“%(text)s” is not a move.", text=text[:80]))
    return event


def read_entry(game: AnyGame, text: str) -> object:
    """Like `parse`, but keeps what it does not understand: a log is never refused."""
    try:
        return parse_entry(game, text)
    except NotationError as error:
        return Unreadable(text, str(error))


def _write_start(game: AnyGame, setup: Setup) -> str:
    words = ["start", game.key, *sorted(setup.options), "with"]
    players = ", ".join(f"{quote(player.name)} {player.colour.value}" for player in setup.players)
    return f"{' '.join(words)} {players}"


def _parse_start(game: AnyGame, text: str) -> Setup:
    found = _START.fullmatch(text)
    if not found or found["game"] != game.key:
        raise NotationError(
            _("“%(text)s” does not start a game of %(game)s.", text=text[:80], game=game.name)
        )
    try:
        players = tuple(
            Player(unquote(name), Colour(colour)) for name, colour in _PLAYER.findall(found["players"])
        )
        setup = Setup(players, frozenset(found["options"].split()))
        check_setup(game, setup)
    except (IllegalEvent, NotationError) as error:
        raise NotationError(error.message) from error
    except ValueError as error:
        raise NotationError(_("“%(text)s” names a colour we do not know.", text=text[:80])) from error
    return setup


def _parse_filed(text: str) -> Filed:
    said, _space, name = text.partition(" ")
    if said not in set(FiledAs) or bool(name) != (said == FiledAs.NAMED):
        raise NotationError(_("“%(text)s” does not say how the session is kept.", text=text[:80]))
    return Filed(FiledAs(said), check_session_name(unquote(name)) if name else "")


def check_session_name(name: str) -> str:
    """The name without blanks around it, or NotationError where a list could not show it."""
    name = name.strip()
    if len(name) > SESSION_NAME_LIMIT or not name.isprintable():
        raise NotationError(
            _("A session's name has %(limit)d characters at most, in one line.", limit=SESSION_NAME_LIMIT)
        )
    return name


def _parse_correction(game: AnyGame, text: str) -> Corrected:
    if not _PARTS.fullmatch(text):
        raise NotationError(_("“%(text)s” does not say which entry to correct.", text=text[:80]))
    first, *others = parts = [part.strip() for part in _PART.findall(text)]
    if not first.startswith(_BACK):
        return Corrected(tuple(_parse_change(game, part) for part in parts))
    return Corrected(tuple(_parse_change(game, part) for part in others), _number(first.removeprefix(_BACK)))


def _parse_change(game: AnyGame, part: str) -> Change:
    seq, colon, event = part.partition(": ")
    if not colon:
        raise NotationError(_("“%(text)s” does not say which entry to correct.", text=part[:80]))
    if _LOG_WORD.match(event):
        raise NotationError(
            _("“%(text)s” has no place in a correction: say what happened in the game.", text=event[:80])
        )
    return Change(_number(seq), None if event == NOTHING else parse_entry(game, event))


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise NotationError(_("“%(text)s” is not the number of an entry.", text=text[:20]))
    return int(text)
