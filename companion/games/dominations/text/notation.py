"""Dominations in text: events one a line.

    order 2 1 3                                1 keeps roman and lighthouse
    mastery fishing "Pescaria" C 3 needs A 3 advance C 3 basic 0 0 "turn start: 1 C" advanced 2 1 "turn start: 2 C"
    monument lighthouse "O Farol" lozenge coastal beside T reward TS 10 level T 5 5 0 "now: 1 T per limit T"
    objective roman "Romana" "influence 45" "cities 1:5 2:1" "control 1" "nodi T7 P5" "adjacent 5"
    1 lays T:TCR at 2,-1u                      1 produces T4 C1, 2 T2, 3 A1
    1 reactivates 2,-1u                        1 reactivates T3, 2 T1
    1 chooses TTS                              rule joins once
    1 redraws                                  1 passes
    1 lays T:VCR at 2,-1u choosing S           1 reactivates 2,-1u choosing @1,0 TS
    1 trades T4 for A2                         1 ends
    1 produces T4 anew because "…"             2 ends anew because "…"
    1 builds at 2,-1u                          1 builds T
    1 upgrades at 2,-1u                        1 upgrades T1
    1 raises lighthouse at 2,-1u+2,-1d dots TCASPR open 1,3 in 1,0 TCAV
    1 raises gardens at @1,0 nodi C1           1 advances fishing
    1 develops fishing in 0,-1 TCXV            1 develops fishing nodi T1 C1
    era effects                                1 assimilates advanced fishing
    era roles                                  1 assimilates nothing
    era next                                   era objectives
    tile T:TCR at 2,-1u                        2 has T1 at 2,-1u
    piece lighthouse at 2,-1u+2,-1d            rewards lighthouse 1 1 2
    cradle TCASPRTCASPR                        rewards lighthouse nobody
    1 adjusts T +2                             1 adjusts limit T +5
    1 holds inventor                           nobody holds inventor
    1 reached 4                                1 missed 4
    1 has campfire TCAS                        1 reached 3 goals

Players are counted from 1 in the order they sit. Domains are letters; V is Vestigium, X Corruptio. A place of the
map is i,j and u or d (pointing up or down), a point @i,j. Half Nodi are told above, right, below, left. What breaks
a rule says why: `because "…"`. What is laid `anew` begins a turn of its own, though the player's last was never said
to end. `LINES` is the grammar of all but the cards: one row for each form, read and written by the same template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import quote, split_reason, unquote, with_reason
from companion.games.dominations.rules import events
from companion.games.dominations.rules.board import FARTHEST, HALVES, Spot, Tile
from companion.games.dominations.rules.box import LETTERS, UNKNOWN, VESTIGIUM, Amounts, Domain
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
    parse_goal,
    side_of,
)
from companion.games.dominations.rules.events import (
    Answered,
    EraStep,
    Event,
    Lozenge,
    Overrulable,
    Place,
    Plain,
    Taught,
    Track,
    TreePlacement,
    TurnBound,
)
from companion.games.dominations.rules.lattice import parse_cell, parse_point

_CHOOSING = " choosing "
_ANEW = " anew"
_ANSWERED = re.compile(rf'([^"]+){_CHOOSING}(\S+(?: \S+){{0,15}})')
"""How much is chosen is for the question alone to say."""


def write_event(event: Event) -> str:
    choices = f"{_CHOOSING}{' '.join(event.choices)}" if isinstance(event, Answered) else ""
    plain = event.event if isinstance(event, Answered) else event
    return with_reason(_write(plain) + choices, getattr(plain, "because", ""))


def _write(event: Plain) -> str:
    if isinstance(event, Taught):
        return write_card(event.card)
    for line in LINES:
        if type(event) is line.kind and all(
            getattr(event, name) == value for name, value in line.fixed.items()
        ):
            text = _FIELD.sub(lambda field: _word(field).write(getattr(event, field[1])), line.template)
            return text + (_ANEW if isinstance(event, TurnBound) and event.anew else "")
    raise TypeError(event)


def parse_event(line: str) -> Event:
    text, because = split_reason(line)
    if found := _ANSWERED.fullmatch(text):
        return Answered(_parse_plain(found[1], because, line), tuple(found[2].split()))
    return _parse_plain(text, because, line)


def _parse_plain(text: str, because: str, line: str) -> Plain:
    event = parse_card(text) or _parse(text.removesuffix(_ANEW), line)
    if text.endswith(_ANEW):
        if not isinstance(event, TurnBound):
            raise NotationError(_("“%(text)s” begins no turn.", text=line[:80]))
        event = replace(event, anew=True)
    if not because:
        return event
    if not isinstance(event, Overrulable):
        raise NotationError(_("“%(text)s” needs no reason: nothing forbids it.", text=line[:80]))
    return replace(event, because=because)


def _parse(text: str, told: str) -> Plain:
    for line in LINES:
        if found := _pattern(line.template).fullmatch(text):
            fields = _FIELD.finditer(line.template)
            return line.kind(
                **{field[1]: _word(field).parse(found[field[1]]) for field in fields}, **line.fixed
            )
    if example := nearest_example(text):
        raise NotationError(
            _(
                "“%(text)s” is not a move of Dominations. It is written like “%(example)s”.",
                text=told[:80],
                example=example,
            )
        )
    raise NotationError(_("“%(text)s” is not a move of Dominations.", text=told[:80]))


class _Line(NamedTuple):
    """One form of an event: its words, with <field> or <field:word> for each value, and what else it means."""

    kind: Callable[..., Plain]
    template: str
    fixed: Mapping[str, Any] = {}


LINES = (
    _Line(events.Ordered, "order <order>"),
    _Line(events.CardsKept, "<player> keeps <objective:key> and <monument:key>"),
    _Line(events.CradleTold, "cradle <dots>"),
    _Line(events.CampfireTold, "<player> has campfire <halves>"),
    _Line(events.Ruled, "rule <question:key> <answer:key>"),
    _Line(events.AnswerChosen, "<player> chooses <choice>"),
    _Line(events.TerritoryLaid, "<player> lays <tile> at <cell>"),
    _Line(events.Produced, "<player> produces <amounts><others>", {"old": False}),
    _Line(events.Produced, "<player> reactivates <amounts><others>", {"old": True}),
    _Line(events.Reactivated, "<player> reactivates <cell>"),
    _Line(events.Redrawn, "<player> redraws"),
    _Line(events.Passed, "<player> passes"),
    _Line(events.TileTold, "tile <tile> at <cell>"),
    _Line(events.Traded, "<player> trades <give:domain><given:number> for <get:domain><got:number>"),
    _Line(events.Built, "<player> builds <domain>", {"cell": None}),
    _Line(events.Built, "<player> builds at <cell>"),
    _Line(events.Upgraded, "<player> upgrades <domain><level:risen>", {"cell": None}),
    _Line(events.Upgraded, "<player> upgrades at <cell>"),
    _Line(events.CityTold, "<player> has <domain><level> at <cell>"),
    _Line(events.Contributed, "<player> raises <monument:key><place:maybe_place><planting>"),
    _Line(events.MonumentTold, "piece <monument:key><place>"),
    _Line(events.Rewarded, "rewards <monument:key> <owners>"),
    _Line(events.Developed, "<player> develops <key><planting>"),
    _Line(events.Advanced, "<player> advances <key>"),
    _Line(events.TurnEnded, "<player> ends"),
    _Line(events.StepTaken, "era <step>"),
    _Line(events.Assimilated, "<player> assimilates nothing", {"key": ""}),
    _Line(events.Assimilated, "<player> assimilates advanced <key><planting>", {"advanced": True}),
    _Line(events.Assimilated, "<player> assimilates <key><planting>"),
    _Line(events.Adjusted, "<player> adjusts limit <track:reserve> <amount>", {"limit": True}),
    _Line(events.Adjusted, "<player> adjusts <track> <amount>"),
    _Line(events.RoleTold, "nobody holds <role:key>", {"player": None}),
    _Line(events.RoleTold, "<player> holds <role:key>"),
    _Line(events.GoalsTold, "<player> reached <count> goals"),
    _Line(events.Achieved, "<player> reached <goal>", {"reached": True}),
    _Line(events.Achieved, "<player> missed <goal>", {"reached": False}),
)
"""Every form; of several of one kind, the first that fits is written."""

_FIELD = re.compile(r"<(\w+)(?::(\w+))?>")


def _word(field: re.Match[str]) -> _Word:
    return _WORDS[field[2] or field[1]]


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Compiled when the first line is read, so that commands start at once."""
    return re.compile(_FIELD.sub(lambda field: f"(?P<{field[1]}>{_word(field).pattern})", template), re.ASCII)


