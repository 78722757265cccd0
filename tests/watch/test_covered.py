"""Things that are no pieces: what they hide lies there still, and what their hems look like lies nowhere."""

from __future__ import annotations

from dataclasses import replace

from companion.core.observation import Area, Observation
from companion.watch.cross_check import FAINT, same_table, with_covered
from tests.watch.evening import GAME

NAPKIN = Area(300, 300, 130, 130, 20)
CRUMB = Area(300, 300, 40, 30)


def meadow(x: float, y: float, confidence: float = 1.0) -> Observation:
    return Observation("m0", x, y, confidence=confidence)


def test_what_is_under_a_napkin_or_half_under_it_is_remembered_faintly() -> None:
    before = [meadow(310, 290), meadow(370, 330), meadow(600, 300)]

    found = with_covered(before, [meadow(370, 330, 0.1), meadow(600, 300)], [NAPKIN], GAME)

    assert found == (meadow(600, 300), meadow(310, 290, FAINT), meadow(370, 330, FAINT))


def test_the_hem_of_a_napkin_is_no_piece_and_hides_none() -> None:
    castle, hem = Observation("castle-pink", 300, 352), meadow(300, 360, 0.02)

    assert with_covered([castle], [hem], [NAPKIN], GAME) == (
        Observation("castle-pink", 300, 352, confidence=FAINT),
    )


def test_what_is_seen_clearly_beside_a_napkin_counts() -> None:
    laid = meadow(375, 310, 0.6)

    assert with_covered([], [laid], [NAPKIN], GAME) == (laid,)


def test_an_unclear_piece_that_is_partly_not_understood_stays_a_question() -> None:
    unclear = meadow(300, 300, 0.1)

    assert with_covered([], [unclear], [CRUMB], GAME) == (unclear,)


def test_what_is_remembered_is_believed_in_no_way() -> None:
    one_of_two = replace(meadow(370, 300), unrivalled=0.9)

    (remembered,) = with_covered([one_of_two], [], [NAPKIN], GAME)

    assert (remembered.confidence, remembered.unrivalled) == (FAINT, 0)


def test_a_piece_that_becomes_one_of_two_is_read_again() -> None:
    unclear = meadow(370, 300, 0.1)

    assert same_table((unclear,), (replace(unclear, x=371),))
    assert not same_table((unclear,), (replace(unclear, unrivalled=0.9),))
