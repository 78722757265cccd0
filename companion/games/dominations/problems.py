"""What people should look at: what was done against the rules, and numbers that cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Remark
from companion.core.message import message as _
from companion.core.notation import told
from companion.games.dominations import building_sites, effect_words, growing, words
from companion.games.dominations.box import DOMAIN_NAMES, MARKERS, TILES
from companion.games.dominations.events import StepTaken
from companion.games.dominations.here import Here
from companion.games.dominations.judging import untold
from companion.games.dominations.position import OF_A_TURN, Position
from companion.games.dominations.steps import EraStep


def problems(position: Position) -> Iterator[Remark]:
    here = Here(position)
    for event in position.overruled:
        remark = words.describe(event, here)
        because = told(getattr(event, "because", ""))
        text = _("%(deed)s, against the rules: %(why)s", deed=remark.text, why=because)
        if isinstance(event, StepTaken) and event.step is EraStep.NEXT:
            text = _(
                "The next Era began, and the Governor's order or a step before it was never told: %(why)s",
                why=because,
            )
        yield Remark(text, remark.player, where=remark.where)
    for held in position.left_open:
        remark, asked = words.describe(held.event, here), words.question(position, held.need)
        text = _("%(deed)s: nobody answered “%(question)s”", deed=remark.text, question=asked)
        yield Remark(text, remark.player, where=remark.where)
    if len(position.board.tiles) > TILES:
        yield Remark(_("There are only %(count)d territories in the box.", count=TILES))
    for key, site in position.sites.items():
        title = position.title(key)
        if key in position.unpaid:
            text = _(
                "“%(card)s” has not rewarded Cities that no map showed beside it: tell whose.", card=title
            )
            yield Remark(text, told_at=(("do", building_sites.REWARDS), ("key", key)))
        elif position.board.tiles and site.taken and site.place is None:
            text = _("The piece of “%(card)s” is not on the map: it has paid no rewards.", card=title)
            there = (("do", "piece"), ("key", key), ("tier", growing.MAP))
            yield Remark(text, told_at=there if position.stage in OF_A_TURN else ())
    yield from _untold(position)
    for player, seat in enumerate(position.seats):
        for card in seat.tree.cards[1:]:
            if card.spot is None and not card.nodi:
                title = position.title(card.key)
                text = _("Nobody has told which Nodi “%(card)s” makes: it makes one at least.", card=title)
                yield Remark(text, player)
        for domain, amount in seat.knowledge.items():
            if amount > seat.limits[domain] and position.rulings.get("era_end_limit") != "kept":
                name = DOMAIN_NAMES[domain]
                text = _("There is more %(domain)s than the Reserve holds.", domain=name)
                yield Remark(text, player, told_at=_check(player))
        levels = sum(city.level for city in position.cities_of(player))
        if levels + seat.markers != MARKERS:
            yield Remark(
                _("%(count)d City markers are not accounted for.", count=MARKERS - levels - seat.markers),
                player,
                told_at=_check(player),
            )


def _check(player: int) -> tuple[tuple[str, str], ...]:
    return (("check", str(player + 1)),)


def _untold(position: Position) -> Iterator[Remark]:
    """Before the final count, and after it: what was counted without them may be wrong."""
    for player in range(position.players if position.last_turn_over else 0):
        for number, goal in untold(position, player):
            text = _(
                "Nobody has said whether goal %(number)d is reached, and it cannot be counted: %(goal)s",
                number=number,
                goal=effect_words.goal_text(goal, position.title),
            )
            yield Remark(text, player, told_at=(("look", str(player + 1)),))
