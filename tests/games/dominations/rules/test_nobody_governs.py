"""Nobody is Governor: before the next Era begins the table rules, and chooses the order by tapping its players."""

from __future__ import annotations

from companion.games.dominations.page.page import page
from companion.games.dominations.rules.position import Position
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import DOMINATIONS, evening, passing, play, refusal

AT_ROLES = f"rule no_tile pass\n{passing(15, players=3)}\nera effects\n1 assimilates nothing"
NEXT = f"{AT_ROLES}\nera roles"
ORDER = "Nobody is Governor: choose the order"


def era_and_order(story: str, options: str = "") -> tuple[int, tuple[int, ...], int]:
    position = play(3, story, options=options)
    return position.era, position.order, position.player


def people(position: Position, **wish: str) -> dict[int | None, str | None]:
    """Who can be tapped on the Initiative track: by the last tap what it records, by others who is told so far."""
    found = [c for c in offers(page(position, wish)) if c.to.get("order") or c.line.startswith("order ")]
    return {choice.player: choice.line or choice.to["order"] for choice in found}


def test_an_era_that_begins_without_a_governor_asks_for_the_ruling() -> None:
    session = evening(3, f"{NEXT}\nera next", options="")

    assert (str(session.turn.action), session.turn.player) == (
        "Nobody is Governor. Does the order stay, or may the table choose it?",
        None,
    )
    assert era_and_order(f"{NEXT}\nera next\nrule no_governor keep") == (2, (0, 1, 2), 0)


def test_a_governor_orders_and_nobody_is_asked() -> None:
    story = NEXT.replace("era effects", "2 adjusts P +1\nera effects")

    assert era_and_order(f"{story}\norder 3 2 1\nera next") == (2, (2, 1, 0), 2)


def test_the_table_taps_its_order_and_the_era_begins() -> None:
    story = f"{NEXT}\nera next\nrule no_governor choose"
    held = play(3, story, options="")

    assert str(DOMINATIONS.turn(held).action) == ORDER
    assert str(page(held, {})["hand"].title) == ORDER
    assert people(held) == {0: "1", 1: "2", 2: "3"}
    assert people(held, order="3") == {0: "order 3 1 2", 1: "order 3 2 1"}
    assert era_and_order(f"{story}\norder 3 2 1") == (2, (2, 1, 0), 2)
    assert refusal(3, story, "order 3 2", options="") == "This is not among the choices."
    assert refusal(3, story, "1 chooses 321", options="").startswith("The whole table is asked")


def test_a_table_that_ruled_from_the_start_taps_its_order_before_the_era() -> None:
    position = play(3, NEXT, options="no_governor_choose")

    assert str(page(position, {})["hand"].title) == str(DOMINATIONS.turn(position).action) == ORDER
    assert people(position, order="2") == {0: "order 2 1 3", 2: "order 2 3 1"}
    lines = [choice.line for choice in offers(page(position, {}))]
    assert "era next" not in lines
    ordered = play(3, f"{NEXT}\norder 2 3 1", options="no_governor_choose")
    assert "era next" in [choice.line for choice in offers(page(ordered, {}))]
    assert era_and_order(f"{NEXT}\norder 2 3 1\nera next", "no_governor_choose") == (2, (1, 2, 0), 1)


def test_a_role_put_right_after_the_order_has_the_table_asked_again() -> None:
    story = f"{NEXT}\norder 2 3 1\n3 holds governor"

    assert refusal(3, story, "era next", "no_governor_choose") == "The Governor determines the order first."
    assert era_and_order(f"{story}\nnobody holds governor\nera next\norder 1 2 3", "no_governor_choose") == (
        2,
        (0, 1, 2),
        0,
    )


def test_an_era_that_people_went_on_to_asks_as_well() -> None:
    """Steps before it are counted on the way, so that the order is part of the entry that waits for it."""
    story = f'{AT_ROLES}\nera next because "late"\nrule no_governor choose'

    assert era_and_order(f"{story}\norder 3 2 1") == (2, (2, 1, 0), 2)
    left = f'{story}\n1 passes because "we went on"'
    assert era_and_order(left) == (2, (0, 1, 2), 0)
    (*_others, problem) = DOMINATIONS.problems(play(3, left, options=""))
    assert str(problem).endswith(f"nobody answered “{ORDER}”")
