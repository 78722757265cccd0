"""The table of faults: everything that can go wrong at the virtual table, with its words, what it does and how
it is put right.

Two kinds: disturbances of the camera's pictures are switched on and off and have a strength of 0 to 1 that
wanders; faults are caused once and last until they are put right, over, or forgotten. A page shows rows of both
as they are now. Nothing here needs OpenCV: pages list faults without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, hypot, pi, sin
from random import Random
from threading import Lock, RLock
from typing import TYPE_CHECKING

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, PlacedPiece, offset_in
from companion.core.session import Session
from companion.virtual.collision import gap_between, outline_of, overlap
from companion.virtual.hand import carried_along
from companion.virtual.players import SimulatedPlayers, laid_by_turns, lay_turns, staying
from companion.virtual.scene import COVERS, Scene

if TYPE_CHECKING:
    from companion.virtual.camera import VirtualCamera
    from companion.virtual.mock_pins import MockPins


@dataclass(frozen=True)
class Disturbance:
    """Something that makes the camera's pictures worse while it is on, and how its strength wanders."""

    key: str
    name: Message
    about: Message
    """What it does to the pictures, in a line."""
    least: float
    """The strength is never below this while it is switched on, and never above `most`."""
    most: float
    period: float = 0
    """Seconds in which it rises and falls; 0 when it stays as the seed has made it."""
    usual: bool = True
    """Whether it is on at most tables."""
    on: bool = False

    def strength(self, seed: int, time: float) -> float:
        """How strong it is then; the same for the same seed."""
        choose = Random(f"{self.key} {seed}")
        if not self.period:
            return choose.uniform(self.least, self.most)
        slow, fast = choose.uniform(0, 2 * pi), choose.uniform(0, 2 * pi)
        turn = 2 * pi * time / self.period
        wave = 0.7 * sin(turn + slow) + 0.3 * sin(2.7 * turn + fast)
        return self.least + (self.most - self.least) * (wave + 1) / 2


DISTURBANCES = (
    Disturbance(
        "perspective", _("Camera not straight above"), _("The table looks narrower at its far end."), 0.5, 1
    ),
    Disturbance("lens", _("Bent picture of a wide lens"), _("Straight edges bow outwards."), 0.5, 1),
    Disturbance(
        "gradient",
        _("Light from one side"),
        _("One side of the table is brighter than the other."),
        0.15,
        0.4,
        90,
    ),
    Disturbance(
        "colour", _("Coloured light"), _("Whites look yellowish or bluish, and that changes."), -1, 1, 120
    ),
    Disturbance(
        "shadows",
        _("Shadows of people"),
        _("People lean over the table, and the light sways."),
        0.1,
        0.35,
        20,
    ),
    Disturbance("hand", _("Hands above the table"), _("Now and then somebody reaches across."), 1, 1),
    Disturbance(
        "screens",
        _("Tablet and lamps on the table"),
        _("Our own tablet and lamps change all the time."),
        1,
        1,
    ),
    Disturbance("blur", _("Not quite sharp"), _("The focus is a little off."), 0.55, 1.1, 40),
    Disturbance(
        "noise", _("Noise of a dim evening"), _("Grain over everything, as with little light."), 0.3, 1, 60
    ),
    Disturbance("jpeg", _("Compressed pictures"), _("Small squares and fringes at the edges."), 0.2, 1, 50),
    Disturbance(
        "flicker",
        _("Flickering lamp"),
        _("The brightness jumps from picture to picture."),
        0.3,
        1,
        10,
        usual=False,
    ),
    Disturbance(
        "glare",
        _("Reflection of a lamp"),
        _("A bright spot comes and goes, and hides what is below."),
        0.5,
        1,
        usual=False,
    ),
)

WELL_LIT = ("perspective", "lens", "shadows", "hand", "screens", "jpeg")
"""What a well lit table has all the same."""


class Disturbances:
    """Which disturbances are on, and how strong they are at a moment; callable from any thread."""

    def __init__(self, seed: int = 0, on: Iterable[str] | None = None) -> None:
        self.seed = seed
        self._lock = Lock()
        self._on: frozenset[str] = frozenset()
        for key in [one.key for one in DISTURBANCES if one.usual] if on is None else on:
            self.switch(key, True)

    @property
    def switches(self) -> tuple[Disturbance, ...]:
        on = self._on
        return tuple(replace(one, on=one.key in on) for one in DISTURBANCES)

    def on(self, key: str) -> bool:
        return key in self._on

    def switch(self, key: str, on: bool) -> None:
        """Switch one on or off, or KeyError."""
        if all(one.key != key for one in DISTURBANCES):
            raise KeyError(key)
        with self._lock:
            self._on = self._on | {key} if on else self._on - {key}

    def strengths(self, time: float) -> Mapping[str, float]:
        """What is on, and how strong it is at that time, in seconds."""
        return {one.key: one.strength(self.seed, time) for one in self.switches if one.on}


