"""Cities and Monuments: costs, Influence, limits, markers, rewards and control."""

from __future__ import annotations

from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.eras import controller
from companion.games.dominations.rules.lattice import parse_cell
from tests.games.dominations.stories import CARDS, ROMAN, evening, has, play, refusal, rich

LYING = "tile T:RRR at 4,0u\ntile S:RRR at 5,0u\ntile T:RRR at 4,0d"


def test_a_city_costs_three_of_its_fields_domain_and_raises_its_limit() -> None:
    position = play(2, f"{LYING}\n{rich(1, 'T5', 5)}\n1 passes\n1 builds at 4,0u")

    assert has(position, 1) == {"T": 2}
    assert (position.seats[0].influence, position.seats[0].markers) == (1, 14)
    assert position.seats[0].limits["T"] == 10  # type: ignore[index]


def test_levels_cost_three_six_and_nine_and_influence_adds_up_to_six() -> None:
    story = f"""{LYING}
        {rich(1, "T20")}
        1 passes
        1 builds at 4,0u
        2 passes
        1 passes
        1 upgrades at 4,0u
        2 passes
        1 passes
        1 upgrades at 4,0u
        """
    position = play(2, story)

    assert has(position, 1) == {"T": 20 - 3 - 6 - 9}
    assert (position.seats[0].influence, position.seats[0].markers) == (6, 12)
    assert [city.level for city in position.cities] == [3]
    more = f"{story}\n2 passes\n1 passes"
    assert refusal(2, more, "1 upgrades at 4,0u") == "A City has three levels at most."


def test_a_city_needs_a_free_field_and_the_knowledge() -> None:
    story = f"{LYING}\n{rich(1, 'T5', 5)}\n{rich(2, 'T5', 5)}\n1 passes\n1 builds at 4,0u\n2 passes"

    assert refusal(2, story, "2 builds at 4,0u") == "There is a City on this Field already."
    assert refusal(2, story, "2 builds at 9,9u") == "There lies no territory."
    assert refusal(2, story, "2 builds at 5,0u").startswith("This costs 3, and there is only 0")
    assert refusal(2, story, "2 upgrades at 4,0u") == "This City belongs to somebody else."
    assert refusal(2, story, "2 builds at 4,0d") == ""


def test_paying_less_than_a_city_costs_takes_a_reason_and_what_there_is() -> None:
    position = play(2, f'{LYING}\n{rich(1, "T2", 5)}\n1 passes\n1 builds at 4,0u because "a gift"')

    assert (has(position, 1), len(position.cities)) == ({}, 1)


def test_the_highest_city_of_a_domain_sets_its_limit_and_limits_do_not_add_up() -> None:
    """Rulebook 004, FAQ: three Cities of level 1 hold 10, and one of level 2 holds 15."""
    lying = "tile T:RRR at 4,0u\ntile T:RRR at 5,0u\ntile T:RRR at 6,0u"
    story = f"""{lying}
        1 adjusts T +5
        1 passes
        1 builds at 4,0u
        2 passes
        1 adjusts T +3
        1 passes
        1 builds at 5,0u
        2 passes
        1 adjusts T +3
        1 passes
        1 builds at 6,0u
        """
    assert play(2, story).seats[0].limits["T"] == 10  # type: ignore[index]
    risen = f"{story}\n2 passes\n1 adjusts T +6\n1 passes\n1 upgrades at 6,0u"
    assert play(2, risen).seats[0].limits["T"] == 15  # type: ignore[index]


def test_without_markers_there_are_no_more_cities() -> None:
    story = f"{LYING}\n{rich(1, 'T9', 10)}\n1 adjusts markers -15\n1 passes"

    assert refusal(2, story, "1 builds at 4,0u") == "All City markers of this player are on the table."


