"""What follows by itself from a card in play, up to the next thing that only a player knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.dominion.rules.card import COPPER, SILVER
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.position import Instruction, Position, ResolveCard, Task, TurnState
from companion.games.dominion.rules.steps import (
    ITSELF,
    ActionsPlayed,
    Bonus,
    CardType,
    ChoiceAnswer,
    Choose,
    Gain,
    GainNamed,
    ManualStep,
    OtherPlayers,
    PassCards,
    Step,
    TurnModifier,
)


def current_turn(position: Position) -> TurnState:
    """The turn of a game that is being played."""
    if position.turn is None:
        raise AssertionError("nobody has a turn before the game has begun")
    return position.turn


def run_tasks(position: Position) -> Position:
    """The position once everything has happened that happens by itself."""
    while (turn := current_turn(position)).tasks:
        after = _task_done(replace(position, turn=replace(turn, tasks=turn.tasks[1:])), turn.tasks[0])
        if after is None:
            return position
        position = after
    return replace(position, turn=replace(turn, attack="", aimed=False, unaffected=frozenset()))


def do_task_now(position: Position, task: Task) -> Position:
    """What an Attack does to somebody without a Reaction."""
    return _task_done(position, replace(task, attack=False)) or position


def _task_done(position: Position, task: Task) -> Position | None:
    """The position after a task that nobody has to decide, or None where somebody has to."""
    match task.step:
        case ResolveCard():
            return _resolved(position, task)
        case ManualStep() | GainNamed() if task.attack:
            # Somebody may still show a Reaction, but not against what can do nothing any more.
            return (
                position
                if isinstance(task.step, GainNamed) and not position.supply.get(task.step.card)
                else None
            )
        case ManualStep(note):
            return with_instruction(position, Instruction(note, task.player, len(position.empty_piles)))
        case PassCards():
            return replace(with_instruction(position, Instruction("pass_left", task.player)), passed=True)
        case TurnModifier(first_silver, each_copper, cheaper):
            return _changed(position, first_silver, each_copper, cheaper)
        case ActionsPlayed(least, plus):
            enough = current_turn(position).actions_played >= least
            return with_bonus(position, task.player, plus) if enough else position
        case GainNamed(card, to):
            return with_gained_card(position, task.player, card, to)
        case Gain() as gain if not gainable(position, gain, task.base):
            return with_instruction(position, Instruction("no_card_to_gain", task.player))
        case OtherPlayers(steps):
            return _tasks_for_others(position, task, steps)
        case Choose() as choose if len(possible := open_answers(position, task, choose)) <= choose.pick:
            return with_answers(position, task, possible)
        case _:
            return None


def _resolved(position: Position, task: Task) -> Position:
    """Follow a card's instructions from the top."""
    turn, card = current_turn(position), CARDS[task.card]
    action, attack = CardType.ACTION in card.types, CardType.ATTACK in card.types
    turn = replace(
        turn,
        actions_played=turn.actions_played + action,
        attack=card.id if attack else turn.attack,
        aimed=turn.aimed and not attack,
        unaffected=frozenset() if attack else turn.unaffected,
    )
    position = with_bonus(replace(position, turn=turn), task.player, card.plus + _treasure(turn, card.id))
    if card.id == SILVER:
        position = replace(position, turn=replace(current_turn(position), silver_played=True))
    return push_steps(position, task, card.steps)


def _treasure(turn: TurnState, id: str) -> Bonus:
    """What a Copper or a Silver brings more than what is printed on it."""
    # Rulebook 000, "Mercador": each Merchant once, with the first Silver of the turn.
    silver = turn.first_silver if id == SILVER and not turn.silver_played else 0
    # Rulebook 003, "Artesano del Cobre": each of them counts.
    return Bonus(coins=silver + (turn.each_copper if id == COPPER else 0))


def _changed(position: Position, first_silver: int, each_copper: int, cheaper: int) -> Position:
    turn = current_turn(position)
    turn = replace(
        turn,
        first_silver=turn.first_silver + first_silver,
        each_copper=turn.each_copper + each_copper,
        cheaper=turn.cheaper + cheaper,
    )
    return replace(position, turn=turn)