EVERYBODY = _("everybody")
UNPLUGGED_S = 60.0
CHATTER_S = 2.5
"""Long enough that the companion says so."""
FAULT_TOLD_S = 15.0
"""How long it is told what has happened at once, and is over."""
MENDABLE_S = 120.0
"""How long somebody remembers where a piece lay before."""
LEAST_BUMP_MM, MOST_BUMP_MM = 1.0, 50.0
FOLLOWED_MM = (4.0, 8.0)
"""How far what a turn has laid is pushed when that shall only be followed."""
SHOVED_MM = (30.0, 60.0)
"""How far it is pushed when it shall be missed; what belongs to no turn yet is followed all the same."""
WAYS = 16
CLEAR_MM = 8.0
"""Between a figure and the nearest piece it might seem to stand on."""
FARTHEST_MM = 160.0
MARGIN_MM = 40.0
"""Nothing is pushed nearer to the edge than this."""


@dataclass
class FaultContext:
    """All that a fault can get its hands on."""

    scene: Scene
    camera: VirtualCamera
    buttons: MockPins
    random: Random
    script: SimulatedPlayers | None = None
    """The hand that plays, while it does."""
    session: Session | None = None
    """What is played here, as the log has it."""
    fixed: frozenset[str] = frozenset()
    """What lies there from the start, such as castles: no turn has brought it."""
    stuck: tuple[int | None, ...] = ()
    """The seat whose button does not come up, if there is one."""

    def know(self, session: Session | None) -> None:
        """Learn what is played here now."""
        self.session = session
        if session is not None and (sight := session.game.sight) is not None:
            start = sight.arrange(session.setup, session.game.start(session.setup))
            self.fixed = frozenset(one.piece for one in start)

    @property
    def seat(self) -> int | None:
        """Whose button goes wrong; None is the common one."""
        return self.session.turn.player if self.session else None

    @property
    def name(self) -> str | Message:
        """Of whom that is."""
        if self.session is None or self.seat is None:
            return EVERYBODY
        return self.session.setup.players[self.seat].name

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
    def standing(self) -> Sequence[PlacedPiece]:
        """The figures; what was put on pieces is none."""
        faces = self.scene.faces
        lying = self.scene.snapshot.lying
        return [one for one in lying if faces[one.face].stands and one.face not in COVERS]

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

    def working_buttons(self) -> MockPins:
        """The buttons, or IllegalEvent when one has to be freed first."""
        if self.stuck:
            raise IllegalEvent(_("A button is stuck: free it first."))
        return self.buttons


@dataclass(frozen=True)
class FaultEffect:
    """What a fault has done."""

    told: Message
    """What has gone wrong and what to expect of the page."""
    ending: Message | None = None
    """How it is put right: by causing it again, which calls `undo`."""
    undo: Callable[[], object] = lambda: None
    lasts: Callable[[], bool] = lambda: True
    pieces: tuple[str, ...] = ()
    """What has been touched by it."""
    seconds: float = MENDABLE_S
    """It lasts for so long at most."""


def lay_wrongly(here: FaultContext) -> FaultEffect:
    """The next piece the hand lays in a turn, or else the last one that a turn has laid."""
    if here.script is not None:
        told = _(
            "The hand will lay the next piece of a turn wrongly. The page asks, or reads it as it lies; then the hand "
            "puts it right."
        )
        return _asked_of_hand(here.script, "slip", told, _("Let it lay that rightly"))
    here.check_read()
    last = some_or_refuse(here.of_turns, _("No turn has laid a piece yet that could lie wrongly."))[-1]
    face = here.scene.faces[last.face]
    after = _freest(here, last, _around(here, last, min(face.width, face.height), 4))
    told = _("The last piece of a turn lies a square too far now. The page says that table and log disagree.")
    return _moved(here, last, after, told, _("Lay it rightly"))


