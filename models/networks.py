"""Networks that are shipped: weights that are checked against their card before anything believes what they say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.galleries import damaged_model, model_card, read_checked

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

    def describe(self, crops: Vectors) -> Vectors:
        """A row of length 1 for each crop of blue, green and red levels."""
        if not len(crops):
            return np.zeros((0, self.session.get_outputs()[0].shape[1]), np.float32)
        parts = [crops[at : at + AT_A_TIME] for at in range(0, len(crops), AT_A_TIME)]
        found = np.concatenate([self.session.run(None, {"crops": standardised(part)})[0] for part in parts])
        return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6), np.float32)


def standardised(crops: Vectors) -> Vectors:
    """Crops without their brightness and contrast, but with their colours."""
    flat = crops.reshape(len(crops), -1)
    mean, deviation = flat.mean(axis=1, keepdims=True), flat.std(axis=1, keepdims=True)
    return np.asarray((flat - mean) / np.maximum(deviation, EVEN), np.float32).reshape(crops.shape)


def open_network(data: bytes, version: str) -> Network:
    """A network of an ONNX file."""
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
