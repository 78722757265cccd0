"""Dominion in text, one event a line.

    kingdom cellar market merchant …         swap witch moat         3 vetoes witch
    wishes actions reaction                  2 likes witch           played cellar market …
    allows witch                             favourites witch moat   won "Ana" "Rui"
    ticked copper                            unticked copper         2 starts
    1 plays village                          1 plays 3 copper        1 plays nothing
    1 chooses card coin                      1 counts 3              2 reveals moat
    1 gains silver                           1 trashes copper estate 1 trashes nothing
    2 suffers                                all suffer              1 to buy
    1 passes curse                           1 passes nothing
    1 buys market                            1 buys market ends      1 ends
    others gain curse                        reviewed lost:estate:1  stop
    pile market 7                            trash copper:3 curse:1  1 has copper:7 estate:3 turns:12
    1 has gardens:3 province:2 all:37 turns:14

Players are counted from 1 in the order they sit; cards go by their ids.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from companion.core.errors import NotationError
from companion.core.game import NAME_LIMIT
from companion.core.message import message as _
from companion.core.notation import quote, split_reason, unquote, with_reason
from companion.games.dominion.rules import events
from companion.games.dominion.rules.cards import find_card
from companion.games.dominion.rules.events import Event, Overrulable
from companion.games.dominion.rules.kingdom import MOST_COPIES, MOST_TURNS, KingdomNeed

NOTHING = "nothing"
MOST_PARTS = 80
"""Cards named in one line."""

_ID = "[a-z][a-z0-9_]{0,39}"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_COUNTED = re.compile(rf"({_ID}):(\d{{1,3}})")


def write_event(event: Event) -> str:
    line, parts = _LINES[type(event)]
    values = (getattr(event, field.name) for field in fields(event))
    text = line.format(*(part.write(value) for part, value in zip(parts, values, strict=False)))
    if isinstance(event, events.DeckCounted):
        told = {"all": event.size, "turns": event.turns}
        text += "".join(f" {word}:{number}" for word, number in told.items() if number is not None)
    return with_reason(text, event.because) if isinstance(event, Overrulable) else text


def parse_event(line: str) -> Event:
    text, because = split_reason(line)
    for kind, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(text):
            _line, parts = _LINES[kind]
            values = [part.read(found[f"part{n}"]) for n, part in enumerate(parts)]
            event: Event = (
                events.DeckCounted(values[0], values[1][0], **values[1][1])
                if kind is events.DeckCounted
                else kind(*values)
            )
            if not because:
                return event
            if isinstance(event, Overrulable):
                return replace(event, because=because)
    raise NotationError(_("“%(text)s” is not a move of Dominion.", text=line[:80]))


def _player(text: str) -> int:
    if text not in "123456":
        raise NotationError(_("Nobody sits at place %(player)s.", player=text))
    return int(text) - 1


def _card(id: str) -> str:
    return find_card(id).id


def _optional(text: str) -> str:
    return "" if text == NOTHING else _card(text)


def _cards(text: str) -> tuple[str, ...]:
    words = text.split()
    if len(words) > MOST_PARTS:
        raise NotationError(_("There are too many cards in this line."))
    return () if words == [NOTHING] else tuple(map(_card, words))


def _copies(text: str) -> int:
    count = int(text or 1)
    if not 1 <= count <= MOST_PARTS:
        raise NotationError(_("%(number)s is too large a number.", number=str(count)))
    return count


def _names(text: str) -> tuple[str, ...]:
    return tuple(unquote(name)[:NAME_LIMIT] for name in re.findall(_QUOTED, text))


def _counts(text: str) -> dict[str, int]:
    """Cards and how many of each; ticking one card twice on the page counts it as often."""
    counts: Counter[str] = Counter()
    for part in [] if text.split() == [NOTHING] else text.split():
        found = _COUNTED.fullmatch(part)
        if not found:
            raise NotationError(_("“%(part)s” is no count of a card, such as copper:7.", part=part[:40]))
        counts[_card(found[1])] += int(found[2])
    if sum(counts.values()) > MOST_COPIES * 5 or any(count > MOST_COPIES for count in counts.values()):
        raise NotationError(_("There are not so many cards in the boxes."))
    return {id: count for id, count in counts.items() if count}


def _write_counts(counts: Mapping[str, int]) -> str:
    return " ".join(f"{id}:{count}" for id, count in counts.items()) or NOTHING


def _deck(text: str) -> tuple[dict[str, int], dict[str, int]]:
    """The cards of a deck; how many turns its player had and how many cards it has in all, where that is told."""
    parts, told = text.split(), dict[str, int]()
    for word, key, most in (("turns:", "turns", MOST_TURNS), ("all:", "size", MOST_COPIES * 5)):
        said = [part.removeprefix(word) for part in parts if part.startswith(word)]
        if len(said) > 1 or not all(re.fullmatch(r"\d{1,3}", number) for number in said):
            raise NotationError(_("Say it once and in figures, such as %(example)s12.", example=word))
        if said:
            told[key] = _number(said[0], most)
        parts = [part for part in parts if not part.startswith(word)]
    counts = _counts(" ".join(parts) or NOTHING)
    if told.get("size", MOST_COPIES * 5) < sum(counts.values()):
        raise NotationError(_("A deck has at least the cards that were counted in it."))
    return counts, told


def _needs(text: str) -> tuple[str, ...]:
    needs = () if text.split() == [NOTHING] else tuple(dict.fromkeys(text.split()))
    unknown = [need for need in needs if need not in set(KingdomNeed)]
    if unknown:
        raise NotationError(
            _(
                "There is no wish “%(wish)s”; we know: %(known)s.",
                wish=unknown[0][:40],
                known=", ".join(KingdomNeed),
            )
        )
    return needs


def _number(text: str, most: int = MOST_COPIES) -> int:
    if int(text) > most:
        raise NotationError(_("%(number)s is too large a number.", number=text))
    return int(text)


def _several(words: Iterable[str]) -> str:
    return " ".join(words) or NOTHING


class Part(NamedTuple):
    """A value in a line: what it looks like, how it is read, and how it is written."""

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


_PLAYER = Part("[1-9]", _player, lambda player: str(player + 1))
_SUFFERER = Part(
    "all suffer|[1-9] suffers",
    lambda text: None if text == "all suffer" else _player(text[0]),
    lambda player: "all suffer" if player is None else f"{player + 1} suffers",
)
_CARD = Part(_ID, _card)
_OPTIONAL = Part(_ID, _optional, lambda card: card or NOTHING)
_CARDS = Part("[a-z0-9_ ]+", _cards, _several)
_COPIES = Part(r"(?:\d\d? )?", _copies, lambda count: f"{count} " if count > 1 else "")
_COUNTS = Part("[a-z0-9_: ]+", _counts, _write_counts)
_DECK = Part("[a-z0-9_: ]+", _deck, _write_counts)
_NUMBER = Part(r"\d{1,3}", _number)
_ANSWERS = Part("[a-z0-9_]+(?: [a-z0-9_]+){0,7}", lambda text: tuple(text.split()), " ".join)
_NEEDS = Part("[a-z ]+", _needs, _several)
_NAMES = Part(rf"{_QUOTED}(?: {_QUOTED}){{0,5}}", _names, lambda names: " ".join(map(quote, names)))
_ENDS = Part("(?: ends)?", bool, lambda ends: " ends" if ends else "")
_DONE = Part("(?:un)?", lambda text: not text, lambda done: "" if done else "un")

_LINES: Mapping[type[Any], tuple[str, tuple[Part, ...]]] = {
    events.CardPlayed: ("{0} plays {2}{1}", (_PLAYER, _OPTIONAL, _COPIES)),
    events.CardBought: ("{} buys {}{}", (_PLAYER, _CARD, _ENDS)),
    events.CardGained: ("{} gains {}", (_PLAYER, _OPTIONAL)),
    events.OthersGained: ("others gain {}", (_CARD,)),
    events.CardsTrashed: ("{} trashes {}", (_PLAYER, _CARDS)),
    events.CardsRevealed: ("{} reveals {}", (_PLAYER, _CARDS)),
    events.AnswersChosen: ("{} chooses {}", (_PLAYER, _ANSWERS)),
    events.NumberTold: ("{} counts {}", (_PLAYER, _NUMBER)),
    events.CardPassed: ("{} passes {}", (_PLAYER, _OPTIONAL)),
    events.AttackSuffered: ("{}", (_SUFFERER,)),
    events.BuyingBegun: ("{} to buy", (_PLAYER,)),
    events.TurnEnded: ("{} ends", (_PLAYER,)),
    events.FirstPlayer: ("{} starts", (_PLAYER,)),
    events.CardVetoed: ("{} vetoes {}", (_PLAYER, _OPTIONAL)),
    events.CardLiked: ("{} likes {}", (_PLAYER, _CARD)),
    events.CardAllowed: ("allows {}", (_CARD,)),
    events.FavouritesKept: ("favourites {}", (_CARDS,)),
    events.WinnersTold: ("won {}", (_NAMES,)),
    events.WishesMade: ("wishes {}", (_NEEDS,)),
    events.KingdomPlayed: ("played {}", (_CARDS,)),
    events.DeckCounted: ("{} has {}", (_PLAYER, _DECK)),
    events.KingdomChosen: ("kingdom {}", (_CARDS,)),
    events.CardSwapped: ("swap {} {}", (_CARD, _CARD)),
    events.SetUpTicked: ("{1}ticked {0}", (Part(_ID), _DONE)),
    events.PileCounted: ("pile {} {}", (_CARD, _NUMBER)),
    events.TrashCounted: ("trash {}", (_COUNTS,)),
    events.GameStopped: ("stop", ()),
    events.ProblemReviewed: ("reviewed {}", (Part("[a-z0-9_:-]{1,120}"),)),
}
"""How each event is written: the line, and the values in it, in the order of the event's fields."""

_PATTERNS: Mapping[type[Any], re.Pattern[str]] = {
    kind: re.compile(line.format(*(f"(?P<part{n}>{part.pattern})" for n, part in enumerate(parts))))
    for kind, (line, parts) in _LINES.items()
}
