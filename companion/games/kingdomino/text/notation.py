"""Kingdomino in text: events one a line, kingdoms as drawings.

    line 5 16 17 26
    kings 1 3 4 2
    1 takes 26
    1 lays 26 at 1,0 E
    1 discards 47 because "it fell off the table"
    end
    1 shows 5 w0w0f1/..##l2

Players are counted from 1 in the order they sit. In a drawing each square is a terrain's letter and its crowns,
`..` an empty place, `##` the castle, `/` the end of a row; the number before it is the side of the area.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import Way, first_match, player_of, split_reason, with_reason
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    Event,
    GameStopped,
    KingdomShown,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.rules.kingdom import (
    HOME,
    Cell,
    Direction,
    Kingdom,
    Placement,
    kingdom_around_castle,
)
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Square, parse_square

MOST_PLAYERS = 4

LARGEST_DRAWING = 13
"""Rows and columns we read: a kingdom of 7 squares in any direction from its castle."""

FARTHEST = LARGEST_DRAWING - 1
"""Columns and rows from the castle that a domino may lie at, against the rules if need be."""

_LAYS = re.compile(r"([0-9]+) lays ([0-9]+) at (-?[0-9]+),(-?[0-9]+) ([ESWN])")
_VERB = re.compile(r"([0-9]+) (takes|discards) ([0-9]+)")
_SHOWS = re.compile(r"([0-9]+) shows ([57]) (\S+)")
_END = re.compile(r"end")
_LIST = re.compile(r"(line|kings|removed)((?: [0-9]+)+)")


def write_event(event: Event) -> str:
    match event:
        case DominoesRemoved(dominoes):
            return _write_list("removed", dominoes)
        case LineDrawn(dominoes):
            return _write_list("line", dominoes)
        case KingsDrawn(players):
            return _write_list("kings", (player + 1 for player in players))
        case DominoChosen(player, domino):
            return f"{player + 1} takes {domino}"
        case DominoPlaced(player, placement):
            text = f"{player + 1} lays {placement.domino} at {placement.x},{placement.y} {placement.direction.value}"
            return with_reason(text, placement.because)
        case DominoDiscarded(player, domino, because):
            return with_reason(f"{player + 1} discards {domino}", because)
        case GameStopped():
            return "end"
        case KingdomShown(player, kingdom):
            return f"{player + 1} shows {kingdom.size} {write_kingdom(kingdom)}"


def parse_event(line: str) -> Event:
    event = first_match(line, _EVENTS)
    if event:
        return event
    if split_reason(line)[0].strip() == "line":  # the button of the page, with no domino ticked
        raise NotationError(_("Tick the dominoes that were drawn first."))
    raise NotationError(_("“%(text)s” is not a move of Kingdomino.", text=line[:80]))


def _write_list(word: str, numbers: Iterable[int]) -> str:
    return " ".join((word, *map(str, numbers)))


def _parse_lays(found: re.Match[str], because: str) -> Event:
    player, domino, x, y, direction = found.groups()
    placement = Placement(_domino(domino), _coordinate(x), _coordinate(y), Direction(direction), because)
    return DominoPlaced(_player(player), placement)


def _parse_verb(found: re.Match[str], because: str) -> Event:
    player, verb, domino = found.groups()
    if verb == "takes":
        return DominoChosen(_player(player), _domino(domino))
    return DominoDiscarded(_player(player), _domino(domino), because)


def _parse_shows(found: re.Match[str], _because: str) -> Event:
    player, size, drawing = found.groups()
    return KingdomShown(_player(player), parse_kingdom(drawing, int(size)))


def _parse_list(found: re.Match[str], _because: str) -> Event:
    word, numbers = found[1], found[2].split()
    if word == "kings":
        return KingsDrawn(tuple(map(_player, numbers)))
    dominoes = tuple(map(_domino, numbers))
    return LineDrawn(dominoes) if word == "line" else DominoesRemoved(dominoes)


_EVENTS: tuple[Way[Event], ...] = (
    (_LAYS, _parse_lays),
    (_VERB, _parse_verb),
    (_SHOWS, _parse_shows),
    (_LIST, _parse_list),
    (_END, lambda _found, _because: GameStopped()),
)


def _player(text: str) -> int:
    return player_of(text, MOST_PLAYERS)


def _domino(text: str) -> int:
    if len(text) > 2 or int(text) not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=text[:8]))
    return int(text)


def _coordinate(text: str) -> int:
    if len(text) > 3 or abs(int(text)) > FARTHEST:
        raise NotationError(_("%(number)s is too far from the castle.", number=text[:8]))
    return int(text)


def write_kingdom(kingdom: Kingdom) -> str:
    left, top, right, bottom = kingdom.bounds
    rows = (
        "".join(_write_cell(kingdom, (x, y)) for x in range(left, right + 1)) for y in range(top, bottom + 1)
    )
    return "/".join(rows)


def _write_cell(kingdom: Kingdom, cell: Cell) -> str:
    if cell == HOME:
        return "##"
    square = kingdom.squares.get(cell)
    return str(square) if square else ".."


def parse_kingdom(drawing: str, size: int) -> Kingdom:
    """The kingdom of a drawing; it may be impossible, but not larger than its area."""
    rows = [[row[i : i + 2] for i in range(0, len(row), 2)] for row in drawing.split("/")]
    if len(rows) > LARGEST_DRAWING or max(map(len, rows)) > LARGEST_DRAWING:
        raise NotationError(_("This drawing of a kingdom is too large."))
    squares = {
        (x, y): _read_cell(text) for y, row in enumerate(rows) for x, text in enumerate(row) if text != ".."
    }
    kingdom = kingdom_around_castle(squares, size)
    if kingdom is None or list(squares.values()).count(CASTLE) > 1:
        raise NotationError(_("A drawing of a kingdom has one castle, written ##."))
    if max(kingdom.bounds.columns, kingdom.bounds.rows) > size:
        raise NotationError(_("A kingdom has at most %(size)d by %(size)d squares.", size=size))
    return kingdom


def _read_cell(text: str) -> Square:
    if text == "##":
        return CASTLE
    try:
        return parse_square(text)
    except ValueError as error:
        raise NotationError(_("“%(text)s” is not a square of a kingdom.", text=text)) from error
