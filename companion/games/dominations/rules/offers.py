"""What can be recorded without a territory or a card of the box."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.dominations.rules.box import QUESTIONS
from companion.games.dominations.rules.eras import influence_leader
from companion.games.dominations.rules.events import (
    AnswerChosen,
    Assimilated,
    Event,
    Ordered,
    Ruled,
    StepTaken,
    TurnEnded,
)
from companion.games.dominations.rules.position import GameStage, HeldEvent, Position, QuestionKind
from companion.games.dominations.rules.steps import EraStep


def offered_events(position: Position) -> Sequence[Event]:
    """Answers, the end of a turn, and the steps of an Era's end."""
    if position.held:
        return possible_answers(position.held)
    if position.stage in (GameStage.CONSTRUCTION, GameStage.DEVELOPMENT, GameStage.DONE):
        return (TurnEnded(position.player),)
    if position.stage is GameStage.ASSIMILATION:
        return (Assimilated(influence_leader(position)),)
    if position.stage.value in set(EraStep) and not (
        position.stage is GameStage.NEXT and position.governor >= 0
    ):
        return (StepTaken(EraStep(position.stage.value)),)
    return ()


def possible_answers(held: HeldEvent) -> Sequence[Event]:
    """Every answer to what is asked; of Vestigium only all of one Domain, as the mixtures are many."""
    need = held.need
    match need.ask:
        case QuestionKind.RULING:
            return [Ruled(need.about, answer) for answer in QUESTIONS[need.about].answers]
        case QuestionKind.LOCUS:
            return [AnswerChosen(need.player, choice) for choice in need.choices]
        case QuestionKind.DOMAINS:
            return [AnswerChosen(need.player, letter * need.count) for letter in need.choices]
        case QuestionKind.ORDER:
            return [Ordered(tuple(int(number) - 1 for number in choice)) for choice in need.choices]
        case QuestionKind.CARD:
            return ()
