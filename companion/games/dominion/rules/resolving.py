"""What follows by itself from a card in play, up to the next thing that only a player knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.dominion.rules.card import COPPER, SILVER
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.position import Counter, Position, Resolve, Task, Told
from companion.games.dominion.rules.steps import (
    ITSELF,
    ActionsPlayed,
    Answer,
    Bonus,
    Choose,
    Gain,
    Later,
    Others,
    Pass,
    Step,
    Take,
    Tell,
    Type,
)


def going(position: Position) -> Counter:
    """The turn of a game that is being played."""
    if position.turn is None:
        raise AssertionError("nobody has a turn before the game has begun")
    return position.turn


def settled(position: Position) -> Position:
    """The position once everything has happened that happens by itself."""
    while (turn := going(position)).tasks:
        after = _done(replace(position, turn=replace(turn, tasks=turn.tasks[1:])), turn.tasks[0])
        if after is None:
            return position
        position = after
    return replace(position, turn=replace(turn, attack="", aimed=False, unaffected=frozenset()))


def done_at_once(position: Position, task: Task) -> Position:
    """What an Attack does to somebody without a Reaction."""
    return _done(position, replace(task, attack=False)) or position


def _done(position: Position, task: Task) -> Position | None:
    """The position after a task that nobody has to decide, or None where somebody has to."""
    match task.step:
        case Resolve():
            return _resolved(position, task)
        case Tell() | Take() if task.attack:
            # Somebody may still show a Reaction, but not against what can do nothing any more.
            return (
                position if isinstance(task.step, Take) and not position.supply.get(task.step.card) else None
            )
        case Tell(note):
            return told(position, Told(note, task.player, len(position.empty_piles)))
        case Pass():
            return replace(told(position, Told("pass_left", task.player)), passed=True)
        case Later(first_silver, each_copper, cheaper):
            return _changed(position, first_silver, each_copper, cheaper)
        case ActionsPlayed(least, plus):
            enough = going(position).actions_played >= least
            return given(position, task.player, plus) if enough else position
        case Take(card, to):
            return gained(position, task.player, card, to)
        case Gain() as gain if not gainable(position, gain, task.base):
            return told(position, Told("no_card_to_gain", task.player))
        case Others(steps):
            return _for_others(position, task, steps)
        case Choose() as choose if len(possible := answers(position, task, choose)) <= choose.pick:
            return chosen(position, task, possible)
        case _:
            return None


def _resolved(position: Position, task: Task) -> Position:
    """Follow a card's instructions from the top."""
    turn, card = going(position), CARDS[task.card]
    action, attack = Type.ACTION in card.types, Type.ATTACK in card.types
    turn = replace(
        turn,
        actions_played=turn.actions_played + action,
        attack=card.id if attack else turn.attack,
        aimed=turn.aimed and not attack,
        unaffected=frozenset() if attack else turn.unaffected,
    )
    position = given(replace(position, turn=turn), task.player, card.plus + _treasure(turn, card.id))
    if card.id == SILVER:
        position = replace(position, turn=replace(going(position), silver_played=True))
    return ahead(position, task, card.steps)


def _treasure(turn: Counter, id: str) -> Bonus:
    """What a Copper or a Silver brings more than what is printed on it."""
    # Rulebook 000, "Mercador": each Merchant once, with the first Silver of the turn.
    silver = turn.first_silver if id == SILVER and not turn.silver_played else 0
    # Rulebook 003, "Artesano del Cobre": each of them counts.
    return Bonus(coins=silver + (turn.each_copper if id == COPPER else 0))


def _changed(position: Position, first_silver: int, each_copper: int, cheaper: int) -> Position:
    turn = going(position)
    turn = replace(
        turn,
        first_silver=turn.first_silver + first_silver,
        each_copper=turn.each_copper + each_copper,
        cheaper=turn.cheaper + cheaper,
    )
    return replace(position, turn=turn)


def _for_others(position: Position, task: Task, steps: tuple[Step, ...]) -> Position:
    """In turn order, to the left of whoever plays the card first."""
    turn = going(position)
    attack = Type.ATTACK in CARDS[task.card].types
    seats = [(turn.player + seat) % position.players for seat in range(1, position.players)]
    tasks = tuple(
        replace(task, step=step, player=seat, attack=attack and position.reactions)
        for seat in seats
        if not (attack and seat in turn.unaffected)
        for step in steps
    )
    return replace(position, turn=replace(turn, tasks=(*tasks, *turn.tasks), aimed=turn.aimed or attack))


