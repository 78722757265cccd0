"""A light game: the same events, fewer of them; nothing is paid, and nobody is told off."""

from __future__ import annotations

from random import Random

import pytest

from companion.core import notation
from companion.core.correction import work_out_correction
from companion.core.log import Source
from companion.core.session import Session
from tests.games.dominion.stories import DOMINION, FIRST_GAME, lines_of, refusal, session_of, started
from tests.games.stories import EVENING, tell

WITCHES = "witch moat village smithy market festival laboratory gardens workshop chapel"


def light(story: str, players: int = 3, kingdom: str = WITCHES) -> Session:
    return session_of(started(players, "light"), (f"kingdom {kingdom}", "1 starts", *lines_of(story)))


def test_a_turn_is_one_line() -> None:
    session = light("1 buys province ends / 2 ends / 3 buys silver ends")
    position = session.position

    assert session.turn.player == 0
    assert str(session.turn.action) == "What is bought?"
    assert position.turns == (2, 1, 1)
    assert (position.supply["province"], position.supply["silver"]) == (11, 39)
    assert session.problems == ()


def test_several_cards_are_bought_in_a_turn_and_others_take_some() -> None:
    """A Festival for whoever has the turn; then a Witch, whose Curses stop at a Moat."""
    session = light(
        "1 buys silver / 1 buys estate ends / others gain curse / 3 gains copper / 1 gains village"
    )
    position = session.position

    assert session.turn.player == 1
    assert [owned.get("curse", 0) for owned in position.owned] == [1, 0, 1]
    assert (position.owned[0]["village"], position.supply["curse"]) == (1, 18)
    assert session.problems == ()


def test_the_last_curses_go_round_in_turn_order() -> None:
    session = light("1 ends / pile curse 1 / others gain curse")

    assert [owned.get("curse", 0) for owned in session.position.owned] == [0, 0, 1]
    assert refusal(session, "others gain curse") == "There is no Curse in the supply."
    assert refusal(session, "2 buys curse ends") == "There is no Curse in the supply."


def test_the_game_ends_with_the_turn_that_empties_the_provinces() -> None:
    session = light("pile province 1 / 1 buys province ends")
    assert str(session.turn.action) == "The game is over: count the decks"
    # A card of that turn which nobody told in time.
    assert tell(session, ("1 gains estate",)).position.supply["estate"] == 11
    counted = tell(session, ("1 has province:1 estate:3 turns:1", "2 has estate:3", "3 has estate:3"))

    assert counted.tally.totals == (9, 3, 3)
    assert counted.tally.standing.winners == (0,)


def test_only_what_counts_is_compared_at_the_end() -> None:
    decks = ("1 has province:1 estate:3", "2 has estate:2 curse:1", "3 has estate:3")
    session = light("1 buys province ends / 2 buys gold ends / stop / " + " / ".join(decks))

    assert [str(problem) for problem in session.problems] == [
        "1 Estate is in no deck and in no pile: trashed, or not counted?",
        "1 Curse too many: count the decks, the supply and the trash again.",
    ]
    assert tell(session, ("reviewed lost:estate:1", "reviewed lost:curse:-1")).problems == ()


def test_everything_a_live_game_tells_is_understood() -> None:
    """Whoever wants to may play a card, and its questions come as ever."""
    session = light("1 plays witch")
    assert str(session.turn.action).startswith("Witch: ")
    session = tell(session, ("2 reveals moat", "3 suffers", "1 plays 3 copper", "1 buys province", "1 ends"))

    assert (session.turn.player, session.position.supply["curse"]) == (1, 19)


def test_a_live_game_still_asks_who_gives_the_curses() -> None:
    session = session_of(started(3), (f"kingdom {FIRST_GAME}", "1 starts"))

    assert refusal(session, "others gain curse").startswith("Play the card that lets the others")
    assert refusal(session, "2 gains curse") == "Nothing is being asked now."
    assert refusal(session, "1 buys province ends") == "Province costs 8, and there are 0 coins."


def test_a_light_game_that_becomes_a_live_one_keeps_its_purchases() -> None:
    session = light("1 buys province ends / 2 buys silver ends", 2)
    setup = notation.parse_entry(DOMINION, started(2))
    live = work_out_correction(session, {1: setup}, "played on", EVENING).after

    assert (live.turn.player, live.position.supply["province"], live.position.turns) == (0, 7, (2, 1))
    assert [str(problem) for problem in live.problems] == [
        "Against the rules: buys Province and ends the turn",
        "Against the rules: buys Silver and ends the turn",
    ]


@pytest.mark.parametrize("players", (2, 4, 6))
def test_in_random_light_games_no_pile_is_ever_wrong(players: int) -> None:
    """Counted once more, apart from the rules."""
    random, session = (
        Random(players),
        session_of(started(players, "light"), (f"kingdom {WITCHES}", "1 starts")),
    )
    piles, turns = dict(session.position.supply), [1, *[0] * (players - 1)]
    while not session.position.ended:
        event = random.choice(list(DOMINION.legal(session.position)))
        player, _verb, *card = DOMINION.write(event).split()
        if len(card) > 1:
            piles[card[0]] -= 1
        over = not piles["province"] or sum(not left for left in piles.values()) >= (3 if players < 5 else 4)
        turns[int(player) % players] += not over
        session = session.record(event, Source.DEMO, EVENING)
        assert session.position.ended == over

    assert dict(session.position.supply) == piles
    assert list(session.position.turns) == turns


def test_nothing_is_taken_from_an_empty_pile() -> None:
    session = light("pile moat 0")

    for line in ("2 gains moat", "1 buys moat ends", "others gain moat"):
        assert refusal(session, line) == "There is no Moat in the supply."
