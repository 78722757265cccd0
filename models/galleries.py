"""What is shipped beside the code: numbers only, checked against their card before anything believes them."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import ModelError
from companion.core.message import message as _

FOLDER = Path(__file__).parent
Arrays = Mapping[str, NDArray[Any]]


def model_card(name: str) -> Mapping[str, Any]:
    """What is known of a gallery or a network: what it was made of, how it was measured, its checksum."""
    try:
        return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise damaged_model(f"{name}.toml") from error


def load_arrays(name: str) -> Arrays:
    """The arrays of a gallery, or ModelError when its file is not the one its card speaks of."""
    file = f"{name}.npz"
    try:
        return unpack_arrays(read_checked(file))
    except ValueError as error:
        raise damaged_model(file) from error


def read_checked(file: str) -> bytes:
    """What is in a file of ours, or ModelError when it is not what its card speaks of."""
    known = model_card(Path(file).stem).get("sha256")
    try:
        data = (FOLDER / file).read_bytes()
    except OSError as error:
        raise damaged_model(file) from error
    if sha256(data).hexdigest() != known:
        raise damaged_model(file)
    return data


def damaged_model(file: str) -> ModelError:
    """What is told of a file of ours that cannot be used."""
    return ModelError(
        _(
            "models/%(file)s is missing or damaged: it is not what came with the companion."
            " Install the companion again.",
            file=file,
        )
    )


def unpack_arrays(data: bytes, only: Sequence[str] = ()) -> Arrays:
    """The arrays of a gallery's file, or those of them that are asked for; ValueError when it is none."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files if not only or key in only}
    # A damaged archive makes zipfile, zlib and NumPy raise a dozen kinds of errors; it is the same to everybody.
    except Exception as error:
        raise ValueError(f"this is no file of arrays: {error}") from error


def pack_arrays(arrays: Arrays) -> bytes:
    """A gallery's file."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)  # type: ignore[arg-type]  # names are ours
    return out.getvalue()
