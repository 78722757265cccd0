"""The seventeen open questions: asked the first time one matters, recorded, and marked where they changed a
number.
"""

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
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.box import (
    ANSWER_TEXTS,
    OPTIONS,
    QUESTION_TEXTS,
    QUESTIONS,
    OpenQuestion,
)
from companion.games.dominations.rules.events import Passed
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.tally import reason_now
from companion.sessions.live import LiveSessions
from tests.games.dominations.crawling import offers
from tests.games.dominations.rules.test_growth import RING
from tests.games.dominations.stories import (
    DOMINATIONS,
    EGYPTIAN,
    GARDENS,
    LIGHTHOUSE,
    ROMAN,
    UNASKED,
    corrected,
    era_over,
    evening,
    has,
    passing,
    play,
    refusal,
    rich,
)
from tests.games.stories import EVENING, lines_of, tell

ERA = f"{era_over()}\nera effects\n1 assimilates nothing\nera roles\n"
THIRD = f"{ERA}era next\n" * 2 + era_over()
TWO_SIDES = "tile A:APP at 4,0u\ntile A:SSP at 5,0u"
BEACON = 'mastery beacon "Farol" T 3 basic 0 0 "compare: 2 V"'
SANCTUARY = 'mastery sanctuary "Santuário" R 6 basic 0 0 "role: 6 points"'
GIFT = 'mastery gift "Dote" T 3 basic 0 0 "era end: 9 A"'
HARD = 'mastery hard "Difícil" T 3 needs A 9 basic 0 0'

SITUATIONS: dict[str, tuple[str, dict[str, str]]] = {
    "joins": (
        f"1 adjusts limit P +15\n{TWO_SIDES}\n1 lays T:PPP at 4,0d",
        {"once": "P9 T1 S1", "per_side": "P10 T1 S1"},
    ),
    "overflow": (
        f"{rich(1, 'T20 A20')}\n1 produces T1 A1",
        {"per_domain": "T20 A20 points 2", "per_occasion": "T20 A20 points 1"},
    ),
    "city_influence": (
        f"{rich(1, 'T20')}\n1 passes\n1 builds T\n1 ends\n2 passes\n1 passes\n1 upgrades T1",
        {"added": "T11 influence 3", "replaced": "T11 influence 2"},
    ),
    "exchange": (
        f"{RING}\ntile T:RRR at 6,4u\n{rich(1, 'T5')}\n1 passes\n1 builds at 6,4u\n2 lays C:RST at 5,4d",
        {"all": "T3 influence 1", "circle": "T2 influence 1"},
    ),
    "cradle": (
        "tile A:SSS at 0,0d\ntile A:SSS at 1,0u\ntile A:SSS at 1,-1d\n1 lays C:RST at 1,-1u",
        {"no_part": "C1 S4 R1 T1", "part": "C1 S3 T1"},
    ),
    "white": (
        "tile A:AVR at 4,0u\n1 lays T:TSC at 4,0d\n1 chooses R",
        {"no_concentration": "T2 C1 R2", "concentration": "T3 C1 R2"},
    ),
    "governor_of_two": (
        f"{THIRD}\n1 adjusts P +1\nera effects\n1 assimilates nothing\nera roles",
        {"three": "P1 points 3", "nothing": "P1"},
    ),
    "assimilation": (
        f'{HARD}\n2 adjusts T +3\n{passing(1)}\n2 passes\n2 develops hard because "so"\n2 ends\n{passing(8)}'
        "\n1 adjusts influence +5\nera effects\n1 assimilates hard",
        {"free": "influence 5 points 5 cards 1", "prerequisite": "influence 5 dropped"},
    ),
    "nodi": (
        'mastery plain "Lisa" T 3 basic 0 0\nobjective mine "Minha" "nodi T1" "a" "b" "c" "d"\n'
        f"{LIGHTHOUSE}\n1 keeps mine and lighthouse\n1 adjusts T +3\n1 has campfire TTTT\n1 passes\n"
        f"1 develops plain in 1,0 CCCT\n2 passes\n2 ends\n{passing(8)}\nera effects\n1 assimilates nothing\n"
        f"era roles\nera next\n{ERA}era next\n{ERA}era objectives",
        {"all": "points 10 cards 1", "masteries": "cards 1"},
    ),
    "no_governor": (f"{ERA}order 2 1", {"keep": "dropped", "choose": "order 2"}),
    "no_tile": ("1 passes", {"pass": "", "lay": "dropped"}),
    "roles_counted": (
        f"{SANCTUARY}\n{rich(1, 'R6', 10)}\n1 passes\n1 develops sanctuary\n2 passes\n2 ends\n{passing(8)}"
        "\n1 adjusts T +1\nera effects\n1 assimilates nothing\nera roles",
        {"new": "T1 points 9 cards 1", "held": "T1 points 3 cards 1"},
    ),
    "comparison": (
        f"{BEACON}\n1 adjusts T +3\n1 passes\n1 develops beacon\n2 passes\n2 ends\n{passing(8)}"
        "\n2 adjusts S +2\n1 adjusts S +1\n2 adjusts A +1\nera effects\n1 assimilates nothing\nera roles",
        {"one": "asked", "every": "S1 influence 2 points 6 cards 1"},
    ),
    "era_end_limit": (
        f"{GIFT}\n1 adjusts T +3\n1 passes\n1 develops gift\n2 passes\n2 ends\n{passing(8)}\nera effects",
        {"clipped": "A5 cards 1", "kept": "A9 cards 1"},
    ),
    "lozenge": (
        f"{LIGHTHOUSE.replace(' beside T', '')}\n{ROMAN}\n1 keeps roman and lighthouse\n{rich(1, 'T5')}\n"
        "tile A:SSS at 5,5u\ntile A:SSS at 4,5d\ntile A:SSS at 4,5u\n1 passes\n"
        "1 raises lighthouse at 4,4d+5,4u dots RRRRRR\n2 passes\n1 lays C:PPP at 5,4d",
        {"two_cells": "C1 S3 R2 P1 T20 points 5 cards 1", "no_part": "C1 S2 R2 P3 T20 points 5 cards 1"},
    ),
}
"""For each question a story that first makes it matter, and what the first player has by each answer."""


