"""Turns and Eras: whose turn comes, who takes which Role, which goals are reached, how an Era ends.

The end of an Era is effects, Influence, Roles, then the next Era or the Objectives. In a tie the Initiative
decides. Goals and control can also be judged at any time: they only read a Position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.box import (
    ERAS,
    FINAL_ROLE_POINTS,
    LEFT_OPEN,
    LITERAL,
    OBJECTIVE_POINTS,
    ROLES,
    TURNS,
    VESTIGIUM,
    Domain,
    OpenQuestion,
    Role,
    assimilable,
)
from companion.games.dominations.rules.cards import CardEffect, Goal, GoalKind, GoalPart, Trigger
from companion.games.dominations.rules.construction import (
    meets_prerequisite,
    plant_card,
    take_from_rack,
    turn_card_over,
    turnable,
)
from companion.games.dominations.rules.events import Assimilated, EraStep, Ordered, StepTaken, Track
from companion.games.dominations.rules.gains import (
    Gift,
    card_reason,
    city_groups,
    effect_amount,
    give_in_best_order,
    give_simultaneous,
    known_effects,
)
from companion.games.dominations.rules.position import (
    NOBODY,
    OF_A_TURN,
    ROLE_NAMES,
    CardAddition,
    City,
    Draft,
    GameStage,
    Missing,
    PendingQuestion,
    Position,
    QuestionKind,
    RoleComparison,
    Seat,
)


class _Looking(Draft):
    """Nobody is asked by a look: what is not said yet adds nothing so far."""

    def rule(self, question: OpenQuestion) -> str:
        return self.position.rulings.get(question) or LITERAL[question]

    def choose(self, need: PendingQuestion) -> str:
        return super().choose(need) if self._answers else LEFT_OPEN


def comparisons_so_far(position: Position) -> tuple[RoleComparison, ...]:
    """Who would take each Role by what is known, and by what was answered so far where the Roles wait for an answer."""
    held = position.held
    told = held.answers if held and isinstance(held.event, StepTaken) else ()
    return comparisons(_Looking(position, told))


def comparisons(draft: Draft) -> tuple[RoleComparison, ...]:
    """Rulebook 004, "Determine Papéis": for each Domain, whoever has most Knowledge left."""
    added = [one for player in draft.position.order for one in _added(draft, player)]
    return tuple(_compare(draft.position, role, added) for role in ROLES.values())


def _added(draft: Draft, player: int) -> Iterator[CardAddition]:
    """What cards add to a player's Knowledge when Roles are determined."""
    for card, effect in known_effects(draft, player, draft.position.effects(player, Trigger.COMPARE)):
        amount, why = effect_amount(draft.position, player, effect), card_reason(draft, card)
        for domain in _domains(draft, player, card.key, effect):
            yield CardAddition(player, amount, why, domain)


def _domains(draft: Draft, player: int, key: str, effect: CardEffect) -> tuple[Domain | None, ...]:
    if effect.unit != VESTIGIUM:
        return (Domain(effect.unit),)
    if draft.rule(OpenQuestion.COMPARISON) == "every":
        return tuple(Domain)
    return tuple(draft.domains(player, 1, key)) or (None,)


def _compare(position: Position, role: Role, added: Iterable[CardAddition]) -> RoleComparison:
    left = [seat.knowledge[role.domain] for seat in position.seats]
    here = tuple(one for one in added if one.domain is role.domain and one.amount)
    values = [n + sum(one.amount for one in here if one.player == player) for player, n in enumerate(left)]
    if not any(left):
        return RoleComparison(role.key, tuple(values), None, here)
    winner = position.first(dict(enumerate(values)))
    unsaid = tuple(one for one in added if one.domain is None)
    return RoleComparison(
        role.key, tuple(values), winner, here, tuple(_deciding(position, values, winner, unsaid))
    )


def _deciding(
    position: Position, values: list[int], winner: int, unsaid: tuple[CardAddition, ...]
) -> Iterator[CardAddition]:
    """Of what nobody has said yet, that by which somebody else would take the Role."""
    for one in unsaid:
        more = sum(other.amount for other in unsaid if other.player == one.player)
        raised = {player: n + more * (player == one.player) for player, n in enumerate(values)}
        if position.first(raised) != winner:
            yield one