MOST_KNOWLEDGE = 60
"""More cannot come of one territory."""


def parse_player(text: str) -> int:
    if text not in {"1", "2", "3", "4"}:
        raise NotationError(_("There is no player %(player)s.", player=text[:8]))
    return int(text) - 1


def write_player(player: int) -> str:
    return str(player + 1)


def parse_players(text: str) -> tuple[int, ...]:
    return () if text == "nobody" else tuple(map(parse_player, text.split()))


def write_players(players: Iterable[int]) -> str:
    return " ".join(map(write_player, players)) or "nobody"


def parse_amounts(text: str) -> Amounts:
    found: dict[Domain, int] = {}
    for word in text.split():
        domain, number = Domain(word[0]), int(word[1:])
        if domain in found:
            raise NotationError(_("“%(text)s” names a Domain twice.", text=text[:40]))
        if not 1 <= number <= MOST_KNOWLEDGE:
            raise NotationError(
                _("“%(word)s” cannot be: of a Domain, 1 to %(most)d is told.", word=word, most=MOST_KNOWLEDGE)
            )
        found[domain] = number
    return {domain: found[domain] for domain in Domain if domain in found}


def write_amounts(found: Amounts) -> str:
    return " ".join(f"{domain}{amount}" for domain, amount in found.items() if amount)


