"""What the page offers to tap: a line that is recorded, or something to point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.core.message import Message
from companion.games.dominations.page.trees_drawn import TreeView

Wish = Mapping[str, str]
"""What somebody points at; it comes with the address."""
To = Mapping[str, str | None]

WISHES = (
    *("tier", "do", "at", "at2", "col", "who", "g1", "g2", "g3", "g4", "key", "adv", "nodi", "mix", "dom"),
    *("give", "get", "times", "order", "look", "check", "kind", "objective", "read"),
    *("spot", "half", "open", "dots", "shown", "room"),
)
"""Every wish of this page but the fields of the card form, and `against`, which stays until it is put away."""


@dataclass(frozen=True)
class Action:
    """Something to tap."""

    text: Message
    line: str = ""
    """What it records; without a line it leads on, and where it leads nowhere either it only stands there."""
    to: To = field(default_factory=dict)
    domain: str = ""
    """Whose icon and letter stand before the words."""
    note: Message | None = None
    number: Message | str = ""
    main: bool = False
    chosen: bool = False
    off: bool = False
    """Whether it cannot be paid now."""
    player: int | None = None
    """Whose token stands before the words."""
    brief: str = ""
    """What is shown where there is no room for the words."""
    mark: str = ""
    """The number that stands on the map where this would happen."""
    against: str = ""
    """Who is said to act against the rules from there on."""


@dataclass(frozen=True)
class Stepper:
    """A number with a button on either side."""

    name: Message
    number: int
    less: Action | None
    more: Action | None
    domain: str = ""
    of: int = 0
    """The limit, where there is one."""
    far: tuple[Action | None, Action | None] | None = None
    """Larger steps down and up, where a number may be far from right."""


@dataclass(frozen=True)
class ActionGroup:
    """Choices that belong together."""

    choices: tuple[Action, ...] = ()
    name: Message | None = None
    kind: str = "rows"
    """How they lie: one in a row, or side by side."""
    steppers: tuple[Stepper, ...] = ()
    folded: bool = False
    """Whether it is seldom needed, and opened by its name."""
    last: bool = False
    """Whether it is what people come to in the end."""
    notes: tuple[Message, ...] = ()
    """What is said below them, where it may change while they are tapped."""

    @property
    def at_the_foot(self) -> bool:
        """What is done most and what ends something always stand in the same place."""
        return self.last or any(choice.main for choice in self.choices)


@dataclass(frozen=True)
class ActionPanel:
    """What stands beside the map: what can be done now."""

    title: Message
    groups: tuple[ActionGroup, ...] = ()
    notes: tuple[Message, ...] = ()
    back: To | None = None
    """Where a way back leads; nothing where there is none."""
    tree: TreeView | None = None
    """The Civilization Tree that is tapped in."""


def leads(**wishes: str | None) -> To:
    """To a page with these wishes and no others."""
    return {key: wishes.get(key) for key in WISHES}


PLAYER_NAME = Message("")
"""Instead of words: the name of the player whose token stands there."""


def printed_text(text: str) -> Message:
    """Printed words, which no catalogue knows."""
    return Message("%(text)s", {"text": text})


def action_group(
    choices: Iterable[Action], name: Message | None = None, kind: str = "rows"
) -> tuple[ActionGroup, ...]:
    """A group, unless it would be empty."""
    found = tuple(choices)
    return (ActionGroup(found, name, kind),) if found else ()
