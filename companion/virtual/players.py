"""Simulated people at the virtual table.

What they do next, how they lay it and push buttons, and what turns have laid.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from random import Random
from typing import Any

from companion.core.errors import CompanionError, IllegalEvent
from companion.core.game import AnyGame, Setup
from companion.core.log import Withdrawn
from companion.core.observation import AnySight, Face, PlacedPiece
from companion.core.session import Session
from companion.virtual import scene
from companion.virtual.hand import Arm, HandPlanner, PieceMove, pieces_moved
from companion.virtual.scene import Scene

Policy = Callable[[AnyGame, Any], object | None]
"""What happens next at this position; None when nothing does."""


def worth_telling(game: AnyGame, position: Any, turn: Sequence[object]) -> list[object]:
    """What a log has to say of a turn: nothing that makes no difference to its end, such as which tile was drawn."""
    told = list(turn)
    end = _after(game, position, told)
    for event in turn[:-1]:
        rest = [one for one in told if one is not event]
        if _after(game, position, rest) == end:
            told = rest
    return told


def _after(game: AnyGame, position: Any, events: Sequence[object]) -> Any:
    """Where these events lead, or nowhere when the rules do not allow them."""
    try:
        return reduce(game.apply, events, position)
    except IllegalEvent:
        return None


def best_points(random: Random) -> Policy:
    """What the box gives, else what brings most points at once."""

    def choose(game: AnyGame, position: Any) -> object | None:
        turn = game.turn(position)
        drawn: object | None = None if turn.over else game.draw(position, random.getrandbits(64))
        choices = [] if turn.over or drawn is not None else list(game.legal(position))
        if not choices:
            return drawn
        random.shuffle(choices)
        mover = turn.player
        best: object = choices[0]
        if mover is not None:
            best = max(choices, key=lambda event: game.tally(game.apply(position, event)).totals[mover])
        return best

    return choose


def anything_legal(random: Random) -> Policy:
    """Any move at all, else what the box gives."""

    def choose(game: AnyGame, position: Any) -> object | None:
        if game.turn(position).over:
            return None
        legal = list(game.legal(position))
        return random.choice(legal) if legal else game.draw(position, random.getrandbits(64))

    return choose


def next_turn(game: AnyGame, position: Any, policy: Policy, ahead: list[object]) -> list[object]:
    """What one player does before the button is pushed: until it is another's turn, or something comes again.

    What is of the next turn already is kept in `ahead`, and taken from there.
    """
    player, turn = game.turn(position).player, list[object]()
    while game.turn(position).player == player:
        event = ahead.pop() if ahead else policy(game, position)
        if event is None:
            break
        if type(event) in map(type, turn):
            ahead.append(event)
            break
        turn.append(event)
        position = game.apply(position, event)
        if player is None:
            break
    return turn


PUSH_S = 0.15
IDLE_S = 1.0
"""Between two looks whether anybody looks."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PlayerInterface:
    """What the people at the virtual table have before them: the log, the buttons and the page."""

    session: Callable[[], Session]
    """The session that is played, as the log has it now."""
    push: Callable[[int | None, float], None]
    put_right: Callable[[Sequence[object]], None]
    """Make the log say these things, by hand: what it lacks, and instead of what is wrong; see `entries_for`."""
    answer: Callable[[Sequence[object]], None] = lambda _truth: None
    """Answer what the page asks, given what has really happened since the last entry; asked while people wait."""
    again: Callable[[], Session | None] = lambda: None
    """A new session once this one is over, if there shall be one."""
    wanted: Callable[[], bool] = lambda: True
    """Whether anybody looks."""


@dataclass(frozen=True)
class Pacing:
    """How long people take, in seconds."""

    before_turn: float = 0.8
    before_push: float = 0.4
    look: float = 0.25
    """Between two looks at the page while they wait."""
    push_again: float = 6.0
    patience: float = 14.0
    """After this they record by hand."""
    rest: float = 20.0
    """How long a finished game stays on the table."""
    tries: int = 3
    """How often they record by hand before they give up."""


def entries_for(session: Session, truth: Sequence[object]) -> tuple[object, ...]:
    """What to record so that the log says the truth: what is wrong is withdrawn, the latest first, then it goes on."""
    steps = session.fold.steps
    same = 0
    while same < min(len(steps), len(truth)) and steps[same].event == truth[same]:
        same += 1
    return (*(Withdrawn(step.seq) for step in reversed(steps[same:])), *truth[same:])


