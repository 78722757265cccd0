"""A City keeps its levels, on the map and in the ledger, whatever the entry that built it should have said."""

from __future__ import annotations

import pytest

from companion.core.correction import Difference
from tests.games.dominations.stories import DOMINATIONS, corrected, evening, has, rich


def cities(difference: Difference) -> list[str]:
    return [f"{city.domain}{city.level} {city.cell or '-'}" for city in difference.after.position.cities]


RICH_CITIES = f"{rich(1, 'T20 C20')}\ntile T:RRR at 4,0u\ntile T:CCC at 0,0d\ntile C:AAA at 1,0u"
LEDGER = "1 passes\n1 builds T\n2 passes\n1 passes\n1 upgrades T1\n2 passes\n1 passes\n1 upgrades T2"
MAP = LEDGER.replace("T1", "at 0,0d").replace("T2", "at 0,0d").replace("builds T", "builds at 0,0d")


@pytest.mark.parametrize(
    ("story", "line", "new", "city"),
    (
        (LEDGER, "1 builds T", "1 builds C", "C3 -"),
        (LEDGER, "1 builds T", "1 builds at 0,0d", "T3 0,0d"),
        (LEDGER, "1 builds T", "1 builds at 1,0u", "C3 1,0u"),
        (LEDGER, "1 upgrades T1", "", "T2 -"),
        (MAP, "1 builds at 0,0d", "1 builds T", "T3 -"),
        (MAP, "1 builds at 0,0d", "1 builds at 1,0u", "C3 1,0u"),
        (MAP, "1 upgrades at 0,0d", "", "T2 0,0d"),
        (MAP, "tile T:CCC at 0,0d", "tile T:CCC at 3,0d", "T3 3,0d"),
        (MAP, "tile T:CCC at 0,0d", "", "T3 -"),
        (MAP, "tile T:CCC at 0,0d", "tile C:CCC at 0,0d", "C3 0,0d"),
    ),
)
def test_a_city_keeps_its_levels_whatever_it_is_called_after_all(
    story: str, line: str, new: str, city: str
) -> None:
    difference = corrected(evening(2, f"{RICH_CITIES}\n{story}"), line, new)

    assert (difference.left_out, difference.kept, cities(difference)) == ((), frozenset(), [city])


def test_a_city_that_rose_twice_outlives_its_territory() -> None:
    story = f"{rich(1, 'T20')}\n{MAP.replace('1 passes', '1 lays T:TTT at 0,0d', 1)}"
    difference = corrected(evening(2, story), "1 lays T:TTT at 0,0d", "1 produces T3")

    assert (difference.left_out, difference.kept, cities(difference)) == ((), frozenset(), ["T3 -"])


TOLD = f"{RICH_CITIES}\n1 passes\n1 builds T\n2 passes\n1 has T1 at 4,0u\n1 passes\n1 upgrades at 4,0u"


def test_a_city_that_was_found_on_the_map_rises_there_or_in_the_ledger() -> None:
    session = evening(2, TOLD)

    field = corrected(session, "tile T:RRR at 4,0u", "tile C:RRR at 4,0u")
    assert (field.left_out, cities(field)) == ((), ["C2 4,0u"])
    assert [str(problem) for problem in field.after.problems] == [
        "has a City on territory 1 (Crafts), against the rules: as it lies"
    ]
    place = corrected(session, "tile T:RRR at 4,0u", "tile T:RRR at 4,0d")
    assert (place.left_out, cities(place)) == ((), ["T2 4,0d"])
    # Without the territory, only its place is lost, and that is said.
    gone = corrected(session, "tile T:RRR at 4,0u")
    assert cities(gone) == ["T2 -"]
    assert [DOMINATIONS.write(misfit.event) for misfit in gone.left_out] == [  # type: ignore[arg-type]
        '1 has T1 at 4,0u because "as it lies"'
    ]


def test_a_city_that_the_map_does_not_show_is_named_until_it_has_its_place() -> None:
    story = "1 produces T3\n1 builds T\n1 ends\ntile T:TTT at 0,0d"
    joined = "2 lays C:CCC at 0,1u\n2 ends"

    unpaid = evening(2, f"{story}\n{joined}")
    assert has(unpaid.position, 1) == {}
    assert [str(problem) for problem in unpaid.problems] == [
        "A City of Trade has no place on the map: nothing that is laid there pays for it. Tap its Field."
    ]
    paid = evening(2, f"{story}\n1 has T1 at 0,0d\n{joined}")
    assert (has(paid.position, 1), paid.problems) == ({"T": 1}, ())


def test_a_city_whose_field_is_taken_after_all_stands_in_the_ledger() -> None:
    turns = "1 passes\n1 builds at 0,0d\n2 passes\n2 builds at 1,0u\n1 passes\n2 passes\n2 upgrades at 1,0u"
    session = evening(2, f"{RICH_CITIES}\n{rich(2, 'C20')}\n{turns}")
    difference = corrected(session, "1 builds at 0,0d", "1 builds at 1,0u")

    assert (difference.left_out, len(difference.kept), cities(difference)) == ((), 1, ["C1 1,0u", "C2 -"])
    assert has(difference.after.position, 2) == {"C": 11}
