"""What each player has, with every number that changed, and the sliders on the table put right with a tap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.elements import (
    Action,
    ActionGroup,
    ActionPanel,
    Stepper,
    Wish,
    group,
    leads,
    panel,
    player_action,
    printed_text,
    shown_address,
    told_player,
)
from companion.games.dominations.rules.box import (
    DOMAIN_NAMES,
    LIMITS,
    MARKERS,
    OBJECTIVE_POINTS,
    ROLES,
    Domain,
)
from companion.games.dominations.rules.cards import CardEffect
from companion.games.dominations.rules.eras import (
    contradicted_goals,
    goal_progress,
    goals_count,
    is_countable,
    reached_goals,
    untold_goals,
)
from companion.games.dominations.rules.events import Achieved, Adjusted, GoalsTold, Track
from companion.games.dominations.rules.gains import track_place, unused_roles
from companion.games.dominations.rules.lattice import parse_cell
from companion.games.dominations.rules.moves import highest_amount
from companion.games.dominations.rules.position import ROLE_NAMES, LedgerLine, Position, Seat
from companion.games.dominations.text import tally, words
from companion.games.dominations.text.notation import write_event

LINES_SHOWN, LINES_SHOWN_WIDE = 6, 9
"""How many of the last numbers that changed are shown; and where no map stands."""
PLAYER_LINES_SHOWN = 60
"""How many of one player's."""


@dataclass(frozen=True)
class ReserveView:
    """A Reserve."""

    letter: str
    name: Message
    amount: int
    limit: int
    lost: int = 0
    """What the limit has held back in the whole game."""

    @property
    def full(self) -> bool:
        return self.amount >= self.limit


@dataclass(frozen=True)
class GoalView:
    """A goal of an Objective, and how far it is."""

    text: Message
    far: tuple[tuple[int, int], ...]
    reached: bool
    tick: str
    """What marks it by hand, where nobody else can count it."""
    miss: str
    """What says that it is not reached, while that has to be said."""


@dataclass(frozen=True)
class RoleView:
    key: str
    name: Message
    domain: str
    unused: bool
    """Whether its power is used once, and was not yet."""


@dataclass(frozen=True)
class TreeCardView:
    """A card of a Tree."""

    title: Message
    domain: str
    effects: tuple[Message, ...]
    level: int
    advanced: bool


@dataclass(frozen=True)
class LineView:
    """A number that changed."""

    player: int
    unit: Message
    letter: str
    amount: int
    lost: int
    why: Message
    working: str
    where: str = ""
    """The territories it is about, as an address tells them."""


@dataclass(frozen=True)
class SeatView:
    """What a player has."""

    tracks: tuple[ReserveView, ...]
    influence: int
    points: int
    stands: Mapping[str, tuple[int, int]]
    """By track: the laps behind a marker, and its place."""
    markers: int
    hand: int
    cities: tuple[str, ...]
    roles: tuple[RoleView, ...]
    cards: tuple[TreeCardView, ...]
    objective: Message | None
    goals: tuple[GoalView, ...]
    goals_said: tuple[Action, ...] = ()
    """How many goals are reached, to be said where no card has been read out; nothing before the last Era is over."""

    @property
    def goals_reached(self) -> int:
        return sum(goal.reached for goal in self.goals)


def seat_view(position: Position, player: int) -> SeatView:
    seat, points = position.seats[player], position.points[player]
    return SeatView(
        tracks=tuple(_reserve_track(position, player, domain) for domain in Domain),
        influence=seat.influence,
        points=points,
        stands={
            "influence": track_place(seat.influence, "influence"),
            "points": track_place(points, "points"),
        },
        markers=seat.markers,
        hand=position.hand_size(player),
        cities=tuple(f"{city.domain}{city.level}" for city in position.cities_of(player)),
        roles=tuple(_roles(position, player)),
        cards=tuple(_cards(position, player)),
        objective=position.title(seat.objective) if seat.objective else None,
        goals=tuple(_goals(position, player)),
        goals_said=tuple(_goals_said(position, player)),
    )


