"""What is seen on a table, and what a game makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.message import Message


@dataclass(frozen=True)
class Observation:
    """One piece seen on the table."""

    label: str
    x: float
    """Millimetres to the right of the table's origin."""
    y: float
    """Millimetres down from the table's origin."""
    angle: float
    """Degrees clockwise from upright."""
    confidence: float
    runner_up: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence is between 0 and 1, not {self.confidence}")


@dataclass(frozen=True)
class Doubt:
    """A question for the people, with the answers they are most likely to give."""

    question: Message
    choices: tuple[str, ...]
    """Each answer as an event in the game's notation."""
    where: tuple[str, ...] = ()
    """The places on the table the question is about."""


@dataclass(frozen=True)
class Reading:
    """Events a game proposes after looking at the observations, and what it is not sure of."""

    proposals: tuple[object, ...] = ()
    doubts: tuple[Doubt, ...] = ()
