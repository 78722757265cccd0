"""`companion enrol GAME PHOTO…`: the companion learns the pieces of somebody's own box from pictures named by
what they show, in words of the game (`AnyPhotoSight.pictured`).
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.read import SHIPPED, is_folder, photo_readable_game, picture_bytes, read_from_photos
from companion.commands.terminal import Exit, Terminal, config_argument, json_argument, terminal
from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message, Say, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.photo import AnyPhotoSight, Lesson, missing_labels
from companion.household.settings import load_settings

if TYPE_CHECKING:
    from calibration.plane import Pixels
    from companion.vision.gallery.box import Box


def pieces_by_label(sight: AnyPhotoSight, name: str) -> Lesson:
    """What a picture of that name shows."""
    shown = sight.pictured(name)
    if shown is None:
        raise unknown_piece(sight, name)
    return shown


def unknown_piece(sight: AnyPhotoSight, name: str) -> NotationError:
    return NotationError(_("“%(name)s” is no piece: %(pieces)s", name=name[:40], pieces=sight.unpictured))


SUFFIXES = (".jpg", ".jpeg", ".png", ".heic", ".heif")
MOST_PICTURES = 1000
PAIRS_TOLD = 5


def arguments(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument("game", metavar=say(_("GAME")), help=read_from_photos())
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

    game, sight = photo_readable_game(args.game)
    reader, boxes = terminal(args), BoxRepository(load_settings(args.config).settings.data_folder)
    name = boxes.used(game.key) if args.name is None else args.name
    if name == SHIPPED:
        raise NotationError(_("“%(name)s” is what everybody has: give the gallery another name.", name=name))
    complaints = list[dict[str, str]]()
    drawings = list(_drawings(sight, reader.counted([*_pictures(sight, args.photos)]), reader, complaints))
    if reason := not_squares_complaint(drawings, sight):
        raise NotationError(_("%(reason)s Nothing was learned.", reason=reason))
    taught = _Taught(sight, args, drawings)
    # Photos of which none is good must not cost people what was known before.
    box = boxes.change(name, taught, anew=args.anew and bool(drawings or not args.photos), game=game.key)
    _tell(reader, sight, name, box, complaints, len(drawings) - taught.new)
    return Exit.DONE if taught.new or not complaints else Exit.WRONG_INPUT


@dataclass
class _Taught:
    """What is asked of a box, done to it as it is when its turn comes: people may put squares right meanwhile."""

    sight: AnyPhotoSight
    args: Namespace
    drawings: Sequence[tuple[str, Pixels]]
    new: int = 0
    """How many drawings it had not known."""

    def __call__(self, box: Box) -> Box:
        if self.args.remove:
            box = box.without(self.args.remove)
        if self.args.rename:
            label, name = self.args.rename
            if self.sight.kind(name) is None:
                raise unknown_piece(self.sight, name)
            box = box.renamed(label, name)
        learned = box.learned(self.drawings)
        self.new = len(learned.labels) - len(box.labels)
        return learned


def _drawings(
    sight: AnyPhotoSight,
    pictures: Iterable[tuple[Path, str]],
    reader: Terminal,
    complaints: list[dict[str, str]],
) -> Iterator[tuple[str, Pixels]]:
    from companion.vision.photo.enrolment import WORKED_ON, find_block
    from companion.vision.picture_file import decode_picture

    for file, called in pictures:
        try:
            data, shown = picture_bytes(file), pieces_by_label(sight, called)
            picture = decode_picture(data, WORKED_ON)
            found = find_block(picture, shown.columns, shown.rows, shown.cut)
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


def _pictures(sight: AnyPhotoSight, photos: Sequence[Path]) -> list[tuple[Path, str]]:
    """Every picture with the name that says what it shows: its own, or that of the folder it is in."""
    found = [
        one
        for photo in photos
        for one in (_within(sight, photo) if is_folder(photo) else [(photo, photo.stem)])
    ]
    if len(found) > MOST_PICTURES:
        raise NotationError(_("At most %(limit)d pictures at a time.", limit=MOST_PICTURES))
    return found


def _within(sight: AnyPhotoSight, folder: Path) -> list[tuple[Path, str]]:
    """The pictures of a folder, and of those folders in it that are named by a piece; backs and others are left out."""
    inner = [one for one in sorted(folder.iterdir()) if one.is_dir() and _named(sight, one.name)]
    found = [(file, file.stem) for file in _files(folder)]
    found += [(file, one.name) for one in inner for file in _files(one)]
    if not found:
        raise NotationError(_("There is no JPEG, PNG or HEIC picture in %(folder)s.", folder=folder.name))
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)


def _named(sight: AnyPhotoSight, folder: str) -> bool:
    """Whether a folder is called by a piece; what the box has not is told with the pictures in it."""
    try:
        return sight.pictured(folder) is not None
    except NotationError:
        return True


def _tell(
    reader: Terminal,
    sight: AnyPhotoSight,
    name: str,
    box: Box,
    complaints: Sequence[Mapping[str, str]],
    known: int,
) -> None:
    from companion.photos.checks import contradicting_pieces

    lacking, alike = missing_labels(sight, box.known), list(box.alike(sight.kind))[:PAIRS_TOLD]
    odd = list(contradicting_pieces(box.gallery(), sight)) if box.labels else []
    for words in (*_told(name, box, known), *_wanting(box, lacking, alike, odd)):
        reader.say(words)
    reader.data(
        {
            "gallery": name,
            "pieces": {label: box.labels.count(label) for label in box.known},
            "known": known,
            "missing": list(lacking),
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
    box: Box, lacking: Sequence[str], alike: Iterable[tuple[str, str, float]], odd: Iterable[str]
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
    for piece in odd:
        yield _(
            "Piece %(piece)s looks like others turned about, or by another name: "
            "look whether it was laid as asked, and enrol it again.",
            piece=piece,
        )