def reached_goals(position: Position, player: int, masteries_only: bool | None = None) -> frozenset[int]:
    """The numbers of the goals, counted from 1, that are reached as things stand, or ticked where nobody counts."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    if objective is None or seat.objective not in position.taught:
        return seat.achieved
    return frozenset(
        number
        for number, goal in enumerate(objective.goals, 1)
        if (
            is_reached(position, player, goal, masteries_only)
            if is_countable(position, player, goal)
            else number in seat.achieved
        )
    )


def contradicted_goals(position: Position, player: int) -> Iterator[tuple[int, Goal]]:
    """The goals that people marked, and that can be counted and come out otherwise."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    for number, goal in enumerate(objective.goals if objective else (), 1):
        marked = number in seat.achieved | seat.missed and is_countable(position, player, goal)
        if marked and is_reached(position, player, goal) != (number in seat.achieved):
            yield number, goal


def is_countable(position: Position, player: int, goal: Goal) -> bool:
    """Whether a goal can be counted; where Cities stand without a place, people count what needs the map."""
    if not goal.known:
        return False
    if goal.kind is GoalKind.NODI and not is_reached(position, player, goal):
        return not hidden_nodi(position, player)
    if goal.kind is GoalKind.CONTROL:
        return not any(is_control_uncertain(position, key) for key in _wanted(position, goal.parts[0]))
    if goal.kind is GoalKind.ADJACENT and is_reached(position, player, goal):
        return True  # a City more takes nothing away from those side by side
    if goal.kind in (GoalKind.ADJACENT, GoalKind.APART):
        cities = position.cities_of(player)
        return len(cities) < goal.parts[0].count or all(city.cell is not None for city in cities)
    return goal.known


def hidden_nodi(position: Position, player: int) -> bool:
    """Whether a card of the Tree makes Nodi that nobody has told."""
    return any(card.spot is None and not card.nodi for card in position.seats[player].tree.cards[1:])


def untold_goals(position: Position, player: int) -> Iterator[tuple[int, Goal]]:
    """The goals that nobody can count, and of which nobody has said whether they are reached."""
    seat = position.seats[player]
    objective = position.cards.objectives.get(seat.objective)
    for number, goal in enumerate(objective.goals if objective else (), 1):
        if not is_countable(position, player, goal) and number not in seat.achieved | seat.missed:
            yield number, goal


def goals_count(position: Position, player: int, masteries_only: bool | None = None) -> int | None:
    """How many goals a player has reached; None as long as people have still to say it."""
    seat = position.seats[player]
    if seat.objective in position.cards.objectives and seat.objective in position.taught:
        untold = any(True for _goal in untold_goals(position, player))
        return None if untold else len(reached_goals(position, player, masteries_only))
    if seat.goals is None:
        return len(seat.achieved) if seat.achieved or seat.missed else None
    return seat.goals


@dataclass(frozen=True)
class Progress:
    """How far a player is with one requirement of a goal."""

    have: int
    need: int

    @property
    def reached(self) -> bool:
        return self.have >= self.need


def is_reached(position: Position, player: int, goal: Goal, masteries_only: bool | None = None) -> bool:
    """Whether a goal is reached: all of its requirements."""
    return all(part.reached for part in goal_progress(position, player, goal, masteries_only))


def goal_progress(
    position: Position, player: int, goal: Goal, masteries_only: bool | None = None
) -> tuple[Progress, ...]:
    """How far a player is with each requirement; rulebook 004, "Cartas de Objetivo".

    Which Nodi count is as the table ruled, unless it is asked how it would be.
    """
    if masteries_only is None:
        masteries_only = position.ruling(OpenQuestion.NODI) == "masteries"
    cities, most = position.cities_of(player), goal.parts[0].count
    match goal.kind:
        case GoalKind.CITIES:
            return (_levels(cities, goal.parts),)
        case GoalKind.ADJACENT:
            return (Progress(max(map(len, city_groups(cities)), default=0), most),)
        case GoalKind.APART:
            return (Progress(len(city_groups(cities)), most),)
        case GoalKind.CONTROL:
            mine = [key for key in _wanted(position, goal.parts[0]) if controller(position, key) == player]
            return (Progress(len(mine), most),)
        case GoalKind.NODI:
            nodi = position.seats[player].tree.count(masteries_only)
            return tuple(Progress(nodi[Domain(part.key)], part.count) for part in goal.parts)
        case GoalKind.INFLUENCE:
            return (Progress(position.seats[player].influence, most),)
        case _:
            return tuple(Progress(_masteries(position, player, part), part.count) for part in goal.parts)


