"""`companion enrol GAME PHOTO…`: the companion learns the pieces of somebody's own box from pictures of them."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.reading import READ_FROM_PHOTOS, readable
from companion.commands.terminal import Exit, Terminal, config_argument, json_argument, terminal
from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message, Say, listed
from companion.core.message import message as _
from companion.games.kingdomino.lessons import CASTLES, LESSONS
from companion.games.kingdomino.pieces import DOMINOES, SQUARES, Terrain
from companion.games.kingdomino.tiling import label_of, square_of
from companion.settings import load_settings

if TYPE_CHECKING:
    from calibration.plane import Pixels
    from companion.vision.boxes import Box

SUFFIXES = (".jpg", ".jpeg", ".png")
MOST_PICTURES = 1000
PAIRS_TOLD = 5
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
    from companion.vision.boxes import Box, Boxes

    game = readable(args.game)
    reader, boxes = terminal(args), Boxes(load_settings(args.config).settings.data_folder)
    name = args.name or boxes.used(game.key)
    before = Box() if args.anew else boxes.open(name)
    box = before
    if args.remove:
        box = box.without(args.remove)
    if args.rename:
        box = box.renamed(*_name_of_piece(*args.rename))
    complaints: list[dict[str, str]] = []
    box = box.learned(_drawings(_pictures(args.photos), reader, complaints))
    if box is not before:
        boxes.save(name, box)
    _tell(reader, name, box, complaints)
    return Exit.DONE if len(box.labels) > len(before.labels) or not complaints else Exit.WRONG_INPUT


def _name_of_piece(label: str, name: str) -> tuple[str, str]:
    if square_of(name) is None:
        raise _unknown(name)
    return label, name


def _drawings(
    pictures: Iterable[tuple[Path, str]], reader: Terminal, complaints: list[dict[str, str]]
) -> Iterator[tuple[str, Pixels]]:
    from companion.vision.enrolling import WORKED_ON, block
    from companion.vision.picture_file import decode

    for file, called in pictures:
        try:
            shown = shown_by(called)
            picture = decode(file.read_bytes(), WORKED_ON)
            found = block(picture, shown.columns, len(shown.labels) // shown.columns, shown.cut)
        except CompanionError as error:
            _complain(reader, complaints, file, error.message)
            continue
        except OSError as error:
            _complain(
                reader, complaints, file, _("It cannot be read: %(reason)s.", reason=str(error.strerror))
            )
            continue
        # Pictures that somebody has cut are small and lit evenly: only photos are judged.
        said = () if shown.cut else found.complaints
        for complaint in said:
            _complain(reader, complaints, file, complaint)
        if not said:
            yield from zip(shown.labels, found.squares, strict=True)


def _complain(reader: Terminal, complaints: list[dict[str, str]], file: Path, words: Message) -> None:
    complaints.append({"file": file.name, "error": reader.put(words)})
    reader.say(f"{file.name}:", words)


def _pictures(photos: Sequence[Path]) -> list[tuple[Path, str]]:
    """Every picture with the name that says what it shows: its own, or that of the folder it is in."""
    found = [one for photo in photos for one in (_within(photo) if photo.is_dir() else [(photo, photo.stem)])]
    if len(found) > MOST_PICTURES:
        raise NotationError(_("At most %(limit)d pictures at a time.", limit=MOST_PICTURES))
    return found


def _within(folder: Path) -> list[tuple[Path, str]]:
    """The pictures of a folder, and of those folders in it that are named by a piece; backs and others are left out."""
    inner = [one for one in sorted(folder.iterdir()) if one.is_dir() and _shown(one.name)]
    found = [(file, file.stem) for file in _files(folder)]
    found += [(file, one.name) for one in inner for file in _files(one)]
    if not found:
        raise NotationError(_("There is no JPEG or PNG picture in %(folder)s.", folder=folder.name))
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)


def shown_by(name: str) -> Shown:
    """What a picture of that name shows."""
    shown = _shown(name)
    if shown is None:
        raise _unknown(name)
    return shown


def _shown(name: str) -> Shown | None:
    if name == CASTLES:
        return Shown(next(one.labels for one in LESSONS if one.key == CASTLES), 1, cut=False)
    if (several := _DOMINOES.fullmatch(name)) and int(several[1]) < int(several[2]):
        numbers = range(int(several[1]), int(several[2]) + 1)
        return Shown(tuple(_half(n, right) for n in numbers for right in (False, True)), 2, cut=False)
    if one := _DOMINO.fullmatch(name):
        return Shown((_half(int(one[1]), False), _half(int(one[1]), True)), 2, cut=True)
    if kind := _KIND.fullmatch(name):
        return Shown((kind[1][0] + kind[2],) if kind[1] != "castle" else ("castle",), 1, cut=True)
    if start := _START.fullmatch(name):
        return Shown(("-".join(("castle", *filter(None, start.groups()))),), 1, cut=True)
    if (label := _LABEL.fullmatch(name)) and square_of(label[1]):
        return Shown((label[1],), 1, cut=True)
    return None


def _half(number: int, right: bool) -> str:
    if number not in DOMINOES:
        raise NotationError(_("There is no domino %(domino)s.", domino=str(number)))
    return label_of(number, right)


def _unknown(name: str) -> NotationError:
    return NotationError(
        _(
            "“%(name)s” is no piece: 17 for a domino, 1-5 for a photo of dominoes one beneath the other, "
            "f1 or forest-1 for a square, castle-blue.",
            name=name[:40],
        )
    )


def missing(box: Box) -> list[str]:
    """Kinds of squares of which the box has no drawing."""
    known = {square_of(label) for label in box.known}
    return [str(square) for square in SQUARES if square not in known]


def _tell(reader: Terminal, name: str, box: Box, complaints: list[dict[str, str]]) -> None:
    from companion.contradictions import suspects

    lacking, alike = missing(box), list(box.alike(square_of))[:PAIRS_TOLD]
    reader.say(
        _(
            "The box %(name)s knows %(pieces)d pieces by %(drawings)d drawings.",
            name=name,
            pieces=len(box.known),
            drawings=len(box.labels),
        )
    )
    if lacking and box.labels:
        reader.say(_("Not yet among them: %(pieces)s.", pieces=listed(lacking)))
    for one, other, score in alike:
        reader.say(
            _(
                "%(one)s and %(other)s look much alike (%(likeness)s): add drawings of both, in good light.",
                one=one,
                other=other,
                likeness=f"{score:.2f}",
            )
        )
    odd = sorted(suspects(box.gallery())) if box.labels else []
    for number in odd:
        reader.say(
            _(
                "Domino %(number)d looks like others turned about, or by another number: "
                "look whether it was laid as asked, and enrol it again.",
                number=number,
            )
        )
    reader.data(
        {
            "gallery": name,
            "pieces": {label: box.labels.count(label) for label in box.known},
            "missing": lacking,
            "confusable": [[one, other, round(1 - score, 3)] for one, other, score in alike],
            "odd": odd,
            "complaints": complaints,
        }
    )
