"""Who may do what: everybody looks, who knows the PIN changes the game, and nobody does so from another page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from companion.core.session import Session
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.serving import MOVES, PIN, begin, play

OPEN_TO_ALL = {"/unlock", "/lock", "/language", "/printed", "/theme"}
"""Forms that change no game: the PIN itself, and what a device chooses for itself."""


@pytest.fixture(scope="module")
def game(house: House) -> Session:
    return play(house.sessions, begin(house.sessions), *MOVES)


@pytest.fixture
def everything(house: House) -> Iterator[None]:
    """Afterwards the log is as it was before."""
    before = (
        house.sessions.news.wait(-1, 0),
        [house.sessions.export(item.id) for item in house.sessions.list(100)],
    )
    yield
    assert (
        house.sessions.news.wait(-1, 0),
        [house.sessions.export(item.id) for item in house.sessions.list(100)],
    ) == before


def address(rule: Rule, id: str) -> str:
    """A place where this rule is met."""
    values = {"id": id, "key": "kingdomino", "seq": "3", "name": "kingdomino.css", "filename": "page.css"}
    values["person"] = "ana"
    if rule.endpoint.startswith("book."):
        values["key"] = "dominion"  # the first game that has a book
    path = re.sub(r"<any\(([\w-]+).*?>", r"\1", rule.rule).replace("path:", "").replace("int:", "")
    for name, value in values.items():
        path = path.replace(f"<{name}>", value)
    assert "<" not in path, f"say in `values` what stands in {rule.rule}"
    return path


def rules(app: Flask, method: str) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def test_everybody_may_look_at_everything(app: Flask, client: FlaskClient, game: Session) -> None:
    asking_for_the_pin = {"/new/kingdomino", f"/s/{game.id}/correct/3", f"/s/{game.id}/correct"}
    for rule in rules(app, "GET"):
        path = address(rule, game.id)
        with client.get(path) as answer:
            asked = (answer.location or "").startswith("/unlock")
            assert asked == (path in asking_for_the_pin), path
            assert answer.status_code in (200, 303), path


@pytest.mark.usefixtures("everything")
def test_without_the_pin_no_form_changes_anything(app: Flask, client: FlaskClient, game: Session) -> None:
    moves = {"seq": str(game.seq), "event": "2 lays 39 at 0,2 N", "change": "9:2 takes 25"}
    forms = [rule for rule in rules(app, "POST") if rule.rule not in OPEN_TO_ALL]
    for rule in forms:
        answer = client.post(address(rule, game.id), data={**moves, "name0": "A", "name1": "B"})
        assert answer.status_code == 303, rule.rule
        assert answer.location.startswith("/unlock?back="), rule.rule

    assert len(forms) >= 7


def test_only_get_and_post_are_answered(app: Flask) -> None:
    methods = {method for rule in app.url_map.iter_rules() for method in rule.methods or ()}

    assert methods == {"GET", "HEAD", "OPTIONS", "POST"}


def test_the_pin_unlocks_and_brings_back(app: Flask, game: Session) -> None:
    client = app.test_client()

    answer = client.post("/unlock", data={"pin": f" {PIN[:2]} {PIN[2:]} ", "back": f"/s/{game.id}"})

    assert (answer.status_code, answer.location) == (303, f"/s/{game.id}")
    cookie = client.get_cookie("companion")
    assert cookie
    assert (cookie.http_only, cookie.same_site) == (True, "Lax")
    assert PIN not in cookie.value
    assert client.get("/new/kingdomino").status_code == 200
    client.post("/lock")
    assert client.get("/new/kingdomino").status_code == 303


@pytest.mark.parametrize("wrong", ("", "0000", PIN[:-1], PIN + "0", "２４６８", "\0", "é" * 5000))
def test_a_wrong_pin_is_said(house: House, wrong: str) -> None:
    client = create_app(House(house.sessions, PinRateLimiter(PIN), house.secret)).test_client()

    answer = client.post("/unlock", data={"pin": wrong})

    assert answer.status_code == 403
    assert "That is not the PIN." in answer.text


def test_another_pin_locks_every_device_out(house: House) -> None:
    before = create_app(house).test_client()
    before.post("/unlock", data={"pin": PIN})
    assert before.get("/new/kingdomino").status_code == 200
    cookie = before.get_cookie("companion")
    assert cookie

    keeper = PinRateLimiter("9753")
    changed = House(house.sessions, keeper, house.secret)
    after = create_app(changed).test_client()
    after.set_cookie("companion", cookie.value)

    assert after.get("/new/kingdomino").status_code == 303


@pytest.mark.parametrize("cookie", ("", "x", "eyJwaW4iOiIxIn0.aaaa.bbbb", "é", "a" * 4000))
def test_a_forged_cookie_unlocks_nothing(app: Flask, cookie: str) -> None:
    client = app.test_client()
    client.set_cookie("companion", cookie)

    assert client.get("/new/kingdomino").status_code == 303


@pytest.mark.parametrize("name", ("a..b", ".", "..", f"{'x' * 70}.local"))
def test_a_name_that_is_none_gets_words(house: House, name: str) -> None:
    answer = create_app(house).test_client().get("/", headers={"Host": name})

    assert answer.status_code in (400, 421)
    assert "Internal Server Error" not in answer.text
    assert answer.text


@pytest.mark.parametrize(
    ("headers", "expected"),
    (
        ({}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "odd"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:8001"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": ""}, 403),
    ),
)
def test_a_form_from_another_page_does_nothing(
    player: FlaskClient, game: Session, house: House, headers: dict[str, str], expected: int
) -> None:
    begun = play(house.sessions, begin(house.sessions), *MOVES[:1])

    answer = player.post(f"/s/{begun.id}/undo", data={"seq": "2"}, headers=headers)

    assert answer.status_code == expected
    assert house.sessions.session(begun.id).seq == (3 if expected == 303 else 2)
    if expected == 403:
        assert "This came from another page, so nothing was done." in answer.text
    assert house.sessions.session(game.id) is game


@pytest.mark.parametrize(
    ("host", "expected"),
    (
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("den", 200),
        ("den.local:80", 200),
        ("192.168.1.7:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("localhost:99999", 421),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("localhost.evil.example", 421),
        ("192.168.1.7.evil.example", 421),
        ("den.evil.local", 421),
        ("2130706433", 421),
        ("0x7f000001", 421),
        ("127.1", 421),
        ("[::1", 421),
        ("[", 421),
        ("a b", 421),
        ("evil.example@localhost", 421),
        ("xn--80ak6aa92e.com", 421),
    ),
)
def test_only_our_names_are_answered(client: FlaskClient, host: str, expected: int) -> None:
    answer = client.get("/", headers={"Host": host})

    assert answer.status_code == expected
    if expected == 421:
        assert "This address does not belong to the companion" in answer.text


@pytest.mark.parametrize(
    ("back", "expected"),
    (
        ("/s/abc?why=0.1", "/s/abc?why=0.1"),
        ("/sessions", "/sessions"),
        ("", "/"),
        ("sessions", "/"),
        ("//evil.example/", "/"),
        ("///evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("\\\\evil.example/", "/"),
        ("http://evil.example/", "/"),
        ("http:evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("/\t/evil.example", "/"),
        ("/\n/evil.example", "/"),
        ("//[", "/"),
        ("http://[", "/"),
        (" /sessions", "/"),
    ),
)
def test_no_form_leads_away_from_the_companion(app: Flask, back: str, expected: str) -> None:
    for path, form in (
        ("/unlock", {"pin": PIN}),
        ("/language", {"language": "es"}),
        ("/theme", {"theme": "light"}),
    ):
        answer = app.test_client().post(path, data={**form, "back": back})
        assert (answer.status_code, answer.location) == (303, expected), path


@pytest.mark.parametrize("referrer", ("http://[", "//[", "\\", "http://evil.example/s/x", "x" * 3000))
def test_an_odd_referrer_does_no_harm(client: FlaskClient, game: Session, referrer: str) -> None:
    answer = client.post(f"/s/{game.id}/undo", headers={"Referer": referrer})

    assert answer.status_code == 303
    assert answer.location.startswith("/unlock?back=")


def test_the_pin_is_shown_at_the_host_and_nowhere_else(client: FlaskClient) -> None:
    for path in ("/join", "/unlock"):
        assert PIN in client.get(path).text
        assert PIN not in client.get(path, environ_base={"REMOTE_ADDR": "192.168.1.30"}).text
        assert PIN not in client.get(path, headers={"X-Forwarded-For": "127.0.0.1"}).text
        assert PIN not in client.get(path, headers={"Forwarded": "for=127.0.0.1"}).text
