"""What is told of a card at its form: all of it is recorded and read back, or it is refused and stays in the form."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.dominations.page import card_form
from companion.games.dominations.page.card_form import FormView, form_view, shown_answers
from companion.games.dominations.page.elements import Wish, printed_text
from companion.games.dominations.rules.box import LETTERS
from companion.games.dominations.rules.cards import GOAL_LIMIT, TEXT_LIMIT, Card, Mastery, printed_cards
from companion.games.dominations.rules.events import Taught
from companion.games.dominations.text.notation import TITLE_LIMIT
from companion.sessions.live import LiveSessions
from tests.games.dominations.stories import CARDS, DOMINATIONS, play

POSITION = play(2, CARDS)
MASTERY = {"domain": "T", "value": "3"}
MONUMENT = {"shape": "lozenge", "l1d": "T", "l1n": "5", "l1p": "5"}
GOALS = {f"o{n}{field}": told for n in range(1, 6) for field, told in (("k", "influence"), ("n1", "30"))}
WORDS = st.text(st.characters(exclude_categories=("C", "Z")) | st.sampled_from(' "\\;:§'), min_size=1).map(
    str.strip
)


def filled(kind: str, told: Wish, key: str = "new") -> FormView:
    """The form of a card of which that was told."""
    wish = {"do": "card", "kind": kind, "key": key, "filled": "1", "ready": "1", "say": "Minha", **told}
    found = form_view(POSITION, wish)
    assert found
    return found


def refused(found: FormView) -> list[str]:
    assert (found.line, found.told) == ("", ()) or not found.troubles
    return [str(trouble.text) for trouble in found.troubles]


def in_words(found: FormView) -> Wish:
    """The wishes of the form after a tap on “Say it in words”, and what stands there then."""
    (trouble,) = found.troubles
    assert trouble.in_words is not None
    left = {
        **shown_answers(found.sections),
        **trouble.in_words,
        trouble.field: str(trouble.draft)[: trouble.most],
    }
    return {name: value for name, value in left.items() if value is not None}


@pytest.mark.parametrize(
    ("told", "left_out", "line"),
    (
        ("t=era end, n=1, u=points, m=role, d=T", "of the Domain: Trade", "era end"),
        ("t=now, n=2, u=points, m=basic, d=A", "of the Domain: Art", "now"),
        ("t=build, x=T, n=2, u=influence", "about: Trade", "build"),
        ("t=activate, x=A, n=1, u=points", "about: Art", "activate"),
        ("t=city, x=A, n=1, u=points", "about: Art", "city"),
        ("t=nodus, x=T, e=2, n=2, u=T", "for every: 2", "nodus T"),
        ("t=turn start, x=T, e=3, n=1, u=T", "about: Trade, for every: 3", "turn start"),
        ("t=pay city, x=A, n=1, u=points", "of: points", "pay city A"),
        ("t=now, n=2, u=points, q=2", "this many of them at a time: 2", "now"),
        (
            "t=trade, n=1, m=city",
            "When: Trades at a better rate, gives: 1, for each: own City",
            "trade",
        ),
        (
            "t=field, n=2, u=points",
            "When: Fields produce more, gives: 2, of: points",
            "field",
        ),
    ),
)
def test_what_the_small_language_cannot_say_is_refused_and_said_in_words(
    told: str, left_out: str, line: str
) -> None:
    effect = {f"b1{field}": value for field, value in (part.split("=") for part in told.split(", "))}
    found = filled("mastery", {**MASTERY, **effect})

    assert refused(found) == [
        f"The basic side: nothing can count “{left_out}” there."
        " Choose otherwise, or say it in words and do it by hand."
    ]
    assert {**shown_answers(found.sections), **effect} == shown_answers(found.sections)
    words = in_words(found)
    read = filled("mastery", words)
    assert read.line.startswith(f'mastery own_a "Minha" T 3 basic 0 0 "{line}: ')
    assert words["sayb1"] in str(read.told[-1])


@pytest.mark.parametrize(
    ("told", "missing"),
    (
        ({"b1n": "2", "b1u": "points"}, "When"),
        ({"b1t": "now"}, "gives, of"),
        ({"b1t": "produce", "b1n": "1", "b1u": "T"}, "about"),
        ({"b1t": "now", "b1n": "1", "b1u": "points", "b1m": "left"}, "of the Domain"),
        ({"b1t": "trade"}, "gives"),
        ({"b1t": "era end", "b1u": "words"}, "in words"),
    ),
)
def test_what_is_still_to_be_told_is_named(told: Wish, missing: str) -> None:
    found = filled("mastery", {**MASTERY, **told})

    assert refused(found) == [f"The basic side: “{missing}” is still to be told."]


@pytest.mark.parametrize(
    ("told", "left_out"),
    (
        ({"o1k": "cities", "o1n1": "5", "o1w1": "1", "o1d1": "T"}, "in: Trade"),
        ({"o1k": "adjacent", "o1n1": "3", "o1w1": "2"}, "of what: level 2"),
        ({"o1k": "control", "o1n1": "2", "o1w1": "lighthouse"}, "how many: 2"),
        ({"o1k": "nodi", "o1n1": "5", "o1w1": "T", "o1d1": "A"}, "in: Art"),
        ({"o1k": "influence", "o1n1": "30", "o1n2": "5"}, "how many: 5"),
        (
            {"o1k": "control", "o1n1": "", "o1w1": "lighthouse", "o1w2": "hanging_gardens"},
            "It asks for: Monuments controlled, of what: O Farol, of what: Hanging Gardens*",
        ),
        ({"o1k": "cities", "o1n1": "2", "o1w1": "6"}, "how many: 2, of what: value 6"),
    ),
)
def test_what_no_goal_asks_for_is_refused_and_said_in_words(told: Wish, left_out: str) -> None:
    found = filled("objective", {**GOALS, **told})

    assert refused(found) == [
        f"Goal 1: nothing can count “{left_out}” there. Choose otherwise, or say it in words and do it by hand."
    ]
    read = filled("objective", in_words(found))
    assert str(read.told[0]).endswith("by hand")
    assert [str(goal) for goal in read.told[1:]] == ["Influence: 30"] * 4


@pytest.mark.parametrize(
    ("kind", "told", "refusal"),
    (
        (
            "monument",
            {**MONUMENT, "l3d": "C", "l3n": "8"},
            "Level 3 is told, and level 2 says nothing: tell them in their order.",
        ),
        (
            "monument",
            {**MONUMENT, "rp": "5"},
            "The piece: “with points: 5” does not fit what else was chosen.",
        ),
        (
            "monument",
            {**MONUMENT, "r1": "T", "r2": "T", "rp": "5"},
            "The piece: “and of: Trade” does not fit what else was chosen.",
        ),
        ("mastery", {**MASTERY, "say": "x" * 33}, "A card's title has from 1 to 32 readable characters."),
        ("mastery", {**MASTERY, "say": " "}, "A card's title has from 1 to 32 readable characters."),
        (
            "mastery",
            {**MASTERY, "b1t": "now", "b1u": "words", "sayb1": "x\u202ey"},
            "The words of an effect have to be there, and readable.",
        ),
        (
            "objective",
            {**GOALS, "o1k": "text", "o1n1": "", "sayo1": "x" * 81},
            "A goal has from 1 to 80 readable characters.",
        ),
    ),
)
def test_what_cannot_be_recorded_is_refused_in_words(kind: str, told: Wish, refusal: str) -> None:
    found = filled(kind, told)

    assert refused(found) == [refusal]
    assert {**shown_answers(found.sections), **told, "say": ""} == {
        **shown_answers(found.sections),
        "say": "",
    }


def test_what_was_told_second_comes_first_where_nothing_does() -> None:
    told = {"b2t": "now", "b2n": "2", "b2u": "points", "r2": "", "b1e": "1", "b1q": "1"}

    assert filled("mastery", {**MASTERY, **told}).line == (
        'mastery own_a "Minha" T 3 basic 0 0 "now: 2 points"'
    )
    assert filled("monument", {**MONUMENT, "r2": "T", "rp": "5"}).line == (
        'monument own_a "Minha" lozenge reward T 5 level T 5 5 0'
    )


def test_all_that_is_recorded_is_read_back() -> None:
    corners = {"nd": "A", "nn": "6", "ad": "C", "an": "4", "bp": "2", "ai": "3"}
    effect = {"a1t": "era end", "a1n": "1", "a1u": "points", "a1m": "nodus", "a1d": "S", "a1q": "2"}
    mastery = filled("mastery", {"domain": "R", "value": "9", **corners, **effect})
    piece = {"coastal": "1", "beside": "T", "r1": "T", "r2": "S", "rp": "10"}
    monument = filled("monument", {**MONUMENT, **piece, "l2d": "C", "l2n": "8"})

    assert [str(words) for words in mastery.told] == [
        "Religion of value 9",
        "Needs a Mastery of Art of value 6",
        "2 points",
        "Turning it over costs 4 Crafts",
        "Turned over:",
        "3 Influence",
        "At the end of an Era: 1 point for every 2 × Nodus (Science)",
    ]
    assert [str(words) for words in monument.told] == [
        "Shape: a lozenge",
        "With a coast",
        "Lies beside a City of Trade",
        "Rewards Cities of Trade, Science with points: 10",
        "Level 1 costs 5 Trade",
        "5 points",
        "Level 2 costs 8 Crafts",
        "nothing else",
    ]


@settings(max_examples=60)
@given(WORDS, WORDS, WORDS)
def test_words_are_recorded_as_they_were_typed(title: str, effect: str, goal: str) -> None:
    title, effect, goal = title[:TITLE_LIMIT].strip(), effect[:TEXT_LIMIT].strip(), goal[:GOAL_LIMIT].strip()
    if not title or not effect or not goal:
        return
    told = {**MASTERY, "say": title, "b1t": "era end", "b1u": "words", "sayb1": effect}
    card = taught(filled("mastery", {**told, "other": "1"}))
    objective = filled("objective", {**GOALS, "o2k": "text", "o2n1": "", "sayo2": goal})

    assert isinstance(card, Mastery)
    assert (card.title, card.basic.effects[0].text) == (title, effect)
    assert objective.line == DOMINATIONS.write(DOMINATIONS.parse(objective.line))
    assert str(objective.told[1]) == f"“{goal}”, by hand"


def taught(found: FormView) -> object:
    event = DOMINATIONS.parse(found.line)
    assert isinstance(event, Taught)
    assert DOMINATIONS.write(event) == found.line
    return event.card


EFFECT = st.fixed_dictionaries(
    {
        "t": st.sampled_from(
            ("", "now", "build", "nodus", "produce", "pay city", "trade", "limit", "field", "compare")
        ),
        "x": st.sampled_from(("", *LETTERS)),
        "e": st.sampled_from("12"),
        "n": st.sampled_from(("", "1", "10")),
        "u": st.sampled_from(("", "T", "points", "city", "field", "V", "words")),
        "m": st.sampled_from(("", "nodus", "nodus not", "city", "left", "role")),
        "d": st.sampled_from(("", *LETTERS)),
        "q": st.sampled_from("12"),
    }
)


@given(st.lists(EFFECT, min_size=1, max_size=2), st.sampled_from(("", "by hand")))
def test_nothing_that_was_chosen_is_left_out_without_a_word(effects: list[Wish], words: str) -> None:
    told = {f"b{n}{field}": value for n, effect in enumerate(effects, 1) for field, value in effect.items()}
    found = filled("mastery", {**MASTERY, **told, "sayb1": words})

    if found.troubles:
        assert found.line == ""
    else:
        again = form_view(
            play(2, f"{CARDS}\n{found.line}"), {"do": "card", "kind": "mastery", "key": "own_a"}
        )
        assert again is not None
        kept = {
            name: value
            for name, value in shown_answers(again.sections).items()
            if name.removeprefix("say")[:2] in ("b1", "b2")
        }
        assert {name: value for name, value in shown_answers(found.sections).items() if name in kept} == kept


@pytest.mark.parametrize("title", ("Pescaria", "pes caria", "FISHING", " Pesca "))
def test_a_card_of_a_known_title_is_asked_about(title: str) -> None:
    found = filled("mastery", {**MASTERY, "say": title})

    assert (found.twin, found.line, found.troubles) == ("fishing", "", ())
    taken = filled("mastery", {**MASTERY, "say": title}, key="fishing")
    assert (taken.twin, taken.line) == ("", f'mastery fishing "{title.strip()}" T 3 basic 0 0')
    other = filled("mastery", {**MASTERY, "say": title, "other": "1"})
    assert (other.twin, other.line) == ("", f'mastery own_a "{title.strip()}" T 3 basic 0 0')


def test_a_card_that_somebody_waits_for_answers_under_its_own_name() -> None:
    waiting = play(2, "1 adjusts T +3\n1 passes\n1 develops markets nodi T1")
    found = form_view(waiting, {"filled": "1", "ready": "1", "say": "Mercados", **MASTERY})

    assert found
    assert found.line == 'mastery markets "Mercados" T 3 basic 0 0'


def test_a_title_of_another_kind_of_card_is_no_question() -> None:
    assert filled("monument", {**MONUMENT, "say": "Pescaria"}).twin == ""


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
        key for kind, shelf in shelves for key in shelf if card_form.form_loses(kind, shelf[key], monuments)
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
