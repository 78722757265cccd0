"""`companion enrol GAME PHOTO…`: the companion learns the pieces of somebody's own box from pictures named by
what they show (`17`, `1-5`, `forest-1`, `castle-blue`).
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.read import READ_FROM_PHOTOS, SHIPPED, is_folder, photo_readable_game, picture_bytes
from companion.commands.terminal import Exit, Terminal, config_argument, json_argument, terminal
from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message, Say, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES, Terrain
from companion.games.kingdomino.sight.lessons import CASTLES, LESSONS, missing_squares
from companion.games.kingdomino.sight.tiling import label_of, square_of
from companion.household.settings import load_settings

if TYPE_CHECKING:
    from calibration.plane import Pixels
    from companion.vision.gallery.box import Box


_DOMINOES = re.compile(r"(\d{1,2})-(\d{1,2})(?:[ _].*)?")
_DOMINO = re.compile(r"(?:domino-)?(\d{1,2})(?:[ _].*)?")
_KIND = re.compile(rf"({'|'.join(t.value for t in Terrain)}|grass)[ _-]?([0-3])(?:[ _-].*)?")
_START = re.compile(r"start(?:[ _-]([a-z]{1,10}))?")
"""A starting tile, which has the castle."""
_LABEL = re.compile(r"([wflgsm][0-3]|domino-\d{1,2}-(?:left|right)|castle(?:-[a-z]{1,10})?)(?:[ _].*)?")


@dataclass(frozen=True)
class Shown:
    """What a picture shows, by its name: squares row by row."""

    labels: tuple[str, ...]
    columns: int
    cut: bool
    """Whether it ends where the pieces end; a photo has some of the table around them."""


def pieces_by_label(name: str) -> Shown:
    """What a picture of that name shows."""
    shown = pieces_by_file_name(name)
    if shown is None:
        raise unknown_piece(name)
    return shown


def pieces_by_file_name(name: str) -> Shown | None:
    if name == CASTLES:
        return Shown(next(one.labels for one in LESSONS if one.key == CASTLES), 1, cut=False)
    if (several := _DOMINOES.fullmatch(name)) and int(several[1]) < int(several[2]):
        numbers = range(int(several[1]), int(several[2]) + 1)
        return Shown(tuple(_half(n, right) for n in numbers for right in (False, True)), 2, cut=False)
    if one := _DOMINO.fullmatch(name):
        return Shown((_half(int(one[1]), False), _half(int(one[1]), True)), 2, cut=True)
    if kind := _KIND.fullmatch(name):
        square = "castle" if kind[1] == "castle" else kind[1][0] + kind[2]
        return Shown((square,), 1, cut=True) if square_of(square) else None
    if start := _START.fullmatch(name):
        return Shown(("-".join(("castle", *filter(None, start.groups()))),), 1, cut=True)
    if (label := _LABEL.fullmatch(name)) and square_of(label[1]):
        return Shown((label[1],), 1, cut=True)
    return None


def _half(number: int, right: bool) -> str:
    if number not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)))
    return label_of(number, right)


def unknown_piece(name: str) -> NotationError:
    return NotationError(
        _(
            "“%(name)s” is no piece: 17 for a domino, 1-5 for a photo of dominoes one beneath the other, "
            "f1 or forest-1 for a square, castle-blue.",
            name=name[:40],
        )
    )


SUFFIXES = (".jpg", ".jpeg", ".png", ".heic", ".heif")
MOST_PICTURES = 1000
PAIRS_TOLD = 5


def arguments(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument("game", metavar=say(_("GAME")), help=", ".join(READ_FROM_PHOTOS))
    photos = say(_("A picture of pieces, or a folder of them; their names say what they show."))
    parser.add_argument("photos", metavar=say(_("PHOTO")), nargs="*", type=Path, help=photos)
    name = say(_("The gallery that learns, instead of the one that the page reads by."))
    parser.add_argument("--name", metavar=say(_("NAME")), help=name)
    parser.add_argument("--anew", action="store_true", help=say(_("Forget what it knew before.")))
    remove = say(_("Forget all drawings of this piece."))
    parser.add_argument("--remove", metavar=say(_("PIECE")), help=remove)
    rename = say(_("Call a piece by another name."))
    parser.add_argument("--rename", nargs=2, metavar=(say(_("PIECE")), say(_("NAME"))), help=rename)
    config_argument(parser, say)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    # Imported here: nothing else at a terminal needs pictures.
    from companion.photos.checks import not_squares_complaint
    from companion.vision.gallery.box import BoxRepository

    game = photo_readable_game(args.game)
    reader, boxes = terminal(args), BoxRepository(load_settings(args.config).settings.data_folder)
    name = boxes.used(game.key) if args.name is None else args.name
    if name == SHIPPED:
        raise NotationError(_("“%(name)s” is what everybody has: give the gallery another name.", name=name))
    complaints = list[dict[str, str]]()
    drawings = list(_drawings(reader.counted([*_pictures(args.photos)]), reader, complaints))
    if reason := not_squares_complaint(drawings):
        raise NotationError(_("%(reason)s Nothing was learned.", reason=reason))
    taught = _Taught(args, drawings)
    # Photos of which none is good must not cost people what was known before.
    box = boxes.change(name, taught, anew=args.anew and bool(drawings or not args.photos))
    _tell(reader, name, box, complaints, len(drawings) - taught.new)
    return Exit.DONE if taught.new or not complaints else Exit.WRONG_INPUT


@dataclass
class _Taught:
    """What is asked of a box, done to it as it is when its turn comes: people may put squares right meanwhile."""

    args: Namespace
    drawings: Sequence[tuple[str, Pixels]]
    new: int = 0
    """How many drawings it had not known."""

    def __call__(self, box: Box) -> Box:
        if self.args.remove:
            box = box.without(self.args.remove)
        if self.args.rename:
            label, name = self.args.rename
            if square_of(name) is None:
                raise unknown_piece(name)
            box = box.renamed(label, name)
        learned = box.learned(self.drawings)
        self.new = len(learned.labels) - len(box.labels)
        return learned


def _drawings(
    pictures: Iterable[tuple[Path, str]], reader: Terminal, complaints: list[dict[str, str]]
) -> Iterator[tuple[str, Pixels]]:
    from companion.vision.photo.enrolment import WORKED_ON, find_block
    from companion.vision.picture_file import decode_picture

    for file, called in pictures:
        try:
            data, shown = picture_bytes(file), pieces_by_label(called)
            picture = decode_picture(data, WORKED_ON)
            found = find_block(picture, shown.columns, len(shown.labels) // shown.columns, shown.cut)
        except CompanionError as error:
            _complain(reader, complaints, file, error.message)
            continue
        # Pictures that somebody has cut are small and lit evenly: only photos are judged.
        said = () if shown.cut else found.complaints
        for complaint in said:
            _complain(reader, complaints, file, complaint)
        if not said:
            yield from zip(shown.labels, found.squares, strict=True)


def _complain(reader: Terminal, complaints: list[dict[str, str]], file: Path, words: Message) -> None:
    complaints.append({"file": file.name, "error": reader.put(words)})
    reader.complain(f"{file.name}:", words)


def _pictures(photos: Sequence[Path]) -> list[tuple[Path, str]]:
    """Every picture with the name that says what it shows: its own, or that of the folder it is in."""
    found = [
        one for photo in photos for one in (_within(photo) if is_folder(photo) else [(photo, photo.stem)])
    ]
    if len(found) > MOST_PICTURES:
        raise NotationError(_("At most %(limit)d pictures at a time.", limit=MOST_PICTURES))
    return found


def _within(folder: Path) -> list[tuple[Path, str]]:
    """The pictures of a folder, and of those folders in it that are named by a piece; backs and others are left out."""
    inner = [one for one in sorted(folder.iterdir()) if one.is_dir() and pieces_by_file_name(one.name)]
    found = [(file, file.stem) for file in _files(folder)]
    found += [(file, one.name) for one in inner for file in _files(one)]
    if not found:
        raise NotationError(_("There is no JPEG, PNG or HEIC picture in %(folder)s.", folder=folder.name))
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)


def missing(box: Box) -> list[str]:
    """Kinds of squares of which the box has no drawing, the castle among them."""
    return [CASTLE.terrain if one == CASTLE else str(one) for one in missing_squares(box.known)]


def _tell(reader: Terminal, name: str, box: Box, complaints: Sequence[Mapping[str, str]], known: int) -> None:
    from companion.photos.checks import contradicting_dominoes

    lacking, alike = missing(box), list(box.alike(square_of))[:PAIRS_TOLD]
    odd = sorted(contradicting_dominoes(box.gallery())) if box.labels else []
    for words in (*_told(name, box, known), *_wanting(box, lacking, alike, odd)):
        reader.say(words)
    reader.data(
        {
            "gallery": name,
            "pieces": {label: box.labels.count(label) for label in box.known},
            "known": known,
            "missing": lacking,
            "confusable": [[one, other, round(1 - score, 3)] for one, other, score in alike],
            "odd": odd,
            "complaints": complaints,
        }
    )


def _told(name: str, box: Box, known: int) -> Iterator[Message]:
    """What a box knows now."""
    if known:
        yield _n(
            "%(count)d drawing was known already: it was not learned again.",
            "%(count)d drawings were known already: they were not learned again.",
            known,
        )
    yield _(
        "The box %(name)s: pieces known: %(pieces)d, drawings: %(drawings)d.",
        name=name,
        pieces=len(box.known),
        drawings=len(box.labels),
    )


def _wanting(
    box: Box, lacking: Sequence[str], alike: Iterable[tuple[str, str, float]], odd: Iterable[int]
) -> Iterator[Message]:
    """What a box lacks, and what in it is not as it should be."""
    if lacking and box.labels:
        yield _("Not yet among them: %(pieces)s.", pieces=joined(lacking))
    for one, other, score in alike:
        yield _(
            "%(one)s and %(other)s look much alike (%(likeness)s): add drawings of both, in good light.",
            one=one,
            other=other,
            likeness=f"{score:.2f}",
        )
    for number in odd:
        yield _(
            "Domino %(number)d looks like others turned about, or by another number: "
            "look whether it was laid as asked, and enrol it again.",
            number=number,
        )
