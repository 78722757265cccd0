"""The phase of Development: new Masteries, and turning over those one has; and the free trade."""

from __future__ import annotations

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.box import COPIES, Domain
from companion.games.dominations.rules.cards import KnowledgeCost, Mastery
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.events import Advanced, Developed, Traded
from companion.games.dominations.rules.gains import charge, known_effects, trade_rate
from companion.games.dominations.rules.planting import need_card, plant_card, turn_card_over
from companion.games.dominations.rules.position import Position


def develop_mastery(draft: Draft, event: Developed) -> None:
    """Rulebook 004, "Desenvolva uma Maestria"."""
    mastery = take_from_rack(draft, event.player, event.key)
    if not meets_prerequisite(draft.position, event.player, mastery):
        draft.object_to(_("The Mastery that this card presupposes is not in the Tree."))
    _pay(draft, event.player, mastery, mastery.cost, "mastery")
    plant_card(draft, event.player, event.key, 0, event.planting)


def take_from_rack(draft: Draft, player: int, key: str) -> Mastery:
    """A copy for this player; rulebook 004, "Regra do 1": never a second one of the same title."""
    need_card(draft, key, draft.position.cards.masteries)
    if draft.seat(player).tree.find(key):
        raise IllegalEvent(_("This Mastery is in the Tree already, and no Tree has two of a kind."))
    if draft.position.left_in_the_rack(key) <= 0:
        raise IllegalEvent(_("All %(count)d copies of this Mastery are taken.", count=COPIES))
    return draft.position.cards.masteries[key]


def meets_prerequisite(position: Position, player: int, mastery: Mastery) -> bool:
    """Whether the Tree has another Mastery of the Domain and the value that a card presupposes."""
    needs = mastery.needs
    if needs is None:
        return True
    owned = [position.cards.masteries[card.key] for card in position.seats[player].tree.masteries]
    return any(card.domain == needs.domain and card.value >= needs.amount for card in owned)


def _pay(draft: Draft, player: int, mastery: Mastery, cost: KnowledgeCost | None, target: str) -> None:
    if cost is None or not cost.known:
        raise IllegalEvent(_("Nobody has told yet what this card costs: teach it first."))
    charge(draft, player, target, Domain(cost.domain), cost.amount, _("%(card)s", card=mastery.title))


def advance_mastery(draft: Draft, event: Advanced) -> None:
    """Rulebook 004: pay the cost in the lower left corner, and turn the card over."""
    mastery = turnable(draft, event.player, event.key)
    _pay(draft, event.player, mastery, mastery.advance, "advance")
    turn_card_over(draft, event.player, event.key)


def turnable(draft: Draft, player: int, key: str) -> Mastery:
    card = draft.seat(player).tree.find(key)
    if card is None or card.advanced:
        raise IllegalEvent(_("Only a basic Mastery of one's own Tree is turned over."))
    mastery = draft.position.cards.masteries[key]
    if mastery.advanced is None:
        raise IllegalEvent(_("Nobody has told yet what the other side of this card says: teach it first."))
    return mastery


def trade_knowledge(draft: Draft, event: Traded) -> None:
    """Rulebook 004, "Carta de Fogueira": as often as one likes during one's own turn, told at once or one by one."""
    knowledge = draft.seat(event.player).knowledge
    if event.give is event.get:
        raise IllegalEvent(_("Knowledge is traded for that of another Domain."))
    known_effects(draft, event.player, draft.position.effects(event.player, Trigger.TRADE))
    each = trade_rate(draft.position, event.player, event.give)
    if event.got < 1 or event.given != each * event.got:
        draft.object_to(_("%(given)d of one Domain are traded for 1 of another.", given=each))
    if knowledge[event.give] < event.given:
        draft.object_to(_("There is not so much in the Reserve."))
    why = _("Exchange of Knowledge")
    draft.pay(event.player, event.give, event.given, why)
    trades = event.got if event.given == each * event.got else 1
    for _trade in range(trades):
        draft.acquire(event.player, {event.get: event.got // trades}, why)
