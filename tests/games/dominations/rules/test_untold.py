"""What nobody has told is never quietly left out: it is asked, and said beside every number that depends on it."""

from __future__ import annotations

import pytest

from companion.core.tally import Tally
from companion.games.dominations.page.presenter import page
from companion.games.dominations.page.problems import problems
from tests.games.dominations.crawling import offers
from tests.games.dominations.stories import (
    DOMINATIONS,
    LIGHTHOUSE,
    ROMAN,
    era_over,
    has,
    play,
    refusal,
    rich,
)

ENDING = "era effects\n1 assimilates nothing\nera roles"
LAST_ERA = f"{era_over()}\n{ENDING}\nera next\n" * 2 + f"{era_over()}\n{ENDING}"
ONE_CARD = f"{ROMAN}\n{LIGHTHOUSE}\n1 keeps roman and lighthouse\n{LAST_ERA}"


def tally(story: str) -> Tally:
    return DOMINATIONS.tally(play(2, story))


def test_everybody_is_asked_for_their_goals_whoever_had_a_card_read_out() -> None:
    view = page(play(2, ONE_CARD), {})

    asked = {number: [choice.line for choice in seat.goals_said] for number, seat in enumerate(view["seats"])}

    assert asked == {0: [], 1: [f"2 reached {count} goals" for count in range(6)]}


def test_nobody_wins_before_everybody_has_told_their_goals() -> None:
    open_yet, told = (
        tally(f"{ONE_CARD}\nera objectives"),
        tally(f"{ONE_CARD}\nera objectives\n2 reached 3 goals"),
    )

    assert (open_yet.standing.winners, open_yet.totals) == ((), (0, 0))
    assert [(line.player, str(line.reason)) for line in open_yet.unknown] == [
        (1, "Objective: nobody has said how many goals are reached, in Era 3")
    ]
    assert (told.standing.winners, told.totals, told.unknown) == ((1,), (0, 40), ())


def test_goals_that_are_told_before_the_count_are_counted_with_it() -> None:
    assert tally(f"{ONE_CARD}\n2 reached 5 goals\n2 reached 1 goals\nera objectives").totals == (0, 10)


def test_a_card_that_was_read_out_is_counted_goal_by_goal() -> None:
    both = f"{ROMAN}\n{LIGHTHOUSE}\n1 keeps roman and lighthouse"

    assert refusal(2, both, "1 reached 3 goals").startswith(
        "The goals of this Objective are counted one by one"
    )


def test_nodi_that_nobody_told_are_asked_for_and_not_taken_for_none() -> None:
    nodi = ROMAN.replace("nodi T7 A5 P3", "nodi C1")
    gardens = 'monument gardens "Jardins" circle'
    hidden = 'mastery kiln "Forno" C 3 basic 0 0'
    story = (
        f"{nodi}\n{gardens}\n{hidden}\n1 keeps roman and gardens\n1 adjusts C +3\n1 passes\n1 develops kiln\n"
    )
    position = play(2, f"{story}1 ends\n2 passes\n2 ends\n")
    seen = page(position, {"look": "1"})["look"]["seat"].goals[3]

    assert (seen.far, seen.reached, seen.tick) == ((), False, "1 reached 4")


BESIDE_THE_CRADLE = "1 lays T:CCC at 0,0d"
DOTS = "cradle PPPPPPPPPPPP"


def test_a_territory_that_is_joined_to_an_untold_cradle_says_so_to_the_end() -> None:
    position = play(2, BESIDE_THE_CRADLE)
    told = next(remark for remark in problems(position) if "Cradle" in str(remark.text))

    assert told.where == ("0,0d",)
    assert has(play(2, f"{DOTS}\n{BESIDE_THE_CRADLE}"), 1) == {"T": 1, "C": 2, "P": 2}
    assert not [r for r in problems(play(2, f"{DOTS}\n{BESIDE_THE_CRADLE}")) if "Cradle" in str(r.text)]
    over = f"{BESIDE_THE_CRADLE}\n1 ends\n2 passes\n2 ends\n" + "1 passes\n1 ends\n2 passes\n2 ends\n" * 4
    rest = f"{ENDING}\nera next\n{era_over()}\n{ENDING}\nera next\n{era_over()}\n{ENDING}\nera objectives"
    assert [str(line.reason) for line in tally(over + rest).unknown if line.player == 0][-1:] == [
        "territories beside the Cradle, without its dots"
    ]


