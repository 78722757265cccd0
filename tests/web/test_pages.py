"""Every page in every phase of a game: nothing that the browser's own guard would stop, and nothing unescaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.session import Session
from companion.household.languages import LANGUAGES
from companion.web import House
from tests.web.serving import MOVES, begin, play, to_the_end
from tests.web.test_guard import address, rules

SCRIPT = "<script>alert(1)"
BREAKS_OUT = "\"'><img src=x>"
BECAUSE = "</script><img src=x onerror=alert(1)>'\""


@pytest.fixture(scope="module")
def sessions(house: House) -> dict[str, Session]:
    """A session in each phase, one of every variant, all by people with hostile names."""
    table, names = house.sessions, (SCRIPT, BREAKS_OUT, "{{ 7*7 }}", "${7*7}%(name)s")
    begun = begin(table, names=names)
    first = play(table, begin(table, names=names), MOVES[0])
    placing = play(table, begin(table, names=names), *MOVES[:6])
    against = f"2 lays 4 at 0,-2 N because {json.dumps(BECAUSE, ensure_ascii=False)}"
    overruled = play(table, placing, against)
    corrected = table.correct(begun.id, 1, {1: _other_start(names)}, begun.entries[0].source)
    undone = table.undo(first.id, first.seq, begun.entries[0].source)
    return {
        "begun": begun,
        "chosen first": play(table, begin(table, names=names), *MOVES[:2]),
        "placing": play(table, begin(table, names=names), *MOVES[:6]),
        "choosing": play(table, begin(table, names=names), *MOVES[:7]),
        "overruled": overruled,
        "corrected": corrected,
        "undone": undone,
        "over": to_the_end(table, begin(table, 4, names=names)),
        "duel": play(table, begin(table, 2, "mighty_duel", names=names), MOVES[0]),
        "count": begin(table, 3, "score_only", names=names),
        "dynasty": play(table, begin(table, 2, "dynasty harmony middle_kingdom", names=names), MOVES[0]),
    }


def _other_start(names: tuple[str, ...]) -> str:
    one, another = (json.dumps(name) for name in names[:2])
    return f"start kingdomino with {one} green, {another} blue"


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style") and data.strip():
            self.inline.append(data)

    def handle_endtag(self, _tag: str) -> None:
        self._open.append("")


def forbidden(text: str) -> list[str]:
    """Everything in a page that its content security policy would stop, or that comes from elsewhere."""
    page = Page(text)
    found = [f"inline: {data[:40]}" for data in page.inline]
    for tag, attributes in page.tags:
        if tag == "a" and attributes.get("rel") == "external":
            continue  # a way out of the house, for whoever taps it: nothing is loaded
        if tag in ("style", "base", "iframe", "object", "embed"):
            found.append(f"<{tag}>")
        for name, value in attributes.items():
            if name == "style" or name.startswith("on"):
                found.append(f"<{tag} {name}>")
            if name in ("src", "href", "action", "xlink:href", "data", "srcset", "formaction"):
                elsewhere = (value or "").strip().lower()
                if elsewhere.startswith(("http:", "https:", "//", "javascript:", "data:")):
                    found.append(f"<{tag} {name}={value}>")
    return found


def test_what_the_policy_stops_is_found() -> None:
    bad = '<p style="x"><a onclick=y href="http://x"><script>z</script><style>w</style>'

    assert len(forbidden(bad)) == 6
    assert forbidden('<p class="x"><a href="/y">z</a><script src="/s.js"></script>') == []


WISHES = ("", "?look=1", "?at=1,0", "?at=1,0&turn=2&all=1", "?hint=1", "?who=2", "?why=0.0")


def every_page(app: Flask, sessions: dict[str, Session]) -> Iterator[tuple[str, str]]:
    """Every page of every session: its path, and the name of its phase."""
    for phase, session in sessions.items():
        for rule in rules(app, "GET"):
            if "<id>" in rule.rule and not rule.rule.endswith(("/events", "/export", "/result.svg")):
                yield address(rule, session.id), phase
        for seq in range(1, min(session.seq, 12)):
            yield f"/s/{session.id}/correct/{seq}", phase
        for change in ("2:nothing", "1:nothing", "3:1 takes 31"):
            yield f"/s/{session.id}/correct?change={change}", phase
        for wish in WISHES:
            yield f"/s/{session.id}{wish}", phase
    for path in ("/", "/sessions", "/join", "/unlock", "/new/kingdomino", "/nothing/here", "/s/nobody"):
        yield path, "no session"


def test_no_page_has_anything_inline_or_from_elsewhere(
    app: Flask, player: FlaskClient, sessions: dict[str, Session]
) -> None:
    seen = 0
    for path, phase in every_page(app, sessions):
        answer = player.get(path)
        assert answer.status_code in (200, 303, 400, 404, 422), (phase, path)
        assert forbidden(answer.text) == [], (phase, path)
        seen += answer.status_code == 200
    assert seen > 150


def test_what_people_type_is_shown_as_they_typed_it(
    app: Flask, player: FlaskClient, sessions: dict[str, Session]
) -> None:
    for path, phase in every_page(app, sessions):
        text = player.get(path).text
        for typed in (SCRIPT, BREAKS_OUT, BECAUSE):
            assert typed not in text, (phase, path)
        assert "x onerror" not in {k for _t, a in Page(text).tags for k in a}, (phase, path)
        assert not any(a.get("src") == "x" for _t, a in Page(text).tags), (phase, path)
    shown = player.get(f"/s/{sessions['over'].id}").text
    assert "&lt;script&gt;alert(1)" in shown
    assert "{{ 7*7 }}" in shown
    assert "${7*7}%(name)s" in shown


def test_the_reason_people_gave_is_escaped_in_the_log(
    player: FlaskClient, sessions: dict[str, Session]
) -> None:
    text = player.get(f"/s/{sessions['overruled'].id}/log").text

    assert "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;" in text


def test_the_picture_of_the_result_is_a_drawing_and_nothing_else(
    client: FlaskClient, sessions: dict[str, Session]
) -> None:
    for phase, session in sessions.items():
        answer = client.get(f"/s/{session.id}/result.svg")
        drawing = ElementTree.fromstring(answer.text)
        assert answer.mimetype == "image/svg+xml"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
        for element in drawing.iter():
            name = element.tag.rpartition("}")[2]
            assert name not in ("script", "foreignObject", "image", "a"), phase
            for key, value in element.attrib.items():
                assert not key.startswith("on"), phase
                assert key.rpartition("}")[2] != "href" or value.startswith("#"), phase


def test_a_notice_about_the_settings_is_escaped_and_only_for_the_host(house: House) -> None:
    from dataclasses import replace

    from companion.core.message import message as _
    from companion.web import create_app

    noticed = replace(house, notices=(_("companion.toml, line 1: %(row)s", row=SCRIPT),))
    client = create_app(noticed).test_client()

    assert "&lt;script&gt;alert(1)" in client.get("/").text
    assert "companion.toml" not in client.get("/", environ_base={"REMOTE_ADDR": "192.168.1.30"}).text


HEADERS = ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "X-Frame-Options")


def test_every_answer_tells_the_browser_to_be_careful(
    app: Flask, client: FlaskClient, sessions: dict[str, Session]
) -> None:
    id = sessions["begun"].id
    answers = [
        client.open(address(rule, id), method=method)
        for method in ("GET", "POST", "HEAD", "OPTIONS")
        for rule in rules(app, method)
    ]
    answers.append(client.get("/nothing"))
    answers.append(client.delete("/"))
    answers.append(client.get("/", headers={"Host": "evil.example"}))
    for answer in answers:
        assert [name for name in HEADERS if name not in answer.headers] == [], answer.request.path
        if answer.mimetype == "text/html":
            assert answer.headers["Cache-Control"] == "no-store"
        answer.close()


@pytest.mark.parametrize(
    ("wish", "cookie", "expected"),
    (
        ("pt-BR", "", "pt-BR"),
        ("pt-PT,pt;q=0.9", "", "pt-BR"),
        ("es-AR", "", "es"),
        ("de, es;q=0.5", "", "es"),
        ("de", "", "en"),
        ("", "", "en"),
        ("*", "", "en"),
        (";;;,,,q=", "", "en"),
        ("en", "pt-BR", "pt-BR"),
        ("es", "klingon", "es"),
        ("es", "../../etc", "es"),
    ),
)
def test_the_page_speaks_the_language_asked_for(app: Flask, wish: str, cookie: str, expected: str) -> None:
    client = app.test_client()
    if cookie:
        client.set_cookie("language", cookie)

    answer = client.get("/", headers={"Accept-Language": wish})

    assert dict(Page(answer.text).tags)["html"]["lang"] == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_chosen_once_stays(app: Flask, language: str) -> None:
    client = app.test_client()
    client.post("/language", data={"language": language, "back": "/sessions"})

    assert dict(Page(client.get("/sessions").text).tags)["html"]["lang"] == language


def test_a_choice_that_is_none_changes_nothing(app: Flask) -> None:
    client = app.test_client()
    client.post("/language", data={"language": "xx"})
    client.post("/theme", data={"theme": "<b>"})

    assert client.get_cookie("language") is None
    assert client.get_cookie("theme") is None


@pytest.mark.parametrize(
    ("method", "path", "status", "says"),
    (
        ("GET", "/nothing", 404, "There is no such page."),
        ("GET", "/s/nobody", 404, "There is no session “nobody”."),
        ("GET", "/s/nobody/log", 404, "There is no session “nobody”."),
        ("GET", "/s/nobody/events", 404, "There is no session “nobody”."),
        ("GET", "/s/nobody/export", 404, "There is no session “nobody”."),
        ("GET", "/s/%00/result", 404, "There is no session “"),
        ("GET", "/s/%ff%fe", 404, "There is no session “"),
        ("GET", "/new/chess", 404, "There is no such page."),
        ("GET", "/games/kingdomino/../game.py", 404, "There is no such page."),
        ("GET", "/games/kingdomino/..%2fgame.py", 404, "There is no such page."),
        ("GET", "/static/../factory.py", 404, "There is no such page."),
        ("GET", "/sessions?page=99999", 200, ""),
        ("GET", "/sessions?page=-5", 200, ""),
        ("GET", "/sessions?page=x", 200, ""),
        ("DELETE", "/", 405, "This cannot be done here."),
        ("POST", "/people", 405, "This cannot be done here."),
        ("PUT", "/s/nobody", 405, "This cannot be done here."),
    ),
)
def test_whoever_loses_the_way_is_told(
    player: FlaskClient, method: str, path: str, status: int, says: str
) -> None:
    answer = player.open(path, method=method)

    assert answer.status_code == status
    assert says in answer.text


def test_the_head_of_a_page_can_be_asked_for(client: FlaskClient, sessions: dict[str, Session]) -> None:
    for path in ("/", f"/s/{sessions['over'].id}", f"/s/{sessions['over'].id}/events"):
        answer = client.head(path)
        assert (answer.status_code, answer.data) == (200, b"")


def test_a_tablet_can_keep_the_page_like_an_application(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    manifest = answer.get_json(force=True)

    assert answer.mimetype == "application/manifest+json"
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    for icon in manifest["icons"]:
        with client.get(icon["src"]) as picture:
            assert (picture.status_code, picture.mimetype) == (200, icon["type"])


def test_the_options_that_are_on_stand_on_the_table_the_result_and_its_picture(
    house: House, client: FlaskClient
) -> None:
    plain, varied = begin(house.sessions), begin(house.sessions, 2, "mighty_duel harmony")

    for page in ("", "/result", "/result.svg"):
        texts = [client.get(f"/s/{session.id}{page}").text for session in (plain, varied)]
        assert [text.count(">Harmony · The Mighty Duel<") for text in texts] == [0, 1], page
        assert ["Harmony" in text for text in texts] == [False, True], page
