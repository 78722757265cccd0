"""The plain page over real HTTP: buttons record what they say, a line of notation does the rest."""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.sessions.live import LiveSessions
from tests.games.dominations.crawling import refused
from tests.games.dominations.stories import (
    AGRICULTURE,
    CARDS,
    DOMINATIONS,
    FISHING,
    LIVESTOCK,
    era_over,
    play,
    rich,
)
from tests.games.stories import lines_of

PEOPLE = tuple(
    Player(name, colour) for name, colour in zip(("Ana", "Rui", "Eva"), DOMINATIONS.colours, strict=False)
)


ON = r"^\d (passes|ends|assimilates nothing)$|^era |^order "
"""What moves a game on when nobody builds anything."""


def buttons(client: FlaskClient, address: str) -> list[str]:
    answer = client.get(address)
    assert answer.status_code == 200
    return [unescape(event) for event in re.findall(r'name="event" value="([^"]+)"', answer.text)]


def record(client: FlaskClient, address: str, seq: int, line: str) -> int:
    answer = client.post(f"{address}/record", data={"seq": seq, "event": line})
    return answer.status_code


def test_a_game_is_played_through_the_page(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    address = f"/s/{id}"
    for line in ("1 lays T:TTT at 0,0d", "2 lays C:RRR at 1,0u", "2 adjusts C +2"):
        assert record(player, address, table.session(id).seq, line) == 303
    assert "2 ends" in buttons(player, address)
    for _tap in range(40):
        offered = [line for line in buttons(player, address) if re.search(ON, line)]
        assert record(player, address, table.session(id).seq, offered[0]) == 303
        if table.session(id).position.era == 2:
            break

    assert table.session(id).position.era == 2
    assert player.get(f"{address}/log").status_code == 200
    assert player.get(f"{address}/result.svg").status_code == 200
    assert player.get(f"{address}/correct/2", follow_redirects=True).status_code == 200


def test_a_question_is_answered_with_a_tap(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2]), Source.PAGE).id
    record(player, f"/s/{id}", 1, "1 passes")

    assert buttons(player, f"/s/{id}")[:2] == ["rule no_tile pass", "rule no_tile lay"]
    assert record(player, f"/s/{id}", 2, "rule no_tile pass") == 303
    assert table.session(id).position.stage == "construction"


def test_a_wrong_line_is_refused_in_words(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2]), Source.PAGE).id

    answer = player.post(f"/s/{id}/record", data={"seq": 1, "event": "1 dances"})

    assert answer.status_code == 400
    assert "is not a move of Dominations" in unescape(answer.text)


def test_a_correction_is_shown_as_a_difference(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2]), Source.PAGE).id
    record(player, f"/s/{id}", 1, "1 produces T3")
    answer = player.get(f"/s/{id}/correct", query_string={"entry": 2, "event": "1 produces T5"})

    assert answer.status_code == 200
    assert re.findall(r"<b>(\d/\d)</b>", answer.text) == ["3/5", "5/5"]


@pytest.mark.parametrize(
    "story",
    (
        "",
        "tile A:SVS at 4,0u\n1 lays T:VRR at 4,0d",
        f'mastery fair "Feira" T 3 basic 0 0 "now: 2 V per limit T"\n{rich(1, "T9")}\n1 passes\n1 develops fair',
        f"{era_over()}",
        f"{era_over()}\nera effects\n1 assimilates nothing\n1 adjusts P +1\nera roles",
    ),
)
def test_every_button_can_be_recorded(story: str) -> None:
    position = play(2, story)

    assert refused(position) == []


def test_the_governor_orders_everybody_by_tapping_them(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    lines = [f"{n % 3 + 1} {'passes' if n else 'produces P2'}" for n in range(15)]
    for line in (*lines, "3 ends", "era effects", "1 assimilates nothing", "era roles"):
        assert record(player, f"/s/{id}", table.session(id).seq, line) == 303, line

    assert "order 2 1 3" in buttons(player, f"/s/{id}?order=2")
    assert record(player, f"/s/{id}", table.session(id).seq, "order 2 1 3") == 303
    assert "era next" in buttons(player, f"/s/{id}")


def test_a_card_is_read_out_by_choosing_and_nobody_writes_its_line(
    table: LiveSessions, player: FlaskClient
) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE), Source.PAGE).id
    form = "do=card&kind=mastery&key=new&filled=1&ready=1&domain=A&value=6&bp=2&b1t=turn+start&b1n=1&b1u=A"
    words = {"say": 'São "João" \\o/', "sayb2": 'move your "marker"', "b2t": "era end", "b2u": "words"}
    address = f"/s/{id}?{form}&{urlencode(words)}"
    assert "At the start of the turn: 1 Art" in player.get(address).text
    (line,) = buttons(player, address)
    assert record(player, f"/s/{id}", 1, line) == 303

    card = table.session(id).position.cards.masteries["own_a"]
    assert (card.title, card.value, card.basic.points) == ('São "João" \\o/', 6, 2)
    assert [effect.text or str(effect) for effect in card.basic.effects] == [
        "turn start: 1 A",
        'move your "marker"',
    ]


