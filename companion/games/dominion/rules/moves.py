"""How events move a game of Dominion on: from an event to the next thing that only a player knows.

`apply(position, event)` gives the next position or raises `IllegalEvent` with the reason; positions are
frozen. A card in play becomes tasks; what needs nobody's answer happens by itself, and the first task that
does need one (`position.task`) is what the table waits for. With `because`, an event counts whatever was still
asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules import events
from companion.games.dominion.rules.cards import (
    BASIC,
    CARDS,
    COPPER,
    ITSELF,
    NO_BONUS,
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
from companion.games.dominion.rules.events import Event, Overrulable, SetupEvent, TurnEvent
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
from companion.games.dominion.rules.questions import answer_names, first_question

SETUP_ITEMS = ("decks", "trash")
"""What is put on the table besides the piles."""
UNKNOWN_COPIES = 10
"""How many of a card somebody may hold whose deck the log does not know."""

Asked = TypeVar("Asked", bound=Step)


def apply(position: Position, event: Event) -> Position:
    """The position after an event, or IllegalEvent."""
    player = getattr(event, "player", None)
    if player is not None and not 0 <= player < position.players:
        raise IllegalEvent(_("There is no such player."))
    if isinstance(event, SetupEvent):
        return _set_up(position, event)
    if isinstance(event, TurnEvent):
        return _noted(_take_turn(_next_deed(_opened(position, event), event), event), event)
    match event:
        case events.GameStopped():
            return _stopped(_running(position))
        case events.CardPassed(player, card):
            return _with_passed(position, player, card)
        case events.PileCounted(card, number):
            if card not in position.supply:
                raise IllegalEvent(_("There is no pile of %(card)s in this game.", card=card_name(card)))
            return replace(position, supply={**position.supply, card: number})
        case events.TrashCounted(cards):
            return replace(position, trash=dict(cards))
        case events.ProblemReviewed(key):
            return replace(position, reviewed=position.reviewed | {key})
        case events.DeckCounted():
            return _noted(_count_deck(position, event), event)


# -- before the first turn


def _set_up(position: Position, event: SetupEvent) -> Position:
    if position.turn is not None:
        raise IllegalEvent(_("The game has begun already."))
    match event:
        case events.KingdomChosen(cards):
            return _with_kingdom(position, cards, new=cards)
        case events.CardSwapped(out, into):
            if out not in position.kingdom:
                raise IllegalEvent(_("%(card)s is not among the ten.", card=card_name(out)))
            # Another card that was vetoed may still lie there: they are exchanged one by one.
            cards = tuple(into if id == out else id for id in position.kingdom)
            return _with_kingdom(position, cards, new=(into,))
        case events.SetUpTicked(item, done):
            if item not in (*position.supply, *SETUP_ITEMS):
                raise IllegalEvent(_("There is no such thing to put on the table."))
            return replace(position, ticked=position.ticked | {item} if done else position.ticked - {item})
        case events.FirstPlayer(player):
            if not position.kingdom:
                raise IllegalEvent(_("Choose the ten kingdom cards first."))
            return _next_turn(position, player)
        case events.CardVetoed(player, card):
            vetoed = position.vetoed | ({_kingdom_card(card)} if card else set())
            spoken = position.spoken | {player}
            return replace(position, vetoed=vetoed, liked=position.liked - vetoed, spoken=spoken)
        case events.CardAllowed(card):
            return replace(position, vetoed=position.vetoed - {card}, liked=position.liked - {card})
        case events.CardLiked(_player, card):
            liked = position.liked | {_kingdom_card(card)}
            return replace(position, liked=liked, vetoed=position.vetoed - liked)
        case events.WishesMade(needs):
            return replace(position, wishes=frozenset(map(KingdomNeed, needs)))
        case events.KingdomPlayed(cards):
            return replace(position, played=(*position.played, frozenset(map(_kingdom_card, cards))))
        case events.FavouritesKept(cards):
            return replace(position, liked=frozenset(map(_kingdom_card, cards)) - position.vetoed)
        case events.WinnersTold(names):
            return replace(position, won=names)


def _with_kingdom(position: Position, cards: tuple[str, ...], new: tuple[str, ...]) -> Position:
    for card in new:
        if card in position.vetoed:
            raise IllegalEvent(_("%(card)s was vetoed.", card=card_name(card)))
    if len(cards) != KINGDOM_PILES or len(set(cards)) != KINGDOM_PILES:
        raise IllegalEvent(_("A game has %(count)d different kingdom cards.", count=KINGDOM_PILES))
    supply = supply_piles(map(_kingdom_card, cards), position.players)
    ticked = position.ticked & {*supply, *SETUP_ITEMS}
    kingdom = tuple(id for id in supply if id not in BASIC)
    return replace(position, kingdom=kingdom, supply=supply, ticked=ticked)


def _kingdom_card(card: str) -> str:
    if not CARDS[card].kingdom:
        raise IllegalEvent(_("%(card)s is in every game.", card=card_name(card)))
    return card


# -- a turn, event by event


def _take_turn(position: Position, event: TurnEvent) -> Position:
    match event:
        case events.CardPlayed():
            return _play(position, event)
        case events.AnswersChosen():
            return _choose(position, event)
        case events.NumberTold(player, number):
            step = _asked(position, player, CountDiscards)[1]
            return _run_tasks(_with_bonus(_drop_task(position), player, step.plus.times(number)))
        case events.CardsRevealed():
            return _reveal(position, event)
        case events.CardGained():
            return _gain(position, event)
        case events.OthersGained(card):
            return _others_gain(position, card)
        case events.CardsTrashed():
            return _trash(position, event)
        case events.AttackSuffered(player):
            return _suffer(position, player)
        case events.CardBought():
            return _buy(position, event)
        case events.BuyingBegun(player):
            _check_free(position, player)
            return _with_turn(position, phase=Phase.BUY)
        case events.TurnEnded(player):
            _check_free(position, player)
            return _turn_over(position)


def _opened(position: Position, event: TurnEvent) -> Position:
    """With a reason, what people did counts whatever was still asked, and whoever's turn it was.

    What a light game is told of a card's way needs no reason.
    """
    turn, task = position.turn, position.task
    free = position.light and task is None and isinstance(event, events.CardGained | events.CardsTrashed)
    if turn is None or not isinstance(event, Overrulable) or not (event.because or free):
        return _running(position)
    if isinstance(event, events.CardGained | events.CardsTrashed):
        return position
    position = replace(position, ended=False)
    if event.player != turn.player or not turn.taken:
        return _next_turn(position, event.player)
    awaited = (
        task
        and isinstance(event, events.CardPlayed)
        and isinstance(task.step, PlayCard)
        and (not event.card or CardType.ACTION in CARDS[event.card].types)
    )
    return position if awaited else _with_turn(position, tasks=())


def _next_deed(position: Position, event: TurnEvent) -> Position:
    """What the last event told is done; an Attack that waits for nobody is over once anything but a Reaction comes."""
    position = _with_turn(position, told=())
    if position.task or isinstance(event, events.CardsRevealed):
        return position
    return _with_turn(position, attack="", aimed=False, unaffected=frozenset())


def _running(position: Position) -> Position:
    if position.ended:
        raise IllegalEvent(_("The game is over."))
    if position.turn is None:
        raise IllegalEvent(_("The game has not begun: say first who begins."))
    return position


def _noted(position: Position, event: Event) -> Position:
    """What people record against the rules stays on the page."""
    if not isinstance(event, Overrulable) or not event.because:
        return position
    return replace(position, overruled=(*position.overruled, event))


def _next_turn(position: Position, player: int) -> Position:
    turns = tuple(count + (seat == player) for seat, count in enumerate(position.turns))
    return replace(position, turn=TurnState(player), turns=turns)


def _turn_over(position: Position) -> Position:
    """The next player's turn, or the end: rulebooks 000, "Fim da Partida", and 003, "Final del Juego"."""
    if position.ending:
        return replace(position, ended=True)
    return _next_turn(position, (_turn(position).player + 1) % position.players)


