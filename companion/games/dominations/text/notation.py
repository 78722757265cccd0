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
    1 has campfire TCAS

Players are counted from 1 in the order they sit. Domains are letters; V is Vestigium, X Corruptio. A place of the map
is i,j and u or d (pointing up or down), a point @i,j. Half Nodi are told above, right, below, left. What breaks a rule
says why: `because "…"`. What is laid `anew` begins a turn of its own, though the player's last was never said to end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from re import Match, Pattern

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import split_reason, with_reason
from companion.games.dominations.rules.box import Domain
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
    Territory,
    TerritoryLaid,
    TileTold,
    Traded,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.lattice import parse_cell
from companion.games.dominations.rules.steps import EraStep, Track
from companion.games.dominations.text import teaching
from companion.games.dominations.text import words_of_notation as words

_CHOOSING = " choosing "
_ANEW = " anew"
_ANSWERED = re.compile(rf'([^"]+){_CHOOSING}(\S+(?: \S+){{0,15}})')
"""How much is chosen is for the question alone to say."""


def write_event(event: Event) -> str:
    if isinstance(event, Answered):
        choices = f"{_CHOOSING}{' '.join(event.choices)}"
        return with_reason(_write(event.event) + choices, event.because)
    return with_reason(_write(event), getattr(event, "because", ""))


def _write(event: Plain) -> str:
    who = f"{event.player + 1} " if hasattr(event, "player") and event.player is not None else ""
    match event:
        case Taught(card):
            return teaching.write_card(card)
        case Ordered(order):
            return f"order {' '.join(str(player + 1) for player in order)}"
        case Ruled(question, answer):
            return f"rule {question} {answer}"
        case CradleTold(dots):
            return f"cradle {dots}"
        case TileTold(tile, cell):
            return f"tile {tile} at {cell}"
        case MonumentTold(monument, place):
            return f"piece {monument} {words.write_place(place)}"
        case Rewarded(monument, owners):
            return f"rewards {monument} {' '.join(str(owner + 1) for owner in owners) or 'nobody'}"
        case StepTaken(step):
            return f"era {step}"
        case RoleTold(None, role):
            return f"nobody holds {role}"
        case _:
            anew = _ANEW if getattr(event, "anew", False) else ""
            return who + (_write_turn(event) or _write_other(event)) + anew


def _write_turn(event: Plain) -> str:
    match event:
        case TerritoryLaid(tile=tile, cell=cell):
            return f"lays {tile} at {cell}"
        case Produced(amounts=amounts, others=others, old=old):
            deed = "reactivates" if old else "produces"
            rest = "".join(f", {owner + 1} {words.write_amounts(each)}" for owner, each in others)
            return f"{deed} {words.write_amounts(amounts) or '-'}{rest}"
        case Reactivated(cell=cell):
            return f"reactivates {cell}"
        case Passed():
            return "passes"
        case Traded(give=give, given=given, get=get, got=got):
            return f"trades {give}{given} for {get}{got}"
        case Built(cell=cell, domain=domain):
            return f"builds at {cell}" if cell else f"builds {domain}"
        case Upgraded(cell=cell, domain=domain, level=level):
            return f"upgrades at {cell}" if cell else f"upgrades {domain}{level}"
        case Contributed(monument=monument, place=place, planting=planting):
            at = f" {words.write_place(place)}" if place else ""
            return f"raises {monument}{at}{words.write_placement(planting)}"
        case Developed(key=key, planting=planting):
            return f"develops {key}{words.write_placement(planting)}"
        case Advanced(key=key):
            return f"advances {key}"
        case TurnEnded():
            return "ends"
    return ""


