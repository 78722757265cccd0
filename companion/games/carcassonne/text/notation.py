"""Carcassonne in text: events one a line.

    first D at 0,0 W          1 draws K                  1 lays K at 0,1 S
    1 places c0 at 0,1        1 places none              1 lays K at 0,1 S with c0
    2 discards C              end                        2 lays U at 5,5 N because "it slipped"
    table D@0,0W K@0,1S | 1:c0@0,1 | 31 44
    1 has 31                  scores city 5 2 for 1    scores field 3 for 1 2

Players are counted from 1 in the order they sit. A tile is a letter of the rulebook's chart, its column and
row counted from the first tile to the right and down, and the direction the top of the chart's picture points
to. The parts of a tile are roads (`r0`), cities (`c0`), the monastery (`m0`) and fields (`f0`). What is told in
numbers has its tiles and pennants, or the complete cities of a field, and its owners.
"""

from __future__ import annotations

import re

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import Way, first_match, player_of, with_reason
from companion.games.carcassonne.rules.board import TILES, FeatureKind, Placement, Segment
from companion.games.carcassonne.rules.events import (
    Event,
    FeatureTold,
    FollowerPlaced,
    GameEnded,
    NoFollower,
    StartLaid,
    TableShown,
    TileDiscarded,
    TileDrawn,
    TileLaid,
    TrackTold,
    WholeTable,
)

DIRECTIONS = "NESW"
"""Where the top of a tile's picture points after 0, 1, 2 and 3 quarter turns."""

MOST_PLAYERS = 5

FARTHEST = 99
"""Columns and rows from the first tile: 72 tiles in a row stay below."""

MOST_TILES = 200
"""Tiles and followers we read of one table, impossible ones included."""

MOST_POINTS = 9999

_NONE = "none"
_AT = r"at (-?[0-9]+),(-?[0-9]+)"
_FIRST = re.compile(rf"first (\w+) {_AT} ([NESW])")
_LAYS = re.compile(rf"([0-9]+) lays (\w+) {_AT} ([NESW])(?: with (\w+))?")
_DRAWS = re.compile(r"([0-9]+) draws (\w+)")
_DISCARDS = re.compile(r"([0-9]+) discards (\w+)")
_PLACES = re.compile(rf"([0-9]+) places (\w+) {_AT}")
_KEEPS = re.compile(rf"([0-9]+) places {_NONE}")
_HAS = re.compile(r"([0-9]+) has ([0-9]+)")
_SCORES = re.compile(
    r"scores (road|city|monastery|field) ([0-9]{1,3})(?: ([0-9]{1,2}))? for ([0-9]+(?: [0-9]+)*)"
)
_END = re.compile(r"end")
_TABLE = re.compile(r"table([^|]*)\|([^|]*)\|([0-9 ]*)")
_TILE_LIES = re.compile(r"(\w+)@(-?[0-9]+),(-?[0-9]+)([NESW])")
_FOLLOWER_STANDS = re.compile(r"([0-9]+):(\w+)@(-?[0-9]+),(-?[0-9]+)")


def write_event(event: Event) -> str:
    match event:
        case StartLaid(placement):
            return f"first {_write_placement(placement)}"
        case TileDrawn(player, tile):
            return f"{player + 1} draws {tile}"
        case TileDiscarded(player, tile, because):
            return with_reason(f"{player + 1} discards {tile}", because)
        case TileLaid(player, placement, follower, because):
            text = f"{player + 1} lays {_write_placement(placement)}"
            return with_reason(f"{text} with {follower}" if follower else text, because)
        case FollowerPlaced(player, (x, y, part), because):
            return with_reason(f"{player + 1} places {part} at {x},{y}", because)
        case NoFollower(player):
            return f"{player + 1} places {_NONE}"
        case GameEnded():
            return "end"
        case TableShown(table):
            return write_table(table)
        case TrackTold(player, points):
            return f"{player + 1} has {points}"
        case FeatureTold(kind, things, owners, pennants):
            numbers = f"{things} {pennants}" if pennants else f"{things}"
            return f"scores {kind.value} {numbers} for {' '.join(str(owner + 1) for owner in owners)}"


def parse_event(line: str) -> Event:
    event = first_match(line, _EVENTS)
    if event:
        return event
    raise NotationError(_("“%(text)s” is not a move of Carcassonne.", text=line[:80]))


