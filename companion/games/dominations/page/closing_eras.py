"""The end of an Era, step by step as the rulebook orders it, with every comparison and every tie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page import deciding, seats
from companion.games.dominations.page.choices import (
    PLAYER_NAME,
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    action_group,
    leads,
)
from companion.games.dominations.page.planted import placement_panel
from companion.games.dominations.page.righting import unmoved_groups
from companion.games.dominations.rules.box import ERAS, ROLES, OpenQuestion, assimilable
from companion.games.dominations.rules.comparing import comparisons_so_far
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.eras import influence_leader, table_orders
from companion.games.dominations.rules.events import Assimilated, RoleTold, StepTaken
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.placing import TreePlacement
from companion.games.dominations.rules.position import NOBODY, GameStage, Position
from companion.games.dominations.rules.roles import ROLE_NAMES, CardAddition, RoleComparison
from companion.games.dominations.rules.steps import EraStep
from companion.games.dominations.text import effect_words
from companion.games.dominations.text.notation import write_event

STEPS = (GameStage.EFFECTS, GameStage.ASSIMILATION, GameStage.ROLES, GameStage.NEXT)
LAST_STEPS = (GameStage.EFFECTS, GameStage.ASSIMILATION, GameStage.ROLES, GameStage.OBJECTIVES)
COMPARED = (GameStage.ROLES, GameStage.NEXT)
STEP_NAMES = {
    GameStage.EFFECTS: _("Effects at the end of the Era"),
    GameStage.ASSIMILATION: _("Influence"),
    GameStage.ROLES: _("Roles"),
    GameStage.NEXT: _("The next Era"),
    GameStage.OBJECTIVES: _("Objectives"),
}


@dataclass(frozen=True)
class StepName:
    """A step of the end of an Era, and whether it is taken."""

    name: Message
    done: bool
    now: bool


@dataclass(frozen=True)
class ComparisonView:
    """How a Role is determined."""

    role: str
    name: Message
    domain: str
    values: tuple[int, ...]
    winner: int | None
    tied: tuple[int, ...]
    """Those between whom the Initiative decides; nobody where there is no tie."""
    added: tuple[CardAddition, ...] = ()
    """What of the values cards add."""
    open: tuple[CardAddition, ...] = ()
    """What nobody has said yet, and decides who is first."""

    def left(self, player: int) -> int:
        """What the board itself shows."""
        return self.values[player] - sum(one.amount for one in self.added if one.player == player)


@dataclass(frozen=True)
class EraWizard:
    """The step that is to be taken: what it compares, and what it will change."""

    steps: tuple[StepName, ...]
    hand: ActionPanel
    comparisons: tuple[ComparisonView, ...]
    brings: tuple[seats.LineView, ...]
    """What changes with the next tap, for the table to read first."""
    influence: tuple[ComparisonView, ...] = ()


def era_wizard(position: Position, wish: Wish) -> EraWizard | None:
    """None while turns are played, and while something waits for an answer that no comparison speaks of."""
    if position.stage not in {*STEPS, *LAST_STEPS} or (position.held and position.stage not in COMPARED):
        return None
    steps = LAST_STEPS if position.era == ERAS else STEPS
    here = steps.index(position.stage)
    names = tuple(StepName(STEP_NAMES[step], n < here, n == here) for n, step in enumerate(steps))
    after = None if position.held else _after(position)
    compared = comparisons_so_far(position) if position.stage is GameStage.ROLES else position.compared
    brings = tuple(seats.step_lines(position, after)) if after else ()
    return EraWizard(
        names, _hand(position, wish), tuple(comparison_views(compared)), brings, _leading(position)
    )


def _after(position: Position) -> Position | None:
    """The table after the step, where nothing has to be asked first."""
    stage = position.stage
    if stage is GameStage.NEXT and (position.governor != NOBODY or table_orders(position)):
        return None
    event = (
        Assimilated(influence_leader(position))
        if stage is GameStage.ASSIMILATION
        else StepTaken(EraStep(stage.value))
    )
    try:
        after = apply(position, event)
    except CompanionError:
        return None
    return None if after.held else after


def comparison_views(compared: tuple[RoleComparison, ...]) -> Iterator[ComparisonView]:
    for found in compared:
        tied = found.tied if len(found.tied) > 1 and not found.open else ()
        winner = None if found.open else found.winner
        name, domain = ROLE_NAMES[found.role], ROLES[found.role].domain.value
        yield ComparisonView(found.role, name, domain, found.values, winner, tied, found.added, found.open)


def _leading(position: Position) -> tuple[ComparisonView, ...]:
    """Who has most Influence."""
    if position.stage is not GameStage.ASSIMILATION:
        return ()
    values = tuple(seat.influence for seat in position.seats)
    first = influence_leader(position)
    tied = tuple(player for player, n in enumerate(values) if n == values[first])
    return (ComparisonView("", _("Influence"), "", values, first, tied if len(tied) > 1 else ()),)


def _hand(position: Position, wish: Wish) -> ActionPanel:
    if position.held:
        return deciding.answer_panel(position, position.held, wish)
    match position.stage:
        case GameStage.EFFECTS:
            return _effects(position)
        case GameStage.ASSIMILATION:
            return _assimilation(position, wish)
        case GameStage.ROLES:
            return _taking_roles(position)
        case GameStage.NEXT:
            return _next(position, wish)
    return ActionPanel(
        _("Objectives"),
        _step(position, _("Count the Objectives")),
        (_("10, 20, 40, 70 or 100 points, in any order."),),
    )


def _taking_roles(position: Position) -> ActionPanel:
    """What cards say in words about it is read before, as nobody else counts it."""
    triggers = [
        Trigger.COMPARE,
        *([Trigger.ROLE] if position.ruling(OpenQuestion.ROLES_COUNTED) == "new" else []),
    ]
    words = (
        Action(
            _("%(card)s – %(text)s", card=position.title(card.key), text=effect_words.effect_text(effect)),
            player=player,
        )
        for player in position.order
        for card, effect in position.effects(player, *triggers)
        if not effect.known
    )
    said = action_group(words, _("By hand: then say who has the Role"))
    notes = () if said else (_("Whoever has most Knowledge left takes the Role."),)
    return ActionPanel(_("Who takes which Role?"), (*said, *_step(position, _("Take the Roles"))), notes)


def _step(position: Position, text: Message) -> tuple[ActionGroup, ...]:
    """The button that takes the step."""
    line = write_event(StepTaken(EraStep(position.stage.value)))
    return (ActionGroup((Action(text, line=line, main=True),)),)


def _effects(position: Position) -> ActionPanel:
    """What cards do now: those that pay for Roles as well, unless the table ruled that they do it later."""
    found = [*_choices(position, Trigger.ERA_END)]
    if position.rulings.get(OpenQuestion.ROLES_COUNTED) != "new":
        found = [*_choices(position, Trigger.ROLE), *found]
    notes = () if found else (_("No card does anything at the end of an Era."),)
    step = _step(position, _("Apply them") if found else _("Go on"))
    return ActionPanel(_("Effects at the end of the Era"), (*action_group(found), *step), notes)


def _choices(position: Position, trigger: Trigger) -> Iterator[Action]:
    """What is due at a trigger, by player and card."""
    for player in position.order:
        for card, effect in position.effects(player, trigger):
            text = effect_words.gift_text(effect)
            if trigger is Trigger.ROLE:
                roles = len(position.seats[player].roles)
                text = _("%(what)s for each Role held: %(count)d", what=text, count=roles)
            told = _("%(card)s – %(text)s", card=position.title(card.key), text=text)
            yield Action(told, player=player)


def _assimilation(position: Position, wish: Wish) -> ActionPanel:
    """What the leader may take over, and then everybody's Influence counts."""
    player = influence_leader(position)
    most = assimilable(position.seats[player].influence)
    rule = _(
        "With %(count)d Influence: Masteries up to value %(value)d.",
        count=position.seats[player].influence,
        value=most,
    )
    if wish.get("do") == "assimilate" and (wish.get("key", ""), "adv" in wish) in [
        *_takeable(position, player, most)
    ]:
        return _taking_over(position, wish, player)
    found = [
        Action(
            position.title(key),
            to=leads(do="assimilate", key=key, adv="1" if advanced else None),
            domain=position.cards.masteries[key].domain,
            note=_("the other side") if advanced else None,
        )
        for key, advanced in _takeable(position, player, most)
    ]
    nothing = Action(_("Assimilate nothing"), line=write_event(Assimilated(player)), main=not found)
    after = _("Then everybody gets a point for each Influence.")
    return ActionPanel(
        _("Assimilation"),
        (*action_group(found, None, "pairs"), ActionGroup((nothing,), last=True)),
        (rule, after),
    )