def _reserve_track(position: Position, player: int, domain: Domain) -> ReserveView:
    seat = position.seats[player]
    lost = sum(line.lost for line in position.lines if (line.player, line.unit) == (player, domain))
    return ReserveView(domain.value, DOMAIN_NAMES[domain], seat.knowledge[domain], seat.limits[domain], lost)


def _roles(position: Position, player: int) -> Iterator[RoleView]:
    left = unused_roles(position, player)
    for role in position.seats[player].roles:
        yield RoleView(role, ROLE_NAMES[role], ROLES[role].domain.value, role in left)


def _cards(position: Position, player: int) -> Iterator[TreeCardView]:
    for card in position.seats[player].tree.cards[1:]:
        mastery = position.cards.masteries.get(card.key)
        effects = tuple(map(words.effect_text, position.effects_of(card)))
        domain = mastery.domain if mastery and not card.level else ""
        yield TreeCardView(position.title(card.key), domain, effects, card.level, card.advanced)


def _goals(position: Position, player: int) -> Iterator[GoalView]:
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    if objective is None:
        return
    done = reached_goals(position, player)
    asked = dict(untold_goals(position, player)) if position.last_turn_over else {}
    marked = seat.achieved | {number for number, _goal in contradicted_goals(position, player)}
    for number, goal in enumerate(objective.goals, 1):
        counted = is_countable(position, player, goal)
        parts = goal_progress(position, player, goal) if counted else ()
        mark = Achieved(player, number, number not in seat.achieved)
        yield GoalView(
            words.goal_text(goal, position.title),
            tuple((part.have, part.need) for part in parts),
            number in done,
            "" if counted and number not in marked else write_event(mark),
            write_event(Achieved(player, number, False)) if number in asked else "",
        )


def _goals_said(position: Position, player: int) -> Iterator[Action]:
    """Rulebook 004, "Cartas de Objetivo": from none to all five."""
    seat = position.seats[player]
    if seat.objective or not position.last_turn_over:
        return
    told = goals_count(position, player)
    for count, points in enumerate(OBJECTIVE_POINTS):
        line = write_event(GoalsTold(player, count))
        yield Action(
            printed_text(str(count)), line=line, number=f"+{points}" if points else "", chosen=count == told
        )


def last_lines(position: Position) -> Iterator[LineView]:
    """The last numbers that changed, the newest first."""
    return (_line(position, line) for line in reversed(position.lines[-LINES_SHOWN_WIDE:]))


def lines_of_player(position: Position, player: int) -> tuple[LineView, ...]:
    """Every number of a player that changed, the newest first, as far as anybody reads."""
    own = [line for line in position.lines if line.player == player]
    return tuple(_line(position, line) for line in reversed(own[-PLAYER_LINES_SHOWN:]))


def _line(position: Position, line: LedgerLine) -> LineView:
    known = isinstance(line.unit, Domain)
    unit = DOMAIN_NAMES[line.unit] if isinstance(line.unit, Domain) else words.TRACK_NAMES[line.unit]
    letter = line.unit.value if known else ""
    why, cells = tally.reason_now(position, line), map(parse_cell, line.where)
    where = shown_address(cell for cell in cells if cell in position.board.tiles)
    return LineView(line.player, unit, letter, line.amount, line.lost, why, tally.shown_working(line), where)


def step_lines(before: Position, after: Position) -> Iterator[LineView]:
    """The numbers that come with a step."""
    return (_line(after, line) for line in after.lines[len(before.lines) :])


def due_texts(position: Position, player: int) -> Iterator[Message]:
    """What a card says in words, or in part: people do it by hand."""
    for due in position.reminders:
        if due.player == player:
            yield _card_says(position, due.key, due.effect)


def _card_says(position: Position, key: str, effect: CardEffect) -> Message:
    return _("%(card)s – %(text)s", card=position.title(key), text=words.effect_text(effect))


