"""The phase of Construction: Cities and Monuments."""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import IllegalEvent
from companion.core.message import message as _
from companion.games.dominations.rules.board import Board
from companion.games.dominations.rules.box import CITY_LEVELS, LETTERS, Domain, OpenQuestion
from companion.games.dominations.rules.cards import Monument, PieceShape
from companion.games.dominations.rules.draft import Draft
from companion.games.dominations.rules.effects import Trigger
from companion.games.dominations.rules.events import Built, CityTold, Contributed, MonumentTold, Upgraded
from companion.games.dominations.rules.gains import charge
from companion.games.dominations.rules.growth import counts_as_locus
from companion.games.dominations.rules.lattice import Cell, Point, cells_beside
from companion.games.dominations.rules.placing import Lozenge, Place
from companion.games.dominations.rules.planting import need_card, plant_card
from companion.games.dominations.rules.position import City, Position, Site
from companion.games.dominations.rules.rewarding import find_unpaid, leave_unpaid, reward_beside, reward_city
from companion.games.dominations.rules.simultaneous import give_simultaneous

HIGHEST_LEVEL = max(CITY_LEVELS)


def build_city(draft: Draft, event: Built) -> None:
    """Rulebook 004, "Construindo uma Cidade": on any free Field, whoever laid it and whenever."""
    domain = event.domain
    if event.cell is not None:
        tile = draft.position.board.tiles.get(event.cell)
        if tile is None:
            raise IllegalEvent(_("There lies no territory."))
        if draft.position.city_at(event.cell):
            raise IllegalEvent(_("There is a City on this Field already."))
        domain = tile.field
    if domain is None:
        raise IllegalEvent(_("A City needs a Field, or a Domain."))
    city = City(event.player, domain, 1, event.cell)
    _pay_for_city(draft, city)
    draft.set(cities=(*draft.position.cities, city))
    _acquired(draft, city, Trigger.BUILD)
    reward_beside(draft, city)
    leave_unpaid(draft, [city], draft.position.sites)


def upgrade_city(draft: Draft, event: Upgraded) -> None:
    old = rising_city(draft.position, event)
    if old.owner != event.player:
        draft.object_to(_("This City belongs to somebody else."))
    if old.level >= HIGHEST_LEVEL:
        raise IllegalEvent(_("A City has three levels at most."))
    city = replace(old, level=old.level + 1)
    _pay_for_city(draft, city)
    draft.set(cities=_exchanged(draft, old, city))
    _acquired(draft, city, Trigger.UPGRADE)


def rising_city(position: Position, event: Upgraded) -> City:
    """The City that rises; without a place, any of that Domain and level."""
    wanted = (event.player, event.domain, event.level, None)
    if event.cell is not None:
        city = position.city_at(event.cell)
    else:
        cities = position.cities
        city = next((c for c in cities if (c.owner, c.domain, c.level, c.cell) == wanted), None)
    if city is None:
        raise IllegalEvent(_("There is no such City."))
    return city


def _exchanged(draft: Draft, old: City, new: City) -> tuple[City, ...]:
    cities = [*draft.position.cities]
    cities[cities.index(old)] = new
    return tuple(cities)


def _pay_for_city(draft: Draft, city: City) -> None:
    """The cost in the Field's Domain, and a marker for each level."""
    player = city.owner
    if draft.seat(player).markers <= 0:
        raise IllegalEvent(_("All City markers of this player are on the table."))
    why, printed = _("City of level %(level)d", level=city.level), CITY_LEVELS[city.level].cost
    charge(draft, player, "city", city.domain, printed, why, where=city.where)
    draft.change(player, markers=draft.seat(player).markers - 1)


def _acquired(draft: Draft, city: City, trigger: Trigger) -> None:
    """Influence and a higher limit come after paying; then what cards give for it."""
    level, player = CITY_LEVELS[city.level], city.owner
    influence = level.influence
    if city.level > 1 and draft.rule(OpenQuestion.CITY_INFLUENCE) == "replaced":
        influence -= CITY_LEVELS[city.level - 1].influence
    why = _("City of level %(level)d", level=city.level)
    draft.influence(player, influence, why, where=city.where)
    draft.raise_limit(player, city.domain, level.limit)
    give_simultaneous(draft, player, draft.position.effects(player, Trigger.CITY, trigger), city)


