"""The answer of `companion setup dominion`: ten cards, the size of every pile, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from companion.core.abilities import Preparation
from companion.core.errors import NotationError
from companion.core.game import Line
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.rules.card import BASE_BOX
from companion.games.dominion.rules.card_names import card_list, card_name, name_legend
from companion.games.dominion.rules.cards import BOXES
from companion.games.dominion.rules.piles import SIZES, supply_piles
from companion.games.dominion.rules.randomiser import DrawWishes, KingdomNeed, draw_kingdom
from companion.games.dominion.rules.sets import SETS, RecommendedSet

Json = Mapping[str, Any]


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
