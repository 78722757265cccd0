"""`companion watch GAME FRAMES…`: a film of a table, looked at as the camera above it would be.

The log is one of its own, in a folder that is gone afterwards: nothing of the household's is read or changed.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.commands.answers import answer_lines, session_answer
from companion.commands.read import is_folder, read_corners
from companion.commands.terminal import Exit, Terminal, json_argument, terminal
from companion.core.errors import NotationError
from companion.core.game import COLOUR_NAMES, AnyGame, Colour, Player, Remark, Setup, check_setup
from companion.core.log import Source
from companion.core.message import Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games import GAMES, find_game

if TYPE_CHECKING:
    from companion.core.observation import Choice, Doubt
    from companion.core.session import Session
    from companion.watch.film import FilmDeed, FilmPlayer, PictureSeen, TableShown
    from hardware.film import FilmPicture

EVERY_S, EVERY_VIDEO_S = 1.0, 0.2
"""Between two pictures of a folder, and between two that are taken out of a video, where nobody says."""
LEAST_S, MOST_S = 0.02, 3600.0
MOST_PICTURES = 100_000
PICTURES = (".jpg", ".jpeg", ".png")
DRAWN = "drawn"
"""The box that everybody has: our own drawings."""
_SIZE = re.compile(r"(\d{2,3}(?:\.\d)?)x(\d{2,3}(?:\.\d)?)")


def arguments(parser: ArgumentParser, say: Say) -> None:
    watched = ", ".join(key for key, game in GAMES.items() if game.sight)
    parser.add_argument("game", metavar=say(_("GAME")), help=watched)
    frames = say(_("A folder of numbered pictures (JPEG or PNG), the pictures themselves, or a video."))
    parser.add_argument("frames", metavar=say(_("FRAMES")), nargs="+", help=frames)
    parser.add_argument("--players", metavar="N", help=say(_("How many play; two, if nobody says.")))
    colours = say(_("Their colours in the order they sit, such as pink,blue."))
    parser.add_argument("--colours", metavar=say(_("COLOURS")), help=colours)
    option = say(_("An option that the table has switched on."))
    parser.add_argument("--option", metavar=say(_("OPTION")), action="append", default=[], help=option)
    boxes = say(_("Whose pieces lie there: “%(drawn)s” are our own drawings.", drawn=DRAWN))
    parser.add_argument("--boxes", metavar=say(_("NAME")), default=DRAWN, help=boxes)
    corners = say(_("The table's corners in the pictures, in pixels, clockwise from the upper left."))
    parser.add_argument("--corners", metavar="X,Y", nargs=4, help=corners)
    size = say(_("The table's width and depth in centimetres; 160x90, if neither markers nor you say."))
    parser.add_argument("--size", metavar="WxD", help=size)
    parser.add_argument("--record", action="store_true", help=say(_("Record what needs no question.")))
    every = say(_("Seconds between two pictures: 1, and 0.2 for a video."))
    parser.add_argument("--every", metavar=say(_("SECONDS")), help=every)
    json_argument(parser, say)


@dataclass(frozen=True, eq=False)
class Film:
    """What is watched."""

    name: str
    items: Iterable[FilmPicture | FilmDeed]
    last_s: float
    """How long the last picture lies there."""
    count: int = 0
    """How many pictures it has; 0 where nobody knows."""


def run(args: Namespace) -> int:
    game, reader = find_game(args.game), terminal(args)
    if game.sight is None:
        raise NotationError(_("%(game)s cannot be watched yet: tap in what happens.", game=game.name))
    if args.boxes != DRAWN:
        raise NotationError(
            _(
                "The camera does not read the box “%(name)s” yet, only “%(drawn)s”.",
                name=args.boxes,
                drawn=DRAWN,
            )
        )
    files = [Path(file) for file in args.frames]
    every = _seconds(args.every)
    table = _table(args)
    film = _film(files, every)
    return _watch(reader, game, _setup(game, args), film, table, args.record)


def _watch(
    reader: Terminal, game: AnyGame, setup: Setup, film: Film, table: TableShown, record: bool
) -> Exit:
    # Imported here: what is no film is answered without them.
    from companion.app import open_sessions, watch_through
    from companion.household.settings import CameraSettings
    from companion.vision.table.calibrator import Calibrator
    from companion.watch.film import FilmPlayer
    from hardware.film import FilmCamera

    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="companion-film-")))
        sessions = stack.enter_context(closing(open_sessions(f"sqlite:///{folder / 'companion.db'}")))
        id = sessions.begin(game, setup, Source.COMMAND).id
        camera, chosen = FilmCamera(film.name), CameraSettings(record_alone=record)
        rig = watch_through(camera, sessions, chosen, Calibrator(folder))
        stack.callback(rig.close)
        rig.watcher.follow(id)
        player = FilmPlayer(
            camera,
            rig.loop,
            rig.watcher,
            rig.aimer,
            lambda: sessions.session(id),
            table,
            chosen.still_s if record else None,
        )
        return _tell(reader, player, film)


def _tell(reader: Terminal, player: FilmPlayer, film: Film) -> Exit:
    """A line for each picture, and one for what it all comes to."""
    worst, took, frames = Exit.DONE, list[float](), 0
    for seen in player.play(film.items, film.last_s):
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
    reader.data({"final": final, "events": final["turns"], "frames": frames, "ms": ms})
    for told in answer_lines(session.game.key, final):
        reader.say(*told)
    if took:
        reader.say(
            _n("%(count)d picture", "%(count)d pictures", frames),
            f"· {ms['median']} ms, 95 %: {ms['p95']} ms",
        )
    return worst


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


def _film(files: Sequence[Path], every: float | None) -> Film:
    """The pictures that are meant, or NotationError; one film at a time."""
    from hardware.film import film_of_files, film_of_video
    from hardware.folder_camera import by_name, photo_files

    first = files[0]
    if len(files) == 1 and is_folder(first):
        pictures = photo_files(first)
        if not pictures:
            raise NotationError(
                _("There is no picture (JPEG or PNG) in the folder %(folder)s.", folder=str(first))
            )
    elif len(files) == 1 and first.suffix.lower() not in PICTURES:
        step = every or EVERY_VIDEO_S
        return Film(str(first), film_of_video(first, step), step)
    elif any(file.suffix.lower() not in PICTURES for file in files):
        raise NotationError(_("Watch one film at a time: a folder, a video, or pictures of one table."))
    else:
        pictures = sorted(files, key=by_name)
    if len(pictures) > MOST_PICTURES:
        raise NotationError(_("At most %(limit)d pictures at a time.", limit=MOST_PICTURES))
    step = every or EVERY_S
    return Film(str(first), film_of_files(pictures, step), step, len(pictures))


def _setup(game: AnyGame, args: Namespace) -> Setup:
    """Who plays: nobody has a name in a film."""
    named = [_colour(word) for word in args.colours.split(",")] if args.colours else []
    count = _players(args.players) if args.players is not None else len(named) or max(2, game.seats[0])
    colours = named or list(game.colours)[:count]
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
