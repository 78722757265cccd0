"""A correction begins with all that the entry says, and the preview names everybody whom it changes."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.notation import split_reason
from companion.core.session import Session
from companion.games import GAMES
from companion.games.dominations.page.growth import retelling_wishes
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import parse_event
from companion.games.dominations.text.words import describe
from companion.sessions.live import LiveSessions
from tests.games.dominations.crawling import Wishes, offers
from tests.games.dominations.stories import DOMINATIONS, evening, play

PEOPLE = tuple(
    Player(name, colour) for name, colour in zip(("Ana", "Bruno", "Caio"), DOMINATIONS.colours, strict=False)
)
TURN = "1 lays T:TTC at 0,0d\n1 ends"
DRAWN = f"{TURN}\n2 lays C:RRR at 1,0u\n2 ends"


def begun(position: Position, line: str) -> Wishes:
    """Where the correction of what that line says begins."""
    return {**dict(retelling_wishes(position, parse_event(line))), "was": line}


def offered(position: Position, wish: Wishes) -> list[str]:
    return [choice.line for choice in offers(page(position, wish)) if choice.main]


@pytest.mark.parametrize(
    ("story", "line"),
    (
        ("", "1 lays T:TV- at 0,0d"),
        (TURN, "2 lays C:RRR at 1,0u"),
        (TURN, "2 produces S2 P2, 1 R1"),
        (TURN, "2 reactivates S3, 3 R1"),
        (TURN, "tile C:RRR at 1,0u"),
        (DRAWN, "3 reactivates 1,0u"),
        ("1 passes\n1 ends\n2 passes", "3 lays T:TTC at 0,0d"),
        ("1 passes\n1 ends\n2 passes", "3 produces S2 P2, 1 R1"),
        ("1 holds worker\n1 produces T1", "1 produces C2"),
        ("1 holds worker\n1 produces T1", "1 lays T:TTC at 0,0d"),
        (TURN, '3 lays C:RRR at 1,0d because "so it lies"'),
        (TURN, '3 produces - because "nothing was there"'),
    ),
)
def test_a_territory_is_told_again_from_what_was_said(story: str, line: str) -> None:
    position = play(3, story)
    wish = begun(position, line)

    view = page(position, wish)
    assert offered(position, wish) == [split_reason(line)[0]]
    assert view["tier"] == ("ledger" if re.search(r"produces|reactivates S", line) else "map")
    assert bool(view["ghosts"]) == (" lays " in line or "tile" in line)


def test_one_number_is_put_right_and_the_others_stay() -> None:
    position = play(3, TURN)
    wish = begun(position, "2 produces S2 P2, 3 R1")

    more = next(choice for choice in offers(page(position, wish)) if choice.to.get("g2") == "S3P2")

    told = {name: text for name, text in more.to.items() if text}
    assert offered(position, {**told, "was": wish["was"]}) == ["2 produces S3 P2, 3 R1"]


def test_colours_come_along_to_another_place_and_places_stay_when_a_colour_is_told_again() -> None:
    position = play(3, DRAWN)
    wish = begun(position, "3 lays T:TTC at 0,-2d")
    view = page(position, wish)

    moved = next(target.to for target in view["targets"] if target.place == "-2,0d")
    colour = next(choice.to for choice in offers(view) if choice.to and choice.domain == "C")
    recoloured = next(
        choice.to
        for choice in offers(page(position, {name: text for name, text in colour.items() if text}))
        if choice.domain == "S"
    )

    lines = [
        offered(position, {name: text for name, text in to.items() if text}) for to in (moved, recoloured)
    ]
    assert lines == [["3 lays T:TTC at -2,0d"], ["3 lays T:TTS at 0,-2d"]]


@pytest.mark.parametrize("line", ("1 passes", "1 trades T4 for A2", "1 ends", "1 adjusts T +1"))
def test_what_is_a_tap_or_two_begins_afresh(line: str) -> None:
    assert retelling_wishes(play(3), parse_event(line)) == ()


def test_the_sentence_names_everybody_who_gained() -> None:
    session = evening(3, TURN)

    def told(line: str) -> str:
        return str(DOMINATIONS.describe(parse_event(line), session.position, PEOPLE))

    assert told("2 produces S2 P2, 3 R1") == (
        "lays a territory: 2 Science, 2 Politics; Exchange: Caio 1 Religion"
    )
    assert told("2 reactivates S2, 1 T1, 3 R1 A2") == (
        "reactivates a territory: 2 Science; Exchange: Ana 1 Trade, Caio 2 Art, 1 Religion"
    )
    assert str(describe(parse_event("1 produces T1, 2 R1"))) == (
        "lays a territory: 1 Trade; Exchange: player 2 1 Religion"
    )


@pytest.fixture
def session(table: LiveSessions) -> Session:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    for line in (*TURN.splitlines(), "2 adjusts S +2", "2 produces S2 P2, 3 R1"):
        table.record(id, table.session(id).seq, line, Source.PAGE)
    return table.session(id)


def test_the_page_leads_to_what_the_entry_says_and_back_to_telling_afresh(
    player: FlaskClient, session: Session
) -> None:
    address = f"/s/{session.id}/correct/{session.seq}"
    answer = player.get(f"{address}?change=2:1+lays+T:TTS+at+0,0d")
    form = player.get(answer.location)

    assert answer.status_code == 303
    assert answer.location.startswith(f"{address}?tier=ledger&g2=S2P2&g3=R1&told=1&change=2:1+lays")
    assert 'value="2 produces S2 P2, 3 R1"' in form.text
    assert player.get(f"{address}?told=1").status_code == 200
    assert player.get(f"/s/{session.id}/correct/3").status_code == 200


def test_the_preview_says_who_gains_otherwise_and_what_is_lost_at_a_limit(
    player: FlaskClient, session: Session
) -> None:
    text = player.get(
        f"/s/{session.id}/correct", query_string={"entry": session.seq, "event": "2 produces S4 P2, 3 R2"}
    ).text
    text = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", text)))

    for words in (
        "Bruno lays a territory: 2 Science, 2 Politics; Exchange: Caio 1 Religion",
        "Bruno lays a territory: 4 Science, 2 Politics; Exchange: Caio 2 Religion",
        "Science 4/5 5/5",
        "Science, lost at the limit 0 1",
    ):
        assert words in text, text


def test_a_reason_is_kept_where_the_rules_were_broken(
    player: FlaskClient, table: LiveSessions, session: Session
) -> None:
    table.record(session.id, session.seq, "1 produces T1", Source.PAGE, "it was late")
    page_of = player.get(f"/s/{session.id}/correct/{session.seq + 1}", follow_redirects=True).text

    assert 'name="because" maxlength="200" required autocomplete="off" value="it was late"' in page_of
    assert 'value="1 produces T1"' in page_of