def test_what_costs_nothing_or_less_is_free_and_brings_nothing() -> None:
    theocracy = 'mastery theocracy "Teocracia" P 6 basic 0 0 "pay city: 4"'
    story = f"{LYING}\n{theocracy}\n{rich(1, 'P6', 10)}\n1 passes\n1 develops theocracy\n2 passes\n1 passes"

    position = play(2, f"{story}\n1 builds at 4,0u")

    assert (has(position, 1), position.seats[0].influence) == ({}, 1)


def test_a_discount_of_one_domain_is_paid_in_that_domain() -> None:
    """Rulebook 004, FAQ: a black number only lowers the cost; the rest is paid in the Field's Domain."""
    card = 'mastery theocracy "Teocracia" P 6 basic 0 0 "pay city T: 2"'
    story = f"{LYING}\n{card}\n{rich(1, 'P6 T5 S5', 10)}\n1 passes\n1 develops theocracy\n2 passes\n1 passes"

    assert has(play(2, f"{story}\n1 builds at 4,0u"), 1) == {"T": 4, "S": 5}
    assert has(play(2, f"{story}\n1 builds at 5,0u"), 1) == {"T": 5, "S": 2}


def test_bridges_give_the_citys_domain() -> None:
    bridges = 'mastery bridges "Pontes" C 6 basic 0 0 "city: 2 city"'
    story = f"{LYING}\n{bridges}\n{rich(1, 'C6 S5', 10)}\n1 passes\n1 develops bridges\n2 passes\n1 passes"

    assert has(play(2, f"{story}\n1 builds at 5,0u"), 1) == {"S": 4}


MONUMENTS = f"{CARDS}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens"


def test_the_rulebooks_example_of_the_lighthouse() -> None:
    """A Trade City beside it brings Black 10 points, a Science City built later 10 to White, once."""
    story = f"""{MONUMENTS}
        {LYING}
        {rich(1, "T5 S20")}
        {rich(2, "T5", 5)}
        1 passes
        2 passes
        2 builds at 4,0d         # Black
        1 passes
        1 raises lighthouse at 4,1u+3,1d
        """
    position = play(2, story)
    assert position.points == (5, 10)
    assert has(position, 1) == {"T": 20, "S": 20}
    later = f"{story}\ntile S:RRR at 3,2u\n2 passes\n1 passes\n1 builds at 3,2u"
    assert play(2, later).points == (15, 10)
    risen = f"{later}\n2 passes\n1 passes\n1 upgrades at 3,2u"
    assert play(2, risen).points == (15, 10)


def test_the_rulebooks_example_of_the_hanging_gardens() -> None:
    """Crafts Cities in the Locus bring their owners 5 points, whatever their level, now or later."""
    ring = (
        "tile C:SSS at 5,5u\ntile C:SSS at 4,5d\ntile C:SSS at 4,5u\ntile A:SSS at 4,4d\ntile A:SSS at 5,4u"
    )
    story = f"""{MONUMENTS}
        {ring}
        tile A:SSS at 5,4d
        {rich(1, "C20 A20")}
        {rich(2, "C20")}
        1 passes
        1 builds at 5,5u
        2 passes
        2 builds at 4,5d
        1 passes
        1 upgrades at 5,5u
        2 passes
        2 raises gardens at @5,5
        """
    assert play(2, story).points == (5, 5 + 4)
    assert play(2, f"{story}\n1 passes\n1 builds at 4,5u").points == (10, 9)
    assert play(2, f"{story}\n1 passes\n1 builds at 4,4d").points == (5, 9)


def test_a_circle_needs_a_complete_locus_and_a_lozenge_its_shape() -> None:
    story = f"{MONUMENTS}\n{LYING}\n{rich(1, 'T20 C20')}\n1 passes"

    assert refusal(2, story, "1 raises gardens at @5,5").startswith("A round Monument stands")
    assert refusal(2, story, "1 raises gardens at 4,1u+3,1d") == "This piece has another shape."
    assert refusal(2, story, "1 raises lighthouse at 4,1u+4,0d").startswith(
        "A lozenge covers two free places"
    )
    assert refusal(2, story, "1 raises lighthouse at 8,8u+8,8d").startswith("A lozenge has to lie")
    assert refusal(2, story, "1 raises lighthouse at 4,1u+3,1d").startswith("This Monument has to lie beside")


