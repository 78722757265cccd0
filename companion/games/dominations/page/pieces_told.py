"""What is printed on pieces and told by tapping: the sides of a coast, a lozenge's resources, and the Cradle's."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.message import message as _
from companion.games.dominations.page import drawing
from companion.games.dominations.page.choices import (
    Action,
    ActionGroup,
    ActionPanel,
    To,
    Wish,
    leads,
    printed_text,
)
from companion.games.dominations.rules.board import CRADLE_POINTS, NO_DOT
from companion.games.dominations.rules.box import LETTERS, VESTIGIUM, colour_name
from companion.games.dominations.rules.events import CradleTold
from companion.games.dominations.rules.lattice import Cell, cells_beside
from companion.games.dominations.rules.placing import Lozenge
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import write_event

COAST_SIDES = "1234"
LOZENGE_DOTS = 6
UNTOLD_DOTS = "none"
"""What is printed on a piece, where nobody tells it."""


def told_lozenge(wish: Wish, cells: tuple[Cell, Cell]) -> Lozenge:
    """A lozenge as far as it was told."""
    dots = told_dots(wish, LOZENGE_DOTS)
    sides = tuple(int(side) for side in COAST_SIDES if side in wish.get("open", ""))
    return Lozenge(cells, dots if len(dots) == LOZENGE_DOTS else NO_DOT * LOZENGE_DOTS, sides)


def told_dots(wish: Wish, most: int) -> str:
    text = wish.get("dots", "")
    return text[:most] if {*text} <= {*LETTERS, VESTIGIUM, NO_DOT} else ""


def asks_for_sides(position: Position, wish: Wish) -> bool:
    """Whether nobody told yet where a coast shows a reward; of other pieces, nothing is asked."""
    return position.monument(wish["key"]).coastal and not (wish.get("dots") or "told" in wish.get("open", ""))


def lozenge_question(position: Position, wish: Wish) -> ActionPanel | None:
    """What is still to be told of a lozenge that has its place; None when nothing is."""
    dots = told_dots(wish, LOZENGE_DOTS)
    if len(dots) == LOZENGE_DOTS or wish.get("dots") == UNTOLD_DOTS:
        return None
    if asks_for_sides(position, wish):
        return _coast(wish)
    skip = Action(_("Without its resources"), to=_to(wish, dots=UNTOLD_DOTS))
    back = _to(wish, dots=dots[:-1] or None) if dots else _to(wish, at2=None, open=None)
    title = _("The resource with the ring: %(number)d of %(count)d", number=len(dots) + 1, count=LOZENGE_DOTS)
    letters = _letters(dots, lambda told: Action(colour_name(told[-1]), to=_to(wish, dots=told)))
    return ActionPanel(title, (letters, ActionGroup((skip,))), (), back)


def _to(wish: Wish, **changes: str | None) -> To:
    kept = {key: wish.get(key) for key in ("do", "key", "at", "at2", "open")}
    return leads(**{**kept, **changes})


def _coast(wish: Wish) -> ActionPanel:
    """Which of its four sides show a reward: nothing touches the others."""
    told = wish.get("open", "")
    sides = tuple(
        Action(
            printed_text(side),
            to=_to(wish, open="".join(sorted({*told} ^ {side})) or None),
            chosen=side in told,
        )
        for side in COAST_SIDES
    )
    these = Action(_("Only these sides"), to=_to(wish, open=f"{told}told"), main=True)
    every = Action(_("All sides, or nobody can tell"), to=_to(wish, open="told"))
    notes = (_("Their numbers are on the map. Nothing may touch the other sides."),)
    last = ActionGroup((these if told else every,))
    title = _("Which sides of the coast show a reward?")
    return ActionPanel(
        title, (ActionGroup(sides, None, "people"), last), notes, _to(wish, at2=None, open=None)
    )


def _letters(told: str, choice: Callable[[str], Action]) -> ActionGroup:
    """The colours that a resource may have."""
    return ActionGroup(
        tuple(_marked(choice(told + letter), letter) for letter in LETTERS + VESTIGIUM + NO_DOT), None, "grid"
    )


def _marked(choice: Action, letter: str) -> Action:
    return Action(choice.text, choice.line, choice.to, letter)


def cradle_panel(wish: Wish) -> ActionPanel:
    """The dots of the Cradle, one after the other; the last one records them all."""
    count = len(CRADLE_POINTS)
    dots = told_dots(wish, count - 1)

    def choice(told: str) -> Action:
        name = colour_name(told[-1])
        if len(told) == count:
            return Action(name, line=write_event(CradleTold(told)))
        return Action(name, to=leads(do="cradle", dots=told))

    title = _("The resource with the ring: %(number)d of %(count)d", number=len(dots) + 1, count=count)
    back = leads(do="cradle", dots=dots[:-1] or None) if dots else leads()
    return ActionPanel(title, (_letters(dots, choice),), (_("The dots of the Cradle"),), back)


# ---- the same on the map ----


def side_marks(cells: tuple[Cell, Cell]) -> tuple[tuple[int, int, str], ...]:
    """The numbers of a lozenge's sides, each beside it."""
    near = ((side, next(c for c in cells if side in c.neighbours)) for side in cells_beside(frozenset(cells)))
    found = []
    for number, (side, cell) in enumerate(near, 1):
        (x, y), (a, b) = drawing.cell_middle(side), drawing.cell_middle(cell)
        found.append(((2 * x + a) // 3, (2 * y + b) // 3, str(number)))
    return tuple(found)


def lozenge_ghosts(position: Position, wish: Wish, cells: tuple[Cell, Cell]) -> tuple[drawing.GhostView, ...]:
    """Both halves, with the ring where the next resource lies."""
    dots, half = told_dots(wish, LOZENGE_DOTS), LOZENGE_DOTS // 2
    ask = wish.get("dots") != UNTOLD_DOTS and len(dots) < LOZENGE_DOTS and not asks_for_sides(position, wish)
    return tuple(
        drawing.ghost_half(cell, dots[n * half : (n + 1) * half], ask and len(dots) // half == n)
        for n, cell in enumerate(cells)
    )


def cradle_ghosts(wish: Wish) -> tuple[drawing.GhostView, ...]:
    """The Cradle's dots as far as they are told, with the ring where the next one lies."""
    dots = told_dots(wish, len(CRADLE_POINTS) - 1)
    places = [drawing.dot_places(cell)[cell.corners.index(point)] for cell, point in CRADLE_POINTS]
    told = tuple(drawing.Dot(x, y, letter) for (x, y), letter in zip(places, dots, strict=False))
    cell = CRADLE_POINTS[min(len(dots), len(CRADLE_POINTS) - 1)][0]
    return (drawing.ghost_cradle(cell, told, places[len(dots)]),)
