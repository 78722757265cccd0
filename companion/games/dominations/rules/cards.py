"""Cards: Masteries, Monuments and Objectives, and the two small languages that say what they do and ask for.

`parse_effect("turn start: 1 T")` and `parse_goal("cities 1:5 2:1")` read lines that people can write; `str` writes
them back the same. What a line does not say is kept as words and never counted. `printed_cards` is what the tables
know of the box: it fills in forms, and counts once somebody read it out.

What cards do:

    turn start: 1 T             at the start of your turn, gain 1 Trade
    produce 2 T: 1 T            during your turn, for every 2 Trade you produce, gain 1
    nodus R: 2 R                whenever you create a Nodus of Religion
    now: 6 influence            at once
    era start: 5 A              era end: 1 points per nodus A
    field: 1 field              your Fields produce one more of their Domain
    city: 2 city                whenever you build or upgrade a City, 2 of its Domain; also `build` and `upgrade`
    activate: 1 points          whenever a territory activates a City of yours
    locus: 2 T                  whenever you close a Locus, and it is the one that counts
    now: 3 one                  Vestigium that may not be split: all of one Domain
    now: 1 points per city T    Cities of one Domain; also `connected city`: those of your longest chain
    role: 6 points              for each Role you obtain
    compare: 2 V                added to what is left when Roles are determined
    pay mastery: 1              1 less for a Mastery; also `advance`, `city`, `monument`; `pay city A: 2` for one Domain
    trade: 1                    trade 1 for 1 in your turn; `trade T: 1` when Trade is given
    limit T: 15                 the limit of a Reserve
    era end: "move your marker" words that are shown at their trigger, and done by hand

A question mark stands for what nobody knows yet. What holds one is shown like words, and never applied.

What Objectives ask for:

    cities 1:5 2:1          five Cities of level 1 and one of level 2, or higher
    adjacent 10             one group of that many Cities side by side
    apart 10                that many groups of Cities, one City alone being a group
    control 1               control of that many Monuments; `control lighthouse` of one
    nodi T8 P5 S3           complete Nodi in the Tree
    influence 30
    masteries 6:4 TS 9:3 TP four of value 6 in Trade or Science, and three of value 9 in Trade or Politics

What holds a question mark, or is none of these, is ticked by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import Message, Translator, printed_in
from companion.core.message import message as _
from companion.core.notation import quote, unquote
from companion.games.dominations.rules.board import CAMPFIRE
from companion.games.dominations.rules.box import LETTERS, LIMITS, UNKNOWN, VALUES, VESTIGIUM, load_table

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
    LOCUS = "locus"
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
    ONE_DOMAIN = "one"
    UNKNOWN = UNKNOWN


class Measure(StrEnum):
    """What an amount is multiplied by."""

    NODUS = "nodus"
    NODUS_NOT = "nodus not"
    DOMAIN = "domain"
    CITY = "city"
    CITY_LEVEL = "city level"
    BOARD_CITY = "city on the board"
    CONNECTED_CITY = "connected city"
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
_ANY_UNIT = frozenset({*LETTERS, *EffectUnit} - {EffectUnit.CITY, EffectUnit.FIELD})
_OF_A_CITY = frozenset({Trigger.CITY, Trigger.BUILD, Trigger.UPGRADE, Trigger.ACTIVATE})
IN_ONE_DOMAIN = frozenset({Measure.NODUS_NOT, Measure.LEFT, Measure.LIMIT})
"""What is counted in one Domain."""
WITH_DOMAIN = IN_ONE_DOMAIN | {Measure.NODUS, Measure.CITY, Measure.CITY_LEVEL, Measure.BOARD_CITY}
"""What may be counted in one Domain."""

_TRIGGERS = "|".join(trigger.value for trigger in Trigger)
_MEASURES = "|".join(re.escape(m.value) for m in sorted(Measure, key=len, reverse=True))
_HEAD = re.compile(
    rf"({_TRIGGERS})(?: ({'|'.join(PAID_FOR)}))?(?: (\d{{1,2}}))?(?: ([{LETTERS}?]))?", re.ASCII
)
_TAIL = re.compile(
    rf"(\d{{1,2}}|\?)(?: (influence|points|city|field|one|[{LETTERS}V?]))?"
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
    about_fits = needs is None or needs == bool(about)
    target_fits = bool(target) == (trigger is Trigger.PAY)
    if bool(every) != counts or every == "0" or not about_fits or not target_fits:
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
    return replace(
        effect,
        amount=0 if amount == UNKNOWN else int(amount),
        unit=unit or "",
        measure=Measure(measure) if measure else None,
        per=int(per or 1),
        of=of or "",
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
    of_one = effect.measure in IN_ONE_DOMAIN
    if (effect.of and effect.measure not in WITH_DOMAIN) or (of_one and not effect.of):
        raise NotationError(_("“%(text)s” does not say by what the amount grows.", text=text[:80]))
    return effect


GOAL_LIMIT = 80
"""Longest text of a goal."""


class GoalKind(StrEnum):
    """What a goal asks for."""

    CITIES = "cities"
    ADJACENT = "adjacent"
    APART = "apart"
    CONTROL = "control"
    NODI = "nodi"
    INFLUENCE = "influence"
    MASTERIES = "masteries"
    TEXT = "text"


@dataclass(frozen=True)
class GoalPart:
    """One requirement of a goal."""

    key: str
    """A level, a Domain, a value or a Monument."""
    count: int
    domains: str = ""


@dataclass(frozen=True)
class Goal:
    """One of the five goals of an Objective."""

    kind: GoalKind
    parts: tuple[GoalPart, ...]
    text: str

    @property
    def known(self) -> bool:
        """Whether it can be counted; otherwise people tick it."""
        return self.kind is not GoalKind.TEXT and UNKNOWN not in self.text

    def __str__(self) -> str:
        return self.text


_NUMBER, _PAIR = r"()(\d{1,3})()", r"([1-9]):(\d{1,2})"
_PARTS: Mapping[GoalKind, str] = {
    GoalKind.CITIES: f"{_PAIR}()",
    GoalKind.ADJACENT: _NUMBER,
    GoalKind.APART: _NUMBER,
    GoalKind.CONTROL: r"(?:([a-z_]{2,24})|(\d{1,3}))()",
    GoalKind.NODI: rf"([{LETTERS}?])(\d{{1,2}})()",
    GoalKind.INFLUENCE: _NUMBER,
    GoalKind.MASTERIES: f"{_PAIR} ([{LETTERS}]+|[?])",
}
"""One requirement of each kind: what is asked for, how many (of a named Monument, one), and in which Domains."""
_SEVERAL = (GoalKind.CITIES, GoalKind.NODI, GoalKind.MASTERIES)
"""Goals that may have several requirements."""


def parse_goal(text: str) -> Goal:
    """The goal that a line of the small language says; what says nothing of the kind is kept as words."""
    if len(text) > GOAL_LIMIT or not text.strip() or not text.isprintable():
        raise NotationError(_("A goal has from 1 to %(limit)d readable characters.", limit=GOAL_LIMIT))
    text = text.strip()
    head, *rest = text.split()
    kind = GoalKind(head) if head in set(GoalKind) else GoalKind.TEXT
    parts = _parts(kind, " ".join(rest))
    return Goal(kind if parts else GoalKind.TEXT, parts, text)


def _parts(kind: GoalKind, told: str) -> tuple[GoalPart, ...]:
    one = _PARTS.get(kind, "(?!)")
    more = f"(?: {one})*" if kind in _SEVERAL else ""
    if not re.fullmatch(one + more, told, re.ASCII):
        return ()
    found = re.findall(one, told, re.ASCII)
    return tuple(GoalPart(key, int(count or 1), domains) for key, count, domains in found)


def moved_goals(old: Sequence[Goal], new: Sequence[Goal]) -> Mapping[int, int]:
    """The new number of each goal of a card that is read again; what reads otherwise is the one in its place."""
    found: dict[int, int] = {}
    for place, words in ((True, True), (False, True), (True, False)):
        for one, goal in enumerate(old, 1):
            for other, again in enumerate(new, 1):
                taken = one in found or other in found.values()
                if not taken and (one == other or not place) and (goal.text == again.text or not words):
                    found[one] = other
    return found


MOST_EFFECTS = 3
"""Effects on one side of a card."""
MOST_LEVELS = 8
HIGHEST_COST = 20
"""No Reserve holds more."""
HIGHEST_POINTS = 60
GOALS = 5
RESERVED = (CAMPFIRE, "nothing")
"""What notation has another use for than as the key of a card."""


class PieceShape(StrEnum):
    """The two shapes of Monuments' pieces."""

    LOZENGE = "lozenge"
    CIRCLE = "circle"