def reminders(position: Position, player: int) -> Iterator[Message]:
    """What a player should not forget in this turn: reminders, never advice."""
    yield from due_texts(position, player)
    for card, effect in position.effects(player, *words.STANDING_TRIGGERS):
        yield _card_says(position, card.key, effect)
    for role in unused_roles(position, player):
        yield _("%(role)s: not used yet", role=ROLE_NAMES[role])
    for domain, amount in position.seats[player].knowledge.items():
        if amount >= LIMITS[-1]:
            yield _("%(domain)s is full: what comes above 20 brings a point", domain=DOMAIN_NAMES[domain])


LARGE_STEP = 5
"""What a larger step of a track is."""


def checking_panel(position: Position, wish: Wish) -> ActionPanel:
    """Everything that somebody's board shows, each with a button on either side."""
    told = told_player(position, wish.get("check"))
    player = position.player if told is None else told
    people = (
        player_action(n, to=leads(check=str(n + 1)), chosen=n == player) for n in range(position.players)
    )
    seat = position.seats[player]
    tracks = (
        _track_stepper(
            player, Track.INFLUENCE, _("Influence: place %(place)d, laps: %(laps)d"), seat.influence, 999
        ),
        _track_stepper(
            player, Track.POINTS, _("Points: place %(place)d, laps: %(laps)d"), position.points[player], 9999
        ),
        _stepper(Adjusted(player, Track.MARKERS, 1), _("City markers"), seat.markers, MARKERS),
    )
    return panel(
        _("Does the table show the same?"),
        group(people, None, "seats"),
        ActionGroup((), None, "steppers", tuple(_reserve(position, player, domain) for domain in Domain)),
        ActionGroup((), None, "steppers", tracks),
        ActionGroup(
            (), _("Limits"), "steppers", tuple(_limit(seat, player, domain) for domain in Domain), folded=True
        ),
        group((Action(_("All is right"), to=leads(), main=True),)),
        notes=(_("Each tap stands in the log."),),
        back=leads(),
    )


def _reserve(position: Position, player: int, domain: Domain) -> Stepper:
    seat, most = position.seats[player], highest_amount(position, player, domain)
    stepper = _stepper(Adjusted(player, domain, 1), DOMAIN_NAMES[domain], seat.knowledge[domain], most)
    return replace(stepper, domain=domain.value, of=seat.limits[domain])


def _limit(seat: Seat, player: int, domain: Domain) -> Stepper:
    more = Adjusted(player, domain, LIMITS[1] - LIMITS[0], limit=True)
    least = max(LIMITS[0], seat.knowledge[domain])
    stepper = _stepper(more, DOMAIN_NAMES[domain], seat.limits[domain], LIMITS[-1], least)
    return replace(stepper, domain=domain.value)


def _track_stepper(player: int, track: Track, name: Message, value: int, most: int) -> Stepper:
    laps, place = track_place(value, track.value)
    told = Message(name.text, {"laps": laps, "place": place})
    down, up = min(LARGE_STEP, value), min(LARGE_STEP, most - value)
    far = (_far(Adjusted(player, track, -down)), _far(Adjusted(player, track, up)))
    return replace(_stepper(Adjusted(player, track, 1), told, value, most), far=far)


def _stepper(more: Adjusted, name: Message, value: int, most: int, least: int = 0) -> Stepper:
    """A number that goes up as `more` says, and down as far, within what a board can show."""
    less = replace(more, amount=-more.amount)
    return Stepper(
        name,
        value,
        _tap(less) if value + less.amount >= least else None,
        _tap(more) if value + more.amount <= most else None,
    )


def _far(event: Adjusted) -> Action | None:
    """Several steps in one entry, or as many as there are."""
    if abs(event.amount) < 2:
        return None
    text = _("Up by %(count)d") if event.amount > 0 else _("Down by %(count)d")
    return Action(
        Message(text.text, {"count": abs(event.amount)}),
        line=write_event(event),
        brief=f"{event.amount:+d}".replace("-", "−"),
    )


def _tap(event: Adjusted) -> Action:
    return Action(_("One more") if event.amount > 0 else _("One less"), line=write_event(event))
