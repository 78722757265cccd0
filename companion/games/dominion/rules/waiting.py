"""What the turn waits for, and whether it is for whoever acts."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominion.rules.position import Position, Task
from companion.games.dominion.rules.resolving import current_turn
from companion.games.dominion.text import words


def next_task(position: Position) -> Task | None:
    tasks = current_turn(position).tasks
    return tasks[0] if tasks else None


def drop_task(position: Position) -> Position:
    turn = current_turn(position)
    return replace(position, turn=replace(turn, tasks=turn.tasks[1:]))


def task_for(position: Position, player: int) -> Task:
    """The task that waits for that player."""
    task = next_task(position)
    if task is None:
        raise IllegalEvent(_("Nothing is being asked now."))
    check_player(task.player, player)
    return task


def check_no_task(position: Position) -> None:
    if next_task(position):
        raise IllegalEvent(words.first_question(position))


def check_player(expected: int, player: int) -> None:
    if player != expected:
        raise IllegalEvent(_("It is player %(player)d who acts now.", player=expected + 1))
