"""How events move a game on: `apply(position, event)` gives the next Position or raises IllegalEvent.

An event that needs an answer first is held, and played again from the start with all answers so far. `_WORK` says
what each event does. A number is marked with a ruling exactly where another answer would have changed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules import construction, eras, events, growth
from companion.games.dominations.rules.box import (
    ERAS,
    LEFT_OPEN,
    LIMITS,
    LITERAL,
    MARKERS,
    QUESTIONS,
    ROLES,
    Domain,
    OpenQuestion,
    settling,
)
from companion.games.dominations.rules.cards import (
    GOALS,
    Card,
    Mastery,
    Monument,
    Objective,
    Trigger,
    moved_goals,
)
from companion.games.dominations.rules.construction import need_card
from companion.games.dominations.rules.eras import influence_leader
from companion.games.dominations.rules.events import Answered, Event, Plain
from companion.games.dominations.rules.growth import EXCHANGE
from companion.games.dominations.rules.position import (
    NOBODY,
    OF_A_TURN,
    AnswerNeeded,
    Draft,
    DroppedEvent,
    GameStage,
    HeldEvent,
    LedgerLine,
    PendingQuestion,
    Position,
    QuestionKind,
    Site,
    check_answer,
    is_choice,
    resized_choice,
)

OF_THE_TABLE = (events.Ruled, events.Taught)
"""What the whole table is asked for: its answer holds, whatever becomes of the event that asked."""
MEANWHILE = (
    *OF_THE_TABLE,
    events.Adjusted,
    events.RoleTold,
    events.Achieved,
    events.GoalsTold,
    events.CardsKept,
    events.Redrawn,
    events.TileTold,
    events.CityTold,
    events.MonumentTold,
    events.Rewarded,
    events.CampfireTold,
    events.CradleTold,
)
"""What may be told while another event waits for an answer."""


def apply(position: Position, event: Event) -> Position:
    """The position after an event, or IllegalEvent."""
    _check_players(position, event)
    if position.held is None:
        return _told(position, event)
    base = replace(position, held=None)
    held = position.held
    if _choice(held.need, event):
        _check_asked(held.need, event)
        return _asked_first(*_going_on(base, held, event))
    if isinstance(event, MEANWHILE):
        told = _told(base, event)
        if told.held is None:
            return _resumed(told, held, event)
    if because := getattr(event, "because", ""):
        return _told(_left_open(position, because), event)
    raise IllegalEvent(_("Something is asked: answer it first, or take back what it is about."))


def _told(position: Position, event: Event) -> Position:
    if isinstance(event, Answered):
        return _asked_first(position, event.event, event.choices)
    return _asked_first(position, event, ())


def _asked_first(position: Position, event: Plain, answers: tuple[str, ...]) -> Position:
    draft = _worked(position, event, answers)
    if isinstance(draft, HeldEvent):
        return replace(position, held=draft)
    done = draft.position
    if draft.consulted:
        done = replace(done, lines=mark_rulings(position, event, answers, draft))
    needs = (PendingQuestion(QuestionKind.RULING, NOBODY, question) for question in draft.unanswered)
    return replace(done, left_open=(*done.left_open, *(HeldEvent(event, answers, need) for need in needs)))


def _worked(position: Position, event: Plain, answers: tuple[str, ...]) -> Draft | HeldEvent:
    """What an event comes to, or what it asks first."""
    draft = Draft(position, answers)
    try:
        _work(draft, event)
    except AnswerNeeded as asked:
        draft.check(getattr(event, "because", ""))
        held = HeldEvent(event, answers, asked.need)
        _check_answerable(position, held)
        return held
    draft.finish(event, getattr(event, "because", ""))
    return draft


def _going_on(base: Position, held: HeldEvent, answer: Event) -> tuple[Position, Plain, tuple[str, ...]]:
    """A held event with one answer more."""
    if choice := _choice(held.need, answer):
        return base, held.event, (*held.answers, choice)
    return _told(base, answer), held.event, held.answers


def _check_answerable(position: Position, held: HeldEvent) -> None:
    """Nobody is asked about what the rules forbid however the answer is."""
    refused = []
    for answer in possible_answers(held):
        try:
            _worked(*_going_on(position, held, answer))
        except IllegalEvent as error:
            refused.append(error)
        else:
            return
    if refused:
        raise refused[0]


def _resumed(position: Position, held: HeldEvent, told: Event) -> Position:
    """What was held goes on; by the table's own answer it may turn out that it could not happen."""
    try:
        return _asked_first(position, held.event, held.answers)
    except IllegalEvent as error:
        if not isinstance(told, OF_THE_TABLE):
            raise
        by = told if isinstance(told, events.Ruled) else None
        return replace(position, dropped=(*position.dropped, DroppedEvent(held.event, error.message, by)))


