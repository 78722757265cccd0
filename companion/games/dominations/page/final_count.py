"""The end of a game: what each player has points for, a row for each kind of reason, and a tap away each reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.choices import To, Wish, leads
from companion.games.dominations.rules.position import LedgerLine, LedgerUnit, Position
from companion.games.dominations.rules.roles import ROLE_NAMES

REASON_KINDS = {
    "objectives": _("Objectives"),
    "influence": _("Influence"),
    "roles": _("Roles"),
    "monuments": _("Monuments"),
    "rest": _("Everything else"),
}
"""In the order of the table."""


@dataclass(frozen=True)
class FinalLine:
    """What the players have for one reason in the whole game, or for all of a kind."""

    why: Message
    points: tuple[int, ...]
    to: To | None = None
    """Where a kind is opened, or closed again; None for one of its reasons."""
    open: bool = False


def final_table(position: Position, wish: Wish) -> Iterator[FinalLine]:
    """The kinds, and the reasons of the one that is opened; the sums of the kinds are the result."""
    for kind, name in REASON_KINDS.items():
        lines = [
            line
            for line in position.lines
            if line.unit is LedgerUnit.POINTS and _kind(position, line) == kind
        ]
        opened = wish.get("open") == kind
        if lines:
            yield FinalLine(name, _points(position, lines), leads(open=None if opened else kind), opened)
        if opened:
            yield from _reasons(position, lines)


def _kind(position: Position, line: LedgerLine) -> str:
    if line.objective:
        return "objectives"
    if line.why.text == REASON_KINDS["influence"].text:
        return "influence"
    if line.why.text in {str(name) for name in ROLE_NAMES.values()}:
        return "roles"
    titles = {str(position.title(key)) for key in position.sites}
    return "monuments" if _card_of_reason(line.why) in titles else "rest"


def _card_of_reason(why: Message) -> str:
    """The card or the Monument a reason names, or is."""
    return str(why.values.get("card") or why.values.get("monument") or why)


def _reasons(position: Position, lines: list[LedgerLine]) -> Iterator[FinalLine]:
    found: dict[str, list[LedgerLine]] = {}
    for line in lines:
        found.setdefault(str(line.why), []).append(line)
    rows = [FinalLine(same[0].why, _points(position, same)) for same in found.values()]
    yield from sorted(rows, key=lambda row: -sum(row.points))


def _points(position: Position, lines: list[LedgerLine]) -> tuple[int, ...]:
    return tuple(sum(line.amount for line in lines if line.player == n) for n in range(position.players))
