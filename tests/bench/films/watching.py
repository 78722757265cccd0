"""A film shown to a whole companion, picture by picture, and what comes of each step."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Protocol

import cv2
import numpy as np

from companion.app import Clock, Rig, open_rig
from companion.core.game import AnyGame, Setup
from companion.core.lattice import Cell
from companion.core.log import Source
from companion.household.settings import CameraSettings, Settings
from companion.household.settings import StoreSettings as Kept
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.vision.live.eye import Eye
from companion.vision.live.figures import FigureLocator
from companion.vision.live.wood import WoodLocator
from companion.watch.state import Status, WatchState
from hardware.camera import FRAME_S, Frame
from tests.bench.films.table import Pixels, Stage, TablePhoto

LEAST_S, MOST_S = 1.6, 6.0
"""How long each picture is looked at: longer than the table has to be still, and until it has been read."""
QUALITY = 92


@dataclass(frozen=True)
class Scene:
    """A picture of a film."""

    cells: tuple[Cell, ...]
    """Pieces that are new in it."""
    truth: Any
    """What a companion that has seen it has to know; of the first scene nothing is asked."""
    told: Any
    """The same as the film's script has it."""


class Outcome(StrEnum):
    """What the companion made of one scene."""

    RIGHT = "right"
    ASKED = "asked"
    ASKED_WHO = "asked_who"
    DISPUTED = "disputed"
    NOTHING = "nothing"
    SILENTLY_WRONG = "silently_wrong"
    WRONG_WHO = "wrong_who"


@dataclass
class Steps:
    """What came of the films of one session."""

    session: str
    size: str
    films: int = 0
    unlearned: int = 0
    """Films of whose empty table the companion would not learn anything, since it took it for pieces."""
    steps: int = 0
    """Pieces laid, one a step."""
    right: int = 0
    """What lies there was proposed as it lies, and nothing asked."""
    asked: int = 0
    asked_who: int = 0
    """The piece was right; asked was who stands on it."""
    disputed: int = 0
    """Said not to be as it should: a kingdom without its castle, a board that is not the log's."""
    nothing: int = 0
    """Neither proposed nor asked."""
    silently_wrong: int = 0
    wrong_who: int = 0
    """The piece was right; who stands on it was not, and nobody was asked."""
    by_hand: int = 0
    """Steps after which people had to tell the log themselves: no answer and no button had done it."""
    ends_right: int = 0
    """Films of which the last step was right."""
    wrong: list[str] = field(default_factory=list)
    """Which steps were silently wrong."""
    said: Counter[str] = field(default_factory=Counter)
    """What was asked or said to be odd, and in how many steps."""
    milliseconds: list[float] = field(default_factory=list)
    """Processor time of the dearest frame of each step."""

    def __str__(self) -> str:
        last = max(self.milliseconds, default=0.0)
        return (
            f"{self.size} {self.session}: {self.films} films ({self.unlearned} on tables that could not be learned),"
            f" {self.steps} steps, {self.right} right,"
            f" {self.asked} asked, {self.asked_who} asked who stands there, {self.disputed} disputed,"
            f" {self.nothing} without a reading, {self.silently_wrong} silently wrong,"
            f" {self.wrong_who} silently wrong who stands there; {self.by_hand} by hand;"
            f" {self.ends_right} right at their end;"
            f" {median(self.milliseconds or [0.0]):.0f} ms a step in the median, {last:.0f} at most"
            + (f" ({', '.join(self.wrong)})" if self.wrong else "")
        )


class FilmCamera:
    """Shows one picture until another is put before it, by a clock of its own."""

    name = "film"

    def __init__(self) -> None:
        self.now, self._number = 0.0, 0
        self.pixels: Pixels = np.zeros((16, 16, 3), np.uint8)

    def frame(self) -> Frame:
        self.now, self._number = self.now + FRAME_S, self._number + 1
        return Frame(self.pixels, self.now, self._number)

    def close(self) -> None: ...