def be_hasty(here: FaultContext) -> FaultEffect:
    """Two turns happen before anything is read: the hand does not wait, or somebody plays them at once."""
    if here.script is not None:
        told = _("The hand will play two turns without a break. Both are read afterwards, in their order.")
        return _asked_of_hand(here.script, "haste", told, _("Let it wait as always"))
    here.check_read()
    session, scene = here.session, here.scene
    if session is None or session.game.sight is None:
        raise IllegalEvent(_("No game is played here that could go on."))
    should = Counter(one.face for one in session.game.sight.arrange(session.setup, session.position))
    if should != Counter(one.face for one in (*here.flat, *here.standing)):
        raise IllegalEvent(
            _("Something that lies there is not in the log yet, or something is missing: see to that first.")
        )
    before = {one.piece: one for one in scene.snapshot.lying}
    played = lay_turns(scene, session, 2, here.random)
    after = {one.piece: one for one in scene.snapshot.lying}
    undo = partial(_restore, scene, before, after)
    if played < 2:
        undo()
        raise IllegalEvent(_("The game is nearly over: there are no two turns left."))
    fresh = tuple(piece for piece, one in after.items() if before.get(piece) != one)
    return FaultEffect(
        _("Two turns were played before one was read. The page proposes both, in their order."),
        _("Put all of it back"),
        undo,
        lambda: all(scene.snapshot.find(piece) == after[piece] for piece in fresh),
        fresh,
    )


def take_back(here: FaultContext) -> FaultEffect:
    """The last piece that a turn has laid goes back into the box."""
    here.check_read()
    last = some_or_refuse(here.of_turns, _("No turn has laid a piece yet that could be taken back."))[-1]
    here.scene.remove(last.piece)
    return FaultEffect(
        _("The last piece of a turn went back into the box. The page says that it is not where it was."),
        _("Lay it there again"),
        lambda: put_back(here.scene, last),
        lambda: here.scene.snapshot.find(last.piece) is None,
    )


def shove(here: FaultContext) -> FaultEffect:
    """Somebody's sleeve moves a piece, and what stands on it."""
    here.check_read()
    piece = here.random.choice(
        some_or_refuse(here.laid, _("No piece has been laid yet that could be moved."))
    )
    of_turn = piece in here.of_turns
    missed = of_turn and here.random.random() < 0.5
    far = here.random.uniform(*(FOLLOWED_MM if of_turn and not missed else SHOVED_MM))
    after = _freest(here, piece, _around(here, piece, far, WAYS))
    after = replace(after, angle=piece.angle + here.random.uniform(-4, 4))
    mm = round(hypot(after.x - piece.x, after.y - piece.y))
    told = (
        _("A sleeve has moved a piece by %(mm)d mm. The page says that it is not where it was.", mm=mm)
        if missed
        else _("A sleeve has moved a piece by %(mm)d mm. Nothing should happen: it is followed there.", mm=mm)
    )
    return _moved(here, piece, after, told, _("Move it back"))


def knock_over(here: FaultContext) -> FaultEffect:
    """A figure is pushed off what it stands on, onto free cloth."""
    here.check_read()
    some_or_refuse(here.standing, _("No figure stands on the table yet."))
    piece = here.random.choice(
        some_or_refuse(
            here.staying, _("No figure stands there that would be missed now: the next turn may lift it.")
        )
    )
    first = here.random.randrange(WAYS)
    places = (
        place
        for far in range(30, int(FARTHEST_MM), 10)
        for place in _around(here, piece, far, WAYS, first)
        if _on_cloth(here, place)
    )
    after = next(places, None)
    if after is None:
        raise IllegalEvent(_("There is no free cloth near any figure."))
    told = _(
        "A figure was knocked off its piece, %(mm)d mm aside. The page says that it does not stand there any more.",
        mm=round(hypot(after.x - piece.x, after.y - piece.y)),
    )
    return _moved(here, piece, after, told, _("Set it back"))


def cover(label: str, told: Message, ending: Message) -> Callable[[FaultContext], FaultEffect]:
    """Something is put down on pieces."""

    def cause(here: FaultContext) -> FaultEffect:
        scene = here.scene
        scene.add(label, COVERS[label])
        there = here.of_turns or here.laid
        there = there or some_or_refuse(here.flat, _("Nothing lies on the table yet that could be covered."))
        below = here.random.choice(there)
        scene.put(label, below.x, below.y, here.random.uniform(0, 360))
        return FaultEffect(
            told,
            ending,
            lambda: scene.remove(label),
            lambda: scene.snapshot.find(label) is not None,
            seconds=float("inf"),
        )

    return cause


def bump(here: FaultContext) -> FaultEffect:
    """Somebody's head meets the camera."""
    far, way = here.random.uniform(LEAST_BUMP_MM, MOST_BUMP_MM), here.random.uniform(0, 2 * pi)
    here.camera.bump(far * cos(way), far * sin(way), here.random.uniform(-0.6, 0.6))
    told = _(
        "The camera was bumped by %(mm)d mm. It finds the table again by the markers in its corners.",
        mm=round(far),
    )
    return FaultEffect(told, _("Push it back"), here.camera.straighten)


