"""A card that a household has read out once is known in all its later games."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.core.errors import IllegalEvent
from companion.core.game import Player, Setup
from companion.core.log import Source, undoable
from companion.games import GAMES
from companion.games.dominations.rules.position import Position
from companion.sessions.live import LiveSessions
from companion.web import home
from tests.games.dominations.stories import CARDS, FISHING, LIGHTHOUSE

PEOPLE = {"name0": "Ana", "colour0": "white", "name1": "Rui", "colour1": "black"}
MISREAD = FISHING.replace("Pescaria", "Pescadia")


def begun(player: FlaskClient) -> str:
    return player.post("/new/dominations", data=PEOPLE).location.rpartition("/")[2]


def tell(table: LiveSessions, session: str, *lines: str) -> None:
    for line in lines:
        table.record(session, table.session(session).seq, line, Source.PAGE)


def titles(table: LiveSessions, session: str) -> list[str]:
    position: Position = table.session(session).position
    return sorted(str(position.title(key)) for key in position.taught)


def test_the_next_game_knows_all_cards_and_other_games_none(table: LiveSessions, player: FlaskClient) -> None:
    first = begun(player)
    tell(table, first, *CARDS.splitlines())
    second = [begun(player), begun(player)][-1]
    kingdomino = {**PEOPLE, "colour0": "pink", "colour1": "blue"}
    other = player.post("/new/kingdomino", data=kingdomino).location.rpartition("/")[2]

    position, before = table.session(second).position, table.session(first).position
    assert (position.taught, position.cards) == (before.taught, before.cards)
    assert table.session(other).seq == 1


def test_earlier_games_are_opened_only_for_a_game_that_knows_something(
    player: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = {**PEOPLE, "colour0": "pink", "colour1": "blue"}
    opened: list[str] = []
    player.post("/new/kingdomino", data=form)
    begun(player)
    monkeypatch.setattr(home, "_opened", opened.append)
    player.post("/new/kingdomino", data=form)
    before = len(opened)
    begun(player)

    assert (before, len(opened)) == (0, 1)


def test_many_evenings_of_other_games_between_do_not_matter(table: LiveSessions, player: FlaskClient) -> None:
    tell(table, begun(player), FISHING)
    seats = Setup(
        (Player("Ana", GAMES["kingdomino"].colours[0]), Player("Rui", GAMES["kingdomino"].colours[1]))
    )
    for _evening in range(40):
        table.begin(GAMES["kingdomino"], seats, Source.PAGE)

    assert titles(table, begun(player)) == ["Pescaria"]


def test_of_two_games_going_on_both_are_asked_and_the_last_reading_counts(
    table: LiveSessions, player: FlaskClient
) -> None:
    one = begun(player)
    tell(table, one, MISREAD)
    other = begun(player)
    tell(table, other, LIGHTHOUSE)
    tell(table, one, FISHING)
    tell(table, other, "1 passes")

    assert titles(table, begun(player)) == ["O Farol", "Pescaria"]


def test_a_reading_put_right_later_counts_as_read_then(table: LiveSessions, player: FlaskClient) -> None:
    one = begun(player)
    tell(table, one, MISREAD)
    other = begun(player)
    session = table.session(one)
    table.correct(one, session.seq, {session.seq: FISHING}, Source.PAGE)

    assert (titles(table, other), titles(table, begun(player))) == (["Pescadia"], ["Pescaria"])


def test_what_a_game_begins_with_is_not_undone(table: LiveSessions, player: FlaskClient) -> None:
    tell(table, begun(player), FISHING, LIGHTHOUSE)
    second = begun(player)

    assert undoable(table.session(second).entries) is None
    with pytest.raises(IllegalEvent):
        table.undo(second, table.session(second).seq, Source.PAGE)
    tell(table, second, "1 passes")
    table.undo(second, table.session(second).seq, Source.PAGE)
    assert titles(table, second) == ["O Farol", "Pescaria"]
