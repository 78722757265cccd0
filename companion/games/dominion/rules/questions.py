"""What only a player knows, asked: the questions of cards, what their answers are called, and what is done by hand.

A key that is not among those of both boxes is said as the file of its card has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.message import Message
from companion.core.message import joined as parts_listed
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.cards import (
    Choose,
    CountDiscards,
    Gain,
    GainNamed,
    ManualStep,
    PlayCard,
    Reveal,
    Trash,
)
from companion.games.dominion.rules.names import card_name
from companion.games.dominion.rules.position import Instruction, Position, Task

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
    "clean_up": _("Discard everything, and draw 5 cards."),
    "action_phase_over": _(
        "The Action phase is over. Was an Action still to be played? Undo brings it back."
    ),
    "no_card_to_gain": _("No card in the supply fits: nothing is gained."),
    "reaction_unaffected": _("The Attack does nothing to this player."),
    "reaction_first": _("First draw 2 cards, and put 2 from the hand on the deck."),
}


def answer_names(keys: Iterable[str]) -> Message:
    return parts_listed(_ANSWERS.get(key) or key.replace("_", " ") for key in keys)


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
            return _NOTES.get(key) or _own(key)


def first_question(position: Position) -> Message:
    """What has to be said before anything else."""
    if position.task is None:
        return _("Nothing is being asked now.")
    return _("First: %(question)s", question=question_text(position, position.task))


def question_text(position: Position, task: Task) -> Message:
    """What only a player knows, asked."""
    match task.step:
        case Choose(ask=key) | CountDiscards(ask=key) if key:
            asked = _QUESTIONS.get(key) or _own(key)
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


def _own(text: str) -> Message:
    """The words of a card that somebody added."""
    return Message("%(text)s", {"text": text})
