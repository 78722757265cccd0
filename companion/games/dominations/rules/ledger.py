"""What people tell and set right themselves: preparation, cards, rulings, and numbers that the log has otherwise."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.box import LIMITS, MARKERS, QUESTIONS, ROLES, Domain, OpenQuestion
from companion.games.dominations.rules.cards import GOALS, Card, Mastery, Monument, Objective
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.events import Achieved, Adjusted, CardsKept, Redrawn, RoleTold, Ruled
from companion.games.dominations.rules.goals import moved_goals
from companion.games.dominations.rules.planting import need_card
from companion.games.dominations.rules.position import OF_A_TURN, Position, Site
from companion.games.dominations.rules.steps import Track


def keep_cards(draft: Draft, event: CardsKept) -> None:
    """Rulebook 004, "Preparação": one of two Objectives and one of two Monuments, for everybody to see."""
    position = draft.position
    if position.seats[event.player].objective:
        raise IllegalEvent(_("This player has an Objective already."))
    if event.monument in position.sites:
        raise IllegalEvent(_("This Monument is in the game already."))
    if event.objective in [seat.objective for seat in position.seats]:
        raise IllegalEvent(_("This Objective belongs to somebody else."))
    need_card(draft, event.objective, position.cards.objectives)
    need_card(draft, event.monument, position.cards.monuments)
    draft.change(event.player, objective=event.objective)
    draft.set(sites={**position.sites, event.monument: Site()})


def teach_card(draft: Draft, card: Card) -> None:
    """A card as the table reads it; what it gave before stays in the ledger."""
    position = draft.position
    _check_kind(position, card)
    if isinstance(card, Monument):
        site = position.sites.get(card.key, Site())
        if site.taken > len(card.levels) or (
            site.place and card.shape is not position.monument(card.key).shape
        ):
            raise IllegalEvent(_("What was taken of this Monument already does not fit these words."))
    turned = any(c and c.advanced for c in (seat.tree.find(card.key) for seat in position.seats))
    if isinstance(card, Mastery) and card.advanced is None and turned:
        raise IllegalEvent(_("This Mastery is turned over in a Tree: tell its other side as well."))
    if isinstance(card, Objective) and card.key in position.cards.objectives:
        _move_marks(draft, position.cards.objectives[card.key], card)
    draft.set(cards=position.cards.taught(card), taught=position.taught | {card.key})
    for player in range(len(position.seats)):
        for owned, effect in draft.position.effects(player, Trigger.LIMIT):
            if owned.key == card.key and effect.known:
                draft.raise_limit(player, Domain(effect.about), effect.amount)


def _move_marks(draft: Draft, old: Objective, new: Objective) -> None:
    """A goal that people marked is marked wherever the card has it when it is read again."""
    numbers = moved_goals(old.goals, new.goals)
    for player, seat in enumerate(draft.position.seats):
        if seat.objective == new.key:
            achieved = frozenset(numbers[goal] for goal in seat.achieved if goal in numbers)
            missed = frozenset(numbers[goal] for goal in seat.missed if goal in numbers)
            draft.change(player, achieved=achieved, missed=missed)


def _check_kind(position: Position, card: Card) -> None:
    """One name is one card, so that nobody's Tree comes to hold an Objective."""
    shelves = {
        Mastery: position.cards.masteries,
        Monument: position.cards.monuments,
        Objective: position.cards.objectives,
    }
    if any(card.key in shelf for kind, shelf in shelves.items() if not isinstance(card, kind)):
        raise IllegalEvent(_("There is another card of this name."))


def record_ruling(position: Position, event: Ruled) -> Position:
    question = QUESTIONS.get(event.question)
    if question is None or event.answer not in question.answers:
        raise IllegalEvent(_("There is no such question, or no such answer to it."))
    return replace(position, rulings={**position.rulings, event.question: event.answer})