def test_a_card_that_cannot_be_says_why(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE), Source.PAGE).id
    page = player.get(f"/s/{id}?do=card&kind=mastery&key=new&filled=1&ready=1&b1t=turn+start&say=Hoje").text

    assert "The basic side: “gives, of” is still to be told." in page
    assert 'name="say" value="Hoje"' in page


def test_a_card_that_is_refused_stays_in_its_form(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    turned = (
        FISHING,
        "1 adjusts C +5",
        "1 passes",
        "1 develops fishing nodi C1",
        "1 ends",
        "2 passes",
        "2 ends",
    )
    for line in (*turned, "3 passes", "3 ends", "1 passes", "1 advances fishing"):
        assert record(player, f"/s/{id}", table.session(id).seq, line) == 303, line
    form = {"do": "card", "kind": "mastery", "key": "fishing", "filled": "1", "ready": "1", "domain": "C"}
    told = {
        **form,
        "value": "3",
        "say": "Pescaria à linha",
        "b1t": "era end",
        "b1u": "words",
        "sayb1": "põe “um”",
    }
    asked = player.get(f"/s/{id}?{urlencode(told)}").text
    (action,) = re.findall(r'<form method="post" action="([^"]*)" class="card-form">', asked)
    event = {"seq": table.session(id).seq, "event": buttons(player, f"/s/{id}?{urlencode(told)}")[0]}
    answer = player.post(unescape(action), data=event)

    assert (answer.status_code, "This Mastery is turned over in a Tree" in answer.text) == (422, True)
    assert 'name="say" value="Pescaria à linha"' in answer.text
    assert 'name="sayb1" value="põe “um”"' in answer.text
    way_back = re.search(r'href="(\?[^"]*)" aria-label="Back"', answer.text)
    assert way_back
    assert "say" not in way_back[1]


def test_a_line_that_is_refused_stays_where_it_was_written(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE), Source.PAGE).id
    line = 'monument twice "Duas vezes" lozenge reward TT 5 level T 3 1 0'
    assert record(player, f"/s/{id}", table.session(id).seq, line) == 303
    address = f"/s/{id}/record?do=card&kind=monument&key=twice"
    answer = player.post(address, data={"seq": table.session(id).seq, "event": f"{line} level"})

    assert answer.status_code == 400
    assert f'value="{escape(f"{line} level")}"' in answer.text.replace("&#34;", "&quot;")


def test_a_card_of_a_known_title_is_asked_about_before_it_is_new(
    table: LiveSessions, player: FlaskClient
) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE), Source.PAGE).id
    told = "do=card&kind=mastery&key=new&filled=1&ready=1&domain=C&value=3&say=PESCARIA"
    page = player.get(f"/s/{id}?{told}").text
    assert "The table knows a card called “PESCARIA”. Is it that card?" in page
    assert buttons(player, f"/s/{id}?{told}") == []
    leads = [unescape(to) for to in re.findall(r'href="(\?do=card[^"]*(?:key=fishing|other=1)[^"]*)"', page)]
    assert [buttons(player, f"/s/{id}{to}") for to in leads] == [
        ['mastery fishing "PESCARIA" C 3 basic 0 0'],
        ['mastery own_a "PESCARIA" C 3 basic 0 0'],
    ]


def test_a_card_that_the_form_cannot_tell_is_put_right_in_its_line(
    table: LiveSessions, player: FlaskClient
) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE), Source.PAGE).id
    line = 'monument twice "Duas vezes" lozenge reward TT 5 level T 3 1 0'
    assert record(player, f"/s/{id}", table.session(id).seq, line) == 303
    page = player.get(f"/s/{id}?do=card&kind=monument&key=twice").text
    assert buttons(player, f"/s/{id}?do=card&kind=monument&key=twice") == [line]
    assert "Read it to the table" not in page

    assert record(player, f"/s/{id}", table.session(id).seq, line.replace("TT", "TS")) == 303
    assert table.session(id).position.monument("twice").reward == "TS"


