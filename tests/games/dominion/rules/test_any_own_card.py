"""Cards of one's own, whatever a file makes them do: every button works, and nothing breaks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from companion.core.errors import CompanionError
from companion.games.dominion.page.page import page
from companion.games.dominion.rules.card_file import read_cards
from companion.games.dominion.rules.cards import add_cards, remove_cards
from tests.games.dominion.page.test_any_line import any_line
from tests.games.dominion.stories import DOMINION, evening, play, refusal, turn_of

FILES = 100
TYPES = (
    "action",
    "action attack",
    "action victory",
    "treasure",
    "action treasure",
    "action reaction",
    "action attack reaction",
    "treasure attack",
    "victory",
    "night",
)
NAMED = ("silver", "curse", "village", "great_hall", "own1", "copper", "gardens", "duke")
KINGDOM = "own1 own2 own3 moat secret_chamber village throne_room mining_village masquerade militia"


@contextmanager
def known(text: str) -> Iterator[None]:
    """While it lasts, the cards of that file are known."""
    read = read_cards(text)
    add_cards(*read)
    try:
        yield
    finally:
        remove_cards(*read)


def bonus(random: Random) -> str:
    kinds = random.sample(("card", "action", "buy", "coin"), random.randint(1, 2))
    return " ".join(f"+{random.randint(1, 3)} {kind}" for kind in kinds)


def steps(random: Random, most: int, depth: int = 0) -> str:
    return f"[{', '.join(step(random, depth) for _step in range(random.randint(0, most)))}]"


def step(random: Random, depth: int) -> str:
    simple = (
        f'{{ gain = "{random.choice(("up to 4", "exactly 3", "up to 2 more", "up to 2 less"))}" }}',
        '{ gain = "exactly 0 more", may = true, you_choose = true, to = "hand" }',
        f'{{ take = "{random.choice(NAMED)}", to = "{random.choice(("hand", "deck", "discard"))}" }}',
        f'{{ trash = "{random.choice(("1", "2", "0-1", "0-4"))}", least = {random.randint(0, 3)} }}',
        f'{{ number = "discarded", plus = "{bonus(random)}", ask = "How many?" }}',
        f'{{ reveal = {random.randint(1, 2)}, by_type = {{ action = "{bonus(random)}" }} }}',
        f"{{ play = {random.randint(0, 3)} }}",
        f'{{ actions_played = 2, plus = "{bonus(random)}" }}',
        "{ first_silver = 1, each_copper = 1 }",
        "{ cheaper = 2 }",
        '{ pass = "left" }',
        '{ note = "Do it." }',
    )
    if depth > 1 or random.random() < 0.6:
        return random.choice(simple)
    inner = steps(random, 2, depth + 1)
    return random.choice(
        (
            f"{{ others = {inner} }}",
            f'{{ trash = "0-2", not = "copper", then = {inner} }}',
            f'{{ choose = {{ a = "{bonus(random)}", b = {{ trash = "itself", steps = {inner} }}, '
            f'c = {{ trash = "copper" }} }}, pick = {random.randint(1, 3)} }}',
        )
    )


def a_file(random: Random) -> str:
    rows = ['[box.o]\nname = "O"']
    for number in (1, 2, 3):
        types = random.choice(TYPES)
        rows.append(
            f'[own{number}]\nname = "Own {number}"\nbox = "o"\ncost = {random.randint(0, 8)}\n'
            f'types = "{types}"\nplus = "{bonus(random)}"\nsteps = {steps(random, 3)}'
        )
        if "reaction" in types:
            rows.append(f'reaction = "{random.choice(("unaffected", "first"))}"')
        if "victory" in types:
            rows.append(f'points = "{random.choice(("1 per 10 cards", "2", "-3", "1 per own1"))}"')
    return "\n".join(rows)


@pytest.mark.parametrize("seed", range(FILES))
def test_whatever_a_card_of_ones_own_does_its_buttons_do(seed: int) -> None:
    random = Random(seed)
    with known(a_file(random)):
        gained = [
            f'{seat} gains {card} because "x"'
            for seat in (1, 2, 3)
            for card in ("own1", "own1", "own2", "own3", "throne_room", "moat")
        ]
        position = play(3, " / ".join(gained), KINGDOM)
        for _tap in range(40):
            lines = [DOMINION.write(event) for event in DOMINION.legal(position)]
            if not lines:
                break
            kept = [line for line in lines if not line.endswith(("ends", "to buy"))]
            line = random.choice(kept if kept and random.random() < 0.8 else lines)
            position = DOMINION.apply(position, DOMINION.parse(line))
        assert page(position, {"card": "own1"})["phase"] == position.phase.value
        assert position.ended or lines


@pytest.mark.parametrize("seed", range(10))
def test_any_line_about_cards_of_ones_own(seed: int) -> None:
    """What cannot be is refused in words."""
    random, said = Random(seed), list[str]()
    with known(a_file(random)):
        position = play(3, "", KINGDOM)
        for _line in range(60):
            line = any_line(random).replace("village", "own1").replace("moat", "own2")
            try:
                position = DOMINION.apply(position, DOMINION.parse(line))
            except CompanionError as error:
                said.append(str(error))
        assert page(position, {})
    assert said
    assert all(said)


HAG = """
[box.o]
name = "O"

[hag]
name = "Hag"
box = "o"
cost = 3
types = "action attack"
plus = "+1 action"
steps = [{ others = [{ take = "great_hall" }] }]

[coin_maker]
name = "Coin maker"
box = "o"
cost = 3
types = "action treasure"
plus = "+2 coins"
"""


def test_an_attack_gives_nothing_of_a_pile_that_is_not_there() -> None:
    with known(HAG):
        position = play(2, "1 plays hag", hand="hag moat")

        assert turn_of(position).tasks == ()
        assert turn_of(position).actions == 1


def test_what_is_an_action_and_a_treasure_takes_an_action_in_the_action_phase() -> None:
    with known(HAG):
        session = evening(2, "1 plays coin_maker", hand="coin_maker coin_maker village")

        assert (turn_of(session.position).phase, turn_of(session.position).actions) == ("action", 0)
        assert refusal(session, "1 plays village") == "No Action is left this turn."


def test_what_is_an_action_and_a_treasure_is_a_treasure_once_no_action_is_left() -> None:
    """As with any Treasure, the Buy phase has then begun."""
    with known(HAG):
        session = evening(2, "1 plays coin_maker", hand="coin_maker coin_maker")
        assert "1 plays coin_maker" in [DOMINION.write(event) for event in DOMINION.legal(session.position)]
        position = play(2, "1 plays coin_maker / 1 plays coin_maker", hand="coin_maker coin_maker")
        assert (turn_of(position).phase, turn_of(position).actions, turn_of(position).coins) == ("buy", 0, 4)
        bought = play(2, "1 to buy / 1 plays coin_maker", hand="coin_maker")
        assert (turn_of(bought).actions, turn_of(bought).coins) == (1, 2)
