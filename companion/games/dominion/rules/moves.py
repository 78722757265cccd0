"""How events move a game of Dominion on: from an event to the next thing that only a player knows.

`apply(position, event)` gives the next position or raises `IllegalEvent` with the reason; positions are
frozen. A card in play becomes tasks; what needs nobody's answer happens by itself, and the first task that
does need one is what the table waits for. With `because`, an event counts whatever was still asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominion.rules.cards import (
    BASIC,
    CARDS,
    COPPER,
    ITSELF,
    SILVER,
    ActionsPlayed,
    Bonus,
    CardType,
    ChoiceAnswer,
    Choose,
    CountDiscards,
    Gain,
    GainNamed,
    ManualStep,
    OtherPlayers,
    PassCards,
    PlayCard,
    Reveal,
    Step,
    Trash,
    TurnModifier,
)
from companion.games.dominion.rules.events import (
    AnswersChosen,
    AttackSuffered,
    BuyingBegun,
    CardAllowed,
    CardBought,
    CardGained,
    CardLiked,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    CardSwapped,
    CardVetoed,
    DeckCounted,
    Event,
    FavouritesKept,
    FirstPlayer,
    GameStopped,
    KingdomChosen,
    KingdomPlayed,
    NumberTold,
    Overrulable,
    PileCounted,
    SetUpTicked,
    TrashCounted,
    TurnEnded,
    WinnersTold,
    WishesMade,
)
from companion.games.dominion.rules.kingdom import KINGDOM_PILES, KingdomNeed, supply_piles
from companion.games.dominion.rules.names import card_name
from companion.games.dominion.rules.position import (
    Deck,
    Instruction,
    Phase,
    Position,
    ResolveCard,
    Task,
    TurnState,
)
from companion.games.dominion.text import words


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


def next_task(position: Position) -> Task | None:
    tasks = current_turn(position).tasks
    return tasks[0] if tasks else None


def drop_task(position: Position) -> Position:
    turn = current_turn(position)
    return replace(position, turn=replace(turn, tasks=turn.tasks[1:]))


def task_for(position: Position, player: int) -> Task:
    """The task that waits for that player."""
    task = next_task(position)
    if task is None:
        raise IllegalEvent(_("Nothing is being asked now."))
    check_player(task.player, player)
    return task


def check_no_task(position: Position) -> None:
    if next_task(position):
        raise IllegalEvent(words.first_question(position))


def check_player(expected: int, player: int) -> None:
    if player != expected:
        raise IllegalEvent(_("It is player %(player)d who acts now.", player=expected + 1))


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


SETUP_ITEMS = ("decks", "trash")
"""What is put on the table besides the piles."""


def apply(position: Position, event: Event) -> Position:
    """The position after an event, or IllegalEvent."""
    player = getattr(event, "player", None)
    if player is not None and not 0 <= player < position.players:
        raise IllegalEvent(_("There is no such player."))
    match event:
        case KingdomChosen() | CardSwapped() | SetUpTicked() | FirstPlayer():
            return _set_up(_before(position), event)
        case CardVetoed() | CardLiked() | CardAllowed() | WishesMade():
            return _wished(_before(position), event)
        case KingdomPlayed() | FavouritesKept() | WinnersTold():
            return _handed_down(_before(position), event)
        case GameStopped():
            return _stopped(check_running(position))
        case PileCounted(card, number):
            return _count_pile(position, card, number)
        case TrashCounted(cards):
            return replace(position, trash=dict(cards))
        case DeckCounted():
            return _noted(_count_deck(position, event), event)
        case _:
            return _noted(_played(_unsaid(_opened(position, event)), event), event)


def _played(position: Position, event: Event) -> Position:
    """What happens in a turn."""
    match event:
        case CardPlayed():
            return play_card(position, event)
        case AnswersChosen():
            return choose_answers(position, event)
        case NumberTold():
            return count_discards(position, event)
        case CardsRevealed():
            return reveal_cards(position, event)
        case CardGained():
            return gain_card(position, event)
        case CardsTrashed():
            return trash_cards(position, event)
        case AttackSuffered():
            return suffer_attack(position, event)
        case CardBought():
            return buy_card(position, event)
        case BuyingBegun(player):
            return _to_buy(position, player)
        case TurnEnded(player):
            return _end_turn(position, player)
        case _:
            raise TypeError(event)


def _opened(position: Position, event: Event) -> Position:
    """With a reason, what people did counts whatever was still asked, and whoever's turn it was."""
    turn = position.turn
    if turn is None or not isinstance(event, Overrulable) or not event.because:
        return check_running(position)
    if isinstance(event, CardGained | CardsTrashed):
        return position
    position = replace(position, ended=False)
    if event.player != turn.player or not turn.taken:
        return _next_turn(position, event.player)
    awaited = (
        turn.tasks
        and isinstance(event, CardPlayed)
        and isinstance(turn.tasks[0].step, PlayCard)
        and (not event.card or CardType.ACTION in CARDS[event.card].types)
    )
    return position if awaited else replace(position, turn=replace(turn, tasks=()))


def check_running(position: Position) -> Position:
    if position.ended:
        raise IllegalEvent(_("The game is over."))
    if position.turn is None:
        raise IllegalEvent(_("The game has not begun: say first who begins."))
    return position


def _unsaid(position: Position) -> Position:
    return replace(position, turn=replace(current_turn(position), told=()))


def _noted(position: Position, event: Event) -> Position:
    """What people record against the rules stays on the page."""
    if not isinstance(event, Overrulable) or not event.because:
        return position
    what = words.describe(event).text
    return replace(position, overruled=(*position.overruled, (event.player, what)))


