"""What the page of Dominations draws: the map, everybody's boards, and what can be done now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page import (
    against,
    building_sites,
    checking,
    closing_eras,
    deciding,
    drawing,
    final_count,
    growing,
    pieces_told,
    planted,
    reading_out,
    recolouring,
    retelling,
    seats,
    spending,
    staying,
    trading,
    trees_drawn,
)
from companion.games.dominations.page.choices import WISHES, ActionPanel, Wish, leads
from companion.games.dominations.page.drawing import GhostView, TargetView
from companion.games.dominations.rules.box import DOMAIN_NAMES, ERAS, SHORT_NAMES, TURNS, Domain
from companion.games.dominations.rules.events import TerritoryLaid
from companion.games.dominations.rules.judging import controller, is_control_uncertain
from companion.games.dominations.rules.lattice import Cell, cells_beside, parse_point
from companion.games.dominations.rules.position import NOBODY, OF_A_TURN, GameStage, Position, QuestionKind
from companion.games.dominations.rules.titles import Initials, title_legend

EXAMPLE = "1 lays T:TCR at 0,0d"
AWAY_FROM_MAP = ("card", "keep", "order", "trade", "mastery", "campfire")
"""What is told without a look at the map."""
FIXED_VIEW: Mapping[str, Any] = {
    "eras": ERAS,
    "turns": TURNS,
    "lines_shown": seats.LINES_SHOWN,
    "domains": {domain.value: DOMAIN_NAMES[domain] for domain in Domain},
    "short": {domain.value: SHORT_NAMES[domain] for domain in Domain},
    "example": EXAMPLE,
}
"""What every page has, whatever has happened."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    position, wish = retelling.retold_table(position, wish), staying.on_entering(wish)
    shown = against.overruled_table(position, wish)
    wizard = closing_eras.era_wizard(position, wish)
    form = reading_out.form_view(position, wish)
    doing = None if form else current_panel(position, wish, wizard)
    acting = position.held.need.player if position.held else position.player
    return {
        "era": position.era,
        "round": position.round,
        "order": position.order,
        "stage": position.stage.value,
        "active": acting if acting != NOBODY and position.stage in OF_A_TURN else None,
        "seats": tuple(seats.seat_view(position, player) for player in range(position.players)),
        "tiles": tuple(drawing.tile_views(position)),
        "pieces": tuple(drawing.piece_views(position)),
        "bounds": drawing.map_bounds(
            position, (*growing.free_places(shown, wish), *_told_beside(shown, wish))
        ),
        "mapless": not position.board.tiles and growing.telling_tier(position, wish) == growing.LEDGER_TIER,
        "map_first": _map_first(shown, wish),
        "targets": tuple(map_targets(shown, wish)),
        **_marks(position, shown, wish),
        "form": form,
        "recolouring": recolouring.told_colours(shown, wish) is not None,
        "hand": doing,
        "just_read": partial(spending.read_card_groups, position),
        "against": _overruling(position, wish, doing),
        "wizard": None
        if form or "check" in wish or wish.get("do") in ("card", building_sites.TELL_REWARDS)
        else wizard,
        "look": _looked(position, wish),
        "compared": tuple(closing_eras.comparison_views(position.compared)),
        "final": tuple(final_count.final_table(position, wish)) if position.stage is GameStage.OVER else (),
        "reminders": _reminders(position),
        "sites": tuple(_sites(position)),
        "ledger": tuple(seats.last_lines(position)),
        "tier": growing.telling_tier(position, wish),
        "shown": _shown(position, wish),
        "legend": title_legend(_titles(position, doing)),
        "blank": dict.fromkeys((*WISHES, *(form.names if form else ()))),
        "room": staying.room_of(wish),
        **FIXED_VIEW,
    }


def _marks(position: Position, shown: Position, wish: Wish) -> Mapping[str, Any]:
    """What is drawn over the map while something is told."""
    return {
        "marked": (*_loci(position), *_sides(shown, wish)),
        "ghosts": _ghosts(shown, wish),
        "outlined": tuple(_outlined(shown, wish)),
    }


