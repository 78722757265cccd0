"""What a camera would see of a table of Dominations, without a camera."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import hypot

from companion.core.observation import Observation, Reading, Tint
from companion.core.session import Session
from companion.games.dominations.rules.events import TerritoryLaid
from companion.games.dominations.rules.lattice import parse_cell
from companion.games.dominations.rules.position import Position
from companion.games.dominations.sight import faces
from companion.games.dominations.sight.alignment import cell_centre, tile_of
from tests.games.dominations.stories import DOMINATIONS

Seen = tuple[Observation, ...]


def seen(session: Session) -> Seen:
    """Everything the log has, as it lies when people are tidy; a City hides its Field."""
    return _arranged(session, session.position)


def after(session: Session, *lines: str) -> Seen:
    """The same with the territories that these lines lay, whatever the rules ask about them."""
    board = session.position.board
    for line in lines:
        event = DOMINATIONS.parse(line)
        assert isinstance(event, TerritoryLaid)
        board = board.laid(event.cell, event.tile)
    return _arranged(session, replace(session.position, board=board))


def _arranged(session: Session, position: Position) -> Seen:
    arranged = DOMINATIONS.sight.arrange(session.setup, position)
    cities = [(one.x, one.y) for one in arranged if one.face.startswith(faces.CITY_LABEL)]
    found = []
    for one in arranged:
        if one.face in (faces.CRADLE_LABEL, faces.CARD_LABEL):
            found.append(Observation(one.face, one.x, one.y, one.angle))
        elif one.face.startswith(faces.TERRITORY_LABEL):
            letters = one.face.removeprefix(f"{faces.TERRITORY_LABEL}-").replace(":", "")
            tints = [Tint(letter) for letter in letters]
            if any(hypot(one.x - x, one.y - y) < 1 for x, y in cities):
                tints[0] = Tint("?", 0.0, "V")
            found.append(Observation(faces.TERRITORY_LABEL, one.x, one.y, one.angle, tints=tuple(tints)))
    return tuple(found)


def read(session: Session, observations: Sequence[Observation]) -> Reading:
    return DOMINATIONS.sight.read(session.setup, session.position, observations)


def at(cell: str, observations: Iterable[Observation]) -> Observation:
    """The territory in that place."""
    x, y = (faces.TERRITORY_SIDE * part for part in cell_centre(parse_cell(cell)))
    return min(
        (one for one in observations if one.label == faces.TERRITORY_LABEL),
        key=lambda one: hypot(one.x - x, one.y - y),
    )


def without(observations: Iterable[Observation], *gone: Observation) -> Seen:
    return tuple(one for one in observations if one not in gone)


def unsure(one: Observation, spot: int, runner_up: str) -> Observation:
    """The same with one colour that is not clear."""
    tints = list(one.tints)
    tints[spot] = replace(tints[spot], confidence=0.2, runner_up=runner_up)
    return replace(one, tints=tuple(tints), confidence=0.2)


def coloured(one: Observation, letters: str) -> Observation:
    """The same with other colours."""
    assert tile_of(letters)
    return replace(one, tints=tuple(map(Tint, letters)))
