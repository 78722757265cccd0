"""Whether the camera knows the pieces that lie on this table, told from the first piece on.

Nobody should play a whole evening before a camera that cannot read their box.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core.message import Message
from companion.core.message import message as _

if TYPE_CHECKING:
    from companion.vision.live.eye import FrameReading


class Familiarity(StrEnum):
    """What is known of the pieces on the table."""

    NOTHING = "nothing"
    """Too few lie there to say anything."""
    KNOWN = "known"
    STRANGE = "strange"
    """Most of what lies there looks like no piece of this game that was shipped or taught."""
    SMALL = "small"
    """They may be known, but the camera shows too little of each."""


FEWEST = 2
"""Pieces before anything is said of them; two is a domino."""
MOSTLY = 0.5
"""Part of the pieces that is told apart where they are known."""
LEAST_PX = 24.0
"""The camera's own pixels of a piece's side below which pieces are not told apart."""

UNFAMILIAR = frozenset({Familiarity.STRANGE, Familiarity.SMALL})
"""Nobody should go on as if the camera read along."""
FAMILIARITY_WORDS: Mapping[Familiarity, Message] = {
    Familiarity.NOTHING: _("Lay down the first pieces: the camera says at once whether it knows them."),
    Familiarity.KNOWN: _("The camera knows these pieces: play as always, what you lay down is read here."),
    Familiarity.STRANGE: _(
        "The camera does not know these pieces yet. Teach it your box, or tap in what happens and count from a photo "
        "at the end."
    ),
    Familiarity.SMALL: _(
        "The pieces are too small in the camera's picture to be told apart: bring it nearer, or tap in what happens "
        "and count from a photo at the end."
    ),
}


def familiarity(glance: FrameReading, before: Familiarity) -> Familiarity:
    """What one look says; where it says nothing, what was said before."""
    seen = glance.sure + glance.strange
    if seen < FEWEST:
        return before
    if glance.sure >= MOSTLY * seen:
        return Familiarity.KNOWN
    return Familiarity.SMALL if glance.piece_px < LEAST_PX else Familiarity.STRANGE
