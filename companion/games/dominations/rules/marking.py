"""Which numbers depend on a ruling: those that the same event would not have brought by another answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.games.dominations.rules.box import QUESTIONS
from companion.games.dominations.rules.draft import AnswerNeeded, Draft, is_choice, resized_choice
from companion.games.dominations.rules.events import Assimilated, Plain, Ruled
from companion.games.dominations.rules.growth import EXCHANGE
from companion.games.dominations.rules.position import LedgerLine, PendingQuestion, Position, QuestionKind
from companion.games.dominations.rules.rulings import LEFT_OPEN, LITERAL

Work = Callable[[Draft, Plain], None]
"""What an event does to a draft."""
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
    before: Position, event: Plain, answers: Sequence[str], draft: Draft, work: Work
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
                theirs = _tried(trial, _by(event, question, other), work)[old:]
                gone += _compare(own, lines[old:], theirs, (question, answer))
    return (*lines[:old], *own, *gone)


def _in_common(before: Sequence[LedgerLine], after: Sequence[LedgerLine]) -> int:
    """How many lines stand as they stood; of Objectives, none may."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((n for n, (old, new) in pairs if old is not new), min(len(before), len(after)))


def _by(event: Plain, question: str, answer: str) -> Plain:
    """A ruling that is told is itself what is otherwise."""
    if isinstance(event, Ruled) and event.question == question:
        return replace(event, answer=answer)
    return event


def _tried(trial: RulingTrial, event: Plain, work: Work) -> tuple[LedgerLine, ...]:
    before = trial.position
    try:
        work(trial, event)
        trial.check(getattr(event, "because", ""))
    except (IllegalEvent, AnswerNeeded):
        if isinstance(event, Assimilated) and event.key:
            # Whoever may not take a Mastery over assimilates nothing; Influence counts all the same.
            return _tried(RulingTrial(before), Assimilated(event.player), work)
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
