"""The cards: what each gives and asks, the files they are read from, every card there is, and the recommended
sets.

A card is data: its cost, types, bonus and `Step`s, read from `cards.toml` or from a file that people wrote
(CARDS.md explains the format). Cards go by an id of small letters, digits and `_`;
costs and counts are whole numbers from 0 to `MOST`. Whatever is wrong in a file raises `NotationError` with
the card it is wrong in. `CARDS` and `BOXES` hold what is known now, `SETS` what rulebooks 000, "Combinações
Recomendadas", and 003, "Ideas de partidas", recommend, and `ABSENT` the cards those sets name that are in
neither box.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from operator import add
from pathlib import Path
from typing import Any

from companion.core.document import whole_number
from companion.core.errors import NotationError
from companion.core.message import Message
from companion.core.message import message as _


class CardType(StrEnum):
    """Types that rules speak of; cards of other expansions may have further ones."""

    ACTION = "action"
    TREASURE = "treasure"
    VICTORY = "victory"
    CURSE = "curse"
    ATTACK = "attack"
    REACTION = "reaction"


@dataclass(frozen=True)
class Bonus:
    """+Cards, +Actions, +Buys and +Coins."""

    cards: int = 0
    actions: int = 0
    buys: int = 0
    coins: int = 0

    def __add__(self, other: Bonus) -> Bonus:
        return Bonus(*map(add, astuple(self), astuple(other)))

    def times(self, count: int) -> Bonus:
        return Bonus(*(count * each for each in astuple(self)))


NO_BONUS = Bonus()

ByType = tuple[tuple[str, Bonus], ...]
"""What each type of a card brings; a card of several types brings all of theirs."""


@dataclass(frozen=True)
class ManualStep:
    """Something people do that changes nothing the companion counts."""

    note: str


@dataclass(frozen=True)
class PassCards:
    """Everybody passes a card to the left, face down."""


@dataclass(frozen=True)
class TurnModifier:
    """What the rest of the turn is changed by."""

    first_silver: int = 0
    each_copper: int = 0
    cheaper: int = 0


@dataclass(frozen=True)
class ActionsPlayed:
    """A bonus if so many Actions have been played this turn, this one included."""

    least: int
    plus: Bonus


@dataclass(frozen=True)
class GainNamed:
    """Gain this very card, if there is one in the supply."""

    card: str
    to: str = "discard"


@dataclass(frozen=True)
class Gain:
    """Gain a card that somebody chooses from the supply."""

    cost: int
    exactly: bool = False
    relative: bool = False
    """Whether the cost is counted from that of the card just trashed."""
    types: frozenset[str] = frozenset()
    to: str = "discard"
    by_type: ByType = ()
    may: bool = False
    """Whether nothing may be gained although something could."""
    you_choose: bool = False
    """Whether whoever has the turn chooses it for the player who gains it."""


@dataclass(frozen=True)
class PlayCard:
    """Play a card without using an Action, so many times."""

    times: int


@dataclass(frozen=True)
class CountDiscards:
    """A bonus for each of the cards people name the number of."""

    what: str
    plus: Bonus
    ask: str = ""
    """What is asked."""


@dataclass(frozen=True)
class Reveal:
    """The player to the left reveals cards, and each of another name brings a bonus by its types."""

    cards: int
    by_type: ByType


@dataclass(frozen=True)
class Trash:
    """Trash cards."""

    fewest: int
    most: int
    types: frozenset[str] = frozenset()
    excluded: str = ""
    least: int = 0
    """The least cost of a card that may be trashed."""
    note: str = ""
    then: tuple[Step, ...] = ()
    """What follows once as many as can be have been trashed."""


@dataclass(frozen=True)
class ChoiceAnswer:
    """One of the things a player may choose."""

    key: str
    plus: Bonus = NO_BONUS
    trash: str = ""
    """The card it trashes; `itself` is the card just played."""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Choose:
    """A player decides between answers."""

    answers: tuple[ChoiceAnswer, ...]
    pick: int = 1
    """How many different ones are chosen."""
    ask: str = ""
    """What is asked."""


@dataclass(frozen=True)
class OtherPlayers:
    """What each other player does, in turn order; what an Attack does to them can be reacted to."""

    steps: tuple[Step, ...]


Step = (
    ManualStep
    | PassCards
    | TurnModifier
    | ActionsPlayed
    | GainNamed
    | Gain
    | PlayCard
    | CountDiscards
    | Reveal
    | Trash
    | Choose
    | OtherPlayers
)

ITSELF = "itself"


COPPER, SILVER, GOLD = "copper", "silver", "gold"
ESTATE, DUCHY, PROVINCE, CURSE = "estate", "duchy", "province", "curse"
BASIC = (COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE)
"""The seven piles of every game."""

BASE_BOX, DOMINION, INTRIGUE = "base", "dominion-2e", "intrigue-1e"


@dataclass(frozen=True)
class CardPoints:
    """What a card is worth at the end."""

    each: int
    per_cards: int = 0
    """So many for every full lot of this many cards; 0 when they are worth the same in every deck."""
    per_card: str = ""
    """So many for every card of this name."""


@dataclass(frozen=True)
class Card:
    """A card and all that the rules say about it in numbers."""

    id: str
    name: str
    """In English; other languages are in names.toml, or beside it in the file of those who added it."""
    box: str
    cost: int
    types: frozenset[str]
    plus: Bonus = NO_BONUS
    steps: tuple[Step, ...] = ()
    points: CardPoints | None = None
    reaction: str = ""
    """What revealing it does against an Attack: `unaffected` or `first`."""
    pile: int = 0
    """How many cards are in its pile, where that is not as in the rulebooks."""
    source: str = ""
    """Where the rulebook explains it."""
    names: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Its names in other languages, as its file has them, by the language codes of the page."""

    @property
    def kingdom(self) -> bool:
        return self.id not in BASIC

    @property
    def all_steps(self) -> Iterator[Step]:
        """Everything it can make somebody do, the choices and what follows from them included."""
        yield from _within(self.steps)

    @property
    def own_steps(self) -> Iterator[Step]:
        """The same for whoever plays it, the other players left out."""
        yield from _within(self.steps, others=False)

    @cached_property
    def best(self) -> Bonus:
        """The most of each kind that it can bring by itself; what chance decides is left out."""
        answers = [
            answer.plus for step in self.own_steps if isinstance(step, Choose) for answer in step.answers
        ]
        return Bonus(*map(max, zip(*map(astuple, (self.plus, *answers)), strict=True)))

    @cached_property
    def trashes(self) -> bool:
        """Whether it takes cards out of the hand of whoever plays it."""
        return any(
            isinstance(step, Trash)
            or (isinstance(step, Choose) and any(answer.trash not in ("", ITSELF) for answer in step.answers))
            for step in self.own_steps
        )


