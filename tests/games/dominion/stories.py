"""Tables as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from companion.core import notation
from companion.core.errors import IllegalEvent
from companion.core.log import Source, Started
from companion.core.session import Session, begin
from companion.games.dominion.cards import CARDS
from companion.games.dominion.game import Dominion
from companion.games.dominion.piles import KINGDOM_PILES
from companion.games.dominion.position import Counter, Position
from companion.games.dominion.words import note

DOMINION = Dominion()
SEATS = ("Red", "Blue", "Green", "Yellow", "Purple", "Orange")
EVENING = datetime(2026, 1, 1, 20, tzinfo=UTC)
FIRST_GAME = "cellar market merchant militia mine moat remodel smithy village workshop"


def started(players: int, options: str = "") -> str:
    """The line that starts a game of that many players."""
    seats = ", ".join(f'"{name}" {name.lower()}' for name in SEATS[:players])
    return f"start dominion {options} with {seats}".replace("  ", " ")


def session_of(start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines, each recorded a second after the one before."""
    event = notation.parse(DOMINION, start)
    assert isinstance(event, Started)
    return tell(begin("story", DOMINION, event.setup, Source.COMMAND, EVENING), lines)


def tell(session: Session, lines: Iterable[str]) -> Session:
    """The session after some more lines."""
    for line in lines:
        time = session.entries[-1].time + timedelta(seconds=1)
        session = session.record(notation.parse(session.game, line), Source.COMMAND, time)
    return session


def lines_of(story: str) -> Iterator[str]:
    """The lines of a story, its indentation and remarks left out; `/` parts lines too."""
    for row in story.splitlines():
        for text in row.partition(" # ")[0].split(" / "):
            if text.strip():
                yield text.strip()


def kingdom_with(cards: Iterable[str]) -> str:
    """A kingdom that has these cards; the others do nothing of interest."""
    wanted = [id for id in dict.fromkeys(cards) if id in CARDS and CARDS[id].kingdom]
    fillers = "village smithy market festival laboratory gardens workshop cellar harbinger library".split()
    ten = [*wanted, *(id for id in fillers if id not in wanted)][:KINGDOM_PILES]
    return f"kingdom {' '.join(ten)}"


def evening(players: int, story: str, kingdom: str = "", hand: str = "") -> Session:
    """A game of that kingdom in which player 1 has begun, and got hold of the cards of `hand` before."""
    cards = hand.split()
    ten = f"kingdom {kingdom}" if kingdom else kingdom_with(cards)
    lines = [ten, "1 starts", *(f'1 gains {card} because "a story"' for card in cards)]
    return session_of(started(players), [*lines, *lines_of(story)])


def play(players: int, story: str, kingdom: str = "", hand: str = "") -> Position:
    """The position after a story."""
    position: Position = evening(players, story, kingdom, hand).position
    return position


def turn_of(position: Position) -> Counter:
    assert position.turn is not None
    return position.turn


def counter(position: Position) -> tuple[int, int, int, int]:
    """Actions, Buys and Coins left, and the cards the turn let its player draw."""
    turn = turn_of(position)
    return turn.actions, turn.buys, turn.coins, turn.cards


def refusal(session: Session, line: str) -> str:
    """Why the line cannot be recorded; an empty text when it can."""
    try:
        tell(session, [line])
    except IllegalEvent as error:
        return str(error)
    return ""


def notes(position: Position) -> list[str]:
    """What the last event makes people do by hand."""
    return [f"{told.player + 1}: {note(told)}" for told in turn_of(position).told]
