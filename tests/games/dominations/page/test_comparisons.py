"""Every comparison and every tie is on the page before the Roles are taken, while something is asked, and after."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.dominations.page.closing_eras import ComparisonView
from companion.games.dominations.page.page import page
from companion.games.dominations.rules.position import Position
from companion.sessions.table import LiveSessions
from tests.games.dominations.rules.test_rulings import BEACON, THIRD
from tests.games.dominations.stories import DOMINATIONS, passing, play
from tests.games.stories import lines_of

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
