"""The box as rulebook 001 describes it; and nothing in the table of tiles that no known game would miss."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games.carcassonne.rules import board
from companion.games.carcassonne.rules.board import (
    FACING,
    START_TILE,
    TILES,
    FeatureKind,
    fitting_turns,
    read_tile,
)
from companion.games.carcassonne.rules.events import StartLaid, TableShown, TileLaid
from companion.games.carcassonne.rules.position import add_counts, show_table, start
from companion.games.carcassonne.rules.variants import Variant
from tests.games.carcassonne.golden_games import GAMES, GoldenGame
from tests.games.carcassonne.plain import TABLE
from tests.games.carcassonne.rules.test_golden_games import last_table
from tests.games.carcassonne.stories import CARCASSONNE

# Rulebook 001, "Tipos de cartas de terreno".
COUNTS = (
    "A 2 B 4 C 1 D 4 E 5 F 2 G 1 H 3 I 2 J 3 K 3 L 3 M 2 N 3 O 2 P 3 Q 1 R 3 S 2 T 1 U 8 V 9 W 4 X 1".split()
)


def test_the_box_has_72_tiles_of_24_types() -> None:
    assert {letter: tile.count for letter, tile in TILES.items()} == dict(
        zip(COUNTS[::2], map(int, COUNTS[1::2]), strict=True)
    )
    assert (len(TILES), sum(tile.count for tile in TILES.values())) == (24, 72)
    assert START_TILE in TILES


def counted(kind: FeatureKind) -> dict[str, int]:
    """How many parts of that kind each type of tile has."""
    found = {
        letter: sum(part.kind is kind for part in tile.turned[0].parts) for letter, tile in TILES.items()
    }
    return {letter: count for letter, count in found.items() if count}


def test_what_the_chart_shows_can_be_counted() -> None:
    pennants = {
        letter for letter, tile in TILES.items() if any(part.pennants for part in tile.turned[0].parts)
    }

    assert counted(FeatureKind.MONASTERY) == {"A": 1, "B": 1}
    assert {letter: count for letter, count in counted(FeatureKind.ROAD).items() if count > 1} == {
        "L": 3,
        "W": 3,
        "X": 4,
    }
    assert {letter: count for letter, count in counted(FeatureKind.CITY).items() if count > 1} == {
        "H": 2,
        "I": 2,
    }
    assert pennants == set("CFMOQS")
    assert "C" not in counted(FeatureKind.FIELD)


@pytest.mark.parametrize("letter", TILES)
def test_four_quarter_turns_bring_a_tile_back(letter: str) -> None:
    turned = TILES[letter].turned

    assert [tile.edges for tile in turned] == [
        (turned[0].edges * 2)[4 - turn : 8 - turn] for turn in range(4)
    ]
    assert all(
        sorted(port for part in tile.parts for port in part.ports)
        == sorted(port for port in range(12) if tile.ports[port])
        for tile in turned
    )


def test_ports_face_each_other() -> None:
    assert [FACING[FACING[port]] for port in range(12)] == list(range(12))
    assert FACING[:3] == (8, 7, 6)


def test_every_type_fits_beside_some_other_and_beside_nothing_in_every_way() -> None:
    assert all(fitting_turns(letter, "....") == (0, 1, 2, 3) for letter in TILES)
    assert fitting_turns("C", "c.f.") == ()
    assert fitting_turns("D", "rcrf") == (0,)
    assert fitting_turns("X", "r.r.") == (0, 1, 2, 3)


def contacts() -> Iterator[tuple[str, str]]:
    """Every field of a tile with every city of it, touching or not."""
    for letter, tile in TILES.items():
        cities = [id for id in tile.parts if id[0] == "c"]
        yield from ((letter, f"{id}-{city}") for id in tile.parts if id[0] == "f" for city in cities)


CONTACTS = tuple(contacts())
SHORT_FIRST = sorted(GAMES.values(), key=lambda golden: len(golden.log))


def test_the_table_says_of_30_contacts_whether_they_are() -> None:
    touching = [contact for letter in TABLE for contact in TABLE[letter].get("touching", "").split()]

    assert (len(CONTACTS), len(touching)) == (30, 23)


def totals_of(golden: GoldenGame, table: str) -> tuple[int, ...]:
    """What the last table of a game comes to, by the tiles as they are now."""
    event = CARCASSONNE.parse(table)
    assert isinstance(event, TableShown)
    position = show_table(start(golden.players, frozenset({Variant.SCORE_ONLY})), event.table)
    return add_counts(position.points, position.outlook)


@pytest.fixture(scope="module")
def last_tables() -> dict[str, str]:
    return {golden.name: last_table(golden) for golden in SHORT_FIRST}


@pytest.mark.parametrize(("letter", "contact"), CONTACTS)
def test_a_contact_of_field_and_city_that_is_wrong_shows_in_a_known_game(
    letter: str, contact: str, last_tables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = TABLE[letter]
    touching = set(row.get("touching", "").split()) ^ {contact}
    games = [golden for golden in SHORT_FIRST if letter in letters(golden)]
    assert all(totals_of(golden, last_tables[golden.name]) == golden.totals for golden in games[:5])
    monkeypatch.setitem(
        board.TILES, letter, read_tile(letter, {**row, "touching": " ".join(sorted(touching))})
    )

    assert any(totals_of(golden, last_tables[golden.name]) != golden.totals for golden in games)


def letters(golden: GoldenGame) -> set[str]:
    events = map(CARCASSONNE.parse, golden.events)
    return {event.placement.tile for event in events if isinstance(event, StartLaid | TileLaid)}
