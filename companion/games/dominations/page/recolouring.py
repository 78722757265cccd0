"""A territory as the camera has read it, in the hands of people: each colour can be tapped and told again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.page import growing
from companion.games.dominations.page.choices import (
    Action,
    ActionGroup,
    ActionPanel,
    To,
    Wish,
    action_group,
    leads,
)
from companion.games.dominations.page.growing import pointed_cell
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import LETTERS, VESTIGIUM, Domain, colour_name
from companion.games.dominations.rules.events import TurnEnded
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from companion.games.dominations.text.notation import write_event

_READ = re.compile(rf"([{LETTERS}?])([{LETTERS}{VESTIGIUM}?-]{{3}})([0-4])")
ALL_TOLD = 4
"""No spot is told again: what is read is right now."""
COLOUR_QUESTIONS = (
    _("Which colour is its Field?"),
    _("The resource with the ring: 1 of 3"),
    _("The resource with the ring: 2 of 3"),
    _("The resource with the ring: 3 of 3"),
    _("Is the territory right now?"),
)


def recolouring_wish(cell: Cell, letters: str, spot: int) -> Mapping[str, str]:
    """Where one colour of a territory is told again; without any letters, where all are told."""
    return {"at": str(cell), "tier": "map", **({"read": f"{letters}{spot}"} if len(letters) == 4 else {})}


def told_colours(position: Position, wish: Wish) -> tuple[Cell, str, int] | None:
    """The place, the colours as they are told by now, and which of them is asked."""
    cell, found = pointed_cell(wish.get("at", "")), _READ.fullmatch(wish.get("read", ""))
    if found is None or cell is None or position.stage not in OF_A_TURN:
        return None
    if cell not in growing.free_places(position, wish):
        return None
    return cell, f"{found[1]}{found[2]}", int(found[3])


def recolouring_panel(position: Position, wish: Wish) -> ActionPanel | None:
    """What can be done about the colours that were read; None when nobody wants to."""
    here = told_colours(position, wish)
    if here is None or position.held:
        return None
    cell, letters, spot = here
    do = wish.get("do")
    if spot == ALL_TOLD:
        groups = (*_whole(position, cell, letters, do), *_spots(cell, letters, do))
        notes = (_("A tap on a free place of the map moves it there."),)
        return ActionPanel(COLOUR_QUESTIONS[spot], groups, notes, leads(do=do, tier=growing.MAP_TIER))
    allowed = LETTERS + ("" if spot == 0 else f"{VESTIGIUM}-")
    choices = tuple(
        Action(
            colour_name(letter),
            to=_leads_to_spot(cell, letters[:spot] + letter + letters[spot + 1 :], do),
            domain=letter,
            chosen=letter == letters[spot],
        )
        for letter in allowed
    )
    return ActionPanel(
        COLOUR_QUESTIONS[spot], (ActionGroup(choices, None, "grid"),), (), _leads_to_spot(cell, letters, do)
    )


def next_to_lay(position: Position) -> int | None:
    """Who lays the next territory, also where the turn before is not told to its end; None at the end of an Era."""
    after = position if position.stage is GameStage.GROWTH else after_turn_end(position)
    return after.player if after else None


def after_turn_end(position: Position) -> Position | None:
    """The table before the next territory, where the turn is not told to its end; None at the end of an Era."""
    try:
        after = apply(position, TurnEnded(position.player))
    except IllegalEvent:
        return None
    return after if after.stage is GameStage.GROWTH else None


def _whole(position: Position, cell: Cell, letters: str, do: str | None) -> tuple[ActionGroup, ...]:
    player = position.player if do == "again" else next_to_lay(position)
    if "?" in letters or player is None:
        return ()
    event = growing.territory_event(player, Tile(Domain(letters[0]), letters[1:]), cell, do)
    return action_group((Action(_("Lay it like this"), line=write_event(event), main=True),))


def _spots(cell: Cell, letters: str, do: str | None) -> tuple[ActionGroup, ...]:
    """Each colour, to be told again."""
    return action_group(
        (
            Action(colour_name(letter), to=_leads_to_spot(cell, letters, do, spot), domain=letter)
            for spot, letter in enumerate(letters)
            if letter != "?"
        ),
        _("Tap what is wrong"),
        "grid",
    )


def _leads_to_spot(cell: Cell, letters: str, do: str | None, spot: int = ALL_TOLD) -> To:
    return leads(do=do, at=str(cell), tier="map", read=f"{letters}{spot}")
