"""What the whole table decides: preparation, questions in the middle of something, the end of an Era step by step,
and the final count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page import boards
from companion.games.dominations.page.construction import placement_panel
from companion.games.dominations.page.elements import (
    Action,
    ActionGroup,
    ActionPanel,
    To,
    Wish,
    domain_action,
    group,
    leads,
    panel,
    player_action,
    told_player,
)
from companion.games.dominations.page.preview import brought
from companion.games.dominations.rules import events
from companion.games.dominations.rules.box import (
    ANSWER_TEXTS,
    DOMAIN_NAMES,
    ERAS,
    ROLES,
    Domain,
    OpenQuestion,
    assimilable,
)
from companion.games.dominations.rules.cards import Trigger
from companion.games.dominations.rules.eras import (
    ENDING,
    ENDING_LAST,
    comparisons_so_far,
    influence_leader,
    points_of,
    table_orders,
)
from companion.games.dominations.rules.events import EraStep, Track, TreePlacement
from companion.games.dominations.rules.gains import effect_amount
from companion.games.dominations.rules.lattice import cells_round, parse_point
from companion.games.dominations.rules.moves import BY_HAND, apply, possible_answers
from companion.games.dominations.rules.position import (
    NOBODY,
    ROLE_NAMES,
    CardAddition,
    GameStage,
    HeldEvent,
    LedgerLine,
    PendingQuestion,
    Position,
    QuestionKind,
    RoleComparison,
)
from companion.games.dominations.text import words
from companion.games.dominations.text.notation import write_event
from companion.games.dominations.text.words import domains_text, effect_text, gift_text, territory_numbers


def answer_panel(position: Position, held: HeldEvent, wish: Wish) -> ActionPanel:
    """The question, and every answer to it."""
    need = held.need
    title = words.question_text(position, need)
    match need.ask:
        case QuestionKind.RULING:
            note = _("The rulebook does not say. The answer stands in the log, and holds for the whole game.")
            ruled = (event for event in possible_answers(held) if isinstance(event, events.Ruled))
            found = (Action(ANSWER_TEXTS[event.answer], line=write_event(event)) for event in ruled)
            return panel(title, group(found), notes=(note,))
        case QuestionKind.DOMAINS:
            return _domains(need, wish, title)
        case QuestionKind.LOCUS:
            note = _("Their numbers stand on the map.")
            return panel(title, group(_loci(position, need)), notes=(note,))
        case QuestionKind.ORDER:
            return order_panel(position, wish, title, None, back=False)
        case QuestionKind.EFFECT:
            found = (
                Action(
                    position.title(choice.partition("#")[0]),
                    line=write_event(events.AnswerChosen(need.player, choice)),
                )
                for choice in need.choices
            )
            return panel(title, group(found))
    return panel(title)


def _loci(position: Position, need: PendingQuestion) -> Iterator[Action]:
    """The circles that were closed, by their numbers on the map, and what lies there."""
    for number, choice in enumerate(need.choices, 1):
        chosen = events.AnswerChosen(need.player, choice)
        line, brings = write_event(chosen), brought(position, chosen, need.player)
        if not choice.startswith("@"):
            yield Action(_("The sides, no Locus"), line=line, note=brings)
            continue
        lying = territory_numbers(position.board, cells_round(parse_point(choice)))
        note = _("%(where)s: %(brings)s", where=lying, brings=brings) if lying and brings else brings or lying
        yield Action(_("Locus %(number)d", number=number), line=line, note=note)


def _domains(need: PendingQuestion, wish: Wish, title: Message) -> ActionPanel:
    """Vestigium, one after the other; the last one records them all."""
    mix = "".join(letter for letter in wish.get("mix", "") if letter in need.choices)[
        : max(0, need.count - 1)
    ]
    note = _(
        "%(told)d of %(count)d: %(letters)s",
        told=len(mix),
        count=need.count,
        letters=domains_text(mix) if mix else "–",
    )
    same = (
        Action(
            _("All of %(domain)s", domain=DOMAIN_NAMES[Domain(letter)]),
            line=write_event(events.AnswerChosen(need.player, letter * need.count)),
            domain=letter,
        )
        for letter in (need.choices if need.count > 1 and not mix else ())
    )
    return panel(
        title,
        group((_next_domain(need, mix + letter) for letter in need.choices), None, "grid"),
        group(same, _("All the same"), "grid"),
        notes=(note,) if need.count > 1 else (),
        back=leads() if mix else None,
    )


def _next_domain(need: PendingQuestion, told: str) -> Action:
    domain = Domain(told[-1])
    if len(told) < need.count:
        return domain_action(domain, to=leads(mix=told))
    return domain_action(domain, line=write_event(events.AnswerChosen(need.player, told)))


# ---- before the first turn, and the Governor's order ----


def order_panel(
    position: Position, wish: Wish, title: Message, do: str | None, back: bool = True
) -> ActionPanel:
    """The players in the order in which they are tapped; the last one records it."""
    told = [int(n) - 1 for n in dict.fromkeys(wish.get("order", "")) if n.isdecimal()]
    told = [player for player in told if 0 <= player < position.players]
    left = [player for player in range(position.players) if player not in told]
    choices = []
    for player in left:
        after = (*told, player)
        if len(left) == 2:
            order = (*after, *(other for other in left if other != player))
            choices.append(player_action(player, line=write_event(events.Ordered(order))))
        else:
            to = leads(do=do, order="".join(str(n + 1) for n in after))
            choices.append(player_action(player, to=to))
    note = _("Who is place %(place)d on the Initiative track?", place=len(told) + 1)
    leave = leads() if back or told else None
    return panel(title, group(choices, None, "people"), notes=(note,), back=leave)


def preparation_groups(position: Position, folded: bool) -> tuple[ActionGroup, ...]:
    """What is told before the first turn."""
    found = [Action(_("The order of Initiative"), to=leads(do="order"))]
    if not position.board.cradle:
        found.append(Action(_("The dots of the Cradle"), to=leads(do="cradle")))
    missing = [n for n, seat in enumerate(position.seats) if not seat.objective]
    if missing:
        found.append(Action(_("Objectives and Monuments"), to=leads(do="keep")))
    return (ActionGroup(tuple(found), _("Before the first turn"), "pairs", folded=folded),)


def keeping_panel(position: Position, wish: Wish) -> ActionPanel:
    """One Objective and one Monument for each player; cards not read out yet are read out first."""
    seats = position.seats
    missing = [player for player, seat in enumerate(seats) if not seat.objective]
    if not missing:
        return panel(_("Objectives"), back=leads())
    told, objective = told_player(position, wish.get("who")), wish.get("objective", "")
    who = told if told in missing else missing[0]
    people = (
        player_action(
            n, to=leads(do="keep", who=str(n + 1), objective=wish.get("objective")), chosen=n == who
        )
        for n in missing
    )
    tabs = group(people, None, "people")
    if objective in position.cards.objectives and objective in position.taught:
        found = [
            _card_choice(
                position,
                key,
                leads(kind="monument", keep=str(who + 1), objective=objective),
                line=write_event(events.CardsKept(who, objective, key)),
            )
            for key in position.cards.monuments
            if key not in position.sites
        ]
        title, kind, back = _("Which Monument?"), "monument", leads(do="keep")
    else:
        found = [
            _card_choice(
                position,
                key,
                leads(kind="objective", keep=str(who + 1)),
                to=leads(do="keep", who=str(who + 1), objective=key),
            )
            for key in position.cards.objectives
            if key not in {seat.objective for seat in seats}
        ]
        title, kind, back = _("Which Objective?"), "objective", leads()
    chosen = objective if kind == "monument" else None
    to = leads(do="card", kind=kind, keep=str(who + 1), objective=chosen)
    new = Action(_("Another card: read it out"), to=to)
    return panel(title, tabs, group(found), group((new,)), back=back)


def _card_choice(position: Position, key: str, reading: To, **taken: Any) -> Action:
    """A card that can be taken, or has to be read out first."""
    if key in position.taught:
        return Action(position.title(key), **taken)
    to = {**reading, "do": "card", "key": key}
    return Action(position.title(key), to=to, note=_("Not read out yet"))


CHANGE_TEXTS = {
    Track.POINTS: _("%(role)s: points %(amount)s"),
    Track.INFLUENCE: _("%(role)s: Influence %(amount)s"),
}
RoleNumber = tuple[str, int, Track]
"""A Role, whose number it is, and which."""
RoleTransfer = tuple[str, int, Track, int]
"""A Role, whose number it is, which, and by how much it is off."""


def unmoved_groups(position: Position) -> tuple[ActionGroup, ...]:
    """One tap for each number that did not move with a Role."""
    if position.stage is not GameStage.NEXT:
        return ()
    found = [_choice(*move) for move in _moves(position)]
    return (group(found, _("This did not move with the Role: tap to set it right"), "pairs"),)


def _choice(role: str, player: int, unit: Track, amount: int) -> Action:
    text = _(CHANGE_TEXTS[unit].text, role=ROLE_NAMES[role], amount=f"{amount:+d}".replace("-", "−"))
    return Action(text, player=player, line=write_event(events.Adjusted(player, unit, amount)))


def _moves(position: Position) -> Iterator[RoleTransfer]:
    """What was brought to whoever has not got the Role, and not to who has it, as far as people have set it right."""
    roles = [one for one in position.compared if one.role in position.righted]
    players = range(position.players)
    got = {
        (one.role, player, unit): player == one.winner
        for one in roles
        for player in players
        for unit in CHANGE_TEXTS
    }
    for number in _set_right(position):
        moved = next((key for key in got if number == (*key[1:], _owed(position, key, not got[key]))), None)
        if moved:
            got[moved] = not got[moved]
    for has in (False, True):
        for role, player, unit in got:
            due = _owed(position, (role, player, unit), has)
            if due and got[role, player, unit] != has == (role in position.seats[player].roles):
                yield role, player, unit, due


def _owed(position: Position, key: RoleNumber, has: bool) -> int:
    """What a number changes by when a player gets a Role, or gives it away; with what cards pay for it."""
    key_role, player, unit = key
    role = ROLES[key_role]
    owed = points_of(position, role) if unit is Track.POINTS else role.influence
    if position.ruling(OpenQuestion.ROLES_COUNTED) == "new":
        effects = (effect for _card, effect in position.effects(player, Trigger.ROLE))
        due = (effect for effect in effects if effect.known and effect.unit == unit)
        owed += sum(effect_amount(position, player, effect) for effect in due)
    return owed if has else -owed


def _set_right(position: Position) -> Iterator[tuple[int, Track | Domain, int]]:
    """The numbers that people have set right since the Roles were determined."""
    for line in position.lines[position.determined :]:
        if line.why == BY_HAND:
            yield line.player, line.unit, line.amount


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
    brings: tuple[boards.LineView, ...]
    """What changes with the next tap, for the table to read first."""
    influence: tuple[ComparisonView, ...] = ()


def era_wizard(position: Position, wish: Wish) -> EraWizard | None:
    """None while turns are played, and while something waits for an answer that no comparison speaks of."""
    if position.stage not in {*ENDING, *ENDING_LAST} or (position.held and position.stage not in COMPARED):
        return None
    steps = ENDING_LAST if position.era == ERAS else ENDING
    here = steps.index(position.stage)
    names = tuple(StepName(STEP_NAMES[step], n < here, n == here) for n, step in enumerate(steps))
    after = None if position.held else _after(position)
    compared = comparisons_so_far(position) if position.stage is GameStage.ROLES else position.compared
    brings = tuple(boards.step_lines(position, after)) if after else ()
    return EraWizard(
        names, _hand(position, wish), tuple(comparison_views(compared)), brings, _leading(position)
    )


def _after(position: Position) -> Position | None:
    """The table after the step, where nothing has to be asked first."""
    stage = position.stage
    if stage is GameStage.NEXT and (position.governor != NOBODY or table_orders(position)):
        return None
    event = (
        events.Assimilated(influence_leader(position))
        if stage is GameStage.ASSIMILATION
        else events.StepTaken(EraStep(stage.value))
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
        return answer_panel(position, position.held, wish)
    match position.stage:
        case GameStage.EFFECTS:
            return _effects(position)
        case GameStage.ASSIMILATION:
            return _assimilation(position, wish)
        case GameStage.ROLES:
            return _taking_roles(position)
        case GameStage.NEXT:
            return _next(position, wish)
    note = _("10, 20, 40, 70 or 100 points, in any order.")
    return panel(_("Objectives"), _step(position, _("Count the Objectives")), notes=(note,))


def _taking_roles(position: Position) -> ActionPanel:
    """What cards say in words about it is read before, as nobody else counts it."""
    triggers = [Trigger.COMPARE]
    if position.ruling(OpenQuestion.ROLES_COUNTED) == "new":
        triggers.append(Trigger.ROLE)
    said = [
        Action(
            _("%(card)s – %(text)s", card=position.title(card.key), text=effect_text(effect)), player=player
        )
        for player in position.order
        for card, effect in position.effects(player, *triggers)
        if not effect.known
    ]
    return panel(
        _("Who takes which Role?"),
        group(said, _("By hand: then say who has the Role")),
        _step(position, _("Take the Roles")),
        notes=() if said else (_("Whoever has most Knowledge left takes the Role."),),
    )


def _step(position: Position, text: Message) -> ActionGroup:
    """The button that takes the step."""
    line = write_event(events.StepTaken(EraStep(position.stage.value)))
    return group((Action(text, line=line, main=True),))


def _effects(position: Position) -> ActionPanel:
    """What cards do now: those that pay for Roles as well, unless the table ruled that they do it later."""
    found = [*_choices(position, Trigger.ERA_END)]
    if position.rulings.get(OpenQuestion.ROLES_COUNTED) != "new":
        found = [*_choices(position, Trigger.ROLE), *found]
    notes = () if found else (_("No card does anything at the end of an Era."),)
    step = _step(position, _("Apply them") if found else _("Go on"))
    return panel(STEP_NAMES[GameStage.EFFECTS], group(found), step, notes=notes)


def _choices(position: Position, trigger: Trigger) -> Iterator[Action]:
    """What is due at a trigger, by player and card."""
    for player in position.order:
        for card, effect in position.effects(player, trigger):
            text = gift_text(effect)
            if trigger is Trigger.ROLE:
                roles = len(position.seats[player].roles)
                text = _("%(what)s for each Role held: %(count)d", what=text, count=roles)
            told = _("%(card)s – %(text)s", card=position.title(card.key), text=text)
            yield Action(told, player=player)


def _assimilation(position: Position, wish: Wish) -> ActionPanel:
    """What the leader may take over, and then everybody's Influence counts."""
    player = influence_leader(position)
    influence = position.seats[player].influence
    most = assimilable(influence)
    takeable = [*_takeable(position, player, most)]
    if wish.get("do") == "assimilate" and (wish.get("key", ""), "adv" in wish) in takeable:
        return _taking_over(position, wish, player)
    found = (
        Action(
            position.title(key),
            to=leads(do="assimilate", key=key, adv="1" if advanced else None),
            domain=position.cards.masteries[key].domain,
            note=_("the other side") if advanced else None,
        )
        for key, advanced in takeable
    )
    nothing = Action(_("Assimilate nothing"), line=write_event(events.Assimilated(player)), main=not takeable)
    return panel(
        _("Assimilation"),
        group(found, None, "pairs"),
        ActionGroup((nothing,), last=True),
        notes=(
            _("With %(count)d Influence: Masteries up to value %(value)d.", count=influence, value=most),
            _("Then everybody gets a point for each Influence."),
        ),
    )


