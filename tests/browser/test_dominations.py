"""Dominations by touch: turns on the map and in numbers, a card read out, the end of an Era, a board put right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import OpenDevice
from tests.browser.device import LANGUAGES, SIZES, Device
from tests.browser.dominations import Finger, seated
from tests.browser.evenings import recorded
from tests.games.dominations.stories import CARDS
from tests.games.stories import lines_of
from tests.soak.running import Running

pytestmark = pytest.mark.browser

MOST_TAPS = 14
CARD = 'mastery fishing "Pescaria" C 3 advance C 3 basic 0 0 "turn start: 1 C"'


@pytest.fixture(autouse=True)
def companion(tmp_path: Path) -> Iterator[Running]:
    """One of its own for every test: a household knows the cards that were read out at its last game."""
    running = Running(tmp_path).start()
    yield running
    running.close()


def at_the_table(device: OpenDevice, size: str, language: str, address: str) -> Device:
    tablet = device(size, language)
    tablet.unlock()
    tablet.open(address)
    return tablet


@pytest.mark.parametrize(("size", "language"), (("lying", "pt-BR"), ("phone", "es")))
def test_a_turn_is_played_by_touch(
    device: OpenDevice, companion: Running, figure: Callable[[str], None], size: str, language: str
) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, "unasked", lines=(CARD, "1 adjusts T +1", "1 adjusts C +3"))
    finger = Finger(at_the_table(device, size, language, address))

    finger.lay("0,0d", "TTTC")
    assert finger.build()
    assert finger.develop()
    finger.end()

    events = [entry.event for entry in recorded(visitor, address).entries[-4:]]
    written = [recorded(visitor, address).game.write(event) for event in events]
    assert written == ["1 lays T:TTC at 0,0d", "1 builds at 0,0d", "1 develops fishing nodi C1", "1 ends"]
    assert finger.taps <= MOST_TAPS
    figure(f"taps for a turn with a City and a Mastery on the {size}: {finger.taps}")


def test_a_card_is_read_out_on_the_page_and_used(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, "unasked", lines=("1 produces A3",))
    tablet = at_the_table(device, "lying", "es", address)

    tablet.tap("a.choice-of[href*='do=mastery']")
    tablet.tap("a.choice-of[href*='do=card']")
    tablet.tap("a.choice-of.primary[href*='key=new']")
    tablet.tap("#every-field > summary")
    for name, value in (("domain", "A"), ("b1t", "turn start"), ("b1n", "2"), ("b1u", "A"), ("bp", "1")):
        tablet.page.select_option(f"select[name={name}]", value)
    tablet.page.fill("input[name=say]", 'Ópera "bufa"')
    tablet.follow("form.card-form[method=get] > button")
    tablet.record(".card-form button.primary")

    cards = recorded(visitor, address).position.cards.masteries.values()
    told = [(c.value, c.basic.points, str(c.basic.effects[0])) for c in cards if c.title == 'Ópera "bufa"']
    assert told == [(3, 1, "turn start: 2 A")]
    tablet.follow("#read-out + .group a")
    assert tablet.find(".hand h2").inner_text() == 'Ópera "bufa"'


def test_what_nothing_can_count_is_said_in_words_by_touch(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, "unasked")
    tablet = at_the_table(device, "phone", "en", address)

    tablet.open(f"{address}?do=card&kind=mastery&key=new")
    tablet.tap("#every-field > summary")
    assert not tablet.find("input[name=sayb1]").is_visible()
    chosen = {"domain": "T", "b1t": "era end", "b1n": "1", "b1u": "points", "b1m": "role", "b1d": "T"}
    for name, value in chosen.items():
        tablet.page.select_option(f"select[name={name}]", value)
    tablet.page.fill("input[name=say]", "Mercados")
    tablet.follow("form.card-form[method=get] > button")
    assert "nothing can count “of the Domain: Trade” there" in tablet.find(".notice.warning").inner_text()
    assert tablet.page.input_value("select[name=b1d]") == "T"

    tablet.follow(".notice.warning + a.button")
    tablet.tap("#every-field > summary")
    assert tablet.find("input[name=sayb1]").is_visible()
    tablet.page.fill("input[name=sayb1]", "1 point for each City of Trade")
    tablet.follow("form.card-form[method=get] > button")
    tablet.record(".card-form button.primary")

    cards = recorded(visitor, address).position.cards.masteries.values()
    assert [str(card.basic.effects[0]) for card in cards if card.title == "Mercados"] == [
        'era end: "1 point for each City of Trade"'
    ]


def test_the_end_of_an_era_is_led_step_by_step(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    turns = [f"{n % 2 + 1} {'passes' if n else 'produces P2'}" for n in range(10)]
    address = seated(visitor, 2, "unasked", lines=(*turns, "2 ends"))
    finger = Finger(at_the_table(device, "lying", "en", address))

    for value in ("era effects", "1 assimilates nothing"):
        finger.record(f"button[value='{value}']")
    assert "Governor" in finger.find(".compared").inner_text()
    finger.record("button[value='era roles']")
    finger.record("button[value='order 2 1']")
    finger.record("button[value='era next']")

    assert (recorded(visitor, address).position.era, recorded(visitor, address).position.order) == (2, (1, 0))


def test_a_power_cut_in_the_middle_of_an_eras_end_loses_nothing_and_undo_leads_back(
    device: OpenDevice, companion: Running
) -> None:
    visitor = companion.unlocked()
    turns = [f"{n % 2 + 1} {'passes' if n else 'produces P2'}" for n in range(10)]
    address = seated(visitor, 2, "unasked", lines=(*turns, "2 ends", "era effects", "1 assimilates nothing"))
    before = recorded(visitor, address).position
    companion.kill()
    companion.start()
    tablet = device("lying", "en")
    tablet.unlock()
    tablet.open(address)
    finger = Finger(tablet)

    for value in ("era roles", "order 1 2", "era next"):
        finger.record(f"button[value='{value}']")
    after = recorded(visitor, address).position
    for _step in range(3):
        finger.record('form[action$="/undo"] button')
    undone = recorded(visitor, address).position
    for _step in range(3):
        finger.record('form[action$="/redo"] button')

    assert (after.era, undone, recorded(visitor, address).position) == (2, before, after)


def full_reserves() -> Iterator[str]:
    """Everybody has all they can have: the longest numbers on every side of the table."""
    for player in range(1, 5):
        for letter in "TCASPR":
            yield f"{player} adjusts limit {letter} +15"
            yield f"{player} adjusts {letter} +20"


LISTS = ("do=mastery", "do=card", "look=", "check=")
"""Where cards or all the numbers of a board are listed, however many there are."""


def may_scroll(box: str, page: str, size: str) -> bool:
    """On a tablet that lies only lists scroll by themselves; held upright, everything that is below the answers."""
    if size != "lying" and ".dominations" in box:
        return True
    lists = size == "small lying" or any(one in page for one in LISTS)
    return lists and (".hand" in box or ".what" in box)


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_every_moment_fits(device: OpenDevice, companion: Running, language: str) -> None:
    visitor = companion.unlocked()
    cards = [*lines_of(CARDS)]
    turns = [f"{n % 4 + 1} produces T{1 + n % 3} C2 A1" for n in range(20)]
    story = (*cards, "1 keeps roman and lighthouse", "2 keeps egyptian and gardens", "1 lays T:TTC at 0,0d")
    built = seated(visitor, 4, lines=(*story, "1 adjusts T +2", "1 builds at 0,0d"))
    begun = seated(visitor, 4, "unasked")
    full = seated(visitor, 4, "unasked", lines=full_reserves())
    ended = seated(visitor, 4, "unasked", lines=(*turns, "4 ends", "era effects", "1 assimilates nothing"))
    pages = (
        *(
            *(begun, full),
            f"{begun}?at=0,0d&col=TC",
            f"{begun}?tier=ledger&g1=T3",
            f"{begun}?do=card&kind=mastery&key=new",
        ),
        *(built, f"{built}?do=mastery", f"{built}?look=1", f"{built}?check=1", f"{built}?do=trade", ended),
    )

    wrong = {}
    for size in SIZES:
        tablet = at_the_table(device, size, language, begun)
        for page in pages:
            tablet.open(page)
            seen = tablet.look(44 if "phone" in size else 48)
            seen["scrolling"] = [box for box in seen["scrolling"] if not may_scroll(box, page, size)]
            wrong[size, page] = {kind: found for kind, found in seen.items() if found}

    assert {moment: found for moment, found in wrong.items() if found} == {}


def test_a_tap_on_a_reason_shows_its_territory_by_number(device: OpenDevice, companion: Running) -> None:
    visitor = companion.unlocked()
    address = seated(visitor, 2, "unasked", lines=("1 lays T:TTC at 0,0d", "1 ends", "2 lays C:CCC at 1,0u"))
    tablet = at_the_table(device, "lying", "en", address)
    finger = Finger(tablet)

    finger.point(tablet.find(".hand .ledger a").last)
    numbers = tablet.find(".number-of text").all_text_contents()
    lit = tablet.find("g.lit").get_attribute("data-place")
    finger.point(tablet.find(".hand .ledger a[aria-current]").first)

    assert (numbers, lit, tablet.find(".number-of").count()) == (["1"], "0,0d", 0)


def test_on_a_phone_an_entry_of_the_log_leads_to_a_map_that_is_seen(
    device: OpenDevice, companion: Running
) -> None:
    visitor = companion.unlocked()
    lines = ("1 lays T:TTC at 0,0d", "1 adjusts T +2", "1 builds at 0,0d")
    address = seated(visitor, 4, "unasked", lines=lines)
    phone = at_the_table(device, "phone", "es", f"{address}/log")

    phone.follow("a[href*='why=e.']")
    box = phone.find(".number-of").bounding_box()
    assert box
    assert 0 < box["y"] < SIZES["phone"]["height"] - box["height"]


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_on_a_phone_answers_come_before_the_map_and_no_empty_map_stands(
    device: OpenDevice, companion: Running, language: str
) -> None:
    visitor = companion.unlocked()
    asked = seated(visitor, 4, lines=("1 passes",))
    numbers = seated(visitor, 4, "unasked", lines=("1 produces T2 C1", "1 ends"))
    phone = at_the_table(device, "phone", language, asked)

    lowest = phone.find("button[value^='rule ']").evaluate_all(BOTTOMS)
    phone.open(numbers)
    steppers = phone.find(".stepper a").evaluate_all(BOTTOMS)
    assert not phone.find(".world").is_visible()
    assert max(lowest) <= SIZES["phone"]["height"]
    assert (len(steppers), max(steppers) <= SIZES["phone"]["height"]) == (6, True)


BOTTOMS = "all => all.map((one) => one.getBoundingClientRect().bottom)"
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".hand, .world, .seat-board")].map((one) => one.getBoundingClientRect());
  const cross = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const spilt = [...document.querySelectorAll(".seat-board")].map((one) => {
    const [a, b] = [one.getBoundingClientRect(), one.querySelector(".tracks").getBoundingClientRect()];
    return b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1;
  }).filter(Boolean).length;
  return [boxes.flatMap((a, n) => boxes.slice(n + 1).filter((b) => cross(a, b))).length, spilt];
}"""
"""How many parts of the table lie over another one, and how many boards do not hold their tracks."""


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_on_a_small_tablet_no_board_lies_over_another(
    device: OpenDevice, companion: Running, language: str
) -> None:
    visitor = companion.unlocked()
    roles = [
        f"{n % 4 + 1} holds {role}" for n, role in enumerate(("worker", "inventor", "merchant", "diplomat"))
    ]
    address = seated(visitor, 4, "unasked", lines=(*full_reserves(), *roles, "1 holds governor"))
    tablet = at_the_table(device, "lying", language, address)
    tablet.page.set_viewport_size({"width": 1024, "height": 768})

    assert tablet.page.evaluate(OVERLAPS) == [0, 0]