def _asked(position: Position, player: int, kind: type[Asked]) -> tuple[Task, Asked]:
    """What waits for that player, which has to be a step of that kind."""
    task = position.task
    if task is None:
        raise IllegalEvent(_("Nothing is being asked now."))
    _check_player(task.player, player)
    if not isinstance(task.step, kind):
        raise IllegalEvent(first_question(position))
    return task, task.step


def _check_no_task(position: Position) -> None:
    if position.task:
        raise IllegalEvent(first_question(position))


def _check_free(position: Position, player: int) -> None:
    """Whether a player may go on with a turn of their own."""
    if player != _turn(position).player:
        raise IllegalEvent(_("It is another player's turn."))
    _check_no_task(position)


def _check_player(expected: int, player: int) -> None:
    if player != expected:
        raise IllegalEvent(_("It is player %(player)d who acts now.", player=expected + 1))


def _play(position: Position, event: events.CardPlayed) -> Position:
    """Put a card into play and follow it, or play it for the card that lets people do so."""
    turn, task = _turn(position), position.task
    if task and isinstance(task.step, PlayCard):
        _check_player(task.player, event.player)
        position = _drop_task(position)
        if not event.card:
            return _run_tasks(position)
        _check_type(event, CardType.ACTION)
        return _run_tasks(_put(position, event, task.step.times))
    _check_no_task(position)
    _check_player(turn.player, event.player)
    if not event.card:
        raise IllegalEvent(_("Nothing has to be played now."))
    if CardType.ACTION in CARDS[event.card].types and _as_action(turn, event):
        _check_type(event, CardType.ACTION)
        if not turn.actions and not event.because:
            raise IllegalEvent(_("No Action is left this turn."))
        position = _with_turn(position, actions=max(0, turn.actions - 1))
        return _run_tasks(_put(position, event, 1))
    _check_type(event, CardType.TREASURE)
    if turn.bought and not event.because:
        # Rulebook 000, "Fase de Compra": first the Treasures, then the cards.
        raise IllegalEvent(_("No more Treasures are played once a card was bought."))
    if turn.phase is Phase.ACTION and turn.actions and _may_hold_action(position, turn.player):
        position = _with_instruction(position, Instruction("action_phase_over", turn.player))
    position = _with_turn(position, phase=Phase.BUY)
    _check_holds(position, event)
    for _copy in range(event.count):
        position = _run_tasks(_put(position, replace(event, count=1), 1))
    return position


