"""Each fault of the table on a real rig: what it promises is what the page shows, and it can be put right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.errors import IllegalEvent
from companion.virtual.collision import gap_between, outline_of
from companion.watch.state import Status
from tests.watch.people import ANA, OPENING, People, Shown

CALM = Shown(Status.WATCHING)
DISAGREE = "The page says that"
NOTHING = "Nothing should happen"
BOTH = "The page proposes both"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    found = People(tmp_path)
    yield found
    found.close()


def cause(people: People, key: str) -> str:
    """Let it happen; what is told of it."""
    people.virtual.cause(key)
    return told(people, key)


def told(people: People, key: str) -> str:
    return str(next(fault.told for fault in people.virtual.faults if fault.key == key))


def pieces(people: People, key: str) -> tuple[str, ...]:
    return next(fault.pieces for fault in people.virtual.faults if fault.key == key)


def put_right(people: People, key: str) -> Shown:
    people.virtual.cause(key)
    return people.look()


def holds(shown: Shown, promise: str) -> bool:
    """Whether the page shows what was promised."""
    if NOTHING in promise:
        return shown == CALM
    if BOTH in promise:
        return len(shown.proposed) > 1 and shown.disagree == shown.asked == ()
    return DISAGREE in promise and bool(shown.disagree)


def test_the_last_piece_of_a_turn_laid_wrongly_is_disagreed_about(people: People) -> None:
    promise = cause(people, "wrong")
    shown = people.look()

    assert holds(shown, promise), (shown, promise)
    assert pieces(people, "wrong") == ("domino-17",)
    assert "Domino 17 of Rui" in shown.disagree[0]
    assert put_right(people, "wrong") == CALM


def test_the_last_piece_of_a_turn_is_taken_back_and_missed(people: People) -> None:
    promise = cause(people, "back")
    shown = people.look()

    assert holds(shown, promise), (shown, promise)
    assert shown.disagree == ("Domino 17 of Rui is not where it was.",)
    assert put_right(people, "back") == CALM


def test_a_figure_is_knocked_onto_free_cloth_and_missed(people: People) -> None:
    for _time in range(3):
        promise = cause(people, "figure")
        shown = people.look()
        assert holds(shown, promise), (shown, promise)
        assert put_right(people, "figure") == CALM


def test_a_figure_never_seems_to_stand_on_anything_after_it_was_knocked(people: People) -> None:
    faces = people.scene.faces
    for _time in range(20):
        cause(people, "figure")
        (figure,) = (people.find(piece) for piece in pieces(people, "figure"))
        own = outline_of(figure, faces[figure.face])
        flat = [one for one in people.virtual.lying if not faces[one.face].stands]
        assert min(gap_between(own, outline_of(one, faces[one.face])) for one in flat) > 5
        people.virtual.cause("figure")


def test_a_shove_is_followed_or_missed_as_was_told(people: People) -> None:
    left = {True: 3, False: 3}
    while any(left.values()):
        promise = cause(people, "shoved")
        if left[NOTHING in promise]:
            left[NOTHING in promise] -= 1
            shown = people.look()
            assert holds(shown, promise), (shown, promise, pieces(people, "shoved"))
            assert put_right(people, "shoved") == CALM
        else:
            people.virtual.cause("shoved")


@pytest.mark.parametrize("key", ("napkin", "cup"))
def test_what_is_put_on_pieces_changes_nothing_as_was_told(people: People, key: str) -> None:
    promise = cause(people, key)

    assert NOTHING in promise
    assert people.look() == CALM
    people.lay(*ANA)
    assert people.look() == Shown(Status.WATCHING, proposed=ANA)


def test_two_turns_are_legal_and_both_proposed(people: People) -> None:
    lay_before = people.virtual.lying
    promise = cause(people, "haste")
    shown = people.look()

    assert holds(shown, promise), (shown, promise)
    assert [line.split()[:2] for line in shown.proposed] == [
        ["1", "lays"],
        ["1", "takes"],
        ["2", "lays"],
        ["2", "takes"],
    ]
    assert put_right(people, "haste") == CALM
    assert sorted(people.virtual.lying, key=str) == sorted(lay_before, key=str)


def test_two_turns_are_recorded_like_any_others(people: People) -> None:
    cause(people, "haste")
    shown = people.look()
    people.push(0)

    assert people.lines == shown.proposed
    assert people.look(0.2) == CALM


def test_a_fault_that_would_change_nothing_says_why_it_does_not_happen(tmp_path: Path) -> None:
    people = People(tmp_path, OPENING)
    said = []
    for key in ("wrong", "back"):
        with pytest.raises(IllegalEvent) as error:
            people.virtual.cause(key)
        said.append(str(error.value))
    people.lay("1 lays 3 at 1,0 E")
    with pytest.raises(IllegalEvent) as error:
        people.virtual.cause("haste")
    said.append(str(error.value))
    people.close()

    assert said == [
        "No turn has laid a piece yet that could lie wrongly.",
        "No turn has laid a piece yet that could be taken back.",
        "Something that lies there is not in the log yet, or something is missing: see to that first.",
    ]