def test_a_card_that_says_the_same_is_confirmed_where_people_look(
    device: OpenDevice, companion: Running
) -> None:
    address = seated(companion.unlocked(), 2, "unasked", lines=("1 produces C3",))
    tablet = at_the_table(device, "phone", "pt-BR", address)

    tablet.open(f"{address}?do=card&kind=mastery&key=pottery")
    tablet.follow("form.card-form[method=get] > button")
    tablet.record(".card-form button.primary")

    box = tablet.find("#read-out").bounding_box()
    assert "Cerâmica" in tablet.find("#read-out").inner_text()
    assert box
    assert box["y"] + box["height"] <= SIZES["phone"]["height"]


MOST_TAPS_OF_A_CARD = 10


def test_a_card_is_taught_with_ten_taps_at_most(
    device: OpenDevice, companion: Running, figure: Callable[[str], None]
) -> None:
    """A card of no known title, with both of its sides and what turning it over costs."""
    visitor = companion.unlocked()
    address = seated(visitor, 2, "unasked")
    tablet = at_the_table(device, "phone", "pt-BR", address)
    finger = Finger(tablet)

    finger.point("a.button[href*='do=card']")
    finger.point("a.choice-of.primary[href*='key=new']")
    finger.point(".card-chips a.choice-of:has(svg.domain-P)")
    finger.point(".card-chips a.choice-of[href*='b1t=nodus']")
    finger.point(".card-chips a.choice-of[href*='an=4']")
    finger.taps += 1  # into the field of the title
    tablet.page.fill("input[name=say]", "Tribunais")
    finger.taps += 1
    tablet.follow("form.card-form[method=get] > button")
    finger.record(".card-form button.primary")

    line = recorded(visitor, address).entries[-1]
    assert recorded(visitor, address).game.write(line.event) == (
        'mastery own_a "Tribunais" P 3 advance P 4 basic 0 0 "nodus P: 2 P" advanced 0 0 "nodus P: 4 P"'
    )
    figure(f"taps to teach a card: {finger.taps}")
    assert finger.taps <= MOST_TAPS_OF_A_CARD