def test_open_questions_are_folded_away_until_one_is_settled(player: FlaskClient) -> None:
    fresh = player.get("/new/dominations").text
    settled = player.get("/new/dominations?option_overflow_per_occasion=on").text

    assert [page.count("<details><summary>Settle now") for page in (fresh, settled)] == [1, 0]
    assert settled.count("<details open><summary>Settle now") == 1
    assert re.findall(r'name="(option_\w+)" checked', settled) == ["option_overflow_per_occasion"]


def test_what_is_told_against_the_rules_needs_a_reason_and_is_named(
    table: LiveSessions, player: FlaskClient
) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2], frozenset({"unasked"})), Source.PAGE).id
    record(player, f"/s/{id}", 1, "1 lays T:TTT at 0,0d")
    page = player.get(f"/s/{id}?against=2&at=0,0d").text
    assert 'form="against" name="event" value="2 builds at 0,0d"' in page
    told = {"seq": "2", "event": "2 builds at 0,0d", "overrule": "1"}

    silent = player.post(f"/s/{id}/record", data={**told, "because": " "})
    assert (silent.status_code, "Say why" in silent.text) == (400, True)
    assert player.post(f"/s/{id}/record", data={**told, "because": "a gift"}).status_code == 303
    assert "against the rules: a gift" in player.get(f"/s/{id}").text


def test_the_loss_stands_before_its_reason(table: LiveSessions, player: FlaskClient) -> None:
    """Where there is room for the beginning only, the reason for +0 is what is read."""
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2], frozenset({"unasked"})), Source.PAGE).id
    for line in (f"cradle {'-' * 12}", "1 adjusts T +5", "1 lays T:TTT at 0,0d"):
        assert record(player, f"/s/{id}", table.session(id).seq, line) == 303

    first = re.findall(r'<span class="why">(.*?)</span>', player.get(f"/s/{id}").text)[0]

    assert re.sub("<.*?>", "", first) == "3 lost · Territory 1 (Trade): Field 1 + resources 2"


def test_everybodys_goals_stand_under_objectives(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2], frozenset({"unasked"})), Source.PAGE).id
    kept = ("1 keeps roman and lighthouse", "2 keeps egyptian and gardens", "2 adjusts influence +1")
    for line in (*CARDS.splitlines(), *kept):
        assert record(player, f"/s/{id}", table.session(id).seq, line) == 303

    shown = player.get(f"/s/{id}?do=keep").text.partition('<div class="kept">')[2].partition("</div>")[0]
    goals = [" ".join(re.sub("<.*?>", "", goal).split()) for goal in re.findall("<span.*?</span>", shown)]

    assert [goals[0], goals[5], len(goals)] == ["Influence: 45 0/45", "Influence: 2 1/2", 10]
    assert re.findall("look=.", shown) == ["look=1", "look=2"]


def test_in_the_result_equal_reasons_are_one_line(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2], frozenset({"unasked"})), Source.PAGE).id
    for line in ("1 adjusts points +1", "1 adjusts points +1", "1 adjusts points +1", "1 adjusts points +4"):
        assert record(player, f"/s/{id}", table.session(id).seq, line) == 303

    extras = re.findall(r'<small class="extra">(.*?)</small>', player.get(f"/s/{id}/result").text)

    assert [re.sub("<.*?>", "", line) for line in extras] == [
        "+3 Set right by hand, in Era 1 (3 × 1)",
        "+4 Set right by hand, in Era 1",
    ]


def test_a_tree_of_six_columns_fits_beside_the_map(table: LiveSessions, player: FlaskClient) -> None:
    id = table.begin(GAMES["dominations"], Setup(PEOPLE[:2], frozenset({"unasked"})), Source.PAGE).id
    silos = 'mastery silos "Silos" C 3 basic 0 0'
    story = f"{FISHING}\n{AGRICULTURE}\n{LIVESTOCK}\n{silos}\n{rich(1, 'C20')}"
    for place, key in enumerate(("fishing", "agriculture", "livestock"), 1):
        story += f"\n1 passes\n1 develops {key} in {place},0 CCCC\n1 ends\n2 passes\n2 ends"
    for line in lines_of(f"{story}\n1 passes"):
        assert record(player, f"/s/{id}", table.session(id).seq, line) == 303, line

    tree = re.search(
        r'class="tree" viewBox="\S+ \S+ (\d+) \d+" width="(\d+)"',
        player.get(f"/s/{id}?do=mastery&key=silos").text,
    )

    assert tree
    assert tree.groups() == ("600", "300")
