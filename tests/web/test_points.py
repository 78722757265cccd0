"""Points and their reasons: in the tally, on the page of the result and in its picture."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion.core.session import Session
from companion.web import House
from companion.web.session import tally_rows
from tests.web.serving import begin, play, to_the_end

SHOWN = ("1 shows 5 f0f0w1/w1##w0/....l1", "2 shows 5 w1w0##w0w0")


@pytest.fixture(scope="module")
def counted(house: House) -> Session:
    """Two kingdoms with their castles in the middle, the second told last."""
    return play(house.sessions, begin(house.sessions, 2, "score_only middle_kingdom"), *SHOWN)


def test_reasons_that_bring_most_come_first_and_keep_their_number(counted: Session) -> None:
    first = tally_rows(counted)[0]
    told = counted.tally.of(0)

    assert [line.points for _index, line in first.lines] == [10, 2, 1, 1, 0]
    assert [line for index, line in first.lines if told[index] is not line] == []


def test_the_reason_beside_the_points_is_the_one_that_brought_most(counted: Session) -> None:
    best = tally_rows(counted)[1].best

    assert best is not None
    assert (str(best.reason), best.points, best.working) == ("The Middle Kingdom", 10, "")


def test_points_that_several_reasons_brought_are_not_told_by_one_alone(counted: Session) -> None:
    row = tally_rows(counted)[1]

    assert (row.gained, len(row.fresh)) == (12, 2)
    assert str(row.why) == "The Middle Kingdom, and 1 more"


def test_a_reason_leads_to_where_it_is_on_the_table(counted: Session, client: FlaskClient) -> None:
    text = client.get(f"/s/{counted.id}").get_data(as_text=True)

    links = re.findall(r"why=(\d)\.(\d)&amp;look=\d\">\s*<span>([^<]*)</span>", text)
    assert len(links) == len(counted.tally.lines)
    for player, index, reason in links:
        assert str(counted.tally.of(int(player))[int(index)].reason) == reason


@pytest.mark.parametrize("page", ("result", "result.svg"))
def test_a_result_says_who_won_and_what_no_square_explains(
    counted: Session, client: FlaskClient, page: str
) -> None:
    text = client.get(f"/s/{counted.id}/{page}").get_data(as_text=True)
    said = " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", text, flags=re.DOTALL).split())

    winner = counted.tally.standing.winners[0]
    name, points = counted.setup.players[winner].name, counted.tally.totals[winner]
    assert f"{name} wins with {points} points." in said
    assert said.count("+10 The Middle Kingdom") == 2


def test_the_picture_names_the_variants_and_draws_the_tokens(counted: Session, client: FlaskClient) -> None:
    text = client.get(f"/s/{counted.id}/result.svg").get_data(as_text=True)

    assert "The Middle Kingdom · Only count the points" in text
    for player in counted.setup.players:
        assert f'href="#colour-{player.colour.value}"' in text
        assert f'id="colour-{player.colour.value}"' in text


def test_long_names_are_written_smaller_so_that_none_runs_into_another(
    house: House, client: FlaskClient
) -> None:
    names = ("Ana", "Maximiliano", "Tomé da Silva Gonçalves", "Wwwwwwwwwwwwwwwwwwwwwwww")
    session = to_the_end(house.sessions, begin(house.sessions, 4, names=names))
    text = client.get(f"/s/{session.id}/result.svg").get_data(as_text=True)

    sizes = {name: size for size, name in re.findall(r'font-size="(\d+)"[^>]*>\d\. ([^<]+)<', text)}
    assert set(sizes) == set(names)
    assert (sizes["Ana"], sizes["Maximiliano"]) == ("32", "32")
    assert [name for name in names if int(sizes[name]) * 0.62 * (len(name) + 3) > 440] == []
    assert min(map(int, sizes.values())) >= 24


def test_a_result_before_the_end_promises_nothing(house: House, client: FlaskClient) -> None:
    session = begin(house.sessions, 2)
    so_far = "The game goes on: the points so far, before any bonuses."

    assert so_far in client.get(f"/s/{session.id}/result").get_data(as_text=True)
    assert so_far in client.get(f"/s/{session.id}/result.svg").get_data(as_text=True)
