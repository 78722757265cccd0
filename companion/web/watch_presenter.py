"""What the camera sees of a session, made ready for the page.

Status in words, the question, the disagreement, outlines over the picture and what was read of one piece.

Presenter only: it reads one snapshot (`WatchState`) and never calls the watcher. Lengths are millimetres on
the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from statistics import median
from time import monotonic

from flask import request

from companion.core.devices import Lamp
from companion.core.game import Remark
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import (
    Area,
    Choice,
    Contradiction,
    Doubt,
    Face,
    Observation,
    Reading,
)
from companion.core.session import Session, entry_in_words
from companion.watch.familiarity import FAMILIARITY_WORDS, UNFAMILIAR, Familiarity
from companion.watch.state import Announcement, Status, WatchState
from companion.web.context import house

UNKNOWN_MM = 40
"""How large something is drawn of which only the middle is known."""
MARK_ABOVE_MM = 14
"""How far above an outline its mark stands."""
TOP_MM = 80
"""Marks of what lies nearer to the upper edge stand below it."""


class OutlineKind(StrEnum):
    """What an outline says; each has a line of its own besides its colour."""

    SEEN = "seen"
    PROPOSED = "proposed"
    DOUBTED = "doubted"
    CONTRADICTED = "contradicted"
    LATER = "later"
    """Contradicted as well, and not looked at now."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Outline:
    """One shape over the picture, in millimetres."""

    kind: OutlineKind
    corners: str
    """As SVG lists points."""
    x: float
    """Where its mark stands, as is y."""
    y: float
    below: bool = False
    """Whether the mark stands below, for want of room above."""
    mark: str = ""


def outlines(session: Session, watch: WatchState, marks: Sequence[str], odd: int = 0) -> tuple[Outline, ...]:
    """Everything to be drawn, what matters most last; `marks` are the proposals', `odd` is looked at."""
    reading = watch.reading
    drawn = [
        *_recognised(session, watch),
        *_all(OutlineKind.UNKNOWN, watch.unknown),
    ]
    if watch.seq == session.seq and watch.status is not Status.PAUSED:
        proposed = zip(reading.proposals, marks, strict=True)
        drawn += [outline(OutlineKind.PROPOSED, p.area, mark) for p, mark in proposed if p.area]
        drawn += [outline(OutlineKind.DOUBTED, doubt.area, "?") for doubt in reading.doubts if doubt.area]
    areas = [found.area for found in reading.contradictions]
    drawn += _all(OutlineKind.LATER, (area for number, area in enumerate(areas) if area and number != odd))
    drawn += [outline(OutlineKind.CONTRADICTED, area, "!") for area in areas[odd : odd + 1] if area]
    return tuple(drawn)


def outline(kind: OutlineKind, area: Area, mark: str = "") -> Outline:
    corners = area.corners
    top, bottom = min(y for _x, y in corners), max(y for _x, y in corners)
    below = top < TOP_MM
    y = bottom + MARK_ABOVE_MM if below else top - MARK_ABOVE_MM
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return Outline(kind, points, round(area.x, 1), round(y, 1), below, mark)


def _all(kind: OutlineKind, areas: Iterable[Area]) -> list[Outline]:
    return [outline(kind, area) for area in areas]


def _recognised(session: Session, watch: WatchState) -> Iterator[Outline]:
    sight = session.game.sight
    faces = {face.label: face for face in (*sight.faces, *sight.pieces.values())} if sight else {}
    for seen in watch.seen:
        face = faces.get(seen.label)
        yield outline(OutlineKind.SEEN, _area(seen, face))


def _area(seen: Observation, face: Face | None) -> Area:
    width, height = (face.width, face.height) if face else (UNKNOWN_MM, UNKNOWN_MM)
    return Area(seen.x, seen.y, width, height, seen.angle)


TOLD_S = 10.0
"""For how long it is told what a button did."""

CAMERA, DRAWN = "camera", "drawn"
"""The two ways to look at a table under a camera."""
COUNTING = "score_only"
"""The option of every game by which only its end is counted."""

STATUS_SIGNS: Mapping[Status, tuple[Message, str, Message | None]] = {
    Status.STARTING: (
        _("Starting"),
        "clock",
        _("The camera is starting. The table appears in a moment."),
    ),
    Status.WATCHING: (_("Watching"), "eye", None),
    Status.MOVING: (_("Something moves"), "hand", None),
    Status.PAUSED: (_("Paused"), "pause", None),
    Status.BLIND: (
        _("Table not found"),
        "warning",
        _(
            "The table cannot be found in the picture. Nothing is lost: see whether something covers a marker, "
            "or the camera was moved."
        ),
    ),
    Status.NO_CAMERA: (
        _("No picture"),
        "warning",
        _("There is no picture from the camera. Nothing is lost: look at its cable, or tap in what happens."),
    ),
}
"""What each is called, the small picture beside it, and what is said where the watcher itself says nothing."""

