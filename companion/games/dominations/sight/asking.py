"""The questions about a territory on the table, each with the answers people are most likely to give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import AS_IT_LIES
from companion.core.observation import Choice, Doubt, Mark, bounding_box
from companion.games.dominations.rules.events import Event, TerritoryLaid
from companion.games.dominations.sight.placed import SeenTerritory

MarkTuple = tuple[Mark, ...]


def which_territory(ways: Sequence[tuple[Event, ...]], new: SeenTerritory, marks: MarkTuple) -> Doubt:
    """One of its colours is not clear."""
    question = _("Not every colour is seen clearly. Which territory is it?")
    choices = (*map(_lay_choice, ways), _something_else())
    return Doubt(question, choices, new.area, marks=marks)


def colours_unread(new: SeenTerritory, marks: MarkTuple) -> Doubt:
    """Without the card, nothing can be said of its colours."""
    question = _("The colours cannot be read without their card: tap them on the map.")
    return Doubt(question, (Choice((), _("We tap them")),), new.area, marks=marks)


def which_first(ways: Sequence[tuple[SeenTerritory, tuple[Event, ...]]]) -> Doubt:
    """Several new territories lie there."""
    question = _("There is more than one new territory. Which one was laid first?")
    choices = (_lay_choice(events) for _one, events in ways)
    return Doubt(question, (*choices, _something_else()), bounding_box([one.area for one, _events in ways]))


def worker_or_next(
    second: tuple[Event, ...], following: tuple[Event, ...], new: SeenTerritory, marks: MarkTuple
) -> Doubt:
    """The Worker may lay a second territory, or the next player has laid one."""
    question = _("Is this the Worker's second territory?")
    choices = (_lay_choice(second), _lay_choice(following), _something_else())
    return Doubt(question, choices, new.area, marks=marks)


def against_the_rules(
    reason: Message, events: tuple[Event, ...], new: SeenTerritory, marks: MarkTuple
) -> Doubt:
    """What lies there is against the rules."""
    question = _("That is against the rules: %(reason)s", reason=reason)
    stays = tuple(
        replace(event, because=AS_IT_LIES.text) if isinstance(event, TerritoryLaid) else event
        for event in events
    )
    choices = (Choice(stays, _("It lies there all the same")), Choice((), _("We lay it differently")))
    return Doubt(question, choices, new.area, marks=marks)


def _lay_choice(events: tuple[Event, ...]) -> Choice:
    return Choice(events)


def _something_else() -> Choice:
    return Choice((), _("Something else: we tap it"))
