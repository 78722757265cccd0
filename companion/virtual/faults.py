"""What goes wrong at tables, each of it on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from random import Random
from typing import Protocol

from companion.core.message import message as _
from companion.core.observation import Lying
from companion.virtual import props
from companion.virtual.camera import VirtualCamera
from companion.virtual.control import Fault
from companion.virtual.scene import Scene
from companion.virtual.script import Script, wrongly

UNPLUGGED_S = 60.0
CHATTER_S = 2.5
"""Long enough that the companion says so."""
LEAST_BUMP_MM, MOST_BUMP_MM = 1.0, 50.0
LEAST_SHOVE_MM, MOST_SHOVE_MM = 4.0, 60.0


class Buttons(Protocol):
    """Fingers on a panel without hardware; pins that also do what bad buttons do offer more faults."""

    def push(self, seat: int | None, seconds: float = ...) -> None: ...


class BadButtons(Buttons, Protocol):
    """Fingers on a panel whose buttons can go wrong."""

    def bounce(self, seat: int | None, seconds: float = ...) -> None: ...

    def chatter(self, seat: int | None, seconds: float) -> None: ...

    def stick(self, seat: int | None) -> None: ...

    def release(self, seat: int | None) -> None: ...


@dataclass
class Surroundings:
    """All that a fault can get its hands on."""

    scene: Scene
    camera: VirtualCamera
    buttons: BadButtons | None
    random: Random
    script: Script | None = None
    """The hand that plays, while it does."""
    seat: int | None = None
    """Whose button goes wrong."""
    stuck: bool = False

    @property
    def flat(self) -> Sequence[Lying]:
        """The pieces that lie flat, the last laid at the end."""
        faces = self.scene.faces
        return [one for one in self.scene.snapshot.lying if not faces[one.face].stands]

    @property
    def standing(self) -> Sequence[Lying]:
        faces = self.scene.faces
        lying = self.scene.snapshot.lying
        return [one for one in lying if faces[one.face].stands and one.face not in props.COVERS]


@dataclass(frozen=True)
class Trouble:
    """A fault and how it comes about."""

    fault: Fault
    cause: Callable[[Surroundings], None]


def lay_wrongly(here: Surroundings) -> None:
    """The next piece the hand lays, or else the last one that was laid."""
    if here.script is not None:
        here.script.slip = True
    elif here.flat:
        last = here.flat[-1]
        _put(here.scene, wrongly(last, here.scene.faces[last.face], here.random))


def be_hasty(here: Surroundings) -> None:
    """Two things happen before anything is read: the hand does not wait, or two pieces come out of the box."""
    if here.script is not None:
        here.script.haste = True
        return
    faces = here.scene.faces
    fresh = [
        one
        for one in here.scene.snapshot.aside
        if not faces[one.face].stands and one.face not in props.COVERS
    ]
    for number, one in enumerate(here.random.sample(fresh, min(2, len(fresh)))):
        x = here.scene.width / 2 + (number - 0.5) * 1.5 * faces[one.face].width
        here.scene.put(one.piece, x, here.scene.height / 2, here.random.uniform(-5, 5))


def take_back(here: Surroundings) -> None:
    """The last piece goes back into the box."""
    if here.flat:
        here.scene.remove(here.flat[-1].piece)


def shove(here: Surroundings) -> None:
    """Somebody's sleeve moves a piece."""
    if here.flat:
        piece = here.random.choice(here.flat)
        x, y = _some_way(here.random, LEAST_SHOVE_MM, MOST_SHOVE_MM)
        turn = here.random.uniform(-8, 8)
        _put(here.scene, replace(piece, x=piece.x + x, y=piece.y + y, angle=piece.angle + turn))


def knock_over(here: Surroundings) -> None:
    """A figure is pushed off what it stands on."""
    if here.standing:
        piece = here.random.choice(here.standing)
        x, y = _some_way(here.random, 25, MOST_SHOVE_MM)
        _put(here.scene, replace(piece, x=piece.x + x, y=piece.y + y))


def cover(label: str) -> Callable[[Surroundings], None]:
    """Something is put down on pieces, and the next time taken away again."""

    def cause(here: Surroundings) -> None:
        here.scene.add(label, props.COVERS[label])
        if here.scene.snapshot.find(label):
            here.scene.remove(label)
        elif here.flat:
            below = here.random.choice(here.flat)
            here.scene.put(label, below.x, below.y, here.random.uniform(0, 360))

    return cause


def bump(here: Surroundings) -> None:
    """Somebody's head meets the camera."""
    x, y = _some_way(here.random, LEAST_BUMP_MM, MOST_BUMP_MM)
    here.camera.bump(x, y, here.random.uniform(-0.6, 0.6))


def unplug(here: Surroundings) -> None:
    """Somebody's foot meets the cable; the second time it is plugged in again."""
    here.camera.unplug(0 if here.camera.unplugged else UNPLUGGED_S)


def stick(here: Surroundings) -> None:
    """A button does not come up; the second time it is freed."""
    if here.buttons is not None:
        (here.buttons.release if here.stuck else here.buttons.stick)(here.seat)
        here.stuck = not here.stuck


def bounce(here: Surroundings) -> None:
    if here.buttons is not None:
        here.buttons.bounce(here.seat, 0.1)


def chatter(here: Surroundings) -> None:
    if here.buttons is not None:
        here.buttons.chatter(here.seat, CHATTER_S)


TABLE_TROUBLES = (
    Trouble(Fault("wrong", _("A piece is laid wrongly")), lay_wrongly),
    Trouble(Fault("haste", _("Two turns before one was read")), be_hasty),
    Trouble(Fault("back", _("The last piece is taken back")), take_back),
    Trouble(Fault("shoved", _("A sleeve moves a piece")), shove),
    Trouble(Fault("figure", _("A figure is knocked aside")), knock_over),
    Trouble(Fault("napkin", _("A napkin on the pieces, or away again")), cover("napkin")),
    Trouble(Fault("cup", _("A cup on the pieces, or away again")), cover("cup")),
    Trouble(Fault("bumped", _("The camera is bumped")), bump),
    Trouble(Fault("unplugged", _("The camera is unplugged for a minute, or plugged in")), unplug),
)
BUTTON_TROUBLES = (
    Trouble(Fault("bounce", _("A button bounces")), bounce),
    Trouble(Fault("stick", _("A button sticks, or is freed")), stick),
    Trouble(Fault("chatter", _("A loose wire at a button")), chatter),
)


def _put(scene: Scene, lying: Lying) -> None:
    scene.put(lying.piece, lying.x, lying.y, lying.angle)


def _some_way(random: Random, least: float, most: float) -> tuple[float, float]:
    far, way = random.uniform(least, most), random.uniform(0, 2 * pi)
    return far * cos(way), far * sin(way)
