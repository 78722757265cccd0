"""The desk where photos lie: whose they are, how many there is room for, what happens where something is damaged."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import cv2
import numpy as np
import pytest

import models.registry
from companion.core.errors import StaleSession
from companion.core.photo import SentPhoto
from companion.core.session import Session
from companion.games import GAMES
from companion.games.kingdomino.rules.scoring import property_points
from companion.photos.service import MOST, MOST_IN_ALL, PhotoService
from companion.photos.worker import MOST_WAITING, PictureWorker
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.vision.gallery import squares as galleries
from companion.vision.gallery.box import MOST_DRAWINGS, Box, BoxRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from models.registry import load_network
from tests.vision.photo.kingdoms import board, damaged_box, file_of, grown_kingdom, half, our_gallery, photo
from tests.web.sending import hidden, send
from tests.web.serving import PIN, Serving, begin, serving
from tests.web.test_photo import answer_all, form_of, two_kingdoms
from tests.web.visitor import Answer, Visitor

GONE = "This photo is not here any more: take it again."
ANEW = "This photo was read again meanwhile. Nothing was recorded: look at what it shows now."
SHIPPED = galleries.load_shipped
KINGDOM = grown_kingdom(4)
FIRST = str(KINGDOM.squares[KINGDOM.bounds.left, KINGDOM.bounds.top])
CROPPED = file_of(np.asarray(cv2.resize(board(KINGDOM), (300, 300)), np.uint8))
DAMAGED = f"This photo was read without your own box. {damaged_box('kingdomino')}"


@pytest.fixture
def workbench() -> PictureWorker:
    return PictureWorker()


@pytest.fixture
def house(tmp_path: Path, workbench: PictureWorker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A house that reads photos by our own drawings."""
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    desk = PhotoService(tmp_path, workbench=workbench)
    inside = House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8, photos=desk)
    with serving(create_app(inside), inside) as served:
        yield served
    table.close()


@pytest.fixture
def ana(house: Serving) -> Visitor:
    return house.unlocked()


@pytest.fixture
def session(house: Serving) -> Session:
    return begin(house.house.sessions, options="score_only")


def shown(visitor: Visitor, sent: Answer) -> bool:
    """Whether a photo that was sent is still there."""
    page = visitor.get(sent.location)
    assert page.notices in ([], [GONE])
    return page.notices == []


def corrected(visitor: Visitor, path: str) -> dict[str, str]:
    """The form of a photo of which somebody has said what a square is."""
    page = answer_all(visitor, visitor.get(send(visitor, path, file_of(photo(board(KINGDOM)))).location))
    fixed = f"{path}?photo={hidden(page, 'photo')}&fix={hidden(page, 'fix')}00{FIRST}"
    return form_of(answer_all(visitor, visitor.get(fixed)))


def test_a_table_never_sees_the_photos_of_another(house: Serving, ana: Visitor, session: Session) -> None:
    other = begin(house.house.sessions, options="score_only")
    path, elsewhere = f"/s/{session.id}/photo/1", f"/s/{other.id}/photo/1"
    mine = send(ana, path, file_of(photo(board(KINGDOM))))
    form = form_of(answer_all(ana, ana.get(mine.location)))
    token = form["photo"]

    foreign = ana.get(mine.location.replace(session.id, other.id))
    picture = ana.get(f"{elsewhere}/{token}.jpg")
    recorded = ana.post(f"{elsewhere}/record", {**form, "seq": str(other.seq)})
    ana.post(f"{elsewhere}/forget", {"photo": token})

    desk = house.house.photos
    assert desk is not None
    assert desk.done(other.id, token, 0) == ""
    assert (foreign.notices, picture.status, recorded.notices) == ([GONE], 404, [GONE])
    assert house.house.sessions.session(other.id).seq == other.seq
    assert (ana.get(f"{path}/{token}.jpg").status, shown(ana, mine)) == (200, True)


def test_a_tables_photos_make_room_for_each_other_alone(
    house: Serving, ana: Visitor, session: Session
) -> None:
    other = begin(house.house.sessions, options="score_only")
    answered = send(ana, f"/s/{session.id}/photo/1", CROPPED)
    theirs = [send(ana, f"/s/{other.id}/photo/1", CROPPED) for _photo in range(MOST)]
    looked_at = shown(ana, theirs[0])

    newest = send(ana, f"/s/{other.id}/photo/2", CROPPED)

    left = [shown(ana, sent) for sent in (answered, *theirs, newest)]
    assert looked_at
    assert left == [True, True, False, *[True] * (MOST - 2), True]


