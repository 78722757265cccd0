"""Kings that do not stand where the log has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from companion.core.game import Setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Contradiction
from companion.games.kingdomino.rules.events import DominoChosen
from companion.games.kingdomino.rules.position import Position, Slot
from companion.games.kingdomino.sight.lines import LooseDominoes
from companion.games.kingdomino.sight.matching import lines_of
from companion.games.kingdomino.sight.seen import CLEAR, LooseDomino, RegisteredTable, area_of


@dataclass
class _Kings:
    """The kings on the lines beside the log."""

    setup: Setup
    position: Position
    seen: RegisteredTable
    lines: LooseDominoes
    asked: Collection[int]
    """Dominoes of which people are asked whose they are."""
    told: set[int] = field(default_factory=set)
    """Dominoes of which it is told where their kings are."""

    def contradictions(self) -> Iterator[Contradiction]:
        for slot, one in self._slots():
            yield from self._too_many(slot, one)
        for slot, one in self._slots():
            if self._lacks(slot, one):
                yield self._missing(slot, one)

    def _slots(self) -> Iterator[tuple[Slot, LooseDomino]]:
        for line in lines_of(self.position):
            for slot in line:
                one = self.lines.known.get(slot.domino)
                if one and slot.domino not in self.asked:
                    yield slot, one

    def _too_many(self, slot: Slot, one: LooseDomino) -> Iterator[Contradiction]:
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
        for slot, one in reversed(tuple(self._slots())):
            if slot.player == player and slot.domino not in self.told and not one.king_of(player):
                self.told.add(slot.domino)
                return DominoChosen(player, slot.domino)
        return None

    def _lacks(self, slot: Slot, one: LooseDomino) -> bool:
        """Whether its king is gone for certain; whoever places a domino may lift the king first."""
        if slot.player is None or slot.domino in (*self.told, self.position.domino):
            return False
        return not one.king_of(slot.player) and one.confidence >= CLEAR and not self.seen.hides(one.area)

    def _missing(self, slot: Slot, one: LooseDomino) -> Contradiction:
        player = slot.player or 0
        text = _(
            "The king of %(name)s is not on domino %(domino)d.", name=self._name(player), domino=slot.domino
        )
        return Contradiction(text, one.area, DominoChosen(player, slot.domino), None, player)

    def _name(self, player: int) -> str:
        return self.setup.players[player].name