def _tasks_for_others(position: Position, task: Task, steps: tuple[Step, ...]) -> Position:
    """In turn order, to the left of whoever plays the card first."""
    turn = current_turn(position)
    attack = CardType.ATTACK in CARDS[task.card].types
    seats = [(turn.player + seat) % position.players for seat in range(1, position.players)]
    tasks = tuple(
        replace(task, step=step, player=seat, attack=attack and position.reactions)
        for seat in seats
        if not (attack and seat in turn.unaffected)
        for step in steps
    )
    return replace(position, turn=replace(turn, tasks=(*tasks, *turn.tasks), aimed=turn.aimed or attack))


def push_steps(position: Position, task: Task, steps: tuple[Step, ...], base: int = 0) -> Position:
    """These steps come before everything else that waits."""
    turn = current_turn(position)
    tasks = tuple(replace(task, step=step, base=base) for step in steps)
    return replace(position, turn=replace(turn, tasks=(*tasks, *turn.tasks)))


def with_instruction(position: Position, what: Instruction) -> Position:
    turn = current_turn(position)
    return replace(position, turn=replace(turn, told=(*turn.told, what)))


def with_bonus(position: Position, player: int, plus: Bonus) -> Position:
    """A bonus counts for whoever has the turn; cards are drawn by anybody."""
    turn = current_turn(position)
    if plus.cards:
        position = with_instruction(position, Instruction("draw", player, plus.cards))
        turn = current_turn(position)
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


def may_react(turn: TurnState, player: int) -> bool:
    """Whether a player may show a Reaction: rulebook 000, "Fosso": before the Attack does anything to them."""
    if not turn.attack or player == turn.player:
        return False
    waits = any(task.attack and task.player == player for task in turn.tasks)
    return waits or not turn.aimed or player in turn.unaffected


def buyable(position: Position) -> tuple[str, ...]:
    """The cards in the supply that whoever has the turn can pay for."""
    turn = current_turn(position)
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


def with_gained_card(
    position: Position, player: int, card: str, to: str = "discard", anyway: bool = False
) -> Position:
    """A card goes from its pile to a player, as long as there is one.

    `anyway`, people saw that there was one: then the log was wrong about the pile.
    """
    left = position.supply.get(card, 0)
    if not left and not anyway:
        return with_instruction(position, Instruction("pile_empty", player, card=card))
    position = replace(
        position,
        supply=with_count(position.supply, card, -1) if left else position.supply,
        owned=_owned(position, player, card, 1),
    )
    return with_instruction(position, Instruction(f"gain_to_{to}", player, card=card))


def with_trashed_card(position: Position, player: int, card: str) -> Position:
    return replace(
        position, trash=with_count(position.trash, card, 1), owned=_owned(position, player, card, -1)
    )


def _owned(position: Position, player: int, card: str, by: int) -> tuple[Mapping[str, int], ...]:
    owned = with_count(position.owned[player], card, by)
    return (*position.owned[:player], owned, *position.owned[player + 1 :])


def with_count(counts: Mapping[str, int], card: str, by: int) -> dict[str, int]:
    return {**counts, card: counts.get(card, 0) + by}


def open_answers(position: Position, task: Task, choose: Choose) -> tuple[ChoiceAnswer, ...]:
    """The answers a player still has: a card that left the play area cannot be trashed once more."""
    there = task.slot >= 0 and bool(current_turn(position).in_play[task.slot])
    return tuple(answer for answer in choose.answers if there or answer.trash != ITSELF)


def with_answers(position: Position, task: Task, picked: tuple[ChoiceAnswer, ...]) -> Position:
    """Everything that was chosen, in the order it was said."""
    for answer in picked:
        if answer.trash == ITSELF:
            turn = current_turn(position)
            in_play = (*turn.in_play[: task.slot], "", *turn.in_play[task.slot + 1 :])
            position = with_trashed_card(
                replace(position, turn=replace(turn, in_play=in_play)), task.player, task.card
            )
        elif answer.trash:
            position = with_trashed_card(position, task.player, answer.trash)
        position = with_bonus(position, task.player, answer.plus)
    return push_steps(
        position, replace(task, attack=False), tuple(s for answer in picked for s in answer.steps)
    )