def _left_open(position: Position, because: str) -> Position:
    """People went on without an answer: rulings as the rulebook has them, and nothing for the rest."""
    while held := position.held:
        base = replace(position, held=None)
        named = replace(base, left_open=(*position.left_open, held))
        try:
            # A ruling that was left open is named by what it mattered for.
            position = _gone_on(
                base if held.need.ask is QuestionKind.RULING else named, _standing(held, because)
            )
        except IllegalEvent:
            # With what followed from the answers so far, it could not have happened.
            return named
    return position


def _standing(held: HeldEvent, because: str) -> HeldEvent:
    """What was done stays done, though the ruling nobody made may speak against it."""
    event = held.event
    if isinstance(event, events.Overrulable) and not event.because:
        return replace(held, event=replace(event, because=because))
    return held


def _gone_on(base: Position, held: HeldEvent) -> Position:
    match held.need.ask:
        case QuestionKind.CARD:
            return base
        case QuestionKind.RULING:
            return _asked_first(base, held.event, (*held.answers, settling(held.need.about, LEFT_OPEN)))
        case _:
            return _asked_first(base, held.event, (*held.answers, LEFT_OPEN))


def _choice(need: PendingQuestion, event: Event) -> str:
    """What an event answers; an empty text where it is no answer of this kind."""
    if isinstance(event, events.Ordered) and need.ask is QuestionKind.ORDER:
        return "".join(str(player + 1) for player in event.order)
    return event.choice if isinstance(event, events.AnswerChosen) else ""


def _check_asked(need: PendingQuestion, event: Event) -> None:
    if isinstance(event, events.AnswerChosen):
        if need.ask in (QuestionKind.RULING, QuestionKind.CARD, QuestionKind.ORDER):
            raise IllegalEvent(_("The whole table is asked something else first."))
        if event.player != need.player:
            raise IllegalEvent(_("Another player is asked."))
    check_answer(need, _choice(need, event))


def _players_of(event: Event) -> Iterable[int]:
    player = getattr(event, "player", None)
    if player is not None:
        yield player
    told = event.event if isinstance(event, Answered) else event
    if isinstance(told, events.Produced):
        yield from (owner for owner, _amounts in told.others)
    if isinstance(told, events.Rewarded):
        yield from told.owners


def _check_players(position: Position, event: Event) -> None:
    if not all(0 <= player < position.players for player in _players_of(event)):
        raise IllegalEvent(_("There is no such player."))


def offered_events(position: Position) -> Sequence[Event]:
    """Answers, the end of a turn, and the steps of an Era's end."""
    if position.held:
        return possible_answers(position.held)
    if position.stage in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT, GameStage.DONE):
        return (events.TurnEnded(position.player),)
    if position.stage is GameStage.ASSIMILATION:
        return (events.Assimilated(influence_leader(position)),)
    if position.stage.value in set(events.EraStep) and not (
        position.stage is GameStage.NEXT and position.governor >= 0
    ):
        return (events.StepTaken(events.EraStep(position.stage.value)),)
    return ()


