"""The words that lines of notation are made of."""

from __future__ import annotations

import re

from companion.core.errors import NotationError
from companion.core.message import message as _
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import LETTERS, UNKNOWN, VESTIGIUM, Amounts, Domain
from companion.games.dominations.rules.lattice import parse_cell, parse_point
from companion.games.dominations.rules.placing import Lozenge, Place, TreePlacement
from companion.games.dominations.rules.tree import FARTHEST, HALVES, Spot

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
