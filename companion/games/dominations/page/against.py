"""What people did against the rules, told by tapping: anybody, in any phase, whatever it costs; and why."""

from __future__ import annotations

from dataclasses import replace

from companion.core.message import message as _
from companion.games.dominations.page import growing, spending
from companion.games.dominations.page.choices import NAME, Choice, Group, Hand, Wish, group, leads
from companion.games.dominations.rules.events import TurnEnded
from companion.games.dominations.rules.position import OF_A_TURN, Position, Stage
from companion.games.dominations.text.notation import write_event

AT_THE_BEGINNING = (growing.LAY, "invent")
"""What else would be told at the beginning of a turn alone."""


def whose(position: Position, wish: Wish) -> int | None:
    """Who did something against the rules; None while the rules hold."""
    told, players = wish.get("against", ""), {str(n + 1): n for n in range(position.players)}
    elsewhere = "check" in wish or wish.get("do") in ("card", "keep", "cradle", "campfire", growing.OLD)
    return None if position.held or elsewhere or position.stage not in OF_A_TURN else players.get(told)


def table(position: Position, wish: Wish) -> Position:
    """The table as the page offers things on it: against the rules, as if it were that player's turn and phase."""
    player = whose(position, wish)
    if player is None:
        return position
    stage = Stage.GROWTH if wish.get("do") in AT_THE_BEGINNING else Stage.CONSTRUCTION
    return replace(position, player=player, stage=stage)


def menu(position: Position, shown: Position, wish: Wish) -> Hand:
    """Everything that can be told at any time, with a reason."""
    people = tuple(
        Choice(NAME, player=n, to=leads(), against=str(n + 1), chosen=n == shown.player)
        for n in range(position.players)
    )
    first = (
        Choice(_("A territory"), to=leads(do=growing.LAY, tier=wish.get("tier"))),
        Choice(_("Reactivate a territory"), to=leads(do="invent", tier=wish.get("tier"))),
    )
    groups: tuple[Group, ...] = (Group(people, None, "people"), Group(first, _("Growth")))
    groups += spending.construction(shown, wish)
    groups += group((Choice(_("A Mastery"), to=leads(do="mastery")),), _("Development"))
    if shown.player == position.player:
        groups += group((Choice(_("Exchange of Knowledge"), to=leads(do="trade")),))
        if position.stage is Stage.GROWTH:
            end = Choice(_("End the turn"), line=write_event(TurnEnded(position.player)))
            groups += group((end,))
    note = _("Each of these is recorded with your reason, and named among what is odd.")
    return Hand(_("Against the rules"), groups, (note,), leads())
