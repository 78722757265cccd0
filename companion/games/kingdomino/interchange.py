"""The JSON of `companion score kingdomino` and `companion replay kingdomino`: what scripts hand in and get back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.tally import Standing
from companion.games.kingdomino.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    Event,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.kingdom import HOME, Cell, Direction, Kingdom, Placement, Property, kingdom_of
from companion.games.kingdomino.moves import apply
from companion.games.kingdomino.pieces import CASTLE, DOMINOES, Square, Terrain
from companion.games.kingdomino.position import Phase, Position, start
from companion.games.kingdomino.scoring import (
    harmony_points,
    largest_property,
    middle_kingdom_points,
    property_points,
    rank,
)
from companion.games.kingdomino.variants import Variant

Json = Mapping[str, Any]
Kind = TypeVar("Kind")

FARTHEST = 100
"""Coordinates beyond this are a mistake."""

MOST_CELLS = 400
"""Cells we read of one kingdom, empty ones included: a grid around any kingdom is smaller."""

_NO_DEFAULT = object()


def score_document(document: object) -> Json:
    """A kingdom's points; with `players` a ranking as well, with `domino` what may be done with it."""
    table = _object(document)
    if "players" in table:
        kingdoms = [_kingdom(_object(player))[0] for player in _take(table, "players", list)]
        if not kingdoms:
            raise NotationError(_("There is no kingdom to score."))
        return {
            "kingdoms": [describe_kingdom(kingdom) for kingdom in kingdoms],
            "ranking": _rankings(kingdoms),
        }
    kingdom, home = _kingdom(table)
    return {**describe_kingdom(kingdom, home), **_about_domino(table, kingdom, home)}


def replay_document(document: object) -> Json:
    """A whole game, move by move."""
    game = _object(document)
    position, legal = _replay(game)
    kingdoms = position.kingdoms
    described = [
        {
            "player": player,
            **describe_kingdom(kingdom),
            "discarded": [d.domino for d in position.discards[player]],
        }
        for player, kingdom in enumerate(kingdoms)
    ]
    totals = {name: [_totals(kingdom)[name] for kingdom in kingdoms] for name in _totals(kingdoms[0])}
    return {
        "id": game.get("id"),
        "kingdoms": described,
        "totals": totals,
        "ranking": _rankings(kingdoms),
        "legal": legal,
    }


def describe_kingdom(kingdom: Kingdom, home: Cell = HOME) -> dict[str, Any]:
    """Everything there is to count in a kingdom; `home` is where its castle lies in the document's coordinates."""
    left, top, right, bottom = kingdom.bounds
    fits = max(abs(edge) for edge in kingdom.bounds) <= kingdom.size // 2
    full = kingdom.bounds.columns == kingdom.bounds.rows == kingdom.size
    return {
        "score": property_points(kingdom),
        "largest_property": largest_property(kingdom),
        "total_crowns": kingdom.crowns,
        "middle_kingdom": {"bbox": kingdom.centred, "full": kingdom.centred and full, "within": fits},
        "harmony": kingdom.complete,
        "properties": [_describe_property(found, home) for found in kingdom.properties()],
        "totals": _totals(kingdom),
        "bbox": [left + home[0], top + home[1], right + home[0], bottom + home[1]],
        "cells": [
            [x + home[0], y + home[1], square.terrain.value, square.crowns]
            for (x, y), square in sorted(kingdom.squares.items(), key=lambda item: (item[0][1], item[0][0]))
        ],
    }


def _describe_property(found: Property, home: Cell) -> dict[str, Any]:
    return {
        "terrain": found.terrain.value,
        "size": found.size,
        "crowns": found.crowns,
        "points": found.points,
        "cells": [[x + home[0], y + home[1]] for x, y in found.cells],
    }


def _totals(kingdom: Kingdom) -> dict[str, int]:
    base, middle, harmony = property_points(kingdom), middle_kingdom_points(kingdom), harmony_points(kingdom)
    return {"base": base, "middle": base + middle, "harmony": base + harmony, "both": base + middle + harmony}


def _rankings(kingdoms: Sequence[Kingdom]) -> dict[str, Any]:
    totals = [_totals(kingdom) for kingdom in kingdoms]
    return {name: _describe_standing(rank(kingdoms, [total[name] for total in totals])) for name in totals[0]}


