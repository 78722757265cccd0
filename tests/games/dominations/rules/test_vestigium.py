"""Vestigium as its owner splits it, and what stays of that when there is more of it, or less, after all."""

from __future__ import annotations

import pytest

from tests.games.dominations.stories import corrected, evening, has, rich

WHITE = "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d\n1 chooses CC\n1 ends\n2 produces T1"


def test_less_vestigium_than_was_chosen_keeps_the_first_choices() -> None:
    difference = corrected(evening(2, WHITE), "1 lays T:VRR at 4,0d", "1 lays T:SRR at 4,0d")

    assert has(difference.before.position, 1) == {"T": 1, "C": 2, "S": 1, "R": 1}
    assert has(difference.after.position, 1) == {"T": 1, "C": 1, "S": 2, "R": 1}
    assert (difference.left_out, len(difference.kept)) == ((), 1)


@pytest.mark.parametrize("told", ("\n1 chooses ", " choosing "))
@pytest.mark.parametrize(
    ("chosen", "count", "kept"),
    (("AAAASSSSPPPP", 8, {"A": 4, "S": 4}), ("AAS", 7, {"A": 5, "S": 2}), ("A", 17, {"A": 17})),
)
def test_any_number_of_vestigium_keeps_what_was_chosen_first_and_repeats_it(
    chosen: str, count: int, kept: dict[str, int], told: str
) -> None:
    card = f'mastery many "Muitos" T 3 basic 0 0 "now: {len(chosen)} V"'
    story = f"{card}\n{rich(1, 'T3')}\n1 adjusts limit A +15\n1 passes\n1 develops many{told}{chosen}\n1 ends"

    difference = corrected(evening(2, story), card, card.replace(f"{len(chosen)} V", f"{count} V"))

    assert has(difference.after.position, 1) == kept
    assert difference.left_out == ()
