"""What is told about a game of Dominations: what happened, and what the table is waiting for."""

from __future__ import annotations

from companion.core.game import Remark, Turn
from companion.core.message import Message, listed
from companion.core.message import message as _
from companion.games.dominations import words_of_notation as written
from companion.games.dominations.board import Tile
from companion.games.dominations.box import DOMAIN_NAMES, Amounts, Domain, colour_name
from companion.games.dominations.eras import leader
from companion.games.dominations.events import (
    Achieved,
    Adjusted,
    Advanced,
    Answered,
    Assimilated,
    Built,
    CampfireTold,
    Chosen,
    CityTold,
    Contributed,
    CradleTold,
    Developed,
    Event,
    Kept,
    Laid,
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
    TileTold,
    Traded,
    TurnEnded,
    Upgraded,
)
from companion.games.dominations.position import OF_A_TURN, Ask, Need, Position, Stage
from companion.games.dominations.roles import ROLE_NAMES
from companion.games.dominations.rulings import ANSWER_TEXTS, QUESTION_TEXTS
from companion.games.dominations.steps import EraStep, Track

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
    Stage.GROWTH: _("Lay a territory"),
    Stage.CONSTRUCTION: _("Build a City or a Monument, develop a Mastery, or end the turn"),
    Stage.DEVELOPMENT: _("Develop a Mastery, or end the turn"),
    Stage.DONE: _("End the turn"),
    Stage.EFFECTS: _("End of the Era: the effects of cards"),
    Stage.ASSIMILATION: _("End of the Era: who leads in Influence may assimilate a Mastery"),
    Stage.ROLES: _("End of the Era: determine the Roles"),
    Stage.NEXT: _("End of the Era: begin the next one"),
    Stage.OBJECTIVES: _("End of the game: count the Objectives"),
    Stage.OVER: _("The game is over"),
}


def action(position: Position) -> Message:
    if position.held:
        return question(position, position.held.need)
    if position.stage is Stage.NEXT and position.governor >= 0:
        return _("End of the Era: the Governor determines the order")
    return STAGES[position.stage]


def turn(position: Position) -> Turn:
    """Whose turn it is, or who is asked."""
    player: int | None = position.player if position.stage in OF_A_TURN else None
    if position.stage is Stage.ASSIMILATION:
        player = leader(position)
    if position.stage is Stage.NEXT and position.governor >= 0:
        player = position.governor
    if position.held:
        player = position.held.need.player if position.held.need.player >= 0 else None
    return Turn(action(position), player, position.stage is Stage.OVER and not position.held)


def question(position: Position, need: Need) -> Message:
    match need.ask:
        case Ask.RULING:
            return QUESTION_TEXTS[need.about]
        case Ask.CARD:
            return _("Read out the card “%(card)s”", card=position.title(need.about))
        case Ask.LOCUS:
            return _("Choose which Locus counts")
        case Ask.DOMAINS:
            return _("Choose the Domains of %(count)d Vestigium", count=need.count)


def amounts(found: Amounts) -> Message | str:
    parts = [
        _("%(count)d %(domain)s", count=count, domain=DOMAIN_NAMES[domain]) for domain, count in found.items()
    ]
    return listed(parts) if parts else "–"


def territory(tile: Tile) -> Message:
    """A territory by its colours: where it lies is on the map."""
    dots = listed(map(colour_name, tile.dots))
    return _("a territory of %(field)s (%(dots)s)", field=DOMAIN_NAMES[tile.field], dots=dots)


def describe(event: Event) -> Remark:
    """Who did what, in words."""
    player = getattr(event, "player", None)
    if isinstance(event, Answered):
        choices = ", ".join(event.choices)
        return Remark(
            _("%(deed)s, choosing %(choice)s", deed=describe(event.event).text, choice=choices), player
        )
    return Remark(_turn(event) or _told(event), player)