def parse_place(text: str) -> Place:
    words = text.split()[1:]
    if words[0].startswith("@"):
        return parse_point(words[0])
    told = dict(zip(words[1::2], words[2::2], strict=True))
    one, other = map(parse_cell, words[0].split("+"))
    sides = tuple(map(int, told["open"].split(","))) if "open" in told else ()
    return Lozenge((one, other), told.get("dots", "------"), sides)


def write_place(found: Place) -> str:
    if not isinstance(found, Lozenge):
        return f" at {found}"
    dots = f" dots {found.dots}" if found.dots != "------" else ""
    sides = f" open {','.join(map(str, found.open))}" if found.open else ""
    return f" at {found.cells[0]}+{found.cells[1]}{dots}{sides}"


def parse_others(text: str) -> tuple[tuple[int, Amounts], ...]:
    told = (other.partition(" ") for other in text.split(", ")[1:])
    return tuple((parse_player(owner), parse_amounts(amounts)) for owner, _space, amounts in told)


def write_others(others: Iterable[tuple[int, Amounts]]) -> str:
    return "".join(f", {owner + 1} {write_amounts(each)}" for owner, each in others)


def parse_track(text: str) -> Domain | Track:
    return Domain(text) if text in set(Domain) else Track(text)


def parse_reserve(text: str) -> Domain:
    if text not in set(Domain):
        raise NotationError(_("Only Reserves have limits."))
    return Domain(text)


def parse_placement(text: str) -> TreePlacement:
    if not text:
        return TreePlacement()
    head, *rest = text.split()
    if head == "in":
        return TreePlacement(_spot(rest[0]), rest[1])
    nodi = [Domain(word[0]) for word in rest for _each in range(int(word[1]))]
    if not 0 < len(nodi) <= 4:
        raise NotationError(_("A card makes from 1 to 4 Nodi."))
    return TreePlacement(nodi=tuple(sorted(nodi, key=[*Domain].index)))


def write_placement(found: TreePlacement) -> str:
    if found.spot:
        return f" in {found.spot[0]},{found.spot[1]} {found.halves}"
    counts = " ".join(f"{domain}{found.nodi.count(domain)}" for domain in Domain if domain in found.nodi)
    return f" nodi {counts}" if counts else ""


def _spot(text: str) -> Spot:
    x, y = map(int, text.split(","))
    if max(abs(x), abs(y)) > FARTHEST:
        raise NotationError(_("“%(text)s” is too far from the Campfire.", text=text[:40]))
    return x, y


class _Word(NamedTuple):
    """What may stand for a value, how it is read, and how it is written."""

    pattern: str
    parse: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


