"""What a Monument brings to the Cities beside it, to each once: those the map shows, and those that people tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.events import Rewarded
from companion.games.dominations.rules.position import City, Position


def reward_beside(draft: Draft, city: City) -> None:
    """Rulebook 004: a Monument rewards a City once, when it is built, not at each level."""
    for key in draft.position.sites:
        if city.cell in draft.position.board.beside(key):
            reward_city(draft, key, city)


def reward_city(draft: Draft, key: str, city: City) -> None:
    if city.domain in draft.position.monument(key).reward:
        _reward(draft, key, city.owner, city.where)


def _reward(draft: Draft, key: str, owner: int, where: tuple[str, ...] = ()) -> None:
    monument, site = draft.position.monument(key), draft.position.sites[key]
    why = _("Reward of %(monument)s", monument=monument.title)
    draft.points(owner, monument.reward_points, why, where=where)
    rewarded = replace(site, rewarded=(*site.rewarded, owner))
    draft.set(sites={**draft.position.sites, key: rewarded})


def tell_rewards(draft: Draft, event: Rewarded) -> None:
    """What a Monument brought to Cities that no map showed beside it."""
    if event.monument not in draft.position.unpaid:
        raise IllegalEvent(_("No rewards of this Monument are left to be told."))
    for owner in event.owners:
        if rewards_left(draft.position, event.monument, owner) < 1:
            raise IllegalEvent(_("This player has not so many Cities that the Monument rewards."))
        _reward(draft, event.monument, owner)
    draft.set(unpaid=draft.position.unpaid - {event.monument})


def rewards_left(position: Position, key: str, owner: int) -> int:
    """How many Cities of a player the Monument may still reward; less than none where it rewarded too many."""
    site, beside = position.sites[key], position.board.beside(key)
    cities = [city for city in position.cities_of(owner) if city.domain in position.monument(key).reward]
    possible = [c for c in cities if c.cell is None or site.place is None or c.cell in beside]
    return len(possible) - site.rewarded.count(owner)


def leave_unpaid(draft: Draft, cities: Iterable[City], monuments: Iterable[str]) -> None:
    """Remember which Monuments may stand beside one of these Cities where no map shows it."""
    position = draft.position
    for key in monuments:
        site, domains = position.sites[key], position.monument(key).reward
        hidden = any(c.domain in domains and (c.cell is None or site.place is None) for c in cities)
        if site.taken and hidden:
            draft.set(unpaid=draft.position.unpaid | {key})


def find_unpaid(draft: Draft, cities: Iterable[City], monuments: Iterable[str]) -> None:
    """The map shows one of these Cities beside a Monument that rewarded fewer of its owner's than lie there."""
    position = draft.position
    for key in monuments:
        beside, domains = position.board.beside(key), position.monument(key).reward
        for owner in {c.owner for c in cities if c.cell in beside and c.domain in domains}:
            lying = [c for c in position.cities_of(owner) if c.cell in beside and c.domain in domains]
            if len(lying) > position.sites[key].rewarded.count(owner):
                draft.set(unpaid=draft.position.unpaid | {key})
