"""`companion watch GAME FRAMES…`: a film of a table, looked at as the camera above it would be.

The log is one of its own, in a folder that is gone afterwards: of the household's, only its box is read.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from shutil import copyfile
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.commands.answers import answer_lines, session_answer
from companion.commands.read import is_folder, read_corners
from companion.commands.terminal import Exit, Terminal, config_argument, json_argument, terminal
from companion.core.errors import CameraError, NotationError
from companion.core.game import COLOUR_NAMES, AnyGame, Colour, Player, Remark, Setup, check_setup
from companion.core.log import Source
from companion.core.message import Message, Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.session import begin_session
from companion.games import GAMES, find_game
from companion.household.settings import load_settings
from companion.watch.evenings import CALIBRATION, FILE, unpack_evening

if TYPE_CHECKING:
    from companion.app import PieceSource
    from companion.core.observation import Choice, Doubt
    from companion.core.session import Session
    from companion.household.settings import CameraSettings
    from companion.sessions.live import LiveSessions
    from companion.watch.film import FilmDeed, FilmPlayer, PictureSeen, TableShown
    from companion.watch.watcher import TableWatcher
    from hardware.film import FilmPicture

EVERY_S, EVERY_VIDEO_S = 1.0, 0.2
"""Between two pictures of a folder, and between two that are taken out of a video, where nobody says."""
LEAST_S, MOST_S = 0.02, 3600.0
MOST_PICTURES = 100_000
NO_ENTRY = "–"
PICTURES, ZIP = (".jpg", ".jpeg", ".png"), ".zip"
SAID = ("players", "colours", "option", "size", "every")
"""What an evening that was kept says itself."""
_SIZE = re.compile(r"(\d{2,3}(?:\.\d)?)x(\d{2,3}(?:\.\d)?)")


def arguments(parser: ArgumentParser, say: Say) -> None:
    watched = ", ".join(key for key, game in GAMES.items() if game.sight)
    parser.add_argument("game", metavar=say(_("GAME")), help=watched)
    frames = say(
        _(
            "A folder of numbered pictures (JPEG or PNG), the pictures themselves, a video, or an evening's ZIP."
        )
    )
    parser.add_argument("frames", metavar=say(_("FRAMES")), nargs="+", help=frames)
    parser.add_argument("--players", metavar="N", help=say(_("How many play; two, if nobody says.")))
    colours = say(_("Their colours in the order they sit, such as pink,blue."))
    parser.add_argument("--colours", metavar=say(_("COLOURS")), help=colours)
    option = say(_("An option that the table has switched on."))
    parser.add_argument("--option", metavar=say(_("OPTION")), action="append", default=[], help=option)
    boxes = say(_("The household's box that is read by; without it, the one that people chose."))
    parser.add_argument("--boxes", metavar=say(_("NAME")), default="", help=boxes)
    corners = say(_("The table's corners in the pictures, in pixels, clockwise from the upper left."))
    parser.add_argument("--corners", metavar="X,Y", nargs=4, help=corners)
    size = say(_("The table's width and depth in centimetres; 160x90, if neither markers nor you say."))
    parser.add_argument("--size", metavar="WxD", help=size)
    parser.add_argument("--record", action="store_true", help=say(_("Record what needs no question.")))
    every = say(_("Seconds between two pictures: 1, and 0.2 for a video."))
    parser.add_argument("--every", metavar=say(_("SECONDS")), help=every)
    config_argument(parser, say)
    json_argument(parser, say)


@dataclass(frozen=True, eq=False)
class Film:
    """What is watched, and what is known of its table."""

    name: str
    items: Callable[[TableWatcher, LiveSessions], Iterable[FilmPicture | FilmDeed]]
    last_s: float
    """How long the last picture lies there."""
    session: Session
    """The log before the first picture."""
    camera: CameraSettings
    count: int = 0
    """How many pictures it has; 0 where nobody knows."""
    evening: Path | None = None
    """The folder of an evening that was kept: what was set about its camera lies there, too."""
    then: tuple[str, ...] | None = None
    """What the log said at its end; None where that breaks off."""


def run(args: Namespace) -> int:
    game = find_game(args.game)
    if game.sight is None:
        raise NotationError(_("%(game)s cannot be watched yet: tap in what happens.", game=game.name))
    # Imported here: what is wrong in words is answered without them.
    from companion.app import PieceSource
    from companion.vision.gallery.box import BoxRepository

    pieces = PieceSource(load_settings(args.config).settings.data_folder, args.boxes)
    if args.boxes:
        BoxRepository(pieces.data).check(game.key, args.boxes)
    files, every, table = [Path(file) for file in args.frames], _seconds(args.every), _table(args)
    with ExitStack() as stack:
        if (
            len(files) == 1
            and files[0].suffix.lower() == ZIP
            and _exists(files[0])
            and not is_folder(files[0])
        ):
            unpacked = stack.enter_context(TemporaryDirectory(prefix="companion-evening-"))
            files = [unpack_evening(files[0], Path(unpacked))]
        if len(files) == 1 and is_folder(files[0]) and (files[0] / FILE).is_file():
            if said := [name for name in SAID if getattr(args, name)]:
                raise NotationError(
                    _("An evening that was kept says that itself: leave out --%(option)s.", option=said[0])
                )
            film = _evening(game, files[0], args.record)
        else:
            film = _film(game, files, every, args)
        return _watch(terminal(args), film, table, pieces, args.record)


def _watch(reader: Terminal, film: Film, table: TableShown, pieces: PieceSource, record: bool) -> Exit:
    # Imported here: what is no film is answered without them.
    from companion.app import watch_through
    from companion.sessions.json_lines import import_session
    from companion.sessions.live import LiveSessions
    from companion.sessions.repository import SessionRepository
    from companion.vision.table.calibrator import Calibrator
    from companion.watch.film import FilmPlayer
    from hardware.film import FilmCamera

    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="companion-film-")))
        if film.evening:
            for path in film.evening.iterdir():
                if path.name == CALIBRATION or path.suffix == ".png":
                    copyfile(path, folder / path.name)
        store = SessionRepository(f"sqlite:///{folder / 'companion.db'}", GAMES)
        import_session(store, film.session)
        sessions = stack.enter_context(closing(LiveSessions(store)))
        camera = FilmCamera(film.name)
        rig = watch_through(camera, sessions, film.camera, Calibrator(folder), pieces)
        stack.callback(rig.close)
        rig.watcher.follow(film.session.id)
        player = FilmPlayer(
            camera,
            rig.loop,
            rig.watcher,
            rig.aimer,
            lambda: sessions.session(film.session.id),
            table,
            film.camera.still_s if record else None,
        )
        return _tell(reader, player, film, player.play(film.items(rig.watcher, sessions), film.last_s))


def _tell(reader: Terminal, player: FilmPlayer, film: Film, pictures: Iterable[PictureSeen]) -> Exit:
    """A line for each picture, and one for what it all comes to."""
    worst, took, frames = Exit.DONE, list[float](), 0
    for seen in pictures:
        reader.progress(seen.number, film.count)
        for trouble in seen.troubles:
            reader.complain(f"{seen.name}:", trouble)
        frames += 1
        if seen.damaged:
            worst = Exit.WRONG_INPUT
            reader.data({"frame": seen.number, "file": seen.name, "error": reader.put(seen.troubles[0])})
            continue
        took.append(seen.ms)
        answer = frame_answer(player.session(), seen, str if reader.json else reader.put)
        reader.data(answer)
        for line in _picture_lines(answer):
            reader.say(line)
    if not frames:
        raise NotationError(_("There is no picture in this film."))
    session = player.session()
    final = session_answer(session, str if reader.json else reader.put)
    ms = {"median": _ms(median(took)), "p95": _ms(_p95(took))} if took else {"median": None, "p95": None}
    then = {} if film.then is None else {"then": film.then}
    reader.data({"final": final, "events": final["turns"], "frames": frames, "ms": ms, **then})
    for told in answer_lines(session.game.key, final):
        reader.say(*told)
    if film.evening:
        reader.say(_compared(film.then, tuple(final["turns"])))
    if took:
        reader.say(
            _n("%(count)d picture", "%(count)d pictures", frames),
            f"· {ms['median']} ms, 95 %: {ms['p95']} ms",
        )
    return worst


def _compared(then: Sequence[str] | None, now: Sequence[str]) -> Message:
    """Whether the log says what it said on the evening; where not, the first thing that differs."""
    if then is None:
        return _("The log of that evening breaks off: there is nothing to compare with.")
    for number, (before, after) in enumerate(zip_longest(then, now, fillvalue=NO_ENTRY), start=1):
        if before != after:
            return _(
                "The log is not the same as on that evening: number %(number)d of what counts was “%(then)s”,"
                " now it is “%(now)s”.",
                number=number,
                then=before,
                now=after,
            )
    return _("The log is the same as on that evening.")


def frame_answer(session: Session, seen: PictureSeen, say: Say) -> dict[str, Any]:
    """What `--json` prints of a picture."""
    write, reading = session.game.write, seen.watch.reading
    return {
        "frame": seen.number,
        "file": seen.name,
        "time": round(seen.time, 3),
        "status": seen.watch.status.value,
        "said": say(seen.watch.said) if seen.watch.said else None,
        "proposals": [
            {"event": write(one.event), "confidence": round(one.confidence, 3)} for one in reading.proposals
        ],
        "doubts": [_doubt(session, doubt, say) for doubt in reading.doubts],
        "contradictions": [
            {
                "text": say(one.text),
                "meant": None if one.meant is None else write(one.meant),
                "lies": None if one.lies is None else write(one.lies),
            }
            for one in reading.contradictions
        ],
        "recorded": list(seen.recorded),
        "troubles": [say(trouble) for trouble in seen.troubles],
        "ms": _ms(seen.ms),
    }


def _doubt(session: Session, doubt: Doubt, say: Say) -> Mapping[str, Any]:
    write = session.game.write
    choices = [
        {"events": [write(event) for event in choice.events], "text": _choice_words(session, choice, say)}
        for choice in doubt.choices
    ]
    return {"question": say(doubt.question), "choices": choices}


def _choice_words(session: Session, choice: Choice, say: Say) -> str:
    from companion.watch.recording import events_in_words

    text = choice.text if choice.text is not None else events_in_words(session, choice.events, None)
    return say(text.text if isinstance(text, Remark) else text)


def _picture_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    """The same for a person; a picture of which there is nothing to tell is one short line."""
    yield f"{answer['frame']:>5}  {answer['status']}" + (f"  {answer['said']}" if answer["said"] else "")
    for one in answer["proposals"]:
        yield f"         + {one['event']}  ({one['confidence']:.0%})"
    for doubt in answer["doubts"]:
        yield f"         ? {doubt['question']}"
        yield from (f"             {choice['text']}" for choice in doubt["choices"])
    for odd in answer["contradictions"]:
        yield f"         ! {odd['text']}"
    for event in answer["recorded"]:
        yield f"         = {event}"


def _film(game: AnyGame, files: Sequence[Path], every: float | None, args: Namespace) -> Film:
    """The pictures that are meant, or NotationError; one film at a time."""
    from companion.household.settings import CameraSettings
    from hardware.film import film_of_files
    from hardware.folder_camera import by_name, photo_files

    first, pictures = files[0], list[Path]()
    if missing := [file for file in files if not _exists(file)]:
        raise NotationError(_("There is no file or folder %(file)s.", file=str(missing[0])))
    video = len(files) == 1 and not is_folder(first) and first.suffix.lower() not in PICTURES
    if len(files) == 1 and is_folder(first):
        pictures = photo_files(first)
        if not pictures:
            raise NotationError(
                _("There is no picture (JPEG or PNG) in the folder %(folder)s.", folder=str(first))
            )
    elif not video:
        if any(file.suffix.lower() not in PICTURES for file in files):
            raise NotationError(_("Watch one film at a time: a folder, a video, or pictures of one table."))
        pictures = sorted(files, key=by_name)
    if len(pictures) > MOST_PICTURES:
        raise NotationError(_("At most %(limit)d pictures at a time.", limit=MOST_PICTURES))
    step = every or (EVERY_VIDEO_S if video else EVERY_S)
    session = begin_session("film", game, _setup(game, args), Source.COMMAND, datetime.now(UTC))
    return Film(
        str(first),
        lambda _watcher, _sessions: _video(first, step) if video else film_of_files(pictures, step),
        step,
        session,
        CameraSettings(record_alone=args.record),
        len(pictures),
    )


def _video(file: Path, every: float) -> Iterator[FilmPicture]:
    from hardware.film import film_of_video

    try:
        yield from film_of_video(file, every)
    except CameraError as error:
        raise NotationError(error.message) from error


def _exists(file: Path) -> bool:
    """Whether there is such a file or folder; no name is too long to be asked about."""
    try:
        return file.exists()
    except OSError:
        return False


def _evening(game: AnyGame, folder: Path, record: bool) -> Film:
    """An evening that was kept: it says itself who plays, how the table lies in its pictures, and when."""
    from companion.household.settings import CameraSettings
    from companion.sessions.json_lines import read_session
    from companion.watch.evening_film import film_of_evening
    from companion.watch.evenings import read_evening
    from companion.watch.panel import PRESS_S

    head, parts = read_evening(folder)
    session = read_session(head.log, GAMES)
    if session.game is not game:
        raise NotationError(
            _("This is a game of %(found)s, not of %(asked)s.", found=session.game.name, asked=game.name)
        )
    try:
        then = read_session([*head.log, *(part.entry for part in parts if part.entry)], GAMES)
    except NotationError:
        then = None  # cut off with the power
    return Film(
        str(folder),
        lambda watcher, sessions: film_of_evening(folder, parts, watcher, sessions),
        PRESS_S,
        session,
        CameraSettings(
            still_s=head.still_s, rest_s=head.rest_s, ignore=head.ignore, record_alone=head.alone or record
        ),
        sum(bool(part.frame) for part in parts),
        folder,
        tuple(session_answer(then)["turns"]) if then else None,
    )


def _setup(game: AnyGame, args: Namespace) -> Setup:
    """Who plays: nobody has a name in a film."""
    named = [_colour(word) for word in args.colours.split(",")] if args.colours else []
    count = _players(args.players) if args.players is not None else len(named) or max(2, game.seats[0])
    colours = named or [game.colours[number % len(game.colours)] for number in range(count)]
    if len(colours) != count:
        raise NotationError(
            _n(
                "%(count)d player needs as many colours, not %(named)d.",
                "%(count)d players need as many colours, not %(named)d.",
                count,
                named=len(colours),
            )
        )
    players = (Player(COLOUR_NAMES[colour].text, colour) for colour in colours)
    setup = Setup(tuple(players), frozenset(args.option))
    check_setup(game, setup)
    return setup


def _colour(word: str) -> Colour:
    if word not in set(Colour):
        raise NotationError(
            _("There is no colour “%(word)s”, only %(known)s.", word=word[:20], known=", ".join(Colour))
        )
    return Colour(word)


def _players(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise NotationError(
            _("%(name)s is a whole number, not “%(text)s”.", name="--players", text=text[:20])
        )
    return int(text)


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    seconds = float(text) if re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,6})?", text) else 0.0
    if not LEAST_S <= seconds <= MOST_S:
        raise NotationError(
            _(
                "--every is a number of seconds from %(least)s to %(most)s, not “%(text)s”.",
                least=f"{LEAST_S:g}",
                most=f"{MOST_S:g}",
                text=text[:20],
            )
        )
    return seconds


def _table(args: Namespace) -> TableShown:
    from companion.watch.film import TableShown

    size = _SIZE.fullmatch(args.size) if args.size else None
    if args.size and not size:
        raise NotationError(_("A table's size is written in centimetres, such as 160x90."))
    return TableShown(
        tuple(read_corners(args.corners) or ()), (10 * float(size[1]), 10 * float(size[2])) if size else None
    )


def _ms(value: float) -> float:
    return round(value, 1)


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]
