"""Rulebook 002, "Como Ligar os Dominós": where a domino goes, and when it is discarded."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import IllegalEvent
from companion.games.kingdomino.rules.kingdom import STEPS, Cell, Direction, Kingdom, Placement
from companion.games.kingdomino.rules.pieces import DOMINOES, Square, parse_square
from companion.games.kingdomino.text.documents import score_document
from companion.household.languages import catalogue
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import KINGDOMINO, document_of, drawn, play, refusal, session_of, started
from tests.games.stories import lines_of, tell

TAKEN = "There is a square in that place already."
LARGER = "There the kingdom would be larger than 5 by 5 squares."
APART = "There it touches neither the castle nor a square of its own terrain."

CHOSEN = """
    line 1 31 39
    1 takes 1
    2 takes 31
    3 takes 39
    line 2 10 17
"""


def lay(kingdom: Kingdom, domino: int, place: str, because: str = "") -> str:
    """Why a domino cannot be laid; an empty text when it can."""
    cell, direction = place.split()
    x, y = map(int, cell.split(","))
    try:
        kingdom.laid(Placement(domino, x, y, Direction(direction), because))
    except IllegalEvent as error:
        return str(error)
    return ""


@pytest.mark.parametrize("domino", DOMINOES)
def test_the_castle_joins_any_terrain(domino: int) -> None:
    assert [lay(drawn("##"), domino, place) for place in ("1,0 E", "-1,0 N", "0,2 N", "-2,0 E")] == [""] * 4


def test_the_castle_joins_from_its_sides_not_from_its_corners() -> None:
    assert lay(drawn("##"), 1, "1,1 E") == APART


def test_one_half_that_matches_is_enough() -> None:
    kingdom = drawn("## w0 w0")

    # Domino 14 is wheat and lake.
    assert lay(kingdom, 14, "3,0 E") == ""
    assert lay(kingdom, 14, "4,0 W") == APART
    assert lay(kingdom, 14, "2,1 S") == ""
    assert lay(kingdom, 14, "2,2 N") == APART


def test_a_strange_neighbour_does_not_matter_beside_a_match() -> None:
    kingdom = drawn("""
        ## w0 w0
        .. .. s0
    """)

    assert lay(kingdom, 14, "1,1 S") == ""
    assert lay(kingdom, 14, "3,1 N") == APART
    assert lay(kingdom, 14, "3,0 S") == ""


def test_the_halves_of_a_domino_do_not_match_each_other() -> None:
    assert lay(drawn("## w0"), 7, "2,0 E") == APART


def test_touching_by_a_corner_is_not_enough() -> None:
    assert lay(drawn("## w0 w0"), 1, "3,1 E") == APART


@pytest.mark.parametrize(
    ("kingdom", "place", "reason"),
    (
        ("## w0 w0 w0 w0", "-1,0 N", LARGER),
        ("## w0 w0 w0 w0", "5,0 S", LARGER),
        ("## w0 w0 w0 w0", "4,1 S", ""),
        ("## w0 w0 w0", "4,0 S", ""),
        ("## w0 w0 w0", "4,0 E", LARGER),
        ("## w0 w0 w0", "-1,0 N", ""),
        ("## w0 w0 w0", "-1,0 W", LARGER),
        # the castle may lie at an edge, in a corner or in the middle
        ("w0 w0 w0 w0 ##", "0,1 S", ""),
        ("w0 w0 ## w0 w0", "0,-1 N", ""),
        ("w0/w0/w0/w0/##", "1,0 E", ""),
        ("w0/w0/w0/w0/##", "0,1 E", LARGER),
        ("w0/w0/w0/##", "0,1 E", ""),
        ("w0/w0/w0/##", "0,1 S", LARGER),
    ),
)
def test_a_kingdom_stays_within_5_by_5_squares_wherever_its_castle_lies(
    kingdom: str, place: str, reason: str
) -> None:
    assert lay(drawn(kingdom.replace("/", "\n")), 1, place) == reason


@pytest.mark.parametrize(
    ("kingdom", "place", "reason"),
    (
        ("## w0 w0 w0 w0 w0", "6,0 S", ""),
        ("## w0 w0 w0 w0 w0", "6,0 E", "There the kingdom would be larger than 7 by 7 squares."),
        ("w0 w0 w0 ## w0 w0 w0", "0,-1 N", ""),
        ("w0 w0 w0 ## w0 w0 w0", "4,0 N", "There the kingdom would be larger than 7 by 7 squares."),
    ),
)
def test_in_the_mighty_duel_it_stays_within_7_by_7(kingdom: str, place: str, reason: str) -> None:
    assert lay(drawn(kingdom, size=7), 1, place) == reason


def test_two_squares_never_share_a_place() -> None:
    kingdom = drawn("## w0 w0")

    assert lay(kingdom, 1, "0,0 E") == TAKEN
    assert lay(kingdom, 1, "2,0 S") == TAKEN
    assert lay(kingdom, 1, "3,0 W") == TAKEN


def test_a_domino_that_fits_has_to_be_placed() -> None:
    assert refusal(3, CHOSEN, "1 discards 1") == "Domino 1 fits somewhere, so it has to be placed."


def test_a_domino_that_fits_nowhere_is_discarded() -> None:
    *before, last = GAMES["2p-01"].events
    position = session_of(started(2), before).position

    assert (position.player, position.domino) == (0, 47)
    assert position.kingdoms[0].placements_of(47) == ()
    assert [KINGDOMINO.write(event) for event in KINGDOMINO.legal(position)] == [last] == ["1 discards 47"]


def test_a_discarded_domino_brings_nothing() -> None:
    *before, last = GAMES["2p-01"].events
    session = session_of(started(2), before)

    assert tell(session, [last]).tally.totals == session.tally.totals
    assert [discard.domino for discard in tell(session, [last]).position.discards[0]] == [47]


def test_against_the_rules_a_reason_is_needed_and_stays_to_be_read() -> None:
    line = "1 lays 1 at 3,0 E"
    session = session_of(started(3), lines_of(CHOSEN))

    assert refusal(3, CHOSEN, line) == APART
    overruled = tell(session, [f'{line} because "we agreed so"'])
    assert [str(problem) for problem in overruled.problems] == [
        "Domino 1 was laid against the rules: we agreed so"
    ]


def test_the_companions_own_reason_is_read_in_every_language() -> None:
    session = session_of(started(3), lines_of(CHOSEN))

    overruled = tell(session, ['1 lays 1 at 3,0 E because "as it lies on the table"'])
    assert [problem.text.say(catalogue("es")) for problem in overruled.problems] == [
        "El dominó 1 se colocó contra las reglas: así está en la mesa"
    ]


def test_a_discard_against_the_rules_needs_a_reason_that_stays_to_be_read() -> None:
    session = session_of(started(3), lines_of(CHOSEN))
    overruled = tell(session, ['1 discards 1 because "it fell off; the | table"'])

    assert [str(problem) for problem in overruled.problems] == [
        "Domino 1 was discarded although it fits: it fell off; the | table"
    ]


def test_no_reason_lets_two_squares_share_a_place() -> None:
    assert refusal(3, CHOSEN, '1 lays 1 at 0,0 E because "we agreed so"') == TAKEN
    assert lay(drawn("## w0 w0"), 1, "2,0 S", because="we agreed so") == TAKEN


def test_a_reason_does_not_let_a_player_out_of_turn() -> None:
    assert refusal(3, CHOSEN, '2 lays 31 at 1,0 E because "in a hurry"') == "It is another player's turn."
    assert refusal(3, CHOSEN, '1 discards 2 because "in a hurry"') == "Domino 1 comes next."


def test_a_reason_that_was_not_needed_is_no_problem() -> None:
    position = play(3, CHOSEN + '1 lays 1 at 1,0 E because "just in case"')

    assert list(KINGDOMINO.problems(position)) == []
    assert position == play(3, CHOSEN + "1 lays 1 at 1,0 E")


def test_a_discard_that_had_to_be_is_no_problem_whatever_its_reason() -> None:
    *before, last = GAMES["2p-01"].events
    session = session_of(started(2), [*before, f'{last} because "sad"'])

    assert last == "1 discards 47"
    assert session.problems == ()
    assert session.position == session_of(started(2), [*before, last]).position


def test_a_kingdom_grown_too_large_by_agreement_takes_no_more_dominoes() -> None:
    kingdom = drawn("## w0 w0 w0 w0").laid(Placement(2, 5, 0, Direction.EAST, "we agreed so"))

    assert kingdom.placements_of(13) == ()
    assert lay(kingdom, 13, "0,1 S") == LARGER


def test_no_agreement_lays_a_domino_out_of_sight() -> None:
    with pytest.raises(ValueError, match="13 is too far from the castle"):
        KINGDOMINO.parse('1 lays 1 at 13,0 E because "why not"')


TABLE = tomllib.loads((Path(__file__).parents[1] / "placing.toml").read_text(encoding="utf-8"))
REASONS = {
    "": None,
    "taken": "There is a square in that place already.",
    "larger": "There the kingdom would be larger than {size} by {size} squares.",
    "apart": "There it touches neither the castle nor a square of its own terrain.",
}
RULES = {"area": "larger", "castle": "apart", "neighbour": "apart"}
"""What a half is told when it breaks the rule."""

each_rule = [(rule, case) for rule in TABLE["rule"] for case in rule["cases"]]
each_discard = [
    (row, domino, word == "discarded")
    for row in TABLE["discarding"]
    for word in ("discarded", "placed")
    for domino in row[word]
]


def kingdom_of_row(row: dict[str, Any]) -> Kingdom:
    return drawn(row["kingdom"], row.get("size", 5))


def placement_of(row: dict[str, Any]) -> Placement:
    place, direction = row["at"].split()
    x, y = map(int, place.split(","))
    return Placement(row["domino"], x, y, Direction(direction))


def placing_refusal(kingdom: Kingdom, placement: Placement) -> str | None:
    try:
        kingdom.laid(placement)
    except IllegalEvent as error:
        return str(error)
    return None


def half_of(text: str) -> tuple[Cell, Square]:
    square, place = text.split(" at ")
    x, y = place.split(",")
    return (int(x), int(y)), parse_square(square)


def placement_between(one: Cell, other: Cell, because: str) -> Placement:
    """Domino 1 in these two cells; which domino it is does not matter to the squares already there."""
    step = (other[0] - one[0], other[1] - one[1])
    direction = next(direction for direction, found in STEPS.items() if found == step)
    return Placement(1, *one, direction, because)


def test_the_table_has_all_its_cases() -> None:
    assert (len(TABLE["placing"]), len(each_discard), len(each_rule)) == (8, 10, 20)


@pytest.mark.parametrize("row", TABLE["placing"], ids=lambda row: row["name"])
def test_a_domino_goes_where_the_rules_allow_it(row: dict[str, Any]) -> None:
    kingdom, placement = kingdom_of_row(row), placement_of(row)
    reason = REASONS[row["refused"]]

    assert placing_refusal(kingdom, placement) == (reason and reason.format(size=kingdom.size))
    assert (placement in kingdom.placements_of(placement.domino)) == (not row["refused"])


@pytest.mark.parametrize("row", TABLE["placing"], ids=lambda row: row["name"])
def test_a_document_that_asks_about_a_place_is_told_the_same(row: dict[str, Any]) -> None:
    kingdom, placement = kingdom_of_row(row), placement_of(row)
    asked = {"domino": placement.domino, "x": placement.x, "y": placement.y, "dir": placement.direction.value}
    answer = score_document({**document_of(kingdom), **asked})

    assert answer["legal"] is (not row["refused"])


@pytest.mark.parametrize(("row", "domino", "discarded"), each_discard)
def test_a_domino_is_discarded_only_when_it_fits_nowhere(
    row: dict[str, Any], domino: int, discarded: bool
) -> None:
    kingdom = kingdom_of_row(row)

    assert (kingdom.placements_of(domino) == ()) is discarded
    assert score_document({**document_of(kingdom), "domino": domino})["may_discard"] is discarded


@pytest.mark.parametrize(("row", "case"), [(row, case) for row, case in each_rule if row["rule"] in RULES])
def test_each_rule_of_placing_refuses_by_its_own_reason(row: dict[str, Any], case: dict[str, Any]) -> None:
    kingdom = kingdom_of_row(row)
    reason = REASONS[RULES[row["rule"]]]
    (one, left), (other, right) = map(half_of, case["halves"])
    refused = kingdom.refusal((one, other), (left, right))

    assert (str(refused) != str(reason).format(size=kingdom.size)) is case["allowed"]


@pytest.mark.parametrize("case", next(row["cases"] for row in TABLE["rule"] if row["rule"] == "overlap"))
@pytest.mark.parametrize("because", ("", "we always play so"))
def test_no_reason_puts_two_squares_in_one_place(case: dict[str, Any], because: str) -> None:
    kingdom = kingdom_of_row(next(row for row in TABLE["rule"] if row["rule"] == "overlap"))
    (one, _left), (other, _right) = map(half_of, case["halves"])
    placement = placement_between(one, other, because)

    assert (placing_refusal(kingdom, placement) != REASONS["taken"]) is case["allowed"]


def test_a_domino_whose_halves_are_alike_lies_the_same_either_way_round() -> None:
    lakes, wheat_and_forest = 8, 13
    ways = [
        [Placement(number, 3, 0, Direction.NORTH), Placement(number, 3, -1, Direction.SOUTH)]
        for number in (lakes, wheat_and_forest)
    ]

    assert [one == other for one, other in ways] == [True, False]
    assert [len(set(both)) for both in ways] == [1, 2]
    assert ways[0][0] != Placement(lakes, 3, 0, Direction.SOUTH)
