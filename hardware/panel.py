"""The panel: button presses come in, lamps light up, on the pins of a Raspberry Pi or on mock ones."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic
from typing import Any

from companion.core.devices import Lamp, Lamps
from companion.core.message import Message
from companion.core.message import message as _
from hardware.debounce import ButtonEvent, ButtonFault, ButtonTrouble, Contact, Press
from hardware.pins import ButtonPins, PinFactory, PinMap, native_factory, reaching_pins

TICK_S = 0.03
"""How often lamps and contacts are looked after: a finger does not feel it, a processor neither."""
PULSE_S = 1.0
"""On for so long, and off for as long."""
FLASH_S = 0.15
"""How long a blinking lamp is on; it does so every second."""
BEEP_S = 0.06
OLDEST_EDGE_S = 1.0
"""The driver's clock is not ours when it says that an edge is older than this."""
MOST_EDGES = 10_000
"""Edges we keep until they are looked at; a loose wire can make thousands."""

_log = logging.getLogger(__name__)


def shines(lamp: Lamp, seconds: float) -> bool:
    """Whether a lamp is lit so long after it was told what to do."""
    match lamp:
        case Lamp.STEADY:
            return True
        case Lamp.PULSE:
            return seconds % (2 * PULSE_S) < PULSE_S
        case Lamp.BLINK:
            return seconds % 1.0 < FLASH_S
    return False


def words_for(trouble: ButtonTrouble) -> Message:
    """What people are told about a button that is ignored; whose it is stands before the words."""
    match trouble.fault, trouble.seat:
        case ButtonFault.STUCK, None:
            return _("The common button is stuck: it does not count until it has been released.")
        case ButtonFault.STUCK, _seat:
            return _("This button is stuck: it does not count until it has been released.")
        case ButtonFault.CHATTERING, None:
            return _("The common button flickers, as with a loose wire: it does not count until it is calm.")
    return _("This button flickers, as with a loose wire: it does not count until it is calm.")


@dataclass
class _Light:
    """A lamp and what it was told to do."""

    device: Any
    lamp: Lamp = Lamp.OFF
    since: float = 0.0
    lit: bool = False

    def tell(self, lamp: Lamp, now: float) -> None:
        if lamp is not self.lamp:
            self.lamp, self.since = lamp, now

    def tick(self, now: float, inverted: bool = False) -> None:
        lit = shines(self.lamp, now - self.since) is not inverted
        if lit != self.lit:
            self.device.value = lit
            self.lit = lit


@dataclass
class _Button:
    """A button and its contact."""

    device: Any
    contact: Contact
    differs: bool = False
    """Whether the pin was unlike the last edge when we looked: the second time an edge was lost."""
    armed: bool = False
    """Whether letting go would have been a long press when we looked."""

    def look(self, now: float) -> list[ButtonEvent]:
        differs = self.device.is_active != self.contact.closed
        lost, self.differs = differs and self.differs, differs
        return list(self.contact.edge(not self.contact.closed, now)) if lost else []

    def arms(self) -> bool:
        """Whether it has been held long enough since we looked last."""
        before, self.armed = self.armed, self.contact.armed
        return self.armed and not before


