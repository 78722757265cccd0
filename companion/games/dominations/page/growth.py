"""The phase of Growth as it is tapped.

On the map or in numbers; and told once more in a correction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import split_reason
from companion.games.dominations.page.elements import (
    Action,
    ActionGroup,
    ActionPanel,
    Stepper,
    TargetView,
    To,
    Wish,
    cell_target,
    group,
    leads,
    panel,
    player_action,
    told_player,
)
from companion.games.dominations.page.preview import brings_rows, brought
from companion.games.dominations.rules import events
from companion.games.dominations.rules.board import NO_DOT, Tile
from companion.games.dominations.rules.box import (
    ANSWER_TEXTS,
    CRADLE,
    DOMAIN_NAMES,
    LETTERS,
    QUESTION_TEXTS,
    QUESTIONS,
    ROLES,
    SHORT_NAMES,
    VESTIGIUM,
    Amounts,
    Domain,
    OpenQuestion,
    colour_name,
)
from companion.games.dominations.rules.cards import Trigger
from companion.games.dominations.rules.correction import plain_event
from companion.games.dominations.rules.events import Event, Plain
from companion.games.dominations.rules.lattice import Cell, cells_round, parse_cell
from companion.games.dominations.rules.moves import GROWTH_EVENTS, after_turn_end, next_to_lay
from companion.games.dominations.rules.position import OF_A_TURN, ROLE_NAMES, City, GameStage, Position
from companion.games.dominations.text import words
from companion.games.dominations.text.notation import MOST_KNOWLEDGE, parse_event, write_amounts, write_event

MAP_TIER, LEDGER_TIER = "map", "ledger"
TIERS = (MAP_TIER, LEDGER_TIER)
LAY_AGAINST = "lay"
"""A territory that the rules forbid is told."""
DRAW_OLD = "old"
"""What is drawn lay there before: it brings nothing."""
MOST_IN_SHORT = 4
"""So many Domains are told one by one below a name."""
_COLOURS = re.compile(rf"[{LETTERS}][{LETTERS}{VESTIGIUM}-]{{0,2}}")
_AMOUNTS = re.compile(rf"([{LETTERS}])(\d{{1,2}})", re.ASCII)


def telling_tier(position: Position, wish: Wish) -> str:
    """How this table tells its territories: as somebody wishes, or as the last one was told."""
    if wish.get("do") == DRAW_OLD:
        return MAP_TIER
    if wish.get("tier") in TIERS:
        return wish["tier"]
    last = next((line for line in reversed(position.lines) if line.produced), None)
    return LEDGER_TIER if last and not last.where else MAP_TIER


def pointed_cell(text: str) -> Cell | None:
    """The cell that an address tells; None where it tells none."""
    try:
        return parse_cell(text)
    except NotationError:
        return None


def is_laying(position: Position, wish: Wish) -> bool:
    """Whether a territory is told now: at the beginning of a turn, as the Worker, or one that lay there."""
    second = wish.get("do") == "again" and position.stage is GameStage.CONSTRUCTION
    return position.stage is GameStage.GROWTH or second or wish.get("do") == DRAW_OLD


def told_territory(position: Position, wish: Wish) -> tuple[Cell, str] | None:
    """The place that was tapped, and the colours told of it so far."""
    cell, colours = pointed_cell(wish.get("at", "")), wish.get("col", "")
    if position.held or cell not in free_places(position, wish) or not is_laying(position, wish):
        return None
    return cell, colours if _COLOURS.fullmatch(colours) else ""


def doubtful_places(position: Position, wish: Wish) -> tuple[tuple[City, Cell], ...]:
    """Cities without a place that may stand where a territory is told, each with the Field in question."""
    here = told_territory(position, wish)
    if here is None or wish.get("do") == DRAW_OLD or "sure" in wish:
        return ()
    board, cell = position.board, here[0]
    closed = [point for point in cell.corners if {*cells_round(point)} - {cell} <= board.pieces.keys()]
    near = {side.cell for side in board.joined(cell)} | {
        each for point in closed for each in cells_round(point)
    }
    waiting = dict.fromkeys(city for city in position.cities if city.cell is None)
    return tuple(
        (city, field)
        for city in waiting
        for field in sorted(near - {cell})
        if field in free_fields(position, city.domain)
    )


def waits_for_cradle(position: Position, wish: Wish) -> bool:
    """Whether a territory is told whose numbers need the dots of the Cradle, and nobody has been asked for them."""
    here = told_territory(position, wish)
    if here is None or wish.get("do") == DRAW_OLD or position.board.cradle:
        return False
    return any(near in CRADLE for near in here[0].neighbours)


def free_places(position: Position, wish: Wish) -> tuple[Cell, ...]:
    """Where a territory may come; against the rules, one step farther, and beside every coast."""
    if "against" not in wish:
        return position.board.free
    pieces = position.board.pieces
    beside = {near for cell in pieces for near in cell.neighbours} - pieces.keys()
    return tuple(sorted(beside | ({near for cell in beside for near in cell.neighbours} - pieces.keys())))


def territory_targets(position: Position, wish: Wish) -> Iterator[TargetView]:
    """Where a territory may come; for the Inventor, those that lie there."""
    do = wish.get("do")
    if do == "invent":
        for cell in position.board.tiles:
            to = leads(do=do, at=str(cell), tier=wish.get("tier"))
            yield cell_target(cell, _("Reactivate it"), to, filled=True)
    elif is_laying(position, wish):
        for cell in free_places(position, wish):
            # Colours that are told already come along to another place.
            to = leads(do=do, at=str(cell), tier=wish.get("tier"), tile=wish.get("tile"))
            yield cell_target(cell, _("Lay the territory here"), to)


def growth_panel(position: Position, wish: Wish) -> ActionPanel:
    """What can be done in the phase of Growth."""
    if wish.get("do") == "invent":
        return _inventing(position, wish)
    if here := told_territory(position, wish):
        return _colours(position, wish, *here)
    if wish.get("do") == DRAW_OLD:
        notes = (_("What lay there before brings nothing now."),)
        done = Action(_("Everything is drawn"), to=leads(), main=True)
        return panel(
            _("Tap where it lies"), group(_pieces(position)), group((done,)), notes=notes, back=leads()
        )
    if telling_tier(position, wish) == LEDGER_TIER:
        return _ledger(position, wish, old=False)
    notes = (_("Tap a free place on the map."),)
    title = _("The Worker's second territory") if wish.get("do") == "again" else _("Lay a territory")
    return panel(title, _others(position, wish), notes=notes, back=leads() if wish.get("do") else None)


def _pieces(position: Position) -> Iterator[Action]:
    """Monuments that were begun without a map."""
    for key, site in position.sites.items():
        if site.taken and site.place is None:
            name = _("The piece of “%(card)s”", card=position.title(key))
            yield Action(name, to=leads(do="piece", key=key, tier=MAP_TIER))


def _others(position: Position, wish: Wish) -> ActionGroup:
    """What else may happen before a territory lies there."""
    player, now = position.player, telling_tier(position, wish)
    found = []
    if position.stage is GameStage.GROWTH and "against" not in wish:
        if "inventor" in position.seats[player].roles:
            to = leads(do="invent", tier=now)
            found.append(Action(_("Inventor: reactivate a territory"), to=to, domain="S"))
        found.append(Action(_("Exchange of Knowledge"), to=leads(do="trade")))
        if position.ruling(OpenQuestion.NO_TILE) == "pass":
            found.append(Action(_("No territory to lay"), line=write_event(events.Passed(player))))
    missing = Action(_("Draw what lies there already"), to=leads(do=DRAW_OLD))
    choices = (*found, _other_tier(position, wish), missing)
    if now == LEDGER_TIER:
        return ActionGroup(choices, _("Something else"), "pairs", folded=True)
    return group(choices, None, "pairs")


def _other_tier(position: Position, wish: Wish) -> Action:
    """To tell the same in numbers, or on the map."""
    if telling_tier(position, wish) == MAP_TIER:
        return Action(_("Without a map: only the numbers"), to=leads(do=wish.get("do"), tier=LEDGER_TIER))
    return Action(_("On the map"), to=leads(do=wish.get("do"), tier=MAP_TIER))


def _colours(position: Position, wish: Wish, cell: Cell, colours: str) -> ActionPanel:
    """The Field's colour, then the three resources; the last one records it."""
    letters = LETTERS + (VESTIGIUM + NO_DOT if colours else "")
    choices = (_colour(position, wish, cell, colours + letter) for letter in letters)
    at, before = (str(cell), colours[:-1] or None) if colours else (None, None)
    back = leads(do=wish.get("do"), tier=wish.get("tier"), at=at, col=before)
    return panel(COLOUR_QUESTIONS[len(colours)], group(choices, None, "grid"), back=back)