def _taking_over(position: Position, wish: Wish, player: int) -> ActionPanel:
    """One Mastery that the leader assimilates: the Nodi it makes, unless it is only turned over."""

    def take(planting: TreePlacement) -> Action:
        event = Assimilated(player, wish["key"], "adv" in wish, planting)
        return Action(_("Assimilate it"), line=write_event(event), main=True)

    hand = ActionPanel(position.title(wish["key"]), (), (), leads())
    if "adv" in wish:
        return replace(hand, groups=(ActionGroup((take(TreePlacement()),)),))
    return placement_panel(position, player, wish, hand, take)


def _takeable(position: Position, player: int, most: int) -> Iterator[tuple[str, bool]]:
    """What somebody else has and the leader has not, or has not turned over."""
    own = position.seats[player].tree
    theirs = [c for n, seat in enumerate(position.seats) if n != player for c in seat.tree.masteries]
    for key in sorted({card.key for card in theirs}):
        mine = own.find(key)
        if position.cards.masteries[key].value > most:
            continue
        if mine is None and position.left_in_the_rack(key) > 0:
            yield key, False
        elif mine and not mine.advanced and any(c.advanced for c in theirs if c.key == key):
            yield key, True


def _next(position: Position, wish: Wish) -> ActionPanel:
    if (position.governor != NOBODY or table_orders(position)) and wish.get("do") != "role":
        title = _("The Governor determines the order")
        if position.governor == NOBODY:
            title = _("Nobody is Governor: choose the order")
        ordered = deciding.order_panel(position, wish, title, None, back=False)
        groups = (*unmoved_groups(position), *ordered.groups, *_roles(position))
        return ActionPanel(ordered.title, groups, ordered.notes, ordered.back)
    if wish.get("do") == "role" and wish.get("key") in ROLES:
        return _role(position, wish["key"])
    hands = (
        Action(_("draws up to %(count)d territories", count=position.hand_size(n)), player=n)
        for n in position.order
    )
    notes = (_("All Knowledge goes back to 0, Influence stays."),)
    step = _step(position, _("Begin the next Era"))
    groups = (*unmoved_groups(position), *step, *action_group(hands), *_roles(position))
    return ActionPanel(_("The next Era"), groups, notes)


def _roles(position: Position) -> tuple[ActionGroup, ...]:
    """The cards as they were given, each to be put right."""
    holders = {role: n for n, seat in enumerate(position.seats) for role in seat.roles}
    found = (
        Action(
            ROLE_NAMES[key],
            to=leads(do="role", key=key),
            player=holders.get(key),
        )
        for key in ROLES
    )
    return (ActionGroup(tuple(found), _("Somebody else has a Role?"), "grid", folded=True),)


def _role(position: Position, key: str) -> ActionPanel:
    people = tuple(
        Action(PLAYER_NAME, player=n, line=write_event(RoleTold(n, key))) for n in range(position.players)
    )
    nobody = Action(_("Nobody"), line=write_event(RoleTold(None, key)))
    note = _("Points and Influence do not move with it: then a tap sets each of them right.")
    return ActionPanel(
        ROLE_NAMES[key], (ActionGroup(people, None, "people"), ActionGroup((nobody,))), (note,), leads()
    )
