"""A turn: cards are played, questions on them answered, cards bought."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominion.rules.card_names import card_name
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import (
    AnswersChosen,
    AttackSuffered,
    CardBought,
    CardGained,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    NumberTold,
)
from companion.games.dominion.rules.position import Instruction, Phase, Position, ResolveCard, Task, TurnState
from companion.games.dominion.rules.resolving import (
    current_turn,
    do_task_now,
    gainable,
    may_react,
    open_answers,
    push_steps,
    run_tasks,
    with_answers,
    with_bonus,
    with_gained_card,
    with_instruction,
    with_trashed_card,
)
from companion.games.dominion.rules.steps import (
    Bonus,
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
from companion.games.dominion.rules.waiting import check_no_task, check_player, drop_task, next_task, task_for
from companion.games.dominion.text import words


def play_card(position: Position, event: CardPlayed) -> Position:
    """Put a card into play and follow it, or play it for the card that lets people do so."""
    turn, task = current_turn(position), next_task(position)
    if task and isinstance(task.step, PlayCard):
        check_player(task.player, event.player)
        position = drop_task(position)
        if not event.card:
            return run_tasks(position)
        _check_type(event, CardType.ACTION)
        return run_tasks(_put(position, event, task.step.times))
    check_no_task(position)
    check_player(turn.player, event.player)
    if not event.card:
        raise IllegalEvent(_("Nothing has to be played now."))
    types = CARDS[event.card].types
    if CardType.ACTION in types and _as_action(turn, event):
        _check_type(event, CardType.ACTION)
        if not turn.actions and not event.because:
            raise IllegalEvent(_("No Action is left this turn."))
        position = replace(position, turn=replace(turn, actions=max(0, turn.actions - 1)))
        return run_tasks(_put(position, event, 1))
    _check_type(event, CardType.TREASURE)
    if turn.bought and not event.because:
        # Rulebook 000, "Fase de Compra": first the Treasures, then the cards.
        raise IllegalEvent(_("No more Treasures are played once a card was bought."))
    position = replace(position, turn=replace(turn, phase=Phase.BUY))
    _check_holds(position, event)
    for _copy in range(event.count):
        position = run_tasks(_put(position, replace(event, count=1), 1))
    return position


def _as_action(turn: TurnState, event: CardPlayed) -> bool:
    """Whether an Action uses up one: what is a Treasure too needs none in the Buy phase, nor once none is left."""
    if CardType.TREASURE in CARDS[event.card].types:
        return turn.phase is Phase.ACTION and turn.actions > 0
    return turn.phase is Phase.ACTION or bool(event.because)


def _put(position: Position, event: CardPlayed, times: int) -> Position:
    """The card lies in the play area once, however often it is played."""
    _check_holds(position, event)
    turn = current_turn(position)
    task = Task(ResolveCard(), event.player, event.card, len(turn.in_play))
    turn = replace(turn, in_play=(*turn.in_play, event.card), tasks=(*[task] * times, *turn.tasks))
    return replace(position, turn=turn)


def _check_holds(position: Position, event: CardPlayed) -> None:
    turn, held = current_turn(position), position.owned[event.player].get(event.card, 0)
    if turn.in_play.count(event.card) + event.count > held and position.decks_known and not event.because:
        raise IllegalEvent(
            _("By the log, this player has no more %(card)s to play.", card=card_name(event.card))
        )


def choose_answers(position: Position, event: AnswersChosen) -> Position:
    task = task_for(position, event.player)
    if not isinstance(task.step, Choose):
        raise IllegalEvent(words.first_question(position))
    possible = open_answers(position, task, task.step)
    by_key = {answer.key: answer for answer in possible}
    picked = tuple(by_key[key] for key in event.answers if key in by_key)
    if len(picked) != task.step.pick or len(set(event.answers)) != len(event.answers):
        raise IllegalEvent(
            _(
                "%(count)d different answers are chosen, of these: %(answers)s.",
                count=task.step.pick,
                answers=words.answer_names(tuple(answer.key for answer in possible)),
            )
            if task.step.pick > 1
            else _(
                "One answer is chosen, of these: %(answers)s.",
                answers=words.answer_names(tuple(answer.key for answer in possible)),
            )
        )
    named = tuple(answer.trash for answer in picked)
    _check_held(position, task.player, tuple(card for card in named if card in CARDS))
    return run_tasks(with_answers(drop_task(position), task, picked))


def count_discards(position: Position, event: NumberTold) -> Position:
    task = task_for(position, event.player)
    if not isinstance(task.step, CountDiscards):
        raise IllegalEvent(words.first_question(position))
    return run_tasks(with_bonus(drop_task(position), event.player, task.step.plus.times(event.number)))


def reveal_cards(position: Position, event: CardsRevealed) -> Position:
    """A Reaction, or what the player to the left reveals for a Tribute."""
    turn, task = current_turn(position), next_task(position)
    if task and isinstance(task.step, Reveal) and event.player == (task.player + 1) % position.players:
        return run_tasks(_turned_over(drop_task(position), task, task.step, event))
    if not event.cards or len(event.cards) > 1 or not CARDS[event.cards[0]].reaction:
        raise IllegalEvent(_("One Reaction is revealed at a time."))
    card = event.cards[0]
    if not turn.attack or event.player == turn.player:
        raise IllegalEvent(_("A Reaction is revealed when another player plays an Attack."))
    if not may_react(turn, event.player):
        raise IllegalEvent(_("The Attack has been done to this player: it is too late for a Reaction."))
    if not position.owned[event.player].get(card, 0) and position.decks_known:
        raise IllegalEvent(_("By the log, this player has no %(card)s.", card=card_name(card)))
    position = with_instruction(
        position, Instruction(f"reaction_{CARDS[card].reaction}", event.player, card=card)
    )
    if CARDS[card].reaction != "unaffected":
        return position
    turn = current_turn(position)
    left = tuple(task for task in turn.tasks if not (task.attack and task.player == event.player))
    turn = replace(turn, tasks=left, unaffected=turn.unaffected | {event.player})
    return run_tasks(replace(position, turn=turn))


def _turned_over(position: Position, task: Task, step: Reveal, event: CardsRevealed) -> Position:
    """Rulebook 003, "Tributo": a bonus for each card of another name, for each of its types."""
    if len(event.cards) > step.cards:
        raise IllegalEvent(_("Only %(count)d cards are revealed.", count=step.cards))
    plus = Bonus()
    for card in dict.fromkeys(event.cards):
        for type, bonus in step.by_type:
            plus += bonus if type in CARDS[card].types else Bonus()
    return with_bonus(position, task.player, plus)


def gain_card(position: Position, event: CardGained) -> Position:
    task = next_task(position)
    if task and task.player == event.player and _takes(task, event.card):
        return run_tasks(with_gained_card(drop_task(position), event.player, event.card))
    if event.because and event.card:
        return run_tasks(with_gained_card(position, event.player, event.card, anyway=True))
    task = task_for(position, event.player)
    if not isinstance(task.step, Gain):
        raise IllegalEvent(words.first_question(position))
    if not event.card:
        if not task.step.may and not event.because:
            raise IllegalEvent(_("There are cards to gain: one has to be taken."))
        return run_tasks(drop_task(position))
    if event.card not in gainable(position, task.step, task.base):
        raise IllegalEvent(
            _(
                "%(card)s cannot be gained now: it costs %(price)d, and %(left)d are left.",
                card=card_name(event.card),
                price=position.price(event.card),
                left=position.supply.get(event.card, 0),
            )
        )
    position = with_gained_card(drop_task(position), event.player, event.card, task.step.to)
    for type, bonus in task.step.by_type:
        if type in CARDS[event.card].types:
            position = with_bonus(position, event.player, bonus)
    return run_tasks(position)


def _takes(task: Task, card: str) -> bool:
    return isinstance(task.step, GainNamed) and task.step.card == card


def trash_cards(position: Position, event: CardsTrashed) -> Position:
    if event.because and not _trashing(position, event.player):
        for card in event.cards:
            position = with_trashed_card(position, event.player, card)
        return position
    task = task_for(position, event.player)
    if not isinstance(task.step, Trash):
        raise IllegalEvent(words.first_question(position))
    if not event.because:
        _check_trash(position, task, task.step, event.cards)
    base = position.price(event.cards[-1]) if event.cards else 0
    position = drop_task(position)
    for card in event.cards:
        position = with_trashed_card(position, event.player, card)
    steps = task.step.then if len(event.cards) == task.step.most else ()
    return run_tasks(push_steps(position, replace(task, attack=False), steps, base))


def _trashing(position: Position, player: int) -> bool:
    task = next_task(position)
    return task is not None and task.player == player and isinstance(task.step, Trash)


def _check_trash(position: Position, task: Task, step: Trash, cards: tuple[str, ...]) -> None:
    if len(cards) > step.most:
        raise IllegalEvent(_("At most %(count)d cards are trashed.", count=step.most))
    for card in cards:
        fits = step.types <= CARDS[card].types and card != step.excluded
        if not fits or position.price(card) < step.least:
            raise IllegalEvent(_("%(card)s cannot be trashed by this.", card=card_name(card)))
    _check_held(position, task.player, cards)


def _check_held(position: Position, player: int, cards: tuple[str, ...]) -> None:
    turn, held = current_turn(position), position.owned[player]
    # What lies in play is in nobody's hand.
    lying = turn.in_play if player == turn.player else ()
    short = any(cards.count(card) + lying.count(card) > held.get(card, 0) for card in cards)
    if short and position.decks_known:
        raise IllegalEvent(_("By the log, this player has no such cards to trash."))


def suffer_attack(position: Position, event: AttackSuffered) -> Position:
    """What the Attack does is done to the next player, or to everybody up to a question."""
    suffering = next_task(position)
    if suffering is None:
        raise IllegalEvent(_("No Attack is being dealt with."))
    if not _plain(suffering):
        raise IllegalEvent(words.first_question(position))
    if event.player is not None:
        check_player(suffering.player, event.player)
    # Settled only at the end: a Throne Room's second Attack can be reacted to once more.
    while (task := next_task(position)) and _plain(task) and event.player in (None, task.player):
        position = do_task_now(drop_task(position), task)
    return run_tasks(position)


def _plain(task: Task) -> bool:
    """Whether the Attack needs nobody's answer."""
    return task.attack and isinstance(task.step, ManualStep | GainNamed)


def buy_card(position: Position, event: CardBought) -> Position:
    check_no_task(position)
    turn, price = current_turn(position), position.price(event.card)
    check_player(turn.player, event.player)
    if not event.because:
        if not position.supply.get(event.card):
            raise IllegalEvent(_("There is no %(card)s in the supply.", card=card_name(event.card)))
        if not turn.buys:
            raise IllegalEvent(_("No Buy is left this turn."))
        if price > turn.coins:
            raise IllegalEvent(
                _(
                    "%(card)s costs %(price)d, and there are %(coins)d coins.",
                    card=card_name(event.card),
                    price=price,
                    coins=turn.coins,
                )
            )
    turn = replace(
        turn,
        phase=Phase.BUY,
        bought=True,
        buys=max(0, turn.buys - 1),
        coins=max(0, turn.coins - price),
    )
    return with_gained_card(
        replace(position, turn=turn), event.player, event.card, anyway=bool(event.because)
    )


def _check_type(event: CardPlayed, type: CardType) -> None:
    if type not in CARDS[event.card].types or (type is CardType.ACTION and event.count > 1):
        raise IllegalEvent(_("%(card)s cannot be played now.", card=card_name(event.card)))
