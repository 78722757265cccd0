"""What goes wrong with pieces: each fault on a real rig, with what people are told and what is kept."""

from __future__ import annotations

import pytest

from companion.core.observation import Face
from companion.virtual.scene import CUP, NAPKIN
from companion.watch.state import Status
from tests.watch.people import ANA, LINE, RUI, People, Shown

CALM = Shown(Status.WATCHING)


def goes_on(people: People, *told: str) -> None:
    """Rui lays his domino, then somebody a line; the log has all of it, and nothing that was not meant."""
    people.lay(*RUI)
    people.look()
    people.push(1)
    people.lay(LINE)
    people.look()
    people.push(None)

    assert people.lines == (*told, *RUI, LINE)
    assert people.look(0.2) == CALM


def test_a_domino_laid_the_wrong_way_round_is_put_right_in_the_log_too(people: People) -> None:
    people.lay(*ANA)
    people.move("domino-24", turn=180)
    assert people.look().proposed == ("1 lays 24 at 0,2 N", "1 takes 40")
    people.push(0)
    people.move("domino-24", turn=180)
    said = "Domino 24 of Ana has been moved."

    assert people.look() == Shown(Status.PAUSED, said, disagree=(said,), ways=("again", "moved", "go-on"))
    people.take("moved")
    assert people.lines == ("1 lays 24 at 0,2 N", "1 takes 40", "correct 12: 1 lays 24 at 0,1 S")
    goes_on(people, *people.lines)


def test_a_domino_laid_against_the_rules_is_asked_about_and_laid_differently(people: People) -> None:
    people.lay(ANA[0])
    meant, forest = people.find("domino-24"), people.find("domino-3")
    people.scene.put("domino-24", forest.x - 61, forest.y + 20, 0)
    question = (
        "Domino 24 may not lie there. There it touches neither the castle nor a square of its own terrain."
    )

    assert people.look() == Shown(Status.WATCHING, asked=(question,))
    people.push(0)
    assert (people.told, people.lines) == ("There is a question on the page.", ())
    people.put_back(meant)
    people.lay(*ANA)
    assert people.look() == Shown(Status.WATCHING, proposed=ANA)
    people.push(0)
    goes_on(people, *ANA)


def test_two_turns_before_one_was_read_are_told_in_their_order(people: People) -> None:
    people.lay(*ANA, *RUI)

    assert people.look() == Shown(Status.WATCHING, proposed=(*ANA, *RUI))
    people.push(1)
    assert (people.told, people.lines) == ("It is the turn of Ana.", ())
    people.push(0)
    assert (people.did, people.lines) == ("Recorded", (*ANA, *RUI))
    assert people.look(0.2) == CALM


def test_a_domino_taken_back_pauses_until_it_lies_there_again(people: People) -> None:
    people.lay(*ANA)
    people.look()
    people.push(0)
    there, said = people.find("domino-24"), "Domino 24 of Ana is not where it was."
    people.scene.remove("domino-24")

    assert people.look() == Shown(Status.PAUSED, said, disagree=(said,), ways=("again", "undo", "go-on"))
    people.push(1)
    assert (people.told, people.lines) == ("Table and log disagree: look at the page.", ANA)
    people.put_back(there)
    assert people.look() == CALM
    goes_on(people, *ANA)


def test_a_domino_taken_back_for_good_is_taken_out_of_the_log(people: People) -> None:
    people.lay(ANA[0])
    people.look()
    people.push(0)
    there = people.find("domino-24")
    people.scene.remove("domino-24")

    assert people.look().ways == ("again", "undo", "go-on")
    people.take("undo")
    assert people.lines == (ANA[0], "withdraw 12")
    people.put_back(there)
    people.lay(*ANA)
    assert people.look() == Shown(Status.WATCHING, proposed=ANA)
    people.push(0)
    goes_on(people, ANA[0], "withdraw 12", *ANA)


def test_a_domino_shoved_a_little_is_followed_and_far_away_told(people: People) -> None:
    people.move("domino-17", x=4, y=-3, turn=4)
    assert people.look() == CALM
    people.move("domino-17", x=-4, y=3, turn=-4)
    there, said = people.find("domino-17"), "Domino 17 of Rui is not where it was."
    people.move("domino-17", x=-60, y=-100, turn=30)

    shown = people.look()
    assert (shown.status, shown.said, shown.ways) == (Status.PAUSED, said, ("again", "go-on"))
    people.put_back(there)
    assert people.look() == CALM
    people.lay(*ANA)
    people.look()
    people.push(0)
    goes_on(people, *ANA)


@pytest.mark.parametrize("thing", (NAPKIN, CUP), ids=("napkin", "cup"))
def test_a_domino_under_a_thing_that_is_no_piece_lies_there_still(people: People, thing: Face) -> None:
    hidden = people.find("domino-17")
    people.scene.add(thing.label, thing)
    people.scene.put(thing.label, hidden.x, hidden.y, 20)

    assert people.look() == CALM
    people.lay(*ANA)
    assert people.look() == Shown(Status.WATCHING, proposed=ANA)
    people.push(0)
    people.scene.remove(thing.label)
    assert people.look() == CALM
    goes_on(people, *ANA)


def test_a_domino_that_was_taken_from_under_a_napkin_is_missed_when_the_napkin_goes(people: People) -> None:
    hidden, said = people.find("domino-17"), "Domino 17 of Rui is not where it was."
    people.scene.add("napkin", NAPKIN)
    people.scene.put("napkin", hidden.x, hidden.y, 20)
    people.look()
    people.scene.remove("domino-17")
    assert people.look() == CALM
    people.scene.remove("napkin")

    assert people.look() == Shown(Status.PAUSED, said, disagree=(said,), ways=("again", "go-on"))
    people.put_back(hidden)
    assert people.look() == CALM
    assert people.lines == ()