def current_panel(
    position: Position, wish: Wish, wizard: closing_eras.EraWizard | None
) -> ActionPanel | None:
    """What can be done now; None when nothing can."""
    if position.held:
        return wizard.hand if wizard else deciding.answer_panel(position, position.held, wish)
    if "check" in wish:
        return checking.checking_panel(position, wish)
    if wish.get("do") == building_sites.TELL_REWARDS and wish.get("key") in position.unpaid:
        return building_sites.rewards_panel(position, wish)
    if wish.get("do") == "card":
        return reading_out.titles_panel(position, wish)
    if wizard:
        return wizard.hand
    if position.stage not in OF_A_TURN:
        return None
    shown = against.overruled_table(position, wish)
    if found := _before(position, wish) or _turn(shown, wish):
        return found
    return (
        spending.turn_menu(position, wish)
        if shown is position
        else against.overruling_menu(position, shown, wish)
    )


def _map_first(position: Position, wish: Wish) -> bool:
    """Whether people tap on the map now, or look at it while they answer."""
    if wish.keys() & {"shown", "why"}:
        return True
    if position.held:
        return position.held.need.ask is QuestionKind.LOCUS
    if position.stage not in OF_A_TURN or wish.keys() & {"check", "look"} or wish.get("do") in AWAY_FROM_MAP:
        return False
    if growing.is_laying(position, wish) or wish.get("do") == "invent":
        return growing.telling_tier(position, wish) == growing.MAP_TIER
    standing = wish.get("do") in ("piece", "monument") and "key" in wish
    return standing or wish.get("do") in ("city", "cradle") or "at" in wish


def _shown(position: Position, wish: Wish) -> frozenset[str]:
    """The territories that somebody asked for, or whose numbers stand beside choices."""
    if "shown" in wish:
        return frozenset(wish["shown"].split(drawing.SHOWN_SEPARATOR))
    return frozenset(map(str, spending.upgradable_cells(position, wish)))


def _titles(position: Position, doing: ActionPanel | None) -> Iterator[Message]:
    """The words that may be titles of cards nobody has read out."""
    yield from (position.title(key) for key in position.sites)
    if doing:
        yield doing.title
        yield from (choice.text for group in doing.groups for choice in group.choices)


def _overruling(position: Position, wish: Wish, doing: ActionPanel | None) -> str:
    """Whether something is told against the rules, and whether a tap would record it."""
    if doing is None or against.overruling_player(position, wish) is None:
        return ""
    records = any(choice.line for group in doing.groups for choice in group.choices)
    return "records" if records else "leads"


def _before(position: Position, wish: Wish) -> ActionPanel | None:
    """What is told before the first turn, or whenever somebody thinks of it."""
    if wish.get("do") == "cradle":
        return pieces_told.cradle_panel(wish)
    if wish.get("do") == "campfire" and wish.get("who", "") in {str(n + 1) for n in range(position.players)}:
        return planted.campfire_panel(position, wish, int(wish["who"]) - 1)
    if wish.get("do") == "order" and not position.begun:
        return deciding.order_panel(position, wish, _("The order of Initiative"), "order")
    if wish.get("do") == "keep":
        return deciding.keeping_panel(position, wish)
    return None


def _turn(position: Position, wish: Wish) -> ActionPanel | None:
    """What was pointed at; None where nothing is, or nothing that is there."""
    do, key = wish.get("do"), wish.get("key", "")
    if read := recolouring.recolouring_panel(position, wish):
        return read
    if do == "piece" and key in position.sites:
        return building_sites.piece_panel(position, wish)
    if do == "trade":
        return trading.trade_panel(position, wish)
    if growing.is_laying(position, wish) or (do == "invent" and position.stage is GameStage.GROWTH):
        found = growing.growth_panel(position, wish)
        folded = growing.telling_tier(position, wish) == growing.LEDGER_TIER
        first = (
            deciding.preparation_groups(position, folded)
            if not (position.begun or do or "at" in wish)
            else ()
        )
        return ActionPanel(found.title, (*found.groups, *first), found.notes, found.back)
    if do == "mastery" and position.stage is not GameStage.DONE:
        known = key in position.cards.masteries and key in position.taught
        return (
            spending.development_panel(position, wish) if known else spending.masteries_panel(position, wish)
        )
    if do == "monument" and position.stage is GameStage.CONSTRUCTION:
        known = key in position.sites and key in position.taught
        return building_sites.piece_panel(position, wish) if known else spending.monuments_panel(position)
    if do == "city" and position.stage is GameStage.CONSTRUCTION:
        return ActionPanel(_("Tap the Field where the City stands"), (), (), leads())
    return spending.field_panel(position, wish)


