"""The JSON of `companion score dominion`: what scripts hand in and get back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominion.rules.cards import find_card
from companion.games.dominion.rules.events import DeckCounted, KingdomChosen, PileCounted, TrashCounted
from companion.games.dominion.rules.moves import apply
from companion.games.dominion.rules.piles import MOST_COPIES, MOST_TURNS, SIZES
from companion.games.dominion.rules.position import Position, start
from companion.games.dominion.rules.sets import ABSENT
from companion.games.dominion.rules.tally import deck_lines, problems, rank
from companion.games.dominion.rules.variants import Variant

Json = Mapping[str, Any]


def score_document(document: object) -> Json:
    """The end of a game from its decks: `{"players": [{"cards": {"copper": 7}, "turns": 12}]}`.

    With `kingdom`, `supply` and `trash` beside the players, cards that are missing are named too.
    """
    table = _object(document, "")
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
            if where
            else _("A JSON object is needed here, not %(found)s.", found=str(value)[:40])
        )
    return value


def _counts(value: object, where: str) -> dict[str, int]:
    counts = _object(value, f"“{where}”")
    for id, count in counts.items():
        if id not in ABSENT:  # a card of another edition counts, though it is in neither box
            find_card(id)
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST_COPIES:
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
    turns = player.get("turns", 0)
    if not isinstance(turns, int) or isinstance(turns, bool) or not 0 <= turns <= MOST_TURNS:
        raise NotationError(
            _("“%(where)s” cannot be %(value)s.", where=f"players[{seat}].turns", value=str(turns)[:20])
        )
    return turns
