"""What stays where it was when a Role is put right by hand: points and Influence, each to be moved with a tap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.message import message as _
from companion.games.dominations.page.choices import Choice, Group, group
from companion.games.dominations.rules.box import ROLES, Domain, Open
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.eras import points_of
from companion.games.dominations.rules.events import Adjusted
from companion.games.dominations.rules.gains import amount_of
from companion.games.dominations.rules.ledger import BY_HAND
from companion.games.dominations.rules.position import Position, Stage, Unit
from companion.games.dominations.rules.roles import ROLE_NAMES
from companion.games.dominations.rules.steps import Track
from companion.games.dominations.text.notation import write_event

TRACKS = {Unit.POINTS: Track.POINTS, Unit.INFLUENCE: Track.INFLUENCE}
CHANGES = {Unit.POINTS: _("%(role)s: %(amount)s points"), Unit.INFLUENCE: _("%(role)s: %(amount)s Influence")}
Key = tuple[str, int, Unit]
"""A Role, whose number it is, and which."""
Move = tuple[str, int, Unit, int]
"""A Role, whose number it is, which, and by how much it is off."""


def left_behind(position: Position) -> tuple[Group, ...]:
    """One tap for each number that did not move with a Role."""
    if position.stage is not Stage.NEXT:
        return ()
    found = [_choice(*move) for move in _moves(position)]
    return group(found, _("This did not move with the Role: tap to set it right"), "pairs")


def _choice(role: str, player: int, unit: Unit, amount: int) -> Choice:
    text = _(CHANGES[unit].text, role=ROLE_NAMES[role], amount=f"{amount:+d}".replace("-", "−"))
    return Choice(text, player=player, line=write_event(Adjusted(player, TRACKS[unit], amount)))


def _moves(position: Position) -> Iterator[Move]:
    """What was brought to whoever has not got the Role, and not to who has it, as far as people have set it right."""
    roles = [one for one in position.compared if one.role in position.righted]
    players = range(position.players)
    got = {
        (one.role, player, unit): player == one.winner
        for one in roles
        for player in players
        for unit in TRACKS
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


def _owed(position: Position, key: Key, has: bool) -> int:
    """What a number changes by when a player gets a Role, or gives it away."""
    role, player, unit = key
    return _brought(position, role, player)[unit] * (1 if has else -1)


def _brought(position: Position, role: str, player: int) -> Counter[Unit]:
    """What a Role brings to a player, with what cards pay for it."""
    found = Counter({Unit.POINTS: points_of(position, ROLES[role]), Unit.INFLUENCE: ROLES[role].influence})
    if position.ruling(Open.ROLES_COUNTED) == "new":
        for _card, effect in position.effects(player, Trigger.ROLE):
            if effect.known and effect.unit in {*TRACKS}:
                found[Unit(effect.unit)] += amount_of(position, player, effect)
    return +found


def _set_right(position: Position) -> Iterator[tuple[int, Unit | Domain, int]]:
    """The numbers that people have set right since the Roles were determined."""
    for line in position.lines[position.determined :]:
        if line.why == BY_HAND:
            yield line.player, line.unit, line.amount
