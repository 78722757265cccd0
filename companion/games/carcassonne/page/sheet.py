"""The quick sheet: the end of a game told in numbers, without any tile.

A person's wishes come with the address: `room` (`sheet2`: the sheet, at the second player), `track` (say their points
again), `tens` (of the track), `also` (who shares a feature with them, as `1.3`), `pennants` and `more` (how many tiles
the first number to tap is above one).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.carcassonne.page.laying import Wish, corrected_entry
from companion.games.carcassonne.rules.board import KIND_NAMES, FeatureKind
from companion.games.carcassonne.rules.events import FeatureTold, GameEnded, TrackTold
from companion.games.carcassonne.rules.moves import MOST_THINGS
from companion.games.carcassonne.rules.position import Phase, Position
from companion.games.carcassonne.rules.variants import Variant
from companion.games.carcassonne.text.notation import write_event
from companion.games.carcassonne.text.tally import KINDS_IN_ORDER

DECADE = 10
TENS = range(0, 200, DECADE)
"""What is offered of the track: four laps, which nobody plays in this box."""
MOST_PENNANTS = 4
"""More of them in one open city count like as many more of its tiles."""

COLUMNS: dict[FeatureKind, Message] = {
    FeatureKind.ROAD: _("Roads"),
    FeatureKind.CITY: _("Cities"),
    FeatureKind.MONASTERY: _("Monasteries"),
    FeatureKind.FIELD: _("Fields"),
}
SHOWN_BY: dict[FeatureKind, str] = {
    FeatureKind.ROAD: "U",
    FeatureKind.CITY: "R",
    FeatureKind.MONASTERY: "B",
    FeatureKind.FIELD: "E",
}
"""A tile on which everybody sees what is meant."""
_ROOM = re.compile(r"sheet([1-5])")


@dataclass(frozen=True)
class Number:
    """A number to tap, and what it records."""

    number: int
    event: str
    """Empty where that cannot be: no city has more pennants than tiles."""
    chosen: bool = False
    """Whether the entry that is corrected says so."""


@dataclass(frozen=True)
class KindView:
    """A row of the sheet."""

    kind: FeatureKind
    name: Message
    tile: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class SheetView:
    """The sheet at one player."""

    player: int
    also: tuple[int, ...]
    """Who shares what is told next."""
    track: tuple[Number, ...]
    """The player's points of one decade; empty once they are told."""
    tens: int
    told: tuple[int | None, ...]
    kinds: tuple[KindView, ...]
    pennants: int
    more: int
    end: str
    """What says that everything is counted; empty until it is."""
    columns: tuple[Message, ...]
    sums: tuple[tuple[int, ...], ...]
    """What each player has on the track, and of each kind."""


def sheet_view(position: Position, wish: Wish) -> SheetView | None:
    """The sheet, where people have begun it or ask for it."""
    was, room = corrected_entry(wish), _ROOM.fullmatch(wish.get("room", ""))
    telling = isinstance(was, TrackTold | FeatureTold)
    empty = position.phase is Phase.SHOW and not position.board.tiles
    if not (position.sheet or (empty and (room or telling))):
        return None
    told = position.told or (None,) * position.players
    corrected = (
        was.owners if isinstance(was, FeatureTold) else (was.player,) if isinstance(was, TrackTold) else ()
    )
    player = (
        min(int(room[1]) - 1, position.players - 1) if room else corrected[0] if corrected else _next(told, 0)
    )
    tens = _number(wish, "tens", was.points // DECADE * DECADE if isinstance(was, TrackTold) else 0)
    asks = isinstance(was, TrackTold) or (not corrected and (told[player] is None or "track" in wish))
    also = wish.get("also", "" if room else ".".join(str(owner + 1) for owner in corrected))
    sharing = tuple(
        one for one in range(position.players) if one != player and str(one + 1) in also.split(".")
    )
    owners = tuple(sorted({player, *sharing}))
    pennants = min(
        _number(wish, "pennants", was.pennants if isinstance(was, FeatureTold) else 0), MOST_PENNANTS
    )
    more = _number(wish, "more", (was.things - 1) // DECADE * DECADE if isinstance(was, FeatureTold) else 0)
    return SheetView(
        player=player,
        also=sharing,
        track=tuple(_points(player, tens, was)) if asks else (),
        tens=tens,
        told=told,
        kinds=tuple(_kinds(position, owners, pennants, more, was)),
        pennants=pennants,
        more=more,
        end=write_event(GameEnded()) if None not in told and not position.ended and not corrected else "",
        columns=(_("Track"), *(COLUMNS[kind] for kind in KINDS_IN_ORDER)),
        sums=tuple(_sums(position, one) for one in range(position.players)),
    )


def room_after(sheet: SheetView) -> str:
    """Where a tap leaves the person: at whoever's track is still to be told, else where they are."""
    told = tuple(
        0 if sheet.track and one == sheet.player else points for one, points in enumerate(sheet.told)
    )
    if sheet.track:
        return f"sheet{_next(told, sheet.player) + 1 if None in told else 1}"
    return f"sheet{sheet.player + 1}"


def _next(told: tuple[int | None, ...], player: int) -> int:
    """Whoever's track nobody has told, from that player on; the first, where all are."""
    order = (*range(player, len(told)), *range(player))
    return next((one for one in order if told[one] is None), 0)


def _points(player: int, tens: int, was: object) -> Iterator[Number]:
    for points in range(tens, tens + DECADE):
        event = TrackTold(player, points)
        yield Number(points, write_event(event), event == was)


def _kinds(
    position: Position, owners: tuple[int, ...], pennants: int, more: int, was: object
) -> Iterator[KindView]:
    for kind in KINDS_IN_ORDER:
        if kind is FeatureKind.FIELD and Variant.NO_FARMERS in position.variants:
            continue
        marked = pennants if kind is FeatureKind.CITY else 0
        events = [
            FeatureTold(kind, things, owners, marked)
            for things in range(more + 1, min(more + DECADE, MOST_THINGS[kind]) + 1)
        ]
        numbers = tuple(
            Number(event.things, write_event(event) if event.things >= marked else "", event == was)
            for event in events
        )
        yield KindView(kind, KIND_NAMES[kind], SHOWN_BY[kind], numbers)


def _sums(position: Position, player: int) -> tuple[int, ...]:
    own = [count for count in position.scored if player in count.owners]
    track = position.told[player] if position.told else 0
    return (track or 0, *(sum(one.points for one in own if one.kind is kind) for kind in KINDS_IN_ORDER))


def _number(wish: Wish, key: str, usual: int) -> int:
    text = wish.get(key, "")
    return int(text) if re.fullmatch("[0-9]{1,3}", text) else usual
