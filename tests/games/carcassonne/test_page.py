"""A whole game on the real page: every phase can be looked at, and every button records what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.carcassonne.game import COLOURS
from companion.games.carcassonne.page import page
from companion.store.store import Store
from companion.table import Table
from companion.web import House, create_app
from companion.web.pin import Doorkeeper
from tests.games.carcassonne.stories import evening, play

PEOPLE = tuple(Player(name, colour) for name, colour in zip(("Ana", "Rui", "Eva"), COLOURS, strict=False))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(Store(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    yield table
    table.close()


@pytest.fixture
def player(table: Table) -> FlaskClient:
    """Somebody whose device knows the PIN."""
    app = create_app(House(table=table, doorkeeper=Doorkeeper("1234"), secret=b"s" * 32))
    client = app.test_client()
    with client.session_transaction() as session:
        session["pin"] = app.extensions["companion"].pin_mark
    return client


def buttons(client: FlaskClient, address: str) -> list[str]:
    answer = client.get(address)
    assert answer.status_code == 200
    return [unescape(event) for event in re.findall(r'name="event" value="([^"]+)"', answer.text)]


def test_a_turn_is_tapped_on_the_board(table: Table, player: FlaskClient) -> None:
    session = table.begin(GAMES["carcassonne"], Setup(PEOPLE), Source.PAGE)
    place = f"/s/{session.id}"

    assert 'data-place="0,0"' in player.get(place).text
    assert buttons(player, f"{place}?tile=U&at=0,1") == ["1 lays U at 0,1 N", "1 lays U at 0,1 S"]
    session = table.record(session.id, session.seq, "1 lays U at 0,1 N", Source.PAGE)
    assert buttons(player, place) == [
        "1 places f0 at 0,1",
        "1 places f1 at 0,1",
        "1 places r0 at 0,1",
        "1 places none",
    ]
    session = table.record(session.id, session.seq, "1 places r0 at 0,1", Source.PAGE)
    assert 'class="follower ink-red"' in player.get(place).text
    assert "2 lays V at 0,2 E" in buttons(player, f"{place}/correct/2?tile=V&at=0,2") + buttons(
        player, f"{place}?tile=V&at=0,2"
    )


def test_five_people_begin_a_game_from_the_form(table: Table, player: FlaskClient) -> None:
    people = {f"name{n}": name for n, name in enumerate(("Ana", "Rui", "Eva", "Teo", "Lia"))}
    colours = {f"colour{n}": colour.value for n, colour in enumerate(COLOURS)}
    form = player.get("/new/carcassonne").text
    answer = player.post(
        "/new/carcassonne", data={"players": "5", **people, **colours, "option_two_tile_cities": "on"}
    )
    session = table.session(answer.location.split("/")[2])

    assert all(f"option_{option.key}" in form for option in session.game.options)
    assert [player.colour for player in session.setup.players] == list(COLOURS)
    assert session.setup.options == {"two_tile_cities"}
    assert player.get(answer.location).status_code == 200


def test_every_page_of_a_game_can_be_looked_at(table: Table, player: FlaskClient) -> None:
    session = table.begin(GAMES["carcassonne"], Setup(PEOPLE), Source.PAGE)
    while not session.turn.over:
        drawn = session.game.draw(session.position, session.seq)
        event = drawn or session.game.legal(session.position)[0]
        session = table.record(session.id, session.seq, session.game.write(event), Source.PAGE)
        if session.seq % 40 < 3:
            assert player.get(f"/s/{session.id}").status_code == 200
    result = player.get(f"/s/{session.id}/result.svg")

    assert player.get(f"/s/{session.id}").status_code == 200
    assert (result.status_code, "Ana" in result.text) == (200, True)


def test_the_table_of_an_end_can_be_looked_at(table: Table, player: FlaskClient) -> None:
    setup = Setup(PEOPLE[:2], frozenset({"score_only"}))
    session = table.begin(GAMES["carcassonne"], setup, Source.PAGE)

    assert player.get(f"/s/{session.id}").status_code == 200
    session = table.record(session.id, session.seq, "table D@0,0W | 1:c0@0,0 | 3 4", Source.PAGE)
    assert 'data-place="0,0:c0"' in player.get(f"/s/{session.id}").text


def test_what_a_follower_may_claim_is_there_for_corrections() -> None:
    laying = page(play(2, "1 lays U at 0,1 N"), {"tile": "V", "at": "0,2", "turn": "1"})["laying"]

    assert (laying.turn, [choice.event for choice in laying.claims]) == (
        1,
        ["2 lays V at 0,2 E with f0", "2 lays V at 0,2 E with f1", "2 lays V at 0,2 E with r0"],
    )


def test_the_page_knows_what_is_left_and_what_cannot_be_filled() -> None:
    view = page(play(2, "1 lays U at 0,1 N with r0"), {})

    assert next((kind.left, kind.count, kind.draw) for kind in view["bag"] if kind.tile == "U") == (
        7,
        8,
        "2 draws U",
    )
    assert (view["tiles_in_the_bag"], view["holes"], view["supplies"]) == (70, (), [6, 7])
    assert [(count.kind, count.owners, count.working) for count in view["counts"]] == [
        ("road", (0,), "2 × 1")
    ]
    assert view["bounds"] == (-1, -1, 1, 2)


def test_a_field_is_told_with_its_cities_and_everybody_on_it() -> None:
    story = """
        first D at 0,0 W
        1 lays E at 0,-1 S with f0
        2 lays U at 1,0 E with f0
        1 lays E at 1,-1 N
        end
    """
    view = page(evening(2, story).position, {})
    (field,) = [count for count in view["counts"] if count.kind == "field"]

    assert (str(field.name), field.owners, field.points, field.working) == ("Field", (0, 1), 3, "1 × 3")
    assert field.cities == (("0,-1:c0", "0,0:c0"),)
    assert [str(step.text) for step in view["closing"]][-1] == "Field"


def test_an_address_that_makes_no_sense_is_taken_for_none() -> None:
    for wish in (
        {"tile": "ZZ"},
        {"tile": "U", "at": "x"},
        {"tile": "U", "at": "0,1", "turn": "9"},
        {"at": "999,0"},
    ):
        view = page(play(2), wish)
        assert view["laying"] is None or view["laying"].turn is None
