"""The phase of Growth: laying a territory, what it produces, and what it brings to the owners of Cities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.board import (
    Board,
    DotCounting,
    Yield,
    field_yield,
    locus_yield,
    side_yield,
)
from companion.games.dominations.rules.box import (
    CRADLE,
    LEFT_OPEN,
    LETTERS,
    ROLES,
    VESTIGIUM,
    Amounts,
    Domain,
    OpenQuestion,
)
from companion.games.dominations.rules.cards import EffectUnit, Trigger
from companion.games.dominations.rules.events import Produced, Reactivated, TerritoryLaid, TileTold
from companion.games.dominations.rules.gains import (
    Gift,
    effect_amount,
    from_producing,
    give_in_best_order,
    known_effects,
)
from companion.games.dominations.rules.lattice import Cell, Point, cells_round
from companion.games.dominations.rules.position import (
    City,
    Draft,
    Missing,
    PendingQuestion,
    Position,
    QuestionKind,
    Reminder,
    count_letters,
    sum_of_amounts,
)

EXCHANGE = _("Exchange")
ALONG = "sides"
"""The choice of whom a reactivated territory joins as well as closes a circle: the sides."""


def lay_territory(draft: Draft, event: TerritoryLaid) -> None:
    position = draft.position
    if event.cell in position.board.pieces:
        raise IllegalEvent(_("Something lies there already."))
    # Rulebook 004, "Fase de Crescimento": a full side in common with what lies there.
    if not any(True for _side in position.board.joined(event.cell)):
        draft.object_to(_("A territory has to lie side by side with something that lies there."))
    # Rulebook 004, "Monumentos": a coast touches territories only where it shows a reward, then and later.
    if position.board.at_a_coast(event.cell):
        draft.object_to(_("Nothing may touch a coast but where it shows a reward."))
    _use_worker(draft, event.player)
    draft.set(board=position.board.laid(event.cell, event.tile))
    _harvest(draft, event.player, event.cell, old=False)


def draw_old_territory(draft: Draft, event: TileTold) -> None:
    """A territory that is drawn on the map later brings nothing: what it brought is in the ledger."""
    if event.cell in draft.position.board.pieces:
        raise IllegalEvent(_("Something lies there already."))
    draft.set(board=draft.position.board.laid(event.cell, event.tile))


def reactivate_territory(draft: Draft, event: Reactivated) -> None:
    """Rulebook 004, "Ciência - Inventor"."""
    _use_inventor(draft, event.player)
    if event.cell in draft.position.board.tiles:
        _harvest(draft, event.player, event.cell, old=True)
    else:
        draft.object_to(_("There lies no territory."))
        draft.set(again=True)


def produce_in_numbers(draft: Draft, event: Produced) -> None:
    """A territory told by what it brought: no map is needed."""
    if not event.amounts:
        # Rulebook 004, "Fase de Crescimento": the Field produces, whatever is joined.
        draft.object_to(_("A territory brings at least the 1 Knowledge of its Field."))
    use_role = _use_inventor if event.old else _use_worker
    use_role(draft, event.player)
    own = _paid(draft, event.player, event.amounts, own=True)
    _collect(draft, event.player, event.amounts, own, _("Territory"), locus=None)
    for owner, amounts in event.others:
        _pay_owner(draft, event.player, owner, amounts, _paid(draft, owner, amounts, own=False))
    draft.set(again=True)


def _use_inventor(draft: Draft, player: int) -> None:
    if "inventor" not in draft.seat(player).roles:
        draft.object_to(_("Only the Inventor reactivates a territory, once in an Era."))
    if draft.position.again:
        if "worker" in draft.seat(player).roles and draft.rule(OpenQuestion.INVENTOR_AGAIN) == "as_second":
            _give_back(draft, player, "worker")
        else:
            draft.object_to(_("A territory was laid in this turn already."))
    _give_back(draft, player, "inventor")


def _use_worker(draft: Draft, player: int) -> None:
    """Rulebook 004, "Ofícios - Trabalhador": a second territory, once in the Era."""
    if not draft.position.again:
        return
    if "worker" not in draft.seat(player).roles:
        draft.object_to(_("Only the Worker lays a second territory, once in an Era."))
    _give_back(draft, player, "worker")


def _give_back(draft: Draft, player: int, role: str) -> None:
    draft.change(player, roles=tuple(held for held in draft.seat(player).roles if held != role))


def _harvest(draft: Draft, player: int, cell: Cell, old: bool) -> None:
    position, locus = draft.position, _locus(draft, player, cell, old)
    point = locus if isinstance(locus, Point) else None
    if point is not None:
        found = locus_yield(draft.position.board, cell, point)
    elif locus == LEFT_OPEN:
        # Rulebook 004, "O Locus": it replaces the sides, whichever it is; the Field is not in question.
        found = field_yield(draft.position.board, cell)
    else:
        found = side_yield(draft.position.board, cell, _counting(draft, cell))
    amounts = _produced(draft, player, found, old)
    active = _active(draft, cell, point) if locus != LEFT_OPEN else []
    mine = [city for city in active if city.owner == player]
    own = _of(mine)
    untold = [*position.board.untold(cell, point)] if locus != LEFT_OPEN else []
    without = (Missing.CRADLE if CRADLE.intersection(untold) else Missing.PIECE) if untold else None
    why = _("Locus") if point is not None else _("Territory")
    _collect(
        *(draft, player, sum_of_amounts(amounts, own), mine, why),
        where=(str(cell),),
        working=_told(found, own),
        without=without,
        locus=point is not None,
    )
    _miss_exchange(draft, cell, point)
    for owner in (owner for owner in draft.position.order if owner != player):
        theirs = [city for city in active if city.owner == owner]
        where = tuple(str(city.cell) for city in theirs)
        _pay_owner(draft, player, owner, _of(theirs), theirs, where)
    draft.set(again=True)


def _miss_exchange(draft: Draft, cell: Cell, point: Point | None) -> None:
    """Cities that may stand here and have no place on the map: their Exchange is named, as nobody can pay it."""
    for city in dict.fromkeys(doubtful_cities(draft.position, cell, point)):
        draft.line(city.owner, city.domain, 0, EXCHANGE, without=Missing.CITY, where=(str(cell),))


def doubtful_cities(position: Position, cell: Cell, point: Point | None = None) -> Iterator[City]:
    """The Cities without a place that may stand on a Field that a territory activates."""
    near = {side.cell for side in position.board.joined(cell)} | set(cells_round(point) if point else ())
    tiles = position.board.tiles
    free = {tiles[each].field for each in near - {cell} if each in tiles and not position.city_at(each)}
    yield from (city for city in position.cities if city.cell is None and city.domain in free)


def _told(found: Yield, own: Amounts) -> str:
    """How production comes about, in letters: Field, dots, concentration and own Cities."""
    parts = [found.field.value, "".join(found.dots), "".join(found.concentration)]
    parts += ["".join(f"{domain}{amount}" for domain, amount in own.items())]
    return " + ".join(part for part in parts if part)


def _of(cities: list[City]) -> Amounts:
    return sum_of_amounts(*({city.domain: city.level} for city in cities))


def _locus(draft: Draft, player: int, cell: Cell, old: bool) -> Point | str:
    """The one circle that counts, or the sides; rulebook 004, "O Locus": with several, the player decides which."""
    board = draft.position.board
    closed = [point for point in board.closed(cell) if counts_as_locus(board, point, draft.rule)]
    choices = tuple(map(str, closed))
    if old and closed and any(True for _side in board.joined(cell)):
        choices = (*choices, ALONG)
    if not choices:
        return ALONG
    chosen = draft.choose(PendingQuestion(QuestionKind.LOCUS, player, "locus", choices))
    if chosen in (ALONG, LEFT_OPEN):
        return chosen
    return closed[choices.index(chosen)]


def counts_as_locus(board: Board, point: Point, ruling: Callable[[OpenQuestion], str | None]) -> bool:
    """Whether a closed circle is a Locus by the table's rulings, with the Cradle or a lozenge in it."""
    if board.of_cradle(point) and ruling(OpenQuestion.CRADLE) == "no_part":
        return False
    return not (board.of_lozenge(point) and ruling(OpenQuestion.LOZENGE) == "no_part")


