"""What is worth measuring about Carcassonne; the house has the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from random import Random

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.rules.events import Event, TileLaid
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position, add_counts, start

CARCASSONNE = Carcassonne()
CARCASSONNE_GAMES = 20
PLAYERS = 5

Work = Callable[[], object]


def random_carcassonne(seed: int) -> Iterator[tuple[Position, Event]]:
    """Each position of a game whose players lay and place at random, and what happens there."""
    random, position = Random(seed), start(PLAYERS, frozenset())
    while position.phase is not Phase.OVER:
        event = _any_event(position, random)
        yield position, event
        position = apply(position, event)


def _any_event(position: Position, random: Random) -> Event:
    if position.phase is Phase.LAY and (places := list(position.board.placements(position.drawn))):
        return TileLaid(position.player, random.choice(places))
    return CARCASSONNE.draw(position, random.getrandbits(64)) or random.choice(CARCASSONNE.legal(position))


def carcassonne_final() -> Iterator[Work]:
    for seed in range(CARCASSONNE_GAMES):
        position, event = list(random_carcassonne(seed))[-1]
        last = apply(position, event)
        for _again in range(10):
            yield partial(_count_the_end, replace(last))  # a copy has counted nothing yet


def _count_the_end(position: Position) -> tuple[int, ...]:
    return add_counts(position.points, position.outlook)


def carcassonne_placements() -> Iterator[Work]:
    for seed in range(CARCASSONNE_GAMES):
        for position, _event in random_carcassonne(seed):
            if position.phase is Phase.LAY:
                yield partial(_find_places, position)


def _find_places(position: Position) -> int:
    return len(list(position.board.placements(position.drawn)))


def tile_laying() -> Iterator[Work]:
    for seed in range(CARCASSONNE_GAMES):
        for position, event in random_carcassonne(seed):
            if isinstance(event, TileLaid):
                yield partial(apply, position, event)


def carcassonne_games() -> Iterator[Work]:
    for seed in range(CARCASSONNE_GAMES):
        yield partial(_play, seed)


def _play(seed: int) -> int:
    return sum(1 for _event in random_carcassonne(seed))


CARCASSONNE_BENCHES: Mapping[str, tuple[Message, Callable[[], Iterator[Work]]]] = {
    "carcassonne-final": (_("count a full board of Carcassonne, fields included"), carcassonne_final),
    "carcassonne-places": (_("find every place for a tile"), carcassonne_placements),
    "carcassonne-lay": (_("lay a tile, and see what may be claimed"), tile_laying),
    "carcassonne-game": (_("play a whole game of five at random"), carcassonne_games),
}
"""By the name of the bench: what it does, and each piece of work to be timed."""
