"""Who sets a board right, or draws what lies there, stays there until all is done."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.page import page
from tests.games.dominations.crawling import Wishes, offers
from tests.games.dominations.stories import play

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
