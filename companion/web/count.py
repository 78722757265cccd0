"""Counting a finished game from photos of it, before there is a session: whose each group is, the questions, the tally.

What people said travels in the address; nothing is recorded before they say that the tally is right. Then a session
begins, and everything in it is recorded in one step. A game that is going on lends its people; where it can end as the
photos show it, it does, and else it stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, redirect, render_template, request, url_for

from companion.core.errors import CompanionError, IllegalEvent, NotationError, StaleSession
from companion.core.game import COLOUR_NAMES, NAME_LIMIT, AnyGame, Colour, Option, Player, Setup, check_setup
from companion.core.log import Source
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.photo import AnyPhotoSight, Corners, PhotoTable, photo_sight
from companion.core.session import Session
from companion.core.tally import Tally
from companion.games import GAMES
from companion.photos.service import GONE, NOTHING_BETWEEN
from companion.web import forms
from companion.web.access import ViewResult, changes_game
from companion.web.context import existing, house, say
from companion.web.errors import status_of
from companion.web.forms import NOT_UNDERSTOOD, whole_field
from companion.web.photo import (
    LONGEST_FIXES,
    NOWHERE,
    PHOTO_LIMIT,
    check_corners,
    corners_field,
    reachable,
)

if TYPE_CHECKING:
    from companion.photos.service import GroupOutline, PhotoService
    from companion.photos.view import PhotoView

count_blueprint = Blueprint("count", __name__, url_prefix="/count/<key>")

SHELF = "count:"
"""Before the game's key, where photos lie that belong to no session yet."""
MOST_PHOTOS = 4
ALL = "all"
"""What people look at who look at everything."""
LONGEST_POINTS = 4
"""Digits of what somebody has on the track."""
LEFT_OUT = "none"
"""Whose a group is that does not count; any other word says that it does, although another photo shows it, too."""
SAME, FEWEST = 0.9, 12
"""Part of their squares that groups of two photos have in common that are one, and how many of them there have to be:
kingdoms that have just begun may well have the same."""


@dataclass(frozen=True)
class Group:
    """A group of pieces, with what people have said of it."""

    number: int
    """Of all groups of all photos, from 0."""
    photo: str
    outline: GroupOutline
    player: Player
    said: bool
    """Whether people said whose it is; else it is proposed, or anybody's."""
    view: PhotoView | None
    after: Any
    """What the game's page draws once it is recorded; None while it cannot be."""

    @property
    def open(self) -> bool:
        """Whether something about it is not settled."""
        return self.view is None or not self.view.event


@dataclass(frozen=True)
class FinishedGame:
    """A finished game as it lies in photos, as far as it is known."""

    game: AnyGame
    sight: AnyPhotoSight
    setup: Setup
    photos: Sequence[str]
    groups: Sequence[Group]
    left_out: Sequence[tuple[int, bool]]
    """The number of each that does not count, and whether another photo shows it, too."""
    track: Sequence[int] | None
    """What each player has on the track; None where a game keeps one and nobody has said."""
    on_track: Mapping[str, int]
    """What the photo shows there by colours, as far as it does: proposed, never counted before people say so."""
    tally: Tally | None
    """None while something is open."""
    ending: Sequence[str] = ()
    """What the game that is going on records to end as the photos show it; empty where it cannot."""

    @property
    def few(self) -> bool:
        """Whether somebody's pieces are missing."""
        return self.sight.owned and len(self.groups) not in self.game.seats

    @property
    def ready(self) -> bool:
        return self.tally is not None and self.track is not None and not self.few

    @property
    def ranking(self) -> Sequence[tuple[int, int]]:
        """Everybody's rank and number, the first ones first."""
        ranks = self.tally.standing.ranks if self.tally else ()
        return sorted((rank, number) for number, rank in enumerate(ranks))

    @property
    def events(self) -> Sequence[str]:
        return [one.view.event for one in self.groups if one.view]


@count_blueprint.before_request
def allow_photos() -> None:
    """Forms are small everywhere else."""
    request.max_content_length = PHOTO_LIMIT