def _colour(position: Position, wish: Wish, cell: Cell, colours: str) -> Action:
    name = colour_name(colours[-1])
    if len(colours) < 4:
        to = leads(do=wish.get("do"), tier=wish.get("tier"), at=str(cell), col=colours)
        return Action(name, to=to, domain=colours[-1])
    event = territory_event(position.player, Tile(Domain(colours[0]), colours[1:]), cell, wish.get("do"))
    brings = brought(position, event, position.player)
    return Action(name, line=write_event(event), domain=colours[-1], note=brings)


def territory_event(
    player: int, tile: Tile, cell: Cell, do: str | None
) -> events.TerritoryLaid | events.TileTold:
    """A territory that is laid, or one that lay there before."""
    return events.TileTold(tile, cell) if do == DRAW_OLD else events.TerritoryLaid(player, tile, cell)


def redraw_group(position: Position) -> ActionGroup:
    """Rulebook 004, "Preparação": before an Era is played, everybody may draw again once."""
    players = (n for n in position.order if position.between_eras and not position.seats[n].redrawn)
    found = (
        Action(_("draws territories again"), player=n, line=write_event(events.Redrawn(n))) for n in players
    )
    return ActionGroup(tuple(found), _("Territories drawn again"), "pairs", folded=True)


def late_question(position: Position, wish: Wish) -> ActionPanel | None:
    """What this table has not ruled, asked before a number depends on it."""
    roles = position.seats[position.player].roles
    if wish.get("do") != "invent" or "inventor" not in roles:
        return None
    asked: list[OpenQuestion] = []
    if position.again and "worker" in roles:
        asked.append(OpenQuestion.INVENTOR_AGAIN)
    if any(ROLES[role].field for role in roles):
        asked.append(OpenQuestion.MERCHANT)
    for question in asked:
        if question not in position.rulings:
            answers = (
                Action(ANSWER_TEXTS[answer], line=write_event(events.Ruled(question, answer)))
                for answer in QUESTIONS[question].answers
            )
            note = _("The rulebook does not say. The answer stands in the log, and holds for the whole game.")
            return panel(QUESTION_TEXTS[question], group(answers), notes=(note,), back=leads())
    return None


