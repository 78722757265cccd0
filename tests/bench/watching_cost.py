"""What watching takes of a computer: a real companion in a process of its own, on the virtual table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from companion.core.errors import StoreError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.session import Session
from tests.bench.tap_to_page import Running, Tablet, begin, running, unlock

SECONDS = 20.0
"""How long each is measured."""
READY_S = 6.0
"""Until everything that is made once has been made, and a table that nobody touches has been read."""
SIZES = ((1280, 720), (4608, 2592))
"""Width and height of the camera's pictures: the usual ones, and those of twelve megapixels."""


@dataclass(frozen=True)
class WatchingCost:
    """What a process takes while it does that."""

    name: str
    what: Message
    cpu_percent: float
    """Of one core: 200 is all of two."""
    memory_mb: float


def watching_cost(played: Session, packages: Path) -> Iterator[WatchingCost]:
    """With pictures of each size, first without a game, then watching one that nobody touches."""
    if not Path("/proc/self/stat").exists():
        raise StoreError(_("What a process takes can be measured on Linux only."))
    for width, height in SIZES:
        pictures = f'[camera]\nsource = "virtual"\nwidth = {width}\nheight = {height}\n'
        with running(packages, pictures) as house:
            with _unlocked(house) as tablet:
                # A hand that passes by would be a change.
                tablet.post("/virtual/switch", {"key": "hand", "on": "0"})
            idle = _("no game is watched, pictures of %(width)d x %(height)d", width=width, height=height)
            yield _cost(house, f"idle-{width}", idle)
            with _unlocked(house) as tablet:
                begin(tablet, played)
            watched = _(
                "a table that nobody touches is watched, pictures of %(width)d x %(height)d",
                width=width,
                height=height,
            )
            yield _cost(house, f"watching-{width}", watched)


@contextmanager
def _unlocked(house: Running) -> Iterator[Tablet]:
    """A tablet for a moment: the server closes connections on which nothing is said for long."""
    with closing(Tablet(house.port)) as tablet:
        unlock(tablet)
        yield tablet


def _cost(house: Running, name: str, what: Message) -> WatchingCost:
    sleep(READY_S)
    began, before = monotonic(), _cpu_seconds(house)
    sleep(SECONDS)
    share = (_cpu_seconds(house) - before) / (monotonic() - began)
    return WatchingCost(name, what, round(100 * share, 1), round(_megabytes(house), 1))


def _cpu_seconds(house: Running) -> float:
    """What all threads of the process have worked so far."""
    fields = Path(f"/proc/{house.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(house: Running) -> float:
    """What the process has in memory."""
    lines = Path(f"/proc/{house.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))
