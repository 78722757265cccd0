"""Nothing that was told is lost on the way: a place that may not be is not offered, and no card vanishes."""

from __future__ import annotations

from flask.testing import FlaskClient

from companion.core.errors import CompanionError
from companion.core.game import Player, Setup
from companion.core.log import Source
from companion.games import GAMES
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import parse_event
from companion.sessions.live import LiveSessions
from tests.games.dominations.crawling import offers
from tests.games.dominations.rules.test_untold import ENDING
from tests.games.dominations.stories import CARDS, DOMINATIONS, LIGHTHOUSE, ROMAN, era_over, play, rich

KEPT = f"{CARDS}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens\n{rich(1, 'T9')}"


def monument(position: Position) -> dict[str, tuple[str, bool]]:
    """What is said of each Monument, and whether it can be tapped."""
    view = page(position, {"do": "monument"})
    return {str(c.text): (str(c.note), any(c.to.values())) for c in offers(view)}


def test_a_monument_that_may_stand_nowhere_says_why_before_anything_is_told() -> None:
    without_a_city = monument(play(2, f"{KEPT}\n1 lays C:CCC at 0,0d"))

    assert without_a_city == {
        "O Farol": ("Level 1 of 5 – This Monument has to lie beside a City of its Domain.", False),
        "Jardins Suspensos": (
            "Level 1 of 1 – A round Monument stands in the middle of a complete Locus.",
            False,
        ),
    }


def test_only_places_that_the_rules_allow_are_offered() -> None:
    built = "tile T:TTT at 0,0d\ntile C:CCC at 1,0u\n1 has T1 at 0,0d"
    story = f"{KEPT}\n1 passes\n1 builds T\n1 ends\n{built}\n2 passes\n2 ends\n1 passes"
    position = play(2, story)
    wish = {"do": "monument", "key": "lighthouse"}
    lines = []
    for first in page(position, wish)["targets"]:
        for second in page(position, {k: v for k, v in first.to.items() if v})["targets"]:
            at, other = second.to["at"], second.to["at2"]
            lines.append(f"1 raises lighthouse at {at}+{other}")

    refused = []
    for line in lines:
        try:
            apply(position, parse_event(line))
        except CompanionError as error:
            refused.append((line, str(error.message)))
    assert (bool(lines), refused) == (True, [])
    assert len(lines) < len(page(position, {**wish, "against": "1"})["targets"]) * 3


NO_DOMAIN = 'mastery writing "Escrita" ? 3 basic 0 0 "produce 2 ?: 1 ?"'


def test_a_card_of_an_unknown_domain_stays_where_it_is_looked_for() -> None:
    position = play(2, f"{NO_DOMAIN}\n1 passes")
    found = {
        str(c.text): str(c.note)
        for c in offers(page(position, {"do": "mastery"}))
        if str(c.text) == "Escrita"
    }
    just_read = [
        (str(c.text), c.to["key"])
        for group in page(position, {})["just_read"]("writing")
        for c in group.choices
    ]

    assert found == {"Escrita": "Nobody has told its Domain or its value: read it out again"}
    assert just_read == [("Escrita", "writing")]


def test_who_reads_an_objective_out_to_keep_it_goes_on_keeping_it(
    table: LiveSessions, player: FlaskClient
) -> None:
    people = tuple(
        Player(name, colour) for name, colour in zip(("Ana", "Rui"), DOMINATIONS.colours, strict=False)
    )
    id = table.begin(GAMES["dominations"], Setup(people, frozenset({"unasked"})), Source.PAGE).id
    card = {"do": "card", "kind": "objective", "key": "roman", "keep": "2", "filled": "1", "ready": "1"}
    room = page(table.session(id).position, card)["room"]
    form = {"event": ROMAN, "seq": str(table.session(id).seq), "room": room}

    location = player.post(f"/s/{id}/record", data=form).location
    entered = page(table.session(id).position, {"room": location.partition("room=")[2]})

    assert room == "keepba"
    assert str(entered["hand"].title) == "Which Monument?"
    reading = next(c for c in offers(entered) if c.to.get("key") == "lighthouse")
    assert {k: v for k, v in reading.to.items() if v} == {
        **{"do": "card", "kind": "monument", "key": "lighthouse"},
        **{"keep": "2", "objective": "roman"},
    }
    form = {
        "event": LIGHTHOUSE,
        "seq": str(table.session(id).seq),
        "room": page(table.session(id).position, {k: v for k, v in reading.to.items() if v})["room"],
    }
    location = player.post(f"/s/{id}/record", data=form).location
    lines = [
        c.line for c in offers(page(table.session(id).position, {"room": location.partition("room=")[2]}))
    ]
    assert "2 keeps roman and lighthouse" in lines


def test_drawing_again_is_offered_to_everybody_before_an_era_and_to_nobody_later() -> None:
    stories = ("", "1 redraws", "1 lays T:--- at 0,0d\n1 ends", f"{era_over()}\n{ENDING}\nera next")
    pages = [page(play(2, story), {})["hand"] for story in stories]

    offered = [
        [c.line for group in hand.groups for c in group.choices if "redraws" in c.line] for hand in pages
    ]
    assert offered == [["1 redraws", "2 redraws"], ["2 redraws"], [], ["1 redraws", "2 redraws"]]
    assert all(group.choices or group.steppers for hand in pages for group in hand.groups)
