from __future__ import annotations

import pytest

from companion.commands import bench
from companion.commands.bench import figures
from tests.commands.conftest import Companion


def test_figures_of_a_hundred_and_one_runs() -> None:
    found = figures("a", [number / 1000 for number in range(101)])

    assert found == {"name": "a", "n": 101, "median_ms": 50.0, "p95_ms": 95.0, "median_us": 50000.0}


@pytest.mark.parametrize("name", ("score-kingdom", "legal-placements", "replay-game", "append-entry"))
def test_a_bench_tells_its_figures(companion: Companion, name: str) -> None:
    said = companion("bench", name, "--json")

    ((row,),) = said.json
    assert (said.code, row["name"]) == (0, name)
    assert row["n"] >= 20
    assert 0 < row["median_ms"] <= row["p95_ms"]


def test_commands_are_started_in_processes_of_their_own(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "STARTS", 2)

    rows = [companion("bench", name, "--json").json[0][0] for name in ("start-version", "start-command")]

    assert [(row["n"], row["median_ms"] > 1) for row in rows] == [(2, True), (2, True)]


def test_a_person_reads_what_was_measured(companion: Companion) -> None:
    said = companion("bench", "replay-game")

    assert said.out.endswith("ms  play a whole game of four from its log\n")


def test_a_bench_we_do_not_have(companion: Companion) -> None:
    said = companion("bench", "coffee")

    assert (said.code, said.err) == (
        2,
        f"companion: There is no bench “coffee”, only {', '.join(bench.BENCHES)}.\n",
    )


def test_the_same_seed_is_the_same_game() -> None:
    games = [
        [bench.KINGDOMINO.write(step.event) for step in bench.play_by_seed(seed).fold.steps]
        for seed in (1, 1, 2)
    ]

    assert (games[0] == games[1], games[0] == games[2]) == (True, False)