def _may_hold_action(position: Position, player: int) -> bool:
    """Whether an Action could still be in the hand."""
    return any(CardType.ACTION in CARDS[card].types for card in cards_not_in_play(position, player))


def _as_action(turn: TurnState, event: events.CardPlayed) -> bool:
    """Whether an Action uses up one: what is a Treasure too needs none in the Buy phase, nor once none is left."""
    if CardType.TREASURE in CARDS[event.card].types:
        return turn.phase is Phase.ACTION and turn.actions > 0
    return turn.phase is Phase.ACTION or bool(event.because)


def _check_type(event: events.CardPlayed, type: CardType) -> None:
    if type not in CARDS[event.card].types or (type is CardType.ACTION and event.count > 1):
        raise IllegalEvent(_("%(card)s cannot be played now.", card=card_name(event.card)))


def _check_holds(position: Position, event: events.CardPlayed) -> None:
    held = position.owned[event.player].get(event.card, 0)
    lying = _turn(position).in_play.count(event.card)
    held += position.received(event.player)
    if lying + event.count > held and position.decks_known and not event.because:
        raise IllegalEvent(
            _("By the log, this player has no more %(card)s to play.", card=card_name(event.card))
        )


def _put(position: Position, event: events.CardPlayed, times: int) -> Position:
    """The card lies in the play area once, however often it is played."""
    _check_holds(position, event)
    turn = _turn(position)
    task = Task(ResolveCard(), event.player, event.card, len(turn.in_play))
    return _with_turn(position, in_play=(*turn.in_play, event.card), tasks=(*[task] * times, *turn.tasks))


