"""Answers of `companion score` told to a person: points card by card, and who wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.game import Line
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.rules.card_names import card_name

Json = Mapping[str, Any]

_DECIDED: Mapping[str, Message] = {
    "score": _("more points"),
    "turns": _("fewer turns"),
    "shared": _("equal in everything"),
}


def tell_score(answer: Json) -> Iterator[Line]:
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