def possible_answers(held: HeldEvent) -> Sequence[Event]:
    """Every answer to what is asked; of Vestigium only all of one Domain, as the mixtures are many."""
    need = held.need
    match need.ask:
        case QuestionKind.RULING:
            return [events.Ruled(need.about, answer) for answer in QUESTIONS[need.about].answers]
        case QuestionKind.LOCUS | QuestionKind.EFFECT:
            return [events.AnswerChosen(need.player, choice) for choice in need.choices]
        case QuestionKind.DOMAINS:
            return [events.AnswerChosen(need.player, letter * need.count) for letter in need.choices]
        case QuestionKind.ORDER:
            return [events.Ordered(tuple(int(number) - 1 for number in choice)) for choice in need.choices]
        case QuestionKind.CARD:
            return ()


def next_to_lay(position: Position) -> int | None:
    """Who lays the next territory, also where the turn before is not told to its end; None at the end of an Era."""
    after = position if position.stage is GameStage.GROWTH else after_turn_end(position)
    return after.player if after else None


def after_turn_end(position: Position) -> Position | None:
    """The table before the next territory, where the turn is not told to its end; None at the end of an Era."""
    try:
        after = apply(position, events.TurnEnded(position.player))
    except IllegalEvent:
        return None
    return after if after.stage is GameStage.GROWTH else None


def in_turn(position: Position, player: int) -> bool:
    """Whether a player has begun a turn that is not over."""
    laid = position.stage is not GameStage.GROWTH or (
        position.held and isinstance(position.held.event, GROWTH_EVENTS)
    )
    return position.player == player and position.stage in OF_A_TURN and bool(laid)


GROWTH_EVENTS = (events.TerritoryLaid, events.Produced, events.Reactivated, events.Passed)
CONSTRUCTION_EVENTS = (events.Built, events.Upgraded, events.Contributed)
DEVELOPMENT_EVENTS = (events.Developed, events.Advanced)
TURN_EVENTS = (*GROWTH_EVENTS, *CONSTRUCTION_EVENTS, *DEVELOPMENT_EVENTS, events.Traded, events.TurnEnded)
NEXT_STAGES = (
    (GROWTH_EVENTS, GameStage.CONSTRUCTION),
    (CONSTRUCTION_EVENTS, GameStage.DEVELOPMENT),
    (DEVELOPMENT_EVENTS, GameStage.DONE),
)


def _work(draft: Draft, event: Plain) -> None:
    if isinstance(event, TURN_EVENTS):
        come_to_phase(draft, event)
    stage = stage_after(draft.position, event)
    if not (work := _WORK.get(type(event))):
        raise IllegalEvent(_("Nothing was asked."))
    work(draft, event)
    if stage:
        draft.set(stage=stage)
    if draft.position.stage is GameStage.OVER:
        eras.count_objectives(draft)


def come_to_phase(draft: Draft, event: Plain) -> None:
    """The turn and the phase in which an event may happen; rulebook 004, "Fase de Crescimento"."""
    if draft.position.stage not in OF_A_TURN and not _beyond_the_turns(draft, event):
        return
    position = draft.position
    player = getattr(event, "player", position.player)
    another = isinstance(event, GROWTH_EVENTS) and player != position.player
    next_turn = another or getattr(event, "anew", False)
    if next_turn and position.stage is not GameStage.GROWTH:
        # Who lays the next territory has seen the turn before come to its end.
        eras.end_turn(draft)
        if draft.position.stage is GameStage.EFFECTS:
            _begin_next_era(draft, _("The Era is over: nobody lays a territory now."))
        position = draft.position
    draft.object_to(*_against_the_turn(position, event, player))
    if isinstance(event, (*GROWTH_EVENTS, events.TurnEnded)) and event.because:
        eras.give_turn_to(draft, player)
        position = draft.position
    draft.object_to(*_against_the_phase(position, event))


