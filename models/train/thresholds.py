"""`reading_accuracy FOLDER --left-out`: how photos of a session are read by numbers chosen on the others.

Every number is chosen anew for each session that is left out, one after another from its least cautious value,
by the photos of the other sessions and by the same photos spoilt on purpose. What lays and judges is chosen by photos
with things on their pieces as well.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from calibration.plane import Pixels
from companion.core.errors import NotationError
from companion.core.lattice import Cell
from companion.core.message import message as _
from companion.core.photo import SeenSquares
from companion.games.kingdomino.sight import tiling
from companion.games.kingdomino.sight.photo import (
    KingdomReading,
    Thresholds,
    TilingResult,
    believe_dominoes,
    believe_table,
    find_tilings,
    judge_kingdom,
    leads_without_looking,
)
from companion.games.kingdomino.sight.tiling import Evidence, evidence_of
from companion.photos.reader import PhotoRead, PhotoReader, RowSet, look_again
from companion.vision.photo import extent, locate
from companion.vision.photo.extent import LocatedSquares
from companion.vision.photo.locate import find_squares
from companion.vision.picture_file import decode_picture, working_size
from models.train.degradation import degraded
from models.train.reading_accuracy import Figures, Labelled, count_photo
from models.train.scenes import Scene
from models.train.spoiling import COVERING, spoilt
from models.train.spoilt_accuracy import Outcome, outcomes, scenes

KEPT = 4
"""Settings whose places and kingdoms are remembered while numbers are chosen."""
EVERY = 4
"""Of so many photos of a session one is spoilt, too."""
THINGS = 2
"""Ways in which things are laid on the pieces of each photo."""
SEED = 1000
"""Other pictures than those that `spoilt_accuracy` measures by."""
SILENT_SCORE, SILENT_SQUARE, REFUSED, WRONG, ASKED = 1000, 50, 20, 2, 1
"""What errors cost: a wrong score that is believed is the worst."""
OUTCOMES = {Outcome.SILENT: SILENT_SCORE, Outcome.MISLED: 2 * SILENT_SQUARE, Outcome.REFUSED: REFUSED}
"""The same of photos with things on their pieces, beside what is asked."""
SPARE = 2
"""What a number that judges may cost more than the cheapest, for being more cautious."""
Kept = TypeVar("Kept")
Looked = tuple[Kept | None, Kept | None]
"""What came of a first look at a picture, and of a closer one."""


@dataclass(frozen=True)
class Threshold:
    """A number that was tuned, and what it may be instead."""

    name: str
    values: tuple[float, ...]
    """The least cautious first."""
    module: ModuleType | None = None
    """Where it stands; without one it belongs to the caution of doubts."""

    @property
    def key(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}.{self.name}" if self.module else self.name


FINDING = (
    Threshold("FILLED", (0.5, 0.6, 0.7), locate),
    Threshold("PRESENT", (0.65, 0.75, 0.85), extent),
    Threshold("FAINT", (0.2, 0.4, 0.6), extent),
    Threshold("PLAIN", (6.0, 11.0, 16.0), extent),
    Threshold("DULL", (0.65, 0.8, 0.95), extent),
    Threshold("BARE", (0.2, 0.4, 0.6), extent),
)
LAYING = (
    Threshold("NOTHING", (0.15, 0.3, 0.45), tiling),
    Threshold("BARE", (0.1, 0.2, 0.3), tiling),
    Threshold("STANDING", (0.35, 0.4, 0.45), tiling),
)
JUDGING = (
    Threshold("told", (0.05, 0.08, 0.12, 0.16, 0.2, 0.3)),
    Threshold("explained", (0.4, 0.45, 0.5, 0.55, 0.6)),
    Threshold("strained", (-0.08, -0.07, -0.06)),
    Threshold("uneasy", (-0.06, -0.05)),
    Threshold("mostly", (0.6, 0.5, 0.4, 0.3)),
    Threshold("usual", (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)),
    Threshold("beside_doubted", (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)),
    Threshold("known", (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)),
    Threshold("apart", (0.04, 0.06, 0.08, 0.12, 0.16, 0.2)),
    Threshold("clear", (0.04, 0.06, 0.08)),
    Threshold("beside_tower", (0.6, 0.65, 0.7)),
    Threshold("flat", (0.6, 0.7)),
)
NUMBERS = (*FINDING, *LAYING, *JUDGING)
Setting = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Sample:
    """A photo, or the same photo spoilt; one without a label shows no kingdom."""

    session: str
    known: Labelled | None
    picture: Pixels
    spoilt: str = ""
    held: bool = False
    """Whether it has no part in choosing, whatever session is left out."""
    scene: Scene | None = None
    """Of a photo with things on its pieces: what lies where."""


@dataclass(frozen=True)
class LeftOutSession:
    """What came of a session whose photos had no part in choosing."""

    session: str
    chosen: Setting
    photos: Figures
    spoilt: Figures
    covered: Counter[Outcome]
    """What came of its photos with things on their pieces."""
    others: tuple[int, int, int]
    """Held pictures that show no kingdom: all of them, those refused, and those that got points without a question."""

    def row(self) -> Mapping[str, Any]:
        """What scripts read."""
        all_of_them, refused, silent = self.others
        return {
            "left_out": self.session,
            "chosen": dict(self.chosen),
            "photos": self.photos.row(),
            "spoilt": self.spoilt.row(),
            "covered": {outcome.name.lower(): self.covered[outcome] for outcome in Outcome},
            "others": {"pictures": all_of_them, "refused": refused, "silently_counted": silent},
        }


def samples(known: Sequence[Labelled], others: Sequence[Path] = ()) -> Iterator[Sample]:
    """Every labelled photo, some of them spoilt as well, and pictures of other things, every second of them held."""
    for number, file in enumerate(others):
        yield Sample("", None, _decoded(file), held=bool(number % 2))
    numbers = Counter[str]()
    for one in known:
        picture = _decoded(one.file)
        yield Sample(one.session, one, picture)
        if numbers[one.session] % EVERY == 0:
            for name, worse in degraded(picture):
                yield Sample(one.session, one, worse, name)
        numbers[one.session] += 1


def covered_samples(known: Sequence[Labelled]) -> Iterator[Sample]:
    """Every labelled photo whose corners are known with things on its pieces, in some of the ways there are."""
    for number, (one, scene) in enumerate(scenes(known)):
        ways = {COVERING[(THINGS * number + way) % len(COVERING)] for way in range(THINGS)}
        for name, worse in spoilt(scene, (), SEED + number, ways):
            yield Sample(one.session, one, worse.picture, name, scene=worse)


def _decoded(file: Path) -> Pixels:
    """A picture as large as it is worked on: all of them stay in memory."""
    try:
        return working_size(decode_picture(file.read_bytes()))
    except OSError as error:
        raise NotationError(_("%(file)s cannot be read.", file=file.name)) from error


@dataclass
class ThresholdSearch:
    """All photos, and what came of them with each setting tried so far."""

    photos: SampleReader
    covered: SampleReader
    """By which nothing is chosen that finds pieces."""
    every: bool = True
    """Whether the numbers of finding are chosen, too, which takes ten times as long."""

    def choose(self, session: str = "") -> Setting:
        """Every number by all sessions but that one; by all of them without one."""
        chosen = NUMBERS if self.every else (*LAYING, *JUDGING)
        setting = {number.key: getattr(number.module, number.name) for number in FINDING}
        setting |= {number.key: number.values[0] for number in chosen}
        for number in (*chosen, *JUDGING):
            tried = [{**setting, number.key: value} for value in number.values]
            by = [self.photos] if number in FINDING else [self.photos, self.covered]
            costs = [sum(samples.cost_without(session, one) for samples in by) for one in tried]
            spare = SPARE if number in JUDGING else 0
            fitting = [one for one, cost in zip(tried, costs, strict=True) if cost <= min(costs) + spare]
            setting = fitting[-1] if number in JUDGING else setting if setting in fitting else fitting[0]
        return setting

    def leave_out(self, session: str) -> LeftOutSession:
        """Choose every number on the other sessions, then read this one."""
        setting = self.choose(session)
        figures = {worse: Figures(session) for worse in (False, True)}
        held = []
        for sample, read in self.photos.read(setting):
            if sample.held:
                held.append(read.shown)
            elif sample.session == session and sample.known:
                count_photo(figures[bool(sample.spoilt)], sample.known, read)
        came = Counter(
            outcome
            for sample, read in self.covered.read(setting)
            if sample.session == session and sample.scene
            for outcome, _questions in outcomes(sample.scene, [read])
        )
        silent = sum(shown is not None and not shown.asks for shown in held)
        others = len(held), held.count(None), silent
        return LeftOutSession(session, setting, figures[False], figures[True], came, others)


@dataclass
class SampleReader:
    """Some photos, and what came of them with each setting tried so far."""

    reader: PhotoReader
    samples: Sequence[Sample]
    _found: OrderedDict[tuple[float, ...], list[Looked[LocatedSquares]]] = field(default_factory=OrderedDict)
    _laid: OrderedDict[tuple[float, ...], list[Looked[TilingResult]]] = field(default_factory=OrderedDict)
    _told: dict[object, Mapping[Cell, float]] = field(default_factory=dict)
    _costs: dict[tuple[float, ...], list[float]] = field(default_factory=dict)

    def cost_without(self, session: str, setting: Setting) -> float:
        """What the errors of all other sessions cost."""
        key = _key(setting, NUMBERS)
        if key not in self._costs:
            self._costs[key] = [_cost(*one) for one in self.read(setting)]
        pairs_of = zip(self.samples, self._costs[key], strict=True)
        return sum(cost for sample, cost in pairs_of if sample.session != session and not sample.held)

    def read(self, setting: Setting) -> Iterator[tuple[Sample, PhotoRead]]:
        """What comes of each."""
        every = zip(self.samples, self._find(setting), self._lay(setting), strict=True)
        for index, (sample, found, laid) in enumerate(every):
            first, again = (
                PhotoRead(sample.picture, one, self._judged(setting, (index, which), one, other), {})
                for which, (one, other) in enumerate(zip(found, laid, strict=True))
            )
            yield sample, look_again(first, partial(_kept, again))

    def _judged(
        self,
        setting: Setting,
        at: tuple[int, int],
        found: LocatedSquares | None,
        laid: TilingResult | None,
    ) -> KingdomReading | None:
        caution = Thresholds(**{number.name: setting[number.key] for number in JUDGING})
        shown = judge_kingdom(laid, caution) if laid else None
        if found is None or laid is None or shown is None:
            return None
        doubts = SeenSquares(
            (),
            {},
            pale=found.pale,
            covered=found.covered,
            doubted=self._way.doubted,
            beside=found.beside,
        )
        read = shown.doubting(doubts)
        told = believe_dominoes(read, self._leads(setting, at, found, read), caution)
        return believe_table(told, laid, found.table)

    def _leads(
        self, setting: Setting, at: tuple[int, int], found: LocatedSquares, read: KingdomReading
    ) -> Mapping[Cell, float]:
        """Found once: the same places are doubtful with many settings."""
        key = at, _key(setting, (*FINDING, *LAYING)), frozenset((one.cell, one.reason) for one in read.unsure)
        if key not in self._told:
            seen = self._way.seen(found)
            with _set(LAYING, setting):
                known = evidence_of(seen.rows, seen.scores, seen.bare)
            self._told[key] = leads_without_looking(read, known)
        return self._told[key]

    @property
    def _way(self) -> RowSet:
        return self.reader.ways[0]

    def _find(self, setting: Setting) -> list[Looked[LocatedSquares]]:
        def look() -> list[Looked[LocatedSquares]]:
            with _set(FINDING, setting):
                return [self._looked(sample.picture) for sample in self.samples]

        return _remembered(self._found, _key(setting, FINDING), look)

    def _looked(self, picture: Pixels) -> Looked[LocatedSquares]:
        first = find_squares(picture, self.reader.gallery)
        return first, None if first and first.cropped else find_squares(
            picture, self.reader.gallery, closely=True
        )

    def _lay(self, setting: Setting) -> list[Looked[TilingResult]]:
        def laid(found: LocatedSquares | None) -> TilingResult | None:
            if found is None:
                return None
            seen = self._way.seen(found)
            return _slim(find_tilings(seen.rows, seen.scores, seen.bare))

        def lay() -> list[Looked[TilingResult]]:
            found = self._find(setting)
            with _set(LAYING, setting):
                return [(laid(first), laid(again)) for first, again in found]

        return _remembered(self._laid, _key(setting, (*FINDING, *LAYING)), lay)


def _kept(read: PhotoRead) -> PhotoRead:
    return read


def _key(setting: Setting, numbers: Sequence[Threshold]) -> tuple[float, ...]:
    return tuple(setting[number.key] for number in numbers)


def _remembered(
    memory: OrderedDict[tuple[float, ...], list[Kept]], key: tuple[float, ...], make: Callable[[], list[Kept]]
) -> list[Kept]:
    if key not in memory:
        memory[key] = make()
    memory.move_to_end(key)
    while len(memory) > KEPT:
        memory.popitem(last=False)
    return memory[key]


def _slim(found: TilingResult) -> TilingResult:
    """Without what judging does not need: halves, and kingdoms that differ nowhere from likelier ones."""
    best = found.tilings[0].squares if found.tilings else {}
    told: set[object] = set()
    kept = list(found.tilings[:1])
    for one in found.tilings[1:]:
        other = {cell for cell in found.known.kinds if one.squares.get(cell) != best.get(cell)} - told
        if other:
            kept.append(one)
            told |= other
    return replace(found, known=Evidence(found.known.kinds, {}), tilings=kept)


def _cost(sample: Sample, read: PhotoRead) -> float:
    if sample.known is None:
        return 0.0 if read.shown is None else ASKED if read.shown.asks else SILENT_SCORE
    if sample.scene:
        came = outcomes(sample.scene, [read])
        return sum(OUTCOMES.get(outcome, 0) + ASKED * questions for outcome, questions in came)
    figures = Figures(sample.session)
    count_photo(figures, sample.known, read)
    if figures.refused:
        return REFUSED
    return (
        SILENT_SCORE * figures.scores_silently_wrong
        + SILENT_SQUARE * figures.squares_silently_wrong
        + WRONG * (figures.squares - figures.squares_right)
        + ASKED * figures.squares_asked
    )


@contextmanager
def _set(numbers: Sequence[Threshold], setting: Setting) -> Iterator[None]:
    """Read with other numbers for a while."""
    before = [(number, getattr(number.module, number.name)) for number in numbers]
    try:
        for number in numbers:
            setattr(number.module, number.name, setting[number.key])
        yield
    finally:
        for number, value in before:
            setattr(number.module, number.name, value)
