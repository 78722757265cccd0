"""What the counter of a turn comes to for each of the 51 kingdom cards, played first by player 1 of three."""

from __future__ import annotations

from typing import NamedTuple


class Counted(NamedTuple):
    """A card, what else its player holds, what happens, and Actions, Buys, Coins left and cards drawn."""

    card: str
    others: str
    story: str
    counter: tuple[int, int, int, int]


def _rows() -> tuple[Counted, ...]:
    rows = []
    for line in _TABLE.strip().splitlines():
        card, others, story, result = (cell.strip() for cell in line.split("|"))
        actions, buys, coins, cards = map(int, result.split())
        rows.append(Counted(card, others, story, (actions, buys, coins, cards)))
    return tuple(rows)


_TABLE = """
artisan        |               | 1 plays artisan / 1 gains market                               | 0 1 0 0
bandit         |               | 1 plays bandit / 2 trashes nothing / 3 trashes nothing         | 0 1 0 0
bureaucrat     |               | 1 plays bureaucrat                                             | 0 1 0 0
cellar         |               | 1 plays cellar / 1 counts 3                                    | 1 1 0 3
chapel         |               | 1 plays chapel / 1 trashes estate estate copper                | 0 1 0 0
council_room   |               | 1 plays council_room                                           | 0 2 0 4
festival       |               | 1 plays festival                                               | 2 2 2 0
gardens        |               |                                                                | 1 1 0 0
harbinger      |               | 1 plays harbinger                                              | 1 1 0 1
laboratory     |               | 1 plays laboratory                                             | 1 1 0 2
library        |               | 1 plays library                                                | 0 1 0 0
market         |               | 1 plays market                                                 | 1 2 1 1
merchant       | silver silver | 1 plays merchant / 1 plays 2 silver                            | 1 1 5 1
militia        |               | 1 plays militia                                                | 0 1 2 0
mine           |               | 1 plays mine / 1 trashes copper / 1 gains silver               | 0 1 0 0
moat           |               | 1 plays moat                                                   | 0 1 0 2
moneylender    |               | 1 plays moneylender / 1 chooses trash                          | 0 1 3 0
poacher        |               | 1 plays poacher                                                | 1 1 1 1
remodel        |               | 1 plays remodel / 1 trashes estate / 1 gains smithy            | 0 1 0 0
sentry         |               | 1 plays sentry / 1 trashes copper estate                       | 1 1 0 1
smithy         |               | 1 plays smithy                                                 | 0 1 0 3
throne_room    | village       | 1 plays throne_room / 1 plays village                          | 4 1 0 2
vassal         | village       | 1 plays vassal / 1 plays village                               | 2 1 2 1
village        |               | 1 plays village                                                | 2 1 0 1
witch          |               | 1 plays witch                                                  | 0 1 0 2
workshop       |               | 1 plays workshop / 1 gains village                             | 0 1 0 0
baron          |               | 1 plays baron / 1 chooses discard                              | 0 2 4 0
bridge         |               | 1 plays bridge                                                 | 0 2 1 0
conspirator    |               | 1 plays conspirator                                            | 0 1 2 0
coppersmith    |               | 1 plays coppersmith / 1 plays 3 copper                         | 0 1 6 0
courtyard      |               | 1 plays courtyard                                              | 0 1 0 3
duke           |               |                                                                | 1 1 0 0
great_hall     |               | 1 plays great_hall                                             | 1 1 0 1
harem          |               | 1 plays harem                                                  | 1 1 2 0
ironworks      | great_hall    | 1 plays ironworks / 1 gains great_hall                         | 1 1 0 1
masquerade     |               | 1 plays masquerade / 1 trashes estate                          | 0 1 0 2
mining_village |               | 1 plays mining_village / 1 chooses trash                       | 2 1 2 1
minion         |               | 1 plays minion / 1 chooses coins                               | 1 1 2 0
nobles         |               | 1 plays nobles / 1 chooses actions                             | 2 1 0 0
pawn           |               | 1 plays pawn / 1 chooses coin buy                              | 0 2 1 0
saboteur       |               | 1 plays saboteur / 2 trashes nothing / 3 trashes nothing       | 0 1 0 0
scout          |               | 1 plays scout                                                  | 1 1 0 0
secret_chamber |               | 1 plays secret_chamber / 1 counts 4                            | 0 1 4 0
shanty_town    |               | 1 plays shanty_town / 1 chooses no_action                      | 2 1 0 2
steward        |               | 1 plays steward / 1 chooses coins                              | 0 1 2 0
swindler       |               | 1 plays swindler / 2 trashes copper / 2 gains curse / 3 trashes nothing | 0 1 2 0
torturer       |               | 1 plays torturer / 2 chooses curse / 3 chooses discard         | 0 1 0 3
trading_post   |               | 1 plays trading_post / 1 trashes estate copper                 | 0 1 0 0
tribute        |               | 1 plays tribute / 2 reveals copper harem                       | 0 1 4 2
upgrade        |               | 1 plays upgrade / 1 trashes estate / 1 gains village           | 1 1 0 1
wishing_well   |               | 1 plays wishing_well / 1 chooses right                         | 1 1 0 2
"""

COUNTED = _rows()
