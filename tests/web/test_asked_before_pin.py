"""What somebody taps before the PIN is asked is done once it is right: their own tap, once, and soon."""

from __future__ import annotations

import re
from html import unescape
from time import time

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.session import Session
from companion.web import House, access
from tests.web.serving import MOVES, PIN, begin, play

AGAIN = "This device may change the game now. Tap again."
LAY = "2 lays 39 at 0,2 N"


@pytest.fixture
def game(house: House) -> Session:
    return play(house.sessions, begin(house.sessions), *MOVES)


def tap(client: FlaskClient, game: Session, **more: str) -> str:
    """Where a tap without the PIN leads to."""
    form = {"event": LAY, "seq": str(game.seq), "view": "drawn", **more}
    path = f"/s/{game.id}"
    answer = client.post(
        f"{path}/record", data=form, headers={"Referer": f"http://localhost{path}?view=drawn"}
    )
    assert answer.status_code == 303
    return answer.location


def form_of(page: TestResponse) -> dict[str, str]:
    form = page.text[page.text.index('action="/unlock"') :].partition("</form>")[0]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', unescape(form)))


def unlock(client: FlaskClient, address: str, pin: str = PIN) -> TestResponse:
    """Type the PIN where the tap has led to."""
    return client.post("/unlock", data={**form_of(client.get(address)), "pin": pin})


def done(client: FlaskClient, page: TestResponse) -> TestResponse:
    """Type the PIN there, and do as browsers do: send the same form to where the answer says."""
    form = {**form_of(page), "pin": PIN}
    answer = client.post("/unlock", data=form)
    assert answer.status_code == 307
    return client.post(answer.location, data=form)


def last(house: House, game: Session) -> str:
    session = house.sessions.session(game.id)
    return session.game.write(session.entries[-1].event)


def test_the_tap_is_done_with_the_right_pin(client: FlaskClient, house: House, game: Session) -> None:
    address = tap(client, game)
    page = client.get(address)
    assert "What you tapped is done as soon as the PIN is right." in page.text

    answer = done(client, page)

    assert (answer.status_code, answer.location) == (303, f"/s/{game.id}?view=drawn")
    assert last(house, game) == LAY


def test_a_wrong_pin_does_not_lose_it(client: FlaskClient, house: House, game: Session) -> None:
    address = tap(client, game)
    wrong = unlock(client, address, "0000")
    assert (wrong.status_code, house.sessions.session(game.id).seq) == (403, game.seq)

    done(client, wrong)

    assert last(house, game) == LAY


def test_it_is_refused_when_the_game_has_moved_on(client: FlaskClient, house: House, game: Session) -> None:
    address = tap(client, game)
    play(house.sessions, game, '2 discards 39 because "it fell down"')

    answer = done(client, client.get(address))

    assert answer.status_code == 409
    assert house.sessions.session(game.id).seq == game.seq + 1


def test_it_is_done_once(client: FlaskClient, game: Session) -> None:
    address = tap(client, game)
    first, second = unlock(client, address), unlock(client, address)

    assert (first.status_code, first.location) == (307, f"/s/{game.id}/record")
    assert (second.status_code, second.location) == (303, f"/s/{game.id}?view=drawn")
    assert AGAIN in client.get(second.location).text
    assert AGAIN not in client.get(second.location).text


def test_a_link_does_nothing_on_another_device(
    app: Flask, client: FlaskClient, house: House, game: Session
) -> None:
    address, other = tap(client, game), app.test_client()

    page = other.get(address)
    answer = unlock(other, address)

    assert LAY not in page.text
    assert (answer.status_code, answer.location) == (303, f"/s/{game.id}?view=drawn")
    assert house.sessions.session(game.id).seq == game.seq


def test_what_was_tapped_long_ago_is_tapped_again(
    client: FlaskClient, game: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = tap(client, game)
    later = time() + access.KEPT_FORM_S
    monkeypatch.setattr(access, "time", lambda: later)

    assert unlock(client, address).status_code == 303
    assert AGAIN in client.get(f"/s/{game.id}").text


def test_opening_the_lock_later_does_not_bring_it_back(
    client: FlaskClient, house: House, game: Session
) -> None:
    tap(client, game)

    answer = unlock(client, f"/unlock?back=/s/{game.id}")

    assert (answer.status_code, answer.location) == (303, f"/s/{game.id}")
    assert AGAIN not in client.get(answer.location).text
    assert house.sessions.session(game.id).seq == game.seq


@pytest.mark.parametrize(
    "more", ({"because": "x" * access.LONGEST_KEPT}, {"pin": "1"}, {"asked": "1"}, {"back": "/"})
)
def test_what_cannot_be_kept_is_tapped_again(
    client: FlaskClient, game: Session, more: dict[str, str]
) -> None:
    address = tap(client, game, **more)

    assert address.endswith(f"&asked={access.AGAIN_FIELD}")
    assert unlock(client, address).status_code == 303
    assert AGAIN in client.get(f"/s/{game.id}").text


@pytest.mark.parametrize("mark", ("", "again", "é", "x" * 5000))
def test_a_made_up_mark_does_nothing(client: FlaskClient, house: House, game: Session, mark: str) -> None:
    tap(client, game)

    answer = client.post("/unlock", data={"pin": PIN, "back": f"/s/{game.id}", "asked": mark, "event": LAY})

    assert (answer.status_code, answer.location) == (303, f"/s/{game.id}")
    assert house.sessions.session(game.id).seq == game.seq
