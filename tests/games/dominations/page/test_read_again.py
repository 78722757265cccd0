"""A card that is known is read again through the form, and nothing of it is lost on the way."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.dominations.page import told_cards
from companion.games.dominations.page.card_fields import shown_answers
from companion.games.dominations.page.choices import Wish, printed_text
from companion.games.dominations.page.reading_out import FormView, form_view
from companion.games.dominations.rules.cards import Card, printed_cards
from companion.sessions.table import LiveSessions
from tests.games.dominations.stories import CARDS, DOMINATIONS, play

PEOPLE = tuple(
    Player(name, colour) for name, colour in zip(("Ana", "Rui"), DOMINATIONS.colours, strict=False)
)

LINES = (
    'mastery per "Por" T 3 basic 0 0 "now: 1 points per 2 nodus" "turn start: 1 T per 12 city level"',
    'mastery dear "Caro" T 9 needs T 6 advance C 12 basic 45 33 "pay city A: 2" "trade T: 1" "limit A: 15"',
    'mastery three "Trio" T 3 advance T 3 basic 0 0 "now: 1 T" "now: 1 C" "now: 1 A"'
    ' advanced 0 0 "produce 2 A: 1 V" "field: 1 field" "compare: 2 V"',
    'mastery idle "Vazia" T 3 basic 0 0 advanced 0 0',
    'mastery untold "Por dizer" T 3 advance T 3 basic 0 0 "now: 1 points per nodus not A"',
    'mastery unknown "?" ? 0 needs ? 3 advance T ? basic 0 0 "now: 6 ?" "trade ?: 1" "now: ? T per ?"',
    'mastery worded "Dita" T 3 basic 0 0 "turn start: \\"swap two\\"" advanced 1 0 "produce 2 C: \\"and move\\""',
    'monument wide "Largo" lozenge coastal beside ? reward TCAS 75 level ? ? 0 0 level T 5 31 0 "now: 1 T" "now: 2 C"',
    f'monument tall "Alto" circle{"".join(f" level T {cost} 1 0" for cost in range(1, 9))}',
    'objective much "Muito" "cities 1:1 2:2 3:3" "nodi T1 C1 A1 S1 P99" "masteries 3:1 ACT 6:1 T 9:2 TCASPR"'
    ' "control lighthouse" "influence 45"',
    'objective words "Palavras" "nodi ?7 ?5" "be kind" "apart 33" "adjacent 2" "masteries 6:1 TCASPR"',
    'monument twice "Duas vezes" lozenge reward TT 5 level T 3 1 0',
    'objective none "Nada" "cities 1:0" "control 1" "control 1" "control 1" "influence 1"',
)


def again(line: str, **answers: str) -> tuple[FormView, Wish]:
    """The form of a card that was read out, and what its choices say when nobody touches them."""
    kind, key = line.split()[:2]
    wish = {"do": "card", "kind": kind, "key": key, **answers}
    found = form_view(play(2, f"{CARDS}\n{line}"), wish)
    assert found
    told = {"say": line.split('"')[1], **shown_answers(found.sections)}
    return found, {**wish, **told, "filled": "1", "ready": "1"}


@pytest.mark.parametrize("line", LINES)
def test_a_card_that_is_read_again_untouched_says_what_it_said(line: str) -> None:
    found, told = again(line)
    read, _told = again(line, **told) if found.sections else (found, told)

    assert read.line == line


def changes(html: str) -> list[str]:
    return [unescape(value) for value in re.findall(r'name="change" value="([^"]*)"', html)]


@pytest.mark.parametrize("read_again", (False, True))
def test_a_card_in_play_may_have_been_misread(
    table: LiveSessions, player: FlaskClient, read_again: bool
) -> None:
    """Then it is its first reading that is put right, and what it gave since is counted again."""
    id = table.begin(GAMES["dominations"], Setup(PEOPLE, frozenset({"unasked"})), Source.PAGE).id
    bards, really = (f'mastery bards "Bardos" A 3 basic {points} 1' for points in (0, 5))
    for line in (bards, "1 adjusts A +3", "1 passes"):
        table.record(id, table.session(id).seq, line, Source.PAGE)
    address = f"/s/{id}?{urlencode({**again(bards)[1], 'key': 'bards', 'bp': '5'})}"
    before = player.get(address).text
    for line in ("1 develops bards", really)[: 1 + read_again]:
        table.record(id, table.session(id).seq, line, Source.PAGE)
    form = player.get(address).text.partition(f'action="/s/{id}/correct"')[2].partition("</form>")[0]
    difference = player.get(f"/s/{id}/correct", query_string={"change": changes(form)}).text
    player.post(f"/s/{id}/correct", data={"seq": table.session(id).seq, "change": changes(difference)})

    assert f'action="/s/{id}/correct"' not in before
    assert changes(form) == [f"{seq}:{really}" for seq in (2, 6)[: 1 + read_again]]
    assert table.session(id).position.points[0] == 5


def test_what_the_form_cannot_tell_is_put_right_in_the_cards_line() -> None:
    line = 'monument twice "Duas vezes" lozenge reward TT 5 level T 3 1 0'
    found, _told = again(line)

    assert (found.sections, found.line) == ((), line)
    assert [str(trouble.text) for trouble in found.troubles] == [
        "The form cannot tell all that this card says: put its line right instead."
    ]


def test_of_every_card_of_the_box_the_form_tells_all_that_is_known() -> None:
    cards = printed_cards()
    monuments = tuple((key, printed_text(key)) for key in cards.monuments)
    shelves: tuple[tuple[str, dict[str, Card]], ...] = (
        ("mastery", {**cards.masteries}),
        ("monument", {**cards.monuments}),
        ("objective", {**cards.objectives}),
    )

    lost = [
        key for kind, shelf in shelves for key in shelf if told_cards.form_loses(kind, shelf[key], monuments)
    ]
    assert lost == []


def test_a_goal_names_a_monument_by_touch_and_words_are_written() -> None:
    line = 'objective own "Nossa" "control 1" "control 1" "control 1" "influence 1" "apart 2"'
    _found, told = again(line)

    by_touch = {"o2w1": "lighthouse", "o2n1": "", "o3k": "text", "o3n1": "", "sayo3": 'be "kind"'}
    read, _told = again(line, **{**told, **by_touch})

    assert [str(told) for told in read.told[1:3]] == [
        "Monuments controlled: O Farol",
        '“be "kind"”, by hand',
    ]
    assert read.line.endswith(r'"control 1" "control lighthouse" "be \"kind\"" "influence 1" "apart 2"')
