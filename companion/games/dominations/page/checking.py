"""The sliders and tracks on the table beside the numbers of the log, to be put right with a tap."""

from __future__ import annotations

from dataclasses import replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.choices import (
    PLAYER_NAME,
    Action,
    ActionGroup,
    ActionPanel,
    Stepper,
    Wish,
    leads,
)
from companion.games.dominations.rules.box import DOMAIN_NAMES, LIMITS, MARKERS, Domain
from companion.games.dominations.rules.events import Adjusted
from companion.games.dominations.rules.ledger import highest_amount
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.prospects import track_place
from companion.games.dominations.rules.steps import Track
from companion.games.dominations.text.notation import write_event

LARGE_STEP = 5
"""What a larger step of a track is."""


def checking_panel(position: Position, wish: Wish) -> ActionPanel:
    """Everything that somebody's board shows, each with a button on either side."""
    text = wish.get("check", "")
    player = int(text) - 1 if text in {str(n + 1) for n in range(position.players)} else position.player
    people = tuple(
        Action(PLAYER_NAME, player=n, to=leads(check=str(n + 1)), chosen=n == player)
        for n in range(position.players)
    )
    seat = position.seats[player]
    reserves = tuple(_reserve(position, player, domain) for domain in Domain)
    limits = tuple(_limit(position, player, domain) for domain in Domain)
    points = position.points[player]
    tracks = (
        _track_stepper(
            player, Track.INFLUENCE, _("Influence: %(laps)d laps, place %(place)d"), seat.influence, 999
        ),
        _track_stepper(player, Track.POINTS, _("Points: %(laps)d laps, place %(place)d"), points, 9999),
        _stepper(player, Track.MARKERS, _("City markers"), seat.markers, MARKERS),
    )
    return ActionPanel(
        _("Does the table show the same?"),
        (
            ActionGroup(people, None, "seats"),
            ActionGroup((), None, "steppers", reserves),
            ActionGroup((), None, "steppers", tracks),
            ActionGroup((), _("Limits"), "steppers", limits, folded=True),
            ActionGroup((Action(_("All is right"), to=leads(), main=True),)),
        ),
        (_("Each tap stands in the log."),),
        leads(),
    )


def _reserve(position: Position, player: int, domain: Domain) -> Stepper:
    seat = position.seats[player]
    amount, limit = seat.knowledge[domain], seat.limits[domain]
    less, more = (Adjusted(player, domain, step) for step in (-1, 1))
    return Stepper(
        DOMAIN_NAMES[domain],
        amount,
        _tap(less) if amount else None,
        _tap(more) if amount < highest_amount(position, player, domain) else None,
        domain.value,
        limit,
    )


def _limit(position: Position, player: int, domain: Domain) -> Stepper:
    seat, step = position.seats[player], LIMITS[1] - LIMITS[0]
    limit = seat.limits[domain]
    less, more = (Adjusted(player, domain, change, limit=True) for change in (-step, step))
    fits = seat.knowledge[domain] <= limit - step and limit > LIMITS[0]
    return Stepper(
        DOMAIN_NAMES[domain],
        limit,
        _tap(less) if fits else None,
        _tap(more) if limit < LIMITS[-1] else None,
        domain.value,
    )


def _track_stepper(player: int, track: Track, name: Message, value: int, most: int) -> Stepper:
    laps, place = track_place(value, track.value)
    told = Message(name.text, {"laps": laps, "place": place})
    down, up = min(LARGE_STEP, value), min(LARGE_STEP, most - value)
    far = (_far(Adjusted(player, track, -down)), _far(Adjusted(player, track, up)))
    return replace(_stepper(player, track, told, value, most), far=far)


def _far(event: Adjusted) -> Action | None:
    """Several steps in one entry, or as many as there are."""
    if abs(event.amount) < 2:
        return None
    text = _("%(count)d more") if event.amount > 0 else _("%(count)d less")
    return Action(
        Message(text.text, {"count": abs(event.amount)}),
        line=write_event(event),
        brief=f"{event.amount:+d}".replace("-", "−"),
    )


def _stepper(player: int, track: Track, name: Message, value: int, most: int) -> Stepper:
    less, more = (Adjusted(player, track, step) for step in (-1, 1))
    return Stepper(name, value, _tap(less) if value else None, _tap(more) if value < most else None)


def _tap(event: Adjusted) -> Action:
    return Action(_("One more") if event.amount > 0 else _("One less"), line=write_event(event))
