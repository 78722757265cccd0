"""`companion read GAME PHOTO…`: what photos show, and what somebody has to look at.

`score` answers photos by it, too.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from companion.commands.terminal import Exit, Terminal, config_argument, json_argument, terminal
from companion.core.errors import CompanionError, NotationError, StoreError
from companion.core.game import COLOUR_NAMES, AnyGame, Colour
from companion.core.message import Say
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.photo import AnyPhotoSight, ScoredBy, Track, photo_sight
from companion.games import GAMES, find_game
from companion.household.settings import load_settings
from companion.photos.view import MOST_TOGETHER

if TYPE_CHECKING:
    from companion.photos.reader import PhotoRead, PhotoReader


SHIPPED = "shipped"
"""The gallery that everybody has."""
PICTURES = (".jpg", ".jpeg", ".png", ".heic", ".heif", ".webp", ".gif", ".bmp", ".tif", ".tiff")
"""What cameras and phones write; what we cannot unpack is answered in words."""
Corners = Sequence[tuple[float, float]]
HEADS = (b"\xff\xd8", b"\x89PNG\r\n\x1a\n")
MOST_PHOTOS = 10_000
_NOTHING_SEEN = _("Nothing of the game is seen in this photo, so there are no points.")
_POINTS = re.compile(r"\d{1,4}", re.ASCII)
_CORNER = re.compile(r"(\d{1,6}(?:\.\d{1,6})?),(\d{1,6}(?:\.\d{1,6})?)")


def photo_arguments(parser: ArgumentParser, say: Say) -> None:
    gallery = say(
        _(
            "Compare with this enrolled gallery alone, or with “%(shipped)s”, which everybody has.",
            shipped=SHIPPED,
        )
    )
    parser.add_argument("--gallery", metavar=say(_("NAME")), help=gallery)
    corners = say(_("The corners of the pieces in the photo, in pixels, clockwise from the upper left."))
    parser.add_argument("--corners", metavar="X,Y", nargs=4, help=corners)
    annotate = say(_("A folder for the photos with what was read drawn over them."))
    parser.add_argument("--annotate", metavar=say(_("OUT")), type=Path, help=annotate)
    config_argument(parser, say)


def is_photo(file: str) -> bool:
    """Whether a file, or what is in a folder, is meant to be looked at."""
    path = Path(file)
    if is_folder(path) or path.suffix.lower() in PICTURES:
        return True
    try:
        with path.open("rb") as opened:
            return opened.read(8).startswith(HEADS)
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name; no name is too long to be asked about."""
    try:
        return path.is_dir()
    except OSError:
        return False


def read_from_photos() -> str:
    """The games of which photos can be read, for a person."""
    return ", ".join(key for key, game in GAMES.items() if photo_sight(game))


def photo_readable_game(key: str) -> tuple[AnyGame, AnyPhotoSight]:
    """The game of that name, and how it is read from photos."""
    game = find_game(key)
    if sight := photo_sight(game):
        return game, sight
    raise NotationError(_("Photos of %(game)s cannot be read yet.", game=game.name))


def read_photos(args: Namespace, files: Sequence[str], scored: ScoredBy | None = None) -> Exit:
    """Answer every photo, or all of one board together; one that is none is told, and the others are still read."""
    (game, sight), reader = photo_readable_game(args.game), terminal(args)
    corners, worst, photos = read_corners(args.corners), Exit.DONE, list[Path]()
    for file in files:
        try:
            photos += _photos(Path(file))
        except CompanionError as error:
            worst = max(worst, reader.wrong(file, error))
    if corners and len(photos) > 1:
        raise NotationError(_("Corners belong to one photo, and these are %(count)d.", count=len(photos)))
    if not photos:
        return worst
    by, names = _by(game.key, sight, args.gallery, args.config, reader), set[str]()
    # Photos of a board that somebody names to have it scored are of one table; those of a folder are not.
    one_table = scored and sight.spreads and not any(is_folder(Path(file)) for file in files)
    for some in [photos] if one_table else [[photo] for photo in photos]:
        try:
            answer = _answer(some, by, corners, scored, str if reader.json else reader.put)
            worst = max(worst, _tell(reader, sight, answer, scored))
            if args.annotate:
                for photo, reads in zip(some, answer.reads, strict=True):
                    _annotate(sight, reads, args.annotate / _fresh(photo.stem, names))
        except CompanionError as error:
            worst = max(worst, reader.wrong(" ".join(map(str, some)), error))
    return worst


