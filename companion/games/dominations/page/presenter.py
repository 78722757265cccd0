"""The page of Dominations put together: the map, everybody's boards, and what can be done now.

`page(position, wish)` gives the values that `templates/dominations` draw; `wish` is the address, and nothing
else is remembered. Against the rules, the table is offered as if it were anybody's turn and phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page import boards, card_form, construction, elements, eras, growth
from companion.games.dominations.page.elements import (
    WISHES,
    Action,
    ActionPanel,
    GhostView,
    TargetView,
    Wish,
    group,
    leads,
    panel,
    player_action,
    told_player,
)
from companion.games.dominations.page.growth import DRAW_OLD
from companion.games.dominations.rules.box import DOMAIN_NAMES, ERAS, SHORT_NAMES, TURNS, Domain
from companion.games.dominations.rules.cards import Initials, title_legend
from companion.games.dominations.rules.eras import controller, is_control_uncertain
from companion.games.dominations.rules.events import TerritoryLaid, TurnEnded
from companion.games.dominations.rules.lattice import cells_beside, parse_point
from companion.games.dominations.rules.position import NOBODY, OF_A_TURN, GameStage, Position, QuestionKind
from companion.games.dominations.text.box_file import write_box
from companion.games.dominations.text.notation import write_event

AT_THE_BEGINNING = (growth.LAY_AGAINST, "invent")
"""What else would be told at the beginning of a turn alone."""


def overruling_player(position: Position, wish: Wish) -> int | None:
    """Who did something against the rules; None while the rules hold."""
    elsewhere = "check" in wish or wish.get("do") in ("card", "keep", "cradle", "campfire", growth.DRAW_OLD)
    if position.held or elsewhere or position.stage not in OF_A_TURN:
        return None
    return told_player(position, wish.get("against"))


def overruled_table(position: Position, wish: Wish) -> Position:
    """The table as the page offers things on it: against the rules, as if it were that player's turn and phase."""
    player = overruling_player(position, wish)
    if player is None:
        return position
    stage = GameStage.GROWTH if wish.get("do") in AT_THE_BEGINNING else GameStage.CONSTRUCTION
    return replace(position, player=player, stage=stage)


def overruling_menu(position: Position, shown: Position, wish: Wish) -> ActionPanel:
    """Everything that can be told at any time, with a reason."""
    people = (
        player_action(n, to=leads(), against=str(n + 1), chosen=n == shown.player)
        for n in range(position.players)
    )
    first = (
        Action(_("A territory"), to=leads(do=growth.LAY_AGAINST, tier=wish.get("tier"))),
        Action(_("Reactivate a territory"), to=leads(do="invent", tier=wish.get("tier"))),
    )
    last = []
    if shown.player == position.player:
        last.append(Action(_("Exchange of Knowledge"), to=leads(do="trade")))
        if position.stage is GameStage.GROWTH:
            last.append(Action(_("End the turn"), line=write_event(TurnEnded(position.player))))
    return panel(
        _("Against the rules"),
        group(people, None, "people"),
        group(first, _("Growth")),
        *construction.construction_groups(shown, wish),
        group((Action(_("A Mastery"), to=leads(do="mastery")),), _("Development")),
        *(group((each,)) for each in last),
        notes=(_("Each of these is recorded with your reason, and named among what is odd."),),
        back=leads(),
    )


CHECK_ROOM = "check"


def room_of(position: Position, wish: Wish, form: card_form.FormView | None) -> str:
    """Where the next page begins, whatever is recorded on this one."""
    if form and (keeping := card_form.keeping_room(position, wish, form)):
        return keeping
    if CHECK_ROOM in wish:
        return f"{CHECK_ROOM}{wish[CHECK_ROOM]}"
    return DRAW_OLD if wish.get("do") == DRAW_OLD else ""


def on_entering(position: Position, wish: Wish) -> Wish:
    """The wishes of whoever has recorded something and stays; any other wish leads out of there."""
    stays = wish.get("room", "")
    if wish.keys() & {*WISHES} != {"room"}:
        return wish
    if stays.startswith(CHECK_ROOM):
        return {**wish, CHECK_ROOM: stays.removeprefix(CHECK_ROOM)}
    if kept := card_form.kept_again(position, stays):
        return {**wish, **kept}
    return {**wish, "do": DRAW_OLD} if stays == DRAW_OLD else wish


