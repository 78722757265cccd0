"""Cards for whole games: what they do is told once, for the engine in its language and for the plain count."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Does:
    """One effect: when, how much of what, and by what it grows."""

    when: str
    amount: int
    unit: str
    by: str = ""

    @property
    def line(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.when}: {self.amount}{unit}{f' per {self.by}' if self.by else ''}"


@dataclass(frozen=True)
class Card:
    """A Mastery with both its sides."""

    domain: str
    value: int
    basic: tuple[Does, ...]
    advanced: tuple[Does, ...]
    points: tuple[int, int] = (0, 0)
    influence: tuple[int, int] = (0, 0)
    needs: tuple[str, int] | None = None

    def line(self, key: str) -> str:
        needs = f" needs {self.needs[0]} {self.needs[1]}" if self.needs else ""
        sides = []
        for side, effects in enumerate((self.basic, self.advanced)):
            told = "".join(f' "{effect.line}"' for effect in effects)
            sides.append(f"{self.points[side]} {self.influence[side]}{told}")
        return (
            f'mastery {key} "{key.title()}" {self.domain} {self.value}{needs} advance {self.domain} 3'
            f" basic {sides[0]} advanced {sides[1]}"
        )


def _three(domain: str, when: str, unit: str) -> Card:
    return Card(domain, 3, (Does(when, 1, unit),), (Does(when, 2, unit),), (0, 1), (0, 1))


DECK: dict[str, Card] = {
    "fishing": _three("C", "turn start", "C"),
    "navigation": _three("S", "turn start", "S"),
    "agriculture": _three("C", "produce 2 C", "C"),
    "barter": _three("T", "produce 3 T", "A"),
    "mysticism": _three("R", "produce 2 R", "R"),
    "mining": _three("C", "nodus C", "C"),
    "temples": _three("R", "nodus R", "R"),
    "sculpture": _three("A", "nodus A", "influence"),
    "bards": _three("A", "now", "influence"),
    "artisans": Card("C", 3, (Does("pay mastery", 1, ""),), (Does("pay city", 1, ""),)),
    "pottery": Card("C", 6, (Does("era start", 5, "C"),), (Does("era start", 5, "V"),), (2, 2)),
    "livestock": Card("C", 6, (Does("field", 1, "field"),), (Does("field", 1, "C"),)),
    "bridges": Card("C", 6, (Does("city", 2, "city"),), (Does("build", 3, "T"),)),
    "smuggling": Card("T", 6, (Does("now", 10, "T"),), (Does("now", 4, "V"),)),
    "sanctuary": Card("R", 6, (Does("role", 6, "points"),), (Does("role", 9, "points"),)),
    "caravan": Card("T", 6, (Does("activate", 1, "points"),), (Does("activate", 1, "T"),)),
    "rhetoric": Card("P", 6, (Does("compare", 2, "P"),), (Does("compare", 2, "S"),), (3, 3), (1, 1)),
    "granary": Card("C", 6, (Does("limit C", 15, ""),), (Does("limit C", 20, ""),)),
    "forge": Card(
        "C",
        9,
        (Does("era end", 1, "points", "nodus"),),
        (Does("era end", 2, "points", "nodus not C"),),
        needs=("C", 3),
    ),
    "chemistry": Card(
        "S",
        9,
        (Does("era end", 1, "points", "basic"),),
        (Does("era end", 2, "points", "advanced"),),
        needs=("S", 3),
    ),
    "war": Card(
        "P",
        9,
        (Does("now", 1, "influence", "city"),),
        (Does("now", 1, "influence", "city level"),),
        needs=("C", 3),
    ),
    "mills": Card("C", 6, (Does("era end", 4, "C"),), (Does("era end", 1, "C", "left T"),), (1, 1)),
    "markets": Card("T", 6, (Does("era end", 1, "T", "left C"),), (Does("turn start", 1, "T", "left C"),)),
    "warehouses": Card(
        "C", 9, (Does("era end", 1, "points", "left C"),), (Does("era end", 1, "A", "city"),), needs=("C", 6)
    ),
}

OBJECTIVES: dict[str, tuple[str, ...]] = {
    "roman": ("influence 12", "cities 1:2 2:1", "apart 3", "nodi C2 T1", "masteries 3:2 CR"),
    "greek": ("influence 20", "cities 2:2", "adjacent 2", "control 1", "nodi R1"),
    "maya": ("control 1", "cities 1:4", "apart 2", "adjacent 3", "masteries 6:1 CTP 3:1 C"),
    "norse": ("influence 8", "cities 3:1", "control lighthouse", "apart 4", "nodi A1 S1"),
}


@dataclass(frozen=True)
class Pile:
    """A Monument: the cost and the points of each level, and its reward."""

    shape: str
    levels: tuple[tuple[str, int, int], ...]
    domains: str
    reward: int

    def line(self, key: str) -> str:
        levels = "".join(f" level {domain} {cost} {points} 0" for domain, cost, points in self.levels)
        return f'monument {key} "{key.title()}" {self.shape} reward {self.domains} {self.reward}{levels}'


PILES: dict[str, Pile] = {
    "lighthouse": Pile("lozenge", (("T", 4, 5), ("S", 5, 8), ("T", 4, 12)), "TS", 10),
    "gardens": Pile("circle", (("C", 3, 4), ("C", 4, 6)), "C", 5),
    "wall": Pile("lozenge", (("P", 3, 6), ("P", 5, 9), ("A", 3, 9)), "P", 3),
    "colossus": Pile("circle", (("R", 3, 5),), "RA", 4),
}
