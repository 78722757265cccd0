"""What is told about a game of Dominations: what happened, and what the table is waiting for."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Remark, Turn
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.rules.board import Tile
from companion.games.dominations.rules.box import DOMAIN_NAMES, Amounts, Domain, colour_name
from companion.games.dominations.rules.eras import influence_leader, table_orders
from companion.games.dominations.rules.events import (
    Achieved,
    Adjusted,
    Advanced,
    AnswerChosen,
    Answered,
    Assimilated,
    Built,
    CampfireTold,
    CardsKept,
    CityTold,
    Contributed,
    CradleTold,
    Developed,
    Event,
    MonumentTold,
    Ordered,
    Passed,
    Plain,
    Produced,
    Reactivated,
    Redrawn,
    Rewarded,
    RoleTold,
    Ruled,
    StepTaken,
    Taught,
    TerritoryLaid,
    TileTold,
    Traded,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.placing import TreePlacement
from companion.games.dominations.rules.position import (
    OF_A_TURN,
    GameStage,
    PendingQuestion,
    Position,
    QuestionKind,
)
from companion.games.dominations.rules.roles import ROLE_NAMES
from companion.games.dominations.rules.rulings import ANSWER_TEXTS, QUESTION_TEXTS, ruling_told, settled
from companion.games.dominations.rules.steps import EraStep, Track
from companion.games.dominations.text.here import TableNames, half_nodus_text

STEPS = {
    EraStep.EFFECTS: _("the effects at the end of the Era"),
    EraStep.ROLES: _("the Roles are determined"),
    EraStep.NEXT: _("the next Era begins"),
    EraStep.OBJECTIVES: _("the Objectives are counted"),
}

TRACK_NAMES = {
    Track.INFLUENCE: _("Influence"),
    Track.POINTS: _("points"),
    Track.MARKERS: _("City markers"),
}

STAGES = {
    GameStage.GROWTH: _("Lay a territory"),
    GameStage.CONSTRUCTION: _("Build, develop, or end the turn"),
    GameStage.DEVELOPMENT: _("Develop, or end the turn"),
    GameStage.DONE: _("End the turn"),
    GameStage.EFFECTS: _("End of the Era: the effects of cards"),
    GameStage.ASSIMILATION: _("End of the Era: assimilate a Mastery, or nothing"),
    GameStage.ROLES: _("End of the Era: determine the Roles"),
    GameStage.NEXT: _("End of the Era: begin the next one"),
    GameStage.OBJECTIVES: _("End of the game: count the Objectives"),
    GameStage.OVER: _("The game is over"),
}


NOWHERE = TableNames()


def current_action(position: Position) -> Message:
    if position.held:
        return question_text(position, position.held.need)
    if position.stage is GameStage.NEXT and position.governor >= 0:
        return _("End of the Era: the Governor determines the order")
    if table_orders(position):
        return _("Nobody is Governor: choose the order")
    return STAGES[position.stage]


def turn(position: Position) -> Turn:
    """Whose turn it is, or who is asked."""
    player: int | None = position.player if position.stage in OF_A_TURN else None
    if position.stage is GameStage.ASSIMILATION:
        player = influence_leader(position)
    if position.stage is GameStage.NEXT and position.governor >= 0:
        player = position.governor
    if position.held:
        player = position.held.need.player if position.held.need.player >= 0 else None
    return Turn(current_action(position), player, position.stage is GameStage.OVER and not position.held)


def question_text(position: Position, need: PendingQuestion) -> Message:
    match need.ask:
        case QuestionKind.RULING:
            return QUESTION_TEXTS[need.about]
        case QuestionKind.CARD:
            return _("Read out the card “%(card)s”", card=position.title(need.about))
        case QuestionKind.ORDER:
            return _("Nobody is Governor: choose the order")
        case QuestionKind.LOCUS:
            return _("Choose which Locus counts")
        case QuestionKind.DOMAINS:
            return _n(
                "Which Domain is the Vestigium?", "Which Domains are the %(count)d Vestigium?", need.count
            )


def amounts_text(found: Amounts) -> Message | str:
    parts = [
        _("%(count)d %(domain)s", count=count, domain=DOMAIN_NAMES[domain]) for domain, count in found.items()
    ]
    return joined(parts) if parts else "–"


def territory_by_colours(tile: Tile) -> Message:
    """A territory by its colours: where it lies is on the map."""
    dots = joined(map(colour_name, tile.dots))
    return _("a territory of %(field)s (%(dots)s)", field=DOMAIN_NAMES[tile.field], dots=dots)


def describe(event: Event, here: TableNames = NOWHERE) -> Remark:
    """Who did what, in words; at a table, by the names that its players, cards and territories have there."""
    player = getattr(event, "player", None)
    if isinstance(event, Answered):
        deed = describe(event.event, here)
        return Remark(_answered(deed.text, event.choices, here), player, where=deed.where, whole=deed.whole)
    text = (
        _of_a_turn(event, here)
        or _of_cards(event, here)
        or _of_the_table(event, here)
        or _set_right(event, here)
    )
    if getattr(event, "anew", False):
        text = _("%(deed)s, in a turn of its own", deed=text)
    return Remark(text, player, where=_where(event), whole=_whole(event))


def _answered(deed: Message, words: Sequence[str], here: TableNames) -> Message:
    """What was done, with the answers and the rulings that it brought along."""
    if choices := [here.choice(word) for word in words if not settled(word)]:
        deed = _("%(deed)s, choosing %(choice)s", deed=deed, choice=joined(choices))
    for ruling in filter(None, map(settled, words)):
        deed = _("%(deed)s (%(ruling)s)", deed=deed, ruling=ruling_told(*ruling))
    return deed


def _where(event: Plain) -> tuple[str, ...]:
    """The territory that an event is about, as the map marks it."""
    cell = getattr(event, "cell", None)
    return (str(cell),) if cell is not None else ()


def _whole(event: Plain) -> bool:
    """The words leave out where on the map or in a Tree something lies, which City rises, and what a card says."""
    match event:
        case TerritoryLaid() | TileTold() | CityTold() | MonumentTold() | Upgraded(cell=None) | Taught():
            return False
        case Contributed(place=place, planting=planting):
            return place is None and planting == TreePlacement()
        case Developed(planting=planting) | Assimilated(planting=planting):
            return planting == TreePlacement()
    return True


def _of_a_turn(event: Plain, here: TableNames) -> Message | None:
    match event:
        case TerritoryLaid(tile=tile, cell=cell):
            beside = here.beside_cell(cell)
            if beside is None:
                return _("lays %(tile)s", tile=territory_by_colours(tile))
            return _("lays %(tile)s beside %(place)s", tile=territory_by_colours(tile), place=beside)
        case Produced(amounts=found, old=old):
            deed = _("reactivates a territory: %(amounts)s") if old else _("lays a territory: %(amounts)s")
            return _with_exchange(Message(deed.text, {"amounts": amounts_text(found)}), event, here)
        case Reactivated(cell=cell):
            return _("reactivates %(territory)s", territory=here.territory(cell))
        case Passed():
            return _("lays no territory")
        case Traded(give=give, given=given, get=get, got=got):
            return _(
                "trades %(given)s for %(got)s",
                given=amounts_text({give: given}),
                got=amounts_text({get: got}),
            )
        case Built(cell=None, domain=domain):
            return _("builds a City of %(domain)s", domain=_domain(domain))
        case Built(cell=Cell() as cell):
            return _("builds a City on %(territory)s", territory=here.territory(cell))
        case Upgraded(cell=None, domain=domain):
            return _("upgrades a City of %(domain)s", domain=_domain(domain))
        case Upgraded(cell=Cell() as cell):
            return _("upgrades the City on %(territory)s", territory=here.territory(cell))
        case TurnEnded():
            return _("ends the turn")
        case Redrawn():
            return _("draws territories again")
    return None


def _with_exchange(deed: Message, event: Produced, here: TableNames) -> Message:
    """Everybody who gained by a territory, with how much."""
    gained = [
        _("%(player)s %(amounts)s", player=here.who((player,)), amounts=amounts_text(found))
        for player, found in event.others
    ]
    return _("%(deed)s; Exchange: %(gained)s", deed=deed, gained=joined(gained)) if gained else deed


def _domain(domain: Domain | None) -> Message | str:
    return DOMAIN_NAMES[domain] if domain else "?"


def _of_cards(event: Plain, here: TableNames) -> Message | None:
    match event:
        case Contributed(monument=key):
            return _("builds on the Monument “%(card)s”", card=here.card(key))
        case Developed(key=key):
            return _("develops “%(card)s”", card=here.card(key))
        case Advanced(key=key):
            return _("turns “%(card)s” over", card=here.card(key))
        case Assimilated(key=""):
            return _("assimilates nothing")
        case Assimilated(key=key):
            return _("assimilates “%(card)s”", card=here.card(key))
        case CardsKept(objective=objective, monument=monument):
            cards = {"objective": here.card(objective), "monument": here.card(monument)}
            return _("keeps “%(objective)s” and “%(monument)s”", **cards)
        case Taught(card):
            return _("The card “%(card)s” is read out", card=card.title)
        case MonumentTold(monument=key, place=place):
            return _("The piece of “%(card)s”: %(where)s", card=here.card(key), where=here.beside(key, place))
        case Rewarded(monument=key, owners=()):
            return _("“%(card)s” rewards nobody's City", card=here.card(key))
        case Rewarded(monument=key, owners=owners):
            return _(
                "“%(card)s” rewards Cities of %(players)s", card=here.card(key), players=here.who(owners)
            )
        case CampfireTold(halves=halves):
            return _("has the Campfire card %(halves)s", halves=joined(map(half_nodus_text, halves)))
    return None


def _of_the_table(event: Plain, here: TableNames) -> Message | None:
    match event:
        case Ordered(order):
            return _("The order is %(order)s", order=here.who(order))
        case Ruled(about, answer):
            asked = QUESTION_TEXTS.get(about, Message("%(text)s", {"text": about}))
            return _("%(question)s %(answer)s", question=asked, answer=ANSWER_TEXTS.get(answer, answer))
        case AnswerChosen(choice=choice):
            return _("chooses %(choice)s", choice=here.choice(choice))
        case StepTaken(step):
            return _("End of the Era: %(step)s", step=STEPS[step])
        case Achieved(goal=goal, reached=True):
            return _("has reached goal %(goal)d", goal=goal)
        case Achieved(goal=goal):
            return _("has missed goal %(goal)d", goal=goal)
    return None


def _set_right(event: Plain, here: TableNames) -> Message:
    match event:
        case Adjusted(track=track, amount=amount, limit=limit):
            named = DOMAIN_NAMES[track] if isinstance(track, Domain) else TRACK_NAMES[track]
            change = _("%(track)s %(amount)s", track=named, amount=f"{amount:+d}")
            return (
                _("sets a limit right: %(change)s", change=change)
                if limit
                else _("sets right: %(change)s", change=change)
            )
        case RoleTold(role=role, player=None):
            return _("Nobody has the Role %(role)s", role=ROLE_NAMES.get(role, role))
        case RoleTold(role=role):
            return _("has the Role %(role)s", role=ROLE_NAMES.get(role, role))
        case TileTold(tile=tile):
            return _("On the map: %(tile)s", tile=territory_by_colours(tile))
        case CityTold(cell=cell):
            return _("has a City on %(territory)s", territory=here.territory(cell))
        case CradleTold(dots):
            return _("The dots of the Cradle are %(dots)s", dots=joined(map(colour_name, dots)))
    raise TypeError(event)