def told(position: Position) -> str:
    """What the first player has, in a line."""
    if position.held:
        return "asked"
    seat = position.seats[0]
    parts = [f"{letter}{count}" for letter, count in has(position, 1).items()]
    parts += ["dropped"] * len(position.dropped)
    if seat.influence:
        parts.append(f"influence {seat.influence}")
    if position.points[0]:
        parts.append(f"points {position.points[0]}")
    if len(seat.tree.cards) > 1:
        parts.append(f"cards {len(seat.tree.cards) - 1}")
    return " ".join([*parts, *(["order 2"] if position.order == (1, 0) else [])])


def before_the_question(story: str, key: str) -> str:
    """The story with every other question settled by its default."""
    others = [f"rule {q.key} {q.answers[0]}" for q in QUESTIONS.values() if q.key != key]
    return "\n".join([*others, story])


@pytest.mark.parametrize("key", SITUATIONS)
def test_a_question_is_asked_when_it_matters_and_the_answer_counts(key: str) -> None:
    story, expected = SITUATIONS[key]
    lines = [line for line in before_the_question(story, key).splitlines() if line.strip()]
    asked = next(
        n for n in range(1, len(lines) + 1) if play(2, "\n".join(lines[:n]), options="").held is not None
    )
    # A choice that comes after the question is answered after it.
    before, after = lines[:asked], lines[asked:]
    held = play(2, "\n".join(before), options="").held

    assert held is not None
    assert (held.need.ask, held.need.about) == ("ruling", key)
    found = {}
    for answer in QUESTIONS[key].answers:
        position = play(2, "\n".join([*before, f"rule {key} {answer}", *after]), options="")
        assert position.rulings[key] == answer
        found[answer] = told(position)
    assert {a: set(t.split()) for a, t in found.items()} == {a: set(t.split()) for a, t in expected.items()}