@count_blueprint.get("")
@changes_game
def show(key: str) -> ViewResult:
    return render(key)


@count_blueprint.post("/photo")
@changes_game
def put(key: str) -> ViewResult:
    """Read a photo that was sent, or what the table's camera sees: one more, or the rest of a board."""
    game, sight, desk = _all(key)
    before, fixes = _photos(desk, game), ""
    try:
        if sight.spreads and request.args.get("photos") and not before:
            raise NotationError(GONE)
        sent = forms.uploaded_photo(PHOTO_LIMIT)
        if sight.spreads and before:
            token, fixes = desk.add(_shelf(game), desk.now(_shelf(game), before[0]), sent, _fixes(0))
        else:
            token = desk.put(_shelf(game), game, sent)
    except CompanionError as error:
        return render(key, error.message, status_of(error))
    if sight.spreads:
        return _show(key, photos=token, fix0=fixes or None, at=None)
    return _show(key, photos=",".join([*before, token][-MOST_PHOTOS:]))


@count_blueprint.get("/<token>.jpg")
@changes_game
def picture(key: str, token: str) -> Response:
    game, _sight, desk = _all(key)
    number = request.args.get("picture", 0, int)
    return forms.send_kept_picture(lambda: desk.picture(_shelf(game), token, number))


@count_blueprint.post("/corners")
@changes_game
def corners(key: str) -> ViewResult:
    """Read a group again between four corners, or one that was not found.

    What was said of its squares is said no more.
    """
    game, _sight, desk = _all(key)
    shown: Corners = ()
    token, new = request.form.get("photo", ""), request.form.get("new") == "1"
    photos, number = _photos(desk, game), 0 if new else whole_field("number", 2)
    try:
        shown = corners_field()
        check_corners(shown, desk.size(_shelf(game), token))
        if new:
            before = photos[: photos.index(token)] if token in photos else photos
            number = sum(len(_groups(desk, game, one)) for one in before)
            number += desk.outline(_shelf(game), token, shown)
        else:
            desk.place(_shelf(game), token, shown)
    except CompanionError as error:
        return render(key, error.message, status_of(error), shown)
    said = {f"fix{number}": None} | ({f"who{number}": None} if new else {})
    return _show(key, **said, look=number, corners=None, new=None, read=1)


@count_blueprint.post("/record")
@changes_game
def record(key: str) -> ViewResult:
    """Begin a session with what people say is right; the photos are forgotten."""
    game, sight, desk = _all(key)
    try:
        found = _found(game, sight, desk, request.form)
        if request.form.getlist("group") != [one.outline.token for one in found.groups]:
            raise StaleSession(
                _("A photo was read again meanwhile. Nothing was recorded: look at it once more.")
            )
        if not found.ready:
            raise NotationError(NOT_UNDERSTOOD)
        check_setup(game, found.setup)
        with desk.recording(_shelf(game), found.photos):
            going = _lender(game) if found.ending else None
            session = going or house().sessions.begin(game, found.setup, Source.PAGE)
            house().sessions.record_all(session.id, session.seq, found.ending or found.events, Source.PAGE)
    except CompanionError as error:
        return render(key, error.message, status_of(error))
    if request.form.get("learn") == "1":
        for one in found.groups:
            with suppress(
                CompanionError
            ):  # it is recorded: what a box could not learn is no reason to say otherwise
                desk.learn(_shelf(game), one.outline.token, _fixes(one.number), every=True)
    for token in found.photos:
        desk.forget(_shelf(game), token)
    return redirect(url_for("result.show", id=session.id), 303)


@count_blueprint.get("/<any(photo, corners, record):_done>")
def back(key: str, _done: str) -> ViewResult:
    """A refused tap leaves a browser at its address: links there lead to the count."""
    return redirect(f"{url_for('count.show', key=key)}?{request.query_string.decode(errors='replace')}", 303)