def _choose(position: Position, event: events.AnswersChosen) -> Position:
    task, step = _asked(position, event.player, Choose)
    by_key = {answer.key: answer for answer in open_answers(position, task, step)}
    picked = tuple(by_key[key] for key in event.answers if key in by_key)
    if len(picked) != step.pick or len(set(event.answers)) != len(event.answers):
        answers = answer_names(by_key)
        raise IllegalEvent(
            _(
                "%(count)d different answers are chosen, of these: %(answers)s.",
                count=step.pick,
                answers=answers,
            )
            if step.pick > 1
            else _("One answer is chosen, of these: %(answers)s.", answers=answers)
        )
    _check_in_hand(position, task.player, tuple(one.trash for one in picked if one.trash in CARDS))
    return _run_tasks(_with_answers(_drop_task(position), task, picked))


def open_answers(position: Position, task: Task, choose: Choose) -> tuple[ChoiceAnswer, ...]:
    """The answers a player still has: a card that left the play area cannot be trashed once more."""
    there = task.slot >= 0 and bool(_turn(position).in_play[task.slot])
    return tuple(answer for answer in choose.answers if there or answer.trash != ITSELF)


def _with_answers(position: Position, task: Task, picked: tuple[ChoiceAnswer, ...]) -> Position:
    """Everything that was chosen, in the order it was said."""
    for answer in picked:
        if answer.trash == ITSELF:
            lying = _turn(position).in_play
            position = _with_turn(position, in_play=(*lying[: task.slot], "", *lying[task.slot + 1 :]))
            position = _with_trashed(position, task.player, (task.card,))
        elif answer.trash:
            position = _with_trashed(position, task.player, (answer.trash,))
        position = _with_bonus(position, task.player, answer.plus)
    return _push_steps(
        position, replace(task, attack=False), tuple(step for answer in picked for step in answer.steps)
    )


def _reveal(position: Position, event: events.CardsRevealed) -> Position:
    """A Reaction, or what the player to the left reveals for a Tribute."""
    turn, task = _turn(position), position.task
    if task and isinstance(task.step, Reveal) and event.player == (task.player + 1) % position.players:
        return _run_tasks(_turned_over(_drop_task(position), task.player, task.step, event.cards))
    if len(event.cards) != 1 or not CARDS[event.cards[0]].reaction:
        raise IllegalEvent(_("One Reaction is revealed at a time."))
    card = event.cards[0]
    if not turn.attack or event.player == turn.player:
        raise IllegalEvent(_("A Reaction is revealed when another player plays an Attack."))
    if not may_react(turn, event.player):
        raise IllegalEvent(_("The Attack has been done to this player: it is too late for a Reaction."))
    if not holdable(position, event.player).get(card, 0):
        raise IllegalEvent(_("By the log, this player has no %(card)s.", card=card_name(card)))
    position = _with_instruction(
        position, Instruction(f"reaction_{CARDS[card].reaction}", event.player, card=card)
    )
    if CARDS[card].reaction != "unaffected":
        return position
    left = tuple(task for task in turn.tasks if not (task.attack and task.player == event.player))
    return _run_tasks(_with_turn(position, tasks=left, unaffected=turn.unaffected | {event.player}))