def _taking_over(position: Position, wish: Wish, player: int) -> ActionPanel:
    """One Mastery that the leader assimilates: the Nodi it makes, unless it is only turned over."""

    def take(planting: TreePlacement) -> Action:
        event = events.Assimilated(player, wish["key"], "adv" in wish, planting)
        return Action(_("Assimilate it"), line=write_event(event), main=True)

    title = position.title(wish["key"])
    if "adv" in wish:
        return panel(title, group((take(TreePlacement()),)), back=leads())
    return placement_panel(position, player, wish, title, take, back=leads())


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
    governed = position.governor != NOBODY
    if (governed or table_orders(position)) and wish.get("do") != "role":
        title = (
            _("The Governor determines the order") if governed else _("Nobody is Governor: choose the order")
        )
        ordered = order_panel(position, wish, title, None, back=False)
        groups = (*unmoved_groups(position), *ordered.groups, _roles(position))
        return panel(title, *groups, notes=ordered.notes, back=ordered.back)
    if wish.get("do") == "role" and wish.get("key") in ROLES:
        return _role(position, wish["key"])
    hands = (
        Action(_("draws up to %(count)d territories", count=position.hand_size(n)), player=n)
        for n in position.order
    )
    return panel(
        STEP_NAMES[GameStage.NEXT],
        *unmoved_groups(position),
        _step(position, _("Begin the next Era")),
        group(hands),
        _roles(position),
        notes=(_("All Knowledge goes back to 0, Influence stays."),),
    )


