"""Cards in one line of notation: how a table teaches those it has before its eyes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import quote, unquote
from companion.games.dominations.rules.box import LETTERS
from companion.games.dominations.rules.cards import (
    Card,
    KnowledgeCost,
    Level,
    Mastery,
    Monument,
    Objective,
    PieceShape,
    Side,
    checked_card,
    parse_cost,
    side_of,
)
from companion.games.dominations.rules.events import Event, Taught
from companion.games.dominations.rules.goals import parse_goal

TITLE_LIMIT = 32
"""Longest title of a card, in characters."""

_Q = r'"(?:[^"\\]|\\.)*"'
_COST = rf"[{LETTERS}?] (?:\d{{1,2}}|\?)"
_SIDE = rf"\d{{1,2}} \d{{1,2}}(?: {_Q})*"
_HEAD = rf"([a-z][a-z_]{{1,23}}) ({_Q})"
_MASTERY = (
    rf"mastery {_HEAD} ([{LETTERS}?]) (\d)(?: needs ({_COST}))?(?: advance ({_COST}))?"
    rf" basic ({_SIDE})(?: advanced ({_SIDE}))?"
)
_MONUMENT = (
    rf"monument {_HEAD} (lozenge|circle)( coastal)?(?: beside ([{LETTERS}?]))?"
    rf"(?: reward ([{LETTERS}]{{1,6}}) (\d{{1,2}}))?((?: level {_COST} {_SIDE})*)"
)
_LEVEL = rf" level ({_COST}) ({_SIDE})"
_OBJECTIVE = rf"objective {_HEAD}((?: {_Q})*)"


def parse_card(text: str) -> Taught | None:
    """The card that a line teaches; None when it is about something else."""
    for pattern, build in ((_MASTERY, _mastery), (_MONUMENT, _monument), (_OBJECTIVE, _objective)):
        if found := re.fullmatch(pattern, text, re.ASCII):
            return Taught(checked_card(build(found)))
    return None


def _title(quoted: str) -> str:
    return readable_title(unquote(quoted))


def readable_title(text: str) -> str:
    title = text.strip()
    if not title or len(title) > TITLE_LIMIT or not title.isprintable():
        raise NotationError(
            _("A card's title has from 1 to %(limit)d readable characters.", limit=TITLE_LIMIT)
        )
    return title


def _mastery(found: re.Match[str]) -> Card:
    needs, advance, basic, advanced = found.group(5, 6, 7, 8)
    return Mastery(
        found[1],
        _title(found[2]),
        found[3],
        int(found[4]),
        parse_cost(needs) if needs else None,
        parse_cost(advance) if advance else None,
        _side(basic),
        _side(advanced) if advanced else None,
    )


def _side(text: str) -> Side:
    points, influence = text.split(" ", 2)[:2]
    return side_of(map(unquote, re.findall(_Q, text)), int(points), int(influence))


def _monument(found: re.Match[str]) -> Card:
    levels = (Level(parse_cost(cost), _side(side)) for cost, side in re.findall(_LEVEL, found[8]))
    beside, reward, points = found[5] or "", found[6] or "", int(found[7] or 0)
    shape = PieceShape(found[3])
    return Monument(found[1], _title(found[2]), shape, tuple(levels), bool(found[4]), beside, reward, points)


def _objective(found: re.Match[str]) -> Card:
    goals = (parse_goal(unquote(quoted)) for quoted in re.findall(_Q, found[3]))
    return Objective(found[1], _title(found[2]), tuple(goals))


def write_card(card: Card) -> str:
    match card:
        case Mastery():
            return _write_mastery(card)
        case Monument():
            return _write_monument(card)
        case Objective(key, title, goals):
            return " ".join(("objective", key, quote(title), *(quote(goal.text) for goal in goals)))


def _write_mastery(card: Mastery) -> str:
    parts = ["mastery", card.key, quote(card.title), card.domain, str(card.value)]
    parts += [*_write_cost("needs", card.needs), *_write_cost("advance", card.advance)]
    parts += ["basic", *_write_side(card.basic)]
    return " ".join([*parts, *(("advanced", *_write_side(card.advanced)) if card.advanced else ())])


def _write_monument(card: Monument) -> str:
    parts = ["monument", card.key, quote(card.title), card.shape.value]
    parts += ["coastal"] * card.coastal + (["beside", card.beside] if card.beside else [])
    parts += ["reward", card.reward, str(card.reward_points)] if card.reward else []
    for level in card.levels:
        parts += ["level", str(level.cost), *_write_side(level.side)]
    return " ".join(parts)


def _write_cost(name: str, cost: KnowledgeCost | None) -> Iterable[str]:
    return (name, str(cost)) if cost else ()


def _write_side(side: Side) -> Iterable[str]:
    yield from (str(side.points), str(side.influence))
    yield from (quote(str(effect)) for effect in side.effects)


def known_cards(told: Iterable[tuple[datetime, Event]]) -> tuple[Taught, ...]:
    """Every card that was read out, as it was read last."""
    read = sorted(((time, event) for time, event in told if isinstance(event, Taught)), key=itemgetter(0))
    return tuple({event.card.key: event for _time, event in read}.values())
