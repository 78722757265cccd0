"""What cards do, in words for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.box import DOMAIN_NAMES, LETTERS, Domain
from companion.games.dominations.rules.effects import CardEffect, EffectUnit, Measure, Trigger
from companion.games.dominations.rules.goals import Goal, GoalKind, GoalPart

TRIGGER_TEXTS: Mapping[Trigger, Message] = {
    Trigger.NOW: _("At once"),
    Trigger.TURN_START: _("At the start of the turn"),
    Trigger.ERA_START: _("At the start of an Era"),
    Trigger.ERA_END: _("At the end of an Era"),
    Trigger.PRODUCE: _("When Knowledge is produced"),
    Trigger.NODUS: _("For each new Nodus"),
    Trigger.FIELD: _("Fields produce more"),
    Trigger.CITY: _("When a City is built or upgraded"),
    Trigger.BUILD: _("When a City is built"),
    Trigger.UPGRADE: _("When a City is upgraded"),
    Trigger.ACTIVATE: _("When a territory activates a City"),
    Trigger.ROLE: _("For each Role obtained"),
    Trigger.COMPARE: _("Added when Roles are determined"),
    Trigger.PAY: _("Costs less"),
    Trigger.TRADE: _("Trades at a better rate"),
    Trigger.LIMIT: _("Limit of a Reserve"),
}

STANDING_TRIGGERS = (Trigger.PAY, Trigger.TRADE, Trigger.FIELD, Trigger.PRODUCE)
"""What works all the time, and is easily forgotten."""

TARGET_TEXTS: Mapping[str, Message] = {
    "mastery": _("Masteries cost less"),
    "advance": _("Turning Masteries over costs less"),
    "city": _("Cities cost less"),
    "monument": _("Monuments cost less"),
}

UNIT_TEXTS: Mapping[str, Message] = {
    EffectUnit.INFLUENCE: _("Influence"),
    EffectUnit.POINTS: _("points"),
    EffectUnit.CITY: _("of the City's Domain"),
    EffectUnit.FIELD: _("of the Field's Domain"),
    EffectUnit.VESTIGIUM: _("Vestigium"),
    EffectUnit.UNKNOWN: _("of what nobody told"),
}

MEASURE_TEXTS: Mapping[Measure, Message] = {
    Measure.NODUS: _("Nodus"),
    Measure.NODUS_NOT: _("Nodus of another Domain"),
    Measure.DOMAIN: _("Domain with a Nodus"),
    Measure.CITY: _("own City"),
    Measure.CITY_LEVEL: _("level of own Cities"),
    Measure.BOARD_CITY: _("City on the table"),
    Measure.MONUMENT_LEVEL: _("own level of Monuments"),
    Measure.BASIC: _("basic Mastery"),
    Measure.ADVANCED: _("turned Mastery"),
    Measure.LEFT: _("Knowledge left"),
    Measure.LIMIT: _("point of the limit"),
    Measure.ROLE: _("Role"),
    Measure.UNKNOWN: _("of what nobody told"),
}

GOAL_TEXTS: Mapping[GoalKind, Message] = {
    GoalKind.CITIES: _("Cities by level"),
    GoalKind.ADJACENT: _("Cities side by side"),
    GoalKind.APART: _("Groups of Cities"),
    GoalKind.CONTROL: _("Monuments controlled"),
    GoalKind.NODI: _("Nodi"),
    GoalKind.INFLUENCE: _("Influence"),
    GoalKind.MASTERIES: _("Masteries"),
    GoalKind.TEXT: _("Counted by yourselves"),
}


def effect_text(effect: CardEffect) -> Message:
    """When a card gives something, and what."""
    return _("%(when)s: %(what)s", when=trigger_text(effect), what=gift_text(effect))


def trigger_text(effect: CardEffect) -> Message:
    found = TARGET_TEXTS[effect.target] if effect.target else TRIGGER_TEXTS[effect.trigger]
    if not effect.about:
        return found
    if effect.trigger is Trigger.PRODUCE:
        return _(
            "For every %(count)d %(domain)s produced",
            count=effect.every,
            domain=_domain_or_unknown(effect.about),
        )
    return _("%(when)s (%(domain)s)", when=found, domain=_domain_or_unknown(effect.about))


def gift_text(effect: CardEffect) -> Message:
    if effect.text:
        return _("“%(text)s”, by hand", text=effect.text)
    amount = str(effect.amount or "?")
    given = (
        _("%(amount)s %(unit)s", amount=amount, unit=_unit(effect.unit))
        if effect.unit
        else Message("%(text)s", {"text": amount})
    )
    if effect.measure is None:
        return given
    by = MEASURE_TEXTS[effect.measure]
    if effect.of:
        by = _("%(what)s (%(domain)s)", what=by, domain=_domain_or_unknown(effect.of))
    if effect.per > 1:
        return _("%(given)s for every %(count)d × %(what)s", given=given, count=effect.per, what=by)
    return _("%(given)s for each %(what)s", given=given, what=by)


def _unit(unit: str) -> Message:
    return DOMAIN_NAMES[Domain(unit)] if unit in LETTERS else UNIT_TEXTS[unit]


def _domain_or_unknown(letter: str) -> Message:
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else UNIT_TEXTS[EffectUnit.UNKNOWN]


def goal_text(goal: Goal, title: Callable[[str], Message | str] = str) -> Message:
    """What a goal asks for, a Monument by its printed name; words of its own where no grammar has any."""
    if not goal.known:
        return _("“%(text)s”, by hand", text=goal.text)
    parts = [_part(goal.kind, part, title) for part in goal.parts]
    told = parts[0]
    for part in parts[1:]:
        told = _("%(first)s, %(next)s", first=told, next=part)
    return _("%(what)s: %(how_many)s", what=GOAL_TEXTS[goal.kind], how_many=told)


def _part(kind: GoalKind, part: GoalPart, title: Callable[[str], Message | str]) -> Message:
    match kind:
        case GoalKind.CONTROL if part.key:
            return Message("%(title)s", {"title": title(part.key)})
        case GoalKind.CITIES:
            return _("%(count)d of level %(level)s", count=part.count, level=part.key)
        case GoalKind.NODI:
            return _("%(count)d %(domain)s", count=part.count, domain=DOMAIN_NAMES[Domain(part.key)])
        case GoalKind.MASTERIES:
            names = [DOMAIN_NAMES[Domain(letter)] for letter in part.domains]
            told = names[0]
            for name in names[1:]:
                told = _("%(domain)s or %(other)s", domain=told, other=name)
            if part.domains == LETTERS:
                return _("%(count)d of value %(value)s", count=part.count, value=part.key)
            return _(
                "%(count)d of value %(value)s in %(domains)s", count=part.count, value=part.key, domains=told
            )
    return Message("%(count)d", {"count": part.count})