@dataclass(frozen=True)
class KnowledgeCost:
    """Knowledge of one Domain."""

    domain: str
    amount: int

    @property
    def known(self) -> bool:
        return self.domain != UNKNOWN and self.amount > 0

    def __str__(self) -> str:
        return f"{self.domain} {self.amount or UNKNOWN}"


@dataclass(frozen=True)
class Side:
    """One side of a Mastery, or a Level card."""

    effects: tuple[CardEffect, ...] = ()
    points: int = 0
    influence: int = 0


@dataclass(frozen=True)
class Mastery:
    """A Mastery card."""

    key: str
    title: str
    domain: str
    value: int
    needs: KnowledgeCost | None = None
    """The Domain and the least value of another Mastery that has to be in the Tree."""
    advance: KnowledgeCost | None = None
    """What turning it over costs; nothing when nobody knows."""
    basic: Side = Side()
    advanced: Side | None = None

    @property
    def cost(self) -> KnowledgeCost:
        return KnowledgeCost(self.domain, self.value)


@dataclass(frozen=True)
class Level:
    """A level of a Monument."""

    cost: KnowledgeCost
    side: Side = Side()


@dataclass(frozen=True)
class Monument:
    """A Monument card and its pile of levels."""

    key: str
    title: str
    shape: PieceShape
    levels: tuple[Level, ...] = ()
    """Nothing when nobody knows them yet."""
    coastal: bool = False
    """Whether territories may be joined only where its piece shows a reward."""
    beside: str = ""
    """The Domain of a City that a lozenge has to be beside."""
    reward: str = ""
    """The Domains of the Cities it rewards."""
    reward_points: int = 0