def test_every_question_that_can_matter_has_a_story() -> None:
    assert set(SITUATIONS) == {
        key for key, question in QUESTIONS.items() if not (question.never or question.late)
    }
    assert set(QUESTION_TEXTS) == set(QUESTIONS) == set(OpenQuestion)
    assert {answer for question in QUESTIONS.values() for answer in question.answers} <= set(ANSWER_TEXTS)


def test_a_question_is_asked_once() -> None:
    story = "rule no_tile pass\n1 passes\n2 passes"

    assert play(2, story, options="").held is None


def test_the_table_waits_until_the_question_is_answered() -> None:
    session = evening(2, "1 passes", options="")

    assert str(session.turn.action) == "A player has no territory. May the player pass?"
    assert session.turn.player is None
    assert refusal(2, "1 passes", "1 produces T1", options="").startswith("Something is asked")
    assert refusal(2, "1 passes", "rule no_tile maybe", options="").startswith("There is no such question")
    assert refusal(2, "1 passes", "1 chooses pass", options="").startswith("The whole table is asked")


def test_a_ruling_may_be_made_before_it_matters_and_changed_later() -> None:
    assert play(2, "rule no_tile pass\n1 passes", options="").held is None
    assert (
        refusal(2, "rule no_tile lay", "1 passes", options="")
        == "This table ruled that a territory has to be laid."
    )


def test_a_number_that_depends_on_a_ruling_says_so() -> None:
    story = f"{rich(1, 'T20 A20')}\n1 produces T1 A1\nrule overflow per_occasion"
    session = evening(2, story, options="")

    assert [line.rulings for line in session.position.lines if line.unit == "points"] == [
        (("overflow", "per_occasion"),)
    ]
    told = "More than 20 in a Reserve, in Era 1 (ruling, several full Reserves: One in all)"
    assert str(session.tally.lines[0].reason) == told


def test_a_table_may_settle_questions_from_the_start() -> None:
    assert play(2, "1 passes", options="unasked").held is None
    assert (
        refusal(2, "", "1 passes", options="no_tile_lay")
        == "This table ruled that a territory has to be laid."
    )
    assert len(OPTIONS) == 1 + sum(len(q.answers) - 1 for q in QUESTIONS.values())


HARD_MARKS = 'mastery hard "Difícil" T 3 needs A 9 basic 4 2'
THEATRE = 'mastery theatre "Teatro" A 6 basic 0 0 "era end: 1 points per basic"'

STORIES = {key: story for key, (story, _expected) in SITUATIONS.items()} | {
    # The owner beyond the circle is somebody else, who has nothing there by the other answer, and as much within it.
    "exchange": f"{RING}\ntile T:RRR at 6,4u\n2 adjusts T +3\n2 adjusts A +3\n1 passes\n1 ends\n2 passes"
    "\n2 builds at 5,4u\n2 ends\n1 passes\n1 ends\n2 passes\n2 builds at 6,4u\n2 ends\n1 lays C:RST at 5,4d",
    "assimilation": f"{HARD_MARKS}\n2 adjusts T +3\n{passing(1)}\n2 passes\n"
    '2 develops hard nodi T1 because "so"\n2 ends\n'
    f"{passing(8)}\n1 adjusts influence +5\nera effects\n1 assimilates hard nodi T1",
    # Another player's card, and another card of the same player, bring points at the end of the Era as well.
    "roles_counted": f"{SANCTUARY}\n{THEATRE}\n{rich(1, 'R6 A6')}\n{rich(2, 'A6')}\n1 passes\n1 develops sanctuary\n"
    f"2 passes\n2 develops theatre\n2 ends\n1 passes\n1 develops theatre\n1 ends\n{passing(7, first=1)}"
    "\n1 adjusts T +1\nera effects\n1 assimilates nothing\nera roles",
}

