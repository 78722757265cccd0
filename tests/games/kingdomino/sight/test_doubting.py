"""Questions: what they offer, and what else is told while they are open."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.core.game import Setup
from companion.core.observation import SURE, Area, Observation
from companion.games.kingdomino.rules.events import DominoDiscarded, DominoPlaced
from companion.games.kingdomino.rules.kingdom import STEPS, Placement
from companion.games.kingdomino.rules.position import Position
from companion.games.kingdomino.sight.registration import sort_out
from tests.games.kingdomino.sight.tables import GAME, LATER, Table, answers, asked, disputed, proposed, table
from tests.games.kingdomino.sight.test_reading import events_of_a_game

LAID = "1 lays 24 at 0,1 S"
UNCLEAR = "Not seen clearly. Ana places domino 24?"
RUI_AND_LINE = ("2 lays 41 at 0,1 S", "2 takes 12", "line 7 8 9 15", "2 lays 12 at -1,0 W", "2 takes 7")
TOUCHES_NOTHING = "There it touches neither the castle nor a square of its own terrain."


def test_a_domino_that_has_gone_is_told_while_another_one_is_asked_about() -> None:
    ours = Table(*LATER)
    found = ours.without(ours.shows(LAID), 1, (1, 0), (2, 0))
    reading = ours.read(ours.unclear(found, 0, (0, 1), (0, 2)))

    assert asked(reading) == [UNCLEAR]
    assert disputed(reading) == ["Domino 17 of Rui is not where it was."]


def test_a_line_that_is_not_clear_is_asked_about_in_pictures() -> None:
    """Twins have one picture, so that of 25 is among them; what is shown is the domino that is not clear."""
    ours = Table()
    found = ours.shows("line 20 25 30 40")
    half = ours.apart(found, 20).left
    reading = ours.read(
        [replace(one, confidence=0.2, runner_up="w0") if one is half else one for one in found]
    )

    (doubt,) = reading.doubts
    drawn = [[picture.face for picture in choice.pictures] for choice in doubt.choices]
    assert drawn[:2] == [
        ["domino-20", "domino-24", "domino-30", "domino-40"],
        ["domino-14", "domino-24", "domino-30", "domino-40"],
    ]
    assert drawn[-1] == []
    assert [picture.unsure for picture in doubt.choices[0].pictures] == [True, False, False, False]
    assert doubt.area == ours.apart(found, 20).area


def test_what_follows_from_an_open_question_is_no_disagreement() -> None:
    ours = Table(*LATER)
    found = ours.shows(LAID, "1 takes 40", "2 lays 41 at 0,1 S", "2 takes 12", "line 7 8 9 15")
    reading = ours.read(ours.unclear(found, 0, (0, 1), (0, 2)))

    assert (proposed(reading), asked(reading), disputed(reading)) == ([], [UNCLEAR], [])


@pytest.mark.parametrize(("confidence", "seen"), ((0.3, ([LAID], [], [])), (0.03, ([], [UNCLEAR], []))))
def test_one_clear_half_is_enough_for_the_domino_that_the_log_expects(
    confidence: float, seen: tuple[list[str], list[str], list[str]]
) -> None:
    """Unless the other one may as well be something else."""
    ours = Table(*LATER)
    reading = ours.read(ours.unclear(ours.shows(LAID), 0, (0, 2), confidence=confidence))

    assert (proposed(reading), asked(reading), disputed(reading)) == seen


def test_a_second_thing_that_is_not_clear_waits_for_its_turn() -> None:
    ours = Table(*LATER)
    found = ours.shows(LAID, "1 takes 40", "2 lays 41 at 0,1 S")
    reading = ours.read(ours.unclear(ours.unclear(found, 0, (0, 1), (0, 2)), 1, (0, 1), (0, 2)))

    assert (asked(reading), disputed(reading)) == ([UNCLEAR], [])


def test_an_answer_records_what_was_seen_before_the_question_too() -> None:
    ours = Table(*LATER)
    found = ours.shows(LAID, "1 takes 40", "2 lays 41 at 0,1 S")
    reading = ours.read(ours.unclear(found, 1, (0, 1), (0, 2)))

    assert proposed(reading) == [LAID, "1 takes 40"]
    assert answers(reading.doubts[0]) == [
        ("Yes", (LAID, "1 takes 40", "2 lays 41 at 0,1 S")),
        ("No, something else", ()),
    ]


def test_a_line_that_is_not_clear_is_no_disagreement_even_with_kings_on_it() -> None:
    ours = Table()
    found = [
        replace(one, confidence=0.2, runner_up="g1") if one.label == "g2" else one
        for one in ours.shows("line 3 17 24 41", "2 takes 41", "1 takes 3")
    ]
    reading = ours.read(found)

    assert (asked(reading), disputed(reading)) == (["Which dominoes are in the new line?"], [])
    assert answers(reading.doubts[0])[:2] == [("", ("line 3 17 24 41",)), ("", ("line 3 17 24 36",))]


def test_a_king_that_is_not_clear_is_asked_about_and_what_was_laid_since_is_not_odd() -> None:
    ours = Table(*LATER[:-3])
    found = [
        replace(one, confidence=0.3) if one.label == "king-pink" else one
        for one in ours.shows("1 takes 20", "2 lays 17 at 1,0 E")
    ]
    reading = ours.read(found)

    assert (asked(reading), disputed(reading)) == (["Not seen clearly. Ana chooses domino 20?"], [])


def test_one_half_of_a_domino_is_asked_about_with_what_it_may_be() -> None:
    ours = Table(*LATER)
    found = ours.without(ours.shows("1 lays 24 at 3,0 E"), 0, (4, 0))
    reading = ours.read(ours.without(found, 1, (1, 0), (2, 0)))

    assert asked(reading) == ["Ana: domino 24 comes next. How does it lie?"]
    assert answers(reading.doubts[0]) == [
        ("In the picture: Forest, then Wheat field downwards", ("1 lays 24 at 3,0 E",)),
        ("In the picture: Forest, then Wheat field to the right", ("1 lays 24 at 3,0 N",)),
        ("In the picture: Forest, then Wheat field to the left", ("1 lays 24 at 3,0 S",)),
        ("Something else", ()),
    ]
    assert disputed(reading) == ["Domino 17 of Rui is not where it was."]


def test_both_ways_round_are_offered_only_if_both_may_be_seen() -> None:
    ours = Table(*LATER)
    found = ours.shows(LAID)
    wheat, forest = ours.lying(found, 0, (0, 2), (0, 1))
    smudged = tuple(replace(one, label="m3", confidence=0.4) if one is wheat else one for one in found)
    blurred = tuple(replace(one, label="l0", confidence=0.4) if one is forest else one for one in smudged)

    assert [said[1] for said in answers(ours.read(smudged).doubts[0])] == [(LAID,), ()]
    assert [said[1] for said in answers(ours.read(blurred).doubts[0])] == [
        (LAID,),
        ("1 lays 24 at 0,2 N",),
        (),
    ]


def test_a_domino_laid_against_the_rules_is_told_and_why() -> None:
    ours = Table(*LATER)
    reading = ours.read(ours.shows('1 lays 24 at 4,0 W because "to see"'))

    assert asked(reading) == [f"Domino 24 may not lie there. {TOUCHES_NOTHING}"]
    assert answers(reading.doubts[0]) == [
        ("It lies there all the same", ('1 lays 24 at 4,0 W because "as it lies on the table"',)),
        ("We lay it elsewhere", ()),
    ]
    assert disputed(reading) == []


def test_a_domino_laid_too_far_from_the_castle_is_told_and_why() -> None:
    ours = Table(*LATER, "1 lays 24 at 3,0 E", "1 takes 40", *RUI_AND_LINE)
    reading = ours.read(ours.shows('1 lays 20 at -1,0 N because "to see"'))

    assert asked(reading) == [
        "Domino 20 may not lie there. There the kingdom would be larger than 5 by 5 squares."
    ]


def test_what_was_laid_against_the_rules_hides_no_disagreement() -> None:
    ours = Table(*LATER)
    found = ours.shows('1 lays 24 at 4,0 W because "to see"', "1 takes 40")
    reading = ours.read(ours.without(found, 1, (1, 0), (2, 0)))

    assert len(reading.doubts) == 1
    assert disputed(reading) == ["Domino 17 of Rui is not where it was."]


def test_a_domino_that_fits_nowhere_and_is_laid_all_the_same_may_go_back_into_the_box() -> None:
    setup, log, misfit = somebody_stuck()
    ours = Table(log=log, setup=setup)
    after = GAME.apply(log, misfit)
    reading = ours.read(Table(log=after, setup=setup).shows())
    number = misfit.placement.domino

    assert len(reading.doubts) == 1
    assert asked(reading)[0].startswith(f"Domino {number} may not lie there. There ")
    assert asked(reading)[0].endswith(". It fits nowhere: it may be put back into the box.")
    assert [text for text, _events in answers(reading.doubts[0])] == [
        "It lies there all the same",
        "It goes back into the box",
        "Something else",
    ]
    assert reading.doubts[0].choices[1].events == (DominoDiscarded(misfit.player, number),)


def somebody_stuck(among: int = 0) -> tuple[Setup, Position, DominoPlaced]:
    """A game in which Ana has to discard, and lays that domino all the same, with so many left in the line."""
    setup = table(2)
    for seed in range(40):
        for log, event in events_of_a_game(setup, seed):
            left = log.line[log.placed :]
            if isinstance(event, DominoDiscarded) and event.player == 0 and len(left) >= among:
                return setup, log, DominoPlaced(event.player, somewhere(log, event))
    raise AssertionError("nobody is ever stuck")


def somewhere(log: Position, event: DominoDiscarded) -> Placement:
    """Two free squares in a row beside the kingdom."""
    taken = log.kingdoms[event.player].squares
    return next(
        way
        for x, y in taken
        for direction, (dx, dy) in STEPS.items()
        if taken.keys().isdisjoint(
            (way := Placement(event.domino, x + dx, y + dy, direction, "to see")).cells
        )
    )


def test_a_domino_that_has_gone_and_fits_nowhere_is_taken_for_discarded_but_not_for_seen() -> None:
    ours, number, found = gone_and_fits_nowhere()
    (proposal,) = ours.read(found).proposals

    assert proposal.event == DominoDiscarded(ours.log.player or 0, number)
    assert not proposal.shown


@pytest.mark.parametrize("where", ("on it", "beside the line", "by the castle", "far away"))
def test_a_domino_that_something_may_hide_is_not_taken_for_discarded(where: str) -> None:
    ours, number, found = gone_and_fits_nowhere()
    lay = ours.apart(ours.shows(), number).area
    castle = next(one for one in found if one.label == "castle-pink")
    x, y = {
        "on it": (lay.x, lay.y),
        "beside the line": (lay.x + 60, lay.y),
        "by the castle": (castle.x, castle.y + 60),
        "far away": (1500.0, 50.0),
    }[where]
    reading = ours.read(found, Area(x, y, 80, 50))

    assert bool(reading.proposals) is (where == "far away")
    if where != "far away":
        assert str(reading.waiting) == f"Something may hide domino {number}: take it away, then look again."


def test_a_domino_of_which_one_half_is_seen_is_not_taken_for_discarded() -> None:
    ours, number, found = gone_and_fits_nowhere()
    half = ours.apart(ours.shows(), number).left

    assert ours.read((*found, half)).proposals == ()


def gone_and_fits_nowhere() -> tuple[Table, int, tuple[Observation, ...]]:
    """A table of which the domino that comes next is missing, with its king."""
    setup, log, misfit = somebody_stuck(among=3)
    ours, number = Table(log=log, setup=setup), misfit.placement.domino
    found = ours.shows()
    king = ours.king_on(found, number)
    return ours, number, tuple(one for one in ours.taken(found, number) if one != king)


def test_a_domino_nobody_could_mean_is_no_question() -> None:
    ours = Table(*LATER)
    laid = ours.lying(found := ours.shows(LAID), 0, (0, 1), (0, 2))
    strange = tuple(replace(one, label="m3") if one in laid else one for one in found)
    reading = ours.read(strange)

    assert (asked(reading), proposed(reading)) == ([], [])
    assert disputed(reading) == ["2 squares in the kingdom of Ana are not in the log."]


def test_a_new_line_that_nothing_of_the_box_makes_is_no_question() -> None:
    ours = Table(*LATER, LAID, "1 takes 40", "2 lays 41 at 0,1 S", "2 takes 12")
    found = ours.shows("line 7 8 9 15")
    reading = ours.read([replace(one, label="m0") if one.label == "g0" else one for one in found])

    assert (asked(reading), proposed(reading)) == ([], [])
    assert disputed(reading) == ["A domino lies on the table that is not in the log."]
    assert str(reading.waiting) == "3 of 4 dominoes of the new line are seen."


@pytest.mark.parametrize("seed", range(12))
def test_every_question_has_an_answer_and_every_answer_can_be_recorded(seed: int) -> None:
    """Whatever is seen on a table on which nothing is as it should be."""
    random, setup = Random(seed), table(2 + seed % 3)
    labels = [face.label for face in GAME.sight.faces]
    for position, _event in events_of_a_game(setup, seed):
        ours = Table(log=position, setup=setup)
        found = [spoilt(one, random, labels) for one in ours.shows() if random.random() < 0.95]
        reading = ours.read(found)

        assert_recordable(position, tuple(proposal.event for proposal in reading.proposals))
        for doubt in reading.doubts:
            assert doubt.choices[0].events, "a question without an answer"
            assert doubt.choices[-1].events == ()
            for choice in doubt.choices:
                assert_recordable(position, choice.events)


def spoilt(one: Observation, random: Random, labels: list[str]) -> Observation:
    if random.random() < 0.8:
        return one
    label, other = random.choices(labels, k=2)
    return replace(
        one, label=label, runner_up=other, confidence=random.random(), x=one.x + random.gauss(0, 9)
    )


def assert_recordable(position: Position, events: tuple[object, ...]) -> None:
    for event in events:
        position = GAME.apply(position, GAME.parse(GAME.write(event)))  # type: ignore[arg-type]


def test_a_question_waved_away_says_what_to_do() -> None:
    ours = Table(*LATER)
    reading = ours.read(ours.unclear(ours.shows(LAID), 0, (0, 1), (0, 2)))

    assert str(reading.waiting) == "Tap in what happened, or put it right on the table."


def test_squares_that_may_be_halves_of_other_dominoes_are_not_sure() -> None:
    """Wheat and forest above wheat and forest: by how they are turned, wheat may as well lie by wheat."""
    ours = Table("line 3 17 24 41")
    squares = (
        Observation("w0", 700, 600, 90),
        Observation("f0", 740, 600, 180),
        Observation("w0", 700, 641, 0),
        Observation("f0", 740, 641, 270),
    )
    apart = sort_out(ours.setup, [kingdom.squares for kingdom in ours.log.kingdoms], squares).apart

    assert len(apart) == 2
    assert all(one.confidence < SURE for one in apart)
