"""What else changes when an earlier entry is put right: every entry goes on speaking of the thing it spoke of.

`Provenance` remembers which entry made what, in the log as it was and as it is corrected;
`DominationsEntryReader` reads every entry by both.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from companion.core.errors import IllegalEvent, NotationError
from companion.core.game import EntryReader, ReplayedEntry
from companion.core.observation import Choice, Doubt
from companion.games.dominations.rules.box import (
    ANSWER_TEXTS,
    LEFT_OPEN,
    QUESTION_TEXTS,
    QUESTIONS,
    settled,
    settling,
)
from companion.games.dominations.rules.construction import rising_city
from companion.games.dominations.rules.events import (
    Achieved,
    Advanced,
    AnswerChosen,
    Answered,
    Assimilated,
    Built,
    CardsKept,
    CityTold,
    Contributed,
    Developed,
    Event,
    MonumentTold,
    Overrulable,
    Passed,
    Plain,
    Produced,
    Reactivated,
    Rewarded,
    Taught,
    TerritoryLaid,
    TileTold,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.lattice import Cell, Point, cells_round, parse_point
from companion.games.dominations.rules.moves import GROWTH_EVENTS, apply, in_turn
from companion.games.dominations.rules.position import (
    City,
    PendingQuestion,
    Position,
    QuestionKind,
    is_choice,
    resized_choice,
)


class ThingKind(Enum):
    """What an entry may speak of though another one made it, and which entries make it."""

    CITY = (Built,)
    TERRITORY = (TerritoryLaid, TileTold)
    MASTERY = (Developed, Assimilated)
    MONUMENT = (CardsKept, Contributed)
    OBJECTIVE = (CardsKept,)
    TITLE = (Taught,)


def things_made(position: Position) -> Mapping[ThingKind, Iterable[Hashable]]:
    """How everything on the table is told apart: Cities by their number, Masteries by whose they are, and so on."""
    seats = [*enumerate(position.seats)]
    return {
        ThingKind.CITY: range(len(position.cities)),
        ThingKind.TERRITORY: [cell for cell, piece in position.board.pieces.items() if piece.tile],
        ThingKind.MASTERY: [(player, card.key) for player, seat in seats for card in seat.tree.masteries],
        ThingKind.MONUMENT: position.sites,
        ThingKind.OBJECTIVE: [player for player, seat in seats if seat.objective],
        ThingKind.TITLE: position.taught,
    }


class Provenance:
    """One log, entry by entry."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._by: dict[tuple[ThingKind, Hashable], int] = {}
        self._of: dict[tuple[ThingKind, int], Hashable] = {}
        self._waiting: list[tuple[int, Plain]] = []
        """The entries that an answer may still let count, and the last one."""

    def maker(self, thing: ThingKind, called: Hashable) -> int | None:
        """The number of the entry that made it."""
        return self._by.get((thing, called))

    def called(self, thing: ThingKind, maker: int | None) -> Hashable | None:
        """What an entry made, as it is called in this log."""
        return None if maker is None else self._of.get((thing, maker))

    def told(self, seq: int, event: Event | None, position: Position) -> None:
        if event is not None:
            self._waiting.append((seq, plain_event(event)))
        held = position.held.event if position.held else None
        done = [(number, made) for number, made in self._waiting if made is not held and made != held]
        self._waiting = [one for one in self._waiting if one not in done][-1:]
        if position is not self.position:
            self._note(done, position)
        self.position = position

    def _note(self, done: list[tuple[int, Plain]], position: Position) -> None:
        for thing, names in things_made(position).items():
            new = [name for name in names if (thing, name) not in self._by]
            makers = [number for number, event in done if isinstance(event, thing.value)]
            # What was held before the last entry came first, if it came at all.
            for name, number in zip(reversed(new), reversed(makers), strict=False):
                self._by[thing, name] = number
                self._of[thing, number] = name


def plain_event(event: Event) -> Plain:
    return event.event if isinstance(event, Answered) else event