MARKED: dict[str, dict[str, list[str]]] = {
    "joins": {"once": ["1 P +9 Territory"], "per_side": ["1 P +10 Territory"]},
    "overflow": {
        "per_domain": ["1 points +2 More than 20 in a Reserve"],
        "per_occasion": ["1 points +1 More than 20 in a Reserve"],
    },
    "city_influence": {
        "added": ["1 influence +2 City of level 2"],
        "replaced": ["1 influence +1 City of level 2"],
    },
    "exchange": {"all": ["2 T +1 Exchange"], "circle": ["2 T +0 Exchange"]},
    # A Locus instead of a territory: every number has another reason, and one comes to nothing.
    "cradle": {
        "no_part": ["1 T +1 Territory", "1 C +1 Territory", "1 S +4 Territory", "1 R +1 Territory"],
        "part": ["1 T +1 Locus", "1 C +1 Locus", "1 S +3 Locus", "1 R +0 Territory"],
    },
    "white": {"no_concentration": ["1 T +2 Territory"], "concentration": ["1 T +3 Territory"]},
    "governor_of_two": {"three": ["1 points +3 Governor"], "nothing": ["1 points +0 Governor"]},
    "assimilation": {
        "free": ["1 points +4 Difícil", "1 influence +2 Difícil", "1 points +7 Influence"],
        "prerequisite": [],
    },
    "nodi": {
        "all": ["1 points +10 Objective: 1 of 5 goals, and others are still to be told"],
        "masteries": ["1 points +0 Objective: 0 of 5 goals, and others are still to be told"],
    },
    "no_governor": {"keep": [], "choose": []},
    "no_tile": {"pass": [], "lay": []},
    "roles_counted": {"new": ["1 points +6 Santuário"], "held": ["1 points +0 Santuário"]},
    # By the one answer Black is Diplomat, by the other White; the Inventor's depends on what White would choose.
    "comparison": {
        "one": [
            "2 points +4 Diplomat",
            "2 influence +2 Diplomat",
            "1 points +0 Diplomat",
            "1 influence +0 Diplomat",
        ],
        "every": [
            "1 points +4 Diplomat",
            "1 influence +2 Diplomat",
            "1 points +2 Inventor",
            "2 points +0 Diplomat",
            "2 influence +0 Diplomat",
            "2 points +0 Inventor",
        ],
    },
    "era_end_limit": {"clipped": ["1 A +5 Dote"], "kept": ["1 A +9 Dote"]},
    "lozenge": {
        "two_cells": ["1 C +1 Locus", "1 S +3 Locus", "1 P +1 Locus", "1 R +2 Locus"],
        "no_part": ["1 C +1 Territory", "1 S +2 Territory", "1 P +3 Territory", "1 R +2 Territory"],
    },
}
"""For each question and each answer, the lines that say it."""


def marked(position: Position, key: str) -> list[str]:
    return [
        f"{line.player + 1} {line.unit.value} {line.amount:+} {line.why}"
        for line in position.lines
        if key in dict(line.rulings)
    ]


def settled(key: str, answer: str, then: str = "") -> Position:
    """The table after a story with this ruling, made where the question is asked."""
    lines = [line for line in before_the_question(STORIES[key], key).splitlines() if line.strip()]
    for number, _line in enumerate(lines, 1):
        if play(2, "\n".join(lines[:number]), options="").held is not None:
            return play(
                2, "\n".join([*lines[:number], f"rule {key} {answer}", then, *lines[number:]]), options=""
            )
    raise AssertionError("nothing was asked")


@pytest.mark.parametrize(("key", "answer"), [(key, a) for key in SITUATIONS for a in QUESTIONS[key].answers])
def test_a_number_says_a_ruling_where_another_answer_would_have_changed_it(key: str, answer: str) -> None:
    chosen = "1 chooses S" if answer == "one" else ""

    assert marked(settled(key, answer, chosen), key) == MARKED[key][answer]


def test_a_ruling_made_before_it_matters_marks_the_same_numbers() -> None:
    for key in ("exchange", "cradle", "roles_counted"):
        for answer, expected in MARKED[key].items():
            story = before_the_question(STORIES[key], key)

            assert marked(play(2, f"rule {key} {answer}\n{story}", options=""), key) == expected


def test_the_objectives_are_marked_again_by_the_ruling_that_counts_now() -> None:
    position = settled("nodi", "all")
    for answer in ("masteries", "all"):
        position = DOMINATIONS.apply(position, DOMINATIONS.parse(f"rule nodi {answer}"))

        assert marked(position, "nodi") == MARKED["nodi"][answer]


