"""The table's PIN, and patience with those who guess."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

FREE_TRIES = 5
"""Wrong PINs from one address before it has to wait."""
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 900.0
TRIES_OF_ALL = 60
"""Wrong PINs from everywhere within an hour before everybody has to wait: guessing from many addresses is no use."""
HOUR_S = 3600.0
MINUTE_S = 60.0
ADDRESSES = 1000
"""Addresses we remember."""


@dataclass
class _Guesses:
    wrong: int = 0
    until: float = 0.0


@dataclass
class PinRateLimiter:
    """Compares PINs; each wrong one makes the next wait longer."""

    pin: str
    clock: Callable[[], float] = monotonic
    _by_address: dict[str, _Guesses] = field(default_factory=dict)
    _recent: list[float] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def wait(self, address: str) -> float:
        """Seconds until this address may try again."""
        with self._lock:
            return self._wait(address)

    def knows(self, pin: str) -> bool:
        return hmac.compare_digest(pin.encode(), self.pin.encode())

    def admits(self, address: str, pin: str) -> bool:
        """Whether the PIN is right; a guess made while waiting is not even looked at."""
        with self._lock:
            if self._wait(address) > 0:
                return False
            if self.knows(pin):
                self._by_address.pop(address, None)
                return True
            self._remember(address)
            return False

    def _wait(self, address: str) -> float:
        now = self.clock()
        self._recent = [moment for moment in self._recent if moment > now - HOUR_S]
        everybody = self._recent[-1] + MINUTE_S - now if len(self._recent) >= TRIES_OF_ALL else 0.0
        guesses = self._by_address.get(address)
        return max(0.0, everybody, guesses.until - now if guesses else 0.0)

    def _remember(self, address: str) -> None:
        now = self.clock()
        self._recent.append(now)
        while len(self._by_address) >= ADDRESSES and address not in self._by_address:
            self._by_address.pop(next(iter(self._by_address)))
        guesses = self._by_address.setdefault(address, _Guesses())
        guesses.wrong += 1
        if guesses.wrong >= FREE_TRIES:
            guesses.until = now + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (guesses.wrong - FREE_TRIES))
