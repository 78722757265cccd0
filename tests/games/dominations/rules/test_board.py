"""Cells, circles and what a territory produces where it lies."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.dominations.rules.board import (
    Board,
    DotCounting,
    Planted,
    Tile,
    Tree,
    locus_yield,
    nodus_of,
    side_yield,
)
from companion.games.dominations.rules.box import CRADLE, Domain
from companion.games.dominations.rules.lattice import Cell, Point, cells_round, parse_cell, shared_corners
from tests.games.dominations.stories import has, play, refusal, rich


def board(*lying: str) -> Board:
    """Territories as `2,-1u T:TCR`, laid wherever they are."""
    found = Board()
    for text in lying:
        cell, tile = text.split()
        found = found.laid(parse_cell(cell), Tile(Domain(tile[0]), tile[2:]))
    return found


def test_neighbours_are_mutual_and_share_two_points() -> None:
    for cell in (Cell(i, j, down) for i in range(-3, 4) for j in range(-3, 4) for down in (0, 1)):
        assert all(cell in near.neighbours for near in cell.neighbours)
        assert [len(shared_corners(cell, near)) for near in cell.neighbours] == [2, 2, 2]


def test_six_cells_lie_round_a_point_each_beside_the_next() -> None:
    ring = cells_round(Point(2, -3))

    assert len(set(ring)) == 6
    assert all(Point(2, -3) in cell.corners for cell in ring)
    assert all(ring[n] in ring[(n + 1) % 6].neighbours for n in range(6))


def test_a_territory_may_be_laid_only_beside_what_lies_there() -> None:
    alone = Board()

    assert len(alone.free) == 6
    assert all(sum(near in CRADLE for near in cell.neighbours) == 1 for cell in alone.free)
    # Only a corner in common is not beside it.
    assert Cell(1, 1, 0) not in alone.free


def test_the_rulebooks_example_of_concentration() -> None:
    """Rulebook 004: a Field of Trade, Trade beside Trade and Crafts beside Religion bring 4 Trade, 1 and 1."""
    # The side in common runs from 5,0 to 4,1: Trade meets Trade at 5,0, Crafts meets Religion at 4,1.
    lying = board("4,0u A:ATR", "4,0d T:TSC")

    found = side_yield(lying, Cell(4, 0, 1), DotCounting())

    assert found.field is Domain.TRADE
    assert Counter(found.dots) == {"T": 2, "R": 1, "C": 1}
    assert found.concentration == ("T",)


def test_dots_that_differ_bring_no_concentration() -> None:
    lying = board("4,0u A:ATR", "4,0d T:CST")

    assert side_yield(lying, Cell(4, 0, 1), DotCounting()).concentration == ()


def test_a_dot_on_two_joined_sides_counts_once_or_for_each_side() -> None:
    lying = board("4,0u A:APP", "5,0u A:SSP", "4,0d T:PPP")

    once = side_yield(lying, Cell(4, 0, 1), DotCounting())
    per_side = side_yield(lying, Cell(4, 0, 1), DotCounting(per_side=True))

    assert Counter(once.dots) == {"P": 6, "S": 1}
    assert Counter(per_side.dots) == {"P": 7, "S": 1}
    assert once.concentration == per_side.concentration == ("P", "P", "P")


def test_white_beside_a_colour_concentrates_only_where_the_table_says_so() -> None:
    lying = board("4,0u A:AVR", "4,0d T:TSC")

    assert side_yield(lying, Cell(4, 0, 1), DotCounting()).concentration == ()
    assert side_yield(lying, Cell(4, 0, 1), DotCounting(white=True)).concentration == ("T",)
    # White beside white has no colour that could be of a Domain.
    whites = board("4,0u A:AVR", "4,0d T:VSC")
    assert side_yield(whites, Cell(4, 0, 1), DotCounting(white=True)).concentration == ()


def test_a_locus_is_closed_by_the_sixth_territory_and_has_no_concentration() -> None:
    ring = cells_round(Point(5, 5))
    lying = Board()
    for cell in ring[:5]:
        lying = lying.laid(cell, Tile(Domain.ART, "SSS"))
        assert lying.closed(cell) == ()
    lying = lying.laid(ring[5], Tile(Domain.CRAFTS, "TTT"))

    found = locus_yield(lying, ring[5], Point(5, 5))

    assert lying.closed(ring[5]) == (Point(5, 5),)
    assert (found.field, Counter(found.dots), found.concentration) == (Domain.CRAFTS, {"S": 5, "T": 1}, ())


def test_nothing_is_joined_to_a_coast() -> None:
    cells = (Cell(3, 0, 0), Cell(3, 0, 1))
    lying = Board().with_lozenge("lighthouse", cells, "TTTSSS", frozenset({Cell(4, 0, 0)}))

    assert [side.cell for side in lying.joined(Cell(4, 0, 0))] == []
    assert [side.cell for side in lying.joined(Cell(3, 1, 0))] == [Cell(3, 0, 1)]
    assert [side.cell for side in lying.joined(Cell(3, 0, 0))] == []


def test_the_resources_of_a_lozenge_work_for_what_is_joined_later() -> None:
    cells = (Cell(3, 0, 0), Cell(3, 0, 1))
    lying = Board().with_lozenge("lighthouse", cells, "TTTSSS", frozenset())
    lying = lying.laid(Cell(4, 0, 0), Tile(Domain.ART, "RRR"))

    assert Counter(side_yield(lying, Cell(4, 0, 0), DotCounting()).dots) == {"S": 2, "R": 2}


def test_the_cradle_has_dots_once_they_are_told() -> None:
    beside, tile = Cell(0, 0, 1), Tile(Domain.ART, "RRS")
    bare, told = Board().laid(beside, tile), Board().with_cradle("T" * 12).laid(beside, tile)

    assert Counter(side_yield(bare, beside, DotCounting()).dots) == {"R": 1, "S": 1}
    assert Counter(side_yield(told, beside, DotCounting()).dots) == {"R": 1, "S": 1, "T": 2}


def tree(*cards: str) -> Tree:
    """Cards as `x,y halves`, by the names a, b, c and so on; the Campfire is all Trade."""
    found = Tree().with_campfire("TTTT")
    for name, text in zip("abcdefgh", cards, strict=False):
        spot, halves = text.split()
        x, y = spot.split(",")
        found = found.with_card(Planted(name, 0, False, (int(x), int(y)), halves))
    return found


def objections(found: Tree, spot: tuple[int, int], halves: str) -> list[str]:
    return [str(text) for text in found.against(Planted("new", 0, False, spot, halves))]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    (
        ("T", "T", Domain.TRADE),
        ("T", "C", None),
        ("V", "A", Domain.ART),
        ("A", "V", Domain.ART),
        ("V", "V", None),
        ("X", "X", None),
        ("X", "T", None),
        ("X", "V", None),
        ("-", "T", None),
        ("?", "R", Domain.RELIGION),
    ),
)
def test_halves_meet_in_one_colour_or_not_at_all(one: str, other: str, expected: Domain | None) -> None:
    assert nodus_of(one, other) is expected


def test_a_card_lies_beside_the_tree_and_not_across_a_corner() -> None:
    assert objections(tree(), (1, 0), "CCCT") == []
    assert objections(tree(), (1, 1), "TTTT") == ["A card has to lie beside another one of the Tree."]
    assert objections(tree(), (0, 0), "TTTT") == ["There lies a card of the Tree already."]


def test_a_card_makes_a_nodus_with_every_card_beside_it() -> None:
    #  c
    #  F a
    found = tree("1,0 ACCT", "0,-1 CRTC")
    both = "A card has to make a Nodus with every card beside it."

    assert objections(found, (1, -1), "TTAR") == []
    assert objections(found, (1, -1), "TTAC") == [both]
    assert objections(found, (1, -1), "TTCR") == [both]


def test_corruptio_makes_its_place_useless_for_good() -> None:
    found = tree("1,0 XCCT")

    for half in "TCASPRVX":
        assert objections(found, (1, -1), f"TT{half}T") != []


def test_complete_nodi_are_counted_by_the_colour_they_made() -> None:
    found = tree("1,0 ACVT", "2,0 TTTC", "1,1 SAAA")

    assert {domain.value: count for domain, count in found.count().items() if count} == {
        "T": 1,
        "C": 1,
        "S": 1,
    }
    # Of these, the one with the Campfire is not between two Masteries.
    assert found.count(masteries_only=True)[Domain.TRADE] == 0
    assert found.made_by(Planted("new", 0, False, (2, 1), "TTTA")) == (Domain.TRADE, Domain.ART)


MINING = 'mastery mining "Mineração" C 3 basic 0 0 "nodus C: 2 C"'


def test_a_card_that_does_not_fit_cannot_be_taken() -> None:
    story = f"{MINING}\n1 has campfire TCAS\n{rich(1, 'C9')}\n1 passes"

    assert refusal(2, story, "1 develops mining in 1,0 CCCT").startswith("A card has to make a Nodus")
    assert refusal(2, story, "1 develops mining in 2,0 CCCC").startswith("A card has to lie beside")
    assert refusal(2, story, "1 develops mining in 1,0 CCCC") == ""


def test_cards_never_move_and_the_campfire_cannot_break_their_nodi() -> None:
    story = f"{MINING}\n1 has campfire TCAS\n{rich(1, 'C9')}\n1 passes\n1 develops mining in 1,0 CCCC"

    assert refusal(2, story, "1 has campfire TTTT").startswith("The cards beside the Campfire make no Nodus")
    assert refusal(2, story, "1 has campfire ACSR") == ""


def test_a_nodus_just_made_counts_for_the_card_that_made_it() -> None:
    """Rulebook 004, FAQ: Templars counts the Nodi of Religion that its own coming creates."""
    templars = 'mastery templars "Templários" R 3 basic 0 0 "now: 1 influence per nodus R"'
    story = f"{templars}\n1 has campfire RRRR\n{rich(1, 'R9')}\n1 passes\n1 develops templars in 1,0 TTTR"

    assert play(2, story).seats[0].influence == 1


def test_every_nodus_created_gives_what_other_cards_say() -> None:
    story = f"""{MINING}
        mastery other "Outra" T 3 basic 0 0
        1 has campfire CCCC
        {rich(1, "C9 T3")}
        1 passes
        1 develops mining in 1,0 CCCC
        2 passes
        1 passes
        1 develops other in 1,1 CTTV
        """
    # Mining makes one Nodus of its own, the other card another; what Mining gives is a Gain each time.
    assert has(play(2, story), 1) == {"C": 9 - 3 + 2 + 2}


def test_nodi_may_be_told_without_a_place() -> None:
    position = play(2, f"{MINING}\n{rich(1, 'C9')}\n1 passes\n1 develops mining nodi C1 T2")

    assert has(position, 1) == {"C": 8}
    assert position.seats[0].tree.count()[Domain.TRADE] == 2
