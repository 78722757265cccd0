"""Whatever an entry speaks of, it still speaks of once the entry that made it is put right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.correction import Difference, take_back_correction
from companion.core.errors import NotationError
from companion.core.game import ReplayedEntry
from companion.core.log import Source
from companion.games.dominations.rules import events
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import Domain
from companion.games.dominations.rules.correction import _READ
from companion.games.dominations.rules.events import TileTold
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.position import start
from tests.games.dominations.stories import (
    CARDS,
    DOMINATIONS,
    FISHING,
    corrected,
    evening,
    has,
    passing,
    rich,
    seq_of,
)
from tests.games.stories import EVENING, lines_of, tell

RICH = f"{rich(1, 'T20 C20')}\ntile T:RRR at 4,0u\ntile T:CCC at 0,0d\ntile C:AAA at 1,0u"
MINING = FISHING.replace("fishing", "mining").replace("Pescaria", "Mineração")
TURNED = "1 passes\n1 develops fishing nodi C1\n2 passes\n1 passes\n1 advances fishing\n1 ends"
TABLE = f"{CARDS}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens"
RAISED = "1 keeps roman and lighthouse\n1 passes\n1 raises lighthouse nodi T1"
CASES = {
    "Built": (
        RICH,
        "tile T:CCC at 0,0d",
        "tile T:CCC at 3,0d",
        "1 passes\n1 builds at 0,0d",
        "1 builds at 3,0d",
    ),
    "Upgraded": (
        f"{RICH}\n1 passes",
        "1 builds T",
        "1 builds C",
        "2 passes\n1 passes\n1 upgrades T1",
        "1 upgrades C1",
    ),
    "CityTold": (
        f"{RICH}\n1 passes",
        "1 builds T",
        "1 builds C",
        "1 has T1 at 4,0u",
        '1 has C1 at 4,0u because "as it lies"',
    ),
    "Reactivated": (
        f"{RICH}\n1 holds inventor",
        "tile T:CCC at 0,0d",
        "tile T:CCC at 3,0d",
        "1 reactivates 0,0d",
        "1 reactivates 3,0d",
    ),
    "TerritoryLaid": (
        "1 produces T1",
        "2 produces T1",
        "",
        "1 lays T:TTT at 0,0d\n1 ends",
        '1 lays T:TTT at 0,0d anew because "as it lies"',
    ),
    "Produced": (
        "1 produces T1",
        "2 produces T1",
        "",
        "1 produces A2",
        '1 produces A2 anew because "as it lies"',
    ),
    "TurnEnded": (
        "1 produces T1",
        "2 produces T1",
        "",
        '2 trades T1 for A1 because "x"\n2 ends',
        '2 ends anew because "as it lies"',
    ),
    "Passed": ("1 produces T1", "2 produces T1", "", "1 passes", '1 passes anew because "as it lies"'),
    "Developed": (
        f"{rich(1, 'C9')}\n1 passes",
        FISHING,
        MINING,
        "1 develops fishing nodi C1",
        "1 develops mining nodi C1",
    ),
    "Advanced": (
        f"{FISHING}\n{MINING}\n{rich(1, 'C9')}\n1 passes",
        "1 develops fishing nodi C1",
        "1 develops mining nodi C1",
        "2 passes\n1 passes\n1 advances fishing",
        "1 advances mining",
    ),
    "Assimilated": (
        f"{FISHING}\n{MINING}\n{rich(1, 'C9')}\n{rich(2, 'C9')}\n{TURNED}\n2 passes",
        "2 develops fishing nodi C1",
        "2 develops mining nodi C1",
        f"2 ends\n{passing(6)}\n2 adjusts influence +9\nera effects\n2 assimilates advanced fishing",
        '2 assimilates advanced mining because "as it lies"',
    ),
    "CardsKept": (
        CARDS,
        "1 keeps roman and lighthouse",
        "2 keeps roman and lighthouse",
        "2 keeps egyptian and gardens",
        "1 keeps egyptian and gardens",
    ),
    "Achieved": (
        CARDS,
        "1 keeps roman and lighthouse",
        "2 keeps roman and lighthouse",
        "1 reached 1",
        "2 reached 1",
    ),
    "Contributed": (
        f"{CARDS}\n{rich(1, 'T9 C9')}",
        "1 keeps roman and lighthouse",
        "1 keeps roman and gardens",
        "1 passes\n1 raises lighthouse nodi C1",
        "1 raises gardens nodi C1",
    ),
    "MonumentTold": (
        f"{CARDS}\n{rich(1, 'T9')}",
        "monument lighthouse",
        "monument beacon",
        f"{RAISED}\ntile T:RRR at 4,0d\npiece lighthouse at 4,1u+3,1d",
        "piece beacon at 4,1u+3,1d",
    ),
    "Rewarded": (
        f"{CARDS}\n{rich(1, 'T20')}",
        "monument lighthouse",
        "monument beacon",
        f'{RAISED}\n1 builds T because "x"\nrewards lighthouse 1',
        "rewards beacon 1",
    ),
}
"""By the kind of a later event: what comes before, what is put right, how, what comes after, how that reads."""


@pytest.mark.parametrize("kind", CASES)
def test_every_event_that_speaks_of_something_reads_as_that_is_called_now(kind: str) -> None:
    before, line, new, later, read = CASES[kind]
    if line.startswith("monument"):
        whole = next(one for one in CARDS.splitlines() if one.startswith(line))
        line, new = whole, whole.replace(line, new)
        session = evening(2, f"{before}\n{later}")
    else:
        once = "" if line in before else f"{line}\n"
        session = evening(2, f"{before}\n{once}{later}")
    seq = seq_of(session, last_of(later))

    difference = corrected(session, line, new)

    told = {change.seq: change.event for change in difference.changes}
    assert type(told[seq]).__name__ == kind
    assert DOMINATIONS.write(told[seq]) == read  # type: ignore[arg-type]
    assert seq in {step.seq for step in difference.after.fold.steps}


def test_a_turn_ends_for_whoever_laid_its_territory_after_all() -> None:
    session = evening(2, "1 produces T1\n1 ends\n2 produces C1\n2 ends\n1 produces A1")
    difference = corrected(session, "1 produces T1", '2 produces T1 because "theirs"')

    assert (difference.left_out, difference.after.position.turns) == ((), (0, 2))
    assert DOMINATIONS.write(difference.after.fold.steps[1].event) == "2 ends"  # type: ignore[arg-type]


def test_a_turn_that_had_no_territory_before_ends_as_its_own() -> None:
    story = '1 produces T1\n1 ends\n2 ends because "x"\n1 produces A1\n1 ends'
    difference = corrected(evening(2, story), "1 ends")

    assert (difference.left_out, difference.after.position.turns) == ((), (2, 1))


def last_of(later: str) -> str:
    """The line that is read again: the last one that tells of something, not of a turn's end."""
    return [line for line in lines_of(later) if line != "1 ends"][-1]


