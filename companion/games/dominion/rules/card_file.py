"""Files of cards: those of both boxes, and those that people write for cards of their own.

README.md, "A card of your own", explains the format to people. Whatever is wrong is told with the card it is wrong in.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominion.rules.card import Card, CardPoints
from companion.games.dominion.rules.steps import (
    NO_BONUS,
    ActionsPlayed,
    Bonus,
    ByType,
    CardType,
    ChoiceAnswer,
    Choose,
    CountDiscards,
    Gain,
    GainNamed,
    ManualStep,
    OtherPlayers,
    PassCards,
    PlayCard,
    Reveal,
    Step,
    Trash,
    TurnModifier,
)

LARGEST_CARD_FILE = 64_000
"""Characters of a file of cards that we read."""
MOST_CARDS = 200
MOST_STEPS = 12
DEEPEST_STEPS = 4
"""How far choices may lie within choices."""
MOST_ON_A_CARD = 20
"""No number on a card is larger."""
LONGEST_CARD_TEXT = 120

_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_BOX = re.compile(r"[a-z][a-z0-9-]{0,39}")
_BONUS = re.compile(r"\+(\d{1,2}) (card|action|buy|coin)s?")
_GAIN = re.compile(r"(up to|exactly) (\d{1,2})( more| less)?")
_POINTS = re.compile(r"(-?\d{1,2})(?: per (?:(\d{1,2}) cards|([a-z][a-z0-9_]*)))?")
_TRASH = re.compile(r"(?:(\d)-)?(\d)")
_FIELDS = {
    "name",
    "box",
    "cost",
    "types",
    "plus",
    "steps",
    "points",
    "reaction",
    "pile",
    "source",
    "pt",
    "es",
}
_REACTIONS = ("unaffected", "first")
_PLACES = ("discard", "hand", "deck")

Row = Mapping[str, Any]
CardsAndBoxes = tuple[dict[str, Card], dict[str, str]]


def read_cards(text: str) -> CardsAndBoxes:
    """The cards and boxes of a file, or NotationError with the card and what is wrong with it."""
    if len(text) > LARGEST_CARD_FILE:
        raise NotationError(_("A file of cards has %(limit)d characters at most.", limit=LARGEST_CARD_FILE))
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            _("This is no TOML: %(reason)s.", reason=str(error)[:LONGEST_CARD_TEXT])
        ) from error
    boxes = {id: _card_text(row, "name") for id, row in _boxes(table.pop("box", {}))}
    if len(table) > MOST_CARDS:
        raise NotationError(_("A file has %(limit)d cards at most.", limit=MOST_CARDS))
    return {id: read_card(id, row, boxes) for id, row in table.items()}, boxes


def _boxes(table: object) -> list[tuple[str, Row]]:
    rows = table if isinstance(table, dict) else {}
    for id, row in rows.items():
        if not _BOX.fullmatch(id) or not isinstance(row, dict):
            raise NotationError(
                _("“%(id)s” is no name of a box: use small letters, digits and -.", id=id[:40])
            )
    return list(rows.items())


def read_card(id: str, row: object, boxes: Mapping[str, str]) -> Card:
    """The card of one heading, from one of those boxes."""
    if not _ID.fullmatch(id):
        raise NotationError(_("“%(id)s” is no id of a card: use small letters, digits and _.", id=id[:40]))
    try:
        if not isinstance(row, dict):
            raise NotationError(_("it needs a heading of its own, in square brackets"))
        return _read_card(id, row, boxes)
    except NotationError as error:
        raise NotationError(_("Card “%(id)s”: %(reason)s", id=id, reason=error.message)) from error


def _read_card(id: str, row: Row, boxes: Mapping[str, str]) -> Card:
    _known(row, _FIELDS)
    box = _card_text(row, "box")
    if box not in boxes:
        raise NotationError(_("its box “%(box)s” is not in this file", box=box[:40]))
    types = _types(_card_text(row, "types"))
    reaction = row.get("reaction", "")
    if reaction and (reaction not in _REACTIONS or CardType.REACTION not in types):
        raise NotationError(_("“reaction” is unaffected or first, for a card of that type"))
    return Card(
        id=id,
        name=_card_text(row, "name"),
        box=box,
        cost=_whole(row, "cost"),
        types=types,
        plus=_bonus(row.get("plus", "")),
        steps=_steps(row.get("steps", [])),
        points=_points(row["points"]) if "points" in row else None,
        reaction=reaction,
        pile=_whole(row, "pile") if "pile" in row else 0,
        source=_card_text(row, "source") if "source" in row else "",
        names=tuple((language, _card_text(row, language)) for language in ("pt", "es") if language in row),
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
    _known(row, {verb, *allowed})
    return build(row, depth + 1)


def _gain(row: Row, _depth: int) -> Step:
    found = _GAIN.fullmatch(_card_text(row, "gain"))
    if not found:
        raise NotationError(_("“gain” is written up to 4, exactly 3, or up to 2 more"))
    how, count, relation = found.groups()
    cost = -int(count) if relation == " less" else int(count)
    types = _types(_card_text(row, "types")) if "types" in row else frozenset()
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
    found = _TRASH.fullmatch(_card_text(row, "trash"))
    if not found or int(found[2]) < int(found[1] or 0) or not int(found[2]):
        raise NotationError(_("“trash” is written 1, 2, or 0-4"))
    return Trash(
        fewest=int(found[1] or found[2]),
        most=int(found[2]),
        types=_types(_card_text(row, "types")) if "types" in row else frozenset(),
        excluded=_card_text(row, "not") if "not" in row else "",
        least=_whole(row, "least") if "least" in row else 0,
        note=_card_text(row, "note") if "note" in row else "",
        then=_steps(row.get("then", []), depth),
    )


def _choose(row: Row, depth: int) -> Step:
    answers = row["choose"]
    if not isinstance(answers, dict) or not 2 <= len(answers) <= 8:
        raise NotationError(_("“choose” needs two to eight answers in braces"))
    pick = _whole(row, "pick") if "pick" in row else 1
    if not 1 <= pick <= len(answers):
        raise NotationError(_("“pick” is how many of the answers are chosen"))
    return Choose(tuple(_answer(key, answer, depth) for key, answer in answers.items()), pick, _ask(row))


def _answer(key: str, answer: object, depth: int) -> ChoiceAnswer:
    if not _ID.fullmatch(key):
        raise NotationError(_("“%(key)s” is no answer: use small letters, digits and _", key=key[:40]))
    if isinstance(answer, str):
        return ChoiceAnswer(key, _bonus(answer))
    if not isinstance(answer, dict):
        raise NotationError(_("an answer is a bonus, or what follows in braces"))
    _known(answer, {"plus", "trash", "steps"})
    return ChoiceAnswer(
        key,
        _bonus(answer.get("plus", "")),
        _card_text(answer, "trash") if "trash" in answer else "",
        _steps(answer.get("steps", []), depth),
    )


def _ask(row: Row) -> str:
    return _card_text(row, "ask") if "ask" in row else ""


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


def _number(row: Row, _depth: int) -> Step:
    return CountDiscards(_card_text(row, "number"), _bonus(row.get("plus", "")), _ask(row))


def _later(row: Row, _depth: int) -> Step:
    return TurnModifier(**{key: _whole(row, key) for key in row})


_LATER = ("first_silver", "each_copper", "cheaper")
_STEPS: Mapping[str, tuple[tuple[str, ...], Callable[[Row, int], Step]]] = {
    "gain": (("types", "to", "by_type", "may", "you_choose"), _gain),
    "trash": (("types", "not", "least", "note", "then"), _trash),
    "choose": (("pick", "ask"), _choose),
    "take": (("to",), lambda row, _depth: GainNamed(_card_text(row, "take"), _place(row))),
    "others": ((), lambda row, depth: OtherPlayers(_steps(row["others"], depth))),
    "play": ((), lambda row, _depth: PlayCard(_whole(row, "play"))),
    "number": (("plus", "ask"), _number),
    "reveal": (("by_type",), lambda row, _depth: Reveal(_whole(row, "reveal"), _by_type(row))),
    "actions_played": (
        ("plus",),
        lambda row, _depth: ActionsPlayed(_whole(row, "actions_played"), _bonus(row.get("plus", ""))),
    ),
    "pass": ((), lambda _row, _depth: PassCards()),
    "note": ((), lambda row, _depth: ManualStep(_card_text(row, "note"))),
    **dict.fromkeys(_LATER, (_LATER, _later)),
}
"""Each step by its word, the words that may stand beside it, and how it is read."""


def _known(row: Row, allowed: set[str]) -> None:
    unknown = next((key for key in row if key not in allowed), None)
    if unknown is not None:
        raise NotationError(
            _(
                "“%(key)s” has no meaning here; known are %(known)s",
                key=unknown[:40],
                known=", ".join(sorted(allowed)),
            )
        )


def _card_text(row: Row, key: str) -> str:
    text = row.get(key)
    if (
        not isinstance(text, str)
        or not text.strip()
        or len(text) > LONGEST_CARD_TEXT
        or not text.isprintable()
    ):
        raise NotationError(
            _("“%(key)s” needs a text of %(limit)d characters at most", key=key, limit=LONGEST_CARD_TEXT)
        )
    return text


def _whole(row: Row, key: str) -> int:
    number = row.get(key)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST_ON_A_CARD:
        raise NotationError(_("“%(key)s” is a whole number from 0 to %(most)d", key=key, most=MOST_ON_A_CARD))
    return number
