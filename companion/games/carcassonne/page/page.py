"""What the page of Carcassonne draws, given what somebody is pointing at.

A person's wishes come with the address: those of `laying.py`, `why.py` and `showing.py`, `step` (of the final
counting) and `bag` (show the tiles left).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.core.message import Message
from companion.games.carcassonne.page import drawing
from companion.games.carcassonne.page.laying import (
    Wish,
    bag,
    claims,
    completing,
    forgotten,
    laying,
    meant,
    no_follower,
)
from companion.games.carcassonne.page.showing import showing
from companion.games.carcassonne.page.track import SPACES, TrackPlace, ring, track_place
from companion.games.carcassonne.page.why import CountView, asked, count_view, looking_ahead, parse_place
from companion.games.carcassonne.rules.events import GameEnded, TileDrawn
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.tiles import Kind
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.text import notation, words
from companion.games.carcassonne.text.closing import Step, closing
from companion.games.carcassonne.text.problems import problems
from companion.games.carcassonne.text.tally import telling_order


@dataclass(frozen=True)
class StepView:
    """A step of the final counting."""

    number: int
    of: int
    text: Message | None
    """None before the first one."""
    count: CountView | None
    points: tuple[int, ...]
    """What each player has on the track after it."""
    track: tuple[TrackPlace, ...]
    farmers: bool
    """Whether nobody but the farmers stands there any more."""

    @property
    def last(self) -> bool:
        return self.number == self.of


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    counts = sorted(position.outlook, key=telling_order) if looking_ahead(position) else ()
    about = parse_place(position, wish.get("about", ""))
    score_only = Variant.SCORE_ONLY in position.variants
    step = _step(position, wish.get("step", "")) if position.phase is Phase.OVER else None
    telling = step is not None and ("step" in wish or not score_only)
    standing = _with_farmers_alone(position) if step and step.farmers else position
    points = step.points if step else position.points
    return {
        "phase": position.phase.value,
        "player": position.player,
        "drawn": position.drawn,
        "tiles": tuple(drawing.tiles(position.board).values()),
        "bounds": drawing.bounds(position),
        "followers": tuple(drawing.followers(standing)),
        "features": tuple(drawing.features(standing)),
        "paths": tuple(drawing.paths()),
        "hatches": drawing.HATCHES,
        "supplies": [standing.supply(player) for player in range(position.players)],
        "points": points,
        "track": [*map(track_place, points)],
        "so_far": points if telling and step and not step.last else None,
        "spaces": tuple(map(ring, range(SPACES))),
        "looking_ahead": looking_ahead(position) and position.phase is not Phase.OVER,
        "bag": bag(position),
        "tiles_in_the_bag": position.tiles_in_the_bag,
        "discards": position.discards,
        "holes": () if score_only or position.phase is Phase.OVER else position.holes,
        "counts": tuple(map(count_view, counts)),
        "scored": tuple(map(count_view, position.scored)),
        "problems": tuple(place for problem in problems(position) for place in problem.where),
        "looked": _standing(position, wish.get("look", "")),
        "asked": asked(position, wish),
        "forgotten": forgotten(position, about) if about and not score_only else (),
        "step": step,
        "laying": laying(position, wish),
        "claims": claims(position, wish),
        "completing": completing(position),
        "no_follower": no_follower(position),
        "redraw": isinstance(meant(wish), TileDrawn),
        "showing": showing(position, wish) if score_only else None,
        "end": notation.write_event(GameEnded()) if position.phase is Phase.DRAW and position.begun else "",
    }


def _standing(position: Position, look: str) -> frozenset[str]:
    """Everything a player stands on, when somebody looks at that player."""
    player = int(look) - 1 if look in ("1", "2", "3", "4", "5") else None
    held = (feature for feature, holders in position.held.items() if player in [who for who, _at in holders])
    return frozenset(words.place(segment) for feature in held for segment in feature.segments)


def _step(position: Position, wished: str) -> StepView:
    """The step of the final counting that somebody has come to."""
    steps: list[Step] = [*closing(position)]
    number = min(int(wished), len(steps)) if wished.isdigit() and len(wished) < 4 else 0
    step = steps[number - 1] if number else None
    points = step.points if step else position.points
    return StepView(
        number=number,
        of=len(steps),
        text=step.text if step else None,
        count=count_view(step.count) if step and step.count else None,
        points=points,
        track=tuple(map(track_place, points)),
        farmers=bool(step and step.farmers),
    )


def _with_farmers_alone(position: Position) -> Position:
    features = position.board.features
    farmers = {at: who for at, who in position.followers.items() if features[at].kind is Kind.FIELD}
    return replace(position, followers=farmers)