EXPLAINED = (
    ("capture", _("Take a picture"), _("The camera looks at the table.")),
    (
        "rectify",
        _("See it from above"),
        _("The table's corners turn the picture into a map in millimetres."),
    ),
    (
        "settle",
        _("Wait for stillness"),
        _("Nothing is read while a hand is over the table or a piece moves."),
    ),
    (
        "locate",
        _("Find the pieces"),
        _("Each is looked for beside its neighbours, however crooked they lie."),
    ),
    (
        "classify",
        _("Tell them apart"),
        _("Every piece is compared with all that is known of this box."),
    ),
    ("read", _("Understand the move"), _("The rules say what must have happened. What is unclear is asked.")),
    ("record", _("Write it down"), _("When somebody confirms, by a button or a tap.")),
    ("show", _("Count and show"), _("The points and lamps follow, on every screen.")),
)
"""The steps from a picture to the tally: key, name, and one plain sentence."""

ALONE = _("By itself when all is clear, as you allowed it. Else when somebody confirms.")
"""What is said of writing down where people have allowed that."""

PICTURED = ("capture", "rectify", "locate")
"""The steps that show a picture."""


@dataclass(frozen=True)
class ProposedTurn:
    """What somebody has done, as it seems, and one press records with all the rest."""

    player: int | None
    deeds: tuple[tuple[str, Remark], ...]
    """Each with its number at its outline on the picture, unless its words say it."""


@dataclass(frozen=True)
class AnswerButton:
    """One answer to a question."""

    said: Remark | None
    """Its own words; without any, those of its events."""
    told: tuple[Remark, ...]


@dataclass(frozen=True)
class CameraQuestion:
    """The doubt that people are asked about now."""

    number: int
    of: int
    doubt: Doubt
    answers: tuple[AnswerButton, ...]


@dataclass(frozen=True)
class ShownDisagreement:
    """What table and log do not agree about: the first of all, unless somebody looks at another."""

    number: int
    of: int
    said: Message
    about: Contradiction | None


@dataclass(frozen=True)
class ExplainedStage:
    """One of the eight steps, as a newcomer reads it."""

    key: str
    name: Message
    sentence: Message
    ms: float | None
    pictured: bool


@dataclass(frozen=True)
class WatchView:
    """Everything the page shows of what the camera sees."""

    watch: WatchState
    camera: bool
    """Whether the person looks at the camera's picture, not at the drawn table."""
    view: str
    """What an address has to say for that; empty where it is the usual way to look."""
    counting: bool
    """Whether only kingdoms or the like are counted, which people do on the drawn table as well."""
    reading: Reading
    """Nothing where the log has moved on since."""
    outlines: tuple[Outline, ...]
    proposals: tuple[ProposedTurn, ...]
    dispute: ShownDisagreement | None
    """Comes before any question."""
    question: CameraQuestion | None
    lamps: tuple[Lamp, ...]
    """One for each player."""
    announcement: Announcement | None
    steps: tuple[ExplainedStage, ...]
    """Only when somebody asks how it works."""

    @property
    def sign(self) -> Message:
        return STATUS_SIGNS[self.watch.status][0]

    @property
    def icon(self) -> str:
        return STATUS_SIGNS[self.watch.status][1]

    @property
    def said(self) -> Message | None:
        return status_line(self.watch)

    @property
    def familiar(self) -> Message:
        """Whether the camera knows the pieces on the table, in words."""
        return FAMILIARITY_WORDS[self.watch.familiarity]

    @property
    def unfamiliar(self) -> bool:
        return self.watch.familiarity in UNFAMILIAR

    @property
    def known(self) -> bool:
        return self.watch.familiarity is Familiarity.KNOWN

    @property
    def stage(self) -> str | None:
        """Which picture can be shown: what the camera sees, where it cannot be seen from above; None without any."""
        if self.watch.status in (Status.STARTING, Status.NO_CAMERA):
            return None
        return "capture" if self.watch.status is Status.BLIND else ""

    @property
    def sure(self) -> int | None:
        """Percent: half of the pieces are told apart more surely than that."""
        found = [seen.confidence for seen in self.watch.seen]
        return round(median(found) * 100) if found else None


