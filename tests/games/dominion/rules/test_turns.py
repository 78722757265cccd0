"""Setting up, turns, piles, corrections and undo, as the log keeps them."""

from __future__ import annotations

from random import Random

import pytest

from companion.core import notation
from companion.core.correction import work_out_correction
from companion.core.errors import IllegalEvent
from companion.core.log import Change, Corrected, Restored, Source, Withdrawn, undoable
from companion.core.session import Session, fold
from companion.games.dominion.rules.events import Event, TurnEnded
from companion.games.dominion.rules.kingdom import cards_in_game, supply_piles
from companion.games.dominion.rules.position import Phase, Position
from tests.games.dominion.stories import (
    DOMINION,
    FIRST_GAME,
    counter,
    evening,
    play,
    refusal,
    session_of,
    started,
    turn_of,
)
from tests.games.stories import EVENING, tell


def test_setting_up_by_the_list() -> None:
    session = session_of(
        started(4), (f"kingdom {FIRST_GAME}", "ticked copper", "ticked decks", "ticked copper")
    )

    assert session.position.supply == supply_piles(FIRST_GAME.split(), 4)
    assert session.position.ticked == {"copper", "decks"}
    assert tell(session, ("unticked copper",)).position.ticked == {"decks"}
    assert refusal(session, "ticked witch") == "There is no such thing to put on the table."
    assert str(session.turn.action) == "Build the table, then say who begins"
    assert session.turn.player is None


def test_vetoes_and_swaps_before_the_game() -> None:
    session = session_of(started(3), (f"kingdom {FIRST_GAME}", "swap militia witch", "2 vetoes militia"))

    assert set(session.position.kingdom) == {*FIRST_GAME.split(), "witch"} - {"militia"}
    assert refusal(session, "swap witch militia") == "Militia was vetoed."
    assert refusal(session, f"kingdom {FIRST_GAME}") == "Militia was vetoed."
    assert refusal(session, "swap militia moat") == "Militia is not among the ten."
    assert refusal(session, "swap witch moat") == "A game has 10 different kingdom cards."
    assert refusal(session, "swap witch gold") == "Gold is in every game."
    assert refusal(session, "4 vetoes moat") == "There is no such player."


def test_what_is_wished_for_holds_in_the_draw() -> None:
    first = "cellar market merchant militia mine moat remodel smithy village workshop"
    wishes = ("wishes buys trashing reaction", "1 vetoes witch", "2 likes bridge", f"played {first}")
    session = session_of(started(2), wishes)
    for seed in range(50):
        drawn = DOMINION.draw(session.position, seed)
        kingdom = set(session.record(drawn, Source.PAGE, EVENING).position.kingdom)
        assert "bridge" in kingdom
        assert "witch" not in kingdom
        assert len(kingdom & set(first.split())) <= 5

    changed = tell(session, ("2 vetoes bridge", "1 likes witch"))
    assert (changed.position.vetoed, changed.position.liked) == ({"bridge"}, {"witch"})
    begun = session_of(started(2), (f"kingdom {FIRST_GAME}", "1 starts"))
    assert refusal(begun, "1 vetoes witch") == "The game has begun already."


def test_chance_chooses_the_kingdom_and_who_begins() -> None:
    session, seen = session_of(started(3)), set()
    for seed in range(30):
        kingdom = DOMINION.draw(session.position, seed)
        chosen = session.record(kingdom, Source.PAGE, EVENING)
        first = DOMINION.draw(chosen.position, seed)
        begun = chosen.record(first, Source.PAGE, EVENING)
        seen.add(begun.turn.player)
        assert DOMINION.draw(begun.position, seed) is None

    assert seen == {0, 1, 2}


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    (
        ((), "1 plays copper", "The game has not begun: say first who begins."),
        ((), "1 starts", "Choose the ten kingdom cards first."),
        ((), "kingdom market", "A game has 10 different kingdom cards."),
        ((), f"kingdom {FIRST_GAME} witch", "A game has 10 different kingdom cards."),
        ((), "pile copper 3", "There is no pile of Copper in this game."),
        ((), "1 has copper:7", "Decks are counted when the game is over."),
        ((f"kingdom {FIRST_GAME}",), "4 starts", "There is no such player."),
        ((f"kingdom {FIRST_GAME}", "1 starts"), "2 starts", "The game has begun already."),
        ((f"kingdom {FIRST_GAME}", "1 starts"), "5 plays copper", "There is no such player."),
        (
            (f"kingdom {FIRST_GAME}", "1 starts"),
            '4 trashes copper because "x"',
            "There is no such player.",
        ),
        ((f"kingdom {FIRST_GAME}", "1 starts"), f"kingdom {FIRST_GAME}", "The game has begun already."),
        ((f"kingdom {FIRST_GAME}", "1 starts"), "pile witch 3", "There is no pile of Witch in this game."),
        ((f"kingdom {FIRST_GAME}", "1 starts"), "1 buys witch", "There is no Witch in the supply."),
        ((f"kingdom {FIRST_GAME}", "1 starts", "stop"), "1 plays copper", "The game is over."),
        ((f"kingdom {FIRST_GAME}", "1 starts", "stop"), "stop", "The game is over."),
    ),
)
def test_what_cannot_happen_now(lines: tuple[str, ...], line: str, why: str) -> None:
    assert refusal(session_of(started(3), lines), line) == why


