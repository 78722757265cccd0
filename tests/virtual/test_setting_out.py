"""Stories of a table that another game is set out on, while it is drawn, played on, or dragged about."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic, sleep
from typing import cast

import pytest

from companion.core.errors import IllegalEvent
from companion.core.game import Colour, Player, Setup
from companion.core.observation import AnySight
from companion.games import GAMES
from companion.virtual import scene
from companion.virtual.faults import Disturbances
from companion.virtual.mock_pins import MockPins
from companion.virtual.players import Pacing, PlayerInterface
from companion.virtual.table import VirtualTable
from tests.virtual.counters import SETUP, SIGHT, Crowned, Evening, Laid

OTHER = GAMES["kingdomino"]
OTHER_SIGHT = cast(AnySight, OTHER.sight)
OTHER_SETUP = Setup((Player("Ana", Colour.PINK), Player("Bia", Colour.BLUE)))
OTHER_BEGUN = OTHER.start(OTHER_SETUP)
BEGUN = (Laid(4), Crowned(4))
QUICK = Pacing(before_turn=0, before_push=0, look=0.01, push_again=0.1, patience=0.2, rest=0.1)
ROUNDS = 12


def a_table(evening: Evening | None = None, clock: Callable[[], float] = monotonic) -> VirtualTable:
    evening = evening or Evening()
    companion = PlayerInterface(
        lambda: evening.session, evening.push, lambda truth: evening.record(truth), evening.answer
    )
    return VirtualTable(
        SIGHT,
        cast(MockPins, evening),
        companion=companion,
        disturbances=Disturbances(3),
        size=(320, 180),
        pace=0,
        paces=QUICK,
        clock=clock,
    )


def set_out_other(table: VirtualTable) -> None:
    table.set_out(OTHER_SIGHT, OTHER_SETUP, OTHER_BEGUN, OTHER_BEGUN)


def names(table: VirtualTable) -> set[str]:
    """Of everything that lies there or in the box."""
    return {one.piece for one in (*table.lying, *table.aside)}


@contextmanager
def all_the_while(work: Callable[[], object]) -> Iterator[list[BaseException]]:
    """Somebody does this again and again; the list has what went wrong with it."""
    stopping, wrong = Event(), list[BaseException]()

    def run() -> None:
        while not stopping.is_set():
            try:
                work()
            except BaseException as error:
                wrong.append(error)
                return

    thread = Thread(target=run)
    thread.start()
    try:
        yield wrong
    finally:
        stopping.set()
        thread.join(20)
        assert not thread.is_alive()


def test_another_game_has_its_own_box_and_lies_as_it_began() -> None:
    table = a_table()
    table.set_out(SIGHT, SETUP, BEGUN)
    counters = {one.piece for one in table.lying}
    set_out_other(table)

    assert counters == {"disc-0-0", "peg-0"}
    assert {one.piece for one in table.lying} == {"castle-pink", "castle-blue"}
    assert names(table) == {*OTHER_SIGHT.pieces, *scene.COVERS}


def test_pictures_are_taken_while_games_are_set_out() -> None:
    table = a_table()
    with all_the_while(table.camera.frame) as wrong:
        for _round in range(ROUNDS):
            set_out_other(table)
            table.set_out(SIGHT, SETUP, BEGUN)
    table.close()

    assert wrong == []
    assert names(table) == {*SIGHT.pieces, *scene.COVERS}


def test_whoever_drags_a_piece_while_another_game_is_set_out_is_told_or_obeyed() -> None:
    table = a_table()
    obeyed, told = list[None](), list[object]()

    def drag() -> None:
        try:
            table.put("disc-0-0", 200, 300, 10)
            table.remove("disc-0-0")
            obeyed.append(None)
        except KeyError as error:
            told.append(error.args)

    with all_the_while(drag) as wrong:
        for _round in range(10 * ROUNDS):
            set_out_other(table)
            table.set_out(SIGHT, SETUP, BEGUN)
    set_out_other(table)

    assert (wrong, len(obeyed) > 0, set(told) <= {("disc-0-0",)}) == ([], True, True)
    assert names(table) == {*OTHER_SIGHT.pieces, *scene.COVERS}


def test_a_hand_that_was_stopped_brings_nothing_of_the_game_before(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.ERROR)
    found = []
    for number in range(ROUNDS):
        table = a_table()
        table.play(True)
        sleep(0.02 * number)
        table.play(False)
        set_out_other(table)
        found.append((names(table), {one.piece for one in table.lying}, table.scene.snapshot.hand))
        table.close()

    expected = {*OTHER_SIGHT.pieces, *scene.COVERS}, {"castle-pink", "castle-blue"}, None
    assert found == [expected] * ROUNDS
    assert caplog.records == []


def test_nothing_is_set_out_under_a_playing_hand() -> None:
    table = a_table()
    table.play(True)
    before = names(table)
    set_out_other(table)
    playing = table.playing
    table.close()

    assert (playing, names(table)) == (True, before)


def test_the_hand_has_the_pieces_of_the_game_it_plays() -> None:
    table = a_table()
    set_out_other(table)
    table.play(True)
    has = names(table)
    table.close()

    assert has == {*SIGHT.pieces, *scene.COVERS}


def test_without_a_game_nobody_plays() -> None:
    table = a_table()
    table.companion = None
    with pytest.raises(IllegalEvent, match="Nobody is there to play"):
        table.play(True)


def test_a_piece_taken_out_of_a_stopped_hand_stays_where_it_was_put() -> None:
    table = a_table()
    table.scene.reach(300, 300, 0, 1)
    table.scene.take("disc-0-0")
    table.put("disc-0-0", 900, 400, 0)
    table.play(False)

    assert [(one.x, one.y) for one in table.lying] == [(900, 400)]
    assert table.scene.snapshot.hand is None


def test_what_went_wrong_in_one_game_is_no_matter_in_the_next() -> None:
    now = [10.0]
    table = a_table(clock=lambda: now[0])
    table.put("disc-0-0", 500, 500, 0)
    for key in ("shoved", "unplugged"):
        table.cause(key)
    before = {fault.key for fault in table.faults if fault.told}
    set_out_other(table)
    after = {fault.key for fault in table.faults if fault.told}
    version = table.version
    now[0] += 61

    assert (before, after) == ({"shoved", "unplugged"}, {"unplugged"})
    assert table.version > version, "the page hears that it is over"
    assert {fault.key for fault in table.faults if fault.told} == set()


def test_a_fault_is_put_right_by_causing_it_again_and_is_over_when_somebody_moves_the_piece() -> None:
    table = a_table()
    table.put("disc-0-0", 500, 500, 0)
    before = table.lying
    table.cause("shoved")
    moved = table.lying
    table.cause("shoved")
    back = table.lying
    table.cause("shoved")
    table.put("disc-0-0", 700, 500, 0)

    assert (moved != before, back) == (True, before)
    assert [fault.key for fault in table.faults if fault.told] == []
    with pytest.raises(IllegalEvent, match="No figure stands on the table yet"):
        table.cause("figure")


def test_the_bare_table_is_the_same_whenever_it_is_looked_at() -> None:
    """By the table's own clock: how light it is changes with the hours, and with nothing else."""
    now = 0.0
    table = a_table(clock=lambda: now)
    table.switch("shadows", True)
    first = table.empty().pixels
    sleep(0.02)
    again = table.empty().pixels

    assert (again == first).all()
    table.close()
