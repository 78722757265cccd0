from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.message import Message
from companion.settings import (
    LARGEST_FILE,
    Loaded,
    Log,
    Page,
    Settings,
    Store,
    Web,
    all_settings,
    load_settings,
)

NO_FILE = "All settings keep their defaults."


@pytest.fixture(autouse=True)
def nobody_elses_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home and a folder with nothing in them."""
    for name in ("COMPANION_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def load(tmp_path: Path, content: str | bytes) -> Loaded:
    path = tmp_path / "companion.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_settings(path)


def told(loaded: Loaded) -> list[str]:
    return [str(problem).removeprefix(str(loaded.path)).removeprefix(", ") for problem in loaded.problems]


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    loaded = load_settings()

    assert loaded == Loaded(Settings(), None, ())
    assert loaded.settings.store_url == f"sqlite:///{tmp_path}/home/.local/share/table-companion/companion.db"


def test_every_setting_can_be_set(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        """
        [web]
        host = "127.0.0.1"
        port = 8080
        names = ["games.local", "10.0.0.7"]
        pin = "2468"
        listeners = 12
        [store]
        url = "postgresql+psycopg://ana@db/games"
        folder = "/var/games"
        [page]
        language = "pt-BR"
        theme = "evening"
        [log]
        level = "debug"
        """,
    )

    assert told(loaded) == []
    assert loaded.settings == Settings(
        Web("127.0.0.1", 8080, ("games.local", "10.0.0.7"), "2468", 12),
        Store("postgresql+psycopg://ana@db/games", "/var/games"),
        Page("pt-BR", "evening"),
        Log("debug"),
    )
    assert loaded.settings.store_url == "postgresql+psycopg://ana@db/games"


def test_the_nearest_place_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [
        tmp_path / "home/.config/table-companion",
        tmp_path / "here",
        tmp_path / "env",
        tmp_path / "named",
    ]
    found = []
    for port, place in enumerate(places, start=1):
        place.mkdir(parents=True, exist_ok=True)
        (place / "companion.toml").write_text(f"[web]\nport = {port}\n")
        if place.name == "env":
            monkeypatch.setenv("COMPANION_CONFIG", str(place / "companion.toml"))
        named = place / "companion.toml" if place.name == "named" else None
        found.append(load_settings(named).settings.web.port)

    assert found == [1, 2, 3, 4]


def test_the_usual_folders_may_lie_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    assert load_settings().settings.data_folder == tmp_path / "data" / "table-companion"


@pytest.mark.parametrize(
    ("folder", "expected"), (("games", "{tmp}/games"), ("~/games", "{tmp}/home/games"), ("/games", "/games"))
)
def test_a_data_folder_lies_where_the_file_says(tmp_path: Path, folder: str, expected: str) -> None:
    loaded = load(tmp_path, f'[store]\nfolder = "{folder}"\n')

    assert str(loaded.settings.data_folder) == expected.format(tmp=tmp_path)


@pytest.mark.parametrize(
    ("content", "expected"),
    (
        ("[web]\nprot = 1\n", "line 2: There is no setting “web.prot”; did you mean “web.port”?"),
        ("[log]\ncolour = 1\n", "line 2: There is no setting “log.colour”, only log.level."),
        ("\n[pages]\n", "line 2: There is no setting “pages”; did you mean “page”?"),
        ("[camera]\n", "line 1: There is no setting “camera”, only web, store, page, log."),
        ("port = 8080\n", "line 1: “port” belongs under [web]."),
        ("web = 8080\n", "line 1: “web” is a section: write [web]."),
        ("web.prot = 1\n", "line 1: There is no setting “web.prot”; did you mean “web.port”?"),
        ("web = {prot = 1}\n", ": There is no setting “web.prot”; did you mean “web.port”?"),
        (
            '[web]\nport = "8080"\n',
            'line 2: web.port has to be a whole number from 1 to 65535, not "8080". It is 8000 for now.',
        ),
        (
            "[web]\nport = true\n",
            "line 2: web.port has to be a whole number from 1 to 65535, not True. It is 8000 for now.",
        ),
        (
            "[web]\npin = 2468\n",
            'line 2: web.pin has to be 4 to 8 digits in quotation marks, such as "2468", or "", not 2468.'
            ' It is "" for now.',
        ),
        (
            '[web]\nnames = ["a b"]\n',
            'line 2: web.names has to be a list of up to 20 names, such as ["games.example.org"],'
            " not ['a b']. It is [] for now.",
        ),
        (
            '[page]\ntheme = "dark"\n',
            'line 2: page.theme has to be one of "auto", "light", "evening", not "dark".'
            ' It is "auto" for now.',
        ),
        (
            "# hello\n[web]\nhost = games\n",
            f"line 3: “host = games” is not how a setting is written, such as port = 8000. {NO_FILE}",
        ),
        ("[web", f"line 1: “[web” is not how a setting is written, such as port = 8000. {NO_FILE}"),
        ("a = " + "[" * 9000, None),
        (f"a = {'9' * 5000}", None),
        ("[web]\nport = 1\nport = 2\n", None),
        (b"[web]\nhost = '\xff'\n", f"line 2: The file is not saved as UTF-8 text. {NO_FILE}"),
        (b"\0", None),
        ("#" * (LARGEST_FILE + 1), f": The file is larger than 64 kB. {NO_FILE}"),
    ),
)
def test_a_mistake_is_named_and_the_companion_starts_all_the_same(
    tmp_path: Path, content: str | bytes, expected: str | None
) -> None:
    loaded = load(tmp_path, content)

    assert len(loaded.problems) == 1
    assert told(loaded)[0].endswith(NO_FILE if expected is None else expected)
    assert loaded.settings == Settings()


def test_each_mistake_costs_only_its_own_key(tmp_path: Path) -> None:
    loaded = load(tmp_path, '[web]\nport = 0\npin = "2468"\nhost = ""\n[log]\nlevel = "error"\n')

    assert (len(loaded.problems), loaded.settings) == (2, Settings(web=Web(pin="2468"), log=Log("error")))


def test_a_windows_editor_may_have_saved_it(tmp_path: Path) -> None:
    loaded = load(tmp_path, b"\xef\xbb\xbf[web]\r\nport = 8080\r\n")

    assert (told(loaded), loaded.settings.web.port) == ([], 8080)


def test_a_file_that_is_not_there_is_told_only_when_somebody_named_it(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path / "nowhere.toml")

    assert told(loaded) == [f": The file cannot be read: No such file or directory. {NO_FILE}"]


def test_a_folder_is_not_a_settings_file(tmp_path: Path) -> None:
    assert told(load_settings(tmp_path)) == [f": The file cannot be read: Is a directory. {NO_FILE}"]


def test_every_default_is_what_it_has_to_be() -> None:
    unfit = [
        key.name
        for _section, key in all_settings()
        if not key.metadata["kind"].fits(list(key.default) if key.default == () else key.default)
    ]

    assert unfit == []
    assert all(isinstance(key.metadata["help"], Message) for _section, key in all_settings())
