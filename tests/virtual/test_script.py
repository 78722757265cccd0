"""Stories of a game that plays itself on a table without hardware, and of all that goes wrong there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic, sleep
from typing import Any, cast

import pytest

from companion.core.errors import CameraError
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source, Withdrawn
from companion.games import GAMES
from companion.virtual.faults import Disturbances
from companion.virtual.hand import seat_place
from companion.virtual.mock_pins import MockPins
from companion.virtual.players import Pacing, PlayerInterface, Policy, entries_for, worth_telling
from companion.virtual.table import VirtualTable
from tests.hardware.pictures import StillClock as Clock
from tests.virtual.counters import SIGHT, Crowned, Evening, Laid, Wished

WHOLE = [Laid(4), Crowned(4), Laid(0), Crowned(0), Wished(), Laid(8), Crowned(8), Laid(2), Crowned(2)]


def replay_policy(events: Iterable[object]) -> Policy:
    """Play what was played before."""
    left = iter(tuple(events))
    return lambda _game, _position: next(left, None)


class Room:
    """A table, the people's evening at it, and the clock on the wall."""

    def __init__(self, evening: Evening | None = None, **wishes: Any) -> None:
        self.evening, self.clock = evening or Evening(), Clock()
        self.companion = PlayerInterface(
            lambda: self.evening.session, self.evening.push, self._by_hand, self.evening.answer
        )
        wishes = (
            dict[str, Any](companion=self.companion, policy=replay_policy(WHOLE), threaded=False) | wishes
        )
        self.table = VirtualTable(
            SIGHT,
            cast(MockPins, self.evening),
            disturbances=Disturbances(4),
            size=(320, 180),
            clock=self.clock,
            sleep=self.clock.sleep,
            **wishes,
        )

    def _by_hand(self, truth: Any) -> None:
        missing = entries_for(self.evening.session, truth)
        self.evening.by_hand += missing
        self.evening.record(missing, Source.DEMO)

    def until(self, done: Callable[[], bool], limit: float = 600) -> None:
        """Let time pass until this is so."""
        end = self.clock.now + limit
        while not done():
            assert self.clock.now < end
            self.table.step(self.clock.now)
            self.clock.now += 0.1

    def play(self) -> None:
        self.table.play(True)
        self.until(lambda: not self.table.playing)

    @property
    def log(self) -> list[object]:
        return [step.event for step in self.evening.session.fold.steps]


def test_a_whole_game_is_played_without_waiting() -> None:
    room = Room()
    room.play()

    assert room.log == WHOLE
    assert room.evening.pushed == [0, 1, 0, 1]
    assert room.evening.by_hand == [Wished()]
    assert [one.piece for one in room.table.lying if one.face == "peg"] == [
        "peg-0",
        "peg-1",
        "peg-2",
        "peg-3",
    ]
    assert room.table.scene.snapshot.hand is None


def test_the_hand_is_over_the_table_while_it_lays_and_holds_what_it_lays() -> None:
    room, held = Room(), set()
    room.table.play(True)
    for _ in range(60):
        room.until(lambda: True)
        room.table.step(room.clock.now)
        room.clock.now += 0.1
        hand = room.table.scene.snapshot.hand
        if hand is not None and hand.holding is not None:
            held.add(hand.holding.piece)
            assert hand.holding.piece not in {one.piece for one in (*room.table.lying, *room.table.aside)}

    assert {"disc-0-0", "peg-0"} <= held


def test_without_a_recording_the_hand_takes_the_best_points() -> None:
    room = Room(policy=None)
    room.play()

    assert [event.cell for event in room.log if isinstance(event, Laid)] == [8, 7, 6, 5]


def test_what_the_log_does_not_show_is_recorded_by_hand() -> None:
    room = Room(Evening(reads=False), paces=Pacing(patience=3, push_again=1.1, rest=1))
    room.play()

    assert room.log == WHOLE
    assert room.evening.by_hand == WHOLE
    assert room.evening.pushed[:3] == [0, 0, 0]


def test_a_wrong_entry_is_withdrawn_when_the_truth_is_recorded_by_hand() -> None:
    evening = Evening()
    evening.record([Laid(4), Crowned(4), Laid(1)])

    assert entries_for(evening.session, WHOLE[:4]) == (Withdrawn(4), Laid(0), Crowned(0))
    assert entries_for(evening.session, [Laid(4), Crowned(4), Laid(1)]) == ()


def test_a_hand_gives_up_when_the_log_takes_nothing() -> None:
    room = Room(Evening(reads=False), paces=Pacing(patience=2, rest=1))
    object.__setattr__(room.companion, "put_right", lambda _truth: None)
    room.play()

    assert room.log == []


def test_one_game_follows_another_while_there_is_one() -> None:
    room, more = Room(policy=None), [Evening()]

    def again() -> Any:
        if not more:
            return None
        room.evening.session = more.pop().session
        return room.evening.session

    object.__setattr__(room.companion, "again", again)
    room.play()

    assert more == []
    assert len(room.log) == 9
    assert len(room.evening.pushed) == 8


def test_people_who_drag_a_piece_meanwhile_have_it() -> None:
    room = Room()
    room.table.play(True)
    scene = room.table.scene
    room.until(lambda: (hand := scene.snapshot.hand) is not None and hand.holding is not None)
    room.table.put("disc-0-0", 200, 700, 15)
    room.until(lambda: len(room.log) == 2)
    found = scene.snapshot.find("disc-0-0")

    assert found is not None
    assert (found.x, found.y, found.angle) == (200, 700, 15)


