"""Civilization Trees: Nodi, Vestigium, Corruptio, and where a card may come."""

from __future__ import annotations

import pytest

from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.tree import Planted, Tree, nodus_of
from tests.games.dominations.stories import has, play, refusal, rich


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
