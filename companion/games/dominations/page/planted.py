"""How a card comes into a Tree as it is tapped: the Nodi it makes by their colours, or its place and its half Nodi."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page import trees_drawn
from companion.games.dominations.page.choices import (
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    leads,
    printed_text,
)
from companion.games.dominations.rules.box import CORRUPTIO, DOMAIN_NAMES, LETTERS, VESTIGIUM, Domain
from companion.games.dominations.rules.events import CampfireTold
from companion.games.dominations.rules.placing import TreePlacement
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.tree import HALVES, Planted, Spot, Tree
from companion.games.dominations.text.notation import write_event

MOST_NODI = 4
"""A card has four sides."""
IN_THE_TREE = "tree"
"""The place of a card that is still to be tapped."""
NODI_ONLY = "none"
"""The place of a card of which only the Nodi are told."""
HALF_NAMES = (
    _("The half Nodus with the ring: above"),
    _("The half Nodus with the ring: right"),
    _("The half Nodus with the ring: below"),
    _("The half Nodus with the ring: left"),
)
RecordPlacement = Callable[[TreePlacement], Action]
"""What records a card, once it is told how it comes into the Tree."""


def pointed_nodi(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("nodi", "")[:MOST_NODI] if letter in LETTERS)


def half_nodi_of(wish: Wish) -> str:
    return "".join(letter for letter in wish.get("half", "")[:MOST_NODI] if letter in HALVES)


def nodi_told(wish: Wish) -> TreePlacement:
    return TreePlacement(nodi=tuple(sorted(map(Domain, pointed_nodi(wish)), key=[*Domain].index)))


def placement_panel(
    position: Position, player: int, wish: Wish, hand: ActionPanel, take: RecordPlacement
) -> ActionPanel:
    """How a card comes into somebody's Tree; `hand` has its title and the way back."""
    tree = position.seats[player].tree
    drawn = len(tree.cards) > 1 and all(card.spot for card in tree.cards)
    told = wish.get("spot", IN_THE_TREE if drawn else NODI_ONLY)
    free = trees_drawn.free_spots(tree) if "against" in wish else trees_drawn.fitting_spots(tree)
    if told == IN_THE_TREE:
        ways = {spot: _kept(wish, spot=trees_drawn.write_spot(spot)) for spot in free}
        nodi = ActionGroup((Action(_("Only its Nodi"), to=_kept(wish, spot=NODI_ONLY)),))
        view = trees_drawn.tree_view(position, tree, ways)
        return ActionPanel(hand.title, (nodi,), (_("Tap where it lies in the Tree."),), hand.back, view)
    for spot in free:
        if trees_drawn.write_spot(spot) == told:
            return _halves(position, tree, wish, spot, take)
    return ActionPanel(
        hand.title, (*_nodi(wish), ActionGroup((take(nodi_told(wish)),))), hand.notes, hand.back
    )


def _kept(wish: Wish, **changes: str | None) -> trees_drawn.SpotTo:
    """To the same card with other Nodi, or another place."""
    return leads(
        **{key: wish.get(key) for key in ("do", "key", "adv", "at", "at2", "open", "dots")}, **changes
    )


def _nodi(wish: Wish) -> tuple[ActionGroup, ...]:
    """A tap for each Nodus, and for each one a tap that takes it away."""
    nodi = pointed_nodi(wish)
    more = tuple(
        Action(
            DOMAIN_NAMES[domain],
            to=_kept(wish, nodi=nodi + domain.value),
            domain=domain.value,
            number=f"× {nodi.count(domain)}" if domain in nodi else "",
            chosen=domain in nodi,
        )
        for domain in Domain
    )
    less = Action(_("No, without Nodi"), to=_kept(wish))
    place = Action(_("Show its place in the Tree"), to=_kept(wish, spot=IN_THE_TREE))
    return (
        *((ActionGroup(more, None, "grid"),) if len(nodi) < MOST_NODI else ()),
        ActionGroup((less,) if nodi else (place,)),
    )


def _halves(position: Position, tree: Tree, wish: Wish, spot: Spot, take: RecordPlacement) -> ActionPanel:
    """The four half Nodi, each in a tap, the last of which records it; beside a card, only what meets."""
    halves, at = half_nodi_of(wish)[: MOST_NODI - 1], trees_drawn.write_spot(spot)
    drawn = trees_drawn.tree_view(position, tree, {}, Planted(wish.get("key", ""), spot=spot, halves=halves))
    before = _kept(wish, spot=at, half=halves[:-1]) if halves else _kept(wish, spot=IN_THE_TREE)
    offered = tree.meeting(spot, len(halves)) if "against" not in wish else HALVES
    choices = [
        _half(
            half,
            _kept(wish, spot=at, half=halves + half),
            take(TreePlacement(spot, halves + half)) if len(halves) == MOST_NODI - 1 else None,
        )
        for half in offered
    ]
    return ActionPanel(
        HALF_NAMES[len(halves)], (ActionGroup(tuple(choices), None, "grid"),), (), before, drawn
    )


def _half(letter: str, to: trees_drawn.SpotTo, last: Action | None) -> Action:
    """A half Nodus; the last one of a card records it."""
    if last is None:
        return Action(half_nodus_name(letter), to=to, domain=letter)
    return Action(half_nodus_name(letter), line=last.line, domain=letter, off=last.off)


def _lit(player: int, halves: str) -> Action:
    return Action(_("The Campfire card"), line=write_event(CampfireTold(player, halves)))


def half_nodus_name(letter: str) -> Message:
    if letter in (VESTIGIUM, CORRUPTIO):
        return _("Vestigium") if letter == VESTIGIUM else printed_text("Corruptio")
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else _("none")


def campfire_panel(position: Position, wish: Wish, player: int) -> ActionPanel:
    """The half Nodi of somebody's Campfire card; what nobody knows takes any colour."""
    halves, tree = half_nodi_of(wish)[: MOST_NODI - 1], position.seats[player].tree
    drawn = trees_drawn.tree_view(position, tree, {}, replace(tree.cards[0], halves=halves))
    who = str(player + 1)
    choices = tuple(
        _half(
            half,
            leads(do="campfire", who=who, half=halves + half),
            _lit(player, halves + half) if len(halves) == MOST_NODI - 1 else None,
        )
        for half in HALVES
    )
    back = leads(do="campfire", who=who, half=halves[:-1] or None) if halves else leads(look=who)
    return ActionPanel(
        HALF_NAMES[len(halves)], (ActionGroup(choices, None, "grid"),), (_("The Campfire card"),), back, drawn
    )
