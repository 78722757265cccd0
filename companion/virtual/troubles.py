"""The faults people can cause: which there are, which last, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import RLock

from companion.core.message import message as _
from companion.virtual.control import Fault
from companion.virtual.faults import (
    CausableFault,
    FaultContext,
    FaultEffect,
    bounce,
    bump,
    chatter,
    stick,
    unplug,
)
from companion.virtual.upsets import be_hasty, cover, knock_over, lay_wrongly, shove, take_back

TABLE_FAULTS = (
    CausableFault(Fault("wrong", _("A piece is laid wrongly"), _("Beside where it belongs.")), lay_wrongly),
    CausableFault(
        Fault("haste", _("Two turns before one was read"), _("Nobody waits for the camera.")), be_hasty
    ),
    CausableFault(
        Fault("back", _("The last piece is taken back"), _("It was recorded, and is gone.")), take_back
    ),
    CausableFault(
        Fault("shoved", _("A sleeve moves a piece"), _("By a few millimetres, or a few centimetres.")), shove
    ),
    CausableFault(
        Fault("figure", _("A figure is knocked aside"), _("It stands beside its piece.")), knock_over
    ),
    CausableFault(
        Fault("napkin", _("A napkin on the pieces"), _("What is below it cannot be seen.")),
        cover(
            "napkin",
            _(
                "A napkin lies on pieces. Nothing should happen: what it hides is taken to lie there still, and the "
                "game goes on."
            ),
            _("Take the napkin away"),
        ),
    ),
    CausableFault(
        Fault("cup", _("A cup on the pieces"), _("It hides a piece, and is no piece itself.")),
        cover(
            "cup",
            _(
                "A cup stands on pieces. Nothing should happen: it is no piece, and what it hides lies there still."
            ),
            _("Take the cup away"),
        ),
    ),
    CausableFault(
        Fault("bumped", _("The camera is bumped"), _("Everything in its picture jumps aside.")), bump
    ),
    CausableFault(Fault("unplugged", _("The camera is unplugged"), _("No pictures for a minute.")), unplug),
)
BUTTON_FAULTS = (
    CausableFault(Fault("bounce", _("A button bounces"), _("One press, many contacts.")), bounce),
    CausableFault(Fault("stick", _("A button sticks"), _("It does not come up again.")), stick),
    CausableFault(
        Fault("chatter", _("A loose wire at a button"), _("It opens and closes without end.")), chatter
    ),
)


class ActiveFaults:
    """What has gone wrong at a table, until it is put right, over, or forgotten; callable from any thread."""

    def __init__(self, here: FaultContext, clock: Callable[[], float]) -> None:
        self.here = here
        self._count = 0
        self._all = TABLE_FAULTS + (BUTTON_FAULTS if here.buttons is not None else ())
        self._clock = clock
        self._lock = RLock()
        self._effects: dict[str, tuple[FaultEffect, float]] = {}

    @property
    def version(self) -> int:
        """Grows whenever something goes wrong, is put right, or is over."""
        with self._lock:
            for key in tuple(self._effects):
                self._lasting(key)
            return self._count

    @property
    def faults(self) -> tuple[Fault, ...]:
        with self._lock:
            return tuple(self._told(trouble.fault) for trouble in self._all)

    def cause(self, key: str) -> None:
        """Let it happen, or put it right while it lasts; KeyError, or IllegalEvent when it cannot happen now."""
        cause = {trouble.fault.key: trouble.cause for trouble in self._all}[key]
        with self._lock:
            lasting = self._lasting(key)
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
            self._effects = {
                key: kept for key, kept in self._effects.items() if key in ("bumped", "unplugged", "stick")
            }

    def _told(self, fault: Fault) -> Fault:
        effect = self._lasting(fault.key)
        if effect is None:
            return fault
        return replace(fault, told=effect.told, ending=effect.ending, pieces=effect.pieces)

    def _lasting(self, key: str) -> FaultEffect | None:
        effect, until = self._effects.get(key, (None, 0.0))
        if effect is not None and self._clock() < until and effect.lasts():
            return effect
        if effect is not None:
            del self._effects[key]
            self._count += 1
        return None
