"""A position while an event works on it: what is asked, what is written in the ledger, and every number it changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.box import LETTERS, LIMITS, QUESTIONS, Amounts, Domain, OpenQuestion
from companion.games.dominations.rules.events import Event
from companion.games.dominations.rules.position import (
    NOBODY,
    LedgerLine,
    LedgerUnit,
    PendingQuestion,
    Position,
    QuestionKind,
    Reminder,
    Seat,
    with_seat,
)
from companion.games.dominations.rules.rulings import LEFT_OPEN, settled

TOP_LIMIT = LIMITS[-1]
"""Above this limit, what is lost brings a point."""


class AnswerNeeded(Exception):
    """The event cannot go on before somebody answers."""

    def __init__(self, need: PendingQuestion) -> None:
        super().__init__(need)
        self.need = need


def check_answer(need: PendingQuestion, answer: str) -> None:
    """Refuse what is not among the choices."""
    if need.ask is QuestionKind.DOMAINS:
        if not re.fullmatch(rf"[{LETTERS}]{{{need.count}}}", answer):
            raise IllegalEvent(_("Choose %(count)d times among the six Domains.", count=need.count))
    elif answer not in need.choices:
        raise IllegalEvent(_("This is not among the choices."))


def is_choice(need: PendingQuestion, answer: str) -> bool:
    """Whether it is among the choices."""
    try:
        check_answer(need, answer)
    except IllegalEvent:
        return False
    return True


def resized_choice(choice: str, need: PendingQuestion) -> str:
    """There may be more Vestigium now, or less: what was chosen first stays, and more of it is the same again."""
    if need.ask is not QuestionKind.DOMAINS or not choice or not {*choice} <= {*LETTERS}:
        return choice
    return (choice * (need.count // len(choice) + 1))[: need.count]


class Draft:
    """A working copy; nobody sees it before the event is done."""

    def __init__(self, position: Position, answers: Sequence[str] = ()) -> None:
        self.position = position
        self.why_not: list[Message] = []
        """What speaks against the event; people may overrule it with a reason."""
        self._answers = [answer for answer in answers if not settled(answer)]
        self._settled = dict(ruling for answer in answers if (ruling := settled(answer)))
        self.consulted: dict[str, str] = {}
        """The rulings that mattered for the event: some of its numbers may depend on them."""
        self.unanswered: list[OpenQuestion] = []
        """Rulings that mattered and that nobody has made."""

    def set(self, **changes: Any) -> None:
        self.position = replace(self.position, **changes)

    def seat(self, player: int) -> Seat:
        return self.position.seats[player]

    def change(self, player: int, **changes: Any) -> None:
        self.position = with_seat(self.position, player, replace(self.seat(player), **changes))

    def object_to(self, *objections: Message) -> None:
        self.why_not += objections

    def choose(self, need: PendingQuestion) -> str:
        """The answer to a question, or the question itself."""
        if len(need.choices) == 1 and need.ask is not QuestionKind.DOMAINS:
            return need.choices[0]
        if not self._answers:
            raise AnswerNeeded(need)
        answer = self._answers.pop(0)
        if answer != LEFT_OPEN:
            check_answer(need, answer)
        return answer

    def rule(self, question: OpenQuestion) -> str:
        """The table's ruling, asked for when it matters for the first time."""
        answer = self.position.rulings.get(question) or self._told_along(question)
        self.consulted[question] = answer
        return answer

    def _told_along(self, question: OpenQuestion) -> str:
        if question not in self._settled:
            raise AnswerNeeded(PendingQuestion(QuestionKind.RULING, NOBODY, question))
        if answer := self._settled[question]:
            self.set(rulings={**self.position.rulings, question: answer})
            return answer
        if question not in self.unanswered:
            self.unanswered.append(question)
        return QUESTIONS[question].answers[0]

    def domains(self, player: int, count: int, about: str) -> Amounts:
        """Vestigium as its owner splits it; rulebook 004, "Conhecimento Vestigium"."""
        found: dict[Domain, int] = {}
        if count:
            for letter in self.choose(
                PendingQuestion(QuestionKind.DOMAINS, player, about, tuple(LETTERS), count)
            ):
                found[Domain(letter)] = found.get(Domain(letter), 0) + 1
        return found

    def note(self, line: LedgerLine) -> None:
        self.set(lines=(*self.position.lines, line))

    def line(self, player: int, unit: LedgerUnit | Domain, amount: int, why: Message, **more: Any) -> None:
        self.note(LedgerLine(self.position.era, self.position.round, player, unit, amount, why, **more))

    def remind(self, reminders: Iterable[Reminder]) -> None:
        self.set(reminders=(*self.position.reminders, *reminders))

    def points(self, player: int, amount: int, why: Message, **more: Any) -> None:
        if amount:
            self.line(player, LedgerUnit.POINTS, amount, why, **more)

    def influence(self, player: int, amount: int, why: Message, **more: Any) -> None:
        if amount:
            self.change(player, influence=self.seat(player).influence + amount)
            self.line(player, LedgerUnit.INFLUENCE, amount, why, **more)

    def raise_limit(self, player: int, domain: Domain, limit: int) -> None:
        """Rulebook 004, "Acumulando limites": the highest counts, limits are never added."""
        limits = self.seat(player).limits
        self.change(player, limits={**limits, domain: max(limits[domain], min(limit, TOP_LIMIT))})

    def acquire(
        self, player: int, amounts: Amounts, why: Message, produced: bool = False, **more: Any
    ) -> None:
        """Knowledge for a player, as much as the Reserves hold; rulebook 004, "Limites das Reservas"."""
        given = {domain: amount for domain, amount in amounts.items() if amount > 0}
        over = [domain for domain, amount in given.items() if self._overflows(player, domain, amount)]
        for domain in (domain for domain in Domain if domain in given):
            self._store(player, domain, given[domain], why, produced=produced, **more)
        if over:
            self._overflow(player, over)

    def _overflows(self, player: int, domain: Domain, amount: int) -> bool:
        seat = self.seat(player)
        return seat.limits[domain] >= TOP_LIMIT and seat.knowledge[domain] + amount > TOP_LIMIT

    def _store(self, player: int, domain: Domain, amount: int, why: Message, **more: Any) -> None:
        seat = self.seat(player)
        knowledge, produced = seat.knowledge, seat.produced
        kept = max(0, min(amount, seat.limits[domain] - knowledge[domain]))
        if more.get("produced"):
            produced = {**produced, domain: produced[domain] + amount}
        self.change(player, knowledge={**knowledge, domain: knowledge[domain] + kept}, produced=produced)
        self.line(player, domain, kept, why, lost=amount - kept, **more)

    def _overflow(self, player: int, over: list[Domain]) -> None:
        """One point each time Knowledge would come above 20, however much is lost."""
        points = len(over)
        if points > 1 and self.rule(OpenQuestion.OVERFLOW) == "per_occasion":
            points = 1
        self.points(player, points, _("More than 20 in a Reserve"))

    def keep_beyond(self, player: int, amounts: Amounts, why: Message, **more: Any) -> None:
        """Knowledge that no limit holds back, where the table ruled so."""
        knowledge = {**self.seat(player).knowledge}
        for domain, amount in amounts.items():
            knowledge[domain] += amount
            self.line(player, domain, amount, why, **more)
        self.change(player, knowledge=knowledge)

    def pay(self, player: int, domain: Domain, amount: int, why: Message, **more: Any) -> None:
        """Knowledge that is given away, as much as there is."""
        knowledge = self.seat(player).knowledge
        if knowledge[domain] < amount:
            self.object_to(
                _(
                    "This costs %(cost)d, and there is only %(left)d in the Reserve.",
                    cost=amount,
                    left=knowledge[domain],
                )
            )
        paid = min(amount, knowledge[domain])
        self.change(player, knowledge={**knowledge, domain: knowledge[domain] - paid})
        if paid:
            self.line(player, domain, -paid, why, **more)

    def check(self, because: str) -> None:
        """Refuse what the rules do not allow, unless people say why."""
        if self.why_not and not because:
            raise IllegalEvent(self.why_not[0])

    def finish(self, event: Event, because: str) -> None:
        """The event is done, or it is said why it is refused."""
        self.check(because)
        if self._answers:
            raise IllegalEvent(_("Nothing was asked."))
        if self.why_not:
            self.set(overruled=(*self.position.overruled, event))


def sum_of_amounts(*parts: Mapping[Domain, int]) -> Amounts:
    """The sum of Knowledge, Domain by Domain."""
    return {domain: total for domain in Domain if (total := sum(part.get(domain, 0) for part in parts))}


def count_letters(text: Iterable[str]) -> Amounts:
    """How often each Domain's letter occurs."""
    found = [*text]
    return {domain: found.count(domain) for domain in Domain if domain in found}
