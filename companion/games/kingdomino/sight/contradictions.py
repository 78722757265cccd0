"""Where the table shows something else than the log says.

Dominoes, castles and kings that are not where they should be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from companion.core.game import Setup
from companion.core.lattice import Cell
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.observation import Contradiction, Observation
from companion.games.kingdomino.rules.events import DominoChosen, DominoPlaced
from companion.games.kingdomino.rules.kingdom import Kingdom, Placement
from companion.games.kingdomino.rules.position import Phase, Position, Slot
from companion.games.kingdomino.sight.registration import (
    CLEAR,
    LooseDomino,
    LooseDominoes,
    RegisteredTable,
    area_of,
    find_placement,
    lines_of,
)

KingdomSquares = Mapping[Cell, Observation]


@dataclass
class OpenQuestions:
    """What people are asked about, which is no disagreement at the same time."""

    squares: list[Observation] = field(default_factory=list)
    """What is new in kingdoms."""
    dominoes: set[int] = field(default_factory=set)
    """The dominoes that may be what is seen."""
    apart: list[LooseDomino] = field(default_factory=list)
    kings: set[int] = field(default_factory=set)
    """The dominoes whose kings are not clear."""


def contradictions(
    setup: Setup, position: Position, seen: RegisteredTable, lines: LooseDominoes, asked: OpenQuestions
) -> tuple[Contradiction, ...]:
    """Everything on the table that the position cannot explain, but for what people are asked about."""
    compared = _Comparison(setup, position, seen, lines, asked)
    found = [one for player in range(position.players) for one in compared.kingdom(player)]
    return (*found, *compared.beside_the_box())


def missing_dominoes(position: Position, seen: RegisteredTable) -> tuple[int, ...]:
    """The dominoes of which nothing shows where the log has them."""
    return tuple(
        placement.domino
        for kingdom, squares in zip(position.kingdoms, seen.kingdoms, strict=True)
        for placement in kingdom.placements
        if squares is not None and not _shows(placement, kingdom, squares)
    )


def _shows(placement: Placement, kingdom: Kingdom, squares: KingdomSquares) -> bool:
    seen = [(squares[cell], str(kingdom.squares[cell])) for cell in placement.cells if cell in squares]
    return any(one.label == label or one.confidence < CLEAR for one, label in seen)


@dataclass
class _Comparison:
    """The table beside the log."""

    setup: Setup
    position: Position
    seen: RegisteredTable
    lines: LooseDominoes
    asked: OpenQuestions
    early: set[int] = field(default_factory=set)
    """Dominoes of the lines that lie in a kingdom although they should not yet."""
    kings_told: set[int] = field(default_factory=set)
    """Dominoes of which it is told where their kings are."""

    def kingdom(self, player: int) -> Iterator[Contradiction]:
        yield from self._castle(player)
        squares = self.seen.kingdoms[player]
        if squares is None:
            return
        known = self.position.kingdoms[player]
        new: KingdomSquares = {
            cell: one
            for cell, one in squares.items()
            if cell not in known.squares and one not in self.asked.squares
        }
        for placement in known.placements:
            if placement.domino in self.asked.dominoes:
                continue
            if all(cell in squares for cell in placement.cells):
                yield from self._something_else(player, placement, squares)
                continue
            moved = self._moved(player, placement, new)
            new = _without(new, moved)
            yield self._not_there(player, placement, moved, squares)
        yield from self._unknown(player, new)

    def _castle(self, player: int) -> Iterator[Contradiction]:
        castle, name = self.seen.castles[player], self._name(player)
        placements = self.position.kingdoms[player].placements
        if castle is None and {one.domino for one in placements} - self.asked.dominoes:
            yield Contradiction(_("The castle of %(name)s cannot be seen.", name=name), player=player)
        elif castle and castle is not self.seen.homes[player]:
            text = _("The castle of %(name)s is not where it was.", name=name)
            yield Contradiction(text, area_of((castle,)), player=player)

    def _moved(self, player: int, placement: Placement, where: KingdomSquares) -> Placement | None:
        """Where else in the kingdom the domino lies now."""
        laid = find_placement(placement.domino, where, self.seen.axis(player))
        return laid.placement._replace(because=placement.because) if laid else None

    def _not_there(
        self, player: int, placement: Placement, moved: Placement | None, squares: KingdomSquares
    ) -> Contradiction:
        name, domino = self._name(player), placement.domino
        text = (
            _("Domino %(domino)d of %(name)s has been moved.", domino=domino, name=name)
            if moved
            else _("Domino %(domino)d of %(name)s is not where it was.", domino=domino, name=name)
        )
        cells = moved.cells if moved else [cell for cell in placement.cells if cell in squares]
        apart = self.lines.back.get(domino)
        return Contradiction(
            text,
            apart.area if apart else area_of(squares[cell] for cell in cells),
            DominoPlaced(player, placement),
            DominoPlaced(player, moved) if moved else None,
            player,
        )

    def _something_else(
        self, player: int, placement: Placement, squares: KingdomSquares
    ) -> Iterator[Contradiction]:
        known = self.position.kingdoms[player].squares
        wrong = [
            cell
            for cell in placement.cells
            if squares[cell].label != str(known[cell]) and squares[cell].confidence >= CLEAR
        ]
        turned = self._moved(player, placement, {cell: squares[cell] for cell in placement.cells})
        if wrong and turned:
            yield self._not_there(player, placement, turned, squares)
        elif wrong:
            text = _(
                "Where domino %(domino)d of %(name)s should be, there is something else.",
                domino=placement.domino,
                name=self._name(player),
            )
            area = area_of(squares[cell] for cell in wrong)
            yield Contradiction(text, area, DominoPlaced(player, placement), None, player)

    def _unknown(self, player: int, new: KingdomSquares) -> Iterator[Contradiction]:
        """What lies in a kingdom although nobody has laid it there."""
        for slot in self._missing():
            laid = find_placement(slot.domino, new, self.seen.axis(player))
            if laid and (slot.domino, slot.player) != (self.position.domino, player):
                self.early.add(slot.domino)
                new = _without(new, laid.placement)
                yield Contradiction(self._early(player, slot), laid.area, player=player)
        if new:
            text = _n(
                "%(count)d square in the kingdom of %(name)s is not in the log.",
                "%(count)d squares in the kingdom of %(name)s are not in the log.",
                len(new),
                name=self._name(player),
            )
            yield Contradiction(text, area_of(new.values()), player=player)

    def _early(self, player: int, slot: Slot) -> Message:
        name = self._name(player)
        if slot.player is not None and slot.player != player:
            return _(
                "Domino %(domino)d lies in the kingdom of %(name)s, but %(owner)s chose it.",
                domino=slot.domino,
                name=name,
                owner=self._name(slot.player),
            )
        return _(
            "Domino %(domino)d lies in the kingdom of %(name)s already, but it is not its turn yet.",
            domino=slot.domino,
            name=name,
        )

    def beside_the_box(self) -> Iterator[Contradiction]:
        for slot in self._missing():
            if slot.domino != self.position.domino:
                yield Contradiction(_("Domino %(domino)d of the line cannot be seen.", domino=slot.domino))
        yield from self.kings()
        fresh = () if self.position.phase is Phase.DRAW else self.lines.fresh
        for one in (*self.lines.stray, *fresh):
            if one not in self.asked.apart:
                yield Contradiction(self._stray(one), one.area)

    def kings(self) -> Iterator[Contradiction]:
        """The kings on the lines beside the log."""
        for slot, one in self._slots_seen():
            yield from self._kings_too_many(slot, one)
        for slot, one in self._slots_seen():
            if self._lacks_king(slot, one):
                yield self._king_missing(slot, one)

    def _slots_seen(self) -> Iterator[tuple[Slot, LooseDomino]]:
        for line in lines_of(self.position):
            for slot in line:
                one = self.lines.known.get(slot.domino)
                if one and slot.domino not in self.asked.kings:
                    yield slot, one

    def _kings_too_many(self, slot: Slot, one: LooseDomino) -> Iterator[Contradiction]:
        """Kings on a domino that the log does not have there."""
        own = one.king_of(slot.player) if slot.player is not None else None
        for player, king in one.kings:
            if king is own or (slot.player is not None and king.confidence < CLEAR):
                continue
            meant = self._left_empty(player)
            lies = DominoChosen(player, slot.domino) if meant and slot.player is None else None
            yield Contradiction(self._stands(player, slot), area_of((king,)), meant, lies, player)

    def _stands(self, player: int, slot: Slot) -> Message:
        name = self._name(player)
        if player == slot.player:
            return _("Two kings of %(name)s stand on domino %(domino)d.", name=name, domino=slot.domino)
        return _("The king of %(name)s stands on domino %(domino)d.", name=name, domino=slot.domino)

    def _left_empty(self, player: int) -> DominoChosen | None:
        """The last choice of this player whose domino has lost its king."""
        for slot, one in reversed(tuple(self._slots_seen())):
            if slot.player == player and slot.domino not in self.kings_told and not one.king_of(player):
                self.kings_told.add(slot.domino)
                return DominoChosen(player, slot.domino)
        return None

    def _lacks_king(self, slot: Slot, one: LooseDomino) -> bool:
        """Whether its king is gone for certain; whoever places a domino may lift the king first."""
        if slot.player is None or slot.domino in (*self.kings_told, self.position.domino):
            return False
        return not one.king_of(slot.player) and one.confidence >= CLEAR and not self.seen.hides(one.area)

    def _king_missing(self, slot: Slot, one: LooseDomino) -> Contradiction:
        player = slot.player or 0
        text = _(
            "The king of %(name)s is not on domino %(domino)d.", name=self._name(player), domino=slot.domino
        )
        return Contradiction(text, one.area, DominoChosen(player, slot.domino), None, player)

    def _missing(self) -> Iterator[Slot]:
        """What should lie in the lines and does not."""
        for line in lines_of(self.position):
            for slot in line:
                if slot.domino not in {*self.lines.known, *self.asked.dominoes, *self.early}:
                    yield slot

    def _stray(self, one: LooseDomino) -> Message:
        """What to say about a domino that should not lie there."""
        discarded = {discard.domino for pile in self.position.discards for discard in pile}
        for domino in one.numbers:
            if domino in discarded:
                return _("Domino %(domino)d was discarded: put it back into the box.", domino=domino)
            if domino in self.position.removed:
                return _("Domino %(domino)d was set aside, but lies on the table.", domino=domino)
        if one.numbers and one.confidence >= CLEAR:
            return _("Domino %(domino)d lies on the table, but is not in the log.", domino=one.numbers[0])
        return _("A domino lies on the table that is not in the log.")

    def _name(self, player: int) -> str:
        return self.setup.players[player].name


def _without(new: KingdomSquares, laid: Placement | None) -> KingdomSquares:
    return {cell: one for cell, one in new.items() if not laid or cell not in laid.cells}
