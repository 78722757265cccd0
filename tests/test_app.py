"""Starting and stopping: keys that stay, a port that is taken, a folder that is not there, and always a sentence."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import RetryingApplication, open_house, page_addresses, page_names, with_rig
from companion.core.game import Colour, Player, Setup
from companion.core.log import Filed, FiledAs, Source
from companion.games import GAMES
from companion.household.secrets import load_secrets
from companion.household.settings import CameraSettings, LoadedSettings, Settings, StoreSettings, WebSettings
from tests.soak.running import Running


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English at the terminal, and the logging of the tests as it was."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    root = logging.getLogger()
    before = (root.level, root.handlers[:])
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def loaded(folder: Path, **web: object) -> LoadedSettings:
    return LoadedSettings(Settings(web=WebSettings(**web), store=StoreSettings(folder=str(folder))), None)  # type: ignore[arg-type]


def test_the_pin_is_made_once_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"

    keys = load_secrets(folder, "")

    assert load_secrets(folder, "") == keys
    assert (len(keys.pin), keys.pin.isdigit(), len(keys.secret)) == (6, True, 32)
    assert (folder / "keys.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["keys.json"]


def test_two_households_have_two_pins(tmp_path: Path) -> None:
    one, another = load_secrets(tmp_path / "one", ""), load_secrets(tmp_path / "another", "")

    assert one.secret != another.secret


def test_the_pin_of_the_settings_goes_first_and_leaves_the_kept_one(tmp_path: Path) -> None:
    kept = load_secrets(tmp_path, "")

    assert load_secrets(tmp_path, "2468").pin == "2468"
    assert load_secrets(tmp_path, "2468").secret == kept.secret
    assert load_secrets(tmp_path, "") == kept


@pytest.mark.parametrize(
    "content",
    (
        "",
        "{",
        "[]",
        "7",
        "{}",
        '{"secret": "", "pin": "1234"}',
        f'{{"secret": "{"00" * 32}", "pin": ""}}',
        f'{{"secret": "{"00" * 32}", "pin": "letters"}}',
        f'{{"secret": "{"00" * 8}", "pin": "1234"}}',
        '{"secret": "no hex", "pin": "1234"}',
        '{"secret": 7, "pin": "1234"}',
        "\x00\xff",
    ),
)
def test_broken_keys_are_made_anew_and_said(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "keys.json").write_text(content, encoding="latin-1")

    keys = load_secrets(tmp_path, "")

    assert (len(keys.pin), len(keys.secret)) == (6, 32)
    assert load_secrets(tmp_path, "") == keys
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path / 'keys.json'} cannot be read: there is a new PIN now."
    ]


def test_keys_that_cannot_be_kept_hold_for_today(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")

    keys = load_secrets(tmp_path / "data", "")

    assert len(keys.pin) == 6
    assert "the PIN cannot be kept in" in caplog.records[-1].getMessage()


def test_a_kept_key_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text(json.dumps({"secret": "ab" * 32, "pin": "1357"}))

    assert load_secrets(tmp_path, "").pin == "1357"


def test_a_port_that_is_taken_is_named_with_another(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port: int = taken.getsockname()[1]
        refused = Running(tmp_path, port=port + 1)

        code = refused.run("--port", str(port))

    assert (code, refused.complaints) == (1, "")
    assert refused.welcome == (
        f"Port {port} is in use, perhaps by another companion. "
        f"Stop that one, or choose another: companion serve --port {port + 1}, or make run PORT={port + 1}\n"
    )


def test_a_log_that_cannot_be_opened_has_an_address_but_no_pin(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    shut = Running(tmp_path).start()

    shut.stop()

    assert shut.complaints.count("cannot be made") == 1
    assert f"On this computer:  http://127.0.0.1:{shut.port}/\n" in shut.welcome
    assert ("cannot" in shut.welcome, "PIN" in shut.welcome + shut.complaints) == (False, False)


@pytest.mark.parametrize(
    ("host", "reason"),
    (
        ("nowhere.invalid", "there is no such address"),
        ("192.0.2.77", "Cannot assign requested address"),
    ),
)
def test_an_address_that_is_not_ours_is_named(tmp_path: Path, host: str, reason: str) -> None:
    refused = Running(tmp_path)

    code = refused.run("--host", host, "--demo")

    assert (code, refused.complaints) == (1, "")
    assert refused.welcome == f"The page cannot listen on {host}, port {refused.port}: {reason}.\n"


def test_the_house_knows_its_own_names(tmp_path: Path) -> None:
    known = page_names(loaded(tmp_path, names=("Games.example.org",)).settings)

    assert {"localhost", "games.example.org"} <= known
    assert socket.gethostname().lower() in known


def test_other_devices_get_an_address_with_the_port() -> None:
    found = page_addresses(8123)

    assert found
    assert all(address.startswith("http://") and address.endswith(":8123/") for address in found)


def test_the_door_opens_as_soon_as_the_log_can_be_opened(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.write_text("a file where the folder should be")
    door = RetryingApplication(lambda: open_house(loaded(data), 8000))
    assert str(door.trouble) == f"The folder {data} cannot be made: File exists."
    assert door.house is None

    data.unlink()
    door.open()

    house = door.house
    assert house
    door.open()
    assert door.house is house
    door.close()


def test_a_log_that_cannot_be_opened_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    door = RetryingApplication(lambda: open_house(loaded(tmp_path / "data"), 8000))
    door.open()
    door.open()

    errors = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert errors == [f"The folder {tmp_path / 'data'} cannot be made: File exists."]
    door.close()


def test_the_camera_goes_on_with_no_game_that_was_put_away(tmp_path: Path) -> None:
    house = open_house(loaded(tmp_path), 8000)
    game = GAMES["kingdomino"]
    setup = Setup((Player("Ana", Colour.PINK), Player("Rui", Colour.BLUE)))
    older, newer, newest = (house.sessions.begin(game, setup, Source.PAGE).id for _each in range(3))
    house.sessions.file(newest, Filed(FiledAs.DELETED), Source.PAGE)
    house.sessions.file(newer, Filed(FiledAs.CLOSED), Source.PAGE)
    settings = Settings(camera=CameraSettings("virtual"), store=StoreSettings(folder=str(tmp_path)))

    furnished, rig = with_rig(house, settings, demo=False)

    assert rig is not None
    assert furnished.watcher is not None
    assert furnished.watcher.watch.session == older
    rig.close()
    house.sessions.close()
