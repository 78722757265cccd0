"""A game that plays itself on the virtual table, seen by the camera and told by buttons, until somebody takes
over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from threading import Lock

from companion.core.errors import CompanionError
from companion.core.game import COLOUR_NAMES, AnyGame, Player, Setup
from companion.core.log import Source, Withdrawn
from companion.core.message import Translator
from companion.core.session import Session
from companion.sessions.live import LiveSessions
from companion.virtual.players import PlayerInterface, entries_for
from companion.virtual.table import VirtualTable
from companion.watch.recording import WAY_AGAIN
from companion.watch.state import Status
from companion.watch.watcher import TableWatcher


class Demonstration:
    """Plays one game after the other while somebody looks, and steps back for good when people play."""

    def __init__(
        self,
        sessions: LiveSessions,
        game: AnyGame,
        words: Translator,
        watcher: TableWatcher,
        virtual: VirtualTable,
    ) -> None:
        self._sessions, self._game, self._words = sessions, game, words
        self._watcher, self._virtual = watcher, virtual
        self._turning = Lock()
        """Whoever begins another game and whoever stops all of it do so one after the other."""
        self._stopped = False
        self._session = self._begin().id
        self._played = [self._session]

    def begin_again(self) -> str:
        """Play another game, unless one is being played; the answer is which."""
        if self._stopped:
            self._virtual.play(False)  # whoever let the hand go on has gone
        with self._turning:
            if self._stopped:
                self._session = self._begin().id
                self._played, self._stopped = [self._session], False
                self.start()
            return self._session

    def start(self) -> None:
        self._watcher.sign = lambda _source: Source.DEMO
        self._watcher.follow(self._session)
        self._virtual.companion = PlayerInterface(
            session=self._now,
            push=self._virtual.push,
            put_right=self._put_right,
            answer=partial(answer_questions, self._watcher),
            again=self._again,
            wanted=self._wanted,
        )
        self._virtual.play(True)

    @property
    def session(self) -> str:
        """The session it plays, empty once it has stopped."""
        return "" if self._stopped else self._session

    def played(self, session: str) -> bool:
        """Whether it plays that session, or has just finished it."""
        return session in self._played

    def stop(self) -> None:
        """Leave the table to people, with all that lies on it."""
        with self._turning:
            self._stopped = True
            self._watcher.sign = lambda source: source
        self._virtual.play(False)
        if self._virtual.companion:
            # Whoever lets the hand go on from here plays with it, and it records for them.
            self._virtual.companion = replace(self._virtual.companion, put_right=self._put_right_for_people)

    def _begin(self) -> Session:
        colours = tuple(self._game.colours)[: self._game.seats[-1]]
        players = tuple(Player(COLOUR_NAMES[colour].say(self._words), colour) for colour in colours)
        return self._sessions.begin(self._game, Setup(players), Source.DEMO)

    def _now(self) -> Session:
        session = self._sessions.session(self._session)
        if not self._stopped and any(entry.source is not Source.DEMO for entry in session.entries):
            self.stop()  # somebody has recorded something in this game: it is theirs now
        return session

    def _again(self) -> Session | None:
        with self._turning:
            if self._stopped:
                return None
            session = self._begin()
            self._played, self._session = [self._session, session.id], session.id
            self._watcher.follow(session.id)
            return session

    def _wanted(self) -> bool:
        return any(map(self._sessions.news.watched, self._played))

    def _put_right(self, truth: Sequence[object]) -> None:
        """Record by hand what the camera has not seen, as people do."""
        session = self._now()
        if not self._stopped:
            correct_log(self._sessions, session, truth, Source.DEMO)

    def _put_right_for_people(self, truth: Sequence[object]) -> None:
        correct_log(self._sessions, self._sessions.session(self._session), truth, Source.PAGE)


def correct_log(sessions: LiveSessions, session: Session, truth: Sequence[object], source: Source) -> None:
    """Make the log of this session say the truth."""
    for event in entries_for(session, truth):
        if isinstance(event, Withdrawn):
            session = sessions.undo(session.id, session.seq, source)
        else:
            session = sessions.record(session.id, session.seq, session.game.write(event), source)


def answer_questions(watcher: TableWatcher, truth: Sequence[object]) -> None:
    """Answer what the page asks as somebody would who has seen what really happened."""
    watch = watcher.watch
    try:
        if watch.status is Status.PAUSED and watch.ways:
            watcher.take(watch.version, WAY_AGAIN)
        elif watch.reading.doubts:
            choices = watch.reading.doubts[0].choices
            right = [
                number
                for number, choice in enumerate(choices)
                if choice.events and choice.events == tuple(truth[: len(choice.events)])
            ]
            watcher.answer(watch.seq, watch.version, 0, right[0] if right else len(choices) - 1)
    except CompanionError:
        pass  # the table has moved on since: there will be another question, or none
