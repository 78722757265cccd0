"""What reading photos takes of memory.

A companion of its own, real uploads, many at a time, none of them friendly.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

import tests.web.visitor as visitors
from tests.soak.running import Running
from tests.vision.photo.kingdoms import board, file_of, grown_kingdom, photo
from tests.web.sending import send

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much memory a process has taken"),
]

MOST_MB = 400


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    companion = Running(tmp_path).start()
    yield companion
    companion.close()


def png(width: int, height: int) -> bytes:
    """A black picture in a file of a hundred kilobytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packing = zlib.compressobj(9)
    rows = b"".join(packing.compress(bytes(1 + 3 * width)) for _row in range(height)) + packing.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def uploads() -> dict[str, bytes]:
    noise = np.random.default_rng(0).integers(0, 255, (500, 500, 3)).astype(np.uint8)
    blocks = np.kron(noise, np.ones((12, 12, 1), np.uint8))
    progressive = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_QUALITY, 30)
    return {
        "a kingdom": file_of(photo(board(grown_kingdom(4)))),
        "36 megapixels of one colour": png(6000, 6000),
        "colours at random, 36 megapixels": cv2.imencode(".jpg", blocks)[1].tobytes(),
        "the same, unpacked as a whole": cv2.imencode(".jpg", blocks, progressive)[1].tobytes(),
        "noise": file_of(np.random.default_rng(1).integers(0, 255, (2000, 2000, 3)).astype(np.uint8)),
    }


def taken_mb(running: Running, line: str) -> int:
    status = Path(f"/proc/{running.process.pid}/status").read_text().splitlines()
    return next(int(one.split()[1]) // 1000 for one in status if one.startswith(line))


def test_whatever_is_uploaded_it_takes_less_than_400_mb(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "PATIENCE_S", 300)
    people = {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "blue"}
    visitor = running.unlocked()
    path = visitor.post("/new/kingdomino", {**people, "option_score_only": "on"}).location

    def upload(job: tuple[str, bytes, dict[str, str]]) -> int:
        where, data, fields = job
        return send(running.unlocked(), where, data, fields=fields).status

    for name, data in uploads().items():
        jobs = [
            (f"{path}/photo/1", data, {}),
            ("/box/kingdomino/photo", data, {"lesson": "1-5", "box": "kingdomino"}),
        ]
        with ThreadPoolExecutor(8) as devices:
            answers = set(devices.map(upload, jobs * 4))
        assert answers <= {303, 422, 503}, name
        assert taken_mb(running, "VmHWM") < MOST_MB, name
    for _photo in range(8):
        send(visitor, f"{path}/photo/1", uploads()["a kingdom"])

    assert taken_mb(running, "VmRSS") < MOST_MB / 2
    assert "Traceback" not in running.complaints
