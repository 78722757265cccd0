"""Tables as tests need them: told in notation, played through the real session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.session import Session
from companion.games.dominion.game import Dominion
from companion.games.dominion.rules.cards import BOXES, CARDS
from companion.games.dominion.rules.kingdom import KINGDOM_PILES
from companion.games.dominion.rules.position import Position, TurnState
from companion.games.dominion.rules.questions import instruction_text
from tests.games import stories
from tests.games.stories import begun, refused, start_line

DOMINION = Dominion()
SEATS = ("Red", "Blue", "Green", "Yellow", "Purple", "Orange")
FIRST_GAME = "cellar market merchant militia mine moat remodel smithy village workshop"


def started(players: int, options: str = "") -> str:
    """The line that starts a game of that many players."""
    return start_line(DOMINION, SEATS[:players], options)


def session_of(start: str, lines: Iterable[str] = ()) -> Session:
    """The session after these lines."""
    return begun(DOMINION, start, lines)


def lines_of(story: str) -> Iterator[str]:
    """The lines of a story; ` / ` parts lines, too."""
    for line in stories.lines_of(story):
        yield from filter(None, map(str.strip, f" {line}".split(" / ")))


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


def turn_of(position: Position) -> TurnState:
    assert position.turn is not None
    return position.turn


def counter(position: Position) -> tuple[int, int, int, int]:
    """Actions, Buys and Coins left, and the cards the turn let its player draw."""
    turn = turn_of(position)
    return turn.actions, turn.buys, turn.coins, turn.cards


def refusal(session: Session, line: str) -> str:
    """Why the line cannot be recorded; an empty text when it can."""
    return refused(session, [line])


def notes(position: Position) -> list[str]:
    """What the last event makes people do by hand."""
    return [f"{told.player + 1}: {instruction_text(told)}" for told in turn_of(position).told]


def remove_cards(cards: Iterable[str], boxes: Iterable[str]) -> None:
    """Take out again what a file has added."""
    for id in cards:
        del CARDS[id]
    for id in boxes:
        del BOXES[id]
