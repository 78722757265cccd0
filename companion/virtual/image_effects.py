"""What lamps, light, lens and sensor do to a picture.

Strengths are 0 to 1 and come from the table of faults; a seed gives the same table always, and a picture's number
the same noise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.rasterizer import Image
from companion.virtual.scene import ARM_LENGTH, ReachingHand

DAYLIGHT, WHITE_LAMP, WARM_LAMP = "daylight", "4000", "2700"
_GAINS = {DAYLIGHT: (1.0, 1.0, 1.0), WHITE_LAMP: (0.37, 0.64, 1.0), WARM_LAMP: (0.095, 0.4, 1.0)}
"""How much of blue, green and red light there is beside daylight: a black body of 4000 and 2700 kelvin."""
_MIXED = np.array([[0.9, 0.08, 0.02], [0.06, 0.88, 0.06], [0.02, 0.08, 0.9]], np.float32)
"""What of each colour a sensor takes for another when the light is far from daylight."""
_STEPS = 4095


@cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """From levels to light, and back in small steps."""
    levels = np.arange(256) / 255
    light = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    steps = np.arange(_STEPS + 1) / _STEPS
    back = np.where(steps <= 0.0031308, steps * 12.92, 1.055 * steps ** (1 / 2.4) - 0.055)
    return light.astype(np.float32), np.rint(back * 255).astype(np.uint8)


def under_lamp(picture: Image, lamp: str) -> Image:
    """The picture under one of these lamps."""
    if lamp == DAYLIGHT:
        return picture
    to_light, back = _tables()
    turned = np.array(_GAINS[lamp], np.float32)[:, None] * _MIXED
    light = cv2.transform(to_light[picture], turned)
    return np.asarray(back[np.clip(light * _STEPS, 0, _STEPS).astype(np.uint16)], np.uint8)


COARSE = (96, 54)
"""Light changes slowly across a table: it is worked out on so few places."""
FULL = 160
"""The value of a place that gets exactly the light it should."""
TILE = (1280, 720)
"""Noise is kept in this size, and laid side by side on larger pictures."""
SPARE = 96
"""How much larger the noise is kept, so that it can begin elsewhere in each picture."""
NOISE = 8.0
"""Standard deviation of the strongest noise, in steps of brightness."""
GLARE_S = 14.0
"""Within each of these spans there is a reflection for most of the time."""
FADE_S = 0.8
PASSES_S = 24.0
"""Within each of these spans a hand may pass once, for this long."""
PASS_S = 1.9

Light = NDArray[np.float32]


@dataclass(frozen=True)
class Shot:
    """One picture of a camera."""

    seed: int
    """Of the table and all that disturbs there."""
    time: float
    """Seconds since the camera began."""
    number: int


def disturbed(picture: Image, strengths: Mapping[str, float], shot: Shot) -> Image:
    """The picture with all that is on, in the order in which light meets it; it may be drawn over."""
    if strengths.keys() & _OF_LIGHT:
        picture = _under_light(picture, strengths, shot)
    for key, apply in _EFFECTS.items():
        if key in strengths:
            picture = apply(picture, strengths[key], shot)
    return picture


_OF_LIGHT = {"gradient", "colour", "shadows", "flicker"}


def _under_light(picture: Image, strengths: Mapping[str, float], shot: Shot) -> Image:
    light = _light(strengths, shot.seed, shot.time)
    coarse = np.clip(np.rint(light * FULL), 0, 255).astype(np.uint8)
    fine = cv2.resize(coarse, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, fine, scale=1 / FULL), np.uint8)


def _light(strengths: Mapping[str, float], seed: int, time: float) -> Light:
    choose = random.Random(f"light {seed}")
    columns, rows = COARSE
    x, y = np.meshgrid(np.linspace(-1, 1, columns), np.linspace(-1, 1, rows))
    light = np.ones((rows, columns))
    tint = np.ones(3)
    way = choose.uniform(0, 2 * pi) + time / 200
    if gradient := strengths.get("gradient"):
        light *= 1 + gradient * 0.55 * (x * cos(way) + y * sin(way)) - gradient * 0.3 * (x * x + y * y)
    if colour := strengths.get("colour"):
        tint *= np.array([1 - 0.13 * colour, 1 - 0.01 * abs(colour), 1 + 0.1 * colour])
    if shadows := strengths.get("shadows"):
        for blob in range(2):
            light *= 1 - shadows * _leaning(choose, x, y, time, blob)
    if flicker := strengths.get("flicker"):
        beat = random.Random(f"{seed} {time}").uniform(-1, 1)
        light *= 1 + 0.07 * flicker * (beat + 0.6 * np.sin(9 * y + 20 * time))
    return np.asarray(light[..., None] * tint, np.float32)


def _leaning(
    choose: random.Random, x: NDArray[np.float64], y: NDArray[np.float64], time: float, blob: int
) -> NDArray[np.float64]:
    """The soft shadow of somebody who leans over an edge of the table, and sways."""
    along, sway, pace = choose.uniform(-0.8, 0.8), choose.uniform(0, 2 * pi), choose.uniform(0.06, 0.2)
    edge = 1 if blob else -1
    cx = along + 0.08 * sin(pace * time + sway)
    cy = edge * (1.0 + 0.1 * cos(1.3 * pace * time + sway))
    return np.exp(-((((x - cx) / 0.32) ** 2 + ((y - cy) / 0.55) ** 2) ** 1.5))


def _glare(picture: Image, strength: float, shot: Shot) -> Image:
    """The reflection of a lamp: it stays for a while, goes, and comes back elsewhere."""
    span = int(shot.time // GLARE_S)
    since = shot.time - span * GLARE_S
    strength *= min(1.0, since / FADE_S, (0.7 * GLARE_S - since) / FADE_S)
    if strength <= 0:
        return picture
    choose = random.Random(f"glare {shot.seed} {span}")
    height, width = picture.shape[:2]
    x, y = width * choose.uniform(0.1, 0.9), height * choose.uniform(0.12, 0.88)
    radius = width * 0.08
    left, top = max(0, int(x - radius)), max(0, int(y - radius))
    part = picture[top : int(y + radius), left : int(x + radius)]
    v, u = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]].astype(np.float32)
    far = ((u - x) / radius) ** 2 + ((v - y) / (0.62 * radius)) ** 2
    shine = np.clip(1.35 * np.exp(-3.4 * far) - 0.04, 0, 1) * strength * 255
    part[:] = cv2.add(part, cv2.merge([shine.astype(np.uint8)] * 3))
    return picture


def _noise(picture: Image, strength: float, shot: Shot) -> Image:
    """The noise of a sensor, laid over each picture from another corner."""
    choose = random.Random(shot.seed * 1_000_003 + shot.number)
    height, width = picture.shape[:2]
    more, less = _grain(shot.seed, min(width, TILE[0]) + SPARE, min(height, TILE[1]) + SPARE)
    for top in range(0, height, TILE[1]):
        for left in range(0, width, TILE[0]):
            part = picture[top : top + TILE[1], left : left + TILE[0]]
            y, x = choose.randrange(SPARE), choose.randrange(SPARE)
            here = slice(y, y + part.shape[0]), slice(x, x + part.shape[1])
            cv2.addWeighted(part, 1, more[here], strength, 0, part)
            cv2.addWeighted(part, 1, less[here], -strength, 0, part)
    return picture


@lru_cache(maxsize=2)
def _grain(seed: int, width: int, height: int) -> tuple[Image, Image]:
    """How much lighter and how much darker noise makes each pixel at most."""
    grain = np.random.default_rng(seed).standard_normal((height, width, 3), np.float32)
    field = NOISE * (0.8 * grain + 0.9 * cv2.GaussianBlur(grain, (0, 0), 0.8))
    more, less = (np.clip(np.rint(sign * field), 0, 255).astype(np.uint8) for sign in (1, -1))
    return more, less


def _blur(picture: Image, strength: float, _shot: Shot) -> Image:
    """A picture that is not quite sharp, the same on the table whatever its size."""
    sigma = strength * picture.shape[1] / 1280
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def _jpeg(picture: Image, strength: float, _shot: Shot) -> Image:
    """The picture as it comes back from a JPEG."""
    quality = round(95 - 22 * strength)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


_EFFECTS: Mapping[str, Callable[[Image, float, Shot], Image]] = {
    "glare": _glare,
    "blur": _blur,
    "noise": _noise,
    "jpeg": _jpeg,
}
"""After the light, by the key of the disturbance; in this order."""


def passing_hand(seed: int, time: float, width: float, height: float) -> ReachingHand | None:
    """A hand that reaches over the table for no reason the game knows, now and then."""
    span = int(time // PASSES_S)
    choose = random.Random(f"pass {seed} {span}")
    begin, wanted = choose.uniform(6, PASSES_S - PASS_S), choose.random() < 0.7
    part = (time - span * PASSES_S - begin) / PASS_S
    if not wanted or not 0 <= part <= 1:
        return None
    x, far = choose.uniform(0.15, 0.85) * width, choose.uniform(0.2, 0.45) * height
    below = choose.random() < 0.5
    tilt, who = choose.uniform(-25, 25), choose.randrange(1000)
    start = -ARM_LENGTH * 0.06
    y = start + (far - start) * sin(pi * part) ** 0.7
    return ReachingHand(x, height - y if below else y, tilt if below else 180 + tilt, who)
