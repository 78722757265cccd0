"""What a correction would come to: what follows it, what stays as it lies, and what could not count any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from companion.core.errors import IllegalEvent
from companion.core.log import Change, Corrected, Source, effective
from companion.core.message import message as _
from companion.core.session import Misfit, Session

Changes = Mapping[int, object | None]
"""What entries should have said, by their numbers; nothing for one that should not have been there."""


@dataclass(frozen=True)
class Difference:
    """A correction before it is accepted."""

    before: Session
    after: Session
    changes: tuple[Change, ...]
    """The corrections asked for, and those that follow from them."""
    kept: frozenset[int]
    """Later entries that break the rules now, but stay because that is how it lies on the table."""
    left_out: tuple[Misfit, ...]
    """Later entries that could not count any more."""

    @property
    def final(self) -> Corrected:
        """The entry to record: what no longer fits is left out by the same step, so undo brings all back."""
        gone = (Change(misfit.seq, None) for misfit in self.left_out)
        final = {change.seq: change for change in (*self.changes, *gone)}
        return Corrected(tuple(final[seq] for seq in sorted(final)))


def work_out(session: Session, asked: Changes, because: str, time: datetime) -> Difference:
    """Fold the log with the corrections, and keep as many later entries as can stand."""
    if not asked:
        raise IllegalEvent(_("There is nothing to correct."))
    followed = session.follow([Change(seq, event) for seq, event in sorted(asked.items())])
    changes = {change.seq: change for change in followed}
    known = {misfit.seq for misfit in session.fold.misfits}
    ways: dict[int, list[object]] = {}
    while True:
        ordered = tuple(changes[seq] for seq in sorted(changes))
        after = session.record(Corrected(ordered), Source.PAGE, time)
        left_out = tuple(misfit for misfit in after.fold.misfits if misfit.seq not in known)
        for misfit in left_out:
            if misfit.seq not in asked and misfit.seq not in ways:
                ways[misfit.seq] = list(session.game.keep(misfit.event, because))
            # What nothing can keep does not keep later entries from standing.
            if ways.get(misfit.seq):
                changes[misfit.seq] = Change(misfit.seq, ways[misfit.seq].pop(0))
                break
        else:
            kept = {seq for seq in ways if seq not in {misfit.seq for misfit in left_out}}
            return Difference(session, after, ordered, frozenset(kept), left_out)


def taken_back(session: Session, seq: int) -> Changes:
    """The corrections that undo an earlier correction, whatever was recorded since."""
    wrong = next((entry.event for entry in session.entries if entry.seq == seq), None)
    if not isinstance(wrong, Corrected):
        raise IllegalEvent(_("Entry %(seq)d is no correction.", seq=seq))
    without = {step.seq: step.event for step in effective(e for e in session.entries if e.seq != seq)}
    return {change.seq: without.get(change.seq) for change in wrong.changes}