def unplug(here: FaultContext) -> FaultEffect:
    """Somebody's foot meets the cable."""
    camera = here.camera
    camera.unplug(UNPLUGGED_S)
    told = _("The camera is unplugged for a minute: the page says so, and what happens can be tapped in.")
    return FaultEffect(
        told, _("Plug it in"), lambda: camera.unplug(0), lambda: camera.unplugged, seconds=UNPLUGGED_S
    )


def bounce(here: FaultContext) -> FaultEffect:
    here.working_buttons().bounce(here.seat, 0.1)
    told = _("The button of %(name)s was pressed, and its contact bounced: it counts once.", name=here.name)
    return FaultEffect(told, seconds=FAULT_TOLD_S)


def stick(here: FaultContext) -> FaultEffect:
    """A button does not come up."""
    buttons, seat = here.working_buttons(), here.seat
    buttons.stick(seat)
    here.stuck = (seat,)

    def free() -> None:
        buttons.release(seat)
        here.stuck = ()

    told = _(
        "Something lies on the button of %(name)s. After 10 seconds the page says so, and it does not count.",
        name=here.name,
    )
    return FaultEffect(told, _("Free the button"), free, lambda: bool(here.stuck), seconds=float("inf"))


def chatter(here: FaultContext) -> FaultEffect:
    here.working_buttons().chatter(here.seat, CHATTER_S)
    told = _(
        "A wire is loose at the button of %(name)s. The page says so; calm for three seconds, it counts again.",
        name=here.name,
    )
    return FaultEffect(told, seconds=FAULT_TOLD_S)


def some_or_refuse(pieces: Sequence[PlacedPiece], otherwise: Message) -> Sequence[PlacedPiece]:
    """These pieces, or IllegalEvent with the reason why nothing can happen to any."""
    if not pieces:
        raise IllegalEvent(otherwise)
    return pieces


def put_back(scene: Scene, lying: PlacedPiece) -> None:
    scene.put(lying.piece, lying.x, lying.y, lying.angle)


def _asked_of_hand(script: SimulatedPlayers, flag: str, told: Message, ending: Message) -> FaultEffect:
    """The hand that plays does it soon, and then takes the flag down."""
    setattr(script, flag, True)
    return FaultEffect(
        told, ending, lambda: setattr(script, flag, False), lambda: bool(getattr(script, flag))
    )


def _moved(
    here: FaultContext, before: PlacedPiece, after: PlacedPiece, told: Message, ending: Message
) -> FaultEffect:
    """What stands on a piece goes with it, there and back."""
    scene = here.scene
    riding = [one for one in here.standing if one.piece != before.piece and here.stands_on(one, before)]
    put_back(scene, after)
    lies = scene.snapshot.find(after.piece)
    for one in riding:
        x, y, angle = carried_along(one, before, after)
        scene.put(one.piece, x, y, angle)

    def undo() -> None:
        for one in (before, *riding):
            put_back(scene, one)

    pieces = (after.piece, *(one.piece for one in riding))
    return FaultEffect(told, ending, undo, lambda: scene.snapshot.find(after.piece) == lies, pieces)


def _restore(scene: Scene, before: dict[str, PlacedPiece], after: dict[str, PlacedPiece]) -> None:
    for piece in after.keys() - before.keys():
        scene.remove(piece)
    for piece, one in before.items():
        if after.get(piece) != one:
            put_back(scene, one)


def _around(
    here: FaultContext, piece: PlacedPiece, far: float, ways: int, first: int = 0
) -> list[PlacedPiece]:
    """The piece so far aside, every way along its own sides that stays on the table."""
    width, height = here.scene.width, here.scene.height
    turns = (2 * pi * (way + first) / ways + piece.angle * pi / 180 for way in range(ways))
    places = (replace(piece, x=piece.x + far * cos(turn), y=piece.y + far * sin(turn)) for turn in turns)
    return [
        one
        for one in places
        if MARGIN_MM < one.x < width - MARGIN_MM and MARGIN_MM < one.y < height - MARGIN_MM
    ]


def _freest(here: FaultContext, piece: PlacedPiece, places: list[PlacedPiece]) -> PlacedPiece:
    """Of these places one where the piece lies on as little else as can be."""
    here.random.shuffle(places)
    faces = here.scene.faces
    others = [outline_of(one, faces[one.face]) for one in here.flat if one.piece != piece.piece]

    def covered(place: PlacedPiece) -> int:
        return sum(round(overlap(outline_of(place, faces[place.face]), other)) for other in others)

    return min(places, key=covered, default=piece)


