"""What the randomiser promises holds in every one of 10,000 draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from companion.core.errors import IllegalEvent
from companion.games.dominion.rules.card import DOMINION, INTRIGUE
from companion.games.dominion.rules.cards import CARDS, kingdom_of
from companion.games.dominion.rules.randomiser import (
    MOST_AGAIN,
    DrawWishes,
    KingdomNeed,
    draw_kingdom,
    draw_replacement,
)
from companion.games.dominion.rules.steps import CardType
from tests.games.dominion.facts import KINGDOM

DRAWS = 10_000
BOTH = frozenset({DOMINION, INTRIGUE})
VILLAGES = set("village festival mining_village nobles shanty_town".split())
BUYS = set("market festival council_room baron bridge pawn".split())
TRASHERS = set("chapel mine moneylender remodel sentry masquerade steward trading_post upgrade".split())
ATTACKS = set("bandit bureaucrat militia witch minion saboteur swindler torturer".split())
REACTIONS = {"moat", "secret_chamber"}


def draws(wishes: DrawWishes, count: int = DRAWS, seed: int = 1) -> Iterator[set[str]]:
    random = Random(seed)
    for _number in range(count):
        drawn = draw_kingdom(wishes, random)
        assert len(drawn) == len(set(drawn)) == 10
        yield set(drawn)


@pytest.mark.parametrize("boxes", (BOTH, {DOMINION}, {INTRIGUE}))
def test_cards_come_from_the_boxes_owned(boxes: set[str]) -> None:
    seen: Counter[str] = Counter()
    for drawn in draws(DrawWishes(frozenset(boxes))):
        seen.update(drawn)

    assert set(seen) == {id for id in KINGDOM if CARDS[id].box in boxes}
    even = DRAWS * 10 / len(seen)
    assert all(0.9 * even < count < 1.1 * even for count in seen.values())


def test_one_card_gives_two_actions() -> None:
    assert all(drawn & VILLAGES for drawn in draws(DrawWishes(needs=frozenset({KingdomNeed.ACTIONS}))))


def test_one_card_gives_a_buy() -> None:
    assert all(drawn & BUYS for drawn in draws(DrawWishes(needs=frozenset({KingdomNeed.BUYS}))))


def test_one_card_trashes() -> None:
    assert all(drawn & TRASHERS for drawn in draws(DrawWishes(needs=frozenset({KingdomNeed.TRASHING}))))


def test_a_reaction_comes_with_attacks() -> None:
    seen = Counter(
        (bool(drawn & ATTACKS), bool(drawn & REACTIONS))
        for drawn in draws(DrawWishes(needs=frozenset({KingdomNeed.REACTION})))
    )

    assert set(seen) == {(False, False), (False, True), (True, True)}


def test_costs_are_spread() -> None:
    for drawn in draws(DrawWishes(needs=frozenset({KingdomNeed.COSTS}))):
        costs = {CARDS[id].cost for id in drawn}
        assert min(costs) <= 3
        assert 4 in costs
        assert max(costs) >= 5


def test_it_is_never_the_same_as_last_time() -> None:
    last = frozenset(draw_kingdom(DrawWishes(frozenset({DOMINION})), Random(7)))
    again = [len(drawn & last) for drawn in draws(DrawWishes(frozenset({DOMINION}), last=last))]

    assert max(again) == MOST_AGAIN < 10


def test_vetoed_cards_stay_away_and_favourites_come() -> None:
    vetoed = frozenset({"witch", "chapel", "village", "moat"})
    favourites = frozenset({"bridge", "duke"})
    seen: Counter[str] = Counter()
    for drawn in draws(DrawWishes(vetoed=vetoed, favourites=favourites)):
        assert not drawn & vetoed
        assert drawn & favourites
        seen.update(drawn)

    others = DRAWS * 8 / 45
    assert all(seen[id] > 1.5 * others for id in favourites)


def test_cards_of_the_last_games_come_less_often() -> None:
    recent = frozenset(draw_kingdom(DrawWishes(), Random(3)))
    seen = Counter(id for drawn in draws(DrawWishes(recent=recent), 3000) for id in drawn)

    assert max(seen[id] for id in recent) < min(count for id, count in seen.items() if id not in recent)


def test_all_promises_hold_together() -> None:
    last = frozenset(draw_kingdom(DrawWishes(), Random(9)))
    wishes = DrawWishes(BOTH, frozenset(KingdomNeed), vetoed=frozenset({"moat"}), last=last)
    for drawn in draws(wishes):
        assert drawn & VILLAGES
        assert drawn & BUYS
        assert drawn & TRASHERS
        assert not drawn & ATTACKS or drawn & REACTIONS
        assert "moat" not in drawn
        assert len(drawn & last) <= MOST_AGAIN


def test_one_of_ten_is_drawn_anew() -> None:
    random = Random(5)
    for _number in range(DRAWS):
        wishes = DrawWishes(needs=frozenset({KingdomNeed.ACTIONS, KingdomNeed.REACTION}))
        kingdom = draw_kingdom(wishes, random)
        out = random.choice(kingdom)
        came = draw_replacement(kingdom, out, wishes, random)
        after = {came, *kingdom} - {out}
        assert came not in kingdom
        assert len(after) == 10
        assert after & VILLAGES
        assert not after & ATTACKS or after & REACTIONS


def test_one_drawn_anew_never_brings_the_last_game_back() -> None:
    """The kingdom is the last one but for one card that people put in: no draw for that card closes the gap."""
    last = frozenset("cellar market merchant militia mine moat remodel smithy village workshop".split())
    kingdom = (*sorted(last - {"workshop"}), "gardens")
    wishes = DrawWishes(frozenset({DOMINION}), last=last)
    random = Random(11)
    for _number in range(DRAWS):
        assert draw_replacement(kingdom, "gardens", wishes, random) not in last


def test_one_drawn_anew_leaves_five_of_the_last_game() -> None:
    random = Random(12)
    last = frozenset(draw_kingdom(DrawWishes(), Random(13)))
    wishes = DrawWishes(needs=frozenset({KingdomNeed.REACTION, KingdomNeed.COSTS}), last=last)
    kingdom = draw_kingdom(wishes, random)
    refused = 0
    for _number in range(DRAWS):
        out = random.choice(kingdom)
        try:
            came = draw_replacement(kingdom, out, wishes, random)
        except IllegalEvent:
            # Nothing else could answer the Attacks: the card stays.
            refused += 1
            continue
        kingdom = tuple(sorted({*kingdom, came} - {out}))
        assert len(kingdom) == 10
        assert len(last & set(kingdom)) <= MOST_AGAIN
    assert refused < DRAWS / 10


def test_chance_adds_none_of_the_last_game_to_six_that_people_chose() -> None:
    last = frozenset(draw_kingdom(DrawWishes(), Random(14)))
    kept = tuple(sorted(last))[:6]
    for drawn in draws(DrawWishes(kept=kept, last=last), 1000):
        assert last & drawn == set(kept)


def test_without_a_reaction_there_is_no_attack() -> None:
    wishes = DrawWishes(frozenset({DOMINION}), frozenset({KingdomNeed.REACTION}), vetoed=frozenset({"moat"}))

    assert not any(drawn & ATTACKS for drawn in draws(wishes, 1000))


@pytest.mark.parametrize(
    ("wishes", "why"),
    (
        (
            DrawWishes(
                frozenset({DOMINION}),
                frozenset({KingdomNeed.ACTIONS}),
                vetoed=frozenset({"village", "festival"}),
            ),
            "No card is left for this wish: A card with +2 Actions.",
        ),
        (
            DrawWishes(vetoed=frozenset(card.id for card in kingdom_of(BOTH)[9:])),
            "Too few cards are left for ten piles: veto less, or open another box.",
        ),
        (
            DrawWishes(frozenset({DOMINION}), favourites=frozenset({"bridge"})),
            "No card is left for this wish: A favourite.",
        ),
    ),
)
def test_what_cannot_be_promised_is_refused(wishes: DrawWishes, why: str) -> None:
    with pytest.raises(IllegalEvent) as refused:
        draw_kingdom(wishes, Random(1))

    assert str(refused.value) == why


def test_the_same_seed_draws_the_same() -> None:
    assert draw_kingdom(DrawWishes(), Random(4)) == draw_kingdom(DrawWishes(), Random(4))
    assert {CardType.ACTION} <= {
        type for id in draw_kingdom(DrawWishes(), Random(4)) for type in CARDS[id].types
    }
