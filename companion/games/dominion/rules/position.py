"""A table of Dominion: the supply, the trash, whose turn it is, and what the turn has come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.games.dominion.rules.cards import CARDS, PROVINCE, Gain, Step
from companion.games.dominion.rules.events import Overrulable
from companion.games.dominion.rules.kingdom import SIZES, START_DECK, KingdomNeed, Variant


class Phase(StrEnum):
    """Where the game is."""

    SET_UP = "set_up"
    ACTION = "action"
    BUY = "buy"
    CLEAN_UP = "clean_up"
    COUNT = "count"
    OVER = "over"


@dataclass(frozen=True)
class ResolveCard:
    """Follow the instructions of a card that is in play."""


@dataclass(frozen=True)
class Task:
    """Something that comes before the turn can go on, who does it, and because of which card."""

    step: Step | ResolveCard
    player: int
    card: str
    slot: int
    """The card's place in the play area."""
    attack: bool = False
    """Whether a Reaction can still keep it off."""
    base: int = 0
    """What the card just trashed cost."""


@dataclass(frozen=True)
class Instruction:
    """What somebody has to do by hand: the companion sees no hands and no decks."""

    note: str
    player: int
    count: int = 0
    card: str = ""


@dataclass(frozen=True)
class TurnState:
    """The turn of a player: what is left of Actions, Buys and Coins, and what it changes."""

    player: int
    taken: bool = True
    """Whether it counts among the turns of its player: one that was only about to begin does not."""
    phase: Phase = Phase.ACTION
    actions: int = 1
    buys: int = 1
    coins: int = 0
    cards: int = 0
    """How many cards the turn has let the player draw."""
    actions_played: int = 0
    in_play: tuple[str, ...] = ()
    """The play area in its order; a card that left it has left an empty place."""
    first_silver: int = 0
    """What the first Silver brings, until it comes."""
    silver_played: bool = False
    each_copper: int = 0
    cheaper: int = 0
    bought: bool = False
    attack: str = ""
    """The Attack that is being dealt with."""
    aimed: bool = False
    """Whether it has begun to do something: only those it still waits for can show a Reaction."""
    unaffected: frozenset[int] = frozenset()
    """Who is not affected by it."""
    tasks: tuple[Task, ...] = ()
    """What comes next, the first of all first."""
    told: tuple[Instruction, ...] = ()
    """What the last event makes people do by hand."""


@dataclass(frozen=True)
class Deck:
    """All cards of a player, counted at the end."""

    cards: Mapping[str, int]
    told: int | None = None
    """How many cards it has in all, where only those that count were told one by one."""

    @property
    def size(self) -> int:
        return sum(self.cards.values()) if self.told is None else self.told

    @property
    def needs_size(self) -> bool:
        """Whether its points depend on all its cards: rulebook 000, "Jardins"."""
        held = (CARDS[id] for id, count in self.cards.items() if count and id in CARDS)
        return any(card.points and card.points.per_cards for card in held)


@dataclass(frozen=True)
class Position:
    """Everything that the log says about the table."""

    players: int
    variants: frozenset[Variant] = frozenset()
    kingdom: tuple[str, ...] = ()
    vetoed: frozenset[str] = frozenset()
    liked: frozenset[str] = frozenset()
    wishes: frozenset[KingdomNeed] = frozenset({KingdomNeed.REACTION, KingdomNeed.COSTS})
    """What the draw of a kingdom keeps to."""
    spoken: frozenset[int] = frozenset()
    """Who has said which card to veto, or that there is none."""
    played: tuple[frozenset[str], ...] = ()
    """The kingdoms of earlier games, the last one last."""
    won: tuple[str, ...] = ()
    """Who won the last game."""
    names: tuple[str, ...] = ()
    """Who sits at the table: whoever won before may sit elsewhere now."""
    ticked: frozenset[str] = frozenset()
    supply: Mapping[str, int] = field(default_factory=dict)
    trash: Mapping[str, int] = field(default_factory=dict)
    owned: tuple[Mapping[str, int], ...] = ()
    """What each player should have by the log."""
    unseen: tuple[int, ...] = ()
    """Whoever passed a card to the left that nobody has named yet, once for each card."""
    turns: tuple[int, ...] = ()
    """How many turns each player has begun."""
    turn: TurnState | None = None
    ended: bool = False
    decks: tuple[Deck | None, ...] = ()
    overruled: tuple[Overrulable, ...] = ()
    """What people recorded against the rules."""
    reviewed: frozenset[str] = frozenset()
    """What people have looked at, by the keys of `text.words.problems`."""

    @property
    def phase(self) -> Phase:
        if self.ended:
            return Phase.OVER if None not in self.decks else Phase.COUNT
        if self.turn is None:
            return Phase.SET_UP
        over = self.turn.phase is Phase.BUY and not self.turn.buys and not self.turn.tasks
        return Phase.CLEAN_UP if over else self.turn.phase

    @property
    def player(self) -> int | None:
        """Whom the table is waiting for."""
        if self.ended or self.turn is None:
            return None
        task = self.task
        chooses = task and isinstance(task.step, Gain) and task.step.you_choose
        return self.turn.player if task is None or chooses else task.player

    @property
    def task(self) -> Task | None:
        """What has to be answered before the turn can go on."""
        return self.turn.tasks[0] if self.turn and self.turn.tasks else None

    @property
    def decks_known(self) -> bool:
        """Whether `owned` can be believed, but for cards that were passed unseen: every card was told."""
        return self.turn is not None and not self.light

    def given(self, player: int) -> int:
        """How many cards that nobody has named a player passed on."""
        return self.unseen.count(player)

    def received(self, player: int) -> int:
        """How many cards that nobody has named a player got."""
        return self.unseen.count((player - 1) % self.players)

    @property
    def light(self) -> bool:
        """Whether the table tells piles and turns alone: nothing is paid, and nothing has to be told."""
        return Variant.LIGHT in self.variants

    @property
    def points_only(self) -> bool:
        """Whether of a deck only the cards that count are told."""
        return self.light or Variant.SCORE_ONLY in self.variants

    @property
    def turns_known(self) -> tuple[bool, ...]:
        """Whose number of turns is known: in a game that was watched, everybody's; else what people said."""
        return tuple(self.turn is not None or count > 0 for count in self.turns)

    @property
    def empty_piles(self) -> tuple[str, ...]:
        return tuple(id for id, count in self.supply.items() if not count)

    @property
    def ending(self) -> bool:
        """Whether the game ends with this turn: rulebooks 000, "Fim da Partida", and 003, "Final del Juego"."""
        if not self.supply:
            return False
        return not self.supply[PROVINCE] or len(self.empty_piles) >= SIZES[self.players].empty_piles

    @property
    def reactions(self) -> bool:
        """Whether anybody could have a Reaction against an Attack."""
        return any(CARDS[id].reaction for id in self.supply)

    def price(self, id: str) -> int:
        """What a card costs now: rulebook 003, "Puente": never less than 0, wherever the card is."""
        return max(0, CARDS[id].cost - (self.turn.cheaper if self.turn else 0))


def start(names: tuple[str, ...], variants: frozenset[Variant]) -> Position:
    """The table before anything is on it."""
    players = len(names)
    return Position(
        players,
        variants,
        names=names,
        owned=tuple(dict(START_DECK) for _seat in range(players)),
        turns=(0,) * players,
        ended=Variant.SCORE_ONLY in variants,
        decks=(None,) * players,
    )
