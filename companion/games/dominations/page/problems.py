"""What people should look at: what was done against the rules, and numbers that cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Remark
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.notation import told_reason
from companion.games.dominations.page import construction, growth
from companion.games.dominations.rules.box import (
    DOMAIN_NAMES,
    MARKERS,
    TILES,
    UNKNOWN,
    OpenQuestion,
    ruling_told,
)
from companion.games.dominations.rules.construction import rewards_left
from companion.games.dominations.rules.eras import contradicted_goals, goals_count, untold_goals
from companion.games.dominations.rules.events import EraStep, StepTaken
from companion.games.dominations.rules.position import OF_A_TURN, Missing, Position
from companion.games.dominations.text import words
from companion.games.dominations.text.words import TableNames, goal_text


def problems(position: Position) -> Iterator[Remark]:
    here = TableNames(position)
    yield from _overruled(position, here)
    yield from _asked_for_nothing(position, here)
    if len(position.board.tiles) > TILES:
        yield Remark(_("There are only %(count)d territories in the box.", count=TILES))
    yield from _cradle(position)
    yield from _pieces_untold(position)
    for key in position.sites:
        yield from _monument(position, key)
    yield from _without_a_place(position)
    for player in range(position.players):
        yield from _goals(position, player)
    for player in range(position.players):
        yield from _pieces(position, player)


def _overruled(position: Position, here: TableNames) -> Iterator[Remark]:
    for event in position.overruled:
        remark = words.describe(event, here)
        because = told_reason(getattr(event, "because", ""))
        text = _("%(deed)s, against the rules: %(why)s", deed=remark.text, why=because)
        if isinstance(event, StepTaken) and event.step is EraStep.NEXT:
            text = _(
                "The next Era began, and the Governor's order or a step before it was never told: %(why)s",
                why=because,
            )
        if getattr(event, "anew", False):
            text = _(
                "%(deed)s: another player's turn before it was never told: %(why)s",
                deed=remark.text,
                why=because,
            )
        yield Remark(text, remark.player, where=remark.where)


def _asked_for_nothing(position: Position, here: TableNames) -> Iterator[Remark]:
    """What was never answered, and what could not happen by the answer."""
    for held in position.left_open:
        remark, asked = words.describe(held.event, here), words.question_text(position, held.need)
        text = _("%(deed)s: nobody answered “%(question)s”", deed=remark.text, question=asked)
        yield Remark(text, remark.player, where=remark.where)
    for dropped in position.dropped:
        remark = words.describe(dropped.event, here)
        text = _("%(deed)s: it does not count. %(reason)s", deed=remark.text, reason=dropped.reason)
        if by := dropped.by:
            text = _(
                "%(deed)s: it does not count by a ruling (%(ruling)s). %(reason)s",
                deed=remark.text,
                ruling=ruling_told(OpenQuestion(by.question), by.answer),
                reason=dropped.reason,
            )
        yield Remark(text, remark.player, where=remark.where)


def _cradle(position: Position) -> Iterator[Remark]:
    """Rulebook 004, "Fase de Crescimento": the dots of a joined side count, those of the Cradle as well."""
    lines = [line for line in position.lines if line.without is Missing.CRADLE]
    if lines:
        where = tuple(dict.fromkeys(place for line in lines for place in line.where))
        told = () if UNKNOWN not in position.board.cradle and position.board.cradle else (("do", "cradle"),)
        text = _(
            "Territories beside the Cradle were counted without its dots, which nobody had told: they may have"
            " brought more. Check the boards."
        )
        yield Remark(text, where=where, told_at=told or (("check", str(lines[0].player + 1)),))


def _pieces_untold(position: Position) -> Iterator[Remark]:
    lines = [line for line in position.lines if line.without is Missing.PIECE]
    if lines:
        where = tuple(dict.fromkeys(place for line in lines for place in line.where))
        text = _(
            "Territories beside a Monument were counted without its resources, which nobody had told: they may have"
            " brought more. Check the boards."
        )
        yield Remark(text, where=where, told_at=_check(lines[0].player))


def _monument(position: Position, key: str) -> Iterator[Remark]:
    site, title = position.sites[key], position.title(key)
    if key in position.unpaid:
        text = _("“%(card)s” has not rewarded Cities that no map showed beside it: tell whose.", card=title)
        yield Remark(text, told_at=(("do", construction.TELL_REWARDS), ("key", key)))
    elif position.board.tiles and site.taken and site.place is None:
        text = _("The piece of “%(card)s” is not on the map: it has paid no rewards.", card=title)
        there = (("do", "piece"), ("key", key), ("tier", growth.MAP_TIER))
        yield Remark(text, told_at=there if position.stage in OF_A_TURN else ())
    for player in sorted({*site.rewarded}):
        if rewards_left(position, key, player) < 0:
            text = _("“%(card)s” has rewarded more Cities than the map shows beside it.", card=title)
            yield Remark(text, player)


def _without_a_place(position: Position) -> Iterator[Remark]:
    """Rulebook 004, "Intercâmbio": whose Field is joined, the map alone can say."""
    for owner, domain in dict.fromkeys(
        (city.owner, city.domain) for city in position.cities if not city.cell
    ):
        if fields := growth.free_fields(position, domain):
            text = _(
                "A City of %(domain)s has no place on the map: nothing that is laid there pays for it. Tap its Field.",
                domain=DOMAIN_NAMES[domain],
            )
            there = (("at", str(fields[0])),) if len(fields) == 1 else ()
            yield Remark(text, owner, told_at=(*there, ("tier", growth.MAP_TIER)))


def _pieces(position: Position, player: int) -> Iterator[Remark]:
    """Cards, sliders and markers of one player."""
    seat = position.seats[player]
    for card in seat.tree.cards[1:]:
        if card.spot is None and not card.nodi:
            title = position.title(card.key)
            text = _("Nobody has told which Nodi “%(card)s” makes: it makes one at least.", card=title)
            yield Remark(text, player)
    for domain, amount in seat.knowledge.items():
        if amount > seat.limits[domain] and position.rulings.get(OpenQuestion.ERA_END_LIMIT) != "kept":
            name = DOMAIN_NAMES[domain]
            text = _("There is more %(domain)s than the Reserve holds.", domain=name)
            yield Remark(text, player, told_at=_check(player))
    lost = MARKERS - seat.markers - sum(city.level for city in position.cities_of(player))
    if lost:
        text = _("City markers that are not accounted for: %(count)d.", count=lost)
        yield Remark(text, player, told_at=_check(player))


def _goals(position: Position, player: int) -> Iterator[Remark]:
    """Before the final count, and after it: what was counted without them may be wrong."""
    seat = position.seats[player]
    if position.last_turn_over and not seat.objective and goals_count(position, player) is None:
        text = _("Nobody has said how many goals of the Objective are reached.")
        yield Remark(text, player, told_at=_goals_of(player))
    for number, goal in untold_goals(position, player) if position.last_turn_over else ():
        text = _(
            "Nobody has said whether goal %(number)d is reached, and it cannot be counted: %(goal)s",
            number=number,
            goal=goal_text(goal, position.title),
        )
        yield Remark(text, player, told_at=_goals_of(player))
    for number, goal in contradicted_goals(position, player):
        wrong = (
            _("Goal %(number)d is marked as reached, and by the count it is not: %(goal)s")
            if number in position.seats[player].achieved
            else _("Goal %(number)d is marked as missed, and by the count it is reached: %(goal)s")
        )
        text = Message(wrong.text, {"number": number, "goal": goal_text(goal, position.title)})
        yield Remark(text, player, told_at=_goals_of(player))


def _check(player: int) -> tuple[tuple[str, str], ...]:
    return (("check", str(player + 1)),)


def _goals_of(player: int) -> tuple[tuple[str, str], ...]:
    return (("look", str(player + 1)),)