_CELL = r"-?\d{1,2},-?\d{1,2}[ud]"
_DOTS = rf"[{LETTERS}{VESTIGIUM}{UNKNOWN}-]"
_AMOUNTS = rf"[{LETTERS}]\d{{1,2}}(?: [{LETTERS}]\d{{1,2}})*"
_PLACE = (
    rf" at (?:@-?\d{{1,2}},-?\d{{1,2}}|{_CELL}\+{_CELL}(?: dots {_DOTS}{{6}})?(?: open [1-4](?:,[1-4])*)?)"
)
_PLANTING = rf"(?: in -?\d{{1,2}},-?\d{{1,2}} [{HALVES}]{{4}}| nodi [{LETTERS}]\d(?: [{LETTERS}]\d)*)?"
_TRACKS = rf"[{LETTERS}]|{'|'.join(Track)}"
_WORDS: Mapping[str, _Word] = {
    "player": _Word(r"\d", parse_player, write_player),
    "order": _Word(r"\d(?: \d){1,3}", parse_players, write_players),
    "owners": _Word(r"nobody|\d(?: \d){0,59}", parse_players, write_players),
    "key": _Word("[a-z][a-z_]{1,23}"),
    "domain": _Word(f"[{LETTERS}]", Domain),
    "number": _Word(r"\d{1,2}", int),
    "level": _Word("[123]", int),
    "risen": _Word("[12]", int),
    "goal": _Word("[1-5]", int),
    "count": _Word("[0-5]", int),
    "tile": _Word(rf"[{LETTERS}]:[{LETTERS}{VESTIGIUM}-]{{3}}", lambda text: Tile(Domain(text[0]), text[2:])),
    "cell": _Word(_CELL, parse_cell),
    "dots": _Word(rf"{_DOTS}{{12}}"),
    "halves": _Word(rf"[{re.escape(UNKNOWN)}{HALVES}]{{4}}"),
    "choice": _Word(r"\S+"),
    "amounts": _Word(
        f"{_AMOUNTS}|-",
        lambda text: parse_amounts(text.strip("-")),
        lambda found: write_amounts(found) or "-",
    ),
    "others": _Word(rf"(?:, \d {_AMOUNTS})*", parse_others, write_others),
    "place": _Word(_PLACE, parse_place, write_place),
    "maybe_place": _Word(
        f"(?:{_PLACE})?",
        lambda text: parse_place(text) if text else None,
        lambda found: write_place(found) if found else "",
    ),
    "planting": _Word(_PLANTING, parse_placement, write_placement),
    "step": _Word("|".join(EraStep), EraStep),
    "track": _Word(_TRACKS, parse_track),
    "reserve": _Word(_TRACKS, parse_reserve),
    "amount": _Word(r"[+-]\d{1,3}", int, "{:+d}".format),
}

_EXAMPLES = """
order 2 1 3; cradle TCASPRTCASPR; rule joins once; tile T:TCR at 2,-1u; piece lighthouse at 2,-1u+2,-1d
rewards lighthouse 1 2; era effects; nobody holds inventor; 1 keeps roman and lighthouse; 1 lays T:TCR at 2,-1u
1 produces T4 C1, 2 T2; 1 reactivates 2,-1u; 1 passes; 1 chooses TTS; 1 trades T4 for A2; 1 ends; 1 builds at 2,-1u
1 upgrades at 2,-1u; 1 raises lighthouse nodi C1; 1 develops fishing in 0,-1 TCXV; 1 advances fishing; 1 redraws
1 assimilates fishing in 0,-1 TCXV; 1 has T1 at 2,-1u; 1 has campfire TCAS; 1 adjusts T +2; 1 adjusts limit T +5
1 holds inventor; 1 reached 4; 1 missed 4
"""
_SECOND = ("campfire", "limit")
"""Words that say what a line is though they are not its first."""


def nearest_example(text: str) -> str:
    """The line that this one may have been meant as; nothing where no word of it comes near any."""
    from difflib import get_close_matches

    known: dict[str, str] = {}
    for line in re.split(r"; |\n", _EXAMPLES.strip()):
        first, *rest = line.removeprefix("1 ").split()
        known.setdefault(next((word for word in rest[:1] if word in _SECOND), first), line)
    found = (get_close_matches(word, known, 1, 0.7) for word in text[:80].split()[:3])
    return next((known[near] for (near,) in reversed([*filter(None, found)])), "")


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


def known_box(told: Iterable[tuple[datetime, Event]]) -> tuple[Event, ...]:
    """What a household has told about its box, each as it was told last: cards with their Monuments, and the Cradle."""
    found = {key: event for time, event in sorted(told, key=itemgetter(0)) if (key := _of_the_box(event))}
    return tuple(found.values())


def _of_the_box(event: Event) -> str:
    """What of the box an event tells; an empty text where it tells of one game alone."""
    match event:
        case Taught(card):
            return card.key
        case events.CradleTold(dots) if {*dots} != {UNKNOWN}:
            return "the Cradle"
    return ""