def _on_cloth(here: FaultContext, figure: PlacedPiece) -> bool:
    faces = here.scene.faces
    own = outline_of(figure, faces[figure.face])
    near = (*here.flat, *(one for one in here.standing if one.piece != figure.piece))
    return all(gap_between(own, outline_of(one, faces[one.face])) >= CLEAR_MM for one in near)


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong when somebody asks for it, such as a bumped camera."""

    key: str
    name: Message
    about: Message
    """What happens, in a line."""
    cause: Callable[[FaultContext], FaultEffect]
    """Lets it happen, or raises IllegalEvent when it cannot happen now."""
    told: Message | None = None
    """Of what it has done, as are the following, while that lasts."""
    ending: Message | None = None
    pieces: tuple[str, ...] = ()


NAPKIN_TOLD = _(
    "A napkin lies on pieces. Nothing should happen: what it hides is taken to lie there still, and the "
    "game goes on."
)
CUP_TOLD = _(
    "A cup stands on pieces. Nothing should happen: it is no piece, and what it hides lies there still."
)

FAULTS = (
    Fault("wrong", _("A piece is laid wrongly"), _("Beside where it belongs."), lay_wrongly),
    Fault("haste", _("Two turns before one was read"), _("Nobody waits for the camera."), be_hasty),
    Fault("back", _("The last piece is taken back"), _("It was recorded, and is gone."), take_back),
    Fault("shoved", _("A sleeve moves a piece"), _("By a few millimetres, or a few centimetres."), shove),
    Fault("figure", _("A figure is knocked aside"), _("It stands beside its piece."), knock_over),
    Fault(
        "napkin",
        _("A napkin on the pieces"),
        _("What is below it cannot be seen."),
        cover("napkin", NAPKIN_TOLD, _("Take the napkin away")),
    ),
    Fault(
        "cup",
        _("A cup on the pieces"),
        _("It hides a piece, and is no piece itself."),
        cover("cup", CUP_TOLD, _("Take the cup away")),
    ),
    Fault("bumped", _("The camera is bumped"), _("Everything in its picture jumps aside."), bump),
    Fault("unplugged", _("The camera is unplugged"), _("No pictures for a minute."), unplug),
    Fault("bounce", _("A button bounces"), _("One press, many contacts."), bounce),
    Fault("stick", _("A button sticks"), _("It does not come up again."), stick),
    Fault("chatter", _("A loose wire at a button"), _("It opens and closes without end."), chatter),
)
OF_NO_GAME = ("bumped", "unplugged", "stick")
"""What lasts when another game is set out."""


class ActiveFaults:
    """What has gone wrong at a table, until it is put right, over, or forgotten; callable from any thread."""

    def __init__(self, here: FaultContext, clock: Callable[[], float]) -> None:
        self.here = here
        self._count = 0
        self._clock = clock
        self._lock = RLock()
        self._effects: dict[str, tuple[FaultEffect, float]] = {}

    @property
    def version(self) -> int:
        """Grows whenever something goes wrong, is put right, or is over."""
        with self._lock:
            self._lasting()
            return self._count

    @property
    def faults(self) -> tuple[Fault, ...]:
        with self._lock:
            lasting = self._lasting()
        return tuple(
            replace(fault, told=effect.told, ending=effect.ending, pieces=effect.pieces)
            if (effect := lasting.get(fault.key))
            else fault
            for fault in FAULTS
        )

    def cause(self, key: str) -> None:
        """Let it happen, or put it right while it lasts; KeyError, or IllegalEvent when it cannot happen now."""
        cause = {fault.key: fault.cause for fault in FAULTS}[key]
        with self._lock:
            lasting = self._lasting().get(key)
            if lasting is not None and lasting.ending is not None:
                lasting.undo()
                del self._effects[key]
            else:
                effect = cause(self.here)
                self._effects[key] = effect, self._clock() + effect.seconds
            self._count += 1

    def touched(self, seat: int | None) -> None:
        """A finger on a button that stuck has freed it."""
        if self.here.stuck == (seat,):
            self.here.stuck = ()

    def forget(self) -> None:
        """Another game is set out: where its pieces lay before matters no more."""
        with self._lock:
            self._effects = {key: kept for key, kept in self._effects.items() if key in OF_NO_GAME}

    def _lasting(self) -> Mapping[str, FaultEffect]:
        """What lasts, by key; what is over is let go."""
        now = self._clock()
        lasting = {key: kept for key, kept in self._effects.items() if now < kept[1] and kept[0].lasts()}
        self._count += len(self._effects) - len(lasting)
        self._effects = lasting
        return {key: effect for key, (effect, _until) in lasting.items()}