def _write_placement(placement: Placement) -> str:
    return f"{placement.tile} at {placement.x},{placement.y} {DIRECTIONS[placement.turn]}"


def write_table(table: WholeTable) -> str:
    tiles = [f"{tile}@{x},{y}{DIRECTIONS[turn]}" for tile, x, y, turn in table.tiles]
    followers = [f"{player + 1}:{part}@{x},{y}" for player, (x, y, part) in table.followers]
    parts = (tiles, followers, [str(points) for points in table.points])
    return " ".join(("table", " | ".join(" ".join(part) for part in parts))).strip()


def _parse_lays(found: re.Match[str], because: str) -> Event:
    player, *placement, follower = found.groups()
    laid = _placement(*placement)
    return TileLaid(_player(player), laid, part_of(laid.tile, follower) if follower else "", because)


def _parse_places(found: re.Match[str], because: str) -> Event:
    player, part, x, y = found.groups()
    return FollowerPlaced(_player(player), _segment(part, x, y), because)


def _parse_table(found: re.Match[str], _because: str) -> Event:
    tiles, followers, points = (part.split() for part in found.groups())
    if max(len(tiles), len(followers), len(points)) > MOST_TILES:
        raise NotationError(_("There is too much on this table."))
    return TableShown(
        WholeTable(tuple(map(_lying, tiles)), tuple(map(_standing, followers)), tuple(map(_points, points)))
    )


def _parse_scores(found: re.Match[str], _because: str) -> Event:
    kind, things, pennants, owners = found.groups()
    return FeatureTold(
        FeatureKind(kind), int(things), tuple(map(_player, owners.split())), int(pennants or 0)
    )


_EVENTS: tuple[Way[Event], ...] = (
    (_LAYS, _parse_lays),
    (_KEEPS, lambda found, _because: NoFollower(_player(found[1]))),
    (_PLACES, _parse_places),
    (_DRAWS, lambda found, _because: TileDrawn(_player(found[1]), tile_of(found[2]))),
    (_DISCARDS, lambda found, because: TileDiscarded(_player(found[1]), tile_of(found[2]), because)),
    (_FIRST, lambda found, _because: StartLaid(_placement(*found.groups()))),
    (_HAS, lambda found, _because: TrackTold(_player(found[1]), _points(found[2]))),
    (_SCORES, _parse_scores),
    (_END, lambda _found, _because: GameEnded()),
    (_TABLE, _parse_table),
)


def _lying(text: str) -> Placement:
    found = _TILE_LIES.fullmatch(text)
    if not found:
        raise NotationError(_("“%(text)s” is not a tile as it lies.", text=text[:40]))
    return _placement(*found.groups())


def _standing(text: str) -> tuple[int, Segment]:
    found = _FOLLOWER_STANDS.fullmatch(text)
    if not found:
        raise NotationError(_("“%(text)s” is not a follower as it stands.", text=text[:40]))
    player, part, x, y = found.groups()
    return _player(player), _segment(part, x, y)


def _placement(tile: str, x: str, y: str, direction: str) -> Placement:
    return Placement(tile_of(tile), _coordinate(x), _coordinate(y), DIRECTIONS.index(direction))


def _segment(part: str, x: str, y: str) -> Segment:
    if not any(part in tile.parts for tile in TILES.values()):
        raise NotationError(_("There is no part “%(part)s” of a tile.", part=part[:8]))
    return _coordinate(x), _coordinate(y), part


def _player(text: str) -> int:
    return player_of(text, MOST_PLAYERS)


def tile_of(letter: str) -> str:
    if letter not in TILES:
        raise NotationError(_("There is no tile “%(tile)s”.", tile=letter[:8]))
    return letter


def part_of(tile: str, part: str) -> str:
    if part not in TILES[tile].parts:
        raise NotationError(_("Tile %(tile)s has no part “%(part)s”.", tile=tile, part=part[:8]))
    return part


def _coordinate(text: str) -> int:
    if len(text) > 3 or abs(int(text)) > FARTHEST:
        raise NotationError(_("%(number)s is too far from the first tile.", number=text[:8]))
    return int(text)


def _points(text: str) -> int:
    if len(text) > len(str(MOST_POINTS)):
        raise NotationError(_("Nobody has %(points)s points.", points=text[:8]))
    return int(text)
