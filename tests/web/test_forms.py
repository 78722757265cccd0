"""Every form a page has: what people confirm is recorded once; everything else gets an answer and changes nothing."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.core import notation
from companion.core.session import Session
from companion.web import House
from tests.web.serving import FORM, MOVES, Serving, begin
from tests.web.visitor import Visitor

MOVED_ON = "The game has moved on since you looked. Nothing was recorded: look again."
NOT_UNDERSTOOD = "The companion did not understand that. Nothing was recorded."


def lines(house: House, id: str) -> list[str]:
    session = house.sessions.session(id)
    return [notation.write_entry(session.game, entry.event) for entry in session.entries]


def test_a_game_played_by_its_forms(server: Serving, player_at: Visitor) -> None:
    answer = player_at.post("/new/kingdomino", {**FORM, "option_harmony": "on"})
    id = answer.location.rpartition("/")[2]
    form = {"event": "line", "with": ["4", "31", "39", "41"], "seq": "1"}

    assert answer.status == 303
    assert player_at.post(f"/s/{id}/record", form).location == f"/s/{id}"
    for seq, move in enumerate(MOVES[1:], start=2):
        assert player_at.post(f"/s/{id}/record", {"event": move, "seq": str(seq)}).status == 303
    start = 'start kingdomino harmony with "Ana" pink, "Rui" blue'
    assert lines(server.house, id) == [start, *MOVES]
    assert 'data-seq="11"' in player_at.get(f"/s/{id}").text


def test_the_companion_draws_for_a_table_without_the_box(server: Serving, player_at: Visitor) -> None:
    id = begin(server.house.sessions).id

    for seq, drawn in ((1, "line "), (2, "kings ")):
        assert player_at.post(f"/s/{id}/draw", {"seq": str(seq)}).status == 303
        assert lines(server.house, id)[-1].startswith(drawn)
    answer = player_at.post(f"/s/{id}/draw", {"seq": "3"})
    assert (answer.status, answer.notices) == (400, ["There is nothing to draw now."])


def test_undo_and_redo_by_their_buttons(server: Serving, player_at: Visitor, game: Session) -> None:
    path = f"/s/{game.id}"

    assert player_at.post(f"{path}/undo", {"seq": "11"}).status == 303
    assert player_at.post(f"{path}/redo", {"seq": "12"}).status == 303
    again = player_at.post(f"{path}/redo", {"seq": "13"})

    assert (again.status, again.notices) == (422, ["There is nothing to bring back."])
    assert lines(server.house, game.id)[-2:] == ["withdraw 11", "restore 11"]


def test_a_tap_sent_twice_counts_once(server: Serving, player_at: Visitor, game: Session) -> None:
    form = {"seq": "11", "event": "2 lays 39 at 0,2 N"}

    answers = [player_at.post(f"/s/{game.id}/record", form).status for _each in range(3)]

    assert answers == [303, 303, 303]
    assert lines(server.house, game.id)[11:] == ["2 lays 39 at 0,2 N"]


def test_who_looked_at_an_older_table_is_told(server: Serving, player_at: Visitor, game: Session) -> None:
    answer = player_at.post(f"/s/{game.id}/record", {"seq": "4", "event": "2 takes 4"})

    assert (answer.status, answer.notices) == (409, [MOVED_ON])
    assert 'data-seq="11"' in answer.text, "the page shows the game as it is now"
    assert server.house.sessions.session(game.id) is game


@pytest.mark.parametrize("seq", ("", "x", "-1", "1.0", "²", "１１", "9" * 10, "11 ", "0x1", "\0"))
@pytest.mark.parametrize("what", ("record", "undo", "redo"))
def test_a_number_that_is_none_changes_nothing(
    house: House, player: FlaskClient, game: Session, what: str, seq: str
) -> None:
    answer = player.post(f"/s/{game.id}/{what}", data={"seq": seq, "event": "2 lays 39 at 0,2 N"})

    assert answer.status_code == 400
    assert NOT_UNDERSTOOD in answer.text
    assert house.sessions.session(game.id) is game


def test_against_the_rules_only_with_a_reason(server: Serving, player_at: Visitor, game: Session) -> None:
    path, form = f"/s/{game.id}/record", {"seq": "11", "event": "2 lays 39 at 0,2 S", "overrule": "1"}
    silent = player_at.post(path, {**form, "because": "  "})
    refused = player_at.post(path, {"seq": "11", "event": "2 lays 39 at 0,2 S"})
    told = player_at.post(path, {**form, "because": 'we "agreed"; 7: nothing' + "!" * 500})

    assert (silent.status, silent.notices) == (400, ["Say why, so that everybody understands it later."])
    assert refused.status == 422
    assert told.status == 303
    reason = ('we "agreed"; 7: nothing' + "!" * 500)[:200]
    assert lines(server.house, game.id)[-1] == f"2 lays 39 at 0,2 S because {json.dumps(reason)}"


def test_a_correction_is_shown_first_and_recorded_when_accepted(
    server: Serving, player_at: Visitor, game: Session
) -> None:
    path = f"/s/{game.id}/correct"
    asked = player_at.get(f"{path}/8")
    preview = player_at.get(f"{path}?entry=8&event=nothing")

    assert (asked.status, preview.status) == (200, 200)
    assert preview.notices == [
        "3 later entries would not fit any more and would be left out. Undo brings them back."
    ]
    assert '<input type="hidden" name="change" value="8:nothing">' in preview.text
    assert server.house.sessions.session(game.id) is game
    for _twice in range(2):
        assert player_at.post(path, {"seq": "11", "change": "8:nothing"}).status == 303
    assert lines(server.house, game.id)[11:] == ["correct 8: nothing; 9: nothing; 10: nothing; 11: nothing"]
    assert player_at.post(f"/s/{game.id}/undo", {"seq": "12"}).status == 303
    assert server.house.sessions.session(game.id).position == game.position


def test_what_was_left_out_with_an_entry_comes_back_with_it(
    server: Serving, player_at: Visitor, game: Session
) -> None:
    path = f"/s/{game.id}/correct"
    player_at.post(path, {"seq": "11", "change": "8:nothing"})
    (line,) = re.findall(r'href="([^"]*entry=8[^"]*)"', player_at.get(f"/s/{game.id}/log").text)

    preview = player_at.get(unescape(line))
    (change,) = re.findall(r'name="change" value="([^"]*)"', preview.text)
    player_at.post(path, {"seq": "12", "change": unescape(change)})

    assert (preview.status, preview.notices) == (200, [])
    assert server.house.sessions.session(game.id).position == game.position


def test_a_correction_is_taken_back_once_by_its_number(
    server: Serving, player_at: Visitor, game: Session
) -> None:
    path = f"/s/{game.id}/correct"
    player_at.post(path, {"seq": "11", "change": "8:nothing"})
    preview = player_at.get(f"{path}?take_back=12")
    for _twice in range(2):
        assert player_at.post(path, {"seq": "12", "take_back": "12"}).status == 303

    assert '<input type="hidden" name="take_back" value="12">' in preview.text
    assert lines(server.house, game.id)[12:] == ["correct back 12"]
    assert server.house.sessions.session(game.id).position == game.position
    assert player_at.get(f"{path}?take_back=12").status == 422


def test_what_cannot_be_accepted_says_so_at_once(player_at: Visitor, game: Session) -> None:
    preview = player_at.get(f"/s/{game.id}/correct?entry=8&event=1+takes+1")

    assert [notice.partition(": ")[0] for notice in preview.notices] == ["Entry 8 cannot say that"]
    assert "Accept the correction" not in preview.text


def test_who_plays_is_corrected_by_the_form_of_a_new_game(
    server: Serving, player_at: Visitor, game: Session
) -> None:
    form = {"entry": "1", **FORM, "name0": "Eva", "colour0": "green"}
    preview = player_at.get(f"/s/{game.id}/correct?{urlencode(form)}")
    change = 'start kingdomino with "Eva" green, "Rui" blue'

    assert preview.status == 200
    assert player_at.post(f"/s/{game.id}/correct", {"seq": "11", "change": f"1:{change}"}).status == 303
    assert [player.name for player in server.house.sessions.session(game.id).setup.players] == ["Eva", "Rui"]


@pytest.mark.parametrize(
    ("form", "says"),
    (
        ({}, "There is nothing to correct."),
        ({"change": ""}, "There is nothing to correct."),
        ({"change": "²:nothing"}, "There is nothing to correct."),
        ({"change": "99:nothing"}, "Entry 99 cannot be corrected."),
        ({"change": "0:nothing"}, "Entry 0 cannot be corrected."),
        ({"change": "1:nothing"}, "Entry 1 says who plays: it can only be replaced by another such entry."),
        ({"change": "8:withdraw 3"}, "Entry 8 can only become an event of the game."),
        ({"change": "8:"}, "“” is not a move of Kingdomino."),
        (
            {"change": "8:x" + "y" * 30_000},
            "This line is too long, or has characters that do not belong in it.",
        ),
        ({"change": "9:2 takes 48"}, "Domino 48 is not in the line."),
        ({"change": "9:2 takes 10", "seq": "3"}, "Entry 9 cannot be corrected."),
        ({"change": "9:2 takes 10", "seq": "x"}, MOVED_ON),
    ),
)
def test_a_correction_that_makes_no_sense_changes_nothing(
    house: House, player: FlaskClient, game: Session, form: dict[str, str], says: str
) -> None:
    answer = player.post(f"/s/{game.id}/correct", data={"seq": "11", **form})

    assert answer.status_code in (400, 409, 422)
    assert says in answer.text
    assert house.sessions.session(game.id) is game


@pytest.mark.parametrize(
    ("changed", "says"),
    (
        ({"name1": ""}, "Kingdomino is for 2 to 4 players, not for 1."),
        ({"name0": " ", "name1": ""}, "Kingdomino is for 2 to 4 players, not for 0."),
        ({"colour1": "pink"}, "Two players have the same colour"),
        ({"name1": "ana"}, "Two players have the same name"),
        ({"colour1": "purple"}, "There are no Purple pieces in the box."),
        ({"colour1": "plaid"}, "Choose a colour for Rui."),
        ({"colour1": ""}, "Choose a colour for Rui."),
        ({"name1": "R" * 25}, "is too long: a name has 24 characters at most."),
        ({"name1": "R" * 100_000}, "is too long: a name has 24 characters at most."),
        (
            {"name2": "Eva", "colour2": "green", "option_mighty_duel": "1"},
            "The Mighty Duel is for two players.",
        ),
        ({"option_dynasty": "1", "option_score_only": "1"}, "A dynasty is three whole games"),
    ),
)
def test_a_table_that_cannot_play_is_told_why(
    house: House, player: FlaskClient, changed: dict[str, str], says: str
) -> None:
    before = len(house.sessions.list(1000))

    answer = player.post("/new/kingdomino", data={**FORM, **changed})

    assert answer.status_code == 422
    assert says in answer.text
    assert len(house.sessions.list(1000)) == before


def test_a_refused_table_keeps_what_was_typed(player: FlaskClient) -> None:
    answer = player.post("/new/kingdomino", data={**FORM, "colour1": "pink", "option_harmony": "on"})

    assert 'value="Ana"' in answer.text
    assert 'value="Rui"' in answer.text
    assert 'name="option_harmony" checked' in answer.text


@pytest.mark.parametrize(
    "name", ("O’Hara", '"quoted"', "back\\slash", "50%", "Zoë", "李雷", "🎲", "because", "a, b")
)
def test_names_of_every_kind_are_kept(house: House, player: FlaskClient, name: str) -> None:
    answer = player.post("/new/kingdomino", data={**FORM, "name0": name})
    id = answer.location.rpartition("/")[2]

    assert house.sessions.session(id).setup.players[0].name == name
    house.sessions._live.clear()
    assert house.sessions.session(id).setup.players[0].name == name