def stage_after(position: Position, event: Plain) -> GameStage | None:
    """The phase after what happens in its own; what people make up for takes nothing away from a turn."""
    if position.stage not in OF_A_TURN or getattr(event, "player", None) != position.player:
        return None
    if [*_against_the_phase(position, event)]:
        return None
    return next((stage for kinds, stage in NEXT_STAGES if isinstance(event, kinds)), None)


def _beyond_the_turns(draft: Draft, event: Plain) -> bool:
    """People say why: the next Era has begun though nobody said so, or something of a turn was forgotten."""
    stage, no_turn = draft.position.stage, _("No turn is being played now.")
    if isinstance(event, GROWTH_EVENTS):
        _begin_next_era(draft, no_turn)
        return True
    if isinstance(event, events.TurnEnded) or stage is GameStage.OVER:
        raise IllegalEvent(no_turn)
    draft.object_to(no_turn)
    return False


def _begin_next_era(draft: Draft, objection: Message) -> None:
    if draft.position.era == ERAS:
        raise IllegalEvent(objection)
    draft.object_to(objection)
    eras.take_step(draft, events.EraStep.NEXT)


def _against_the_turn(position: Position, event: Event, player: int) -> Iterable[Message]:
    if player != position.player:
        if isinstance(event, events.TurnEnded) and not _passed_over(position, event):
            raise IllegalEvent(
                _(
                    "This player's turn is not being played: it ended with the next territory, or has not begun."
                )
            )
        yield _("It is another player's turn.")


def _passed_over(position: Position, event: events.TurnEnded) -> bool:
    """Whether it is a turn that nobody told anything of, out of its order."""
    turns, due = position.turns, position.stage is GameStage.GROWTH
    return bool(event.because) and due and turns[event.player] <= turns[position.player]


def _against_the_phase(position: Position, event: Event) -> Iterable[Message]:
    stage = position.stage
    if isinstance(event, GROWTH_EVENTS):
        second = stage is GameStage.CONSTRUCTION and isinstance(
            event, (events.TerritoryLaid, events.Produced, events.Reactivated)
        )
        if stage is not GameStage.GROWTH and not second:
            yield _("A territory is laid at the beginning of a turn.")
    elif isinstance(event, (*CONSTRUCTION_EVENTS, *DEVELOPMENT_EVENTS)) and stage is GameStage.GROWTH:
        yield _("A turn begins with a territory: lay one, or pass.")
    elif isinstance(event, CONSTRUCTION_EVENTS) and stage is not GameStage.CONSTRUCTION:
        yield _("Only one City or Monument is built in a turn, before any Mastery.")
    elif isinstance(event, DEVELOPMENT_EVENTS) and stage is GameStage.DONE:
        yield _("Only one Mastery is developed or turned over in a turn.")


def _pass(draft: Draft, event: events.Passed) -> None:  # noqa: ARG001  # all work alike
    if draft.position.stage is not GameStage.GROWTH:
        raise IllegalEvent(_("A territory was laid in this turn already."))
    if draft.rule(OpenQuestion.NO_TILE) == "lay":
        draft.object_to(_("This table ruled that a territory has to be laid."))
    draft.set(again=True)


def keep_cards(draft: Draft, event: events.CardsKept) -> None:
    """Rulebook 004, "Preparação": one of two Objectives and one of two Monuments, for everybody to see."""
    position = draft.position
    if position.seats[event.player].objective:
        raise IllegalEvent(_("This player has an Objective already."))
    if event.monument in position.sites:
        raise IllegalEvent(_("This Monument is in the game already."))
    if event.objective in [seat.objective for seat in position.seats]:
        raise IllegalEvent(_("This Objective belongs to somebody else."))
    need_card(draft, event.objective, position.cards.objectives)
    need_card(draft, event.monument, position.cards.monuments)
    draft.change(event.player, objective=event.objective)
    draft.set(sites={**position.sites, event.monument: Site()})