@dataclass(frozen=True)
class Objective:
    """An Objective card: five goals."""

    key: str
    title: str
    goals: tuple[Goal, ...]


Card = Mastery | Monument | Objective


@dataclass(frozen=True)
class Cards:
    """Every card that is known, by its key."""

    masteries: Mapping[str, Mastery]
    monuments: Mapping[str, Monument]
    objectives: Mapping[str, Objective]

    def find(self, key: str) -> Card | None:
        """The card of that key, of whatever kind; each key is one card's."""
        return self.masteries.get(key) or self.monuments.get(key) or self.objectives.get(key)

    def taught(self, card: Card) -> Cards:
        """With one more card, or a known one as the table has it before its eyes."""
        match card:
            case Mastery():
                return replace(self, masteries={**self.masteries, card.key: card})
            case Monument():
                return replace(self, monuments={**self.monuments, card.key: card})
            case Objective():
                return replace(self, objectives={**self.objectives, card.key: card})


def parse_cost(text: str) -> KnowledgeCost:
    domain, _space, amount = text.partition(" ")
    if domain not in (*LETTERS, UNKNOWN) or not (
        amount == UNKNOWN or (amount.isascii() and amount.isdecimal() and len(amount) < 3)
    ):
        raise NotationError(_("“%(text)s” is no cost: write one like T 6.", text=text[:40]))
    number = 0 if amount == UNKNOWN else int(amount)
    if number > HIGHEST_COST:
        raise NotationError(_("Nothing costs more than %(most)d.", most=HIGHEST_COST))
    return KnowledgeCost(domain, number)


def side_of(effects: Iterable[str], points: int = 0, influence: int = 0) -> Side:
    found = tuple(map(parse_effect, effects))
    if len(found) > MOST_EFFECTS or max(points, influence) > HIGHEST_POINTS:
        raise NotationError(_("This is too much for one side of a card."))
    return Side(found, points, influence)


def checked_card(card: Card) -> Card:
    """The card, when it could be in the box."""
    if card.key in RESERVED:
        raise NotationError(
            _("“%(key)s” stands for something else: give the card another key.", key=card.key)
        )
    match card:
        case Mastery(value=value) if value not in (0, *VALUES):
            raise NotationError(_("A Mastery has the value 3, 6 or 9."))
        case Monument(levels=levels) if len(levels) > MOST_LEVELS:
            raise NotationError(_("A Monument has %(most)d levels at most.", most=MOST_LEVELS))
        case Objective(goals=goals) if len(goals) != GOALS:
            raise NotationError(_("An Objective has %(count)d goals.", count=GOALS))
    return card


