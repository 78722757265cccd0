"""What a correction asks and nobody was asked before: the table's own ruling counts, or nobody's, and once."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.core.errors import IllegalEvent
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.session import Session
from companion.games import GAMES
from companion.games.dominations.text.reasons import reason_now
from companion.sessions.table import LiveSessions
from tests.games.dominations.stories import DOMINATIONS, corrected, evening, has, rich
from tests.games.stories import EVENING, lines_of, tell

FULL = f"{rich(1, 'T19 C19')}\n1 produces T1\n1 ends\n2 produces A1\n2 ends"
AGAIN = "1 produces T3 C3\nrule overflow per_occasion\n1 ends\n2 produces A1"
SEVERAL = "Several Reserves of 20 overflow at once. Is that a point for each of them, or one in all?"
LOCUS = """
    1 lays A:AAA at -1,1u
    1 ends
    2 lays A:AAA at -1,1d
    2 ends
    1 lays P:PPP at -1,2u
    1 ends
    2 lays C:CTV at 0,0d
    2 chooses S
    2 ends
"""
"""The second player's Vestigium; with the third territory in another place the rulebook's silences matter first."""


def asked(story: str) -> Session:
    return evening(2, story, options="")


def lines(session: Session) -> list[str]:
    return [DOMINATIONS.write(step.event) for step in session.fold.steps[1:]]  # type: ignore[arg-type]


def test_the_tables_own_ruling_counts_for_an_earlier_entry_that_needs_it_after_all() -> None:
    session = asked(f"{FULL}\n{AGAIN}")
    assert session.position.points == (1, 0)

    difference = corrected(session, "1 produces T1", "1 produces T3 C3")

    told = asked(f"{FULL}\n{AGAIN}".replace("1 produces T1", "1 produces T3 C3\nrule overflow per_occasion"))
    assert difference.after.position.points == told.position.points == (2, 0)
    assert (difference.kept, difference.left_out, difference.after.problems) == (frozenset(), (), ())
    assert "1 produces T3 C3 choosing overflow=per_occasion" in lines(difference.after)


def test_a_ruling_that_nobody_made_counts_once_and_is_asked_for_when_it_matters_again() -> None:
    difference = corrected(asked(FULL), "1 produces T1", "1 produces T3 C3")

    assert difference.after.position.points == (2, 0)
    assert [str(problem) for problem in difference.after.problems] == [
        f"lays a territory: 3 Trade, 3 Crafts: nobody answered “{SEVERAL}”"
    ]
    session = tell(difference.before.record(difference.final, Source.PAGE, EVENING), ["1 produces T1 C1"])
    assert session.position.held is not None
    session = tell(session, ["rule overflow per_occasion"])
    assert session.position.points == (3, 0)

    # Corrected once more, the first territory takes what the table has ruled since.
    again = corrected(session, "1 produces T3 C3 choosing overflow=", "1 produces T3 C3")
    assert (again.after.position.points, again.after.problems) == ((2, 0), ())


def test_vestigium_stays_chosen_though_rulings_are_asked_for_first() -> None:
    session = asked(LOCUS)
    assert has(session.position, 2)["S"] == 1

    difference = corrected(session, "1 lays P:PPP at -1,2u", "1 lays P:PPP at 0,1u")

    assert (difference.left_out, difference.kept) == ((), frozenset())
    assert has(difference.after.position, 2)["S"] == 1
    assert "2 lays C:CTV at 0,0d choosing cradle= joins= white=" in lines(difference.after)
    assert len(difference.after.problems) == 3


def test_an_answer_may_come_with_the_entry_and_holds_for_the_rest_of_the_game() -> None:
    session = asked(f'{FULL}\n1 produces T3 C3 choosing overflow=per_occasion\n1 ends\n2 ends because "late"')

    assert (session.position.points[0], session.position.rulings["overflow"]) == (1, "per_occasion")


@pytest.mark.parametrize("word", ("overflow=sometimes", "weather=good", "=", "overflow=per_side"))
def test_a_word_that_is_no_ruling_is_refused(word: str) -> None:
    with pytest.raises(IllegalEvent, match="is no ruling of Dominations"):
        asked(f"1 produces T1 choosing {word}")


def test_a_number_says_the_ruling_it_was_counted_by() -> None:
    session = asked(
        f"{rich(1, 'T19 C19')}\n1 produces T3 C3\nrule overflow per_domain\n1 ends\nrule overflow per_occasion"
    )
    (point,) = [line for line in session.position.lines if line.unit == "points"]

    assert str(reason_now(session.position, point)).endswith(
        "(ruling, several full Reserves: For each Reserve)"
    )


def test_the_page_asks_before_the_correction_is_accepted(table: LiveSessions, player: FlaskClient) -> None:
    people = tuple(Player(name, one) for name, one in zip(("Ana", "Rui"), DOMINATIONS.colours, strict=False))
    id = table.begin(GAMES["dominations"], Setup(people, frozenset()), Source.PAGE).id
    for line in lines_of(FULL):
        table.record(id, table.session(id).seq, line, Source.PAGE)

    page = player.get(f"/s/{id}/correct", query_string={"entry": 6, "event": "1 produces T3 C3"}).text
    ways = [unescape(way) for way in re.findall(r'href="(/s/\w+/correct\?[^"]*)">', page)]
    assert SEVERAL in unescape(page)
    assert "lays a territory: 3 Trade, 3 Crafts (several full Reserves: nobody has said)" in unescape(page)
    assert len(ways) == 2
    answered = player.get(ways[1]).text
    assert SEVERAL not in unescape(answered)
    changes = [unescape(value) for value in re.findall(r'name="change" value="([^"]*)"', answered)]
    accepted = player.post(f"/s/{id}/correct", data={"seq": table.session(id).seq, "change": changes})

    assert accepted.status_code == 303
    assert table.session(id).position.points == (1, 0)
    assert table.session(id).problems == ()