def answers_along(event: Event) -> tuple[str, ...]:
    """What it brings along of what it asks."""
    return event.choices if isinstance(event, Answered) else ()


class DominationsEntryReader(EntryReader[Position, Event]):
    """An entry speaks of what earlier ones made; it reads as that is called in the corrected log."""

    def __init__(self, was: Position, now: Position, last: Position) -> None:
        self._was, self._now, self._ruled = Provenance(was), Provenance(now), last.rulings
        self._began: tuple[int | None, int | None] = (None, None)
        """Whose turn the last territory began, and whose it begins now."""

    def read(self, was: ReplayedEntry[Position, Event], event: Event) -> Event:  # noqa: ARG002
        if isinstance(event, Answered):
            choices = tuple(map(self._choice, event.choices))
            return replace(event, event=self._reading(event.event), choices=choices)
        return self._reading(event)

    def alternatives(self, event: Event, because: str) -> Sequence[Event]:
        return ways_to_keep(event, because, self._now.position)

    def complete(self, was: ReplayedEntry[Position, Event], event: Event, now: Position) -> Event:
        """With what it chose before, and the ruling that it asks for now: the table's own, made later, or nobody's."""
        held = now.held
        if held is None or held.event != plain_event(event):
            return event
        if (chosen := self._chosen(was.event, event, held.need)) is not None:
            return Answered(plain_event(event), (*answers_along(event), chosen))
        if held.need.ask is not QuestionKind.RULING:
            return event
        if was.position.held and was.position.held.need == held.need:
            return event
        ruling = settling(held.need.about, self._ruled.get(held.need.about, LEFT_OPEN))
        return Answered(plain_event(event), (*answers_along(event), ruling))

    def advance(self, was: ReplayedEntry[Position, Event], now: ReplayedEntry[Position, Event]) -> None:
        if was.event and isinstance(plain_event(was.event), GROWTH_EVENTS):
            begins = now.event if now.event and isinstance(plain_event(now.event), GROWTH_EVENTS) else None
            self._began = getattr(was.event, "player", None), getattr(begins, "player", None)
        self._was.told(was.seq, was.event, was.position)
        self._now.told(now.seq, now.event, now.position)

    def questions(self, event: Event) -> Iterator[Doubt]:
        """The rulings that a corrected entry needs and nobody has made."""
        words = answers_along(event)
        for number, word in enumerate(words):
            question, answer = settled(word) or (None, word)
            if question and answer == LEFT_OPEN:
                answers = (
                    Choice((_answering(event, number, settling(question, each)),), ANSWER_TEXTS[each])
                    for each in QUESTIONS[question].answers
                )
                yield Doubt(QUESTION_TEXTS[question], tuple(answers))

    def _chosen(self, was: Event | None, event: Event, need: PendingQuestion) -> str | None:
        """What the same kind of entry said next, where it fits what is asked now."""
        before, now = answers_along(was) if was else (), answers_along(event)
        if was is None or type(plain_event(was)) is not type(plain_event(event)) or len(before) <= len(now):
            return None
        chosen = resized_choice(self._choice(before[len(now)]), need)
        return chosen if is_choice(need, chosen) else None

    def _reading(self, event: Plain) -> Plain:
        read: Callable[..., Plain] | None = _READ.get(type(event))
        player = getattr(event, "player", None) or 0
        seated = player < min(self._was.position.players, self._now.position.players)
        return read(self, event) if read and seated else event

    def _found(self, thing: ThingKind, called: object) -> object | None:
        """What it is called now; nothing where the entry that made it makes no such thing any more."""
        return self._now.called(thing, self._was.maker(thing, called))

    def _card(self, key: str) -> str:
        if key in self._now.position.taught:
            return key
        return str(self._found(ThingKind.TITLE, key) or key)

    def _monument(self, key: str) -> str:
        return str(self._found(ThingKind.MONUMENT, key) or self._card(key))

    def _cell(self, cell: Cell) -> Cell | None:
        if self._was.maker(ThingKind.TERRITORY, cell) is None:
            return cell
        found = self._found(ThingKind.TERRITORY, cell)
        return found if isinstance(found, Cell) else None

    def _point(self, point: Point) -> Point:
        """The middle of the same pieces, wherever they lie."""
        cells = {self._cell(cell) for cell in cells_round(point)}
        middles = {corner for cell in cells if cell for corner in cell.corners}
        return next((middle for middle in sorted(middles) if {*cells_round(middle)} == cells), point)

    def _choice(self, choice: str) -> str:
        try:
            return str(self._point(parse_point(choice)))
        except NotationError:
            return choice

    def _city(self, was: City) -> City | None:
        """The same City, as it stands now."""
        found = self._found(ThingKind.CITY, self._was.position.cities.index(was))
        return self._now.position.cities[found] if isinstance(found, int) else None

    def _upgraded(self, event: Upgraded) -> Plain:
        try:
            was = rising_city(self._was.position, event)
        except IllegalEvent:
            return event
        city = self._city(was)
        if city is None:
            return event
        owner = city.owner if event.player == was.owner else event.player
        if city.cell:
            return replace(event, player=owner, cell=city.cell, domain=None, level=0)
        return replace(event, player=owner, cell=None, domain=city.domain, level=city.level)

    def _drawn(self, event: CityTold) -> Plain:
        cell, was = self._cell(event.cell) or event.cell, City(event.player, event.domain, event.level)
        city = self._city(was) if was in self._was.position.cities else None
        if city is None:
            return replace(event, cell=cell)
        return replace(event, player=city.owner, domain=city.domain, level=city.level, cell=cell)

    def _built(self, event: Built) -> Plain:
        """Where no territory is drawn after all, a City is known by its Domain."""
        if event.cell is None or event.cell not in self._was.position.board.tiles:
            return event
        cell = self._cell(event.cell)
        if cell is None:
            return replace(event, cell=None, domain=self._was.position.board.tiles[event.cell].field)
        return replace(event, cell=cell)

    def _territory(self, event: TerritoryLaid | Produced | Reactivated | Passed) -> Plain:
        """A turn stays one of its own, though what was between it and the one before is gone."""
        if isinstance(event, Reactivated):
            event = replace(event, cell=self._cell(event.cell) or event.cell)
        began = event.anew or not in_turn(self._was.position, event.player)
        return replace(event, anew=began and in_turn(self._now.position, event.player))

    def _ended(self, event: TurnEnded) -> Plain:
        """The turn that its territory began, whoever laid that; and one that is left without a territory."""
        playing = self._now.position.player
        running = in_turn(self._now.position, playing)
        if running and self._began == (event.player, playing):
            return replace(event, player=playing, anew=False)
        return replace(event, anew=running and playing != event.player)

    def _contributed(self, event: Contributed) -> Plain:
        place = self._point(event.place) if isinstance(event.place, Point) else event.place
        return replace(event, monument=self._monument(event.monument), place=place)

    def _piece(self, event: MonumentTold) -> Plain:
        place = self._point(event.place) if isinstance(event.place, Point) else event.place
        return replace(event, monument=self._monument(event.monument), place=place)

    def _own(self, event: Advanced | Assimilated) -> Plain:
        """A Mastery of a Tree; one that is assimilated new comes from the rack."""
        if isinstance(event, Assimilated) and not event.advanced:
            return self._taken(event)
        match self._found(ThingKind.MASTERY, (event.player, event.key)):
            case (int() as player, str() as key):
                return replace(event, player=player, key=key)
        return replace(event, key=self._card(event.key))

    def _taken(self, event: Developed | Assimilated) -> Plain:
        """No Tree has two of a kind: what was told earlier after all is the one that was taken for it."""
        key = self._card(event.key)
        tree = self._now.position.seats[event.player].tree
        if tree.find(key):
            match self._was.called(
                ThingKind.MASTERY, self._now.maker(ThingKind.MASTERY, (event.player, key))
            ):
                case (int(), str() as other) if not tree.find(other):
                    return replace(event, key=other)
        return replace(event, key=key)

    def _kept(self, event: CardsKept) -> Plain:
        """Everybody keeps one Objective: what was somebody else's leaves theirs to who had it."""
        objective, monument = self._card(event.objective), self._card(event.monument)
        taken = self._now.maker(ThingKind.OBJECTIVE, event.player)
        player = self._was.called(ThingKind.OBJECTIVE, taken)
        free = isinstance(player, int) and player < self._now.position.players
        if not isinstance(player, int) or not free or self._now.position.seats[player].objective:
            player = event.player
        return replace(event, player=player, objective=objective, monument=monument)

    def _achieved(self, event: Achieved) -> Plain:
        player = self._found(ThingKind.OBJECTIVE, event.player)
        return replace(event, player=player) if isinstance(player, int) else event