def _within(steps: tuple[Step, ...], others: bool = True) -> Iterator[Step]:
    for step in steps:
        yield step
        match step:
            case Choose(answers):
                for answer in answers:
                    yield from _within(answer.steps, others)
            case Trash(then=then):
                yield from _within(then, others)
            case OtherPlayers(inner) if others:
                yield from _within(inner)


LARGEST_TEXT_FILE = 256_000
"""Characters of a file that we read: both boxes with all their questions fit in it."""
SHOWN = 40
"""Characters of somebody's own text that an error repeats."""

CARD_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
BOX_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")

Row = Mapping[str, Any]


def entry_error(where: Message | str, problem: Message) -> NotationError:
    """The error to raise when something at that place cannot be used; no place where the caller says it."""
    return NotationError(_("%(where)s: %(problem)s", where=where, problem=problem) if where else problem)


def parse_toml(toml: str, where: str = "") -> Row:
    """The tables of a file, which is called by its name in errors."""
    if len(toml) > LARGEST_TEXT_FILE:
        raise entry_error(
            where, _("The file has more than %(limit)d characters: split it.", limit=LARGEST_TEXT_FILE)
        )
    try:
        return tomllib.loads(toml)
    except (ValueError, RecursionError) as error:
        raise entry_error(where, _("This is no TOML: %(reason)s.", reason=str(error)[:120])) from error