def _turned_over(position: Position, player: int, step: Reveal, cards: tuple[str, ...]) -> Position:
    """Rulebook 003, "Tributo": a bonus for each card of another name, for each of its types."""
    if len(cards) > step.cards:
        raise IllegalEvent(
            _n("Only %(count)d card is revealed.", "Only %(count)d cards are revealed.", step.cards)
        )
    by_type = (plus for card in dict.fromkeys(cards) for plus in _by_type(card, step.by_type))
    return _with_bonus(position, player, sum(by_type, NO_BONUS))


def _by_type(card: str, bonuses: tuple[tuple[str, Bonus], ...]) -> Iterator[Bonus]:
    """What a card brings for each type that it has."""
    return (plus for type, plus in bonuses if type in CARDS[card].types)


def may_react(turn: TurnState, player: int) -> bool:
    """Whether a player may show a Reaction: rulebook 000, "Fosso": before the Attack does anything to them."""
    if not turn.attack or player == turn.player:
        return False
    waits = any(task.attack and task.player == player for task in turn.tasks)
    return waits or not turn.aimed or player in turn.unaffected


def _gain(position: Position, event: events.CardGained) -> Position:
    player, card, task = event.player, event.card, position.task
    if task and task.player == player and isinstance(task.step, GainNamed) and task.step.card == card:
        return _run_tasks(_with_gained(_drop_task(position), player, card))
    if event.because and card:
        return _run_tasks(_with_gained(position, player, card, anyway=True))
    if position.light and task is None and card:
        _check_left(position, card)
        return _with_gained(position, player, card)
    task, step = _asked(position, player, Gain)
    if not card:
        if not step.may and not event.because:
            raise IllegalEvent(_("There are cards to gain: one has to be taken."))
        return _run_tasks(_drop_task(position))
    if card not in gainable(position, step, task.base):
        raise IllegalEvent(
            _(
                "%(card)s cannot be gained now: it costs %(price)d, and %(left)d are left.",
                card=card_name(card),
                price=position.price(card),
                left=position.supply.get(card, 0),
            )
        )
    position = _with_gained(_drop_task(position), player, card, step.to)
    return _run_tasks(_with_bonus(position, player, *_by_type(card, step.by_type)))


def _others_gain(position: Position, card: str) -> Position:
    if not position.light:
        raise IllegalEvent(_("Play the card that lets the others gain one: then they do."))
    _check_left(position, card)
    turn = _turn(position)
    for step in range(1, position.players):
        if position.supply[card]:
            position = _with_gained(position, (turn.player + step) % position.players, card)
    return position


def _check_left(position: Position, card: str) -> None:
    if not position.supply.get(card):
        raise IllegalEvent(_("There is no %(card)s in the supply.", card=card_name(card)))


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


def _trash(position: Position, event: events.CardsTrashed) -> Position:
    player, cards, task = event.player, event.cards, position.task
    asked = task and task.player == player and isinstance(task.step, Trash)
    if (event.because or (position.light and task is None)) and not asked:
        return _with_trashed(position, player, cards)
    task, step = _asked(position, player, Trash)
    if not event.because:
        if len(cards) > step.most:
            raise IllegalEvent(
                _n("At most %(count)d card is trashed.", "At most %(count)d cards are trashed.", step.most)
            )
        for card in cards:
            if not may_trash(position, step, card):
                raise IllegalEvent(_("%(card)s cannot be trashed by this.", card=card_name(card)))
        _check_in_hand(position, player, cards)
    base = position.price(cards[-1]) if cards else 0
    position = _with_trashed(_drop_task(position), player, cards)
    steps = step.then if len(cards) == step.most else ()
    return _run_tasks(_push_steps(position, replace(task, attack=False), steps, base))


def may_trash(position: Position, trash: Trash, card: str) -> bool:
    """Whether it is one of the cards that may be trashed."""
    fits = trash.types <= CARDS[card].types and card != trash.excluded
    return fits and position.price(card) >= trash.least


