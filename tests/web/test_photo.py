"""A photo of a kingdom on the page: sent, read, asked about, put right, recorded like a tap, and forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.session import Session
from companion.games import GAMES
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.scoring import property_points
from companion.photos.service import KEPT_S, PhotoService
from companion.photos.teaching import BoxService
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.vision.gallery import squares as galleries
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.vision.photo.kingdoms import (
    SIDE,
    board,
    file_of,
    grown_kingdom,
    half,
    our_gallery,
    photo,
    shown_squares,
)
from tests.web.sending import hidden, send
from tests.web.serving import PIN, Serving, begin, serving
from tests.web.visitor import Answer, Visitor


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Serving]:
    """A house that reads photos by our own drawings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
        folder = tmp_path_factory.mktemp("data")
        table = LiveSessions(SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES))
        photos, boxes = PhotoService(folder, clock), BoxService(folder, clock)
        house = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, photos=photos, boxes=boxes)
        with serving(create_app(house), house) as served:
            yield served
        table.close()


@pytest.fixture
def ana(counting: Serving) -> Visitor:
    return counting.unlocked()


@pytest.fixture
def session(counting: Serving) -> Session:
    return begin(counting.house.sessions, options="score_only")


PAPER = (215, 218, 220)
"""What somebody has put down there."""


def lying(picture: Pixels) -> bytes:
    return file_of(photo(picture))


def clear_kingdom() -> Kingdom:
    return grown_kingdom(4)


def form_of(page: Answer) -> dict[str, str]:
    return {name: hidden(page, name) for name in ("seq", "photo", "fix")}


def answer_all(visitor: Visitor, page: Answer) -> Answer:
    """Take the likeliest answer to every question."""
    for _question in range(30):
        links = re.findall(r'class="button big answer" href="([^"]*)"', page.text)
        if not links:
            return page
        path = re.search(r'"(/s/[^"?]*/photo/\d+)[/?]', page.text)
        assert path
        page = visitor.get(path[1] + unescape(links[0]).partition("#")[0])
    raise AssertionError("the questions never end")


def test_a_photo_becomes_a_recorded_kingdom(counting: Serving, ana: Visitor, session: Session) -> None:
    path, kingdom = f"/s/{session.id}/photo/1", clear_kingdom()

    sent = send(ana, path, lying(board(kingdom)))
    page = answer_all(ana, ana.get(sent.location))
    done = ana.post(f"{path}/record", form_of(page))

    after = counting.house.sessions.session(session.id)
    assert (sent.status, done.status, done.location) == (303, 303, f"/s/{session.id}")
    assert (after.seq, after.tally.totals[0]) == (session.seq + 1, property_points(kingdom))
    assert ana.get(f"{path}?photo={hidden(page, 'photo')}").notices == [
        "This photo is not here any more: take it again."
    ]
    ana.post(f"/s/{session.id}/undo", {"seq": str(after.seq)})
    assert counting.house.sessions.session(session.id).tally.totals[0] == 0


def test_what_was_read_is_drawn_over_the_photo(ana: Visitor, session: Session) -> None:
    path = f"/s/{session.id}/photo/2"

    page = ana.get(send(ana, path, lying(board(clear_kingdom()))).location)
    shown = re.search(r'<image href="([^"]*)"', page.text)

    assert shown
    assert len(re.findall(r'class="place ', page.text)) == 25
    picture = ana.get(unescape(shown[1]))
    assert (picture.status, picture.headers["Content-Type"]) == (200, "image/jpeg")


def test_a_hole_in_which_something_lies_is_asked_about_before_anything_is_recorded(
    ana: Visitor, session: Session
) -> None:
    path = f"/s/{session.id}/photo/1"

    kingdom = grown_kingdom(8, dominoes=11)
    picture, shown = board(kingdom), shown_squares(kingdom)
    x, y = next((x, y) for y in range(5) for x in range(5) if (x, y) not in shown)
    picture[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE] = PAPER
    page = ana.get(send(ana, path, lying(picture)).location)
    photo_name = re.search(r'name="photo" value="([^"]*)"', page.text)
    assert photo_name
    early = ana.post(f"{path}/record", {"seq": str(session.seq), "photo": photo_name[1], "fix": ""})

    assert "places empty?" in page.text
    assert page.text.count('class="button big answer"') == 1, "one answer for all of them"
    assert (early.status, early.notices) == (
        400,
        ["The companion did not understand that. Nothing was recorded."],
    )