def test_no_event_that_speaks_of_something_is_forgotten() -> None:
    """Whoever gives an event a place, a card or a City says here how it is found again."""
    naming = {"cell", "key", "monument", "objective", "goal", "choice", "place"}
    makers = {"TileTold"}
    kinds = [
        kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.Plain)
    ]
    speaking = {kind.__name__ for kind in kinds if naming & kind.__dataclass_fields__.keys()}
    assert speaking - makers <= {kind.__name__ for kind in _READ}
    assert {kind.__name__ for kind in _READ} == CASES.keys() | {"AnswerChosen"}


TURNS = "1 produces T1\n2 produces T1\n1 produces T2\n2 produces C1\n2 ends"


@pytest.mark.parametrize("worker", ("", "1 holds worker"))
def test_a_turn_that_is_taken_out_leaves_the_turns_beside_it_apart(worker: str) -> None:
    start = f"{FISHING}\n{rich(1, 'C5', 5)}\n1 passes\n1 develops fishing\n2 passes\n2 ends\n{worker}\n"
    session = evening(2, f"{start}{TURNS}")
    assert (session.position.turns, has(session.position, 1)) == ((3, 3), {"T": 3, "C": 5})

    difference = corrected(session, "2 produces T1")

    after = difference.after.position
    assert (difference.left_out, after.turns, has(after, 1)) == ((), (3, 2), {"T": 3, "C": 4})
    assert after.seats[0].roles == (("worker",) if worker else ())
    assert str(difference.after.problems[0]) == (
        "lays a territory: 2 Trade, in a turn of its own: another player's turn before it was never told: as it lies"
    )


@pytest.mark.parametrize(
    "line",
    ("1 produces T2", "1 lays T:TTT at 0,0d", "1 passes", "1 reactivates 0,0d", "1 reactivates T2", "1 ends"),
)
def test_whatever_begins_a_turn_is_written_and_read_again(line: str) -> None:
    for told in (f"{line} anew", f'{line} anew because "x"'):
        assert DOMINATIONS.write(DOMINATIONS.parse(told)) == told
    with pytest.raises(NotationError, match="begins no turn"):
        DOMINATIONS.parse("1 builds T anew")


