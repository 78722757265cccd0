"""Carcassonne as the house sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.core.game import Colour, Line, Option, Remark, Setup, SimpleGame, Turn, check_setup
from companion.core.message import message as _
from companion.core.tally import Tally
from companion.games.carcassonne.page.presenter import page
from companion.games.carcassonne.rules.board import upright
from companion.games.carcassonne.rules.events import (
    Event,
    FollowerPlaced,
    NoFollower,
    TileDiscarded,
    TileDrawn,
    TileLaid,
    follow,
    keep,
)
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position, start
from companion.games.carcassonne.rules.variants import OPTIONS, Variant, check_variants
from companion.games.carcassonne.sight.layout import COLOURS, CarcassonneSight
from companion.games.carcassonne.text import documents, notation, tally, words
from companion.games.carcassonne.text.words import problems


class Carcassonne(SimpleGame[Position, Event]):
    """The protocol `companion.core.game.Game`, each part by the module that knows it."""

    key = "carcassonne"
    name = _("Carcassonne")
    seats = range(2, 6)
    colours: Sequence[Colour] = COLOURS
    options: Sequence[Option] = OPTIONS
    folder = Path(__file__).parent
    sight = CarcassonneSight()

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        variants = frozenset(map(Variant, setup.options))
        check_variants(variants)
        return start(len(setup.players), variants)

    def apply(self, position: Position, event: Event) -> Position:
        return apply(position, event)

    def legal(self, position: Position) -> Sequence[Event]:
        player = position.player
        match position.phase:
            case Phase.FOLLOWER:
                claims: list[Event] = [FollowerPlaced(player, segment) for segment in position.claims]
                return [*claims, NoFollower(player)]
            case Phase.LAY:
                # Of rotations that look alike only one: nobody can tell which of them was meant.
                places = [
                    place
                    for place in position.board.placements(position.drawn)
                    if place.turn == upright(place.tile, place.turn)
                ]
                return [TileLaid(player, place) for place in places] or [
                    TileDiscarded(player, position.drawn)
                ]
            case _:
                return ()

    def draw(self, position: Position, seed: int) -> Event | None:
        if position.phase is not Phase.DRAW:
            return None
        left = {letter: count for letter, count in position.bag.items() if count > 0}
        tile = Random(seed).choices([*left], [*left.values()])[0]
        return TileDrawn(position.player, tile)

    def turn(self, position: Position) -> Turn:
        asked = position.phase not in (Phase.SHOW, Phase.OVER)
        return Turn(
            words.next_action(position), position.player if asked else None, position.phase is Phase.OVER
        )

    def tally(self, position: Position) -> Tally:
        return tally.tally(position)

    def problems(self, position: Position) -> Sequence[Remark]:
        return tuple(problems(position))

    def describe(self, event: Event) -> Remark:
        return words.describe(event)

    def follow(self, before: Event, after: Event, later: Event) -> Event:
        return follow(before, after, later)

    def keep(self, event: Event, because: str) -> Sequence[Event]:
        return keep(event, because)

    def write(self, event: Event) -> str:
        return notation.write_event(event)

    def parse(self, text: str) -> Event:
        return notation.parse_event(text)

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:
        return page(position, wish)

    def score_document(self, document: object) -> Mapping[str, Any]:
        return documents.score_document(document)

    def replay_document(self, document: object) -> Mapping[str, Any]:
        return documents.replay_document(document)

    def tell_answer(self, answer: Mapping[str, Any]) -> Iterable[Line]:
        return documents.tell_answer(answer)