def teach_card(draft: Draft, event: events.Taught) -> None:
    """A card as the table reads it; what it gave before stays in the ledger."""
    position, card = draft.position, event.card
    _check_kind(position, card)
    if isinstance(card, Monument):
        site = position.sites.get(card.key, Site())
        if site.taken > len(card.levels) or (
            site.place and card.shape is not position.monument(card.key).shape
        ):
            raise IllegalEvent(_("What was taken of this Monument already does not fit these words."))
    turned = any(c and c.advanced for c in (seat.tree.find(card.key) for seat in position.seats))
    if isinstance(card, Mastery) and card.advanced is None and turned:
        raise IllegalEvent(_("This Mastery is turned over in a Tree: tell its other side as well."))
    if isinstance(card, Objective) and card.key in position.cards.objectives:
        _move_marks(draft, position.cards.objectives[card.key], card)
    draft.set(cards=position.cards.taught(card), taught=position.taught | {card.key})
    for player in range(len(position.seats)):
        for owned, effect in draft.position.effects(player, Trigger.LIMIT):
            if owned.key == card.key and effect.known:
                draft.raise_limit(player, Domain(effect.about), effect.amount)


def _move_marks(draft: Draft, old: Objective, new: Objective) -> None:
    """A goal that people marked is marked wherever the card has it when it is read again."""
    numbers = moved_goals(old.goals, new.goals)
    for player, seat in enumerate(draft.position.seats):
        if seat.objective == new.key:
            achieved = frozenset(numbers[goal] for goal in seat.achieved if goal in numbers)
            missed = frozenset(numbers[goal] for goal in seat.missed if goal in numbers)
            draft.change(player, achieved=achieved, missed=missed)


def _check_kind(position: Position, card: Card) -> None:
    """One name is one card, so that nobody's Tree comes to hold an Objective."""
    known = position.cards.find(card.key)
    if known and type(known) is not type(card):
        raise IllegalEvent(_("There is another card of this name."))


def record_ruling(draft: Draft, event: events.Ruled) -> None:
    question = QUESTIONS.get(event.question)
    if question is None or event.answer not in question.answers:
        raise IllegalEvent(_("There is no such question, or no such answer to it."))
    draft.set(rulings={**draft.position.rulings, event.question: event.answer})


def tell_cradle(draft: Draft, event: events.CradleTold) -> None:
    draft.set(board=draft.position.board.with_cradle(event.dots))


def redraw_territories(draft: Draft, event: events.Redrawn) -> None:
    """Rulebook 004, "Preparação" and "Antes de iniciar a próxima era": once, before the Era is played."""
    if not draft.position.between_eras:
        draft.object_to(_("Territories are drawn again only before the first turn of an Era."))
    if draft.seat(event.player).redrawn:
        raise IllegalEvent(_("This player has drawn again in this Era already."))
    draft.change(event.player, redrawn=True)


BY_HAND = _("Set right by hand")


def adjust_number(draft: Draft, event: events.Adjusted) -> None:
    """The numbers on the boards are right; the difference is a line like any other."""
    why = BY_HAND
    player, seat = event.player, draft.seat(event.player)
    match event.track:
        case events.Track.POINTS:
            amount = _within(draft, draft.position.points[player], event.amount, 9999)
            draft.points(player, amount, why)
        case events.Track.INFLUENCE:
            draft.influence(player, _within(draft, seat.influence, event.amount, 999), why)
        case events.Track.MARKERS:
            amount = _within(draft, seat.markers, event.amount, MARKERS)
            draft.change(player, markers=seat.markers + amount)
        case Domain() if event.limit:
            _adjust_limit(draft, event, event.track)
        case Domain() as domain:
            there, most = seat.knowledge[domain], highest_amount(draft.position, player, domain)
            amount = _within(draft, there, event.amount, most)
            draft.change(player, knowledge={**seat.knowledge, domain: there + amount})
            draft.line(player, domain, amount, why)


def highest_amount(position: Position, player: int, domain: Domain) -> int:
    """Up to where a Reserve can be set right: its limit, unless more was kept there until the Era ends."""
    seat = position.seats[player]
    kept = position.rulings.get(OpenQuestion.ERA_END_LIMIT) == "kept" and position.stage not in OF_A_TURN
    return max(seat.limits[domain], seat.knowledge[domain], LIMITS[-1] if kept else 0)


