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
from companion.games.dominion.page.picking import PickingView, picking_view
from companion.games.dominion.rules.card_names import card_name
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
from companion.games.dominion.rules.legal import cards_not_in_play, legal_events, may_still_react, playable
from companion.games.dominion.rules.position import Position, Task, TurnState
from companion.games.dominion.rules.steps import CardType, Gain, Reveal, Trash
from companion.games.dominion.text import notation, words
from companion.games.dominion.text.faces import card_face

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
class TreasureView:
    """A card that may be in the hand, and the lines that play it once, twice and so on."""

    name: Message
    face: str
    events: tuple[str, ...]


@dataclass(frozen=True)
class AttackedPlayer:
    """Somebody an Attack is aimed at."""

    player: int
    state: str
    """`waits`, `safe` or `done`."""
    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class TurnQuestion:
    """A question, and how it is answered."""

    player: int
    text: Message
    gains: bool
    """Whether it is answered by a tap on a pile."""
    buttons: tuple[Button, ...]
    rarer: tuple[Button, ...]
    """Answers that are seldom needed."""
    picking: PickingView | None


def action_buttons(position: Position) -> tuple[Button, ...]:
    """The Actions that could be played now."""
    turn = position.turn
    if turn is None or position.ended or turn.tasks:
        return ()
    return tuple(
        button(CardPlayed(turn.player, id), card_name(id), card_face(id))
        for id in playable(position, turn)
        if CardType.ACTION in CARDS[id].types and CardType.TREASURE not in CARDS[id].types
    )


def treasure_views(position: Position) -> Iterator[TreasureView]:
    turn = position.turn
    if turn is None or position.ended or turn.tasks:
        return
    for id in playable(position, turn):
        if CardType.TREASURE in CARDS[id].types:
            left = cards_not_in_play(position, turn.player)[id]
            counts = (
                range(1, min(left, AT_ONCE) + 1) if CardType.ACTION not in CARDS[id].types else range(1, 2)
            )
            events = (CardPlayed(turn.player, id, count) for count in counts)
            yield TreasureView(card_name(id), card_face(id), tuple(map(notation.write_event, events)))


def play_area_view(turn: TurnState) -> Iterator[tuple[str, Message, int]]:
    """The play area in its order, cards of a kind that lie together counted."""
    for id, copies in groupby(id for id in turn.in_play if id):
        yield card_face(id), card_name(id), len(list(copies))


def instruction_views(turn: TurnState) -> Iterator[tuple[tuple[int, ...], Message]]:
    """What people do by hand; who does the same is told together."""
    for note, those in groupby(turn.told, lambda told: str(words.instruction_text(told))):
        group = list(those)
        if note:
            yield tuple(dict.fromkeys(told.player for told in group)), words.instruction_text(group[0])


def turn_effects(turn: TurnState) -> Iterator[Message]:
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


def attack_view(position: Position) -> tuple[Message, tuple[AttackedPlayer, ...]] | None:
    """The Attack that is being dealt with, and the others in turn order."""
    turn = position.turn
    if turn is None or not turn.attack or position.ended:
        return None
    able = [
        event
        for event in legal_events(position)
        if isinstance(event, AttackSuffered) or (isinstance(event, CardsRevealed) and _reacts(event, turn))
    ]
    asked = {task.player for task in turn.tasks if task.card == turn.attack}
    waits = asked.union(may_still_react(position, turn))
    seats = [(turn.player + step) % position.players for step in range(1, position.players)]
    return card_name(turn.attack), tuple(_sufferer(turn, seat, seat in waits, able) for seat in seats)


def _reacts(event: CardsRevealed, turn: TurnState) -> bool:
    """Whether cards are shown against an Attack, and not for a Tribute."""
    return not (turn.tasks and isinstance(turn.tasks[0].step, Reveal)) and bool(
        event.cards and CARDS[event.cards[0]].reaction
    )


def _sufferer(
    turn: TurnState, seat: int, waits: bool, able: list[AttackSuffered | CardsRevealed]
) -> AttackedPlayer:
    state = "safe" if seat in turn.unaffected else "waits" if waits else "done"
    return AttackedPlayer(seat, state, tuple(_attack_button(event) for event in able if event.player == seat))


def _attack_button(event: AttackSuffered | CardsRevealed) -> Button:
    if isinstance(event, CardsRevealed):
        card = event.cards[0]
        return button(event, _("Shows %(card)s", card=card_name(card)), card_face(card))
    return button(event, _("Suffers it"))


def question_view(position: Position, wish: Wish) -> TurnQuestion | None:
    """What the table waits for somebody to say; an Attack without a question is told by its list alone."""
    task = position.turn.tasks[0] if position.turn and position.turn.tasks else None
    if task is None or position.ended:
        return None
    revealing = isinstance(task.step, Reveal)
    left = (task.player + 1) % position.players
    gains = isinstance(task.step, Gain)
    picked = picking_view(position, task, wish)
    events = [event for event in legal_events(position) if _tapped(event, gains, bool(picked))]
    return TurnQuestion(
        left if revealing else position.player if position.player is not None else task.player,
        words.question_text(position, task),
        gains,
        tuple(_answer_button(task, event) for event in events if not _rare(event)),
        tuple(_answer_button(task, event) for event in events if _rare(event)),
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


def _answer_button(task: Task, event: Event) -> Button:
    match event:
        case CardsTrashed(_player, ()):
            must = isinstance(task.step, Trash) and task.step.fewest > 0
            return button(event, _("No such card is there") if must else _("No card"))
        case CardsTrashed(_player, (card,)) | CardPlayed(_player, card) if card:
            return button(event, card_name(card), card_face(card))
        case CardPlayed() | CardGained():
            return button(event, _("No card"))
        case AttackSuffered():
            return button(event, _("All who are left suffer it"))
        case _:
            return button(event, words.short_text(event))


def button(event: Event, label: Message | None = None, face: str = "", on: bool = False) -> Button:
    return Button(notation.write_event(event), label or words.describe(event).text, face, on)
