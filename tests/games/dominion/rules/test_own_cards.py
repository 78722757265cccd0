"""Cards of one's own, from a file and without a line of code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from companion.core.errors import CompanionError, NotationError
from companion.games.dominion.page.presenter import page
from companion.games.dominion.rules.cards import (
    BOXES,
    CARDS,
    LARGEST_CARD_FILE,
    MOST_CARDS,
    Bonus,
    CardPoints,
    Gain,
    GainNamed,
    Trash,
    add_cards,
    kingdom_of,
    read_cards,
)
from companion.games.dominion.rules.kingdom import supply_piles
from tests.games.dominion.page.test_any_line import any_line
from tests.games.dominion.stories import DOMINION, evening, play, refusal, remove_cards, turn_of

FILE = """
[box.our-house]
name = "Our house"

[grandmother]
name = "Grandmother"
pt = "Avó"
es = "Abuela"
box = "our-house"
cost = 4
types = "action"
plus = "+1 card +2 coins"
steps = [{ trash = "0-1", then = [{ gain = "up to 2 more", to = "hand" }] }, { others = [{ take = "copper" }] }]

[orchard]
name = "Orchard"
box = "our-house"
cost = 5
types = "victory"
points = "2 per gold"
pile = 6
"""


@pytest.fixture
def our_house() -> Iterator[None]:
    read = read_cards(FILE)
    add_cards(*read)
    yield
    remove_cards(*read)


@pytest.mark.usefixtures("our_house")
def test_a_file_brings_cards_that_are_as_good_as_any() -> None:
    grandmother = CARDS["grandmother"]

    assert [card.id for card in kingdom_of(frozenset({"our-house"}))] == ["grandmother", "orchard"]
    assert (grandmother.cost, grandmother.plus, grandmother.names) == (
        4,
        Bonus(cards=1, coins=2),
        {"pt-BR": "Avó", "es": "Abuela"},
    )
    assert [type(step) for step in grandmother.all_steps][:2] == [Trash, Gain]
    assert GainNamed("copper") in grandmother.all_steps
    assert grandmother.trashes
    assert CARDS["orchard"].points == CardPoints(2, per_card="gold")
    assert supply_piles(["grandmother", "orchard"], 4)["grandmother"] == 10
    assert supply_piles(["grandmother", "orchard"], 4)["orchard"] == 6


@pytest.mark.usefixtures("our_house")
def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(NotationError, match="There is a card or a box “grandmother” already"):
        add_cards(*read_cards(FILE))

    assert BOXES["our-house"] == "Our house"


def with_line(line: str, heading: str = "grandmother") -> str:
    """The file with one more line for a card, instead of the one that says the same."""
    key = line.partition(" ")[0]
    before, after = FILE.split(f"[{heading}]\n")
    kept = [row for row in after.splitlines() if not row.startswith(f"{key} ")]
    return f"{before}[{heading}]\n{line}\n" + "\n".join(kept)


@pytest.mark.parametrize(
    ("text", "said"),
    (
        ("[box", "This is no TOML: "),
        ("x" * (LARGEST_CARD_FILE + 1), "A file of cards has 64000 characters at most."),
        (FILE.replace("[orchard]", "[Orchard!]"), "This is no TOML: "),
        (FILE.replace("[orchard]", "[ORCHARD]"), "“ORCHARD” is no id of a card"),
        (FILE.replace("[box.our-house]", "[box.Our_House]"), "“Our_House” is no name of a box"),
        (FILE + "\n[x]", "Card “x”: “box” needs a text"),
        ("loose = 3\n" + FILE, "Card “loose”: it needs a heading of its own, in square brackets"),
        (with_line('box = "attic"'), "Card “grandmother”: its box “attic” is not in this file"),
        (with_line("cost = 21"), "Card “grandmother”: “cost” is a whole number from 0 to 20"),
        (with_line("cost = true"), "Card “grandmother”: “cost” is a whole number from 0 to 20"),
        (with_line('types = ""'), "Card “grandmother”: “types” needs a text of 120 characters at most"),
        (with_line('types = "Action"'), "Card “grandmother”: “types” is one to five words"),
        (with_line('plus = "+1 carrot"'), "Card “grandmother”: “+1 carrot” is no bonus"),
        (with_line("costs = 3"), "Card “grandmother”: “costs” has no meaning here; known are cost"),
        (with_line('hue = "red"'), "Card “grandmother”: “hue” has no meaning here; known are box, cost, es"),
        (with_line('points = "lots"'), "Card “grandmother”: “points” is written 3, 1 per 10 cards"),
        (with_line('points = "1 per 0 cards"'), "Card “grandmother”: “points” is written 3"),
        (with_line('reaction = "unaffected"'), "Card “grandmother”: “reaction” is unaffected or first"),
        (with_line("steps = 3"), "Card “grandmother”: “steps” is a list of 12 steps at most"),
        (with_line("steps = [3]"), "Card “grandmother”: a step is written in braces"),
        (with_line('steps = [{ dance = "twice" }]'), "Card “grandmother”: there is no step “dance”"),
        (with_line('steps = [{ gain = "a lot" }]'), "Card “grandmother”: “gain” is written up to 4"),
        (with_line('steps = [{ gain = "up to 4", to = "attic" }]'), "“to” is discard, hand or deck"),
        (with_line('steps = [{ trash = "4-1" }]'), "Card “grandmother”: “trash” is written 1, 2, or 0-4"),
        (with_line('steps = [{ choose = "x" }]'), "Card “grandmother”: “choose” needs two to eight answers"),
        (with_line("steps = [{ choose = { a = 1, b = 2 } }]"), "an answer is a bonus, or what follows"),
        (
            with_line("steps = [{ choose = { a = {}, b = {} }, pick = 3 }]"),
            "“pick” is how many of the answers",
        ),
        (with_line("steps = [" + "{ others = [" * 6 + "] }" * 6 + "]"), "not too deep in each other"),
        (with_line('name = "Grand\\tmother"'), "Card “grandmother”: “name” needs a text"),
        ("\n".join(f"[c{n}]" for n in range(MOST_CARDS + 1)), "A file has 200 cards at most."),
    ),
)
def test_what_is_wrong_with_a_file_is_told(text: str, said: str) -> None:
    with pytest.raises(NotationError) as told:
        add_cards(*read_cards(text))

    assert said in str(told.value)
    assert "grandmother" not in CARDS


def test_a_card_may_only_speak_of_cards_there_are() -> None:
    with pytest.raises(NotationError, match="Card “grandmother” speaks of “platinum”, which is no card"):
        add_cards(*read_cards(with_line('steps = [{ take = "platinum" }]')))

    with pytest.raises(NotationError, match="Card “orchard” speaks of “unicorn”"):
        add_cards(*read_cards(with_line('points = "1 per unicorn"', "orchard")))

    assert "orchard" not in CARDS


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
