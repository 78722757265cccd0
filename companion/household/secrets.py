"""What has to stay the same when the companion starts again: the PIN, and the secret that tablets are known by."""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from companion.core.message import message as _
from companion.household.languages import at_terminal

PIN_LENGTH = 6
SECRET_LENGTH = 32

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Secrets:
    """What has to stay the same when the companion starts again, so that tablets stay unlocked."""

    secret: bytes
    pin: str


def load_secrets(folder: Path, pin: str) -> Secrets:
    """The keys kept in the data folder, made at the first start; a PIN from the settings goes first."""
    path = folder / "keys.json"
    try:
        keys = _read_keys(path)
    except FileNotFoundError:
        keys = _new_keys(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning(at_terminal(_("%(file)s cannot be read: there is a new PIN now.", file=str(path))))
        log.debug("%s", error)
        keys = _new_keys(path)
    return Secrets(keys.secret, pin or keys.pin)


def _read_keys(path: Path) -> Secrets:
    kept = json.loads(path.read_text(encoding="utf-8"))
    keys = Secrets(bytes.fromhex(kept["secret"]), str(kept["pin"]))
    if len(keys.secret) < SECRET_LENGTH or not re.fullmatch("[0-9]{4,8}", keys.pin):
        raise ValueError("an empty secret or PIN would let everybody in")
    return keys


def _new_keys(path: Path) -> Secrets:
    digits = (secrets.choice("0123456789") for _each in range(PIN_LENGTH))
    keys = Secrets(secrets.token_bytes(SECRET_LENGTH), "".join(digits))
    # All of it or nothing: a power cut leaves no half of a file behind.
    new = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.touch(mode=0o600)
        with new.open("w", encoding="utf-8") as file:
            json.dump({"secret": keys.secret.hex(), "pin": keys.pin}, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        trouble = _(
            "the PIN cannot be kept in %(folder)s (%(reason)s): it will be another one next time",
            folder=str(path.parent),
            reason=str(error.strerror),
        )
        log.warning(at_terminal(trouble))
    return keys
