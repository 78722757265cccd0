"""The turn as the page draws it: what can be played, what is asked of whom, and whom an Attack still waits for.

A person's wish is that of `picking.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominion.page.picking import Picking, picking
from companion.games.dominion.rules.card_names import card as card_name
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.events import (
    AttackSuffered,
    CardGained,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    Event,
    NumberTold,
)
from companion.games.dominion.rules.legal import legal, out_of_play, playable, waiting
from companion.games.dominion.rules.position import Counter, Position, Task
from companion.games.dominion.rules.steps import Gain, Reveal, Trash, Type
from companion.games.dominion.text import notation, words
from companion.games.dominion.text.faces import face

Wish = Mapping[str, str]

AT_ONCE = 5
"""So many Treasures of a kind can be played by one tap."""
FEW_DISCARDED = 10
"""Larger numbers of discarded cards are shown by one tap more."""


@dataclass(frozen=True)
class Button:
    """Something to tap, and the line it records."""

    event: str
    label: Message
    face: str = ""
    on: bool = False


@dataclass(frozen=True)
class Playable:
    """A card that may be in the hand, and the lines that play it once, twice and so on."""

    name: Message
    face: str
    events: tuple[str, ...]


@dataclass(frozen=True)
class Sufferer:
    """Somebody an Attack is aimed at."""

    player: int
    state: str
    """`waits`, `safe` or `done`."""
    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class Asked:
    """A question, and how it is answered."""

    player: int
    text: Message
    gains: bool
    """Whether it is answered by a tap on a pile."""
    buttons: tuple[Button, ...]
    rarer: tuple[Button, ...]
    """Answers that are seldom needed."""
    picking: Picking | None


def actions(position: Position) -> tuple[Button, ...]:
    """The Actions that could be played now."""
    turn = position.turn
    if turn is None or position.ended or turn.tasks:
        return ()
    return tuple(
        button(CardPlayed(turn.player, id), card_name(id), face(id))
        for id in playable(position, turn)
        if Type.ACTION in CARDS[id].types and Type.TREASURE not in CARDS[id].types
    )


def treasures(position: Position) -> Iterator[Playable]:
    turn = position.turn
    if turn is None or position.ended or turn.tasks:
        return
    for id in playable(position, turn):
        if Type.TREASURE in CARDS[id].types:
            left = out_of_play(position, turn.player)[id]
            counts = range(1, min(left, AT_ONCE) + 1) if Type.ACTION not in CARDS[id].types else range(1, 2)
            events = (CardPlayed(turn.player, id, count) for count in counts)
            yield Playable(card_name(id), face(id), tuple(map(notation.write_event, events)))


def in_play(turn: Counter) -> Iterator[tuple[str, Message, int]]:
    """The play area in its order, cards of a kind that lie together counted."""
    for id, copies in groupby(id for id in turn.in_play if id):
        yield face(id), card_name(id), len(list(copies))


def told(turn: Counter) -> Iterator[tuple[tuple[int, ...], Message]]:
    """What people do by hand; who does the same is told together."""
    for note, those in groupby(turn.told, lambda told: str(words.note(told))):
        group = list(those)
        if note:
            yield tuple(dict.fromkeys(told.player for told in group)), words.note(group[0])


def effects(turn: Counter) -> Iterator[Message]:
    """What holds for the rest of the turn."""
    if turn.cheaper:
        yield _("All cards cost %(count)d less", count=turn.cheaper)
    if turn.each_copper:
        yield _n(
            "Each %(card)s brings %(count)d coin more",
            "Each %(card)s brings %(count)d coins more",
            turn.each_copper,
            card=card_name("copper"),
        )
    if turn.first_silver and not turn.silver_played:
        yield _n(
            "The first %(card)s brings %(count)d coin more",
            "The first %(card)s brings %(count)d coins more",
            turn.first_silver,
            card=card_name("silver"),
        )


def attack(position: Position) -> tuple[Message, tuple[Sufferer, ...]] | None:
    """The Attack that is being dealt with, and the others in turn order."""
    turn = position.turn
    if turn is None or not turn.attack or position.ended:
        return None
    able = [
        event
        for event in legal(position)
        if isinstance(event, AttackSuffered) or (isinstance(event, CardsRevealed) and _reacts(event, turn))
    ]
    asked = {task.player for task in turn.tasks if task.card == turn.attack}
    waits = asked.union(waiting(position, turn))
    seats = [(turn.player + step) % position.players for step in range(1, position.players)]
    return card_name(turn.attack), tuple(_sufferer(turn, seat, seat in waits, able) for seat in seats)


def _reacts(event: CardsRevealed, turn: Counter) -> bool:
    """Whether cards are shown against an Attack, and not for a Tribute."""
    return not (turn.tasks and isinstance(turn.tasks[0].step, Reveal)) and bool(
        event.cards and CARDS[event.cards[0]].reaction
    )


def _sufferer(turn: Counter, seat: int, waits: bool, able: list[AttackSuffered | CardsRevealed]) -> Sufferer:
    state = "safe" if seat in turn.unaffected else "waits" if waits else "done"
    return Sufferer(seat, state, tuple(_of_attack(event) for event in able if event.player == seat))


def _of_attack(event: AttackSuffered | CardsRevealed) -> Button:
    if isinstance(event, CardsRevealed):
        card = event.cards[0]
        return button(event, _("Shows %(card)s", card=card_name(card)), face(card))
    return button(event, _("Suffers it"))


def asked(position: Position, wish: Wish) -> Asked | None:
    """What the table waits for somebody to say; an Attack without a question is told by its list alone."""
    task = position.turn.tasks[0] if position.turn and position.turn.tasks else None
    if task is None or position.ended:
        return None
    revealing = isinstance(task.step, Reveal)
    left = (task.player + 1) % position.players
    gains = isinstance(task.step, Gain)
    picked = picking(position, task, wish)
    events = [event for event in legal(position) if _tapped(event, gains, bool(picked))]
    return Asked(
        left if revealing else position.player if position.player is not None else task.player,
        words.question(position, task),
        gains,
        tuple(_answer(task, event) for event in events if not _rare(event)),
        tuple(_answer(task, event) for event in events if _rare(event)),
        picked,
    )


def _rare(event: Event) -> bool:
    return isinstance(event, NumberTold) and event.number > FEW_DISCARDED


def _tapped(event: Event, gains: bool, picking: bool) -> bool:
    """Whether an answer has a button in the list: piles, Reactions and picked cards are tapped elsewhere."""
    if isinstance(event, CardsRevealed):
        return False
    if isinstance(event, CardsTrashed):
        return not picking or not event.cards
    if isinstance(event, AttackSuffered):
        return event.player is None
    return not gains or not isinstance(event, CardGained) or not event.card


def _answer(task: Task, event: Event) -> Button:
    match event:
        case CardsTrashed(_player, ()):
            must = isinstance(task.step, Trash) and task.step.fewest > 0
            return button(event, _("No such card is there") if must else _("No card"))
        case CardsTrashed(_player, (card,)) | CardPlayed(_player, card) if card:
            return button(event, card_name(card), face(card))
        case CardPlayed() | CardGained():
            return button(event, _("No card"))
        case AttackSuffered():
            return button(event, _("All who are left suffer it"))
        case _:
            return button(event, words.short(event))


def button(event: Event, label: Message | None = None, face: str = "", on: bool = False) -> Button:
    return Button(notation.write_event(event), label or words.describe(event).text, face, on)