def _levels(cities: tuple[City, ...], parts: tuple[GoalPart, ...]) -> Progress:
    """A higher City may stand for a lower one, but each counts once."""
    levels = sorted((city.level for city in cities), reverse=True)
    wanted = sorted((int(part.key) for part in parts for _each in range(part.count)), reverse=True)
    met = 0
    for level in wanted:
        if met < len(levels) and levels[met] >= level:
            met += 1
    return Progress(met, len(wanted))


def _wanted(position: Position, part: GoalPart) -> list[str]:
    return [key for key in position.sites if part.key in ("", key)]


def is_control_uncertain(position: Position, monument: str) -> bool:
    """Whether a City may stand beside a Monument that the map does not show there."""
    site = position.sites[monument]
    drawn = site.place is not None and all(city.cell is not None for city in position.cities)
    return site.taken > 0 and bool(position.cities) and not drawn


def control_strength(position: Position, player: int, monument: str) -> int:
    """Level cards in the Tree, and the levels of Cities beside the piece."""
    cards = sum(card.key == monument for card in position.seats[player].tree.levels)
    beside = position.board.beside(monument)
    return cards + sum(city.level for city in position.cities_of(player) if city.cell in beside)


def controller(position: Position, monument: str) -> int | None:
    """Who controls a Monument: in a tie, whoever has its first level, and only then by Initiative."""
    strengths = {player: control_strength(position, player, monument) for player in range(position.players)}
    most = max(strengths.values())
    if not most:
        return None
    tied = {player: value for player, value in strengths.items() if value == most}
    for player in tied:
        if any((c.key, c.level) == (monument, 1) for c in position.seats[player].tree.levels):
            return player
    return position.first(tied)


def _masteries(position: Position, player: int, part: GoalPart) -> int:
    cards = [position.cards.masteries[card.key] for card in position.seats[player].tree.masteries]
    return sum(card.domain in part.domains and card.value == int(part.key) for card in cards)


ENDING = (GameStage.EFFECTS, GameStage.ASSIMILATION, GameStage.ROLES, GameStage.NEXT)
"""The end of an Era, in its order; the last one ends otherwise."""
ENDING_LAST = (*ENDING[:-1], GameStage.OBJECTIVES)


def end_turn(draft: Draft) -> None:
    """Whoever has had fewest turns is next, by Initiative; once everybody has had theirs, the Era ends."""
    position = draft.position
    if position.stage is GameStage.GROWTH:
        draft.object_to(_("A turn begins with a territory: lay one, or pass."))
    turns = tuple(had + (player == position.player) for player, had in enumerate(position.turns))
    reminders = tuple(due for due in position.reminders if due.player in position.put_off)
    draft.set(again=False, reminders=reminders, stage=GameStage.GROWTH, turns=turns)
    if min(turns) >= TURNS:
        draft.set(stage=GameStage.EFFECTS)
        return
    draft.set(player=min(position.order, key=lambda player: turns[player]))
    _begin_turn(draft)


def give_turn_to(draft: Draft, player: int) -> None:
    """People went on with somebody else's turn: whoever was next has theirs later."""
    position = draft.position
    if player != position.player and position.stage is GameStage.GROWTH:
        draft.set(put_off=position.put_off | {position.player}, player=player)
        _begin_turn(draft)


def _begin_turn(draft: Draft) -> None:
    player, put_off = draft.position.player, draft.position.put_off
    draft.change(player, produced=Seat().produced)
    draft.set(put_off=put_off - {player})
    if player not in put_off:
        give_simultaneous(draft, player, draft.position.effects(player, Trigger.TURN_START))


def take_step(draft: Draft, step: EraStep) -> None:
    _come_to(draft, GameStage(step.value))
    _take(draft, step)


def _take(draft: Draft, step: EraStep) -> None:
    match step:
        case EraStep.EFFECTS:
            _effects(draft)
        case EraStep.ROLES:
            _determine_roles(draft)
        case EraStep.NEXT:
            _next_era(draft)
        case EraStep.OBJECTIVES:
            draft.set(stage=GameStage.OVER)


