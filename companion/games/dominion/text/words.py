"""Dominion told in words, and which of our own drawings stands beside them.

A few cards by name, the others by what they do.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Remark
from companion.core.message import Message
from companion.core.message import joined as parts_listed
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.cards import (
    ABSENT,
    CARDS,
    COPPER,
    DUCHY,
    ESTATE,
    GOLD,
    PROVINCE,
    SILVER,
    Card,
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
    PileCounted,
    SetUpTicked,
    TrashCounted,
    TurnEnded,
    WinnersTold,
    WishesMade,
)
from companion.games.dominion.rules.kingdom import NEED_NAMES, KingdomNeed
from companion.games.dominion.rules.names import card_list
from companion.games.dominion.rules.names import card_name as card_name
from companion.games.dominion.rules.position import Instruction, Phase, Position, Task

OWN_FACES = (COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE)
"""Cards with a drawing of their own, by their ids."""
TELLING_TYPES = (CardType.CURSE, CardType.TREASURE, CardType.ATTACK, CardType.REACTION)
"""Types that a table has to know from afar, the most telling first."""
TRASH_FACE = "bin"
"""The trash."""
PLAIN_FACE = "action"


def card_face(id: str) -> str:
    """The drawing of a card, as static/faces.svg calls it; a card nobody knows any more has the plain one."""
    card = CARDS.get(id) or ABSENT.get(id)
    return PLAIN_FACE if card is None else id if id in OWN_FACES else _by_deed(card)


def _by_deed(card: Card) -> str:
    telling = next((type.value for type in TELLING_TYPES if type in card.types), "")
    if telling or CardType.ACTION not in card.types:
        return telling or ("victory" if CardType.VICTORY in card.types else PLAIN_FACE)
    deeds = (
        ("village", card.best.actions >= 2),
        ("fire", card.trashes),
        ("cards", card.best.cards >= 2),
        ("coins", card.best.coins >= 1),
        ("hammer", any(isinstance(step, Gain) for step in card.own_steps)),
    )
    return next((name for name, does in deeds if does), PLAIN_FACE)


def colour_type(id: str) -> str:
    """The type that colours a card."""
    card = CARDS.get(id) or ABSENT.get(id)
    types = card.types if card else frozenset()
    order = (*TELLING_TYPES, CardType.ACTION, CardType.VICTORY)
    return next((type.value for type in order if type in types), PLAIN_FACE)


_ANSWERS: Mapping[str, Message] = {
    "card": _("+1 Card"),
    "action": _("+1 Action"),
    "buy": _("+1 Buy"),
    "coin": _("+1 Coin"),
    "cards": _("Draw cards"),
    "actions": _("+2 Actions"),
    "coins": _("+2 Coins"),
    "hand": _("Discard the hand"),
    "trash": _("To the trash"),
    "keep": _("Keep"),
    "discard": _("Discard"),
    "gain": _("Gain instead"),
    "curse": _("Take a Curse"),
    "no_action": _("No Action in the hand"),
    "an_action": _("An Action in the hand"),
    "right": _("The named card"),
    "wrong": _("Another card"),
}
"""What the answers of both boxes are called."""

_QUESTIONS: Mapping[str, Message] = {
    "copper_for_coins": _("Trash a Copper from the hand for 3 coins?"),
    "estate_for_coins": _("Discard an Estate for 4 coins, or gain an Estate?"),
    "itself_for_coins": _("Trash this card for 2 coins?"),
    "coins_or_new_hand": _("2 coins, or a new hand of 4 cards?"),
    "cards_or_actions": _("3 cards, or 2 Actions?"),
    "which_two": _("Which two?"),
    "what_is_in_hand": _("What is in the hand?"),
    "cards_coins_or_trash": _("2 cards, 2 coins, or trash 2 cards?"),
    "discard_or_curse": _("Discard 2 cards, or take a Curse into the hand?"),
    "what_was_on_top": _("Which card was on top?"),
    "discarded_for_coins": _("How many cards were discarded? Each is a coin."),
    "discarded_for_cards": _("How many cards were discarded? Draw as many."),
}

_NOTES: Mapping[str, Message] = {
    "card_from_hand_on_deck": _("Put a card from the hand on the deck."),
    "reveals_two": _("Reveal 2 cards of the deck; trash a Treasure other than Copper; discard the rest."),
    "victory_on_deck": _("Put a Victory card from the hand on the deck, or show a hand without any."),
    "draws_a_card": _("Draw a card."),
    "discard_on_deck": _("Look through the discard pile; a card from it may go on the deck."),
    "draw_to_seven": _("Draw up to 7 cards in hand; Actions may be set aside, and are discarded at the end."),
    "discards_to_three": _("Discard down to 3 cards in hand."),
    "looks_at_two": _("Look at 2 cards of the deck: trash, discard or put back each of them."),
    "draws_four_instead": _("With 5 cards or more in hand: discard the hand, and draw 4."),
    "reveals_until_three": _("Reveal cards until one costs 3 or more: trash it."),
    "reveal_four_victory_to_hand": _("Reveal 4 cards: Victory cards go to the hand, the others back."),
    "from_the_top": _("Trash the top card of the deck."),
    "pass_left": _("Everybody passes a card to the left, face down."),
    "no_card_to_gain": _("No card in the supply fits: nothing is gained."),
    "reaction_unaffected": _("The Attack does nothing to this player."),
    "reaction_first": _("First draw 2 cards, and put 2 from the hand on the deck."),
}


def answer_name(key: str) -> Message:
    """A named answer; those of cards of one's own are called as their file calls them."""
    return _ANSWERS.get(key) or Message("%(text)s", {"text": key.replace("_", " ")})