EXAMPLE = "1 lays T:TCR at 0,0d"
AWAY_FROM_MAP = ("card", "keep", "order", "trade", "mastery", "campfire")
"""What is told without a look at the map."""
FIXED_VIEW: Mapping[str, Any] = {
    "eras": ERAS,
    "turns": TURNS,
    "lines_shown": boards.LINES_SHOWN,
    "domains": {domain.value: DOMAIN_NAMES[domain] for domain in Domain},
    "short": {domain.value: SHORT_NAMES[domain] for domain in Domain},
    "example": EXAMPLE,
}
"""What every page has, whatever has happened."""


def page(position: Position, wish: Wish) -> Mapping[str, Any]:
    position, wish = growth.retold_table(position, wish), on_entering(position, wish)
    shown = overruled_table(position, wish)
    wizard = eras.era_wizard(position, wish)
    form = card_form.form_view(position, wish)
    doing = None if form else current_panel(position, wish, wizard)
    acting = position.held.need.player if position.held else position.player
    cells = construction.half_told_lozenge(shown, wish) or ()
    return {
        "era": position.era,
        "round": position.round,
        "order": position.order,
        "stage": position.stage.value,
        "active": acting if acting != NOBODY and position.stage in OF_A_TURN else None,
        "seats": tuple(boards.seat_view(position, player) for player in range(position.players)),
        "tiles": tuple(elements.tile_views(position)),
        "pieces": tuple(elements.piece_views(position)),
        "bounds": elements.map_bounds(
            position, (*growth.free_places(shown, wish), *cells, *cells_beside(frozenset(cells)))
        ),
        "mapless": not position.board.tiles and growth.telling_tier(position, wish) == growth.LEDGER_TIER,
        "map_first": _map_first(shown, wish),
        "targets": tuple(map_targets(shown, wish)),
        "marked": (
            *_loci(position),
            *(construction.side_marks(cells) if cells and construction.asks_for_sides(shown, wish) else ()),
        ),
        "ghosts": _ghosts(shown, wish),
        "outlined": tuple(_outlined(shown, wish)),
        "form": form,
        "hand": doing,
        "just_read": partial(construction.read_card_groups, position),
        "against": _overruling(position, wish, doing),
        "wizard": None
        if form or "check" in wish or wish.get("do") in ("card", construction.TELL_REWARDS)
        else wizard,
        "look": _looked(position, wish),
        "compared": tuple(eras.comparison_views(position.compared)),
        "final": tuple(eras.final_table(position, wish)) if position.stage is GameStage.OVER else (),
        "reminders": _reminders(position),
        "sites": tuple(_sites(position)),
        "box_file": write_box(position) if wish.get("do") == "card" and not form else "",
        "ledger": tuple(boards.last_lines(position)),
        "tier": growth.telling_tier(position, wish),
        "shown": _shown(position, wish),
        "legend": title_legend(_titles(position, doing)),
        "blank": dict.fromkeys((*WISHES, *(form.names if form else ()))),
        "room": room_of(position, wish, form),
        **FIXED_VIEW,
    }


def current_panel(position: Position, wish: Wish, wizard: eras.EraWizard | None) -> ActionPanel | None:
    """What can be done now; None when nothing can."""
    if position.held:
        return wizard.hand if wizard else eras.answer_panel(position, position.held, wish)
    if "check" in wish:
        return boards.checking_panel(position, wish)
    if wish.get("do") == construction.TELL_REWARDS and wish.get("key") in position.unpaid:
        return construction.rewards_panel(position, wish)
    if wish.get("do") == "card":
        return card_form.titles_panel(position, wish)
    if wizard:
        return wizard.hand
    if position.stage not in OF_A_TURN:
        return None
    shown = overruled_table(position, wish)
    if found := _before(position, wish) or _turn(shown, wish):
        return found
    return (
        construction.turn_menu(position, wish)
        if shown is position
        else overruling_menu(position, shown, wish)
    )


