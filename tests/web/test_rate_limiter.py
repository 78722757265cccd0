"""Patience with those who guess the PIN."""

from __future__ import annotations

import pytest

from companion.web import House, create_app, rate_limiter
from companion.web.rate_limiter import FREE_TRIES, MINUTE_S, TRIES_OF_ALL, PinRateLimiter
from tests.web.serving import PIN


class Clock:
    """Time that passes when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_guessing_makes_one_address_wait_longer_each_time() -> None:
    clock = Clock()
    keeper = PinRateLimiter(PIN, clock)
    waits = []
    for _guess in range(FREE_TRIES + 8):
        assert not keeper.admits("10.0.0.9", "0000")
        waits.append(keeper.wait("10.0.0.9"))
        clock.now += keeper.wait("10.0.0.9")

    assert waits == [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900, 900]
    assert keeper.wait("10.0.0.8") == 0
    assert keeper.admits("10.0.0.8", PIN)


def test_the_right_pin_does_not_count_while_waiting() -> None:
    clock = Clock()
    keeper = PinRateLimiter(PIN, clock)
    for _guess in range(FREE_TRIES):
        keeper.admits("10.0.0.9", "0000")

    assert not keeper.admits("10.0.0.9", PIN)
    clock.now += 30
    assert keeper.admits("10.0.0.9", PIN)
    assert keeper.wait("10.0.0.9") == 0


def test_guessing_from_many_addresses_makes_everybody_wait() -> None:
    clock = Clock()
    keeper = PinRateLimiter(PIN, clock)
    for number in range(TRIES_OF_ALL):
        assert keeper.wait("10.0.0.1") == 0
        keeper.admits(f"10.0.1.{number}", "0000")

    assert keeper.wait("10.0.0.1") == MINUTE_S
    assert not keeper.admits("10.0.0.1", PIN)
    clock.now += MINUTE_S
    assert keeper.admits("10.0.0.1", PIN)


def test_waiting_is_said_with_its_seconds(house: House) -> None:
    client = create_app(House(house.sessions, PinRateLimiter(PIN), house.secret)).test_client()
    far = {"REMOTE_ADDR": "192.168.1.7"}
    for _guess in range(FREE_TRIES - 1):
        assert client.post("/unlock", data={"pin": "1"}, environ_base=far).status_code == 403

    answer = client.post("/unlock", data={"pin": "1"}, environ_base=far)
    again = client.post("/unlock", data={"pin": PIN}, environ_base=far)

    assert (answer.status_code, again.status_code) == (429, 429)
    assert "Wait 30 seconds, then try again." in answer.text


def test_the_hosts_own_screen_is_never_locked_out(house: House) -> None:
    client = create_app(House(house.sessions, PinRateLimiter(PIN), house.secret)).test_client()
    for _guess in range(FREE_TRIES + 1):
        client.post("/unlock", data={"pin": "1"})

    assert client.post("/unlock", data={"pin": PIN}).status_code == 303


def test_only_this_many_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limiter, "TRIES_OF_ALL", 10_000)
    keeper = PinRateLimiter(PIN, Clock())
    for number in range(rate_limiter.ADDRESSES + 50):
        keeper.admits(f"a{number}", "0000")

    assert len(keeper._by_address) == rate_limiter.ADDRESSES
