"""Train the network that tells squares apart: `python -m models.train.network FOLDER models/squares`.

FOLDER is one as `models.train.squares` takes. Every square in every quarter turn is a class of its own. The network is
trained with one row of weights for each class; a crop's 64 numbers must point the way of its own class's row, however
badly the crop was made. Afterwards these rows are thrown away: only the network, which never learned a name, is kept.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from calibration.plane import Pixels
from models.registry import INPUT_SIDE, standardised
from models.train.augmentation import DRAWN, augmented_batch, in_four_turns
from models.train.onnx_file import quantised, to_onnx
from models.train.squares import place_for, squares

CONVOLUTIONS = ((16, 2), (32, 2), (64, 1), (64, 2), (96, 1))
"""Of each 3 × 3 convolution: its channels and its stride. 40 × 40 places become 20, 10, 10, 5 and 5 a side."""
NUMBERS = 64
"""Length of what is said of a crop."""
SHARP = 14.0
"""What a cosine, from -1 to 1, is multiplied by to be a logit: the larger, the sooner a right answer counts as sure."""
BATCH = 128
STEPS = 12_000
RATE, DECAY = 2e-3, 1e-4
"""AdamW's learning rate at first (a cosine takes it to 0) and its weight decay."""
MEMORY = 0.02
"""The part of a batch in the running mean and variance of batch normalization."""
CALIBRATED_BY = 512
"""Crops by which the ranges of eight bits are chosen."""
SEED = 0


@dataclass(frozen=True, eq=False)
class Crops:
    """The batches of a training, in order. Batch `step` depends on the pieces and its own number alone."""

    pieces: Pixels
    """As `in_four_turns` has them, a class each."""
    steps: int

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor]:
        """128 × 3 × 40 × 40 standardised crops, and the 128 classes that they show."""
        crops, classes = augmented_batch(np.random.default_rng((SEED, step)), self.pieces, BATCH)
        return as_input(crops), torch.from_numpy(classes)


def as_input(crops: Pixels) -> Tensor:
    """Crops (n × 40 × 40 × 3, levels) as the network takes them: n × 3 × 40 × 40, mean 0 and deviation 1 each."""
    return torch.from_numpy(standardised(crops.astype(np.float32))).permute(0, 3, 1, 2)


def fresh() -> nn.Sequential:
    """The network before it has learned anything: n × 3 × 40 × 40 to n × 64, weights drawn by torch's seed."""
    layers: list[nn.Module] = []
    channels, side = 3, INPUT_SIDE
    for wide, stride in CONVOLUTIONS:
        convolution = nn.Conv2d(channels, wide, 3, stride, padding=1, bias=False)
        nn.init.kaiming_normal_(convolution.weight)
        layers += [convolution, nn.BatchNorm2d(wide, momentum=MEMORY), nn.ReLU()]
        channels, side = wide, -(-side // stride)
    last = nn.Linear(channels * side * side, NUMBERS, bias=False)
    nn.init.kaiming_normal_(last.weight, nonlinearity="linear")
    return nn.Sequential(*layers, nn.Flatten(), last)


def logits(rows: Tensor, classes: Tensor) -> Tensor:
    """How much each row (n × 64) speaks for each class (k × 64): n × k cosines, each times SHARP."""
    return SHARP * functional.linear(functional.normalize(rows), functional.normalize(classes))


def train(pieces: Pixels, steps: int) -> nn.Sequential:
    """A network that has learned from so many batches; the same pieces and steps give the same weights."""
    torch.manual_seed(SEED)
    torch.use_deterministic_algorithms(True)
    network = fresh().train()
    classes = nn.Parameter(torch.randn(len(pieces), NUMBERS))
    optimizer = torch.optim.AdamW([*network.parameters(), classes], lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    # Another process makes the next batches meanwhile; spawned, for OpenCV's threads do not survive a fork.
    batches = DataLoader(Crops(pieces, steps), None, num_workers=1, multiprocessing_context="spawn")
    usual = np.zeros(2)
    for step, (crops, which) in enumerate(batches):
        told = logits(network(crops), classes)
        loss = functional.cross_entropy(told, which)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        right = (told.argmax(dim=1) == which).float().mean()
        usual += (np.array([loss.item(), right.item()]) - usual) * max(0.01, 1 / (step + 1))
        if step % 250 == 0:
            print(f"{step:6} of {steps}: loss {usual[0]:.3f}, {usual[1]:.1%} told right", flush=True)
    return network.eval()


def pictures(folder: Path) -> Pixels:
    """Every square in a folder of pieces in four quarter turns: 4n × 96 × 96 × 3 levels of blue, green and red."""
    found = [cv2.resize(p, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA) for _name, p in squares(folder)]
    return in_four_turns(np.asarray(np.stack(found), np.uint8))


def main(folder: Path, target: Path, steps: int) -> None:
    place_for(target)
    if steps < 1:
        raise SystemExit("It takes a step at least.")
    torch.set_num_threads(1)  # sums are added in one order; a second thread would save little
    began, pieces = perf_counter(), pictures(folder)
    network = train(pieces, steps)
    crops, _classes = augmented_batch(np.random.default_rng(1), pieces, CALIBRATED_BY)
    data = quantised(to_onnx(network), crops.astype(np.float32))
    target.with_suffix(".onnx").write_bytes(data)
    card = {
        "input": "crops of 40 x 40 pixels, blue, green and red, each evened by its own mean and deviation",
        "output": f"{NUMBERS} numbers; the cosine of two says whether they show the same piece, turned alike",
        "trained_on": f"{len(pieces) // 4} squares in four quarter turns, made worse by program, {steps * BATCH} crops",
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
    parser.add_argument("--steps", type=int, default=STEPS, help="batches learned from")
    args = parser.parse_args()
    main(args.folder, args.target, args.steps)