def test_turns_go_round_and_phases_follow() -> None:
    session = session_of(started(3), (f"kingdom {FIRST_GAME}", "3 starts"))
    assert (session.turn.player, session.position.phase) == (2, Phase.ACTION)
    session = tell(session, ("3 to buy",))
    assert session.position.phase is Phase.BUY
    session = tell(session, ("3 plays 4 copper", "3 buys smithy"))
    assert session.position.phase is Phase.CLEAN_UP
    assert str(session.turn.action) == "Clean-up: discard everything, draw 5 cards"
    session = tell(session, ("3 ends", "1 ends", "2 ends"))

    assert (session.turn.player, session.position.turns) == (2, (1, 1, 2))
    assert str(session.turn.action) == "Action phase"


@pytest.mark.parametrize(
    ("players", "empty", "over"),
    (
        (2, "province", True),
        (5, "province", True),
        (4, "copper curse", False),
        (4, "copper curse moat", True),
        (5, "copper curse moat", False),
        (5, "copper curse moat market", True),
        (6, "gold village moat market", True),
    ),
)
def test_the_end_is_announced_at_once_and_comes_with_the_turn(players: int, empty: str, over: bool) -> None:
    session = session_of(started(players), (f"kingdom {FIRST_GAME}", "1 starts"))
    session = tell(session, [f"pile {card} 0" for card in empty.split()])
    announced = str(session.turn.action) == "Action phase · the game ends after this turn"
    assert announced is session.position.ending is over
    assert session.position.phase is Phase.ACTION
    after = tell(session, ("1 ends",))

    assert (after.position.phase is Phase.COUNT) is over
    assert after.turn.over is False
    assert after.position.turns == ((1,) + (0,) * (players - 1) if over else (1, 1) + (0,) * (players - 2))


def test_the_last_province_ends_the_game_in_the_middle_of_a_turn() -> None:
    story = "pile province 1 / 1 plays 3 gold / 1 buys province"
    session = evening(2, story, hand="gold gold gold")
    assert session.position.ending
    undone = session.record(Withdrawn(session.seq), Source.PAGE, EVENING)

    assert not undone.position.ending


def test_undo_brings_back_exactly_what_was() -> None:
    session = evening(3, "", hand="witch moat throne_room mining_village bridge")
    before = [session.position]
    for line in (
        *("1 plays throne_room", "1 plays witch", "all suffer", "all suffer", "1 ends", "2 plays 3 copper"),
        *("2 buys silver", "2 ends", "3 ends", "1 plays mining_village", "1 chooses trash", "1 plays bridge"),
    ):
        session = tell(session, (line,))
        before.append(session.position)
    for position in reversed(before[:-1]):
        last = undoable(session.entries)
        assert last is not None
        session = session.record(Withdrawn(last), Source.PAGE, EVENING)
        assert session.position == position
    again = session.record(Restored(session.entries[-1].event.seq), Source.PAGE, EVENING)  # type: ignore[attr-defined]

    assert again.position == before[1]


