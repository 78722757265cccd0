"""How events move a game of Dominations on; an event that needs an answer first is held until it has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules import (
    construction,
    development,
    eras,
    growth,
    ledger,
    marking,
    offers,
    planting,
    rewarding,
)
from companion.games.dominations.rules.box import OpenQuestion
from companion.games.dominations.rules.draft import AnswerNeeded, Draft, check_answer
from companion.games.dominations.rules.events import (
    Achieved,
    Adjusted,
    Advanced,
    AnswerChosen,
    Answered,
    Assimilated,
    Built,
    CampfireTold,
    CardsKept,
    CityTold,
    Contributed,
    CradleTold,
    Developed,
    Event,
    MonumentTold,
    Ordered,
    Overrulable,
    Passed,
    Plain,
    Produced,
    Reactivated,
    Redrawn,
    Rewarded,
    RoleTold,
    Ruled,
    StepTaken,
    Taught,
    TerritoryLaid,
    TileTold,
    Traded,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.phases import TURN_EVENTS, come_to_phase, stage_after
from companion.games.dominations.rules.position import (
    NOBODY,
    DroppedEvent,
    GameStage,
    HeldEvent,
    PendingQuestion,
    Position,
    QuestionKind,
)
from companion.games.dominations.rules.rulings import LEFT_OPEN, settling

OF_THE_TABLE = (Ruled, Taught)
"""What the whole table is asked for: its answer holds, whatever becomes of the event that asked."""
MEANWHILE = (
    *OF_THE_TABLE,
    Adjusted,
    RoleTold,
    Achieved,
    CardsKept,
    Redrawn,
    TileTold,
    CityTold,
    MonumentTold,
    Rewarded,
    CampfireTold,
    CradleTold,
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
        done = replace(done, lines=marking.mark_rulings(position, event, answers, draft, _work))
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
    for answer in offers.possible_answers(held):
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
        by = told if isinstance(told, Ruled) else None
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
    if isinstance(event, Overrulable) and not event.because:
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
    if isinstance(event, Ordered) and need.ask is QuestionKind.ORDER:
        return "".join(str(player + 1) for player in event.order)
    return event.choice if isinstance(event, AnswerChosen) else ""


def _check_asked(need: PendingQuestion, event: Event) -> None:
    if isinstance(event, AnswerChosen):
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
    if isinstance(told, Produced):
        yield from (owner for owner, _amounts in told.others)
    if isinstance(told, Rewarded):
        yield from told.owners


def _check_players(position: Position, event: Event) -> None:
    if not all(0 <= player < position.players for player in _players_of(event)):
        raise IllegalEvent(_("There is no such player."))


def _work(draft: Draft, event: Plain) -> None:
    if isinstance(event, TURN_EVENTS):
        come_to_phase(draft, event)
    stage = stage_after(draft.position, event)
    if not (_on_the_map(draft, event) or _of_the_turn(draft, event) or _at_the_table(draft, event)):
        raise IllegalEvent(_("Nothing was asked."))
    if stage:
        draft.set(stage=stage)
    if draft.position.stage is GameStage.OVER:
        eras.count_objectives(draft)


def _on_the_map(draft: Draft, event: Plain) -> bool:
    match event:
        case TerritoryLaid():
            growth.lay_territory(draft, event)
        case Produced():
            growth.produce_in_numbers(draft, event)
        case Reactivated():
            growth.reactivate_territory(draft, event)
        case TileTold():
            growth.draw_old_territory(draft, event)
        case Built():
            construction.build_city(draft, event)
        case Upgraded():
            construction.upgrade_city(draft, event)
        case CityTold():
            construction.tell_city(draft, event)
        case Contributed():
            construction.contribute_level(draft, event)
        case MonumentTold():
            construction.tell_monument(draft, event)
        case Rewarded():
            rewarding.tell_rewards(draft, event)
        case CradleTold(dots):
            draft.set(board=draft.position.board.with_cradle(dots))
        case _:
            return False
    return True


def _of_the_turn(draft: Draft, event: Plain) -> bool:
    match event:
        case Passed():
            _pass(draft)
        case Traded():
            development.trade_knowledge(draft, event)
        case Developed():
            development.develop_mastery(draft, event)
        case Advanced():
            development.advance_mastery(draft, event)
        case TurnEnded():
            eras.end_turn(draft)
        case StepTaken(step):
            eras.take_step(draft, step)
        case Assimilated():
            eras.assimilate_mastery(draft, event)
        case Ordered():
            eras.set_order(draft, event)
        case _:
            return False
    return True


def _at_the_table(draft: Draft, event: Plain) -> bool:
    match event:
        case CardsKept():
            ledger.keep_cards(draft, event)
        case Taught(card):
            ledger.teach_card(draft, card)
        case Ruled():
            draft.position = ledger.record_ruling(draft.position, event)
        case Redrawn():
            ledger.redraw_territories(draft, event)
        case Adjusted():
            ledger.adjust_number(draft, event)
        case RoleTold():
            ledger.tell_role(draft, event)
        case Achieved():
            ledger.mark_goal(draft, event)
        case CampfireTold(player, halves):
            planting.light_campfire(draft, player, halves)
        case _:
            return False
    return True


def _pass(draft: Draft) -> None:
    if draft.position.stage is not GameStage.GROWTH:
        raise IllegalEvent(_("A territory was laid in this turn already."))
    if draft.rule(OpenQuestion.NO_TILE) == "lay":
        draft.object_to(_("This table ruled that a territory has to be laid."))
    draft.set(again=True)