def _come_to(draft: Draft, wanted: GameStage) -> None:
    """An Era ends in its order; what people went past, and say why, is counted on the way and never left out."""
    if draft.position.stage is wanted:
        return
    steps = ENDING_LAST if draft.position.era == ERAS else ENDING
    not_next = _("The end of an Era has its order, and this is not the next step.")
    stage = GameStage.EFFECTS if draft.position.stage in OF_A_TURN else draft.position.stage
    if wanted not in steps or stage not in steps or steps.index(stage) > steps.index(wanted):
        raise IllegalEvent(not_next)
    # Somebody's turn, or a step, is missing in the log; the table knows that it is over all the same.
    draft.object_to(not_next)
    draft.set(again=False, stage=stage)
    while draft.position.stage is not wanted:
        if draft.position.stage is GameStage.ASSIMILATION:
            _count_influence(draft)
        else:
            _take(draft, EraStep(draft.position.stage.value))


def _effects(draft: Draft) -> None:
    """Rulebook 004, "Efeitos de Fim da Era"."""
    for player in draft.position.order:
        held, roles = len(draft.seat(player).roles), [*draft.position.effects(player, Trigger.ROLE)]
        if not roles or draft.rule(OpenQuestion.ROLES_COUNTED) != "held":
            roles = []
        gifts = [Gift(card, effect, held) for card, effect in known_effects(draft, player, roles)]
        ending = known_effects(draft, player, draft.position.effects(player, Trigger.ERA_END))
        give_in_best_order(draft, player, [*gifts, *(Gift(card, effect) for card, effect in ending)])
    draft.set(stage=GameStage.ASSIMILATION)


def influence_leader(position: Position) -> int:
    return position.first({player: seat.influence for player, seat in enumerate(position.seats)})


def assimilate_mastery(draft: Draft, event: Assimilated) -> None:
    """Rulebook 004, "Resolva Influência": the leader may assimilate; then everybody's Influence brings points."""
    _come_to(draft, GameStage.ASSIMILATION)
    if event.player != influence_leader(draft.position):
        draft.object_to(_("Only who has most Influence assimilates a Mastery."))
    if event.key:
        _take_over(draft, event)
    _count_influence(draft)


def _count_influence(draft: Draft) -> None:
    for player in draft.position.order:
        draft.points(player, draft.seat(player).influence, _("Influence"))
    draft.set(stage=GameStage.ROLES)


def _take_over(draft: Draft, event: Assimilated) -> None:
    seats = [seat for player, seat in enumerate(draft.position.seats) if player != event.player]
    others = [card for seat in seats if (card := seat.tree.find(event.key))]
    if not [card for card in others if card.advanced or not event.advanced]:
        draft.object_to(_("Nobody else has this Mastery, or not on that side."))
    if event.advanced:
        mastery = turnable(draft, event.player, event.key)
    else:
        mastery = take_from_rack(draft, event.player, event.key)
    most = assimilable(draft.seat(event.player).influence)
    if mastery.value > most:
        draft.object_to(
            _("With this Influence, Masteries up to value %(value)d are assimilated.", value=most)
        )
    if event.advanced:
        turn_card_over(draft, event.player, event.key)
        return
    if (
        not meets_prerequisite(draft.position, event.player, mastery)
        and draft.rule(OpenQuestion.ASSIMILATION) == "prerequisite"
    ):
        draft.object_to(_("The Mastery that this card presupposes is not in the Tree."))
    plant_card(draft, event.player, event.key, 0, event.planting)


def _determine_roles(draft: Draft) -> None:
    """Rulebook 004, "Determine Papéis": for each Domain, whoever has most Knowledge left."""
    last = draft.position.era == ERAS
    compared = comparisons(draft)
    for player in draft.position.order:
        draft.change(player, roles=())
    won = {comparison.role: comparison.winner for comparison in compared}
    for key, winner in won.items():
        if winner is not None:
            _receive(draft, winner, ROLES[key], last)
    paid = {player: [*draft.position.effects(player, Trigger.ROLE)] for player in draft.position.order}
    if any(paid.values()) and draft.rule(OpenQuestion.ROLES_COUNTED) == "new":
        for player, dues in paid.items():
            give_simultaneous(draft, player, dues, times=[*won.values()].count(player))
    draft.set(compared=compared, righted=frozenset(), determined=len(draft.position.lines))
    draft.set(stage=GameStage.OBJECTIVES if last else GameStage.NEXT)


def points_of(position: Position, role: Role) -> int:
    """What a Role brings before the last Era."""
    return role.points_of_two if position.players == 2 else role.points


