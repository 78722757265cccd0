"""Dominion in text, one event a line.

    kingdom cellar market merchant …         swap witch moat         3 vetoes witch
    wishes actions reaction                  2 likes witch           played cellar market …
    allows witch                             favourites witch moat   won "Ana" "Rui"
    ticked copper                            unticked copper         2 starts
    1 plays village                          1 plays 3 copper        1 plays nothing
    1 chooses card coin                      1 counts 3              2 reveals moat
    1 gains silver                           1 trashes copper estate 1 trashes nothing
    2 suffers                                all suffer              1 to buy
    1 buys market                            1 ends                  stop
    pile market 7                            trash copper:3 curse:1  1 has copper:7 estate:3 turns:12

Players are counted from 1 in the order they sit; cards go by their ids.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from companion.core.errors import NotationError
from companion.core.game import NAME_LIMIT
from companion.core.message import message as _
from companion.core.notation import quote, split_reason, unquote, with_reason
from companion.games.dominion.rules.cards import find_card
from companion.games.dominion.rules.events import (
    AnswersChosen,
    AttackSuffered,
    BuyingBegun,
    CardAllowed,
    CardBought,
    CardGained,
    CardLiked,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    CardSwapped,
    CardVetoed,
    DeckCounted,
    Event,
    FavouritesKept,
    FirstPlayer,
    GameStopped,
    KingdomChosen,
    KingdomPlayed,
    NumberTold,
    Overrulable,
    PileCounted,
    SetUpTicked,
    TrashCounted,
    TurnEnded,
    WinnersTold,
    WishesMade,
)
from companion.games.dominion.rules.kingdom import MOST_COPIES, MOST_TURNS, KingdomNeed

NOTHING = "nothing"
MOST_PARTS = 80
"""Cards named in one line."""

_PLAYER = r"([1-9])"
_ID = r"([a-z][a-z0-9_]{0,39})"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_COUNTED = re.compile(r"([a-z][a-z0-9_]{0,39}):(\d{1,3})")


def write_event(event: Event) -> str:
    text = _write(event)
    return with_reason(text, event.because) if isinstance(event, Overrulable) else text


def _write(event: Event) -> str:
    match event:
        case KingdomChosen(cards):
            return f"kingdom {' '.join(cards)}"
        case CardSwapped(out, into):
            return f"swap {out} {into}"
        case WishesMade(needs):
            return f"wishes {' '.join(needs) or NOTHING}"
        case KingdomPlayed(cards):
            return f"played {' '.join(cards)}"
        case FavouritesKept(cards):
            return f"favourites {_write_cards(cards)}"
        case CardAllowed(card):
            return f"allows {card}"
        case WinnersTold(names):
            return f"won {' '.join(map(quote, names))}"
        case SetUpTicked(item, done):
            return f"{'ticked' if done else 'unticked'} {item}"
        case AttackSuffered(None):
            return "all suffer"
        case GameStopped():
            return "stop"
        case PileCounted(card, number):
            return f"pile {card} {number}"
        case TrashCounted(cards):
            return f"trash {_write_counts(cards)}"
        case _:
            return f"{event.player + 1} {_write_deed(event)}"  # type: ignore[operator]  # all others are a player's


def _write_deed(event: Event) -> str:
    match event:
        case CardVetoed(_player, card):
            return f"vetoes {card or NOTHING}"
        case CardLiked(_player, card):
            return f"likes {card}"
        case FirstPlayer():
            return "starts"
        case CardPlayed(_player, card, count):
            return f"plays {f'{count} ' if count > 1 else ''}{card or NOTHING}"
        case AnswersChosen(_player, answers):
            return f"chooses {' '.join(answers)}"
        case NumberTold(_player, number):
            return f"counts {number}"
        case CardsRevealed(_player, cards):
            return f"reveals {_write_cards(cards)}"
        case CardGained(_player, card):
            return f"gains {card or NOTHING}"
        case CardsTrashed(_player, cards):
            return f"trashes {_write_cards(cards)}"
        case AttackSuffered():
            return "suffers"
        case BuyingBegun():
            return "to buy"
        case CardBought(_player, card):
            return f"buys {card}"
        case DeckCounted(_player, counts, turns):
            return f"has {_write_counts(counts)}{f' turns:{turns}' if turns is not None else ''}"
        case _:
            return "ends"


def _write_cards(cards: Iterable[str]) -> str:
    return " ".join(cards) or NOTHING


def _write_counts(counts: Mapping[str, int]) -> str:
    return " ".join(f"{id}:{count}" for id, count in counts.items()) or NOTHING


def parse_event(line: str) -> Event:
    text, because = split_reason(line)
    for pattern, build in _EVENTS:
        if found := pattern.fullmatch(text):
            event = build(found)
            if because and not isinstance(event, Overrulable):
                break
            return replace(event, because=because) if isinstance(event, Overrulable) else event
    raise NotationError(_("“%(text)s” is not a move of Dominion.", text=line[:80]))


def _player(text: str) -> int:
    if text not in "123456":
        raise NotationError(_("Nobody sits at place %(player)s.", player=text))
    return int(text) - 1


def _card(id: str) -> str:
    return find_card(id).id


def _cards(text: str) -> tuple[str, ...]:
    words = text.split()
    if len(words) > MOST_PARTS:
        raise NotationError(_("There are too many cards in this line."))
    return () if words == [NOTHING] else tuple(map(_card, words))


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


def _number(text: str, most: int) -> int:
    if int(text) > most:
        raise NotationError(_("%(number)s is too large a number.", number=text))
    return int(text)


def _deck(found: re.Match[str]) -> Event:
    player, rest = found.groups()
    parts = rest.split()
    turns = [part.partition(":")[2] for part in parts if part.startswith("turns:")]
    if len(turns) > 1 or not all(re.fullmatch(r"\d{1,3}", number) for number in turns):
        raise NotationError(_("Say once how many turns there were, such as turns:12."))
    counts = _counts(" ".join(part for part in parts if not part.startswith("turns:")))
    return DeckCounted(_player(player), counts, _number(turns[0], MOST_TURNS) if turns else None)


def _played(found: re.Match[str]) -> Event:
    count, card = int(found[2] or 1), found[3]
    if not 1 <= count <= MOST_PARTS:
        raise NotationError(_("%(number)s is too large a number.", number=str(count)))
    return CardPlayed(_player(found[1]), "" if card == NOTHING else _card(card), count)


def _optional(text: str) -> str:
    return "" if text == NOTHING else _card(text)


_EVENTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Event]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (rf"{_PLAYER} plays (?:(\d\d?) )?{_ID}", _played),
        (rf"{_PLAYER} buys {_ID}", lambda found: CardBought(_player(found[1]), _card(found[2]))),
        (rf"{_PLAYER} gains {_ID}", lambda found: CardGained(_player(found[1]), _optional(found[2]))),
        (rf"{_PLAYER} trashes ([a-z0-9_ ]+)", lambda f: CardsTrashed(_player(f[1]), _cards(f[2]))),
        (rf"{_PLAYER} reveals ([a-z0-9_ ]+)", lambda f: CardsRevealed(_player(f[1]), _cards(f[2]))),
        (
            rf"{_PLAYER} chooses ([a-z0-9_]+(?: [a-z0-9_]+){{0,7}})",
            lambda found: AnswersChosen(_player(found[1]), tuple(found[2].split())),
        ),
        (rf"{_PLAYER} counts (\d{{1,3}})", lambda f: NumberTold(_player(f[1]), _number(f[2], MOST_COPIES))),
        (rf"{_PLAYER} suffers", lambda found: AttackSuffered(_player(found[1]))),
        (r"all suffer", lambda _found: AttackSuffered(None)),
        (rf"{_PLAYER} to buy", lambda found: BuyingBegun(_player(found[1]))),
        (rf"{_PLAYER} ends", lambda found: TurnEnded(_player(found[1]))),
        (rf"{_PLAYER} starts", lambda found: FirstPlayer(_player(found[1]))),
        (rf"{_PLAYER} vetoes {_ID}", lambda found: CardVetoed(_player(found[1]), _optional(found[2]))),
        (rf"{_PLAYER} likes {_ID}", lambda found: CardLiked(_player(found[1]), _card(found[2]))),
        (rf"allows {_ID}", lambda found: CardAllowed(_card(found[1]))),
        (r"favourites ([a-z0-9_ ]+)", lambda found: FavouritesKept(_cards(found[1]))),
        (rf"won ({_QUOTED}(?: {_QUOTED}){{0,5}})", lambda found: WinnersTold(_names(found[1]))),
        (r"wishes ([a-z ]+)", lambda found: WishesMade(_needs(found[1]))),
        (r"played ([a-z0-9_ ]+)", lambda found: KingdomPlayed(_cards(found[1]))),
        (rf"{_PLAYER} has ([a-z0-9_: ]+)", _deck),
        (r"kingdom ([a-z0-9_ ]+)", lambda found: KingdomChosen(_cards(found[1]))),
        (rf"swap {_ID} {_ID}", lambda found: CardSwapped(_card(found[1]), _card(found[2]))),
        (rf"(un)?ticked {_ID}", lambda found: SetUpTicked(found[2], not found[1])),
        (rf"pile {_ID} (\d{{1,3}})", lambda f: PileCounted(_card(f[1]), _number(f[2], MOST_COPIES))),
        (r"trash ([a-z0-9_: ]+)", lambda found: TrashCounted(_counts(found[1]))),
        (r"stop", lambda _found: GameStopped()),
    )
)
