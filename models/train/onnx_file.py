"""A trained network as an ONNX file, and the same in whole numbers of eight bits."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.networks import INPUT_SIDE, standardised
from models.train.layers import SMALL, Convolution, Floats, Linear, Norm

OPSET, IR = 17, 9
"""Old enough for every ONNX Runtime that the companion may meet."""


def to_onnx(blocks: Sequence[tuple[Convolution, Norm]], last: Linear) -> bytes:
    """What layers have learned as a file, for any number of crops at a time."""
    nodes = [helper.make_node("Transpose", ["crops"], ["seen0"], perm=[0, 3, 1, 2])]
    known = []
    for number, (convolution, norm) in enumerate(blocks):
        weights, shift = _folded(convolution, norm)
        known += [_named(f"weights{number}", weights), _named(f"shift{number}", shift)]
        inputs, sides = [f"seen{number}", f"weights{number}", f"shift{number}"], [convolution.stride] * 2
        nodes.append(helper.make_node("Conv", inputs, [f"sum{number}"], pads=[1, 1, 1, 1], strides=sides))
        nodes.append(helper.make_node("Relu", [f"sum{number}"], [f"seen{number + 1}"]))
    colours = len(blocks[-1][1].gain)
    side = int(np.sqrt(len(last.weights) // colours))
    by_colour = last.weights.reshape(side, side, colours, -1).transpose(2, 0, 1, 3)
    known.append(_named("weights", by_colour.reshape(len(last.weights), -1)))
    nodes.append(helper.make_node("Flatten", [f"seen{len(blocks)}"], ["flat"]))
    nodes.append(helper.make_node("Gemm", ["flat", "weights"], ["numbers"]))
    crops = helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", INPUT_SIDE, INPUT_SIDE, 3])
    numbers = helper.make_tensor_value_info("numbers", TensorProto.FLOAT, ["n", last.weights.shape[1]])
    graph = helper.make_graph(nodes, "squares", [crops], [numbers], known)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _folded(convolution: Convolution, norm: Norm) -> tuple[Floats, Floats]:
    """The weights of both as those of one: ONNX has colours first."""
    by = norm.gain / np.sqrt(norm.variance + SMALL)
    shaped = (convolution.weights * by).reshape(3, 3, -1, len(by)).transpose(3, 2, 0, 1)
    return np.asarray(shaped, np.float32), np.asarray(norm.shift - norm.mean * by, np.float32)


def _named(name: str, numbers: Floats) -> TensorProto:
    return numpy_helper.from_array(np.ascontiguousarray(numbers, np.float32), name)


def quantised(network: bytes, crops: Floats, batch: int = 64) -> bytes:
    """The same network with weights and sums in eight bits, scaled by what these crops make of them."""
    from onnxruntime.quantization import (  # type: ignore[import-untyped]
        CalibrationDataReader,
        QuantType,
        quantize_static,
    )

    class Reader(CalibrationDataReader):  # type: ignore[misc]  # ONNX Runtime has no types
        def __init__(self) -> None:
            parts = range(0, len(crops), batch)
            self._rows: Iterator[Any] = iter({"crops": standardised(crops[at : at + batch])} for at in parts)

        def get_next(self) -> Any:
            return next(self._rows, None)

    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "before.onnx", Path(folder) / "after.onnx"
        before.write_bytes(network)
        quantize_static(
            before,
            after,
            Reader(),
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        return after.read_bytes()
