"""The companion is killed while a question is open: the real process, and the page of the next one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from time import monotonic, sleep

import pytest

from companion.games import GAMES
from companion.sessions.json_lines import read_session
from tests.soak.running import Running
from tests.watch.people import ANA, BEFORE
from tests.web.visitor import PATIENCE_S, Visitor

TABLE = {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "yellow"}
QUESTION = "Domino 24 may not lie there. There it touches neither the castle nor a square of its own terrain."
LOOK_S = 0.1
GAME = GAMES["kingdomino"]


@dataclass
class Sofa:
    """Two people with one tablet, at the virtual table of a real companion."""

    visitor: Visitor
    path: str = ""

    def begin(self) -> None:
        self.path = self.visitor.post("/new/kingdomino", TABLE).location
        for seq, event in enumerate(BEFORE, start=1):
            assert self.visitor.post(f"{self.path}/record", {"seq": str(seq), "event": event}).status == 303

    def watch(self) -> None:
        """Let the camera look at this game: on the virtual table the pieces are laid out for it."""
        assert self.visitor.post(f"{self.path}/follow").status == 303

    @property
    def page(self) -> str:
        text = re.sub(r"<[^>]+>", " ", self.visitor.get(self.path).text)
        return " ".join(unescape(text).split())

    @property
    def lines(self) -> list[str]:
        """What was recorded since the beginning."""
        log = self.visitor.get(f"{self.path}/export").text.splitlines()
        return [json.loads(line)["event"] for line in log[2 + len(BEFORE) :]]

    def until(self, happened: Callable[[], bool]) -> None:
        limit = monotonic() + PATIENCE_S
        while not happened():
            assert monotonic() < limit, self.page
            sleep(LOOK_S)

    def lay(self, piece: str, x: float, y: float, angle: float) -> None:
        form = {"piece": piece, "x": f"{x:.1f}", "y": f"{y:.1f}", "angle": f"{angle:.1f}"}
        assert self.visitor.post("/virtual/put", form).status == 303

    def lay_against_the_rules(self) -> None:
        """Domino 24 with its wheat beside the forest of domino 3."""
        self.lay("domino-24", 240, 531, 0)

    def lay_as_they_should(self) -> None:
        log = self.visitor.get(f"{self.path}/export").text.splitlines()
        session = read_session(log, GAMES)
        assert GAME.sight
        laid = GAME.apply(session.position, GAME.parse(ANA[0]))
        for one in GAME.sight.arrange(session.setup, laid):
            if one.face == "domino-24":
                self.lay(one.piece, one.x + 800, one.y + 450, one.angle)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.close()


def test_a_question_that_was_open_is_asked_again(house: Running) -> None:
    house.start("--demo")
    people = Sofa(house.unlocked())
    people.begin()
    people.watch()
    people.lay_against_the_rules()
    people.until(lambda: QUESTION in people.page)
    house.kill()

    house.start("--demo")
    assert f'href="{people.path}"' in people.visitor.get("/").text, "their game is on the first page"
    people.watch()
    people.lay_against_the_rules()  # on a table of wood it would lie there still

    people.until(lambda: QUESTION in people.page)
    assert people.lines == []
    people.lay_as_they_should()
    people.until(lambda: "press your button or tap here" in people.page)
    people.visitor.post("/virtual/push", {"seat": "0", "seconds": "0.1"})
    people.until(lambda: people.lines == [ANA[0]])
    assert "Traceback" not in house.complaints
