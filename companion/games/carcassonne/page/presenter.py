"""What the page of Carcassonne draws, given what somebody is pointing at.

A person's wishes come with the address: those of `laying.py`, `drawing.py` and `sheet.py`, `step` (of the final
counting), `bag` (show the tiles left) and `done` (tell the track of a table that lies there whole). The keys of the
mapping are what the templates read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.games.carcassonne.page import drawing
from companion.games.carcassonne.page.drawing import explanation, looking_ahead, parse_cell, parse_place
from companion.games.carcassonne.page.laying import (
    Wish,
    bag_view,
    claim_views,
    corrected_entry,
    laying_view,
    table_editor,
)
from companion.games.carcassonne.page.sheet import TENS, room_after, sheet_view
from companion.games.carcassonne.rules.board import Cell, FeatureKind, Segment, cell_name, place_name
from companion.games.carcassonne.rules.events import FollowerPlaced, NoFollower, TileDrawn, TileLaid
from companion.games.carcassonne.rules.moves import turn_over
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.text.notation import write_event
from companion.games.carcassonne.text.tally import FinalStep, final_steps, telling_order
from companion.games.carcassonne.text.words import problems, still_missing

TRACK_SPACES = 50
_RIGHT, _DOWN = 15, 10
RING: tuple[tuple[int, int], ...] = (
    *((0, y) for y in range(_DOWN, 0, -1)),
    *((x, 0) for x in range(_RIGHT)),
    *((_RIGHT, y) for y in range(_DOWN)),
    *((x, _DOWN) for x in range(_RIGHT, 0, -1)),
)
"""The column and row of each space when the track is drawn as a ring, clockwise from its lower left corner."""


class TrackPlace(NamedTuple):
    """Where a player's follower is on the track."""

    space: int
    laps: int
    """Rulebook 001: after the first lap the follower lies down, which means 50 points more."""

    @property
    def at(self) -> tuple[int, int]:
        return RING[self.space]


def track_place(points: int) -> TrackPlace:
    laps, space = divmod(points, TRACK_SPACES)
    return TrackPlace(space, laps)


@dataclass(frozen=True)
class StepView(FinalStep):
    """A step of the final counting; number 0 is the track before the first of them."""

    number: int = 0
    of: int = 0

    @property
    def track(self) -> tuple[TrackPlace, ...]:
        return tuple(map(track_place, self.points))

    @property
    def last(self) -> bool:
        return self.number == self.of

    @property
    def cells(self) -> frozenset[Cell]:
        """Where the tiles of what it counts lie; of a photo that shows none of them nothing is told."""
        return frozenset((x, y) for x, y, _part in self.count.segments) if self.count else frozenset()


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    counts = sorted(position.outlook, key=telling_order) if looking_ahead(position) else ()
    about = parse_place(position, wish.get("about", ""))
    score_only = Variant.SCORE_ONLY in position.variants
    step = _step(position, wish.get("step", "")) if position.phase is Phase.OVER else None
    telling = step is not None and ("step" in wish or not score_only)
    standing = _with_farmers_alone(position) if step and step.farmers else position
    points = step.points if step else position.points
    sheet = sheet_view(position, wish) if score_only else None
    return {
        **({"room": room_after(sheet)} if sheet else {}),
        "sheet": sheet,
        "tens": TENS,
        "phase": position.phase.value,
        "player": position.player,
        "drawn": position.drawn,
        "tiles": tuple(drawing.tile_views(position.board).values()),
        "bounds": drawing.board_bounds(position),
        "followers": tuple(drawing.follower_views(standing)),
        "features": tuple(drawing.feature_views(standing)),
        "paths": tuple(drawing.part_paths()),
        "hatches": drawing.HATCHES,
        "supplies": [standing.supply(player) for player in range(position.players)],
        "points": points,
        "track": [*map(track_place, points)],
        "so_far": points if telling and step and not step.last else None,
        "spaces": RING,
        "looking_ahead": looking_ahead(position) and position.phase is not Phase.OVER,
        "bag": bag_view(position),
        "tiles_in_the_bag": position.tiles_in_the_bag,
        "discards": position.discards,
        "holes": () if score_only or position.phase is Phase.OVER else position.holes,
        "counts": tuple(counts),
        "scored": position.scored,
        "problems": tuple(place for problem in problems(position) for place in problem.where),
        "looked": _standing(position, wish.get("look", "")),
        "asked": explanation(position, wish),
        "touched": (place_name(about), cell_name(about[:2])) if about else (),
        "lay": _where_it_lay(wish),
        "forgotten": _forgotten(position, about) if about and not score_only else (),
        "step": step,
        "laying": laying_view(position, wish),
        "claims": claim_views(position, wish),
        "completing": turn_over(position).scored[len(position.scored) :],
        "no_follower": write_event(NoFollower(position.player)) if position.phase is Phase.FOLLOWER else "",
        "redraw": isinstance(corrected_entry(wish), TileDrawn),
        "showing": table_editor(position, wish) if score_only else None,
        "missing": tuple(still_missing(position)) if score_only else (),
    }


def _where_it_lay(wish: Wish) -> Cell | None:
    """Where the tile lies by the entry that is corrected, once people hold it elsewhere."""
    was, at = corrected_entry(wish), parse_cell(wish.get("at", ""))
    return was.placement.cell if at and isinstance(was, TileLaid) and was.placement.cell != at else None


def _forgotten(position: Position, segment: Segment) -> tuple[str, ...]:
    """What places a follower of each player on any tile, which needs a reason."""
    return tuple(write_event(FollowerPlaced(player, segment)) for player in range(position.players))


def _standing(position: Position, look: str) -> frozenset[str]:
    """Everything a player stands on, when somebody looks at that player."""
    player = int(look) - 1 if look in ("1", "2", "3", "4", "5") else None
    held = (feature for feature, holders in position.held.items() if player in [who for who, _at in holders])
    return frozenset(place_name(segment) for feature in held for segment in feature.segments)


def _step(position: Position, wished: str) -> StepView:
    """The step of the final counting that somebody has come to."""
    steps = [FinalStep(None, position.points), *final_steps(position)]
    of = len(steps) - 1
    number = min(int(wished), of) if wished.isdigit() and len(wished) < 4 else 0
    step = steps[number]
    return StepView(step.text, step.points, step.count, step.farmers, number, of)


def _with_farmers_alone(position: Position) -> Position:
    features = position.board.features
    farmers = {at: who for at, who in position.followers.items() if features[at].kind is FeatureKind.FIELD}
    return replace(position, followers=farmers)
