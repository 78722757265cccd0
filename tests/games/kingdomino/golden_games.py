"""Reads the complete games in the folder `golden`, which says in its README how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("golden")
BONUSES = {"base": "", "middle": "middle_kingdom", "harmony": "harmony", "both": "harmony middle_kingdom"}
"""The four ways to count a game, and the options a table chooses for each."""


@dataclass(frozen=True)
class GoldenLine:
    """One line of the log."""

    text: str
    places: int | None
    """How many ways there were to lay the domino, where the line says it."""


@dataclass(frozen=True)
class GoldenKingdom:
    """What one player's kingdom has to come to."""

    drawing: str
    """Rows separated by `/`, as the notation of the game writes them."""
    properties: tuple[str, ...]
    """Each as `lake 2×1`."""
    largest_property: int
    crowns: int
    centred: bool
    full: bool
    within: bool
    harmony: bool
    totals: dict[str, int]


@dataclass(frozen=True)
class GoldenRanks:
    """How the players stand, and what decided who is first."""

    ranks: tuple[int, ...]
    decided_by: str


@dataclass(frozen=True)
class GoldenGame:
    """A whole game and its results."""

    name: str
    start: str
    log: tuple[GoldenLine, ...]
    kingdoms: tuple[GoldenKingdom, ...]
    ranks: dict[str, GoldenRanks]

    def started(self, options: str) -> str:
        """The start of the same game at a table that chose these options as well."""
        return self.start.replace(" with ", f" {options} with ", 1) if options else self.start

    @property
    def size(self) -> int:
        return 7 if "mighty_duel" in self.start else 5

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.log)

    @property
    def shown(self) -> tuple[str, ...]:
        """The lines that tap in the kingdoms as they lie at the end."""
        seats = enumerate(self.kingdoms, start=1)
        return tuple(f"{player} shows {self.size} {kingdom.drawing}" for player, kingdom in seats)


def read_games(path: Path) -> Iterator[GoldenGame]:
    """The games of a file, of which its first line says how many there are."""
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line.rstrip() for line in lines if not line.startswith("#"))
    games = [_read_game(block) for block in re.split(r"\n\n+", text.strip())]
    announced = re.match(r"# (\d+) complete games", lines[0])
    if not announced or int(announced[1]) != len(games):
        raise ValueError(f"{path.name} announces another number of games than the {len(games)} it has")
    yield from games


def _read_game(block: str) -> GoldenGame:
    head, *kingdoms = re.split(r"\nkingdom \d\n", block)
    last, ranks = kingdoms[-1].split("\nranks\n")
    name, start, *log = head.splitlines()
    return GoldenGame(
        name.removeprefix("game "),
        start,
        tuple(map(_read_line, log)),
        tuple(map(_read_kingdom, (*kingdoms[:-1], last))),
        {way: _read_ranks(text) for way, text in _fields(ranks).items()},
    )


def _read_line(line: str) -> GoldenLine:
    text, mark, places = line.partition("#")
    return GoldenLine(text.strip(), int(places) if mark else None)


def _read_kingdom(block: str) -> GoldenKingdom:
    rows = [line.replace(" ", "") for line in block.splitlines() if ":" not in line]
    fields = _fields(block)
    middle = re.fullmatch(r"(yes|no) \(full (yes|no), within (yes|no)\)", fields["middle kingdom"])
    if not middle:
        raise ValueError(f"“middle kingdom: {fields['middle kingdom']}” does not say yes or no three times")
    centred, full, within = (word == "yes" for word in middle.groups())
    return GoldenKingdom(
        drawing="/".join(rows),
        properties=tuple(fields["properties"].split(", ")),
        largest_property=int(fields["largest property"]),
        crowns=int(fields["crowns"]),
        centred=centred,
        full=full,
        within=within,
        harmony={"yes": True, "no": False}[fields["harmony"]],
        totals={way: int(points) for way, points in (part.split() for part in fields["totals"].split(", "))},
    )


def _read_ranks(text: str) -> GoldenRanks:
    ranks, decided_by = text.split(" by ")
    return GoldenRanks(tuple(map(int, ranks.split())), decided_by)


def _fields(block: str) -> dict[str, str]:
    pairs = (line.partition(": ") for line in block.splitlines() if ":" in line)
    return {key.strip(): value for key, _colon, value in pairs}


GAMES = {game.name: game for path in sorted(FOLDER.glob("*.txt")) for game in read_games(path)}
"""All golden games by name."""
