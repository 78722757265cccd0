"""A kingdom in a photo beside the rest of the table: too large for the game, or somebody else's already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.core.session import Session
from companion.games.kingdomino.rules.scoring import property_points
from companion.photos.service import PhotoService
from companion.vision.gallery import squares as galleries
from tests.vision.photo.kingdoms import board, grown_kingdom, our_gallery
from tests.web.sending import hidden, send
from tests.web.serving import Serving, begin, household, play
from tests.web.test_photo import answer_all, clear_kingdom, form_of, lying
from tests.web.visitor import Visitor

LARGE = grown_kingdom(3, dominoes=20, size=7)


@pytest.fixture
def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A house that reads photos by our own drawings."""
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
    with household(tmp_path, photos=PhotoService(tmp_path)) as served:
        yield served


@pytest.fixture
def ana(counting: Serving) -> Visitor:
    return counting.unlocked()


@pytest.fixture
def session(counting: Serving) -> Session:
    return begin(counting.house.sessions, options="score_only")


def test_a_kingdom_of_the_mighty_duel_where_smaller_ones_were_meant(
    counting: Serving, ana: Visitor, session: Session
) -> None:
    """The page says it at once; once the options are put right, the photo is still there."""
    path = f"/s/{session.id}/photo/1"
    play(counting.house.sessions, session, "2 shows 5 w0w0##w1f0")

    page = ana.get(send(ana, path, lying(board(LARGE))).location)
    answered = answer_all(ana, page)
    columns, rows = LARGE.bounds.columns, LARGE.bounds.rows
    expected = (
        f"This kingdom has {columns} by {rows} squares, and the game was started for 5 by 5. "
        "Tap what does not belong to it, or:"
    )

    assert (page.notices[0], answered.notices) == (expected, [expected])
    for shown in (page, answered):
        assert "may be missing" not in shown.text
        assert "/record" not in shown.text
        assert [way for way in ("option_mighty_duel", "corners=1", "/forget") if way not in shown.text] == []

    options = re.search(r'href="(/s/[^"]*option_mighty_duel[^"]*)"', page.text)
    assert options
    change = ana.get(unescape(options[1]))
    ana.post(f"/s/{session.id}/correct", {"seq": hidden(change, "seq"), "change": hidden(change, "change")})
    left = re.search(rf'href="({path}\?photo=[^"]*)"', ana.get(path).text)
    assert left
    page = answer_all(ana, ana.get(left[1]))
    if agreed := re.search(r'href="(\?[^"]*fix=[^"]*ok[^"]*)"', page.text):
        page = ana.get(path + unescape(agreed[1]).partition("#")[0])
    ana.post(f"{path}/record", form_of(page))

    # What was counted before stays.
    assert counting.house.sessions.session(session.id).tally.totals == (property_points(LARGE), 1)


def test_where_three_play_no_kingdom_may_be_larger(counting: Serving, ana: Visitor) -> None:
    session = begin(counting.house.sessions, players=3, options="score_only")

    page = ana.get(send(ana, f"/s/{session.id}/photo/1", lying(board(LARGE))).location)

    assert "and the game was started for 5 by 5" in page.notices[0]
    assert ("option_mighty_duel" in page.text, "corners=1" in page.text) == (False, True)


def test_one_photo_for_two_people_is_asked_about(counting: Serving, ana: Visitor, session: Session) -> None:
    pages = []
    for player in (1, 2):
        path = f"/s/{session.id}/photo/{player}"
        pages.append(answer_all(ana, ana.get(send(ana, path, lying(board(clear_kingdom()))).location)))
        if player == 1:
            ana.post(f"{path}/record", form_of(pages[0]))

    assert pages[0].notices == []
    assert pages[1].notices == ["This is the very kingdom that is recorded for Ana: is it the same photo?"]
    assert "All the same: Kingdom of Rui" in pages[1].text
    # What people insist on is recorded, and stays something to look at.
    ana.post(f"/s/{session.id}/photo/2/record", form_of(pages[1]))
    assert counting.house.sessions.session(session.id).problems != ()


def test_a_kingdom_put_right_is_not_compared_with_itself(ana: Visitor, session: Session) -> None:
    path = f"/s/{session.id}/photo/1"
    first = answer_all(ana, ana.get(send(ana, path, lying(board(clear_kingdom()))).location))
    ana.post(f"{path}/record", form_of(first))

    again = answer_all(ana, ana.get(send(ana, path, lying(board(clear_kingdom()))).location))

    assert again.notices == []
