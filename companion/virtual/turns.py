"""What turns have laid on a table, and how people play the next ones with nobody waiting for a camera."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from companion.core.game import AnyGame
from companion.core.observation import PlacedPiece
from companion.core.session import Session
from companion.virtual.hand import HandPlanner, differences
from companion.virtual.scene import Scene
from companion.virtual.script import arrangement, faces_of


def laid_by_turns(session: Session) -> tuple[PlacedPiece, ...]:
    """What players have brought to where it should lie now, the latest at the end; a line is laid by nobody's turn."""
    game, setup, sight = session.game, session.setup, session.game.sight
    if sight is None:
        return ()
    laid: dict[str, PlacedPiece] = {}
    before = sight.arrange(setup, session.fold.positions[0])
    for position, later in pairwise(session.fold.positions):
        after = sight.arrange(setup, later)
        leaving, coming = differences(before, after)
        for one in leaving:
            laid.pop(one.piece, None)
        if game.turn(position).player is not None:
            laid |= {one.piece: one for one in coming}
        before = after
    return tuple(laid.values())


def staying(scene: Scene, session: Session) -> frozenset[str]:
    """The figures on the table that stay where they are whatever happens next: others may be lifted at any time."""
    game, setup, sight, position = session.game, session.setup, session.game.sight, session.position
    if sight is None:
        return frozenset()
    faces = faces_of(sight)
    fingers, before = HandPlanner(faces, Random()), arrangement(scene, sight, setup, position)
    fingers.find_again(before, scene.snapshot.lying)
    leaving = {
        one
        for event in game.legal(position)
        for one in differences(before, arrangement(scene, sight, setup, game.apply(position, event)))[0]
    }
    return frozenset(fingers.name_of(one) for one in before if faces[one.face].stands and one not in leaving)


def next_turn(game: AnyGame, position: Any, random: Random) -> tuple[object, ...]:
    """Something that may happen until it is another's turn, or something would come again."""
    player, turn = game.turn(position).player, list[object]()
    while game.turn(position).player == player and not game.turn(position).over:
        legal = list(game.legal(position))
        event = random.choice(legal) if legal else game.draw(position, random.getrandbits(64))
        if event is None or type(event) in map(type, turn):
            break
        turn.append(event)
        position = game.apply(position, event)
        if player is None:
            break
    return tuple(turn)


def lay_turns(scene: Scene, session: Session, count: int, random: Random) -> int:
    """Lay the next turns all at once; how many there were."""
    game, setup, sight = session.game, session.setup, session.game.sight
    assert sight is not None
    fingers, position, played = HandPlanner(faces_of(sight), random), session.position, 0
    before: Sequence[PlacedPiece] = arrangement(scene, sight, setup, position)
    fingers.find_again(before, scene.snapshot.lying)
    while played < count and (turn := next_turn(game, position, random)):
        for event in turn:
            position = game.apply(position, event)
            after = arrangement(scene, sight, setup, position)
            for move in fingers.plan(before, after, lambda: scene.snapshot):
                if move.end is None:
                    scene.remove(move.piece)
                    continue
                for one in (*move.nudged, move.end):
                    scene.put(one.piece, one.x, one.y, one.angle)
            before = after
        played += 1
    return played