def render(key: str, message: Message | None = None, status: int = 200, dragged: Corners = ()) -> ViewResult:
    game, sight, desk = _all(key)
    asked = request.args.get("photos", "").split(",") if request.args.get("photos") else []
    found = _found(game, sight, desk, request.form)
    # Only of the last photo, so that every other group keeps its number.
    outlined = found.photos[-1] if found.photos and request.args.get("new") == "1" else ""
    if len(found.photos) < min(len(asked), MOST_PHOTOS):
        message, status = message or _("This photo is not here any more: take it again."), max(status, 400)
    look = None if outlined else _looked_at(found)
    dragging = look is not None and (look.view is None or request.args.get("corners") == "1")
    if look and look.view is None:
        message = message or (NOTHING_BETWEEN if request.args.get("read") else NOWHERE)
    return render_template(
        "count.html",
        game=game,
        found=found,
        look=look,
        outlined=outlined,
        dragging=dragging,
        around=reachable(desk, _shelf(game), look.outline.token, dragged) if look and dragging else dragged,
        sizes={token: desk.size(_shelf(game), token) for token in found.photos},
        troubles=[trouble for token in found.photos if (trouble := desk.trouble(_shelf(game), token))],
        title=say(sight.title(look.player.name) if look and sight.owned else game.name),
        colours=game.colours,
        taken={one.player.colour: one.number for one in found.groups if one.said},
        choices=list(_choices(found)),
        seats=list(_seats(found)),
        going=_lender(game),
        message=message,
        limit=PHOTO_LIMIT,
        name_limit=NAME_LIMIT,
        camera=house().watcher is not None and house().aimer is not None,
        state=request.query_string.decode(errors="replace"),
    ), status


def _found(game: AnyGame, sight: AnyPhotoSight, desk: PhotoService, form: Mapping[str, str]) -> FinishedGame:
    photos = _photos(desk, game)
    every = [(token, one) for token in photos for one in _groups(desk, game, token)]
    again = set(_seen_before(every)) if sight.owned else set()
    usual = [LEFT_OUT if n in again else "" for n in range(len(every))]
    counted = [(n, *one) for n, one in enumerate(every) if request.args.get(f"who{n}", usual[n]) != LEFT_OUT]
    counted = counted[: game.seats[-1] if sight.owned else 1]
    numbers = {number for number, _token, _outline in counted}
    left_out = [(n, n in again) for n in range(len(every)) if n not in numbers]
    setup = _setup(
        game, sight, counted, form, list(_colours_seen(desk, game, counted)) if not sight.owned else ()
    )
    lender = _lender(game)
    if lender and sight.owned and set(setup.players) == set(lender.setup.players):
        # As they sit there: an event says whose a group is by that.
        seats = {player: seat for seat, player in enumerate(lender.setup.players)}
        pairs = sorted(zip(counted, setup.players, strict=False), key=lambda pair: seats[pair[1]])
        if len(pairs) == len(seats):
            counted, setup = [one for one, _player in pairs], Setup(lender.setup.players, setup.options)
    track = _track(setup, {**request.args, **form}) if sight.track else ()
    position, groups = game.start(setup), list[Group]()
    # What a game tells step by step at its end, it tells over the photo as well.
    step = {"step": request.args["step"][:4]} if "step" in request.args else {}
    for index, (number, token, outline) in enumerate(counted):
        table = PhotoTable(setup, position, index, tuple(track or ()))
        view = _view(desk, game, outline.token, table, number)
        after = None
        if view and view.event:
            with suppress(IllegalEvent):
                position = game.apply(position, view.settled.event)
                after = game.page(position, step)
        said = request.args.get(f"who{number}") == setup.players[index].colour
        groups.append(Group(number, token, outline, setup.players[index], said, view, after))
    on_track = desk.on_track(_shelf(game), groups[0].outline.token) if sight.track and groups else {}
    tally = game.tally(position) if groups and not any(one.open for one in groups) else None
    found = FinishedGame(game, sight, setup, photos, groups, left_out, track, on_track, tally)
    return replace(found, ending=tuple(_ending(found, lender))) if found.ready and lender else found


