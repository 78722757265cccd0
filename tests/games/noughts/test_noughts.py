"""The example of docs/adding-a-game.md, played as people would: notation, a real log, the real page."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import Colour, Player, Setup
from companion.core.log import Source
from companion.core.notation import parse_move
from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.json_lines import read_session
from companion.sessions.live import LiveSessions
from tests.games.noughts.game import Noughts
from tests.web.serving import play

SETUP = Setup((Player("Ana", Colour.BLUE), Player("Rui", Colour.RED)))
FORM = {"name0": "Ana", "colour0": "blue", "name1": "Rui", "colour1": "red"}
ANA_WINS = ("1 marks b2", "2 marks a3", "1 marks a1", "2 marks c1", "1 marks c3")


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game to the list for one test: in the house it is a line in companion/games/__init__.py."""
    monkeypatch.setattr(GAMES, "_names", {**GAMES._names, "noughts": "Noughts"})
    monkeypatch.setattr(GAMES, "_games", {**GAMES._games, "noughts": Noughts()})


@pytest.fixture
def game(table: LiveSessions) -> Session:
    return table.begin(GAMES["noughts"], SETUP, Source.PAGE)


def buttons(page: str) -> list[str]:
    """The lines of notation that can be tapped."""
    return re.findall(r'name="event" value="([^"]+)"', page)


def test_three_in_a_row_win(table: LiveSessions, game: Session) -> None:
    session = play(table, game, *ANA_WINS)

    assert session.turn.over
    assert session.tally.totals == (1, 0)
    assert session.tally.standing.winners == (0,)
    assert session.tally.of(0)[0].where == ("a1", "b2", "c3")


def test_a_full_board_is_shared(table: LiveSessions, game: Session) -> None:
    moves = [f"{1 + n % 2} marks {square}" for n, square in enumerate("a1 b1 c1 b2 a2 c2 b3 a3 c3".split())]

    session = play(table, game, *moves)

    assert (session.turn.over, session.tally.standing.ranks) == (True, (1, 1))


@pytest.mark.parametrize(
    ("line", "because"),
    (
        ("2 marks b2", "b2 is taken."),
        ("1 marks a1", "It is not your turn."),
    ),
)
def test_moves_against_the_rules_are_refused(
    table: LiveSessions, game: Session, line: str, because: str
) -> None:
    session = play(table, game, "1 marks b2")

    with pytest.raises(IllegalEvent, match=because):
        play(table, session, line)


@pytest.mark.parametrize("line", ("3 marks a1", "1 marks d4", "1 takes a1", ""))
def test_what_is_no_notation_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        parse_move(GAMES["noughts"], line)


def test_notation_goes_there_and_back() -> None:
    noughts = Noughts()
    events = noughts.legal(noughts.start(SETUP))

    assert [noughts.parse(noughts.write(event)) for event in events] == events
    assert len(events) == 9


def test_undo_correction_and_export_come_with_it(table: LiveSessions, game: Session) -> None:
    session = play(table, game, *ANA_WINS)
    session = table.undo(session.id, session.seq, Source.PAGE)
    session = table.correct(session.id, session.seq, {4: "1 marks a2"}, Source.PAGE)

    assert session.position.marks == {"b2": 0, "a3": 1, "a2": 0, "c1": 1}
    assert read_session(table.export(session.id).splitlines(), GAMES).position == session.position


def test_the_page_plays_it(player: FlaskClient) -> None:
    address = player.post("/new/noughts", data=FORM).headers["Location"]
    offered = buttons(player.get(address).text)

    for seq, line in enumerate(ANA_WINS, 1):
        assert line in buttons(player.get(address).text)
        assert player.post(f"{address}/record", data={"seq": seq, "event": line}).status_code == 303
    over = player.get(f"{address}?why=0.0").text

    assert len(offered) == 9
    assert buttons(over) == []
    assert "Three in a row" in over
    assert over.count('class="lit"') == 3


def test_the_page_refuses_corrects_and_draws_the_result(player: FlaskClient) -> None:
    address = player.post("/new/noughts", data=FORM).headers["Location"]
    for seq, line in enumerate(ANA_WINS, 1):
        player.post(f"{address}/record", data={"seq": seq, "event": line})

    refused = player.post(f"{address}/record", data={"seq": 6, "event": "2 marks b1"})
    asked = player.get(f"{address}/correct/6").text
    result = player.get(f"{address}/result.svg")

    assert (refused.status_code, "The game is over." in refused.text) == (422, True)
    assert sorted(buttons(asked)) == sorted(
        [*(f"1 marks {free}" for free in "a2 b1 b3 c2 c3".split()), "nothing"]
    )
    assert (result.status_code, result.text.count("<rect")) == (200, 10)
