"""Train the network that tells pieces apart: `python -m models.train.network models/pieces FOLDER ...`.

Each FOLDER is one as `models.train.pieces` describes, `FOLDER:3` one of whose pieces crops are made three times as
often. Every piece in every quarter turn is a class of its own. The network is trained with one row of weights for each
class; a crop's numbers must point the way of its own class's row, however badly the crop was made, and a crop of cloth
or wood away from all of them. Afterwards these rows are thrown away: only the network, which never learned a name, is
kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from calibration.plane import Pixels
from models.registry import INPUT_SIDE, standardised
from models.train.augmentation import NOTHING, augmented_batch
from models.train.onnx_file import quantised, to_onnx, write_network
from models.train.pieces import COVERED, Lessons, drawn_pieces, picture_set, pieces
from models.train.squares import place_for

CONVOLUTIONS = ((16, 2), (32, 2), (64, 1), (64, 2), (96, 1))
"""Of each 3 × 3 convolution: its channels and its stride. 40 × 40 places become 20, 10, 10, 5 and 5 a side."""
NUMBERS = 96
"""Length of what is said of a crop."""
SHARP = 14.0
"""What a cosine, from -1 to 1, is multiplied by to be a logit: the larger, the sooner a right answer counts as sure."""
MARGIN = 0.15
"""By how much a crop must be more like its own class than it is before that counts: drawings that differ by a crown
have to lie apart, not only on the right side."""
UNLIKE = 0.45
"""The cosine to beat: a crop of no piece must be less like every class than that, one of a piece more like its own."""
KINDS, APART = 0.5, 0.3
"""What telling kinds counts beside telling classes, and what telling no piece from the batch's pieces does."""
OURS = ("kingdomino:3", "carcassonne:1")
"""Games of whose faces, as the house draws them, crops are made, and how often beside a folder's once."""
BATCH = 128
STEPS = 12_000
RATE, DECAY = 2e-3, 1e-4
"""AdamW's learning rate at first (a cosine takes it to 0; half of it where a training goes on) and its weight decay."""
OF_NETWORK = "network."
"""Begins the names of the network's own weights among all that is kept."""
MEMORY = 0.02
"""The part of a batch in the running mean and variance of batch normalization."""
CALIBRATED_BY = 512
"""Crops by which the ranges of eight bits are chosen."""
SEED = 0


@dataclass(frozen=True, eq=False)
class Crops:
    """The batches of a training, in order. Batch `step` depends on the pieces and its own number alone."""

    lessons: Lessons
    steps: int
    begin: int = 0
    """How many batches were learned from before."""

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor]:
        """128 × 3 × 40 × 40 standardised crops, and the 128 classes that they show, or -1."""
        crops, classes = augmented_batch(
            np.random.default_rng((SEED, self.begin + step)), self.lessons, BATCH
        )
        return as_input(crops), torch.from_numpy(classes)


def as_input(crops: Pixels) -> Tensor:
    """Crops (n × 40 × 40 × 3, levels) as the network takes them: n × 3 × 40 × 40, mean 0 and deviation 1 each."""
    return torch.from_numpy(standardised(crops.astype(np.float32))).permute(0, 3, 1, 2)


def fresh() -> nn.Sequential:
    """The network before it has learned anything: n × 3 × 40 × 40 to n × 96, weights drawn by torch's seed."""
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
    """How much each row (n × 96) speaks for each class (k × 96), and in the last column for none: n × k cosines, each
    times SHARP, and UNLIKE times it."""
    told = SHARP * functional.linear(functional.normalize(rows), functional.normalize(classes))
    return functional.pad(told, (0, 1), value=SHARP * UNLIKE)


def lost(told: Tensor, which: Tensor, kinds: Tensor) -> Tensor:
    """How far logits are from classes, and from their kinds: for a kind speaks what speaks for any of its classes.

    The last class is no piece.
    """
    most = told.detach().amax(dim=1, keepdim=True)
    summed = torch.zeros(len(told), int(kinds.max()) + 1).index_add(1, kinds, (told - most).exp())
    of_kinds = functional.nll_loss(
        torch.log(summed + 1e-9) - torch.log(summed.sum(dim=1, keepdim=True)), kinds[which]
    )
    harder = (
        told
        - SHARP * MARGIN * functional.one_hot(which, told.shape[1]) * (which < told.shape[1] - 1)[:, None]
    )
    return functional.cross_entropy(harder, which) + KINDS * of_kinds


def too_alike(rows: Tensor, nothing: Tensor) -> Tensor:
    """How much more than UNLIKE the rows of no piece look like those of pieces.

    Classes alone do not tell: a plain lake that is far from its own would be found again in every plain cloth, for a
    gallery holds what the network says of a lake, and no classes.
    """
    if not nothing.any() or nothing.all():
        return rows.sum() * 0
    told = logits(rows[nothing], rows[~nothing])
    return (told.logsumexp(dim=1) - SHARP * UNLIKE).mean()


