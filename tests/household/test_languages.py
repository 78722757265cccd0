from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import fields
from gettext import textdomain
from pathlib import Path

import pytest

from companion.core.message import ENGLISH
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.household import languages, settings

MSGFMT = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n > 1);\\n"

"""
HOUSE = """
msgid "Undo"
msgstr "Desfazer"

msgid "the following arguments are required: %s"
msgstr "falta dizer: %s"
"""
GAME = """
msgid "Forest"
msgstr "Floresta"

msgid "%(count)d crown"
msgid_plural "%(count)d crowns"
msgstr[0] "%(count)d coroa"
msgstr[1] "%(count)d coroas"
"""


def compile_catalogue(folder: Path, domain: str, text: str) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    target = folder / "pt_BR" / "LC_MESSAGES" / f"{domain}.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, read_po((MSGFMT + text).splitlines(), locale="pt_BR"))


@pytest.fixture
def portuguese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A house and a game with a few words of Portuguese."""
    compile_catalogue(tmp_path / "house", "companion", HOUSE)
    compile_catalogue(tmp_path / "games" / "kingdomino" / "translations", "kingdomino", GAME)
    (tmp_path / "games" / "kingdomino" / "__init__.py").touch()
    monkeypatch.setattr(languages, "TRANSLATIONS", tmp_path / "house")
    monkeypatch.setattr(languages, "GAME_FOLDERS", tmp_path / "games")
    monkeypatch.setenv("LANGUAGE", "")
    before = textdomain()
    languages.catalogue.cache_clear()
    yield tmp_path
    languages.catalogue.cache_clear()
    textdomain(before)


@pytest.mark.parametrize(
    ("wishes", "expected"),
    (
        (["pt-BR"], "pt-BR"),
        (["pt"], "pt-BR"),
        (["PT-pt"], "pt-BR"),
        (["es-AR;q=0.9", "en"], "es"),
        (["fr", "es-419"], "es"),
        (["en-GB", "es"], "en"),
        (["fr", "*"], "en"),
        (["", "pt_BR"], "pt-BR"),
        ([], "en"),
    ),
)
def test_the_first_wish_we_can_fulfil_wins(wishes: list[str], expected: str) -> None:
    assert languages.best_language(wishes) == expected


def test_a_house_may_have_its_own_fallback() -> None:
    assert languages.best_language(["fr"], fallback="es") == "es"


@pytest.mark.parametrize(
    ("environment", "expected"),
    (
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "es_ES@euro"}, "es"),
        ({"LC_MESSAGES": "pt_PT", "LANG": "C"}, "pt-BR"),
        ({"LC_ALL": "", "LANG": "es"}, "es"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ),
)
def test_a_terminal_says_its_language(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert languages.terminal_language() == expected


def test_english_needs_no_catalogue() -> None:
    assert languages.catalogue("en") is ENGLISH


@pytest.mark.usefixtures("portuguese")
def test_house_and_games_share_one_tongue() -> None:
    spoken = languages.catalogue("pt-BR")

    said = [
        _("Undo").say(spoken),
        _("Forest").say(spoken),
        _n("%(count)d crown", "%(count)d crowns", 3).say(spoken),
    ]

    assert said == ["Desfazer", "Floresta", "3 coroas"]


@pytest.mark.usefixtures("portuguese")
def test_what_nobody_translated_is_said_in_english() -> None:
    said = [_("Lake").say(languages.catalogue(code)) for code in ("pt-BR", "es")]

    assert said == ["Lake", "Lake"]


@pytest.mark.usefixtures("portuguese")
def test_argparse_speaks_our_language(capsys: pytest.CaptureFixture[str]) -> None:
    languages.translate_argparse("pt-BR")
    parser = argparse.ArgumentParser()
    parser.add_argument("game")

    with pytest.raises(SystemExit):
        parser.parse_args([])

    assert "falta dizer: game" in capsys.readouterr().err


def test_missing_catalogues_are_named(portuguese: Path) -> None:
    shutil.rmtree(portuguese / "games" / "kingdomino" / "translations")

    missing = [str(path.relative_to(portuguese)) for path in languages.missing_catalogues()]

    assert missing == [
        "house/es/LC_MESSAGES/companion.mo",
        "games/kingdomino/translations/pt_BR/LC_MESSAGES/kingdomino.mo",
        "games/kingdomino/translations/es/LC_MESSAGES/kingdomino.mo",
    ]


def test_every_language_can_be_set_as_the_language_of_the_page() -> None:
    kind = next(key for key in fields(settings.PageSettings) if key.name == "language").metadata["kind"]

    assert [code for code in ("", *languages.LANGUAGES) if not kind.fits(code)] == []


def test_every_language_has_its_catalogues_in_the_makefile() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")
    listed = next(line for line in makefile.splitlines() if line.startswith("LANGUAGES :="))

    assert sorted(listed.split()[2:]) == sorted(
        code.replace("-", "_") for code in languages.LANGUAGES if code != "en"
    )