def _roles(position: Position) -> ActionGroup:
    """The cards as they were given, each to be put right."""
    holders = {role: n for n, seat in enumerate(position.seats) for role in seat.roles}
    found = (Action(ROLE_NAMES[key], to=leads(do="role", key=key), player=holders.get(key)) for key in ROLES)
    return ActionGroup(tuple(found), _("Somebody else has a Role?"), "grid", folded=True)


def _role(position: Position, key: str) -> ActionPanel:
    people = (player_action(n, line=write_event(events.RoleTold(n, key))) for n in range(position.players))
    nobody = Action(_("Nobody"), line=write_event(events.RoleTold(None, key)))
    note = _("Points and Influence do not move with it: then a tap sets each of them right.")
    return panel(
        ROLE_NAMES[key], group(people, None, "people"), group((nobody,)), notes=(note,), back=leads()
    )


REASON_KINDS = {
    "objectives": _("Objectives"),
    "influence": _("Influence"),
    "roles": _("Roles"),
    "monuments": _("Monuments"),
    "rest": _("Everything else"),
}
"""In the order of the table."""


@dataclass(frozen=True)
class FinalLine:
    """What the players have for one reason in the whole game, or for all of a kind."""

    why: Message
    points: tuple[int, ...]
    to: To | None = None
    """Where a kind is opened, or closed again; None for one of its reasons."""
    open: bool = False


