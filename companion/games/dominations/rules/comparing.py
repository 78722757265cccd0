"""Who takes which Role: what everybody has left, what cards add to it, and what nobody has said yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.dominations.rules.box import ROLES, VESTIGIUM, Domain, OpenQuestion, Role
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import CardEffect, Trigger
from companion.games.dominations.rules.events import StepTaken
from companion.games.dominations.rules.gains import card_reason, effect_amount, known_effects
from companion.games.dominations.rules.position import PendingQuestion, Position
from companion.games.dominations.rules.roles import CardAddition, RoleComparison
from companion.games.dominations.rules.rulings import LEFT_OPEN, LITERAL


class _Looking(Draft):
    """Nobody is asked by a look: what is not said yet adds nothing so far."""

    def rule(self, question: OpenQuestion) -> str:
        return self.position.rulings.get(question) or LITERAL[question]

    def choose(self, need: PendingQuestion) -> str:
        return super().choose(need) if self._answers else LEFT_OPEN


def looking_draft(position: Position) -> _Looking:
    """A draft that knows what was answered so far, while the Roles wait for an answer."""
    held = position.held
    return _Looking(position, held.answers if held and isinstance(held.event, StepTaken) else ())


def comparisons_so_far(position: Position) -> tuple[RoleComparison, ...]:
    """Who would take each Role by what is known."""
    return comparisons(looking_draft(position))


def comparisons(draft: Draft) -> tuple[RoleComparison, ...]:
    """Rulebook 004, "Determine Papéis": for each Domain, whoever has most Knowledge left."""
    added = [one for player in draft.position.order for one in _added(draft, player)]
    return tuple(_compare(draft.position, role, added) for role in ROLES.values())


def _added(draft: Draft, player: int) -> Iterator[CardAddition]:
    """What cards add to a player's Knowledge when Roles are determined."""
    for card, effect in known_effects(draft, player, draft.position.effects(player, Trigger.COMPARE)):
        amount, why = effect_amount(draft.position, player, effect), card_reason(draft, card)
        for domain in _domains(draft, player, card.key, effect):
            yield CardAddition(player, amount, why, domain)


def _domains(draft: Draft, player: int, key: str, effect: CardEffect) -> tuple[Domain | None, ...]:
    if effect.unit != VESTIGIUM:
        return (Domain(effect.unit),)
    if draft.rule(OpenQuestion.COMPARISON) == "every":
        return tuple(Domain)
    return tuple(draft.domains(player, 1, key)) or (None,)


def _compare(position: Position, role: Role, added: Iterable[CardAddition]) -> RoleComparison:
    left = [seat.knowledge[role.domain] for seat in position.seats]
    here = tuple(one for one in added if one.domain is role.domain and one.amount)
    values = [n + sum(one.amount for one in here if one.player == player) for player, n in enumerate(left)]
    if not any(left):
        return RoleComparison(role.key, tuple(values), None, here)
    winner = position.first(dict(enumerate(values)))
    unsaid = tuple(one for one in added if one.domain is None)
    return RoleComparison(
        role.key, tuple(values), winner, here, tuple(_deciding(position, values, winner, unsaid))
    )


def _deciding(
    position: Position, values: list[int], winner: int, unsaid: tuple[CardAddition, ...]
) -> Iterator[CardAddition]:
    """Of what nobody has said yet, that by which somebody else would take the Role."""
    for one in unsaid:
        more = sum(other.amount for other in unsaid if other.player == one.player)
        raised = {player: n + more * (player == one.player) for player, n in enumerate(values)}
        if position.first(raised) != winner:
            yield one
