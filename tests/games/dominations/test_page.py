"""The plain page over real HTTP: buttons record what they say, a line of notation does the rest."""

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
from companion.games.dominations.page import page
from companion.store.store import Store
from companion.table import Table
from companion.web import House, create_app
from companion.web.pin import Doorkeeper
from tests.games.dominations.stories import DOMINATIONS, era_over, play

PEOPLE = tuple(
    Player(name, colour) for name, colour in zip(("Ana", "Rui", "Eva"), DOMINATIONS.colours, strict=False)
)


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


def record(client: FlaskClient, address: str, seq: int, line: str) -> int:
    answer = client.post(f"{address}/record", data={"seq": seq, "event": line})
    return answer.status_code


def test_a_game_is_played_through_the_page(table: Table, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    address = f"/s/{id}"
    for line in ("1 lays T:TTT at 0,0d", "2 lays C:RRR at 1,0u", "2 adjusts C +2"):
        assert record(player, address, table.session(id).seq, line) == 303
    assert buttons(player, address)[:1] == ["2 ends"]
    for _tap in range(40):
        offered = buttons(player, address)
        line = offered[0] if offered else f"{table.session(id).position.player + 1} passes"
        assert record(player, address, table.session(id).seq, line) == 303

    assert table.session(id).position.era == 2
    assert player.get(f"{address}/log").status_code == 200
    assert player.get(f"{address}/result.svg").status_code == 200
    assert player.get(f"{address}/correct/2").status_code == 200


def test_a_question_is_answered_with_a_tap(table: Table, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2]), Source.PAGE).id
    record(player, f"/s/{id}", 1, "1 passes")

    assert buttons(player, f"/s/{id}") == ["rule no_tile pass", "rule no_tile lay"]
    assert record(player, f"/s/{id}", 2, "rule no_tile pass") == 303
    assert table.session(id).position.stage == "construction"


def test_a_wrong_line_is_refused_in_words(table: Table, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2]), Source.PAGE).id

    answer = player.post(f"/s/{id}/record", data={"seq": 1, "event": "1 dances"})

    assert answer.status_code == 400
    assert "is not a move of Dominations" in unescape(answer.text)


def test_a_correction_is_shown_as_a_difference(table: Table, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2]), Source.PAGE).id
    record(player, f"/s/{id}", 1, "1 produces T3")
    answer = player.get(f"/s/{id}/correct", query_string={"entry": 2, "event": "1 produces T5"})

    assert answer.status_code == 200
    assert "3/5 → 5/5" in answer.text


@pytest.mark.parametrize(
    "story",
    (
        "",
        "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d",
        f"{era_over()}",
        f"{era_over()}\nera effects\n1 assimilates nothing\n1 adjusts P +1\nera roles",
    ),
)
def test_every_button_can_be_recorded(story: str) -> None:
    position = play(2, story)

    for button in page(position, {})["buttons"]:
        DOMINATIONS.apply(position, DOMINATIONS.parse(button.line))
        assert str(button.text)