def may_reactivate(position: Position) -> bool:
    """Whether the Inventor may act now: at the beginning of a turn, or by a ruling as the Worker's second."""
    if position.stage is GameStage.GROWTH:
        return True
    roles = {*position.seats[position.player].roles}
    ruled = position.ruling(OpenQuestion.INVENTOR_AGAIN) == "as_second"
    return position.stage is GameStage.CONSTRUCTION and {"inventor", "worker"} <= roles and ruled


def _inventing(position: Position, wish: Wish) -> ActionPanel:
    """The territory on the map, or what it brings in numbers."""
    cell = pointed_cell(wish.get("at", ""))
    title, back = _("Inventor: reactivate a territory"), leads(tier=wish.get("tier"))
    if cell is not None and cell in position.board.tiles:
        event = events.Reactivated(position.player, cell)
        choice = Action(_("Reactivate it"), line=write_event(event), main=True)
        rows = group(brings_rows(position, event), _("What this brings"))
        return panel(title, rows, group((choice,)), back=back)
    if telling_tier(position, wish) == LEDGER_TIER:
        return _ledger(position, wish, old=True)
    notes = (_("Tap the territory on the map."),)
    return panel(title, group((_other_tier(position, wish),)), notes=notes, back=back)


# ---- without a map ----


def _ledger(position: Position, wish: Wish, old: bool) -> ActionPanel:
    """What the territory brought to everybody, in numbers; an old one lay there already."""
    amounts = {player: amounts_of(wish.get(f"g{player + 1}", "")) for player in range(position.players)}
    told = told_player(position, wish.get("who"))
    who = position.player if told is None else told
    steppers = tuple(_stepper(wish, who, domain, amounts[who]) for domain in Domain)
    others = tuple((n, found) for n, found in amounts.items() if n != position.player and found)
    event = events.Produced(position.player, amounts[position.player], others, old=old)
    people = (
        player_action(
            n, to=_leads_in_numbers(wish, who=str(n + 1)), chosen=n == who, number=_in_short(amounts[n])
        )
        for n in position.order
    )
    # A Field always brings something; against the rules, nothing may be told as well.
    line = write_event(event) if event.amounts or "against" in wish else ""
    record = Action(_("This is what it brought"), line=line, main=True)
    title = _("What did the reactivated territory bring?") if old else _("What did the territory bring?")
    note = _("Production for who laid it, own Cities included; Exchange for the others.")
    # Nothing moves under a finger: what depends on who is chosen stands below what is tapped.
    mine = (*_more_of_a_field(position, old), *_cards_at_work(position, position.player))
    theirs = _cards_at_work(position, who) if who != position.player else ()
    numbers = ActionGroup((), None, "steppers", steppers, notes=(note, *theirs))
    more = group((_other_tier(position, wish),)) if old else _others(position, wish)
    back = leads(tier=wish.get("tier")) if wish.get("do") else None
    return panel(title, group(people, None, "seats"), numbers, group((record,)), more, notes=mine, back=back)


