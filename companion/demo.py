"""A game that plays itself on the page until somebody takes over."""

from __future__ import annotations

import logging
import random
from threading import Event, Thread

from companion.core.errors import CompanionError, StaleSession
from companion.core.game import COLOUR_NAMES, AnyGame, Player, Setup
from companion.core.log import Source
from companion.core.message import Translator
from companion.core.message import message as _
from companion.core.session import Session
from companion.table import Table

PACE_S = 1.8
"""Between two events: slow enough to follow, fast enough not to bore."""
REST_S = 20.0
"""How long a finished game stays on the table."""

log = logging.getLogger(__name__)


class Demonstration:
    """Plays one game after the other while somebody looks, and steps back for good when people play."""

    def __init__(
        self, table: Table, game: AnyGame, words: Translator, pace: float = PACE_S, rest: float = REST_S
    ) -> None:
        self._table = table
        self._game = game
        self._words = words
        self._pace, self._rest = pace, rest
        self._random = random.Random()
        self._stopping = Event()
        self._session = self._begin()
        self._played = [self._session.id]
        self._thread = Thread(target=self._run, name="demonstration", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def session(self) -> str:
        """The session it plays, empty once it has stopped."""
        return "" if self._stopping.is_set() else self._session.id

    def played(self, session: str) -> bool:
        """Whether it plays that session, or has just finished it."""
        return session in self._played

    def stop(self) -> None:
        self._stopping.set()

    def _begin(self) -> Session:
        colours = tuple(self._game.colours)[: self._game.seats[-1]]
        players = tuple(Player(COLOUR_NAMES[colour].say(self._words), colour) for colour in colours)
        return self._table.begin(self._game, Setup(players), Source.DEMO)

    def _run(self) -> None:
        while not self._stopping.wait(self._rest if self._session.turn.over else self._pace):
            if not any(map(self._table.news.watched, self._played)):
                continue
            try:
                self._go_on()
            except StaleSession:
                self.stop()  # somebody has recorded something in this game: it is theirs now
            except CompanionError as error:
                trouble = _("the demonstration cannot go on: %(reason)s", reason=error.message)
                log.warning(trouble.say(self._words))

    def _go_on(self) -> None:
        if self._session.turn.over:
            session = self._begin()
            self._played = [self._session.id, session.id]
            self._session = session
            return
        event = self._next(self._session)
        text = self._game.write(event)
        self._session = self._table.record(self._session.id, self._session.seq, text, Source.DEMO)

    def _next(self, session: Session) -> object:
        """What the box gives, else the choice that brings most points at once."""
        drawn: object | None = self._game.draw(session.position, self._random.getrandbits(64))
        if drawn is not None:
            return drawn
        choices = list(self._game.legal(session.position))
        self._random.shuffle(choices)
        mover = session.turn.player
        if mover is None:
            return choices[0]
        return max(
            choices,
            key=lambda event: self._game.tally(self._game.apply(session.position, event)).totals[mover],
        )
