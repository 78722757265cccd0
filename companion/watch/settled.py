"""What people have settled does not come up again while it lasts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from math import hypot

from companion.core.observation import Area, Contradiction, Doubt, Reading
from companion.core.session import Session
from companion.watch.deeds import rejected_events

FORGET_S = 2.0
"""What has not come up for so long is over: when it happens again, people are told again."""
SAME_MM = 30.0
"""A question about another place is another question."""

Dismissable = Doubt | Contradiction


@dataclass(frozen=True)
class _Item:
    session: str
    seq: int
    what: Dismissable
    last: float
    """When it came up last."""


class Dismissals:
    """Questions waved away, and disagreements in which the log is right."""

    def __init__(self) -> None:
        self._items: list[_Item] = []
        self._refused: list[object] = []
        """What people said has not happened."""

    def add(self, session: Session, what: Dismissable, now: float) -> None:
        self._items.append(_Item(session.id, session.seq, what, now))

    def refuse(self, session: Session, doubt: Doubt, now: float) -> None:
        """Nothing of what this question offered has happened."""
        self.add(session, doubt, now)
        self._refused += [event for choice in doubt.choices for event in choice.events[-1:]]

    def believed(self, session: Session, reading: Reading) -> list[object]:
        """What may be recorded without anybody's word: nothing that people took back, said no to, or have to see."""
        refused = (*rejected_events(session), *self._refused)
        shown = takewhile(
            lambda one: one.shown and not one.marks and one.event not in refused, reading.proposals
        )
        return [proposal.event for proposal in shown]

    def covers(self, session: Session, what: Dismissable) -> bool:
        return any(_same(item, session, what) for item in self._items)

    def keep(self, session: Session, raised: Iterable[Dismissable], now: float) -> None:
        """Forget what has been over for a while; all of that came up in this look."""
        raised = tuple(raised)
        seen = (
            replace(item, last=now) if any(_same(item, session, what) for what in raised) else item
            for item in self._items
        )
        self._items = [item for item in seen if now - item.last < FORGET_S]

    def clear(self) -> None:
        self._items.clear()
        self._refused.clear()


def _same(item: _Item, session: Session, what: Dismissable) -> bool:
    if item.session != session.id or not _same_disputed_place(item.what.area, what.area):
        return False
    match item.what, what:
        case Doubt() as before, Doubt() as now:
            # Once there is another entry, the question is about something else.
            return item.seq == session.seq and before.question == now.question
        case Contradiction() as before, Contradiction() as now:
            return replace(before, area=None) == replace(now, area=None)
    return False


def _same_disputed_place(one: Area | None, other: Area | None) -> bool:
    if one is None or other is None:
        return one is other
    return hypot(one.x - other.x, one.y - other.y) < SAME_MM
