"""Whatever is asked can be answered: a ruling stands though what asked for it falls."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.page import page
from companion.games.dominations.rules.events import Passed
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import (
    EGYPTIAN,
    GARDENS,
    LIGHTHOUSE,
    ROMAN,
    UNASKED,
    evening,
    has,
    play,
    refusal,
    rich,
)

DAWN = 'mastery dawn "Aurora" R 3 basic 0 0 "turn start: 2 V"'
HAS_DAWN = f"{DAWN}\n1 adjusts R +3\n1 passes\n1 develops dawn\n1 ends"
CRADLE_RING = "\n".join(f"tile A:SSS at {cell}" for cell in ("0,0d", "1,0u", "1,-1d", "1,-1u"))


def problems(story: str) -> list[str]:
    return [str(remark.text) for remark in evening(2, story, options="").problems]


def test_a_ruling_is_recorded_though_what_asked_for_it_cannot_happen_by_it() -> None:
    position = play(2, "1 passes\nrule no_tile lay", options="")

    assert (position.rulings["no_tile"], position.held, position.stage) == ("lay", None, "growth")
    assert [dropped.event for dropped in position.dropped] == [Passed(0)]
    assert problems("1 passes\nrule no_tile lay") == [
        "lays no territory: it does not count by a ruling (no territory to lay: No, one has to be drawn)."
        " This table ruled that a territory has to be laid."
    ]
    # The turn goes on with what the table allows.
    assert has(play(2, "1 passes\nrule no_tile lay\n1 produces T1", options=""), 1) == {"T": 1}


def test_a_table_that_has_to_lay_a_territory_is_offered_no_passing() -> None:
    lines = [
        [choice.line for choice in offers(page(play(2, f"rule no_tile {answer}"), {}))]
        for answer in ("pass", "lay")
    ]

    assert ["1 passes" in each for each in lines] == [True, False]


def test_a_round_monument_at_the_cradle_is_dropped_where_the_cradle_is_no_part_of_a_locus() -> None:
    story = (
        f"{GARDENS}\n{ROMAN}\n{CRADLE_RING}\n1 keeps roman and gardens\n{rich(1, 'C3')}\nrule no_tile pass"
    )
    asked = f"{story}\n1 passes\n1 raises gardens at @1,0 nodi C1"
    held = play(2, asked, options="").held

    assert held is not None
    assert held.need.about == "cradle"
    middle = f"{story}\nrule cradle part\n1 passes"
    assert refusal(2, middle, "1 raises gardens at @0,0 nodi C1", options="") == (
        "A round Monument stands in the middle of a complete Locus."
    )
    kept, left = (play(2, f"{asked}\nrule cradle {answer}", options="") for answer in ("part", "no_part"))
    assert (len(kept.board.circles), len(kept.dropped), has(kept, 1)) == (1, 0, {})
    assert (len(left.board.circles), len(left.dropped), has(left, 1)) == (0, 1, {"C": 3})


def test_a_round_monument_beside_a_lozenge_is_dropped_where_a_lozenge_is_no_part_of_a_locus() -> None:
    cards = "\n".join((LIGHTHOUSE.replace(" beside T", ""), ROMAN, EGYPTIAN, GARDENS))
    story = (
        f"rule no_tile pass\nrule joins once\n{cards}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens\n"
        "1 adjusts T +5\ntile A:SSS at 5,5u\ntile A:SSS at 4,5d\ntile A:SSS at 4,5u\ntile C:PPP at 5,4d\n1 passes\n"
        "1 raises lighthouse at 4,4d+5,4u dots RRRRRR nodi T1\n1 ends\n2 adjusts C +3\n2 passes"
    )
    raises = "2 raises gardens at @5,5 nodi C1"
    held = play(2, f"{story}\n{raises}", options="").held

    assert held is not None
    assert held.need.about == "lozenge"
    stands, left = (
        play(2, f"{story}\n{raises}\nrule lozenge {answer}", options="")
        for answer in ("two_cells", "no_part")
    )
    assert (len(stands.board.circles), len(stands.dropped), has(stands, 2)) == (1, 0, {})
    assert (len(left.board.circles), len(left.dropped), has(left, 2)) == (0, 1, {"C": 3})
    ruled = f"{story}\nrule lozenge no_part"
    assert refusal(2, ruled, raises, options="") == (
        "A round Monument stands in the middle of a complete Locus."
    )
    tapped = {"do": "monument", "key": "gardens"}
    offered = [[*page(play(2, each, options=""), tapped)["targets"]] for each in (story, ruled)]
    assert [len(targets) for targets in offered] == [1, 0]


def test_a_card_is_read_out_though_it_costs_more_than_there_is() -> None:
    story = f"{rich(1, 'T3')}\n1 passes\n1 develops market nodi T1"
    taught = f'{story}\nmastery market "Mercado" T 9 basic 0 0'

    assert ("market" in play(2, taught).taught, has(play(2, taught), 1)) == (True, {"T": 3})
    assert [str(dropped.reason) for dropped in play(2, taught).dropped] == [
        "This costs 9, and there is only 3 in the Reserve."
    ]
    assert refusal(2, taught, "1 ends") == ""


def test_what_is_told_meanwhile_leaves_what_is_asked_as_it_is() -> None:
    story = "tile A:SVS at 4,0u\n1 lays T:SRR at 4,0d"

    assert refusal(2, story, "tile C:CCC at 4,0d") == "Something lies there already."


def test_nobody_is_asked_about_what_the_rules_forbid_anyway() -> None:
    of_three = f"{HAS_DAWN}\n2 passes\n2 ends\n3 passes"
    assert refusal(3, of_three, "2 lays T:TTT at 0,0d") == "It is another player's turn."
    # Who is next is asked, as ever.
    held = play(3, f"{of_three}\n1 lays T:TTT at 0,0d").held
    assert held is not None
    assert (held.need.ask, held.need.player) == ("domains", 0)


@pytest.mark.parametrize("options", ("", UNASKED))
def test_answers_that_cannot_be_meant_are_refused_before_anything_else_is_asked(options: str) -> None:
    story = "tile A:APV at 4,0u\ntile A:SSP at 5,0u"
    asked = "1 lays T:PVP at 4,0d"
    held = play(2, f"{story}\n{asked}", options="").held
    assert held is not None
    assert (held.need.ask, held.need.about) == ("ruling", "joins")

    assert refusal(2, story, f"{asked} choosing TTTT", options).startswith("Choose ")
    assert refusal(2, story, f"{asked} choosing TT", options) == ""
