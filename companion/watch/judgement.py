"""What to make of a still table: what it shows beyond the log, and whether that can be believed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from companion.core.aim import beside
from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Contradiction, Doubt, Observation, Reading, carried, moved
from companion.core.session import Session

Said = tuple[str, str]
"""What marks something people have settled: which session, and the words they settled it by."""


LOOK = _("Table and log disagree: look at the page.")
NEAR_MM = 4.0
NEAR_CONFIDENCE = 0.2


@dataclass(frozen=True)
class Judgement:
    """A reading without what people have settled already."""

    reading: Reading = field(default_factory=Reading)
    said: Message | None = None
    raised: frozenset[Said] = frozenset()
    """Everything that came up, settled or not."""

    @property
    def ready(self) -> bool:
        """Whether there is something to record, and nothing speaks against it."""
        reading = self.reading
        return bool(reading.proposals) and not reading.doubts and not reading.contradictions


def judge(
    session: Session,
    seen: tuple[Observation, ...],
    settled: Collection[Said],
    middle: tuple[float, float] = (0.0, 0.0),
) -> Judgement:
    """Read the table for this session; what was settled does not come up again."""
    sight = session.game.sight
    if sight is None:
        return Judgement(
            said=_("%(game)s cannot be watched yet: tap in what happens.", game=session.game.name)
        )
    if session.turn.over:
        return Judgement()
    x, y = middle
    around = tuple(moved(one, -x, -y) for one in seen)
    reading = carried(sight.read(session.setup, session.position, around), x, y)
    raised = {mark(session, doubt) for doubt in reading.doubts}
    raised |= {mark(session, found) for found in reading.contradictions}
    open_doubts = tuple(doubt for doubt in reading.doubts if mark(session, doubt) not in settled)
    disputed = tuple(c for c in reading.contradictions if mark(session, c) not in settled)
    reading = replace(reading, doubts=open_doubts, contradictions=disputed)
    return Judgement(reading, _words(reading), frozenset(raised))


def unchanged(before: tuple[Observation, ...], after: tuple[Observation, ...]) -> bool:
    """Whether two looks at a table show the same, but for what no eye could tell apart."""
    return len(before) == len(after) and all(_alike(a, b) for a, b in zip(before, after, strict=True))


def _alike(a: Observation, b: Observation) -> bool:
    near = abs(a.x - b.x) < NEAR_MM and abs(a.y - b.y) < NEAR_MM
    return a.label == b.label and near and abs(a.confidence - b.confidence) < NEAR_CONFIDENCE


def mark(session: Session, what: Doubt | Contradiction) -> Said:
    # A question about the next entry is another one once there is an entry; a disagreement stays the same.
    words = f"{session.seq}: {what.question}" if isinstance(what, Doubt) else str(what.text)
    return session.id, words


def _words(reading: Reading) -> Message | None:
    if reading.contradictions:
        return reading.contradictions[0].text
    if reading.proposals or reading.doubts:
        return None
    return reading.waiting


def blind(markers: int, off_mm: float = 0) -> Message:
    """Why there is nothing to read."""
    if off_mm:
        return beside(off_mm)
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