def _adjust_limit(draft: Draft, event: events.Adjusted, domain: Domain) -> None:
    seat = draft.seat(event.player)
    limit = seat.limits[domain] + event.amount
    if limit not in LIMITS:
        draft.object_to(_("A limit is 5, 10, 15 or 20."))
        limit = max((step for step in LIMITS if step <= limit), default=LIMITS[0])
    if seat.knowledge[domain] > limit:
        raise IllegalEvent(_("There is more in this Reserve: set that right first."))
    draft.change(event.player, limits={**seat.limits, domain: limit})


def _within(draft: Draft, there: int, amount: int, most: int) -> int:
    """As much of a difference as a board has room for; nobody means more than that."""
    number = there + amount
    if not 0 <= number <= most:
        draft.object_to(
            _("This would come to %(number)d, and has to stay from 0 to %(most)d.", number=number, most=most)
        )
    return min(max(number, 0), most) - there


def tell_role(draft: Draft, event: events.RoleTold) -> None:
    """A Domination card is where it lies; its points are set right apart."""
    if event.role not in ROLES:
        raise IllegalEvent(_("There is no such Role."))
    for player, seat in enumerate(draft.position.seats):
        draft.change(player, roles=tuple(role for role in seat.roles if role != event.role))
    if event.player is not None:
        draft.change(event.player, roles=(*draft.seat(event.player).roles, event.role))
    draft.set(righted=draft.position.righted | {event.role})
    if event.role == "governor":
        draft.set(ordered=False)


def mark_goal(draft: Draft, event: events.Achieved) -> None:
    seat = draft.seat(event.player)
    if not 1 <= event.goal <= GOALS:
        raise IllegalEvent(_("An Objective has %(count)d goals.", count=GOALS))
    first_said = draft.position.last_turn_over and event.goal not in seat.achieved | seat.missed
    if (event.goal in seat.achieved) == event.reached and not first_said:
        raise IllegalEvent(_("This goal is marked so already."))
    goal, missed = {event.goal}, seat.missed
    achieved = seat.achieved | goal if event.reached else seat.achieved - goal
    if draft.position.last_turn_over:
        missed = missed - goal if event.reached else missed | goal
    draft.change(event.player, achieved=achieved, missed=missed)


def tell_goals(draft: Draft, event: events.GoalsTold) -> None:
    """How many goals are reached of an Objective that only its owner has before their eyes."""
    if not 0 <= event.count <= GOALS:
        raise IllegalEvent(_("An Objective has %(count)d goals.", count=GOALS))
    if draft.seat(event.player).objective:
        raise IllegalEvent(_("The goals of this Objective are counted one by one: its card was read out."))
    draft.change(event.player, goals=event.count)


_WORK: Mapping[type[Plain], Callable[[Draft, Any], None]] = {
    events.TerritoryLaid: growth.lay_territory,
    events.Produced: growth.produce_in_numbers,
    events.Reactivated: growth.reactivate_territory,
    events.TileTold: growth.draw_old_territory,
    events.Passed: _pass,
    events.Traded: construction.trade_knowledge,
    events.Built: construction.build_city,
    events.Upgraded: construction.upgrade_city,
    events.CityTold: construction.tell_city,
    events.Contributed: construction.contribute_level,
    events.MonumentTold: construction.tell_monument,
    events.Rewarded: construction.tell_rewards,
    events.Developed: construction.develop_mastery,
    events.Advanced: construction.advance_mastery,
    events.CampfireTold: construction.light_campfire,
    events.TurnEnded: lambda draft, _event: eras.end_turn(draft),
    events.StepTaken: lambda draft, event: eras.take_step(draft, event.step),
    events.Assimilated: eras.assimilate_mastery,
    events.Ordered: eras.set_order,
    events.CradleTold: tell_cradle,
    events.CardsKept: keep_cards,
    events.Taught: teach_card,
    events.Ruled: record_ruling,
    events.Redrawn: redraw_territories,
    events.Adjusted: adjust_number,
    events.RoleTold: tell_role,
    events.Achieved: mark_goal,
    events.GoalsTold: tell_goals,
}
"""What each event does to a draft; an answer does nothing unless something is asked."""
RulingMark = tuple[str, str]


