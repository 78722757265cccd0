"""Rulebook 002, "Preparação": dominoes, kings and the first line."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.rules.pieces import twins
from companion.games.kingdomino.rules.position import Phase
from tests.games.kingdomino.stories import KINGDOMINO, play, refusal

LINES = {2: "line 4 31 39 41", 3: "line 4 31 39", 4: "line 4 31 39 41"}
SEATS = ((2, ""), (3, ""), (4, ""), (2, "mighty_duel"))


def choices(players: int, story: str = "", options: str = "") -> list[str]:
    return [KINGDOMINO.write(event) for event in KINGDOMINO.legal(play(players, story, options))]


@pytest.mark.parametrize(("players", "kings"), ((2, 2), (3, 1), (4, 1)))
def test_each_player_takes_two_kings_in_a_game_of_two_and_one_otherwise(players: int, kings: int) -> None:
    position = play(players, LINES[players])

    assert [position.kings_left(player) for player in range(players)] == [kings] * players


@pytest.mark.parametrize(
    ("players", "options", "in_play", "removed"),
    ((2, "", 24, 24), (3, "", 36, 12), (4, "", 48, 0), (2, "mighty_duel", 48, 0)),
)
def test_with_two_or_three_players_some_dominoes_stay_out(
    players: int, options: str, in_play: int, removed: int
) -> None:
    position = play(players, options=options)

    assert position.dominoes_in_play == in_play
    assert 48 - position.dominoes_in_play == removed


def test_a_table_may_tell_which_dominoes_stay_out() -> None:
    removed = tuple(range(37, 49))
    position = play(3, "removed " + " ".join(map(str, reversed(removed))))

    assert position.removed == removed
    assert refusal(3, "removed " + " ".join(map(str, removed)), "line 1 2 37") == "Domino 37 was set aside."


def test_dominoes_set_aside_by_mistake_are_told_again() -> None:
    first, second = range(1, 13), range(2, 14)
    story = "\n".join("removed " + " ".join(map(str, numbers)) for numbers in (first, second))

    assert play(3, story).removed == tuple(second)


@pytest.mark.parametrize(("players", "length"), ((2, 4), (3, 3), (4, 4)))
def test_a_line_has_as_many_dominoes_as_there_are_kings(players: int, length: int) -> None:
    assert len(play(players, LINES[players]).line) == length == play(players).line_length


@pytest.mark.parametrize("line", ("line 41 4 39 31", "line 4 31 39 41"))
def test_a_line_lies_with_the_smallest_number_first(line: str) -> None:
    assert [slot.domino for slot in play(4, line).line] == [4, 31, 39, 41]


def test_the_king_that_comes_out_of_the_hand_is_set_next() -> None:
    story = "line 4 31 39 41\nkings 3 1 4 2"

    assert play(4, story).player == 2
    assert choices(4, story) == ["3 takes 4", "3 takes 31", "3 takes 39", "3 takes 41"]
    assert refusal(4, story, "1 takes 41") == "It is another player's turn."
    assert play(4, story + "\n3 takes 41").player == 0


def test_the_kings_may_be_drawn_before_the_line() -> None:
    position = play(4, "kings 3 1 4 2\nline 4 31 39 41")

    assert (position.phase, position.player) == (Phase.CHOOSE_FIRST, 2)


def test_a_table_that_does_not_tell_the_draw_sets_its_kings_in_any_order() -> None:
    story = "line 4 31 39\n2 takes 39"

    assert play(3, story).player is None
    assert choices(3, story) == ["1 takes 4", "1 takes 31", "3 takes 4", "3 takes 31"]


def test_each_domino_has_one_king() -> None:
    story = "line 4 31 39\n2 takes 39"

    assert refusal(3, story, "1 takes 39") == "There is a king on domino 39 already."
    assert refusal(3, story, "2 takes 31") == "This player has no king left to set."


def test_the_last_king_has_no_choice() -> None:
    assert choices(3, "line 4 31 39\nkings 2 3 1\n2 takes 39\n3 takes 4") == ["1 takes 31"]


def test_with_two_players_each_chooses_two_dominoes() -> None:
    story = "line 4 31 39 41\nkings 1 1 2 2\n1 takes 41\n1 takes 31"

    assert choices(2, story) == ["2 takes 4", "2 takes 39"]
    assert refusal(2, "line 4 31 39 41\n1 takes 41\n1 takes 31", "1 takes 4") == (
        "This player has no king left to set."
    )


def test_a_new_line_is_drawn_when_all_dominoes_are_chosen() -> None:
    chosen = "line 4 31 39\n1 takes 4\n2 takes 31"

    assert (
        refusal(3, chosen, "line 1 2 3") == "A new line is drawn when every domino of the last one is taken."
    )
    assert play(3, chosen + "\n3 takes 39").phase is Phase.DRAW
    assert [slot.domino for slot in play(3, chosen + "\n3 takes 39\nline 1 2 3").next_line] == [1, 2, 3]


@pytest.mark.parametrize(("players", "options"), SEATS)
def test_every_kingdom_begins_as_a_castle(players: int, options: str) -> None:
    position = play(players, options=options)

    assert [len(kingdom.squares) for kingdom in position.kingdoms] == [1] * players
    assert {kingdom.size for kingdom in position.kingdoms} == {7 if options else 5}
    assert KINGDOMINO.tally(position).totals == (0,) * players


@pytest.mark.parametrize(("players", "options"), SEATS)
def test_the_companion_can_shuffle_for_the_table(players: int, options: str) -> None:
    position = play(players, options=options)
    line = KINGDOMINO.draw(position, seed=1)
    assert line is not None
    kings = KINGDOMINO.draw(KINGDOMINO.apply(position, line), seed=1)
    assert kings is not None
    drawn = KINGDOMINO.apply(KINGDOMINO.apply(position, line), kings)

    assert line == KINGDOMINO.draw(position, seed=1)
    assert (
        len({KINGDOMINO.write(found) for seed in range(9) if (found := KINGDOMINO.draw(position, seed))}) == 9
    )
    assert drawn.player == drawn.kings[0]
    assert KINGDOMINO.draw(drawn, seed=1) is None


def test_the_companion_never_draws_a_domino_twice_or_one_set_aside() -> None:
    removed = range(13, 25)
    position = play(
        3, "removed " + " ".join(map(str, removed)) + "\nline 1 2 3\n1 takes 1\n2 takes 2\n3 takes 3"
    )
    drawn = [KINGDOMINO.write(line) for seed in range(200) if (line := KINGDOMINO.draw(position, seed))]
    numbers = {int(word) for line in drawn for word in line.split()[1:]}

    left = set(range(4, 13)) | set(range(25, 49))
    assert numbers <= left
    assert set(map(twins, numbers)) == set(map(twins, left))
