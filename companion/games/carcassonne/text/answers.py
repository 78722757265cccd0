"""Answers of `companion score` and `companion replay` told to a person: points line by line, and who wins."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.document import Json
from companion.core.game import Line
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.carcassonne.rules.tiles import KIND_NAMES, FeatureKind
from companion.games.carcassonne.text.tally import UNFINISHED


def tell_answer(answer: Json) -> Iterator[Line]:
    for number, move in enumerate(answer.get("moves", ()), start=1):
        for entry in move["scored"]:
            yield (_("Move %(number)d", number=number), ": ", *_entry(entry))
    for entry in answer["final"]["lines"]:
        yield ("   ", *_entry(entry))
    for player, points in enumerate(answer["final"]["scores"], start=1):
        yield (
            _n(
                "Player %(player)d: %(count)d point",
                "Player %(player)d: %(count)d points",
                points,
                player=player,
            ),
        )
    winners = ", ".join(str(winner + 1) for winner in answer["winners"])
    yield (_("Victory: %(players)s", players=winners),)
    for problem in answer.get("problems", ()):
        yield (f"! {problem}",)


def _entry(entry: Json) -> Line:
    kind = FeatureKind(entry["kind"])
    name = KIND_NAMES[kind] if entry["complete"] else UNFINISHED[kind]
    text = _("%(feature)s for player %(player)d", feature=name, player=entry["player"] + 1)
    return text, f" {entry['working']} = {entry['points']}"
