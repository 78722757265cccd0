"""Kingdomino as photos of it are read: the protocol `companion.core.photo.PhotoSight`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.core.document import Json
from companion.core.game import Colour, Line
from companion.core.lattice import Cell
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.observation import Face
from companion.core.photo import (
    NO_PIECE,
    JointQuestion,
    Lesson,
    PhotoSight,
    PhotoTable,
    ScoredBy,
    SeenSquares,
    Settled,
    empty_places,
)
from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.rules.kingdom import Kingdom, kingdom_around_castle
from companion.games.kingdomino.rules.pieces import CASTLE, SQUARES, Square
from companion.games.kingdomino.rules.position import Position, Variant
from companion.games.kingdomino.rules.problems import conflicts, kingdom_problems
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.layout import COLOURS, castle_face, square_face
from companion.games.kingdomino.sight.lessons import LESSONS, UNPICTURED, castle_colour, pictured, piece_name
from companion.games.kingdomino.sight.photo import (
    KingdomReading,
    TilingResult,
    ask_about_shared,
    believe_dominoes,
    believe_table,
    beside_hidden,
    describe_photographed,
    find_tilings,
    judge_kingdom,
    leads_without_looking,
    share_box,
    tell_photographed,
)
from companion.games.kingdomino.sight.tiling import half_named, square_of

DUEL = 2
"""Players of a game with larger kingdoms."""


class KingdominoPhotos(PhotoSight[KingdomReading]):
    """A kingdom is a lattice of squares; dominoes, each in the box once, explain it."""

    lessons = LESSONS
    labels = (*map(str, SQUARES), "castle")
    single: Collection[Hashable] = (CASTLE,)
    owned = True
    spreads = False
    track = None
    groups = "kingdoms"
    options = frozenset({Variant.SCORE_ONLY.value})
    unpictured = UNPICTURED
    nothing = NO_PIECE

    def kind(self, label: str) -> Square | None:
        return square_of(label)

    def label(self, kind: Hashable) -> str:
        return "castle" if kind == CASTLE else str(kind)

    def teaches(self, kind: Hashable) -> tuple[str, int] | None:
        return None if kind == CASTLE else (self.label(kind), 0)

    def choices(self, kind: Hashable | None) -> Sequence[Hashable]:  # noqa: ARG002
        return [*SQUARES, CASTLE]

    def joint(self, question: str, count: int) -> JointQuestion:  # noqa: ARG002
        return empty_places(count)

    def ground(self, label: str) -> Hashable:
        square = square_of(label)
        return square.terrain if square else None

    def part(self, label: str) -> tuple[str, int] | None:
        half = half_named(label)
        return (str(half[0]), int(half[1])) if half else None

    def name(self, label: str) -> Message:
        return piece_name(label)

    def title(self, name: str) -> Message:
        return _("Kingdom of %(name)s", name=name)

    def face(self, label: str, colour: str = "") -> Face:
        square = square_of(label) or CASTLE
        if square != CASTLE:
            return square_face(square)
        return castle_face(Colour(castle_colour(label) or colour or COLOURS[0]))

    def likely(self, kind: Hashable) -> Sequence[Hashable]:
        """One crown more or less."""
        if not isinstance(kind, Square):
            return ()
        return [
            one
            for one, count in SQUARES.items()
            if count and one.terrain == kind.terrain and abs(one.crowns - kind.crowns) == 1
        ]

    def pictured(self, name: str) -> Lesson | None:
        return pictured(name)

    def explain(self, seen: Sequence[SeenSquares]) -> Sequence[KingdomReading | None]:
        kingdoms = share_box([find_tilings(one.rows, one.scores, one.bare) for one in seen])
        judged = ask_about_shared(kingdoms, [judge_kingdom(one) for one in kingdoms])
        return [
            read and replace(_believed(read.doubting(one), found, one), colour=_castle_colour(read, one))
            for one, found, read in zip(seen, kingdoms, judged, strict=True)
        ]

    def settle(self, shown: KingdomReading, squares: Mapping[Cell, Square], table: PhotoTable) -> Settled:
        position: Position = table.position
        larger = max(_spans(squares)) > position.size
        kingdom = kingdom_around_castle(squares, position.size)
        if larger:
            return Settled(
                None,
                property_points(kingdom) if kingdom else None,
                refused=_larger(squares, position.size),
                meant=Variant.MIGHTY_DUEL.value if position.players == DUEL else "",
            )
        others = {
            player.name: one
            for number, (player, one) in enumerate(zip(table.setup.players, position.kingdoms, strict=True))
            if number != table.player
        }
        return Settled(
            KingdomShown(table.player, kingdom) if kingdom else None,
            property_points(kingdom) if kingdom else None,
            _complete(shown, position.size),
            tuple(_troubles(kingdom, others)),
        )

    def describe(
        self, shown: KingdomReading, columns: int, rows: int, scored: ScoredBy | None, say: Say
    ) -> dict[str, Any]:
        return describe_photographed(shown, columns, rows, scored is not None, say)

    def tell(self, group: Json, number: int) -> Iterable[Line]:
        return tell_photographed(group, number)


def _believed(read: KingdomReading, found: TilingResult, seen: SeenSquares) -> KingdomReading:
    """Without the questions that everything else in the picture answers."""
    told = believe_dominoes(read, leads_without_looking(read, found.known), found.caution)
    return believe_table(told, found, frozenset(seen.table) - beside_hidden(read))


def _castle_colour(read: KingdomReading, seen: SeenSquares) -> str:
    """The colour of the starting tile that the castle's place looks most like."""
    home = next((cell for cell, square in read.squares.items() if square == CASTLE), None)
    if home is None:
        return ""
    likest = max(zip(seen.scores[home], seen.rows, strict=True), key=lambda one: one[0])[1]
    return castle_colour(likest.label)


def _complete(shown: KingdomReading, size: int) -> bool:
    """Whether no row or column can be missing: five rows of a kingdom of seven look like a whole kingdom of five."""
    return min(len({cell[axis] for cell in shown.ranked}) for axis in (0, 1)) >= size


def _spans(squares: Iterable[Cell]) -> tuple[int, int]:
    """Columns and rows from the first piece to the last."""
    axes = tuple(zip(*squares, strict=True)) or ((0,), (0,))
    return max(axes[0]) - min(axes[0]) + 1, max(axes[1]) - min(axes[1]) + 1


def _larger(squares: Iterable[Cell], size: int) -> Message:
    columns, rows = _spans(squares)
    return _(
        "This kingdom has %(columns)d by %(rows)d squares, and the game was started for %(size)d by %(size)d. "
        "Tap what does not belong to it, or:",
        columns=columns,
        rows=rows,
        size=size,
    )


def _troubles(kingdom: Kingdom | None, others: Mapping[str, Kingdom]) -> Iterator[Message]:
    if kingdom is None:
        yield _("There is no castle yet: tap the square where it stands.")
        return
    yield from kingdom_problems(kingdom)
    yield from conflicts(kingdom, others)
