"""Reads the complete games in the folder `golden`, which says in its README how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("golden")
KINDS = ("road", "city", "monastery", "field")


@dataclass(frozen=True)
class GoldenCount:
    """A feature that was counted for one player."""

    kind: str
    player: int
    amount: str
    """Tiles, and pennants after a plus; for a field its complete cities."""
    points: int


@dataclass(frozen=True)
class GoldenLine:
    """One line of the log, and what is known about it."""

    text: str
    places: int | None = None
    claims: tuple[str, ...] | None = None
    refused: tuple[str, ...] = ()
    counted: tuple[GoldenCount, ...] = ()
    points: tuple[int, ...] | None = None
    now: tuple[int, ...] | None = None
    hands: tuple[int, ...] | None = None

    @property
    def lays(self) -> bool:
        return " lays " in self.text

    @property
    def tile_alone(self) -> str:
        return self.text.partition(" with ")[0]

    @property
    def ending(self) -> str:
        """The line that ends the turn after the tile was laid: a follower, or none."""
        tile, _with, part = self.text.partition(" with ")
        player, place = tile.split()[0], tile.split()[4]
        return f"{player} places {part} at {place}" if part else f"{player} places none"


@dataclass(frozen=True)
class GoldenGame:
    """A whole game and its results."""

    name: str
    start: str
    log: tuple[GoldenLine, ...]
    totals: tuple[int, ...]
    final: tuple[GoldenCount, ...]

    @property
    def players(self) -> int:
        return len(self.totals)

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.log)


def read_games(path: Path) -> Iterator[GoldenGame]:
    heading, *blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    announced = int(heading.split()[1])
    if len(blocks) != announced:
        raise ValueError(f"{path.name} announces another number of games than the {len(blocks)} it has")
    yield from (_read_game(block.splitlines()) for block in blocks)


def _read_game(lines: list[str]) -> GoldenGame:
    name, start = lines[0].removeprefix("game "), lines[1]
    end = next(number for number, line in enumerate(lines) if line.startswith("totals "))
    return GoldenGame(
        name=name,
        start=start,
        log=tuple(map(_read_line, lines[2:end])),
        totals=_numbers(lines[end].removeprefix("totals ")),
        final=tuple(map(_read_count, lines[end + 1 :])),
    )


def _read_line(line: str) -> GoldenLine:
    text, _sign, notes = line.partition("  # ")
    known = {word: rest for word, rest in re.findall(r"(\w+)([^;]*)(?:; )?", notes) if word not in KINDS}
    counted = [_read_count(note) for note in notes.split("; ") if note.partition(" ")[0] in KINDS]
    return GoldenLine(
        text=text,
        places=int(known["places"]) if "places" in known else None,
        claims=tuple(known["claims"].split()) if "claims" in known else None,
        refused=tuple(known.get("refused", "").split()),
        counted=tuple(counted),
        points=_numbers(known["points"]) if "points" in known else None,
        now=_numbers(known["now"]) if "now" in known else None,
        hands=_numbers(known["hands"]) if "hands" in known else None,
    )


def _read_count(line: str) -> GoldenCount:
    kind, player, amount, points = line.split()
    return GoldenCount(kind, int(player) - 1, amount, int(points))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


GAMES = {game.name: game for path in sorted(FOLDER.glob("*.txt")) for game in read_games(path)}
