"""A whole evening of Dominations by touch: four players, three Eras, sixty turns, and what goes wrong in between."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import mean

import pytest

from companion.core.log import Corrected
from companion.core.session import Session
from companion.games.dominations.rules.position import GameStage
from tests.browser.conftest import OpenDevice
from tests.browser.device import Device
from tests.browser.dominations import Finger, seated
from tests.browser.evenings import recorded
from tests.games.dominations.reference_count import DECK
from tests.games.dominations.stories import CARDS
from tests.soak.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.soak]

MOST_TAPS, MOST_ON_AVERAGE = 14, 10
TURNS = 60


class Evening:
    """Four people who share a tablet."""

    def __init__(self, device: Device, address: str, visitor: object) -> None:
        self.device, self.address, self.visitor = device, address, visitor
        self.finger = Finger(device, Random(11))
        self.taps: list[int] = []
        self.asked = 0

    @property
    def session(self) -> Session:
        return recorded(self.visitor, self.address)  # type: ignore[arg-type]

    def turn(self) -> None:
        """A territory, a City and a Mastery where they can be paid for, and the end of the turn."""
        finger = self.finger
        finger.taps = 0
        finger.lay()
        self.asked += finger.answer()
        built = finger.build()
        self.asked += finger.answer()
        if not built or len(self.taps) % 3 == 0:
            finger.develop()
            self.asked += finger.answer()
        finger.end()
        self.taps.append(finger.taps)
        self.asked += finger.answer()

    def end_of_an_era(self) -> None:
        """The wizard, step by step; what is asked on the way is answered."""
        finger = self.finger
        for value in ("era effects", "assimilates nothing", "era roles"):
            finger.record(f"button[value$='{value}']")
            self.asked += finger.answer()
        while finger.find("a.choice-of[href*='order=']").count():
            finger.point(finger.find("a.choice-of[href*='order=']").last)
        if finger.find("button[value^='order ']").count():
            finger.record(finger.find("button[value^='order ']").first)
        finger.record(finger.find("button[value='era next'], button[value='era objectives']").first)
        self.asked += finger.answer()

    def correct(self, turn: int) -> list[str]:
        """An old territory had other colours; what the page shows as the difference."""
        session, device = self.session, self.device
        laid = [step.seq for step in session.fold.steps if " lays " in session.game.write(step.event)]
        device.open(f"{self.address}/correct/{laid[turn]}")
        finger = Finger(device, Random(3))
        for spot in range(4):
            finger.point(device.find(".group.grid .choice-of").nth(spot))
            finger.point(finger.colour("R"))
        device.follow("button.primary[value*=' lays ']")
        told = device.find(".difference tr.changed, .pictures li").all_inner_texts()
        device.follow("form.decide button.primary")
        return told

    def read_out(self) -> None:
        """A card that nobody at the table has had before."""
        device = self.device
        device.open(f"{self.address}?do=card&kind=mastery&key=new")
        device.tap("#every-field > summary")
        for name, value in (("domain", "R"), ("b1t", "nodus"), ("b1x", "R"), ("b1n", "1"), ("b1u", "points")):
            device.page.select_option(f"select[name={name}]", value)
        device.page.fill("input[name=say]", "Peregrinação")
        device.follow("form.card-form[method=get] > button")
        device.record(".card-form button.primary")
        device.open(self.address)


def test_an_evening_of_four_by_touch(
    device: OpenDevice, own_companion: Running, figure: Callable[[str], None]
) -> None:
    own_companion.start()
    visitor = own_companion.unlocked()
    tablet = device("lying", "pt-BR", at=own_companion)
    tablet.forgives = ("ERR_",)  # at the end, the companion goes before the page
    tablet.unlock()
    cards = [*CARDS.splitlines()[3:], *(card.line(key) for key, card in DECK.items() if card.value == 3)]
    kept = ("1 keeps roman and lighthouse", "2 keeps egyptian and gardens")
    evening = Evening(tablet, seated(visitor, 4, lines=(*cards, *kept)), visitor)
    tablet.open(evening.address)

    differences, eras = [], 0
    for turn in range(TURNS):
        evening.turn()
        if turn in (17, 37):  # of the same Era: Knowledge that an Era has taken away shows no difference
            differences.append(evening.correct(turn - 12))
            tablet.open(evening.address)
        if turn == 25:
            evening.read_out()
        if evening.session.position.stage is GameStage.EFFECTS:
            evening.end_of_an_era()
            eras += 1

    session = evening.session
    assert session.turn.over
    assert eras == 3
    assert all(differences)
    assert len(differences) == 2
    assert sum(isinstance(entry.event, Corrected) for entry in session.entries) == 2
    assert "Peregrinação" in [card.title for card in session.position.cards.masteries.values()]
    assert evening.asked > 0
    assert session.position.rulings
    told = [int(text) for text in tablet.find(".compared tfoot td").all_inner_texts()]
    assert told == [*session.tally.totals]
    ordinary = sorted(evening.taps)
    figure(
        f"taps per turn of Dominations without a camera: {mean(ordinary):.1f} on average,"
        f" {ordinary[len(ordinary) // 2]} in the middle, {ordinary[-1]} at most, questions of the rules included"
    )
    assert max(evening.taps) <= MOST_TAPS
    assert mean(evening.taps) <= MOST_ON_AVERAGE
