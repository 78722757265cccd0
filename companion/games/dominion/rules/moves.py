"""How events move a game of Dominion on."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominion.rules import playing
from companion.games.dominion.rules.card import BASIC
from companion.games.dominion.rules.card_names import card_name
from companion.games.dominion.rules.cards import CARDS
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
from companion.games.dominion.rules.piles import KINGDOM_PILES, supply_piles
from companion.games.dominion.rules.position import Deck, Phase, Position, TurnState
from companion.games.dominion.rules.randomiser import KingdomNeed
from companion.games.dominion.rules.resolving import current_turn
from companion.games.dominion.rules.steps import CardType, PlayCard
from companion.games.dominion.text import words

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
            return playing.play_card(position, event)
        case AnswersChosen():
            return playing.choose_answers(position, event)
        case NumberTold():
            return playing.count_discards(position, event)
        case CardsRevealed():
            return playing.reveal_cards(position, event)
        case CardGained():
            return playing.gain_card(position, event)
        case CardsTrashed():
            return playing.trash_cards(position, event)
        case AttackSuffered():
            return playing.suffer_attack(position, event)
        case CardBought():
            return playing.buy_card(position, event)
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
