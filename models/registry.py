"""Shipped weights and galleries: every file is checked against the SHA-256 on its card before anything
believes it.

`load_arrays` opens a gallery (npz, numbers only), `load_network` a network (ONNX, run on the CPU). Both raise
`ModelError`.
"""

from __future__ import annotations

import io
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
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


def is_shipped(name: str) -> bool:
    """Whether there is a card of that name: what it speaks of may still be missing or damaged."""
    return (FOLDER / f"{name}.toml").is_file()


PIECES = "pieces"
"""The network that knows square pieces of every game."""


def network_of(game: str) -> str:
    """The network that tells a game's pieces apart: what its shipped gallery is described by, else the general one."""
    return str(model_card(game).get("network", PIECES)) if is_shipped(game) else PIECES


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


Vectors = NDArray[np.float32]

INPUT_SIDE = 40
"""Pixels of the side of what a network looks at."""
AT_A_TIME = 256
"""Pictures looked at together; those of a large box, all at a time, would take half a gigabyte."""
EVEN = 4.0
"""Levels below which differences are not made larger: noise on one colour."""


@dataclass(frozen=True, eq=False)
class Network:
    """From pictures of pieces to numbers that stay nearly the same in any light."""

    version: str
    """What a gallery has to be described by to be compared with it."""
    session: Any
    """ONNX Runtime's own, which has no types."""

    def run(self, crops: Vectors) -> Vectors:
        """What the network says of crops as it takes them."""
        return np.asarray(self.session.run(None, {"crops": crops})[0], np.float32)

    def describe(self, crops: Vectors) -> Vectors:
        """A row of length 1 for each crop of blue, green and red levels."""
        if not len(crops):
            return np.zeros((0, self.session.get_outputs()[0].shape[1]), np.float32)
        parts = [crops[at : at + AT_A_TIME] for at in range(0, len(crops), AT_A_TIME)]
        found = np.concatenate([self.run(standardised(part)) for part in parts])
        return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6), np.float32)


def standardised(crops: Vectors) -> Vectors:
    """Crops without their brightness and contrast, but with their colours."""
    flat = crops.reshape(len(crops), -1)
    mean, deviation = flat.mean(axis=1, keepdims=True), flat.std(axis=1, keepdims=True)
    return np.asarray((flat - mean) / np.maximum(deviation, EVEN), np.float32).reshape(crops.shape)


def open_network(data: bytes, version: str) -> Network:
    """A network of an ONNX file; ONNX Runtime notes nothing about this computer and sends nothing."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when it is loaded
    import onnxruntime  # type: ignore[import-untyped]  # here: it takes a moment, and few commands look at a picture

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # it would keep what the largest picture took
    return Network(version, onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"]))


def network_version(name: str) -> str:
    """What galleries that were described by this network say."""
    return str(model_card(name).get("sha256"))[:16]


@cache
def load_network(name: str) -> Network:
    """The network of that name, or ModelError when its file is not the one its card speaks of."""
    file = f"{name}.onnx"
    data = read_checked(file)
    try:
        return open_network(data, network_version(name))
    # ONNX Runtime raises kinds of its own where it knows less than the file asks for.
    except Exception as error:
        raise damaged_model(file) from error
