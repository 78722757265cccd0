"""A household's box on the disk: a power cut leaves the old or the new, and a damaged file is told in words."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.vision.gallery.box import Box, BoxError, BoxRepository
from tests.vision.photo.kingdoms import damaged_box, half

DAMAGED = damaged_box("kingdomino")


class PowerCut(BaseException):
    """Nothing that is written afterwards reaches the disk."""


def cut_at(patch: pytest.MonkeyPatch, last: int) -> list[str]:
    """Let the power fail before one of the steps by which a file is kept; those that came before it."""
    done: list[str] = []

    def step(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def taken(*args: Any, **kwargs: Any) -> Any:
            if len(done) == last:
                raise PowerCut
            done.append(name)
            return real(*args, **kwargs)

        return taken

    patch.setattr(os, "fsync", step("fsync", os.fsync))
    patch.setattr(Path, "replace", step("replace", Path.replace))
    return done


def taught(*numbers: int) -> Box:
    return Box().learned([(f"domino-{number}-left", half(number, False)) for number in numbers])


@pytest.mark.parametrize(("last", "after"), ((0, "old"), (1, "old"), (2, "new"), (3, "new")))
def test_a_power_cut_leaves_the_old_box_or_the_new(tmp_path: Path, last: int, after: str) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("kingdomino", taught(1))

    with pytest.MonkeyPatch.context() as patch:
        done = cut_at(patch, last)
        with suppress(PowerCut):
            boxes.change("kingdomino", lambda box: box.learned(taught(20).drawings))

    expected = {"old": ("domino-1-left",), "new": ("domino-1-left", "domino-20-left")}[after]
    assert (BoxRepository(tmp_path).open("kingdomino").labels, boxes.names) == (expected, ["kingdomino"])
    assert done == ["fsync", "replace", "fsync"][:last]


@pytest.mark.parametrize(("last", "after"), ((0, "kingdomino"), (1, "kingdomino"), (2, "box-1")))
def test_a_power_cut_leaves_the_old_choice_or_the_new(tmp_path: Path, last: int, after: str) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("kingdomino", taught(1))
    other = boxes.add("At grandmother's")
    boxes.use("kingdomino", "kingdomino")

    with pytest.MonkeyPatch.context() as patch:
        cut_at(patch, last)
        with pytest.raises(PowerCut):
            boxes.use("kingdomino", other)

    assert BoxRepository(tmp_path).used("kingdomino") == after


def test_a_full_disk_leaves_the_box_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("kingdomino", taught(1))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BoxError, match=r"The box cannot be kept: No space left on device\."):
        boxes.save("kingdomino", taught(1, 20))

    assert boxes.open("kingdomino").labels == ("domino-1-left",)
    assert [file.name for file in boxes.folder.iterdir()] == ["kingdomino.npz"]


def damaged_files(good: bytes) -> dict[str, bytes]:
    random = Random(5)

    def flipped(at: int) -> bytes:
        return good[:at] + bytes([good[at] ^ 1 << random.randrange(8)]) + good[at + 1 :]

    whole = {f"cut at {part} %": good[: len(good) * part // 100] for part in (1, 10, 50, 90, 99)}
    flips = {f"bit at {at}": flipped(at) for at in random.sample(range(len(good)), 60)}
    ends = {f"bit at {at} of the end": flipped(len(good) - at) for at in range(1, 120, 7)}
    others = {
        "nothing": b"",
        "zeros": bytes(4096),
        "words": b"a line of words",
        "no archive": b"PK\3\4 junk" * 99,
        "one array": b"\x93NUMPY" + bytes(200),
    }
    return {**whole, **flips, **ends, **others}


def test_whatever_happened_to_the_file_it_opens_as_it_was_or_is_told(tmp_path: Path) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("kingdomino", taught(1, 20))
    file = boxes.folder / "kingdomino.npz"
    known = boxes.open("kingdomino")
    told = {}

    for name, data in damaged_files(file.read_bytes()).items():
        file.write_bytes(data)
        try:
            box = boxes.open("kingdomino")
            same = box.labels == known.labels and np.array_equal(box.pictures, known.pictures)
            told[name] = "as it was" if same else "something else"
        except BoxError as error:
            told[name] = str(error)

    assert set(told.values()) <= {DAMAGED, "as it was"}
    assert sum(words == DAMAGED for words in told.values()) > len(told) / 2


@pytest.mark.parametrize(
    "arrays",
    (
        {"drawn": np.array(["w0"])},
        {"drawn": np.array(["w0"]), "pictures": np.zeros((2, 128, 128, 3), np.uint8)},
        {"drawn": np.array("w0"), "pictures": np.zeros((128, 128, 3), np.uint8)},
        {"drawn": np.array(["w0"]), "pictures": np.zeros((1, 64, 64, 3), np.uint8)},
        {"drawn": np.array(["w0"]), "pictures": np.full((1, 128, 128, 3), np.nan)},
    ),
)
def test_a_file_of_other_arrays_is_no_box(tmp_path: Path, arrays: dict[str, Any]) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.folder.mkdir()
    np.savez(boxes.folder / "kingdomino.npz", **arrays)

    with pytest.raises(BoxError) as error:
        boxes.open("kingdomino")

    assert str(error.value) == DAMAGED


def test_a_new_box_is_never_taken_for_one_that_was_forgotten(tmp_path: Path) -> None:
    boxes = BoxRepository(tmp_path)
    forgotten = [boxes.add("Vovó"), boxes.add("Praia")]
    boxes.use("kingdomino", forgotten[0])
    for name in forgotten:
        boxes.remove(name)

    added = boxes.add("Clube")
    boxes.save(forgotten[0], Box(title="Enrolled by its old name"))

    assert added not in forgotten
    assert BoxRepository(tmp_path).used("kingdomino") == "kingdomino"


@pytest.mark.parametrize("data", (b"", b"\xff", b"many"))
def test_boxes_are_counted_though_the_count_is_lost(tmp_path: Path, data: bytes) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("box-7", Box(title="Vovó"))
    (boxes.folder / "boxes.count").write_bytes(data)

    assert (boxes.add("Clube"), boxes.add("Praia")) == ("box-8", "box-9")


ODD: dict[str, Callable[[Any], Any]] = {
    "labels cut": lambda kept: {"labels": kept["labels"][:-4]},
    "labels of others": lambda kept: {"labels": np.array(["x"] * len(kept["labels"]))},
    "turns cut": lambda kept: {"turns": kept["turns"][:-3]},
    "turns of 77": lambda kept: {"turns": kept["turns"] * 0 + 77},
    "narrow traits": lambda kept: {"traits": kept["traits"][:, :32]},
    "traits cut": lambda kept: {"traits": kept["traits"][:-4]},
    "traits that are no numbers": lambda kept: {"traits": np.full_like(kept["traits"], np.nan)},
    "traits in words": lambda _kept: {"traits": np.array("four")},
    "places cut": lambda kept: {"places": kept["places"][:-3]},
    "a list as version": lambda _kept: {"version": np.array([4, 4])},
    "a word as version": lambda _kept: {"version": np.array("four")},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_drawings_that_are_described_oddly_are_described_again(
    tmp_path: Path, odd: Callable[[Any], Any]
) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.save("kingdomino", taught(1, 20))
    file = boxes.folder / "kingdomino.npz"
    with np.load(file) as arrays:
        kept = dict(arrays)
    np.savez(file, **{**kept, **odd(kept)})

    gallery = boxes.load("kingdomino")

    with np.load(file) as arrays:
        after = dict(arrays)
    assert (gallery.labels, gallery.turns.tolist()) == (tuple(kept["labels"].tolist()), [0, 1, 2, 3] * 2)
    assert np.array_equal(after["traits"], kept["traits"])
