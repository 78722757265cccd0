"""What the page draws on the map and marks there."""

from __future__ import annotations

import pytest

from companion.games.dominations.page import elements
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.position import Position
from companion.household.languages import catalogue
from tests.games.dominations.crawling import Wishes, offers
from tests.games.dominations.stories import GARDENS, LIGHTHOUSE, ROMAN, play, rich

TOKEN, LETTER = 15, 9
"""Half the height of a City's token, and of the letters beside the icon of its Field."""
BUILDING = (
    f"{rich(1, 'T9 C9')}\n1 lays T:TCR at 0,0d\n1 ends\n2 lays T:TTT at 1,0u\n2 ends\n1 lays C:CCC at 1,0d"
)
CITY = f"{rich(1, 'T9')}\n1 lays T:TCR at 0,0d\n1 builds at 0,0d\n1 ends"
BUILT = f"{CITY}\n2 adjusts C +3\n2 lays C:TCR at 1,0u\n2 builds at 1,0u"


def outlined(position: Position, **wish: str) -> list[tuple[str, bool]]:
    """By place: what is marked on the map, and whether it is what was tapped."""
    places = {elements.outline_view(cell, chosen=False).points: str(cell) for cell in position.board.tiles}
    return [(places[view.points], view.chosen) for view in page(position, wish)["outlined"]]


def test_a_tapped_field_is_marked_and_so_are_those_where_a_city_may_stand() -> None:
    position = play(2, BUILDING)

    assert outlined(position) == []
    assert outlined(position, at="1,0u") == [("1,0u", True)]
    assert outlined(position, do="city", dom="T") == [("0,0d", False), ("1,0u", False)]
    assert outlined(position, check="1", at="1,0u") == []


@pytest.mark.parametrize("place", ("0,0d", "1,0u"))
def test_a_city_stands_inside_its_own_triangle_beside_the_letter_of_its_field(place: str) -> None:
    tile = next(tile for tile in elements.tile_views(play(2, BUILT)) if tile.place == place)
    heights = [int(point.split(",")[1]) for point in tile.points.split()]

    assert tile.level == 1
    assert min(heights) <= tile.stands[1] - TOKEN
    assert tile.stands[1] + TOKEN <= max(heights)
    assert abs(tile.stands[1] - tile.mark[1]) >= TOKEN + LETTER


def test_a_monument_shows_the_beginning_of_its_name() -> None:
    egyptian = 'objective egyptian "E" "influence 2" "cities 1:1" "apart 1" "control 1" "masteries 3:1 C"'
    cards = "\n".join((LIGHTHOUSE, GARDENS, ROMAN, egyptian))
    kept = f"{cards}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens\n{rich(1, 'T9 C9')}"
    built = "1 lays T:TCR at 0,0d\n1 builds at 0,0d\n1 ends\n2 passes\n2 ends\n1 passes"
    position = play(2, f"{kept}\n{built}\n1 raises lighthouse at 1,0u+1,0d")

    drawn = [view.initials.say(catalogue("pt-BR")) for view in elements.piece_views(position)]
    listed = [site[5].say(catalogue("pt-BR")) for site in page(position, {})["sites"]]

    assert (drawn, listed) == (["Fa"], ["Fa", "Ja"])


IN_NUMBERS = "1 produces T2\n1 ends\n2 produces C2\n2 ends"


@pytest.mark.parametrize("wish", ({"check": "2"}, {"do": "old"}))
def test_the_next_page_is_the_same_until_somebody_says_that_it_is_done(wish: Wishes) -> None:
    position = play(2, IN_NUMBERS)
    view = page(position, wish)
    again = page(position, {"room": view["room"]})

    assert (again["hand"], again["targets"], again["room"]) == (view["hand"], view["targets"], view["room"])
    (done,) = [choice.to for choice in offers(view) if choice.main]
    assert {name: text for name, text in done.items() if text} == {}
    assert page(position, {})["room"] == ""


def test_any_other_wish_leads_out_of_there() -> None:
    position = play(2, IN_NUMBERS)

    assert page(position, {"room": "check1", "do": "trade"})["room"] == ""
    assert page(position, {"room": "attic"})["hand"] == page(position, {})["hand"]
    assert page(position, {"room": "check9"})["hand"] == page(position, {"check": "1"})["hand"]


def test_after_rounds_in_numbers_what_lies_there_is_drawn_on_a_map() -> None:
    position = play(2, IN_NUMBERS)
    (draw,) = [choice.to for choice in offers(page(position, {})) if choice.to.get("do") == "old"]
    view = page(position, {name: text for name, text in draw.items() if text})

    assert (view["mapless"], view["map_first"], len(view["targets"])) == (False, True, 6)
    assert {target.to["do"] for target in view["targets"]} == {"old"}
