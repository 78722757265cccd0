"""What can be recorded without a territory or a card of the box."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.dominations.rules.box import QUESTIONS
from companion.games.dominations.rules.eras import leader
from companion.games.dominations.rules.events import (
    Assimilated,
    Chosen,
    Event,
    Ordered,
    Ruled,
    StepTaken,
    TurnEnded,
)
from companion.games.dominations.rules.position import Ask, Held, Position, Stage
from companion.games.dominations.rules.steps import EraStep


def offered(position: Position) -> Sequence[Event]:
    """Answers, the end of a turn, and the steps of an Era's end."""
    if position.held:
        return answers(position.held)
    if position.stage in (Stage.CONSTRUCTION, Stage.DEVELOPMENT, Stage.DONE):
        return (TurnEnded(position.player),)
    if position.stage is Stage.ASSIMILATION:
        return (Assimilated(leader(position)),)
    if position.stage.value in set(EraStep) and not (position.stage is Stage.NEXT and position.governor >= 0):
        return (StepTaken(EraStep(position.stage.value)),)
    return ()


def answers(held: Held) -> Sequence[Event]:
    """Every answer to what is asked; of Vestigium only all of one Domain, as the mixtures are many."""
    need = held.need
    match need.ask:
        case Ask.RULING:
            return [Ruled(need.about, answer) for answer in QUESTIONS[need.about].answers]
        case Ask.LOCUS:
            return [Chosen(need.player, choice) for choice in need.choices]
        case Ask.DOMAINS:
            return [Chosen(need.player, letter * need.count) for letter in need.choices]
        case Ask.ORDER:
            return [Ordered(tuple(int(number) - 1 for number in choice)) for choice in need.choices]
        case Ask.CARD:
            return ()
