"""Kings: on which domino they stand, and where they do not stand although they should."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.lattice import offset
from companion.core.observation import Area, Observation
from companion.games.kingdomino.rules.events import DominoChosen, DominoPlaced
from tests.games.kingdomino.sight.tables import (
    LATER,
    OPENING,
    Found,
    Table,
    answers,
    asked,
    disputed,
    domino,
    proposed,
    table,
)
from tests.games.kingdomino.sight.test_reading import events_of_a_game

MISSING = "The king of Rui is not on domino 17."


def without_king(ours: Table, number: int) -> Found:
    found = ours.shows()
    king = ours.king_on(found, number)
    return tuple(one for one in found if one != king)


def knocked(ours: Table, found: Found, number: int, onto: int) -> Found:
    """The king on one domino stands on another one now."""
    king, there = ours.king_on(found, number), ours.apart(found, onto).area
    return tuple(replace(one, x=there.x + 20, y=there.y) if one == king else one for one in found)


def test_two_kings_on_a_free_domino_are_asked_about() -> None:
    ours = Table(OPENING[0])
    both = knocked(ours, ours.shows("1 takes 24", "2 takes 41"), 41, onto=24)
    reading = ours.read(both)

    assert (proposed(reading), disputed(reading)) == ([], [])
    assert asked(reading) == ["More than one king stands on domino 24. Who chooses it?"]
    assert answers(reading.doubts[0]) == [
        ("", ("1 takes 24",)),
        ("", ("2 takes 24",)),
        ("Something else", ()),
    ]


def test_a_king_beside_the_one_whose_turn_it_is_may_not_stand_there() -> None:
    ours = Table(*OPENING, "1 lays 3 at 1,0 E")
    reading = ours.read(knocked(ours, ours.shows("1 takes 20"), 41, onto=20))

    assert (proposed(reading), asked(reading)) == (["1 takes 20"], [])
    assert disputed(reading) == ["The king of Rui stands on domino 20."]


def test_a_king_knocked_onto_a_domino_that_has_its_own_is_told() -> None:
    ours = Table(*OPENING)
    reading = ours.read(knocked(ours, ours.shows(), 41, onto=24))
    (found,) = reading.contradictions

    assert str(found.text) == "The king of Rui stands on domino 24."
    assert (found.meant, found.lies, found.player) == (DominoChosen(1, 41), None, 1)


def test_a_king_knocked_onto_a_domino_with_another_king_of_its_player_is_told() -> None:
    ours = Table(*OPENING)

    assert disputed(ours.read(knocked(ours, ours.shows(), 41, onto=17))) == [
        "Two kings of Rui stand on domino 17."
    ]


def test_a_king_that_has_gone_is_told() -> None:
    ours = Table(*OPENING)
    (found,) = ours.read(without_king(ours, 17)).contradictions

    assert str(found.text) == MISSING
    assert (found.meant, found.lies, found.player) == (DominoChosen(1, 17), None, 1)
    assert found.area is not None


@pytest.mark.parametrize("hidden", (True, False))
def test_a_king_under_something_is_not_missed(hidden: bool) -> None:
    ours = Table(*OPENING)
    found = without_king(ours, 17)
    at = ours.apart(found, 17).area
    napkin = Area(at.x + (30 if hidden else 200), at.y, 50, 50, 10)

    assert disputed(ours.read(found, napkin)) == ([] if hidden else [MISSING])


def test_a_king_on_a_domino_that_is_not_clear_is_not_missed() -> None:
    ours = Table(*OPENING)
    found = without_king(ours, 17)
    left = ours.apart(found, 17).left

    assert disputed(ours.read([replace(one, confidence=0.6) if one is left else one for one in found])) == []


def test_whoever_places_a_domino_may_lift_its_king_first() -> None:
    ours = Table(*LATER)

    assert disputed(ours.read(without_king(ours, 24))) == []


ROUND = (*LATER, "1 lays 24 at 3,0 E", "1 takes 40", "2 lays 41 at 0,1 S", "2 takes 12")
"""A new line is next."""
LINE = "line 7 8 9 15"
GROWN = (*ROUND, LINE, "2 lays 12 at -1,0 W", "2 takes 7")
"""Ana has domino 20 next."""


def castle(found: Found, colour: str = "pink") -> Observation:
    return next(one for one in found if one.label == f"castle-{colour}")


# -- dominoes beside the kingdoms ----------------------------------------------------------------------------------


def test_a_domino_taken_out_of_a_kingdom_is_no_new_line() -> None:
    ours = Table(*ROUND)
    gone = ours.without(ours.shows(), 0, (1, 0), (2, 0))
    reading = ours.read((*gone, *domino(3, 800, 700)))
    found = reading.contradictions[0]

    assert (disputed(reading), reading.doubts) == (["Domino 3 of Ana is not where it was."], ())
    assert isinstance(found.meant, DominoPlaced)
    assert found.meant.placement.domino == 3
    assert found.area is not None
    assert (round(found.area.x), round(found.area.y)) == (800, 700)
    assert str(reading.waiting) == "Draw the next line: 4 dominoes."


def test_a_domino_taken_out_of_a_kingdom_does_not_keep_the_new_line_from_being_read() -> None:
    ours = Table(*ROUND)
    gone = ours.without(ours.shows(LINE), 0, (1, 0), (2, 0))
    reading = ours.read((*gone, *domino(3, 800, 800)))

    assert (proposed(reading), disputed(reading)) == ([LINE], ["Domino 3 of Ana is not where it was."])


def test_a_discarded_domino_belongs_into_the_box() -> None:
    ours = Table(*LATER, '1 discards 24 because "to see"', "1 takes 40")
    reading = ours.read((*ours.shows(), *domino(24, 800, 800)))

    assert disputed(reading) == ["Domino 24 was discarded: put it back into the box."]


def test_two_strange_dominoes_are_two_disagreements() -> None:
    ours = Table(*LATER)
    reading = ours.read((*ours.shows(), *domino(45, 800, 60), *domino(48, 800, 840)))

    assert disputed(reading) == [
        "Domino 45 lies on the table, but is not in the log.",
        "Domino 48 lies on the table, but is not in the log.",
    ]


def test_a_domino_that_does_not_quite_touch_the_kingdom_is_pointed_out() -> None:
    ours = Table(*LATER)
    king = ours.king_on(ours.shows(), 24)
    bare = tuple(one for one in ours.taken(ours.shows(), 24) if one != king)
    touching = ours.read(ours.put(bare, 24, player=0, column=0, row=1.2))
    apart = ours.read(ours.put(bare, 24, player=0, column=0, row=1.7))

    assert (proposed(touching), proposed(apart)) == (["1 lays 24 at 0,1 S"], [])
    assert disputed(apart) == []
    assert str(apart.waiting) == "Domino 24 touches nothing in the kingdom of Ana: push it up to the others."


@pytest.mark.parametrize(
    ("player", "told"),
    (
        (1, "Domino 41 lies in the kingdom of Rui already, but it is not its turn yet."),
        (0, "Domino 41 lies in the kingdom of Ana, but Rui chose it."),
    ),
)
def test_a_domino_laid_before_its_turn_or_in_the_wrong_kingdom_is_told(player: int, told: str) -> None:
    ours = Table(*LATER)
    reading = ours.read(ours.put(ours.taken(ours.shows(), 41), 41, player, column=0, row=1))

    assert (disputed(reading), reading.doubts, reading.proposals) == ([told], (), ())


# -- kings ---------------------------------------------------------------------------------------------------------


def test_kings_that_have_changed_places_are_told() -> None:
    ours = Table(*OPENING)
    found = ours.shows()
    pink = next(one for one in found if one.label == "king-pink")
    yellow = next(one for one in found if one.label == "king-yellow")
    swapped = [
        replace(one, x=yellow.x, y=yellow.y)
        if one is pink
        else replace(one, x=pink.x, y=pink.y)
        if one is yellow
        else one
        for one in found
    ]

    assert len(disputed(ours.read(swapped))) == 2
    assert all(text.startswith("The king of ") for text in disputed(ours.read(swapped)))


# -- castles -------------------------------------------------------------------------------------------------------


def test_a_kingdom_is_read_on_while_its_castle_is_hidden() -> None:
    ours = Table(*GROWN)
    found = [one for one in ours.shows("1 lays 20 at 0,-1 N") if one.label != "castle-pink"]
    reading = ours.read(found)

    assert disputed(reading) == ["The castle of Ana cannot be seen."]
    assert proposed(reading) == ["1 lays 20 at 0,-1 N"]


@pytest.mark.parametrize(("dx", "dy"), ((0, 40), (0, -40), (60, -120)))
def test_a_castle_that_was_pushed_away_is_told_and_nothing_else(dx: float, dy: float) -> None:
    ours = Table(*GROWN)
    home = castle(ours.shows())
    found = [replace(one, x=one.x + dx, y=one.y + dy) if one == home else one for one in ours.shows()]

    assert disputed(ours.read(found)) == ["The castle of Ana is not where it was."]


@pytest.mark.parametrize("degrees", (20, 45, 90, 137, 180))
def test_a_kingdom_moved_as_a_whole_is_the_same_kingdom(degrees: float) -> None:
    ours = Table(*GROWN)
    found = ours.shows("1 lays 20 at 0,-1 N")
    home = castle(found)
    cells = [(1, 0), (2, 0), (3, 0), (4, 0), (0, -1), (0, -2)]
    moved = {home, *ours.lying(found, 0, *cells)}
    reading = ours.read([swung(one, home, degrees) if one in moved else one for one in found])

    assert (proposed(reading), disputed(reading)) == (["1 lays 20 at 0,-1 N"], [])


def swung(one: Observation, home: Observation, degrees: float) -> Observation:
    """Turned around the castle, and shoved away."""
    dx, dy = offset(one.x - home.x, one.y - home.y, degrees)
    return replace(one, x=home.x + dx + 60, y=home.y + dy - 30, angle=one.angle + degrees)


# -- what is waited for --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "waiting"),
    (
        ((), "Draw the first line: 4 dominoes."),
        (OPENING[:1], "Draw a king: who chooses a domino?"),
        ((OPENING[0], "kings 2 1 1 2"), "Rui chooses a domino."),
        (OPENING[:5], "Draw the next line: 4 dominoes."),
        (OPENING, "Ana places domino 3."),
        (LATER[:7], "Ana chooses a domino."),
        (ROUND, "Draw the next line: 4 dominoes."),
    ),
)
def test_a_table_on_which_nothing_has_changed_says_whose_deed_is_next(
    lines: tuple[str, ...], waiting: str
) -> None:
    ours = Table(*lines)

    assert str(ours.read(ours.shows()).waiting) == waiting


def test_a_new_line_says_how_much_of_it_is_seen() -> None:
    ours = Table()
    whole = ours.shows("line 3 17 24 41")
    part = [one for one in whole if one.label not in ("g2", "l0")]
    more = (*whole, *domino(48, 900, 800))

    assert str(ours.read(part).waiting) == "2 of 4 dominoes of the new line are seen."
    assert str(ours.read(more).waiting) == (
        "5 new dominoes are seen, but a line has only 4: put the others away."
    )


def test_a_domino_in_somebodys_hand_is_waited_for() -> None:
    ours = Table(*LATER)

    assert str(ours.read(ours.taken(ours.shows(), 24)).waiting) == "Ana has domino 24 in hand."


# -- dynasties -----------------------------------------------------------------------------------------------------


def test_the_next_game_of_a_dynasty_begins_once_the_table_is_cleared() -> None:
    setup = table(2, "dynasty")
    ended = next(log for log, _event in events_of_a_game(setup, 1) if log.game_ended)
    ours = Table(log=ended, setup=setup)
    half_cleared = [one for one in ours.shows() if not one.label.startswith("f")]
    next_game = ours.shows(LINE)

    assert disputed(ours.read(half_cleared)) == []
    assert str(ours.read(half_cleared).waiting) == (
        "Clear the table, then draw the first line of the next game: 4 dominoes."
    )
    assert (proposed(ours.read(next_game)), disputed(ours.read(next_game))) == ([LINE], [])
