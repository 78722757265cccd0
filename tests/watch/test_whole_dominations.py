"""Territories of Dominations laid on the virtual table, as sloppily as people do, read from frames and confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.core.errors import CompanionError
from companion.core.observation import PlacedPiece
from companion.games import GAMES
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.lattice import Cell, parse_cell
from companion.games.dominations.sight import faces
from companion.virtual.faults import DISTURBANCES
from companion.virtual.image_effects import LAMP_KINDS
from companion.watch.cross_check import EDGE, LOOK_FIRST
from companion.watch.state import Status
from tests.games.dominations.sight.laid import SLOPPY, Laid
from tests.watch.night import Night

GAME = GAMES["dominations"]


class Evening(Night):
    """Two people with everything that usually disturbs a camera, and the card with the colours beside them."""

    def __init__(self, folder: Path, seed: int = 3) -> None:
        super().__init__(folder, 2, seed, disturbed=False, game=GAME)
        for one in DISTURBANCES:
            self.virtual.switch(one.key, one.usual and one.key != "hand")
        cradle = self.find(faces.CRADLE_LABEL)
        self.laid = Laid(Random(seed), SLOPPY, (cradle.x, cradle.y, cradle.angle))
        self.until_read()

    def until_read(self, seconds: float = 12.0) -> None:
        self.wait(0.8)
        until = self.clock.now + seconds
        while self.watch.status is not Status.WATCHING and self.clock.now < until:
            self.step()
        self.wait(1.2)

    def lay(self, cell: str, tile: str) -> PlacedPiece:
        """Lay a territory where people mean that cell to be, beside a neighbour as it lies."""
        lying = self.laid.lay(parse_cell(cell), Tile(Domain(tile[0]), tile[2:]))
        self.put(lying)
        self.until_read()
        return lying

    def put(self, lying: PlacedPiece) -> None:
        face = next(one for one in GAME.sight.faces if one.label == lying.face)  # type: ignore[union-attr]
        self.scene.add(lying.piece, face)
        self.scene.put(lying.piece, lying.x, lying.y, lying.angle)

    def tap(self, *lines: str) -> None:
        super().tap(*lines)
        self.until_read()

    def confirm(self) -> None:
        self.rig.watcher.confirm(self.watch.seq, self.watch.version)
        self.until_read()

    @property
    def proposed(self) -> list[str]:
        return [GAME.write(one.event) for one in self.watch.reading.proposals]

    @property
    def disagreed(self) -> list[str]:
        return [str(one.text) for one in self.watch.reading.contradictions]

    @property
    def lines(self) -> list[str]:
        return [GAME.write(step.event) for step in self.session.fold.steps]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.close()


def test_a_phase_of_growth_is_read_shown_and_confirmed(evening: Evening) -> None:
    evening.lay("0,0d", "T:TCR")
    assert evening.proposed == ["1 lays T:TCR at 0,0d"]
    assert evening.lines == [], "nothing is recorded before somebody has looked"

    evening.confirm()
    assert evening.lines == ["1 lays T:TCR at 0,0d"]

    evening.tap("1 ends")
    evening.lay("1,0u", "P:SA-")
    assert evening.proposed == ["2 lays P:SA- at 1,0u"]
    evening.confirm()
    assert evening.lines[-1] == "2 lays P:SA- at 1,0u"
    assert evening.disagreed == []


def test_a_territory_withdrawn_before_anybody_confirmed_it_was_never_there(evening: Evening) -> None:
    lying = evening.lay("0,0d", "T:TCR")
    evening.scene.remove(lying.piece)
    evening.until_read()

    assert evening.proposed == evening.lines == []
    with pytest.raises(CompanionError):
        evening.confirm()


def test_a_press_before_it_was_shown_only_looks_and_the_next_one_records(evening: Evening) -> None:
    lying = evening.laid.lay(parse_cell("0,0d"), Tile(Domain("T"), "TCR"))
    evening.put(lying)
    evening.virtual.push(0)
    evening.wait(2.0)
    assert evening.told == str(LOOK_FIRST)
    assert evening.lines == []

    evening.until_read()
    evening.virtual.push(0)
    evening.wait(1.0)
    assert evening.lines == ["1 lays T:TCR at 0,0d"]


def test_nothing_is_recorded_by_itself_although_that_was_allowed(evening: Evening) -> None:
    evening.rig.watcher.let_alone(True)
    evening.lay("0,0d", "T:TCR")
    evening.wait(6.0)

    assert evening.proposed == ["1 lays T:TCR at 0,0d"]
    assert evening.lines == []


def test_the_tier_changes_in_the_middle_of_a_game(evening: Evening) -> None:
    evening.lay("0,0d", "T:TCR")
    evening.confirm()
    evening.tap("1 ends", "2 lays P:PPC at -2,0d")
    assert evening.disagreed == ["A territory is not where it was."], "told on the map, and not laid yet"

    evening.lay("-2,0d", "P:PPC")
    assert evening.disagreed == []
    evening.tap("2 ends", "1 produces T2 C1")
    evening.tap("1 ends")
    evening.lay("1,0u", "S:SAR")
    assert evening.proposed == ["2 lays S:SAR at 1,0u"], "what was told by its numbers is no matter"


def test_nobody_is_told_of_an_empty_table_where_everything_is_tapped(evening: Evening) -> None:
    evening.tap("1 lays T:TCR at 0,0d", "1 adjusts T +3", "1 builds at 0,0d")
    evening.wait(4)

    assert (evening.disagreed, evening.watch.status) == ([], Status.WATCHING)


def test_a_pushed_board_with_a_city_on_it_is_known_again(evening: Evening) -> None:
    evening.lay("0,0d", "T:TCR")
    evening.confirm()
    city = next(face for face in faces.city_faces() if face.label == "city-white-1")
    at = evening.laid.poses[Cell(0, 0, 1)]
    evening.scene.add("city-1", city)
    evening.scene.put("city-1", at[0] + 2, at[1] - 1, 20)
    for one in evening.scene.snapshot.lying:
        if one.piece != faces.CARD_LABEL:
            evening.scene.put(one.piece, one.x + 60, one.y - 25, one.angle)
    evening.until_read()
    assert (evening.proposed, evening.disagreed) == ([], [])

    x, y, turn = evening.laid.cradle
    evening.laid.cradle = x + 60, y - 25, turn
    evening.lay("-2,0d", "P:PPC")
    assert evening.proposed == ["1 ends", "2 lays P:PPC at -2,0d"]


def test_a_hand_over_the_table_keeps_everything_waiting(evening: Evening) -> None:
    evening.virtual.switch("hand", True)
    evening.scene.reach(820, 500, 0, 1)
    lying = evening.laid.lay(parse_cell("0,0d"), Tile(Domain("T"), "TCR"))
    evening.put(lying)
    evening.wait(1.5)
    assert evening.watch.status is Status.MOVING
    assert evening.proposed == []

    evening.scene.withdraw()
    evening.virtual.switch("hand", False)
    evening.until_read()
    assert evening.proposed == ["1 lays T:TCR at 0,0d"]


@pytest.mark.parametrize("lamp", LAMP_KINDS)
def test_under_every_lamp_a_territory_is_proposed_or_asked_about_and_never_recorded_unseen(
    evening: Evening, lamp: str
) -> None:
    evening.virtual.camera.lamp = lamp
    evening.until_read()

    evening.lay("0,0d", "A:STV")

    reading = evening.watch.reading
    told = [
        GAME.write(event) for doubt in reading.doubts for choice in doubt.choices for event in choice.events
    ]
    assert "1 lays A:STV at 0,0d" in (*evening.proposed, *told)
    assert any(one.marks for one in reading.proposals) or any(one.marks for one in reading.doubts)
    assert evening.lines == []


def test_a_board_that_outgrows_the_picture_is_pointed_out(evening: Evening) -> None:
    evening.scene.put(faces.CRADLE_LABEL, 800, 745, 0)
    evening.laid.cradle = 800, 745, 0
    evening.lay("0,-2d", "T:TCR")
    evening.confirm()

    assert str(evening.watch.reading.waiting) == str(EDGE)
