"""Train the network that tells squares apart: `python -m models.train.network FOLDER models/squares`.

Written as ONNX, and the same in whole numbers of eight bits, which is what ships."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from calibration.plane import Pixels
from models.registry import INPUT_SIDE, standardised
from models.train.augmentation import DRAWN, augmented_batch
from models.train.layers import SMALL, Adam, Convolution, Floats, Layer, Learned, Likeness, Linear, Norm, Rng
from models.train.squares import place_for, squares

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


SHAPE = ((16, 2), (32, 2), (64, 1), (64, 2), (96, 1))
"""Of each convolution: how many numbers it makes of each place, and whether it skips every second one."""
NUMBERS = 64
SHARP = 14.0
"""By how much a cosine is multiplied before it speaks for a piece."""
BATCH, ROUND = 128, 100
"""Crops learned from at a time; batches made at a time, by another process."""
RATE = 2e-3
CALIBRATED_BY = 512
"""Crops by which numbers of eight bits are scaled."""
Batches = list[tuple[Pixels, NDArray[np.int64]]]


@dataclass(frozen=True)
class Trained:
    """Layers that learn together."""

    blocks: Sequence[tuple[Convolution, Norm]]
    last: Linear

    @classmethod
    def fresh(cls, rng: Rng, side: int) -> Trained:
        blocks, colours = [], 3
        for wide, stride in SHAPE:
            blocks.append((Convolution(rng, colours, wide, stride), Norm(wide)))
            side, colours = (side - 1) // stride + 1, wide
        return cls(blocks, Linear(rng, side * side * colours, NUMBERS))

    @property
    def layers(self) -> Sequence[Layer]:
        return [*(layer for block in self.blocks for layer in block), self.last]

    @property
    def learned(self) -> Learned:
        return [pair for layer in self.layers for pair in layer.learned]

    def forward(self, crops: Floats) -> Floats:
        for layer in self.layers:
            crops = layer.forward(crops)
        return crops

    def backward(self, slope: Floats) -> None:
        for layer in reversed(self.layers):
            slope = layer.backward(slope)


def pictures(folder: Path) -> Pixels:
    """Every square in a folder of pieces, upright."""
    found = [cv2.resize(p, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA) for _name, p in squares(folder)]
    return np.asarray(np.stack(found), np.uint8)


def batches(pieces: Pixels, seed: int, count: int) -> Batches:
    """Batches that are the same whenever they are made from the same seed."""
    rng = np.random.default_rng(seed)
    return [augmented_batch(rng, pieces, BATCH) for _each in range(count)]


def made_beside(pieces: Pixels, steps: int) -> Iterator[tuple[Pixels, NDArray[np.int64]]]:
    """Batches for so many steps, the next ones made by another process meanwhile."""
    counts = [min(ROUND, steps - done) for done in range(0, steps, ROUND)]
    with get_context("spawn").Pool(1) as pool:
        coming = [pool.apply_async(batches, (pieces, 0, counts[0]))]
        for seed, count in enumerate(counts[1:], 1):
            coming.append(pool.apply_async(batches, (pieces, seed, count)))
            yield from coming.pop(0).get()
        yield from coming.pop(0).get()


def train(pieces: Pixels, steps: int) -> Trained:
    """A network that has seen so many batches."""
    from models.registry import INPUT_SIDE, standardised

    rng = np.random.default_rng(0)
    trained = Trained.fresh(rng, INPUT_SIDE)
    likeness = Likeness(rng, NUMBERS, 4 * len(pieces), SHARP)
    adam, usual = Adam([*trained.learned, *likeness.learned]), np.zeros(2)
    for step, (crops, which) in enumerate(made_beside(pieces, steps)):
        error, right, slope = likeness.error(trained.forward(standardised(crops.astype(np.float32))), which)
        trained.backward(slope)
        adam.step(RATE * 0.5 * (1 + np.cos(np.pi * step / steps)))
        usual += (np.array([error, right]) - usual) * max(0.01, 1 / (step + 1))
        if step % 250 == 0:
            print(f"{step:6} of {steps}: error {usual[0]:.3f}, {usual[1]:.1%} told right", flush=True)
    return trained


def main(folder: Path, target: Path, steps: int) -> None:
    place_for(target)
    if steps < 1:
        raise SystemExit("It takes a step at least.")
    began, pieces = perf_counter(), pictures(folder)
    trained = train(pieces, steps)
    crops, _which = augmented_batch(np.random.default_rng(1), pieces, CALIBRATED_BY)
    whole = to_onnx(trained.blocks, trained.last)
    data = quantised(whole, crops.astype(np.float32))
    target.with_suffix(".onnx").write_bytes(data)
    card = {
        "input": "crops of 40 x 40 pixels, blue, green and red, each evened by its own mean and deviation",
        "output": f"{NUMBERS} numbers; the cosine of two says whether they show the same piece, turned alike",
        "trained_on": f"{len(pieces)} squares in four quarter turns, made worse by program, {steps * BATCH} crops",
        "minutes": round((perf_counter() - began) / 60, 1),
        "bytes": len(data),
        "made_by": "python -m models.train.network FOLDER models/squares",
        "sha256": sha256(data).hexdigest(),
    }
    lines = (
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in card.items()
    )
    target.with_suffix(".toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--steps", type=int, default=12_000, help="batches learned from")
    args = parser.parse_args()
    main(args.folder, args.target, args.steps)
