"""Train the network that sees figures on tiles: `python -m models.train.followers models/followers FOLDER ...`.

Each FOLDER holds pictures of tiles as `models.train.pieces` describes. Figures are rendered on boards of them
(`models.train.figure_scenes`); no photo of a table is learned from. What is learned is where feet are, and at each its
colour and pose.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from calibration.plane import Pixels
from companion.vision.gallery.squares import Vectors
from companion.vision.photo.figures import (
    CHANNELS,
    COLOURS,
    POSES,
    SEEN,
    STRIDE,
    View,
    crops,
    view_of,
)
from companion.vision.photo.keypoints import Floats
from models.train.augmentation import Rng
from models.train.figure_scenes import RenderedBoard, scene
from models.train.onnx_file import quantised, to_onnx, write_network
from models.train.pieces import drawn_pieces, picture_set, pieces
from models.train.squares import place_for

CONVOLUTIONS = ((16, 2, 1), (48, 2, 1), (64, 1, 1), (64, 1, 2), (80, 1, 4), (80, 1, 2), (80, 1, 1))
"""Of each 3 × 3 convolution: its channels, its stride and its dilation. 88 × 88 pixels become 22 × 22 places."""
INPUTS = 4
"""Blue, green and red, and how flat the tile looks."""
PLACES = SEEN // STRIDE
SPREAD = 1.0
"""Places around a foot's that count as nearly right."""
NEAR = 0.4
"""From this much on a place tells the colour, too."""
EXACTLY = 2.0
"""What being a place off counts beside telling colours."""
HIDDEN = 0.4
"""Up to this part shown, nobody is asked whether somebody is there."""
LEANS, LAID = 6.0, 0.025
"""How wrong the way up (degrees) and a tile's corners (sides) are known."""
BATCH = 64
STEPS = 8_000
RATE, DECAY = 2e-3, 1e-4
"""AdamW's learning rate at first (a cosine takes it to 0) and its weight decay."""
CALIBRATED_BY = 512
"""Views by which the ranges of eight bits are chosen."""
AGAIN, KEPT = 2, 200
"""How many batches are learned from again after each new one, and of how many before it: making one takes longer."""
LIGHT = 0.06
"""How differently lit it is each time."""
SEED = 0
RARE = -4.0
"""What speaks for a foot at first: nearly every place shows none."""
HEAT = 0
KINDS = slice(1, 1 + len(COLOURS))
WAYS = slice(KINDS.stop, KINDS.stop + len(POSES))
OFFSETS = slice(WAYS.stop, CHANNELS)


@dataclass(frozen=True, eq=False)
class Lesson:
    """Views of tiles, and what there is to see at each of the 22 × 22 places of each."""

    views: Vectors
    heat: Vectors
    """1 at feet, less around them."""
    weight: Vectors
    """0 where nobody is asked."""
    colour: Vectors
    """The number of the nearest foot's colour."""
    pose: Vectors
    offset: Vectors
    """From each place's middle to the nearest foot, in places: x and y."""


def lesson(rng: Rng, sets: Sequence[Pixels], count: int) -> Lesson:
    """So many views of boards with figures."""
    parts, found = [], 0
    while found < count:
        one = scene(rng, sets)
        looked = [
            _view(rng, one, cell, corners) for cell, corners in one.corners.items() if _inside(one, corners)
        ]
        if looked:
            parts.append(taught(one, looked))
            found += len(looked)
    return Lesson(
        *(np.concatenate([getattr(part, name) for part in parts])[:count] for name in Lesson.__annotations__)
    )


def _inside(one: RenderedBoard, corners: Floats) -> bool:
    return bool((corners.mean(axis=0) > 0).all() and (corners.mean(axis=0) < one.picture.shape[1::-1]).all())


def _view(rng: Rng, one: RenderedBoard, cell: tuple[int, int], corners: Floats) -> View:
    """A tile as it is looked at, its corners and the way up known as badly as from a photo."""
    up = one.camera.matrix[:, 2]
    middle = corners.mean(axis=0)
    turn = np.radians(rng.normal(0, LEANS))
    c, s = np.cos(turn), np.sin(turn)
    way = np.array([(c, -s), (s, c)]) @ (up[:2] - middle * up[2])
    side = np.linalg.norm(corners[2] - corners[0]) / 2
    return view_of(cell, corners + rng.normal(0, LAID * side, (4, 2)), np.array([*-way, 0.0]))


def taught(one: RenderedBoard, looked: Sequence[View]) -> Lesson:
    """What is to be seen in these views of a scene."""
    middles = (np.arange(PLACES) + 0.5) * STRIDE
    places = np.stack(np.meshgrid(middles, middles), axis=-1)
    heat = np.zeros((len(looked), PLACES, PLACES), np.float32)
    weight, colour, pose = np.ones_like(heat), np.zeros_like(heat), np.zeros_like(heat)
    offset = np.zeros((*heat.shape, 2), np.float32)
    for row, view in enumerate(looked):
        nearest = np.full(heat.shape[1:], np.inf)
        for foot, figure, shown in zip(one.feet, one.figures, one.shown, strict=True):
            away = (view.matrix[:, :2] @ foot + view.matrix[:, 2] - places) / STRIDE
            far = (away**2).sum(axis=-1)
            near = far < nearest
            nearest = np.minimum(far, nearest)
            offset[row][near] = away[near]
            assert figure.colour
            colour[row][near] = COLOURS.index(figure.colour)
            pose[row][near] = POSES.index(figure.pose)
            if shown > HIDDEN:
                heat[row] = np.maximum(heat[row], np.exp(-far / (2 * SPREAD**2)))
            else:
                weight[row][far < 9] = 0
    return Lesson(crops(one.picture, looked), heat, weight, colour, pose, offset)


