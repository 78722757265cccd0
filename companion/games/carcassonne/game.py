"""Carcassonne as the house sees it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from companion.core.game import Colour, Option, Player, Remark, Setup, SimpleGame, Turn, check_setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.page.presenter import page
from companion.games.carcassonne.rules.board import upright
from companion.games.carcassonne.rules.correction import CarcassonneEntryReader
from companion.games.carcassonne.rules.events import (
    Event,
    FollowerPlaced,
    GameEnded,
    NoFollower,
    TileDiscarded,
    TileDrawn,
    TileLaid,
)
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position, start
from companion.games.carcassonne.rules.variants import OPTIONS, Variant, check_variants
from companion.games.carcassonne.sight.layout import COLOURS, CarcassonneSight
from companion.games.carcassonne.text import documents, notation, words
from companion.games.carcassonne.text.tally import tally
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
    documents = documents
    first_begins: Message | None = _("The youngest decides.")  # Rulebook 001, preparation

    apply = staticmethod(apply)
    tally = staticmethod(tally)
    page = staticmethod(page)
    write = staticmethod(notation.write_event)
    parse = staticmethod(notation.parse_event)
    entry_reader = CarcassonneEntryReader

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        variants = frozenset(map(Variant, setup.options))
        check_variants(variants)
        return start(len(setup.players), variants)

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

    def stop(self, position: Position) -> Event | None:
        return GameEnded() if position.begun and position.phase not in (Phase.SHOW, Phase.OVER) else None

    def turn(self, position: Position) -> Turn:
        asked = position.phase not in (Phase.SHOW, Phase.OVER)
        return Turn(
            words.next_action(position), position.player if asked else None, position.phase is Phase.OVER
        )

    def problems(self, position: Position) -> Sequence[Remark]:
        return tuple(problems(position))

    def describe(self, event: Event, position: Position, players: Sequence[Player]) -> Remark:  # noqa: ARG002
        return words.describe(event, players)
