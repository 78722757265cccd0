"""A game told again from its log, with all that was put right since."""

from __future__ import annotations

import itertools
import re

import pytest
from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.core.message import message as _
from companion.core.tally import Criterion, Deciding, Tally, TallyLine, stand, what_decided
from companion.games import GAMES
from companion.web import House
from companion.web.replay import HEIGHT, WIDTH, as_it_was, score_curves
from tests.web.serving import MOVES, begin, play, to_the_end


def totals(page: str) -> list[int]:
    return [int(total) for total in re.findall(r'data-total="\d+">(\d+)<', page)]


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_told_again_from_its_beginning(client: FlaskClient, house: House, key: str) -> None:
    game = GAMES[key]
    people = tuple(Player(f"P{seat}", colour) for seat, colour in enumerate(game.colours[: game.seats[0]]))
    session = house.sessions.begin(game, Setup(people), Source.PAGE)
    for seed in range(12):
        event = game.draw(session.position, seed) or next(iter(game.legal(session.position)), None)
        if event is not None:
            session = house.sessions.record(session.id, session.seq, game.write(event), Source.PAGE)

    for at, position in enumerate(session.fold.positions):
        page = client.get(f"/s/{session.id}/replay?at={at}")
        assert (page.status_code, totals(page.text)) == (200, [*game.tally(position).totals])
        assert f"<b data-at>{at}</b> / {len(session.fold.steps)}" in page.text
        assert 'name="event"' not in page.text


def test_the_past_is_shown_as_it_was_put_right(client: FlaskClient, house: House) -> None:
    session = play(house.sessions, begin(house.sessions), *MOVES)
    corrected = house.sessions.correct(session.id, session.seq, {8: "2 lays 4 at 0,1 S"}, Source.PAGE)

    then = as_it_was(corrected, 7)

    assert then.position == corrected.fold.positions[7]
    assert then.position != session.fold.positions[7]
    assert corrected.game.write(then.fold.steps[-1].event) == "2 lays 4 at 0,1 S"
    shown = client.get(f"/s/{session.id}/replay?at=7").text
    assert "Rui" in re.findall(r'<h1 class="told".*?</h1>', shown, re.DOTALL)[0]


@pytest.mark.parametrize("at", ("-1", "x", "9999999999", "99999", "1.5", "٣", ""))
def test_a_moment_that_never_was_is_the_last_one(client: FlaskClient, house: House, at: str) -> None:
    session = play(house.sessions, begin(house.sessions), *MOVES)

    assert f"<b data-at>{len(MOVES)}</b>" in client.get(f"/s/{session.id}/replay?at={at}").text


def test_the_curve_goes_through_every_total(house: House) -> None:
    session = to_the_end(house.sessions, begin(house.sessions, 3))
    rows = [session.game.tally(position).totals for position in session.fold.positions]
    high = max(max(row) for row in rows)

    curves = score_curves(session)

    for seat, curve in enumerate(curves):
        corners = [tuple(map(float, corner.split(","))) for corner in curve.line.split()]
        assert [round(high * (1 - y / HEIGHT)) for _x, y in corners] == [row[seat] for row in rows]
        assert [corners[0][0], corners[-1][0]] == [0, WIDTH]
    signs = sorted(curve.sign for curve in curves)
    assert min(after - before for before, after in itertools.pairwise(signs)) >= 43.9


def test_what_decided_is_where_the_first_was_farthest_ahead_of_the_second() -> None:
    lines = (
        TallyLine(0, _("Roads"), 5),
        TallyLine(0, _("Cities"), 4),
        TallyLine(0, _("Cities"), 8),
        TallyLine(1, _("Cities"), 3),
        TallyLine(1, _("Fields"), 9),
        TallyLine(2, _("Roads"), 1),
    )

    def tally(*told: TallyLine) -> Tally:
        sums = tuple(sum(line.points for line in told if line.player == seat) for seat in range(3))
        return Tally(3, told, stand([Criterion("score", _("points"), sums)]))

    assert what_decided(tally(*lines)) == Deciding(_("Cities"), 12, 3)
    assert what_decided(tally()) is None
    assert what_decided(tally(TallyLine(0, _("Roads"), 5), TallyLine(1, _("Cities"), 5))) is None


def test_the_result_says_how_long_it_took_and_what_decided(client: FlaskClient, house: House) -> None:
    over = to_the_end(house.sessions, begin(house.sessions, 4))
    decided = what_decided(over.tally)
    assert decided

    for page in ("result", "result.svg"):
        text = client.get(f"/s/{over.id}/{page}").text
        assert f"Decided by: {decided.reason}, {decided.points} against {decided.against}" in text


def test_nothing_has_decided_a_game_that_goes_on(client: FlaskClient, house: House) -> None:
    going = begin(house.sessions)
    while len(set(going.tally.totals)) == 1:
        drawn = going.game.draw(going.position, going.seq)
        going = play(house.sessions, going, going.game.write(drawn or going.game.legal(going.position)[0]))
    assert (going.turn.over, what_decided(going.tally) is None) == (False, False)

    for page in ("result", "result.svg"):
        assert "Decided by" not in client.get(f"/s/{going.id}/{page}").text