def answer_names(keys: tuple[str, ...]) -> Message:
    return parts_listed(map(answer_name, keys))


def instruction_text(told: Instruction) -> Message:
    """What somebody does by hand."""
    match told.note:
        case "draw":
            return _n("Draw %(count)d card.", "Draw %(count)d cards.", told.count)
        case "discard_per_empty_pile":
            return _n("Discard %(count)d card.", "Discard %(count)d cards.", told.count)
        case "pile_empty":
            return _("There is no %(card)s left.", card=card_name(told.card))
        case "gain_to_hand":
            return _("Take %(card)s into the hand.", card=card_name(told.card))
        case "gain_to_deck":
            return _("Put %(card)s on the deck.", card=card_name(told.card))
        case "gain_to_discard":
            return _("Put %(card)s on the discard pile.", card=card_name(told.card))
        case key:
            return _NOTES.get(key) or Message("%(text)s", {"text": key})


def next_action(position: Position) -> Message:
    """What the table is waiting for, in a few words."""
    match position.phase:
        case Phase.SET_UP:
            if not position.kingdom:
                return _("Choose ten kingdom cards")
            return _("Build the table, then say who begins")
        case Phase.COUNT:
            return _("The game is over: count the decks")
        case Phase.OVER:
            return _("The decks are counted")
        case _ if position.turn and position.turn.tasks:
            return question_text(position, position.turn.tasks[0])
        case Phase.ACTION:
            text = _("Action phase")
        case Phase.BUY:
            text = _("Buy phase")
        case _:
            text = _("Clean-up: discard everything, draw 5 cards")
    return _("%(phase)s · the game ends after this turn", phase=text) if position.ending else text


def first_question(position: Position) -> Message:
    """What has to be said before anything else."""
    task = position.turn.tasks[0] if position.turn and position.turn.tasks else None
    if task is None:
        return _("Nothing is being asked now.")
    return _("First: %(question)s", question=question_text(position, task))


def question_text(position: Position, task: Task) -> Message:
    """What only a player knows, asked."""
    match task.step:
        case Choose(ask=key) | CountDiscards(ask=key) if key:
            asked = _QUESTIONS.get(key) or Message("%(text)s", {"text": key})
        case PlayCard():
            asked = _("Which Action does it play?")
        case Reveal():
            asked = _("What does the player to the left reveal?")
        case Trash(note=key) if key:
            asked = instruction_text(Instruction(key, task.player))
        case Trash(fewest=0, most=1):
            asked = _("Which card is trashed, if any?")
        case Trash(most=most):
            asked = _n("Which card is trashed?", "Which cards are trashed? %(count)d at most.", most)
        case Gain(you_choose=True):
            asked = _("Which card does player %(player)d gain?", player=task.player + 1)
        case Gain():
            asked = _("Which card is gained?")
        case GainNamed(taken):
            asked = _("Gain %(card)s.", card=card_name(taken))
        case ManualStep(key):
            asked = instruction_text(Instruction(key, task.player, len(position.empty_piles)))
        case _:
            asked = _("What is chosen?")
    return _("%(card)s: %(question)s", card=card_name(task.card), question=asked)