def _check_in_hand(position: Position, player: int, cards: tuple[str, ...]) -> None:
    held = cards_not_in_play(position, player)
    if any(cards.count(card) > held.get(card, 0) for card in cards):
        raise IllegalEvent(_("By the log, this player has no such cards to trash."))


def cards_not_in_play(position: Position, player: int) -> Mapping[str, int]:
    """What a player may have in the hand, the deck or the discard pile, and how many of each."""
    turn, owned = position.turn, holdable(position, player)
    if not position.decks_known:
        return owned
    lying = turn.in_play if turn and turn.player == player else ()
    left = {card: count - lying.count(card) for card, count in owned.items()}
    return {card: count for card, count in left.items() if count > 0}


def holdable(position: Position, player: int) -> Mapping[str, int]:
    """How many of each card a player may have: by the log, and any that was passed to them unseen."""
    owned = position.owned[player]
    everything = dict.fromkeys((*owned, *position.supply, *position.trash), UNKNOWN_COPIES)
    if not position.decks_known:
        return everything
    received = position.received(player)
    return {card: owned.get(card, 0) + received for card in everything} if received else owned


def _with_passed(position: Position, player: int, card: str) -> Position:
    """A card that was passed unseen is named."""
    if player not in position.unseen:
        raise IllegalEvent(_("This player has passed no card that is still unknown."))
    place = position.unseen.index(player)
    position = replace(position, unseen=(*position.unseen[:place], *position.unseen[place + 1 :]))
    if not card:
        return position
    # What a player has by cards that were passed unseen, somebody has by the log.
    somewhere = not position.decks_known or any(owned.get(card, 0) > 0 for owned in position.owned)
    if not holdable(position, player).get(card, 0) or not somewhere:
        raise IllegalEvent(_("By the log, this player has no %(card)s.", card=card_name(card)))
    position = replace(position, owned=_owned(position, player, card, -1))
    return replace(position, owned=_owned(position, (player + 1) % position.players, card, 1))


def _suffer(position: Position, player: int | None) -> Position:
    """What the Attack does is done to the next player, or to everybody up to a question."""
    task = position.task
    if task is None:
        raise IllegalEvent(_("No Attack is being dealt with."))
    if not _plain(task):
        raise IllegalEvent(first_question(position))
    if player is not None:
        _check_player(task.player, player)
    # Settled only at the end: a Throne Room's second Attack can be reacted to once more.
    while (task := position.task) and _plain(task) and player in (None, task.player):
        position = _drop_task(position)
        position = _done(position, replace(task, attack=False)) or position
    return _run_tasks(position)


def _plain(task: Task) -> bool:
    """Whether the Attack needs nobody's answer."""
    return task.attack and isinstance(task.step, ManualStep | GainNamed)


def _buy(position: Position, event: events.CardBought) -> Position:
    _check_no_task(position)
    turn, card, price = _turn(position), event.card, position.price(event.card)
    _check_player(turn.player, event.player)
    if not event.because:
        _check_left(position, card)
    if not event.because and not position.light:
        if not turn.buys:
            raise IllegalEvent(_("No Buy is left this turn."))
        if price > turn.coins:
            raise IllegalEvent(
                _n(
                    "%(card)s costs %(price)d, and there is %(count)d coin.",
                    "%(card)s costs %(price)d, and there are %(count)d coins.",
                    turn.coins,
                    card=card_name(card),
                    price=price,
                )
            )
    buys, coins = max(0, turn.buys - 1), max(0, turn.coins - price)
    position = _with_turn(position, phase=Phase.BUY, bought=True, buys=buys, coins=coins)
    position = _with_gained(position, event.player, card, anyway=bool(event.because))
    if not event.ends:
        return position
    told = _turn(position).told
    if not position.light:
        told = (*told, Instruction("clean_up", event.player))
    return _with_turn(_turn_over(position), told=told)


