"""Entries of the log in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Remark
from companion.core.log import Change, Corrected, Started, Unreadable
from companion.core.message import joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import Session


def entry_in_words(session: Session, event: object) -> Remark:
    """Any entry of the log in words."""
    match event:
        case Started(setup):
            options = [option.name for option in session.game.options if option.key in setup.options]
            names = [player.name for player in setup.players]
            return Remark(_("The game begins: %(who)s", who=joined([*names, *options])))
        case Corrected(changes, back) if back:
            return Remark(_("Correction %(seq)d taken back", seq=back))
        case Corrected(changes):
            numbers, count = _numbers(changes), len(changes)
            return Remark(
                _n(
                    "Correction of entry %(entries)s",
                    "Correction of entries %(entries)s",
                    count,
                    entries=numbers,
                )
            )
        case Unreadable(text):
            return Remark(_("Cannot be understood: %(text)s", text=text[:80]))
        case _:
            return session.game.recount(event, session.position, session.setup.players)


def _numbers(changes: Sequence[Change]) -> str:
    return ", ".join(str(change.seq) for change in changes)
