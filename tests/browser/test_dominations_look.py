"""The page of Dominations late in a game of four with long names.

One screen, letters everywhere, room for fingers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from companion.games import GAMES
from companion.games.dominations.rules.position import GameStage, Position
from companion.sessions.json_lines import import_session, read_session, write_session
from companion.sessions.repository import SessionRepository
from tests.browser.conftest import OpenDevice
from tests.browser.device import LANGUAGES, Device
from tests.browser.dominations import Finger
from tests.games.dominations.random_evenings import Evening
from tests.soak.running import Running

pytestmark = pytest.mark.browser

LONG_NAMES = ("Ana", "Maximiliano", "Beatriz", "Tomé da Silva Gonçalves")
SMALL = {"width": 1024, "height": 768}
LISTS = ("assimilation",)
"""Where cards are listed: however many there are, the list scrolls by itself."""
MOMENTS: Mapping[str, Callable[[Position], bool]] = {
    "growth": lambda position: position.stage is GameStage.GROWTH and len(position.board.tiles) >= 24,
    "construction": lambda position: (
        position.stage is GameStage.CONSTRUCTION and len(position.board.tiles) >= 26
    ),
    "development": lambda position: position.stage is GameStage.DONE and len(position.board.tiles) >= 24,
    "effects": lambda position: position.stage is GameStage.EFFECTS and position.era == 2,
    "assimilation": lambda position: position.stage is GameStage.ASSIMILATION and position.era == 2,
    "roles": lambda position: position.stage is GameStage.ROLES and position.era == 2,
    "next": lambda position: position.stage is GameStage.NEXT and position.era == 2,
    "objectives": lambda position: position.stage is GameStage.OBJECTIVES,
    "over": lambda position: position.stage is GameStage.OVER,
}
FACES = """() => [...document.querySelectorAll("svg.board g[data-place]")].map((tile) => {
  const shown = [...tile.querySelectorAll("text.dot")].filter((one) => one.textContent && one.checkVisibility());
  const shape = (city) => city.querySelector("use").getAttribute("href").split("#")[1];
  return {
    field: tile.querySelector(".cell.bare") ? null
      : [!!tile.querySelector("use.mark"), tile.querySelector(".letter").textContent.length],
    dots: [tile.querySelectorAll("circle.dot").length, shown.length],
    city: [...tile.querySelectorAll(".city")].map((city) => [shape(city), city.textContent]),
  };
})"""
REACHED = """() => {
  const frame = document.querySelector(".world").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("a.target")].map((one) => one.getBoundingClientRect());
  const inside = (box) => box.left >= frame.left && box.right <= frame.right
    && box.top >= frame.top && box.bottom <= frame.bottom;
  return {
    least: Math.min(...boxes.map((box) => Math.min(box.width, box.height))),
    seen: boxes.filter(inside).length,
    last: inside(document.querySelector("[data-last]").getBoundingClientRect()),
  };
}"""
INSIDE = """all => all.map((one) => one.getBoundingClientRect())
  .every((box) => box.top >= 0 && box.bottom <= innerHeight)"""
WHOLE = """all => all.every(
  (one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1)"""


@pytest.fixture(scope="module", autouse=True)
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One of its own: the cards read out in this game are not for the games of other tests."""
    running = Running(tmp_path_factory.mktemp("household")).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def moments(companion: Running) -> Mapping[str, str]:
    """An address of every kind of moment in one game."""
    evening, found = Evening(4, 5), {}
    store = SessionRepository(f"sqlite:///{companion.folder}/data/table-companion/companion.db", GAMES)
    for position in evening.play():
        for moment in [name for name, there in MOMENTS.items() if name not in found and there(position)]:
            found[moment] = f"/s/{moment}"
            text = "\n".join(write_session(replace(evening.session, id=moment)))
            for player, name in zip(evening.session.setup.players, LONG_NAMES, strict=True):
                text = text.replace(
                    f'\\"{player.name}\\" {player.colour}', f'\\"{name}\\" {player.colour}', 1
                )
            import_session(store, read_session(text.splitlines(), GAMES))
    store.close()
    assert found.keys() == MOMENTS.keys()
    return found


def opened(device: OpenDevice, size: str, address: str, language: str = "pt-BR") -> Device:
    tablet = device("lying" if size == "small" else size, language)
    if size == "small":
        tablet.page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    tablet.unlock()
    tablet.open(address)
    return tablet


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", ("lying", "small"))
def test_every_moment_is_one_screen(
    device: OpenDevice, moments: Mapping[str, str], size: str, language: str
) -> None:
    tablet = opened(device, size, "/", language)

    wrong = {}
    for moment, address in moments.items():
        tablet.open(address)
        seen = tablet.look(48)
        lists = [box for box in seen["scrolling"] if moment in LISTS and "div.what" in box]
        seen["scrolling"] = [box for box in seen["scrolling"] if box not in lists]
        seen["foot"] = (
            [] if tablet.find(".deeds :is(.primary, .elsewhere .button)").evaluate_all(INSIDE) else ["cut"]
        )
        wrong[moment] = {kind: found for kind, found in seen.items() if found}

    assert {moment: found for moment, found in wrong.items() if found} == {}


def test_what_is_asked_stands_once(device: OpenDevice, moments: Mapping[str, str]) -> None:
    tablet = opened(device, "lying", moments["construction"], "en")

    assert "Build, develop, or end the turn" in tablet.turn
    assert tablet.find(".hand h2:not(.hide)").count() == 0


@pytest.mark.parametrize("size", ("lying", "small", "phone"))
def test_colour_never_speaks_alone_on_the_map(
    device: OpenDevice, moments: Mapping[str, str], size: str
) -> None:
    tablet = opened(device, size, moments["construction"])

    faces = tablet.page.evaluate(FACES)
    cities = [tuple(city) for face in faces for city in face["city"]]
    assert len(faces) > 26
    assert {face["field"][0] for face in faces if face["field"]} == {True}
    assert {face["field"][1] for face in faces if face["field"]} == {2}
    assert [face["dots"] for face in faces if face["dots"][0] != face["dots"][1]] == []
    assert ("colour-black", "M1") in cities
    assert {(shape, text[0]) for shape, text in cities} <= {
        *(("colour-white", "A"), ("colour-black", "M"), ("colour-green", "B"), ("colour-purple", "T")),
    }
    assert tablet.look(44)["tiny"] == []


@pytest.mark.parametrize("size", ("lying", "small", "phone"))
def test_free_places_are_as_large_as_a_finger_and_one_tap_is_enough(
    device: OpenDevice, moments: Mapping[str, str], size: str
) -> None:
    tablet = opened(device, size, moments["growth"])
    finger = Finger(tablet)

    reached = tablet.page.evaluate(REACHED)
    finger.tap_map()

    assert reached["least"] >= 48
    assert reached["seen"] >= 2
    assert reached["last"]
    assert (finger.taps, "at=" in tablet.page.url) == (1, True)


def test_whoever_wants_the_whole_table_keeps_it(device: OpenDevice, moments: Mapping[str, str]) -> None:
    tablet = opened(device, "phone", moments["growth"])
    whole = "() => document.querySelector('.world').classList.contains('whole')"

    before = tablet.page.evaluate(whole)
    tablet.tap("#zoom-whole")
    tablet.page.reload()

    assert (before, tablet.page.evaluate(whole)) == (False, True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_reserves_stand_beside_what_is_paid(
    device: OpenDevice, moments: Mapping[str, str], language: str
) -> None:
    phone = opened(device, "phone", moments["construction"], language)

    assert phone.find(".purse li").all_inner_texts() != []
    assert phone.find(".purse li").count() == 6
    assert phone.find(".purse li, .deeds .primary").evaluate_all(INSIDE)


@pytest.mark.parametrize("size", ("upright", "phone"))
def test_held_upright_what_ends_or_confirms_is_in_view(
    device: OpenDevice, moments: Mapping[str, str], size: str
) -> None:
    tablet = opened(device, size, moments["growth"])
    finger = Finger(tablet)

    finger.tap_map()
    finger.point(finger.colour("T"))

    # All the colours of a resource, Vestigium and none as well, beside the map.
    assert tablet.find(".group.grid .choice-of").count() == 8
    assert tablet.find(".world, .group.grid .choice-of").evaluate_all(INSIDE)
    for moment in ("construction", "assimilation", "roles", "objectives"):
        tablet.open(moments[moment])
        assert tablet.find(".deeds :is(.choice-of, .elsewhere .button)").evaluate_all(INSIDE), moment
        assert tablet.find(".deeds .choice-of").last.is_visible()
        assert tablet.find("h1").bounding_box()["height"] <= 72, moment  # type: ignore[index]


def test_on_a_small_tablet_names_are_whole_and_roles_have_words(
    device: OpenDevice, moments: Mapping[str, str]
) -> None:
    tablet = opened(device, "small", moments["next"])

    words = tablet.find(".seat-board .role:has(.office) span").evaluate_all(
        "all => all.map((one) => one.clientWidth)"
    )
    assert tablet.find(".seat-board .name:not(:text('Tomé'))").evaluate_all(WHOLE)
    assert len(words) == 6
    assert min(words) >= 24


def test_a_warning_leads_to_where_it_is_told(device: OpenDevice, moments: Mapping[str, str]) -> None:
    tablet = opened(device, "lying", moments["construction"], "en")

    tablet.tap("#problems > summary")
    tablet.follow("#problems a.button[href*='do=rewards']")

    assert tablet.find(".hand h2").inner_text() == "Whose Cities does “Gardens” reward?"


def test_at_the_end_a_tap_opens_the_reasons_of_a_kind(device: OpenDevice, moments: Mapping[str, str]) -> None:
    tablet = opened(device, "lying", moments["over"], "en")
    numbers = "all => all.map((one) => Number(one.textContent) || 0)"
    whole = tablet.find(".finally tbody tr:has(a[href*='roles']) td").evaluate_all(numbers)

    Finger(tablet).point(".finally a[href*='open=roles']")

    parts = tablet.find(".finally .part td").evaluate_all(numbers)
    assert [sum(parts[player::4]) for player in range(4)] == whole
    assert sum(tablet.find(".finally tbody tr:not(.part) td").evaluate_all(numbers)) == sum(
        tablet.find(".finally tfoot td").evaluate_all(numbers)
    )