def redraw_territories(draft: Draft, event: Redrawn) -> None:
    """Rulebook 004: each player may discard part of the hand, or all of it, once in each Era."""
    if draft.seat(event.player).redrawn:
        raise IllegalEvent(_("This player has drawn again in this Era already."))
    draft.change(event.player, redrawn=True)


BY_HAND = _("Set right by hand")


def adjust_number(draft: Draft, event: Adjusted) -> None:
    """The numbers on the boards are right; the difference is a line like any other."""
    why = BY_HAND
    player, seat = event.player, draft.seat(event.player)
    match event.track:
        case Track.POINTS:
            amount = _within(draft, draft.position.points[player], event.amount, 9999)
            draft.points(player, amount, why)
        case Track.INFLUENCE:
            draft.influence(player, _within(draft, seat.influence, event.amount, 999), why)
        case Track.MARKERS:
            amount = _within(draft, seat.markers, event.amount, MARKERS)
            draft.change(player, markers=seat.markers + amount)
        case Domain() if event.limit:
            _adjust_limit(draft, event, event.track)
        case Domain() as domain:
            there, most = seat.knowledge[domain], highest_amount(draft.position, player, domain)
            amount = _within(draft, there, event.amount, most)
            draft.change(player, knowledge={**seat.knowledge, domain: there + amount})
            draft.line(player, domain, amount, why)


def highest_amount(position: Position, player: int, domain: Domain) -> int:
    """Up to where a Reserve can be set right: its limit, unless more was kept there until the Era ends."""
    seat = position.seats[player]
    kept = position.rulings.get(OpenQuestion.ERA_END_LIMIT) == "kept" and position.stage not in OF_A_TURN
    return max(seat.limits[domain], seat.knowledge[domain], LIMITS[-1] if kept else 0)


def _adjust_limit(draft: Draft, event: Adjusted, domain: Domain) -> None:
    seat = draft.seat(event.player)
    limit = seat.limits[domain] + event.amount
    if limit not in LIMITS:
        draft.object_to(_("A limit is 5, 10, 15 or 20."))
        limit = max((step for step in LIMITS if step <= limit), default=LIMITS[0])
    if seat.knowledge[domain] > limit:
        raise IllegalEvent(_("There is more in this Reserve: set that right first."))
    draft.change(event.player, limits={**seat.limits, domain: limit})


def _within(draft: Draft, there: int, amount: int, most: int) -> int:
    """As much of a difference as a board has room for; nobody means more than that."""
    number = there + amount
    if not 0 <= number <= most:
        draft.object_to(
            _("This would come to %(number)d, and has to stay from 0 to %(most)d.", number=number, most=most)
        )
    return min(max(number, 0), most) - there


def tell_role(draft: Draft, event: RoleTold) -> None:
    """A Domination card is where it lies; its points are set right apart."""
    if event.role not in ROLES:
        raise IllegalEvent(_("There is no such Role."))
    for player, seat in enumerate(draft.position.seats):
        draft.change(player, roles=tuple(role for role in seat.roles if role != event.role))
    if event.player is not None:
        draft.change(event.player, roles=(*draft.seat(event.player).roles, event.role))
    draft.set(righted=draft.position.righted | {event.role})
    if event.role == "governor":
        draft.set(ordered=False)


def mark_goal(draft: Draft, event: Achieved) -> None:
    seat = draft.seat(event.player)
    if not 1 <= event.goal <= GOALS:
        raise IllegalEvent(_("An Objective has %(count)d goals.", count=GOALS))
    first_said = draft.position.last_turn_over and event.goal not in seat.achieved | seat.missed
    if (event.goal in seat.achieved) == event.reached and not first_said:
        raise IllegalEvent(_("This goal is marked so already."))
    goal, missed = {event.goal}, seat.missed
    achieved = seat.achieved | goal if event.reached else seat.achieved - goal
    if draft.position.last_turn_over:
        missed = missed - goal if event.reached else missed | goal
    draft.change(event.player, achieved=achieved, missed=missed)
