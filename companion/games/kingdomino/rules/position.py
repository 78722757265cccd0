"""Where a game of Kingdomino stands, and the variants it is played by: rulebook 002.

A `Position` is immutable and says everything that lies on the table, the box included; what the table waits
for (`phase`, `player`, `domino`) follows from it. Players are counted from 0 in the order they sit, dominoes
by the number on their back.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum

from companion.core.game import Option
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import told_reason
from companion.games.kingdomino.rules.kingdom import Kingdom

GAMES_OF_A_DYNASTY = 3
MIDDLE_KINGDOM_POINTS = 10
HARMONY_POINTS = 5


class Variant(StrEnum):
    """The keys of the options."""

    MIDDLE_KINGDOM = "middle_kingdom"
    HARMONY = "harmony"
    DYNASTY = "dynasty"
    MIGHTY_DUEL = "mighty_duel"
    SCORE_ONLY = "score_only"


OPTIONS = (
    Option(
        Variant.MIDDLE_KINGDOM,
        _("The Middle Kingdom"),
        _(
            "%(points)d points more for a castle in the very middle of its kingdom.",
            points=MIDDLE_KINGDOM_POINTS,
        ),
    ),
    Option(
        Variant.HARMONY,
        _("Harmony"),
        _("%(points)d points more for a complete kingdom, no domino discarded.", points=HARMONY_POINTS),
    ),
    Option(
        Variant.DYNASTY, _("Dynasty"), _("Three games in a row; the most points of all three together win.")
    ),
    Option(
        Variant.MIGHTY_DUEL,
        _("The Mighty Duel"),
        _("For two players: all 48 dominoes, kingdoms of 7 by 7 squares."),
    ),
    Option(
        Variant.SCORE_ONLY, _("Only count the points"), _("The game is over: tap in each kingdom as it lies.")
    ),
)


def area(variants: Set[str]) -> int:
    """The side of the square a kingdom has to fit in."""
    return 7 if Variant.MIGHTY_DUEL in variants else 5


class Phase(StrEnum):
    """What the table is waiting for."""

    DRAW = "draw"
    CHOOSE_FIRST = "choose_first"
    PLACE = "place"
    CHOOSE = "choose"
    SHOW = "show"
    OVER = "over"


@dataclass(frozen=True)
class Slot:
    """A domino in a line and whose king stands on it."""

    domino: int
    player: int | None = None


@dataclass(frozen=True)
class Discard:
    """A domino that went back into the box."""

    domino: int
    because: str = ""


Line = tuple[Slot, ...]


@dataclass(frozen=True)
class Position:
    """Everything that lies on the table, the box included."""

    variants: frozenset[Variant]
    kingdoms: tuple[Kingdom, ...]
    discards: tuple[tuple[Discard, ...], ...]
    removed: tuple[int, ...] = ()
    kings: tuple[int, ...] = ()
    """The order the kings were drawn in, when the table told it."""
    drawn: tuple[int, ...] = ()
    """Every domino that has come out of the box, in the order of the lines."""
    line: Line = ()
    """The line whose dominoes are being placed."""
    placed: int = 0
    """How many dominoes of the line have left it."""
    choosing: bool = False
    """Whether the player who placed last still has to set a king on the next line."""
    next_line: Line = ()
    past: tuple[tuple[int, ...], ...] = ()
    """Points of the earlier games of a dynasty."""
    stopped: bool = False
    """Whether people stopped before the last domino."""

    @property
    def players(self) -> int:
        return len(self.kingdoms)

    @property
    def size(self) -> int:
        return area(self.variants)

    @property
    def kings_each(self) -> int:
        return 2 if self.players == 2 else 1

    @property
    def line_length(self) -> int:
        # Rulebook 002, "Preparação", A: as many dominoes as there are kings in play.
        return self.players * self.kings_each

    @property
    def dominoes_in_play(self) -> int:
        # Rulebook 002, "Preparação": 24, 36 or all 48 dominoes; all of them in the Mighty Duel.
        return 48 if Variant.MIGHTY_DUEL in self.variants else 12 * self.players

    @property
    def rounds(self) -> int:
        return self.dominoes_in_play // self.line_length

    @property
    def round(self) -> int:
        """The round being played, 0 while the first kings are set."""
        lines = len(self.drawn) // self.line_length
        return lines - bool(self.next_line) if self.phase is not Phase.CHOOSE_FIRST else 0

    @property
    def phase(self) -> Phase:
        if Variant.SCORE_ONLY in self.variants:
            return Phase.OVER if all(len(kingdom.squares) > 1 for kingdom in self.kingdoms) else Phase.SHOW
        if self.stopped:
            return Phase.OVER
        if not self.line:
            return Phase.DRAW
        if any(slot.player is None for slot in self.line):
            return Phase.CHOOSE_FIRST
        if self.choosing:
            return Phase.CHOOSE
        return self._phase_between_turns()

    def _phase_between_turns(self) -> Phase:
        if not self.next_line and len(self.drawn) < self.dominoes_in_play:
            return Phase.DRAW
        if self.placed < len(self.line):
            return Phase.PLACE
        return Phase.OVER if self.last_game else Phase.DRAW

    @property
    def last_game(self) -> bool:
        return Variant.DYNASTY not in self.variants or len(self.past) == GAMES_OF_A_DYNASTY - 1

    @property
    def shown(self) -> bool:
        """Whether kingdoms may be shown as they lie, however they came about."""
        return self.stopped or Variant.SCORE_ONLY in self.variants

    @property
    def game_ended(self) -> bool:
        """Whether all dominoes of this game are placed, another game of the dynasty to come or not."""
        return (
            bool(self.line)
            and self.placed == len(self.line)
            and not self.next_line
            and len(self.drawn) == self.dominoes_in_play
        )

    @property
    def player(self) -> int | None:
        """Whose turn it is, when it is somebody's."""
        match self.phase:
            case Phase.PLACE:
                return self.line[self.placed].player
            case Phase.CHOOSE:
                return self.line[self.placed - 1].player
            case Phase.CHOOSE_FIRST:
                return self._next_king()
            case _:
                return None

    @property
    def domino(self) -> int | None:
        """The domino to be placed now."""
        return self.line[self.placed].domino if self.phase is Phase.PLACE else None

    @property
    def open_line(self) -> Line:
        """The line kings are set on now."""
        match self.phase:
            case Phase.CHOOSE_FIRST:
                return self.line
            case Phase.CHOOSE:
                return self.next_line
            case _:
                return ()

    def kings_left(self, player: int) -> int:
        """Kings a player has still to set in the first line."""
        return self.kings_each - sum(slot.player == player for slot in self.line)

    def _next_king(self) -> int | None:
        if self.kings:
            return self.kings[sum(slot.player is not None for slot in self.line)]
        return None


def start(players: int, variants: frozenset[Variant], past: tuple[tuple[int, ...], ...] = ()) -> Position:
    """An empty table, each player with a castle."""
    return Position(variants, (Kingdom(area(variants)),) * players, ((),) * players, past=past)


def overrules(position: Position) -> Iterator[tuple[int, Message]]:
    """Where people overruled the rules, and why."""
    for player, (kingdom, discards) in enumerate(zip(position.kingdoms, position.discards, strict=True)):
        for laid in kingdom.placements:
            if laid.because:
                why = told_reason(laid.because)
                yield (
                    player,
                    _("Domino %(domino)d was laid against the rules: %(why)s", domino=laid.domino, why=why),
                )
        for gone in discards:
            if gone.because:
                why = told_reason(gone.because)
                yield (
                    player,
                    _(
                        "Domino %(domino)d was discarded although it fits: %(why)s",
                        domino=gone.domino,
                        why=why,
                    ),
                )
