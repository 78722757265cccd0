from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import CameraError
from hardware import folder_camera
from hardware.camera import FRAME_S
from hardware.folder_camera import FolderCamera, decode_photo, photo_files, photo_size
from tests.hardware.pictures import StillClock, encoded, level


def camera(folder: Path, stay_s: float = 1.0) -> FolderCamera:
    clock = StillClock()
    return FolderCamera(folder, stay_s, clock, clock.sleep)


def fill(folder: Path, **levels: int) -> Path:
    for name, value in levels.items():
        stem, _dot, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_bytes(encoded(value, f".{suffix.lower()}"))
    return folder


def huge_png() -> bytes:
    """A file of a hundred bytes that says it is a picture of 900 megapixels."""
    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    return b"\x89PNG\r\n\x1a\n" + chunk


def test_photos_come_by_name_each_for_a_while_and_the_last_for_ever(tmp_path: Path) -> None:
    folder = fill(tmp_path, b_png=120, a_jpg=60, c_JPEG=200)
    source = camera(folder, stay_s=1.0)

    frames = [source.frame() for _number in range(20)]

    assert [level(frame) for frame in frames] == [60] * 5 + [120] * 5 + [200] * 10
    assert [frame.number for frame in frames] == list(range(1, 21))
    assert [round(frame.time - 100, 3) for frame in frames] == [round(FRAME_S * n, 3) for n in range(20)]
    assert source.name == str(tmp_path)


def test_who_looks_slowly_misses_no_photo(tmp_path: Path) -> None:
    clock = StillClock()
    source = FolderCamera(fill(tmp_path, a_jpg=60, b_jpg=120, c_jpg=200), 1.0, clock, clock.sleep)

    seen = []
    for _look in range(4):
        seen.append(level(source.frame()))
        clock.sleep(30.0)

    assert seen == [60, 120, 200, 200]


def test_what_is_no_photo_is_left_out_with_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_camera, "LARGEST_PHOTO", 100_000)
    fill(tmp_path, e_jpg=60, z_png=120)
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "b.jpg").write_bytes(encoded(60)[:300])
    (tmp_path / "c.png").write_bytes(huge_png())
    (tmp_path / "d.jpg").write_bytes(b"\xff\xd8" + b"x" * 200_000)
    (tmp_path / "f.png").mkdir()
    (tmp_path / "notes.txt").write_text("not a photo")
    (tmp_path / ".hidden.jpg").write_bytes(b"")

    source = camera(tmp_path, stay_s=0.1)
    seen = [level(source.frame()) for _number in range(3)]

    told = [record.getMessage().removeprefix(f"{tmp_path}/") for record in caplog.records]
    assert seen[-1] == 120
    assert told == [
        "a.jpg is left out: It is no JPEG or PNG picture, or a damaged one.",
        "b.jpg is left out: It is no JPEG or PNG picture, or a damaged one.",
        "c.png is left out: The picture is larger than 64 megapixels.",
        "d.jpg is left out: The picture is larger than 64 megapixels.",
        "f.png is left out: The file cannot be read: Is a directory.",
    ]


def test_numbers_in_names_are_counted(tmp_path: Path) -> None:
    for name in ("t10.jpg", "t9.jpg", "t1.jpg", "t09.jpg"):
        (tmp_path / name).write_bytes(encoded(60))

    assert [path.name for path in photo_files(tmp_path)] == ["t1.jpg", "t09.jpg", "t9.jpg", "t10.jpg"]


@pytest.mark.parametrize("suffix", (".jpg", ".png"))
def test_a_photo_that_breaks_off_is_damaged(suffix: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    content: bytes = cv2.imencode(suffix, noise)[1].tobytes()

    assert decode_photo(content + b"\0 a trailer of the phone's").shape == (120, 160, 3)
    with pytest.raises(CameraError, match="damaged"):
        decode_photo(content[: len(content) * 9 // 10])


def test_however_many_photos_there_are_later_ones_are_shown(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / f"{number}.jpg").touch()
    source = camera(fill(tmp_path, t1_jpg=60), stay_s=0.1)
    seen = [level(source.frame())]
    fill(tmp_path, t2_jpg=120)

    assert [*seen, level(source.frame())] == [60, 120]


def test_an_empty_folder_can_be_filled_later(tmp_path: Path) -> None:
    source = camera(tmp_path)
    with pytest.raises(CameraError, match=r"^There is no photo \(JPEG or PNG\) that can be read in "):
        source.frame()
    fill(tmp_path, a_jpg=60)

    assert level(source.frame()) == 60


def test_a_photo_that_is_put_behind_the_last_is_shown_at_once(tmp_path: Path) -> None:
    source = camera(fill(tmp_path, t9_jpg=60), stay_s=0.5)
    seen = [level(source.frame())]
    fill(tmp_path, t10_jpg=120, t11_png=200, t1_jpg=90)
    seen += [level(source.frame()) for _number in range(4)]
    fill(tmp_path, t12_jpg=30)
    seen += [level(source.frame()) for _number in range(2)]

    assert seen == [60, 120, 120, 120, 200, 30, 30]


def test_a_photo_that_is_still_being_written_is_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = camera(fill(tmp_path, a_jpg=60), stay_s=0.1)
    content = encoded(120)
    seen = [level(source.frame())]
    for part in (0, 300, 500):
        (tmp_path / "b.jpg").write_bytes(content[:part])
        seen.append(level(source.frame()))
    (tmp_path / "b.jpg").write_bytes(content)
    seen.append(level(source.frame()))

    assert seen == [60, 60, 60, 60, 120]
    assert caplog.text.count("b.jpg is left out") == 1


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        CameraError, match=r"cannot be read: No such file or directory. Correct camera.place."
    ):
        camera(tmp_path / "nowhere").frame()


def test_a_closed_camera_says_so(tmp_path: Path) -> None:
    source = camera(fill(tmp_path, a_jpg=60))
    source.frame()
    source.close()
    source.close()

    with pytest.raises(CameraError, match=r"The camera is closed."):
        source.frame()


@pytest.mark.parametrize("suffix", (".jpg", ".png"))
def test_the_size_of_a_picture_is_known_before_it_is_unpacked(suffix: str) -> None:
    assert photo_size(encoded(60, suffix, width=320, height=200)) == (320, 200)


def test_a_picture_that_is_too_large_is_never_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cv2.imdecode", lambda *_arguments: pytest.fail("unpacked"))

    with pytest.raises(CameraError, match=r"larger than 64 megapixels"):
        decode_photo(huge_png())


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, 700), st.sampled_from((".jpg", ".png")))
def test_no_damage_to_a_photo_is_more_than_an_error(noise: bytes, place: int, suffix: str) -> None:
    content = encoded(90, suffix)
    damaged = content[:place] + noise + content[place + len(noise) :]

    with pytest.MonkeyPatch.context() as patch, suppress(CameraError):
        # Smaller than usual, since a damaged heading may speak of a picture that takes long to make.
        patch.setattr(folder_camera, "LARGEST_PIXELS", 200_000)
        assert decode_photo(damaged).ndim == 3
