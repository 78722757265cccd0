"""Evenings that a household keeps: what is written of them, when that ends, and how they are done again."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from calibration.mat import Mat
from companion.cli import main
from companion.core import notation
from companion.core.errors import IllegalEvent, NotationError, StoreError
from companion.watch import evening_keeper
from companion.watch.evening_film import do_again
from companion.watch.evening_keeper import LEAST_FREE, EveningKeeper
from companion.watch.evenings import (
    FILE,
    LARGEST_FILE,
    Deed,
    Did,
    EveningPart,
    EveningRepository,
    read_evening,
    unpack_evening,
)
from tests.watch.evening import LINE, OPENING, Evening
from tests.watch.filming import KINGDOMINO
from tests.watch.night import Night

SCRIPT = KINGDOMINO.lines[:2]


class Usage(NamedTuple):
    """What a disk says of itself."""

    free: int


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    """Two people who play what a script says, without anything that disturbs the camera."""
    left = iter(SCRIPT)

    def choose(game: Any, _position: Any) -> object | None:
        line = next(left, None)
        return game.parse(line) if line else None

    night = Night(tmp_path, 2, seed=1, disturbed=False, policy=choose)
    yield night
    night.close()


def keeper(night: Night) -> EveningKeeper:
    assert night.rig.keeper
    return night.rig.keeper


def the_folder(night: Night) -> Path:
    """The one folder that was kept, with all of it on disk."""
    keeper(night).close()
    (kept,) = keeper(night).evenings.list()
    return keeper(night).evenings.folder / kept.name


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FILE).read_text("utf-8").splitlines()]


# -- what is written ------------------------------------------------------------------------------------------------


def test_an_evening_is_watched_again_with_its_presses(
    night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    keeper(night).keep(True)
    night.play()
    played = [notation.write_entry(night.session.game, step.event) for step in night.session.fold.steps]
    folder = the_folder(night)

    code = main(["watch", "kingdomino", str(folder), "--json"])

    out, err = capsys.readouterr()
    *frames, last = map(json.loads, out.splitlines())
    presses = [row["seat"] for row in rows(folder) if row.get("did") == "press"]
    assert (code, err) == (0, "")
    assert last["events"] == last["then"] == played == list(SCRIPT)
    assert [event for frame in frames for event in frame["recorded"]] == played
    assert presses == [None] * len(SCRIPT)
    assert len(frames) == len(list(folder.glob("*.jpg")))


@pytest.fixture
def packed(night: Night, tmp_path: Path) -> Path:
    """A whole evening as the ZIP file that the page hands out."""
    keeper(night).keep(True)
    night.play()
    folder, archive = the_folder(night), tmp_path / "evening.zip"
    archive.write_bytes(b"".join(keeper(night).evenings.zipped(folder.name)))
    return archive


def test_the_zip_of_an_evening_is_watched_as_its_folder(
    packed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["watch", "kingdomino", str(packed)])

    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert "The log is the same as on that evening." in out


def test_it_is_said_where_the_log_is_not_as_it_was(packed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(packed) as archive, zipfile.ZipFile(packed.with_stem("other"), "w") as other:
        for info in archive.infolist():
            data = archive.read(info)
            if info.filename.endswith(FILE):
                data = b"".join(line for line in data.splitlines(True) if b'"press"' not in line)
            other.writestr(info.filename, data)

    main(["watch", "kingdomino", str(packed.with_stem("other"))])

    assert f"number 1 of what counts was “{SCRIPT[0]}”, now it is “–”." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "reason"),
    (
        ({"film/000001.jpg": b"", "notes.txt": b""}, "There is no evening in"),
        ({FILE: b" " * (LARGEST_FILE + 1)}, "There is no evening in"),
        (
            {FILE: bytes(LARGEST_FILE), **{f"{n:06}.jpg": bytes(LARGEST_FILE) for n in range(2)}},
            "no evening in",
        ),
        (None, "is no ZIP file that can be read"),
    ),
)
def test_a_zip_of_anything_else_is_refused(
    files: dict[str, bytes] | None, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "some.ZIP"
    archive.write_bytes(b"PK\x03\x04 and no more")
    if files is not None:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in files.items():
                packed.writestr(name, data)

    code = main(["watch", "kingdomino", str(archive)])

    assert code == 2
    assert reason in capsys.readouterr().err


def test_nothing_is_unpacked_elsewhere_nor_out_of_another_evening(tmp_path: Path) -> None:
    archive, folder = tmp_path / "evil.zip", tmp_path / "in"
    folder.mkdir()
    inside = ("camera.json", "empty-0a.png", "000001.jpg")
    others = (
        "../000002.jpg",
        "/etc/000003.jpg",
        "..\\000004.jpg",
        "run.sh",
        "deeper/000005.jpg",
        "٠٠٠٠٠٦.jpg",
    )
    with zipfile.ZipFile(archive, "w") as packed:
        for name in (FILE, *inside, *others):
            packed.writestr(f"one/{name}", b"{}")
        packed.writestr(f"two/{FILE}", b"other")
        packed.writestr("two/000007.jpg", b"other")

    unpack_evening(archive, folder)

    assert sorted(path.name for path in folder.iterdir()) == sorted([FILE, *inside])
    assert (folder / FILE).read_bytes() == b"{}"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.zip", "in"]


def test_an_evening_without_markers_keeps_the_corners_that_were_shown(
    night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    for marker, (x, y) in enumerate(Mat().middles.values()):
        night.scene.add(f"napkin {marker}", night.scene.faces["napkin"])
        night.scene.put(f"napkin {marker}", x, y, 0)
    night.rig.aimer.set_corners([night.virtual.camera.project(x, y) for x, y in Mat().corners], (1280, 720))
    night.wait(1)
    keeper(night).keep(True)
    night.wait(2)
    folder = the_folder(night)

    code = main(["watch", "kingdomino", str(folder), "--json"])

    *frames, _last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (code, {frame["status"] for frame in frames}) == (0, {"watching"})
    assert main(["watch", "kingdomino", str(folder), "--every", "2"]) == 2
    assert capsys.readouterr().err == (
        "companion: An evening that was kept says that itself: leave out --every.\n"
    )


def test_nothing_is_kept_unless_somebody_wants_it(night: Night) -> None:
    night.wait(2)

    assert not keeper(night).state.on
    assert not keeper(night).evenings.folder.exists()


def test_a_resting_table_is_one_picture(night: Night) -> None:
    keeper(night).keep(True)
    night.wait(20)

    assert len(list(the_folder(night).glob("*.jpg"))) <= 2


def test_what_is_tapped_in_is_told_and_another_game_has_another_folder(night: Night) -> None:
    keeper(night).keep(True)
    night.wait(1)
    night.tap(SCRIPT[0])
    night.wait(1)
    first = the_folder(night)
    other = night.table.begin(night.session.game, night.session.setup, night.session.entries[0].source).id
    night.rig.watcher.follow(other)
    night.wait(1)
    keeper(night).close()

    told = [row for row in rows(first) if "did" in row or "entry" in row]
    assert (told[0]["did"], told[0]["events"]) == ("record", [SCRIPT[0]])
    assert (told[1]["entry"]["event"], len(told)) == (SCRIPT[0], 2)
    assert {one.name[11:] for one in keeper(night).evenings.list()} == {night.id, other}


def test_keeping_ends_when_the_disk_is_nearly_full(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper(night).keep(True)
    night.wait(1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(LEAST_FREE))
    night.rig.watcher.press(None)
    night.wait(2)
    state = keeper(night).state

    full = "The disk is nearly full: no more pictures are kept. Download evenings that you want, and delete them here."
    assert (state.on, str(state.said)) == (False, full)
    with pytest.raises(StoreError, match="nearly full"):
        keeper(night).keep(True)


def test_keeping_ends_when_an_evening_becomes_very_large(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening_keeper, "LARGEST_EVENING", 1000)
    keeper(night).keep(True)
    night.wait(1)
    while keeper(night).state.on:
        night.wait(1)

    assert str(keeper(night).state.said) == (
        "This evening has become very large: no more pictures of it are kept."
    )
    assert list(the_folder(night).glob("*.jpg")) == []


# -- the folder -----------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(night: Night) -> Path:
    keeper(night).keep(True)
    night.wait(2)
    night.virtual.push(None)
    night.wait(2)
    return the_folder(night)


def test_a_folder_that_was_cut_off_is_read_as_far_as_it_goes(kept: Path) -> None:
    head, parts = read_evening(kept)
    with (kept / FILE).open("ab") as file:
        file.write(b'{"time": 99.0, "fra')
    (kept / "000099.jpg.new").write_bytes(b"\xff\xd8")

    assert read_evening(kept) == (head, parts)
    assert parts[0] == EveningPart(0.0, "000001.jpg")
    assert [part.deed for part in parts if part.deed] == [Deed(Did.PRESS)]


def test_what_cannot_be_done_again_is_told_and_the_film_goes_on(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (kept / FILE).open("ab") as file:
        file.write(b'{"time": 9.0, "did": "confirm"}\n{"time": 9.5, "did": "dance"}\n')

    code = main(["watch", "kingdomino", str(kept), "--json"])

    out, err = capsys.readouterr()
    *_frames, seen, _last = map(json.loads, out.splitlines())
    assert (code, seen["troubles"]) == (0, ["There is nothing to confirm now."])
    assert err.endswith(f"{seen['file']}: There is nothing to confirm now.\n")


@pytest.mark.parametrize("text", (b"", b"{}\n", b'{"evening": 2}\n', b"\xff\n[]\n"))
def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE).write_bytes(text)

    with pytest.raises(NotationError, match=r"is no evening that was kept by this version"):
        read_evening(tmp_path)


def test_an_evening_is_a_zip_and_can_be_deleted(kept: Path) -> None:
    evenings = EveningRepository(kept.parent)
    files = {path.name: path.read_bytes() for path in kept.iterdir()}
    (listed,) = evenings.list()

    with zipfile.ZipFile(io.BytesIO(b"".join(evenings.zipped(kept.name)))) as archive:
        packed = {Path(name).name: archive.read(name) for name in archive.namelist()}
        folders = {Path(name).parent.name for name in archive.namelist()}
    evenings.delete(kept.name)

    assert (packed, folders) == (files, {kept.name})
    assert (listed.game, listed.bytes) == ("kingdomino", sum(map(len, files.values())))
    assert (list(evenings.list()), kept.exists()) == ([], False)


@pytest.mark.parametrize("name", ("..", "2026-11-19-abc/..", "", "2026-11-19-abc"))
def test_only_evenings_can_be_deleted(tmp_path: Path, name: str) -> None:
    evenings = EveningRepository(tmp_path / "evenings")
    (tmp_path / "evenings").mkdir()

    with pytest.raises(NotationError, match=r"There is no such evening."):
        evenings.delete(name)


def test_what_is_being_written_is_not_deleted(night: Night) -> None:
    keeper(night).keep(True)
    night.wait(1)

    with pytest.raises(StoreError, match="stop that first"):
        keeper(night).delete(keeper(night).state.name)


# -- done again -----------------------------------------------------------------------------------------------------


def again(evening: Evening, deed: Deed) -> None:
    do_again(deed, evening.watcher, evening.table)


def test_a_tap_that_confirmed_confirms_again(evening: Evening) -> None:
    evening.look(evening.after(LINE), 2)
    again(evening, Deed(Did.CONFIRM))

    assert evening.lines == [LINE]
    with pytest.raises(IllegalEvent, match="nothing to confirm"):
        again(evening, Deed(Did.CONFIRM))


def test_what_was_tapped_in_is_recorded_and_taken_back_again(evening: Evening) -> None:
    for line in (*OPENING, "withdraw 7", "restore 7", "correct 7: line 1 20 30 42"):
        again(evening, Deed(Did.RECORD, events=(line,)))

    assert evening.lines[-3:] == ["withdraw 7", "restore 7", "correct 7: line 1 20 30 42"]


def test_an_answer_is_given_where_it_is_asked_and_told_where_it_is_not(evening: Evening) -> None:
    again(evening, Deed(Did.ANSWER, question="Which dominoes?", events=(LINE,)))

    assert evening.lines == [LINE]
    with pytest.raises(IllegalEvent, match=r"“What is this\?” was asked then, and is not now."):
        again(evening, Deed(Did.ANSWER, question="What is this?"))


def test_what_people_do_with_a_question_is_heard_and_done_again(evening: Evening) -> None:
    heard: list[Deed] = []
    evening.watcher.heard = lambda deed, _time: heard.append(deed)
    table = evening.after(LINE)
    table = (replace(table[0], confidence=0.3), *table[1:])
    evening.look(table)
    (asked,) = evening.watch.reading.doubts
    evening.watcher.answer(evening.watch.seq, evening.watch.version, 0, len(asked.choices) - 1)

    assert heard == [Deed(Did.ANSWER, question=str(asked.question))]
    assert questions(evening) == []
    evening.watcher.follow(evening.id)
    evening.look(table)
    assert questions(evening) == [str(asked.question)]
    again(evening, heard[0])
    assert questions(evening) == []


def questions(evening: Evening) -> list[str]:
    return [str(doubt.question) for doubt in evening.watch.reading.doubts]
