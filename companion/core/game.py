"""What a game offers to the rest of the house.

`Game` is the protocol that every folder under companion/games fulfils: positions and events are frozen values
of the game's own, and every method is a pure function of them. `SimpleGame` answers what most small games
need not say. What only some games can do (prepare a table, learn from files, explain pieces, show boards) is
a protocol of its own, asked for with `isinstance`. `EntryReader` is how a game reads the later entries of a
corrected log; `DocumentFormat` is what its JSON documents say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable
from unicodedata import normalize

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.tally import Tally

if TYPE_CHECKING:
    from companion.core.observation import AnySight, Doubt


Position = TypeVar("Position")
Event = TypeVar("Event")


NAME_LIMIT = 24
"""Longest name of a player, in characters: it has to be readable from a metre away."""


JOINER = "\u200d"
"""Holds the parts of one picture together, as in a family; the only invisible sign a name may have."""

INVISIBLE = frozenset(" \u00a0\u115f\u1160\u2800\u3164\uffa0") | {JOINER}
"""Signs that a name cannot consist of."""


class Colour(StrEnum):
    """Colours of wooden pieces."""

    PINK = "pink"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    RED = "red"
    BLACK = "black"
    WHITE = "white"
    GREY = "grey"
    ORANGE = "orange"
    PURPLE = "purple"


COLOUR_NAMES: Mapping[Colour, Message] = {
    Colour.PINK: _("Pink"),
    Colour.YELLOW: _("Yellow"),
    Colour.GREEN: _("Green"),
    Colour.BLUE: _("Blue"),
    Colour.RED: _("Red"),
    Colour.BLACK: _("Black"),
    Colour.WHITE: _("White"),
    Colour.GREY: _("Grey"),
    Colour.ORANGE: _("Orange"),
    Colour.PURPLE: _("Purple"),
}

INKS: Mapping[Colour, str] = {
    Colour.PINK: "#e88bb0",
    Colour.YELLOW: "#f4c93f",
    Colour.GREEN: "#2f7d42",
    Colour.BLUE: "#2f6fb5",
    Colour.RED: "#c63a31",
    Colour.BLACK: "#3a3431",
    Colour.WHITE: "#fbf8f0",
    Colour.GREY: "#949290",
    Colour.ORANGE: "#ee8a2c",
    Colour.PURPLE: "#8757b0",
}
"""What the pieces of each colour are drawn in; the page's style has the same."""


@dataclass(frozen=True)
class Player:
    """Somebody at the table; players are kept in the order they sit, clockwise."""

    name: str
    colour: Colour


def name_key(name: str) -> str:
    """What tells people apart: neither capitals nor blanks, nor how an accent is written."""
    return normalize("NFC", " ".join(name.split())).casefold()


@dataclass(frozen=True)
class Option:
    """A variant or a ruling that a table can switch on."""

    key: str
    name: Message
    help: Message
    asked: bool = False
    """The table is asked when it first matters, and may settle it before."""
    usual: bool = False
    """Whether a table that has chosen nothing yet begins with it switched on."""


@dataclass(frozen=True)
class Setup:
    """Who plays, and by which options."""

    players: tuple[Player, ...]
    options: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Turn:
    """What the table is waiting for."""

    action: Message
    player: int | None = None
    """None when everybody, or nobody, is asked."""
    over: bool = False


@dataclass(frozen=True)
class Remark:
    """Something told in words, and whom it is about: what a player did, or what is odd on the table."""

    text: Message
    player: int | None = None
    """None when it is about everybody, or about nobody."""
    face: str = ""
    """The label of the face it speaks of, one of the game's own drawings, shown beside the words."""
    where: tuple[str, ...] = ()
    """The places on the table it speaks of, as the board marks them."""
    angle: float = 0
    """By how many degrees the drawing of that face is turned clockwise."""
    told_at: tuple[tuple[str, str], ...] = ()
    """The wishes with which the page shows where this is told or put right: an entry's correction begins there."""
    dismissal: str = ""
    """The line that records that people have looked at it, so that it is not shown any more; empty where it stays."""
    whole: bool = False
    """Whether the words say all that an entry does, so that nobody needs its notation beside them."""

    def __str__(self) -> str:
        return str(self.text)


Line = tuple[Message | str, ...]
"""A line at a terminal: words that are translated, and numbers as they are."""


@dataclass(frozen=True)
class Earlier(Generic[Position, Event]):
    """A game that this household has played, as far as it came."""

    position: Position
    told: Sequence[tuple[datetime, Event]]
    """Every event that counts, and when it was said: a correction says it anew."""