def setup_item_name(key: str) -> Message:
    """Something on the list of what to put on the table."""
    match key:
        case "decks":
            return _("Each player: 7 Copper and 3 Estates, shuffled, 5 drawn")
        case "trash":
            return _("A place for the trash")
        case _:
            return card_name(key)


def short_text(event: Event) -> Message:
    """An answer as its button says it."""
    match event:
        case AnswersChosen(_player, keys):
            return answer_names(keys)
        case NumberTold(_player, number):
            return Message("%(count)d", {"count": number})
        case _:
            return describe(event).text


def describe(event: Event) -> Remark:
    match event:
        case KingdomChosen(cards):
            return Remark(_("The kingdom: %(cards)s", cards=card_list(cards)))
        case CardSwapped(out, into):
            return Remark(_("%(into)s comes for %(out)s", into=card_name(into), out=card_name(out)))
        case WishesMade(()):
            return Remark(_("Any ten cards will do"))
        case WishesMade(needs):
            return Remark(
                _("Wished for: %(wishes)s", wishes=parts_listed([NEED_NAMES[KingdomNeed(n)] for n in needs]))
            )
        case KingdomPlayed(cards):
            return Remark(_("Played before: %(cards)s", cards=card_list(cards)))
        case FavouritesKept(cards):
            return Remark(_("Favourites: %(cards)s", cards=card_list(cards)) if cards else _("No favourites"))
        case CardAllowed(id):
            return Remark(_("Neither vetoed nor a favourite: %(card)s", card=card_name(id)))
        case WinnersTold(names):
            return Remark(_("Won the last game: %(names)s", names=parts_listed(names)))
        case SetUpTicked(key, done):
            return Remark(
                _("On the table: %(item)s", item=setup_item_name(key))
                if done
                else _("Not on the table: %(item)s", item=setup_item_name(key))
            )
        case AttackSuffered(None):
            return Remark(_("Everybody suffers the Attack"))
        case GameStopped():
            return Remark(_("The game is stopped"))
        case PileCounted(id, number):
            return Remark(_("Pile of %(card)s: %(count)d", card=card_name(id), count=number))
        case TrashCounted(counts):
            return Remark(_("In the trash: %(count)d cards", count=sum(counts.values())))
        case _:
            return Remark(_deed(event), event.player, _face(event))


def _face(event: Event) -> str:
    """The drawing of the card that somebody does something with."""
    match event:
        case CardPlayed(_player, id) | CardBought(_player, id) | CardGained(_player, id) if id:
            return card_face(id)
        case CardsTrashed(_player, (id, *_others)) | CardsRevealed(_player, (id, *_others)):
            return card_face(id)
        case _:
            return ""


def _deed(event: Event) -> Message:
    match event:
        case CardPlayed(_player, "", _count):
            return _("plays nothing")
        case CardPlayed(_player, id, count):
            return _("plays %(cards)s", cards=card_list([id] * count))
        case CardBought(_player, id):
            return _("buys %(card)s", card=card_name(id))
        case CardGained(_player, id):
            return _("gains %(card)s", card=card_name(id)) if id else _("gains nothing")
        case CardsTrashed(_player, cards):
            return _("trashes %(cards)s", cards=card_list(cards)) if cards else _("trashes nothing")
        case CardsRevealed(_player, cards):
            return _("reveals %(cards)s", cards=card_list(cards)) if cards else _("reveals nothing")
        case AnswersChosen(_player, keys):
            return _("chooses: %(answers)s", answers=answer_names(keys))
        case NumberTold(_player, number):
            return _n("discards %(count)d card", "discards %(count)d cards", number)
        case CardVetoed(_player, id):
            return _("vetoes %(card)s", card=card_name(id)) if id else _("vetoes nothing")
        case CardLiked(_player, id):
            return _("would like %(card)s", card=card_name(id))
        case DeckCounted(_player, counts):
            return _n("has %(count)d card", "has %(count)d cards", sum(counts.values()))
        case FirstPlayer():
            return _("begins")
        case AttackSuffered():
            return _("suffers the Attack")
        case BuyingBegun():
            return _("goes on to the Buy phase")
        case TurnEnded():
            return _("ends the turn")
        case _:
            raise TypeError(event)