def test_levels_are_taken_in_their_order_by_anybody() -> None:
    both = f"{rich(1, 'T20')}\n{rich(2, 'T20')}"
    story = f"{MONUMENTS}\n{both}\n1 passes\n1 raises lighthouse\n2 passes\n2 raises lighthouse"
    position = play(2, story)

    assert [(seat.tree.levels[0].key, seat.tree.levels[0].level) for seat in position.seats] == [
        ("lighthouse", 1),
        ("lighthouse", 2),
    ]
    assert (position.points[1], has(position, 2)) == (8, {"T": 12})
    done = f"{MONUMENTS}\n{rich(1, 'C20')}\n1 passes\n1 raises gardens\n2 passes\n1 passes"
    assert refusal(2, done, "1 raises gardens") == "All levels of this Monument are taken."


def test_the_first_level_of_the_lighthouse_gives_the_limit_of_trade() -> None:
    position = play(2, f"{MONUMENTS}\n{rich(1, 'T10', 15)}\n1 passes\n1 raises lighthouse")

    assert has(position, 1) == {"T": 15}


def test_a_monument_produces_nothing_but_its_dots_work_later() -> None:
    story = f"""{MONUMENTS}
        {LYING}
        {rich(1, "T20")}
        1 passes
        1 builds at 4,0d
        2 passes
        1 passes
        1 raises lighthouse at 4,1u+3,1d dots SSSAAA
        """
    assert [line.produced for line in play(2, story).lines if line.produced] == []
    assert has(play(2, f"{story}\n2 lays R:RRR at 3,2u"), 2) == {"A": 2, "R": 3}


def test_nothing_is_joined_to_a_coast_but_where_it_shows_a_reward() -> None:
    coastal = CARDS.replace("lozenge beside T", "lozenge coastal")
    story = f"""{coastal}
        1 keeps roman and lighthouse
        {LYING}
        {rich(1, "T20 R5 S20")}
        1 passes
        """
    # The sides of 3,1d+4,1u in their order: 3,1u, 3,2u, 4,0d, 4,1d.
    assert refusal(2, story, "1 raises lighthouse at 3,1d+4,1u open 2").startswith(
        "Nothing may touch a coast"
    )
    laid = f"{story}\n1 raises lighthouse at 3,1d+4,1u open 2,3"
    assert refusal(2, laid, "2 lays R:RRR at 3,1u").startswith("A territory has to lie side by side")
    assert refusal(2, laid, "2 lays R:RRR at 3,2u") == ""


def test_control_is_levels_taken_and_city_levels_beside_and_the_first_level_in_a_tie() -> None:
    story = f"""{MONUMENTS}
        {LYING}
        {rich(1, "T20")}
        {rich(2, "T20")}
        1 passes
        2 passes
        2 builds at 4,0d
        1 passes
        1 raises lighthouse at 4,1u+3,1d
        """
    # One Level card against one City: whoever has level 1.
    assert controller(play(2, story), "lighthouse") == 0
    assert controller(play(2, f"{story}\n2 passes\n2 upgrades at 4,0d"), "lighthouse") == 1
    assert controller(play(2, MONUMENTS), "lighthouse") is None
    # Not even who is nearer the first place goes before whoever has level 1.
    turns = story.replace("1 passes\n        2 passes", "2 passes", 1)
    assert controller(play(2, f"order 2 1\n{turns}"), "lighthouse") == 0


def test_a_monument_of_nobody_is_not_in_the_game() -> None:
    assert refusal(2, f"{CARDS}\n1 passes", "1 raises lighthouse") == "This Monument is not in the game."
    assert refusal(2, f"{CARDS}\n1 keeps roman and gardens", "2 keeps egyptian and gardens").startswith(
        "This Monument is"
    )