def final_table(position: Position, wish: Wish) -> Iterator[FinalLine]:
    """The kinds, and the reasons of the one that is opened; the sums of the kinds are the result."""
    for kind, name in REASON_KINDS.items():
        lines = [
            line for line in position.lines if line.unit is Track.POINTS and _kind(position, line) == kind
        ]
        opened = wish.get("open") == kind
        if lines:
            yield FinalLine(name, _points(position, lines), leads(open=None if opened else kind), opened)
        if opened:
            yield from _reasons(position, lines)


def _kind(position: Position, line: LedgerLine) -> str:
    if line.objective:
        return "objectives"
    if line.why.text == REASON_KINDS["influence"].text:
        return "influence"
    if line.why.text in {str(name) for name in ROLE_NAMES.values()}:
        return "roles"
    titles = {str(position.title(key)) for key in position.sites}
    return "monuments" if _card_of_reason(line.why) in titles else "rest"


def _card_of_reason(why: Message) -> str:
    """The card or the Monument a reason names, or is."""
    return str(why.values.get("card") or why.values.get("monument") or why)


def _reasons(position: Position, lines: list[LedgerLine]) -> Iterator[FinalLine]:
    found: dict[str, list[LedgerLine]] = {}
    for line in lines:
        found.setdefault(str(line.why), []).append(line)
    rows = [FinalLine(same[0].why, _points(position, same)) for same in found.values()]
    yield from sorted(rows, key=lambda row: -sum(row.points))


def _points(position: Position, lines: list[LedgerLine]) -> tuple[int, ...]:
    return tuple(sum(line.amount for line in lines if line.player == n) for n in range(position.players))