def test_an_order_of_effects_that_a_ruling_made_the_best_one_says_so() -> None:
    """Counted one in all, no order brings more than three points; counted apart, another one brings four."""
    dawn = 'mastery dawn "Aurora" R 3 basic 0 0 "turn start: 3 V" "turn start: 2 A" "turn start: 1 T"'
    story = (
        f"{dawn}\n{rich(1, 'T19 A19')}\n1 adjusts R +3\n1 passes\n1 develops dawn\n1 ends\n2 passes\n2 ends"
    )
    position = play(2, f"{story}\n1 chooses TTA", options="unasked overflow_per_occasion")

    assert position.points[0] == 3
    assert marked(position, "overflow") == [
        "1 A +1 Aurora",
        "1 A +0 Aurora",
        "1 points +1 More than 20 in a Reserve",
    ]


def test_what_could_not_happen_by_a_ruling_says_so() -> None:
    problems = DOMINATIONS.problems(settled("assimilation", "prerequisite"))

    assert str(problems[-1]) == (
        "assimilates “Difícil”: it does not count by a ruling (what assimilated cards need: Yes, that as well)."
        " The Mastery that this card presupposes is not in the Tree."
    )


def test_what_a_ruling_took_away_is_read_before_the_step_is_taken() -> None:
    """Two play, and the third Era ends: what the Roles bring says that the Governor brings nothing, and why."""
    story = f"{before_the_question(THIRD, 'governor_of_two')}\nrule governor_of_two nothing"
    position = play(2, f"{story}\n1 adjusts P +1\nera effects\n1 assimilates nothing", options="")
    brings = page(position, {})["wizard"].brings

    assert [(line.amount, str(line.why)) for line in brings] == [
        (0, "Governor (ruling, the Governor of two: Nothing)")
    ]


DAWN = 'mastery dawn "Aurora" R 3 basic 0 0 "turn start: 2 V"'
HAS_DAWN = f"{DAWN}\n1 adjusts R +3\n1 passes\n1 develops dawn\n1 ends"
CRADLE_RING = "\n".join(f"tile A:SSS at {cell}" for cell in ("0,0d", "1,0u", "1,-1d", "1,-1u"))


def problems(story: str) -> list[str]:
    return [str(remark.text) for remark in evening(2, story, options="").problems]


def test_a_ruling_is_recorded_though_what_asked_for_it_cannot_happen_by_it() -> None:
    position = play(2, "1 passes\nrule no_tile lay", options="")

    assert (position.rulings["no_tile"], position.held, position.stage) == ("lay", None, "growth")
    assert [dropped.event for dropped in position.dropped] == [Passed(0)]
    assert problems("1 passes\nrule no_tile lay") == [
        "lays no territory: it does not count by a ruling (no territory to lay: No, one has to be drawn)."
        " This table ruled that a territory has to be laid."
    ]
    # The turn goes on with what the table allows.
    assert has(play(2, "1 passes\nrule no_tile lay\n1 produces T1", options=""), 1) == {"T": 1}


def test_a_table_that_has_to_lay_a_territory_is_offered_no_passing() -> None:
    lines = [
        [choice.line for choice in offers(page(play(2, f"rule no_tile {answer}"), {}))]
        for answer in ("pass", "lay")
    ]

    assert ["1 passes" in each for each in lines] == [True, False]


def test_a_round_monument_at_the_cradle_is_dropped_where_the_cradle_is_no_part_of_a_locus() -> None:
    story = (
        f"{GARDENS}\n{ROMAN}\n{CRADLE_RING}\n1 keeps roman and gardens\n{rich(1, 'C3')}\nrule no_tile pass"
    )
    asked = f"{story}\n1 passes\n1 raises gardens at @1,0 nodi C1"
    held = play(2, asked, options="").held

    assert held is not None
    assert held.need.about == "cradle"
    middle = f"{story}\nrule cradle part\n1 passes"
    assert refusal(2, middle, "1 raises gardens at @0,0 nodi C1", options="") == (
        "A round Monument stands in the middle of a complete Locus."
    )
    kept, left = (play(2, f"{asked}\nrule cradle {answer}", options="") for answer in ("part", "no_part"))
    assert (len(kept.board.circles), len(kept.dropped), has(kept, 1)) == (1, 0, {})
    assert (len(left.board.circles), len(left.dropped), has(left, 1)) == (0, 1, {"C": 3})


