"""Install a built wheel where the sources are not, and use it: `python tests/wheel/smoke.py dist/*.whl`."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urljoin

HOUSE = Path(__file__).parents[2]
PACKAGES = ("companion", "hardware", "calibration", "models")
TRAINS = "models/train/"
"""What trains and measures needs a checkout, and is in no wheel."""


def check_contents(wheel: Path) -> None:
    """Every tracked file of the packages is in the wheel: templates, tables, pictures, compiled words."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *PACKAGES], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    packed = zipfile.ZipFile(wheel).namelist()
    tracked = {name for name in listed.stdout.split("\0") if name and (HOUSE / name).exists()}
    compiled = {name.removesuffix(".po") + ".mo" for name in tracked if name.endswith(".po")}
    forgotten = {name for name in (tracked | compiled) - set(packed) if not name.startswith(TRAINS)}
    if forgotten:
        raise SystemExit(f"The wheel lacks {sorted(forgotten)}")
    if needless := [name for name in packed if name.startswith((TRAINS, "tests/"))]:
        raise SystemExit(f"The wheel holds {needless}")
    print(f"{wheel.name}: {len(packed)} files, {wheel.stat().st_size // 1000} kB")


def install(wheel: Path, place: Path) -> Path:
    """Install the wheel with the locked versions of what it needs; return the folder of its commands."""
    venv.create(place, with_pip=True)
    pip = [str(place / "bin" / "pip"), "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--quiet", "--require-hashes", "-r", HOUSE / "requirements" / "run.txt"], check=True
    )
    subprocess.run([*pip, "install", "--quiet", wheel], check=True)
    subprocess.run([*pip, "check"], check=True)
    return place / "bin"


def check_version(companion: Path, place: Path) -> None:
    expected = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    said = run(companion, place, "--version")
    if expected not in said.split():
        raise SystemExit(f"companion --version says {said!r}, pyproject.toml {expected}")
    print(said.strip())


def check_doctor(companion: Path, place: Path) -> None:
    """The doctor may find this computer ill, but it says so in the promised shape."""
    checks = [json.loads(line) for line in run(companion, place, "doctor", "--json").splitlines()]
    flat = [entry for found in checks for entry in (found if isinstance(found, list) else [found])]
    if not flat or any(set(entry) < {"check", "ok", "detail", "fix"} for entry in flat):
        raise SystemExit(f"companion doctor --json says {checks}")
    print(f"doctor: {len(flat)} checks, ill: {[entry['check'] for entry in flat if not entry['ok']]}")


def run(companion: Path, place: Path, *words: str) -> str:
    done = subprocess.run(
        [companion, *words], cwd=place, env=environment(place), capture_output=True, text=True, timeout=60
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"companion {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def environment(place: Path) -> dict[str, str]:
    """A person without settings or data of their own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "COMPANION", "XDG_"))
    }
    return kept | {"HOME": str(place), "PYTHONUNBUFFERED": "1"}


def check_page(companion: Path, place: Path) -> None:
    """Open the page in three languages, with everything it loads."""
    port = free_port()
    words = [str(companion), "serve", "--demo", "--host", "127.0.0.1", "--port", str(port)]
    with (place / "serve.txt").open("w+") as output:
        server = subprocess.Popen(words, cwd=place, env=environment(place), stdout=output, stderr=output)
        try:
            for language in ("en", "pt-BR", "es"):
                check_language(f"http://127.0.0.1:{port}/", language)
        except (OSError, AssertionError) as error:
            output.seek(0)
            raise SystemExit(f"The page failed: {error!r}. The server said:\n{output.read()}") from error
        finally:
            server.terminate()
            server.wait(20)


def check_language(page: str, language: str) -> None:
    html = fetch(page, language)
    assert f'lang="{language}"' in html, f"not in {language}: {html[:300]}"
    loaded = re.findall(r'<(?:link|script|img|use)\b[^>]*?(?:href|src)="([^"#]+)', html)
    for address in loaded:
        fetch(urljoin(page, address), language)
    print(f"page in {language}: {len(html)} characters, {len(loaded)} files loaded")


def fetch(address: str, language: str) -> str:
    request = urllib.request.Request(address, headers={"Accept-Language": language})
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return str(answer.read().decode("utf-8", "replace"))
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.2)
    raise TimeoutError(f"nobody answers at {address}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    wheel = Path(sys.argv[1]).resolve()
    check_contents(wheel)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        companion = install(wheel, place / "venv") / "companion"
        check_version(companion, place)
        check_doctor(companion, place)
        check_page(companion, place)


if __name__ == "__main__":
    main()