class Viewing:
    """A companion that watches a film."""

    def __init__(self, game: AnyGame, setup: Setup, film: Path, data: Path, figures: bool = True) -> None:
        self.sessions = LiveSessions(
            SessionRepository(f"sqlite:///{data / 'companion.db'}", {game.key: game})
        )
        settings = Settings(
            store=Kept(folder=str(data)), camera=CameraSettings(source="folder", place=str(film))
        )
        self._camera, self._write = FilmCamera(), game.write
        time = Clock(lambda: self._camera.now, lambda _seconds: None)
        self.rig: Rig = open_rig(settings, self.sessions, time=time)
        self.rig.loop._camera = self._camera
        if not figures:
            self.rig.loop._eye_for = _blind_to_figures(self.rig.loop._eye_for)
        self.id = self.sessions.begin(game, setup, Source.COMMAND).id
        self.rig.watcher.follow(self.id)

    @property
    def watch(self) -> WatchState:
        return self.rig.watcher.watch

    @property
    def said(self) -> frozenset[str]:
        reading = self.watch.reading
        questions = {doubt.question.text for doubt in reading.doubts}
        return frozenset(questions | {one.text.text for one in reading.contradictions})

    @property
    def proposed(self) -> list[str]:
        return [self._write(one.event) for one in self.watch.reading.proposals]

    def show(self, picture: Path) -> float:
        """Show a picture; the answer is how many milliseconds its dearest frame took."""
        pixels = cv2.imread(str(picture), cv2.IMREAD_COLOR)
        assert pixels is not None
        self._camera.pixels = np.asarray(pixels, np.uint8)
        since, dearest = self._camera.now, 0.0
        while self._camera.now - since < LEAST_S or (
            self._camera.now - since < MOST_S and self.watch.status in (Status.MOVING, Status.STARTING)
        ):
            dearest = max(dearest, self.step())
        return dearest

    def step(self) -> float:
        """Look at one more frame; the answer is how many milliseconds that took."""
        began = process_time()
        self.rig.loop.step()
        return (process_time() - began) * 1000

    def learn_empty(self, picture: Path) -> bool:
        """Show the empty table and have it learned; False where it was not."""
        aimer = self.rig.aimer
        self.show(picture)
        for _once_more in range(
            2
        ):  # a patterned table may look like pieces: then people have to say it twice
            if not aimer.aim.empty:
                aimer.learn_empty()
                self.show(picture)
        return bool(aimer.aim.empty)

    def close(self) -> None:
        self.rig.close()
        self.sessions.close()


def _blind_to_figures(eye_for: Callable[[AnyGame | None], Eye]) -> Callable[[AnyGame | None], Eye]:
    """An eye that looks for nothing that stands: what flat pieces alone come to."""

    def eye_without(game: AnyGame | None) -> Eye:
        eye = eye_for(game)
        eye._reader._figures, eye._reader._wood = FigureLocator(()), WoodLocator(())
        return eye

    return eye_without


class FilmedGame(Protocol):
    """A game of whose photos films are made."""

    @property
    def game(self) -> AnyGame: ...

    def photos(self) -> Iterable[TablePhoto]:
        """All labelled photos that a film can be made of."""

    def setup(self, photo: TablePhoto) -> Setup:
        """Who plays, and how."""

    def scenes(self, photo: TablePhoto, seed: int) -> Sequence[Scene]:
        """The same pieces laid again, as people may have laid them; nothing where no box has them."""

    def judge(self, viewing: Viewing, truth: Any) -> Outcome:
        """What the companion makes of a scene."""

    def settle(self, viewing: Viewing, truth: Any) -> bool:
        """Do what people would do then; False where they had to tell the log themselves."""


def write_film(photo: TablePhoto, scenes: Sequence[Scene], shown: Stage, folder: Path) -> None:
    """A picture of the empty table, then one for each scene."""
    folder.mkdir(parents=True, exist_ok=True)
    cells, steps = list[Cell](), list[dict[str, Any]]()
    for number, scene in enumerate([Scene((), None, {}), *scenes]):
        cells += scene.cells
        name = f"{number:03}.jpg"
        picture = shown.with_pieces(cells)
        cv2.imwrite(str(folder / name), picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
        steps.append({"picture": name, **scene.told})
    empty, *steps = steps
    script = {"photo": photo.file.name, "session": photo.session, "empty": empty["picture"], "steps": steps}
    (folder / "script.json").write_text(json.dumps(script) + "\n", encoding="utf-8")


def watch_film(
    filmed: FilmedGame,
    photo: TablePhoto,
    scenes: Sequence[Scene],
    film: Path,
    found: Steps,
    data: Path,
    figures: bool = True,
) -> Iterator[str]:
    """Show a film to a companion, picture by picture; the answers tell what is not right in which."""
    viewing = Viewing(filmed.game, filmed.setup(photo), film, data, figures)
    try:
        found.unlearned += not viewing.learn_empty(film / "000.jpg")
        found.films += 1
        came = Outcome.NOTHING
        for number, scene in enumerate(scenes, start=1):
            milliseconds = viewing.show(film / f"{number:03}.jpg")
            if number == 1:
                continue
            came = filmed.judge(viewing, scene.truth)
            found.steps += 1
            found.milliseconds.append(round(milliseconds, 1))
            setattr(found, came, getattr(found, came) + 1)
            where = f"{film.name} {number:03}"
            if came in (Outcome.SILENTLY_WRONG, Outcome.WRONG_WHO):
                found.wrong.append(where)
            if came is not Outcome.RIGHT:
                found.said.update(viewing.said)
                said = "; ".join((*viewing.proposed, *sorted(viewing.said)))
                yield f"{where}: {came}, {said}; it is {scene.told}"
            found.by_hand += not filmed.settle(viewing, scene.truth)
        found.ends_right += came is Outcome.RIGHT
    finally:
        viewing.close()