@dataclass(frozen=True, eq=False)
class PhotoAnswer:
    """What a photo shows, or several that show one board, for a script or a person."""

    name: str
    reads: Sequence[Sequence[PhotoRead]]
    """Of each photo."""
    groups: Sequence[Mapping[str, Any]]
    """What each group shows."""
    said: Mapping[str, Any]


def _photos(file: Path) -> list[Path]:
    """The photos that are meant: a file, or those of a folder by their names."""
    if not is_folder(file):
        return [file]
    try:
        found = sorted(one for one in file.iterdir() if one.suffix.lower() in PICTURES)
    except OSError as error:
        raise _cannot_be_read(error) from error
    if not found:
        raise NotationError(_("There is no photo in this folder."))
    if len(found) > MOST_PHOTOS:
        raise NotationError(_("At most %(limit)d pictures at a time.", limit=MOST_PHOTOS))
    return found


def read_scored(args: Namespace, sight: AnyPhotoSight, game: AnyGame) -> ScoredBy:
    """Who plays and what they have, as a script says it."""
    colours = [word for word in (args.colours or "").split(",") if word]
    points = [word for word in (args.scores or "").split(",") if word]
    if (colours or points) and not sight.track:
        raise NotationError(_("This game has no track: leave --colours and --scores out."))
    known = [str(colour) for colour in game.colours]
    if not {*colours} <= {*known} or len({*colours}) != len(colours):
        raise NotationError(
            _(
                "--colours names colours of this game (%(known)s), each once, as in red,blue: %(words)s.",
                known=", ".join(known),
                words=args.colours,
            )
        )
    if any(not _POINTS.fullmatch(word) for word in points) or (points and len(points) != len(colours)):
        raise NotationError(_("--scores has what each of --colours has on the track, as in 31,44."))
    if colours and len(colours) not in game.seats:
        raise NotationError(
            _n(
                "This game is not for %(count)d player.",
                "This game is not for %(count)d players.",
                len(colours),
            )
        )
    return ScoredBy(colours, [int(word) for word in points])


def read_corners(words: Sequence[str] | None) -> Corners | None:
    found = [_CORNER.fullmatch(word) for word in words or ()]
    if not all(found):
        raise NotationError(_("A corner is written as two numbers, 120,85, clockwise from the upper left."))
    return [(float(one[1]), float(one[2])) for one in found if one] or None


def _by(
    game: str, sight: AnyPhotoSight, gallery: str | None, config: Path | None, reader: Terminal
) -> PhotoReader:
    """As the page reads photos, or by one gallery alone."""
    # Imported here, as below: what is no photo is answered without them.
    from companion.photos.reader import PhotoReader, household_reader, shipped_gallery
    from companion.virtual.rasterizer import rasterize
    from companion.vision.gallery.box import BoxRepository

    boxes = BoxRepository(load_settings(config).settings.data_folder)
    if gallery == SHIPPED and (shipped := shipped_gallery(game)):
        return PhotoReader(sight, shipped)
    if gallery:
        return PhotoReader(sight, boxes.load(gallery))
    readers, trouble = household_reader(boxes, game, sight, rasterize)
    if trouble:
        reader.complain(trouble)
    return readers


def _answer(
    photos: Sequence[Path], by: PhotoReader, corners: Corners | None, scored: ScoredBy | None, say: Say
) -> PhotoAnswer:
    files, began = [picture_bytes(photo) for photo in photos], perf_counter()
    reads = [_reads(data, by, corners) for data in files]
    if len(photos) > 1:
        reads = [[one] for one in _together(photos, by, [some[0] for some in reads])]
    ms = round((perf_counter() - began) * 1e3, 1)
    groups = [
        by.sight.describe(one.shown, one.found.columns, one.found.rows, scored, say)
        for one in reads[0]
        if one.shown and one.found
    ]
    if by.sight.track and groups and not (scored and scored.points):
        found = [one.found.track for some in reads for one in some if one.found]
        points = by.sight.track.read(found)
        players = scored.colours if scored and scored.colours else points
        groups[0].update(
            _on_track(by.sight.track, {one: points[one] for one in players if one in points}, groups[0], say)
        )
    shown = {by.sight.groups: groups} if by.sight.groups else next(iter(groups), {})
    names = [str(photo) for photo in photos]
    told = {"photos": names} if len(names) > 1 else {"photo": names[0]}
    return PhotoAnswer(" ".join(names), reads, groups, {**told, **shown, "ms": ms})