def ahead(position: Position, task: Task, steps: tuple[Step, ...], base: int = 0) -> Position:
    """These steps come before everything else that waits."""
    turn = going(position)
    tasks = tuple(replace(task, step=step, base=base) for step in steps)
    return replace(position, turn=replace(turn, tasks=(*tasks, *turn.tasks)))


def told(position: Position, what: Told) -> Position:
    turn = going(position)
    return replace(position, turn=replace(turn, told=(*turn.told, what)))


def given(position: Position, player: int, plus: Bonus) -> Position:
    """A bonus counts for whoever has the turn; cards are drawn by anybody."""
    turn = going(position)
    if plus.cards:
        position = told(position, Told("draw", player, plus.cards))
        turn = going(position)
    if player != turn.player:
        return position
    turn = replace(
        turn,
        actions=turn.actions + plus.actions,
        buys=turn.buys + plus.buys,
        coins=turn.coins + plus.coins,
        cards=turn.cards + plus.cards,
    )
    return replace(position, turn=turn)


def reacts(turn: Counter, player: int) -> bool:
    """Whether a player may show a Reaction: rulebook 000, "Fosso": before the Attack does anything to them."""
    if not turn.attack or player == turn.player:
        return False
    waits = any(task.attack and task.player == player for task in turn.tasks)
    return waits or not turn.aimed or player in turn.unaffected


def buyable(position: Position) -> tuple[str, ...]:
    """The cards in the supply that whoever has the turn can pay for."""
    turn = going(position)
    return tuple(
        id
        for id, count in position.supply.items()
        if count and turn.buys and position.price(id) <= turn.coins
    )


def gainable(position: Position, gain: Gain, base: int) -> tuple[str, ...]:
    """The cards in the supply that may be gained."""
    cost = gain.cost + base if gain.relative else gain.cost
    return tuple(
        id
        for id, count in position.supply.items()
        if count
        and (position.price(id) == cost if gain.exactly else position.price(id) <= cost)
        and gain.types <= CARDS[id].types
    )


def gained(position: Position, player: int, card: str, to: str = "discard", anyway: bool = False) -> Position:
    """A card goes from its pile to a player, as long as there is one.

    `anyway`, people saw that there was one: then the log was wrong about the pile.
    """
    left = position.supply.get(card, 0)
    if not left and not anyway:
        return told(position, Told("pile_empty", player, card=card))
    position = replace(
        position,
        supply=added(position.supply, card, -1) if left else position.supply,
        owned=_owned(position, player, card, 1),
    )
    return told(position, Told(f"gain_to_{to}", player, card=card))


def trashed(position: Position, player: int, card: str) -> Position:
    return replace(position, trash=added(position.trash, card, 1), owned=_owned(position, player, card, -1))


def _owned(position: Position, player: int, card: str, by: int) -> tuple[Mapping[str, int], ...]:
    owned = added(position.owned[player], card, by)
    return (*position.owned[:player], owned, *position.owned[player + 1 :])


def added(counts: Mapping[str, int], card: str, by: int) -> dict[str, int]:
    return {**counts, card: counts.get(card, 0) + by}


def answers(position: Position, task: Task, choose: Choose) -> tuple[Answer, ...]:
    """The answers a player still has: a card that left the play area cannot be trashed once more."""
    there = task.slot >= 0 and bool(going(position).in_play[task.slot])
    return tuple(answer for answer in choose.answers if there or answer.trash != ITSELF)


def chosen(position: Position, task: Task, picked: tuple[Answer, ...]) -> Position:
    """Everything that was chosen, in the order it was said."""
    for answer in picked:
        if answer.trash == ITSELF:
            turn = going(position)
            in_play = (*turn.in_play[: task.slot], "", *turn.in_play[task.slot + 1 :])
            position = trashed(replace(position, turn=replace(turn, in_play=in_play)), task.player, task.card)
        elif answer.trash:
            position = trashed(position, task.player, answer.trash)
        position = given(position, task.player, answer.plus)
    return ahead(position, replace(task, attack=False), tuple(s for answer in picked for s in answer.steps))