def _counting(draft: Draft, cell: Cell) -> DotCounting:
    """How this table counts the dots, asked only where it matters here."""
    board = draft.position.board
    plain = side_yield(board, cell, DotCounting())
    per_side = side_yield(board, cell, DotCounting(per_side=True)) != plain
    white = side_yield(board, cell, DotCounting(white=True)) != plain
    return DotCounting(
        per_side=per_side and draft.rule(OpenQuestion.JOINS) == "per_side",
        white=white and draft.rule(OpenQuestion.WHITE) == "concentration",
    )


def _produced(draft: Draft, player: int, found: Yield, old: bool) -> Amounts:
    """What the territory gives the player who laid it, Vestigium already turned into Domains."""
    # Rulebook 004, "Comércio - Mercador": more for a territory that is laid, not for one that lay there.
    more = sum(ROLES[role].field for role in draft.seat(player).roles)
    if more and old and draft.rule(OpenQuestion.MERCHANT) == "laid":
        more = 0
    field = 1 + more
    amounts = sum_of_amounts({found.field: field}, count_letters((*found.dots, *found.concentration)))
    white = found.dots.count(VESTIGIUM)
    if white:
        amounts = sum_of_amounts(amounts, draft.domains(player, white, "territory"))
    for card, effect in known_effects(draft, player, draft.position.effects(player, Trigger.FIELD)):
        more = effect_amount(draft.position, player, effect)
        amounts = sum_of_amounts(
            amounts, _more_from_fields(draft, player, found.field, effect.unit, more, card.key)
        )
    return amounts


