from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.session import Session
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoPlaced,
    KingsDrawn,
    LineDrawn,
)
from companion.sessions.json_lines import write_session
from tests.commands.conftest import Companion


def as_document(session: Session) -> dict[str, object]:
    """The game as scripts write it down."""
    game: dict[str, object] = {"id": session.id, "players": len(session.setup.players)}
    lines: list[object] = []
    choices: list[dict[str, object]] = []
    moves: list[dict[str, object]] = []
    for step in session.fold.steps:
        match step.event:
            case LineDrawn(dominoes):
                lines.append(list(dominoes))
            case KingsDrawn(players):
                game["king_draw"] = list(players)
            case DominoChosen(player, domino) if moves:
                moves[-1]["chooses"] = domino
            case DominoChosen(player, domino):
                choices.append({"player": player, "chooses": domino})
            case DominoPlaced(player, (domino, x, y, direction, *_because)):
                where = {"x": x, "y": y, "dir": direction}
                moves.append({"player": player, "action": "place", "domino": domino, **where})
            case DominoDiscarded(player, domino):
                moves.append({"player": player, "action": "discard", "domino": domino})
    return {**game, "lines": lines, "setup_choices": choices, "events": moves}


def test_a_game_written_by_a_script_is_played_again(
    companion: Companion, home: Path, played: Session
) -> None:
    (home / "games.json").write_text(json.dumps([as_document(played), {"players": 9}]))

    said = companion("replay", "kingdomino", "--json", "games.json")

    game, wrong = said.json
    assert game["id"] == "evening1"
    assert game["totals"]["harmony"] == list(played.tally.totals)
    assert game["ranking"]["harmony"]["winners"] == list(played.tally.standing.winners)
    assert (said.code, wrong["file"]) == (2, "games.json[1]")


def test_a_person_reads_the_same_points(companion: Companion, home: Path, played: Session) -> None:
    (home / "game.json").write_text(json.dumps(as_document(played)))

    said = companion("replay", "kingdomino", "game.json")

    points = " · ".join(map(str, played.tally.totals))
    assert said.code == 0
    assert f"  With Harmony: {points}; victory: " in said.out


@pytest.fixture
def exported(home: Path, played: Session) -> Path:
    path = home / "evening1.jsonl"
    path.write_text("".join(f"{line}\n" for line in write_session(played)), "utf-8")
    return path


def test_a_game_exported_by_the_companion_is_played_again(
    companion: Companion, exported: Path, played: Session
) -> None:
    said = companion("replay", "kingdomino", "--json", exported)

    (game,) = said.json
    assert [player["points"] for player in game["players"]] == list(played.tally.totals)
    assert [sum(line["points"] for line in player["lines"]) for player in game["players"]] == list(
        played.tally.totals
    )
    assert (len(game["turns"]), game["winners"]) == (
        len(played.fold.steps),
        list(played.tally.standing.winners),
    )


def test_a_person_reads_who_won(companion: Companion, exported: Path, played: Session) -> None:
    winners = ", ".join(played.setup.players[winner].name for winner in played.tally.standing.winners)

    said = companion("replay", "kingdomino", exported)

    assert said.out.splitlines()[-1] == f"  victory: {winners} (points)"


def test_a_broken_export_names_its_line(companion: Companion, exported: Path) -> None:
    lines = exported.read_text("utf-8").splitlines()
    exported.write_text("\n".join([*lines[:4], *lines[5:]]), "utf-8")

    said = companion("replay", "kingdomino", exported)

    assert (said.code, said.err) == (2, f"companion: {exported}: Line 5: entry 4 should come here.\n")
