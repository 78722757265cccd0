"""What a game without options, luck, chapters or documents of its own need not say."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.core.errors import NotationError
from companion.core.following import EntryReader, UnchangedReader
from companion.core.game import Earlier, Line, Option, Player, Remark
from companion.core.message import message as _

if TYPE_CHECKING:
    from companion.core.observation import AnySight, Doubt

Position = TypeVar("Position")
Event = TypeVar("Event")


class SimpleGame(Generic[Position, Event]):
    """The parts of `companion.core.game.Game` that have an answer for most small games; override what has another."""

    options: Sequence[Option] = ()
    sight: AnySight | None = None

    def draw(self, position: Position, seed: int) -> Event | None:  # noqa: ARG002
        return None

    @abstractmethod
    def describe(self, event: Event) -> Remark: ...

    def recount(self, event: Event, position: Position, players: Sequence[Player]) -> Remark:  # noqa: ARG002
        return self.describe(event)

    def problems(self, position: Position) -> Sequence[Remark]:  # noqa: ARG002
        return ()

    def follow(self, before: Event, after: Event, later: Event) -> Event:  # noqa: ARG002
        return later

    def chapter(self, position: Position) -> int:  # noqa: ARG002
        return 0

    def keep(self, event: Event, because: str) -> Sequence[Event]:  # noqa: ARG002
        return ()

    def following(self, was: Position, now: Position, last: Position) -> EntryReader[Position, Event]:  # noqa: ARG002
        return UnchangedReader(self.keep)

    def unanswered(self, event: Event) -> Sequence[Doubt]:  # noqa: ARG002
        return ()

    def known(self, earlier: Iterable[Earlier[Position, Event]]) -> Sequence[Event]:  # noqa: ARG002
        return ()

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG002
        return {"position": position}

    def score_document(self, document: object) -> Mapping[str, Any]:  # noqa: ARG002
        raise NotationError(_("This game has no documents: replay a session that was exported."))

    def replay_document(self, document: object) -> Mapping[str, Any]:
        return self.score_document(document)

    def tell_answer(self, answer: Mapping[str, Any]) -> Iterable[Line]:  # noqa: ARG002
        return ()