def test_five_rows_where_kingdoms_have_seven_are_asked_about(counting: Serving, ana: Visitor) -> None:
    session = begin(counting.house.sessions, options="score_only mighty_duel")
    path = f"/s/{session.id}/photo/1"

    page = answer_all(ana, ana.get(send(ana, path, lying(board(clear_kingdom()))).location))
    link = re.search(r'href="(\?[^"]*fix=[^"]*ok[^"]*)"', page.text)
    assert link
    agreed = ana.get(path + unescape(link[1]).partition("#")[0])

    assert "A row or a column of squares may be missing." in page.notices
    assert "That is right:" not in page.text
    assert ana.post(f"{path}/record", form_of(agreed)).status == 303


def test_a_kingdom_beside_other_pieces_may_be_somebody_elses(ana: Visitor, session: Session) -> None:
    path, beside = f"/s/{session.id}/photo/1", np.hstack([half(47, False), half(47, True)])
    picture = photo(board(clear_kingdom()))
    picture[200:280, 1330:1490] = beside

    page = answer_all(ana, ana.get(send(ana, path, file_of(picture)).location))
    link = re.search(r'href="(\?[^"]*fix=[^"]*ok[^"]*)"', page.text)
    assert link
    agreed = ana.get(path + unescape(link[1]).partition("#")[0])

    assert (
        "More pieces lie beside these. Is this all of it, and nothing else: Kingdom of Ana?" in page.notices
    )
    assert "That is right:" not in page.text
    assert ana.post(f"{path}/record", form_of(agreed)).status == 303


def test_one_tap_puts_a_square_right(counting: Serving, ana: Visitor, session: Session) -> None:
    path, kingdom = f"/s/{session.id}/photo/1", clear_kingdom()
    page = answer_all(ana, ana.get(send(ana, path, lying(board(kingdom))).location))
    fixed = f"{path}?photo={hidden(page, 'photo')}&fix={hidden(page, 'fix')}00m3"

    page = answer_all(ana, ana.get(fixed))
    ana.post(f"{path}/record", form_of(page))

    shown = counting.house.sessions.session(session.id).position.kingdoms[0]
    assert "m3" in {str(square) for square in shown.squares.values()}


@pytest.mark.parametrize(
    ("data", "status", "expected"),
    (
        (b"no picture", 422, "This file is not a JPEG, PNG or HEIC picture, or it is damaged."),
        (
            file_of(np.zeros((20, 300, 3), np.uint8)),
            422,
            "The picture is too small: at least 60 pixels a side.",
        ),
    ),
)
def test_what_is_no_photo(ana: Visitor, session: Session, data: bytes, status: int, expected: str) -> None:
    answer = send(ana, f"/s/{session.id}/photo/1", data)

    assert (answer.status, answer.notices) == (status, [expected])


def test_nothing_was_chosen(ana: Visitor, session: Session) -> None:
    answer = send(ana, f"/s/{session.id}/photo/1", b"", name="")

    assert (answer.status, answer.notices) == (400, ["Choose a photo first."])


def test_a_photo_that_is_too_large(ana: Visitor, session: Session) -> None:
    answer = send(ana, f"/s/{session.id}/photo/1", b"\xff" * (15 * 1024 * 1024 + 1))

    assert (answer.status, "That was too large. Nothing was recorded." in answer.text) == (413, True)


def test_what_is_no_kingdom_gets_no_points(ana: Visitor, session: Session) -> None:
    path = f"/s/{session.id}/photo/1"
    black = file_of(np.zeros((700, 900, 3), np.uint8))

    page = ana.get(send(ana, path, black).location)
    corners = {
        f"{axis}{i}": v
        for i, (x, y) in enumerate(((50, 50), (650, 50), (650, 650), (50, 650)))
        for axis, v in (("x", str(x)), ("y", str(y)))
    }
    between = ana.post(f"{path}/corners", {"photo": hidden(page, "photo"), **corners})
    shown = ana.get(between.location)

    assert page.notices[0].startswith("Nothing of the game is found in this photo.")
    assert shown.notices[0].startswith("What lies between these corners is nothing of the game")
    assert "/record" not in page.text + shown.text
    # Another edition looks like no kingdom, too: it can be taught.
    assert all("perhaps of another edition?" in found.text for found in (page, shown))


