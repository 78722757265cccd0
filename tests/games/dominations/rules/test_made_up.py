"""What somebody makes up for, with a reason, takes nothing from the turn that is played, and gives nothing to it."""

from __future__ import annotations

import pytest

from tests.games.dominations.stories import FISHING, LIVESTOCK, play, refusal, rich

RICH = f"{FISHING}\n{LIVESTOCK}\n{rich(1, 'T9 C20')}"
FORGOTTEN = '1 builds T because "forgot last turn"'
AT = {
    "growth": "",
    "construction": "1 passes",
    "development": "1 passes\n1 builds C",
    "done": "1 passes\n1 develops fishing nodi C1",
}


@pytest.mark.parametrize("stage", ("growth", "development", "done"))
@pytest.mark.parametrize(
    "deed", ("builds T", "upgrades T1", "raises lighthouse", "lays T:TTT at 0,0d", "produces T1")
)
def test_a_deed_out_of_its_phase_leaves_the_phase_as_it_is(stage: str, deed: str) -> None:
    lighthouse = 'monument lighthouse "O Farol" lozenge level T 5 5 0'
    story = f'{RICH}\n{lighthouse}\n2 builds T because "so"\n1 builds T because "so"\n{AT[stage]}'
    told = f'{story}\n1 {deed} because "forgot"'
    if stage == "growth" and deed.split()[0] in ("lays", "produces"):
        assert play(2, told).stage == "construction"
    else:
        assert play(2, told).stage == stage


def test_a_mastery_out_of_its_phase_leaves_the_phase_as_it_is() -> None:
    told = [f'{RICH}\n{AT[stage]}\n1 develops livestock because "forgot"' for stage in ("growth", "done")]

    assert [play(2, story).stage for story in told] == ["growth", "done"]


def test_what_was_forgotten_leaves_the_territory_of_the_turn() -> None:
    assert refusal(2, f"{RICH}\n{FORGOTTEN}", "1 lays T:TTT at 0,0d") == ""
    assert refusal(2, f"{RICH}\n{FORGOTTEN}", "1 builds C").startswith("A turn begins with a territory")


def test_what_was_forgotten_gives_no_second_mastery_and_no_second_city() -> None:
    done = f"{RICH}\n{AT['done']}\n{FORGOTTEN}"
    built = f'{RICH}\n{AT["development"]}\n1 lays T:TTT at 0,0d because "forgot"'

    assert refusal(2, done, "1 develops livestock").startswith("Only one Mastery")
    assert refusal(2, built, "1 builds C").startswith("Only one City or Monument")
    assert refusal(2, built, "1 develops fishing") == ""


def test_what_is_paid_too_little_for_in_its_own_phase_is_of_the_turn() -> None:
    story = '1 passes\n1 builds T because "paid with something else"'

    assert play(2, story).stage == "development"