def _map_first(position: Position, wish: Wish) -> bool:
    """Whether people tap on the map now, or look at it while they answer."""
    if wish.keys() & {"shown", "why"}:
        return True
    if position.held:
        return position.held.need.ask is QuestionKind.LOCUS
    if position.stage not in OF_A_TURN or wish.keys() & {"check", "look"} or wish.get("do") in AWAY_FROM_MAP:
        return False
    if growth.is_laying(position, wish) or wish.get("do") == "invent":
        return growth.telling_tier(position, wish) == growth.MAP_TIER
    standing = wish.get("do") in ("piece", "monument") and "key" in wish
    return standing or wish.get("do") in ("city", "cradle") or "at" in wish


def _shown(position: Position, wish: Wish) -> frozenset[str]:
    """The territories that somebody asked for, or whose numbers stand beside choices."""
    if "shown" in wish:
        return frozenset(wish["shown"].split(elements.SHOWN_SEPARATOR))
    if position.stage in OF_A_TURN and (doubtful := growth.doubtful_places(position, wish)):
        return frozenset(str(cell) for _city, cell in doubtful)
    return frozenset(map(str, construction.upgradable_cells(position, wish)))


def _titles(position: Position, doing: ActionPanel | None) -> Iterator[Message]:
    """The words that may be titles of cards nobody has read out."""
    yield from (position.title(key) for key in position.sites)
    if doing:
        yield doing.title
        yield from (choice.text for each in doing.groups for choice in each.choices)


def _overruling(position: Position, wish: Wish, doing: ActionPanel | None) -> str:
    """Whether something is told against the rules, and whether a tap would record it."""
    if doing is None or overruling_player(position, wish) is None:
        return ""
    records = any(choice.line for each in doing.groups for choice in each.choices)
    return "records" if records else "leads"


def _before(position: Position, wish: Wish) -> ActionPanel | None:
    """What is told before the first turn, or whenever somebody thinks of it."""
    if wish.get("do") == "cradle":
        return construction.cradle_panel(wish)
    who = told_player(position, wish.get("who"))
    if wish.get("do") == "campfire" and who is not None:
        return construction.campfire_panel(position, wish, who)
    if wish.get("do") == "order" and not position.begun:
        return eras.order_panel(position, wish, _("The order of Initiative"), "order")
    if wish.get("do") == "keep":
        return eras.keeping_panel(position, wish)
    return None


def _turn(position: Position, wish: Wish) -> ActionPanel | None:
    """What was pointed at; None where nothing is, or nothing that is there."""
    do, key = wish.get("do"), wish.get("key", "")
    if told := growth.recolouring_panel(position, wish):
        return told
    if growth.waits_for_cradle(position, wish):
        note = _("What is joined to the Cradle brings its dots as well, and nobody has told them yet.")
        back = leads(do=do, tier=wish.get("tier"))
        return panel(_("The dots of the Cradle"), *construction.cradle_ways(), notes=(note,), back=back)
    if do == "piece" and key in position.sites:
        return construction.piece_panel(position, wish)
    if do == "trade":
        return construction.trade_panel(position, wish)
    if doubtful := growth.doubtful_places(position, wish):
        return construction.doubtful_panel(position, wish, doubtful)
    if asked := growth.late_question(position, wish):
        return asked
    if growth.is_laying(position, wish) or (do == "invent" and growth.may_reactivate(position)):
        found = growth.growth_panel(position, wish)
        folded = growth.telling_tier(position, wish) == growth.LEDGER_TIER
        first = (
            eras.preparation_groups(position, folded) if not (position.begun or do or "at" in wish) else ()
        )
        if not do and "at" not in wish:
            again = growth.redraw_group(position)
            if folded and first:
                first = (replace(first[0], choices=(*first[0].choices, *again.choices)),)
            elif again.choices:
                first = (*first, again)
        return replace(found, groups=(*found.groups, *first))
    if do == "mastery" and position.stage is not GameStage.DONE:
        known = key in position.cards.masteries and key in position.taught
        return (
            construction.development_panel(position, wish)
            if known
            else construction.masteries_panel(position, wish)
        )
    if do == "monument" and position.stage is GameStage.CONSTRUCTION:
        known = key in position.sites and key in position.taught
        return (
            construction.piece_panel(position, wish)
            if known
            else construction.monuments_panel(position, wish)
        )
    if do == "city" and position.stage is GameStage.CONSTRUCTION:
        off_map = construction.off_the_map(position, wish)
        return panel(_("Tap the Field where the City stands"), group(off_map), back=leads())
    return construction.field_panel(position, wish)


