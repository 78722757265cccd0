"""Rulebook 002, "Regras Opcionais".

Dynasty, the Middle Kingdom, Harmony, the Mighty Duel, and any mixture of them.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.core.errors import IllegalEvent
from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.position import OPTIONS, Variant
from companion.games.kingdomino.rules.scoring import points
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import drawn, one_line, play, said, session_of, started

COMPLETE = """
    w0 w0 w0 l0 l0
    w1 w0 l0 l0 l0
    m0 m3 ## w1 g0
    m2 s0 w0 w0 g2
    w1 s0 s0 s0 s0
"""
MIXTURES = [
    " ".join(sorted(chosen))
    for count in range(5)
    for chosen in combinations(("dynasty", "harmony", "middle_kingdom", "mighty_duel"), count)
]


def refused(players: int, options: str) -> str:
    try:
        session_of(started(players, options))
    except IllegalEvent as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("picture", "bonus"),
    (
        (COMPLETE, 10),
        # the middle is that of the smallest rectangle around the kingdom, incomplete or not
        ("w0 ## w0", 10),
        ("w0 w0 ## w0 w0", 10),
        ("w0 w0 .. .. ../.. ## w0 .. ../.. .. w0 .. ..", 10),
        (".. w0 ../w0 ## w0/.. w0 ..", 10),
        (".. w0 w0/.. ## ../w0 w0 ..", 10),
        ("w0 w0 ../.. ## ../.. w0 ..", 0),
        ("w0 ## w0/w0 w0 w0", 0),
        ("w0 ## w0 w0", 0),
        ("w0/##/w0", 10),
        ("w0/w0/##/w0", 0),
        ("##", 10),
    ),
)
def test_a_castle_in_the_middle_of_its_kingdom_brings_10_points(picture: str, bonus: int) -> None:
    kingdom = drawn(picture.replace("/", "\n"))

    assert points(kingdom, {Variant.MIDDLE_KINGDOM}) - points(kingdom, frozenset()) == bonus


@pytest.mark.parametrize(
    ("picture", "bonus"),
    (
        (COMPLETE, 5),
        (COMPLETE.replace("w0 w0 w0 l0 l0", ".. .. w0 l0 l0"), 0),
        (COMPLETE.replace("s0 s0 s0 s0", "s0 s0 s0 .."), 0),
        ("##", 0),
    ),
)
def test_a_complete_kingdom_brings_5_points(picture: str, bonus: int) -> None:
    kingdom = drawn(picture)

    assert points(kingdom, {Variant.HARMONY}) - points(kingdom, frozenset()) == bonus


def test_in_the_mighty_duel_a_complete_kingdom_has_7_by_7_squares() -> None:
    row = " ".join(["w0"] * 7)
    rows = [row, row, row, "w0 w0 w0 ## w0 w0 w0", row, row, row]

    assert points(drawn("\n".join(rows), size=7), {Variant.HARMONY}) == 5
    assert points(drawn("\n".join(rows), size=7), {Variant.MIDDLE_KINGDOM}) == 10
    assert points(drawn(COMPLETE, size=7), {Variant.HARMONY}) == points(drawn(COMPLETE), frozenset())


def test_harmony_is_the_same_as_no_domino_discarded() -> None:
    found = set()
    for game in GAMES.values():
        position = session_of(game.start, game.events).position
        for kingdom, discards in zip(position.kingdoms, position.discards, strict=True):
            found.add((kingdom.complete, discards == ()))

    assert found == {(True, True), (False, False)}


def test_the_bonuses_are_lines_of_their_own() -> None:
    shown = [f"1 shows 5 {one_line(COMPLETE)}", "2 shows 5 w0##w0"]
    tally = session_of(started(2, "score_only harmony middle_kingdom"), shown).tally

    assert said(tally, 0)[-2:] == [("The Middle Kingdom", 10), ("Harmony", 5)]
    assert said(tally, 1) == [("Wheat field", 0), ("Wheat field", 0), ("The Middle Kingdom", 10)]
    assert [line.where for line in tally.of(1)][-1] == ("2:0,0",)
    assert len(tally.of(0)[-1].where) == 25
    assert tally.totals == (28 + 15, 10)


def test_bonuses_wait_until_nothing_can_change_them_any_more() -> None:
    game = GAMES["4p-01"]
    start = game.started("harmony middle_kingdom")
    before, after = session_of(start, game.events[:-1]), session_of(start, game.events)

    assert {"Harmony", "The Middle Kingdom"} & {str(line.reason) for line in before.tally.lines} == set()
    assert after.tally.totals == tuple(kingdom.totals["both"] for kingdom in game.kingdoms)


def test_kingdoms_being_tapped_in_get_their_bonuses_with_the_last_one() -> None:
    start = started(2, "score_only middle_kingdom")

    assert session_of(start, ["1 shows 5 w0##w0"]).tally.totals == (0, 0)
    assert session_of(start, ["1 shows 5 w0##w0", "2 shows 5 ##w0"]).tally.totals == (10, 0)


def test_the_mighty_duel_uses_all_dominoes_for_kingdoms_of_7_by_7() -> None:
    position = play(2, options="mighty_duel")

    assert (position.dominoes_in_play, position.size, position.rounds, position.line_length) == (48, 7, 12, 4)


@pytest.mark.parametrize(
    ("players", "options", "message"),
    (
        (3, "mighty_duel", "The Mighty Duel is for two players."),
        (4, "harmony mighty_duel", "The Mighty Duel is for two players."),
        (2, "dynasty score_only", "A dynasty is three whole games: count each of them on its own."),
        (2, "mighty_duel score_only", ""),
        (4, "score_only harmony", ""),
    ),
)
def test_what_cannot_be_mixed_is_told(players: int, options: str, message: str) -> None:
    assert refused(players, options) == message


@pytest.mark.parametrize("options", MIXTURES, ids=lambda options: options or "none")
def test_the_optional_rules_mix_as_people_like(options: str) -> None:
    players = (2,) if "mighty_duel" in options else (2, 3, 4)

    assert [refused(count, options) for count in players] == [""] * len(players)


def test_every_option_says_what_it_is() -> None:
    assert {option.key for option in OPTIONS} == set(Variant) == {option.key for option in Kingdomino.options}
    assert all(str(option.name) and str(option.help) for option in OPTIONS)


def test_the_points_of_a_bonus_are_told_as_they_are_counted() -> None:
    told = {option.key: str(option.help) for option in OPTIONS}

    assert told["middle_kingdom"] == "10 points more for a castle in the very middle of its kingdom."
    assert told["harmony"] == "5 points more for a complete kingdom, no domino discarded."
