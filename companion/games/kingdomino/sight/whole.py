"""Kingdoms read as they lie at the end of a session, for a table that only wants its score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import hypot

from companion.core.game import Setup
from companion.core.lattice import Cell
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Choice, Contradiction, Doubt, Observation, Proposal, Reading
from companion.games.kingdomino.rules.events import KingdomShown
from companion.games.kingdomino.rules.inventory import fits_one_box, scarce_squares
from companion.games.kingdomino.rules.kingdom import HOME, Kingdom, kingdom_of
from companion.games.kingdomino.rules.pieces import CASTLE
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.seen import SQUARE_LABELS, SURE, RegisteredTable, area_of, ground_of
from companion.games.kingdomino.sight.sight import SIDE

_NEAREST_MM = 2.6 * SIDE
"""A square that touches nothing belongs to a kingdom that is nearer than this."""


def read_kingdoms(setup: Setup, position: Position, seen: RegisteredTable) -> Reading:
    whole = _Whole(setup, position, seen)
    for player in range(position.players):
        whole.look_at(player)
    return Reading(tuple(whole.proposals), tuple(whole.doubts), tuple(whole.contradictions), whole.waiting)


@dataclass
class _Whole:
    """All kingdoms of a table, each believed only if it can be one."""

    setup: Setup
    position: Position
    seen: RegisteredTable
    kingdoms: list[Kingdom] = field(init=False)
    """As they are seen, or as the log has them where nothing is seen."""
    proposals: list[Proposal] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    waiting: Message | None = None

    def __post_init__(self) -> None:
        pairs = zip(self.seen.kingdoms, self.position.kingdoms, strict=True)
        self.kingdoms = [_kingdom_seen(squares, known.size) if squares else known for squares, known in pairs]

    def look_at(self, player: int) -> None:
        squares, kingdom = self.seen.kingdoms[player], self.kingdoms[player]
        known = self.position.kingdoms[player].squares
        if not squares and len(known) == 1:
            self._not_seen(player)
        elif not squares or dict(kingdom.squares) == dict(known):
            return
        elif max(kingdom.bounds.columns, kingdom.bounds.rows) > kingdom.size:
            self._too_large(player, squares)
        else:
            self._shown(KingdomShown(player, kingdom), squares)

    def _shown(self, event: KingdomShown, squares: Mapping[Cell, Observation]) -> None:
        player, area = event.player, area_of(squares.values())
        question = next(self._questions(player, squares), None)
        if question is None:
            self.proposals.append(Proposal(event, area))
            return
        answers = Choice((event,), _("Count it as it is seen")), Choice((), _("No: look again"))
        self.doubts.append(Doubt(question, answers, area, player))

    def _questions(self, player: int, squares: Mapping[Cell, Observation]) -> Iterator[Message]:
        """Why what is seen may not be the kingdom."""
        kingdom, name = self.kingdoms[player], self._name(player)
        if self._covered(player, squares):
            yield _(
                "Something lies over or beside %(name)s's kingdom: take it away, then look again.", name=name
            )
        beside = sum(self._nearest(one) == player for one in self._loose())
        if (len(squares) + beside) % 2:
            yield _(
                "Half a domino is missing in the kingdom of %(name)s: look whether something covers it.",
                name=name,
            )
        if beside:
            yield _(
                "Beside the kingdom of %(name)s lies a square that touches none of the others: push it up to them.",
                name=name,
            )
        for square, reason in scarce_squares(self.kingdoms):
            if square in kingdom.squares.values():
                yield _("Look at the kingdom of %(name)s again. %(reason)s", name=name, reason=reason)
        if not fits_one_box([kingdom]):
            yield _(
                "No dominoes of the box make the kingdom of %(name)s as it is seen: look whether something covers it.",
                name=name,
            )
        elif all(fits_one_box([one]) for one in self.kingdoms) and not fits_one_box(self.kingdoms):
            yield _(
                "The box has too few dominoes for all these kingdoms: look at that of %(name)s.", name=name
            )
        if min(one.confidence for one in squares.values()) < SURE:
            yield _("Not every square of %(name)s is clear. Is it this kingdom?", name=name)

    def _covered(self, player: int, squares: Mapping[Cell, Observation]) -> bool:
        """Whether something unknown may hide a part of the kingdom, at its edge or in a corner of it."""
        castle = self.seen.homes[player]
        whole = (*squares.values(), *((castle,) if castle else ()))
        return self.seen.hides(ground_of(whole, self.seen.axis(player)), SIDE / 2)

    def _not_seen(self, player: int) -> None:
        name, loose = self._name(player), [one for one in self._loose() if self._nearest(one) is None]
        if self.seen.castles[player] is None and len(loose) > 1:
            text = _("The castle of %(name)s cannot be seen.", name=name)
            self.contradictions.append(Contradiction(text, area_of(loose), player=player))
        self.waiting = self.waiting or _("The kingdom of %(name)s is not seen yet.", name=name)

    def _too_large(self, player: int, squares: Mapping[Cell, Observation]) -> None:
        bounds, size = self.kingdoms[player].bounds, self.position.size
        text = _(
            "The kingdom of %(name)s seems to have %(columns)d by %(rows)d squares, but only %(size)d by %(size)d "
            "are allowed.",
            name=self._name(player),
            columns=bounds.columns,
            rows=bounds.rows,
            size=size,
        )
        self.contradictions.append(Contradiction(text, area_of(squares.values()), player=player))

    def _loose(self) -> Iterator[Observation]:
        """Squares that belong to no kingdom."""
        yield from self.seen.single
        for one in self.seen.apart:
            yield from (one.left, one.right)

    def _nearest(self, loose: Observation) -> int | None:
        """Whose kingdom a square lies beside."""
        away = (
            (hypot(one.x - loose.x, one.y - loose.y), player)
            for player, squares in enumerate(self.seen.kingdoms)
            for one in (squares or {}).values()
        )
        distance, player = min(away, default=(_NEAREST_MM, 0))
        return player if distance < _NEAREST_MM else None

    def _name(self, player: int) -> str:
        return self.setup.players[player].name


def _kingdom_seen(squares: Mapping[Cell, Observation], size: int) -> Kingdom:
    return kingdom_of(
        {HOME: CASTLE, **{cell: SQUARE_LABELS[one.label] for cell, one in squares.items()}}, size
    )