def _in_short(found: Amounts) -> Message | str:
    """What somebody gained, in the letters that the language of the page has for Domains, as far as there is room."""
    if len(found) > MOST_IN_SHORT:
        return _("%(count)d in all", count=sum(found.values()))
    parts = {
        d.value: Message("%(domain)s%(count)d", {"domain": SHORT_NAMES[d], "count": n})
        for d, n in found.items()
    }
    return Message(" ".join(f"%({letter})s" for letter in parts), parts) if parts else "–"


def _more_of_a_field(position: Position, old: bool) -> Iterator[Message]:
    """What people count themselves where no map does; the Merchant's is for a territory that is laid."""
    for role in position.seats[position.player].roles:
        if ROLES[role].field and not old:
            yield _(
                "%(role)s: the Field brings %(count)d.", role=ROLE_NAMES[role], count=1 + ROLES[role].field
            )


def _cards_at_work(position: Position, who: int) -> Iterator[Message]:
    """The cards that give more with a territory, before its numbers are told."""
    triggers = (Trigger.FIELD, Trigger.ACTIVATE) if who == position.player else (Trigger.ACTIVATE,)
    for card, effect in position.effects(who, *triggers):
        text = words.effect_text(effect)
        yield _("%(card)s – %(text)s", card=position.title(card.key), text=text)


def _leads_in_numbers(wish: Wish, **changes: str | None) -> To:
    """To the numbers as they are told so far, with some of them changed."""
    kept = {key: wish.get(key) for key in ("do", "tier", "who", "g1", "g2", "g3", "g4")}
    return leads(**{**kept, **changes})


def _stepper(wish: Wish, who: int, domain: Domain, amounts: Amounts) -> Stepper:
    number = amounts.get(domain, 0)

    def step(changed: int) -> Action:
        found = {**amounts, domain: changed}
        text = write_amounts({d: found[d] for d in Domain if found.get(d)}).replace(" ", "")
        to = _leads_in_numbers(wish, who=str(who + 1), **{f"g{who + 1}": text or None})
        return Action(DOMAIN_NAMES[domain], to=to)

    less = step(number - 1) if number else None
    more = step(number + 1) if number < MOST_KNOWLEDGE else None
    return Stepper(DOMAIN_NAMES[domain], number, less, more, domain.value)


def amounts_of(text: str) -> Amounts:
    """Knowledge as an address tells it: T4C1."""
    found = {Domain(letter): min(int(n), MOST_KNOWLEDGE) for letter, n in _AMOUNTS.findall(text)}
    return {domain: found[domain] for domain in Domain if found.get(domain)}


def free_fields(position: Position, domain: str) -> list[Cell]:
    """Where a City of that Domain may stand."""
    tiles = position.board.tiles
    return [cell for cell, tile in tiles.items() if tile.field == domain and not position.city_at(cell)]


def standing_choices(position: Position, cell: Cell) -> tuple[Action, ...]:
    """Cities known by their Domain alone that may stand on a Field that was tapped."""
    tile = position.board.tiles.get(cell)
    if tile is None or position.city_at(cell):
        return ()
    waiting = dict.fromkeys(c for c in position.cities if c.cell is None and c.domain == tile.field)
    return tuple(
        Action(
            _("City of level %(level)d stands here", level=city.level),
            player=city.owner,
            line=write_event(events.CityTold(city.owner, city.domain, city.level, cell)),
            domain=city.domain.value,
        )
        for city in waiting
    )


_TILE = re.compile(rf"([{LETTERS}][{LETTERS}{VESTIGIUM}-]{{3}})([0-4])")
ALL_TOLD = 4
"""No spot is told again: all four colours are right now."""
COLOUR_QUESTIONS = (
    _("Which colour is its Field?"),
    _("The resource with the ring: 1 of 3"),
    _("The resource with the ring: 2 of 3"),
    _("The resource with the ring: 3 of 3"),
    _("Is the territory right now?"),
)


