"""Whatever people read is in the catalogues, translated into every language, and says the same in each."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

from companion.commands import doctor
from companion.core.message import Message
from companion.household.languages import LANGUAGES
from companion.household.languages import catalogue as spoken
from tests.catalogues import ALIKE, CATALOGUES, PLACEHOLDER, catalogue, file_of, forms, messages, pairs

HOUSE = Path(__file__).parents[1]
FINAL = ".…:;?!,"

TEMPLATES = tuple(sorted((HOUSE / "companion").rglob("templates/**/*.*")))
SAID = ("aria-label", "placeholder", "title", "alt", "data-lost")
"""Attributes whose values people read or hear."""
IN_A_TAG = re.compile(r"{% block (?:class|page) %}.*?{% endblock %}", re.DOTALL)
"""Blocks that fill a tag's attributes, not the text of the page."""
FOR_MACHINES = {"X-Fragment"}
"""Capitalised, but read by the page's own script alone."""


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_every_sentence_is_translated(domain: str, locale: str) -> None:
    open_ones = [message.id for message in messages(domain, locale) if not all(forms(message.string))]
    copied = [
        english
        for english, said in pairs(domain, locale)
        if english == said and english not in ALIKE and re.search("[A-Za-z]", PLACEHOLDER.sub("", english))
    ]

    assert messages(domain, locale)
    assert (open_ones, copied) == ([], [])


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_no_translation_is_a_guess_or_a_leftover(domain: str, locale: str) -> None:
    found = catalogue(domain, locale)

    assert [message.id for message in found if message.fuzzy] == []
    assert list(found.obsolete) == []


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_every_value_of_a_sentence_is_said(domain: str, locale: str) -> None:
    def values(text: str) -> Counter[str]:
        return Counter(PLACEHOLDER.findall(text))

    assert [(e, said) for e, said in pairs(domain, locale) if values(e) != values(said)] == []
    assert [said for _e, said in pairs(domain, locale) if "%" in PLACEHOLDER.sub("", said)] == []


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_sentences_begin_and_end_alike(domain: str, locale: str) -> None:
    def ends(text: str) -> tuple[str, str, str]:
        before, after = text[: -len(text.lstrip())], text[len(text.rstrip()) :]
        last = text.rstrip()[-1:]
        return before, after, last if last in FINAL else ""

    assert [(e, said) for e, said in pairs(domain, locale) if ends(e) != ends(said)] == []


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_quotes_and_question_marks_come_in_pairs(domain: str, locale: str) -> None:
    twins = [("“", "”"), ("(", ")"), ("[", "]"), *([("¿", "?"), ("¡", "!")] if locale == "es" else [])]

    odd = [
        said
        for _e, said in pairs(domain, locale)
        for one, other in twins
        if said.count(one) != said.count(other)
    ]

    assert odd == []
    assert [said for _e, said in pairs(domain, locale) if re.search("[<>&]", said)] == []


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_headings_name_nobody(domain: str, locale: str) -> None:
    heading = dict(catalogue(domain, locale).mime_headers)

    empty = ("Last-Translator", "Language-Team", "Report-Msgid-Bugs-To")
    assert {name: heading[name] for name in empty} == dict.fromkeys(empty, "")
    assert heading["PO-Revision-Date"] == heading["POT-Creation-Date"]


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_compiled_catalogues_say_what_their_sources_say(domain: str, locale: str) -> None:
    with file_of(domain, locale, "mo").open("rb") as file:
        compiled = {forms(message.id): forms(message.string) for message in read_mo(file) if message.id}

    assert compiled == {forms(message.id): forms(message.string) for message in messages(domain, locale)}


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[tuple[str, ...]]]:
    """The sentences in the code of each catalogue, found as `make translations` finds them."""
    asked = subprocess.run(
        ["make", "--dry-run", "translations"], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    folder = tmp_path_factory.mktemp("extracted")
    found = {}
    for line in asked.stdout.replace("\\\n", " ").splitlines():
        if "pybabel --quiet extract" in line:
            _pybabel, *rest = shlex.split(line)
            output = rest.index("--output") + 1
            domain, rest[output] = Path(rest[output]).stem, str(folder / Path(rest[output]).name)
            subprocess.run([sys.executable, "-m", "babel.messages.frontend", *rest], cwd=HOUSE, check=True)
            with Path(rest[output]).open("rb") as file:
                found[domain] = {forms(message.id) for message in read_po(file) if message.id}
    return found


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_catalogues_keep_up_with_the_code(
    extracted: dict[str, set[tuple[str, ...]]], domain: str, locale: str
) -> None:
    """When this fails, run `make translations`, translate what is new, and run it again."""
    known = {forms(message.id) for message in messages(domain, locale)}

    assert (extracted[domain] - known, known - extracted[domain]) == (set(), set())


def test_no_sentence_stands_inside_another_string() -> None:
    """There Python 3.11 hides it from whatever collects the sentences."""
    hidden = [
        f"{path.relative_to(HOUSE)}:{call.lineno}"
        for folder in ("companion", "hardware", "calibration")
        for path in sorted((HOUSE / folder).rglob("*.py"))
        for text in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_", "_n")
    ]

    assert hidden == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_doctor_looks_at_fits_its_column(language: str) -> None:
    source = Path(doctor.__file__).read_text(encoding="utf-8")
    names = set(re.findall(r'Check\(\s*_\("(\w+)"\)', source))
    said = [Message(name).say(spoken(language)) for name in names]

    assert [name for name in said if len(name) > 10] == []


class _Reader(HTMLParser):
    """Collects what a template says by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag in ("style", "script")
        self.said += [value or "" for name, value in attrs if name in SAID]

    def handle_endtag(self, _tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data)


def untranslated(template: str) -> list[str]:
    """The words of a template that no catalogue gets to see: its own, and those inside its expressions."""
    environment, reader = Environment(extensions=["jinja2.ext.i18n"]), _Reader()
    text = IN_A_TAG.sub("", template)
    reader.feed("".join(part for _line, kind, part in environment.lex(text) if kind == "data"))
    tree = environment.parse(text)
    handed_on = [
        constant
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in ("_", "gettext", "ngettext")
        for constant in call.find_all(nodes.Const)
    ]
    inside = [
        constant.value
        for constant in tree.find_all(nodes.Const)
        if constant not in handed_on
        and isinstance(constant.value, str)
        and re.match(r"[A-Z]\w", constant.value)
    ]
    own = [said.strip() for said in reader.said if any(sign.isalpha() for sign in said)]
    return own + [said for said in inside if said not in FOR_MACHINES]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_say_nothing_past_the_catalogues(template: Path) -> None:
    assert untranslated(template.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("template", "expected"),
    (
        ('<p class="big">{{ _("Start") }}</p>', []),
        ('<p class="big">Start</p>', ["Start"]),
        ('<img alt="{{ _("Table") }}" title="Table {{ n }}">', ["Table"]),
        ("{% if over %}The end{% endif %}", ["The end"]),
        ("{{ notice('Look again') }}{{ icon('close') }}", ["Look again"]),
        ('{{ ngettext("%(num)d Day", "%(num)d Days", 2) }}<style>.a{color:red}</style>', []),
        ("{# A remark #}<text>{{ row.rank }}. {{ row.name }}</text>", []),
    ),
)
def test_words_past_the_catalogues_are_seen(template: str, expected: list[str]) -> None:
    assert untranslated(template) == expected


def test_scripts_say_nothing_by_themselves() -> None:
    """What a script shows comes from the page, which has its words from the catalogues."""
    scripts = sorted((HOUSE / "companion").rglob("static/*.js"))
    said = {
        path.name: re.findall(r"[\"'`]([A-Z][a-z]+ [^\"'`]*)[\"'`]", path.read_text("utf-8"))
        for path in scripts
    }

    assert scripts
    assert {name: found for name, found in said.items() if found} == {}
