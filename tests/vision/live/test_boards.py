"""What the eye makes of a board of Carcassonne that it sees for the first time, followers on it and all."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Any, cast

import numpy as np
import pytest

from companion.core.observation import Observation, PlacedPiece
from companion.games.carcassonne.rules.board import upright
from companion.games.carcassonne.sight.registration import LETTER_OF_LABEL
from companion.vision.live.reader import TableReader
from tests.vision.live.boards import beside_the_first, board, tiles_known
from tests.vision.live.tables import Looking, Outcome, compare

SURE = 0.5


def looked_at(seed: int, tiles: int) -> Outcome:
    table = board(seed, tiles)
    return compare(table, Looking(table, seed, known=tiles_known()).settled().seen or ())


def sure(found: Iterable[tuple[PlacedPiece, Observation]]) -> list[tuple[PlacedPiece, Observation]]:
    return [(lying, seen) for lying, seen in found if seen.confidence >= SURE]


def turned_wrongly(lying: PlacedPiece, seen: Observation) -> bool:
    """Whether a tile would have to be turned to lie as it was seen to, and look otherwise."""
    letter, quarters = LETTER_OF_LABEL.get(lying.face), round((seen.angle - lying.angle) / 90) % 4
    return letter is not None and upright(letter, quarters) != 0


@pytest.mark.parametrize("seed", (1, 2))
def test_no_tile_is_taken_for_another_or_turned_whatever_stands_on_it(seed: int) -> None:
    outcome = looked_at(seed, 24)
    tiles = [(lying, seen) for lying, seen in outcome.found if lying.face in LETTER_OF_LABEL]

    assert not [lying for lying in outcome.missed if lying.face in LETTER_OF_LABEL]
    assert [lying.face for lying, _seen in sure(tiles)] == [seen.label for _lying, seen in sure(tiles)]
    assert not [lying for lying, seen in sure(tiles) if turned_wrongly(lying, seen)]
    assert len(sure(tiles)) >= 0.8 * len(tiles)


@pytest.mark.parametrize("seed", (2, 3))
def test_a_tile_that_is_one_of_two_is_no_third(seed: int) -> None:
    """A follower hides whether a road runs there: the rules may know that no tile with a road can lie there."""
    found = looked_at(seed, 24).found
    one_of_two = [(lying.face, seen) for lying, seen in found if seen.confidence < SURE <= seen.unrivalled]

    assert one_of_two
    assert [seen for face, seen in one_of_two if face not in (seen.label, seen.runner_up)] == []


class Fits:
    """Second looks that are all for the same face."""

    def __init__(self, row: int) -> None:
        self.row = row

    def lead(self, row: int, other: int) -> float:
        return 0.3 if row == self.row else -0.3 if other == self.row else 0.0


def test_the_second_look_at_two_says_nothing_of_a_third() -> None:
    known = tiles_known()
    scores = np.full(len(known.faces), -1, np.float32)
    first, second, third = (known.faces.index(f"tile-{letter}") for letter in "DVU")
    scores[[first, second, third]] = 0.9, 0.8, 0.795

    row, rival = TableReader(known)._twins(cast("Any", Fits(second)), scores, 0.0)

    assert (row, rival.row) == (second, first)
    assert rival.others < 0.1 < rival.lead


@pytest.mark.parametrize(("letter", "part"), (("G", "c0"), ("N", "c0"), ("B", "m0"), ("X", "r2")))
def test_a_tile_whose_middle_is_hidden_is_told_by_what_is_bare(letter: str, part: str) -> None:
    """What stands there looks like a part of another drawing, and draws the tile away from its place."""
    table = beside_the_first(letter, part)
    outcome = compare(table, Looking(table, 1, known=tiles_known()).settled().seen or ())
    tiles = [(lying, seen) for lying, seen in outcome.found if lying.face == f"tile-{letter}"]

    assert [seen.label for _lying, seen in sure(tiles)] == [f"tile-{letter}"]
    assert all(hypot(seen.x - lying.x, seen.y - lying.y) < 3 for lying, seen in tiles)


def test_every_follower_is_seen_in_its_colour() -> None:
    outcome = looked_at(2, 24)
    followers = [(lying, seen) for lying, seen in outcome.found if lying.face not in LETTER_OF_LABEL]

    assert len(followers) > 8
    assert not [lying for lying in outcome.missed if lying.face not in LETTER_OF_LABEL]
    assert [lying.face.split("-")[1] for lying, _seen in followers] == [
        seen.label.split("-")[1] for _lying, seen in followers
    ]