@dataclass(frozen=True)
class ReplayedEntry(Generic[Position, Event]):
    """What came of one entry of a log."""

    seq: int
    event: Event | None
    """None where the entry does not count."""
    position: Position
    """The position after it."""


class EntryReader(Generic[Position, Event]):
    """Goes along with a log and its correction, entry by entry, and says how each later entry reads.

    For each entry `read` is asked first, then `alternatives` where what it gave breaks the rules, then `complete`; at
    last `advance` says what the entry came to in both logs. This one changes nothing: it is right for a game whose
    entries never speak of what another entry made. A game with more derives its own.
    """

    def __init__(self, was: Position, now: Position, last: Position) -> None:
        """Begin where each log begins; the log that is corrected came to `last`."""

    def read(self, was: ReplayedEntry[Position, Event], event: Event) -> Event:
        """The event by what it spoke of, as that is called in the corrected log; `was` is what came of it so far."""
        return event

    def alternatives(self, event: Event, because: str) -> Sequence[Event]:
        """Ways in which an event that breaks the rules now may still stand, with that reason; the best first."""
        return ()

    def complete(self, was: ReplayedEntry[Position, Event], event: Event, now: Position) -> Event:
        """The event with the answer to what it asks now and did not ask before, as far as the log knows it."""
        return event

    def advance(self, was: ReplayedEntry[Position, Event], now: ReplayedEntry[Position, Event]) -> None:
        """Go on: the entry came to this in either log."""

    def questions(self, event: Event) -> Iterable[Doubt]:
        """What an event asks and nobody has answered; each choice is the event with that answer."""
        return ()


class DocumentFormat(Protocol):
    """What `companion score` and `companion replay` do with a game's JSON documents; a module can be one."""

    def score_document(self, document: object) -> Mapping[str, Any]:
        """The points of a table as it lies, or NotationError."""
        ...

    def replay_document(self, document: object) -> Mapping[str, Any]:
        """The course of a recorded game, or NotationError."""
        ...

    def tell_answer(self, answer: Mapping[str, Any]) -> Iterable[Line]:
        """Either answer for a person to read."""
        ...


class Game(Protocol[Position, Event]):
    """The protocol each game folder fulfils; positions and events are frozen values of the game's own."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> Message: ...

    @property
    def seats(self) -> range:
        """How many can play."""
        ...

    @property
    def colours(self) -> Sequence[Colour]:
        """The colours in the box."""
        ...

    @property
    def options(self) -> Sequence[Option]: ...

    @property
    def folder(self) -> Path:
        """Where the game keeps its templates, pictures and translations."""
        ...

    @property
    def sight(self) -> AnySight | None:
        """How the game looks to a camera; None when it cannot be watched."""
        ...

    @property
    def documents(self) -> DocumentFormat | None:
        """What commands do with the game's documents; None when it has none of its own."""
        ...

    @property
    def first_begins(self) -> Message | None:
        """Who decides who begins, where it is whoever sits first; None where the game itself finds that out."""
        ...

    def start(self, setup: Setup) -> Position:
        """The position before the first event, or IllegalEvent when this table cannot play."""
        ...

    def apply(self, position: Position, event: Event) -> Position:
        """The position after the event, or IllegalEvent with the reason."""
        ...

    def legal(self, position: Position) -> Sequence[Event]:
        """Every event the next player may choose from; empty when only the box knows what comes."""
        ...

    def draw(self, position: Position, seed: int) -> Event | None:
        """What the box would give now, for a table that lets the companion shuffle; None when it is nobody's luck."""
        ...

    def stop(self, position: Position) -> Event | None:
        """What people record who end the game here, before its rules do; None when that cannot be."""
        ...

    def turn(self, position: Position) -> Turn: ...

    def turns_taken(self, position: Position) -> Sequence[int] | None:
        """How many turns each player has had, where the game counts them; None where whoever is waited for tells."""
        ...

    def tally(self, position: Position) -> Tally: ...

    def problems(self, position: Position) -> Sequence[Remark]:
        """Every reason why this position should not be on a table."""
        ...

    def describe(self, event: Event, position: Position, players: Sequence[Player]) -> Remark:
        """The event in words, by the names that people, cards and places have at a table that stands so."""
        ...

    def entry_reader(self, was: Position, now: Position, last: Position) -> EntryReader[Position, Event]:
        """What reads later entries when an earlier one is corrected; see `EntryReader`."""
        ...

    def known(self, earlier: Iterable[Earlier[Position, Event]]) -> Sequence[Event]:
        """What a game begins with, as this household told it in earlier ones, the newest first; each is opened as it is
        asked for."""
        ...

    def write(self, event: Event) -> str:
        """The event in one line of the game's notation."""
        ...

    def parse(self, text: str) -> Event:
        """The event a line of notation stands for, or NotationError."""
        ...

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:
        """What the game's template draws, given what the person is pointing at."""
        ...