def map_targets(position: Position, wish: Wish) -> Iterator[TargetView]:
    """What can be tapped on the map."""
    if position.held or position.stage not in OF_A_TURN or "check" in wish or wish.get("do") == "cradle":
        return
    if wish.get("do") in ("monument", "piece"):
        yield from construction.piece_targets(position, wish)
        return
    if growth.doubtful_places(position, wish):
        return
    if growth.is_laying(position, wish) or wish.get("do") == "invent":
        yield from growth.territory_targets(position, wish)
        return
    tiles = position.board.tiles
    for cell in growth.free_fields(position, wish.get("dom", "")) if wish.get("do") == "city" else tiles:
        name = _("Field of %(domain)s", domain=DOMAIN_NAMES[tiles[cell].field])
        yield elements.cell_target(cell, name, leads(at=str(cell), tier=wish.get("tier")), filled=True)


def _outlined(position: Position, wish: Wish) -> Iterator[elements.OutlineView]:
    """The territory that was tapped, or those among which one is to be tapped."""
    if position.held or position.stage not in OF_A_TURN or "check" in wish:
        return
    cell, do = growth.pointed_cell(wish.get("at", "")), wish.get("do")
    if do in (None, "invent") and cell is not None and cell in position.board.tiles:
        yield elements.outline_view(cell, chosen=True)
    elif do == "city" and position.stage is GameStage.CONSTRUCTION:
        for free in growth.free_fields(position, wish.get("dom", "")):
            yield elements.outline_view(free, chosen=False)


def _loci(position: Position) -> Iterator[tuple[int, int, str]]:
    """The circles among which somebody chooses, each with the number of its choice."""
    held = position.held
    if held and held.need.ask is QuestionKind.LOCUS:
        for number, choice in enumerate(held.need.choices, 1):
            if choice.startswith("@"):
                yield (*elements.on_page(*parse_point(choice)), str(number))


def _ghosts(position: Position, wish: Wish) -> tuple[GhostView, ...]:
    """What is being told of the map, as far as it is told, and the territory that waits for an answer."""
    if position.held:
        lays = position.held.event
        here = (lays.cell, lays.tile.field + lays.tile.dots) if isinstance(lays, TerritoryLaid) else None
    elif told := growth.told_colours(position, wish):
        here = told[:2]
    else:
        here = growth.told_territory(position, wish)
    if here:
        cell, letters = here
        return (elements.ghost_view(cell, letters[:1], letters[1:], 0 < len(letters) < 4),)
    if cells := construction.half_told_lozenge(position, wish):
        return construction.lozenge_ghosts(position, wish, cells)
    return construction.cradle_ghosts(wish) if wish.get("do") == "cradle" else ()


def _looked(position: Position, wish: Wish) -> Mapping[str, Any] | None:
    """Somebody's board in full, with every number that changed."""
    player = told_player(position, wish.get("look"))
    if player is None:
        return None
    nodi = position.seats[player].tree.count()
    return {
        "player": player,
        "seat": boards.seat_view(position, player),
        "lines": boards.lines_of_player(position, player),
        "tree": elements.tree_view(position, position.seats[player].tree, {}),
        "campfire": leads(do="campfire", who=wish["look"]),
        "nodi": tuple((d.value, DOMAIN_NAMES[d], nodi[d]) for d in Domain),
    }


def _reminders(position: Position) -> tuple[Message, ...]:
    """What cards say in words is due whoever's turn it is: a territory activates Cities of others as well."""
    playing = [position.player] if position.stage in OF_A_TURN else []
    others = [player for player in position.order if player not in playing]
    due = [reminder for player in others for reminder in boards.due_texts(position, player)]
    return (*(reminder for player in playing for reminder in boards.reminders(position, player)), *due)


def _sites(position: Position) -> Iterator[tuple[Message, int, int, int | None, str, Message]]:
    for key, site in position.sites.items():
        title = position.title(key)
        who = None if is_control_uncertain(position, key) else controller(position, key)
        owed = key if key in position.unpaid else ""
        yield title, site.taken, len(position.monument(key).levels), who, owed, Initials("", title=title)