def purchases(position: Position) -> tuple[events.CardBought, ...]:
    """What whoever has the turn can buy once the Buy phase has begun: nobody ends the Action phase unawares.

    Nothing comes after the last Buy, and so the turn ends with it.
    """
    turn = _turn(position)
    if turn.phase is Phase.ACTION and not position.light:
        return ()
    return tuple(
        events.CardBought(turn.player, id, ends=position.light or turn.buys == 1)
        for id, count in position.supply.items()
        if count and (position.light or (turn.buys and position.price(id) <= turn.coins))
    )


# -- what happens by itself


def _run_tasks(position: Position) -> Position:
    """The position once everything has happened that happens by itself."""
    while task := position.task:
        after = _done(_drop_task(position), task)
        if after is None:
            return position
        position = after
    return position


def _done(position: Position, task: Task) -> Position | None:
    """The position after a task that nobody has to decide, or None where somebody has to."""
    turn, player = _turn(position), task.player
    match task.step:
        case ResolveCard():
            return _resolved(position, task)
        case GainNamed(card) if task.attack and not position.supply.get(card):
            # It can do nothing and asks nobody; rulebook 003, "Cámara Secreta": a Reaction may be shown all the same.
            return _with_turn(position, unaffected=turn.unaffected | {player})
        case GainNamed() if task.attack:
            return None
        case ManualStep() if task.attack:
            return None
        case ManualStep(note):
            return _with_instruction(position, Instruction(note, player, len(position.empty_piles)))
        case PassCards():
            position = _with_instruction(position, Instruction("pass_left", player))
            return replace(position, unseen=(*position.unseen, *range(position.players)))
        case TurnModifier(first_silver, each_copper, cheaper):
            return _with_turn(
                position,
                first_silver=turn.first_silver + first_silver,
                each_copper=turn.each_copper + each_copper,
                cheaper=turn.cheaper + cheaper,
            )
        case ActionsPlayed(least, plus):
            return _with_bonus(position, player, plus) if turn.actions_played >= least else position
        case GainNamed(card, to):
            return _with_gained(position, player, card, to)
        case Gain() as gain if not gainable(position, gain, task.base):
            return _with_instruction(position, Instruction("no_card_to_gain", player))
        case OtherPlayers(steps):
            return _tasks_for_others(position, task, steps)
        case Choose() as choose if len(possible := open_answers(position, task, choose)) <= choose.pick:
            return _with_answers(position, task, possible)
        case _:
            return None


def _resolved(position: Position, task: Task) -> Position:
    """Follow a card's instructions from the top."""
    turn, card = _turn(position), CARDS[task.card]
    position = _with_turn(position, actions_played=turn.actions_played + (CardType.ACTION in card.types))
    if CardType.ATTACK in card.types:
        position = _with_turn(position, attack=card.id, aimed=False, unaffected=frozenset())
    position = _with_bonus(position, task.player, card.plus, _treasure(turn, card.id))
    if card.id == SILVER:
        position = _with_turn(position, silver_played=True)
    return _push_steps(position, task, card.steps)


def _treasure(turn: TurnState, id: str) -> Bonus:
    """What a Copper or a Silver brings more than what is printed on it."""
    # Rulebook 000, "Mercador": each Merchant once, with the first Silver of the turn.
    silver = turn.first_silver if id == SILVER and not turn.silver_played else 0
    # Rulebook 003, "Artesano del Cobre": each of them counts.
    return Bonus(coins=silver + (turn.each_copper if id == COPPER else 0))


def _tasks_for_others(position: Position, task: Task, steps: tuple[Step, ...]) -> Position:
    """In turn order, to the left of whoever plays the card first."""
    turn = _turn(position)
    attack = CardType.ATTACK in CARDS[task.card].types
    seats = [(turn.player + seat) % position.players for seat in range(1, position.players)]
    tasks = tuple(
        replace(task, step=step, player=seat, attack=attack and position.reactions)
        for seat in seats
        if not (attack and seat in turn.unaffected)
        for step in steps
    )
    return _with_turn(position, tasks=(*tasks, *turn.tasks), aimed=turn.aimed or attack)


