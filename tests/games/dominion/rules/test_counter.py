"""The counter of Actions, Buys and Coins: every kingdom card, and every answer to it."""

from __future__ import annotations

import pytest

from tests.games.dominion.counted import COUNTED, Counted
from tests.games.dominion.facts import KINGDOM
from tests.games.dominion.stories import counter, evening, play, refusal, turn_of


def test_the_table_has_every_kingdom_card_once() -> None:
    assert sorted(row.card for row in COUNTED) == sorted(KINGDOM)


@pytest.mark.parametrize("row", COUNTED, ids=[row.card for row in COUNTED])
def test_a_card_is_counted(row: Counted) -> None:
    position = play(3, row.story, hand=f"{row.card} {row.others}")

    assert counter(position) == row.counter
    assert turn_of(position).tasks == ()


@pytest.mark.parametrize("card", ("gardens", "duke", "estate", "curse"))
def test_a_victory_card_alone_is_not_played(card: str) -> None:
    session = evening(3, "", hand="gardens duke curse")
    name = card.capitalize()

    assert refusal(session, f"1 plays {card}") == f"{name} cannot be played now."


@pytest.mark.parametrize(
    ("card", "story", "expected"),
    (
        ("baron", "1 chooses gain", (0, 2, 0, 0)),
        ("moneylender", "1 chooses keep", (0, 1, 0, 0)),
        ("mining_village", "1 chooses keep", (2, 1, 0, 1)),
        ("minion", "1 chooses hand", (1, 1, 0, 4)),
        ("nobles", "1 chooses cards", (0, 1, 0, 3)),
        ("pawn", "1 chooses card action", (1, 1, 0, 1)),
        ("pawn", "1 chooses buy card", (0, 2, 0, 1)),
        ("pawn", "1 chooses coin action", (1, 1, 1, 0)),
        ("shanty_town", "1 chooses an_action", (2, 1, 0, 0)),
        ("steward", "1 chooses cards", (0, 1, 0, 2)),
        ("steward", "1 chooses trash / 1 trashes copper estate", (0, 1, 0, 0)),
        ("wishing_well", "1 chooses wrong", (1, 1, 0, 1)),
        ("ironworks", "1 gains smithy", (1, 1, 0, 0)),  # an Action
        ("ironworks", "1 gains silver", (0, 1, 1, 0)),  # a Treasure
        ("ironworks", "1 gains estate", (0, 1, 0, 1)),  # a Victory card
        ("ironworks", "1 gains curse", (0, 1, 0, 0)),
        ("tribute", "2 reveals silver silver", (0, 1, 2, 0)),
        ("tribute", "2 reveals curse smithy", (2, 1, 0, 0)),
        ("tribute", "2 reveals nobles nobles", (2, 1, 0, 2)),
        ("tribute", "2 reveals nothing", (0, 1, 0, 0)),
        ("cellar", "1 counts 0", (1, 1, 0, 0)),
        ("secret_chamber", "1 counts 0", (0, 1, 0, 0)),
        ("vassal", "1 plays nothing", (0, 1, 2, 0)),
        ("throne_room", "1 plays nothing", (0, 1, 0, 0)),
        ("sentry", "1 trashes nothing", (1, 1, 0, 1)),
        ("remodel", "1 trashes nothing", (0, 1, 0, 0)),
        ("upgrade", "1 trashes nothing", (1, 1, 0, 1)),
    ),
)
def test_every_other_answer_is_counted(card: str, story: str, expected: tuple[int, ...]) -> None:
    position = play(3, f"1 plays {card} / {story}", hand=card)

    assert counter(position) == expected
    assert turn_of(position).tasks == ()


