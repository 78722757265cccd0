"""Evenings on the camera's page, over real HTTP: kept, told, downloaded and deleted."""

from __future__ import annotations

import io
import re
import zipfile
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from companion.watch.evening_keeper import EveningKeeper
from tests.web.serving import begin
from tests.web.test_camera_setup import Room, said
from tests.web.test_camera_setup import room as room  # the fixture
from tests.web.visitor import PATIENCE_S


@pytest.fixture
def playing(room: Room) -> Room:
    """The camera watches a game."""
    room.rig.watcher.follow(begin(room.served.house.sessions).id)
    return room


def keeper(room: Room) -> EveningKeeper:
    assert room.rig.keeper
    return room.rig.keeper


def names(room: Room) -> list[str]:
    return [one.name for one in keeper(room).evenings.list()]


def downloaded(room: Room, path: str) -> tuple[HTTPResponse, bytes]:
    cookies = "; ".join(f"{key}={value}" for key, value in room.ana.cookies.items())
    with closing(HTTPConnection("127.0.0.1", room.served.port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path, headers={"Cookie": cookies})
        answer = connection.getresponse()
        return answer, answer.read()


def keep(room: Room, on: bool) -> None:
    answer = room.ana.post("/camera/keep", {"on": "1" if on else "0"})
    assert answer.status == 303
    room.look(6)


def test_an_evening_is_kept_while_its_switch_is_on(playing: Room) -> None:
    before = said(playing.ana.get("/camera"))
    keep(playing, True)
    while not keeper(playing).state.pictures:
        playing.look()
    during = playing.ana.get("/camera")
    keep(playing, False)
    after = said(playing.ana.get("/camera"))

    assert re.search(r"Keep this evening's pictures ?There is room for \d", before)
    assert re.search(r"[12] pictures?, \d\.\d MB\.", said(during))
    assert 'aria-checked="true"' in during.text
    assert re.search(r"Keep this evening's pictures ?There is room for \d", after)
    assert re.search(r" [AP]M Kingdomino: Ana, Rui", said(playing.ana.get("/camera/evenings")))
    assert len(names(playing)) == 1


def test_without_a_game_it_begins_with_the_next(room: Room) -> None:
    keep(room, True)

    assert "It begins with the next game that the camera watches." in said(room.ana.get("/camera/now"))
    assert names(room) == []


def test_an_evening_is_downloaded_and_deleted(playing: Room) -> None:
    keep(playing, True)
    keep(playing, False)
    (name,) = names(playing)

    answer, content = downloaded(playing, f"/camera/evenings/{name}.zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        packed = {Path(one).name for one in archive.namelist()}
    playing.ana.post("/camera/forget", {"evening": name})

    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/zip")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.zip"'
    assert {"evening.jsonl", "camera.json", "000001.jpg"} <= packed
    assert names(playing) == []


def test_an_evening_that_is_being_kept_is_not_deleted(playing: Room) -> None:
    keep(playing, True)
    (name,) = names(playing)

    answer = playing.ana.post("/camera/forget", {"evening": name})

    assert "These pictures are being kept just now: stop that first." in said(answer)
    assert names(playing) == [name]


def test_who_does_not_know_the_pin_neither_keeps_nor_gets_nor_deletes(playing: Room) -> None:
    keep(playing, True)
    keep(playing, False)
    (name,) = names(playing)
    guest = playing.served.visitor()

    answers = [
        guest.post("/camera/keep", {"on": "1"}),
        guest.get(f"/camera/evenings/{name}.zip"),
        guest.post("/camera/forget", {"evening": name}),
    ]

    assert [(one.status, one.headers["Location"].partition("?")[0]) for one in answers] == [
        (303, "/unlock")
    ] * 3
    assert (keeper(playing).state.on, names(playing)) == (False, [name])


@pytest.mark.parametrize("name", ("..%2F..%2Fcompanion", "2026-01-01-nobody", "x"))
def test_nothing_but_evenings_can_be_downloaded_or_deleted(room: Room, name: str) -> None:
    got = room.ana.get(f"/camera/evenings/{name}.zip")
    gone = room.ana.post("/camera/forget", {"evening": "2026-01-01-nobody"})

    assert got.status == 404
    assert "There is no such evening." in said(gone)


@pytest.mark.parametrize(("language", "room_left"), (("en", r"\d\.\d MB"), ("pt-BR", r"\d,\d MB")))
def test_how_much_room_it_takes_is_said_in_the_languages_figures(
    playing: Room, language: str, room_left: str
) -> None:
    keep(playing, True)
    keep(playing, False)

    listed = playing.ana.get("/camera/evenings", **{"Accept-Language": language})

    assert re.search(room_left, said(listed))