def _turn(event: Plain) -> Message | None:
    match event:
        case Laid(tile=tile):
            return _("lays %(tile)s", tile=territory(tile))
        case Produced(amounts=found):
            return _("lays a territory: %(amounts)s", amounts=amounts(found))
        case Reactivated(cell=cell):
            return _("reactivates the territory at %(place)s", place=str(cell))
        case Passed():
            return _("lays no territory")
        case Traded(give=give, given=given, get=get, got=got):
            return _("trades %(given)s for %(got)s", given=amounts({give: given}), got=amounts({get: got}))
        case Built(cell=cell):
            return _("builds a City at %(place)s", place=str(cell)) if cell else _("builds a City")
        case Upgraded(cell=cell):
            return _("upgrades the City at %(place)s", place=str(cell)) if cell else _("upgrades a City")
        case Contributed(monument=key):
            return _("builds on the Monument “%(card)s”", card=key)
        case Developed(key=key):
            return _("develops “%(card)s”", card=key)
        case Advanced(key=key):
            return _("turns “%(card)s” over", card=key)
        case TurnEnded():
            return _("ends the turn")
        case Assimilated(key=key):
            return _("assimilates “%(card)s”", card=key) if key else _("assimilates nothing")
    return None


def _told(event: Plain) -> Message:
    match event:
        case Ordered(order):
            return _("The order is %(order)s", order=", ".join(str(player + 1) for player in order))
        case Kept(objective=objective, monument=monument):
            return _("keeps “%(objective)s” and “%(monument)s”", objective=objective, monument=monument)
        case Taught(card):
            return _("The card “%(card)s” is read out", card=card.title)
        case Ruled(about, answer):
            asked = QUESTION_TEXTS.get(about, Message("%(text)s", {"text": about}))
            return _("%(question)s %(answer)s", question=asked, answer=ANSWER_TEXTS.get(answer, answer))
        case Chosen(choice=choice):
            return _("chooses %(choice)s", choice=choice)
        case StepTaken(step):
            return _("End of the Era: %(step)s", step=STEPS[step])
        case Redrawn():
            return _("draws territories again")
        case Achieved(goal=goal, reached=reached):
            return (
                _("has reached goal %(goal)d", goal=goal)
                if reached
                else _("has missed goal %(goal)d", goal=goal)
            )
    return _set_right(event)


def _set_right(event: Plain) -> Message:
    match event:
        case Adjusted(track=track, amount=amount, limit=limit):
            named = DOMAIN_NAMES[track] if isinstance(track, Domain) else TRACK_NAMES[track]
            change = _("%(track)s %(amount)s", track=named, amount=f"{amount:+d}")
            return (
                _("sets a limit right: %(change)s", change=change)
                if limit
                else _("sets right: %(change)s", change=change)
            )
        case RoleTold(role=role, player=player):
            name = ROLE_NAMES.get(role, role)
            return (
                _("has the Role %(role)s", role=name)
                if player is not None
                else _("Nobody has the Role %(role)s", role=name)
            )
        case TileTold(tile=tile):
            return _("On the map: %(tile)s", tile=territory(tile))
        case CityTold(cell=cell):
            return _("has a City at %(place)s", place=str(cell))
        case MonumentTold(monument=key, place=place):
            return _("On the map: %(tile)s at %(place)s", tile=key, place=written.write_place(place)[3:])
        case Rewarded(monument=key, owners=owners):
            who = ", ".join(str(owner + 1) for owner in owners)
            return (
                _("“%(card)s” rewards Cities of %(players)s", card=key, players=who)
                if owners
                else _("“%(card)s” rewards nobody's City", card=key)
            )
        case CradleTold(dots):
            return _("The dots of the Cradle are %(dots)s", dots=listed(map(colour_name, dots)))
        case CampfireTold(halves=halves):
            return _("has the Campfire card %(halves)s", halves=halves)
    raise TypeError(event)