def test_the_dots_of_the_cradle_are_asked_for_when_the_first_number_depends_on_them() -> None:
    wish = {"at": "0,0d"}
    asked = [choice.line or str(choice.to["do"]) for choice in offers(page(play(2, ""), wish))]

    assert asked == ["cradle", f"cradle {'-' * 12}", f"cradle {'?' * 12}"]
    for said in asked[1:]:
        assert [c.domain for c in offers(page(play(2, said), wish))] == [*"TCASPR"]


NUMBERS = f"tile T:CCC at 0,0d\n{rich(1, 'T9')}\n1 produces C1"


def test_a_city_is_never_built_beside_the_map_without_asking_where() -> None:
    position = play(2, NUMBERS)
    city = next(c for c in offers(page(position, {})) if str(c.text) == "City of Trade")
    places = page(position, {key: value for key, value in city.to.items() if value})

    assert [target.to["at"] for target in places["targets"]] == ["0,0d"]
    assert [c.line for c in offers(places)] == ["1 builds T"]


def test_where_everything_is_drawn_the_only_field_is_the_place() -> None:
    position = play(2, f"{rich(1, 'T9')}\n1 lays T:CCC at 0,0d\n1 ends\n2 passes\n2 ends\n1 passes")
    found = [c.line for c in offers(page(position, {"tier": "ledger"})) if str(c.text) == "City of Trade"]

    assert found == ["1 builds at 0,0d"]


ELSEWHERE = f"{NUMBERS}\n1 builds T\n1 ends\n{DOTS}"


def test_the_place_of_a_city_is_asked_when_a_territory_may_pay_it() -> None:
    position = play(2, ELSEWHERE)
    asked = page(position, {"tier": "map", "at": "1,0u"})
    lines = [(c.line, {k: v for k, v in c.to.items() if v}) for c in offers(asked)]

    assert lines == [
        ("1 has T1 at 0,0d", {}),
        ("", {"tier": "map", "at": "1,0u", "sure": "1"}),
    ]
    assert [c.domain for c in offers(page(position, lines[1][1]))] == [*"TCASPR"]


@pytest.mark.parametrize(("told", "expected"), (("\n1 has T1 at 0,0d", [1]), ("", [0])))
def test_exchange_that_cannot_be_paid_is_named(told: str, expected: list[int]) -> None:
    position = play(2, f"{ELSEWHERE}{told}\n2 lays C:CCC at 1,0u")
    lines = [line for line in position.lines if str(line.why) == "Exchange" and line.player == 0]

    assert [line.amount for line in lines] == expected


def test_resources_of_a_monument_that_nobody_tells_are_named_with_what_lacks_them() -> None:
    kept = f"{ROMAN}\n{LIGHTHOUSE}\n1 keeps roman and lighthouse\n{DOTS}\n{rich(1, 'T15')}\n1 lays T:--- at 0,0d\n"
    city = "1 builds at 0,0d\n1 ends\n2 passes\n2 ends\n1 passes\n"
    piece = "1 raises lighthouse at 0,1u+0,1d dots ?????? nodi T1\n1 ends\n"
    position = play(2, f"{kept}{city}{piece}2 lays C:CCC at 1,1u")

    assert [str(remark.text)[:42] for remark in problems(position)] == [
        "Territories beside a Monument were counted"
    ]
    told = play(2, f"{kept}{city}{piece.replace('?', '-')}2 lays C:CCC at 1,1u")
    assert [*problems(told)] == []
