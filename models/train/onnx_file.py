"""A trained network as an ONNX file, and the same in whole numbers of eight bits.

The graph is written operator by operator: it has only four kinds. PyTorch's own exporter would need onnxscript besides,
and write names of its making and the paths of source files into what is shipped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.registry import INPUT_SIDE, Vectors

OPSET, IR = 17, 9
"""Old enough for every ONNX Runtime that the companion may meet."""


def to_onnx(network: nn.Sequential, side: int = INPUT_SIDE) -> bytes:
    """A trained network as a file: from `crops`, n × side × side × its channels, to `numbers` for any n.

    These are n × 96 or, where a convolution is the last, n × its channels × rows × columns.

    Batch normalization is folded into the convolution before it.
    """
    nodes: list[onnx.NodeProto] = []
    known: list[TensorProto] = []

    def add(operator: str, *weights: Tensor, **options: Any) -> None:
        """What the last operator gave, and these weights, go into one more."""
        names = [f"{operator}{len(nodes)}_{place}" for place in range(len(weights))]
        known.extend(map(_named, names, weights))
        before = nodes[-1].output[0] if nodes else "crops"
        nodes.append(helper.make_node(operator, [before, *names], [f"seen{len(nodes)}"], **options))

    add("Transpose", perm=[0, 3, 1, 2])
    for layer, following in pairwise([*network.eval(), None]):
        match layer:
            case nn.Conv2d():
                both = fuse_conv_bn_eval(layer, following) if isinstance(following, nn.BatchNorm2d) else layer
                add(
                    "Conv",
                    both.weight,
                    both.bias,
                    strides=layer.stride,
                    pads=layer.padding * 2,
                    dilations=layer.dilation,
                )
            case nn.ReLU():
                add("Relu")
            case nn.Flatten():
                add("Flatten")
            case nn.Linear():
                add("Gemm", layer.weight, transB=1)
    nodes[-1].output[0] = "numbers"
    last = network[-1]
    shape = ["n", last.out_features] if isinstance(last, nn.Linear) else ["n", last.out_channels, None, None]
    crops = helper.make_tensor_value_info(
        "crops", TensorProto.FLOAT, ["n", side, side, network[0].in_channels]
    )
    numbers = helper.make_tensor_value_info("numbers", TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "pieces", [crops], [numbers], known)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _named(name: str, weights: Tensor) -> TensorProto:
    return numpy_helper.from_array(weights.detach().numpy(), name)


def quantised(network: bytes, crops: Vectors, batch: int = 64) -> bytes:
    """The same network with weights and sums in eight bits, a quarter as large.

    Their ranges are those which these crops, as it takes them, need, `batch` of them at a time.
    """
    # Here: ONNX Runtime's tools take seconds to import and have no types.
    from onnxruntime.quantization import (  # type: ignore[import-untyped]
        CalibrationDataReader,
        QuantType,
        quantize_static,
    )

    class Reader(CalibrationDataReader):  # type: ignore[misc]  # ONNX Runtime has no types
        def __init__(self) -> None:
            parts = range(0, len(crops), batch)
            self._rows: Iterator[dict[str, NDArray[Any]]] = iter(
                {"crops": crops[at : at + batch]} for at in parts
            )

        def get_next(self) -> dict[str, NDArray[Any]] | None:
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


def write_network(target: Path, data: bytes, **card: str | float) -> None:
    """A network's file, and its card beside it."""
    target.with_suffix(".onnx").write_bytes(data)
    known = {**card, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    lines = (
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in known.items()
    )
    target.with_suffix(".toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