def train(
    lessons: Lessons, steps: int, state: Path | None = None, begin: Path | None = None
) -> nn.Sequential:
    """A network that has learned from so many batches; the same pieces and steps give the same weights.

    `state` is where all of it is kept in the end, and what it goes on from where there is such a file. `begin` is what
    another training kept: its network is where this one begins, to learn other classes.
    """
    torch.manual_seed(SEED)
    torch.use_deterministic_algorithms(True)
    network, count = fresh().train(), len(lessons.kinds)
    classes = nn.Parameter(torch.randn(count, NUMBERS))
    kinds = torch.from_numpy(np.append(lessons.kinds, lessons.kinds.max() + 1))
    everything = nn.ModuleDict({"network": network, "classes": nn.ParameterList([classes])})
    everything.register_buffer("steps", torch.tensor(0))
    if state and state.exists():
        everything.load_state_dict(torch.load(state, weights_only=True))
    elif begin:
        known = torch.load(begin, weights_only=True)
        network.load_state_dict(
            {name.removeprefix(OF_NETWORK): known[name] for name in known if name.startswith(OF_NETWORK)}
        )
    rate = RATE if int(everything.steps) == 0 else RATE / 2
    optimizer = torch.optim.AdamW([*network.parameters(), classes], lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    # Another process makes the next batches meanwhile; spawned, for OpenCV's threads do not survive a fork.
    crops_made = Crops(lessons, steps, int(everything.steps))
    batches = DataLoader(crops_made, None, num_workers=1, multiprocessing_context="spawn")
    usual = np.zeros(2)
    for step, (crops, shown) in enumerate(batches):
        which = shown.where(shown != NOTHING, count)
        rows = network(crops)
        told = logits(rows, classes)
        loss = lost(told, which, kinds) + APART * too_alike(rows, shown == NOTHING)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        right = (told.argmax(dim=1) == which).float().mean()
        usual += (np.array([loss.item(), right.item()]) - usual) * max(0.01, 1 / (step + 1))
        if step % 250 == 0:
            print(f"{step:6} of {steps}: loss {usual[0]:.3f}, {usual[1]:.1%} told right", flush=True)
    if state:
        everything.steps += steps
        torch.save(everything.state_dict(), state)
    return network.eval()


def lessons_of(folders: Sequence[str], ours: Sequence[str] = OURS, covered: float = COVERED) -> Lessons:
    """What these folders hold, and the faces that the house draws for some games; each with its share behind a colon
    or without."""
    sets = [picture_set(pieces(Path(folder)), share) for folder, share in map(_shared, folders)]
    drawn = [picture_set(drawn_pieces(game), share) for game, share in map(_shared, ours)]
    return Lessons((*sets, *drawn), covered)


def _shared(name: str) -> tuple[str, float]:
    """A folder or a game, and how often crops are made of it."""
    known, _, share = name.rpartition(":")
    return (known, float(share)) if known and share.replace(".", "", 1).isdigit() else (name, 1.0)


def main(
    lessons: Lessons,
    target: Path,
    steps: int,
    state: Path | None = None,
    begin: Path | None = None,
    said: str = "",
) -> None:
    """Train, and write the network and its card; `said` is what was asked for."""
    place_for(target)
    if steps < 1:
        raise SystemExit("It takes a step at least.")
    torch.set_num_threads(1)  # sums are added in one order; a second thread would save little
    began = perf_counter()
    network = train(lessons, steps, state, begin)
    crops, _classes = augmented_batch(np.random.default_rng(1), lessons, CALIBRATED_BY)
    data = quantised(to_onnx(network), standardised(crops.astype(np.float32)))
    pictures = sum(len(one.labels) for one in lessons.sets)
    write_network(
        target,
        data,
        input="crops of 40 x 40 pixels, blue, green and red, each evened by its own mean and deviation",
        output=f"{NUMBERS} numbers; the cosine of two says whether they show the same piece, turned alike",
        trained_on=f"{pictures} pictures of {len(lessons.first)} pieces in quarter turns, made worse by program, "
        f"{steps * BATCH} crops, some of them of no piece",
        minutes=round((perf_counter() - began) / 60, 1),
        made_by=f"python -m models.train.network models/{target.name} FOLDER ... --steps {steps}{said}",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("folders", nargs="+", metavar="FOLDER[:SHARE]")
    parser.add_argument("--steps", type=int, default=STEPS, help="batches learned from")
    parser.add_argument("--state", type=Path, help="file of weights to go on from, and to keep them in")
    parser.add_argument(
        "--begin", type=Path, help="state of another training, whose network this one begins with"
    )
    parser.add_argument(
        "--ours", nargs="*", default=OURS, metavar="GAME[:SHARE]", help="games whose faces we draw"
    )
    parser.add_argument(
        "--covered", type=float, default=COVERED, help="part of the crops with a figure on them"
    )
    args = parser.parse_args()
    told = "" if args.covered == COVERED else f" --covered {args.covered}"
    main(
        lessons_of(args.folders, args.ours, args.covered),
        args.target,
        args.steps,
        args.state,
        args.begin,
        told,
    )