def tell_city(draft: Draft, event: CityTold) -> None:
    """A City that was known by its Domain alone is found on the map."""
    wanted = City(event.player, event.domain, event.level)
    tile = draft.position.board.tiles.get(event.cell)
    if wanted not in draft.position.cities:
        raise IllegalEvent(_("There is no such City."))
    cannot = _("This City cannot stand there: its Field is not free, or of another Domain.")
    if tile is None or draft.position.city_at(event.cell):
        raise IllegalEvent(cannot)
    if tile.field != event.domain:
        draft.object_to(cannot)
        draft.raise_limit(event.player, tile.field, CITY_LEVELS[event.level].limit)
    found = replace(wanted, domain=tile.field, cell=event.cell)
    draft.set(cities=_exchanged(draft, wanted, found))
    find_unpaid(draft, [found], draft.position.sites)


def contribute_level(draft: Draft, event: Contributed) -> None:
    """Rulebook 004, "Construindo um Monumento": the levels in their order, by whoever likes."""
    if event.monument not in draft.position.sites:
        draft.object_to(_("This Monument is not in the game."))
    need_card(draft, event.monument, draft.position.cards.monuments)
    site = draft.position.sites.get(event.monument, Site())
    monument = draft.position.monument(event.monument)
    if site.taken >= len(monument.levels):
        raise IllegalEvent(_("All levels of this Monument are taken."))
    if event.place is not None:
        if site.place is not None or site.taken:
            raise IllegalEvent(_("This Monument stands on the table already."))
        draft.set(sites={**draft.position.sites, event.monument: site})
        _stand(draft, monument, event.place)
    level = monument.levels[site.taken]
    if not level.cost.known:
        raise IllegalEvent(_("Nobody has told yet what this card costs: teach it first."))
    why = _("%(card)s, level %(level)d", card=monument.title, level=site.taken + 1)
    charge(draft, event.player, "monument", Domain(level.cost.domain), level.cost.amount, why)
    after = replace(draft.position.sites.get(event.monument, site), taken=site.taken + 1)
    draft.set(sites={**draft.position.sites, event.monument: after})
    if not site.taken:
        leave_unpaid(draft, draft.position.cities, [event.monument])
    plant_card(draft, event.player, event.monument, site.taken + 1, event.planting)


def tell_monument(draft: Draft, event: MonumentTold) -> None:
    """The piece of a Monument that was begun without a map is drawn; what it paid is in the ledger."""
    site = draft.position.sites.get(event.monument)
    if site is None or site.place is not None or not site.taken:
        raise IllegalEvent(_("This Monument is not waiting for its place."))
    monument = draft.position.monument(event.monument)
    _set_down(draft, monument, event.place)
    find_unpaid(draft, draft.position.cities, [event.monument])


def _stand(draft: Draft, monument: Monument, place: Place) -> None:
    """The piece comes to the table by its card's restriction, and rewards the Cities beside it."""
    _set_down(draft, monument, place)
    beside = draft.position.board.beside(monument.key)
    cities = [city for city in draft.position.cities if city.cell in beside]
    if monument.shape is PieceShape.LOZENGE:
        if not beside:
            draft.object_to(_("A lozenge has to lie side by side with a territory."))
        wanted = monument.beside
        if wanted in {*LETTERS} and not any(city.domain == wanted for city in cities):
            draft.object_to(_("This Monument has to lie beside a City of its Domain."))
    for city in sorted(cities, key=lambda city: draft.position.order.index(city.owner)):
        reward_city(draft, monument.key, city)


def _set_down(draft: Draft, monument: Monument, place: Place) -> None:
    board = draft.position.board
    if isinstance(place, Lozenge) != (monument.shape is PieceShape.LOZENGE):
        raise IllegalEvent(_("This piece has another shape."))
    if isinstance(place, Lozenge):
        board = _with_lozenge(board, monument, place)
    else:
        board = _with_circle(draft, board, monument, place)
    site = draft.position.sites[monument.key]
    draft.set(board=board, sites={**draft.position.sites, monument.key: replace(site, place=place)})


def _with_lozenge(board: Board, monument: Monument, place: Lozenge) -> Board:
    one, other = place.cells
    if other not in one.neighbours or one in board.pieces or other in board.pieces:
        raise IllegalEvent(_("A lozenge covers two free places side by side."))
    sides = [*cells_beside(frozenset(place.cells))]
    open_sides = {sides[number - 1] for number in place.open} or set(sides)
    shut = frozenset(sides) - open_sides if monument.coastal else frozenset[Cell]()
    if any(cell in board.pieces for cell in shut):
        raise IllegalEvent(_("Nothing may touch a coast but where it shows a reward."))
    return board.with_lozenge(monument.key, place.cells, place.dots, shut)


def _with_circle(draft: Draft, board: Board, monument: Monument, point: Point) -> Board:
    if not board.complete(point) or point in board.circles or not counts_as_locus(draft, point):
        raise IllegalEvent(_("A round Monument stands in the middle of a complete Locus."))
    return board.with_circle(monument.key, point)
