"""How a card comes into a Tree as it is tapped: the Nodi it makes by their colours, or its place and its half Nodi."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page import trees_drawn
from companion.games.dominations.page.choices import Choice, Group, Hand, Wish, leads, said
from companion.games.dominations.rules.box import CORRUPTIO, DOMAIN_NAMES, LETTERS, VESTIGIUM, Domain
from companion.games.dominations.rules.events import CampfireTold
from companion.games.dominations.rules.placing import Planting
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.tree import HALVES, Planted, Spot, Tree
from companion.games.dominations.text.notation import write_event

MOST = 4
"""A card has four sides."""
IN_THE_TREE = "tree"
"""The place of a card that is still to be tapped."""
NOWHERE = "none"
"""The place of a card of which only the Nodi are told."""
HALF_NAMES = (
    _("The half Nodus with the ring: above"),
    _("The half Nodus with the ring: right"),
    _("The half Nodus with the ring: below"),
    _("The half Nodus with the ring: left"),
)
Take = Callable[[Planting], Choice]
"""What records a card, once it is told how it comes into the Tree."""


def nodi_of(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("nodi", "")[:MOST] if letter in LETTERS)


def halves_of(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("half", "")[:MOST] if letter in HALVES)


def nodi_told(wish: Wish) -> Planting:
    return Planting(nodi=tuple(sorted(map(Domain, nodi_of(wish)), key=[*Domain].index)))


def planted(position: Position, player: int, wish: Wish, hand: Hand, take: Take) -> Hand:
    """How a card comes into somebody's Tree; `hand` has its title and the way back."""
    tree = position.seats[player].tree
    drawn = len(tree.cards) > 1 and all(card.spot for card in tree.cards)
    told = wish.get("spot", IN_THE_TREE if drawn else NOWHERE)
    free = trees_drawn.free(tree) if "against" in wish else trees_drawn.fitting(tree)
    if told == IN_THE_TREE:
        ways = {spot: _kept(wish, spot=trees_drawn.written(spot)) for spot in free}
        nodi = Group((Choice(_("Only its Nodi"), to=_kept(wish, spot=NOWHERE)),))
        view = trees_drawn.view(position, tree, ways)
        return Hand(hand.title, (nodi,), (_("Tap where it lies in the Tree."),), hand.back, view)
    for spot in free:
        if trees_drawn.written(spot) == told:
            return _halves(position, tree, wish, spot, take)
    return Hand(hand.title, (*_nodi(wish), Group((take(nodi_told(wish)),))), hand.notes, hand.back)


def _kept(wish: Wish, **changes: str | None) -> trees_drawn.Way:
    """To the same card with other Nodi, or another place."""
    return leads(
        **{key: wish.get(key) for key in ("do", "key", "adv", "at", "at2", "open", "dots")}, **changes
    )


def _nodi(wish: Wish) -> tuple[Group, ...]:
    """A tap for each Nodus, and for each one a tap that takes it away."""
    nodi = nodi_of(wish)
    more = tuple(
        Choice(
            DOMAIN_NAMES[domain],
            to=_kept(wish, nodi=nodi + domain.value),
            domain=domain.value,
            number=f"× {nodi.count(domain)}" if domain in nodi else "",
            chosen=domain in nodi,
        )
        for domain in Domain
    )
    less = Choice(_("No, without Nodi"), to=_kept(wish))
    place = Choice(_("Show its place in the Tree"), to=_kept(wish, spot=IN_THE_TREE))
    return (
        *((Group(more, None, "grid"),) if len(nodi) < MOST else ()),
        Group((less,) if nodi else (place,)),
    )


def _halves(position: Position, tree: Tree, wish: Wish, spot: Spot, take: Take) -> Hand:
    """The four half Nodi, each in a tap, the last of which records it; beside a card, only what meets."""
    halves, at = halves_of(wish)[: MOST - 1], trees_drawn.written(spot)
    drawn = trees_drawn.view(position, tree, {}, Planted(wish.get("key", ""), spot=spot, halves=halves))
    before = _kept(wish, spot=at, half=halves[:-1]) if halves else _kept(wish, spot=IN_THE_TREE)
    offered = tree.meeting(spot, len(halves)) if "against" not in wish else HALVES
    choices = [
        _half(
            half,
            _kept(wish, spot=at, half=halves + half),
            take(Planting(spot, halves + half)) if len(halves) == MOST - 1 else None,
        )
        for half in offered
    ]
    return Hand(HALF_NAMES[len(halves)], (Group(tuple(choices), None, "grid"),), (), before, drawn)


def _half(letter: str, to: trees_drawn.Way, last: Choice | None) -> Choice:
    """A half Nodus; the last one of a card records it."""
    if last is None:
        return Choice(half_name(letter), to=to, domain=letter)
    return Choice(half_name(letter), line=last.line, domain=letter, off=last.off)


def _lit(player: int, halves: str) -> Choice:
    return Choice(_("The Campfire card"), line=write_event(CampfireTold(player, halves)))


def half_name(letter: str) -> Message:
    if letter in (VESTIGIUM, CORRUPTIO):
        return _("Vestigium") if letter == VESTIGIUM else said("Corruptio")
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else _("none")


def campfire(position: Position, wish: Wish, player: int) -> Hand:
    """The half Nodi of somebody's Campfire card; what nobody knows takes any colour."""
    halves, tree = halves_of(wish)[: MOST - 1], position.seats[player].tree
    drawn = trees_drawn.view(position, tree, {}, replace(tree.cards[0], halves=halves))
    who = str(player + 1)
    choices = tuple(
        _half(
            half,
            leads(do="campfire", who=who, half=halves + half),
            _lit(player, halves + half) if len(halves) == MOST - 1 else None,
        )
        for half in HALVES
    )
    back = leads(do="campfire", who=who, half=halves[:-1] or None) if halves else leads(look=who)
    return Hand(
        HALF_NAMES[len(halves)], (Group(choices, None, "grid"),), (_("The Campfire card"),), back, drawn
    )