def status_line(watch: WatchState) -> Message | None:
    """What people should know about the camera, in a calm line."""
    return watch.said or STATUS_SIGNS[watch.status][2]


def announced(watch: WatchState | None) -> Announcement | None:
    """What a button has done just now."""
    told = watch.announcement if watch else None
    return told if told and monotonic() - told.at < TOLD_S else None


def watched_state(id: str) -> WatchState | None:
    """What the watcher sees, if it watches that session."""
    watcher = house().watcher
    watch = watcher.watch if watcher else None
    return watch if watch and watch.session == id else None


def watch_view(session: Session, usual: str = "") -> WatchView | None:
    """What the page shows of the camera; None when it does not watch this session, or could see nothing of its game.

    `usual` is how people look without a wish: at the camera's picture, unless they only count.
    """
    watch = watched_state(session.id)
    if watch is None or session.game.sight is None:
        return None
    counting = COUNTING in session.setup.options
    usual = usual or (DRAWN if counting and "how" not in request.args else CAMERA)
    wished = request.values.get("view", "")
    view = wished if wished in (CAMERA, DRAWN) else usual
    reading = watch.reading if watch.seq == session.seq else Reading()
    told = [entry_in_words(session, proposal.event) for proposal in reading.proposals]
    numbers = [_number(remark) for remark in told]
    dispute = _dispute(watch)
    return WatchView(
        watch=watch,
        camera=view == CAMERA,
        view="" if view == usual else view,
        counting=counting,
        reading=reading,
        outlines=outlines(
            session,
            watch,
            [number or str(place) for place, number in enumerate(numbers, start=1)],
            dispute.number if dispute else 0,
        ),
        proposals=_proposed(told, numbers),
        dispute=dispute,
        question=_question(session, reading),
        lamps=_lamps(session, watch),
        announcement=announced(watch),
        steps=_steps(watch) if "how" in request.args else (),
    )


def watches_another(session: Session) -> bool:
    """Whether the camera could watch this game, and watches another."""
    watcher = house().watcher
    watching = watcher.watch.session if watcher else ""
    return watching not in ("", session.id) and session.game.sight is not None and not session.turn.over


def _proposed(told: Sequence[Remark], numbers: Sequence[str]) -> tuple[ProposedTurn, ...]:
    """What a player did in a row stands together."""
    listed = [
        ("" if number else str(place), one)
        for place, (one, number) in enumerate(zip(told, numbers, strict=True), 1)
    ]
    rows = groupby(listed, key=lambda deed: deed[1].player)
    return tuple(ProposedTurn(player, tuple(row)) for player, row in rows)


def _dispute(watch: WatchState) -> ShownDisagreement | None:
    if watch.status is not Status.PAUSED:
        return None
    found = watch.reading.contradictions
    number = min(_wished("odd"), max(0, len(found) - 1))
    odd = found[number] if found else None
    said = None if number else watch.said
    said = said or (odd.text if odd else _("The table and the page do not agree."))
    return ShownDisagreement(number, len(found), said, odd)


def _wished(name: str) -> int:
    """Which of several somebody wants to look at."""
    wished = request.args.get(name, "")
    return int(wished) if wished.isascii() and wished.isdigit() and len(wished) < 4 else 0


def _number(remark: Remark) -> str:
    """The first number that is told, such as that of a domino; empty without any."""
    return next((str(value) for value in remark.text.values.values() if isinstance(value, int)), "")


def _question(session: Session, reading: Reading) -> CameraQuestion | None:
    if not reading.doubts:
        return None
    number = min(_wished("doubt"), len(reading.doubts) - 1)
    doubt = reading.doubts[number]
    answers = tuple(_answer(session, choice) for choice in doubt.choices)
    return CameraQuestion(number, len(reading.doubts), doubt, answers)


def _answer(session: Session, choice: Choice) -> AnswerButton:
    said = Remark(choice.text) if isinstance(choice.text, Message) else choice.text
    return AnswerButton(said, tuple(entry_in_words(session, event) for event in choice.events))


def _lamps(session: Session, watch: WatchState) -> tuple[Lamp, ...]:
    players = len(session.setup.players)
    return (watch.lamps.seats + (Lamp.OFF,) * players)[:players]


def _steps(watch: WatchState) -> tuple[ExplainedStage, ...]:
    ms = {stage.name: stage.ms for stage in watch.stages}
    alone = {"record": ALONE} if watch.alone else {}
    return tuple(
        ExplainedStage(key, name, alone.get(key, sentence), ms.get(key), key in PICTURED)
        for key, name, sentence in EXPLAINED
    )