def _receive(draft: Draft, player: int, role: Role, last: bool) -> None:
    points = points_of(draft.position, role)
    if last:
        points = FINAL_ROLE_POINTS
        two_governed = draft.position.players == 2 and role.points_of_two == 0
        if two_governed and draft.rule(OpenQuestion.GOVERNOR_OF_TWO) == "nothing":
            points = 0
    name = ROLE_NAMES[role.key]
    draft.points(player, points, name)
    if last:
        return
    draft.change(player, roles=(*draft.seat(player).roles, role.key))
    draft.influence(player, role.influence, name)


def set_order(draft: Draft, event: Ordered) -> None:
    """The Initiative: by lot before the first turn, by the Governor before the next Era."""
    position = draft.position
    if sorted(event.order) != [*range(position.players)]:
        raise IllegalEvent(_("The order names every player once."))
    if position.stage is GameStage.ROLES and event.because:
        # Who orders the next Era has seen the Roles determined.
        _come_to(draft, GameStage.NEXT)
        position = draft.position
    if position.stage is GameStage.NEXT:
        # A Governor who has ordered may think again until the Era begins.
        if not position.governed and draft.rule(OpenQuestion.NO_GOVERNOR) == "keep":
            draft.object_to(_("Without a Governor, the order stays as it is."))
    elif position.begun:
        draft.object_to(_("Only the Governor changes the order, before an Era begins."))
    draft.set(order=event.order, ordered=position.stage is GameStage.NEXT)
    if not position.begun:
        draft.set(player=event.order[0])


def _next_era(draft: Draft) -> None:
    """Rulebook 004, "Antes de iniciar a próxima era"."""
    if draft.position.governor != NOBODY:
        draft.object_to(_("The Governor determines the order first."))
    if (
        not (draft.position.governed or draft.position.ordered)
        and draft.rule(OpenQuestion.NO_GOVERNOR) == "choose"
    ):
        _let_the_table_order(draft)
    for player, seat in enumerate(draft.position.seats):
        for domain, amount in seat.knowledge.items():
            if amount:
                draft.line(player, domain, -amount, _("End of the Era"))
        draft.change(player, knowledge=Seat().knowledge, redrawn=False)
    draft.set(
        era=draft.position.era + 1,
        ordered=False,
        turns=(0,) * draft.position.players,
        put_off=frozenset(),
        player=draft.position.order[0],
        stage=GameStage.GROWTH,
        reminders=(),
        compared=(),
    )
    for player in draft.position.order:
        give_simultaneous(draft, player, draft.position.effects(player, Trigger.ERA_START))
    _begin_turn(draft)


def _let_the_table_order(draft: Draft) -> None:
    orders = ("".join(str(n + 1) for n in each) for each in permutations(range(draft.position.players)))
    if chosen := draft.choose(PendingQuestion(QuestionKind.ORDER, NOBODY, "order", tuple(orders))):
        draft.set(order=tuple(int(number) - 1 for number in chosen))


def table_orders(position: Position) -> bool:
    """Whether the table has still to choose the order of the next Era, as nobody is Governor."""
    due = position.stage is GameStage.NEXT and not (position.governed or position.ordered)
    return due and position.ruling(OpenQuestion.NO_GOVERNOR) == "choose"


def count_objectives(draft: Draft) -> None:
    """Rulebook 004, "Cartas de Objetivo": points for how many goals are reached, in any order.

    Whatever is told once the game is over may be what a goal asks for: they are counted again after it.
    """
    draft.set(lines=tuple(line for line in draft.position.lines if not line.objective))
    for player in draft.position.order:
        strict = reached_goals(draft.position, player, masteries_only=True)
        goals = reached_goals(draft.position, player, masteries_only=False)
        if strict != goals and draft.rule(OpenQuestion.NODI) == "masteries":
            goals = strict
        told = goals_count(draft.position, player, goals is strict)
        count = len(goals) if told is None else told
        why, without = _("Objective: %(count)d of 5 goals", count=count), None
        if told is None:
            without = Missing.GOALS
            why = _("Objective: nobody has said how many goals are reached")
            if draft.seat(player).objective:
                why = _("Objective: %(count)d of 5 goals, and others are still to be told", count=count)
        draft.line(player, Track.POINTS, OBJECTIVE_POINTS[count], why, objective=True, without=without)
