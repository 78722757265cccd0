"""What people did against the rules, told by tapping: anybody, in any phase, whatever it costs; and why."""

from __future__ import annotations

from dataclasses import replace

from companion.core.message import message as _
from companion.games.dominations.page import growing, spending
from companion.games.dominations.page.choices import (
    PLAYER_NAME,
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    action_group,
    leads,
)
from companion.games.dominations.rules.events import TurnEnded
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from companion.games.dominations.text.notation import write_event

AT_THE_BEGINNING = (growing.LAY_AGAINST, "invent")
"""What else would be told at the beginning of a turn alone."""


def overruling_player(position: Position, wish: Wish) -> int | None:
    """Who did something against the rules; None while the rules hold."""
    told, players = wish.get("against", ""), {str(n + 1): n for n in range(position.players)}
    elsewhere = "check" in wish or wish.get("do") in ("card", "keep", "cradle", "campfire", growing.DRAW_OLD)
    return None if position.held or elsewhere or position.stage not in OF_A_TURN else players.get(told)


def overruled_table(position: Position, wish: Wish) -> Position:
    """The table as the page offers things on it: against the rules, as if it were that player's turn and phase."""
    player = overruling_player(position, wish)
    if player is None:
        return position
    stage = GameStage.GROWTH if wish.get("do") in AT_THE_BEGINNING else GameStage.CONSTRUCTION
    return replace(position, player=player, stage=stage)


def overruling_menu(position: Position, shown: Position, wish: Wish) -> ActionPanel:
    """Everything that can be told at any time, with a reason."""
    people = tuple(
        Action(PLAYER_NAME, player=n, to=leads(), against=str(n + 1), chosen=n == shown.player)
        for n in range(position.players)
    )
    first = (
        Action(_("A territory"), to=leads(do=growing.LAY_AGAINST, tier=wish.get("tier"))),
        Action(_("Reactivate a territory"), to=leads(do="invent", tier=wish.get("tier"))),
    )
    groups: tuple[ActionGroup, ...] = (ActionGroup(people, None, "people"), ActionGroup(first, _("Growth")))
    groups += spending.construction_groups(shown, wish)
    groups += action_group((Action(_("A Mastery"), to=leads(do="mastery")),), _("Development"))
    if shown.player == position.player:
        groups += action_group((Action(_("Exchange of Knowledge"), to=leads(do="trade")),))
        if position.stage is GameStage.GROWTH:
            end = Action(_("End the turn"), line=write_event(TurnEnded(position.player)))
            groups += action_group((end,))
    note = _("Each of these is recorded with your reason, and named among what is odd.")
    return ActionPanel(_("Against the rules"), groups, (note,), leads())
