"""Stories of what the box of a real game holds on the virtual table."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

import pytest

from companion.core.game import Colour, Player, Setup
from companion.core.observation import AnySight, PlacedPiece
from companion.games import GAMES
from companion.virtual.hand import HandPlanner
from companion.virtual.players import arrangement, faces_of, set_table
from companion.virtual.scene import Scene

GAME = GAMES["kingdomino"]
SIGHT = cast(AnySight, GAME.sight)
COLOURS = (Colour.PINK, Colour.YELLOW, Colour.GREEN, Colour.BLUE)


def a_setup(players: int) -> Setup:
    return Setup(tuple(Player(str(colour), colour) for colour in COLOURS[:players]))


def whole_game(setup: Setup) -> Iterator[list[PlacedPiece]]:
    """What should lie on the table, one event after the other."""
    random, position = Random(7), GAME.start(setup)
    while not GAME.turn(position).over:
        yield list(SIGHT.arrange(setup, position))
        event = GAME.draw(position, random.getrandbits(64)) or random.choice(list(GAME.legal(position)))
        position = GAME.apply(position, event)


def test_what_a_game_begins_with_lies_on_top_in_the_box() -> None:
    names = list(SIGHT.pieces)

    assert names[:4] == ["castle-pink", "castle-yellow", "castle-green", "castle-blue"]
    assert names[4:8] == ["king-pink-1", "king-pink-2", "king-yellow-1", "king-yellow-2"]
    assert names[8:12] == ["king-green-1", "king-green-2", "king-blue-1", "king-blue-2"]
    assert names[12:] == [f"domino-{number}" for number in range(1, 49)]


@pytest.mark.parametrize("players", (2, 3, 4))
def test_whatever_lies_on_the_table_in_a_whole_game_comes_out_of_the_box(players: int) -> None:
    pieces = SIGHT.pieces
    game = list(whole_game(a_setup(players)))
    lain = {one.piece: one.face for lies in game for one in lies}
    kings = max(sum(one.piece.startswith("king-") for one in lies) for lies in game)

    assert {piece: pieces[piece].label for piece in lain} == lain
    assert kings == {2: 4, 3: 3, 4: 4}[players]


def test_a_hand_that_plays_for_two_takes_both_kings_of_each_and_adds_none_to_the_box() -> None:
    setup = a_setup(2)
    scene = Scene(SIGHT.pieces, 1600, 900)
    fingers, most = HandPlanner(faces_of(SIGHT), Random(3)), 0
    set_table(scene, fingers, arrangement(scene, SIGHT, setup, GAME.start(setup)))
    before: list[PlacedPiece] = list(SIGHT.arrange(setup, GAME.start(setup)))
    for after in whole_game(setup):
        for move in fingers.plan(before, after, lambda: scene.snapshot):
            assert move.piece in SIGHT.pieces
            if move.end is None:
                scene.remove(move.piece)
            else:
                scene.put(move.piece, 800 + move.end.x, 450 + move.end.y, move.end.angle)
        before = after
        most = max(most, sum(one.piece.startswith("king-") for one in scene.snapshot.lying))

    assert most == 4
