"""Carcassonne as photos of it are read: the protocol `companion.core.photo.PhotoSight`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.core.document import Json
from companion.core.game import COLOUR_NAMES, Colour, Line
from companion.core.lattice import Cell, LatticeMove
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.observation import Face
from companion.core.photo import (
    DOUBTED,
    JointQuestion,
    Lesson,
    PhotoSight,
    PhotoTable,
    ScoredBy,
    SeenSquares,
    Settled,
    UnsureSquare,
)
from companion.games.carcassonne.rules.board import TILES
from companion.games.carcassonne.rules.events import TableShown
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.sight.faces import placed_tile, tile_face
from companion.games.carcassonne.sight.joining import joined, line_up
from companion.games.carcassonne.sight.layout import COLOURS
from companion.games.carcassonne.sight.lessons import LESSONS, UNPICTURED, kind_name, pictured, piece_name
from companion.games.carcassonne.sight.photo import (
    ABOUT_FOLLOWERS,
    NOBODY,
    BoardReading,
    TileKind,
    kind_named,
    position_of,
    read_board,
    table_of,
)
from companion.games.carcassonne.sight.registration import SIDE_MM
from companion.games.carcassonne.sight.track import TRACK
from companion.games.carcassonne.text.documents import score_document
from companion.games.carcassonne.text.words import problems, tile_label


class CarcassonnePhotos(PhotoSight[BoardReading]):
    """A board of tiles whose edges continue each other, with followers on some of them."""

    lessons = LESSONS
    labels = tuple(map(tile_label, TILES))
    single: tuple[Hashable, ...] = ()
    owned = False
    spreads = True
    track = TRACK
    groups = ""
    options = frozenset({Variant.SCORE_ONLY.value})
    unpictured = UNPICTURED
    nothing = _("None of the box")

    def kind(self, label: str) -> TileKind | None:
        return kind_named(label)

    def label(self, kind: Hashable) -> str:
        return str(kind)

    def teaches(self, kind: Hashable) -> tuple[str, int] | None:
        if not isinstance(kind, TileKind) or kind.part:
            return None
        return tile_label(kind.letter), kind.turn

    def ground(self, label: str) -> Hashable:  # noqa: ARG002
        return "field"  # fields and cities lie side by side on most tiles

    def part(self, label: str) -> tuple[str, int] | None:  # noqa: ARG002
        return None

    def name(self, label: str) -> Message:
        return piece_name(label)

    def title(self, name: str) -> Message:  # noqa: ARG002
        return _("Carcassonne")

    def face(self, label: str, colour: str = "") -> Face:  # noqa: ARG002
        kind = kind_named(label)
        assert kind
        drawing = tile_face(kind.letter) if label in self.labels else placed_tile(*kind)
        return Face(label, SIDE_MM, SIDE_MM, drawing)

    def likely(self, kind: Hashable) -> Sequence[Hashable]:
        """Without a follower, where one is taken to stand."""
        return [kind.bare] if isinstance(kind, TileKind) and kind.part else []

    def choices(self, kind: Hashable | None) -> Sequence[Hashable]:
        """Turned otherwise, with a follower on any part, or another tile."""
        others = [TileKind(letter, 0) for letter in TILES]
        if not isinstance(kind, TileKind):
            return others
        standing = [
            TileKind(kind.letter, kind.turn, part, colour)
            for part in TILES[kind.letter].parts
            for colour in COLOURS
        ]
        return [*kind.turns, *standing, *(one for one in others if one.letter != kind.letter)]

    def joint(self, question: str, count: int) -> JointQuestion:
        if question == NOBODY:
            return JointQuestion(
                _n(
                    "Does nobody stand on this tile?",
                    "Does nobody stand on these %(count)d tiles?",
                    count,
                ),
                _("Right, nobody stands on any of them"),
                _("Somebody stands on one of them? Tap it."),
            )
        return JointQuestion(
            _n(
                "Is this none of the box's tiles?",
                "Are these %(count)d none of the box's tiles?",
                count,
            ),
            _("Right, they do not count"),
            _("One of them is a tile of the box? Tap it."),
        )

    def pictured(self, name: str) -> Lesson | None:
        return pictured(name)

    def explain(self, seen: Sequence[SeenSquares]) -> Sequence[BoardReading | None]:
        return [read and read.doubting(one) for one in map(joined, seen) for read in [read_board(one)]]

    def line_up(self, seen: Sequence[SeenSquares]) -> Sequence[LatticeMove | None]:
        return line_up(seen)

    def settle(self, shown: BoardReading, squares: Mapping[Cell, TileKind], table: PhotoTable) -> Settled:
        colours = [player.colour.value for player in table.setup.players]
        before = table.position.table
        lying = table_of(squares, colours, table.points or (before.points if before else ()))
        position = position_of(lying, len(colours))
        standing = {kind.colour for kind in squares.values() if kind.colour}
        for colour in sorted(standing - {*colours}):
            return Settled(None, refused=_nobody_plays(colour))
        left_out = _left_out(len(shown.ranked.keys() - squares.keys()))
        return Settled(TableShown(lying), troubles=(*left_out, *(one.text for one in problems(position))))

    def describe(
        self,
        shown: BoardReading,
        columns: int,  # noqa: ARG002
        rows: int,  # noqa: ARG002
        scored: ScoredBy | None,
        say: Say,
    ) -> dict[str, Any]:
        position = position_of(shown.table, len(COLOURS))
        troubles = (
            *_left_out(len(shown.ranked.keys() - shown.squares.keys())),
            *_of_nobody(shown, scored),
            *(one.text for one in problems(position)),
        )
        told: dict[str, Any] = {
            "tiles": [_tile_told(shown, cell) for cell in sorted(shown.ranked)],
            "followers": list(_followers_told(shown)),
            "mirrored": shown.mirrored,
            "doubts": list(_doubts_told(shown, say)),
            "problems": [say(one) for one in troubles],
        }
        return told if scored is None else {**_counted(shown, scored), **told}

    def tell(self, group: Json, number: int) -> Iterable[Line]:  # noqa: ARG002
        tiles, followers = group["tiles"], group["followers"]
        known = sum(one["tile"] is not None for one in tiles)
        yield (_n("%(count)d tile", "%(count)d tiles", known),)
        if other := len(tiles) - known:
            yield (
                _n(
                    "%(count)d piece that is none of the box",
                    "%(count)d pieces that are none of the box",
                    other,
                ),
            )
        lying = {(one["x"], one["y"]): one for one in tiles}
        for one in followers:
            tile = lying[one["x"], one["y"]]
            kind = TileKind(tile["tile"], tile["rot"], one["feature"], one["colour"])
            where = _(
                "Column %(x)d, row %(y)d: %(what)s", x=one["x"] + 1, y=one["y"] + 1, what=kind_name(kind)
            )
            yield ("  ", where, "" if one["confidence"] >= 0.5 else "?")
        for colour, points in zip(
            group.get("colours", ()), group.get("final", {}).get("scores", ()), strict=True
        ):
            yield ("  ", COLOUR_NAMES[Colour(colour)], f": {points}")
        for doubt in group["doubts"]:
            yield ("  ?", doubt["question"])
        for problem in group["problems"]:
            yield ("  !", problem)


def _left_out(count: int) -> Iterator[Message]:
    """What the points leave out."""
    if count:
        yield _n(
            "%(count)d piece is none of the box: it is not counted, and what leads onto it ends there.",
            "%(count)d pieces are none of the box: they are not counted, and what leads onto them ends there.",
            count,
        )


def _of_nobody(shown: BoardReading, scored: ScoredBy | None) -> Iterator[Message]:
    """Followers that the points leave out, since others are said to play."""
    if scored and scored.colours:
        standing = {kind.colour for kind in shown.squares.values() if kind.colour}
        for colour in sorted(standing - {*scored.colours}):
            yield _nobody_plays(colour)


def _nobody_plays(colour: str) -> Message:
    return _(
        "Followers stand there whose colour nobody plays: %(colour)s.", colour=COLOUR_NAMES[Colour(colour)]
    )


def _counted(shown: BoardReading, scored: ScoredBy) -> Json:
    """What the table is worth, and to whom: to those who are said to play, or to all whose followers are seen."""
    standing = {kind.colour for kind in shown.squares.values()}
    colours = list(scored.colours) or [colour for colour in COLOURS if colour in standing]
    if not colours:
        return {"colours": [], "final": {"scores": [], "lines": []}, "winners": []}
    table = table_of(shown.squares, colours)
    return {
        "colours": colours,
        **score_document(
            {
                "players": len(colours),
                "tiles": [[one.x, one.y, one.tile, one.turn] for one in table.tiles],
                "followers": [[player, *segment] for player, segment in table.followers],
                "scores": list(scored.points) or [0] * len(colours),
            }
        ),
    }


def _tile_told(shown: BoardReading, cell: Cell) -> Json:
    kind = shown.squares.get(cell)
    return {
        "x": cell[0],
        "y": cell[1],
        "tile": kind.letter if kind else None,
        "rot": kind.turn if kind else None,
        "confidence": round(shown.confidence(cell), 3),
    }


def _followers_told(shown: BoardReading) -> Iterator[Json]:
    doubts = {one.cell: one for one in shown.unsure if one.reason in ABOUT_FOLLOWERS}
    for cell, kind in sorted(shown.squares.items()):
        if kind.part:
            others = doubts[cell].candidates[1:] if cell in doubts else ()
            yield {
                "colour": kind.colour,
                "x": cell[0],
                "y": cell[1],
                "feature": kind.part,
                "confidence": DOUBTED if cell in doubts else 1.0,
                "alternatives": [other.part for other in others if other and other.part],
            }


def _doubts_told(shown: BoardReading, say: Say) -> Iterator[Json]:
    for one in shown.unsure:
        yield {
            "x": one.cell[0],
            "y": one.cell[1],
            "question": say(_question(one)),
            "reason": str(one.reason),
            "candidates": [None if kind is None else str(kind) for kind in one.candidates],
        }
    if not shown.alone:
        yield {"question": say(_("More tiles may lie beside these: is this all of the board?"))}


def _question(one: UnsureSquare[TileKind]) -> Message:
    first, second = (_named(kind) for kind in (*one.candidates, None)[:2])
    return _(
        "Column %(x)d, row %(y)d: %(first)s or %(second)s?",
        x=one.cell[0] + 1,
        y=one.cell[1] + 1,
        first=first,
        second=second,
    )


def _named(kind: TileKind | None) -> Message:
    return kind_name(kind) if kind else _("something else")