def checked_table(value: object, where: Message | str = "") -> Row:
    if not isinstance(value, dict):
        raise entry_error(where, _("it needs a heading of its own, in square brackets"))
    return value


def check_keys(row: Row, known: Collection[str], where: Message | str = "") -> None:
    """Refuse a key that means nothing here, and name the one that was probably meant."""
    for key in row:
        if key not in known:
            meant = ", ".join(get_close_matches(key, known, 1, 0.5) or sorted(known))
            raise entry_error(
                where,
                _("“%(key)s” has no meaning here; known are %(known)s", key=shortened(key), known=meant),
            )


def checked_text(value: object, key: str, limit: int, where: Message | str = "") -> str:
    """A text that has to be there, in one line and without anything that cannot be seen."""
    if not isinstance(value, str) or not value.strip() or len(value) > limit or not value.isprintable():
        raise entry_error(
            where,
            _("“%(key)s” needs a text of %(limit)d characters at most", key=shortened(key), limit=limit),
        )
    return value.strip()


def shortened(value: str) -> str:
    """Somebody's own text, as much of it as an error repeats."""
    return "".join(sign if sign.isprintable() else "·" for sign in value[:SHOWN])


LARGEST_CARD_FILE = 64_000
"""Characters of a file of cards that we read."""
MOST_CARDS = 200
MOST_STEPS = 12
DEEPEST_STEPS = 4
"""How far choices may lie within choices."""
MOST_ON_A_CARD = 20
"""No number on a card is larger."""
LONGEST_CARD_TEXT = 120

_BONUS = re.compile(r"\+(\d{1,2}) (card|action|buy|coin)s?")
_GAIN = re.compile(r"(up to|exactly) (\d{1,2})( more| less)?")
_POINTS = re.compile(r"(-?\d{1,2})(?: per (?:(\d{1,2}) cards|([a-z][a-z0-9_]*)))?")
_TRASH = re.compile(r"(?:(\d)-)?(\d)")
_FIELDS = frozenset("name box cost types plus steps points reaction pile source pt es".split())
_LANGUAGES = {"pt": "pt-BR", "es": "es"}
"""How files of cards call the languages, and how the page does."""
_REACTIONS = ("unaffected", "first")
_PLACES = ("discard", "hand", "deck")

CardsAndBoxes = tuple[dict[str, Card], dict[str, str]]


def read_cards(text: str) -> CardsAndBoxes:
    """The cards and boxes of a file, or NotationError with the card and what is wrong with it."""
    if len(text) > LARGEST_CARD_FILE:
        raise NotationError(_("A file of cards has %(limit)d characters at most.", limit=LARGEST_CARD_FILE))
    table = dict(parse_toml(text))
    boxes = _boxes(table.pop("box", {}))
    if len(table) > MOST_CARDS:
        raise NotationError(_("A file has %(limit)d cards at most.", limit=MOST_CARDS))
    return {id: read_card(id, row, boxes) for id, row in table.items()}, boxes


def _boxes(table: object) -> dict[str, str]:
    rows = table if isinstance(table, dict) else {}
    for id, row in rows.items():
        if not BOX_ID.fullmatch(id) or not isinstance(row, dict):
            raise NotationError(
                _("“%(id)s” is no name of a box: use small letters, digits and -.", id=id[:40])
            )
    return {id: _text(row, "name") for id, row in rows.items()}


def read_card(id: str, row: object, boxes: Mapping[str, str]) -> Card:
    """The card of one heading, from one of those boxes."""
    if not CARD_ID.fullmatch(id):
        raise NotationError(_("“%(id)s” is no id of a card: use small letters, digits and _.", id=id[:40]))
    try:
        return _read_card(id, checked_table(row), boxes)
    except NotationError as error:
        raise NotationError(_("Card “%(id)s”: %(reason)s", id=id, reason=error.message)) from error


