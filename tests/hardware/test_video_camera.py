from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import CameraError
from hardware import folder_camera
from hardware.video_camera import VideoCamera
from tests.hardware.pictures import StillClock, level, video

LEVELS = [20, 60, 100, 140, 180, 220]


def opened(path: Path) -> tuple[VideoCamera, StillClock]:
    clock = StillClock()
    return VideoCamera(path, clock, clock.sleep), clock


def test_a_video_is_played_as_fast_as_it_was_filmed(tmp_path: Path) -> None:
    camera, _clock = opened(video(tmp_path / "game.avi", LEVELS))

    frames = [camera.frame() for _number in range(8)]
    camera.close()

    assert [level(frame) for frame in frames] == [*LEVELS, 220, 220]
    assert [round(frame.time - 100, 3) for frame in frames] == [round(n / 10, 3) for n in range(8)]
    assert [frame.number for frame in frames] == list(range(1, 9))
    assert camera.name == str(tmp_path / "game.avi")


def test_who_looks_slowly_misses_frames(tmp_path: Path) -> None:
    camera, clock = opened(video(tmp_path / "game.avi", LEVELS))

    frames = []
    for _look in range(4):
        frames.append(camera.frame())
        clock.sleep(0.22)
    camera.close()

    assert [level(frame) for frame in frames] == [20, 100, 180, 220]
    assert [frame.number for frame in frames] == [1, 3, 5, 7]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    camera, _clock = opened(tmp_path / "nowhere.avi")

    with pytest.raises(CameraError, match=r"There is no file .*nowhere.avi. Correct camera.place."):
        camera.frame()


@pytest.mark.parametrize("content", (b"", b"not a video", b"RIFF\xff\xff\xff\xffAVI LIST" + b"\0" * 500))
def test_a_file_that_is_no_video(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game.avi").write_bytes(content)
    camera, _clock = opened(tmp_path / "game.avi")

    with pytest.raises(CameraError, match=r"game.avi is no video that can be read."):
        camera.frame()
    camera.close()


def test_a_file_whose_name_looks_like_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    video(tmp_path / "game.avi", LEVELS).rename(tmp_path / "concat:game.avi")
    camera, _clock = opened(Path("concat:game.avi"))

    assert level(camera.frame()) == 20
    camera.close()


def test_a_video_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_camera, "LARGEST_PIXELS", 10_000)
    camera, _clock = opened(video(tmp_path / "game.avi", LEVELS))

    with pytest.raises(CameraError, match=r"larger than"):
        camera.frame()


def test_a_video_that_breaks_off_stays_at_its_last_frame(tmp_path: Path) -> None:
    path = video(tmp_path / "game.avi", LEVELS * 20)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 4])
    camera, _clock = opened(path)

    seen = [level(camera.frame()) for _number in range(130)]
    camera.close()

    assert seen[:6] == LEVELS
    assert len(set(seen[-30:])) == 1


def test_a_closed_camera_says_so(tmp_path: Path) -> None:
    camera, _clock = opened(video(tmp_path / "game.avi", LEVELS))
    camera.frame()
    camera.close()
    camera.close()

    with pytest.raises(CameraError, match=r"The camera is closed."):
        camera.frame()
