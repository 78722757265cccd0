"""Where the piece of a Monument comes to stand, told on the map."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominations.page import growing, pieces_told, spending
from companion.games.dominations.page.choices import (
    PLAYER_NAME,
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    action_group,
    leads,
)
from companion.games.dominations.page.drawing import TargetView, cell_target, point_target
from companion.games.dominations.rules import rewarding
from companion.games.dominations.rules.box import MARKERS
from companion.games.dominations.rules.cards import PieceShape
from companion.games.dominations.rules.events import MonumentTold, Rewarded
from companion.games.dominations.rules.growth import ruled_out
from companion.games.dominations.rules.lattice import Cell, Point, parse_point
from companion.games.dominations.rules.placing import Lozenge, Place
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import write_event

NO_MAP = "none"
"""The place of a piece that nobody tells: the Monument is counted without one."""

TELL_REWARDS = "rewards"
"""What is done to tell the rewards that no map showed."""


def needs_place(position: Position, wish: Wish) -> bool:
    """Whether the piece of this Monument has no place yet, and the table keeps a map."""
    site = position.sites.get(wish.get("key", ""))
    if site is None or site.place is not None or wish.get("at") == NO_MAP:
        return False
    first = site.taken == 0 or wish.get("do") == "piece"
    return first and bool(position.board.tiles) and growing.telling_tier(position, wish) == growing.MAP_TIER


def told_place(position: Position, wish: Wish) -> Place | None:
    """Where the piece was told to stand, once that is told."""
    if not needs_place(position, wish):
        return None
    if position.monument(wish["key"]).shape is PieceShape.CIRCLE:
        return _point(wish.get("at", ""))
    cells = lozenge_cells(wish)
    return pieces_told.told_lozenge(wish, cells) if cells else None


def lozenge_cells(wish: Wish) -> tuple[Cell, Cell] | None:
    """The two places that a lozenge covers, once they are told."""
    one, other = growing.pointed_cell(wish.get("at", "")), growing.pointed_cell(wish.get("at2", ""))
    return (one, other) if one and other else None


def half_told_lozenge(position: Position, wish: Wish) -> tuple[Cell, Cell] | None:
    """The lozenge that is being told, for the map to show."""
    stands = wish.get("do") in ("monument", "piece") and needs_place(position, wish)
    if not stands or position.monument(wish["key"]).shape is PieceShape.CIRCLE:
        return None
    return lozenge_cells(wish)


def _point(text: str) -> Point | None:
    try:
        return parse_point(text) if text.startswith("@") else None
    except NotationError:
        return None


def piece_targets(position: Position, wish: Wish) -> Iterator[TargetView]:
    """Where the piece may stand, or its second half."""
    if not needs_place(position, wish) or told_place(position, wish):
        return
    do, key = wish.get("do"), wish["key"]
    name, pieces = _("It stands here"), position.board.pieces
    if position.monument(key).shape is PieceShape.CIRCLE:
        for point in sorted({corner for cell in pieces for corner in cell.corners}):
            free = position.board.complete(point) and point not in position.board.circles
            if free and not ruled_out(position, point):
                yield point_target(point, name, leads(do=do, key=key, at=str(point)))
        return
    one = growing.pointed_cell(wish.get("at", ""))
    if one is None:
        for cell in position.board.free:
            yield cell_target(cell, name, leads(do=do, key=key, at=str(cell)))
        return
    for cell in one.neighbours:
        if cell not in pieces:
            yield cell_target(cell, name, leads(do=do, key=key, at=str(one), at2=str(cell)))


def piece_panel(position: Position, wish: Wish) -> ActionPanel:
    """The place first and what is printed on the piece, then the card."""
    place = told_place(position, wish)
    if isinstance(place, Lozenge) and (asked := pieces_told.lozenge_question(position, wish)):
        return asked
    if wish.get("do") == "piece" and place:
        line = write_event(MonumentTold(wish["key"], place))
        return ActionPanel(
            _("Its piece stands there"), action_group((Action(_("Yes"), line=line, main=True),)), (), leads()
        )
    if not needs_place(position, wish) or place:
        return spending.contribution_panel(position, wish, place)
    round_one = position.monument(wish["key"]).shape is PieceShape.CIRCLE
    note = _("Tap the middle of a complete Locus.") if round_one else _("Tap the two places it covers.")
    skip = Action(_("Without the map"), to=leads(do=wish.get("do"), key=wish["key"], at=NO_MAP))
    return ActionPanel(_("Where does its piece stand?"), action_group((skip,)), (note,), leads(do="monument"))


def rewards_panel(position: Position, wish: Wish) -> ActionPanel:
    """Whose Cities a Monument rewards that no map shows beside it: a tap for each City."""
    key, digits = wish["key"], {str(n + 1) for n in range(position.players)}
    told = [int(digit) - 1 for digit in wish.get("who", "")[:MARKERS] if digit in digits]
    monument = position.monument(key)
    people = tuple(
        Action(
            PLAYER_NAME,
            player=player,
            to=leads(do=TELL_REWARDS, key=key, who="".join(str(n + 1) for n in (*told, player))),
        )
        for player in range(position.players)
        if rewarding.rewards_left(position, key, player) > told.count(player)
    )
    names = tuple(Action(PLAYER_NAME, player=player) for player in told)
    before = tuple(Action(PLAYER_NAME, player=player) for player in position.sites[key].rewarded)
    line = write_event(Rewarded(key, tuple(told)))
    done = Action(_("These are rewarded") if told else _("Nobody is rewarded"), line=line, main=True)
    note = _("%(points)d points for each City beside it; one tap for each.", points=monument.reward_points)
    title = _("Whose Cities does “%(card)s” reward?", card=monument.title)
    back = leads(do=TELL_REWARDS, key=key) if told else leads()
    told_before = action_group(before, _("Rewarded before"))
    return ActionPanel(
        title,
        (*action_group(people), *action_group(names, _("Rewarded")), ActionGroup((done,)), *told_before),
        (note,),
        back,
    )
