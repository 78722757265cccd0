"""What the next player may choose from, as the buttons of the page have it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, combinations_with_replacement

from companion.games.dominion.cards import CARDS
from companion.games.dominion.events import (
    AnswersChosen,
    AttackSuffered,
    BuyingBegun,
    CardBought,
    CardGained,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    Event,
    FirstPlayer,
    NumberTold,
    TurnEnded,
)
from companion.games.dominion.position import Counter, Phase, Position, Task
from companion.games.dominion.resolving import answers, buyable, gainable, reacts
from companion.games.dominion.steps import Choose, Gain, HowMany, PlayCard, Reveal, Take, Tell, Trash, Type

MOST_DISCARDED = 10
"""Numbers of discarded cards that get a button of their own."""


def legal(position: Position) -> Iterator[Event]:
    turn = position.turn
    if position.ended:
        return
    if turn is None:
        if position.kingdom:
            yield from map(FirstPlayer, range(position.players))
    elif turn.tasks:
        yield from _for_task(position, turn, turn.tasks[0])
        yield from _reactions(position, turn)
    else:
        yield from _in_turn(position, turn)


def _in_turn(position: Position, turn: Counter) -> Iterator[Event]:
    for card in playable(position, turn):
        yield CardPlayed(turn.player, card)
    if turn.phase is Phase.ACTION:
        yield BuyingBegun(turn.player)
    yield from (CardBought(turn.player, card) for card in buyable(position))
    yield TurnEnded(turn.player)


def playable(position: Position, turn: Counter) -> Iterator[str]:
    """What the player may have in the hand and could play."""
    action = turn.phase is Phase.ACTION and turn.actions > 0
    for card in position.owned[turn.player]:
        types = CARDS[card].types
        fits = (action and Type.ACTION in types) or (not turn.bought and Type.TREASURE in types)
        if fits and _left(position, turn, turn.player, card):
            yield card


def _left(position: Position, turn: Counter, player: int, card: str) -> bool:
    return position.owned[player].get(card, 0) > turn.in_play.count(card)


def _for_task(position: Position, turn: Counter, task: Task) -> Iterator[Event]:
    player, held = task.player, position.owned[task.player]
    match task.step:
        case Choose() as choose:
            keys = [
                answer.key
                for answer in answers(position, task, choose)
                if answer.trash not in CARDS or held.get(answer.trash, 0) or position.passed
            ]
            for picked in combinations(keys, choose.pick):
                yield AnswersChosen(player, picked)
        case HowMany():
            yield from (NumberTold(player, number) for number in range(MOST_DISCARDED + 1))
        case Reveal(count):
            left = (player + 1) % position.players
            cards = [id for id, number in position.owned[left].items() if number]
            for pair in combinations_with_replacement(cards, count):
                yield CardsRevealed(left, pair)
        case Trash() as trash:
            yield CardsTrashed(player, ())
            for card, number in held.items():
                fits = trash.types <= CARDS[card].types and card != trash.excluded
                if number > 0 and fits and position.price(card) >= trash.least:
                    yield CardsTrashed(player, (card,))
        case Gain() as gain:
            yield from (CardGained(player, card) for card in gainable(position, gain, task.base))
            if gain.may:
                yield CardGained(player, "")
        case PlayCard():
            yield CardPlayed(player, "")
            for card in position.owned[player]:
                if Type.ACTION in CARDS[card].types and _left(position, turn, player, card):
                    yield CardPlayed(player, card)
        case Tell() | Take():
            yield AttackSuffered(player)
            yield AttackSuffered(None)


def _reactions(position: Position, turn: Counter) -> Iterator[Event]:
    """Whoever has not suffered the Attack yet may show a Reaction."""
    for player in filter(partial(reacts, turn), range(position.players)):
        for card, count in position.owned[player].items():
            if count > 0 and CARDS[card].reaction and player not in turn.unaffected:
                yield CardsRevealed(player, (card,))
