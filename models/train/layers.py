"""The few layers of a small network, what each has learned and how it learns, in NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rng = np.random.Generator
Learned = Sequence[tuple[Floats, Floats]]
"""Numbers, each array beside how the error of the last batch changes with them."""

SMALL = 1e-5
"""What no variance is below."""
MEMORY = 0.98
"""How much of what was usual stays with each batch."""


class Layer(Protocol):
    """A step of a network."""

    @property
    def learned(self) -> Learned: ...

    def forward(self, x: Floats) -> Floats:
        """What comes out for a batch that is learned from."""

    def backward(self, slope: Floats) -> Floats:
        """How the error changes with what came in, by how it changes with what came out."""


class Convolution:
    """Looks at 3 × 3 numbers around every place, or around every second one."""

    def __init__(self, rng: Rng, colours: int, wide: int, stride: int) -> None:
        self.stride = stride
        self.weights = rng.normal(0, np.sqrt(2 / (9 * colours)), (9 * colours, wide)).astype(np.float32)
        self._slopes = np.zeros_like(self.weights)

    @property
    def learned(self) -> Learned:
        return [(self.weights, self._slopes)]

    def forward(self, x: Floats) -> Floats:
        n, height, width, colours = self._shape = x.shape
        s, padded = self.stride, np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        out = (height - 1) // s + 1, (width - 1) // s + 1
        around = np.empty((n, *out, 3, 3, colours), np.float32)
        for down, right in np.ndindex(3, 3):
            around[:, :, :, down, right] = padded[:, down : down + height : s, right : right + width : s]
        self._around = around.reshape(-1, 9 * colours)
        return np.asarray(self._around @ self.weights, np.float32).reshape(n, *out, -1)

    def backward(self, slope: Floats) -> Floats:
        n, height, width, colours = self._shape
        s, flat = self.stride, slope.reshape(-1, slope.shape[-1])
        self._slopes[:] = self._around.T @ flat
        around = (flat @ self.weights.T).reshape(*slope.shape[:3], 3, 3, colours)
        padded = np.zeros((n, height + 2, width + 2, colours), np.float32)
        for down, right in np.ndindex(3, 3):
            padded[:, down : down + height : s, right : right + width : s] += around[:, :, :, down, right]
        return padded[:, 1:-1, 1:-1]


class Norm:
    """Makes numbers alike from batch to batch, and takes those below nothing for nothing."""

    def __init__(self, wide: int) -> None:
        self.gain, self.shift = np.ones(wide, np.float32), np.zeros(wide, np.float32)
        self.mean, self.variance = np.zeros(wide, np.float32), np.ones(wide, np.float32)
        self._gain, self._shift = np.zeros_like(self.gain), np.zeros_like(self.shift)

    @property
    def learned(self) -> Learned:
        return [(self.gain, self._gain), (self.shift, self._shift)]

    def forward(self, x: Floats) -> Floats:
        flat = x.reshape(-1, x.shape[-1])
        mean, variance = flat.mean(axis=0), flat.var(axis=0)
        self.mean[:] = MEMORY * self.mean + (1 - MEMORY) * mean
        self.variance[:] = MEMORY * self.variance + (1 - MEMORY) * variance
        self._by = 1 / np.sqrt(variance + SMALL)
        self._even = (flat - mean) * self._by
        out = self._even * self.gain + self.shift
        self._on = out > 0
        return np.asarray(out * self._on, np.float32).reshape(x.shape)

    def backward(self, slope: Floats) -> Floats:
        flat = slope.reshape(self._even.shape) * self._on
        self._gain[:], self._shift[:] = (flat * self._even).sum(axis=0), flat.sum(axis=0)
        usual = (self._shift + self._even * self._gain) / len(flat)
        return np.asarray((flat - usual) * (self.gain * self._by), np.float32).reshape(slope.shape)


class Linear:
    """Every number that comes out is a sum of all that come in, each with its own weight."""

    def __init__(self, rng: Rng, wide: int, out: int) -> None:
        self.weights = rng.normal(0, np.sqrt(1 / wide), (wide, out)).astype(np.float32)
        self._slopes = np.zeros_like(self.weights)

    @property
    def learned(self) -> Learned:
        return [(self.weights, self._slopes)]

    def forward(self, x: Floats) -> Floats:
        self._shape, self._flat = x.shape, x.reshape(len(x), -1)
        return np.asarray(self._flat @ self.weights, np.float32)

    def backward(self, slope: Floats) -> Floats:
        self._slopes[:] = self._flat.T @ slope
        return np.asarray(slope @ self.weights.T, np.float32).reshape(self._shape)


class Likeness:
    """The error of a batch: how unlike each of its rows is to the one that stands for its piece."""

    def __init__(self, rng: Rng, wide: int, pieces: int, sharp: float) -> None:
        self.standing = rng.normal(0, 1, (pieces, wide)).astype(np.float32)
        """A row for each piece in each quarter turn."""
        self.sharp = sharp
        self._slopes = np.zeros_like(self.standing)

    @property
    def learned(self) -> Learned:
        return [(self.standing, self._slopes)]

    def error(self, x: Floats, pieces: NDArray[np.int64]) -> tuple[float, float, Floats]:
        """The error, the part that is told right, and how the error changes with the rows."""
        (rows, long), (standing, length) = _unit(x), _unit(self.standing)
        scores = self.sharp * rows @ standing.T
        scores -= scores.max(axis=1, keepdims=True)
        likely = np.exp(scores)
        likely /= likely.sum(axis=1, keepdims=True)
        own = np.arange(len(x)), pieces
        error, right = float(-np.log(likely[own] + 1e-9).mean()), float((scores[own] >= 0).mean())
        likely[own] -= 1
        slope = np.asarray(likely * (self.sharp / len(x)), np.float32)
        self._slopes[:] = _across(np.asarray(slope.T @ rows), standing, length)
        return error, right, _across(np.asarray(slope @ standing), rows, long)


def _unit(x: Floats) -> tuple[Floats, Floats]:
    length = np.linalg.norm(x, axis=1, keepdims=True) + 1e-6
    return np.asarray(x / length, np.float32), np.asarray(length, np.float32)


def _across(slope: Floats, unit: Floats, length: Floats) -> Floats:
    """The slope for rows before they were made one long."""
    along = (slope * unit).sum(axis=1, keepdims=True)
    return np.asarray((slope - along * unit) / length, np.float32)


class Adam:
    """Moves every number by how steady its slope is, and lets go a little of the weights of layers."""

    def __init__(self, learned: Learned) -> None:
        self._learned = learned
        self._mean = [np.zeros_like(numbers) for numbers, _slope in learned]
        self._square = [np.zeros_like(numbers) for numbers, _slope in learned]
        self._steps = 0

    def step(self, rate: float, decay: float = 1e-4) -> None:
        self._steps += 1
        first, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for (numbers, slope), mean, square in zip(self._learned, self._mean, self._square, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            numbers -= rate * (mean / first / (np.sqrt(square / second) + 1e-8) + decay * numbers)