class SimulatedPlayers:
    """One game after the other; faults may ask it to lay something wrongly, or to be hasty."""

    def __init__(
        self,
        scene: Scene,
        sight: AnySight,
        companion: PlayerInterface,
        policy: Policy | None = None,
        *,
        seed: int = 0,
        paces: Pacing | None = None,
    ) -> None:
        self._scene, self._sight, self._companion = scene, sight, companion
        self._random = Random(seed)
        self._policy = policy or best_points(self._random)
        self._paces = paces or Pacing()
        self._faces = faces_of(sight)
        self._fingers = HandPlanner(self._faces, self._random)
        self._position: Any = None
        self._lies: Sequence[PlacedPiece] = ()
        self._truth: list[object] = []
        self._slips: list[PieceMove] = []
        self._ahead: list[object] = []
        self.slip = False
        """Whether the next piece shall be laid wrongly; it is put right when the log does not follow."""
        self.haste = False
        """Whether the next turn shall not wait for the log."""

    def play(self) -> Iterator[float]:
        """The seconds to wait until the people want to go on."""
        session: Session | None = self._companion.session()
        while session is not None:
            yield from self._play(session)
            yield self._paces.rest
            session = self._companion.again()

    def _play(self, session: Session) -> Iterator[float]:
        game, setup, self._position = session.game, session.setup, session.position
        self._truth = [step.event for step in session.fold.steps]
        self._ahead.clear()
        self._lies = self._arranged(setup, self._position)
        set_table(self._scene, self._fingers, self._lies)
        while turn := next_turn(game, self._position, self._policy, self._ahead):
            yield self._paces.before_turn
            while not self._companion.wanted():
                yield IDLE_S
            player = game.turn(self._position).player
            arm = Arm(self._scene, player or 0, len(setup.players))
            self._slips.clear()
            moved = yield from self._lay(game, setup, turn, arm)
            if not (yield from self._tell(player, moved, arm)):
                return

    def _lay(
        self, game: AnyGame, setup: Setup, turn: Sequence[object], arm: Arm
    ) -> Generator[float, None, bool]:
        """Lay what a turn brings; the answer is whether there was anything to see."""
        moved = False
        self._truth += worth_telling(game, self._position, turn)
        player = game.turn(self._position).player
        for event in turn:
            self._position = game.apply(self._position, event)
            before, self._lies = self._lies, self._arranged(setup, self._position)
            for move in self._fingers.plan(before, self._lies, lambda: self._scene.snapshot):
                self._scene.add(move.piece, self._face(move))
                yield from arm.perform(self._slipped(move) if player is not None else move)
                moved = True
        if moved:
            yield from arm.leave()
        return moved

    def _tell(self, player: int | None, moved: bool, arm: Arm) -> Generator[float, None, bool]:
        """Push and wait until the log has it; the answer is whether the game goes on."""
        if not moved:  # nothing that a camera could see
            return self._by_hand()
        if self.haste:
            self.haste = False
            return True
        yield self._paces.before_push
        for _attempt in range(self._paces.tries):
            if (yield from self._wait(player)):
                return True
            if self._slips:
                yield from self._mend(arm)
            elif self._by_hand():
                return True
        log.warning("the hand stops: the log does not take what lies on the table")
        return False

    def _wait(self, player: int | None) -> Generator[float, None, bool]:
        waited = since_push = 0.0
        self._companion.push(player, PUSH_S)
        while waited < self._paces.patience and not self._shown():
            if since_push >= self._paces.push_again:
                self._companion.push(player, PUSH_S)
                since_push = 0.0
            yield self._paces.look
            waited, since_push = waited + self._paces.look, since_push + self._paces.look
            told = len(self._companion.session().fold.steps)
            if told < len(self._truth):
                self._companion.answer(tuple(self._truth[told:]))
        return self._shown()

    def _by_hand(self) -> bool:
        try:
            self._companion.put_right(tuple(self._truth))
        except CompanionError as error:
            log.warning("the hand cannot record what it laid: %s", error)
        return self._shown()

    def _shown(self) -> bool:
        return bool(self._companion.session().position == self._position)

    def _slipped(self, move: PieceMove) -> PieceMove:
        """A turn's piece wrongly laid: how a line lies means nothing, and a figure stands anyhow."""
        if not self.slip or move.end is None or self._face(move).stands:
            return move
        self.slip = False
        self._slips.append(move)
        return replace(move, end=misplaced(move.end, self._face(move), self._random))

    def _mend(self, arm: Arm) -> Iterator[float]:
        """Lay what was laid wrongly where it was meant to lie."""
        for move in self._slips:
            self._scene.withdraw()
            yield from arm.perform(replace(move, start=self._scene.snapshot.find(move.piece)))
        yield from arm.leave()
        self._slips.clear()

    def _face(self, move: PieceMove) -> Face:
        return self._faces[(move.end or move.start or PlacedPiece("", "", 0, 0)).face]

    def _arranged(self, setup: Setup, position: Any) -> Sequence[PlacedPiece]:
        return arrangement(self._scene, self._sight, setup, position)


