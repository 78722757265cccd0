"""Tables of Dominion as far on as a browser test needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from tests.browser.evenings import recorded
from tests.games.dominion.hands import Game, game_of
from tests.web.visitor import Visitor

NAMES = ("Ana", "Maximiliano", "Beatriz", "Tomé", "Rui", "Zé")
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")
FIRST_GAME = "kingdom cellar market merchant militia mine moat remodel smithy village workshop"
HARD_NAMES = (
    "kingdom harbinger moneylender laboratory throne_room conspirator coppersmith saboteur wishing_well"
    " mining_village chapel"
)
"""Cards whose names are the longest in one language or another."""


def held(*cards: str) -> Iterator[str]:
    """The first player gets hold of some cards."""
    yield from (f'1 gains {card} because "a story"' for card in cards)


ATTACK = (
    "kingdom witch moat militia throne_room village festival market gardens chapel smithy",
    "1 starts",
    *held("witch", "village", "chapel"),
    '2 gains moat because "a story"',
    "1 plays village",
    "1 plays witch",
)
MINION = (
    "kingdom minion moat torturer tribute masquerade village smithy harem chapel secret_chamber",
    "1 starts",
    *held("minion", "torturer", "tribute", "chapel", "harem", "village"),
    *(f'2 gains {card} because "a story"' for card in "moat gold silver duchy curse smithy village".split()),
)
LIGHT = (FIRST_GAME, "1 starts", "1 buys silver ends", "2 buys moat ends", "3 ends")
MOMENTS: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing chosen": ((), ""),
    "every card": ((), "?room=all&card=witch"),
    "ten cards": ((HARD_NAMES,), ""),
    "a card to exchange": ((HARD_NAMES,), "?card=conspirator"),
    "ten chosen freely": (("2 vetoes witch",), "?room=pick&ten=000003007"),
    "everybody's veto": ((HARD_NAMES, "1 vetoes chapel"), "?room=veto"),
    "building the table": ((HARD_NAMES, "ticked chapel", "ticked copper"), "?room=table"),
    "who begins": ((HARD_NAMES,), "?room=begin"),
    "a turn begins": ((HARD_NAMES, "1 starts", *held("laboratory", "conspirator", "coppersmith")), ""),
    "buying": ((FIRST_GAME, "1 starts", "1 plays 5 copper"), ""),
    "reading": ((HARD_NAMES, "1 starts", "1 plays 5 copper"), "?card=mining_village"),
    "an attack": (ATTACK, ""),
    "an attack half done": ((*MINION, "1 plays torturer", "2 chooses discard"), ""),
    "an attack before its choice": ((*MINION, "1 plays minion"), ""),
    "a tribute": ((*MINION, "1 plays tribute"), "?picked=moat"),
    "an untold purchase": ((*MINION, "1 plays 5 copper"), "?card=secret_chamber"),
    "another card": (MINION, "?card=other"),
    "the trash": ((*MINION, "trash copper:2 curse:1"), "?card=trash"),
    "trashing": ((*ATTACK[:-1], "1 plays chapel"), "?picked=estate+copper"),
    "gaining": ((FIRST_GAME, "1 starts", *held("workshop"), "1 plays workshop"), ""),
    "the last turn": (
        (FIRST_GAME, "1 starts", "pile moat 0", "pile village 0", "pile curse 0", "1 plays 5 copper"),
        "",
    ),
    "counting": ((FIRST_GAME, "1 starts", "stop"), "?deck=2"),
    "counting what was passed": (
        (
            "kingdom masquerade moat village smithy market festival laboratory gardens workshop cellar",
            "1 starts",
            *held("masquerade"),
            "1 plays masquerade",
            "1 trashes estate",
            "stop",
        ),
        "?deck=2",
    ),
    "a number": ((FIRST_GAME, "1 starts", "stop"), "?deck=2&at=estate"),
    "the end": (
        (
            *(ATTACK[0], "1 starts", "stop", "1 has copper:20 gardens:3 estate:7 curse:1 duchy:2 turns:12"),
            *("2 has copper:7 estate:4 province:1 turns:12", "3 has copper:7 estate:3 turns:12"),
            "4 has copper:7 estate:10 turns:11",
        ),
        "",
    ),
}
"""What the table may look like: what happened, and what somebody points at."""


LIGHT_MOMENTS: dict[str, tuple[tuple[str, ...], str]] = {
    "a light turn": (LIGHT, ""),
    "a card besides": (LIGHT, "?who=1"),
    "a light card": (LIGHT, "?card=moat"),
    "a light end": ((*LIGHT, "pile province 0"), ""),
    "counting a light deck": ((*LIGHT, "stop"), "?deck=2"),
    "a light result": (
        (*LIGHT, "stop", *(f"{seat} has province:{seat} estate:2 turns:9" for seat in range(1, 5))),
        "",
    ),
}
"""The same of a light game."""


def seated(visitor: Visitor, players: int, *options: str, lines: Iterable[str] = ()) -> str:
    """Begin a game and record what happens; its address."""
    form = {f"option_{option}": "on" for option in options}
    for seat in range(players):
        form |= {f"name{seat}": NAMES[seat], f"colour{seat}": COLOURS[seat]}
    address = visitor.post("/new/dominion", form).location
    begun = recorded(visitor, address).seq  # what the household's last game hands down comes first
    for seq, line in zip(count(begun), lines, strict=False):
        record(visitor, address, line, seq)
    return address


def record(visitor: Visitor, address: str, line: str, seq: int) -> None:
    """Record a line as the entry after that one."""
    answer = visitor.post(f"{address}/record", {"event": line, "seq": str(seq)})
    assert answer.status == 303, (line, answer.notices)


def played(seed: int) -> Game:
    """Four people with real hands; the lines of their game are asked of it one by one."""
    return game_of(4, seed)