def told_colours(position: Position, wish: Wish) -> tuple[Cell, str, int] | None:
    """The place, the colours as they are told by now, and which of them is asked."""
    cell, found = pointed_cell(wish.get("at", "")), _TILE.fullmatch(wish.get("tile", ""))
    if found is None or position.stage not in OF_A_TURN or cell not in free_places(position, wish):
        return None
    return cell, found[1], int(found[2])


def recolouring_panel(position: Position, wish: Wish) -> ActionPanel | None:
    """What can be done about colours that were told before; None when nobody wants to."""
    here = told_colours(position, wish)
    if here is None or position.held:
        return None
    cell, letters, spot = here
    do = wish.get("do")
    if spot == ALL_TOLD:
        notes = (_("A tap on a free place of the map moves it there."),)
        return panel(
            COLOUR_QUESTIONS[spot],
            group(_whole(position, cell, letters, do)),
            group(_spots(cell, letters, do), _("Tap what is wrong"), "grid"),
            notes=notes,
            back=leads(do=do, tier=MAP_TIER),
        )
    choices = (
        Action(
            colour_name(letter),
            to=_leads_to_spot(cell, letters[:spot] + letter + letters[spot + 1 :], do),
            domain=letter,
            chosen=letter == letters[spot],
        )
        for letter in LETTERS + (VESTIGIUM + NO_DOT if spot else "")
    )
    return panel(COLOUR_QUESTIONS[spot], group(choices, None, "grid"), back=_leads_to_spot(cell, letters, do))


def _whole(position: Position, cell: Cell, letters: str, do: str | None) -> Iterator[Action]:
    player = position.player if do == "again" else next_to_lay(position)
    if player is not None:
        event = territory_event(player, Tile(Domain(letters[0]), letters[1:]), cell, do)
        yield from brings_rows(position, event)
        yield Action(_("Lay it like this"), line=write_event(event), main=True)


def _spots(cell: Cell, letters: str, do: str | None) -> Iterator[Action]:
    """Each colour, to be told again."""
    for spot, letter in enumerate(letters):
        yield Action(colour_name(letter), to=_leads_to_spot(cell, letters, do, spot), domain=letter)


def _leads_to_spot(cell: Cell, letters: str, do: str | None, spot: int = ALL_TOLD) -> To:
    return leads(do=do, at=str(cell), tier=MAP_TIER, tile=f"{letters}{spot}")


def retelling_wishes(position: Position, event: Event) -> tuple[tuple[str, str], ...]:
    """Where the page tells a territory with all that was said of it; nothing for what is a tap or two."""
    plain = plain_event(event)
    told = dict(_told(position, plain))
    if told and isinstance(plain, events.Overrulable) and plain.because:
        told["against"] = str(getattr(plain, "player", 0) + 1)
    return tuple((key, value) for key, value in told.items() if value)


def _told(position: Position, event: Plain) -> To:
    match event:
        case events.Produced(player, amounts, others, old=old):
            brought = {f"g{n + 1}": write_amounts(each) for n, each in ((player, amounts), *others)}
            numbers = {name: text.replace(" ", "") for name, text in brought.items()}
            return {"do": "invent" if old else _do(position, event), "tier": LEDGER_TIER, **numbers}
        case events.TerritoryLaid(tile=tile, cell=cell):
            return {"do": _do(position, event), **_lies(tile, cell)}
        case events.Reactivated(cell=cell):
            return {"do": "invent", "tier": MAP_TIER, "at": str(cell)}
        case events.TileTold(tile, cell):
            return {"do": DRAW_OLD, **_lies(tile, cell)}
    return {}


def _lies(tile: Tile, cell: Cell) -> To:
    return {"at": str(cell), "tier": MAP_TIER, "tile": f"{tile.field}{tile.dots}{ALL_TOLD}"}


def _do(position: Position, event: events.TerritoryLaid | events.Produced) -> str | None:
    if event.because:
        return LAY_AGAINST
    return "again" if position.stage is GameStage.CONSTRUCTION and not _next(position, event) else None


def retold_table(position: Position, wish: Wish) -> Position:
    """Whoever lays a territory has seen the turn before come to its end: what it said is told after that."""
    try:
        was = plain_event(parse_event(split_reason(wish.get("was", ""))[0]))
    except CompanionError:
        return position
    if not isinstance(was, GROWTH_EVENTS) or position.stage is GameStage.GROWTH or not _next(position, was):
        return position
    return after_turn_end(position) or position


def _next(position: Position, event: Plain) -> bool:
    """Whether another turn begins with it."""
    player = getattr(event, "player", position.player)
    return position.stage in OF_A_TURN and (player != position.player or getattr(event, "anew", False))
