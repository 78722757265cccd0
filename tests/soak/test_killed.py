"""Killed without warning, again and again: what was confirmed is there afterwards, once and in order.

An ordinary run kills a dozen times. For more: `KILLS=200 pytest -m soak tests/soak/test_killed.py`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Thread, Timer
from time import monotonic

import pytest

from companion.core import notation
from companion.core.log import redoable, undoable
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.json_lines import read_session, write_session
from tests.soak.running import Running
from tests.web.visitor import Visitor

KILLS = int(os.environ.get("KILLS", "0"))
FEW, MANY = 12, 200
PEOPLE = 2
"""Tables that play at the same time, each its own game."""
LONGEST_LIFE_S = 0.6
TABLE = {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "blue"}
START = 'start kingdomino with "Ana" pink, "Rui" blue'


@dataclass
class Person:
    """Plays over HTTP as fast as answers come, and remembers what was confirmed."""

    visitor: Visitor
    random: Random
    id: str = ""
    confirmed: list[str] = field(default_factory=list)
    """The events the companion answered for, in its notation."""
    underway: str = ""
    """The event that was sent and not answered yet."""
    finished: dict[str, list[str]] = field(default_factory=dict)
    """Games that are over, with what was confirmed in them."""

    def play(self) -> None:
        """Go on until the connection breaks."""
        try:
            while True:
                self._go_on()
        except (OSError, HTTPException):
            return

    @property
    def entries(self) -> int:
        return len(self.confirmed) + sum(map(len, self.finished.values()))

    def _go_on(self) -> None:
        session = self.session() if self.id else None
        if session is None or session.turn.over:
            self._begin()
            return
        while not session.turn.over:
            session = self._tap(session)

    def session(self) -> Session:
        answer = self.visitor.get(f"/s/{self.id}/export")
        assert answer.status == 200, answer.text
        return read_session(answer.text.splitlines(), GAMES)

    def _begin(self) -> None:
        # A game whose start was not answered may be in the log; nobody plays it, nothing of it is confirmed.
        answer = self.visitor.post("/new/kingdomino", TABLE)
        assert answer.status == 303, answer.text
        if self.id:
            self.finished[self.id] = self.confirmed
        self.id = answer.location.rpartition("/")[2]
        self.confirmed = [START]

    def _tap(self, session: Session) -> Session:
        """One tap: mostly a move, sometimes undo or redo."""
        lot, seq = self.random.random(), str(session.seq)
        back, again = undoable(session.entries), redoable(session.entries)
        if lot < 0.1 and back:
            self.underway = f"withdraw {back}"
            answer = self.visitor.post(f"/s/{self.id}/undo", {"seq": seq})
        elif lot < 0.2 and again:
            self.underway = f"restore {again}"
            answer = self.visitor.post(f"/s/{self.id}/redo", {"seq": seq})
        else:
            self.underway = session.game.write(self._move(session))
            answer = self.visitor.post(f"/s/{self.id}/record", {"seq": seq, "event": self.underway})
        assert answer.status == 303, answer.text
        self.confirmed.append(self.underway)
        event = notation.parse_entry(session.game, self.underway)
        self.underway = ""
        return session.record(event, session.entries[0].source, session.entries[0].time)

    def _move(self, session: Session) -> object:
        drawn: object | None = session.game.draw(session.position, self.random.randrange(2**32))
        return drawn or self.random.choice(list(session.game.legal(session.position)))


@dataclass
class Figures:
    """What a run of killing came to."""

    kills: int = 0
    confirmed: int = 0
    underway: int = 0
    """Kills while somebody waited for an answer."""
    unconfirmed_kept: int = 0
    """Entries that were written although nobody was told so any more."""
    seconds: float = 0


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.close()


def live(house: Running, people: list[Person], seconds: float) -> None:
    """Everybody plays until the companion is killed."""
    threads = [Thread(target=person.play) for person in people]
    death = Timer(seconds, house.process.kill)
    for thread in (*threads, death):
        thread.start()
    for thread in (*threads, death):
        thread.join()
    house.wait()


def check(person: Person, figures: Figures) -> None:
    """Compare what the companion has now with what it had confirmed."""
    if not person.id:
        return
    session = person.session()
    kept = [notation.write_entry(session.game, entry.event) for entry in session.entries]

    assert kept[: len(person.confirmed)] == person.confirmed
    assert kept[len(person.confirmed) :] in ([], [person.underway])
    assert [entry.seq for entry in session.entries] == list(range(1, len(kept) + 1))
    assert session.fold.misfits == ()
    figures.unconfirmed_kept += len(kept) - len(person.confirmed)
    check_page(person, session)
    person.confirmed, person.underway = kept, ""


def check_page(person: Person, session: Session) -> None:
    """The page shows the position that the entries come to."""
    page = person.visitor.get(f"/s/{person.id}").text
    totals = [int(total) for total in re.findall(r'data-total="\d+">(-?\d+)<', page)]

    assert f'data-seq="{session.seq}"' in page
    assert tuple(totals) == session.tally.totals
    assert str(session.turn.action) in page


def kill_and_compare(house: Running, kills: int, seed: int) -> Figures:
    figures, random, began = Figures(), Random(seed), monotonic()
    house.start()
    pin = house.pin
    people = [Person(house.unlocked(), Random(random.randrange(2**32))) for _each in range(PEOPLE)]
    for _kill in range(kills):
        live(house, people, random.uniform(0.02, LONGEST_LIFE_S))
        figures.kills += 1
        figures.underway += any(person.underway for person in people)
        house.start()
        assert house.pin == pin
        assert house.visitor().unlock(pin).status == 303
        for person in people:
            check(person, figures)
    for person in people:
        check_finished(person)
    figures.confirmed = sum(person.entries for person in people)
    figures.seconds = monotonic() - began
    assert house.stop() == 0
    return figures


def check_finished(person: Person) -> None:
    for id, confirmed in person.finished.items():
        lines = person.visitor.get(f"/s/{id}/export").text.splitlines()
        session = read_session(lines, GAMES)
        assert [json.loads(line)["event"] for line in lines[1:]] == confirmed
        assert list(write_session(session)) == lines


def test_what_was_confirmed_survives_being_killed(house: Running) -> None:
    figures = kill_and_compare(house, KILLS or FEW, seed=1)

    sys.stdout.write(f"{figures}\n")
    assert figures.confirmed > figures.kills
    assert "Traceback" not in house.complaints


@pytest.mark.soak
def test_what_was_confirmed_survives_being_killed_all_evening(house: Running) -> None:
    figures = kill_and_compare(house, KILLS or MANY, seed=2)

    sys.stdout.write(f"{figures}\n")
    assert figures.confirmed > 10 * figures.kills
    assert "Traceback" not in house.complaints
