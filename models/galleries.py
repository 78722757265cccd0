"""What is shipped beside the code: numbers only, checked against their card before anything believes them."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
Arrays = Mapping[str, NDArray[Any]]


def card(name: str) -> Mapping[str, Any]:
    """What is known of a gallery or a network: what it was made of, how it was measured, its checksum."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def load(name: str) -> Arrays:
    """The arrays of a gallery, or ValueError when its file is not the one its card speaks of."""
    return unpacked(checked(f"{name}.npz"))


def checked(file: str) -> bytes:
    """What is in a file of ours, or ValueError when it is not what its card speaks of."""
    data, known = (HERE / file).read_bytes(), card(Path(file).stem)
    if sha256(data).hexdigest() != known["sha256"]:
        raise ValueError(
            f"models/{file} is damaged: it is not what its card speaks of. Install the companion again."
        )
    return data


def unpacked(data: bytes) -> Arrays:
    """The arrays of a gallery's file."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {key: arrays[key] for key in arrays.files}


def packed(arrays: Arrays) -> bytes:
    """A gallery's file."""
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)  # type: ignore[arg-type]  # names are ours
    return out.getvalue()
