"""What stays where it was when a Role is put right by hand: points and Influence, each to be moved with a tap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.message import message as _
from companion.games.dominations.page.choices import Action, ActionGroup, action_group
from companion.games.dominations.rules.box import ROLES, Domain, OpenQuestion
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.eras import points_of
from companion.games.dominations.rules.events import Adjusted
from companion.games.dominations.rules.gains import effect_amount
from companion.games.dominations.rules.ledger import BY_HAND
from companion.games.dominations.rules.position import GameStage, LedgerUnit, Position
from companion.games.dominations.rules.roles import ROLE_NAMES
from companion.games.dominations.rules.steps import Track
from companion.games.dominations.text.notation import write_event

UNIT_TRACKS = {LedgerUnit.POINTS: Track.POINTS, LedgerUnit.INFLUENCE: Track.INFLUENCE}
CHANGE_TEXTS = {
    LedgerUnit.POINTS: _("%(role)s: %(amount)s points"),
    LedgerUnit.INFLUENCE: _("%(role)s: %(amount)s Influence"),
}
RoleNumber = tuple[str, int, LedgerUnit]
"""A Role, whose number it is, and which."""
RoleTransfer = tuple[str, int, LedgerUnit, int]
"""A Role, whose number it is, which, and by how much it is off."""


def unmoved_groups(position: Position) -> tuple[ActionGroup, ...]:
    """One tap for each number that did not move with a Role."""
    if position.stage is not GameStage.NEXT:
        return ()
    found = [_choice(*move) for move in _moves(position)]
    return action_group(found, _("This did not move with the Role: tap to set it right"), "pairs")


def _choice(role: str, player: int, unit: LedgerUnit, amount: int) -> Action:
    text = _(CHANGE_TEXTS[unit].text, role=ROLE_NAMES[role], amount=f"{amount:+d}".replace("-", "−"))
    return Action(text, player=player, line=write_event(Adjusted(player, UNIT_TRACKS[unit], amount)))


def _moves(position: Position) -> Iterator[RoleTransfer]:
    """What was brought to whoever has not got the Role, and not to who has it, as far as people have set it right."""
    roles = [one for one in position.compared if one.role in position.righted]
    players = range(position.players)
    got = {
        (one.role, player, unit): player == one.winner
        for one in roles
        for player in players
        for unit in UNIT_TRACKS
    }
    for number in _set_right(position):
        moved = next((key for key in got if number == (*key[1:], _owed(position, key, not got[key]))), None)
        if moved:
            got[moved] = not got[moved]
    for has in (False, True):
        for role, player, unit in got:
            due = _owed(position, (role, player, unit), has)
            if due and got[role, player, unit] != has == (role in position.seats[player].roles):
                yield role, player, unit, due


def _owed(position: Position, key: RoleNumber, has: bool) -> int:
    """What a number changes by when a player gets a Role, or gives it away."""
    role, player, unit = key
    return _brought(position, role, player)[unit] * (1 if has else -1)


def _brought(position: Position, role: str, player: int) -> Counter[LedgerUnit]:
    """What a Role brings to a player, with what cards pay for it."""
    found = Counter(
        {LedgerUnit.POINTS: points_of(position, ROLES[role]), LedgerUnit.INFLUENCE: ROLES[role].influence}
    )
    if position.ruling(OpenQuestion.ROLES_COUNTED) == "new":
        for _card, effect in position.effects(player, Trigger.ROLE):
            if effect.known and effect.unit in {*UNIT_TRACKS}:
                found[LedgerUnit(effect.unit)] += effect_amount(position, player, effect)
    return +found


def _set_right(position: Position) -> Iterator[tuple[int, LedgerUnit | Domain, int]]:
    """The numbers that people have set right since the Roles were determined."""
    for line in position.lines[position.determined :]:
        if line.why == BY_HAND:
            yield line.player, line.unit, line.amount