class Panel:
    """Buttons and lamps on some pins; `start` lets it live, or somebody calls `tick` regularly."""

    def __init__(
        self,
        board: PinMap,
        factory: PinFactory | None,
        pressed: Callable[[int | None, bool], None],
        troubled: Callable[[Message, int | None], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Reach the pins of the factory, or without one those of this computer; PanelError if that fails."""
        self._pressed, self._troubled, self._clock = pressed, troubled, clock
        self._own = native_factory() if factory is None else None
        self._devices: list[Any] = []
        self._edges: deque[tuple[int | None, bool, float]] = deque(maxlen=MOST_EDGES)
        self._lamps = Lamps()
        self._beep_at: float | None = None
        self._stop, self._thread = Event(), Thread(target=self._run, name="panel", daemon=True)
        self._failing = False
        try:
            reaching_pins(lambda: self._open(board, factory or self._own))
        except BaseException:
            self.close()
            raise

    def start(self) -> None:
        """Look after lamps and contacts from a thread of its own until `close`."""
        self._thread.start()

    def show(self, lamps: Lamps) -> None:
        """Let the lamps say this from the next tick on; from any thread."""
        self._lamps = lamps

    def beep(self) -> None:
        """Sound the buzzer, if there is one: a press counted, or may be let go as a long one; from any thread."""
        self._beep_at = self._clock()

    def tick(self, now: float) -> None:
        """Tell the presses since the last tick, and light the lamps that are lit now."""
        for news in self._news(now):
            self._tell(news)
        armed = [button.arms() for button in self._buttons.values()]
        if any(armed):
            self._beep_at = now
        lamps = self._lamps
        wanted: dict[int | None, Lamp] = {None: lamps.common, **dict(enumerate(lamps.seats))}
        for seat, light in self._lights.items():
            light.tell(wanted.get(seat, Lamp.OFF), now)
            light.tick(now, self._buttons[seat].armed)
        if self._buzzer:
            self._buzzer.value = self._beep_at is not None and now - self._beep_at < BEEP_S

    def close(self) -> None:
        """Leave the lamps off and no thread behind; closing twice does no harm."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        # The other way round, so that no button speaks of a lamp that is gone.
        for device in reversed(self._devices):
            _quietly("a pin could not be given back", device.close)
        self._devices.clear()
        if self._own:
            _quietly("the pins could not be given back", self._own.close)
            self._own = None

    def _open(self, board: PinMap, factory: PinFactory) -> None:
        self._lights = {seat: _Light(self._lamp(spot.lamp, factory)) for seat, spot in board.spots.items()}
        self._buzzer = None if board.buzzer is None else self._lamp(board.buzzer, factory)
        self._buttons: Mapping[int | None, _Button] = {
            seat: self._button(seat, spot, factory) for seat, spot in board.spots.items()
        }

    def _lamp(self, pin: int, factory: PinFactory) -> Any:
        from gpiozero import OutputDevice  # type: ignore[import-untyped]

        device = OutputDevice(pin, pin_factory=factory)
        self._devices += [device, _Off(device)]
        return device

    def _button(self, seat: int | None, spot: ButtonPins, factory: PinFactory) -> _Button:
        # gpiozero's Button keeps a thread for each; what that does is done by our contacts.
        from gpiozero import DigitalInputDevice

        device = DigitalInputDevice(spot.button, pull_up=True, bounce_time=None, pin_factory=factory)
        self._devices.append(device)
        contact = Contact(seat, device.is_active, self._clock())

        def closed() -> None:
            self._edges.append((seat, True, self._clock() - _age(device.active_time)))

        def opened() -> None:
            self._edges.append((seat, False, self._clock() - _age(device.inactive_time)))

        device.when_activated, device.when_deactivated = closed, opened
        return _Button(device, contact)

    def _news(self, now: float) -> list[ButtonEvent]:
        news: list[ButtonEvent] = []
        while self._edges:
            seat, closed, time = self._edges.popleft()
            news += self._buttons[seat].contact.edge(closed, time)
        for button in self._buttons.values():
            news += button.look(now)
            news += button.contact.tick(now)
        return news

    def _tell(self, news: ButtonEvent) -> None:
        if isinstance(news, Press):
            _quietly("a press was lost", self._pressed, news.seat, news.long)
        else:
            _quietly("a button's trouble was lost", self._troubled, words_for(news), news.seat)

    def _run(self) -> None:
        while not self._stop.wait(TICK_S):
            try:
                self.tick(self._clock())
                self._failing = False
            except Exception as error:
                if not self._failing:
                    _log.exception("the pins do not answer")
                    said = " ".join(str(error).split())[:200]
                    trouble = _("Buttons and lamps do not answer: %(said)s.", said=said)
                    _quietly("the panel's trouble was lost", self._troubled, trouble, None)
                self._failing = True


@dataclass(frozen=True)
class _Off:
    """Darkens a lamp before its pin is given back, which would leave it as it is."""

    device: Any

    def close(self) -> None:
        self.device.off()


def _age(seconds: float | None) -> float:
    """How long ago an edge was, by the driver that told us of it late."""
    return seconds if seconds is not None and 0 <= seconds <= OLDEST_EDGE_S else 0.0


def _quietly(lost: str, call: Callable[..., object], *arguments: object) -> None:
    """Whoever listens may be broken: the next press counts all the same."""
    try:
        call(*arguments)
    except Exception:
        _log.exception(lost)
