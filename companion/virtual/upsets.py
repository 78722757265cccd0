"""What goes wrong with pieces: each says truly what the page will make of it, or why it cannot happen now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import cos, hypot, pi, sin

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import PlacedPiece
from companion.virtual import props
from companion.virtual.contact import gap_between, outline_of, overlap
from companion.virtual.faults import MENDABLE_S, FaultContext, FaultEffect, put_back, some_or_refuse
from companion.virtual.hand import carried_along
from companion.virtual.turns import lay_turns

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


def lay_wrongly(here: FaultContext) -> FaultEffect:
    """The next piece the hand lays in a turn, or else the last one that a turn has laid."""
    script = here.script
    if script is not None:
        script.slip = True
        told = _(
            "The hand will lay the next piece of a turn wrongly. The page asks, or reads it as it lies; then the hand "
            "puts it right."
        )
        return FaultEffect(
            told,
            lambda: script.slip,
            MENDABLE_S,
            _("Let it lay that rightly"),
            lambda: setattr(script, "slip", False),
        )
    here.check_read()
    last = some_or_refuse(here.of_turns, _("No turn has laid a piece yet that could lie wrongly."))[-1]
    face = here.scene.faces[last.face]
    side = min(face.width, face.height)
    after = _freest(here, last, _around(here, last, (side,), 4))
    told = _("The last piece of a turn lies a square too far now. The page says that table and log disagree.")
    return _moved(here, last, after, told, _("Lay it rightly"))


def be_hasty(here: FaultContext) -> FaultEffect:
    """Two turns happen before anything is read: the hand does not wait, or somebody plays them at once."""
    script = here.script
    if script is not None:
        script.haste = True
        told = _("The hand will play two turns without a break. Both are read afterwards, in their order.")
        return FaultEffect(
            told,
            lambda: script.haste,
            MENDABLE_S,
            _("Let it wait as always"),
            lambda: setattr(script, "haste", False),
        )
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
    undo = partial(_restore, here, before, after)
    if played < 2:
        undo()
        raise IllegalEvent(_("The game is nearly over: there are no two turns left."))
    fresh = tuple(piece for piece, one in after.items() if before.get(piece) != one)
    return FaultEffect(
        _("Two turns were played before one was read. The page proposes both, in their order."),
        lambda: all(scene.snapshot.find(piece) == after[piece] for piece in fresh),
        MENDABLE_S,
        _("Put all of it back"),
        undo,
        fresh,
    )


def take_back(here: FaultContext) -> FaultEffect:
    """The last piece that a turn has laid goes back into the box."""
    here.check_read()
    last = some_or_refuse(here.of_turns, _("No turn has laid a piece yet that could be taken back."))[-1]
    here.scene.remove(last.piece)
    return FaultEffect(
        _("The last piece of a turn went back into the box. The page says that it is not where it was."),
        lambda: here.scene.snapshot.find(last.piece) is None,
        MENDABLE_S,
        _("Lay it there again"),
        lambda: put_back(here.scene, last),
    )


def shove(here: FaultContext) -> FaultEffect:
    """Somebody's sleeve moves a piece, and what stands on it."""
    here.check_read()
    piece = here.random.choice(
        some_or_refuse(here.laid, _("No piece has been laid yet that could be moved."))
    )
    missed = piece in here.of_turns and here.random.random() < 0.5
    least, most = SHOVED_MM if missed or piece not in here.of_turns else FOLLOWED_MM
    after = _freest(here, piece, _around(here, piece, (here.random.uniform(least, most),), WAYS))
    after = replace(after, angle=piece.angle + here.random.uniform(-4, 4))
    far = round(hypot(after.x - piece.x, after.y - piece.y))
    told = (
        _("A sleeve has moved a piece by %(mm)d mm. The page says that it is not where it was.", mm=far)
        if missed
        else _(
            "A sleeve has moved a piece by %(mm)d mm. Nothing should happen: it is followed there.", mm=far
        )
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
        for place in _around(here, piece, (float(far),), WAYS, first)
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
        scene.add(label, props.COVERS[label])
        there = here.of_turns or here.laid
        there = there or some_or_refuse(here.flat, _("Nothing lies on the table yet that could be covered."))
        below = here.random.choice(there)
        scene.put(label, below.x, below.y, here.random.uniform(0, 360))
        return FaultEffect(
            told,
            lambda: scene.snapshot.find(label) is not None,
            float("inf"),
            ending,
            lambda: scene.remove(label),
        )

    return cause


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

    return FaultEffect(
        told,
        lambda: scene.snapshot.find(after.piece) == lies,
        MENDABLE_S,
        ending,
        undo,
        (after.piece, *(one.piece for one in riding)),
    )


def _restore(here: FaultContext, before: dict[str, PlacedPiece], after: dict[str, PlacedPiece]) -> None:
    for piece in after.keys() - before.keys():
        here.scene.remove(piece)
    for piece, one in before.items():
        if after.get(piece) != one:
            put_back(here.scene, one)


def _around(
    here: FaultContext, piece: PlacedPiece, fars: Sequence[float], ways: int, first: int = 0
) -> list[PlacedPiece]:
    """The piece so far aside, every way along its own sides that stays on the table."""
    places = []
    for far in fars:
        for way in range(ways):
            turn = 2 * pi * (way + first) / ways + piece.angle * pi / 180
            x, y = piece.x + far * cos(turn), piece.y + far * sin(turn)
            if MARGIN_MM < x < here.scene.width - MARGIN_MM and MARGIN_MM < y < here.scene.height - MARGIN_MM:
                places.append(replace(piece, x=x, y=y))
    return places


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
    near: Iterable[PlacedPiece] = (*here.flat, *(one for one in here.standing if one.piece != figure.piece))
    return all(gap_between(own, outline_of(one, faces[one.face])) >= CLEAR_MM for one in near)
