"""Scenes made worse as tables and cameras do it: things on the pieces, light, lenses, cuts, other tables.

`SPOILT` has every way by name; the same seed spoils the same scene in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from models.train.scenes import (
    TERRAIN_COLOURS,
    Rng,
    Scene,
    clipped,
    lace,
    laid_anew,
    laid_on,
    meadow,
    newspaper,
    plain,
    together,
    without_dominoes,
    wood,
)

Spoil = Callable[[Scene, Rng, Sequence[Scene]], Scene]
"""What is done to a scene; other scenes of its session may come into it."""
SKIN = (120, 150, 205)
COLOURS = {**TERRAIN_COLOURS, "skin": SKIN, "white": (225, 228, 230), "grey": (128, 128, 128)}
SMALL_SQUARE = (18.0, 29.0)
"""Pixels of a square's side in a small picture."""


def _some_table(rng: Rng) -> Any:
    return (plain, meadow, wood)[rng.integers(3)]


def _painted(scene: Scene, mask: Any, colour: Any, rng: Rng, texture: float = 3.0) -> Scene:
    """Something of one colour over part of the picture, round at its rims and with a shadow beside it."""
    height, width = scene.picture.shape[:2]
    soft = scene.side / 40
    mask = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), max(soft, 0.5))
    shadow = cv2.GaussianBlur(mask, (0, 0), scene.side / 8) * (1 - mask) * 0.5
    rise = cv2.GaussianBlur(mask, (0, 0), scene.side / 3) - 0.75
    grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), 1.0) * 2 * texture
    folds = np.sin(np.linspace(0, rng.uniform(2, 14), width) + rng.uniform(0, 6))[None, :] * texture
    levels = np.asarray(colour) + (40 * rise + grain + folds)[..., None]
    under = scene.picture * (1 - shadow[..., None])
    return replace(scene, picture=clipped(under * (1 - mask[..., None]) + levels * mask[..., None]))


def _coloured(name: str, rng: Rng) -> Any:
    """A colour by its name, a little lighter, darker or otherwise."""
    return np.array(COLOURS[name]) * rng.uniform(0.8, 1.2) + rng.uniform(-14, 14, 3)


def _at(scene: Scene, place: tuple[float, float]) -> Any:
    return scene.kingdom.grid.pixels(np.array([place]))[0]


def _somewhere(scene: Scene, rng: Rng) -> tuple[float, float]:
    known = scene.kingdom
    return float(rng.uniform(-0.3, known.columns - 0.7)), float(rng.uniform(-0.3, known.rows - 0.7))


def _mask(scene: Scene) -> Any:
    return np.zeros(scene.picture.shape[:2], np.uint8)


def _sleeve(scene: Scene, rng: Rng, _others: Sequence[Scene], colour: str) -> Scene:
    """An arm that reaches in from beyond the kingdom."""
    mask, end = _mask(scene), _at(scene, _somewhere(scene, rng))
    turn, far = rng.uniform(0, 2 * np.pi), 12 * scene.side
    start = end + far * np.array([np.cos(turn), np.sin(turn)])
    wide = int(scene.side * rng.uniform(0.8, 1.7))
    cv2.line(mask, _pixel(start), _pixel(end), 1, wide)
    return _painted(scene, mask, _coloured(colour, rng), rng, texture=rng.uniform(0.5, 5))


def _pixel(at: Any) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def _flat(scene: Scene, rng: Rng, _others: Sequence[Scene], colour: str, pieces: int = 1) -> Scene:
    """A plain sheet over one square or several."""
    for _each in range(pieces):
        wide, high = rng.uniform(0.8, 2.6, 2)
        turn = rng.choice([0.0, rng.uniform(0, 90)])
        mask = _rectangle(scene, _at(scene, _somewhere(scene, rng)), wide, high, float(turn))
        scene = _painted(scene, mask, _coloured(colour, rng), rng, texture=rng.uniform(0.3, 3))
    return scene


def _exact(scene: Scene, rng: Rng, _others: Sequence[Scene], colour: str) -> Scene:
    """A plain sheet over one square or two side by side, just as large."""
    known = scene.kingdom
    x, y = int(rng.integers(known.columns)), int(rng.integers(known.rows))
    right, down = ((0, 0), (1, 0), (0, 1))[rng.integers(3)]
    r = 0.5
    ends = [(x - r, y - r), (x + right + r, y - r), (x + right + r, y + down + r), (x - r, y + down + r)]
    mask = _mask(scene)
    cv2.fillConvexPoly(mask, np.rint(known.grid.pixels(np.array(ends))).astype(np.int32), 1)
    return _painted(scene, mask, _coloured(colour, rng), rng, texture=rng.uniform(0.3, 3))