# -- parts of a position


def _turn(position: Position) -> TurnState:
    """The turn of a game that is being played."""
    if position.turn is None:
        raise AssertionError("nobody has a turn before the game has begun")
    return position.turn


def _with_turn(position: Position, **changes: Any) -> Position:
    """The position with changes to its turn."""
    return replace(position, turn=replace(_turn(position), **changes))


def _drop_task(position: Position) -> Position:
    return _with_turn(position, tasks=_turn(position).tasks[1:])


def _push_steps(position: Position, task: Task, steps: tuple[Step, ...], base: int = 0) -> Position:
    """These steps come before everything else that waits."""
    tasks = tuple(replace(task, step=step, base=base) for step in steps)
    return _with_turn(position, tasks=(*tasks, *_turn(position).tasks))


def _with_instruction(position: Position, what: Instruction) -> Position:
    return _with_turn(position, told=(*_turn(position).told, what))


def _with_bonus(position: Position, player: int, *bonuses: Bonus) -> Position:
    """A bonus counts for whoever has the turn; cards are drawn by anybody."""
    turn, plus = _turn(position), sum(bonuses, NO_BONUS)
    if plus.cards:
        position = _with_instruction(position, Instruction("draw", player, plus.cards))
    if player != turn.player:
        return position
    return _with_turn(
        position,
        actions=turn.actions + plus.actions,
        buys=turn.buys + plus.buys,
        coins=turn.coins + plus.coins,
        cards=turn.cards + plus.cards,
    )


def _with_gained(
    position: Position, player: int, card: str, to: str = "discard", anyway: bool = False
) -> Position:
    """A card goes from its pile to a player, as long as there is one.

    `anyway`, people saw that there was one: then the log was wrong about the pile.
    """
    left = position.supply.get(card, 0)
    if not left and not anyway:
        return _with_instruction(position, Instruction("pile_empty", player, card=card))
    supply = {**position.supply, card: left - 1} if left else position.supply
    position = replace(position, supply=supply, owned=_owned(position, player, card, 1))
    return _with_instruction(position, Instruction(f"gain_to_{to}", player, card=card))


def _with_trashed(position: Position, player: int, cards: tuple[str, ...]) -> Position:
    for card in cards:
        trash = {**position.trash, card: position.trash.get(card, 0) + 1}
        position = replace(position, trash=trash, owned=_owned(position, player, card, -1))
    return position


def _owned(position: Position, player: int, card: str, by: int) -> tuple[Mapping[str, int], ...]:
    owned = position.owned[player]
    after = {**owned, card: owned.get(card, 0) + by}
    return (*position.owned[:player], after, *position.owned[player + 1 :])


# -- the end


def _stopped(position: Position) -> Position:
    """The game is over; rulebook 000, "Fim da Partida", compares turns that were played.

    A turn in which nothing has happened yet was only about to begin, and is not one of them.
    """
    turn = _turn(position)
    if replace(turn, told=()) != TurnState(turn.player):
        return replace(position, ended=True)
    turns = tuple(count - (seat == turn.player) for seat, count in enumerate(position.turns))
    return replace(_with_turn(position, taken=False), ended=True, turns=turns)


def _count_deck(position: Position, event: events.DeckCounted) -> Position:
    if not position.ended:
        if not event.because:
            raise IllegalEvent(_("Decks are counted when the game is over."))
        position = _stopped(_running(position))
    decks = (
        *position.decks[: event.player],
        Deck(event.cards, event.size),
        *position.decks[event.player + 1 :],
    )
    turns = position.turns
    if event.turns is not None:
        turns = (*turns[: event.player], event.turns, *turns[event.player + 1 :])
    return replace(position, decks=decks, turns=turns)
