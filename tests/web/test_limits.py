"""Photos, endless forms and endless headers: refused in words, and nothing changes."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.core.session import Session
from companion.web.guard import PHOTO_LIMIT, REQUEST_LIMIT
from tests.web.serving import Serving
from tests.web.visitor import Visitor

JPEG, PNG = b"\xff\xd8\xff\xe0" + b"x" * 1000, b"\x89PNG\r\n\x1a\n" + b"x" * 1000


@pytest.mark.parametrize(
    ("picture", "status", "says"),
    (
        (JPEG, 501, "The companion cannot read pictures yet and did not keep yours."),
        (PNG, 501, "The companion cannot read pictures yet and did not keep yours."),
        (b"", 415, "That is not a picture we know: JPEG and PNG will do."),
        (b"GIF89a", 415, "That is not a picture we know: JPEG and PNG will do."),
        (JPEG + b"x" * (PHOTO_LIMIT - 5000), 501, "The companion cannot read pictures yet"),
        (
            JPEG + b"x" * (PHOTO_LIMIT + 1_000_000),
            413,
            "That was too large. Nothing was recorded; a photo may have",
        ),
    ),
    ids=("JPEG", "PNG", "empty", "GIF", "16 MB", "17 MB"),
)
def test_a_photo_is_answered_and_changes_nothing(
    server: Serving, player_at: Visitor, game: Session, picture: bytes, status: int, says: str
) -> None:
    body = (
        b'--B\r\nContent-Disposition: form-data; name="photo"; filename="t.jpg"\r\n\r\n%b\r\n--B--\r\n'
        % picture
    )
    answer = player_at.ask(
        "POST", f"/s/{game.id}/photo", body, {"Content-Type": "multipart/form-data; boundary=B"}
    )

    assert answer.status == status
    assert says in answer.text
    assert server.house.table.session(game.id) is game


def test_a_form_that_is_too_large_is_told(server: Serving, player_at: Visitor, game: Session) -> None:
    for path in (f"/s/{game.id}/record", f"/s/{game.id}/correct", "/new/kingdomino", "/unlock", "/language"):
        answer = player_at.post(path, {"event": "x" * REQUEST_LIMIT, "seq": "11"})
        assert answer.status == 413, path
        assert answer.notices == [
            "That was too large. Nothing was recorded; a photo may have 16 MB, anything else much less."
        ]
    assert server.house.table.session(game.id) is game


def test_a_form_with_too_many_parts_is_told(player: FlaskClient, game: Session) -> None:
    many = {f"part{number}": "x" for number in range(300)}

    answer = player.post(f"/s/{game.id}/record", data=many, content_type="multipart/form-data")

    assert answer.status_code == 413


@pytest.mark.parametrize("headers", ({"X-Long": "x" * 40_000}, {"Cookie": "a=" + "b" * 300_000}))
def test_endless_headers_end_in_a_refusal(server: Serving, headers: dict[str, str]) -> None:
    answer = server.visitor().get("/", **headers)

    assert answer.status in (400, 431)
    assert "Traceback" not in answer.text
