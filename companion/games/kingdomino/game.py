"""Kingdomino as the house sees it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from companion.core.errors import IllegalEvent
from companion.core.game import (
    Colour,
    Option,
    Player,
    Remark,
    Setup,
    SimpleGame,
    Turn,
    check_setup,
)
from companion.core.message import message as _
from companion.games.kingdomino.page.board import board_view
from companion.games.kingdomino.rules import problems, scoring
from companion.games.kingdomino.rules.correction import KingdominoEntryReader
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoPlaced,
    Event,
    GameStopped,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.rules.moves import apply
from companion.games.kingdomino.rules.pieces import DOMINOES, first_of_twins
from companion.games.kingdomino.rules.position import OPTIONS, Phase, Position, Variant, overrules, start
from companion.games.kingdomino.sight.layout import COLOURS, KingdominoSight
from companion.games.kingdomino.text import documents, notation, words


class Kingdomino(SimpleGame[Position, Event]):
    """The protocol `companion.core.game.Game`, each part by the module that knows it."""

    key = "kingdomino"
    name = _("Kingdomino")
    seats = range(2, 5)
    colours: Sequence[Colour] = COLOURS
    sight = KingdominoSight()
    options: Sequence[Option] = OPTIONS
    folder = Path(__file__).parent
    documents = documents

    apply = staticmethod(apply)
    tally = staticmethod(scoring.tally)
    page = staticmethod(board_view)
    write = staticmethod(notation.write_event)
    parse = staticmethod(notation.parse_event)
    entry_reader = KingdominoEntryReader

    def start(self, setup: Setup) -> Position:
        check_setup(self, setup)
        variants = frozenset(map(Variant, setup.options))
        if Variant.MIGHTY_DUEL in variants and len(setup.players) != 2:
            raise IllegalEvent(_("The Mighty Duel is for two players."))
        if {Variant.DYNASTY, Variant.SCORE_ONLY} <= variants:
            raise IllegalEvent(_("A dynasty is three whole games: count each of them on its own."))
        return start(len(setup.players), variants)

    def legal(self, position: Position) -> Sequence[Event]:
        player = position.player
        if position.phase is Phase.PLACE and player is not None and position.domino is not None:
            places = position.kingdoms[player].placements_of(position.domino)
            placed: list[Event] = [DominoPlaced(player, placement) for placement in places]
            return placed or [DominoDiscarded(player, position.domino)]
        choosers = (
            [player] if player is not None else [p for p in range(position.players) if position.kings_left(p)]
        )
        free = [slot.domino for slot in position.open_line if slot.player is None]
        return [DominoChosen(chooser, domino) for chooser in choosers for domino in free]

    def draw(self, position: Position, seed: int) -> Event | None:
        random = Random(seed)
        if position.phase is Phase.DRAW:
            known = () if position.game_ended else (*position.drawn, *position.removed)
            left = sorted(set(DOMINOES).difference(known))
            return LineDrawn(first_of_twins(random.sample(left, position.line_length), left))
        if (
            position.phase is Phase.CHOOSE_FIRST
            and not position.kings
            and not any(slot.player is not None for slot in position.line)
        ):
            hand = [*range(position.players)] * position.kings_each
            return KingsDrawn(tuple(random.sample(hand, len(hand))))
        return None

    def stop(self, position: Position) -> Event | None:
        return None if position.shown or position.phase is Phase.OVER else GameStopped()

    def turn(self, position: Position) -> Turn:
        return Turn(words.next_action(position), position.player, position.phase is Phase.OVER)

    def problems(self, position: Position) -> Sequence[Remark]:
        found = [Remark(text, player) for player, text in overrules(position)]
        if position.shown:
            found += [Remark(text, player) for text, player in problems.table_problems(position.kingdoms)]
        return found

    def describe(self, event: Event, position: Position, players: Sequence[Player]) -> Remark:  # noqa: ARG002
        return words.describe_event(event)
