"""The cross-check of a still table against the log.

What it shows beyond the log, whether that can be believed, and what people have settled already.

Pure functions of what is seen, and three small memories that may be lost: dismissed questions, what lay there
last, and how long a disagreement has lasted. What lay somewhere before it was covered is taken to lie there
still.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import hypot
from typing import TYPE_CHECKING

from companion.core.devices import table_moved
from companion.core.errors import IllegalEvent
from companion.core.game import AnyGame
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import (
    Area,
    Contradiction,
    Doubt,
    Observation,
    Reading,
    offset_in,
    shifted,
    shifted_reading,
)
from companion.core.session import Session
from companion.watch.recording import rejected_events

if TYPE_CHECKING:
    from companion.vision.live.eye import FrameReading


LOOK = _("Table and log disagree: look at the page.")

Dismissable = Doubt | Contradiction


@dataclass(frozen=True)
class CheckedReading:
    """A reading without what people have settled already."""

    reading: Reading = field(default_factory=Reading)
    said: Message | None = None
    raised: tuple[Dismissable, ...] = ()
    """Everything that came up, settled or not."""

    @property
    def ready(self) -> bool:
        """Whether there is something to record, and nothing speaks against it."""
        reading = self.reading
        return bool(reading.proposals) and not reading.doubts and not reading.contradictions

    @property
    def proposed(self) -> list[object]:
        return [proposal.event for proposal in self.reading.proposals]


def cross_check(
    session: Session,
    seen: tuple[Observation, ...],
    unknown: tuple[Area, ...],
    settled: Dismissals,
    middle: tuple[float, float] = (0.0, 0.0),
) -> CheckedReading:
    """Read the table for this session; what was settled does not come up again."""
    sight = session.game.sight
    if sight is None:
        return CheckedReading(
            said=_("%(game)s cannot be watched yet: tap in what happens.", game=session.game.name)
        )
    if session.turn.over:
        return CheckedReading()
    x, y = middle
    around = tuple(shifted(one, -x, -y) for one in seen)
    hidden = tuple(shifted(area, -x, -y) for area in unknown)
    found = shifted_reading(sight.read(session.setup, session.position, around, hidden), x, y)
    reading = replace(
        found,
        doubts=tuple(one for one in found.doubts if not settled.covers(session, one)),
        contradictions=tuple(one for one in found.contradictions if not settled.covers(session, one)),
    )
    return CheckedReading(reading, _words(reading), (*found.doubts, *found.contradictions))


def _words(reading: Reading) -> Message | None:
    if reading.contradictions:
        return reading.contradictions[0].text
    if reading.proposals or reading.doubts:
        return None
    return reading.waiting


def why_blind(markers: int, off_mm: float = 0) -> Message:
    """Why there is nothing to read."""
    if off_mm:
        return table_moved(off_mm)
    return _(
        "The table cannot be found: %(seen)d of 4 markers are seen. Uncover the markers in its corners.",
        seen=markers,
    )


def asked_about(reading: Reading, doubt: int, choice: int) -> Doubt:
    """The doubt that is answered by that choice, or IllegalEvent."""
    doubts = reading.doubts
    if not (0 <= doubt < len(doubts) and 0 <= choice < len(doubts[doubt].choices)):
        raise IllegalEvent(_("There is no such answer."))
    return doubts[doubt]


FORGET_S = 2.0
"""What has not come up for so long is over: when it happens again, people are told again."""
SAME_MM = 30.0
"""A question about another place is another question."""


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

    def believed(self, session: Session, reading: Reading, implied: bool = False) -> list[object]:
        """What may be recorded without anybody's word: nothing that people took back or said no to.

        With `implied`, what no table can show counts where something was seen that came after it.
        """
        refused = (*rejected_events(session), *self._refused)
        last = max((place for place, one in enumerate(reading.proposals) if one.shown and implied), default=0)
        told = takewhile(
            lambda one: (one[1].shown or one[0] < last) and one[1].event not in refused,
            enumerate(reading.proposals),
        )
        return [proposal.event for _place, proposal in told]

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
    there, here = item.what.area, what.area
    same_place = near(there, here, SAME_MM) if there and here else there is here
    if item.session != session.id or not same_place:
        return False
    match item.what, what:
        case Doubt() as before, Doubt() as now:
            # Once there is another entry, the question is about something else.
            return item.seq == session.seq and before.question == now.question
        case Contradiction() as before, Contradiction() as now:
            return replace(before, area=None) == replace(now, area=None)
    return False


DISPUTE_S = 1.2
"""How long table and log have to disagree before people are told."""


class DisagreementTimer:
    """How long table and log have disagreed: a glimpse of something odd is no disagreement."""

    def __init__(self) -> None:
        self._since: float | None = None

    def lasts(self, reading: Reading, now: float) -> bool:
        """Whether people have to be told."""
        if not reading.contradictions:
            self._since = None
            return False
        self._since = now if self._since is None else self._since
        return now - self._since >= DISPUTE_S

    def forget(self) -> None:
        self._since = None


SURE_S = 0.6
"""How long something has to lie unchanged before it is recorded without a confirmation."""


class LastPositions:
    """Keeps what people would say lies there, although an eye never measures it twice alike."""

    def __init__(self) -> None:
        self.seen: tuple[Observation, ...] | None = None
        self._since = 0.0

    def take(self, glance: FrameReading, game: AnyGame) -> None:
        """Another look at a still table."""
        seen = with_covered(self.seen or (), glance.seen or (), glance.unknown, game)
        if self.seen is None or not same_table(self.seen, seen):
            self.seen, self._since = seen, glance.frame.time

    def stirred(self, now: float) -> None:
        """Something moves: from now on it has to lie again."""
        self._since = now

    def long_enough(self, now: float) -> bool:
        return now - self._since >= SURE_S

    def forget(self) -> None:
        self.seen = None


NEAR_MM = 4.0
NEAR_CONFIDENCE = 0.2
UNSURE = 0.5
"""Games ask people about what is seen with less confidence."""


def same_table(before: tuple[Observation, ...], after: tuple[Observation, ...]) -> bool:
    """Whether two looks at a table show the same, but for what no eye could tell apart."""
    return len(before) == len(after) and all(_alike(a, b) for a, b in zip(before, after, strict=True))


def _alike(a: Observation, b: Observation) -> bool:
    if b.confidence < UNSURE <= a.confidence:
        return False  # what was believed has become a question
    if a.label != b.label:
        return False
    changed = max(abs(a.confidence - b.confidence), abs(a.unrivalled - b.unrivalled))
    return near(a, b, NEAR_MM) and changed < NEAR_CONFIDENCE


FAINT = 0.3
"""Confidence in what can only be remembered: too little to contradict anything, or to be recorded."""
PLACE_MM = 15.0
"""What is seen nearer than this lies in the same place."""
BULKY_MM, BESIDE_MM = 45.0, 20.0
"""Something so wide is no part of a piece but a thing of its own, and pieces beside it may be half under it."""


def with_covered(
    before: Iterable[Observation], seen: Sequence[Observation], unknown: Sequence[Area], game: AnyGame
) -> tuple[Observation, ...]:
    """What is seen, and what was seen before where something lies now that is no piece."""
    bulky = [area for area in unknown if min(area.width, area.height) >= BULKY_MM]
    things = [
        replace(area, width=area.width + 2 * BESIDE_MM, height=area.height + 2 * BESIDE_MM) for area in bulky
    ]
    covers = [*things, *(area for area in unknown if area not in bulky)]
    # The hem of a napkin looks a little like many things, and very much like none.
    clear = [one for one in seen if one.confidence >= FAINT or not _under(one, things)]
    faces = game.sight.faces if game.sight else ()
    standing = frozenset(face.label for face in faces if face.stands)

    def hidden(one: Observation) -> bool:
        layer = (other for other in clear if (other.label in standing) == (one.label in standing))
        return _under(one, covers) and not any(near(one, other, PLACE_MM) for other in layer)

    remembered = (
        replace(one, confidence=min(one.confidence, FAINT), unrivalled=0) for one in before if hidden(one)
    )
    return (*clear, *remembered)


def _under(one: Observation, areas: Iterable[Area]) -> bool:
    for area in areas:
        dx, dy = offset_in(area, one.x, one.y)
        if abs(dx) <= area.width / 2 and abs(dy) <= area.height / 2:
            return True
    return False


def near(one: Observation | Area, other: Observation | Area, limit_mm: float) -> bool:
    """Whether their middles lie closer than so many millimetres."""
    return hypot(one.x - other.x, one.y - other.y) < limit_mm