def _before(position: Position) -> Position:
    if position.turn is not None:
        raise IllegalEvent(_("The game has begun already."))
    return position


def _set_up(position: Position, event: Event) -> Position:
    match event:
        case KingdomChosen(cards):
            _not_vetoed(position, cards)
            return _with_kingdom(position, cards)
        case CardSwapped(out, into):
            if out not in position.kingdom:
                raise IllegalEvent(_("%(card)s is not among the ten.", card=card_name(out)))
            # Another card that was vetoed may still lie there: they are exchanged one by one.
            _not_vetoed(position, (into,))
            return _with_kingdom(position, tuple(into if id == out else id for id in position.kingdom))
        case SetUpTicked(item, done):
            if item not in (*position.supply, *SETUP_ITEMS):
                raise IllegalEvent(_("There is no such thing to put on the table."))
            ticked = position.ticked | {item} if done else position.ticked - {item}
            return replace(position, ticked=ticked)
        case FirstPlayer(player):
            return _begun(position, player)
        case _:
            raise TypeError(event)


def _wished(position: Position, event: Event) -> Position:
    """What people ask of the kingdom before it is drawn."""
    match event:
        case CardVetoed(player, card):
            vetoed = position.vetoed | ({_kingdom_card(card)} if card else set())
            spoken = position.spoken | {player}
            return replace(position, vetoed=vetoed, liked=position.liked - vetoed, spoken=spoken)
        case CardAllowed(card):
            return replace(position, vetoed=position.vetoed - {card}, liked=position.liked - {card})
        case CardLiked(_player, card):
            liked = position.liked | {_kingdom_card(card)}
            return replace(position, liked=liked, vetoed=position.vetoed - liked)
        case WishesMade(needs):
            return replace(position, wishes=frozenset(map(KingdomNeed, needs)))
        case _:
            raise TypeError(event)


def _handed_down(position: Position, event: Event) -> Position:
    """What is known of earlier games."""
    match event:
        case KingdomPlayed(cards):
            return replace(position, played=(*position.played, frozenset(map(_kingdom_card, cards))))
        case FavouritesKept(cards):
            return replace(position, liked=frozenset(map(_kingdom_card, cards)) - position.vetoed)
        case WinnersTold(names):
            return replace(position, won=names)
        case _:
            raise TypeError(event)


def _with_kingdom(position: Position, cards: tuple[str, ...]) -> Position:
    if len(cards) != KINGDOM_PILES or len(set(cards)) != KINGDOM_PILES:
        raise IllegalEvent(_("A game has %(count)d different kingdom cards.", count=KINGDOM_PILES))
    for card in cards:
        _kingdom_card(card)
    supply = supply_piles(cards, position.players)
    ticked = position.ticked & {*supply, *SETUP_ITEMS}
    kingdom = tuple(id for id in supply if id not in BASIC)
    return replace(position, kingdom=kingdom, supply=supply, ticked=ticked)


def _not_vetoed(position: Position, cards: tuple[str, ...]) -> None:
    for card in cards:
        if card in position.vetoed:
            raise IllegalEvent(_("%(card)s was vetoed.", card=card_name(card)))


def _kingdom_card(card: str) -> str:
    if not CARDS[card].kingdom:
        raise IllegalEvent(_("%(card)s is in every game.", card=card_name(card)))
    return card


def _begun(position: Position, player: int) -> Position:
    if not position.kingdom:
        raise IllegalEvent(_("Choose the ten kingdom cards first."))
    return _next_turn(position, player)


def _next_turn(position: Position, player: int) -> Position:
    turns = tuple(count + (seat == player) for seat, count in enumerate(position.turns))
    return replace(position, turn=TurnState(player), turns=turns)


def _stopped(position: Position) -> Position:
    """The game is over; rulebook 000, "Fim da Partida", compares turns that were played.

    A turn in which nothing has happened yet was only about to begin, and is not one of them.
    """
    turn = current_turn(position)
    if replace(turn, told=()) != TurnState(turn.player):
        return replace(position, ended=True)
    turns = tuple(count - (seat == turn.player) for seat, count in enumerate(position.turns))
    return replace(position, ended=True, turns=turns, turn=replace(turn, taken=False))


def _to_buy(position: Position, player: int) -> Position:
    turn = current_turn(position)
    _check_turn(position, player)
    if turn.tasks:
        raise IllegalEvent(words.first_question(position))
    return replace(position, turn=replace(turn, phase=Phase.BUY))


def _end_turn(position: Position, player: int) -> Position:
    _check_turn(position, player)
    if current_turn(position).tasks:
        raise IllegalEvent(words.first_question(position))
    # Rulebooks 000, "Fim da Partida", and 003, "Final del Juego": at the end of a turn.
    if position.ending:
        return replace(position, ended=True)
    return _next_turn(position, (player + 1) % position.players)


def _check_turn(position: Position, player: int) -> None:
    if player != current_turn(position).player:
        raise IllegalEvent(_("It is another player's turn."))


def _count_pile(position: Position, card: str, number: int) -> Position:
    if card not in position.supply:
        raise IllegalEvent(_("There is no pile of %(card)s in this game.", card=card_name(card)))
    return replace(position, supply={**position.supply, card: number})


def _count_deck(position: Position, event: DeckCounted) -> Position:
    if not position.ended:
        if not event.because:
            raise IllegalEvent(_("Decks are counted when the game is over."))
        position = _stopped(check_running(position))
    decks = (*position.decks[: event.player], Deck(event.cards), *position.decks[event.player + 1 :])
    turns = position.turns
    if event.turns is not None:
        turns = (*turns[: event.player], event.turns, *turns[event.player + 1 :])
    return replace(position, decks=decks, turns=turns)
