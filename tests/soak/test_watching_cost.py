"""What watching takes of a computer.

The real process idle and watched, and the watching side alone on large pictures.

`pytest -m soak -s tests/soak/test_watching_cost.py`; `COST_S` says for how many seconds each is measured.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import monotonic, perf_counter, process_time

import pytest

from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import DISTURBANCES, Disturbances
from companion.watch.loop import WatchLoop
from companion.watch.state import Status
from hardware.camera import Frame
from tests.soak.running import Running
from tests.soak.test_watching_hour import megabytes
from tests.watch.people import ANA, People
from tests.web.serving import Listener
from tests.web.visitor import Visitor

SECONDS = float(os.environ.get("COST_S", "20"))
SIZES = ((1280, 720), (1920, 1080), (4056, 3040))
SHOWN, ROUNDS = 6, 5
"""Pictures that are drawn before, and how often each is shown."""
PACE_S = 0.2
"""Between two pictures, by their own clock."""


@dataclass(frozen=True)
class Burden:
    """What a process has taken so far."""

    cpu_s: float
    megabytes: float
    at: float

    @classmethod
    def of(cls, house: Running) -> Burden:
        process = Path(f"/proc/{house.process.pid}")
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        said = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        return cls(ticks / os.sysconf("SC_CLK_TCK"), int(said["VmRSS"].split()[0]) / 1024, monotonic())


def measured(house: Running, what: str) -> None:
    before = Burden.of(house)
    Event().wait(SECONDS)
    after = Burden.of(house)
    share = 100 * (after.cpu_s - before.cpu_s) / (after.at - before.at)
    sys.stdout.write(f"{what}: {share:.0f} % of a core, {after.megabytes:.0f} MB\n")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.close()


@pytest.mark.soak
def test_what_the_process_takes(house: Running) -> None:
    house.start()
    measured(house, "without a camera")
    assert house.stop() == 0
    house.settings = '[camera]\nsource = "virtual"\n'
    house.start()
    measured(house, "virtual camera, no game")
    people = house.unlocked()
    path = people.post(
        "/new/kingdomino", {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "blue"}
    )
    measured(house, "a game that nobody touches, nobody looks")
    with looking(people, house.port, path.location):
        measured(house, "the same with one page open")
    assert house.stop() == 0
    house.start("--demo")
    demo = house.visitor().get("/").text.partition('href="/s/')[2].partition('"')[0]
    with looking(house.visitor(), house.port, f"/s/{demo}"):
        measured(house, "the demonstration with one page open")
    assert house.stop() == 0


class looking:  # noqa: N801  # reads as what somebody does
    """A page: its stream, and the camera's picture as often as a page asks for it."""

    def __init__(self, visitor: Visitor, port: int, path: str) -> None:
        self._visitor, self._path = visitor, path
        self._stream, self._gone = Listener(port, path.rpartition("/")[2]), Event()
        self._threads = [Thread(target=self._ask), Thread(target=self._hear)]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_error: object) -> None:
        self._gone.set()
        for thread in self._threads:
            thread.join()
        self._stream.close()

    def _ask(self) -> None:
        while not self._gone.wait(0.5):
            self._visitor.get(f"{self._path}/watch.jpg")

    def _hear(self) -> None:
        while not self._gone.is_set() and (line := self._stream.line()):
            if line.startswith("data:"):
                self._visitor.get(self._path, **{"X-Fragment": "1"})


class Prepared:
    """A camera whose pictures were drawn before."""

    name = "prepared"

    def __init__(self, frames: Sequence[Frame]) -> None:
        self.frames, self._number = frames, 0

    def frame(self) -> Frame:
        self._number += 1
        shown = self.frames[self._number % len(self.frames)]
        return Frame(shown.pixels, self._number * PACE_S, self._number)

    def close(self) -> None: ...


def drawn(people: People, size: tuple[int, int], moving: bool) -> list[Frame]:
    """Pictures of the table as it is, with a hand that moves or with nobody."""
    disturbances = Disturbances(
        1, [one.key for one in DISTURBANCES if one.usual and (moving or one.key != "hand")]
    )
    camera = VirtualCamera(people.scene, disturbances, size=size, sleep=lambda _seconds: None)
    frames = []
    for number in range(SHOWN):
        if moving:
            people.scene.reach(600 + 40 * number, 500, 0, 1)
        frames.append(camera.frame())
    people.scene.withdraw()
    return frames


def cost(what: str, loop: WatchLoop, frames: int) -> None:
    began, worked, each = perf_counter(), process_time(), []
    for _frame in range(frames):
        start = perf_counter()
        loop.step()
        each.append(1000 * (perf_counter() - start))
    seconds, cpu = perf_counter() - began, process_time() - worked
    sys.stdout.write(
        f"{what}: median {median(each):.0f} ms, longest {max(each):.0f} ms a frame; {frames / seconds:.0f} frames/s;"
        f" at 5 frames/s {100 * 5 * cpu / frames:.0f} % of a core; {megabytes():.0f} MB\n"
    )


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_what_the_watching_side_takes_alone(tmp_path: Path, size: tuple[int, int]) -> None:
    """Pictures from memory, through the eye, to the watcher; drawing them is not counted."""
    people = People(tmp_path)
    camera, rig = Prepared(drawn(people, size, moving=False)), people.rig
    loop = WatchLoop(camera, rig.loop._eye_for, rig.watcher, rig.aimer)
    what = f"{size[0]}x{size[1]}"
    sys.stdout.write(f"{what}: {megabytes():.0f} MB with {SHOWN} pictures in memory\n")
    cost(f"{what}, the first pictures, all is new", loop, 2 * SHOWN)
    assert rig.watcher.watch.status is Status.WATCHING
    cost(f"{what}, nothing moves", loop, SHOWN * ROUNDS)
    camera.frames = drawn(people, size, moving=True)
    cost(f"{what}, a hand moves", loop, SHOWN * ROUNDS)
    people.lay(*ANA)
    camera.frames = drawn(people, size, moving=False)
    cost(f"{what}, a domino is laid", loop, 2 * SHOWN)
    assert people.shown.proposed == ANA
    people.close()