def test_of_all_tables_the_one_that_has_most_gives_a_photo_away(
    house: Serving, ana: Visitor, session: Session
) -> None:
    answered = send(ana, f"/s/{session.id}/photo/1", CROPPED)
    others = [begin(house.house.sessions, options="score_only") for _table in range(MOST_IN_ALL // MOST)]

    theirs = [[send(ana, f"/s/{other.id}/photo/1", CROPPED) for _photo in range(MOST)] for other in others]

    left = [sum(shown(ana, sent) for sent in photos) for photos in theirs]
    assert (shown(ana, answered), sum(left)) == (True, MOST_IN_ALL - 1)
    assert min(left) == MOST - 1


def test_what_was_not_recorded_teaches_the_box_nothing(
    house: Serving, ana: Visitor, session: Session, tmp_path: Path
) -> None:
    path = f"/s/{session.id}/photo/1"
    form = corrected(ana, path)

    stale = ana.post(f"{path}/record", {**form, "seq": "99", "learn": "1"})
    before = BoxRepository(tmp_path).open("kingdomino").labels
    done = ana.post(f"{path}/record", {**form, "learn": "1"})

    assert (stale.status, before) == (409, ())
    assert (done.status, house.house.sessions.session(session.id).seq) == (303, session.seq + 1)
    assert FIRST in BoxRepository(tmp_path).open("kingdomino").labels


def test_what_lies_on_a_square_is_not_learned(
    house: Serving, ana: Visitor, session: Session, tmp_path: Path
) -> None:
    path, covered = f"/s/{session.id}/photo/1", board(KINGDOM)
    middle = covered.shape[0] // 10
    cv2.circle(covered, (middle, middle), round(0.9 * middle), (235, 235, 235), -1, cv2.LINE_AA)
    page = answer_all(ana, ana.get(send(ana, path, file_of(photo(covered))).location))
    form = {**form_of(page), "fix": f"{hidden(page, 'fix')}00{FIRST}", "learn": "1"}

    done = ana.post(f"{path}/record", form)

    assert house.house.sessions.session(session.id).seq == session.seq + 1
    levels = np.median(BoxRepository(tmp_path).open("kingdomino").pictures, axis=(1, 2, 3))
    assert 0 < len(levels) == (levels < 225).sum()
    assert (
        "It is recorded, but the box has not learned from it: 1 of these squares looks like no drawing of"
        " what it is called: something lay on it, or it is of another edition, which is learned from photos of"
        " your box."
    ) in done.notices


def test_a_kingdom_is_recorded_though_the_box_is_full(
    house: Serving, ana: Visitor, session: Session, tmp_path: Path
) -> None:
    path = f"/s/{session.id}/photo/1"
    form = corrected(ana, path)
    full = Box(("w0",) * MOST_DRAWINGS, np.zeros((MOST_DRAWINGS, 128, 128, 3), np.uint8))
    boxes = BoxRepository(tmp_path)
    boxes.folder.mkdir()
    np.savez_compressed(boxes.folder / "kingdomino.npz", drawn=np.array(full.labels), pictures=full.pictures)

    done = ana.post(f"{path}/record", {**form, "learn": "1"})

    assert (done.status, house.house.sessions.session(session.id).seq) == (200, session.seq + 1)
    assert (
        "It is recorded, but the box has not learned from it:"
        " A box holds at most 1000 drawings: remove some first."
    ) in done.notices


@pytest.mark.parametrize("kind", ("nothing", "zeros", "half", "a bit"))
def test_a_damaged_box_does_not_stand_in_the_way(
    house: Serving, ana: Visitor, session: Session, tmp_path: Path, kind: str
) -> None:
    boxes, path = BoxRepository(tmp_path), f"/s/{session.id}/photo/1"
    boxes.save("kingdomino", Box().learned([("w0", half(1, False))]))
    file = boxes.folder / "kingdomino.npz"
    good = file.read_bytes()
    middle = len(good) // 2
    flipped = good[:middle] + bytes([good[middle] ^ 4]) + good[middle + 1 :]
    file.write_bytes({"nothing": b"", "zeros": bytes(999), "half": good[:middle], "a bit": flipped}[kind])

    page = ana.get(send(ana, path, file_of(photo(board(KINGDOM)))).location)
    done = ana.post(f"{path}/record", form_of(answer_all(ana, page)))

    assert page.notices == [DAMAGED]
    assert done.status == 303
    assert house.house.sessions.session(session.id).tally.totals[0] == property_points(KINGDOM)
    boxes.remove("kingdomino")
    assert ana.get(send(ana, path, CROPPED).location).notices == []


@pytest.mark.parametrize("file", ("kingdomino.npz", "kingdomino.toml", "pieces.onnx", "pieces.toml"))
def test_damaged_files_of_ours_are_told_in_words(
    ana: Visitor, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setattr(galleries, "load_shipped", SHIPPED)
    shutil.copytree(models.registry.FOLDER, tmp_path / "models", ignore=shutil.ignore_patterns("train"))
    monkeypatch.setattr(models.registry, "FOLDER", tmp_path / "models")
    load_network.cache_clear()
    (tmp_path / "models" / file).write_bytes((tmp_path / "models" / file).read_bytes()[:100])

    answer = send(ana, f"/s/{session.id}/photo/1", CROPPED)

    assert (answer.status, len(answer.notices)) == (503, 1)
    assert answer.notices[0].startswith("models/")
    assert answer.notices[0].endswith(
        " is missing or damaged: it is not what came with the companion. Install the companion again."
    )


def test_whose_turn_would_be_too_long_in_coming_is_told_so(
    ana: Visitor, session: Session, workbench: PictureWorker
) -> None:
    path, begun, finish = f"/s/{session.id}/photo/1", Event(), Event()

    def work() -> None:
        begun.set()
        finish.wait(20)

    waiting = [Thread(target=workbench.do_soon, args=(work,)) for _photo in range(MOST_WAITING)]
    for one in waiting:
        one.start()
    begun.wait(20)
    while workbench._free.acquire(blocking=False):  # until all of them wait
        workbench._free.release()

    refused = send(ana, path, CROPPED)
    meanwhile = ana.get(f"/s/{session.id}")
    finish.set()
    for one in waiting:
        one.join()

    assert (refused.status, refused.notices) == (
        503,
        ["The companion is reading other photos just now: try again in a few seconds."],
    )
    assert meanwhile.status == 200
    assert send(ana, path, CROPPED).status == 303


def turned_round(visitor: Visitor, path: str, token: str) -> Answer:
    """Read a photo again, between the same corners begun one further round."""
    page = visitor.get(f"{path}?photo={token}&corners=1")
    (shown,) = re.findall(r'data-corners="([^"]*)"', page.text)
    pairs = [pair.split(",") for pair in shown.split()]
    around = {
        f"{axis}{i}": v
        for i, pair in enumerate(pairs[1:] + pairs[:1])
        for axis, v in zip("xy", pair, strict=True)
    }
    return visitor.post(f"{path}/corners", {"photo": token, **around})


def test_what_was_said_of_a_reading_is_never_said_of_the_next(
    house: Serving, ana: Visitor, session: Session
) -> None:
    """Another device drags the corners while a square is put right here."""
    path, tablet = f"/s/{session.id}/photo/1", house.unlocked()
    form = corrected(ana, path)

    read = turned_round(tablet, path, form["photo"])
    recorded = ana.post(f"{path}/record", {**form, "learn": "1"})
    tapped = ana.get(f"{path}?photo={form['photo']}&fix={form['fix']}&at=11")
    fresh = answer_all(tablet, tablet.get(read.location))

    assert [(page.status, page.notices) for page in (recorded, tapped)] == [(409, [ANEW])] * 2
    assert all(form["fix"] not in page.text for page in (recorded, tapped))
    assert house.house.sessions.session(session.id).seq == session.seq
    assert ana.get(f"{path}/{form['photo']}.jpg").status == 200
    assert ("place told" in recorded.text, "/record" in answer_all(ana, recorded).text) == (False, True)
    assert tablet.post(f"{path}/record", form_of(fresh)).status == 303
    assert house.house.sessions.session(session.id).tally.totals[0] == property_points(KINGDOM)


def test_corners_shown_while_another_kingdom_is_recorded(
    house: Serving, ana: Visitor, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one device does to a photo is not lost because another one is just reading it again."""
    path = f"/s/{session.id}/photo/1"
    token = send(ana, path, two_kingdoms()).location.rpartition("=")[2]
    desk = house.house.photos
    assert isinstance(desk, PhotoService)
    read_between = PhotoService._read_between

    def meanwhile(self: PhotoService, *args: object) -> object:
        page = answer_all(ana, ana.get(f"{path}?photo={token}~1"))
        ana.post(f"{path}/record", form_of(page))
        return read_between(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(PhotoService, "_read_between", meanwhile)
    desk.place(session.id, f"{token}~0", ((90, 110), (630, 140), (650, 710), (50, 690)))

    assert [one.player for one in desk.several(session.id, token)] == [None, 0]


def test_only_one_records_a_photo_and_it_stays_where_that_fails(house: Serving) -> None:
    desk, game = house.house.photos, GAMES["kingdomino"]
    assert desk
    token = desk.put("a table", game, lambda: SentPhoto(CROPPED))

    with pytest.raises(RuntimeError, match="no space left"), desk.recording("a table", [token]):
        refuse_another(desk, token)
    with desk.recording("a table", [token]):
        desk.forget("a table", token)
    with pytest.raises(StaleSession), desk.recording("a table", [token]):
        pass


def refuse_another(desk: PhotoService, token: str) -> None:
    """Somebody else wants to record it, too; then there is no space left."""
    with pytest.raises(StaleSession, match="Somebody else records this already"):
        desk.recording("a table", [token]).__enter__()
    raise RuntimeError("no space left")
