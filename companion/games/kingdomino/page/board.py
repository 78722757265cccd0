"""What the page of Kingdomino draws, given what somebody is pointing at.

A person's wishes come with the address: `look` (whose kingdom is large), `at` and `turn` (where the domino is
held), `hint` (show where it fits), `all` (the forbidden places and ways to turn it, too), `who` (whose king
came out), `on` (the square that was tapped); `room` is `numbers` for people who want to see those on the dominoes'
backs, and `was` is what the entry says that is being corrected. Drawings have a hundred units to a square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import Message
from companion.games.kingdomino.rules.events import DominoChosen, DominoDiscarded, DominoPlaced
from companion.games.kingdomino.rules.kingdom import (
    STEPS,
    Bounds,
    Cell,
    Direction,
    Kingdom,
    Placement,
    Property,
)
from companion.games.kingdomino.rules.pieces import DOMINOES, SQUARES, TERRAIN_NAMES, Square, Terrain
from companion.games.kingdomino.rules.position import Line, Phase, Position, Variant
from companion.games.kingdomino.rules.scoring import place_name
from companion.games.kingdomino.text import notation

UNIT = 100


@dataclass(frozen=True)
class SquareDrawing:
    """One square where it lies."""

    x: int
    y: int
    square: Square
    place: str = ""
    """Its name on the table, which lines of the tally refer to."""

    @property
    def name(self) -> Message:
        return TERRAIN_NAMES[self.square.terrain]


@dataclass(frozen=True)
class PropertyDrawing:
    """The outline of a property, and its product to be written in it."""

    path: str
    label: str
    x: int
    y: int
    points: int


@dataclass(frozen=True)
class KingdomDrawing:
    """A whole kingdom."""

    player: int
    window: Bounds
    """The cells that are in the picture."""
    squares: tuple[SquareDrawing, ...]
    properties: tuple[PropertyDrawing, ...]
    numbers: tuple[tuple[int, int, int], ...] = ()
    """Each domino that was laid here, and the middle between its halves."""

    @property
    def view_box(self) -> str:
        window = self.window
        corner = f"{window.left * UNIT - 6} {window.top * UNIT - 6}"
        return f"{corner} {window.columns * UNIT + 12} {window.rows * UNIT + 12}"


def draw_kingdom(player: int, kingdom: Kingdom, window: Bounds | None = None) -> KingdomDrawing:
    return KingdomDrawing(
        player,
        window or rest_window(kingdom),
        tuple(
            SquareDrawing(x * UNIT, y * UNIT, square, place_name(player, (x, y)))
            for (x, y), square in sorted(kingdom.squares.items())
        ),
        tuple(map(_draw_property, kingdom.properties())),
        tuple((placement.domino, *_between(placement)) for placement in kingdom.placements),
    )


def _between(placement: Placement) -> Cell:
    """The middle of a domino in the drawing."""
    (x, y), (x2, y2) = placement.cells
    return (x + x2 + 1) * UNIT // 2, (y + y2 + 1) * UNIT // 2


def draw_domino(number: int) -> tuple[SquareDrawing, SquareDrawing]:
    """A domino on its own, left half first."""
    domino = DOMINOES[number]
    return SquareDrawing(0, 0, domino.left), SquareDrawing(UNIT, 0, domino.right)


def draw_placement(placement: Placement) -> tuple[SquareDrawing, SquareDrawing]:
    """A domino where it is about to be placed."""
    domino, ((x, y), (x2, y2)) = DOMINOES[placement.domino], placement.cells
    return SquareDrawing(x * UNIT, y * UNIT, domino.left), SquareDrawing(x2 * UNIT, y2 * UNIT, domino.right)


def rest_window(kingdom: Kingdom) -> Bounds:
    """A window of always the same size, the kingdom in its middle."""
    left, top = kingdom.bounds.left, kingdom.bounds.top
    left -= max(0, kingdom.size - kingdom.bounds.columns) // 2
    top -= max(0, kingdom.size - kingdom.bounds.rows) // 2
    columns, rows = max(kingdom.size, kingdom.bounds.columns), max(kingdom.size, kingdom.bounds.rows)
    return Bounds(left, top, left + columns - 1, top + rows - 1)


def growth_window(kingdom: Kingdom) -> Bounds:
    """A window with every cell where the next domino could come to lie."""
    left, top, right, bottom = kingdom.bounds
    low_x, high_x, low_y, high_y = kingdom.room()
    return Bounds(
        min(left, max(left - 2, low_x)),
        min(top, max(top - 2, low_y)),
        max(right, min(right + 2, high_x)),
        max(bottom, min(bottom + 2, high_y)),
    )


def cells_of(window: Bounds) -> Iterator[Cell]:
    for y in range(window.top, window.bottom + 1):
        for x in range(window.left, window.right + 1):
            yield x, y


def _draw_property(found: Property) -> PropertyDrawing:
    x, y = _middle(found.cells)
    label = f"{found.size}×{found.crowns}"
    return PropertyDrawing("".join(_edges(frozenset(found.cells))), label, x * UNIT, y * UNIT, found.points)


def _middle(cells: tuple[Cell, ...]) -> Cell:
    """The cell nearest to the centre of all."""
    centre_x, centre_y = (sum(axis) / len(cells) for axis in zip(*cells, strict=True))
    return min(cells, key=lambda cell: (cell[0] - centre_x) ** 2 + (cell[1] - centre_y) ** 2)


def _edges(cells: frozenset[Cell]) -> Iterator[str]:
    """The lines of an SVG path around these cells."""
    for x, y in sorted(cells):
        left, top = x * UNIT, y * UNIT
        if (x, y - 1) not in cells:
            yield f"M{left} {top}h{UNIT}"
        if (x, y + 1) not in cells:
            yield f"M{left} {top + UNIT}h{UNIT}"
        if (x - 1, y) not in cells:
            yield f"M{left} {top}v{UNIT}"
        if (x + 1, y) not in cells:
            yield f"M{left + UNIT} {top}v{UNIT}"


Wish = Mapping[str, str]


@dataclass(frozen=True)
class SlotView:
    """A domino in a line."""

    domino: int
    squares: tuple[SquareDrawing, SquareDrawing]
    player: int | None
    gone: bool
    """Whether it has been placed or discarded."""
    now: bool
    """Whether it is the one to be placed."""
    event: str
    """What a tap on it records; empty when it cannot be chosen."""


@dataclass(frozen=True)
class PlacingView:
    """A domino held over its kingdom."""

    domino: int
    squares: tuple[SquareDrawing, SquareDrawing]
    window: Bounds
    targets: tuple[Cell, ...]
    hints: tuple[Cell, ...]
    fits: int
    """How many ways there are to place it."""
    turn: int
    """The next way to turn it."""
    ghost: tuple[SquareDrawing, SquareDrawing] | None
    event: str
    refusal: Message | None
    discard: str
    lay: tuple[SquareDrawing, SquareDrawing] | None
    """Where the entry that is corrected says it lies."""


def board_view(position: Position, wish: Wish) -> Mapping[str, Any]:
    phase = position.phase
    focus = _focus(position, wish)
    placing = _placing(position, wish)
    window = placing.window if placing else None
    drawings = [
        draw_kingdom(player, kingdom, window if player == focus else None)
        for player, kingdom in enumerate(position.kingdoms)
    ]
    return {
        "phase": phase.value,
        "round": position.round,
        "rounds": position.rounds,
        "player": position.player,
        "focus": focus,
        "kingdoms": drawings,
        "line": _line(position, position.line, wish, open=phase is Phase.CHOOSE_FIRST),
        "next_line": _line(position, position.next_line, wish, open=phase is Phase.CHOOSE),
        "placing": placing,
        "choosers": _choosers(position),
        "who": _chooser(position, wish),
        "pad": _pad(position) if phase is Phase.DRAW else (),
        "line_length": position.line_length,
        "set_aside": 0 if position.drawn else len(DOMINOES) - position.dominoes_in_play,
        "can_draw": phase is Phase.DRAW
        or (phase is Phase.CHOOSE_FIRST and not position.kings and not _any_king(position)),
        "touched": _touched(position.kingdoms[focus], focus, wish),
        "discards": [[discard.domino for discard in pile] for pile in position.discards],
        "past": position.past,
        "counting": _counting(position, focus) if _tells_kingdoms(position, wish) else None,
    }


def _tells_kingdoms(position: Position, wish: Wish) -> bool:
    """Whether kingdoms are tapped in: in a game that stopped early, the one that somebody points at."""
    return Variant.SCORE_ONLY in position.variants or (position.stopped and "look" in wish)


def _touched(kingdom: Kingdom, focus: int, wish: Wish) -> tuple[str, ...]:
    """The places of the domino that was tapped."""
    laid = (tuple(place_name(focus, cell) for cell in placement.cells) for placement in kingdom.placements)
    return next((places for places in laid if wish.get("on") in places), ())


def _corrected(wish: Wish, player: int, domino: int) -> Placement | None:
    """Where the entry that is corrected says that this domino lies."""
    try:
        event = notation.parse_event(wish["was"]) if "was" in wish else None
    except NotationError:
        return None
    laid = event.placement if isinstance(event, DominoPlaced) and event.player == player else None
    return laid._replace(because="") if laid and laid.domino == domino else None


def _focus(position: Position, wish: Wish) -> int:
    wished = wish.get("look", "")
    if wished.isdigit() and 1 <= int(wished) <= position.players:
        return int(wished) - 1
    chooser = _chooser(position, wish)
    if chooser is not None:
        return chooser
    unshown = (p for p, kingdom in enumerate(position.kingdoms) if len(kingdom.squares) == 1)
    return next(unshown, 0) if position.phase is Phase.SHOW else 0


def _line(position: Position, line: Line, wish: Wish, open: bool) -> tuple[SlotView, ...]:
    chooser = _chooser(position, wish) if open else None
    return tuple(
        SlotView(
            domino=slot.domino,
            squares=draw_domino(slot.domino),
            player=slot.player,
            gone=line is position.line and index < position.placed,
            now=line is position.line and index == position.placed and position.phase is Phase.PLACE,
            event=(
                notation.write_event(DominoChosen(chooser, slot.domino))
                if chooser is not None and slot.player is None
                else ""
            ),
        )
        for index, slot in enumerate(line)
    )


def _choosers(position: Position) -> tuple[int, ...]:
    """Players whose king may come out of the hand next, when nobody told the order."""
    if position.phase is not Phase.CHOOSE_FIRST or position.kings:
        return ()
    return tuple(player for player in range(position.players) if position.kings_left(player))


def _chooser(position: Position, wish: Wish) -> int | None:
    choosers = _choosers(position)
    if not choosers:
        return position.player
    wished = wish.get("who", "")
    if wished.isdigit() and int(wished) - 1 in choosers:
        return int(wished) - 1
    return choosers[0] if len(choosers) == 1 else None


def _any_king(position: Position) -> bool:
    return any(slot.player is not None for slot in position.line)


def _pad(position: Position) -> tuple[tuple[int, tuple[SquareDrawing, SquareDrawing], bool], ...]:
    """All dominoes, and whether each may still come out of the box."""
    known = set() if position.game_ended else {*position.drawn, *position.removed}
    return tuple((number, draw_domino(number), number not in known) for number in DOMINOES)


def _placing(position: Position, wish: Wish) -> PlacingView | None:
    player, domino = position.player, position.domino
    if player is None or domino is None or _focus(position, wish) != player:
        return None
    kingdom = position.kingdoms[player]
    legal = kingdom.placements_of(domino)
    lay = _corrected(wish, player, domino)
    at = _held(wish.get("at", ""), domino) or ((lay.x, lay.y) if lay else None)
    ways = _ways(kingdom, domino, at, legal, everything="all" in wish) if at else ()
    wished = wish.get("turn", "")
    turn = int(wished) % len(ways) if ways and wished.isdigit() and len(wished) < 4 else 0
    if lay in ways and not wished and "at" not in wish:
        turn = ways.index(lay)
    held = ways[turn] if ways else None
    event = DominoPlaced(player, held) if held else None
    window = _window(kingdom, () if "all" in wish else legal, held)
    window = window.around(lay.cells) if lay else window
    return PlacingView(
        domino=domino,
        squares=draw_domino(domino),
        window=window,
        targets=tuple(cell for cell in cells_of(window) if cell not in kingdom.squares),
        hints=tuple({cell for placement in legal for cell in placement.cells}) if "hint" in wish else (),
        fits=len(legal),
        turn=turn + 1,
        ghost=draw_placement(held) if held else None,
        event=notation.write_event(event) if event else "",
        refusal=_refusal(kingdom, held) if held else None,
        discard=notation.write_event(DominoDiscarded(player, domino)),
        lay=draw_placement(lay) if lay else None,
    )


def _window(kingdom: Kingdom, legal: Iterable[Placement], held: Placement | None) -> Bounds:
    """As few cells as the domino could lie in, so that each is large; all there are when it fits nowhere."""
    reached = tuple({cell for placement in legal for cell in placement.cells})
    window = kingdom.bounds.around(reached) if reached else growth_window(kingdom)
    return window.around(held.cells) if held else window


def _ways(
    kingdom: Kingdom, domino: int, at: Cell, legal: Iterable[Placement], everything: bool
) -> tuple[Placement, ...]:
    """The ways to lay the domino with a half in that cell: the legal ones, or any if there is none."""
    free = [way for way in _turned(domino, at) if not any(cell in kingdom.squares for cell in way.cells)]
    fitting = [way for way in free if way in set(legal)]
    return _unlike(fitting if fitting and not everything else free)


def _turned(domino: int, at: Cell) -> Iterable[Placement]:
    x, y = at
    for direction in Direction:
        yield Placement(domino, x, y, direction)
    for direction in Direction:
        dx, dy = STEPS[direction]
        yield Placement(domino, x - dx, y - dy, direction)


def _unlike(ways: Iterable[Placement]) -> tuple[Placement, ...]:
    """Without those that look the same, as both ways round do when the halves are alike."""
    seen: dict[frozenset[tuple[Cell, Square]], Placement] = {}
    for way in ways:
        halves = DOMINOES[way.domino]
        seen.setdefault(frozenset(zip(way.cells, (halves.left, halves.right), strict=True)), way)
    return tuple(seen.values())


def _refusal(kingdom: Kingdom, held: Placement) -> Message | None:
    halves = DOMINOES[held.domino]
    return kingdom.refusal(held.cells, (halves.left, halves.right))


def _held(text: str, domino: int) -> Cell | None:
    """The cell of a wish like `26@1,-2`; a wish about another domino is left over from an earlier turn."""
    found = re.fullmatch(r"([0-9]{1,2})@(-?[0-9]{1,2}),(-?[0-9]{1,2})", text)
    return (int(found[2]), int(found[3])) if found and int(found[1]) == domino else None


def _counting(position: Position, focus: int) -> Mapping[str, Any]:
    """What the page needs to let people tap in the kingdom that is in focus."""
    kingdom = position.kingdoms[focus]
    most = {
        terrain.value: max(s.crowns for s in SQUARES if s.terrain is terrain)
        for terrain in Terrain
        if terrain is not Terrain.CASTLE
    }
    return {
        "prefix": f"{focus + 1} shows {position.size} ",
        "drawing": notation.write_kingdom(kingdom),
        "size": position.size,
        "most": most,
        "names": {terrain.value: TERRAIN_NAMES[terrain] for terrain in Terrain},
    }