def _ending(found: FinishedGame, lender: Session) -> Sequence[str]:
    """What ends the game that is going on as the photos show it, if that comes to the same."""
    game, position, events = found.game, lender.position, list(found.events)
    (ours, theirs), bare = (found.setup, lender.setup), found.sight.options
    if ours.players != theirs.players or ours.options - bare != theirs.options - bare or found.tally is None:
        return ()
    stop = game.stop(position)
    if stop is not None:
        events.insert(0, game.write(stop))
    try:
        for event in events:
            position = game.apply(position, game.parse(event))
    except CompanionError:
        return ()
    same = game.turn(position).over and game.tally(position).totals == found.tally.totals
    return events if same else ()


def _track(setup: Setup, said: Mapping[str, str]) -> Sequence[int] | None:
    """What each player has on the track, once people said so of all."""
    points = [said.get(f"track_{player.colour}", "") for player in setup.players]
    known = all(one.isascii() and one.isdigit() and len(one) <= LONGEST_POINTS for one in points)
    return [int(one) for one in points] if known else None


def _seen_before(every: Sequence[tuple[str, GroupOutline]]) -> Iterator[int]:
    """The groups that are one with a group before: in the same place of a photo, or of the same squares in another."""
    for number, (photo, one) in enumerate(every):
        for before, other in every[:number]:
            common = (Counter(one.squares) & Counter(other.squares)).total()
            alike = common >= max(FEWEST, SAME * max(len(one.squares), len(other.squares)))
            over = (
                other.squares
                and max(abs(one.x - other.x), abs(one.y - other.y)) < min(one.side, other.side) / 2
            )
            if over if photo == before else alike:
                yield number
                break


def _view(desk: PhotoService, game: AnyGame, token: str, table: PhotoTable, number: int) -> PhotoView | None:
    looked = request.args.get("look") == str(number)
    return desk.view(
        _shelf(game), token, table, _fixes(number), request.args.get("at", "")[:4] if looked else ""
    )


def _fixes(number: int) -> str:
    """What people have put right in a group."""
    return request.args.get(f"fix{number}", "")[:LONGEST_FIXES]


def _setup(
    game: AnyGame,
    sight: AnyPhotoSight,
    counted: Sequence[tuple[int, str, GroupOutline]],
    form: Mapping[str, str],
    seen: Collection[str],
) -> Setup:
    """The people by their colours: as people said, else as a piece says, else those that are left."""
    lender = _lender(game)
    known = {player.colour: player.name for player in lender.setup.players} if lender else {}
    said = {n: _colour(game, request.args.get(f"who{n}", "")) for n, _token, _one in counted}
    shown = {
        n: _colour(game, one.colour) for n, _token, one in counted if one.colour in (known or game.colours)
    }
    colours: dict[int, Colour] = {}
    for number, colour in (*said.items(), *shown.items()):
        if sight.owned and colour and number not in colours and colour not in colours.values():
            colours[number] = colour
    if sight.owned:
        # Those who play come first among the colours that are left.
        spare = iter([one for one in dict.fromkeys((*known, *game.colours)) if one not in colours.values()])
        order = [colours.get(n) or next(spare) for n, _token, _one in counted]
        order += islice(spare, max(0, game.seats[0] - len(order)))
    else:
        order = _playing(game, known, seen)
    said_names = {**request.args, **form}
    names = [said_names.get(f"name_{colour}", "").strip() or known.get(colour, "") for colour in order]
    players = tuple(
        Player(name or say(COLOUR_NAMES[colour]), colour) for name, colour in zip(names, order, strict=True)
    )
    setup = Setup(players, sight.options)
    return next(iter(_startable(game, setup, _options(game, lender))), setup)


def _colours_seen(
    desk: PhotoService, game: AnyGame, counted: Sequence[tuple[int, str, GroupOutline]]
) -> Iterator[str]:
    """Whose pieces lie on a table that is everybody's."""
    for number, _token, outline in counted:
        with suppress(CompanionError):
            yield from desk.colours(_shelf(game), outline.token, _fixes(number))


