"""The JSON of `companion score carcassonne` and `companion replay carcassonne`.

What scripts hand in and get back, and how it is told to a person.

Tiles are `[x, y, letter, rot]`, followers `[player, x, y, feature]`, players counted from 0. Whatever cannot
be read raises `NotationError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from companion.core.game import Line, Remark
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.carcassonne.rules.board import (
    KIND_NAMES,
    START_TILE,
    TURNS,
    UNFINISHED,
    FeatureKind,
    Placement,
    Segment,
)
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
from companion.games.carcassonne.rules.variants import OPTIONS, Variant, check_variants
from companion.games.carcassonne.text.notation import (
    FARTHEST,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_TILES,
    part_of,
    tile_of,
)
from companion.games.carcassonne.text.tally import telling_order
from companion.games.carcassonne.text.words import problems

_RULES = {
    ("two_tile_city_points", 2): frozenset({Variant.TWO_TILE_CITIES}),
    ("two_tile_city_points", 4): frozenset[Variant](),
}
"""Rules that a document may name with their values, and the option of each."""


def players_of(table: Json) -> int:
    players = value_of(table, "players", int)
    # One player alone is no game, but a test of the rules.
    if not 1 <= players <= MOST_PLAYERS:
        raise NotationError(_("“players” is a number from 1 to %(most)d.", most=MOST_PLAYERS))
    return players


def variants_of(table: Json) -> frozenset[Variant]:
    """The options a document names by their keys, or in its `rules`."""
    variants: set[Variant] = set()
    for key in value_of(table, "options", list, []):
        if key not in [option.key for option in OPTIONS]:
            raise NotationError(_("There is no option called “%(option)s”.", option=str(key)[:40]))
        variants.add(Variant(key))
    for name in (rules := value_of(table, "rules", dict, {})):
        rule = (name, value_of(rules, name, int))
        if rule not in _RULES:
            raise NotationError(_("There is no rule “%(name)s” of %(value)d.", name=name[:40], value=rule[1]))
        variants |= _RULES[rule]
    check_variants(variants)
    return frozenset(variants - {Variant.SCORE_ONLY, Variant.PURIST})


def placement_of(move: Json) -> Placement:
    keys = {"x": int, "y": int, "tile": str, "rot": int}
    return placement_of_row([value_of(move, key, kind) for key, kind in keys.items()])


def placement_of_row(row: object) -> Placement:
    """A tile as `[x, y, letter, rot]`."""
    match row:
        case [x, y, str(letter), int(turn)] if turn in TURNS and not isinstance(turn, bool):
            return Placement(tile_of(letter), coordinate(x, FARTHEST), coordinate(y, FARTHEST), turn)
        case _:
            raise NotationError(_("A tile is [x, y, letter, rot], not %(row)s.", row=str(row)[:40]))


def follower_of(row: object, players: int) -> tuple[int, Segment]:
    """A follower as `[player, x, y, feature]`."""
    match row:
        case [player, x, y, str(part)]:
            return player_index(player, players), (coordinate(x, FARTHEST), coordinate(y, FARTHEST), part[:8])
        case _:
            raise NotationError(_("A follower is [player, x, y, feature], not %(row)s.", row=str(row)[:40]))


def points_of(number: object) -> int:
    points = whole_number(number, 0, MOST_POINTS)
    if points is None:
        raise NotationError(_("Nobody has %(points)s points.", points=str(number)[:20]))
    return points


def rows_of(table: Json, key: str) -> list[object]:
    rows = value_of(table, key, list, [])
    if len(rows) > MOST_TILES:
        raise NotationError(_("There is too much on this table."))
    return rows


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


def _told(problem: Remark) -> str:
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
    unmanned = move.get("meeple") is None
    part = "" if unmanned else part_of(placement.tile, value_of(move, "meeple", str))
    places = sum(1 for _place in position.board.placements(placement.tile))
    laid = apply(position, TileLaid(player, placement, because=because))
    claims = [id for _x, _y, id in laid.claims]
    after = _ended_turn(laid, player, (*placement.cell, part), because)
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


def tell_answer(answer: Json) -> Iterator[Line]:
    for number, move in enumerate(answer.get("moves", ()), start=1):
        for entry in move["scored"]:
            yield (_("Move %(number)d", number=number), ": ", *_entry(entry))
    for entry in answer["final"]["lines"]:
        yield ("   ", *_entry(entry))
    for player, points in enumerate(answer["final"]["scores"], start=1):
        yield (
            _n(
                "Player %(player)d: %(count)d point",
                "Player %(player)d: %(count)d points",
                points,
                player=player,
            ),
        )
    winners = ", ".join(str(winner + 1) for winner in answer["winners"])
    yield (_("Victory: %(players)s", players=winners),)
    for problem in answer.get("problems", ()):
        yield (f"! {problem}",)


def _entry(entry: Json) -> Line:
    kind = FeatureKind(entry["kind"])
    name = (KIND_NAMES if entry["complete"] else UNFINISHED)[kind]
    text = _("%(feature)s for player %(player)d", feature=name, player=entry["player"] + 1)
    return text, f" {entry['working']} = {entry['points']}"