def test_a_round_monument_beside_a_lozenge_is_dropped_where_a_lozenge_is_no_part_of_a_locus() -> None:
    cards = "\n".join((LIGHTHOUSE.replace(" beside T", ""), ROMAN, EGYPTIAN, GARDENS))
    story = (
        f"rule no_tile pass\nrule joins once\n{cards}\n1 keeps roman and lighthouse\n2 keeps egyptian and gardens\n"
        "1 adjusts T +5\ntile A:SSS at 5,5u\ntile A:SSS at 4,5d\ntile A:SSS at 4,5u\ntile C:PPP at 5,4d\n1 passes\n"
        "1 raises lighthouse at 4,4d+5,4u dots RRRRRR nodi T1\n1 ends\n2 adjusts C +3\n2 passes"
    )
    raises = "2 raises gardens at @5,5 nodi C1"
    held = play(2, f"{story}\n{raises}", options="").held

    assert held is not None
    assert held.need.about == "lozenge"
    stands, left = (
        play(2, f"{story}\n{raises}\nrule lozenge {answer}", options="")
        for answer in ("two_cells", "no_part")
    )
    assert (len(stands.board.circles), len(stands.dropped), has(stands, 2)) == (1, 0, {})
    assert (len(left.board.circles), len(left.dropped), has(left, 2)) == (0, 1, {"C": 3})
    ruled = f"{story}\nrule lozenge no_part"
    assert refusal(2, ruled, raises, options="") == (
        "A round Monument stands in the middle of a complete Locus."
    )
    tapped = {"do": "monument", "key": "gardens"}
    offered = [[*page(play(2, each, options=""), tapped)["targets"]] for each in (story, ruled)]
    assert [len(targets) for targets in offered] == [1, 0]


def test_a_card_is_read_out_though_it_costs_more_than_there_is() -> None:
    story = f"{rich(1, 'T3')}\n1 passes\n1 develops market nodi T1"
    taught = f'{story}\nmastery market "Mercado" T 9 basic 0 0'

    assert ("market" in play(2, taught).taught, has(play(2, taught), 1)) == (True, {"T": 3})
    assert [str(dropped.reason) for dropped in play(2, taught).dropped] == [
        "This costs 9, and there is only 3 in the Reserve."
    ]
    assert refusal(2, taught, "1 ends") == ""


def test_what_is_told_meanwhile_leaves_what_is_asked_as_it_is() -> None:
    story = "tile A:SVS at 4,0u\n1 lays T:SRR at 4,0d"

    assert refusal(2, story, "tile C:CCC at 4,0d") == "Something lies there already."


def test_nobody_is_asked_about_what_the_rules_forbid_anyway() -> None:
    of_three = f"{HAS_DAWN}\n2 passes\n2 ends\n3 passes"
    assert refusal(3, of_three, "2 lays T:TTT at 0,0d") == "It is another player's turn."
    # Who is next is asked, as ever.
    held = play(3, f"{of_three}\n1 lays T:TTT at 0,0d").held
    assert held is not None
    assert (held.need.ask, held.need.player) == ("domains", 0)


@pytest.mark.parametrize("options", ("", UNASKED))
def test_answers_that_cannot_be_meant_are_refused_before_anything_else_is_asked(options: str) -> None:
    story = "tile A:APV at 4,0u\ntile A:SSP at 5,0u"
    asked = "1 lays T:PVP at 4,0d"
    held = play(2, f"{story}\n{asked}", options="").held
    assert held is not None
    assert (held.need.ask, held.need.about) == ("ruling", "joins")

    assert refusal(2, story, f"{asked} choosing TTTT", options).startswith("Choose ")
    assert refusal(2, story, f"{asked} choosing TT", options) == ""


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
    assert len(difference.after.problems) == 4


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