def _read_card(id: str, row: Row, boxes: Mapping[str, str]) -> Card:
    check_keys(row, _FIELDS)
    box = _text(row, "box")
    if box not in boxes:
        raise NotationError(_("its box “%(box)s” is not in this file", box=box[:40]))
    types = _types(_text(row, "types"))
    reaction = row.get("reaction", "")
    if reaction and (reaction not in _REACTIONS or CardType.REACTION not in types):
        raise NotationError(_("“reaction” is unaffected or first, for a card of that type"))
    return Card(
        id=id,
        name=_text(row, "name"),
        box=box,
        cost=_whole(row, "cost"),
        types=types,
        plus=_plus(row),
        steps=_steps(row.get("steps", [])),
        points=_points(row["points"]) if "points" in row else None,
        reaction=reaction,
        pile=_whole(row, "pile", 0),
        source=_text(row, "source", ""),
        names={code: _text(row, key) for key, code in _LANGUAGES.items() if key in row},
    )


def _types(text: str) -> frozenset[str]:
    types = text.split()
    if not 0 < len(types) <= 5 or not all(re.fullmatch("[a-z]{1,20}", type) for type in types):
        raise NotationError(_("“types” is one to five words, such as action attack"))
    return frozenset(types)


def _points(text: object) -> CardPoints:
    found = _POINTS.fullmatch(text) if isinstance(text, str) else None
    if not found or (found[2] and not int(found[2])):
        raise NotationError(_("“points” is written 3, 1 per 10 cards, or 1 per duchy"))
    return CardPoints(int(found[1]), int(found[2] or 0), found[3] or "")


def _plus(row: Row) -> Bonus:
    return _bonus(row.get("plus", ""))


def _bonus(text: object) -> Bonus:
    """A bonus as cards say it: `+1 card +2 actions`."""
    if not isinstance(text, str) or _BONUS.sub("", text).strip():
        raise NotationError(_("“%(text)s” is no bonus, such as +1 card +2 actions", text=str(text)[:40]))
    total = NO_BONUS
    for count, what in _BONUS.findall(text):
        total += Bonus(**{{"buy": "buys"}.get(what, f"{what}s"): int(count)})
    return total


def _steps(rows: object, depth: int = 0) -> tuple[Step, ...]:
    if not isinstance(rows, list) or len(rows) > MOST_STEPS or depth > DEEPEST_STEPS:
        raise NotationError(
            _("“steps” is a list of %(limit)d steps at most, not too deep in each other", limit=MOST_STEPS)
        )
    return tuple(_step(row, depth) for row in rows)


def _step(row: object, depth: int) -> Step:
    if not isinstance(row, dict):
        raise NotationError(_('a step is written in braces, such as { gain = "up to 4" }'))
    verb = next((verb for verb in _STEPS if verb in row), None)
    if verb is None:
        raise NotationError(_("there is no step “%(step)s”", step=", ".join(map(str, row))[:40]))
    allowed, build = _STEPS[verb]
    check_keys(row, {verb, *allowed})
    return build(row, depth + 1)


def _gain(row: Row, _depth: int) -> Step:
    found = _GAIN.fullmatch(_text(row, "gain"))
    if not found:
        raise NotationError(_("“gain” is written up to 4, exactly 3, or up to 2 more"))
    how, count, relation = found.groups()
    cost = -int(count) if relation == " less" else int(count)
    types = _types(_text(row, "types")) if "types" in row else frozenset()
    return Gain(
        cost,
        how == "exactly",
        bool(relation),
        types,
        _place(row),
        _by_type(row),
        bool(row.get("may")),
        bool(row.get("you_choose")),
    )


def _trash(row: Row, depth: int) -> Step:
    found = _TRASH.fullmatch(_text(row, "trash"))
    if not found or int(found[2]) < int(found[1] or 0) or not int(found[2]):
        raise NotationError(_("“trash” is written 1, 2, or 0-4"))
    return Trash(
        fewest=int(found[1] or found[2]),
        most=int(found[2]),
        types=_types(_text(row, "types")) if "types" in row else frozenset(),
        excluded=_text(row, "not", ""),
        least=_whole(row, "least", 0),
        note=_text(row, "note", ""),
        then=_steps(row.get("then", []), depth),
    )