def _rectangle(scene: Scene, at: Any, wide: float, high: float, turn: float) -> Any:
    box = cv2.boxPoints(((float(at[0]), float(at[1])), (wide * scene.side, high * scene.side), turn))
    mask = _mask(scene)
    cv2.fillConvexPoly(mask, np.rint(box).astype(np.int32), 1)
    return mask


def _hand(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """A palm with fingers, on an arm in a sleeve or none."""
    mask, palm = _mask(scene), _at(scene, _somewhere(scene, rng))
    turn, side = rng.uniform(0, 2 * np.pi), scene.side
    for finger in np.linspace(-0.7, 0.7, 5):
        to = palm - 1.5 * side * np.array([np.cos(turn + finger), np.sin(turn + finger)])
        cv2.line(mask, _pixel(palm), _pixel(to), 1, int(0.32 * side))
    cv2.circle(mask, _pixel(palm), int(0.75 * side), 1, -1)
    arm = palm + 12 * side * np.array([np.cos(turn), np.sin(turn)])
    cv2.line(mask, _pixel(palm), _pixel(arm), 1, int(1.0 * side))
    return _painted(scene, mask, _coloured("skin", rng) * rng.uniform(0.45, 1.0), rng)


def _tokens(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """Discs and little cubes."""
    for _each in range(int(rng.integers(1, 4))):
        x, y = _somewhere(scene, rng)
        at = _at(scene, (round(x), round(y)) if rng.random() < 0.5 else (x, y))
        mask, size = _mask(scene), rng.uniform(0.3, 0.95)
        if rng.random() < 0.6:
            cv2.circle(mask, _pixel(at), int(size * scene.side / 2), 1, -1)
        else:
            mask = _rectangle(scene, at, size, size, rng.uniform(0, 90))
        scene = _painted(scene, mask, rng.uniform(20, 235, 3), rng)
    return scene


def _paper(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """A sheet with writing on it."""
    at, turn = _at(scene, _somewhere(scene, rng)), rng.uniform(-40, 40)
    wide, high = rng.uniform(1.0, 2.5, 2)
    scene = _painted(scene, _rectangle(scene, at, wide, high, turn), (222, 228, 232), rng, 1.0)
    lines = _mask(scene)
    for row in np.arange(-0.4, 0.4, 0.16):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        ends = [
            at + scene.side * np.array([c * wide * e - s * high * row, s * wide * e + c * high * row])
            for e in (-0.4, 0.35)
        ]
        cv2.line(lines, _pixel(ends[0]), _pixel(ends[1]), 1, max(1, int(scene.side / 22)))
    return replace(scene, picture=clipped(np.where(lines[..., None] > 0, 60, scene.picture)))


def _over_castle(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """Something on the castle and on a part of what lies beside it."""
    home = next(cell for cell, one in scene.kingdom.squares.items() if one and one.terrain == "castle")
    at = _at(scene, (home[0] + rng.uniform(-0.3, 0.3), home[1] + rng.uniform(-0.3, 0.3)))
    wide, high = rng.uniform(0.9, 1.8, 2)
    mask = _rectangle(scene, at, wide, high, rng.uniform(0, 90))
    return _painted(scene, mask, _coloured(str(rng.choice([*COLOURS])), rng), rng)


def _striped(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """Sun through a blind."""
    y, x = np.mgrid[: scene.picture.shape[0], : scene.picture.shape[1]]
    turn, period = rng.uniform(0, np.pi), scene.side * rng.uniform(0.4, 2.2)
    wave = np.sin((x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / period)
    light = cv2.GaussianBlur((wave > rng.uniform(-0.4, 0.4)).astype(np.float32), (0, 0), scene.side / 30)
    gain = 0.5 + light[..., None] * np.array([0.9, 1.0, 1.15]) * rng.uniform(0.7, 1.1)
    return replace(scene, picture=clipped(scene.picture * gain))


def _moire(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """A photo of a screen: fine stripes, of other colours in the other direction."""
    y, x = np.mgrid[: scene.picture.shape[0], : scene.picture.shape[1]]
    gain = np.ones((*x.shape, 3))
    for channel in range(3):
        turn, period = rng.uniform(0, np.pi), rng.uniform(2.3, 9)
        bent = x * np.cos(turn) + y * np.sin(turn) + 6 * np.sin(x / 90 + y / 70)
        gain[..., channel] += 0.16 * np.sin(bent * 2 * np.pi / period)
    return replace(scene, picture=clipped(scene.picture * gain))


def _jpeg(scene: Scene, _rng: Rng, _others: Sequence[Scene]) -> Scene:
    """Saved far too small."""
    _done, data = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 10])
    return replace(scene, picture=np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))


def _grey(scene: Scene, _rng: Rng, _others: Sequence[Scene]) -> Scene:
    grey = cv2.cvtColor(scene.picture, cv2.COLOR_BGR2GRAY)
    return replace(scene, picture=np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8))


def _dim(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """Lamps at night, with what a small sensor makes of them."""
    light = np.array([0.45, 0.75, 1.0]) * rng.uniform(0.4, 0.8)
    return replace(scene, picture=clipped(scene.picture * light + rng.normal(0, 12, scene.picture.shape)))


def _hand_shadow(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """The shadow of somebody who leans over the table."""
    at, mask = _at(scene, _somewhere(scene, rng)), _mask(scene)
    reach = scene.side * rng.uniform(1.0, 2.5, 2)
    cv2.ellipse(mask, (_pixel(at), (float(reach[0]), float(2 * reach[1])), rng.uniform(0, 180)), 1, -1)
    dark = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), scene.side / rng.uniform(5, 20))[..., None]
    return replace(scene, picture=clipped(scene.picture * (1 - rng.uniform(0.3, 0.65) * dark)))


def _barrel(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """A wide lens near the table."""
    height, width = scene.picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    u, v = (x - width / 2) / (width / 2), (y - height / 2) / (height / 2)
    bent = 1 + rng.uniform(0.04, 0.12) * (u * u + v * v)
    shrunk = float(bent[0, 0])
    across = np.asarray((width / 2) * (1 + u * bent / shrunk), np.float32)
    down = np.asarray((height / 2) * (1 + v * bent / shrunk), np.float32)
    picture = cv2.remap(scene.picture, across, down, cv2.INTER_LINEAR)
    return replace(scene, picture=np.asarray(picture, np.uint8))


def _cut(scene: Scene, rng: Rng, _others: Sequence[Scene], by: tuple[float, float]) -> Scene:
    """Taken too close, or cropped: so many squares of one side or two are not in the picture."""
    xs, ys = scene.kingdom.corners.T
    box = [float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())]
    for side in rng.permutation(4)[: rng.integers(1, 3)]:
        far = rng.uniform(*by) * scene.side
        box[side] += far if side < 2 else -far
    left, top = (max(0, int(edge)) for edge in box[:2])
    right, low = int(box[2]), int(box[3])
    moved = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1.0)])
    return Scene(scene.picture[top:low, left:right].copy(), tuple(k.mapped(moved) for k in scene.kingdoms))


