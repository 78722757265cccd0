"""What goes wrong at tables, each of it on request: it says what it does, and how it is put right again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, pi, sin
from random import Random
from typing import Protocol

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Lying
from companion.virtual import props
from companion.virtual.camera import VirtualCamera
from companion.virtual.control import Fault
from companion.virtual.scene import Scene
from companion.virtual.script import Script, wrongly

UNPLUGGED_S = 60.0
EVERYBODY = _("everybody")
CHATTER_S = 2.5
"""Long enough that the companion says so."""
LEAST_BUMP_MM, MOST_BUMP_MM = 1.0, 50.0
LEAST_SHOVE_MM, MOST_SHOVE_MM = 4.0, 60.0
TOLD_S = 15.0
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
    name: str | Message = EVERYBODY
    """Of whom that is."""
    stuck: tuple[int | None, ...] = ()
    """The seat whose button does not come up, if there is one."""
    fixed: frozenset[str] = frozenset()
    """What lies there from the start, such as castles: no turn has brought it."""

    @property
    def flat(self) -> Sequence[Lying]:
        """The pieces that lie flat, the last laid at the end."""
        faces = self.scene.faces
        return [one for one in self.scene.snapshot.lying if not faces[one.face].stands]

    @property
    def laid(self) -> Sequence[Lying]:
        """Those that people have laid."""
        return [one for one in self.flat if one.piece not in self.fixed]

    @property
    def standing(self) -> Sequence[Lying]:
        faces = self.scene.faces
        lying = self.scene.snapshot.lying
        return [one for one in lying if faces[one.face].stands and one.face not in props.COVERS]


@dataclass(frozen=True)
class Effect:
    """What a fault has done."""

    told: Message
    lasts: Callable[[], bool] = lambda: True
    seconds: float = TOLD_S
    """It is told for so long at most."""
    ending: Message | None = None
    undo: Callable[[], object] = lambda: None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trouble:
    """A fault and how it comes about: IllegalEvent when it cannot."""

    fault: Fault
    cause: Callable[[Surroundings], Effect]


def lay_wrongly(here: Surroundings) -> Effect:
    """The next piece the hand lays, or else the last one that was laid."""
    script = here.script
    if script is not None:
        script.slip = True
        told = _("The hand will lay its next piece wrongly, and put it right once the page has not taken it.")
        return Effect(
            told,
            lambda: script.slip,
            MENDABLE_S,
            _("Let it lay that rightly"),
            lambda: setattr(script, "slip", False),
        )
    before = _last(here.laid, _("No piece has been laid yet that could lie wrongly."))
    after = wrongly(before, here.scene.faces[before.face], here.random)
    told = _("The last piece lies wrongly now. The page asks about it, or says that table and log disagree.")
    return _moved(here, before, after, told, _("Lay it rightly"))


def be_hasty(here: Surroundings) -> Effect:
    """Two things happen before anything is read: the hand does not wait, or two pieces come out of the box."""
    script = here.script
    if script is not None:
        script.haste = True
        told = _("The hand will play two turns without a break. Both are read afterwards, in their order.")
        return Effect(
            told,
            lambda: script.haste,
            MENDABLE_S,
            _("Let it wait as always"),
            lambda: setattr(script, "haste", False),
        )
    faces, scene = here.scene.faces, here.scene
    fresh = [
        one for one in scene.snapshot.aside if not faces[one.face].stands and one.face not in props.COVERS
    ]
    if len(fresh) < 2:
        raise IllegalEvent(_("There are no two pieces left in the box."))
    taken = here.random.sample(fresh, 2)
    for number, one in enumerate(taken):
        x = scene.width / 2 + (number - 0.5) * 1.5 * faces[one.face].width
        scene.put(one.piece, x, scene.height / 2, here.random.uniform(-5, 5))
    names = tuple(one.piece for one in taken)
    return Effect(
        _("Two pieces came out of the box at once. The page says what it makes of them."),
        lambda: all(map(scene.snapshot.find, names)),
        MENDABLE_S,
        _("Put both back"),
        lambda: list(map(scene.remove, names)),
        names,
    )


def take_back(here: Surroundings) -> Effect:
    """The last piece goes back into the box."""
    last = _last(here.laid, _("No piece has been laid yet that could be taken back."))
    here.scene.remove(last.piece)
    return Effect(
        _("The last piece went back into the box. The page says that it is not where it was."),
        lambda: here.scene.snapshot.find(last.piece) is None,
        MENDABLE_S,
        _("Lay it there again"),
        lambda: _put(here.scene, last),
    )


def shove(here: Surroundings) -> Effect:
    """Somebody's sleeve moves a piece."""
    piece = here.random.choice(_some(here.laid, _("No piece has been laid yet that could be moved.")))
    x, y = _some_way(here.random, LEAST_SHOVE_MM, MOST_SHOVE_MM)
    turn = here.random.uniform(-8, 8)
    after = replace(piece, x=piece.x + x, y=piece.y + y, angle=piece.angle + turn)
    told = _(
        "A sleeve has moved a piece by %(mm)d mm. A few millimetres are followed; after more, the page asks.",
        mm=round(hypot(x, y)),
    )
    return _moved(here, piece, after, told, _("Move it back"))


