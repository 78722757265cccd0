"""Sessions of Dominion on the page of a device, over a real log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import unescape

from flask import Flask
from flask.testing import FlaskClient

from companion.core import notation
from companion.core.log import Source, Started
from companion.core.session import Session
from companion.games import GAMES
from companion.games.dominion.page.decks import deck_card_ids, write_held
from companion.games.dominion.rules.scoring import counting_cards
from companion.sessions.live import LiveSessions
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.games.dominion.stories import DOMINION, started
from tests.web.serving import knowing_the_pin


@dataclass
class Page:
    """One session on the page of a device that may change it."""

    client: FlaskClient
    table: LiveSessions
    id: str

    @property
    def session(self) -> Session:
        return self.table.session(self.id)

    def html(self, query: str = "") -> str:
        answer = self.client.get(f"/s/{self.id}{query}")
        assert answer.status_code == 200
        return answer.get_data(as_text=True)

    def buttons(self, query: str = "") -> list[str]:
        """The lines that the buttons of the table record."""
        return [unescape(v) for v in re.findall(r'<button name="event" value="([^"]*)"', self.html(query))]

    def tap(self, line: str, *parts: str, query: str = "") -> None:
        """Tap a button that is there."""
        assert line in self.buttons(query)
        self.post("record", {"event": line, "with": list(parts)})

    def post(self, what: str, form: dict[str, str | list[str]]) -> None:
        answer = self.client.post(f"/s/{self.id}/{what}", data={"seq": str(self.session.seq), **form})
        assert answer.status_code == 303, answer.get_data(as_text=True)

    def counters(self) -> list[str]:
        return re.findall(r'data-counter="\w+">(\d+)<', self.html())


@cache
def app_of(table: LiveSessions) -> Flask:
    return create_app(House(table, PinRateLimiter("123456"), b"s" * 32))


def page_of(table: LiveSessions, players: int = 3, options: str = "", lines: tuple[str, ...] = ()) -> Page:
    client = knowing_the_pin(app_of(table))
    begun = notation.parse_entry(DOMINION, started(players, options))
    assert isinstance(begun, Started)
    page = Page(client, table, table.begin(GAMES["dominion"], begun.setup, Source.PAGE).id)
    for line in lines:
        table.record(page.id, page.session.seq, line, Source.PAGE)
    return page


def counted(page: Page, player: int, **counts: int) -> str:
    """The wish in which every card that counts has been told; those not named here are none."""
    ids = deck_card_ids(page.session.position, player - 1)
    return write_held({**dict.fromkeys(counting_cards(ids), 0), **counts}, ids)
