"""What people should look at: what was done against the rules, and numbers that cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Remark
from companion.core.message import message as _
from companion.core.notation import told
from companion.games.dominations import words
from companion.games.dominations.box import DOMAIN_NAMES, MARKERS, TILES
from companion.games.dominations.events import StepTaken
from companion.games.dominations.position import Position
from companion.games.dominations.steps import EraStep


def problems(position: Position) -> Iterator[Remark]:
    for event in position.overruled:
        remark = words.describe(event)
        because = told(getattr(event, "because", ""))
        text = _("%(deed)s, against the rules: %(why)s", deed=remark.text, why=because)
        if isinstance(event, StepTaken) and event.step is EraStep.NEXT:
            text = _("The Governor determined no order, and it stayed: %(why)s", why=because)
        yield Remark(text, remark.player)
    for held in position.left_open:
        remark, asked = words.describe(held.event), words.question(position, held.need)
        text = _("%(deed)s: nobody answered “%(question)s”", deed=remark.text, question=asked)
        yield Remark(text, remark.player)
    if len(position.board.tiles) > TILES:
        yield Remark(_("There are only %(count)d territories in the box.", count=TILES))
    for key, site in position.sites.items():
        if position.board.tiles and site.taken and site.place is None:
            title = position.title(key)
            yield Remark(_("The piece of “%(card)s” is not on the map: it has paid no rewards.", card=title))
    for player, seat in enumerate(position.seats):
        for domain, amount in seat.knowledge.items():
            if amount > seat.limits[domain] and position.rulings.get("era_end_limit") != "kept":
                name = DOMAIN_NAMES[domain]
                yield Remark(_("There is more %(domain)s than the Reserve holds.", domain=name), player)
        levels = sum(city.level for city in position.cities_of(player))
        if levels + seat.markers != MARKERS:
            yield Remark(
                _("%(count)d City markers are not accounted for.", count=MARKERS - levels - seat.markers),
                player,
            )