AnyGame = Game[Any, Any]


def check_setup(game: AnyGame, setup: Setup) -> None:
    """Refuse a table that no game of this kind could be played at."""
    count = len(setup.players)
    if count not in game.seats:
        fewest, most = game.seats[0], game.seats[-1]
        raise IllegalEvent(
            _n(
                "%(game)s is for %(fewest)d to %(most)d players, not for %(count)d.",
                "%(game)s is for %(fewest)d to %(most)d players, not for %(count)d.",
                count,
                game=game.name,
                fewest=fewest,
                most=most,
            )
        )
    for player in setup.players:
        _check_player(game, player)
    if len({player.colour for player in setup.players}) < count:
        raise IllegalEvent(_("Two players have the same colour: give each a colour of their own."))
    if len({name_key(player.name) for player in setup.players}) < count:
        raise IllegalEvent(_("Two players have the same name: add an initial to tell them apart."))
    unknown = setup.options - {option.key for option in game.options}
    if unknown:
        raise IllegalEvent(_("There is no option called “%(option)s”.", option=sorted(unknown)[0]))


def _check_player(game: AnyGame, player: Player) -> None:
    if not set(player.name) - INVISIBLE:
        raise IllegalEvent(_("Every player needs a name."))
    if not player.name.replace(JOINER, "").isprintable():
        shown = "".join(letter for letter in player.name if letter.isprintable())
        raise IllegalEvent(
            _(
                "“%(name)s” has signs in it that cannot be shown: type the name again.",
                name=shown[:NAME_LIMIT],
            )
        )
    if len(player.name) > NAME_LIMIT:
        raise IllegalEvent(
            _(
                "“%(name)s…” is too long: a name has %(limit)d characters at most.",
                name=player.name[:NAME_LIMIT],
                limit=NAME_LIMIT,
            )
        )
    if player.colour not in game.colours:
        raise IllegalEvent(
            _("There are no %(colour)s pieces in the box.", colour=COLOUR_NAMES[player.colour])
        )


class SimpleGame(Generic[Position, Event]):
    """The parts of `Game` that have an answer for most small games; override what has another."""

    options: Sequence[Option] = ()
    sight: AnySight | None = None
    documents: DocumentFormat | None = None
    first_begins: Message | None = None

    def draw(self, position: Position, seed: int) -> Event | None:
        return None

    def stop(self, position: Position) -> Event | None:
        return None

    def problems(self, position: Position) -> Sequence[Remark]:
        return ()

    def turns_taken(self, position: Position) -> Sequence[int] | None:
        return None

    def entry_reader(self, was: Position, now: Position, last: Position) -> EntryReader[Position, Event]:
        return EntryReader(was, now, last)

    def known(self, earlier: Iterable[Earlier[Position, Event]]) -> Sequence[Event]:
        return ()

    def page(self, position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:
        return {"position": position}


@dataclass(frozen=True)
class Preparation:
    """What a table asks for that wants to know what to put on it."""

    players: int
    set: str = ""
    """The name of a set the rulebook recommends; empty: the first that the boxes allow, or one by chance."""
    seed: int | None = None
    """Chance decides, by this number; None: it does not."""
    boxes: tuple[str, ...] = ()
    """The boxes at hand; empty: all of the game."""


@runtime_checkable
class Prepares(Protocol):
    """A game whose table is set up differently each time."""

    def prepare(self, asked: Preparation) -> Mapping[str, Any]:
        """The answer of `companion setup`."""
        ...

    def tell_preparation(self, answer: Mapping[str, Any]) -> Iterable[Line]:
        """It for a person to read."""
        ...


@runtime_checkable
class Expandable(Protocol):
    """A game that people can add to in files of their own."""

    def learn(self, text: str) -> None:
        """Take in all that is in a file, or nothing of it and NotationError."""
        ...


@runtime_checkable
class Explains(Protocol):
    """A game that answers what people ask about its pieces, on pages of its own."""

    def book(self, wish: Mapping[str, str], language: str) -> Mapping[str, Any]:
        """What the game's `book.html` draws: an answer to what somebody looks for, in the language they speak."""
        ...


@runtime_checkable
class ShowsBoards(Protocol):
    """A game that tells what stands on everybody's board."""

    def boards(self, position: Any) -> Sequence[Mapping[str, Any]]:
        """What each player has besides points, as `companion replay` answers it."""
        ...

    def tell_board(self, board: Mapping[str, Any]) -> Iterable[Line]:
        """The same of one player for a person to read."""
        ...
