"""A turn: cards are played, questions on them answered, cards bought."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominion.rules.card_names import card as card_name
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
from companion.games.dominion.rules.position import Counter, Phase, Position, Resolve, Task, Told
from companion.games.dominion.rules.resolving import (
    ahead,
    answers,
    chosen,
    done_at_once,
    gainable,
    gained,
    given,
    going,
    reacts,
    settled,
    told,
    trashed,
)
from companion.games.dominion.rules.steps import (
    Bonus,
    Choose,
    Gain,
    HowMany,
    PlayCard,
    Reveal,
    Take,
    Tell,
    Trash,
    Type,
)
from companion.games.dominion.rules.waiting import check_idle, check_player, next_task, wanted, without_next
from companion.games.dominion.text import words


def play(position: Position, event: CardPlayed) -> Position:
    """Put a card into play and follow it, or play it for the card that lets people do so."""
    turn, task = going(position), next_task(position)
    if task and isinstance(task.step, PlayCard):
        check_player(task.player, event.player)
        position = without_next(position)
        if not event.card:
            return settled(position)
        _check_type(event, Type.ACTION)
        return settled(_put(position, event, task.step.times))
    check_idle(position)
    check_player(turn.player, event.player)
    if not event.card:
        raise IllegalEvent(_("Nothing has to be played now."))
    types = CARDS[event.card].types
    if Type.ACTION in types and _as_action(turn, event):
        _check_type(event, Type.ACTION)
        if not turn.actions and not event.because:
            raise IllegalEvent(_("No Action is left this turn."))
        position = replace(position, turn=replace(turn, actions=max(0, turn.actions - 1)))
        return settled(_put(position, event, 1))
    _check_type(event, Type.TREASURE)
    if turn.bought and not event.because:
        # Rulebook 000, "Fase de Compra": first the Treasures, then the cards.
        raise IllegalEvent(_("No more Treasures are played once a card was bought."))
    position = replace(position, turn=replace(turn, phase=Phase.BUY))
    _check_holds(position, event)
    for _copy in range(event.count):
        position = settled(_put(position, replace(event, count=1), 1))
    return position


def _as_action(turn: Counter, event: CardPlayed) -> bool:
    """Whether an Action uses up one: what is a Treasure too needs none in the Buy phase, nor once none is left."""
    if Type.TREASURE in CARDS[event.card].types:
        return turn.phase is Phase.ACTION and turn.actions > 0
    return turn.phase is Phase.ACTION or bool(event.because)


def _put(position: Position, event: CardPlayed, times: int) -> Position:
    """The card lies in the play area once, however often it is played."""
    _check_holds(position, event)
    turn = going(position)
    task = Task(Resolve(), event.player, event.card, len(turn.in_play))
    turn = replace(turn, in_play=(*turn.in_play, event.card), tasks=(*[task] * times, *turn.tasks))
    return replace(position, turn=turn)


def _check_holds(position: Position, event: CardPlayed) -> None:
    turn, held = going(position), position.owned[event.player].get(event.card, 0)
    if turn.in_play.count(event.card) + event.count > held and position.decks_known and not event.because:
        raise IllegalEvent(
            _("By the log, this player has no more %(card)s to play.", card=card_name(event.card))
        )


def choose(position: Position, event: AnswersChosen) -> Position:
    task = wanted(position, event.player)
    if not isinstance(task.step, Choose):
        raise IllegalEvent(words.first(position))
    possible = answers(position, task, task.step)
    by_key = {answer.key: answer for answer in possible}
    picked = tuple(by_key[key] for key in event.answers if key in by_key)
    if len(picked) != task.step.pick or len(set(event.answers)) != len(event.answers):
        raise IllegalEvent(
            _(
                "%(count)d different answers are chosen, of these: %(answers)s.",
                count=task.step.pick,
                answers=words.answers(tuple(answer.key for answer in possible)),
            )
            if task.step.pick > 1
            else _(
                "One answer is chosen, of these: %(answers)s.",
                answers=words.answers(tuple(answer.key for answer in possible)),
            )
        )
    named = tuple(answer.trash for answer in picked)
    _check_held(position, task.player, tuple(card for card in named if card in CARDS))
    return settled(chosen(without_next(position), task, picked))


def count(position: Position, event: NumberTold) -> Position:
    task = wanted(position, event.player)
    if not isinstance(task.step, HowMany):
        raise IllegalEvent(words.first(position))
    return settled(given(without_next(position), event.player, task.step.plus.times(event.number)))


def reveal(position: Position, event: CardsRevealed) -> Position:
    """A Reaction, or what the player to the left reveals for a Tribute."""
    turn, task = going(position), next_task(position)
    if task and isinstance(task.step, Reveal) and event.player == (task.player + 1) % position.players:
        return settled(_turned_over(without_next(position), task, task.step, event))
    if not event.cards or len(event.cards) > 1 or not CARDS[event.cards[0]].reaction:
        raise IllegalEvent(_("One Reaction is revealed at a time."))
    card = event.cards[0]
    if not turn.attack or event.player == turn.player:
        raise IllegalEvent(_("A Reaction is revealed when another player plays an Attack."))
    if not reacts(turn, event.player):
        raise IllegalEvent(_("The Attack has been done to this player: it is too late for a Reaction."))
    if not position.owned[event.player].get(card, 0) and position.decks_known:
        raise IllegalEvent(_("By the log, this player has no %(card)s.", card=card_name(card)))
    position = told(position, Told(f"reaction_{CARDS[card].reaction}", event.player, card=card))
    if CARDS[card].reaction != "unaffected":
        return position
    turn = going(position)
    left = tuple(task for task in turn.tasks if not (task.attack and task.player == event.player))
    turn = replace(turn, tasks=left, unaffected=turn.unaffected | {event.player})
    return settled(replace(position, turn=turn))


def _turned_over(position: Position, task: Task, step: Reveal, event: CardsRevealed) -> Position:
    """Rulebook 003, "Tributo": a bonus for each card of another name, for each of its types."""
    if len(event.cards) > step.cards:
        raise IllegalEvent(_("Only %(count)d cards are revealed.", count=step.cards))
    plus = Bonus()
    for card in dict.fromkeys(event.cards):
        for type, bonus in step.by_type:
            plus += bonus if type in CARDS[card].types else Bonus()
    return given(position, task.player, plus)


def gain(position: Position, event: CardGained) -> Position:
    task = next_task(position)
    if task and task.player == event.player and _takes(task, event.card):
        return settled(gained(without_next(position), event.player, event.card))
    if event.because and event.card:
        return settled(gained(position, event.player, event.card, anyway=True))
    task = wanted(position, event.player)
    if not isinstance(task.step, Gain):
        raise IllegalEvent(words.first(position))
    if not event.card:
        if not task.step.may and not event.because:
            raise IllegalEvent(_("There are cards to gain: one has to be taken."))
        return settled(without_next(position))
    if event.card not in gainable(position, task.step, task.base):
        raise IllegalEvent(
            _(
                "%(card)s cannot be gained now: it costs %(price)d, and %(left)d are left.",
                card=card_name(event.card),
                price=position.price(event.card),
                left=position.supply.get(event.card, 0),
            )
        )
    position = gained(without_next(position), event.player, event.card, task.step.to)
    for type, bonus in task.step.by_type:
        if type in CARDS[event.card].types:
            position = given(position, event.player, bonus)
    return settled(position)


def _takes(task: Task, card: str) -> bool:
    return isinstance(task.step, Take) and task.step.card == card


def trash(position: Position, event: CardsTrashed) -> Position:
    if event.because and not _trashing(position, event.player):
        for card in event.cards:
            position = trashed(position, event.player, card)
        return position
    task = wanted(position, event.player)
    if not isinstance(task.step, Trash):
        raise IllegalEvent(words.first(position))
    if not event.because:
        _check_trash(position, task, task.step, event.cards)
    base = position.price(event.cards[-1]) if event.cards else 0
    position = without_next(position)
    for card in event.cards:
        position = trashed(position, event.player, card)
    steps = task.step.then if len(event.cards) == task.step.most else ()
    return settled(ahead(position, replace(task, attack=False), steps, base))


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
    turn, held = going(position), position.owned[player]
    # What lies in play is in nobody's hand.
    lying = turn.in_play if player == turn.player else ()
    short = any(cards.count(card) + lying.count(card) > held.get(card, 0) for card in cards)
    if short and position.decks_known:
        raise IllegalEvent(_("By the log, this player has no such cards to trash."))


def suffer(position: Position, event: AttackSuffered) -> Position:
    """What the Attack does is done to the next player, or to everybody up to a question."""
    suffering = next_task(position)
    if suffering is None:
        raise IllegalEvent(_("No Attack is being dealt with."))
    if not _plain(suffering):
        raise IllegalEvent(words.first(position))
    if event.player is not None:
        check_player(suffering.player, event.player)
    # Settled only at the end: a Throne Room's second Attack can be reacted to once more.
    while (task := next_task(position)) and _plain(task) and event.player in (None, task.player):
        position = done_at_once(without_next(position), task)
    return settled(position)


def _plain(task: Task) -> bool:
    """Whether the Attack needs nobody's answer."""
    return task.attack and isinstance(task.step, Tell | Take)


def buy(position: Position, event: CardBought) -> Position:
    check_idle(position)
    turn, price = going(position), position.price(event.card)
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
    return gained(replace(position, turn=turn), event.player, event.card, anyway=bool(event.because))


def _check_type(event: CardPlayed, type: Type) -> None:
    if type not in CARDS[event.card].types or (type is Type.ACTION and event.count > 1):
        raise IllegalEvent(_("%(card)s cannot be played now.", card=card_name(event.card)))
