"""The sessions of a household on the page: found, named, put away, binned, taken in, given out, played again."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.core.game import COLOUR_NAMES, Colour, Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.household.languages import LANGUAGES, catalogue
from companion.sessions.index import AT_ONCE
from companion.sessions.live import LiveSessions
from companion.sessions.repository import SessionRepository
from companion.web import House, create_app
from companion.web.rate_limiter import PinRateLimiter
from tests.web.pretending import PretendedWatcher
from tests.web.serving import FORM, MOVES, PIN, Serving, begin, knowing_the_pin, play, to_the_end
from tests.web.visitor import Visitor

CARCASSONNE = GAMES["carcassonne"]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    """A house in which nothing has been played."""
    table = LiveSessions(SessionRepository(f"sqlite:///{tmp_path / 'companion.db'}", GAMES))
    yield House(table, PinRateLimiter(PIN), b"s" * 32, listeners=8)
    table.close()


@pytest.fixture
def host(home: House) -> FlaskClient:
    return knowing_the_pin(create_app(home))


def listed(page: str) -> list[str]:
    """The sessions that a page of them shows."""
    return re.findall(r'<a href="/s/(\w+)">\s*<img class="emblem"', page)


def file(host: FlaskClient, id: str, said: str, **form: str) -> str:
    return host.post(f"/s/{id}/file", data={"as": said, **form}).location


def test_a_session_is_called_by_the_name_it_was_given(host: FlaskClient, home: House) -> None:
    id = begin(home.sessions).id

    assert (
        file(host, id, "named", name=" Friday <b> ", back="/sessions?state=going") == "/sessions?state=going"
    )
    assert "<strong>Friday &lt;b&gt;</strong>" in host.get("/sessions").text
    assert file(host, id, "named", name="") == "/sessions"
    assert "Friday" not in host.get("/sessions").text
    refused = host.post(f"/s/{id}/file", data={"as": "named", "name": "x" * 41})
    assert (refused.status_code, "40 characters at most" in refused.text) == (400, True)
    assert host.post(f"/s/{id}/file", data={"as": "sold"}).status_code == 400
    assert host.post("/s/nobody/file", data={"as": "closed"}).status_code == 404


def test_a_game_that_is_put_away_leaves_the_first_page_and_comes_back(host: FlaskClient, home: House) -> None:
    id = play(home.sessions, begin(home.sessions), *MOVES).id
    assert f'href="/s/{id}"' in host.get("/").text

    told = host.get(file(host, id, "closed", back="/")).text
    assert "Put away unfinished: it waits here" in told

    assert f'href="/s/{id}"' not in host.get("/").text
    assert listed(host.get("/sessions?state=closed").text) == [id]
    page = host.get(f"/s/{id}").text
    assert "This game was put away before its end." in page
    assert 'name="event"' not in page
    file(host, id, "reopened")
    assert 'name="event"' in host.get(f"/s/{id}").text


def test_the_bin_gives_back_what_was_thrown_into_it(host: FlaskClient, home: House) -> None:
    kept, thrown = to_the_end(home.sessions, begin(home.sessions)).id, begin(home.sessions).id

    saved = home.sessions.export(thrown)
    gone = host.get(file(host, thrown, "deleted")).text

    assert listed(gone) == [kept]
    assert re.search(rf'/s/{thrown}/file".*?value="undeleted"', gone, re.DOTALL)
    assert listed(host.get("/sessions?state=bin").text) == [thrown]
    assert home.sessions.session(thrown).filing.deleted
    # Its own file is no other session, and a binned one takes no entries.
    assert (
        host.post("/sessions", data={"file": (BytesIO(saved.encode()), "x.jsonl")}).location == f"/s/{thrown}"
    )
    assert "This game is in the bin." in host.get(f"/s/{thrown}").text
    refused = host.post(f"/s/{thrown}/record", data={"event": MOVES[0], "seq": "2"})
    assert (refused.status_code, "This game was put away" in refused.text) == (422, True)
    file(host, thrown, "undeleted")
    assert listed(host.get("/sessions").text) == [thrown, kept]


def test_who_only_looks_changes_no_session(home: House) -> None:
    visitor, id = create_app(home).test_client(), begin(home.sessions).id

    for path in (f"/s/{id}/file", f"/s/{id}/again", f"/s/{id}/first", "/sessions"):
        assert visitor.post(path, data={"as": "deleted", "first": "1", "seq": "1"}).location.startswith(
            "/unlock"
        )
    assert home.sessions.session(id).seq == 1
    assert "/file" not in visitor.get("/sessions").text


def test_sessions_are_found_by_game_by_person_and_by_how_far_they_came(
    host: FlaskClient, home: House
) -> None:
    over = to_the_end(home.sessions, begin(home.sessions, names=("Ana", "Zoë"))).id
    going = begin(home.sessions, names=("ana", "Rui")).id
    setup = Setup((Player("Rui", Colour.RED), Player("Eva", Colour.BLUE)))
    other = home.sessions.begin(CARCASSONNE, setup, Source.PAGE).id

    found = {
        wish: listed(host.get(f"/sessions?{wish}").text)
        for wish in (
            *("", "game=kingdomino", "person=ANA", "person=zo%C3%AB", "state=over", "state=going"),
            *("game=kingdomino&person=rui", "person=nobody", "game=chess", "state=odd", "page=1", "page=-4"),
        )
    }

    assert found == {
        "": [other, going, over],
        "game=kingdomino": [going, over],
        "person=ANA": [going, over],
        "person=zo%C3%AB": [over],
        "state=over": [over],
        "state=going": [other, going],
        "game=kingdomino&person=rui": [going],
        "person=nobody": [],
        "game=chess": [other, going, over],
        "state=odd": [other, going, over],
        "page=1": [],
        "page=-4": [other, going, over],
    }


def test_a_demonstration_is_no_session_until_somebody_keeps_it(host: FlaskClient, home: House) -> None:
    pair = Setup((Player("Pink", Colour.PINK), Player("Blue", Colour.BLUE)))
    shown = home.sessions.begin(GAMES["kingdomino"], pair, Source.DEMO)
    taken = to_the_end(home.sessions, play(home.sessions, shown, MOVES[0]))

    assert listed(host.get("/sessions").text) == []
    assert home.sessions.session(shown.id).demonstration
    assert csv_rows(host) == []
    file(host, taken.id, "kept")
    assert listed(host.get("/sessions").text) == [taken.id]
    assert [row["player"] for row in csv_rows(host)] == ["Pink", "Blue"]


def csv_rows(host: FlaskClient) -> list[dict[str, str]]:
    return [*csv.DictReader(StringIO(host.get("/sessions.csv").text.removeprefix("\ufeff")))]


def test_all_results_go_out_however_many_there_are(host: FlaskClient, home: House) -> None:
    for _evening in range(AT_ONCE + 2):
        begin(home.sessions, options="score_only")
    over = to_the_end(home.sessions, begin(home.sessions))
    host.get("/sessions")

    rows, plays = csv_rows(host), json.loads(host.get("/sessions.json").text)

    assert [(row["session"], row["player"], row["points"]) for row in rows] == [
        (over.id, player.name, str(points))
        for player, points in zip(over.setup.players, over.tally.totals, strict=True)
    ]
    assert [one["sourcePlayId"] for one in plays] == [over.id]


def test_a_long_log_is_added_up_with_progress_on_the_page(host: FlaskClient, home: House) -> None:
    for _evening in range(2 * AT_ONCE + 3):
        begin(home.sessions)

    told = [re.findall(r"(\d+) sessions? (?:is|are) still", host.get("/people").text) for _look in range(4)]

    assert told == [[str(AT_ONCE + 3)], ["3"], [], []]


def test_a_session_comes_in_from_a_file(host: FlaskClient, home: House) -> None:
    game = play(home.sessions, begin(home.sessions), *MOVES)
    text = home.sessions.export(game.id).replace(game.id, "elsewhere")

    taken = host.post("/sessions", data={"file": (BytesIO(text.encode()), "friday.jsonl")})

    assert (taken.status_code, taken.location) == (303, "/s/elsewhere")
    assert home.sessions.session("elsewhere").position == game.position


@pytest.mark.parametrize(
    ("sent", "told"),
    (
        (b"", "This file is empty."),
        (b"\xff\xfe", "This is not a session of Table Companion."),
        (b'{"companion": 1}', "This is not a session of Table Companion: its first line"),
        (b"[]\n", "Line 1 is not an entry of a log."),
    ),
)
def test_what_is_no_session_is_told_and_nothing_is_taken_in(
    host: FlaskClient, home: House, sent: bytes, told: str
) -> None:
    answer = host.post("/sessions", data={"file": (BytesIO(sent), "odd.jsonl")})

    assert (answer.status_code, told in unescape(answer.text)) == (400, True)
    assert home.sessions.index.refresh() == 0
    assert [*home.sessions.index.summaries()] == []


def test_no_file_and_too_large_a_file_are_told(host: FlaskClient) -> None:
    assert "Choose a file first" in host.post("/sessions", data={}).text
    large = host.post("/sessions", data=b"x" * (5 << 20), content_type="multipart/form-data; boundary=b")
    assert large.status_code == 413


def test_the_same_people_play_again_with_one_tap(host: FlaskClient, home: House) -> None:
    last = to_the_end(home.sessions, begin(home.sessions, 3, "harmony"))
    home_page = host.get("/").text
    assert f'action="/s/{last.id}/again"' in home_page

    begun = host.post(f"/s/{last.id}/again").location.removeprefix("/s/")

    assert begun != last.id
    assert home.sessions.session(begun).setup == last.setup
    # A finger that trembles plays one game, and what was put away is not gone on with.
    assert host.post(f"/s/{last.id}/again").location == f"/s/{begun}"
    assert f'action="/s/{last.id}/again"' not in host.get("/").text
    file(host, begun, "closed")
    assert host.post(f"/s/{last.id}/again").location not in (f"/s/{begun}", f"/s/{last.id}")


def test_another_table_has_begun_no_game_for_this_one(host: FlaskClient, home: House) -> None:
    last = to_the_end(home.sessions, begin(home.sessions, 3, "harmony"))
    other = begin(home.sessions, 3)

    assert host.post(f"/s/{last.id}/again").location != f"/s/{other.id}"


def test_somebody_called_like_a_colour_is_somebody(host: FlaskClient, home: House) -> None:
    setup = Setup((Player("Rosa", Colour.GREEN), Player("Pink", Colour.PINK)))
    home.sessions.begin(GAMES["kingdomino"], setup, Source.PAGE)

    assert re.findall(r'data-person="(.*?)"', host.get("/new/kingdomino").text) == ["Rosa"]


def test_a_new_game_begins_with_the_people_of_the_last_one(host: FlaskClient, home: House) -> None:
    begin(home.sessions, 3, "harmony", names=("Zoë", "Rui", "Eva"))

    form = host.get("/new/kingdomino").text

    assert re.findall(r'name="name\d" value="(.*?)"', form) == ["Zoë", "Rui", "Eva", ""]
    assert re.findall(r'name="players" id="players-3" value="3" checked', form)
    assert re.search(r'name="option_harmony" checked', form)
    assert re.findall(r'data-person="(.*?)"', host.get("/new/carcassonne").text) == ["Zoë", "Rui", "Eva"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_needs_a_name_before_the_first_point(host: FlaskClient, home: House, language: str) -> None:
    host.set_cookie("language", language)
    form = {"players": "3", "colour0": "pink", "colour1": "blue", "colour2": "green", "name1": "Rui"}

    id = host.post("/new/kingdomino", data=form).location.removeprefix("/s/")

    words = catalogue(language)
    expected = [COLOUR_NAMES[Colour.PINK].say(words), "Rui", COLOUR_NAMES[Colour.GREEN].say(words)]
    assert [player.name for player in home.sessions.session(id).setup.players] == expected
    # Somebody without a name is nobody to remember.
    assert re.findall(r'data-person="(.*?)"', host.get("/new/kingdomino").text) == ["Rui"]


def test_who_begins_is_said_with_one_tap_until_somebody_has_moved(host: FlaskClient, home: House) -> None:
    people = tuple(Player(name, colour) for name, colour in zip("ABC", CARCASSONNE.colours, strict=False))
    session = home.sessions.begin(CARCASSONNE, Setup(people), Source.PAGE)
    assert "Who begins? The youngest decides." in re.sub(r"\s+", " ", host.get(f"/s/{session.id}").text)

    host.post(f"/s/{session.id}/first", data={"first": "2", "seq": "1"})
    host.post(f"/s/{session.id}/first", data={"first": "2", "seq": "2"})

    assert _order(home, session) == ["B", "C", "A"]
    moved = home.sessions.session(session.id)
    drawn = CARCASSONNE.write(CARCASSONNE.draw(moved.position, 1))
    moved = home.sessions.record(session.id, moved.seq, drawn, Source.PAGE)
    late = host.post(f"/s/{session.id}/first", data={"first": "1", "seq": str(moved.seq)})
    assert (late.status_code, "The game has begun already." in late.text) == (400, True)
    assert "Who begins?" not in host.get(f"/s/{session.id}").text
    assert _order(home, session) == ["B", "C", "A"]


def _order(home: House, session: Session) -> list[str]:
    return [player.name for player in home.sessions.session(session.id).setup.players]


def test_people_and_their_numbers_have_pages(host: FlaskClient, home: House) -> None:
    over = to_the_end(home.sessions, begin(home.sessions, names=("Ana <i>", "Zoë")))
    begin(home.sessions)
    file(host, begin(home.sessions).id, "deleted")
    winner = over.setup.players[over.tally.standing.winners[0]]

    everybody, person = host.get("/people").text, host.get("/people/zoë").text

    assert "Ana &lt;i&gt;" in everybody
    assert "1 session is not in these numbers" in everybody
    assert f"<b>{max(over.tally.totals)}</b>" in everybody
    assert f'href="/s/{over.id}"' in person
    assert re.findall(r"<span><b>(\d+ ?%?)</b>", person) == (
        ["1", "1", "100 %"] if winner.name == "Zoë" else ["1", "0", "0 %"]
    )
    assert host.get("/people/nobody").status_code == 404


def test_the_form_of_before_still_begins_a_game(host: FlaskClient, home: House) -> None:
    id = host.post("/new/kingdomino", data=FORM).location.removeprefix("/s/")

    assert [player.name for player in home.sessions.session(id).setup.players] == ["Ana", "Rui"]


def test_the_camera_leaves_a_game_that_is_put_away_and_comes_back_to_it(
    watched: Serving, ana: Visitor, watcher: PretendedWatcher
) -> None:
    id = watcher.watch.session
    other = begin(watched.house.sessions).id

    ana.post(f"/s/{other}/file", {"as": "closed"})
    assert watcher.watch.session == id
    ana.post(f"/s/{id}/file", {"as": "closed"})
    assert watcher.watch.session == ""
    ana.post(f"/s/{id}/file", {"as": "reopened"})
    assert watcher.watch.session == id
