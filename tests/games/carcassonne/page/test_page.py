"""A whole game on the real page: every phase can be looked at, and every button records what it says."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

from flask.testing import FlaskClient

from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.carcassonne.page.presenter import page
from companion.games.carcassonne.sight.layout import COLOURS
from companion.sessions.live import LiveSessions
from tests.games.carcassonne.stories import evening, play
from tests.games.stories import lines_of

PEOPLE = tuple(Player(name, colour) for name, colour in zip(("Ana", "Rui", "Eva"), COLOURS, strict=False))

FARM = """
    first D at 0,0 W
    1 lays E at 0,-1 S with f0
    2 lays U at 1,0 E with f0
    3 lays E at 1,-1 N
    3 places none
"""
"""A field of the first two players that borders one complete city."""


def buttons(client: FlaskClient, address: str) -> list[str]:
    answer = client.get(address)
    assert answer.status_code == 200
    return [
        " ".join(unescape(event).split())
        for event in re.findall(r'name="event" value="([^"]+)"', answer.text)
    ]


def links(client: FlaskClient, address: str, kind: str) -> list[str]:
    """The places that links of a kind lead to."""
    found = re.findall(rf'<a class="{kind}" href="([^"]+)"', client.get(address).text)
    return [parse_qs(unescape(link)[1:])["at"][0] for link in found]


def test_a_turn_is_tapped_on_the_board(table: LiveSessions, player: FlaskClient) -> None:
    session = table.begin(GAMES["carcassonne"], Setup(PEOPLE), Source.PAGE)
    place = f"/s/{session.id}"

    assert 'data-place="0,0:c0"' in player.get(place).text
    assert links(player, f"{place}?tile=U", "target") == ["0,-1", "0,1", "-1,0"]
    assert "1 lays U at 0,1 N" in buttons(player, f"{place}?tile=U&at=0,1")
    assert "1 lays U at 0,1 S" in buttons(player, f"{place}?tile=U&at=0,1&turn=2")
    session = table.record(session.id, session.seq, "1 lays U at 0,1 N", Source.PAGE)
    assert buttons(player, place) == [
        "end",  # in the menu
        "1 places f0 at 0,1",
        "1 places f1 at 0,1",
        "1 places r0 at 0,1",
        "1 places none",
    ]
    session = table.record(session.id, session.seq, "1 places r0 at 0,1", Source.PAGE)
    assert 'class="figure ink-red"' in player.get(place).text


def test_five_people_begin_a_game_from_the_form(table: LiveSessions, player: FlaskClient) -> None:
    people = {f"name{n}": name for n, name in enumerate(("Ana", "Rui", "Eva", "Teo", "Lia"))}
    colours = {f"colour{n}": colour.value for n, colour in enumerate(COLOURS)}
    form = player.get("/new/carcassonne").text
    answer = player.post(
        "/new/carcassonne", data={"players": "5", **people, **colours, "option_two_tile_cities": "on"}
    )
    session = table.session(answer.location.split("/")[2])

    assert all(f"option_{option.key}" in form for option in session.game.options)
    assert [player.colour for player in session.setup.players] == list(COLOURS)
    assert session.setup.options == {"two_tile_cities"}
    assert player.get(answer.location).status_code == 200


def test_every_page_of_a_game_can_be_looked_at(table: LiveSessions, player: FlaskClient) -> None:
    session = table.begin(GAMES["carcassonne"], Setup(PEOPLE), Source.PAGE)
    while not session.turn.over:
        drawn = session.game.draw(session.position, session.seq)
        event = drawn or session.game.legal(session.position)[0]
        session = table.record(session.id, session.seq, session.game.write(event), Source.PAGE)
        if session.seq % 40 < 3:
            assert player.get(f"/s/{session.id}").status_code == 200
    result = player.get(f"/s/{session.id}/result.svg")

    assert player.get(f"/s/{session.id}").status_code == 200
    assert (result.status_code, "Ana" in result.text) == (200, True)


def test_the_table_of_an_end_can_be_looked_at(table: LiveSessions, player: FlaskClient) -> None:
    setup = Setup(PEOPLE[:2], frozenset({"score_only"}))
    session = table.begin(GAMES["carcassonne"], setup, Source.PAGE)

    place = f"/s/{session.id}"

    assert "table D@0,0W | |" in buttons(player, f"{place}?tile=D&at=0,0&turn=3")
    session = table.record(session.id, session.seq, "table D@0,0W | |", Source.PAGE)
    assert "table D@0,0W E@0,-1S | |" in buttons(player, f"{place}?tile=E&at=0,-1&turn=2")
    assert "table D@0,0W | 2:c0@0,0 |" in buttons(player, f"{place}?on=0,0&spot=c0")
    session = table.record(session.id, session.seq, "table D@0,0W | 2:c0@0,0 | 3 54", Source.PAGE)
    assert "table D@0,0W | | 3 54" in buttons(player, f"{place}?on=0,0&spot=c0")
    assert "table | | 3 54" in buttons(player, f"{place}?on=0,0")
    assert "table D@0,0N | 2:c0@0,0 | 3 54" in buttons(player, f"{place}?on=0,0")
    assert "50+4" in player.get(place).text


def test_points_of_the_track_go_in_with_the_table_as_it_lies(
    table: LiveSessions, player: FlaskClient
) -> None:
    setup = Setup(PEOPLE[:2], frozenset({"score_only"}))
    session = table.begin(GAMES["carcassonne"], setup, Source.PAGE)
    session = table.record(session.id, session.seq, "table D@0,0W | |", Source.PAGE)
    form = {"event": "table D@0,0W | |", "with": ["31", "44"], "seq": str(session.seq)}

    assert player.post(f"/s/{session.id}/record", data=form).status_code == 303
    assert table.session(session.id).tally.totals == (31, 44)


def test_what_a_follower_may_claim_is_there_for_corrections() -> None:
    laying = page(play(2, "1 lays U at 0,1 N"), {"tile": "V", "at": "0,2", "turn": "1"})["laying"]

    assert [choice.event for choice in laying.claims] == [
        "2 lays V at 0,2 E with f0",
        "2 lays V at 0,2 E with f1",
        "2 lays V at 0,2 E with r0",
    ]


def test_a_correction_begins_with_the_tile_as_it_was_recorded() -> None:
    before = play(2)
    laying = page(before, {"was": "1 lays U at 0,1 S"})["laying"]
    moved = page(before, {"was": "1 lays U at 0,1 S", "at": "0,-1"})["laying"]
    other = page(before, {"was": "1 lays U at 0,1 S", "tile": "E"})["laying"]

    assert (laying.tile, laying.event) == ("U", "1 lays U at 0,1 S")
    assert moved.event == "1 lays U at 0,-1 N"
    assert (other.tile, other.ghost) == ("E", None)


def test_what_the_rules_forbid_is_shown_on_request_with_the_reason() -> None:
    forbidden = page(play(2), {"tile": "U", "at": "0,1", "turn": "1", "all": "1"})["laying"]

    assert (forbidden.event, str(forbidden.refusal)) == (
        "1 lays U at 0,1 E",
        "The tile does not continue what lies beside it.",
    )
    assert (len(forbidden.targets), forbidden.ways) == (8, 4)


def test_what_a_follower_would_count_at_once_stands_beside_its_place() -> None:
    story = """
        first D at 0,0 W
        1 lays E at 0,-1 S with f0
        2 lays U at 1,0 E
        2 places none
        1 lays E at 1,-1 N
    """
    claims = page(play(2, "first D at 0,0 W\n1 lays E at 0,-1 S"), {"claim": "0,-1:c0"})["claims"]

    assert {
        (claim.at.place, claim.chosen, *(count.points for count in claim.counts)) for claim in claims
    } == {
        ("0,-1:c0", True, 4),
        ("0,-1:f0", False),
    }
    assert page(play(2, story), {})["completing"] == ()


def test_the_page_knows_what_is_left_and_what_cannot_be_filled() -> None:
    view = page(play(2, "1 lays U at 0,1 N with r0"), {})

    assert next((kind.left, kind.count, kind.draw) for kind in view["bag"] if kind.tile == "U") == (
        7,
        8,
        "2 draws U",
    )
    assert (view["tiles_in_the_bag"], view["holes"], view["supplies"]) == (70, (), [6, 7])
    assert [(count.kind, count.owners, count.working) for count in view["counts"]] == [
        ("road", (0,), "2 × 1")
    ]
    assert view["bounds"] == (-1, -1, 1, 2)


def test_a_field_is_told_with_its_cities_and_everybody_on_it() -> None:
    story = """
        first D at 0,0 W
        1 lays E at 0,-1 S with f0
        2 lays U at 1,0 E with f0
        1 lays E at 1,-1 N
        end
    """
    position = evening(2, story).position
    view = page(position, {"step": "99"})
    (field,) = [count for count in view["counts"] if count.kind == "field"]

    assert (str(field.name), field.owners, field.points, field.working) == ("Field", (0, 1), 3, "1 × 3")
    assert field.cities == ({(0, -1, "c0"), (0, 0, "c0")},)
    assert (view["step"].number, str(view["step"].text), view["step"].points) == (2, "Field", (3, 3))
    assert page(position, {})["step"].text is None


def test_a_part_of_a_tile_and_a_line_of_the_tally_tell_the_same_sum() -> None:
    position = play(3, FARM)
    about = page(position, {"about": "1,0:f0"})["asked"]
    session = evening(3, FARM)
    line = next(n for n, line in enumerate(session.tally.of(1)) if str(line.reason) == "Field, shared")
    why = page(position, {"why": f"1.{line}"})["asked"]

    assert (about.counts, about.places) == (why.counts, why.places)
    assert about.places == set(session.tally.of(1)[line].where)
    assert (about.done, about.hidden, about.at.place) == (False, False, "1,0:f0")


def test_what_nobody_stands_on_and_what_was_counted_can_be_asked_about() -> None:
    position = play(2, "first D at 0,0 W\n1 lays E at 0,-1 S with c0")
    road, city, field = (page(position, {"about": f"0,0:{part}"})["asked"] for part in ("r0", "c0", "f0"))

    assert (city.done, city.counts[0].owners, city.counts[0].working) == (True, (0,), "2 × 2")
    assert (road.done, road.counts[0].owners, road.counts[0].working) == (False, (), "1 × 1")
    assert (field.counts[0].owners, field.counts[0].working) == ((), "0 × 3")


def test_a_table_without_looking_ahead_tells_no_sum_of_what_is_open() -> None:
    position = play(3, FARM, "purist")
    hidden = page(position, {"about": "1,0:f0"})["asked"]

    assert (hidden.hidden, page(position, {})["counts"]) == (True, ())
    assert page(position, {"why": "0.7"})["asked"] is None
    for nobody in ("0,0:r0", "0,0:f0"):
        assert page(position, {"about": nobody})["asked"].hidden, nobody


def test_a_forgotten_follower_is_placed_with_a_reason(table: LiveSessions, player: FlaskClient) -> None:
    session = table.begin(GAMES["carcassonne"], Setup(PEOPLE), Source.PAGE)
    for line in ("1 lays U at 0,1 N", "2 lays U at 0,2 N"):
        session = table.record(session.id, session.seq, line, Source.PAGE)
    address = f"/s/{session.id}"
    assert "1 places r0 at 0,1" in buttons(player, f"{address}?about=0,1:r0")
    form = {"event": "1 places r0 at 0,1", "overrule": "1", "seq": str(session.seq)}

    assert player.post(f"{address}/record", data=form).status_code == 400
    form["because"] = "nobody tapped it"
    assert player.post(f"{address}/record", data=form).status_code == 303
    after = player.get(address).text
    assert "A follower was placed against the rules: nobody tapped it" in after
    assert "why=p.0" in after


def test_the_end_is_told_step_by_step_and_nobody_has_won_before_the_last(
    table: LiveSessions, player: FlaskClient
) -> None:
    session = table.begin(GAMES["carcassonne"], Setup(PEOPLE), Source.PAGE)
    for line in (*lines_of(FARM), "1 lays B at 2,-1 N", "1 places m0 at 2,-1", "end"):
        session = table.record(session.id, session.seq, line, Source.PAGE)

    told = {}
    for step in ("", "?step=0", "?step=1", "?step=2", "?step=3", "?step=4"):
        text = player.get(f"/s/{session.id}{step}").text
        totals = re.findall(r'data-total="\d">(\d+)<', text)
        told[step] = ([*map(int, totals)], text.count('<a class="follower"'), "wins with" in text)
    assert told == {
        "": ([0, 0, 0], 3, False),
        "?step=0": ([0, 0, 0], 3, False),
        "?step=1": ([3, 0, 0], 3, False),
        "?step=2": ([3, 0, 0], 2, False),  # the monk has gone home
        "?step=3": ([6, 3, 0], 2, True),
        "?step=4": ([6, 3, 0], 2, True),
    }


def test_an_address_that_makes_no_sense_is_taken_for_none() -> None:
    for wish in (
        {"tile": "ZZ"},
        {"tile": "U", "at": "x"},
        {"tile": "U", "at": "0,1", "turn": "9"},
        {"at": "999,0"},
    ):
        view = page(play(2), wish)
        assert view["laying"] is None or view["laying"].ghost is None or wish.get("turn") == "9"
    for wish in ({"about": "0,0"}, {"about": "9,9:c0"}, {"why": "0.999"}, {"why": "7.0"}, {"claim": "x"}):
        assert page(play(2), wish)["asked"] is None
