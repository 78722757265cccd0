"""The table in play as the page draws it.

Supply and trash, what can be played, what is asked of whom, and what may be recorded against the rules.

A person's wishes come with the address: `picked`, the cards picked so far where one answer takes several, and
`who`, in a light game, whoever takes a card besides: a seat counted from 1, or `others`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.notation import split_reason
from companion.games.dominion.rules.cards import CARDS, PROVINCE, CardType, Gain, PlayCard, Reveal, Trash
from companion.games.dominion.rules.events import (
    AttackSuffered,
    CardBought,
    CardGained,
    CardPlayed,
    CardsRevealed,
    CardsTrashed,
    Event,
    NumberTold,
    OthersGained,
    Overrulable,
    TrashCounted,
)
from companion.games.dominion.rules.kingdom import SIZES
from companion.games.dominion.rules.legal import legal_events, playable
from companion.games.dominion.rules.moves import (
    apply,
    cards_not_in_play,
    gainable,
    may_react,
    may_trash,
    purchases,
)
from companion.games.dominion.rules.names import card_list, card_name
from companion.games.dominion.rules.position import Position, Task, TurnState
from companion.games.dominion.rules.questions import instruction_text, question_text
from companion.games.dominion.text import notation, words
from companion.games.dominion.text.words import card_face, colour_type

Wish = Mapping[str, str]


@dataclass(frozen=True)
class Button:
    """Something to tap, and the line it records."""

    event: str
    """Empty where a tap only changes the address."""
    label: Message
    face: str = ""
    on: bool = False
    wish: str = ""
    """The cards picked with it, where a tap picks a card."""


def button(event: Event, label: Message | None = None, face: str = "", on: bool = False) -> Button:
    return Button(notation.write_event(event), label or words.describe(event).text, face, on)


@dataclass(frozen=True)
class ShownCard:
    """A card as every part of the page shows it."""

    id: str

    @property
    def name(self) -> Message:
        return card_name(self.id)

    @property
    def face(self) -> str:
        """Its drawing, as static/faces.svg calls it."""
        return card_face(self.id)

    @property
    def kind(self) -> str:
        """The type that colours it."""
        return colour_type(self.id)

    @property
    def cost(self) -> int | None:
        """None for a card that people have only written about."""
        return CARDS[self.id].cost if self.id in CARDS else None


@dataclass(frozen=True)
class PileView(ShownCard):
    """A pile of the supply."""

    green: bool
    """Whether it counts at the end besides what it does."""
    price: int
    count: int
    event: str
    """What a tap on it records; empty where it can be neither bought nor gained now."""
    gains: bool
    """Whether that is a gain and no purchase."""
    adjust: tuple[str, str]
    """What puts its count right: one less, if there is one, and one more."""


@dataclass(frozen=True)
class TrashView(ShownCard):
    """A card in the trash, or one that is not there."""

    count: int
    adjust: tuple[str, str]
    """What puts its count right: one less, if there is one, and one more."""


@dataclass(frozen=True)
class EndView:
    """How near the end is."""

    empty: tuple[Message, ...]
    needed: int
    """How many empty piles end the game."""
    reason: Message | None
    """Why the game ends after this turn; None while it does not."""


OTHERS = "others"
"""The wish that everybody but whoever has the turn takes a card."""


@dataclass(frozen=True)
class Taker:
    """Somebody a card can be told of besides, in a light game, and the wish for it."""

    player: int | None
    """None stands for all the others."""
    wish: str
    on: bool


def takers(position: Position, wish: Wish) -> tuple[Taker, ...]:
    """Whoever has the turn first, who may take several cards; then the others in turn order, and all of them."""
    turn, asked = position.turn, wish.get("who", "")
    if turn is None or position.ended or position.task or not position.light:
        return ()
    seats = [(turn.player + step) % position.players for step in range(position.players)]
    named = [(seat, str(seat + 1)) for seat in seats]
    return tuple(Taker(seat, who, who == asked) for seat, who in (*named, (None, OTHERS)))


def supply_view(position: Position, wish: Wish) -> tuple[PileView, ...]:
    gains = _gainable(position)
    taps = _taken(position, wish) or {buy.card: buy for buy in _bought(position, wish)}
    return tuple(_pile(position, id, gains, taps.get(id)) for id in position.supply)


def _bought(position: Position, wish: Wish) -> tuple[CardBought, ...]:
    """Instead of an entry that ended no turn, as one that is corrected, a purchase ends none either."""
    if not position.turn or position.ended or position.task:
        return ()
    ends = "was" not in wish or split_reason(wish["was"])[0].endswith(" ends")
    return tuple(replace(buy, ends=buy.ends and ends) for buy in purchases(position))


def _taken(position: Position, wish: Wish) -> Mapping[str, Event]:
    """What a tap on each pile records for whom somebody points at; nothing while nobody does."""
    turn, who = position.turn, next((taker for taker in takers(position, wish) if taker.on), None)
    if turn is None or who is None:
        return {}
    left = [id for id, count in position.supply.items() if count]
    if who.player is None:
        return {id: OthersGained(id) for id in left}
    if who.player == turn.player:
        return {id: CardBought(turn.player, id) for id in left}
    return {id: CardGained(who.player, id) for id in left}


def end_view(position: Position) -> EndView | None:
    """None before there are piles."""
    if not position.supply:
        return None
    empty = tuple(map(card_name, position.empty_piles))
    return EndView(empty, SIZES[position.players].empty_piles, _reason(position))


def trash_view(position: Position) -> tuple[TrashView, ...]:
    """Every card that lies in the trash, and every one that may."""
    counts = {**dict.fromkeys(position.supply, 0), **position.trash}
    return tuple(
        TrashView(id, count, (_trash(counts, id, count - 1) if count else "", _trash(counts, id, count + 1)))
        for id, count in counts.items()
    )


def _trash(counts: Mapping[str, int], id: str, count: int) -> str:
    after = {**counts, id: count}
    return notation.write_event(TrashCounted({card: number for card, number in after.items() if number}))


def _pile(position: Position, id: str, gains: frozenset[str], tap: Event | None) -> PileView:
    count = position.supply[id]
    if position.task and id in gains:
        tap = CardGained(position.task.player, id)
    return PileView(
        id,
        CARDS[id].points is not None,
        position.price(id),
        count,
        notation.write_event(tap) if tap else "",
        isinstance(tap, CardGained | OthersGained),
        (f"pile {id} {count - 1}" if count else "", f"pile {id} {count + 1}"),
    )


def _gainable(position: Position) -> frozenset[str]:
    """What the table waits for somebody to gain."""
    task = position.task
    if position.ended or task is None or not isinstance(task.step, Gain):
        return frozenset()
    return frozenset(gainable(position, task.step, task.base))


def _reason(position: Position) -> Message | None:
    if position.ended or not position.ending:
        return None
    if not position.supply[PROVINCE]:
        return _("%(card)s: none is left.", card=card_name(PROVINCE))
    empty = position.empty_piles
    return _n(
        "%(count)d pile is empty: %(cards)s.",
        "%(count)d piles are empty: %(cards)s.",
        len(empty),
        cards=card_list(empty),
    )


@dataclass(frozen=True)
class PickingView:
    """What was picked so far, and what could be."""

    picked: tuple[tuple[Message, str, str], ...]
    """Each card picked: its name, its drawing, and the wish without it."""
    more: tuple[Button, ...]
    """What could be picked next; the last card may record all of them."""
    event: str
    """What records those picked; empty where there is nothing to record."""
    label: Message


def picking_view(position: Position, task: Task, wish: Wish) -> PickingView | None:
    """None where one card is the whole answer."""
    match task.step:
        case Trash(most=most) as step if most > 1:
            held = cards_not_in_play(position, task.player)
            held = {card: count for card, count in held.items() if may_trash(position, step, card)}
            picked = _picked(wish, held, most)
            event = notation.write_event(CardsTrashed(task.player, picked)) if picked else ""
            label = _n("Trash %(count)d card", "Trash %(count)d cards", len(picked))
            more = (
                tuple(_pickable(picked, card) for card in _left(held, picked)) if len(picked) < most else ()
            )
            return PickingView(_shown(picked), more, event, label)
        case Reveal(count):
            return _revealing(position, (task.player + 1) % position.players, count, wish)
        case _:
            return None


def _revealing(position: Position, player: int, count: int, wish: Wish) -> PickingView:
    """The last card records all of them: two taps tell a Tribute."""
    held = cards_not_in_play(position, player)
    picked = _picked(wish, held, count - 1)
    last = len(picked) == count - 1
    more = tuple(
        _pickable(picked, card, notation.write_event(CardsRevealed(player, (*picked, card))) if last else "")
        for card in _left(held, picked)
    )
    label = _("No further card") if picked else _("No card")
    return PickingView(_shown(picked), more, notation.write_event(CardsRevealed(player, picked)), label)


def _picked(wish: Wish, held: Mapping[str, int], most: int) -> tuple[str, ...]:
    picked: list[str] = []
    for card in wish.get("picked", "").split()[:most]:
        if picked.count(card) < held.get(card, 0):
            picked.append(card)
    return tuple(picked)


def _left(held: Mapping[str, int], picked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card, count in held.items() if picked.count(card) < count)


def _pickable(picked: tuple[str, ...], card: str, event: str = "") -> Button:
    wish = "" if event else " ".join((*picked, card))
    return Button(event, card_name(card), card_face(card), wish=wish)


def _shown(picked: tuple[str, ...]) -> tuple[tuple[Message, str, str], ...]:
    return tuple(
        (card_name(card), card_face(card), " ".join((*picked[:place], *picked[place + 1 :])))
        for place, card in enumerate(picked)
    )


AT_ONCE = 5
"""So many Treasures of a kind can be played by one tap."""
FEW_DISCARDED = 10
"""Larger numbers of discarded cards are shown by one tap more."""


@dataclass(frozen=True)
class TreasureView(ShownCard):
    """A card that may be in the hand, and the lines that play it once, twice and so on."""

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
    if turn is None or position.ended or turn.tasks or position.light:
        return ()
    return tuple(
        button(CardPlayed(turn.player, id), card_name(id), card_face(id))
        for id in playable(position, turn)
        if CardType.ACTION in CARDS[id].types and CardType.TREASURE not in CARDS[id].types
    )


def treasure_views(position: Position) -> Iterator[TreasureView]:
    turn = position.turn
    if turn is None or position.ended or turn.tasks or position.light:
        return
    for id in playable(position, turn):
        if CardType.TREASURE in CARDS[id].types:
            left = cards_not_in_play(position, turn.player)[id]
            counts = (
                range(1, min(left, AT_ONCE) + 1) if CardType.ACTION not in CARDS[id].types else range(1, 2)
            )
            events = (CardPlayed(turn.player, id, count) for count in counts)
            yield TreasureView(id, tuple(map(notation.write_event, events)))


def play_area_view(turn: TurnState) -> Iterator[tuple[str, Message, int]]:
    """The play area in its order, cards of a kind that lie together counted."""
    for id, copies in groupby(id for id in turn.in_play if id):
        yield card_face(id), card_name(id), len(list(copies))


def instruction_views(turn: TurnState) -> Iterator[tuple[tuple[int, ...], Message]]:
    """What people do by hand; who does the same is told together."""
    for note, those in groupby(turn.told, lambda told: str(instruction_text(told))):
        group = list(those)
        if note:
            yield tuple(dict.fromkeys(told.player for told in group)), instruction_text(group[0])


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
    shows = not (position.task and isinstance(position.task.step, Reveal))
    able = [
        event
        for event in legal_events(position)
        if isinstance(event, AttackSuffered) or (shows and isinstance(event, CardsRevealed))
    ]
    if not turn.tasks and not any(isinstance(event, CardsRevealed) for event in able):
        return None
    seats = [(turn.player + step) % position.players for step in range(1, position.players)]
    asked = {task.player for task in turn.tasks if task.card == turn.attack}
    waits = {
        seat for seat in seats if seat in asked or (may_react(turn, seat) and seat not in turn.unaffected)
    }
    others = tuple(
        AttackedPlayer(
            seat,
            "waits" if seat in waits else "safe" if seat in turn.unaffected else "done",
            tuple(_attack_button(event) for event in able if event.player == seat),
        )
        for seat in seats
    )
    # Where it waits for nobody, only whoever may still show something is told of.
    return card_name(turn.attack), tuple(other for other in others if turn.tasks or other.buttons)


def _attack_button(event: AttackSuffered | CardsRevealed) -> Button:
    if isinstance(event, CardsRevealed):
        card = event.cards[0]
        return button(event, _("Shows %(card)s", card=card_name(card)), card_face(card))
    return button(event, _("Suffers it"))


def question_view(position: Position, wish: Wish) -> TurnQuestion | None:
    """What the table waits for somebody to say; an Attack without a question is told by its list alone."""
    task = position.task
    if task is None or position.ended:
        return None
    revealing = isinstance(task.step, Reveal)
    left = (task.player + 1) % position.players
    gains = isinstance(task.step, Gain)
    picked = picking_view(position, task, wish)
    events = [event for event in legal_events(position) if _tapped(event, gains, bool(picked))]
    return TurnQuestion(
        left if revealing else position.player if position.player is not None else task.player,
        question_text(position, task),
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


ANY_REASON = "?"
"""Stands for the reason that people will say, while we look what can be recorded at all."""


@dataclass(frozen=True)
class OverrulingWay:
    """Something that may have been done with a card, and by whom: the seat and the line of each.

    A light game records it without a reason.
    """

    text: Message
    events: tuple[tuple[int, str], ...]


def overruling_ways(position: Position, card: str) -> tuple[OverrulingWay, ...]:
    """What can be recorded of a card with a reason."""
    turn = position.turn
    if turn is None or position.ended or card not in position.supply:
        return ()
    seats = range(position.players)
    left = position.supply[card] > 0
    ways: tuple[tuple[Message, list[Overrulable]], ...] = (
        (_("Took one from its pile"), [CardGained(seat, card) for seat in seats if left]),
        (_("Trashed one"), [CardsTrashed(seat, (card,)) for seat in seats]),
        (_("Plays it"), [CardPlayed(turn.player, card)] if not position.light else []),
        (_("Buys it"), [CardBought(turn.player, card)] if left and not position.light else []),
    )
    return tuple(
        OverrulingWay(text, tuple((event.player, notation.write_event(event)) for event in possible))
        for text, events in ways
        if (possible := [event for event in events if _possible(position, event)])
    )


def unlisted_cards(position: Position) -> tuple[Button, ...]:
    """Cards that have no button to play them, and could be played with a reason."""
    turn, task = position.turn, position.task
    if turn is None or position.ended or (task and not isinstance(task.step, PlayCard)):
        return ()
    offered = {event.card for event in legal_events(position) if isinstance(event, CardPlayed)}
    events = [CardPlayed(turn.player, card) for card in position.supply if card not in offered]
    return tuple(
        button(event, card_name(event.card), card_face(event.card))
        for event in events
        if _possible(position, event)
    )


def _possible(position: Position, event: Overrulable) -> bool:
    """Whether the rules let it be recorded with a reason."""
    try:
        apply(position, replace(event, because=ANY_REASON))
    except IllegalEvent:
        return False
    return True
