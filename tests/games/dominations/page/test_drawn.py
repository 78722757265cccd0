"""What the page draws on the map and marks there."""

from __future__ import annotations

import pytest

from companion.games.dominations.page import drawing
from companion.games.dominations.page.page import page
from companion.games.dominations.rules.position import Position
from companion.household.words import catalogue
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
    places = {drawing.outline_view(cell, chosen=False).points: str(cell) for cell in position.board.tiles}
    return [(places[view.points], view.chosen) for view in page(position, wish)["outlined"]]


def test_a_tapped_field_is_marked_and_so_are_those_where_a_city_may_stand() -> None:
    position = play(2, BUILDING)

    assert outlined(position) == []
    assert outlined(position, at="1,0u") == [("1,0u", True)]
    assert outlined(position, do="city", dom="T") == [("0,0d", False), ("1,0u", False)]
    assert outlined(position, check="1", at="1,0u") == []


@pytest.mark.parametrize("place", ("0,0d", "1,0u"))
def test_a_city_stands_inside_its_own_triangle_beside_the_letter_of_its_field(place: str) -> None:
    tile = next(tile for tile in drawing.tile_views(play(2, BUILT)) if tile.place == place)
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

    drawn = [view.initials.say(catalogue("pt-BR")) for view in drawing.piece_views(position)]
    listed = [site[5].say(catalogue("pt-BR")) for site in page(position, {})["sites"]]

    assert (drawn, listed) == (["Fa"], ["Fa", "Ja"])
