"""The JSON of `companion score kingdomino` and `companion replay kingdomino`: what scripts hand in and get back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.document import Json, as_object, value_of
from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.tally import Standing
from companion.games.kingdomino.rules.kingdom import HOME, Cell, Kingdom, Placement, Property, kingdom_of
from companion.games.kingdomino.rules.pieces import CASTLE, Square, Terrain
from companion.games.kingdomino.rules.scoring import (
    harmony_points,
    largest_property,
    middle_kingdom_points,
    property_points,
    rank,
)
from companion.games.kingdomino.text.documents import direction_of, domino_of, place_of
from companion.games.kingdomino.text.recorded import replay_game

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
