"""What to make of a still table: what it shows beyond the log, and whether that can be believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from companion.core.aim import table_moved
from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Doubt, Observation, Reading, shifted, shifted_reading
from companion.core.session import Session
from companion.core.tinted import Tinted, tinted_pieces
from companion.watch.settled import Dismissable, Dismissals

LOOK = _("Table and log disagree: look at the page.")
LOOK_FIRST = _("See on the page how it was read, then press again.")
EDGE = _(
    "The board comes near the edge of what the camera sees: push all of it towards the middle, or tap what lies beyond."
)
ROOM = 1.25
"""Sides from the middle of a piece to the edge of the table that its neighbour needs."""
SEEN_S = 1.0
"""How long something has to have been shown that people have to see before they confirm it."""
DISPUTE_S = 1.2
"""How long table and log have to disagree before people are told."""
NEAR_MM = 4.0
NEAR_CONFIDENCE = 0.2
UNSURE = 0.5
"""Games ask people about what is seen with less confidence."""


@dataclass(frozen=True)
class CheckedReading:
    """A reading without what people have settled already."""

    reading: Reading = field(default_factory=Reading)
    said: Message | None = None
    raised: tuple[Dismissable, ...] = ()
    """Everything that came up, settled or not."""
    since: float = 0
    """When the table was first read like this."""

    def after(self, before: CheckedReading, now: float) -> CheckedReading:
        """The same, with since when it has been so."""
        return replace(self, since=before.since if before.reading == self.reading else now)

    def unseen(self, now: float) -> Message | None:
        """What to say where nobody can have seen yet how it was read."""
        return LOOK_FIRST if self.to_be_seen and now - self.since < SEEN_S else None

    @property
    def ready(self) -> bool:
        """Whether there is something to record, and nothing speaks against it."""
        reading = self.reading
        return bool(reading.proposals) and not reading.doubts and not reading.contradictions

    @property
    def to_be_seen(self) -> bool:
        """Whether people have to see how it was read before they say that it is right."""
        return any(proposal.marks for proposal in self.reading.proposals)

    @property
    def proposed(self) -> list[object]:
        return [proposal.event for proposal in self.reading.proposals]


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
    if _outgrowing(tinted_pieces(sight), seen, middle):
        found = replace(found, waiting=EDGE)
    if (tinted := tinted_pieces(sight)) and all(one.label != tinted.blank.label for one in seen):
        # Where most is tapped anyway, a table without any piece laid is one that nobody lays them on.
        found = replace(found, contradictions=())
    reading = replace(
        found,
        doubts=tuple(one for one in found.doubts if not settled.covers(session, one)),
        contradictions=tuple(one for one in found.contradictions if not settled.covers(session, one)),
    )
    return CheckedReading(reading, _words(reading), (*found.doubts, *found.contradictions))


def _outgrowing(tinted: Tinted | None, seen: Iterable[Observation], middle: tuple[float, float]) -> bool:
    """Whether the next piece laid there may lie beyond what the camera sees."""
    if tinted is None or middle == (0.0, 0.0):
        return False
    pieces = (one for one in seen if one.label == tinted.blank.label)
    room = ((min(one.x, 2 * middle[0] - one.x), min(one.y, 2 * middle[1] - one.y)) for one in pieces)
    return any(min(near) < ROOM * tinted.side for near in room)


def same_table(before: tuple[Observation, ...], after: tuple[Observation, ...]) -> bool:
    """Whether two looks at a table show the same, but for what no eye could tell apart."""
    return len(before) == len(after) and all(_alike(a, b) for a, b in zip(before, after, strict=True))


def _alike(a: Observation, b: Observation) -> bool:
    if b.confidence < UNSURE <= a.confidence:
        return False  # what was believed has become a question
    near = abs(a.x - b.x) < NEAR_MM and abs(a.y - b.y) < NEAR_MM
    if [tint.letter for tint in a.tints] != [tint.letter for tint in b.tints]:
        return False
    return a.label == b.label and near and abs(a.confidence - b.confidence) < NEAR_CONFIDENCE


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