@dataclass(frozen=True, eq=False)
class Lessons:
    """The batches of a training, in order. Batch `step` depends on the tiles and its own number alone."""

    sets: Sequence[Pixels]
    steps: int
    begin: int = 0

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        cv2.setNumThreads(1)
        one = lesson(np.random.default_rng((SEED, self.begin + step)), self.sets, BATCH)
        return {name: torch.from_numpy(getattr(one, name)) for name in Lesson.__annotations__}


def fresh() -> nn.Sequential:
    """The network before it has learned anything: n × 4 × 88 × 88 to n × 16 × 22 × 22."""
    layers: list[nn.Module] = []
    channels = INPUTS
    for wide, stride, dilation in CONVOLUTIONS:
        convolution = nn.Conv2d(channels, wide, 3, stride, padding=dilation, dilation=dilation, bias=False)
        nn.init.kaiming_normal_(convolution.weight)
        layers += [convolution, nn.BatchNorm2d(wide, momentum=0.02), nn.ReLU()]
        channels = wide
    last = nn.Conv2d(channels, CHANNELS, 1)
    with torch.no_grad():
        assert last.bias is not None
        last.bias.zero_()
        last.bias[HEAT] = RARE
    return nn.Sequential(*layers, last)


def lost(told: Tensor, known: dict[str, Tensor]) -> Tensor:
    """How far what the network tells is from what there is to see."""
    heat, weight = known["heat"], known["weight"]
    seen = told[:, HEAT]
    sure = torch.sigmoid(seen)
    # A focal loss: of the many places where nothing is, only those count that are taken for a foot.
    here = heat > 0.75
    missed = functional.logsigmoid(seen) * (1 - sure) ** 2 * here * heat
    taken = functional.logsigmoid(-seen) * sure**2 * (1 - heat) ** 4 * ~here
    feet = (here * weight).sum().clamp(min=1)
    loss = -((missed + taken) * weight).sum() / feet
    near = (heat > NEAR) & (weight > 0)
    if near.any():
        by_place = told.permute(0, 2, 3, 1)[near]
        loss = loss + functional.cross_entropy(by_place[:, KINDS], known["colour"][near].long())
        loss = loss + functional.cross_entropy(by_place[:, WAYS], known["pose"][near].long())
        off = functional.smooth_l1_loss(by_place[:, OFFSETS], known["offset"][near], beta=0.3)
        loss = loss + EXACTLY * off
    return loss


def train(sets: Sequence[Pixels], steps: int, state: Path | None = None) -> nn.Sequential:
    """A network that has learned from so many batches; the same tiles and steps give the same weights.

    `state` is where the weights are kept in the end, and what it goes on from where there is such a file.
    """
    torch.manual_seed(SEED)
    network = fresh().train().to(memory_format=torch.channels_last)
    everything = nn.ModuleDict({"network": network})
    everything.register_buffer("steps", torch.tensor(0))
    if state and state.exists():
        everything.load_state_dict(torch.load(state, weights_only=True))
    begin = int(everything.steps)
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=RATE if not begin else RATE / 2, weight_decay=DECAY
    )
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    # Another process makes the next batches meanwhile; spawned, for OpenCV's threads do not survive a fork.
    batches = DataLoader(
        Lessons(sets, steps, begin), None, num_workers=1, prefetch_factor=4, multiprocessing_context="spawn"
    )
    usual, kept = 0.0, list[dict[str, Tensor]]()
    for step, fresh_batch in enumerate(batches):
        kept = [*kept[-KEPT:], fresh_batch]
        again = torch.randint(len(kept), (AGAIN,)).tolist()
        for known in (fresh_batch, *(kept[which] for which in again)):
            light = LIGHT * torch.randn(2, len(known["views"]), INPUTS, 1, 1)
            light[:, :, -1] = 0
            shown = known["views"].permute(0, 3, 1, 2) * light[0].exp() + light[1]
            with torch.autocast("cpu", torch.bfloat16):
                told = network(shown)
            loss = lost(told.float(), known)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        usual += (loss.item() - usual) * max(0.01, 1 / (step + 1))
        if step % 100 == 0:
            print(f"{step:6} of {steps}: loss {usual:.3f}", flush=True)
        if state and (step % 500 == 499 or step == steps - 1):
            everything.steps.fill_(begin + step + 1)
            torch.save(everything.state_dict(), state)
    return network.eval()


def main(folders: Sequence[str], target: Path, steps: int, state: Path | None = None) -> None:
    place_for(target)
    if steps < 1:
        raise SystemExit("It takes a step at least.")
    torch.set_num_threads(1)
    began = perf_counter()
    sets = [picture_set(pieces(Path(folder))).pictures for folder in folders]
    sets.append(picture_set(drawn_pieces("carcassonne")).pictures)
    network = train(sets, steps, state)
    seen = lesson(np.random.default_rng(1), sets, CALIBRATED_BY).views
    data = quantised(to_onnx(network, SEEN), seen)
    write_network(
        target,
        data,
        input=f"views of {SEEN} x {SEEN} pixels of tiles with what is around them, as figures.py makes them",
        output=f"at every fourth pixel {CHANNELS} numbers: a foot, its colour, its pose, where exactly",
        trained_on=f"{sum(map(len, sets))} pictures of tiles with rendered figures, made worse by program, "
        f"{steps * BATCH} views; no photo of a table",
        minutes=round((perf_counter() - began) / 60, 1),
        made_by=f"python -m models.train.followers models/followers FOLDER ... --steps {steps}",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--steps", type=int, default=STEPS, help="batches learned from")
    parser.add_argument("--state", type=Path, help="file of weights to go on from, and to keep them in")
    args = parser.parse_args()
    main(args.folders, args.target, args.steps, args.state)
