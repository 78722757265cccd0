"""Every command, option and setting is in the docs, and the docs speak of no other, nor of code that is not there."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from companion.commands import COMMANDS
from companion.commands.bench import BENCHES
from companion.commands.doctor import CHECKS
from companion.games import GAMES
from companion.household.settings import Settings, all_settings

HOUSE = Path(__file__).parents[1]
DOCS = HOUSE / "docs"
ALWAYS = {"--help", "-h"}


def sections(name: str) -> dict[str, str]:
    """The parts of a page of the docs by their headings; what comes before the first is under ``."""
    parts = re.split(r"^## (.+)$", (DOCS / name).read_text("utf-8"), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


EXAMPLES = {
    heading.removeprefix("companion "): blocks
    for heading, text in sections("commands.md").items()
    if (blocks := re.findall(r"```json\n(.*?)```", text, re.DOTALL))
}


def parser_of(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(f"companion {name}")
    module: Any = import_module(COMMANDS[name].module)
    module.arguments(parser, str)
    return parser


def words_of(parser: argparse.ArgumentParser) -> set[str]:
    """Every option, argument and action that a command takes."""
    found: set[str] = set()
    for action in parser._actions:
        found.update(action.option_strings or [str(action.metavar)])
        if isinstance(action, argparse._SubParsersAction):
            found.discard(str(action.metavar))
            found.update(action.choices)
            for name in action.choices:
                found |= words_of(action.choices[name])
    return found - ALWAYS


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))


def test_every_command_has_its_part_of_the_docs() -> None:
    documented = [heading.removeprefix("companion ") for heading in sections("commands.md") if heading]

    assert documented == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_and_argument_is_documented(name: str) -> None:
    text = sections("commands.md")[f"companion {name}"]

    assert {
        word for word in words_of(parser_of(name)) if not re.search(rf"(?<![\w-]){word}(?![\w-])", text)
    } == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_is_documented_that_is_not_there(name: str) -> None:
    text = sections("commands.md")[f"companion {name}"]

    assert options_in(text) - words_of(parser_of(name)) == set()


def test_the_usage_line_says_it_all() -> None:
    usages = {name: sections("commands.md")[f"companion {name}"].splitlines()[2] for name in COMMANDS}
    own = {
        name: {
            word
            for word in words_of(parser_of(name))
            if word not in ("-o", "--output", "--limit", "--all", "ID", "N")
        }
        for name in COMMANDS
    }

    assert [name for name in COMMANDS if not usages[name].startswith(f"`companion {name}")] == []
    assert {
        name: {word for word in words if word not in usages[name]}
        for name, words in own.items()
        if not all(word in usages[name] for word in words)
    } == {}


def test_games_and_benches_are_named() -> None:
    found = sections("commands.md")
    games = {
        key for key, game in GAMES.items() if game.documents and f"`{key}`" not in found["companion score"]
    }

    assert (games, {key for key in BENCHES if f"`{key}`" not in found["companion bench"]}) == (set(), set())


def test_the_doctor_s_checks_are_told() -> None:
    told = (
        "Python",
        "settings",
        "data folder",
        "disk",
        "log",
        "port",
        "network",
        "languages",
        "photos",
        "boxes",
        "camera",
        "buttons",
    )
    text = sections("commands.md")["companion doctor"]

    assert (len(told), [word for word in told if word not in text]) == (len(CHECKS), [])


def toml(value: object) -> str:
    return "[]" if value == () else json.dumps(value)


def test_the_tables_of_settings_are_the_settings() -> None:
    expected = [
        f"| `{key.name}` | `{toml(key.default)}` | {key.metadata['kind'].expected} | {key.metadata['help']} |"
        for _section, key in all_settings()
    ]

    page = (DOCS / "settings.md").read_text("utf-8")

    assert [line for line in page.splitlines() if line.startswith("| `")] == expected


def test_every_section_of_settings_says_what_it_is_about() -> None:
    expected = {f"[{name}]": type(section).__doc__ for name, section in vars(Settings()).items()}
    found = {heading: text.split("\n")[2] for heading, text in sections("settings.md").items() if heading}

    assert found == expected


def test_the_example_of_settings_is_right(tmp_path: Path) -> None:
    from companion.household.settings import load_settings

    example = re.search(r"```toml\n(.*?)```", (DOCS / "settings.md").read_text("utf-8"), re.DOTALL)
    assert example
    (tmp_path / "companion.toml").write_text(example[1])

    loaded = load_settings(tmp_path / "companion.toml")

    assert (loaded.problems, loaded.settings.web.port, loaded.settings.page.language) == ((), 8080, "pt-BR")


@pytest.mark.parametrize(
    ("game", "first", "name", "whole"),
    (
        ("kingdomino", 0, "score", True),
        ("kingdomino", 0, "replay", False),
        ("carcassonne", 2, "score", False),
        ("dominion", 4, "score", True),
        ("carcassonne", 2, "replay", True),
    ),
)
def test_the_examples_are_what_the_commands_answer(
    game: str, first: int, name: str, whole: bool, tmp_path: Path
) -> None:
    document, told = EXAMPLES[name][first : first + 2]
    (tmp_path / "copied.json").write_text(document, "utf-8")

    said = subprocess.run(
        [sys.executable, "-m", "companion", name, game, "--json", str(tmp_path / "copied.json")],
        capture_output=True, check=True, cwd=HOUSE,
    )  # fmt: skip

    answer, expected = json.loads(said.stdout), json.loads(told)
    assert {key: answer[key] for key in (answer if whole else expected)} == expected


def test_every_example_is_tried() -> None:
    assert {name: len(blocks) for name, blocks in EXAMPLES.items()} == {"score": 6, "replay": 4}


PAGES = [
    *(HOUSE / name for name in ("README.md", "CONTRIBUTING.md", "hardware/wiring.md")),
    *sorted(DOCS.rglob("*.md")),
    *(path for folder in ("companion", "") for path in sorted((HOUSE / folder).glob("*/README.md"))),
    HOUSE / "models" / "train" / "README.md",
]
"""What the docs are; each game's own README is the game's affair."""
ROOMS = "|".join(
    [
        *(path.parent.name for path in (HOUSE / "companion").glob("*/__init__.py")),
        "app",
        "hardware",
        "calibration",
    ]
)


def test_every_link_leads_to_a_file() -> None:
    pages = [*PAGES, HOUSE / "CHANGELOG.md"]
    links = {
        (page.name, link): page.parent / link.partition("#")[0]
        for page in pages
        for link in re.findall(r"\]\(([^)#\s][^)\s]*)\)", page.read_text("utf-8"))
        if "://" not in link
    }

    assert ("README.md", "docs/commands.md") in links
    assert [link for link, path in links.items() if not path.is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_every_module_that_is_named_is_there(page: Path) -> None:
    named = re.findall(
        r"`((?:companion|hardware|calibration|models|tests)/[\w./-]+)`", page.read_text("utf-8")
    )

    assert [name for name in named if not (HOUSE / name).exists()] == []


@pytest.mark.parametrize("name", ("architecture.md", "recognition.md"))
def test_every_function_that_is_named_is_there(name: str) -> None:
    named = re.findall(rf"`((?:{ROOMS}|models)\.[\w.]+)`", (DOCS / name).read_text("utf-8"))

    assert len(named) > 10
    assert [dotted for dotted in named if not _is_there(dotted)] == []


def _is_there(dotted: str) -> bool:
    """Whether a module, or something in it, has that name; names begin in `companion` or are whole."""
    first, *rest = dotted.split(".")
    found: Any = import_module(
        first if first in ("hardware", "calibration", "models") else f"companion.{first}"
    )
    for part in rest:
        if find_spec(f"{found.__name__}.{part}") if hasattr(found, "__path__") else None:
            found = import_module(f"{found.__name__}.{part}")
        elif hasattr(found, part):
            found = getattr(found, part)
        else:
            return False
    return True
