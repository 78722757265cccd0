"""The real `companion serve` in a process of its own, on a folder that outlives it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import BadStatusLine
from pathlib import Path
from time import sleep

from tests.web.visitor import Visitor

KNOCK_S = 0.02
"""Between two knocks at a port that nobody answers yet."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass
class Running:
    """A household's companion: it may be killed and started again as often as it takes."""

    folder: Path
    port: int = field(default_factory=free_port)
    settings: str = ""
    """What companion.toml says; nothing is needed."""
    _process: subprocess.Popen[str] | None = None

    def start(self, *options: str, before: Sequence[str] = ()) -> Running:
        """Start it, through another command if need be, and wait until the page is there."""
        config = self.folder / "companion.toml"
        config.write_text(self.settings, encoding="utf-8")
        command = [*before, sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), "--config", str(config), *options],
            stdout=self._open("stdout.txt", "w"),
            stderr=self._open("stderr.txt", "a"),
            text=True,
            env=self._environment(),
            cwd=self.folder,
        )
        self._await_page()
        return self

    def run(self, *options: str, before: Sequence[str] = ()) -> int:
        """Start it where it cannot go on; its exit code."""
        self.start(*options, before=before)
        return self.wait()

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process, "not started"
        return self._process

    @property
    def pin(self) -> str:
        found = re.search(r"PIN to change the game: (\d+)", self.welcome)
        return found[1] if found else ""

    @property
    def welcome(self) -> str:
        """What it said at the terminal since it started."""
        return (self.folder / "stdout.txt").read_text(encoding="utf-8")

    @property
    def complaints(self) -> str:
        """Everything it said on the error stream since the first start."""
        return (self.folder / "stderr.txt").read_text(encoding="utf-8")

    def visitor(self) -> Visitor:
        return Visitor(self.port)

    def unlocked(self) -> Visitor:
        visitor = self.visitor()
        visitor.unlock(self.pin)
        return visitor

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.wait()

    def stop(self) -> int:
        self.process.terminate()
        return self.wait()

    def wait(self) -> int:
        return self.process.wait(timeout=30)

    def close(self) -> None:
        if self._process and self._process.poll() is None:
            self.kill()

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"), "LANG": "en_GB.UTF-8"}
        # The checkout that is tested, wherever its environment has one installed.
        here = {"PYTHONPATH": str(Path(__file__).parents[2])}
        return {**kept, **home, **here, "LC_ALL": "", "PYTHONUNBUFFERED": "1"}

    def _open(self, name: str, mode: str) -> int:
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if mode == "w" else os.O_APPEND)
        return os.open(self.folder / name, flags, 0o600)

    def _await_page(self) -> None:
        """Until it answers (the welcome is said by then), or has given up."""
        while self.process.poll() is None:
            try:
                self.visitor().get("/join")
            except (ConnectionError, BadStatusLine):  # a port that nobody listens at may answer itself
                sleep(KNOCK_S)
            else:
                return
