"""How a card comes into a Civilization Tree, and everything that happens at once when it does."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.cards import Side
from companion.games.dominations.rules.draft import AnswerNeeded, Draft
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.gains import DueEffect, card_reason
from companion.games.dominations.rules.placing import TreePlacement
from companion.games.dominations.rules.position import NOBODY, PendingQuestion, QuestionKind
from companion.games.dominations.rules.simultaneous import give_simultaneous
from companion.games.dominations.rules.tree import CAMPFIRE, Planted


def need_card(draft: Draft, key: str, shelf: Mapping[str, object]) -> None:
    """Nothing is applied of a card that this table has not read out: it is asked for when it is first taken."""
    if key not in draft.position.taught or key not in shelf:
        raise AnswerNeeded(PendingQuestion(QuestionKind.CARD, NOBODY, key))


def plant_card(draft: Draft, player: int, key: str, level: int, planting: TreePlacement) -> None:
    """A card comes into the Tree; rulebook 004, "Momento das Cartas": all that follows is simultaneous."""
    tree = draft.seat(player).tree
    card = Planted(key, level, False, planting.spot, planting.halves, planting.nodi)
    draft.object_to(*tree.against(card))
    draft.change(player, tree=tree.with_card(card))
    nodi = tree.made_by(card)
    position = draft.position
    side = _side(draft, card)
    why = card_reason(draft, card)
    _print(draft, player, side, why)
    made: list[DueEffect] = [
        due
        for domain in nodi
        for due in position.effects(player, Trigger.NODUS)
        if due[1].about in (domain, "?")
    ]
    now = [
        (card, effect)
        for effect in position.effects_of(card)
        if effect.trigger in (Trigger.NOW, Trigger.LIMIT)
    ]
    give_simultaneous(draft, player, [*now, *made])


def turn_card_over(draft: Draft, player: int, key: str) -> None:
    """The advanced side replaces the basic one, and what it says happens at once."""
    draft.change(player, tree=draft.seat(player).tree.advanced(key))
    card = draft.seat(player).tree.find(key)
    assert card is not None
    _print(draft, player, _side(draft, card), card_reason(draft, card))
    effects = draft.position.effects_of(card)
    give_simultaneous(
        draft, player, [(card, e) for e in effects if e.trigger in (Trigger.NOW, Trigger.LIMIT)]
    )


def _side(draft: Draft, card: Planted) -> Side:
    if card.level:
        return draft.position.monument(card.key).levels[card.level - 1].side
    mastery = draft.position.cards.masteries[card.key]
    return (mastery.advanced or Side()) if card.advanced else mastery.basic


def _print(draft: Draft, player: int, side: Side, why: Message) -> None:
    """The points and the Influence that are printed on the card."""
    draft.points(player, side.points, why)
    draft.influence(player, side.influence, why)


def light_campfire(draft: Draft, player: int, halves: str) -> None:
    """The half Nodi of a Campfire, as they lie."""
    before = draft.seat(player).tree
    tree = before.with_campfire(halves)
    lost = {spot for nodus in before.nodi for spot in nodus.spots} - {
        spot for nodus in tree.nodi for spot in nodus.spots
    }
    if lost - {(0, 0)}:
        raise IllegalEvent(_("The cards beside the Campfire make no Nodus with it then."))
    assert before.cards[0].key == CAMPFIRE
    draft.change(player, tree=tree)
