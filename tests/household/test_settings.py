from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.message import Message
from companion.household.settings import (
    LARGEST_SETTINGS_FILE,
    CameraSettings,
    LoadedSettings,
    LogSettings,
    PageSettings,
    PanelSettings,
    Settings,
    StoreSettings,
    WebSettings,
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


def load(tmp_path: Path, content: str | bytes) -> LoadedSettings:
    path = tmp_path / "companion.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_settings(path)


def told(loaded: LoadedSettings) -> list[str]:
    return [str(problem).removeprefix(str(loaded.path)).removeprefix(", ") for problem in loaded.problems]


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    loaded = load_settings()

    assert loaded == LoadedSettings(Settings(), None, ())
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
        [camera]
        source = "usb"
        place = "0"
        width = 1920
        height = 1080
        still_s = 2
        record_alone = true
        ignore = [[0, 0, 300, 200], [1500.5, 0, 99, 400]]
        [panel]
        pins = "gpio"
        board = "/etc/board.toml"
        buzzer = true
        """,
    )

    assert told(loaded) == []
    assert loaded.settings == Settings(
        WebSettings("127.0.0.1", 8080, ("games.local", "10.0.0.7"), "2468", 12),
        StoreSettings("postgresql+psycopg://ana@db/games", "/var/games"),
        PageSettings("pt-BR", "evening"),
        LogSettings("debug"),
        CameraSettings("usb", "0", 1920, 1080, 2.0, True, ((0, 0, 300, 200), (1500.5, 0, 99, 400))),
        PanelSettings("gpio", "/etc/board.toml", True),
    )
    assert isinstance(loaded.settings.camera.still_s, float)
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
    ("place", "expected"),
    (("photos", "{tmp}/photos"), ("~/photos", "~/photos"), ("/photos", "/photos"), ("", "")),
)
def test_photos_and_pin_maps_lie_beside_the_file(tmp_path: Path, place: str, expected: str) -> None:
    loaded = load(tmp_path, f'[camera]\nsource = "folder"\nplace = "{place}"\n[panel]\nboard = "{place}"\n')

    found = loaded.settings.camera.place, loaded.settings.panel.board
    assert found == (expected.format(tmp=tmp_path),) * 2


def test_an_address_or_a_number_of_a_camera_is_no_path(tmp_path: Path) -> None:
    usb = load(tmp_path, '[camera]\nsource = "usb"\nplace = "0"\n').settings.camera
    stream = load(tmp_path, '[camera]\nsource = "stream"\nplace = "rtsp://10.0.0.7/"\n').settings.camera

    assert (usb.place, stream.place) == ("0", "rtsp://10.0.0.7/")


@pytest.mark.parametrize(
    ("content", "expected"),
    (
        ("[web]\nprot = 1\n", "line 2: There is no setting “web.prot”; did you mean “web.port”?"),
        ("[log]\ncolour = 1\n", "line 2: There is no setting “log.colour”, only log.level."),
        ("\n[pages]\n", "line 2: There is no setting “pages”; did you mean “page”?"),
        ("[voice]\n", "line 1: There is no setting “voice”, only web, store, page, log, camera, panel."),
        ("[kamera]\n", "line 1: There is no setting “kamera”; did you mean “camera”?"),
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
            "line 2: web.port has to be a whole number from 1 to 65535, not true. It is 8000 for now.",
        ),
        (
            "[camera]\nstill_s = 9\n",
            "line 2: camera.still_s has to be a number from 0.2 to 5, not 9. It is 0.8 for now.",
        ),
        (
            "[camera]\nstill_s = nan\n",
            "line 2: camera.still_s has to be a number from 0.2 to 5, not nan. It is 0.8 for now.",
        ),
        (
            "[camera]\nrecord_alone = 1\n",
            "line 2: camera.record_alone has to be true or false, not 1. It is false for now.",
        ),
        (
            "[camera]\nignore = [[0, 0, 300]]\n",
            "line 2: camera.ignore has to be a list of up to 8 rectangles, such as [[0, 0, 300, 200]]: x, y, width"
            " and height, not [[0, 0, 300]]. It is [] for now.",
        ),
        (f"[camera]\nignore = {[[0, 0, 1, 1]] * 9}\n", "It is [] for now."),
        ("[camera]\nignore = [[-1, 0, 1, 1]]\n", "not [[-1, 0, 1, 1]]. It is [] for now."),
        ("[camera]\nignore = [[0, 0, 0, 1]]\n", "not [[0, 0, 0, 1]]. It is [] for now."),
        ("[camera]\nignore = [[0, 0, nan, 1]]\n", "not [[0, 0, nan, 1]]. It is [] for now."),
        (f"[camera]\nignore = [[0, 0, 1, {'9' * 400}]]\n", "It is [] for now."),
        (
            '[camera]\nplace = "rtsp://ana:secret@10.0.0.7/\\u0001"\n',
            'not "rtsp://***@10.0.0.7/\x01". It is "" for now.',
        ),
        (
            "[camera]\nplace = rtsp://ana:secret@10.0.0.7/\n",
            f"line 2: “place = rtsp://***@10.0.0.7/” is not how a setting is written, such as port = 8000. {NO_FILE}",
        ),
        (
            '[panel]\npins = "gipo"\n',
            'line 2: panel.pins has to be one of "none", "mock", "gpio", not "gipo". It is "none" for now.',
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
        ("#" * (LARGEST_SETTINGS_FILE + 1), f": The file is larger than 64 kB. {NO_FILE}"),
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

    assert (len(loaded.problems), loaded.settings) == (
        2,
        Settings(web=WebSettings(pin="2468"), log=LogSettings("error")),
    )


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
