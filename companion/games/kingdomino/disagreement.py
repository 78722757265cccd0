"""Where the table shows something else than the log says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.game import Setup
from companion.core.lattice import Cell
from companion.core.message import message as _
from companion.core.observation import Contradiction, Observation
from companion.games.kingdomino.events import DominoChosen, DominoPlaced
from companion.games.kingdomino.fitting import fitting
from companion.games.kingdomino.kingdom import Kingdom, Placement
from companion.games.kingdomino.lines import Lines
from companion.games.kingdomino.position import Phase, Position
from companion.games.kingdomino.seen import CLEAR, Seen, area_of

Squares = Mapping[Cell, Observation]


def contradictions(
    setup: Setup, position: Position, seen: Seen, lines: Lines, before: Position
) -> tuple[Contradiction, ...]:
    """Everything on the table that the position cannot explain; `before` is what the log itself says."""
    if before.game_ended and not before.last_game and not any(seen.kingdoms):
        return ()  # cleared away for the next game of a dynasty
    found: list[Contradiction] = []
    for player, squares in enumerate(seen.kingdoms):
        name = setup.players[player].name
        if squares is not None:
            found += _in_kingdom(player, name, position.kingdoms[player], squares, _axis(seen, player))
        elif position.kingdoms[player].placements:
            found.append(Contradiction(_("The castle of %(name)s cannot be seen.", name=name), player=player))
    return (*found, *_beside_the_box(setup, position, lines))


def _axis(seen: Seen, player: int) -> float:
    castle = seen.castles[player]
    return castle.angle if castle else 0


def _in_kingdom(
    player: int, name: str, kingdom: Kingdom, squares: Squares, axis: float
) -> Iterator[Contradiction]:
    new = {cell: one for cell, one in squares.items() if cell not in kingdom.squares}
    for placement in kingdom.placements:
        missing = [cell for cell in placement.cells if cell not in squares]
        if missing:
            moved = _moved(placement, new, axis)
            new = {cell: one for cell, one in new.items() if not moved or cell not in moved.cells}
            yield _not_there(player, name, placement, moved, squares)
        else:
            yield from _something_else(player, name, kingdom, placement, squares, axis)
    if new:
        text = _("There is something in the kingdom of %(name)s that the log does not know.", name=name)
        yield Contradiction(text, area_of(new.values()), player=player)


def _moved(placement: Placement, new: Squares, axis: float) -> Placement | None:
    """Where else in the kingdom the domino lies now."""
    laid = fitting(placement.domino, new, axis)
    return laid.placement._replace(because=placement.because) if laid else None


def _not_there(
    player: int, name: str, placement: Placement, moved: Placement | None, squares: Squares
) -> Contradiction:
    text = (
        _("Domino %(domino)d of %(name)s has been moved.", domino=placement.domino, name=name)
        if moved
        else _("Domino %(domino)d of %(name)s is not where it was.", domino=placement.domino, name=name)
    )
    cells = moved.cells if moved else [cell for cell in placement.cells if cell in squares]
    return Contradiction(
        text,
        area_of(squares[cell] for cell in cells),
        DominoPlaced(player, placement),
        DominoPlaced(player, moved) if moved else None,
        player,
    )


def _something_else(
    player: int, name: str, kingdom: Kingdom, placement: Placement, squares: Squares, axis: float
) -> Iterator[Contradiction]:
    wrong = [
        cell
        for cell in placement.cells
        if squares[cell].label != str(kingdom.squares[cell]) and squares[cell].confidence >= CLEAR
    ]
    turned = _moved(placement, {cell: squares[cell] for cell in placement.cells}, axis)
    if wrong and turned:
        yield _not_there(player, name, placement, turned, squares)
    elif wrong:
        text = _(
            "Where domino %(domino)d of %(name)s should be, there is something else.",
            domino=placement.domino,
            name=name,
        )
        yield Contradiction(
            text, area_of(squares[cell] for cell in wrong), DominoPlaced(player, placement), None, player
        )


def _beside_the_box(setup: Setup, position: Position, lines: Lines) -> Iterator[Contradiction]:
    for slot in (*position.line[position.placed :], *position.next_line):
        if slot.domino not in lines.known and slot.domino != position.domino:
            yield Contradiction(_("Domino %(domino)d of the line cannot be seen.", domino=slot.domino))
    yield from _kings(setup, position, lines)
    if lines.fresh and position.phase is not Phase.DRAW:
        text = _("A domino lies on the table that the log does not know.")
        yield Contradiction(text, area_of((lines.fresh[0].left, lines.fresh[0].right)))


def _kings(setup: Setup, position: Position, lines: Lines) -> Iterator[Contradiction]:
    """Kings seen on a free domino of somebody who has none to set."""
    free = [slot.domino for slot in (*position.line, *position.next_line) if slot.player is None]
    for domino in free:
        one = lines.known.get(domino)
        for player, king in one.kings if one else ():
            text = _(
                "The king of %(name)s stands on domino %(domino)d.",
                name=setup.players[player].name,
                domino=domino,
            )
            meant = _left_empty(position, lines, player)
            lies = DominoChosen(player, domino) if meant else None
            yield Contradiction(text, area_of((king,)), meant, lies, player)


def _left_empty(position: Position, lines: Lines, player: int) -> DominoChosen | None:
    """The choice of this player whose domino has lost its king."""
    for slot in (*position.next_line, *position.line[position.placed :]):
        one = lines.known.get(slot.domino)
        if slot.player == player and one and not one.kings:
            return DominoChosen(player, slot.domino)
    return None
