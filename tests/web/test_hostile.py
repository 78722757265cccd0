"""Whatever hostile or broken programs send: an answer each time, and never an entry that nobody confirmed."""

from __future__ import annotations

from urllib.parse import urlencode

from flask.testing import FlaskClient
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.web import House
from tests.web.serving import FORM, MOVES, begin, play

# What hostile or broken programs send: any text at all, and text that nearly is something.
ANYTHING = st.text(max_size=60)
NEARLY = st.sampled_from(
    [
        *'1 11 ² ٣ -1 1.0 nothing %s %(x)s {0} " 0,0 -99,99 99,-99 1,² because'.split(),
        *("", "\0", "\ud7ff", "a b", "9" * 400, "withdraw 11", "correct 1: nothing"),
        *("2 lays 39 at 0,2 N", "line 1 2 3 4"),
    ]
)
VALUE = st.one_of(NEARLY, ANYTHING)
FIELDS = (
    "seq",
    "event",
    "with",
    "because",
    "overrule",
    "change",
    "entry",
    "pin",
    "back",
    "language",
    "theme",
)
SEATS = tuple(f"{part}{seat}" for part in ("name", "colour") for seat in range(5))
STRANGE = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@STRANGE
@given(
    what=st.sampled_from(("record", "undo", "redo", "draw", "correct", "take-over")),
    form=st.dictionaries(st.sampled_from(FIELDS[1:]), st.lists(VALUE, max_size=3), max_size=5),
    seq=st.sampled_from(("", "-1", "10", "12", "²", "x", "0")),
)
@example(what="record", form={"event": ["2 lays 39 at 0,2 N"]}, seq="10")
def test_nothing_is_recorded_that_nobody_confirmed(
    house: House, player: FlaskClient, what: str, form: dict[str, list[str]], seq: str
) -> None:
    """The number is never the one that the page shows now, so nothing of this was confirmed by looking at it."""
    game = next((s for s in house.sessions._live.values() if s.seq == 11), None)
    game = game or play(house.sessions, begin(house.sessions), *MOVES)

    answer = player.post(f"/s/{game.id}/{what}", data={**form, "seq": seq})

    assert answer.status_code in (303, 400, 404, 409, 413, 415, 422)
    assert "Traceback" not in answer.text
    assert house.sessions.session(game.id) is game


@STRANGE
@given(form=st.dictionaries(st.sampled_from(FIELDS), st.lists(VALUE, max_size=3), max_size=5))
def test_whatever_is_recorded_can_be_read_back(
    house: House, player: FlaskClient, form: dict[str, list[str]]
) -> None:
    game = play(house.sessions, begin(house.sessions), *MOVES)

    answer = player.post(f"/s/{game.id}/record", data={**form, "seq": "11"})

    assert answer.status_code in (303, 400, 413, 422)
    grown = house.sessions.session(game.id)
    assert grown.seq == (12 if answer.status_code == 303 else 11)
    house.sessions._live.clear()
    assert house.sessions.session(game.id).entries == grown.entries
    assert house.sessions.session(game.id).problems == grown.problems


@STRANGE
@given(form=st.dictionaries(st.sampled_from(SEATS), VALUE, max_size=8))
def test_any_form_of_a_new_game_is_answered(house: House, player: FlaskClient, form: dict[str, str]) -> None:
    answer = player.post("/new/kingdomino", data={**FORM, **form})

    assert answer.status_code in (303, 422)
    if answer.status_code == 303:
        begun = house.sessions.session(answer.location.rpartition("/")[2])
        house.sessions._live.clear()
        assert house.sessions.session(begun.id).entries == begun.entries


@STRANGE
@given(
    query=st.dictionaries(st.sampled_from(("look", "at", "turn", "hint", "all", "who", "why", "x")), VALUE)
)
@example(query={"look": "²"})
@example(query={"at": "0,0", "turn": "²", "all": ""})
@example(query={"why": "²" + ".1"})
def test_any_address_of_a_session_is_answered(
    house: House, player: FlaskClient, query: dict[str, str]
) -> None:
    game = next((s for s in house.sessions._live.values() if s.seq == 8), None)
    game = game or play(house.sessions, begin(house.sessions), *MOVES[:7])
    asked = urlencode(query)

    for path in (f"/s/{game.id}", f"/s/{game.id}/correct/8", f"/s/{game.id}/log", f"/s/{game.id}/result"):
        assert player.get(f"{path}?{asked}").status_code == 200, (path, query)


@STRANGE
@given(query=st.dictionaries(st.sampled_from((*FIELDS, *SEATS)), VALUE, max_size=4))
def test_any_preview_of_a_correction_is_answered(
    house: House, player: FlaskClient, query: dict[str, str]
) -> None:
    game = next((s for s in house.sessions._live.values() if s.seq == 11), None)
    game = game or play(house.sessions, begin(house.sessions), *MOVES)

    answer = player.get(f"/s/{game.id}/correct?{urlencode(query)}")

    assert answer.status_code in (200, 400, 404, 422)
    assert house.sessions.session(game.id) is game


@STRANGE
@given(pin=VALUE, back=VALUE, language=VALUE, theme=VALUE)
def test_any_pin_language_and_theme_is_answered(
    house: House, player: FlaskClient, pin: str, back: str, language: str, theme: str
) -> None:
    form = {"pin": pin, "back": back, "language": language, "theme": theme}

    assert player.post("/unlock", data=form).status_code in (303, 403, 429)
    for path in ("/language", "/theme"):
        answer = player.post(path, data=form)
        assert answer.status_code == 303
        assert answer.location.startswith("/")
        assert not answer.location.startswith("//")
    house.doorkeeper._by_address.clear()
    house.doorkeeper._recent.clear()
