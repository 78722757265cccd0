"""The JSON of `companion score dominion` and `companion setup dominion`.

What scripts hand in and get back, and how it is told to a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from companion.core.document import Json, as_object, whole_number
from companion.core.errors import NotationError
from companion.core.game import Line, Preparation
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.cards import ABSENT, BASE_BOX, BOXES, SETS, RecommendedSet, find_card
from companion.games.dominion.rules.events import DeckCounted, KingdomChosen, PileCounted, TrashCounted
from companion.games.dominion.rules.kingdom import (
    MOST_COPIES,
    MOST_TURNS,
    SIZES,
    DrawWishes,
    KingdomNeed,
    Variant,
    draw_kingdom,
    supply_piles,
)
from companion.games.dominion.rules.moves import apply
from companion.games.dominion.rules.names import card_list, card_name, name_legend
from companion.games.dominion.rules.position import Position, start
from companion.games.dominion.rules.scoring import deck_lines, rank
from companion.games.dominion.text.words import problems


def score_document(document: object) -> Json:
    """The end of a game from its decks: `{"players": [{"cards": {"copper": 7}, "turns": 12}]}`.

    With `kingdom`, `supply` and `trash` beside the players, cards that are missing are named too.
    """
    table = as_object(document)
    rows = table.get("players")
    if not isinstance(rows, list) or not 1 <= len(rows) <= max(SIZES):
        raise NotationError(_("“players” is a list of one to six players."))
    position = start(("",) * len(rows), frozenset({Variant.SCORE_ONLY}))
    position = _with_table(position, table)
    for seat, row in enumerate(rows):
        player = _object(row, f"players[{seat}]")
        cards = _counts(player.get("cards"), f"players[{seat}].cards")
        position = apply(position, DeckCounted(seat, cards, _turns(player, seat)))
    return _score_answer(position)


replay_document = score_document
"""A game of Dominion has no course of its own to tell: only what everybody holds at the end."""


def _with_table(position: Position, table: Json) -> Position:
    """The supply and the trash, where the document has them."""
    if "trash" in table:
        position = apply(position, TrashCounted(_counts(table["trash"], "trash")))
    if "kingdom" not in table:
        return position
    kingdom = table["kingdom"]
    if position.players not in SIZES:
        raise NotationError(_("“kingdom” needs the decks of two players or more."))
    if not isinstance(kingdom, list) or not all(isinstance(id, str) for id in kingdom):
        raise NotationError(_("“kingdom” is a list of ten cards."))
    chosen = KingdomChosen(tuple(find_card(id).id for id in kingdom))
    position = replace(apply(replace(position, ended=False), chosen), ended=True)
    for id, count in _counts(table.get("supply", {}), "supply").items():
        position = apply(position, PileCounted(id, count))
    return position


def _score_answer(position: Position) -> Json:
    decks = [deck for deck in position.decks if deck]
    lines = [list(deck_lines(deck)) for deck in decks]
    points = [sum(worth for _id, worth, _working in found) for found in lines]
    standing = rank(points, position.turns, position.turns_known)
    return {
        "players": [
            {
                "points": total,
                "turns": turns or None,
                "lines": [
                    {"card": id, "count": deck.cards[id], "points": worth, "working": working}
                    for id, worth, working in found
                ],
            }
            for deck, found, total, turns in zip(decks, lines, points, position.turns, strict=True)
        ],
        "winners": list(standing.winners),
        "decided_by": standing.decided_by.key if standing.decided_by else "shared",
        "problems": [str(problem.text) for problem in problems(position)],
    }


def _object(value: object, where: str) -> Json:
    if not isinstance(value, dict):
        raise NotationError(
            _("A JSON object is needed for %(where)s, not %(found)s.", where=where, found=str(value)[:40])
        )
    return value


def _counts(value: object, where: str) -> dict[str, int]:
    counts = _object(value, f"“{where}”")
    for id, count in counts.items():
        if id not in ABSENT:  # a card of another edition counts, though it is in neither box
            find_card(id)
        if whole_number(count, 0, MOST_COPIES) is None:
            raise NotationError(
                _(
                    "“%(where)s”: there cannot be %(count)s of %(card)s.",
                    where=where,
                    count=str(count)[:20],
                    card=id,
                )
            )
    return dict(counts)


def _turns(player: Json, seat: int) -> int:
    told = player.get("turns", 0)
    turns = whole_number(told, 0, MOST_TURNS)
    if turns is None:
        where = f"players[{seat}].turns"
        raise NotationError(_("“%(where)s” cannot be %(value)s.", where=where, value=str(told)[:20]))
    return turns


def setup_document(asked: Preparation) -> Json:
    if asked.players not in SIZES:
        raise NotationError(_("Dominion is for two to six players, not for %(count)d.", count=asked.players))
    boxes = _boxes(asked.boxes)
    if asked.seed is not None:
        wishes = DrawWishes(boxes, frozenset({KingdomNeed.REACTION, KingdomNeed.COSTS}))
        return _setup_answer(asked.players, draw_kingdom(wishes, Random(asked.seed)))
    chosen = _set(asked.set, boxes)
    kingdom = chosen.completed(boxes)
    missing = chosen.missing(boxes)
    if any(id in missing for id in kingdom):
        raise NotationError(_("Too few cards are left for ten piles: name another box."))
    return {
        **_setup_answer(asked.players, kingdom, chosen.id),
        "missing": list(missing),
        "substitutes": {id: list(chosen.substitutes(id, boxes)) for id in missing},
    }


def _boxes(named: tuple[str, ...]) -> frozenset[str]:
    known = [box for box in BOXES if box != BASE_BOX]
    unknown = [box for box in named if box not in known]
    if unknown:
        raise NotationError(
            _("There is no box “%(box)s”; we know: %(known)s.", box=unknown[0][:40], known=", ".join(known))
        )
    return frozenset(named or known)


def _set(id: str, boxes: frozenset[str]) -> RecommendedSet:
    if not id:
        return next((found for found in SETS.values() if not found.missing(boxes)), SETS["first_game"])
    if id not in SETS:
        raise NotationError(
            _("There is no set “%(set)s”; we know: %(known)s.", set=id[:40], known=", ".join(SETS))
        )
    return SETS[id]


def _setup_answer(players: int, kingdom: tuple[str, ...], chosen: str = "") -> Json:
    return {
        "kingdom": list(kingdom),
        "piles": supply_piles(kingdom, players),
        "end_piles": SIZES[players].empty_piles,
        "missing": [],
        "substitutes": {},
        "set": chosen,
    }


def tell_setup(answer: Json) -> Iterator[Line]:
    for id, count in answer["piles"].items():
        yield f"{count:4} ", card_name(id)
    named = (*answer["piles"], *answer["substitutes"])
    ends = _("The game ends with the Provinces, or with %(count)d empty piles.", count=answer["end_piles"])
    yield (Message("%(ends)s%(legend)s", {"ends": ends, "legend": name_legend(named, before=" ")}),)
    for id, others in answer["substitutes"].items():
        yield (
            _(
                "%(card)s is in no box here. Instead: %(others)s",
                card=card_name(id),
                others=card_list(others),
            ),
        )


_DECIDED: Mapping[str, Message] = {
    "score": _("more points"),
    "turns": _("fewer turns"),
    "shared": _("equal in everything"),
}


def tell_answer(answer: Json) -> Iterator[Line]:
    for number, player in enumerate(answer["players"], start=1):
        for line in player["lines"]:
            yield f"  {line['working']:>14} = {line['points']:3}", card_name(line["card"])
        yield (
            _n(
                "Player %(player)d: %(count)d point",
                "Player %(player)d: %(count)d points",
                player["points"],
                player=number,
            ),
        )
    winners = ", ".join(str(winner + 1) for winner in answer["winners"])
    yield (_("Victory: %(players)s (%(reason)s)", players=winners, reason=_DECIDED[answer["decided_by"]]),)
    for problem in answer["problems"]:
        yield (f"! {problem}",)
