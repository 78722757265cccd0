"""What the next player may choose from, as the buttons of the page have it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, islice

from companion.games.dominion.rules.cards import (
    CARDS,
    CardType,
    Choose,
    CountDiscards,
    Gain,
    GainNamed,
    ManualStep,
    PlayCard,
    Reveal,
    Trash,
)
from companion.games.dominion.rules.events import (
    AnswersChosen,
    AttackSuffered,
    BuyingBegun,
    CardGained,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    Event,
    FirstPlayer,
    NumberTold,
    TurnEnded,
)
from companion.games.dominion.rules.moves import (
    cards_not_in_play,
    gainable,
    may_react,
    may_trash,
    open_answers,
    purchases,
)
from companion.games.dominion.rules.position import Phase, Position, Task, TurnState

MOST_DISCARDED = 40
"""No hand is larger than what numbers of discarded cards are offered up to."""
MOST_REVEALS = 200
"""Ways to reveal several cards that are told apart here; the page asks for one card after the other."""


def legal_events(position: Position) -> Iterator[Event]:
    turn = position.turn
    if position.ended:
        return
    if turn is None:
        if position.kingdom:
            yield from map(FirstPlayer, range(position.players))
    elif position.task:
        yield from _for_task(position, turn, position.task)
        yield from _reactions(position, turn)
    else:
        yield from _in_turn(position, turn)
        yield from _reactions(position, turn)


def _in_turn(position: Position, turn: TurnState) -> Iterator[Event]:
    for card in () if position.light else playable(position, turn):
        yield CardPlayed(turn.player, card)
    if turn.phase is Phase.ACTION and not position.light:
        yield BuyingBegun(turn.player)
    yield from purchases(position)
    yield TurnEnded(turn.player)


def playable(position: Position, turn: TurnState) -> Iterator[str]:
    """What the player may have in the hand and could play."""
    action = turn.phase is Phase.ACTION and turn.actions > 0
    for card in cards_not_in_play(position, turn.player):
        types = CARDS[card].types
        fits = (action and CardType.ACTION in types) or (not turn.bought and CardType.TREASURE in types)
        if fits:
            yield card


def _for_task(position: Position, turn: TurnState, task: Task) -> Iterator[Event]:
    player, held = task.player, cards_not_in_play(position, task.player)
    match task.step:
        case Choose() as choose:
            keys = [
                answer.key
                for answer in open_answers(position, task, choose)
                if answer.trash not in CARDS or held.get(answer.trash, 0)
            ]
            for picked in combinations(keys, choose.pick):
                yield AnswersChosen(player, picked)
        case CountDiscards():
            yield from (NumberTold(player, number) for number in range(MOST_DISCARDED + 1))
        case Reveal(count):
            left = (player + 1) % position.players
            ways = combinations_with_replacement(cards_not_in_play(position, left), count)
            yield from (CardsRevealed(left, cards) for cards in islice(ways, MOST_REVEALS))
        case Trash() as trash:
            yield CardsTrashed(player, ())
            yield from (CardsTrashed(player, (card,)) for card in held if may_trash(position, trash, card))
        case Gain() as gain:
            yield from (CardGained(player, card) for card in gainable(position, gain, task.base))
            if gain.may:
                yield CardGained(player, "")
        case PlayCard():
            yield CardPlayed(player, "")
            for card, count in held.items():
                # Another player's card lies in the same play area.
                others = turn.in_play.count(card) if player != turn.player else 0
                if CardType.ACTION in CARDS[card].types and (not position.decks_known or count > others):
                    yield CardPlayed(player, card)
        case ManualStep() | GainNamed():
            yield AttackSuffered(player)
            yield AttackSuffered(None)


def _reactions(position: Position, turn: TurnState) -> Iterator[Event]:
    """In turn order, whoever has not suffered the Attack yet may show a Reaction."""
    for step in range(1, position.players):
        player = (turn.player + step) % position.players
        for card in cards_not_in_play(position, player) if may_react(turn, player) else ():
            # Rulebook 003, "Cámara Secreta": also by somebody the Attack does nothing to, who needs no Moat.
            if CARDS[card].reaction and (player not in turn.unaffected or CARDS[card].reaction == "first"):
                yield CardsRevealed(player, (card,))
