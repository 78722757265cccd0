"""JSON in and out: `companion score kingdomino`, `companion replay kingdomino`, and their answers told at a
terminal.

`score_document` and `replay_document` take what `json.loads` gave and return what `json.dumps` takes;
whatever is wrong in a document is a `NotationError` that says where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from companion.core.document import (
    Json,
    as_object,
    coordinate,
    placed_errors,
    player_index,
    value_of,
    whole_number,
)
from companion.core.errors import NotationError
from companion.core.game import Line
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.tally import Standing
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    Event,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.rules.kingdom import (
    HOME,
    Cell,
    Direction,
    Kingdom,
    Placement,
    Property,
    kingdom_around_castle,
)
from companion.games.kingdomino.rules.moves import apply
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, TERRAIN_NAMES, Square, Terrain
from companion.games.kingdomino.rules.position import Phase, Position, Variant, start
from companion.games.kingdomino.rules.scoring import (
    harmony_points,
    largest_property,
    middle_kingdom_points,
    property_points,
    rank,
)
from companion.games.kingdomino.text.notation import MOST_PLAYERS

MAX_COORDINATE = 100
"""Coordinates beyond this are a mistake."""


def dominoes_of(numbers: object) -> tuple[int, ...]:
    if not isinstance(numbers, list):
        raise NotationError(_("A line is a list of dominoes, not %(line)s.", line=str(numbers)[:40]))
    return tuple(map(domino_of, numbers))


def domino_of(number: object) -> int:
    domino = whole_number(number, min(DOMINOES), max(DOMINOES))
    if domino is None:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)[:20]))
    return domino


def place_of(number: object) -> int:
    return coordinate(number, MAX_COORDINATE)


def direction_of(move: Json) -> Direction:
    name = value_of(move, "dir", str)
    if name not in set(Direction):
        raise NotationError(_("“dir” is E, S, W or N, not “%(name)s”.", name=name[:20]))
    return Direction(name)


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


MOST_CELLS = 400
"""Cells we read of one kingdom, empty ones included: a grid around any kingdom is smaller."""


def score_document(document: object) -> Json:
    """A kingdom's points; with `players` a ranking as well, with `domino` what may be done with it."""
    table = as_object(document)
    if "players" in table:
        kingdoms = [_kingdom(as_object(player))[0] for player in value_of(table, "players", list)]
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
    game = as_object(document)
    position, legal = replay_game(game)
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
    domino = domino_of(value_of(table, "domino", int))
    places = kingdom.placements_of(domino)
    about: dict[str, Any] = {"legal_placements": len(places), "may_discard": not places}
    if "dir" in table:
        x, y = place_of(value_of(table, "x", int)) - home[0], place_of(value_of(table, "y", int)) - home[1]
        about["legal"] = Placement(domino, x, y, direction_of(table)) in places
    return about


def _kingdom(table: Json) -> tuple[Kingdom, Cell]:
    """The kingdom of a document, and where its castle lies there."""
    size = value_of(table, "size", int, 5)
    if size not in (5, 7):
        raise NotationError(_("“size” is 5 or 7, not %(size)d.", size=size))
    if "placements" in table:
        kingdom = Kingdom(size)
        for row in value_of(table, "placements", list):
            kingdom = kingdom.laid(_placement(row))
        return kingdom, HOME
    squares = _squares(value_of(table, "cells", list))
    castles = [cell for cell, square in squares.items() if square == CASTLE]
    lying = kingdom_around_castle(squares, size)
    if lying is None or len(castles) != 1:
        raise NotationError(_("A kingdom has one castle; this one has %(count)d.", count=len(castles)))
    if max(lying.bounds.columns, lying.bounds.rows) > size:
        raise NotationError(_("A kingdom has at most %(size)d by %(size)d squares.", size=size))
    return lying, castles[0]


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
        cell = place_of(x), place_of(y)
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
    return Placement(domino_of(domino), place_of(x), place_of(y), direction_of({"dir": direction}))


_COUNTED: Mapping[str, Message] = {
    "base": _("Without bonuses"),
    "middle": _("With the Middle Kingdom"),
    "harmony": _("With Harmony"),
    "both": _("With both bonuses"),
}
_WON_BY: Mapping[str, Message] = {
    "score": _("by points"),
    "largest_property": _("by the largest property"),
    "crowns": _("by the most crowns"),
    "shared": _("shared"),
}


def tell_answer(answer: Json) -> Iterator[Line]:
    if "kingdoms" not in answer:
        yield from tell_kingdom(_("Kingdom"), answer)
        yield from _tell_domino(answer)
        return
    for number, kingdom in enumerate(answer["kingdoms"], start=1):
        yield from tell_kingdom(_("Kingdom %(number)d", number=number), kingdom)
    for key, ranking in answer["ranking"].items():
        totals = [kingdom["totals"][key] for kingdom in answer["kingdoms"]]
        yield from _tell_ranking(_COUNTED[key], totals, ranking)


def tell_kingdom(title: Message, kingdom: Json) -> Iterator[Line]:
    """A kingdom's points and, where they were counted, how they come about."""
    yield from _tell_points(title, kingdom["score"])
    if "properties" not in kingdom:
        return
    for found in sorted(kingdom["properties"], key=lambda found: -found["points"]):
        working = f"   {found['size']:2} × {found['crowns']} = {found['points']:3} "
        yield working, TERRAIN_NAMES[Terrain(found["terrain"])]
    totals = kingdom["totals"]
    for key in ("middle", "harmony"):
        if totals[key] > totals["base"]:
            yield "   ", _COUNTED[key], f"= {totals[key]}"
    yield (
        "   ",
        _(
            "Largest property: %(size)d · crowns: %(crowns)d",
            size=kingdom["largest_property"],
            crowns=kingdom["total_crowns"],
        ),
    )


def _tell_points(name: Message | str, points: int) -> Iterator[Line]:
    yield (_n("%(name)s: %(count)d point", "%(name)s: %(count)d points", points, name=name),)


def _tell_domino(answer: Json) -> Iterator[Line]:
    if "legal_placements" in answer:
        places = answer["legal_placements"]
        yield (_n("The domino fits in %(count)d way.", "The domino fits in %(count)d ways.", places),)
    if "legal" in answer:
        yield (_("This placement is legal.") if answer["legal"] else _("This placement is not legal."),)


def _tell_ranking(counted: Message, totals: list[int], ranking: Json) -> Iterator[Line]:
    points = " · ".join(map(str, totals))
    wins = _victory([str(winner + 1) for winner in ranking["winners"]], ranking["decided_by"])
    yield (_("%(counted)s: %(points)s; %(wins)s", counted=counted, points=points, wins=wins),)


def _victory(names: list[str], decided_by: str) -> Message:
    reason = _WON_BY.get(decided_by, decided_by)
    return _("victory: %(names)s, %(reason)s", names=", ".join(names), reason=reason)