def test_corners_that_cross(ana: Visitor, session: Session) -> None:
    path = f"/s/{session.id}/photo/1"
    page = ana.get(send(ana, path, lying(board(clear_kingdom()))).location)
    places = (("10", "10"), ("500", "500"), ("500", "10"), ("10", "500"))
    crossed = {f"{axis}{i}": v for i, pair in enumerate(places) for axis, v in zip("xy", pair, strict=True)}

    answer = ana.post(f"{path}/corners", {"photo": hidden(page, "photo"), **crossed})

    assert (answer.status, answer.notices[0]) == (
        400,
        "The corners cross each other, or lie too close together: drag each to its own.",
    )
    assert re.findall(r'data-corners="([^"]*)"', answer.text) == [
        "10.0,10.0 500.0,500.0 500.0,10.0 10.0,500.0 "
    ]


def test_the_corners_that_the_page_shows_can_be_read_between(ana: Visitor, session: Session) -> None:
    path = f"/s/{session.id}/photo/1"
    picture = photo(board(clear_kingdom()))[:, :1200]
    page = ana.get(send(ana, path, file_of(picture)).location + "&corners=1")
    (shown,) = re.findall(r'data-corners="([^"]*)"', page.text)
    pairs = [pair.split(",") for pair in shown.split()]
    corners = {f"{axis}{i}": v for i, pair in enumerate(pairs) for axis, v in zip("xy", pair, strict=True)}

    answer = ana.post(f"{path}/corners", {"photo": hidden(page, "photo"), **corners})

    assert max(float(x) for x, _y in pairs) == 1200
    assert answer.status == 303
    read = ana.get(answer.location).text
    assert ("What is this?" in read or "/record" in read, 'id="handles"' in read) == (True, False)


def test_a_photo_is_kept_for_half_an_hour(ana: Visitor, session: Session, clock: Clock) -> None:
    sent = send(ana, f"/s/{session.id}/photo/1", lying(board(clear_kingdom())))
    assert 'class="place ' in ana.get(sent.location).text

    clock.now += KEPT_S + 1

    assert ana.get(sent.location).notices == ["This photo is not here any more: take it again."]


def test_only_who_may_change_the_game_and_only_where_points_are_counted(
    counting: Serving, ana: Visitor, session: Session
) -> None:
    playing = begin(counting.house.sessions)

    assert counting.visitor().get(f"/s/{session.id}/photo/1").status == 303
    assert ana.get(f"/s/{playing.id}/photo/1").status == 404
    assert ana.get(f"/s/{session.id}/photo/3").status == 404
    assert f"/s/{session.id}/photo/1" in ana.get(f"/s/{session.id}").text


def kingdom_of_half_the_box(which: int) -> Kingdom:
    return grown_kingdom(4 + which, box=range(1 + which, 49, 2))


def two_kingdoms() -> bytes:
    """A photo of two kingdoms, and of a domino beside them that is nobody's."""
    left = photo(board(kingdom_of_half_the_box(0)), ((100, 120), (620, 150), (640, 700), (60, 680)))
    right = photo(board(kingdom_of_half_the_box(1)), ((900, 300), (1430, 260), (1480, 820), (880, 850)))
    domino = photo(
        np.hstack([half(30, False), half(30, True)]), ((700, 900), (900, 900), (900, 1000), (700, 1000))
    )
    whole = np.where((np.arange(1600) < 760)[None, :, None], left, right)
    whole[880:1030, 660:940] = domino[880:1030, 660:940]
    return file_of(whole.astype(np.uint8))


def test_two_kingdoms_in_one_photo(counting: Serving, ana: Visitor, session: Session) -> None:
    path = f"/s/{session.id}/photo/1"

    whole = ana.get(send(ana, path, two_kingdoms()).location)
    places = re.findall(r'class="place (\w+)', whole.text)
    for player in (1, 2):
        mine = re.search(rf'href="(/s/[^"]*/photo/{player}\?photo=[^"]*)"', whole.text)
        assert mine, player
        page = answer_all(ana, ana.get(unescape(mine[1])))
        whole = ana.post(f"/s/{session.id}/photo/{player}/record", form_of(page))
        if player == 1:
            whole = ana.get(whole.location)

    kingdoms = counting.house.sessions.session(session.id).position.kingdoms
    expected = sorted(property_points(kingdom_of_half_the_box(which)) for which in (0, 1))
    assert len(places) == 2
    assert whole.location == f"/s/{session.id}"
    assert sorted(property_points(kingdom) for kingdom in kingdoms) == expected
