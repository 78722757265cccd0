"""The table that needs no hardware, put together: what lies on it, who plays, what sees it, and what goes wrong."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from threading import Event, RLock, Thread, current_thread
from typing import Any

from calibration.mat import Mat
from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.message import message as _
from companion.core.observation import AnySight, Area, Face, PlacedPiece
from companion.core.session import Session
from companion.virtual import scene
from companion.virtual.art import Art
from companion.virtual.camera import PACE_S, SIZE, VirtualCamera
from companion.virtual.faults import ActiveFaults, Disturbance, Disturbances, Fault, FaultContext
from companion.virtual.hand import HandPlanner
from companion.virtual.mock_pins import MockPins
from companion.virtual.players import (
    Pacing,
    PlayerInterface,
    Policy,
    ScriptStepper,
    SimulatedPlayers,
    arrangement,
    faces_of,
    set_table,
)
from companion.virtual.scene import Scene
from hardware.camera import Frame

FLEETING_DISTURBANCES = frozenset({"hand", "glare"})
"""Disturbances that are no part of an empty table."""

HAND_S = 2.0
"""A hand that was stopped lets go long before that."""

log = logging.getLogger(__name__)


class VirtualTable:
    """A table without hardware; every call answers at once and from any thread.

    The app hands `camera` to the watcher, and `companion` to the hand.
    """

    width, height = Mat().width, Mat().height
    """Millimetres, as people know the mat."""
    watched: Callable[[], Session | None] | None = None
    """The session that the camera watches; without it, the one that the hand plays."""

    def __init__(
        self,
        sight: AnySight,
        buttons: MockPins,
        *,
        companion: PlayerInterface | None = None,
        disturbances: Disturbances | None = None,
        size: tuple[int, int] = SIZE,
        pace: float = PACE_S,
        paces: Pacing | None = None,
        policy: Policy | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        threaded: bool = True,
        art: Art | None = None,
    ) -> None:
        self._size, self._clock, self._art = size, clock, art or Art()
        self.companion = companion
        """Without one the hand cannot play; it may be given later than the table is made."""
        self._sight, self._buttons = sight, buttons
        self._disturbances = disturbances or Disturbances()
        self._paces, self._threaded = paces, threaded
        self.policy = policy
        """What happens next when the hand plays; without one, what brings most points at once."""
        seed = self._disturbances.seed
        self._ground = self._art.ground(seed)
        self.scene = Scene(self._box(sight), self.width, self.height)
        self.camera = VirtualCamera(
            self.scene,
            self._disturbances,
            size=size,
            pace=pace,
            clock=clock,
            sleep=sleep,
            lamps=lambda: (*buttons.lit, buttons.common_lit),
            ground=self._ground,
        )
        self._context = FaultContext(self.scene, self.camera, buttons, Random(seed))
        self._active_faults = ActiveFaults(self._context, clock)
        self._lock = RLock()
        self._stopping = Event()
        self._thread: Thread | None = None
        self._playing: ScriptStepper | None = None

    @property
    def ignore(self) -> tuple[Area, ...]:
        """Where our own tablet and lamps change all the time: nothing to be read there."""
        return self.camera.ignore

    @property
    def furniture(self) -> Sequence[tuple[Face, Area]]:
        """What of our own lies there, such as tablet and lamps: nothing is read on it."""
        return self.camera.furniture

    @property
    def version(self) -> int:
        """Grows whenever a piece moves or something goes wrong, so that pages can ask whether they are up to date."""
        return self.scene.snapshot.version + self._active_faults.version

    @property
    def faces(self) -> Mapping[str, Face]:
        return self.scene.faces

    @property
    def lying(self) -> Sequence[PlacedPiece]:
        """The pieces on the table from the bottom to the top, in millimetres from its upper left corner."""
        return self.scene.snapshot.lying

    @property
    def aside(self) -> Sequence[PlacedPiece]:
        """The pieces in the box that people can take: x and y mean nothing for them."""
        return self.scene.snapshot.aside

    @property
    def switches(self) -> Sequence[Disturbance]:
        return self._disturbances.switches

    @property
    def faults(self) -> Sequence[Fault]:
        return self._active_faults.faults

    @property
    def playing(self) -> bool:
        return self._playing is not None

    def put(self, piece: str, x: float, y: float, angle: float) -> None:
        """Lay a piece of the table or the box there, or KeyError."""
        self.scene.put(piece, x, y, angle)

    def remove(self, piece: str) -> None:
        """Put a piece back into the box, or KeyError."""
        self.scene.remove(piece)

    def set_out(self, sight: AnySight, setup: Setup, position: Any, start: Any = None) -> None:
        """Lay the pieces of a game as this position has them; what lay here before goes back into its box.

        `start` is the position in which the game began: what lies there then has been laid by no turn.
        """
        self._wait_for_hand()
        with self._lock:
            if self.playing:
                return
            self._bring(sight)
            self._make_room(sight.arrange(setup, position if start is None else start))
            lies = arrangement(self.scene, sight, setup, position)
            fixed = () if start is None else sight.arrange(setup, start)
            self._context.fixed = frozenset(one.piece for one in fixed)
            self._active_faults.forget()
            set_table(self.scene, HandPlanner(faces_of(sight), self._context.random), lies)

    def empty(self) -> Frame:
        """The table as the camera would see it with nothing and nobody on it."""
        chosen = self._disturbances
        calm = [
            switch.key for switch in chosen.switches if switch.on and switch.key not in FLEETING_DISTURBANCES
        ]
        nothing = Scene({}, self.width, self.height)
        calmly = Disturbances(chosen.seed, calm)
        camera = VirtualCamera(nothing, calmly, size=self._size, clock=self._clock, ground=self._ground)
        camera.ignore = self.camera.ignore
        return camera.frame()

    def switch(self, key: str, on: bool) -> None:
        """Switch a disturbance, or KeyError."""
        self._disturbances.switch(key, on)

    def cause(self, key: str) -> None:
        """Let that fault happen, or put it right while it lasts; KeyError, or IllegalEvent when it cannot be now."""
        with self._lock:
            self._context.know(self._session())
            self._active_faults.cause(key)

    def push(self, seat: int | None, seconds: float = 0.1) -> None:
        """Hold a button of the panel down for so long; None is the common one."""
        self._active_faults.touched(seat)
        self._buttons.push(seat, seconds)

    def play(self, on: bool) -> None:
        """Let the invisible hand play, or stop it for good so that people can take their seats; else IllegalEvent."""
        with self._lock:
            if not on:
                self._stop()
            elif self.companion is None:
                raise IllegalEvent(_("Nobody is there to play: the hand plays in a demonstration only."))
            elif not self.playing:
                self._begin(self.companion)

    def step(self, now: float) -> bool:
        """Let the hand do what is due by now, where no thread does it; the answer is whether it still plays."""
        playing = self._playing
        if playing is None:
            return False
        if not playing.step(now):
            self.play(False)
        return self.playing

    def close(self) -> None:
        """Stop the hand and the camera."""
        self.play(False)
        self.camera.close()

    def _session(self) -> Session | None:
        """What is played here."""
        if self.watched is not None:
            return self.watched()
        return self.companion.session() if self.companion is not None else None

    def _bring(self, sight: AnySight) -> None:
        """Have this game's pieces in the box."""
        if sight is not self._sight:
            self._sight = sight
            self.scene.refill(self._box(sight))

    def _make_room(self, begun: Sequence[PlacedPiece]) -> None:
        """Put tablet and lamps where the game leaves room for them."""
        x, y = self.width / 2, self.height / 2
        self.camera.ignore = scene.furniture_places([replace(one, x=one.x + x, y=one.y + y) for one in begun])

    def _begin(self, companion: PlayerInterface) -> None:
        session = companion.session()
        self._bring(session.game.sight or self._sight)
        self._make_room(self._sight.arrange(session.setup, session.game.start(session.setup)))
        script = SimulatedPlayers(
            self.scene,
            self._sight,
            companion,
            self.policy,
            seed=self._context.random.getrandbits(32),
            paces=self._paces,
        )
        self._context.script = script
        steps = script.play()
        self._playing = ScriptStepper(steps)
        if self._threaded:
            self._stopping = Event()
            work = (steps, self._stopping, self._thread)
            self._thread = Thread(target=self._run, args=work, name="virtual-hand", daemon=True)
            self._thread.start()

    def _run(self, steps: Iterator[float], stopping: Event, before: Thread | None) -> None:
        if before is not None:
            before.join()  # two hands of one script would take things from each other
        try:
            for wait in steps:
                if stopping.wait(wait):
                    break
        except Exception:
            log.exception("the hand stops playing")
        with self._lock:
            if stopping.is_set():
                self._withdraw()
            else:
                self._stop()

    def _wait_for_hand(self) -> None:
        """Until a hand that was stopped has let go: it would bring pieces of the game before."""
        thread = self._thread
        if thread is not None and thread is not current_thread() and not self.playing:
            thread.join(HAND_S)

    def _stop(self) -> None:
        self._stopping.set()
        self._playing = self._context.script = None
        self._withdraw()

    def _withdraw(self) -> None:
        """Take the hand away; what it holds goes back to where it lay before, or into the box."""
        hand = self.scene.snapshot.hand
        if hand is not None and hand.holding is not None and hand.taken is not None:
            before = hand.taken
            self.scene.lay(before.piece, before.x, before.y, before.angle)
        self.scene.withdraw()

    def _box(self, sight: AnySight) -> Mapping[str, Face]:
        """The pieces of a game, and what people put on a table besides."""
        return {**self._art.dressed(sight.pieces), **scene.COVERS}
