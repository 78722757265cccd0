"""Games as far on as a test needs them, played over HTTP as any browser would play them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from companion.core.session import Session
from companion.games import GAMES
from companion.sessions.json_lines import read_session
from tests.browser.device import NAMES
from tests.soak.running import Running
from tests.web.visitor import Visitor

COLOURS = ("pink", "yellow", "green", "blue")
Until = Callable[[Session], bool]


def begin(visitor: Visitor, names: Iterable[str] = NAMES, *options: str) -> str:
    """Start a game; its address."""
    form = {f"option_{option}": "on" for option in options}
    for seat, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        form |= {f"name{seat}": name, f"colour{seat}": colour}
    return visitor.post("/new/kingdomino", form).location


def recorded(visitor: Visitor, address: str) -> Session:
    """The session as its file tells it."""
    return read_session(visitor.get(f"{address}/export").text.splitlines(), GAMES)


def tell(visitor: Visitor, address: str, event: str) -> None:
    """Record one event in the notation of the log."""
    session = recorded(visitor, address)
    answer = visitor.post(f"{address}/record", {"event": event, "seq": str(session.seq)})
    assert (answer.status, answer.notices) == (303, [])


def play_on(visitor: Visitor, address: str, until: Until, seed: int = 1) -> Session:
    """Let everybody take what brings most points at once, until it is as the test wants it."""
    session, random = recorded(visitor, address), Random(seed)
    while not until(session):
        event = next_event(session, random)
        form = {"event": session.game.write(event), "seq": str(session.seq)}
        assert visitor.post(f"{address}/record", form).status == 303
        session = session.record(event, session.entries[0].source, session.entries[0].time)
    return session


def next_event(session: Session, random: Random) -> object:
    """What the box gives, else the choice that brings most points at once."""
    game, position = session.game, session.position
    drawn: object | None = game.draw(position, random.getrandbits(64))
    if drawn is not None:
        return drawn
    choices = list(game.legal(position))
    random.shuffle(choices)
    mover = session.turn.player or 0
    return max(choices, key=lambda event: game.tally(game.apply(position, event)).totals[mover])


def in_phase(phase: str, entries: int = 0) -> Until:
    """Whether the table waits for that, after at least so many entries."""
    return lambda session: session.position.phase.value == phase and session.seq >= entries


def over(session: Session) -> bool:
    return session.turn.over


def evening(
    companion: Running, until: Until, *options: str, names: Iterable[str] = NAMES, seed: int = 1
) -> str:
    """A game played that far; its address."""
    visitor = companion.unlocked()
    address = begin(visitor, names, *options)
    play_on(visitor, address, until, seed)
    return address
