"""Everything that lies on the table, kept from one look to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.observation import SURE, Area, Observation
from companion.vision.gallery.known import KnownPieces
from companion.vision.gallery.squares import Origin, Vectors
from companion.vision.live.figures import FigureLocator, unexplained
from companion.vision.live.locator import TAKEN, Locator
from companion.vision.live.second_look import (
    CROWN,
    DrawingFit,
    Masks,
    Spot,
    drawn_planes,
    earlier_look,
    ramp,
    second_look,
    shown_apart,
)
from companion.vision.live.wood import FIGURE, Shot, WoodLocator
from companion.vision.live.workspace import HALF, Detection, Workspace
from companion.vision.poses import Poses, displaced, fill_footprint, offsets
from companion.vision.table.foreground import Mask, components

COVERED, UNSURE = 0.03, 0.3
"""Part of a piece that something known hides, and confidence that does not speak against what was known before."""
UNSURE_SHAPE = 0.5
"""How clear it must be that something of another shape does not stand there."""
UNKNOWN_AROUND = 0.5
"""Part of the square around what stands that nothing explains."""
TOUCHED = 0.02
"""Part of a piece that has changed for it to be looked at again."""
AROUND_MM = 40.0
"""How much wider than a piece that was found under something is looked at for what stands there."""
SAME_MM, SAME_DEGREES = 1.0, 1.5
"""A piece that seems to have moved less has not been touched."""
WORK = 4_000
"""Crops compared for one picture, after which what is left waits for the next."""
UNKNOWN_MM2, THICK_MM = 250, 10
"""Smaller or thinner things are not worth a question."""
KNOWN, LEAD = (0.35, 0.65), (0.0, 0.12)
"""From no confidence to all of it: likeness to a piece, and by how much less everything else looks like it."""
HALF_SEEN_LEAD = (0.0, 0.3)
"""The same of a printed piece on which something stands: what tells it from its twin may be what is hidden."""
DRAWN = (0.6, 0.8)
"""From no piece to all confidence: correlation with our own drawing, where it is that. Pieces as a camera sees them
have 0.9 and more, 0.73 and more where something stands on them; a napkin has 0.4 to 0.5."""
PLAINLY, ENOUGH, MOSTLY = 0.75, 2, 0.9
"""Likeness of what is plainly a piece of one box, how many of them it takes to know the box, and which part of them."""
STILL = 0.8
"""How much of what is seen of a piece must look as before for it to be the same one under what stands on it now."""
RIVALS = 6
"""Other faces that a piece is compared with of which something is hidden."""
CLEAR = (0.15, 0.65)
"""From no confidence to all of it: by how much a second look is for one of two twins."""
PLACES = offsets(1.6, 1.6, (0.0,))[[4, 1, 3, 5, 7]]
"""Where a piece is looked at to be named, in millimetres: its place, and a little to each side."""


class Fits:
    """The pictures of a gallery's rows laid over what is seen at a pose, each once."""

    def __init__(self, view: Workspace, pose: Poses, known: KnownPieces, drawings: Vectors) -> None:
        self._view, self.pose, self._known, self._drawings = view, pose, known, drawings
        self._fits: dict[int, DrawingFit | None] = {}

    @cached_property
    def likeness(self) -> Vectors:
        """To each of our own drawings."""
        return self._spot.likeness(self._drawings)

    @property
    def bare(self) -> Masks:
        """The cells on which nothing stands."""
        bare: Masks = self._spot.bare
        return bare

    @cached_property
    def _spot(self) -> Spot:
        return Spot(self._view, self.pose, round(self._known.side))

    def of(self, row: int) -> DrawingFit | None:
        """Nothing, where the row has no picture."""
        if row not in self._fits:
            drawing = self._known.upright(row)
            self._fits[row] = None if drawing is None else self._spot.fit(drawing)
        return self._fits[row]

    def lead(self, row: int, other: int) -> float:
        """How much a second look is for one row and not for another; without their pictures, not at all."""
        one, two = self.of(row), self.of(other)
        return 0.0 if one is None or two is None else second_look(one, two)


@dataclass(frozen=True)
class Rival:
    """What else a piece may be."""

    row: int
    lead: float = 0
    """How clear a second look made it that it is not."""
    others: float = 0
    """How clear it is that it is no other face either, but for what it most looks like."""