def test_the_inventor_reactivates_a_locus_under_a_round_monument() -> None:
    ring = "\n".join(f"tile C:SSS at {cell}" for cell in ("5,5u", "4,5d", "4,5u", "4,4d", "5,4u", "5,4d"))
    story = f"{MONUMENTS}\n{ring}\n{rich(1, 'C9 S9')}\n1 passes\n1 raises gardens at @5,5\n2 passes\n1 holds inventor"
    position = play(2, f"{story}\n1 adjusts S -9\n1 reactivates 5,4d\n1 chooses @5,5")

    assert has(position, 1) == {"C": 7, "S": 6}


def test_a_limit_rises_after_its_city_was_paid_for() -> None:
    session_lines = play(2, f"{LYING}\n1 adjusts T +5\n1 passes\n1 builds at 4,0u").lines

    assert [line.amount for line in session_lines if line.unit == "T"] == [5, -3]


def test_a_piece_that_is_not_on_the_map_is_pointed_out() -> None:
    story = f"{MONUMENTS}\n{rich(1, 'T9', 10)}\n1 passes\n1 raises lighthouse nodi T1"

    assert evening(2, story).problems == ()
    assert [str(problem) for problem in evening(2, f"{LYING}\n{story}").problems] == [
        "The piece of “O Farol” is not on the map: it has paid no rewards."
    ]
    placed = story.replace("raises lighthouse", "raises lighthouse at 4,1u+3,1d").replace(" beside T", "")
    assert evening(2, f"{LYING}\n{placed}").problems == ()


COAST = 'monument harbour "Porto" lozenge coastal reward T 10 level T 5 5 0'
AT_THE_COAST = f"""
{COAST}
{ROMAN}
1 keeps roman and harbour
{rich(1, "T18")}
tile T:RRR at 4,0d
1 passes
1 raises harbour at 4,1u+3,1d open 3
1 ends
"""
OVERLAPS = '{who} lays T:SSS at {cell} because "it lies there"'


def test_a_territory_touches_a_coast_only_where_it_shows_a_reward() -> None:
    board = play(2, AT_THE_COAST).board
    shut = {cell for piece in board.pieces.values() for cell in piece.shut}
    beside = {near for cell in board.tiles for near in cell.neighbours}

    assert shut
    assert not shut & {*board.free}
    for cell in shut:
        # Whether or not another side of it is joined to a territory.
        story = f"{AT_THE_COAST}tile C:RRR at {next(c for c in cell.neighbours if c not in board.pieces)}"
        assert refusal(2, story, f"2 lays T:SSS at {cell}").startswith("Nothing may touch a coast")
        assert cell not in play(2, story).board.free
        assert cell not in [parse_cell(t.place) for t in page(play(2, story), {})["targets"]]
    assert beside & {*board.free}


def test_what_is_forced_beside_a_coast_is_kept_and_not_rewarded() -> None:
    board = play(2, AT_THE_COAST).board
    cell = min(cell for piece in board.pieces.values() for cell in piece.shut)
    story = f"{AT_THE_COAST}{OVERLAPS.format(who=2, cell=cell)}\n2 ends\n1 passes"
    forced, built = play(2, story), play(2, f"{story}\n1 builds at {cell}")

    assert cell in forced.board.tiles
    assert cell not in forced.board.beside("harbour")
    assert built.points == forced.points


def test_a_monument_that_was_begun_without_a_map_is_not_placed_by_its_second_level() -> None:
    story = f"{MONUMENTS}\n{LYING}\n{rich(1, 'T15')}\n1 passes\n1 raises lighthouse\n2 passes\n1 passes"

    assert refusal(2, story, "1 raises lighthouse") == ""
    placed = refusal(2, story, "1 raises lighthouse at 4,1u+3,1d")
    assert placed == "This Monument stands on the table already."
