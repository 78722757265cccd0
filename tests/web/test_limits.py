"""Endless forms and endless headers: refused in words, and nothing changes."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.core.session import Session
from companion.web.access import REQUEST_LIMIT
from tests.web.serving import Serving
from tests.web.visitor import Visitor


def test_a_form_that_is_too_large_is_told(server: Serving, player_at: Visitor, game: Session) -> None:
    for path in (f"/s/{game.id}/record", f"/s/{game.id}/correct", "/new/kingdomino", "/unlock", "/language"):
        answer = player_at.post(path, {"event": "x" * REQUEST_LIMIT, "seq": "11"})
        assert answer.status == 413, path
        assert answer.notices == ["That was too large. Nothing was recorded."]
    assert server.house.sessions.session(game.id) is game


def test_a_form_with_too_many_parts_is_told(player: FlaskClient, game: Session) -> None:
    many = {f"part{number}": "x" for number in range(300)}

    answer = player.post(f"/s/{game.id}/record", data=many, content_type="multipart/form-data")

    assert answer.status_code == 413


@pytest.mark.parametrize("headers", ({"X-Long": "x" * 40_000}, {"Cookie": "a=" + "b" * 300_000}))
def test_endless_headers_end_in_a_refusal(server: Serving, headers: dict[str, str]) -> None:
    answer = server.visitor().get("/", **headers)

    assert answer.status in (400, 431)
    assert "Traceback" not in answer.text