def _choose(row: Row, depth: int) -> Step:
    answers = row["choose"]
    if not isinstance(answers, dict) or not 2 <= len(answers) <= 8:
        raise NotationError(_("“choose” needs two to eight answers in braces"))
    pick = _whole(row, "pick", 1)
    if not 1 <= pick <= len(answers):
        raise NotationError(_("“pick” is how many of the answers are chosen"))
    return Choose(
        tuple(_answer(key, answer, depth) for key, answer in answers.items()), pick, _text(row, "ask", "")
    )


def _answer(key: str, answer: object, depth: int) -> ChoiceAnswer:
    if not CARD_ID.fullmatch(key):
        raise NotationError(_("“%(key)s” is no answer: use small letters, digits and _", key=key[:40]))
    if isinstance(answer, str):
        return ChoiceAnswer(key, _bonus(answer))
    if not isinstance(answer, dict):
        raise NotationError(_("an answer is a bonus, or what follows in braces"))
    check_keys(answer, {"plus", "trash", "steps"})
    return ChoiceAnswer(
        key,
        _plus(answer),
        _text(answer, "trash", ""),
        _steps(answer.get("steps", []), depth),
    )


def _by_type(row: Row) -> ByType:
    table = row.get("by_type", {})
    if not isinstance(table, dict):
        raise NotationError(_("“by_type” is a bonus for each type in braces"))
    return tuple((type, _bonus(plus)) for type, plus in table.items())


def _place(row: Row) -> str:
    place = row.get("to", "discard")
    if place not in _PLACES:
        raise NotationError(_("“to” is discard, hand or deck"))
    return str(place)


_LATER = ("first_silver", "each_copper", "cheaper")
_STEPS: Mapping[str, tuple[tuple[str, ...], Callable[[Row, int], Step]]] = {
    "gain": (("types", "to", "by_type", "may", "you_choose"), _gain),
    "trash": (("types", "not", "least", "note", "then"), _trash),
    "choose": (("pick", "ask"), _choose),
    "take": (("to",), lambda row, _depth: GainNamed(_text(row, "take"), _place(row))),
    "others": ((), lambda row, depth: OtherPlayers(_steps(row["others"], depth))),
    "play": ((), lambda row, _depth: PlayCard(_whole(row, "play"))),
    "number": (
        ("plus", "ask"),
        lambda row, _depth: CountDiscards(_text(row, "number"), _plus(row), _text(row, "ask", "")),
    ),
    "reveal": (("by_type",), lambda row, _depth: Reveal(_whole(row, "reveal"), _by_type(row))),
    "actions_played": (
        ("plus",),
        lambda row, _depth: ActionsPlayed(_whole(row, "actions_played"), _plus(row)),
    ),
    "pass": ((), lambda _row, _depth: PassCards()),
    "note": ((), lambda row, _depth: ManualStep(_text(row, "note"))),
    **dict.fromkeys(
        _LATER, (_LATER, lambda row, _depth: TurnModifier(**{key: _whole(row, key) for key in row}))
    ),
}
"""Each step by its word, the words that may stand beside it, and how it is read."""


def _text(row: Row, key: str, default: str | None = None) -> str:
    """A text of a card; one without a default has to be there."""
    if default is not None and key not in row:
        return default
    return checked_text(row.get(key), key, LONGEST_CARD_TEXT)


def _whole(row: Row, key: str, default: int | None = None) -> int:
    number = whole_number(row.get(key, default), 0, MOST_ON_A_CARD)
    if number is None:
        raise NotationError(_("“%(key)s” is a whole number from 0 to %(most)d", key=key, most=MOST_ON_A_CARD))
    return number


CARDS: dict[str, Card] = {}
"""Every card by its id."""

BOXES: dict[str, str] = {}
"""The names of the boxes by their ids, in the order they were read."""


def find_card(id: str) -> Card:
    """The card of that id, or an error that says what to do."""
    try:
        return CARDS[id]
    except KeyError:
        raise NotationError(
            _(
                "There is no card “%(card)s”. If it is a card of your own, put its file where it was.",
                card=id[:40],
            )
        ) from None


