"""News without an entry: a nudge wakes whoever waits, and none is missed between looking and waiting."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

from companion.sessions.live import NewsBroker

SOON_S = 10.0
"""Longer than anything here takes; nothing waits for it unless it fails."""


def test_a_nudge_wakes_everybody_and_is_no_entry() -> None:
    news, waiting = NewsBroker(), Event()
    news.tell(7)

    def wait() -> int:
        nudges = news.nudges
        waiting.set()
        return news.wait(7, SOON_S, nudges)

    with ThreadPoolExecutor(1) as pages:
        woken = pages.submit(wait)
        assert waiting.wait(SOON_S)
        news.nudge()

        assert woken.result(SOON_S / 2) == 7
    assert (news.nudges, news.wait(-1, 0)) == (1, 7)


def test_a_nudge_between_looking_and_waiting_is_not_missed() -> None:
    news = NewsBroker()
    seen = news.nudges

    news.nudge()

    with ThreadPoolExecutor(1) as pages:
        assert pages.submit(news.wait, 0, SOON_S, seen).result(SOON_S / 2) == 0
    assert news.nudges != seen


def test_old_nudges_wake_nobody() -> None:
    news = NewsBroker()
    news.nudge()

    began = monotonic()
    news.wait(0, 0.1)

    assert monotonic() - began >= 0.09
