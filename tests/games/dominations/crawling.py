"""Everything that the page offers at a position, found as people find it: by tapping on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.errors import CompanionError
from companion.games.dominations.page.elements import Action, ActionPanel
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import parse_event

Wishes = Mapping[str, str]


def offers(view: Mapping[str, Any]) -> Iterator[Action]:
    """Every choice of a page."""
    hand: ActionPanel | None = view["hand"]
    for group in hand.groups if hand else ():
        yield from group.choices
        for stepper in group.steppers:
            steps = (stepper.less, stepper.more, *(stepper.far or ()))
            yield from (choice for choice in steps if choice)


def crawled(position: Position, pages: int) -> Iterator[tuple[Wishes, Mapping[str, Any]]]:
    """So many pages that can be reached by taps, those that are nearest first."""
    todo: deque[Wishes] = deque([{}, {"check": "1"}, {"do": "card"}, {"do": "keep"}, {"look": "1"}])
    seen: set[frozenset[tuple[str, str]]] = set()
    while todo and len(seen) < pages:
        wish = todo.popleft()
        key = frozenset(wish.items())
        if key in seen:
            continue
        seen.add(key)
        view = page(position, wish)
        yield wish, view
        led = [choice.to for choice in offers(view)] + [target.to for target in view["targets"][:3]]
        todo.extend({k: v for k, v in to.items() if v is not None} for to in led if to)


def refused(position: Position, pages: int = 30) -> list[tuple[Wishes, str, str]]:
    """What the page offers as possible now, and the rules refuse."""
    found = []
    for wish, view in crawled(position, pages):
        for choice in offers(view):
            if choice.line and not choice.off:
                try:
                    apply(position, parse_event(choice.line))
                except CompanionError as error:
                    found.append((wish, choice.line, str(error.message)))
    return found