def knock_over(here: Surroundings) -> Effect:
    """A figure is pushed off what it stands on."""
    piece = here.random.choice(_some(here.standing, _("No figure stands on the table yet.")))
    x, y = _some_way(here.random, 25, MOST_SHOVE_MM)
    after = replace(piece, x=piece.x + x, y=piece.y + y)
    told = _("A figure was knocked aside by %(mm)d mm.", mm=round(hypot(x, y)))
    return _moved(here, piece, after, told, _("Set it back"))


def cover(label: str, told: Message, ending: Message) -> Callable[[Surroundings], Effect]:
    """Something is put down on pieces."""

    def cause(here: Surroundings) -> Effect:
        scene = here.scene
        scene.add(label, props.COVERS[label])
        there = here.laid or _some(here.flat, _("Nothing lies on the table yet that could be covered."))
        below = here.random.choice(there)
        scene.put(label, below.x, below.y, here.random.uniform(0, 360))
        return Effect(
            told,
            lambda: scene.snapshot.find(label) is not None,
            float("inf"),
            ending,
            lambda: scene.remove(label),
        )

    return cause


def bump(here: Surroundings) -> Effect:
    """Somebody's head meets the camera."""
    x, y = _some_way(here.random, LEAST_BUMP_MM, MOST_BUMP_MM)
    here.camera.bump(x, y, here.random.uniform(-0.6, 0.6))
    told = _(
        "The camera was bumped by %(mm)d mm. It finds the table again by the markers in its corners.",
        mm=round(hypot(x, y)),
    )
    return Effect(told, seconds=MENDABLE_S, ending=_("Push it back"), undo=here.camera.straighten)


def unplug(here: Surroundings) -> Effect:
    """Somebody's foot meets the cable."""
    here.camera.unplug(UNPLUGGED_S)
    told = _("The camera is unplugged for a minute: the page says so, and what happens can be tapped in.")
    return Effect(
        told, lambda: here.camera.unplugged, UNPLUGGED_S, _("Plug it in"), lambda: here.camera.unplug(0)
    )


def stick(here: Surroundings) -> Effect:
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
    return Effect(told, lambda: bool(here.stuck), float("inf"), _("Free the button"), free)


def bounce(here: Surroundings) -> Effect:
    _working(here).bounce(here.seat, 0.1)
    return Effect(
        _("The button of %(name)s was pressed, and its contact bounced: it counts once.", name=here.name)
    )


def chatter(here: Surroundings) -> Effect:
    _working(here).chatter(here.seat, CHATTER_S)
    told = _(
        "A wire is loose at the button of %(name)s. The page says so; calm for three seconds, it counts again.",
        name=here.name,
    )
    return Effect(told)


def _working(here: Surroundings) -> BadButtons:
    if here.buttons is None:
        raise IllegalEvent(_("There are no buttons on this table."))
    if here.stuck:
        raise IllegalEvent(_("A button is stuck: free it first."))
    return here.buttons


def _moved(here: Surroundings, before: Lying, after: Lying, told: Message, ending: Message) -> Effect:
    _put(here.scene, after)
    lies = here.scene.snapshot.find(after.piece)
    return Effect(
        told,
        lambda: here.scene.snapshot.find(after.piece) == lies,
        MENDABLE_S,
        ending,
        lambda: _put(here.scene, before),
        (after.piece,),
    )


def _some(pieces: Sequence[Lying], otherwise: Message) -> Sequence[Lying]:
    if not pieces:
        raise IllegalEvent(otherwise)
    return pieces


def _last(pieces: Sequence[Lying], otherwise: Message) -> Lying:
    return _some(pieces, otherwise)[-1]


def _put(scene: Scene, lying: Lying) -> None:
    scene.put(lying.piece, lying.x, lying.y, lying.angle)


def _some_way(random: Random, least: float, most: float) -> tuple[float, float]:
    far, way = random.uniform(least, most), random.uniform(0, 2 * pi)
    return far * cos(way), far * sin(way)
