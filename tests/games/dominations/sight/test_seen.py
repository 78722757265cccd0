"""What is read of a table: new territories are proposed with their colours, everything unclear is asked."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core.lattice import offset
from companion.core.observation import Area, Observation, Reading
from companion.games.dominations.rules.box import TILES
from companion.games.dominations.sight import faces
from companion.games.dominations.sight.alignment import SURE_CONFIDENCE, agrees_with_log, align
from companion.games.dominations.sight.reader import virtual_deck
from tests.games.dominations.sight.eyes import Seen, after, at, coloured, read, seen, unsure, without
from tests.games.dominations.stories import DOMINATIONS, session_of, started

TWO = started(2)
BEFORE = ("1 lays T:TCR at 0,-2d", "1 ends", "2 lays P:PRC at 0,-2u")


def written(event: Any) -> str:
    return DOMINATIONS.write(event)


def proposed(reading: Reading) -> list[str]:
    return [written(one.event) for one in reading.proposals]


def asked(reading: Reading) -> list[str]:
    return [str(one.question) for one in reading.doubts]


def disagreed(reading: Reading) -> list[str]:
    return [str(one.text) for one in reading.contradictions]


def offered(reading: Reading) -> list[list[str]]:
    return [[written(event) for event in choice.events] for choice in reading.doubts[0].choices]


def pushed(observations: Seen, dx: float, dy: float, angle: float) -> Seen:
    """The whole table somewhere else, and turned."""

    def there(one: Observation) -> Observation:
        x, y = offset(one.x, one.y, angle)
        return replace(one, x=x + dx, y=y + dy, angle=(one.angle + angle) % 360)

    return tuple(map(there, observations))


def drifted(observations: Seen, seed: int) -> Seen:
    """Every piece a little beside its place, and turned a little."""
    choose = Random(seed)
    return tuple(
        replace(
            one,
            x=one.x + choose.gauss(0, 2),
            y=one.y + choose.gauss(0, 2),
            angle=(one.angle + choose.gauss(0, 2)) % 360,
        )
        for one in observations
    )


@pytest.mark.parametrize("cell", ("0,-2d", "0,0d", "-2,0d", "-1,1u", "1,-1u"))
def test_a_new_territory_is_proposed_where_it_lies_with_every_colour_marked(cell: str) -> None:
    session = session_of(TWO)
    line = f"1 lays S:AV- at {cell}"

    reading = read(session, after(session, line))

    assert proposed(reading) == [line]
    assert [mark.letter for mark in reading.proposals[0].marks] == ["S", "A", "V", "-"]
    assert disagreed(reading) == asked(reading) == []


@pytest.mark.parametrize("third", range(3))
def test_however_a_territory_is_turned_its_colours_belong_to_its_corners(third: int) -> None:
    session = session_of(TWO)
    one = at("0,0d", table := after(session, "1 lays S:ACR at 0,0d"))
    turned = replace(one, angle=(one.angle + 120 * third) % 360)

    reading = read(session, (*without(table, one), turned))

    dots = "ACR"
    assert proposed(reading) == [f"1 lays S:{dots[third:]}{dots[:third]} at 0,0d"]


def test_each_mark_leads_to_where_its_colour_is_put_right() -> None:
    session = session_of(TWO)

    marks = read(session, after(session, "1 lays S:AV- at 0,0d")).proposals[0].marks

    assert marks[2].to == {"at": "0,0d", "tier": "map", "read": "SAV-2"}


def test_nothing_new_is_what_the_game_waits_for() -> None:
    session = session_of(TWO, BEFORE)

    reading = read(session, seen(session))

    assert (proposed(reading), asked(reading), disagreed(reading)) == ([], [], [])
    assert str(reading.waiting) == str(session.turn.action)


def test_without_the_cradle_people_are_told_to_lay_it() -> None:
    assert str(read(session_of(TWO), ()).waiting) == "Lay the Cradle in the middle of the table."


def test_the_next_territory_ends_a_turn_that_nobody_ended() -> None:
    session = session_of(TWO, BEFORE[:1])

    assert proposed(read(session, after(session, BEFORE[2]))) == ["1 ends", "2 lays P:PRC at 0,-2u"]


def test_a_colour_that_is_not_clear_is_asked() -> None:
    session = session_of(TWO)
    one = at("0,0d", table := after(session, "1 lays S:AVC at 0,0d"))
    # The face of a territory begins with the resource that comes first in the alphabet of its box.
    spot = 1 + [tint.letter for tint in one.tints[1:]].index("C")

    reading = read(session, (*without(table, one), unsure(one, spot, "T")))

    assert proposed(reading) == []
    assert asked(reading) == ["Not every colour is seen clearly. Which territory is it?"]
    assert offered(reading) == [["1 lays S:AVC at 0,0d"], ["1 lays S:AVT at 0,0d"], []]
    assert [mark.unsure for mark in reading.doubts[0].marks] == [False, False, False, True]


def test_without_the_card_no_colour_is_believed() -> None:
    session = session_of(TWO)
    table = after(session, "1 lays S:AVC at 0,0d")
    blind = tuple(replace(one, tints=(), confidence=0) if one.tints else one for one in table)

    reading = read(session, tuple(one for one in blind if one.label != faces.CARD_LABEL))

    assert proposed(reading) == []
    assert asked(reading) == ["The colours cannot be read without their card: tap them on the map."]


def test_of_two_new_territories_people_say_which_came_first() -> None:
    session = session_of(TWO)
    table = seen(session_of(TWO, BEFORE))

    reading = read(session, table)

    assert asked(reading) == ["There is more than one new territory. Which one was laid first?"]
    assert sorted(offered(reading)) == [[], ["1 lays P:PRC at 0,-2u"], ["1 lays T:TCR at 0,-2d"]]


def test_the_worker_or_the_next_player_is_asked_about() -> None:
    lines = ("1 holds worker", *BEFORE[:1])
    session = session_of(TWO, lines)
    table = seen(session_of(TWO, BEFORE))

    reading = read(session, table)

    assert asked(reading) == ["Is this the Worker's second territory?"]
    assert offered(reading) == [["1 lays P:PRC at 0,-2u"], ["1 ends", "2 lays P:PRC at 0,-2u"], []]


def test_a_territory_far_from_all_others_is_no_territory_of_the_board() -> None:
    session = session_of(TWO)
    far = Observation(faces.TERRITORY_LABEL, 500, 200, 10, tints=seen(session_of(TWO, BEFORE))[-1].tints)

    reading = read(session, (*seen(session), far))

    assert proposed(reading) == asked(reading) == disagreed(reading) == []
    assert str(reading.waiting) == "A territory touches no other: push it up to them."


def test_a_territory_that_is_taken_back_before_anybody_confirmed_it_has_not_been_there() -> None:
    session = session_of(TWO, BEFORE)
    table = after(session, "1 lays A:AAA at 1,-1u")

    assert proposed(read(session, table))
    assert read(session, seen(session)) == read(session, without(table, at("1,-1u", table)))


@pytest.mark.parametrize("seed", range(6))
def test_the_whole_board_may_be_pushed_and_lie_crookedly(seed: int) -> None:
    session = session_of(TWO, BEFORE)
    table = after(session, "1 lays A:ASV at 1,-1u")

    reading = read(session, drifted(pushed(table, 130, -70, 37), seed))

    assert proposed(reading) == ["2 ends", "1 lays A:ASV at 1,-1u"]
    assert disagreed(reading) == []


def test_without_its_cradle_the_board_is_known_by_its_territories() -> None:
    session = session_of(TWO, BEFORE)
    table = after(session, "1 lays A:ASV at 0,-3d")

    reading = read(session, tuple(one for one in table if one.label != faces.CRADLE_LABEL))

    assert proposed(reading) == ["2 ends", "1 lays A:ASV at 0,-3d"]


def test_a_city_on_a_field_says_nothing_about_its_territory() -> None:
    rich = ("1 adjusts T +5", *BEFORE[:1], "1 builds at 0,-2d")
    session = session_of(TWO, rich)
    table = seen(session)

    assert at("0,-2d", table).tints[0].letter == "?"
    assert disagreed(read(session, table)) == []


def test_one_odd_colour_of_a_known_territory_is_a_shadow_but_two_are_another_territory() -> None:
    session = session_of(TWO, BEFORE)
    table = seen(session)
    one = at("0,-2u", table)
    letters = "".join(tint.letter for tint in one.tints)

    odd = coloured(one, "A" + letters[1:])
    other = coloured(one, "AS" + letters[2:])

    assert disagreed(read(session, (*without(table, one), odd))) == []
    found = read(session, (*without(table, one), other)).contradictions
    assert [str(one.text) for one in found] == ["There lies another territory than the log says."]
    assert found[0].meant == session.fold.steps[-1].event
    assert found[0].lies is not None


def test_a_territory_that_is_gone_is_missed_unless_something_may_hide_it() -> None:
    session = session_of(TWO, BEFORE)
    table = seen(session)
    one = at("0,-2u", table)
    sight = DOMINATIONS.sight

    gone = read(session, without(table, one))
    hidden = sight.read(
        session.setup, session.position, without(table, one), (Area(one.x + 5, one.y, 120, 120),)
    )

    assert disagreed(gone) == ["A territory is not where it was."]
    assert gone.contradictions[0].meant == session.fold.steps[-1].event
    assert disagreed(hidden) == []


def test_while_something_is_asked_nothing_is_proposed() -> None:
    session = session_of(TWO, (BEFORE[0], BEFORE[1], "2 lays P:VVV at 0,-2u"))
    table = after(session, "1 lays A:ASV at 1,-1u")

    assert session.position.held
    assert proposed(read(session, table)) == asked(read(session, table)) == []


def test_the_virtual_table_has_as_many_territories_as_a_box() -> None:
    tiles = [*virtual_deck()]

    assert len(tiles) == TILES
    assert {faces.face_label(tile) for tile in tiles} <= {face.label for face in DOMINATIONS.sight.faces}
    assert set(map(faces.canonical_tile, tiles)) <= set(faces.territory_faces())


def test_what_is_arranged_is_sorted_into_the_same_cells() -> None:
    session = session_of(TWO, BEFORE)

    placed = align(session.position.board, seen(session))

    assert {cell: one.tile for cell, one in placed.territories.items()} == dict(session.position.board.tiles)


def blurred(one: Observation, **spots: tuple[float, str]) -> Observation:
    """The same where so much confidence is left in some letters, and what each may be instead."""
    tints = tuple(
        replace(tint, confidence=spots[tint.letter][0], runner_up=spots[tint.letter][1])
        if tint.letter in spots
        else tint
        for tint in one.tints
    )
    return replace(one, tints=tints)


@pytest.mark.parametrize("letter", "SAVC")
def test_a_single_unclear_colour_is_never_proposed_however_sure_the_shape_is(letter: str) -> None:
    session = session_of(TWO)
    one = at("0,0d", table := after(session, "1 lays S:AVC at 0,0d"))
    below, enough = (
        blurred(one, **{letter: (sure, "T")}) for sure in (SURE_CONFIDENCE - 0.01, SURE_CONFIDENCE)
    )

    assert (below.confidence, proposed(read(session, (*without(table, one), below)))) == (1, [])
    assert asked(read(session, (*without(table, one), below))) == [
        "Not every colour is seen clearly. Which territory is it?"
    ]
    assert proposed(read(session, (*without(table, one), enough))) == ["1 lays S:AVC at 0,0d"]


def test_the_likeliest_of_many_territories_come_first() -> None:
    session = session_of(TWO)
    one = at("0,0d", table := after(session, "1 lays S:AVC at 0,0d"))
    unclear = blurred(one, S=(0.05, "P"), A=(0.4, "R"), V=(0.3, "-"), C=(0.1, "T"))

    reading = read(session, (*without(table, one), unclear))

    # What is least sure is the first to be another colour.
    ways = ["S:AVC", "P:AVC", "S:AVT", "P:AVT"]
    assert offered(reading) == [*([f"1 lays {way} at 0,0d"] for way in ways), []]


def test_a_territory_with_two_other_colours_does_not_agree_with_the_log() -> None:
    session = session_of(TWO, BEFORE)
    board = session.position.board
    cell = next(iter(board.tiles))
    whole = align(board, seen(session)).territories[cell]
    letters = "".join(tint.letter for tint in whole.seen.tints)
    others = [coloured(whole.seen, "SAA"[:count] + letters[count:]) for count in (0, 1, 2)]

    assert letters.startswith("T")
    assert [agrees_with_log(board, replace(whole, seen=other)) for other in others] == [True, True, False]
