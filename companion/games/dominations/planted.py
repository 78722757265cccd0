"""The Nodi that a card makes, told by their colours."""

from __future__ import annotations

from companion.core.message import message as _
from companion.games.dominations.box import DOMAIN_NAMES, LETTERS, Domain
from companion.games.dominations.choices import Choice, Group, Wish, leads

MOST = 4
"""A card has four sides."""


def nodi_of(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("nodi", "")[:MOST] if letter in LETTERS)


def nodi_groups(wish: Wish) -> tuple[Group, ...]:
    """A tap for each Nodus, and for each one a tap that takes it away."""
    nodi = nodi_of(wish)
    kept = {key: wish.get(key) for key in ("do", "key", "adv", "at", "at2")}
    more = tuple(
        Choice(
            DOMAIN_NAMES[domain],
            to=leads(**kept, nodi=nodi + domain.value),
            domain=domain.value,
            number=f"× {nodi.count(domain)}" if domain in nodi else "",
            chosen=domain in nodi,
        )
        for domain in Domain
    )
    less = Choice(_("No, without Nodi"), to=leads(**kept))
    return (*((Group(more, None, "grid"),) if len(nodi) < MOST else ()), *((Group((less,)),) if nodi else ()))
