"""What the page offers where people put a photographed square right."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Colour, Player, Setup
from companion.core.photo import PhotoTable, UnsureSquare
from companion.games import GAMES
from companion.games.carcassonne.sight.photo import BoardReading, TileDoubt, TileKind
from companion.games.carcassonne.sight.photographed import CarcassonnePhotos
from companion.games.kingdomino.rules.pieces import CASTLE, parse_square
from companion.games.kingdomino.sight.photo import DoubtReason, KingdomReading
from companion.photos.view import PhotographedGroup, PhotoView, PicturePlaces, photo_view
from tests.vision.photo.kingdoms import PHOTOS

FOREST, CROWNED, MINE, SWAMP = (parse_square(text) for text in ("f0", "f1", "m2", "s0"))
GAME = GAMES["kingdomino"]
BOARDS = CarcassonnePhotos()
SETUP = Setup((Player("Ana", Colour.BLUE), Player("Rui", Colour.PINK)), frozenset({"score_only"}))


def viewed(*unsure: UnsureSquare[Any], fixes: str = "", at: str = "") -> PhotoView:
    squares = {(0, 0): CASTLE, (1, 0): FOREST, (2, 0): SWAMP}
    corners = {(x, y): ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)) for x in range(3) for y in range(2)}
    shown = KingdomReading(squares, unsure, ranked={(1, 0): (FOREST, CASTLE, MINE, SWAMP)})
    taken = PhotographedGroup((PicturePlaces(300, 200, corners),), shown)
    return photo_view(GAME, PHOTOS, taken, PhotoTable(SETUP, GAME.start(SETUP)), fixes, at)


def test_a_crown_more_or_less_comes_before_what_the_place_hardly_looks_like() -> None:
    view = viewed(at="10")

    assert [answer.face and answer.face.label for answer in view.likely] == ["f0", "f1", "castle-blue", "m2"]


def test_a_place_that_two_photos_show_is_asked_about_once_and_shown_as_the_better_one_has_it() -> None:
    """The second photo was taken from the right side of the table."""
    doubt = UnsureSquare((1, 0), (FOREST, SWAMP), DoubtReason.OTHER_KIND)
    square = ((0, 0), (10, 0), (10, 10), (0, 10))
    turned = (*square[1:], square[0])
    first = PicturePlaces(20, 20, {(0, 0): square, (1, 0): square})
    second = PicturePlaces(20, 20, {(1, 0): turned, (2, 0): turned})
    shown = KingdomReading({(0, 0): CASTLE, (1, 0): FOREST, (2, 0): SWAMP}, (doubt,))
    taken = PhotographedGroup((first, second), shown, {(0, 0): 0, (1, 0): 1, (2, 0): 1})

    view = photo_view(GAME, PHOTOS, taken, PhotoTable(SETUP, GAME.start(SETUP)), "", "")

    assert view.asked
    assert (view.open, view.asked.photo, view.asked.turn) == (1, 1, 1)
    assert [(place.cell, place.photo) for place in view.places] == [((0, 0), 0), ((1, 0), 1), ((2, 0), 1)]


def test_questions_come_in_the_order_of_the_reading() -> None:
    first, second = (UnsureSquare((x, 0), (FOREST, SWAMP), DoubtReason.OTHER_KIND) for x in (2, 1))

    view = viewed(first, second)

    assert view.asked
    assert view.asked.cell == (2, 0)


def test_many_unclear_pieces_may_be_of_another_edition_and_unclear_places_without_a_piece_may_not() -> None:
    piece, bare = (
        UnsureSquare((1, 0), (FOREST, SWAMP), DoubtReason.OTHER_KIND),
        [UnsureSquare((x, 1), (None, SWAMP), DoubtReason.NO_DOMINO) for x in range(3)],
    )

    assert viewed(piece).unfamiliar
    assert not viewed(*bare).unfamiliar


@pytest.mark.parametrize(
    ("fixes", "expected"), (("", False), ("00x0", False), ("10castle", False), ("00f0", True))
)
def test_a_square_teaches_and_a_bare_place_does_not(fixes: str, expected: bool) -> None:
    assert viewed(fixes=fixes).teaches == expected


def test_the_castle_moves_and_there_is_never_a_second_one() -> None:
    view = viewed(fixes="10castle.00f0")

    assert [place.face.label for place in view.places if place.face] == ["f0", "castle-blue", "s0"]
    assert view.fixes == "10castle.00f0."


@pytest.mark.parametrize(("fixes", "expected"), (("", None), ("00D0-c0-black.", "Black")))
def test_what_an_open_question_is_about_is_not_refused_yet(fixes: str, expected: str | None) -> None:
    game, lying = GAMES["carcassonne"], TileKind("D", 0, "c0", "black")
    setup = Setup((Player("Ana", Colour.RED), Player("Rui", Colour.BLUE)), BOARDS.options)
    doubt = UnsureSquare((0, 0), (lying, lying.bare), TileDoubt.FOLLOWER)
    shown = BoardReading({(0, 0): lying}, (doubt,), ranked={(0, 0): (lying,)})
    taken = PhotographedGroup((PicturePlaces(20, 20, {(0, 0): ((0, 0), (10, 0), (10, 10), (0, 10))}),), shown)

    view = photo_view(game, BOARDS, taken, PhotoTable(setup, game.start(setup)), fixes, "")

    refused = view.settled.refused
    assert (refused and str(refused)) == (
        expected and f"Followers stand there whose colour nobody plays: {expected}."
    )