def _playing(game: AnyGame, known: Collection[str], seen: Collection[str]) -> list[Colour]:
    """Who plays at a table that is everybody's: whose pieces are seen, and as people said, or who is known to."""
    said = request.args.get("who", "").split(",") if "who" in request.args else known
    order = [colour for colour in game.colours if colour in {*said, *seen}][: game.seats[-1]]
    spare = (colour for colour in game.colours if colour not in order)
    return [*order, *islice(spare, max(0, game.seats[0] - len(order)))]


@dataclass(frozen=True)
class SeatChoice:
    """A colour that somebody plays, or nobody."""

    colour: Colour
    on: bool
    then: str
    """All who play once it is tapped; empty where nobody more, or fewer, can."""


def _seats(found: FinishedGame) -> Iterator[SeatChoice]:
    playing = [player.colour for player in found.setup.players]
    for colour in found.game.colours if not found.sight.owned else ():
        then = [one for one in found.game.colours if (one in playing) != (one == colour)]
        yield SeatChoice(colour, colour in playing, ",".join(then) if len(then) in found.game.seats else "")


def _options(game: AnyGame, lender: Session | None) -> frozenset[str]:
    """What the table plays by, as people said, or as the game does that lends its people."""
    known = {option.key for option in game.options}
    if "options" in request.args:
        return frozenset(request.args["options"].split(",")) & known
    return lender.setup.options if lender else frozenset()


def _startable(game: AnyGame, setup: Setup, more: frozenset[str]) -> Iterator[Setup]:
    """The same table by these options as well, where it can play by them."""
    fuller = Setup(setup.players, setup.options | more)
    with suppress(IllegalEvent):
        game.start(fuller)
        yield fuller


@dataclass(frozen=True)
class OptionChoice:
    """An option to count by, or not."""

    option: Option
    on: bool
    then: str
    """All options that count once it is tapped."""


def _choices(found: FinishedGame) -> Iterator[OptionChoice]:
    bare = found.sight.options
    for option in found.game.options:
        if option.key in bare or option.asked:
            continue
        now = found.setup.options - bare
        then = now ^ {option.key}
        if any(_startable(found.game, Setup(found.setup.players, bare), then)):
            yield OptionChoice(option, option.key in now, ",".join(sorted(then)))


def _looked_at(found: FinishedGame) -> Group | None:
    """The group somebody looks at; once all are named, the first that something is open about."""
    wish = request.args.get("look", "")
    asked = next((one for one in found.groups if str(one.number) == wish), None)
    if asked or wish == ALL or (found.sight.owned and not _named(found)):
        return asked
    return next((one for one in found.groups if one.open), None)


def _named(found: FinishedGame) -> bool:
    return all(one.said for one in found.groups)


def _colour(game: AnyGame, said: str) -> Colour | None:
    return next((colour for colour in game.colours if colour == said), None)


def _lender(game: AnyGame) -> Session | None:
    """The game that is going on and that people count from a photo meanwhile."""
    with suppress(CompanionError):
        if going := request.args.get("going", "")[:40]:
            session = house().sessions.session(going)
            return session if session.game.key == game.key else None
    return None


def _photos(desk: PhotoService, game: AnyGame) -> Sequence[str]:
    """The photos that are still there."""
    found = []
    for token in request.args.get("photos", "").split(",")[:MOST_PHOTOS]:
        with suppress(CompanionError):
            if token:
                desk.size(_shelf(game), token)
                found.append(token)
    return found


def _groups(desk: PhotoService, game: AnyGame, token: str) -> Sequence[GroupOutline]:
    return desk.groups(_shelf(game), token)


def _shelf(game: AnyGame) -> str:
    return SHELF + game.key


def _show(key: str, **changes: object) -> ViewResult:
    wishes = {**request.args.to_dict(), **changes}
    return redirect(url_for("count.show", key=key, **{k: v for k, v in wishes.items() if v is not None}), 303)  # type: ignore[arg-type]


def _all(key: str) -> tuple[AnyGame, AnyPhotoSight, PhotoService]:
    game = existing(GAMES.get(key))
    return game, existing(photo_sight(game)), existing(house().photos)
