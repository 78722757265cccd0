"""Answers of `companion score` and `companion replay` told to a person: points line by line, and why somebody wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.document import Json
from companion.core.game import Line
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.kingdomino.rules.pieces import TERRAIN_NAMES, Terrain

_COUNTED: Mapping[str, Message] = {
    "base": _("Without bonuses"),
    "middle": _("With the Middle Kingdom"),
    "harmony": _("With Harmony"),
    "both": _("With both bonuses"),
}
_WON_BY: Mapping[str, Message] = {
    "score": _("by points"),
    "largest_property": _("by the largest property"),
    "crowns": _("by the most crowns"),
    "shared": _("shared"),
}


def tell_answer(answer: Json) -> Iterator[Line]:
    if "kingdoms" not in answer:
        yield from tell_kingdom(_("Kingdom"), answer)
        yield from _tell_domino(answer)
        return
    for number, kingdom in enumerate(answer["kingdoms"], start=1):
        yield from tell_kingdom(_("Kingdom %(number)d", number=number), kingdom)
    for key, ranking in answer["ranking"].items():
        totals = [kingdom["totals"][key] for kingdom in answer["kingdoms"]]
        yield from _tell_ranking(_COUNTED[key], totals, ranking)


def tell_kingdom(title: Message, kingdom: Json) -> Iterator[Line]:
    """A kingdom's points and, where they were counted, how they come about."""
    yield from _tell_points(title, kingdom["score"])
    if "properties" not in kingdom:
        return
    for found in sorted(kingdom["properties"], key=lambda found: -found["points"]):
        working = f"   {found['size']:2} × {found['crowns']} = {found['points']:3} "
        yield working, TERRAIN_NAMES[Terrain(found["terrain"])]
    totals = kingdom["totals"]
    for key in ("middle", "harmony"):
        if totals[key] > totals["base"]:
            yield "   ", _COUNTED[key], f"= {totals[key]}"
    yield (
        "   ",
        _(
            "Largest property: %(size)d · crowns: %(crowns)d",
            size=kingdom["largest_property"],
            crowns=kingdom["total_crowns"],
        ),
    )


def _tell_points(name: Message | str, points: int) -> Iterator[Line]:
    yield (_n("%(name)s: %(count)d point", "%(name)s: %(count)d points", points, name=name),)


def _tell_domino(answer: Json) -> Iterator[Line]:
    if "legal_placements" in answer:
        places = answer["legal_placements"]
        yield (_n("The domino fits in %(count)d way.", "The domino fits in %(count)d ways.", places),)
    if "legal" in answer:
        yield (_("This placement is legal.") if answer["legal"] else _("This placement is not legal."),)


def _tell_ranking(counted: Message, totals: list[int], ranking: Json) -> Iterator[Line]:
    points = " · ".join(map(str, totals))
    wins = _victory([str(winner + 1) for winner in ranking["winners"]], ranking["decided_by"])
    yield (_("%(counted)s: %(points)s; %(wins)s", counted=counted, points=points, wins=wins),)


def _victory(names: list[str], decided_by: str) -> Message:
    reason = _WON_BY.get(decided_by, decided_by)
    return _("victory: %(names)s, %(reason)s", names=", ".join(names), reason=reason)
