"""A camera on the network, as good or as bad as a test wants it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from tests.hardware.pictures import encoded

BEGINNING = 3
"""Pictures before anything goes wrong."""
NO_END = ("garbage", "endless", "huge")
"""Bytes that never make a picture: noise, nothing at all, or one picture of a hundred gigabytes."""


class _Handler(BaseHTTPRequestHandler):
    """Answers with pictures one after the other; what goes wrong is the first word of the path."""

    over: Event

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet."""

    def do_GET(self) -> None:
        with suppress(OSError):  # who looked has gone
            self._answer(self.path.strip("/").partition("/")[0].partition("?")[0])

    def _answer(self, kind: str) -> None:
        if kind == "locked" or (kind == "guarded" and not self.headers["Authorization"]):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        if kind == "silent":
            self.over.wait(20)
        number = 0
        while kind not in ("silent", *NO_END) and not self.over.is_set():
            number += 1
            if kind == "stalls" and number > BEGINNING:
                self.over.wait(20)
            if kind == "dies" and number > BEGINNING:
                return
            self._part(encoded(10 * (number % 20 + 1)))
            self.over.wait(0.02)
        if kind == "huge":
            self.wfile.write(
                b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 100000000000\r\n\r\n\xff\xd8"
            )
        while kind in NO_END and not self.over.is_set():
            self.wfile.write(os.urandom(50_000) if kind == "garbage" else b"\0" * 50_000)
            self.over.wait(0.001)

    def _part(self, content: bytes) -> None:
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
        self.wfile.write(head.encode() + content + b"\r\n")


@contextmanager
def streaming() -> Iterator[str]:
    """The address of a camera on this computer, with a user and a password."""

    class Handler(_Handler):
        over = Event()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False  # so that leaving waits for every answer
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://ana:secret@127.0.0.1:{server.server_port}"
        Handler.over.set()
        server.shutdown()
        thread.join()
