"""What people tap on a watched page, from the form it shows to the log: the real watcher behind the real page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.games.kingdomino.sight.eyes import seen
from tests.watch.evening import GAME, LINE, OPENING, Evening
from tests.web.serving import PIN, serving
from tests.web.visitor import Answer, Visitor


class Tablet:
    """A device on which somebody taps only what it shows."""

    def __init__(self, evening: Evening, visitor: Visitor) -> None:
        self.path, self.visitor = f"/s/{evening.id}", visitor

    def tap(self, what: str, button: str = "") -> Answer:
        """Send the form to that address of the watcher, by the button with those words on it."""
        return self.visitor.post(f"{self.path}/{what}", self.form(what, button))

    def form(self, what: str, button: str = "") -> Mapping[str, str]:
        page = self.visitor.get(self.path).text
        forms = re.findall(rf'<form[^>]*action="{self.path}/{what}"[^>]*>.*?</form>', page, re.DOTALL)
        form = next(form for form in forms if button in form)
        fields = re.findall(r'<(?:input|button)[^>]*?name="(\w+)"[^>]*?value="([^"]*)"', form)
        return dict(fields)


@pytest.fixture
def tablet(evening: Evening) -> Iterator[Tablet]:
    house = House(evening.table, PinRateLimiter(PIN), b"s" * 32, listeners=8, watcher=evening.watcher)
    with serving(create_app(house), house) as served:
        yield Tablet(evening, served.unlocked())


def test_what_is_proposed_is_confirmed(evening: Evening, tablet: Tablet) -> None:
    evening.look(evening.after(LINE))

    assert tablet.tap("confirm").status == 303
    assert evening.lines == [LINE]


def test_a_question_is_answered(evening: Evening, tablet: Tablet) -> None:
    evening.look(tuple(replace(one, confidence=0.3) for one in evening.after(LINE)))
    asked = evening.watch.reading.doubts[0]

    assert tablet.tap("answer").status == 303
    assert evening.lines == [GAME.write(event) for event in asked.choices[0].events]


def test_a_way_out_is_taken(evening: Evening, tablet: Tablet) -> None:
    evening.tap(*OPENING, "1 lays 3 at 1,0 E")
    position = GAME.start(evening.session.setup)
    for line in (*OPENING, "1 lays 3 at -1,0 W"):
        position = GAME.apply(position, GAME.parse(line))
    evening.look(seen(evening.session.setup, position), seconds=2)

    assert tablet.tap("way", "The table is right").status == 303
    assert evening.lines[-1] == "correct 8: 1 lays 3 at -1,0 W"


def test_a_tap_on_what_has_changed_meanwhile_records_nothing(evening: Evening, tablet: Tablet) -> None:
    evening.look(evening.after(LINE))
    form = tablet.form("confirm")
    evening.look(evening.after("line 3 17 24 45"))
    answer = tablet.visitor.post(f"{tablet.path}/confirm", form)

    assert (answer.status, evening.lines) == (409, [])
    assert "The table has changed since you looked. Nothing was recorded: look again." in answer.notices


def test_a_tap_sent_twice_counts_once_and_is_no_error(evening: Evening, tablet: Tablet) -> None:
    evening.look(evening.after(LINE))
    form = tablet.form("confirm")

    assert [tablet.visitor.post(f"{tablet.path}/confirm", form).status for _time in range(2)] == [303, 303]
    assert evening.lines == [LINE]
