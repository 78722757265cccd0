"""What the rules do not allow, and what people are told: position, event, message."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.rules.pieces import twins
from companion.games.kingdomino.rules.position import Phase
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import KINGDOMINO, play, refusal, session_of, started
from tests.games.stories import lines_of, refused, tell
from tests.sessions.evenings import played

NOTHING = ""
LINE = "line 4 31 39\n"
DRAWN = LINE + "kings 2 3 1\n"
CHOOSING = DRAWN + "2 takes 4\n"
CHOSEN = CHOOSING + "3 takes 31\n1 takes 39\n"
PLACING = CHOSEN + "line 10 17 19\n"
PLACED = PLACING + "2 lays 4 at 1,0 E\n"
NEXT = PLACED + "2 takes 19\n"
KING_LATE = "The kings are drawn before the first domino is chosen."
LINE_LATE = "A new line is drawn when every domino of the last one is taken."
SET_ASIDE_LATE = "Dominoes are set aside before the first line is drawn."
NO_KING = "No king can be set now."
NO_PLACING = "No domino can be placed now."
TURN = "It is another player's turn."
TWELVE = "1 2 3 5 6 7 8 9 11 12 13 14"


@pytest.mark.parametrize(
    ("story", "event", "message"),
    (
        # setting aside
        (NOTHING, "removed 1 2 3", "With 3 players 12 dominoes are set aside."),
        (NOTHING, f"removed {TWELVE} 15", "With 3 players 12 dominoes are set aside."),
        (NOTHING, f"removed 2 {TWELVE[2:]}", "With 3 players 12 dominoes are set aside."),
        (LINE, f"removed {TWELVE}", SET_ASIDE_LATE),
        (CHOSEN, f"removed {TWELVE}", SET_ASIDE_LATE),
        (PLACING, f"removed {TWELVE}", SET_ASIDE_LATE),
        # drawing lines
        (NOTHING, "line 4 31", "A line has 3 different dominoes."),
        (NOTHING, "line 4 31 39 41", "A line has 3 different dominoes."),
        (NOTHING, "line 4 31 31", "A line has 3 different dominoes."),
        (f"removed {TWELVE}", "line 4 31 14", "Domino 14 was set aside."),
        (LINE, "line 10 17 19", LINE_LATE),
        (CHOOSING, "line 10 17 19", LINE_LATE),
        (CHOSEN, "line 10 17 31", "Domino 31 is out of the box already."),
        (PLACING, "line 1 2 3", LINE_LATE),
        (PLACED, "line 1 2 3", LINE_LATE),
        (NEXT, "line 1 2 3", LINE_LATE),
        # drawing kings
        (NOTHING, "kings 1 2", "Each player has 1 king in the hand."),
        (NOTHING, "kings 1 2 2", "Each player has 1 king in the hand."),
        (NOTHING, "kings 1 2 4", "Each player has 1 king in the hand."),
        (CHOOSING, "kings 3 1 2", KING_LATE),
        (CHOSEN, "kings 3 1 2", KING_LATE),
        (NEXT, "kings 3 1 2", KING_LATE),
        # choosing
        (NOTHING, "1 takes 4", NO_KING),
        (LINE, "1 takes 10", "Domino 10 is not in the line."),
        (LINE, "4 takes 4", "This player has no king left to set."),
        (LINE + "1 takes 4", "1 takes 31", "This player has no king left to set."),
        (DRAWN, "1 takes 4", TURN),
        (CHOOSING, "3 takes 4", "There is a king on domino 4 already."),
        (CHOSEN, "1 takes 4", NO_KING),
        (PLACING, "2 takes 10", NO_KING),
        (PLACED, "3 takes 10", TURN),
        (PLACED, "2 takes 31", "Domino 31 is not in the line."),
        (NEXT, "3 takes 10", NO_KING),
        # placing
        (NOTHING, "1 lays 4 at 1,0 E", NO_PLACING),
        (LINE, "1 lays 4 at 1,0 E", NO_PLACING),
        (CHOSEN, "2 lays 4 at 1,0 E", NO_PLACING),
        (PLACING, "3 lays 31 at 1,0 E", TURN),
        (PLACING, "2 lays 31 at 1,0 E", "Domino 4 comes next."),
        (PLACING, "2 lays 4 at 0,0 E", "There is a square in that place already."),
        (PLACING, "2 lays 4 at -1,0 E", "There is a square in that place already."),
        (
            PLACING,
            "2 lays 4 at 2,0 E",
            "There it touches neither the castle nor a square of its own terrain.",
        ),
        (PLACING, "2 lays 4 at 4,0 E", "There the kingdom would be larger than 5 by 5 squares."),
        (PLACED, "2 lays 4 at 0,1 S", NO_PLACING),
        # discarding
        (NOTHING, "1 discards 4", NO_PLACING),
        (PLACING, "2 discards 4", "Domino 4 fits somewhere, so it has to be placed."),
        (PLACING, "3 discards 31", TURN),
        (PLACING, "2 discards 31", "Domino 4 comes next."),
        # showing whole kingdoms
        (NOTHING, "1 shows 5 ##w0", "In this game kingdoms grow domino by domino."),
    ),
)
def test_an_event_the_rules_do_not_allow_is_refused_with_the_reason(
    story: str, event: str, message: str
) -> None:
    assert refusal(3, story, event) == message


@pytest.mark.parametrize(
    ("players", "event", "message"),
    (
        (2, "kings 1 2", "Each player has 2 kings in the hand."),
        (2, "kings 1 1 1 2", "Each player has 2 kings in the hand."),
        (2, "removed 1 2 3", "With 2 players 24 dominoes are set aside."),
        (4, "removed 1 2 3", "With 4 players 0 dominoes are set aside."),
        (4, "line 1 2 3", "A line has 4 different dominoes."),
    ),
)
def test_counts_depend_on_the_number_of_players(players: int, event: str, message: str) -> None:
    assert refusal(players, "", event) == message


@pytest.mark.parametrize(
    ("event", "message"),
    (
        ("line 1 2 3", LINE_LATE),
        ("kings 1 2 3", KING_LATE),
        ("1 takes 4", NO_KING),
        ("1 lays 4 at 1,0 E", NO_PLACING),
        ("1 discards 4", NO_PLACING),
        (f"removed {TWELVE}", SET_ASIDE_LATE),
    ),
)
def test_after_the_last_domino_nothing_more_can_happen(event: str, message: str) -> None:
    story = "\n".join(GAMES["3p-01"].events)

    assert refusal(3, story, event) == message


@pytest.mark.parametrize(
    ("event", "message"),
    (
        ("line 1 2 3 4", LINE_LATE),
        ("kings 1 1 2 2", KING_LATE),
        ("removed " + " ".join(map(str, range(1, 25))), SET_ASIDE_LATE),
        ("1 takes 4", NO_KING),
        ("end", "Only the end of this game is counted: show each kingdom as it lies."),
        ("1 lays 4 at 1,0 E", NO_PLACING),
        ("3 shows 5 ##w0", "There is no such player."),
        ("1 shows 7 ##w0w0w0w0w0", "This table plays with kingdoms of 5 by 5 squares."),
    ),
)
def test_a_table_that_only_counts_has_no_moves(event: str, message: str) -> None:
    assert refusal(2, "", event, options="score_only") == message


def test_a_kingdom_tapped_in_can_be_tapped_in_again() -> None:
    story = "1 shows 5 ##w0\n2 shows 5 ##f1\n1 shows 5 ##w1"

    assert KINGDOMINO.tally(play(2, story, "score_only")).totals == (1, 1)


def test_people_may_stop_before_the_last_domino() -> None:
    running = session_of(started(3), lines_of(PLACED))
    assert running.game.stop(running.position) == KINGDOMINO.parse("end")
    stopped = tell(running, ["end"])

    assert (running.turn.over, stopped.turn.over) == (False, True)
    assert stopped.tally.totals == running.tally.totals
    assert stopped.game.stop(stopped.position) is None
    for line in ("line 5 6 7", "end", "1 takes 5"):
        assert refused(stopped, [line]) == "The game is over."
    assert not tell(stopped, [f"withdraw {stopped.seq}"]).turn.over


def test_kingdoms_of_a_game_that_stopped_are_shown_as_they_lie() -> None:
    story = f"{PLACED}\nend\n1 shows 5 ##w1w0"

    assert KINGDOMINO.tally(play(3, story)).totals[0] == 2
    assert refusal(3, PLACED, "1 shows 5 ##w1w0") == "In this game kingdoms grow domino by domino."


def test_a_dynasty_that_stopped_between_two_games_goes_on_with_neither() -> None:
    first = [text for text in GAMES["2p-01"].events if not text.startswith("removed")]
    stopped = session_of(started(2, "dynasty"), [*first, "end"])

    assert stopped.turn.over
    assert refused(stopped, ["line 4 31 39 41"]) == "The game is over."


@pytest.mark.parametrize("story", (NOTHING, LINE, DRAWN, CHOOSING, CHOSEN, PLACING, PLACED, NEXT))
def test_a_refused_event_leaves_everything_as_it_was(story: str) -> None:
    session = session_of(started(3), lines_of(story))
    position = session.position

    assert refusal(3, story, "4 discards 48") != ""
    assert session.position == position == play(3, story)


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


FIRST = """
    line 4 31 39
    2 takes 4
    3 takes 31
    1 takes 39
    line 10 17 19
