"""What a Locus sets off, Cities counted by Domain and by chain, and rulings that older logs do not know."""

from __future__ import annotations

import pytest

from companion.games.dominations.page.presenter import page
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import has, play, refusal, rich

RING = ("2,0u", "1,0d", "1,0u", "1,-1d", "2,-1u", "2,-1d")


def ring(*fields: str) -> str:
    cells = zip(RING[: len(fields)], fields, strict=True)
    return "\n".join(f"tile {field}:--- at {cell}" for cell, field in cells)


ORACLE = 'mastery oracle "Oráculo" R 3 basic 0 0 "locus: 2 A"'


def test_a_locus_sets_off_the_masteries_of_whoever_closes_it() -> None:
    story = f"{ORACLE}\n1 adjusts R +3\n1 passes\n1 develops oracle nodi R1\n1 ends\n2 passes\n2 ends\n{ring(*'SSSSS')}"

    assert has(play(2, f"{story}\n1 lays T:--- at 2,-1d"), 1) == {"T": 1, "A": 2}
    assert has(play(2, f"{story}\n1 passes\n1 ends\n2 lays T:--- at 2,-1d"), 1) == {}


def test_in_numbers_nobody_knows_of_a_locus_and_its_cards_are_recalled() -> None:
    story = f"{ORACLE}\n1 adjusts R +3\n1 passes\n1 develops oracle nodi R1\n1 ends\n2 passes\n2 ends"
    position = play(2, f"{story}\n1 produces T1")

    assert [due.key for due in position.reminders] == ["oracle"]


CITIES = (
    "tile T:--- at 0,0d\ntile T:--- at 1,0u\ntile C:--- at 1,-1d\ntile T:--- at 3,0u\n"
    f'{rich(1, "T9 C3")}\n2 passes because "first"\n2 ends'
)


@pytest.mark.parametrize(
    ("effect", "points"),
    (
        ("1 points per city T", 3),
        ("1 points per city C", 1),
        ("1 points per city level T", 3),
        ("1 points per city on the board C", 1),
        ("1 points per connected city", 3),
    ),
)
def test_cities_are_counted_by_domain_and_by_chain(effect: str, points: int) -> None:
    built = "".join(
        f"1 passes\n1 builds at {cell}\n1 ends\n2 passes\n2 ends\n"
        for cell in ("0,0d", "1,0u", "1,-1d", "3,0u")
    )
    cities = CITIES.replace('2 passes because "first"\n2 ends', built)
    card = f'mastery war "Guerra" A 3 basic 0 0 "now: {effect}"'

    assert play(2, f"{cities}{card}\n1 adjusts A +3\n1 passes\n1 develops war nodi A1").points[0] == points


def test_vestigium_that_may_not_be_split_asks_for_one_domain() -> None:
    card = 'mastery gift "Dádiva" A 3 basic 0 0 "now: 3 one"'
    story = f"{card}\n1 adjusts A +3\n1 passes\n1 develops gift nodi A1"

    assert has(play(2, f"{story}\n1 chooses S"), 1) == {"S": 3}
    assert refusal(2, story, "1 chooses SST") == "Choose one of the six Domains."


REACTIVATING = "tile T:--- at 0,0d\n1 holds inventor\n1 holds merchant"


@pytest.mark.parametrize(
    ("ruling", "trade"), (("", 1), ("rule merchant laid\n", 1), ("rule merchant reactivated\n", 2))
)
def test_whether_the_merchant_counts_with_the_inventor_is_for_the_table(ruling: str, trade: int) -> None:
    assert has(play(2, f"{ruling}{REACTIVATING}\n1 reactivates 0,0d", options=""), 1) == {"T": trade}


def test_the_page_asks_for_the_ruling_before_it_matters() -> None:
    wish = {"do": "invent", "at": "0,0d"}

    assert [c.line for c in offers(page(play(2, REACTIVATING, options=""), wish))] == [
        "rule merchant laid",
        "rule merchant reactivated",
    ]
    ruled = page(play(2, f"rule merchant laid\n{REACTIVATING}", options=""), wish)
    assert [c.line for c in offers(ruled) if c.main] == ["1 reactivates 0,0d"]


SECOND = "tile T:--- at 0,0d\n1 holds inventor\n1 holds worker\n1 passes"


def test_the_inventor_may_take_the_place_of_the_workers_territory_where_the_table_rules_so() -> None:
    refused = "A territory was laid in this turn already."
    ruled = play(2, f"rule inventor_again as_second\n{SECOND}\n1 reactivates 0,0d")

    assert refusal(2, SECOND, "1 reactivates 0,0d") == refused
    assert (has(ruled, 1), ruled.seats[0].roles) == ({"T": 1}, ())


PAIR = (
    'mastery one "Um" A 3 basic 0 0 "era end: 1 T per left C"\n'
    'mastery two "Dois" A 3 basic 0 0 "era end: 1 C per left T"\n'
)
BEFORE = (
    f"{PAIR}{rich(1, 'A6 T2 C3')}\n1 passes\n1 develops one nodi A1\n1 ends\n2 passes\n2 ends\n"
    "1 passes\n1 develops two nodi A1\n1 ends\n2 passes\n2 ends\n"
)
REST = "1 passes\n1 ends\n2 passes\n2 ends\n" * 3


def test_the_owner_says_the_order_of_effects_where_the_table_wants_it() -> None:
    story = f"{BEFORE}{REST}era effects"

    assert has(play(2, story), 1) == {"T": 5, "C": 8}
    asked = play(2, f"rule effect_order owner\n{story}")
    assert asked.held is not None
    assert asked.held.need.choices == ("one#1", "two#2")
    assert has(play(2, f"rule effect_order owner\n{story}\n1 chooses two#2"), 1) == {"T": 7, "C": 5}