class RulingTrial(Draft):
    """An event once more, by another ruling: nobody is asked anything, and what was chosen stays as far as it fits."""

    def choose(self, need: PendingQuestion) -> str:
        if len(need.choices) == 1 and need.ask is not QuestionKind.DOMAINS:
            return need.choices[0]
        for number, answer in enumerate(self._answers):
            if is_choice(need, chosen := resized_choice(answer, need)):
                del self._answers[: number + 1]
                return chosen
        # What nobody chose brings nothing: whatever a choice could change depends on the ruling.
        return LEFT_OPEN


def mark_rulings(
    before: Position, event: Plain, answers: Sequence[str], draft: Draft
) -> tuple[LedgerLine, ...]:
    """The lines of a draft that is done, each with the rulings that it depends on."""
    lines = draft.position.lines
    old = _in_common(before.lines, lines)
    own, gone = [*lines[old:]], list[LedgerLine]()
    for question, answer in sorted(draft.consulted.items()):
        for other in QUESTIONS[question].answers:
            if other != answer:
                rulings = {**LITERAL, **before.rulings, **draft.consulted, question: other}
                trial = RulingTrial(replace(before, rulings=rulings), answers)
                theirs = _tried(trial, _by(event, question, other))[old:]
                gone += _compare(own, lines[old:], theirs, (question, answer))
    return (*lines[:old], *own, *gone)


def _in_common(before: Sequence[LedgerLine], after: Sequence[LedgerLine]) -> int:
    """How many lines stand as they stood; of Objectives, none may."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((n for n, (old, new) in pairs if old is not new), min(len(before), len(after)))


def _by(event: Plain, question: str, answer: str) -> Plain:
    """A ruling that is told is itself what is otherwise."""
    if isinstance(event, events.Ruled) and event.question == question:
        return replace(event, answer=answer)
    return event


def _tried(trial: RulingTrial, event: Plain) -> tuple[LedgerLine, ...]:
    before = trial.position
    try:
        _work(trial, event)
        trial.check(getattr(event, "because", ""))
    except (IllegalEvent, AnswerNeeded):
        if isinstance(event, events.Assimilated) and event.key:
            # Whoever may not take a Mastery over assimilates nothing; Influence counts all the same.
            return _tried(RulingTrial(before), events.Assimilated(event.player))
    return trial.position.lines


def _compare(
    own: list[LedgerLine], lines: Sequence[LedgerLine], theirs: Iterable[LedgerLine], mark: RulingMark
) -> list[LedgerLine]:
    """Mark what the other answer does not have; what is had by it alone, and by nothing here, is a line of 0."""
    missing, changed = [*theirs], set()
    for number, line in enumerate(lines):
        same = next((other for other in missing if _said(other) == _said(line)), None)
        if same is None:
            own[number] = replace(own[number], rulings=(*own[number].rulings, mark))
            changed.add((line.player, line.unit))
        else:
            missing.remove(same)
    gone = [_nothing(line, mark) for line in missing if (line.player, line.unit) not in changed]
    return [line for number, line in enumerate(gone) if line not in gone[:number]]


def _said(line: LedgerLine) -> tuple[object, ...]:
    # An Exchange names all the Cities that it pays, where another answer pays some of them elsewhere.
    where = () if line.why == EXCHANGE else line.where
    return line.player, line.unit, line.amount, line.lost, line.why, where


def _nothing(line: LedgerLine, mark: RulingMark) -> LedgerLine:
    return replace(line, amount=0, lost=0, produced=False, working="", rulings=(mark,))
