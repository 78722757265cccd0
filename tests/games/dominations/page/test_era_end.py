"""What the end of an Era says before a step is taken is what the step does."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.dominations.page.eras import ComparisonView
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.position import Position
from companion.sessions.live import LiveSessions
from tests.games.dominations.crawling import offers
from tests.games.dominations.rules.test_rulings import BEACON, SANCTUARY, THIRD
from tests.games.dominations.stories import DOMINATIONS, passing, play
from tests.games.stories import lines_of

NO_CARD = "No card does anything at the end of an Era."
SECOND = (
    f"rule no_tile pass\nrule no_governor keep\n{SANCTUARY}\n1 adjusts limit R +5\n1 adjusts R +6\n1 passes\n"
    f"1 develops sanctuary nodi R1\n2 passes\n2 ends\n{passing(8)}\n1 adjusts T +1\n1 adjusts A +1\nera effects\n"
    f"1 assimilates nothing\nera roles\nera next\n{passing(10)}"
)


def told_before_the_step(position: Position) -> tuple[list[str], list[str], list[int]]:
    """What stands to be tapped, the notes, and what the step brings."""
    view = page(position, {})
    brings = [line.amount for line in view["wizard"].brings if line.amount]
    return [str(c.text) for c in offers(view)], [str(note) for note in view["hand"].notes], brings


@pytest.mark.parametrize(
    ("answer", "expected"),
    (
        ("held", (["Santuário – 6 points for each Role held: 2", "Apply them"], [], [12])),
        ("new", (["Go on"], [NO_CARD], [])),
    ),
)
def test_cards_that_pay_for_roles_are_told_in_the_step_in_which_they_pay(
    answer: str, expected: tuple[list[str], list[str], list[int]]
) -> None:
    assert told_before_the_step(play(2, f"rule roles_counted {answer}\n{SECOND}", options="")) == expected


def test_before_the_ruling_the_step_says_what_it_will_ask_about() -> None:
    story = SECOND.split("era effects", maxsplit=1)[0]

    assert told_before_the_step(play(2, story, options="")) == (
        ["Santuário – 6 points for each Role held: 0", "Apply them"],
        [],
        [],
    )


IN_WORDS = r'mastery beacon "Farol" T 3 basic 0 0 "compare: \"2 a mais em algo\""'
AT_ROLES = (
    f"rule no_tile pass\nrule roles_counted new\nrule no_governor keep\n{IN_WORDS}\n{SANCTUARY}\n"
    "1 adjusts T +3\n1 passes\n1 develops beacon nodi T1\n1 ends\n"
    "2 adjusts limit R +5\n2 adjusts R +6\n2 passes\n2 develops sanctuary nodi R1\n2 ends\n"
    f"{passing(8)}\n1 adjusts A +2\n2 adjusts A +1\nera effects\n1 assimilates nothing"
)


def test_what_a_card_says_in_words_about_roles_is_read_before_they_are_taken() -> None:
    told_before = [str(c.text) for c in offers(page(play(2, AT_ROLES, options=""), {}))]

    assert told_before == [
        "Farol – Added when Roles are determined: “2 a mais em algo”, by hand",
        "Take the Roles",
    ]


def to_set_right(story: str) -> list[tuple[str, str]]:
    """What did not move with a Role: in words, and the line that a tap records."""
    found = offers(page(play(2, story, options=""), {}))
    return [(str(c.text), c.line) for c in found if " adjusts " in c.line]


def test_what_does_not_move_with_a_role_is_set_right_by_a_tap_each() -> None:
    """White was Diplomat; Black, whose card pays for Roles, is found to be."""
    story = f"{AT_ROLES}\nera roles"
    assert to_set_right(story) == []

    story += "\n2 holds diplomat"
    expected = [
        ("Diplomat: points −4", "1 adjusts points -4"),
        ("Diplomat: Influence −2", "1 adjusts influence -2"),
        ("Diplomat: points +10", "2 adjusts points +10"),
        ("Diplomat: Influence +2", "2 adjusts influence +2"),
    ]
    assert to_set_right(story) == expected

    for number, (_words, line) in enumerate(expected, 1):
        story += f"\n{line}"
        assert to_set_right(story) == expected[number:]
    position = play(2, story, options="")
    assert [
        (seat.influence, points) for seat, points in zip(position.seats, position.points, strict=True)
    ] == [
        (0, 0),
        (2, 10),
    ]


def test_a_role_that_is_found_to_be_nobodys_takes_its_numbers_along() -> None:
    story = f"{AT_ROLES}\nera roles\nnobody holds diplomat"

    assert to_set_right(story) == [
        ("Diplomat: points −4", "1 adjusts points -4"),
        ("Diplomat: Influence −2", "1 adjusts influence -2"),
    ]
    assert to_set_right(f"{story}\n1 holds diplomat") == []


def test_a_role_put_right_more_than_once_takes_its_numbers_to_who_has_it() -> None:
    story = f"{AT_ROLES}\nera roles"
    for holder in ("2 holds diplomat", "nobody holds diplomat", "2 holds diplomat", "1 holds diplomat"):
        story += f"\n{holder}"
        for _words, line in to_set_right(story):
            story += f"\n{line}"
    position, never = play(2, story, options=""), play(2, f"{AT_ROLES}\nera roles", options="")

    assert position.points == never.points
    assert [seat.influence for seat in position.seats] == [seat.influence for seat in never.seats]


def test_a_role_put_right_and_back_takes_back_what_was_set_right_already() -> None:
    story = f"{AT_ROLES}\nera roles\n2 holds diplomat\n1 adjusts points -4\n1 holds diplomat"

    assert to_set_right(story) == [("Diplomat: points +4", "1 adjusts points +4")]


def test_what_a_role_put_right_leaves_stays_beside_the_governors_order() -> None:
    story = f"{AT_ROLES}\n1 adjusts P +1\nera roles\n2 holds diplomat"
    lines = [c.line for c in offers(page(play(2, story, options=""), {})) if c.line]

    assert lines[0] == "1 adjusts points -4"
    assert "order 2 1" in lines


TIE = "In a tie, the Initiative decides:"
RULED = "rule no_tile pass\nrule no_governor keep"
LAST = f"{RULED}\n{THIRD}\n1 adjusts P +1\n2 adjusts P +1\nera effects\n1 assimilates nothing"


def with_card(card: str, left: str) -> str:
    """White has the card, and these numbers are left when Roles are determined."""
    developed = f"1 adjusts T +3\n1 passes\n1 develops {card.split()[1]} nodi T1\n1 ends\n2 passes\n2 ends"
    return f"rule no_tile pass\n{card}\n{developed}\n{passing(8)}\n{left}\nera effects\n1 assimilates nothing"


def row(position: Position, role: str) -> ComparisonView:
    rows: tuple[ComparisonView, ...] = page(position, {})["wizard"].comparisons
    return next(row for row in rows if row.role == role)


def test_in_a_game_of_two_the_last_comparison_is_seen_before_the_question_during_it_and_after() -> None:
    story = LAST
    for line in ("", "era roles", "rule governor_of_two three"):
        story += f"\n{line}"
        governor = row(play(2, story, options=""), "governor")

        assert (governor.values, governor.winner, governor.tied) == ((1, 1), 0, (0, 1))
    over = page(play(2, f"{story}\nera objectives", options=""), {"open": "roles"})
    assert [(row.role, row.tied) for row in over["compared"] if row.tied] == [("governor", (0, 1))]


def test_what_a_card_adds_is_told_with_its_name() -> None:
    story = with_card('mastery beacon "Farol" T 3 basic 0 0 "compare: 2 S"', "1 adjusts S +1\n2 adjusts S +2")
    for line in ("", "era roles"):
        inventor = row(play(2, f"{story}\n{line}", options=""), "inventor")

        assert (inventor.values, inventor.left(0), inventor.left(1), inventor.winner) == ((3, 2), 1, 2, 0)
        assert [(one.player, one.amount, str(one.why)) for one in inventor.added] == [(0, 2, "Farol")]


def test_a_comparison_that_waits_for_an_answer_says_so_in_its_row() -> None:
    """Two more Science would make White Inventor; whatever is said, Black is Diplomat and White is Merchant."""
    story = with_card(
        BEACON, "1 adjusts S +1\n2 adjusts S +2\n2 adjusts A +4\n1 adjusts A +1\n1 adjusts T +1"
    )
    for line in ("", "era roles", "rule comparison one"):
        story += f"\n{line}"
        position = play(2, story, options="")

        assert [(r.role, r.winner, [str(one.why) for one in r.open]) for r in position_rows(position)] == [
            ("diplomat", 1, []),
            ("merchant", 0, []),
            ("inventor", None, ["Farol"]),
        ]
    done = play(2, f"{story}\n1 chooses S", options="")
    assert [(r.role, r.winner, r.values) for r in position_rows(done)] == [
        ("diplomat", 1, (1, 4)),
        ("merchant", 0, (1, 0)),
        ("inventor", 0, (3, 2)),
    ]


def position_rows(position: Position) -> list[ComparisonView]:
    """The rows in which somebody has something left."""
    return [row for row in page(position, {})["wizard"].comparisons if row.open or row.winner is not None]


def test_the_answers_given_so_far_are_in_the_comparison() -> None:
    two = BEACON.replace("beacon", "light").replace("Farol", "Luz")
    story = with_card(BEACON, "1 adjusts S +1\n2 adjusts S +2").replace(
        "2 passes\n2 ends", "2 adjusts T +3\n2 passes\n2 develops light nodi T1\n2 ends", 1
    )
    position = play(2, f"{two}\n{story}\nera roles\nrule comparison one\n1 chooses S", options="")
    inventor = row(position, "inventor")

    assert position.held is not None
    assert (inventor.values, inventor.winner, [str(one.why) for one in inventor.open]) == (
        (3, 2),
        None,
        ["Luz"],
    )


def test_the_page_shows_the_tie_at_every_moment(table: LiveSessions, player: FlaskClient) -> None:
    id = told(table, LAST)
    shown = [TIE in said(player, id)]
    for line in ("era roles", "rule governor_of_two three"):
        table.record(id, table.session(id).seq, line, Source.PAGE)
        shown.append(TIE in said(player, id))
    table.record(id, table.session(id).seq, "era objectives", Source.PAGE)

    assert [*shown, TIE in said(player, id, open="roles")] == [True, True, True, True]


def test_the_page_says_what_a_card_adds(table: LiveSessions, player: FlaskClient) -> None:
    id = told(table, with_card(BEACON, "1 adjusts S +1\n2 adjusts S +2"))
    assert "Open: Farol may add 2 here" in said(player, id)

    for line in ("era roles", "rule comparison one", "1 chooses S"):
        table.record(id, table.session(id).seq, line, Source.PAGE)
    assert "Farol +2" in said(player, id)
    assert "1 + 2" in said(player, id)


def told(table: LiveSessions, story: str) -> str:
    """A game of Ana and Rui that has come so far."""
    people = tuple(Player(name, one) for name, one in zip(("Ana", "Rui"), DOMINATIONS.colours, strict=False))
    id = table.begin(GAMES["dominations"], Setup(people, frozenset()), Source.PAGE).id
    for line in lines_of(story):
        table.record(id, table.session(id).seq, line, Source.PAGE)
    return id


def said(player: FlaskClient, id: str, **wish: str) -> str:
    """The words of the page, its tags left out."""
    text = re.sub(r"<[^>]*>", "", unescape(player.get(f"/s/{id}", query_string=wish).text))
    return " ".join(text.split())


def test_the_result_names_nobody_before_all_goals_are_told(table: LiveSessions, player: FlaskClient) -> None:
    people = tuple(
        Player(name, colour) for name, colour in zip(("Ana", "Rui"), DOMINATIONS.colours, strict=False)
    )
    id = table.begin(GAMES["dominations"], Setup(people, frozenset({"unasked"})), Source.PAGE).id
    era = f"{passing(10)}\nera effects\n1 assimilates nothing\nera roles\n"
    for line in lines_of(f"{era}era next\n" * 2 + f"{era}era objectives\n2 reached 1 goals"):
        table.record(id, table.session(id).seq, line, Source.PAGE)

    verdict = unescape(re.sub(r"<.*?>", " ", player.get(f"/s/{id}/result").text))
    assert "Nobody has won yet: something is still to be told." in verdict
    assert "Ana: Objective: nobody has said how many goals are reached, in Era 3." in verdict
    table.record(id, table.session(id).seq, "1 reached 0 goals", Source.PAGE)
    assert "Rui wins with 10 points." in player.get(f"/s/{id}/result").text
