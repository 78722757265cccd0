"""The exchange of Knowledge as it is tapped."""

from __future__ import annotations

from companion.core.message import message as _
from companion.games.dominations.page.choices import (
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    leads,
    printed_text,
)
from companion.games.dominations.rules.box import DOMAIN_NAMES, Domain
from companion.games.dominations.rules.events import Traded
from companion.games.dominations.rules.gains import trade_rate
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import write_event


def trade_panel(position: Position, wish: Wish) -> ActionPanel:
    """Two of one Domain for one of another, as often as one likes."""
    player, give, back = position.player, wish.get("give", ""), leads()
    knowledge = position.seats[player].knowledge
    if give not in [*Domain]:
        found = [
            Action(
                DOMAIN_NAMES[domain],
                to=leads(do="trade", give=domain.value),
                domain=domain.value,
                number=str(amount),
            )
            for domain, amount in knowledge.items()
            if amount >= trade_rate(position, player, domain)
        ]
        notes = () if found else (_("There is not enough of any Domain."),)
        return ActionPanel(
            _("Which Knowledge is given?"), (ActionGroup(tuple(found), None, "grid"),), notes, back
        )
    gives = Domain(give)
    each, text = trade_rate(position, player, gives), wish.get("times", "1")
    most = knowledge[gives] // each
    times = max(1, min(int(text) if text.isdecimal() else 1, most))
    tabs = tuple(
        Action(printed_text(str(n * each)), to=leads(do="trade", give=give, times=str(n)), chosen=n == times)
        for n in range(1, most + 1)
    )
    gets = tuple(
        Action(
            DOMAIN_NAMES[domain],
            line=write_event(Traded(player, gives, times * each, domain, times)),
            domain=domain.value,
            number=f"+{times}",
        )
        for domain in Domain
        if domain is not gives
    )
    title = _("%(count)d %(domain)s for …", count=times * each, domain=DOMAIN_NAMES[gives])
    return ActionPanel(
        title, (ActionGroup(tabs, None, "people"), ActionGroup(gets, None, "grid")), (), leads(do="trade")
    )