def _write_other(event: Plain) -> str:
    match event:
        case CardsKept(objective=objective, monument=monument):
            return f"keeps {objective} and {monument}"
        case CampfireTold(halves=halves):
            return f"has campfire {halves}"
        case Redrawn():
            return "redraws"
        case AnswerChosen(choice=choice):
            return f"chooses {choice}"
        case CityTold(domain=domain, level=level, cell=cell):
            return f"has {domain}{level} at {cell}"
        case Assimilated(key=key, advanced=advanced, planting=planting):
            if not key:
                return "assimilates nothing"
            return f"assimilates {'advanced ' if advanced else ''}{key}{words.write_placement(planting)}"
        case Adjusted(track=track, amount=amount, limit=limit):
            return f"adjusts {'limit ' if limit else ''}{track} {amount:+d}"
        case RoleTold(role=role):
            return f"holds {role}"
        case Achieved(goal=goal, reached=reached):
            return f"{'reached' if reached else 'missed'} {goal}"
    raise TypeError(event)


def parse_event(line: str) -> Event:
    text, because = split_reason(line)
    if found := _ANSWERED.fullmatch(text):
        return Answered(_parse_plain(found[1], because, line), tuple(found[2].split()))
    return _parse_plain(text, because, line)


def _parse_plain(text: str, because: str, line: str) -> Plain:
    event = teaching.parse_card(text) or _parse(text.removesuffix(_ANEW), line)
    if text.endswith(_ANEW):
        if not isinstance(event, Territory | TurnEnded):
            raise NotationError(_("“%(text)s” begins no turn.", text=line[:80]))
        event = replace(event, anew=True)
    if not because:
        return event
    if not isinstance(event, Overrulable):
        raise NotationError(_("“%(text)s” needs no reason: nothing forbids it.", text=line[:80]))
    return replace(event, because=because)


def _parse(text: str, line: str) -> Plain:
    for pattern, build in _events():
        if found := pattern.fullmatch(text):
            return build(found)
    if example := words.nearest_example(text):
        raise NotationError(
            _(
                "“%(text)s” is not a move of Dominations. It is written like “%(example)s”.",
                text=line[:80],
                example=example,
            )
        )
    raise NotationError(_("“%(text)s” is not a move of Dominations.", text=line[:80]))


def _produced(found: Match[str]) -> Plain:
    own, *others = found[3].split(", ")
    told, old = [], found[2] == "reactivates"
    for other in others:
        owner, _space, amounts = other.partition(" ")
        told.append((words.parse_player(owner), words.parse_amounts(amounts)))
    return Produced(
        words.parse_player(found[1]), words.parse_amounts("" if own == "-" else own), tuple(told), old=old
    )


def _traded(found: Match[str]) -> Plain:
    give, given, get, got = found.group(2, 3, 4, 5)
    return Traded(words.parse_player(found[1]), Domain(give), int(given), Domain(get), int(got))


def _raised(found: Match[str]) -> Plain:
    place = words.parse_place(found[3]) if found[3] else None
    return Contributed(words.parse_player(found[1]), found[2], place, words.parse_placement(found[4]))


def _assimilated(found: Match[str]) -> Plain:
    player = words.parse_player(found[1])
    if found[3] == "nothing" and not found[2] and not found[4]:
        return Assimilated(player)
    return Assimilated(player, found[3], bool(found[2]), words.parse_placement(found[4]))


def _adjusted(found: Match[str]) -> Plain:
    track = Domain(found[3]) if found[3] in set(Domain) else Track(found[3])
    if found[2] and not isinstance(track, Domain):
        raise NotationError(_("Only Reserves have limits."))
    return Adjusted(words.parse_player(found[1]), track, int(found[4]), bool(found[2]))


def _rewarded(found: Match[str]) -> Plain:
    owners = () if found[2] == "nobody" else tuple(map(words.parse_player, found[2].split()))
    return Rewarded(found[1], owners)


@cache
def _events() -> tuple[tuple[Pattern[str], Callable[[Match[str]], Plain]], ...]:
    """Compiled when the first line is read, so that commands start at once."""
    return tuple((words.line_pattern(text), build) for text, build in _EVENTS)


