"""What the doctor looks at before anybody shows a photo: what photos are read by, and the household's own boxes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from companion.commands.check import Check
from companion.core.errors import CompanionError
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.household.settings import LoadedSettings

PHOTO_GAME = "kingdomino"
_INSTALL_AGAIN = _("Install the companion again.")


def check_photos(_loaded: LoadedSettings) -> Iterator[Check]:
    if find_spec("cv2") is None:
        yield Check("photos", False, _("OpenCV is missing: no photo can be read"), _INSTALL_AGAIN)
        return
    # Imported here: nothing else that the doctor looks at needs pictures.
    from companion.vision.gallery.likeness import NETWORK
    from companion.vision.gallery.shipped import load_shipped
    from models.networks import load_network

    try:
        pieces = len(set(load_shipped(PHOTO_GAME).labels))
        load_network(NETWORK)
    except CompanionError as error:
        yield Check("photos", False, error.message, _INSTALL_AGAIN)
    else:
        yield Check("photos", True, _n("%(count)d square is known", "%(count)d squares are known", pieces))


def check_boxes(loaded: LoadedSettings) -> Iterator[Check]:
    if find_spec("cv2") is None:
        return
    from companion.vision.gallery.box import DamagedBox
    from companion.vision.gallery.boxes import BoxRepository

    kept, drawings, damaged = BoxRepository(loaded.settings.data_folder), 0, False
    for name in kept.names:
        try:
            drawings += len(kept.open(name).labels)
        except CompanionError as error:
            damaged, file = True, str(kept.folder / f"{name}.npz")
            fix = _("Let the companion read %(file)s.", file=file)
            if isinstance(error, DamagedBox):
                fix = _(
                    "On the page: menu, Teach it your box, Forget this box. Or remove %(file)s.", file=file
                )
            yield Check("boxes", False, error.message, fix)
    if not damaged:
        yield Check(
            "boxes", True, _n("%(count)d drawing of your own", "%(count)d drawings of your own", drawings)
        )