def arrangement(scene: Scene, sight: AnySight, setup: Setup, position: Any) -> tuple[PlacedPiece, ...]:
    """What should lie where on this table."""
    x, y = scene.width / 2, scene.height / 2
    return tuple(replace(one, x=one.x + x, y=one.y + y) for one in sight.arrange(setup, position))


def set_table(scene: Scene, fingers: HandPlanner, lies: Sequence[PlacedPiece]) -> None:
    """Lay everything at once, with nobody looking."""
    scene.clear()
    fingers.forget()
    for move in fingers.plan((), lies, lambda: scene.snapshot):
        if move.end is not None:
            scene.add(move.piece, fingers.faces[move.end.face])
            scene.put(move.piece, move.end.x, move.end.y, move.end.angle)


def faces_of(sight: AnySight) -> dict[str, Face]:
    """Every face that may lie on the table of a game, a napkin's too."""
    return {**scene.COVERS, **{face.label: face for face in (*sight.faces, *sight.pieces.values())}}


def misplaced(end: PlacedPiece, face: Face, random: Random) -> PlacedPiece:
    """The same piece where it was not meant to lie: turned round, or one side too far."""
    if random.random() < 0.5:
        return replace(end, angle=(end.angle + 180) % 360)
    side = min(face.width, face.height)
    dx, dy = random.choice(((side, 0.0), (-side, 0.0), (0.0, side), (0.0, -side)))
    return replace(end, x=end.x + dx, y=end.y + dy)


class ScriptStepper:
    """A script driven by somebody else's clock, one step after the other."""

    def __init__(self, steps: Iterator[float]) -> None:
        self._steps = steps
        self._due: float | None = None

    def step(self, now: float) -> bool:
        """Do all that is due by now; the answer is whether anything is still to come."""
        self._due = now if self._due is None else self._due
        while self._due <= now:
            wait = next(self._steps, None)
            if wait is None:
                return False
            self._due += wait
        return True


def laid_by_turns(session: Session) -> tuple[PlacedPiece, ...]:
    """What players have brought to where it should lie now, the latest at the end; a line is laid by nobody's turn."""
    game, setup, sight = session.game, session.setup, session.game.sight
    if sight is None:
        return ()
    laid: dict[str, PlacedPiece] = {}
    before = sight.arrange(setup, session.fold.positions[0])
    for position, later in pairwise(session.fold.positions):
        after = sight.arrange(setup, later)
        leaving, coming = pieces_moved(before, after)
        for one in leaving:
            laid.pop(one.piece, None)
        if game.turn(position).player is not None:
            laid |= {one.piece: one for one in coming}
        before = after
    return tuple(laid.values())


def staying(scene: Scene, session: Session) -> frozenset[str]:
    """The figures on the table that stay where they are whatever happens next: others may be lifted at any time."""
    game, setup, sight, position = session.game, session.setup, session.game.sight, session.position
    if sight is None:
        return frozenset()
    faces = faces_of(sight)
    fingers, before = HandPlanner(faces, Random()), arrangement(scene, sight, setup, position)
    fingers.find_again(before, scene.snapshot.lying)
    leaving = {
        one
        for event in game.legal(position)
        for one in pieces_moved(before, arrangement(scene, sight, setup, game.apply(position, event)))[0]
    }
    return frozenset(fingers.name_of(one) for one in before if faces[one.face].stands and one not in leaving)


def lay_at_once(
    scene: Scene, fingers: HandPlanner, before: Sequence[PlacedPiece], after: Sequence[PlacedPiece]
) -> None:
    """Do what changes the table from one arrangement to another, without an arm."""
    for move in fingers.plan(before, after, lambda: scene.snapshot):
        if move.end is None:
            scene.remove(move.piece)
            continue
        for one in (*move.nudged, move.end):
            scene.put(one.piece, one.x, one.y, one.angle)


def lay_turns(scene: Scene, session: Session, count: int, random: Random) -> int:
    """Lay the next turns all at once; how many there were."""
    game, setup, sight = session.game, session.setup, session.game.sight
    assert sight is not None
    fingers, position, played = HandPlanner(faces_of(sight), random), session.position, 0
    before: Sequence[PlacedPiece] = arrangement(scene, sight, setup, position)
    fingers.find_again(before, scene.snapshot.lying)
    while played < count and (turn := next_turn(game, position, anything_legal(random), [])):
        for event in turn:
            position = game.apply(position, event)
            after = arrangement(scene, sight, setup, position)
            lay_at_once(scene, fingers, before, after)
            before = after
        played += 1
    return played