class TableReader:
    """Locates and names pieces; what has not changed is not looked at again."""

    def __init__(self, known: KnownPieces) -> None:
        self._known = known
        self._locator = Locator(known)
        self._figures, self._wood = FigureLocator(known.figures), WoodLocator(known.figures)
        self._drawn = np.array([origin is Origin.DRAWN for origin in known.gallery.origins], bool)
        self._pieces: tuple[Detection, ...] = ()
        self._covered: tuple[tuple[Detection, ...], dict[tuple[int, ...], Mask]] = (), {}
        """Where some pieces lie, in each size that was asked for."""
        self._fresh: tuple[Detection, ...] = ()
        """Pieces whose names are not sure yet."""
        self._view: Workspace | None = None
        self._shot: Shot | None = None
        """The frame behind the view."""
        self._barred: Mask | None = None
        """Where something lies that is not looked at."""
        self._left: Mask | None = None
        """Where something was left for the next picture."""
        self._begun: Mask | None = None
        """Where everything has been looked for since something was left, but for what stands."""
        self._found: tuple[Detection, ...] = ()
        """What was found there."""
        self.complete = False
        """Whether everything has been looked at since `forget`, but for what came later."""
        self.unknown: tuple[Area, ...] = ()

    @cached_property
    def _drawings(self) -> Vectors:
        """All rows that we have drawn."""
        uprights = map(self._known.upright, np.flatnonzero(self._drawn).tolist())
        return drawn_planes(drawing for drawing in uprights if drawing is not None)

    @property
    def busy(self) -> bool:
        """Whether something was left for the next picture."""
        return self._left is not None

    @property
    def seen(self) -> tuple[Observation, ...]:
        return tuple(_observation(piece) for piece in self._pieces)

    def counted(self) -> tuple[int, int]:
        """Flat pieces that are told apart; those that are not, with things as large as one."""
        flat = self._flat
        sure = sum(piece.confidence >= SURE for piece in flat)
        odd = sum(area.width * area.height >= self._known.side**2 / 2 for area in self.unknown)
        return sure, len(flat) - sure + odd

    def forget(self) -> None:
        """Drop what was found."""
        self._pieces, self._fresh, self._view, self.unknown = (), (), None, ()
        self._left, self._begun, self._found, self.complete = None, None, (), False
        self._locator.elsewhere = np.zeros_like(self._drawn)

    def covered(self, shape: tuple[int, ...]) -> Mask:
        """255 where known pieces lie, with a little around them."""
        if self._covered[0] is not self._pieces:
            self._covered = self._pieces, {}
        masks = self._covered[1]
        if shape[:2] not in masks:
            mask = masks[shape[:2]] = np.zeros(shape[:2], np.uint8)
            px_per_mm = HALF if self._view is None else HALF * shape[1] / self._view.half.shape[1]
            for piece in self._pieces:
                fill_footprint(mask, piece.pose, piece.shape.width + 8, piece.shape.height + 8, px_per_mm)
        return masks[shape[:2]]

    def locate(self, shot: Shot, picture: Pixels, foreground: Mask, news: Mask, barred: Mask) -> None:
        """Find what lies where, in a picture in which something has changed; what is barred stays unknown."""
        self._shot, self._barred = shot, np.asarray(foreground & barred, np.uint8)
        view = self._view = Workspace.of(picture, np.asarray(foreground & ~barred, np.uint8))
        touched = _within(view, self._pieces, news)
        kept = [piece for piece in self._pieces if piece not in touched and piece not in self._found]
        for piece in kept:
            view.place(piece)
        first = len(view.lying), len(view.standing)
        for piece in self._found:
            if piece not in touched:
                view.place(piece)
        self._locator.verify(view, [piece for piece in touched if not piece.shape.stands])
        for piece in touched:
            if piece.shape is FIGURE and self._wood.still(view, piece):
                view.place(piece)
        self._stand(view, self._search(view, news), first[0])
        self._fresh = (*view.lying[first[0] :], *view.standing[first[1] :])
        self._pieces = (*view.lying, *view.standing)

    def _search(self, view: Workspace, news: Mask) -> Mask:
        """Find what lies there, and where something was left before; the answer is where to look for what stands."""
        nothing = np.zeros_like(news)
        waiting = nothing if self._left is None else self._left
        begun = news | waiting | (nothing if self._begun is None else self._begun)
        self._left = self._locator.find(view, (news, waiting), WORK)
        if self._left is None:
            self._begun, self.complete = None, True
            return np.asarray(begun, np.uint8)
        self._begun = np.asarray(begun & ~self._left, np.uint8)
        return np.asarray(news & ~self._left if self.complete else nothing, np.uint8)

    def _stand(self, view: Workspace, where: Mask, fresh: int) -> None:
        """Find what stands there, and what lies under it; the first so many pieces were known before."""
        if not cv2.countNonZero(where):
            return
        standing = len(view.standing)
        self._put_up(view, where)
        half_seen = self._half_seen(view, fresh) if len(view.standing) > standing else []
        view.take_away(half_seen)
        lying = len(view.lying)
        if len(view.standing) > standing:
            self._locator.find(view, (view.hidden,), WORK)
            self._put_back(view, half_seen)
        around = np.zeros_like(view.hidden)
        for piece in view.lying[lying:]:
            fill_footprint(
                around, piece.pose, piece.shape.width + AROUND_MM, piece.shape.height + AROUND_MM, HALF
            )
        if len(view.lying) > lying:  # what stands on these was looked for as if it stood on something unknown
            view.take_away(_within(view, view.standing[standing:], around, 0))
            self._put_up(view, np.asarray(where & around, np.uint8))

    def _half_seen(self, view: Workspace, fresh: int) -> list[Detection]:
        """What was named before it was known that something stands on it, which may have looked like a part of it."""
        named = [
            piece for piece in view.lying[fresh:] if not (piece.before and piece.before.confidence > UNSURE)
        ]
        return [
            piece for piece in named if view.share(view.hidden, piece.shape, piece.pose[None])[0] > COVERED
        ]

    def _put_back(self, view: Workspace, pieces: Sequence[Detection]) -> None:
        """Where nothing else was found instead, they lie as they did."""
        for piece in pieces:
            if view.share(view.covered, piece.shape, piece.pose[None])[0] <= TAKEN:
                view.place(piece)

    def _put_up(self, view: Workspace, where: Mask) -> None:
        pieces = _within(view, view.lying, where)
        strange = unexplained(view, self._known, pieces, self._printed)
        if self._wood.knows and self._shot:
            printed = [piece for piece in pieces if not self._drawn[piece.row]]
            self._wood.find(view, self._shot, strange, printed)
            where = where.copy()
            for piece in printed:
                fill_footprint(where, piece.pose, piece.shape.width, piece.shape.height, HALF, 0)
        if not (self._wood.knows and self._printed):
            self._figures.find(view, strange, where)

    def classify(self) -> None:
        """Name what was found anew."""
        view = self._view
        if view is None:
            return
        flat = [piece for piece in self._fresh if not piece.shape.stands]
        named: dict[Detection, Detection | None] = dict(zip(flat, self._names(view, flat), strict=True))
        self._rename(view, named)
        odd = self._choose_box()
        view.take_away({*odd, *(old for old, name in named.items() if name in odd)})
        figures: dict[Detection, Detection | None] = {}
        for piece in self._fresh:
            if piece.shape.stands:
                name = piece if piece.shape is FIGURE else self._figures.named(view, piece)
                clear = name and replace(name, confidence=name.confidence * name.clear)
                figures[piece] = clear and self._doubted(view, clear)
        self._rename(view, figures)
        named |= figures
        self._found = tuple(name for name in named.values() if name) if self.busy else ()
        self._fresh = ()
        self.unknown = self._unexplained(view)

    def _rename(self, view: Workspace, named: Mapping[Detection, Detection | None]) -> None:
        """Take pieces by their names; what is none is something unknown."""
        pieces = (named.get(old, old) for old in self._pieces)
        self._pieces = tuple(piece for piece in pieces if piece is not None)
        view.take_away(piece for piece, name in named.items() if name is None)

    def _choose_box(self) -> set[Detection]:
        """On one table lies one box: where it is plain which, nothing is taken for a piece of another; what was."""
        drawn = self._drawn
        plain = [piece for piece in self._flat if piece.confidence >= SURE and piece.likeness >= PLAINLY]
        ours = sum(bool(drawn[piece.row]) for piece in plain)
        if len(plain) < ENOUGH or max(ours, len(plain) - ours) < MOSTLY * len(plain):
            return set()
        self._locator.elsewhere = ~drawn if 2 * ours > len(plain) else drawn
        odd = {piece for piece in self._flat if self._locator.elsewhere[piece.row]}
        self._pieces = tuple(piece for piece in self._pieces if piece not in odd)
        return odd

    @property
    def _flat(self) -> list[Detection]:
        return [piece for piece in self._pieces if not piece.shape.stands]

    @property
    def _typical(self) -> float:
        """How much half of the flat pieces look like what they are."""
        return median(piece.likeness for piece in self._flat)

    @property
    def _printed(self) -> bool:
        """Whether the box on this table is plainly another one than we draw."""
        return bool((self._locator.elsewhere & self._drawn).any())

    def _doubted(self, view: Workspace, piece: Detection) -> Detection:
        """What stands on something unknown may well be a part of it."""
        around = view.share(view.open, piece.shape, piece.pose[None])[0]
        own = 1.0 if piece.shape.outline is None else float(piece.shape.outline.mean()) / 255
        doubt = (around - own) / (1 - own) > UNKNOWN_AROUND
        return replace(piece, confidence=min(piece.confidence, UNSURE)) if doubt else piece

    def _names(self, view: Workspace, pieces: Sequence[Detection]) -> Sequence[Detection | None]:
        """The pieces as they look now, or as they were known before something known was put on them."""
        if not pieces:
            return ()
        poses = np.stack([piece.pose for piece in pieces])
        every = displaced(poses[:, None], PLACES[None])
        looks = self._locator.looks(view, every.reshape(-1, 3)).reshape(len(pieces), len(PLACES), -1)
        scores = self._locator.scores(looks).max(axis=1)
        hidden = view.share(view.hidden, pieces[0].shape, poses)
        return [
            self._named(view, piece, row, look, float(part))
            for piece, row, look, part in zip(pieces, scores, looks[:, 0], hidden, strict=True)
        ]

    def _named(
        self, view: Workspace, piece: Detection, scores: Vectors, look: Vectors, hidden: float
    ) -> Detection | None:
        known, before = self._known, piece.before
        fits = Fits(view, piece.pose, known, self._drawings)
        if hidden > COVERED and self._drawn[scores.argmax()]:
            # No network knows what stands there: of our own drawings, what is bare tells more.
            fits, scores[~self._drawn] = self._where_it_lies(view, piece), -1
            scores[self._drawn] = fits.likeness
            piece = replace(piece, pose=fits.pose)
        row, rival = self._twins(fits, scores, hidden)
        apart = 0.0 if hidden > COVERED else ramp(float(scores[row] - scores[rival.row]), LEAD)
        good = ramp(float(scores[row]), KNOWN) * min(1.0, 1.3 - hidden)
        if known.gallery.origins[row] is Origin.DRAWN and (fit := fits.of(row)) is not None:
            if before is None and fit.alike < DRAWN[0]:
                return None
            good *= ramp(fit.alike, DRAWN)
        sure = good * max(apart, rival.lead)
        label, covered = known.faces[row], before is not None and hidden > COVERED
        if before and before.bare is not None and covered:
            still = earlier_look(view, before.pose, before.bare)
            same = still.share >= STILL and still.patch <= CROWN
            if same and (label == before.label or sure < UNSURE):
                return replace(before, likeness=piece.likeness)
        elif before and covered and before.confidence > sure and (label == before.label or sure < UNSURE):
            moved, turned = np.hypot(*(piece.pose - before.pose)[:2]), abs(piece.pose[2] - before.pose[2])
            if moved < SAME_MM and turned < SAME_DEGREES:
                return replace(before, likeness=piece.likeness)
        turn = 90.0 * float(known.gallery.turns[row])
        pose = piece.pose + np.array((0, 0, turn))
        return replace(
            piece,
            label=label,
            row=row,
            pose=pose,
            confidence=sure,
            runner_up=known.faces[rival.row],
            unrivalled=good * rival.others,
            usual=1.0 if hidden > COVERED or self._drawn[row] else float(scores[row]) / self._typical,
            look=look if turn == 0 else None,
            bare=piece.bare
            if hidden > COVERED or self.busy or self._drawn[row]
            else view.inside(pose, known.side),
            before=None,
        )

    def _where_it_lies(self, view: Workspace, piece: Detection) -> Fits:
        """As it was found, or beside a neighbour: what a figure hides may have drawn it away from there."""
        poses = [piece.pose, *self._locator.beside(piece, view.lying)]
        return max(
            (Fits(view, pose, self._known, self._drawings) for pose in poses),
            key=lambda fits: float(fits.likeness.max()),
        )

    def _twins(self, fits: Fits, scores: Vectors, hidden: float) -> tuple[int, Rival]:
        """The row that a piece looks most like and the next one, after a second look where they are twins.

        What stands on a piece may hide what tells it from others: then all that look like it are looked at.
        """
        row, covered = int(scores.argmax()), hidden > COVERED
        if covered and not self._drawn[row]:
            return row, self._hidden_rival(fits, row, scores)
        rival, *others = self._known.rivals(row, scores, RIVALS if covered else 1)
        if not covered:
            if scores[row] - scores[rival] >= LEAD[1]:
                return row, Rival(rival, 1.0, self._apart(row, rival, scores))
            if (lead := fits.lead(row, rival)) < 0:
                row, rival, lead = rival, row, -lead
            return row, Rival(rival, ramp(lead, CLEAR), self._apart(row, rival, scores))
        found = [(fits.lead(row, other), other) for other in (rival, *others)]
        least, rival = min(found)
        if least >= 0:
            return row, Rival(rival, ramp(least, CLEAR), self._clear_of(found, rival))
        back = [(fits.lead(rival, other), other) for _lead, other in found if other != rival]
        lead, _next = min(back, default=(1.0, row))
        return rival, Rival(row, ramp(min(-least, lead), CLEAR), self._clear_of(back, row))

    def _hidden_rival(self, fits: Fits, row: int, scores: Vectors) -> Rival:
        """What else a half hidden piece may be of which nobody has a picture: our own drawings tell which faces differ
        from it where it is hidden alone; of all others the network tells."""
        known, turns, rivals = self._known, self._known.gallery.turns, list[int]()
        ours = np.flatnonzero(self._drawn).tolist()
        mine = next((n for n, at in enumerate(ours) if known.same_way(at, row)), None)
        if mine is not None:
            apart = shown_apart(self._drawings, mine, fits.bare)
            hidden = {
                (known.faces[at], int(turns[at])) for at, told in zip(ours, apart, strict=True) if not told
            }
            each = enumerate(zip(known.faces, turns.tolist(), strict=True))
            rivals = [at for at, which in each if which in hidden and not known.same_way(at, row)]
        if not rivals:
            rival = known.rivals(row, scores)[0]
            return Rival(rival, ramp(float(scores[row] - scores[rival]), HALF_SEEN_LEAD))
        rival = max(rivals, key=lambda at: float(scores[at]))
        if any(known.faces[at] != known.faces[rival] for at in rivals):
            return Rival(rival)
        others = (at for at in known.rivals(row, scores, 3) if known.faces[at] != known.faces[rival])
        third = max((float(scores[at]) for at in others), default=-1.0)
        return Rival(rival, 0.0, ramp(float(scores[row]) - third, HALF_SEEN_LEAD))

    def _apart(self, row: int, rival: int, scores: Vectors) -> float:
        """How much likelier a face is than all others but a rival's."""
        faces = self._known.faces
        third = (other for other in self._known.rivals(row, scores, 3) if faces[other] != faces[rival])
        return ramp(float(scores[row] - max((float(scores[other]) for other in third), default=-1)), LEAD)

    def _clear_of(self, found: Sequence[tuple[float, int]], rival: int) -> float:
        """How clear second looks are for no other face than a rival's."""
        faces = self._known.faces
        return ramp(min((lead for lead, other in found if faces[other] != faces[rival]), default=0.0), CLEAR)

    def _unexplained(self, view: Workspace) -> tuple[Area, ...]:
        rest = cv2.bitwise_and(view.open, cv2.bitwise_not(cv2.dilate(view.hidden, np.ones((5, 5)))))
        rest = cv2.bitwise_and(rest, cv2.bitwise_not(cv2.dilate(view.covered, np.ones((3, 3)))))
        if self._barred is not None:
            rest = cv2.bitwise_or(rest, self._barred)
        return tuple(areas_of(without_thin(np.asarray(rest, np.uint8), THICK_MM)))


def _within(
    view: Workspace, pieces: Sequence[Detection], where: Mask, share: float = TOUCHED
) -> list[Detection]:
    """The pieces of which a larger part lies there."""
    return [piece for piece, part in zip(pieces, view.shares(where, pieces), strict=True) if part > share]


def without_thin(mask: Mask, millimetres: float) -> Mask:
    side = max(1, round(millimetres * HALF))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), np.uint8)


def areas_of(mask: Mask) -> Iterable[Area]:
    for part in components(mask, UNKNOWN_MM2 * HALF**2):
        (x, y), (width, height), angle = cv2.minAreaRect(cv2.findNonZero(part))
        yield Area((x + 0.5) / HALF, (y + 0.5) / HALF, (width + 1) / HALF, (height + 1) / HALF, angle)


def _observation(piece: Detection) -> Observation:
    x, y, angle = piece.pose.tolist()
    angle = 0.0 if piece.shape.round else angle % 360
    runner_up = piece.rival if piece.clear < UNSURE_SHAPE else piece.runner_up
    return Observation(
        piece.label,
        x,
        y,
        angle,
        round(piece.confidence, 3),
        runner_up,
        round(piece.unrivalled, 3),
        round(piece.usual, 3),
    )