def _more_from_fields(
    draft: Draft, player: int, field: Domain, unit: str, amount: int, about: str
) -> Amounts:
    if unit == EffectUnit.FIELD:
        return {field: amount}
    return {Domain(unit): amount} if unit in LETTERS else draft.domains(player, amount, about)


def _active(draft: Draft, cell: Cell, point: Point | None) -> list[City]:
    """The Cities that pay their owners, each once; rulebook 004, "Intercâmbio"."""
    position = draft.position
    joined = _cities_on(position, {side.cell for side in position.board.joined(cell)})
    if point is None:
        return joined
    ring = _cities_on(position, set(cells_round(point)))
    beyond = [city for city in joined if city not in ring]
    return ring + beyond if beyond and draft.rule(OpenQuestion.EXCHANGE) == "all" else ring


def _cities_on(position: Position, cells: set[Cell]) -> list[City]:
    return [city for city in position.cities if city.cell in cells]


def _collect(
    draft: Draft,
    player: int,
    amounts: Amounts,
    cities: list[City] | None,
    why: Message,
    *,
    locus: bool | None,
    **more: Any,
) -> None:
    """Everything that a territory produces for whoever laid it is one occasion for each Domain.

    `locus` is None where nobody can tell whether it closed one.
    """
    before = draft.seat(player).produced
    draft.acquire(player, amounts, why, produced=True, **more)
    gained = from_producing(draft, player, before, draft.seat(player).produced)
    give_in_best_order(
        draft, player, [*gained, *_activated(draft, player, cities), *_closed(draft, player, locus)]
    )


def _closed(draft: Draft, player: int, locus: bool | None) -> list[Gift]:
    """Rulebook 004, "O Locus": it activates certain Masteries of whoever closed it."""
    dues = [*draft.position.effects(player, Trigger.LOCUS)] if locus is not False else []
    if locus is None:
        draft.remind(Reminder(player, card.key, effect) for card, effect in dues)
        return []
    return [Gift(card, effect) for card, effect in known_effects(draft, player, dues)]


def _pay_owner(
    draft: Draft,
    mover: int,
    owner: int,
    amounts: Amounts,
    cities: list[City] | None,
    where: tuple[str, ...] = (),
) -> None:
    """Cities produce for their owners, but gains “during your turn” wait for their own turn."""
    if owner == mover:
        raise IllegalEvent(_("What your own Cities bring belongs to what you produce."))
    draft.acquire(owner, amounts, EXCHANGE, produced=True, where=where)
    give_in_best_order(draft, owner, _activated(draft, owner, cities))


def _activated(draft: Draft, owner: int, cities: list[City] | None) -> list[Gift]:
    """What cards give for activated Cities; where nobody can tell how many there were, their owner is reminded."""
    dues = [*draft.position.effects(owner, Trigger.ACTIVATE)]
    if cities is None:
        draft.remind(Reminder(owner, card.key, effect) for card, effect in dues)
        return []
    return [
        Gift(card, effect, city=city) for city in cities for card, effect in known_effects(draft, owner, dues)
    ]


def _paid(draft: Draft, owner: int, amounts: Amounts, own: bool) -> list[City] | None:
    """The Cities that brought what was told without a map; None where it may have been more of them or fewer."""
    found: list[City] = []
    for domain, amount in amounts.items():
        cities = [city for city in draft.position.cities_of(owner) if city.domain == domain]
        counts = {0}
        if not own:
            counts = {n for n, levels in _sums(cities) if levels == amount}
        elif any(city.level <= amount for city in cities):
            # What the own Cities brought is told together with Field and dots.
            return None
        if len(counts) != 1:
            return None
        found += cities[: counts.pop()]
    return found


def _sums(cities: list[City]) -> set[tuple[int, int]]:
    """How many of some Cities can be paid together, with the sum of their levels."""
    sums = {(0, 0)}
    for city in cities:
        sums |= {(n + 1, levels + city.level) for n, levels in sums}
    return sums