def map_targets(position: Position, wish: Wish) -> Iterator[TargetView]:
    """What can be tapped on the map."""
    if position.held or position.stage not in OF_A_TURN or "check" in wish or wish.get("do") == "cradle":
        return
    if wish.get("do") in ("monument", "piece"):
        yield from building_sites.piece_targets(position, wish)
        return
    if growing.is_laying(position, wish) or wish.get("do") == "invent":
        yield from growing.territory_targets(position, wish)
        return
    tiles = position.board.tiles
    for cell in growing.free_fields(position, wish.get("dom", "")) if wish.get("do") == "city" else tiles:
        name = _("Field of %(domain)s", domain=DOMAIN_NAMES[tiles[cell].field])
        yield drawing.cell_target(cell, name, leads(at=str(cell), tier=wish.get("tier")), filled=True)


def _outlined(position: Position, wish: Wish) -> Iterator[drawing.OutlineView]:
    """The territory that was tapped, or those among which one is to be tapped."""
    if position.held or position.stage not in OF_A_TURN or "check" in wish:
        return
    cell, do = growing.pointed_cell(wish.get("at", "")), wish.get("do")
    if do in (None, "invent") and cell is not None and cell in position.board.tiles:
        yield drawing.outline_view(cell, chosen=True)
    elif do == "city" and position.stage is GameStage.CONSTRUCTION:
        for free in growing.free_fields(position, wish.get("dom", "")):
            yield drawing.outline_view(free, chosen=False)


def _loci(position: Position) -> Iterator[tuple[int, int, str]]:
    """The circles among which somebody chooses, each with the number of its choice."""
    held = position.held
    if held and held.need.ask is QuestionKind.LOCUS:
        for number, choice in enumerate(held.need.choices, 1):
            if choice.startswith("@"):
                yield (*drawing.on_page(*parse_point(choice)), str(number))


def _sides(position: Position, wish: Wish) -> tuple[tuple[int, int, str], ...]:
    """The sides of a coast, while it is told which of them show a reward."""
    cells = building_sites.half_told_lozenge(position, wish)
    return pieces_told.side_marks(cells) if cells and pieces_told.asks_for_sides(position, wish) else ()


def _told_beside(position: Position, wish: Wish) -> tuple[Cell, ...]:
    """A lozenge that is being told, and the places round it."""
    cells = building_sites.half_told_lozenge(position, wish)
    return (*cells, *cells_beside(frozenset(cells))) if cells else ()


def _ghosts(position: Position, wish: Wish) -> tuple[GhostView, ...]:
    """What is being told of the map, as far as it is told, and the territory that waits for an answer."""
    if position.held:
        lays = position.held.event
        return (
            (drawing.ghost_tile(lays.cell, lays.tile.field + lays.tile.dots),)
            if isinstance(lays, TerritoryLaid)
            else ()
        )
    if read := recolouring.told_colours(position, wish):
        return (drawing.ghost_tile(*read[:2]),)
    if here := growing.told_territory(position, wish):
        return (drawing.ghost_tile(*here),)
    if cells := building_sites.half_told_lozenge(position, wish):
        return pieces_told.lozenge_ghosts(position, wish, cells)
    return pieces_told.cradle_ghosts(wish) if wish.get("do") == "cradle" else ()


def _looked(position: Position, wish: Wish) -> Mapping[str, Any] | None:
    """Somebody's board in full, with every number that changed."""
    text = wish.get("look", "")
    if text not in {str(n + 1) for n in range(position.players)}:
        return None
    player = int(text) - 1
    nodi = position.seats[player].tree.count()
    return {
        "player": player,
        "seat": seats.seat_view(position, player),
        "lines": seats.lines_of_player(position, player),
        "tree": trees_drawn.tree_view(position, position.seats[player].tree, {}),
        "campfire": leads(do="campfire", who=text),
        "nodi": tuple((d.value, DOMAIN_NAMES[d], nodi[d]) for d in Domain),
    }


def _reminders(position: Position) -> tuple[Message, ...]:
    """What cards say in words is due whoever's turn it is: a territory activates Cities of others as well."""
    playing = [position.player] if position.stage in OF_A_TURN else []
    others = [player for player in position.order if player not in playing]
    due = [reminder for player in others for reminder in seats.due_texts(position, player)]
    return (*(reminder for player in playing for reminder in seats.reminders(position, player)), *due)


def _sites(position: Position) -> Iterator[tuple[Message, int, int, int | None, str, Message]]:
    for key, site in position.sites.items():
        title = position.title(key)
        who = None if is_control_uncertain(position, key) else controller(position, key)
        owed = key if key in position.unpaid else ""
        yield title, site.taken, len(position.monument(key).levels), who, owed, Initials("", title=title)