def kingdom_of(boxes: frozenset[str]) -> tuple[Card, ...]:
    """The kingdom cards of those boxes."""
    return tuple(card for card in CARDS.values() if card.kingdom and card.box in boxes)


def add_cards(cards: Mapping[str, Card], boxes: Mapping[str, str]) -> None:
    """Add cards that a file brought; the boxes of the house stay as they are."""
    known = [id for id in cards if id in CARDS] + [id for id in boxes if id in BOXES]
    if known:
        raise NotationError(
            _("There is a card or a box “%(name)s” already: give yours another name.", name=known[0])
        )
    for card in cards.values():
        for name in _cards_named_by(card):
            if name not in CARDS and name not in cards:
                raise NotationError(
                    _("Card “%(id)s” speaks of “%(name)s”, which is no card.", id=card.id, name=name[:40])
                )
    CARDS.update(cards)
    BOXES.update(boxes)


def _cards_named_by(card: Card) -> Iterator[str]:
    """The other cards that a card speaks of."""
    if card.points and card.points.per_card:
        yield card.points.per_card
    for step in card.all_steps:
        match step:
            case GainNamed(name) | Trash(excluded=str(name)) if name:
                yield name
            case Choose(answers):
                yield from (answer.trash for answer in answers if answer.trash not in ("", ITSELF))


add_cards(*read_cards((Path(__file__).parents[1] / "cards.toml").read_text(encoding="utf-8")))


MOST_SUBSTITUTES = 5
"""How many cards are offered instead of one that is missing."""


@dataclass(frozen=True)
class RecommendedSet:
    """Ten kingdom cards that go well together."""

    id: str
    name: str
    """As its rulebook calls it."""
    name_en: str
    cards: tuple[str, ...]

    def missing(self, boxes: frozenset[str]) -> tuple[str, ...]:
        """The cards that are in none of those boxes, in the order of the set."""
        return tuple(id for id in self.cards if id not in CARDS or CARDS[id].box not in boxes)

    def substitutes(self, missing: str, boxes: frozenset[str]) -> tuple[str, ...]:
        """Cards of those boxes that do what the missing one would, the nearest first."""
        wanted = CARDS.get(missing) or ABSENT[missing]
        free = [card for card in kingdom_of(boxes) if card.id not in self.cards]
        return tuple(
            card.id for card in sorted(free, key=lambda card: _distance(wanted, card))[:MOST_SUBSTITUTES]
        )

    def completed(self, boxes: frozenset[str]) -> tuple[str, ...]:
        """The set with the nearest substitute for each missing card, no card twice."""
        cards = self.cards
        for id in self.missing(boxes):
            free = replace(self, cards=cards).substitutes(id, boxes)
            if free:
                cards = tuple(free[0] if card == id else card for card in cards)
        return cards


def _distance(wanted: Card, card: Card) -> tuple[int, int, str]:
    """How far two cards are from doing the same: what they are weighs more than what they give, that more than cost."""
    roles = (CardType.ATTACK, CardType.REACTION, CardType.VICTORY, CardType.TREASURE)
    unlike = sum((role in wanted.types) != (role in card.types) for role in roles)
    gives = sum(
        abs(ours - theirs) for ours, theirs in zip(astuple(wanted.best), astuple(card.best), strict=True)
    )
    return 4 * unlike + gives, abs(wanted.cost - card.cost), card.id


def _read_sets() -> tuple[Mapping[str, RecommendedSet], Mapping[str, Card]]:
    table = tomllib.loads((Path(__file__).parents[1] / "sets.toml").read_text(encoding="utf-8"))
    sets = {
        id: RecommendedSet(id, row["name"], row["name_en"], tuple(row["cards"].split()))
        for id, row in table["set"].items()
    }
    return sets, {
        id: read_card(id, {**row, "box": "elsewhere"}, {"elsewhere": ""})
        for id, row in table["absent"].items()
    }


SETS, ABSENT = _read_sets()
