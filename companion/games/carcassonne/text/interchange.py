"""The JSON of `companion score carcassonne` and `companion replay carcassonne`: what scripts hand in and get back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from companion.core.document import Json, as_object, placed_errors, player_index, value_of
from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.carcassonne.rules.events import (
    FollowerPlaced,
    NoFollower,
    StartLaid,
    TileDiscarded,
    TileLaid,
    WholeTable,
)
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position, add_counts, show_table, start
from companion.games.carcassonne.rules.scoring import Count
from companion.games.carcassonne.rules.tiles import START_TILE
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.text.documents import (
    follower_of,
    follower_part,
    placement_of,
    placement_of_row,
    players_of,
    points_of,
    rows_of,
    variants_of,
)
from companion.games.carcassonne.text.notation import MOST_TILES, tile_of
from companion.games.carcassonne.text.problems import Problem, problems
from companion.games.carcassonne.text.tally import telling_order


def score_document(document: object) -> Json:
    """The end of a game, from the table as it lies."""
    table = as_object(document)
    players = players_of(table)
    lying = WholeTable(
        tuple(map(placement_of_row, rows_of(table, "tiles"))),
        tuple(map(partial(follower_of, players=players), rows_of(table, "followers"))),
        tuple(map(points_of, value_of(table, "scores", list, [0] * players))),
    )
    if not lying.tiles:
        raise NotationError(_("There is no tile on this table."))
    if len(lying.points) != players:
        raise NotationError(_("“scores” needs the points of each of the %(count)d players.", count=players))
    position = show_table(start(players, variants_of(table) | {Variant.SCORE_ONLY}), lying)
    return {
        **_final(position),
        "problems": [_told(problem) for problem in problems(position)],
        "holes": [list(cell) for cell in position.holes],
        "tiles_left": dict(position.bag),
    }


def _told(problem: Problem) -> str:
    """A problem in words, with the places that the page would light."""
    where = f" [{' '.join(problem.where)}]" if problem.where else ""
    if problem.player is None:
        return f"{problem.text}{where}"
    return str(_("Player %(player)d: %(problem)s", player=problem.player + 1, problem=problem.text)) + where


def replay_document(document: object) -> Json:
    """A whole game, move by move."""
    game = as_object(document)
    position = start(players_of(game), variants_of(game))
    if "start" in game:
        with placed_errors(_("“%(key)s”", key="start")):
            first = {"tile": START_TILE, "x": 0, "y": 0, "rot": 0, **as_object(game["start"])}
            position = apply(position, StartLaid(placement_of(first)))
    moves = []
    rows = value_of(game, "moves", list)
    if len(rows) > MOST_TILES:
        raise NotationError(_("There are too many moves in this game."))
    for number, row in enumerate(rows, start=1):
        with placed_errors(_("Move %(number)d", number=number)):
            position, answer = _moved(position, as_object(row))
            moves.append(answer)
    return {"id": game.get("id"), "moves": moves, **_final(position)}


def _moved(position: Position, move: Json) -> tuple[Position, Json]:
    """The position after a whole turn, and what is to be told of it."""
    player = player_index(value_of(move, "player", int), position.players)
    discarded = () if move.get("discarded_before") is None else value_of(move, "discarded_before", list)
    for letter in discarded:
        position = apply(position, TileDiscarded(player, tile_of(str(letter))))
    placement, because = placement_of(move), value_of(move, "because", str, "")
    part = follower_part(placement.tile, move.get("meeple"))
    places = sum(1 for _place in position.board.placements(placement.tile))
    laid = apply(position, TileLaid(player, placement, because=because))
    claims = [id for _x, _y, id in laid.claims]
    after = _ended_turn(laid, player, (placement.x, placement.y, part), because)
    return after, {
        "scores": list(after.points),
        "scored": list(_entries(after.scored[len(position.scored) :])),
        "placements": places,
        "followers": sorted(claims),
        "supply": [after.supply(number) for number in range(after.players)],
        "if_ended_now": list(add_counts(after.points, after.outlook)),
    }


def _ended_turn(laid: Position, player: int, segment: tuple[int, int, str], because: str) -> Position:
    if segment[2]:
        return apply(laid, FollowerPlaced(player, segment, because))
    return apply(laid, NoFollower(player)) if laid.phase is Phase.FOLLOWER else laid


def _final(position: Position) -> dict[str, Any]:
    """The end, were it now."""
    scores = add_counts(position.points, position.outlook)
    counts = sorted(position.outlook, key=telling_order)
    best = max(scores)
    return {
        "final": {"scores": list(scores), "lines": list(_entries(counts))},
        "winners": [player for player, points in enumerate(scores) if points == best],
    }


def _entries(counts: Iterable[Count]) -> Iterator[dict[str, Any]]:
    """Each count once for everybody who gets its points."""
    for count in counts:
        for owner in count.owners:
            x, y, part = count.at(owner)
            yield {
                "player": owner,
                "kind": count.kind.value,
                "points": count.points,
                "count": count.counted,
                "tiles": count.tiles,
                "pennants": count.pennants,
                "cities": len(count.cities),
                "complete": count.complete,
                "at": {"x": x, "y": y, "feature": part},
                "working": count.working,
            }
