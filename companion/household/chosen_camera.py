"""The camera that people chose on the page: it goes before the one of the settings file, until they let go of it."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import fields, replace
from pathlib import Path
from tempfile import mkstemp

from companion.core.errors import NotationError, StoreError
from companion.core.message import message as _
from companion.household.languages import at_terminal
from companion.household.settings import CameraSettings, Settings

FILE = "chosen-camera.json"
"""In the data folder; `camera.json` there is how the camera above the table was set up."""
CHOICES = ("none", "usb", "pi", "stream", "folder")
"""What can be chosen on the page; a video and the virtual table are for whoever writes settings."""

log = logging.getLogger(__name__)


def with_chosen_camera(settings: Settings) -> Settings:
    """The settings with the camera that was chosen on the page, if one was."""
    path = settings.data_folder / FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        chosen = check_choice(kept["source"], kept["place"])
    except FileNotFoundError:
        return settings
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning(
            at_terminal(_("%(file)s cannot be read: choose the camera on the page again.", file=str(path)))
        )
        log.debug("%s", error)
        return settings
    source, place = chosen
    return replace(settings, camera=replace(settings.camera, source=source, place=place))


def check_choice(source: object, place: object) -> tuple[str, str]:
    """The choice, or NotationError where no camera can be meant by it."""
    kind = next(key.metadata["kind"] for key in fields(CameraSettings) if key.name == "place")
    if source not in CHOICES or not kind.fits(place):
        raise NotationError(_("The companion did not understand which camera is meant. Nothing was changed."))
    return str(source), str(place)


def keep_chosen_camera(folder: Path, choice: tuple[str, str] | None) -> None:
    """Keep the choice over a restart, all of it or nothing; None lets the settings file choose again."""
    path = folder / FILE
    try:
        if choice is None:
            path.unlink(missing_ok=True)
            return
        folder.mkdir(parents=True, exist_ok=True)
        # A file of one's own, readable for nobody else: two tablets may choose at once, an address may have a password.
        number, new_name = mkstemp(prefix=f"{FILE}.", suffix=".new", dir=folder)
        new = Path(new_name)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump({"source": choice[0], "place": choice[1]}, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise StoreError(
            _(
                "The camera cannot be kept in %(folder)s: %(reason)s. Nothing was changed.",
                folder=str(folder),
                reason=str(error.strerror),
            )
        ) from error