@pytest.mark.parametrize(
    ("hand", "story", "line", "why"),
    (
        ("pawn", "1 plays pawn", "1 chooses coin coin", "2 different answers are chosen, of these: "),
        ("pawn", "1 plays pawn", "1 chooses coin", "2 different answers are chosen, of these: "),
        (
            "steward",
            "1 plays steward",
            "1 chooses coins cards",
            "One answer is chosen, of these: Draw cards, ",
        ),
        ("steward", "1 plays steward", "1 chooses gold", "One answer is chosen, of these: Draw cards, "),
        ("steward", "1 plays steward", "2 chooses coins", "It is player 1 who acts now."),
        ("steward", "1 plays steward", "1 ends", "First: Steward: 2 cards, 2 coins, or trash 2 cards?"),
        ("steward", "1 plays steward", "1 buys copper", "First: Steward: "),
        ("steward", "1 plays steward", "1 counts 2", "First: Steward: "),
        (
            "workshop",
            "1 plays workshop",
            "1 gains market",
            "Market cannot be gained now: it costs 5, and 10 are left.",
        ),
        ("workshop", "1 plays workshop", "1 gains nothing", "There are cards to gain: one has to be taken."),
        (
            "artisan",
            "1 plays artisan",
            "1 gains gold",
            "Gold cannot be gained now: it costs 6, and 30 are left.",
        ),
        (
            "chapel",
            "1 plays chapel",
            "1 trashes copper copper copper copper copper",
            "At most 4 cards are trashed.",
        ),
        ("chapel", "1 plays chapel", "1 trashes gold", "By the log, this player has no such cards to trash."),
        (
            "chapel",
            "1 plays chapel",
            "1 trashes estate estate estate estate",
            "By the log, this player has no ",
        ),
        ("mine", "1 plays mine", "1 trashes estate", "Estate cannot be trashed by this."),
        ("mine", "1 plays mine / 1 trashes copper", "1 gains gold", "Gold cannot be gained now: "),
        ("mine", "1 plays mine / 1 trashes copper", "1 gains village", "Village cannot be gained now: "),
        ("bandit", "1 plays bandit", "2 trashes copper", "Copper cannot be trashed by this."),
        ("bandit", "1 plays bandit", "3 trashes nothing", "It is player 2 who acts now."),
        ("saboteur", "1 plays saboteur", "2 trashes estate", "Estate cannot be trashed by this."),
        ("throne_room silver", "1 plays throne_room", "1 plays silver", "Silver cannot be played now."),
        ("tribute", "1 plays tribute", "2 reveals copper silver gold", "Only 2 cards are revealed."),
        ("village", "", "1 plays 2 village", "Village cannot be played now."),
        (
            "village",
            "1 plays village",
            "1 plays village",
            "By the log, this player has no more Village to play.",
        ),
        ("smithy village", "1 plays smithy", "1 plays village", "No Action is left this turn."),
        ("village", "1 plays copper", "1 plays village", "Village cannot be played now."),
        ("village", "1 to buy", "1 plays village", "Village cannot be played now."),
        ("", "", "2 plays copper", "It is player 1 who acts now."),
        ("", "", "1 plays 8 copper", "By the log, this player has no more Copper to play."),
        ("", "", "1 chooses coins", "Nothing is being asked now."),
        ("", "", "1 plays nothing", "Nothing has to be played now."),
        ("", "", "all suffer", "No Attack is being dealt with."),
        ("", "", "2 ends", "It is another player's turn."),
        ("", "1 plays 2 copper", "1 buys silver", "Silver costs 3, and there are 2 coins."),
        ("", "1 plays 3 copper / 1 buys silver", "1 buys copper", "No Buy is left this turn."),
        (
            "market",
            "1 plays market / 1 plays copper / 1 buys copper",
            "1 plays copper",
            "No more Treasures are ",
        ),
        ("moat", "", "2 reveals moat", "A Reaction is revealed when another player plays an Attack."),
    ),
)
def test_what_the_cards_do_not_allow_is_refused(hand: str, story: str, line: str, why: str) -> None:
    said = refusal(evening(3, story, hand=hand), line)

    assert said[: len(why)] == why
    assert said
