"""What a tap would bring, before it is recorded: the rules are asked, and nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.errors import CompanionError
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.games.dominations.page.elements import Action
from companion.games.dominations.rules.box import SHORT_NAMES, Domain
from companion.games.dominations.rules.events import Event, Track
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.position import LedgerLine, Position
from companion.games.dominations.text.words import TRACK_NAMES


def brought(position: Position, event: Event, player: int) -> Message | None:
    """What it brings to a player, and how much to the others; nothing where it is refused or asks something first."""
    lines = _lines(position, event)
    own = _amounts([line for line in lines if line.player == player])
    others = sum(max(0, line.amount) for line in lines if line.player != player)
    if others and own:
        return _("%(own)s; others: +%(count)d", own=own, count=others)
    return _("others: +%(count)d", count=others) if others else own


def brings_rows(position: Position, event: Event) -> Iterator[Action]:
    """What it brings to everybody, a row each."""
    lines = _lines(position, event)
    for player in position.order:
        if told := _amounts([line for line in lines if line.player == player]):
            yield Action(told, player=player)


def _lines(position: Position, event: Event) -> tuple[LedgerLine, ...]:
    try:
        after = apply(position, event)
    except CompanionError:
        return ()
    return () if after.held else after.lines[len(position.lines) :]


def _amounts(lines: list[LedgerLine]) -> Message | None:
    """The numbers that change, each once, by their short names."""
    sums: dict[Track | Domain, int] = {}
    for line in lines:
        sums[line.unit] = sums.get(line.unit, 0) + line.amount
    told = [
        _("%(amount)s %(unit)s", amount=f"{amount:+d}".replace("-", "−"), unit=_unit(unit))
        for unit, amount in sums.items()
        if amount
    ]
    return joined(told) if told else None


def _unit(unit: Track | Domain) -> Message:
    return SHORT_NAMES[unit] if isinstance(unit, Domain) else TRACK_NAMES[unit]