_READ: Mapping[type[Plain], Callable[..., Plain]] = {
    **dict.fromkeys(GROWTH_EVENTS, DominationsEntryReader._territory),
    TurnEnded: DominationsEntryReader._ended,
    Upgraded: DominationsEntryReader._upgraded,
    CityTold: DominationsEntryReader._drawn,
    Built: DominationsEntryReader._built,
    Contributed: DominationsEntryReader._contributed,
    MonumentTold: DominationsEntryReader._piece,
    Rewarded: lambda self, event: replace(event, monument=self._monument(event.monument)),
    Developed: DominationsEntryReader._taken,
    Advanced: DominationsEntryReader._own,
    Assimilated: DominationsEntryReader._own,
    CardsKept: DominationsEntryReader._kept,
    Achieved: DominationsEntryReader._achieved,
    AnswerChosen: lambda self, event: replace(event, choice=self._choice(event.choice)),
}
"""How an event reads that speaks of something; of the others, none names what another entry made."""


def _answering(event: Event, number: int, word: str) -> Event:
    words = answers_along(event)
    return Answered(plain_event(event), (*words[:number], word, *words[number + 1 :]))


def ways_to_keep(event: Event, because: str, position: Position) -> Sequence[Event]:
    """What was done stays done as it lies; what has no place on the map any more stays in the ledger."""
    if isinstance(event, AnswerChosen):
        need = position.held.need if position.held else None
        fitting = resized_choice(event.choice, need) if need else event.choice
        return (replace(event, choice=fitting),) if fitting != event.choice else ()
    if isinstance(event, Answered):
        found = [way for way in ways_to_keep(event.event, because, position) if not isinstance(way, Answered)]
        answered = [Answered(way, _fitting(way, event.choices, position)) for way in (event.event, *found)]
        return [*answered, event.event, *found]
    if not isinstance(event, Overrulable):
        return ()
    reason = event.because or because
    lying = replace(event, because=reason)
    return (lying, *_in_the_ledger(lying, position))


def _fitting(event: Plain, choices: Sequence[str], position: Position) -> tuple[str, ...]:
    """The answers that a line brings along, as what is asked now takes them."""
    fitting: tuple[str, ...] = ()
    for choice in choices:
        try:
            held = apply(position, Answered(event, fitting)).held
        except IllegalEvent:
            held = None
        fitting = (*fitting, resized_choice(choice, held.need) if held else choice)
    return fitting


def _in_the_ledger(event: Overrulable, position: Position) -> Sequence[Event]:
    match event:
        case TerritoryLaid():
            # Where something else lies now, the turn was taken all the same.
            return (Produced(event.player, {}, because=event.because, anew=event.anew),)
        case Built(cell=Cell() as cell) if tile := position.board.tiles.get(cell):
            return (replace(event, cell=None, domain=tile.field),)
        case Contributed(place=place) if place is not None:
            return (replace(event, place=None),)
    return ()
