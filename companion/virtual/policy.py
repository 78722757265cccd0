"""What the people at the virtual table do next, and what of it a log has to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from random import Random
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.game import AnyGame

Policy = Callable[[AnyGame, Any], object | None]
"""What happens next at this position; None when nothing does."""


def worth_telling(game: AnyGame, position: Any, turn: Sequence[object]) -> list[object]:
    """What a log has to say of a turn: nothing that makes no difference to its end, such as which tile was drawn."""
    told = list(turn)
    end = _after(game, position, told)
    for event in turn[:-1]:
        rest = [one for one in told if one is not event]
        if _after(game, position, rest) == end:
            told = rest
    return told


def _after(game: AnyGame, position: Any, events: Sequence[object]) -> Any:
    """Where these events lead, or nowhere when the rules do not allow them."""
    try:
        return reduce(game.apply, events, position)
    except IllegalEvent:
        return None


def replay_policy(events: Iterable[object]) -> Policy:
    """Play what was played before."""
    left = iter(tuple(events))
    return lambda _game, _position: next(left, None)


def best_points(random: Random) -> Policy:
    """What the box gives, else what brings most points at once."""

    def choose(game: AnyGame, position: Any) -> object | None:
        turn = game.turn(position)
        drawn: object | None = None if turn.over else game.draw(position, random.getrandbits(64))
        choices = [] if turn.over or drawn is not None else list(game.legal(position))
        if not choices:
            return drawn
        random.shuffle(choices)
        mover = turn.player
        best: object = choices[0]
        if mover is not None:
            best = max(choices, key=lambda event: game.tally(game.apply(position, event)).totals[mover])
        return best

    return choose