"""
SECOND = """
    2 lays 4 at 1,0 E
    2 takes 19
    3 lays 31 at 1,0 E
    3 takes 10
    1 lays 39 at 1,0 E
"""


def test_kings_play_in_the_order_of_the_line() -> None:
    session = session_of(started(3), lines_of(FIRST + SECOND + "1 takes 17\nline 1 2 3"))
    placing = [position.player for position in session.fold.positions if position.phase is Phase.PLACE]

    # Players 2, 3 and 1 stand on dominoes 4, 31 and 39; player 3 chose the first of the new line.
    assert placing == [1, 2, 0, 2]


def test_the_king_on_the_smallest_domino_of_the_new_line_begins_the_next_round() -> None:
    position = play(3, FIRST + SECOND + "1 takes 17\nline 1 2 3")

    assert [slot.player for slot in position.line] == [2, 0, 1]
    assert (position.phase, position.player, position.domino) == (Phase.PLACE, 2, 10)


def test_a_player_first_places_the_chosen_domino() -> None:
    position = play(3, FIRST)

    assert (position.phase, position.player, position.domino) == (Phase.PLACE, 1, 4)
    assert refusal(3, FIRST, "2 takes 10") == "No king can be set now."
    assert {KINGDOMINO.write(event).split()[1] for event in KINGDOMINO.legal(position)} == {"lays"}


def test_and_then_chooses_a_new_one() -> None:
    story = FIRST + "2 lays 4 at 1,0 E"
    position = play(3, story)

    assert (position.phase, position.player) == (Phase.CHOOSE, 1)
    assert refusal(3, story, "3 lays 31 at 1,0 E") == "No domino can be placed now."
    assert [KINGDOMINO.write(event) for event in KINGDOMINO.legal(position)] == [
        "2 takes 10",
        "2 takes 17",
        "2 takes 19",
    ]


def test_a_domino_that_was_chosen_is_gone_for_the_others() -> None:
    story = FIRST + "2 lays 4 at 1,0 E\n2 takes 19\n3 lays 31 at 1,0 E"

    assert [KINGDOMINO.write(event) for event in KINGDOMINO.legal(play(3, story))] == [
        "3 takes 10",
        "3 takes 17",
    ]
    assert refusal(3, story, "3 takes 19") == "There is a king on domino 19 already."


def test_a_player_whose_domino_is_discarded_chooses_all_the_same() -> None:
    story = FIRST + '2 discards 4 because "it fell off the table"'

    assert (play(3, story).phase, play(3, story).player) == (Phase.CHOOSE, 1)


def test_a_new_line_is_drawn_before_the_next_round() -> None:
    story = FIRST + SECOND + "1 takes 17"

    assert play(3, story).phase is Phase.DRAW
    assert refusal(3, story, "3 lays 10 at 0,1 S") == "No domino can be placed now."


def test_with_two_players_each_plays_once_for_each_king() -> None:
    position = play(
        2, "line 4 31 39 41\nkings 1 2 2 1\n1 takes 4\n2 takes 31\n2 takes 39\n1 takes 41\nline 1 2 3 5"
    )

    assert [slot.player for slot in position.line] == [0, 1, 1, 0]


@pytest.mark.parametrize(("name", "rounds"), (("2p-01", 6), ("3p-01", 12), ("4p-01", 12), ("duel-01", 12)))
def test_a_game_has_12_rounds_and_6_with_two_players(name: str, rounds: int) -> None:
    session = session_of(GAMES[name].start, GAMES[name].events)

    assert session.position.rounds == rounds
    assert session.position.round == rounds
    assert sum(line.startswith("line") for line in GAMES[name].events) == rounds


def test_rounds_are_counted_from_the_first_placement() -> None:
    assert play(3, "line 4 31 39").round == 0
    assert play(3, FIRST).round == 1
    assert play(3, FIRST + SECOND).round == 1
    assert play(3, FIRST + SECOND + "1 takes 17\nline 1 2 3").round == 2


@pytest.mark.parametrize("name", ("2p-01", "3p-01", "4p-01", "duel-01"))
def test_in_the_last_round_dominoes_are_placed_and_none_is_chosen(name: str) -> None:
    session = session_of(GAMES[name].start, GAMES[name].events)
    before_last, last = (
        [
            position.phase
            for position in session.fold.positions
            if position.round == session.position.rounds - back
        ]
        for back in (1, 0)
    )
    kings = session.position.line_length

    assert before_last.count(Phase.CHOOSE) == kings
    assert last == [Phase.PLACE] * kings + [Phase.OVER]


def test_a_king_cannot_be_set_in_the_last_round() -> None:
    game = GAMES["3p-01"]
    story = "\n".join(game.events[:-2])

    assert play(3, story).round == 12
    assert refusal(3, story, "1 takes 40") == "No king can be set now."


def test_when_the_last_domino_is_placed_the_game_is_over() -> None:
    game = GAMES["3p-01"]
    before, after = session_of(game.start, game.events[:-1]), session_of(game.start, game.events)

    assert (before.turn.over, after.turn.over) == (False, True)
    assert str(after.turn.action) == "The game is over"
    assert after.turn.player is None
    assert list(KINGDOMINO.legal(after.position)) == []
    assert KINGDOMINO.draw(after.position, seed=1) is None


def test_every_domino_is_drawn_once() -> None:
    story = FIRST + SECOND + "1 takes 17"

    assert refusal(3, story, "line 1 2 31") == "Domino 31 is out of the box already."
    assert play(3, story + "\nline 1 2 3").drawn == (4, 31, 39, 10, 17, 19, 1, 2, 3)


def test_a_game_that_is_over_cannot_be_stopped() -> None:
    whole = played("whole")

    assert (whole.turn.over, whole.game.stop(whole.position)) == (True, None)
    assert refused(whole, ["end"]) == "The game is over."