def _on_track(
    track: Track, points: Mapping[str, int], group: Mapping[str, Any], say: Say
) -> Mapping[str, Any]:
    """What photos show on the track, as a doubt: points are counted only when somebody says them."""
    if not points:
        return {}
    told = ", ".join(f"{say(COLOUR_NAMES[Colour(colour)])} {count}" for colour, count in points.items())
    question = say(
        _(
            "On the track in the photo: %(points)s. Check it, add %(lap)d for each lap, and say it by --scores.",
            points=told,
            lap=len(track.spaces),
        )
    )
    return {"track": points, "doubts": [*group["doubts"], {"question": question}]}


def _reads(data: bytes, by: PhotoReader, corners: Corners | None) -> Sequence[PhotoRead]:
    from companion.photos.reader import open_photo
    from companion.vision.picture_file import size_of

    picture = open_photo(data)
    if not corners:
        return by.read_table(picture)
    scale = max(picture.shape[:2]) / max(size_of(data))
    return [by.read_between(picture, [(x * scale, y * scale) for x, y in corners])]


def _together(photos: Sequence[Path], by: PhotoReader, reads: Sequence[PhotoRead]) -> Sequence[PhotoRead]:
    """Photos of one board, all of it in each; NotationError where it is not clear that they show one."""
    if len(photos) > MOST_TOGETHER:
        raise NotationError(_("At most %(limit)d photos show one board.", limit=MOST_TOGETHER))
    found = [one.found for one in reads if one.found]
    views, shown = by.join(found) if len(found) == len(reads) else ([one.found for one in reads], None)
    apart = [photo.name for photo, one in zip(photos, views, strict=True) if one is None]
    if apart or shown is None:
        raise NotationError(
            _(
                "These photos do not seem to show one board: %(names)s. A few pieces have to be in both of two photos. "
                "Score boards of several tables one by one, or put their photos into a folder.",
                names=", ".join(apart or [photo.name for photo in photos]),
            )
        )
    return [replace(read, found=one, shown=shown) for read, one in zip(reads, views, strict=True)]


def picture_bytes(photo: Path) -> bytes:
    """A picture's file, or as much of it as says that it is too large."""
    from companion.vision.picture_file import LARGEST_FILE

    try:
        with photo.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise _cannot_be_read(error) from error


def _cannot_be_read(error: OSError) -> NotationError:
    return NotationError(_("The file cannot be read: %(reason)s.", reason=str(error.strerror)))


def _fresh(name: str, names: set[str]) -> str:
    """A file name that no photo before has, though two folders may have photos of one name."""
    free = next(one for n in count(1) if (one := name if n == 1 else f"{name}-{n}") not in names)
    names.add(free)
    return f"{free}.jpg"


def _annotate(sight: AnyPhotoSight, reads: Sequence[PhotoRead], file: Path) -> None:
    from companion.photos.reader import annotate_reads
    from companion.vision.photo.annotate import save_picture

    try:
        save_picture(annotate_reads(sight, reads[0].picture, reads, ""), file)
    except OSError as error:
        reason = _("The picture cannot be written: %(reason)s.", reason=str(error.strerror))
        raise StoreError(reason) from error


def _tell(reader: Terminal, sight: AnyPhotoSight, answer: PhotoAnswer, scored: ScoredBy | None) -> Exit:
    """Say what a photo shows; one that shows nothing cannot be scored."""
    reader.data(answer.said)
    reader.say(f"{answer.name}  {answer.said['ms']:.0f} ms")
    for number, group in enumerate(answer.groups, start=1):
        for line in sight.tell(group, number):
            reader.say(" ", *line)
    if answer.groups:
        return Exit.DONE
    if scored:
        reader.complain(f"{answer.name}:", _NOTHING_SEEN)
        return Exit.WRONG_INPUT
    reader.say(" ", _NOTHING_SEEN)
    return Exit.DONE


def arguments(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument("game", metavar=say(_("GAME")), help=", ".join(GAMES))
    photos = say(_("A photo (JPEG, PNG or HEIC), or a folder of them."))
    parser.add_argument("photos", metavar=say(_("PHOTO")), nargs="+", help=photos)
    photo_arguments(parser, say)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    return read_photos(args, args.photos)
