"""A game of Dominations as a file: told with everybody's board, and refused where a line is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.sessions.json_lines import write_session
from tests.commands.conftest import Companion
from tests.games.dominations.stories import evening

STORY = "1 lays T:TTT at 0,0d\n1 adjusts T +2\n1 builds at 0,0d\n1 ends\n2 produces A1 P2"


def exported(home: Path, name: str = "evening.jsonl") -> list[str]:
    lines = [*write_session(evening(2, STORY))]
    (home / name).write_text("\n".join(lines) + "\n", "utf-8")
    return lines


def test_a_game_is_told_again_with_every_board(companion: Companion, home: Path) -> None:
    exported(home)

    answer = companion("replay", "dominations", "--json", "evening.jsonl").json[0]

    assert answer["turns"] == STORY.splitlines()
    ana, rui = answer["players"]
    assert ana["cities"] == [{"domain": "T", "level": 1, "place": "0,0d"}]
    assert (ana["limits"]["T"], ana["influence"], ana["markers"]) == (10, 1, 14)
    assert len({**ana["limits"]}) + len(rui["limits"]) == 12
    assert rui["knowledge"] == {"T": 0, "C": 0, "A": 1, "S": 0, "P": 2, "R": 0}
    assert (ana["roles"], ana["cards"], answer["winners"]) == ([], [], [])


def test_the_same_is_told_to_a_person(companion: Companion, home: Path) -> None:
    exported(home)

    said = companion("replay", "dominations", "evening.jsonl").out

    assert "Trade 0/5, Crafts 0/5, Art 1/5, Science 0/5, Politics 2/5, Religion 0/5" in said
    assert "Cities: Trade 1" in said


EDITED = (
    (
        "a number too large",
        4,
        "T +2",
        "T +9",
        "Line 4, entry 3: This would come to 12, and has to stay from 0 to 5.",
    ),
    ("no number", 4, "T +2", "T two", "Line 4: “1 adjusts T two” is not a move of Dominations."),
    ("an amount twice", 7, "A1 P2", "P1 P2", "Line 7: “P1 P2” names a Domain twice."),
    (
        "a place with nothing beside it",
        3,
        "0,0d",
        "5,5d",
        "Line 3, entry 2: A territory has to lie side by side",
    ),
    (
        "a place that is none",
        3,
        "0,0d",
        "0,0z",
        "Line 3: “1 lays T:TTT at 0,0z” is not a move of Dominations.",
    ),
    ("a place where nothing lies", 5, "0,0d", "0,1u", "Line 5, entry 4: There lies no territory."),
    ("somebody else", 7, "2 produces", "1 produces", "Line 7, entry 6: It is another player's turn."),
    ("somebody who is not there", 3, "1 lays", "7 lays", "Line 3: There is no player 7."),
    ("a missing line", 4, "", "", "Line 4: entry 3 should come here."),
    ("half a line", 4, '"}', "", "Line 4 is not JSON."),
)


@pytest.mark.parametrize(
    ("line", "before", "after", "expected"), [row[1:] for row in EDITED], ids=[row[0] for row in EDITED]
)
def test_a_file_edited_by_hand_is_refused_with_the_line_and_what_to_do(
    companion: Companion, home: Path, line: int, before: str, after: str, expected: str
) -> None:
    lines = exported(home)
    assert before in lines[line - 1]
    lines[line - 1 : line] = [lines[line - 1].replace(before, after)] if before else []
    (home / "edited.jsonl").write_text("\n".join(lines) + "\n", "utf-8")

    said = companion("sessions", "import", "edited.jsonl")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"companion: edited.jsonl: {expected}")
    assert said.err.endswith("Nothing was imported: put it right in the file, and import it again.\n")
    assert companion("sessions").out == "There are no games yet.\n"