def _mastery(key: str, row: Mapping[str, Any]) -> Mastery:
    return Mastery(
        key,
        row["title"],
        row["domain"],
        row["value"],
        parse_cost(row["needs"]) if "needs" in row else None,
        parse_cost(row["advance"]) if "advance" in row else None,
        side_of(row.get("basic", ())),
        side_of(row["advanced"]) if "advanced" in row else None,
    )


def _monument(key: str, row: Mapping[str, Any]) -> Monument:
    reward = row.get("reward", {"domains": "", "points": 0})
    levels = tuple(
        Level(parse_cost(level["cost"]), side_of(level.get("effects", ()), level["points"]))
        for level in row.get("levels", ())
    )
    told = (row.get("coastal", False), row.get("beside", ""), reward["domains"], reward["points"])
    return Monument(key, row["title"], PieceShape(row["shape"]), levels, *told)


@cache
def printed_cards() -> Cards:
    """What the tables know of the box; read when the first game begins."""
    return Cards(
        {key: _mastery(key, row) for key, row in load_table("masteries").items()},
        {key: _monument(key, row) for key, row in load_table("monuments").items()},
        {
            key: Objective(key, row["title"], tuple(map(parse_goal, row["goals"])))
            for key, row in load_table("objectives").items()
        },
    )


MARK = "*"
"""Behind a title that no source has in that language."""
ARTICLE = 3
"""Letters of the longest one, as in “The Lighthouse”."""
# Translators: the code of the language itself: pt-BR in Portuguese, es in Spanish.
LANGUAGE = _("en")
_NO_SOURCE = _("* Our own translation: the card may be called otherwise.")


@dataclass(frozen=True)
class Title(Message):
    """The title of a card that the table has not read out; its text is the printed one."""

    key: str = ""

    def say(self, words: Translator) -> str:
        return self.plain(words) + (MARK if self.translated(words) else "")

    def plain(self, words: Translator) -> str:
        """Without the mark, for people to write on."""
        return _own().get(self.key, {}).get(_language(words), self.text)

    def translated(self, words: Translator) -> bool:
        return _language(words) in _own().get(self.key, {})


@dataclass(frozen=True)
class Unmarked(Message):
    """A title in the field where people write how their card is called."""

    title: Message | None = None

    def say(self, words: Translator) -> str:
        if isinstance(self.title, Title):
            return self.title.plain(words)
        return self.title.say(words) if self.title else ""


@dataclass(frozen=True)
class Initials(Unmarked):
    """The beginning of a title, without its article, where there is no room for more."""

    def say(self, words: Translator) -> str:
        title = super().say(words)
        return next((word for word in title.split() if len(word) > ARTICLE), title)[:2].capitalize()


@dataclass(frozen=True)
class TitleLegend(Message):
    """What the mark means, where one of these words has it; else nothing."""

    about: tuple[Message, ...] = ()

    def say(self, words: Translator) -> str:
        found = any(isinstance(title, Title) and title.translated(words) for title in self.about)
        return words.gettext(self.text) if found else ""


def card_title(key: str, printed: str, taught: bool) -> Message:
    """What the table calls a card: by what it read out, else by what is printed somewhere."""
    return Message("%(text)s", {"text": printed}) if taught else Title(printed, key=key)


def same_title(told: str, key: str, printed: str) -> bool:
    """Whether people mean that card, by what is printed on it or by our own translation, however they write it."""
    return _plainly(told) in map(_plainly, (printed, *_own().get(key, {}).values()))


def _plainly(title: str) -> str:
    return "".join(title.split()).casefold()


def title_legend(about: Iterable[Message]) -> TitleLegend:
    return TitleLegend(_NO_SOURCE.text, about=tuple(about))


def _language(words: Translator) -> str:
    return printed_in(words) or words.gettext(LANGUAGE.text)


@cache
def _own() -> Mapping[str, Mapping[str, str]]:
    return load_table("titles")