def _mirrored(scene: Scene, _rng: Rng, _others: Sequence[Scene]) -> Scene:
    """As a camera for selfies shows it; the labels stay as the pieces lie."""
    width = scene.picture.shape[1]
    flipped = np.array([(-1, 0, width), (0, 1, 0), (0, 0, 1.0)])
    return Scene(
        np.ascontiguousarray(scene.picture[:, ::-1]), tuple(k.mapped(flipped) for k in scene.kingdoms)
    )


def _tiny(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    return scene.scaled(min(1.0, rng.uniform(*SMALL_SQUARE) / scene.side))


def _steep(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    """From a chair beside the table."""
    height, width = scene.picture.shape[:2]
    narrow = rng.uniform(0.08, 0.17)
    ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    far = np.array(
        [(narrow * width, 0.3 * height), ((1 - narrow) * width, 0.3 * height), (width, height), (0, height)],
        np.float32,
    )
    matrix = np.asarray(cv2.getPerspectiveTransform(ends, far), np.float64)
    return scene.mapped(matrix, (width, height), tuple(map(float, rng.uniform(30, 200, 3))))


def _missing(scene: Scene, rng: Rng, _others: Sequence[Scene], table: Any = None) -> Scene:
    count = int(rng.integers(1, 4))
    return laid_on(without_dominoes(scene, rng, count), table or _some_table(rng), rng)


def _anew(scene: Scene, rng: Rng, _others: Sequence[Scene]) -> Scene:
    return laid_on(laid_anew(scene, rng), _some_table(rng), rng)


def _touching(scene: Scene, rng: Rng, others: Sequence[Scene]) -> Scene:
    """Two kingdoms less than a square and a half apart."""
    gap = scene.kingdom.columns + rng.uniform(0.05, 1.4)
    pair = [scene, others[int(rng.integers(len(others)))]]
    return together(pair, _some_table(rng), rng, [(0.0, 0.0), (gap, rng.uniform(-1, 1))], 2.2, 2.0)


def _several(scene: Scene, rng: Rng, others: Sequence[Scene]) -> Scene:
    """The kingdoms of a whole table, two to four."""
    every = [scene, *others[:3]]
    right = max(one.kingdom.columns for one in every) + rng.uniform(1.5, 2.6)
    down = max(one.kingdom.rows for one in every) + rng.uniform(1.5, 2.6)
    at = [(0.0, 0.0), (right, 0.0), (0.0, down), (right, down)][: len(every)]
    return together(every, _some_table(rng), rng, at, 1.5)


def _on(scene: Scene, rng: Rng, _others: Sequence[Scene], table: Any) -> Scene:
    return laid_on(scene, table, rng, turn=float(rng.choice([4, 30])))


def _as_it_is(scene: Scene, _rng: Rng, _others: Sequence[Scene]) -> Scene:
    return scene


SPOILT: Mapping[str, Spoil] = {
    "as it is": _as_it_is,
    **{f"{name} sleeve": partial(_sleeve, colour=name) for name in TERRAIN_COLOURS},
    **{f"{name} sheet": partial(_flat, colour=name) for name in TERRAIN_COLOURS},
    "two blue sheets": partial(_flat, colour="blue", pieces=2),
    **{f"{name} square": partial(_exact, colour=name) for name in ("blue", "yellow", "green", "dark")},
    "hand": _hand,
    "tokens": _tokens,
    "paper": _paper,
    "on the castle": _over_castle,
    "striped sun": _striped,
    "moire": _moire,
    "jpeg 10": _jpeg,
    "grey": _grey,
    "dim": _dim,
    "shadow": _hand_shadow,
    "barrel": _barrel,
    "steep": _steep,
    "cut a little": partial(_cut, by=(0.05, 0.45)),
    "too close": partial(_cut, by=(0.5, 1.6)),
    "mirrored": _mirrored,
    "small": _tiny,
    "missing": _missing,
    "missing on cloth": partial(_missing, table=meadow),
    "laid anew": _anew,
    "touching": _touching,
    "several": _several,
    "lace": partial(_on, table=lace),
    "newspaper": partial(_on, table=newspaper),
    "cloth": partial(_on, table=meadow),
}
ON_ITS_OWN = frozenset(
    {
        "as it is",
        "missing",
        "missing on cloth",
        "laid anew",
        "touching",
        "several",
        "lace",
        "newspaper",
        "cloth",
    }
)
"""What lays its own table, or leaves a picture as it is."""
TOGETHER = frozenset({"touching", "several"})
"""What takes another kingdom of the same box."""
COVERING = tuple(SPOILT)[tuple(SPOILT).index("as it is") + 1 : tuple(SPOILT).index("striped sun")]
"""What lies on pieces, or hides them."""
LAID = 0.5
"""How many of the cropped pictures are laid on a table before they are spoilt."""


def spoilt(
    scene: Scene, others: Sequence[Scene], seed: int, kinds: Container[str] = frozenset(SPOILT)
) -> Iterator[tuple[str, Scene]]:
    """The same scene spoilt in every way, or in those that are named."""
    for number, (name, change) in enumerate(SPOILT.items()):
        if name not in kinds or (name in TOGETHER and not others):
            continue
        rng = np.random.default_rng((seed, number))
        cropped = np.ptp(scene.kingdom.corners, axis=0).min() >= min(scene.picture.shape[:2]) - 1
        lay = cropped and name not in ON_ITS_OWN and rng.random() < LAID
        yield name, change(laid_on(scene, _some_table(rng), rng) if lay else scene, rng, others)
