"""Who was at the table is put right afterwards."""

from __future__ import annotations

import pytest

from companion.core import notation
from companion.core.correction import work_out_correction
from tests.games.dominations.stories import CARDS, DOMINATIONS, FISHING, evening, rich, started
from tests.games.stories import EVENING


@pytest.mark.parametrize(
    "told",
    (
        f"{FISHING}\n{rich(3, 'C5')}\n1 passes\n2 passes\n3 passes\n3 develops fishing nodi C1",
        f"{CARDS}\n3 keeps roman and lighthouse\n3 reached 2",
        "1 passes\n2 passes\n3 produces T1\n3 ends",
    ),
)
def test_who_was_at_the_table_after_all_leaves_out_what_nobody_did(told: str) -> None:
    session = evening(3, told)
    two = notation.parse_entry(DOMINATIONS, started(2))

    difference = work_out_correction(session, {1: two}, "as it lies", EVENING)

    left_out = {missed.seq for missed in difference.left_out}
    third = {entry.seq for entry in session.entries if getattr(entry.event, "player", None) == 2}
    assert third <= left_out