def _describe_standing(standing: Standing) -> dict[str, Any]:
    decided_by = standing.decided_by.key if standing.decided_by else "shared"
    return {"ranks": list(standing.ranks), "winners": list(standing.winners), "decided_by": decided_by}


def _about_domino(table: Json, kingdom: Kingdom, home: Cell) -> dict[str, Any]:
    if "domino" not in table:
        return {}
    domino = _domino(_take(table, "domino", int))
    places = kingdom.placements_of(domino)
    about: dict[str, Any] = {"legal_placements": len(places), "may_discard": not places}
    if "dir" in table:
        x, y = _coordinate(_take(table, "x", int)) - home[0], _coordinate(_take(table, "y", int)) - home[1]
        about["legal"] = Placement(domino, x, y, _direction(table)) in places
    return about


def _kingdom(table: Json) -> tuple[Kingdom, Cell]:
    """The kingdom of a document, and where its castle lies there."""
    size = _take(table, "size", int, 5)
    if size not in (5, 7):
        raise NotationError(_("“size” is 5 or 7, not %(size)d.", size=size))
    if "placements" in table:
        kingdom = Kingdom(size)
        for row in _take(table, "placements", list):
            kingdom = kingdom.laid(_placement(row))
        return kingdom, HOME
    squares = _squares(_take(table, "cells", list))
    castles = [cell for cell, square in squares.items() if square == CASTLE]
    if len(castles) != 1:
        raise NotationError(_("A kingdom has one castle; this one has %(count)d.", count=len(castles)))
    home = castles[0]
    kingdom = kingdom_of({(x - home[0], y - home[1]): square for (x, y), square in squares.items()}, size)
    if max(kingdom.bounds.columns, kingdom.bounds.rows) > size:
        raise NotationError(_("A kingdom has at most %(size)d by %(size)d squares.", size=size))
    return kingdom, home


def _squares(rows: list[Any]) -> dict[Cell, Square]:
    squares: dict[Cell, Square] = {}
    if len(rows) > MOST_CELLS:
        raise NotationError(
            _("A kingdom has at most %(limit)d cells, empty ones included.", limit=MOST_CELLS)
        )
    for row in rows:
        if not isinstance(row, list) or len(row) != 4:
            raise NotationError(
                _("A cell is written [x, y, terrain, crowns], not %(row)s.", row=str(row)[:60])
            )
        x, y, terrain, crowns = row
        if terrain == "empty":
            continue
        cell = _coordinate(x), _coordinate(y)
        if cell in squares:
            raise NotationError(_("Two squares at %(x)d,%(y)d.", x=cell[0], y=cell[1]))
        squares[cell] = _square(terrain, crowns)
    return squares


def _square(terrain: object, crowns: object) -> Square:
    if not isinstance(terrain, str) or terrain not in set(Terrain):
        raise NotationError(_("“%(terrain)s” is not a terrain.", terrain=str(terrain)[:40]))
    most = 0 if terrain == Terrain.CASTLE else 3
    if not isinstance(crowns, int) or isinstance(crowns, bool) or not 0 <= crowns <= most:
        raise NotationError(
            _("A square has 0 to %(most)d crowns, not %(crowns)s.", most=most, crowns=str(crowns)[:20])
        )
    return Square(Terrain(terrain), crowns)


def _placement(row: object) -> Placement:
    if not isinstance(row, list) or len(row) != 4:
        raise NotationError(
            _("A placement is written [domino, x, y, direction], not %(row)s.", row=str(row)[:60])
        )
    domino, x, y, direction = row
    return Placement(_domino(domino), _coordinate(x), _coordinate(y), _direction({"dir": direction}))