_EVENTS: tuple[tuple[str, Callable[[Match[str]], Plain]], ...] = (
    (
        "PLAYER lays TILE at CELL",
        lambda m: TerritoryLaid(words.parse_player(m[1]), words.parse_tile(m[2]), parse_cell(m[3])),
    ),
    (r"PLAYER (produces|reactivates) ((?:AMOUNTS|-)(?:, \d AMOUNTS)*)", _produced),
    ("PLAYER reactivates CELL", lambda m: Reactivated(words.parse_player(m[1]), parse_cell(m[2]))),
    ("PLAYER passes", lambda m: Passed(words.parse_player(m[1]))),
    (r"PLAYER trades DOMAIN(\d{1,2}) for DOMAIN(\d{1,2})", _traded),
    ("PLAYER builds at CELL", lambda m: Built(words.parse_player(m[1]), parse_cell(m[2]))),
    ("PLAYER builds DOMAIN", lambda m: Built(words.parse_player(m[1]), None, Domain(m[2]))),
    ("PLAYER upgrades at CELL", lambda m: Upgraded(words.parse_player(m[1]), parse_cell(m[2]))),
    (
        "PLAYER upgrades DOMAIN([12])",
        lambda m: Upgraded(words.parse_player(m[1]), None, Domain(m[2]), int(m[3])),
    ),
    ("PLAYER raises KEYPLACE?PLANTING", _raised),
    (
        "PLAYER develops KEYPLANTING",
        lambda m: Developed(words.parse_player(m[1]), m[2], words.parse_placement(m[3])),
    ),
    ("PLAYER advances KEY", lambda m: Advanced(words.parse_player(m[1]), m[2])),
    ("PLAYER ends", lambda m: TurnEnded(words.parse_player(m[1]))),
    ("era (effects|roles|next|objectives)", lambda m: StepTaken(EraStep(m[1]))),
    ("PLAYER assimilates (advanced )?KEYPLANTING", _assimilated),
    ("PLAYER keeps KEY and KEY", lambda m: CardsKept(words.parse_player(m[1]), m[2], m[3])),
    ("PLAYER has campfire (HALVES)", lambda m: CampfireTold(words.parse_player(m[1]), m[2])),
    (
        "PLAYER has DOMAIN([123]) at CELL",
        lambda m: CityTold(words.parse_player(m[1]), Domain(m[2]), int(m[3]), parse_cell(m[4])),
    ),
    ("PLAYER redraws", lambda m: Redrawn(words.parse_player(m[1]))),
    (r"PLAYER chooses (\S+)", lambda m: AnswerChosen(words.parse_player(m[1]), m[2])),
    ("rule KEY KEY", lambda m: Ruled(m[1], m[2])),
    (r"order (\d(?: \d){1,3})", lambda m: Ordered(tuple(map(words.parse_player, m[1].split())))),
    ("cradle ([TCASPRV-]{12})", lambda m: CradleTold(m[1])),
    ("tile TILE at CELL", lambda m: TileTold(words.parse_tile(m[1]), parse_cell(m[2]))),
    ("piece KEYPLACE", lambda m: MonumentTold(m[1], words.parse_place(m[2]))),
    (r"rewards KEY (nobody|\d(?: \d){0,59})", _rewarded),
    (r"PLAYER adjusts (limit )?(DOMAINS|influence|points|markers) ([+-]\d{1,3})", _adjusted),
    ("PLAYER holds KEY", lambda m: RoleTold(words.parse_player(m[1]), m[2])),
    ("nobody holds KEY", lambda m: RoleTold(None, m[1])),
    ("PLAYER reached ([1-5])", lambda m: Achieved(words.parse_player(m[1]), int(m[2]))),
    ("PLAYER missed ([1-5])", lambda m: Achieved(words.parse_player(m[1]), int(m[2]), False)),
)