def test_a_workers_second_territory_stays_in_its_turn() -> None:
    story = "1 holds worker\n1 produces T1\n1 produces A1\n1 ends\n2 produces T1\n2 ends"
    difference = corrected(evening(2, story), "1 produces T1", "1 produces T2")

    assert [(change.seq, difference.kept) for change in difference.changes] == [(3, frozenset())]
    assert difference.after.position.turns == (1, 1)


def test_the_inventor_stays_used_where_the_territory_is_told_by_its_amounts_after_all() -> None:
    story = "1 holds inventor\n1 passes\n2 lays C:CCC at 0,0d\n1 reactivates 0,0d\n1 ends"
    session = evening(2, story)
    assert (session.position.seats[0].roles, has(session.position, 1)) == ((), {"C": 3})

    difference = corrected(session, "2 lays C:CCC at 0,0d", "2 produces C2")

    after = difference.after.position
    assert (difference.left_out, after.seats[0].roles, after.turns) == ((), (), (2, 1))
    assert [str(problem) for problem in difference.after.problems] == [
        "reactivates a territory, against the rules: as it lies"
    ]


def test_a_locus_follows_the_territories_round_it() -> None:
    """The same circle with another middle, whatever moved it."""
    circle = [Cell(4, 4, 0), Cell(3, 4, 1), Cell(3, 4, 0), Cell(3, 3, 1), Cell(4, 3, 0), Cell(4, 3, 1)]
    moved = {cell: Cell(cell.i + 2, cell.j, cell.down) for cell in circle}
    was, now = start(2, {}), start(2, {})
    following = DOMINATIONS.entry_reader(was, now, was)
    for seq, cell in enumerate(circle):
        tile = Tile(Domain.ART, "TTT")
        was = replace(was, board=was.board.laid(cell, tile))
        now = replace(now, board=now.board.laid(moved[cell], tile))
        told = ReplayedEntry[Any, Any](seq, TileTold(tile, cell), was)
        following.advance(told, ReplayedEntry(seq, TileTold(tile, moved[cell]), now))

    for line, read in (
        ("1 chooses @4,4", "1 chooses @6,4"),
        ("1 chooses @7,7", "1 chooses @7,7"),
        ("1 chooses TC", "1 chooses TC"),
        ("1 raises gardens at @4,4", "1 raises gardens at @6,4"),
        ("piece gardens at @4,4", "piece gardens at @6,4"),
        ("1 lays T:TTT at 9,9u choosing @4,4 TC", "1 lays T:TTT at 9,9u choosing @6,4 TC"),
    ):
        assert DOMINATIONS.write(following.read(told, DOMINATIONS.parse(line))) == read


BOTH = "1 passes\n1 develops fishing nodi C1\n2 passes\n1 passes\n1 develops mining nodi T1"


def test_masteries_that_were_taken_for_each_other_change_places() -> None:
    session = evening(
        2, f"{FISHING}\n{MINING}\n{rich(1, 'C20')}\n{BOTH}\n2 passes\n1 passes\n1 advances mining"
    )
    difference = corrected(session, "1 develops fishing nodi C1", "1 develops mining nodi C1")

    cards = difference.after.position.seats[0].tree.masteries
    assert (difference.left_out, difference.kept) == ((), frozenset())
    assert [(card.key, card.advanced) for card in cards] == [("mining", False), ("fishing", True)]


def test_a_correction_that_is_taken_back_leaves_every_entry_as_it_was_told() -> None:
    session = evening(2, "1 holds worker\n1 produces T1\n1 produces A2\n1 ends\n2 produces C1\n2 ends")
    wrong = session.record(corrected(session, "1 produces T1").final, Source.PAGE, EVENING)
    assert (wrong.position.turns, wrong.position.seats[0].roles) == ((1, 1), ("worker",))
    later = tell(wrong, ["1 produces S1", "1 ends"])

    back = take_back_correction(later, wrong.seq, "as it lies", EVENING)

    assert (back.left_out, back.kept, len(back.differing)) == ((), frozenset(), 1)
    assert (back.after.position.turns, back.after.position.seats[0].roles) == ((2, 1), ())


def test_a_ruling_put_right_takes_no_turn_away() -> None:
    session = evening(2, f"rule no_tile pass\n{passing(4)}", options="")
    difference = corrected(session, "rule no_tile pass", "rule no_tile lay")

    assert (difference.left_out, len(difference.kept), difference.after.position.turns) == ((), 4, (2, 2))


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
