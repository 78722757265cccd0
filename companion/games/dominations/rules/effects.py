"""What cards do, in a small language that people can write themselves.

    turn start: 1 T             at the start of your turn, gain 1 Trade
    produce 2 T: 1 T            during your turn, for every 2 Trade you produce, gain 1
    nodus R: 2 R                whenever you create a Nodus of Religion
    now: 6 influence            at once
    era start: 5 A              era end: 1 points per nodus A
    field: 1 field              your Fields produce one more of their Domain
    city: 2 city                whenever you build or upgrade a City, 2 of its Domain; also `build` and `upgrade`
    activate: 1 points          whenever a territory activates a City of yours
    role: 6 points              for each Role you obtain
    compare: 2 V                added to what is left when Roles are determined
    pay mastery: 1              1 less for a Mastery; also `advance`, `city`, `monument`; `pay city A: 2` for one Domain
    trade: 1                    trade 1 for 1 in your turn; `trade T: 1` when Trade is given
    limit T: 15                 the limit of a Reserve
    era end: "move your marker" words that are shown at their trigger, and done by hand

A question mark stands for what nobody knows yet. What holds one is shown like words, and never applied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import quote, unquote
from companion.games.dominations.rules.box import LETTERS, LIMITS, UNKNOWN, VESTIGIUM

TEXT_LIMIT = 160
"""Most characters of an effect, or of its words as people wrote them."""
HIGHEST_AMOUNT = 30
"""No card gives more of anything for one reason."""


class Trigger(StrEnum):
    """When a card does something."""

    NOW = "now"
    TURN_START = "turn start"
    ERA_START = "era start"
    ERA_END = "era end"
    PRODUCE = "produce"
    NODUS = "nodus"
    FIELD = "field"
    CITY = "city"
    BUILD = "build"
    UPGRADE = "upgrade"
    ACTIVATE = "activate"
    ROLE = "role"
    COMPARE = "compare"
    PAY = "pay"
    TRADE = "trade"
    LIMIT = "limit"


class EffectUnit(StrEnum):
    """What is given besides Knowledge of a Domain, whose letter is its own unit."""

    INFLUENCE = "influence"
    POINTS = "points"
    CITY = "city"
    FIELD = "field"
    VESTIGIUM = VESTIGIUM
    UNKNOWN = UNKNOWN


class Measure(StrEnum):
    """What an amount is multiplied by."""

    NODUS = "nodus"
    NODUS_NOT = "nodus not"
    DOMAIN = "domain"
    CITY = "city"
    CITY_LEVEL = "city level"
    BOARD_CITY = "city on the board"
    MONUMENT_LEVEL = "monument level"
    BASIC = "basic"
    ADVANCED = "advanced"
    LEFT = "left"
    LIMIT = "limit"
    ROLE = "role"
    UNKNOWN = UNKNOWN


PAID_FOR = ("mastery", "advance", "city", "monument")
BARE = frozenset({Trigger.PAY, Trigger.TRADE, Trigger.LIMIT})
"""Their amounts need no unit."""
ABOUT: Mapping[str, tuple[bool, bool | None]] = {
    Trigger.PRODUCE: (True, True),
    Trigger.NODUS: (False, True),
    Trigger.TRADE: (False, None),
    Trigger.LIMIT: (False, True),
    Trigger.PAY: (False, None),
}
"""Which triggers are of every so many, and whether they need a Domain; None when they may have one."""
_UNITS: dict[Trigger, frozenset[str]] = {
    Trigger.FIELD: frozenset({*LETTERS, EffectUnit.FIELD, EffectUnit.VESTIGIUM, UNKNOWN}),
    Trigger.COMPARE: frozenset({*LETTERS, EffectUnit.VESTIGIUM, UNKNOWN}),
}
_ANY_UNIT = frozenset({*LETTERS, EffectUnit.INFLUENCE, EffectUnit.POINTS, EffectUnit.VESTIGIUM, UNKNOWN})
_OF_A_CITY = frozenset({Trigger.CITY, Trigger.BUILD, Trigger.UPGRADE, Trigger.ACTIVATE})
WITH_DOMAIN = frozenset({Measure.NODUS, Measure.NODUS_NOT, Measure.LEFT, Measure.LIMIT})
"""What is counted in one Domain; Nodi alone may be counted in all of them."""

_TRIGGERS = "|".join(trigger.value for trigger in Trigger)
_MEASURES = "|".join(re.escape(m.value) for m in sorted(Measure, key=len, reverse=True))
_HEAD = re.compile(
    rf"({_TRIGGERS})(?: ({'|'.join(PAID_FOR)}))?(?: (\d{{1,2}}))?(?: ([{LETTERS}?]))?", re.ASCII
)
_TAIL = re.compile(
    rf"(\d{{1,2}}|\?)(?: (influence|points|city|field|[{LETTERS}V?]))?"
    rf"(?: per (?:(\d{{1,2}}) )?({_MEASURES})(?: ([{LETTERS}?]))?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class CardEffect:
    """One thing that a card does."""

    trigger: Trigger
    amount: int = 0
    unit: str = ""
    about: str = ""
    """The Domain the trigger is about."""
    every: int = 1
    """For how much Knowledge produced."""
    target: str = ""
    """What becomes cheaper."""
    measure: Measure | None = None
    per: int = 1
    """For how many of the measure."""
    of: str = ""
    """The Domain of the measure."""
    text: str = ""
    """Words that fit no grammar."""

    @property
    def known(self) -> bool:
        """Whether it can be applied: nothing of it is words or a question mark."""
        return (
            not self.text
            and self.amount > 0
            and UNKNOWN not in (self.unit, self.about, self.measure, self.of)
        )

    def __str__(self) -> str:
        every = self.every if self.trigger is Trigger.PRODUCE else ""
        head = _joined(self.trigger, self.target, every, self.about)
        if self.text:
            return f"{head}: {quote(self.text)}"
        per = ("per", self.per if self.per > 1 else "", self.measure, self.of) if self.measure else ()
        return f"{head}: {_joined(self.amount or UNKNOWN, self.unit, *per)}"


def _joined(*parts: object) -> str:
    return " ".join(str(part) for part in parts if str(part))


def parse_effect(text: str) -> CardEffect:
    """The effect that a line of the small language says, or what is wrong with it."""
    head, colon, tail = text.partition(":")
    found = _HEAD.fullmatch(head.strip())
    if not colon or not found:
        raise NotationError(
            _("“%(text)s” does not begin with a trigger, such as “turn start:” or “now:”.", text=text[:80])
        )
    effect = _head(found, text)
    tail = tail.strip()
    if tail.startswith('"'):
        return replace(effect, text=readable(unquote(tail)))
    _check_length(text)
    parts = _TAIL.fullmatch(tail)
    if not parts:
        raise NotationError(
            _(
                "“%(text)s” is no amount, such as “2 T” or “1 points per city”: put words in quotes.",
                text=tail[:80],
            )
        )
    return _checked(_with_amount(effect, parts), text)


def _head(found: re.Match[str], text: str) -> CardEffect:
    trigger, target, every, about = Trigger(found[1]), found[2] or "", found[3], found[4] or ""
    counts, needs = ABOUT.get(trigger, (False, False))
    if bool(every) != counts or (needs is True and not about) or (needs is False and about):
        raise NotationError(_("The trigger of “%(text)s” is not complete, or says too much.", text=text[:80]))
    if bool(target) != (trigger is Trigger.PAY) or every == "0":
        raise NotationError(_("The trigger of “%(text)s” is not complete, or says too much.", text=text[:80]))
    return CardEffect(trigger, about=about, every=int(every or 1), target=target)


def readable(words: str) -> str:
    """The words of an effect, when they can be kept."""
    text = words.strip()
    _check_length(text)
    if not text or not text.isprintable():
        raise NotationError(_("The words of an effect have to be there, and readable."))
    return text


def _check_length(text: str) -> None:
    if len(text) > TEXT_LIMIT:
        raise NotationError(_("An effect has %(limit)d characters at most.", limit=TEXT_LIMIT))


def _with_amount(effect: CardEffect, parts: re.Match[str]) -> CardEffect:
    amount, unit, per, measure, of = parts.groups()
    return CardEffect(
        effect.trigger,
        0 if amount == UNKNOWN else int(amount),
        unit or "",
        effect.about,
        effect.every,
        effect.target,
        Measure(measure) if measure else None,
        int(per or 1),
        of or "",
    )


def _checked(effect: CardEffect, text: str) -> CardEffect:
    if effect.amount > HIGHEST_AMOUNT or effect.per < 1 or (effect.amount == 0 and UNKNOWN not in text):
        raise NotationError(
            _("The amount of “%(text)s” is not from 1 to %(most)d.", text=text[:80], most=HIGHEST_AMOUNT)
        )
    if effect.trigger is Trigger.LIMIT and effect.amount not in LIMITS[1:]:
        raise NotationError(
            _("A limit is raised to %(limits)s.", limits=", ".join(str(limit) for limit in LIMITS[1:]))
        )
    allowed = _UNITS.get(
        effect.trigger, _ANY_UNIT | ({EffectUnit.CITY} if effect.trigger in _OF_A_CITY else set())
    )
    if effect.trigger in BARE:
        allowed = frozenset({""})
    if effect.unit not in allowed:
        raise NotationError(
            _(
                "“%(text)s” does not say what is given, or nothing of the kind can be given then.",
                text=text[:80],
            )
        )
    if effect.measure and effect.trigger in (Trigger.TRADE, Trigger.LIMIT):
        raise NotationError(_("A rate or a limit does not grow by anything: “%(text)s”.", text=text[:80]))
    measured = effect.measure in WITH_DOMAIN
    if (effect.of and not measured) or (measured and not effect.of and effect.measure is not Measure.NODUS):
        raise NotationError(_("“%(text)s” does not say by what the amount grows.", text=text[:80]))
    return effect
