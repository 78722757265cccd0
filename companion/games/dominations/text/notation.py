"""Dominations in text: events one a line.

order 2 1 3 1 keeps roman and lighthouse mastery fishing "Pescaria" C 3 needs A 3 advance C 3 basic 0 0 "turn
start: 1 C" advanced 2 1 "turn start: 2 C" monument lighthouse "O Farol" lozenge coastal beside T reward TS 10
level T 5 5 0 "now: 1 T per limit T" objective roman "Romana" "influence 45" "cities 1:5 2:1" "control 1"
"nodi T7 P5" "adjacent 5" 1 lays T:TCR at 2,-1u 1 produces T4 C1, 2 T2, 3 A1 1 reactivates 2,-1u 1 reactivates
T3, 2 T1 1 chooses TTS rule joins once 1 redraws 1 passes 1 lays T:VCR at 2,-1u choosing S 1 reactivates 2,-1u
choosing @1,0 TS 1 trades T4 for A2 1 ends 1 produces T4 anew because "…" 2 ends anew because "…" 1 builds at
2,-1u 1 builds T 1 upgrades at 2,-1u 1 upgrades T1 1 raises lighthouse at 2,-1u+2,-1d dots TCASPR open 1,3 in
1,0 TCAV 1 raises gardens at @1,0 nodi C1 1 advances fishing 1 develops fishing in 0,-1 TCXV 1 develops
fishing nodi T1 C1 era effects 1 assimilates advanced fishing era roles 1 assimilates nothing era next era
objectives tile T:TCR at 2,-1u 2 has T1 at 2,-1u piece lighthouse at 2,-1u+2,-1d rewards lighthouse 1 1 2
cradle TCASPRTCASPR rewards lighthouse nobody 1 adjusts T +2 1 adjusts limit T +5 1 holds inventor nobody
holds inventor 1 reached 4 1 missed 4 1 has campfire TCAS

Players are counted from 1 in the order they sit. Domains are letters; V is Vestigium, X Corruptio. A place of
the map is i,j and u or d (pointing up or down), a point @i,j. Half Nodi are told above, right, below, left.
What breaks a rule says why: `because "…"`. What is laid `anew` begins a turn of its own, though the player's
last was never said to end.

Cards are lines too: what a table teaches. Patterns are compiled when the first line is read, so that commands
start at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import cache
from operator import itemgetter
from re import Match, Pattern

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.core.notation import quote, split_reason, unquote, with_reason
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
    EraStep,
    Event,
    Lozenge,
    MonumentTold,
    Ordered,
    Overrulable,
    Passed,
    Place,
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
    Track,
    Traded,
    TreePlacement,
    TurnBound,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.lattice import parse_cell, parse_point

MOST_KNOWLEDGE = 60
"""More cannot come of one territory."""

_CELL = r"-?\d{1,2},-?\d{1,2}[ud]"
_DOTS = rf"[{LETTERS}{VESTIGIUM}-]"
_NAMES = {
    "AMOUNTS": rf"[{LETTERS}]\d{{1,2}}(?: [{LETTERS}]\d{{1,2}})*",
    "PLACE": rf"( at (?:@-?\d{{1,2}},-?\d{{1,2}}|{_CELL}\+{_CELL}(?: dots {_DOTS}{{6}})?(?: open [1-4](?:,[1-4])*)?))",
    "PLANTING": rf"( in -?\d{{1,2}},-?\d{{1,2}} [{HALVES}]{{4}}| nodi [{LETTERS}]\d(?: [{LETTERS}]\d)*)?",
    "HALVES": rf"[{re.escape(UNKNOWN)}{HALVES}]{{4}}",
    "DOMAINS": f"[{LETTERS}]",
    "DOMAIN": f"([{LETTERS}])",
    "PLAYER": r"(\d)",
    "TILE": rf"([{LETTERS}]:{_DOTS}{{3}})",
    "CELL": rf"({_CELL})",
    "KEY": r"([a-z][a-z_]{1,23})",
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


def line_pattern(text: str) -> re.Pattern[str]:
    """A line of notation as an expression: names in capitals stand for its words."""
    return re.compile(re.sub("|".join(_NAMES), lambda found: _NAMES[found[0]], text), re.ASCII)


def parse_player(text: str) -> int:
    if text not in {"1", "2", "3", "4"}:
        raise NotationError(_("There is no player %(player)s.", player=text[:8]))
    return int(text) - 1


def parse_tile(text: str) -> Tile:
    return Tile(Domain(text[0]), text[2:])


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
        return f"at {found}"
    dots = f" dots {found.dots}" if found.dots != "------" else ""
    sides = f" open {','.join(map(str, found.open))}" if found.open else ""
    return f"at {found.cells[0]}+{found.cells[1]}{dots}{sides}"


def parse_placement(text: str | None) -> TreePlacement:
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
            return write_card(card)
        case Ordered(order):
            return f"order {' '.join(str(player + 1) for player in order)}"
        case Ruled(question, answer):
            return f"rule {question} {answer}"
        case CradleTold(dots):
            return f"cradle {dots}"
        case TileTold(tile, cell):
            return f"tile {tile} at {cell}"
        case MonumentTold(monument, place):
            return f"piece {monument} {write_place(place)}"
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
            rest = "".join(f", {owner + 1} {write_amounts(each)}" for owner, each in others)
            return f"{deed} {write_amounts(amounts) or '-'}{rest}"
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
            at = f" {write_place(place)}" if place else ""
            return f"raises {monument}{at}{write_placement(planting)}"
        case Developed(key=key, planting=planting):
            return f"develops {key}{write_placement(planting)}"
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
            return f"assimilates {'advanced ' if advanced else ''}{key}{write_placement(planting)}"
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


def _parse(text: str, line: str) -> Plain:
    for pattern, build in _events():
        if found := pattern.fullmatch(text):
            return build(found)
    if example := nearest_example(text):
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
        told.append((parse_player(owner), parse_amounts(amounts)))
    return Produced(parse_player(found[1]), parse_amounts("" if own == "-" else own), tuple(told), old=old)


def _traded(found: Match[str]) -> Plain:
    give, given, get, got = found.group(2, 3, 4, 5)
    return Traded(parse_player(found[1]), Domain(give), int(given), Domain(get), int(got))


def _raised(found: Match[str]) -> Plain:
    place = parse_place(found[3]) if found[3] else None
    return Contributed(parse_player(found[1]), found[2], place, parse_placement(found[4]))


def _assimilated(found: Match[str]) -> Plain:
    player = parse_player(found[1])
    if found[3] == "nothing" and not found[2] and not found[4]:
        return Assimilated(player)
    return Assimilated(player, found[3], bool(found[2]), parse_placement(found[4]))


def _adjusted(found: Match[str]) -> Plain:
    track = Domain(found[3]) if found[3] in set(Domain) else Track(found[3])
    if found[2] and not isinstance(track, Domain):
        raise NotationError(_("Only Reserves have limits."))
    return Adjusted(parse_player(found[1]), track, int(found[4]), bool(found[2]))


def _rewarded(found: Match[str]) -> Plain:
    owners = () if found[2] == "nobody" else tuple(map(parse_player, found[2].split()))
    return Rewarded(found[1], owners)


@cache
def _events() -> tuple[tuple[Pattern[str], Callable[[Match[str]], Plain]], ...]:
    """Compiled when the first line is read, so that commands start at once."""
    return tuple((line_pattern(text), build) for text, build in _EVENTS)


_EVENTS: tuple[tuple[str, Callable[[Match[str]], Plain]], ...] = (
    (
        "PLAYER lays TILE at CELL",
        lambda m: TerritoryLaid(parse_player(m[1]), parse_tile(m[2]), parse_cell(m[3])),
    ),
    (r"PLAYER (produces|reactivates) ((?:AMOUNTS|-)(?:, \d AMOUNTS)*)", _produced),
    ("PLAYER reactivates CELL", lambda m: Reactivated(parse_player(m[1]), parse_cell(m[2]))),
    ("PLAYER passes", lambda m: Passed(parse_player(m[1]))),
    (r"PLAYER trades DOMAIN(\d{1,2}) for DOMAIN(\d{1,2})", _traded),
    ("PLAYER builds at CELL", lambda m: Built(parse_player(m[1]), parse_cell(m[2]))),
    ("PLAYER builds DOMAIN", lambda m: Built(parse_player(m[1]), None, Domain(m[2]))),
    ("PLAYER upgrades at CELL", lambda m: Upgraded(parse_player(m[1]), parse_cell(m[2]))),
    (
        "PLAYER upgrades DOMAIN([12])",
        lambda m: Upgraded(parse_player(m[1]), None, Domain(m[2]), int(m[3])),
    ),
    ("PLAYER raises KEYPLACE?PLANTING", _raised),
    (
        "PLAYER develops KEYPLANTING",
        lambda m: Developed(parse_player(m[1]), m[2], parse_placement(m[3])),
    ),
    ("PLAYER advances KEY", lambda m: Advanced(parse_player(m[1]), m[2])),
    ("PLAYER ends", lambda m: TurnEnded(parse_player(m[1]))),
    ("era (effects|roles|next|objectives)", lambda m: StepTaken(EraStep(m[1]))),
    ("PLAYER assimilates (advanced )?KEYPLANTING", _assimilated),
    ("PLAYER keeps KEY and KEY", lambda m: CardsKept(parse_player(m[1]), m[2], m[3])),
    ("PLAYER has campfire (HALVES)", lambda m: CampfireTold(parse_player(m[1]), m[2])),
    (
        "PLAYER has DOMAIN([123]) at CELL",
        lambda m: CityTold(parse_player(m[1]), Domain(m[2]), int(m[3]), parse_cell(m[4])),
    ),
    ("PLAYER redraws", lambda m: Redrawn(parse_player(m[1]))),
    (r"PLAYER chooses (\S+)", lambda m: AnswerChosen(parse_player(m[1]), m[2])),
    ("rule KEY KEY", lambda m: Ruled(m[1], m[2])),
    (r"order (\d(?: \d){1,3})", lambda m: Ordered(tuple(map(parse_player, m[1].split())))),
    ("cradle ([TCASPRV-]{12})", lambda m: CradleTold(m[1])),
    ("tile TILE at CELL", lambda m: TileTold(parse_tile(m[1]), parse_cell(m[2]))),
    ("piece KEYPLACE", lambda m: MonumentTold(m[1], parse_place(m[2]))),
    (r"rewards KEY (nobody|\d(?: \d){0,59})", _rewarded),
    (r"PLAYER adjusts (limit )?(DOMAINS|influence|points|markers) ([+-]\d{1,3})", _adjusted),
    ("PLAYER holds KEY", lambda m: RoleTold(parse_player(m[1]), m[2])),
    ("nobody holds KEY", lambda m: RoleTold(None, m[1])),
    ("PLAYER reached ([1-5])", lambda m: Achieved(parse_player(m[1]), int(m[2]))),
    ("PLAYER missed ([1-5])", lambda m: Achieved(parse_player(m[1]), int(m[2]), False)),
)