def test_a_wrong_tap_is_put_right_and_what_follows_stays() -> None:
    story = "1 plays 3 copper / 1 buys silver / 1 ends / 2 plays 4 copper / 2 buys smithy / 2 ends"
    session = evening(2, story)
    bought = next(
        step.seq
        for step in session.fold.steps
        if notation.write_entry(DOMINION, step.event) == "1 buys silver"
    )
    difference = work_out_correction(
        session, {bought: DOMINION.parse("1 buys village")}, "after a correction", EVENING
    )

    assert (difference.kept, difference.left_out) == (frozenset(), ())
    owned = difference.after.position.owned[0]
    assert (owned["village"], owned.get("silver", 0)) == (1, 0)
    assert difference.after.position.supply["silver"] == 40


def test_what_the_new_count_does_not_allow_stays_with_a_reason() -> None:
    """Fewer coins than it cost: the card lies in the discard pile all the same."""
    session = evening(2, "1 plays 4 copper / 1 buys smithy / 1 ends")
    played = next(
        step.seq
        for step in session.fold.steps
        if notation.write_entry(DOMINION, step.event) == "1 plays 4 copper"
    )
    difference = work_out_correction(
        session, {played: DOMINION.parse("1 plays 3 copper")}, "after a correction", EVENING
    )
    after = difference.after

    assert difference.kept == {played + 1}
    assert after.position.owned[0]["smithy"] == 1
    assert [str(problem) for problem in after.problems] == ["Against the rules: buys Smithy"]


def test_against_the_rules_with_a_reason() -> None:
    story = (
        '1 buys gold because "a gift" / 2 gains curse because "we forgot" / 1 trashes estate because "lost"'
    )
    session = evening(2, story)

    assert (session.position.owned[0]["gold"], session.position.owned[1]["curse"]) == (1, 1)
    assert session.position.trash == {"estate": 1}
    assert len(session.problems) == 3
    asked = evening(2, "1 plays workshop", hand="workshop")
    assert refusal(asked, "1 ends").startswith("First: Workshop: ")
    assert refusal(asked, '1 ends because "nothing wanted"') == ""


def test_one_box_alone_and_both_alone_cannot_be() -> None:
    with pytest.raises(IllegalEvent) as told:
        session_of(started(2, "only_dominion only_intrigue"))

    assert "Choose one of the boxes alone" in str(told.value)


def random_game(players: int, seed: int, most: int = 400) -> Session:
    """A game in which everybody taps whatever may be tapped, ending turns now and then."""
    random, session = Random(seed), session_of(started(players))
    for _tap in range(most):
        drawn = DOMINION.draw(session.position, random.randrange(2**32))
        choices: list[Event] = [drawn] if drawn else list(DOMINION.legal(session.position))
        if not choices:
            break
        if len(choices) > 2 and random.random() < 0.8:
            choices = [c for c in choices if not isinstance(c, TurnEnded)]
        session = session.record(random.choice(choices), Source.DEMO, EVENING)
    return session


def all_cards(position: Position) -> dict[str, int]:
    places = [position.supply, position.trash, *position.owned]
    return {id: sum(cards.get(id, 0) for cards in places) for id in position.supply}


@pytest.mark.parametrize("players", (2, 3, 4, 5, 6))
def test_in_random_games_no_card_is_ever_lost(players: int) -> None:
    for seed in range(4):
        session = random_game(players, seed)
        position = session.position
        lines = [notation.write_entry(DOMINION, entry.event) for entry in session.entries]

        assert [notation.parse_entry(DOMINION, line) for line in lines] == [e.event for e in session.entries]
        assert fold(DOMINION, session.entries).position == position
        assert all_cards(position) == cards_in_game(position.kingdom, players)
        assert min(position.supply.values()) >= 0
        assert position.unseen or all(min(owned.values()) >= 0 for owned in position.owned)


def test_every_step_of_a_random_game_can_be_taken_out() -> None:
    """A log is never refused: what does not fit any more is told."""
    session = random_game(3, 11, 120)
    for step in session.fold.steps[2::7]:
        changed = session.record(Corrected((Change(step.seq, None),)), Source.PAGE, EVENING)
        assert all_cards(changed.position) == cards_in_game(changed.position.kingdom, 3)


def test_counting_a_pile_by_hand() -> None:
    session = evening(2, "pile market 4")

    assert session.position.supply["market"] == 4


def test_a_counter_of_a_fresh_turn() -> None:
    position = play(2, "1 ends / 2 ends")

    assert counter(position) == (1, 1, 0, 0)
    assert turn_of(position).player == 0