def test_stopping_the_hand_leaves_nothing_in_the_air() -> None:
    room = Room()
    room.table.play(True)
    scene = room.table.scene
    room.until(lambda: (hand := scene.snapshot.hand) is not None and hand.holding is not None)
    room.table.play(False)

    assert not room.table.playing
    assert scene.snapshot.hand is None
    assert room.table.lying == ()
    assert {"disc-0-0", "peg-0"} <= {one.piece for one in room.table.aside}
    assert not room.table.step(room.clock.now)


def test_a_stopped_hand_puts_a_piece_back_to_where_it_took_it_from() -> None:
    room = Room()
    scene = room.table.scene
    room.table.put("disc-0-0", 500, 300, 20)
    room.table.put("disc-1-0", 700, 300, 0)
    before = scene.snapshot.find("disc-0-0")
    scene.reach(500, 300, 0, 1)
    assert scene.take("disc-0-0")
    scene.reach(700, 305, 0, 1, 90)
    room.table.play(False)

    assert scene.snapshot.find("disc-0-0") == before


def test_a_thread_plays_in_production_and_can_be_stopped() -> None:
    room = Room(threaded=True, paces=Pacing(before_turn=0.05))
    limit = monotonic() + 20
    room.table.play(True)
    while room.table.scene.snapshot.hand is None:
        assert monotonic() < limit
        sleep(0.02)
    room.table.play(False)
    room.table.close()

    assert not room.table.playing
    with pytest.raises(CameraError):
        room.table.camera.frame()


def test_the_table_is_what_the_page_expects() -> None:
    table = Room().table

    assert (table.width, table.height, table.playing) == (1600, 900, False)
    assert {one.face for one in table.aside} <= table.faces.keys()
    assert {one.piece for one in table.aside} >= {"disc-0-0", "peg-4", "napkin", "cup"}
    assert "bumped" in {fault.key for fault in table.faults}
    with pytest.raises(KeyError):
        table.cause("earthquake")
    with pytest.raises(KeyError):
        table.put("castle", 1, 1, 0)


def test_a_piece_laid_wrongly_is_put_right_by_the_hand() -> None:
    room = Room(Evening(reads=False), paces=Pacing(patience=2, rest=1))
    room.table.play(True)
    room.table.cause("wrong")
    room.until(lambda: bool(room.evening.pushed))
    wrong = room.table.scene.snapshot.find("disc-0-0")
    room.until(lambda: bool(room.evening.by_hand))
    right = room.table.scene.snapshot.find("disc-0-0")

    assert wrong is not None
    assert right is not None
    assert (abs(wrong.x - 800) + abs(wrong.y - 450) > 30) or abs(wrong.angle - right.angle) > 90
    assert (right.x, right.y) == pytest.approx((800, 450), abs=8)


def test_hasty_people_lay_two_turns_before_anything_is_read() -> None:
    room = Room()
    room.table.play(True)
    room.table.cause("haste")
    room.until(lambda: bool(room.evening.pushed))

    assert room.evening.pushed == [1]
    assert len(room.table.lying) == 4


@pytest.mark.parametrize("key", ("wrong", "back", "shoved", "figure", "napkin", "cup"))
def test_every_fault_of_the_table_changes_what_lies_there(key: str) -> None:
    table = Room(companion=None).table
    table.put("disc-0-0", 500, 500, 0)
    table.put("peg-0", 500, 500, 0)
    before = table.lying
    table.cause(key)

    assert table.lying != before


def test_a_napkin_is_taken_away_again() -> None:
    table = Room(companion=None).table
    table.put("disc-0-0", 500, 500, 0)
    before = table.lying
    table.cause("napkin")
    covered = table.lying
    table.cause("napkin")

    assert [(one.piece, one.x, one.y) for one in covered] == [("disc-0-0", 500, 500), ("napkin", 500, 500)]
    assert table.lying == before


def test_the_camera_is_bumped_by_a_millimetre_to_fifty() -> None:
    table = Room(companion=None).table
    before = table.camera.project(800, 450)
    table.cause("bumped")
    after = table.camera.project(800, 450)
    scale = (table.camera.project(801, 450)[0] - after[0]) or 1
    moved = ((after[0] - before[0]) ** 2 + (after[1] - before[1]) ** 2) ** 0.5 / scale

    assert 0.8 < moved < 55


def test_the_camera_is_unplugged_for_a_minute() -> None:
    room = Room(companion=None)
    room.table.cause("unplugged")
    with pytest.raises(CameraError):
        room.table.camera.frame()
    room.clock.now += 61

    assert room.table.camera.frame().number == 1


def test_people_sit_round_the_table() -> None:
    places = [seat_place(seat, 4, 1600, 900) for seat in range(4)]

    assert [(x < 800, y < 450) for x, y in places] == [
        (True, True),
        (False, True),
        (False, False),
        (True, False),
    ]
    assert seat_place(0, 2, 1600, 900)[0] < 0 < 1600 < seat_place(1, 2, 1600, 900)[0]


def test_a_log_has_to_say_nothing_that_makes_no_difference() -> None:
    game = GAMES["carcassonne"]
    start = game.start(Setup((Player("Ana", Colour.RED), Player("Bia", Colour.BLUE))))
    drawn, laid, none = map(game.parse, ("1 draws U", "1 lays U at 0,1 N", "1 places none"))
    aside = [game.parse(line) for line in ("1 draws C", '1 discards C because "we lost it"')]

    assert worth_telling(game, start, [drawn, laid, none]) == [laid, none]
    assert worth_telling(game, start, aside) == aside[1:]
    assert worth_telling(game, start, [drawn]) == [drawn]
