"""Turns and Eras: whose turn comes, and the end of an Era in its exact order."""

from __future__ import annotations

from itertools import permutations

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.box import (
    ERAS,
    FINAL_ROLE_POINTS,
    OBJECTIVE_POINTS,
    ROLES,
    TURNS,
    OpenQuestion,
    Role,
    assimilable,
)
from companion.games.dominations.rules.comparing import comparisons
from companion.games.dominations.rules.development import meets_prerequisite, take_from_rack, turnable
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.events import Assimilated, Ordered
from companion.games.dominations.rules.gains import Gift, known_effects
from companion.games.dominations.rules.judging import reached_goals
from companion.games.dominations.rules.planting import plant_card, turn_card_over
from companion.games.dominations.rules.position import (
    NOBODY,
    OF_A_TURN,
    GameStage,
    LedgerUnit,
    PendingQuestion,
    Position,
    QuestionKind,
    Seat,
)
from companion.games.dominations.rules.roles import ROLE_NAMES
from companion.games.dominations.rules.simultaneous import give_in_best_order, give_simultaneous
from companion.games.dominations.rules.steps import EraStep

NOTHING_PRODUCED = Seat().produced
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
    draft.change(player, produced=NOTHING_PRODUCED)
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
        points, why = OBJECTIVE_POINTS[len(goals)], _("Objective: %(count)d of 5 goals", count=len(goals))
        draft.line(player, LedgerUnit.POINTS, points, why, objective=True)
