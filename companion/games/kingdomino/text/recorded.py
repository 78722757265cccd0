"""A whole game that a script wrote down, played again move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from companion.core.document import Json, as_object, placed_errors, player_index, value_of
from companion.core.errors import NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    Event,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.rules.kingdom import Placement
from companion.games.kingdomino.rules.moves import apply
from companion.games.kingdomino.rules.position import Phase, Position, start
from companion.games.kingdomino.rules.variants import Variant
from companion.games.kingdomino.text.documents import direction_of, domino_of, dominoes_of, place_of
from companion.games.kingdomino.text.notation import MOST_PLAYERS


def replay_game(game: Json) -> tuple[Position, list[int]]:
    """The last position of a game, and how many placements each move had to choose from."""
    variants = {Variant.MIGHTY_DUEL} if value_of(game, "mighty_duel", bool, False) else set()
    players = value_of(game, "players", int)
    if players not in (2, 3, 4) or (variants and players != 2):
        raise NotationError(_("“players” is 2, 3 or 4, and 2 in a Mighty Duel."))
    position, legal = start(players, frozenset(variants)), []
    lines = enumerate(value_of(game, "lines", list), start=1)
    for where, read in _events(game):
        with placed_errors(where):
            event = read()
        if position.phase is Phase.DRAW and not isinstance(event, (DominoesRemoved, KingsDrawn)):
            position = _drawn(position, lines)
        if isinstance(event, (DominoPlaced, DominoDiscarded)) and position.domino is not None:
            legal.append(len(position.kingdoms[position.player or 0].placements_of(position.domino)))
        with placed_errors(where):
            position = apply(position, event)
    return position, legal


def _drawn(position: Position, lines: Iterator[tuple[int, object]]) -> Position:
    for number, line in lines:
        with placed_errors(_("Line %(number)d", number=number)):
            return apply(position, LineDrawn(dominoes_of(line)))
    raise NotationError(_("“lines” ends before the game does."))


def _events(game: Json) -> Iterator[tuple[Message, Callable[[], Event]]]:
    """Each event, still to be read, with its place in the document as people count."""
    if value_of(game, "removed", list, []):
        yield _("“%(key)s”", key="removed"), lambda: DominoesRemoved(dominoes_of(game["removed"]))
    if "king_draw" in game:
        yield (
            _("“%(key)s”", key="king_draw"),
            lambda: KingsDrawn(tuple(map(_player, value_of(game, "king_draw", list)))),
        )
    for number, choice in enumerate(value_of(game, "setup_choices", list), start=1):
        yield _("Setup choice %(number)d", number=number), partial(_choice, choice)
    for number, move in enumerate(value_of(game, "events", list), start=1):
        where = _("Move %(number)d", number=number)
        yield where, partial(_move, move)
        if move.get("chooses") is not None:
            yield where, partial(_choice, move)


def _player(number: object) -> int:
    return player_index(number, MOST_PLAYERS)


def _choice(row: object) -> Event:
    move = as_object(row)
    return DominoChosen(_player(value_of(move, "player", int)), domino_of(value_of(move, "chooses", int)))


def _move(row: object) -> Event:
    move = as_object(row)
    player, domino = _player(value_of(move, "player", int)), domino_of(value_of(move, "domino", int))
    because = value_of(move, "because", str, "")
    match value_of(move, "action", str):
        case "place":
            x, y = place_of(value_of(move, "x", int)), place_of(value_of(move, "y", int))
            return DominoPlaced(player, Placement(domino, x, y, direction_of(move), because))
        case "discard":
            return DominoDiscarded(player, domino, because)
        case action:
            raise NotationError(_("“action” is place or discard, not “%(action)s”.", action=action[:20]))
