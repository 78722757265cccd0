"""Only counting under a camera: the drawn table comes first, and the camera is an offer beside it."""

from __future__ import annotations

import re

import pytest

from companion.core.session import Session
from companion.watch.state import Status
from tests.web.camera import game, said
from tests.web.pretending import PretendedWatcher
from tests.web.serving import Serving, begin
from tests.web.visitor import Visitor

OFFER = "Let the camera read the table"


@pytest.fixture
def counting(watched: Serving, watcher: PretendedWatcher) -> Session:
    session = begin(watched.house.table, options="score_only")
    watcher.show(session=session.id, seq=session.seq, status=Status.WATCHING)
    return session


def test_the_drawn_table_comes_first_and_the_camera_is_offered(counting: Session, ana: Visitor) -> None:
    path = f"/s/{counting.id}"
    usual, camera, how = (ana.get(f"{path}{wish}") for wish in ("", "?view=camera", "?how=1"))

    assert ("data-count" in usual.text, 'class="scene"' in usual.text, OFFER in said(usual)) == (
        True,
        False,
        True,
    )
    assert re.search(r'href="\?view=camera"[^>]*>[^<]*<svg[^§]*?Let the camera read', usual.text)
    assert ("data-count" in camera.text, 'class="scene"' in camera.text) == (False, True)
    assert OFFER not in said(camera)
    assert "in eight steps" in said(how)


def test_who_looks_at_the_camera_stays_there(counting: Session, ana: Visitor) -> None:
    path = f"/s/{counting.id}"

    assert 'name="view"' not in ana.get(path).text
    assert '<input type="hidden" name="view" value="camera">' in ana.get(f"{path}?view=camera").text
    answer = ana.post(f"{path}/alone", {"alone": "1", "view": "camera"})
    assert answer.location == f"{path}?view=camera"
    assert ana.post(f"{path}/alone", {"alone": "0"}).location == path


def test_nobody_has_thought_where_only_the_end_is_counted(watched: Serving, ana: Visitor) -> None:
    played = game(watched)
    counting = begin(watched.house.table, options="score_only")

    assert "Thinking time" in said(ana.get(f"/s/{played.id}/result"))
    assert "Thinking time" not in said(ana.get(f"/s/{counting.id}/result"))