def _replay(game: Json) -> tuple[Position, list[int]]:
    """The last position of a game, and how many placements each move had to choose from."""
    variants = {Variant.MIGHTY_DUEL} if _take(game, "mighty_duel", bool, False) else set()
    players = _take(game, "players", int)
    if players not in (2, 3, 4) or (variants and players != 2):
        raise NotationError(_("“players” is 2, 3 or 4, and 2 in a Mighty Duel."))
    position, legal = start(players, frozenset(variants)), []
    lines = enumerate(_take(game, "lines", list), start=1)
    for where, read in _events(game):
        with _told(where):
            event = read()
        if position.phase is Phase.DRAW and not isinstance(event, (DominoesRemoved, KingsDrawn)):
            position = _drawn(position, lines)
        if isinstance(event, (DominoPlaced, DominoDiscarded)) and position.domino is not None:
            legal.append(len(position.kingdoms[position.player or 0].placements_of(position.domino)))
        with _told(where):
            position = apply(position, event)
    return position, legal


def _drawn(position: Position, lines: Iterator[tuple[int, object]]) -> Position:
    for number, line in lines:
        with _told(_("Line %(number)d", number=number)):
            return apply(position, LineDrawn(_dominoes(line)))
    raise NotationError(_("“lines” ends before the game does."))


@contextmanager
def _told(where: Message) -> Iterator[None]:
    """What is wrong here is told with its place in the document."""
    try:
        yield
    except CompanionError as error:
        raise type(error)(_("%(where)s: %(reason)s", where=where, reason=error.message)) from error


def _events(game: Json) -> Iterator[tuple[Message, Callable[[], Event]]]:
    """Each event, still to be read, with its place in the document as people count."""
    if _take(game, "removed", list, []):
        yield _("“%(key)s”", key="removed"), lambda: DominoesRemoved(_dominoes(game["removed"]))
    if "king_draw" in game:
        yield (
            _("“%(key)s”", key="king_draw"),
            lambda: KingsDrawn(tuple(map(_player, _take(game, "king_draw", list)))),
        )
    for number, choice in enumerate(_take(game, "setup_choices", list), start=1):
        yield _("Setup choice %(number)d", number=number), partial(_choice, choice)
    for number, move in enumerate(_take(game, "events", list), start=1):
        where = _("Move %(number)d", number=number)
        yield where, partial(_move, move)
        if move.get("chooses") is not None:
            yield where, partial(_choice, move)


def _choice(row: object) -> Event:
    move = _object(row)
    return DominoChosen(_player(_take(move, "player", int)), _domino(_take(move, "chooses", int)))


def _move(row: object) -> Event:
    move = _object(row)
    player, domino = _player(_take(move, "player", int)), _domino(_take(move, "domino", int))
    because = _take(move, "because", str, "")
    match _take(move, "action", str):
        case "place":
            x, y = _coordinate(_take(move, "x", int)), _coordinate(_take(move, "y", int))
            return DominoPlaced(player, Placement(domino, x, y, _direction(move), because))
        case "discard":
            return DominoDiscarded(player, domino, because)
        case action:
            raise NotationError(_("“action” is place or discard, not “%(action)s”.", action=action[:20]))


def _dominoes(numbers: object) -> tuple[int, ...]:
    if not isinstance(numbers, list):
        raise NotationError(_("A line is a list of dominoes, not %(line)s.", line=str(numbers)[:40]))
    return tuple(map(_domino, numbers))


def _domino(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)[:20]))
    return number


def _player(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 4:
        raise NotationError(_("There is no player %(player)s.", player=str(number)[:20]))
    return number


def _coordinate(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > FARTHEST:
        raise NotationError(_("%(number)s is not a coordinate.", number=str(number)[:20]))
    return number


def _direction(move: Json) -> Direction:
    name = _take(move, "dir", str)
    if name not in set(Direction):
        raise NotationError(_("“dir” is E, S, W or N, not “%(name)s”.", name=name[:20]))
    return Direction(name)


def _object(document: object) -> Json:
    if not isinstance(document, dict):
        raise NotationError(_("A JSON object is needed here, not %(found)s.", found=str(document)[:40]))
    return document


def _take(table: Json, key: str, kind: type[Kind], default: object = _NO_DEFAULT) -> Kind:
    """The value of a key, of the kind it has to be."""
    value = table.get(key, default)
    if value is _NO_DEFAULT:
        raise NotationError(_("“%(key)s” is missing.", key=key))
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise NotationError(_("“%(key)s” cannot be %(value)s.", key=key, value=str(value)[:40]))
    return value
