"""`companion bench [NAME]`: how fast the companion is on this computer, on games that play themselves by the
rules.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from companion.commands.terminal import Exit, json_argument, terminal
from companion.core.errors import NotationError
from companion.core.game import COLOUR_NAMES, AnyGame, Player, Setup
from companion.core.log import Source
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.session import Session, begin_session, fold
from companion.games import GAMES
from companion.games.carcassonne.rules.events import Event, TileLaid
from companion.games.carcassonne.rules.moves import apply
from companion.games.carcassonne.rules.position import Phase, Position, add_counts
from companion.games.kingdomino.text.documents import score_document as scored

KINGDOMINO, CARCASSONNE = GAMES["kingdomino"], GAMES["carcassonne"]
GAMES_PLAYED = 5
CARCASSONNE_GAMES = 20
STARTS = 10
PACKAGES = Path(__file__).parents[2]


@dataclass(frozen=True)
class Bench:
    """Something worth measuring; a run gives the seconds of each time it was done."""

    help: Message
    run: Callable[[], Iterator[float]]


def everybody(game: AnyGame) -> Setup:
    """A table at which every colour plays."""
    return Setup(tuple(Player(str(COLOUR_NAMES[colour]), colour) for colour in game.colours))


def play_by_seed(seed: int) -> Session:
    """A whole game of four, the same for the same seed."""
    random, time = Random(seed), datetime(2026, 1, 1, tzinfo=UTC)
    session = begin_session(f"bench{seed}", KINGDOMINO, everybody(KINGDOMINO), Source.COMMAND, time)
    while not session.turn.over:
        drawn = KINGDOMINO.draw(session.position, random.randrange(2**32))
        event = drawn or random.choice(list(KINGDOMINO.legal(session.position)))
        session = session.record(event, Source.COMMAND, time)
    return session


def timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def score_kingdom() -> Iterator[float]:
    # Imported here: the benches are about any game, this one about Kingdomino's arithmetic.
    from companion.games.kingdomino.rules.position import Variant
    from companion.games.kingdomino.rules.scoring import points

    variants = frozenset({Variant.MIDDLE_KINGDOM, Variant.HARMONY})
    for seed in range(GAMES_PLAYED):
        for kingdom in play_by_seed(seed).position.kingdoms:
            for _again in range(10):
                yield timed(lambda kingdom=kingdom: points(kingdom, variants))  # type: ignore[misc]


def score_documents() -> Iterator[float]:
    for document in kingdom_documents():
        for _again in range(10):
            yield timed(lambda document=document: scored(document))  # type: ignore[misc]


def kingdom_documents() -> Iterator[Mapping[str, object]]:
    """Finished kingdoms as documents for `companion score`."""
    for seed in range(GAMES_PLAYED):
        for kingdom in play_by_seed(seed).position.kingdoms:
            squares = kingdom.squares.items()
            yield {"cells": [[x, y, square.terrain.value, square.crowns] for (x, y), square in squares]}


def legal_placements() -> Iterator[float]:
    for seed in range(GAMES_PLAYED):
        for position in play_by_seed(seed).fold.positions:
            if position.domino is not None:
                yield timed(lambda position=position: KINGDOMINO.legal(position))  # type: ignore[misc]


def replay_games() -> Iterator[float]:
    for seed in range(GAMES_PLAYED):
        entries = play_by_seed(seed).entries
        for _again in range(4):
            yield timed(lambda entries=entries: fold(KINGDOMINO, entries))  # type: ignore[misc]


def append_entry() -> Iterator[float]:
    # Imported here: the other benches need no database.
    from companion.sessions.repository import SessionRepository

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=_disk()))
        store = stack.enter_context(closing(SessionRepository(f"sqlite:///{folder}/companion.db", GAMES)))
        for seed in range(2):
            played = play_by_seed(seed)
            store.begin(replace(played, entries=played.entries[:1]))
            for count in range(2, len(played.entries) + 1):
                grown = replace(played, entries=played.entries[:count])
                yield timed(lambda grown=grown: store.append(grown))  # type: ignore[misc]


def start_version() -> Iterator[float]:
    for _again in range(STARTS):
        yield timed(lambda: _start("--version"))


def start_command() -> Iterator[float]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "kingdoms.json")
        file.write_text(json.dumps(list(kingdom_documents())), encoding="utf-8")
        for _again in range(STARTS):
            yield timed(lambda: _start("score", "kingdomino", "--json", str(file)))


def random_carcassonne(seed: int) -> Iterator[tuple[Position, Event]]:
    """Each position of a game whose five players lay and place at random, and what happens there."""
    random, position = Random(seed), CARCASSONNE.start(everybody(CARCASSONNE))
    while position.phase is not Phase.OVER:
        event = _any_event(position, random)
        yield position, event
        position = apply(position, event)


def _any_event(position: Position, random: Random) -> Event:
    if position.phase is Phase.LAY and (places := list(position.board.placements(position.drawn))):
        return TileLaid(position.player, random.choice(places))
    drawn: Event | None = CARCASSONNE.draw(position, random.getrandbits(64))
    return drawn or random.choice(list(CARCASSONNE.legal(position)))


def carcassonne_final() -> Iterator[float]:
    for seed in range(CARCASSONNE_GAMES):
        last = apply(*list(random_carcassonne(seed))[-1])
        for _again in range(10):
            position = replace(last)  # a copy has counted nothing yet
            yield timed(lambda position=position: add_counts(position.points, position.outlook))  # type: ignore[misc]


def carcassonne_places() -> Iterator[float]:
    for seed in range(CARCASSONNE_GAMES):
        for position, _event in random_carcassonne(seed):
            if position.phase is Phase.LAY:
                yield timed(lambda position=position: list(position.board.placements(position.drawn)))  # type: ignore[misc]


def carcassonne_lay() -> Iterator[float]:
    for seed in range(CARCASSONNE_GAMES):
        for position, event in random_carcassonne(seed):
            if isinstance(event, TileLaid):
                yield timed(partial(apply, position, event))


def carcassonne_game() -> Iterator[float]:
    for seed in range(CARCASSONNE_GAMES):
        yield timed(lambda seed=seed: list(random_carcassonne(seed)))  # type: ignore[misc]


def _start(*words: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGES)}
    command = (sys.executable, "-m", "companion", *words)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)


def _disk() -> Path | None:
    """Where the log really lies, if it can be written: the temporary folder may be in memory."""
    from companion.commands.doctor import nearest_folder
    from companion.household.settings import load_settings

    folder = nearest_folder(load_settings().settings.data_folder)
    return folder if os.access(folder, os.W_OK) else None


BENCHES: Mapping[str, Bench] = {
    "score-kingdom": Bench(_("count one finished kingdom, bonuses included"), score_kingdom),
    "score-document": Bench(_("answer companion score for one kingdom"), score_documents),
    "legal-placements": Bench(_("find every place for a domino"), legal_placements),
    "replay-game": Bench(_("play a whole game of four from its log"), replay_games),
    "append-entry": Bench(_("record an entry, safe on the disk"), append_entry),
    "start-version": Bench(_("start companion --version"), start_version),
    "start-command": Bench(_("start companion score with a file of 20 kingdoms"), start_command),
    "carcassonne-final": Bench(_("count a full board of Carcassonne, fields included"), carcassonne_final),
    "carcassonne-places": Bench(_("find every place for a tile"), carcassonne_places),
    "carcassonne-lay": Bench(_("lay a tile, and see what may be claimed"), carcassonne_lay),
    "carcassonne-game": Bench(_("play a whole game of five at random"), carcassonne_game),
}


def arguments(parser: ArgumentParser, say: Say) -> None:
    name = say(_("Measure only this one of %(names)s.", names=", ".join(BENCHES)))
    parser.add_argument("name", metavar=say(_("NAME")), nargs="?", help=name)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    if args.name not in (None, *BENCHES):
        known = ", ".join(BENCHES)
        raise NotationError(
            _("There is no bench “%(name)s”, only %(known)s.", name=args.name[:40], known=known)
        )
    reader, rows = terminal(args), []
    for name, bench in BENCHES.items():
        if args.name in (None, name):
            row = figures(name, list(bench.run()))
            rows.append(row)
            reader.say(f"{name:16} {row['median_ms']:9.3f} ms  95% ≤ {row['p95_ms']:9.3f} ms ", bench.help)
    reader.data(rows)
    return Exit.DONE


def figures(name: str, seconds: Sequence[float]) -> dict[str, Any]:
    """What scripts read: the median and the time that 95 of 100 stay below."""
    middle, slow = median(seconds), quantiles(seconds, n=20, method="inclusive")[-1]
    return {
        "name": name,
        "n": len(seconds),
        "median_ms": round(middle * 1e3, 3),
        "p95_ms": round(slow * 1e3, 3),
        "median_us": round(middle * 1e6, 1),
    }
