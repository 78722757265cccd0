"""`companion setup`: what to put on the table, for people and for scripts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.cli import main
from tests.games.dominion.facts import FACTS


def answer_of(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["setup", "dominion", "--json", *options]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.parametrize("players", (2, 3, 4, 5, 6))
@pytest.mark.parametrize("id", FACTS["sets"])
def test_a_set_for_each_number_of_players(id: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    facts: dict[str, Any] = FACTS
    cards, missing = (text.split() for text in facts["sets"][id])
    sizes = facts["piles"][str(players)]
    answer = answer_of(capsys, "--players", str(players), "--set", id)

    assert answer["missing"] == list(answer["substitutes"]) == missing
    assert (len(set(answer["kingdom"])), answer["end_piles"]) == (10, sizes["end_piles_empty"])
    assert answer["kingdom"] == cards or missing
    assert set(answer["kingdom"]) >= set(cards) - set(missing)
    victories = {id for id, row in facts["cards"].items() if "victory" in row["types"].split()}
    expected = {
        id: sizes.get(id, sizes["kingdom_victory" if id in victories else "kingdom_other"])
        for id in answer["piles"]
    }
    assert answer["piles"] == expected
    assert len(answer["piles"]) == 17


def test_chance_with_and_without_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--players", "4", "--random")
    once = answer_of(capsys, *asked, "--seed", "5")
    again = answer_of(capsys, *asked, "--seed", "5")
    free = {tuple(answer_of(capsys, *asked)["kingdom"]) for _number in range(5)}

    assert once == again
    assert len(free) > 1


@pytest.mark.parametrize(("box", "first"), (("dominion-2e", "first_game"), ("intrigue-1e", "victory_dance")))
def test_one_box_alone(box: str, first: str, capsys: pytest.CaptureFixture[str]) -> None:
    boxes: dict[str, dict[str, str]] = FACTS["cards"]
    assert answer_of(capsys, "--players", "3", "--box", box)["set"] == first
    drawn = answer_of(capsys, "--players", "3", "--box", box, "--random")

    assert {boxes[id]["box"] for id in drawn["kingdom"]} == {box}


def test_a_person_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "dominion", "--players", "5", "--set", "hand_madness"]) == 0
    said = capsys.readouterr().out.splitlines()

    assert said[0].split() == ["85", "Copper"]
    assert said[5].split() == ["15", "Province"]
    assert said[-2] == "The game ends with the Provinces, or with 4 empty piles."
    assert said[-1].startswith("Chancellor is in no box here. Instead: Vassal, ")


@pytest.mark.parametrize(
    ("options", "why"),
    (
        (("dominion", "--players", "7"), "Dominion is for two to six players, not for 7."),
        (("dominion", "--players", "many"), "--players is a whole number, not “many”."),
        (("dominion", "--players", "2", "--set", "x"), "There is no set “x”; we know: first_game, "),
        (("dominion", "--players", "2", "--box", "attic"), "There is no box “attic”; we know: dominion-2e, "),
        (("dominion", "--players", "2", "--random", "--seed", "-1"), "--seed is a whole number, not “-1”."),
        (("kingdomino", "--players", "2"), "Kingdomino is always set up alike."),
        (("chess", "--players", "2"), "There is no game “chess”; we have: "),
        (("dominion",), "the following arguments are required: --players"),
        (("dominion", "--players", "2", "--set", "x", "--random"), "not allowed with argument"),
    ),
)
def test_what_cannot_be_set_up(
    options: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", *options]) == 2

    assert why in capsys.readouterr().err
