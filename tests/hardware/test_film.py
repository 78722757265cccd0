"""Films: pictures by the film's own time, each unpacked once."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import CameraError
from hardware import film
from hardware.camera import Frame
from hardware.film import FilmCamera, film_of_files, film_of_video
from tests.hardware.pictures import encoded, grey, level, video

LEVELS = [20, 60, 100, 140, 180, 220]


def test_files_are_pictures_so_many_seconds_after_each_other(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.jpg" for number in range(3)]
    for file, value in zip(files, LEVELS, strict=False):
        file.write_bytes(encoded(value))

    pictures = list(film_of_files(files, 0.5))

    assert [picture.time for picture in pictures] == [0.0, 0.5, 1.0]
    assert [picture.name for picture in pictures] == [str(file) for file in files]
    assert [level(Frame(picture.open(), picture.time)) for picture in pictures] == LEVELS[:3]


def test_a_file_is_opened_when_it_is_wanted_and_not_before(tmp_path: Path) -> None:
    (picture,) = film_of_files([tmp_path / "nowhere.jpg"], 1)

    with pytest.raises(CameraError, match=r"The file cannot be read: No such file or directory."):
        picture.open()


@pytest.mark.parametrize(
    ("every_s", "times", "levels"),
    (
        (0.1, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5], LEVELS),
        (0.2, [0.0, 0.2, 0.4], LEVELS[::2]),
        (0.25, [0.0, 0.3, 0.5], [20, 140, 220]),
    ),
)
def test_a_video_has_a_picture_for_every_so_many_seconds(
    tmp_path: Path, every_s: float, times: list[float], levels: list[int]
) -> None:
    file = video(tmp_path / "game.avi", LEVELS)

    pictures = list(film_of_video(file, every_s))

    assert [round(picture.time, 3) for picture in pictures] == times
    assert [level(Frame(picture.open(), picture.time)) for picture in pictures] == levels


def test_a_video_without_a_picture_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        def grab(self) -> bool:
            return False

        def release(self) -> None: ...

    monkeypatch.setattr(film, "open_video", lambda _file: (Nothing(), 10.0))

    with pytest.raises(CameraError, match="is no video that can be read"):
        list(film_of_video(tmp_path / "game.avi", 1))


def test_the_camera_sees_what_was_laid_before_it_last() -> None:
    camera = FilmCamera("a film")
    with pytest.raises(CameraError, match="There is no picture yet"):
        camera.frame()
    camera.lay(grey(60), 2.0)
    first = camera.frame()
    camera.time = 2.2
    again = camera.frame()
    camera.close()

    assert [(frame.time, frame.number, level(frame)) for frame in (first, again)] == [
        (2.0, 1, 60),
        (2.2, 2, 60),
    ]
    assert first.pixels is again.pixels
    with pytest.raises(CameraError):
        camera.frame()
