"""The end of a game: what decks are worth and why, ties, shared wins, and cards that are missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.errors import NotationError
from companion.core.session import Session
from companion.games.dominion.rules.position import Phase
from companion.games.dominion.text.documents import score_document
from tests.games.dominion.stories import FIRST_GAME, evening, refusal, session_of, started
from tests.games.stories import tell


def counted(*decks: str) -> Session:
    """A session that only counts these decks."""
    lines = [f"{seat} has {deck}" for seat, deck in enumerate(decks, start=1)]
    return session_of(started(len(decks), "score_only"), lines)


def lines_of(session: Session, player: int) -> list[tuple[str, str, int]]:
    return [(str(line.reason), line.working, line.points) for line in session.tally.of(player)]


def test_a_deck_is_told_card_by_card() -> None:
    session = counted(
        "copper:5 estate:3 duchy:2 province:4 curse:2 great_hall:1 harem:2 nobles:3", "copper:7"
    )

    assert lines_of(session, 0) == [
        ("Estate", "3 × 1", 3),
        ("Duchy", "2 × 3", 6),
        ("Province", "4 × 6", 24),
        ("Curse", "2 × -1", -2),
        ("Great Hall", "1 × 1", 1),
        ("Harem", "2 × 2", 4),
        ("Nobles", "3 × 2", 6),
    ]
    assert session.tally.totals == (42, 0)


@pytest.mark.parametrize(("others", "points"), ((36, 3), (38, 3), (39, 4), (8, 0), (9, 1)))
def test_gardens_for_every_ten_cards(others: int, points: int) -> None:
    """Rulebook 000, "Jardins": with 37 cards each is worth 3, itself among them."""
    session = counted(f"copper:{others} gardens:1", "copper:7")

    assert session.tally.totals[0] == points
    assert lines_of(session, 0)[0][1] == f"1 × {others + 1} ÷ 10"


def test_several_gardens() -> None:
    assert lines_of(counted("copper:33 gardens:4", "copper:7"), 0) == [("Gardens", "4 × 37 ÷ 10", 12)]


@pytest.mark.parametrize(("dukes", "duchies", "points"), ((1, 0, 0), (1, 5, 20), (3, 4, 24), (8, 8, 88)))
def test_dukes_for_every_duchy(dukes: int, duchies: int, points: int) -> None:
    """Rulebook 003, "Duque"."""
    assert counted(f"duke:{dukes} duchy:{duchies}", "copper:7").tally.totals[0] == points


def test_curses_go_below_nothing() -> None:
    session = counted("copper:7 curse:4", "copper:7 curse:1 estate:1")

    assert session.tally.totals == (-4, 0)
    assert session.tally.standing.winners == (1,)


@pytest.mark.parametrize(
    ("decks", "winners", "decided"),
    (
        (("province:2 turns:9", "province:1 turns:8"), (0,), "score"),
        (("province:2 turns:9", "province:2 turns:8"), (1,), "turns"),
        (("province:2 turns:9", "province:2 turns:9"), (0, 1), None),
        (("province:2 turns:9", "duchy:4 turns:9", "province:2 turns:8"), (2,), "turns"),
        (("province:2 turns:8", "duchy:4 turns:8", "province:2 turns:9"), (0, 1), None),
        (("province:1 turns:9", "province:2 turns:9", "province:2 turns:9", "curse:1 turns:8"), (1, 2), None),
    ),
)
def test_ties_are_broken_by_turns_and_then_shared(
    decks: tuple[str, ...], winners: tuple[int, ...], decided: str | None
) -> None:
    standing = counted(*decks).tally.standing

    assert standing.winners == winners
    assert (standing.decided_by.key if standing.decided_by else None) == decided


def test_the_log_knows_the_turns() -> None:
    """Player 1 had a turn more, and loses the tie."""
    session = evening(2, "1 ends / 2 ends / 1 ends / 2 ends / pile province 0 / 1 ends")
    session = tell(session, ("1 has copper:7 estate:3", "2 has copper:7 estate:3"))

    assert session.position.turns == (3, 2)
    assert session.tally.standing.winners == (1,)
    assert session.turn.over


def test_nobody_knows_points_before_a_deck_is_shown() -> None:
    session = evening(3, "1 plays 4 copper / 1 ends / stop / 2 has copper:7 estate:3")

    assert session.tally.totals == (0, 3, 0)
    assert not session.turn.over
    assert str(session.turn.action) == "The game is over: count the decks"


def whole_game() -> Session:
    """A Silver and a Smithy bought, an Estate trashed, two Curses given."""
    story = (
        "1 plays 3 copper / 1 buys silver / 1 ends / 2 plays 4 copper / 2 buys smithy / 2 ends / 3 ends"
        " / 1 plays witch / 1 ends / 2 ends / 3 ends / 1 plays chapel / 1 trashes estate / pile province 0"
    )
    return evening(3, f"{story} / 1 ends / pile province 12", hand="witch chapel")


DECKS = (
    "1 has copper:7 estate:2 silver:1 witch:1 chapel:1",
    "2 has copper:7 estate:3 smithy:1 curse:1",
    "3 has copper:7 estate:3 curse:1",
)


def test_nothing_is_missing_when_everything_was_counted() -> None:
    assert tell(whole_game(), DECKS).problems[2:] == ()


@pytest.mark.parametrize(
    ("lines", "said"),
    (
        (
            (DECKS[0], "2 has copper:7 estate:3 curse:1", DECKS[2]),
            [
                "1 Smithy is missing: look in the decks, the supply and the trash.",
                "Smithy: 0 counted, 1 by the log.",
            ],
        ),
        (
            (DECKS[0], DECKS[1], "3 has copper:5 estate:3 curse:1"),
            [
                "2 × Copper are missing: look in the decks, the supply and the trash.",
                "Copper: 5 counted, 7 by the log.",
            ],
        ),
        (
            (DECKS[0], DECKS[1], "3 has copper:7 estate:4 curse:1"),
            [
                "1 Estate too many: count the decks, the supply and the trash again.",
                "Estate: 4 counted, 3 by the log.",
            ],
        ),
        (
            (*DECKS, "trash nothing"),
            ["1 Estate is missing: look in the decks, the supply and the trash."],
        ),
        (
            (*DECKS, "pile market 9"),
            ["1 Market is missing: look in the decks, the supply and the trash."],
        ),
        (
            (*DECKS[:2], "3 has copper:7 estate:3 curse:1 bridge:1"),
            [
                "1 Bridge too many: count the decks, the supply and the trash again.",
                "Bridge: 1 counted, 0 by the log.",
            ],
        ),
    ),
)
def test_a_card_that_is_missing_is_named(lines: tuple[str, ...], said: list[str]) -> None:
    session = tell(whole_game(), lines)

    assert [str(problem) for problem in session.problems][2:] == said


def test_a_card_in_the_wrong_deck_is_told_without_being_missing() -> None:
    lines = (DECKS[0], "2 has copper:8 estate:3 smithy:1 curse:1", "3 has copper:6 estate:3 curse:1")

    assert [(p.player, str(p)) for p in tell(whole_game(), lines).problems][2:] == [
        (1, "Copper: 8 counted, 7 by the log."),
        (2, "Copper: 6 counted, 7 by the log."),
    ]


DIFFERING = ("Copper: 5 counted, 7", "Estate: 5 counted, 3", "Copper: 9 counted, 7", "Estate: 1 counted, 3")
PASSED = "2 cards were passed and nobody said which: so many cards of a deck may be others than the log says."


@pytest.mark.parametrize(
    ("decks", "said"),
    (
        # One card came and one went: so much may be.
        (("copper:6 estate:4", "copper:8 estate:2"), [PASSED]),
        # Two of them cannot have been passed.
        (
            ("copper:5 estate:5", "copper:9 estate:1"),
            [PASSED, *(f"{told} by the log." for told in DIFFERING)],
        ),
    ),
)
def test_after_a_masquerade_a_deck_may_differ_by_what_was_passed(
    decks: tuple[str, str], said: list[str]
) -> None:
    story = (
        f"1 plays masquerade / 1 trashes nothing / stop / 1 has {decks[0]} masquerade:1 / 2 has {decks[1]}"
    )
    session = evening(2, story, hand="masquerade")

    assert [str(problem) for problem in session.problems][1:] == said
    assert session.position.unseen == (0, 1)


def test_a_passed_card_is_named_then_or_at_the_end() -> None:
    story = "1 plays masquerade / 1 passes estate / 1 trashes nothing / stop / 2 passes copper"
    session = evening(2, story, hand="masquerade")

    assert session.position.unseen == ()
    assert session.position.owned == ({"copper": 8, "estate": 2, "masquerade": 1}, {"copper": 6, "estate": 4})
    assert refusal(session, "2 passes copper") == "This player has passed no card that is still unknown."
    late = evening(2, "1 plays masquerade", hand="masquerade")
    assert refusal(late, "1 passes nothing") == ""
    # What came unseen may go on, but only a card that somebody has.
    assert refusal(late, "1 passes gold") == "By the log, this player has no Gold."
    assert refusal(
        evening(2, "1 plays masquerade / 2 passes estate", hand="masquerade"), "1 passes gold"
    ) == ("By the log, this player has no Gold.")


def test_what_was_looked_at_is_put_away_until_it_says_something_else() -> None:
    story = (
        '1 buys market because "a gift" / stop / 1 has copper:7 estate:3 market:1 / 2 has copper:6 estate:3'
    )
    session = evening(2, story)
    told = [str(problem) for problem in session.problems]
    assert len(told) == 3
    assert [problem.told_at for problem in session.problems] == [
        (("card", "market"),),
        (("card", "copper"),),
        (("deck", "2"),),
    ]
    for problem in session.problems:
        session = tell(session, (problem.dismissal,))
    assert session.problems == ()
    # Nor is another card that somebody took, where the first was taken back.
    taken = evening(2, '1 gains gold because "a gift" / 2 gains gold because "a gift"')
    first = taken.problems[0].dismissal
    only = tell(evening(2, '2 gains gold because "a gift"'), (first,))
    assert [problem.player for problem in tell(taken, (first,)).problems] == [1]
    assert [problem.player for problem in only.problems] == [1]
    again = tell(session, ("2 has copper:5 estate:3",))

    assert [str(problem) for problem in again.problems] == [
        "2 × Copper are missing: look in the decks, the supply and the trash.",
        "Copper: 5 counted, 7 by the log.",
    ]


def document(*decks: dict[str, int], turns: tuple[int, ...] = (), **more: object) -> dict[str, Any]:
    players = [
        {"cards": deck, **({"turns": turns[seat]} if turns else {})} for seat, deck in enumerate(decks)
    ]
    return {"players": players, **more}


def test_a_document_is_scored() -> None:
    answer = score_document(
        document({"copper": 33, "gardens": 4}, {"province": 2, "curse": 1}, turns=(12, 11))
    )

    assert answer == {
        "players": [
            {
                "points": 12,
                "turns": 12,
                "lines": [{"card": "gardens", "count": 4, "points": 12, "working": "4 × 37 ÷ 10"}],
            },
            {
                "points": 11,
                "turns": 11,
                "lines": [
                    {"card": "province", "count": 2, "points": 12, "working": "2 × 6"},
                    {"card": "curse", "count": 1, "points": -1, "working": "1 × -1"},
                ],
            },
        ],
        "winners": [0],
        "decided_by": "score",
        "problems": [],
    }


def test_one_deck_alone_and_cards_of_other_editions() -> None:
    answer = score_document(document({"mill": 2, "duchy": 1, "adventurer": 1}))

    assert [(line["card"], line["points"]) for line in answer["players"][0]["lines"]] == [
        ("duchy", 3),
        ("mill", 2),
    ]
    assert answer["winners"] == [0]


def test_a_document_with_its_table_names_missing_cards() -> None:
    supply = {"copper": 46, "estate": 8}
    one = document(
        {"copper": 7, "estate": 3}, {"copper": 6, "estate": 3}, turns=(9, 8), kingdom=FIRST_GAME.split()
    )

    assert score_document({**one, "supply": supply})["problems"] == [
        "1 Copper is missing: look in the decks, the supply and the trash."
    ]
    assert score_document({**one, "supply": supply, "trash": {"copper": 1}})["problems"] == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    (
        ([], "A JSON object is needed here, not []."),
        ({}, "“players” is a list of one to six players."),
        ({"players": []}, "“players” is a list of one to six players."),
        ({"players": [{"cards": {}}] * 7}, "“players” is a list of one to six players."),
        (
            document({}, kingdom=FIRST_GAME.split()),
            "“kingdom” needs the decks of two players or more.",
        ),
        ({"players": [{}, {}]}, "A JSON object is needed for “players[0].cards”, not None."),
        ({"players": [3, {}]}, "A JSON object is needed for players[0], not 3."),
        (
            document({"dragon": 1}, {}),
            "There is no card “dragon”. If it is a card of your own, put its file where it was.",
        ),
        (document({"copper": -1}, {}), "“players[0].cards”: there cannot be -1 of copper."),
        (document({"copper": 201}, {}), "“players[0].cards”: there cannot be 201 of copper."),
        (document({"copper": True}, {}), "“players[0].cards”: there cannot be True of copper."),
        (document({}, {}, turns=(1, -1)), "“players[1].turns” cannot be -1."),
        (document({}, {}, kingdom=["market"]), "A game has 10 different kingdom cards."),
        (document({}, {}, kingdom="market"), "“kingdom” is a list of ten cards."),
        (
            document({}, {}, kingdom=FIRST_GAME.split(), supply={"witch": 1}),
            "There is no pile of Witch in this game.",
        ),
    ),
)
def test_what_is_wrong_with_a_document_is_told(wrong: object, said: str) -> None:
    with pytest.raises((NotationError, ValueError)) as told:
        score_document(wrong)

    assert str(told.value) == said


def test_the_command_tells_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "decks.json"
    file.write_text(json.dumps(document({"province": 2}, {"duchy": 4, "curse": 1}, turns=(9, 9))), "utf-8")

    assert main(["score", "dominion", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "             2 × 6 =  12 Province",
        "  Player 1: 12 points",
        "             4 × 3 =  12 Duchy",
        "            1 × -1 =  -1 Curse",
        "  Player 2: 11 points",
        "  Victory: 1 (more points)",
    ]
    file.write_text('{"players": 3}', "utf-8")
    assert main(["score", "dominion", "--json", str(file)]) == 2


EQUAL_DECKS = ("1 has copper:7 estate:3", "2 has copper:7 estate:3")
UNKNOWN = (
    "Equal points, and nobody knows all their turns: the victory is shared. "
    "Say how many turns each had: fewer win."
)


def scored(*players: tuple[dict[str, int], int | None]) -> Any:
    rows = [{"cards": cards, **({} if turns is None else {"turns": turns})} for cards, turns in players]
    return score_document({"players": rows})


def test_turns_that_nobody_told_win_nothing() -> None:
    answer = scored(({"province": 1}, 12), ({"province": 1}, None))

    assert (answer["winners"], answer["decided_by"]) == ([0, 1], "shared")
    assert answer["problems"] == [UNKNOWN]
    assert [player["turns"] for player in answer["players"]] == [12, None]


def test_turns_of_whoever_lost_need_not_be_known() -> None:
    answer = scored(({"province": 1}, 12), ({"estate": 1}, None), ({"province": 1}, 11))

    assert (answer["winners"], answer["decided_by"], answer["problems"]) == ([2], "turns", [])


def test_one_of_three_equals_without_turns_makes_all_of_them_share() -> None:
    answer = scored(({"province": 1}, 12), ({"province": 1}, None), ({"province": 1}, 11))

    assert (answer["winners"], answer["decided_by"]) == ([0, 1, 2], "shared")


def test_more_points_win_without_any_turns() -> None:
    answer = scored(({"province": 1}, None), ({"duchy": 1}, None))

    assert (answer["winners"], answer["decided_by"], answer["problems"]) == ([0], "score", [])


def test_decks_counted_by_the_page_alone_are_told_to_be_in_doubt() -> None:
    """It writes no turns, or none that anybody has said."""
    session = session_of(started(2, "score_only"), ("1 has province:1 turns:0", "2 has province:1 turns:9"))

    assert session.tally.standing.winners == (0, 1)
    assert [str(problem) for problem in session.problems] == [UNKNOWN]
    session = tell(session, ("1 has province:1 turns:10",))
    assert (session.tally.standing.winners, session.problems) == ((1,), ())


@pytest.mark.parametrize(
    ("story", "turns", "winners"),
    (
        # Nobody has begun the turn after the last end.
        ("1 ends / stop", (1, 0), (1,)),
        ("1 ends / 2 ends / stop", (1, 1), (0, 1)),
        ("1 ends / 2 ends / 1 ends / stop", (2, 1), (1,)),
        # The turn in which the table stops was being played.
        ("1 ends / 2 ends / 1 ends / 2 plays copper / stop", (2, 2), (0, 1)),
        ("1 ends / 2 to buy / stop", (1, 1), (0, 1)),
        ("1 ends / 2 buys copper / stop", (1, 1), (0, 1)),
        # What is told of another turn is none of this one.
        ('1 ends / 2 ends / 2 gains curse because "forgotten" / stop', (1, 1), (0, 1)),
        # Whoever ends a turn has had it, whatever was done in it.
        ("1 ends / pile province 0 / 2 ends", (1, 1), (0, 1)),
    ),
)
def test_a_turn_counts_once_it_is_played(
    story: str, turns: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    session = evening(2, story)

    assert session.position.phase is Phase.COUNT
    assert session.position.turns == turns
    session = tell(session, ("1 has province:1", "2 has province:1"))
    assert session.tally.standing.winners == winners
    assert [str(p) for p in session.problems if str(p) == UNKNOWN] == []


def test_a_turn_played_after_all_counts_after_all() -> None:
    """The table stopped, and then played on: the turn that had not begun has."""
    session = evening(2, '1 ends / stop / 2 plays copper because "we went on" / 2 ends / stop')

    assert session.position.turns == (1, 1)


def test_a_stop_in_a_turn_that_is_played_on_counts_it_once() -> None:
    session = evening(2, '1 plays copper / stop / 1 plays copper because "we went on" / 1 ends / stop')

    assert session.position.turns == (1, 0)


def test_turns_people_correct_are_believed() -> None:
    session = tell(evening(2, "1 ends / stop"), ("1 has copper:7 turns:3", "2 has copper:7 turns:4"))

    assert session.position.turns == (3, 4)
    assert session.tally.standing.winners == (0,)


def test_gardens_in_a_deck_of_unknown_size_leave_the_victory_open() -> None:
    session = counted("gardens:3 province:2", "province:1")
    assert (session.tally.totals, session.tally.standing.winners) == ((12, 6), ())
    assert [(line.player, str(line.reason)) for line in session.tally.unknown] == [(0, "Gardens")]

    sized = counted("gardens:3 province:2 all:30", "province:1")
    assert (sized.tally.totals, sized.tally.standing.winners) == ((21, 6), (0,))


def test_a_passed_card_goes_to_the_left() -> None:
    session = evening(3, "1 plays masquerade / 1 passes estate", hand="masquerade")

    assert [owned["estate"] for owned in session.position.owned] == [2, 4, 3]
