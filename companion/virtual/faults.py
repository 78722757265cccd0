"""What goes wrong at tables, each of it on request: it says what it does, and how it is put right again.

What happens to pieces is told by `upsets`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from random import Random
from typing import TYPE_CHECKING, Protocol

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, PlacedPiece, offset_in
from companion.core.session import Session
from companion.virtual import props
from companion.virtual.control import Fault
from companion.virtual.scene import Scene
from companion.virtual.script import SimulatedPlayers
from companion.virtual.turns import laid_by_turns, staying

if TYPE_CHECKING:
    from companion.virtual.camera import VirtualCamera

UNPLUGGED_S = 60.0
EVERYBODY = _("everybody")
CHATTER_S = 2.5
"""Long enough that the companion says so."""
LEAST_BUMP_MM, MOST_BUMP_MM = 1.0, 50.0
FAULT_TOLD_S = 15.0
"""How long it is told what has happened at once, and is over."""
MENDABLE_S = 120.0
"""How long somebody remembers where a piece lay before."""


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
class FaultContext:
    """All that a fault can get its hands on."""

    scene: Scene
    camera: VirtualCamera
    buttons: BadButtons | None
    random: Random
    script: SimulatedPlayers | None = None
    """The hand that plays, while it does."""
    seat: int | None = None
    """Whose button goes wrong."""
    name: str | Message = EVERYBODY
    """Of whom that is."""
    stuck: tuple[int | None, ...] = ()
    """The seat whose button does not come up, if there is one."""
    session: Session | None = None
    """What is played here, as the log has it."""
    fixed: frozenset[str] = frozenset()
    """What lies there from the start, such as castles: no turn has brought it."""

    @property
    def flat(self) -> Sequence[PlacedPiece]:
        """The pieces that lie flat, the last laid at the end."""
        faces = self.scene.faces
        return [one for one in self.scene.snapshot.lying if not faces[one.face].stands]

    @property
    def laid(self) -> Sequence[PlacedPiece]:
        """Those that people have laid."""
        return [one for one in self.flat if one.piece not in self.fixed]

    @property
    def of_turns(self) -> Sequence[PlacedPiece]:
        """Those that turns have laid as the log has it, the last at the end; without a log, all that were laid."""
        if self.session is None:
            return self.laid
        by_name = {one.piece: one for one in self.flat}
        found = []
        for ideal in laid_by_turns(self.session):
            same = (name for name, one in by_name.items() if one.face == ideal.face)
            name = ideal.piece if ideal.piece in by_name else next(same, None)
            if name is not None:
                found.append(by_name.pop(name))
        return found

    @property
    def staying(self) -> Sequence[PlacedPiece]:
        """The figures that would be missed if they were gone; without a log, all that stand there."""
        if self.session is None:
            return self.standing
        names = staying(self.scene, self.session)
        return [one for one in self.standing if one.piece in names]

    def stands_on(self, figure: PlacedPiece, piece: PlacedPiece) -> bool:
        face = self.scene.faces[piece.face]
        area = Area(piece.x, piece.y, face.width, face.height, piece.angle)
        dx, dy = offset_in(area, figure.x, figure.y)
        return abs(dx) <= area.width / 2 and abs(dy) <= area.height / 2

    def check_read(self) -> None:
        """IllegalEvent when the page would say nothing, whatever happens on the table."""
        if self.session is not None and self.session.turn.over:
            raise IllegalEvent(_("The game is over: its table is not read any more."))

    @property
    def standing(self) -> Sequence[PlacedPiece]:
        faces = self.scene.faces
        lying = self.scene.snapshot.lying
        return [one for one in lying if faces[one.face].stands and one.face not in props.COVERS]


@dataclass(frozen=True)
class FaultEffect:
    """What a fault has done."""

    told: Message
    lasts: Callable[[], bool] = lambda: True
    seconds: float = FAULT_TOLD_S
    """It is told for so long at most."""
    ending: Message | None = None
    undo: Callable[[], object] = lambda: None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class CausableFault:
    """A fault and how it comes about: IllegalEvent when it cannot."""

    fault: Fault
    cause: Callable[[FaultContext], FaultEffect]


def bump(here: FaultContext) -> FaultEffect:
    """Somebody's head meets the camera."""
    x, y = _some_way(here.random, LEAST_BUMP_MM, MOST_BUMP_MM)
    here.camera.bump(x, y, here.random.uniform(-0.6, 0.6))
    told = _(
        "The camera was bumped by %(mm)d mm. It finds the table again by the markers in its corners.",
        mm=round(hypot(x, y)),
    )
    return FaultEffect(told, seconds=MENDABLE_S, ending=_("Push it back"), undo=here.camera.straighten)


def unplug(here: FaultContext) -> FaultEffect:
    """Somebody's foot meets the cable."""
    here.camera.unplug(UNPLUGGED_S)
    told = _("The camera is unplugged for a minute: the page says so, and what happens can be tapped in.")
    return FaultEffect(
        told, lambda: here.camera.unplugged, UNPLUGGED_S, _("Plug it in"), lambda: here.camera.unplug(0)
    )


def stick(here: FaultContext) -> FaultEffect:
    """A button does not come up."""
    buttons, seat = _working(here), here.seat
    buttons.stick(seat)
    here.stuck = (seat,)

    def free() -> None:
        buttons.release(seat)
        here.stuck = ()

    told = _(
        "Something lies on the button of %(name)s. After 10 seconds the page says so, and it does not count.",
        name=here.name,
    )
    return FaultEffect(told, lambda: bool(here.stuck), float("inf"), _("Free the button"), free)


def bounce(here: FaultContext) -> FaultEffect:
    _working(here).bounce(here.seat, 0.1)
    return FaultEffect(
        _("The button of %(name)s was pressed, and its contact bounced: it counts once.", name=here.name)
    )


def chatter(here: FaultContext) -> FaultEffect:
    _working(here).chatter(here.seat, CHATTER_S)
    told = _(
        "A wire is loose at the button of %(name)s. The page says so; calm for three seconds, it counts again.",
        name=here.name,
    )
    return FaultEffect(told)


def _working(here: FaultContext) -> BadButtons:
    if here.buttons is None:
        raise IllegalEvent(_("There are no buttons on this table."))
    if here.stuck:
        raise IllegalEvent(_("A button is stuck: free it first."))
    return here.buttons


def some_or_refuse(pieces: Sequence[PlacedPiece], otherwise: Message) -> Sequence[PlacedPiece]:
    """These pieces, or IllegalEvent with the reason why nothing can happen to any."""
    if not pieces:
        raise IllegalEvent(otherwise)
    return pieces


def put_back(scene: Scene, lying: PlacedPiece) -> None:
    scene.put(lying.piece, lying.x, lying.y, lying.angle)


def _some_way(random: Random, least: float, most: float) -> tuple[float, float]:
    far, way = random.uniform(least, most), random.uniform(0, 2 * pi)
    return far * cos(way), far * sin(way)
