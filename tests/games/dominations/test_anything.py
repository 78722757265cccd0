"""Whatever people tell in whatever order counts or is refused in words, and the page always has something to show."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from companion.core.errors import CompanionError
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.events import Ruled
from companion.games.dominations.rules.moves import offered_events
from companion.games.dominations.rules.position import Position
from tests.games.dominations.stories import CARDS, DOMINATIONS, play
from tests.games.dominations.text.test_notation import LINES

ODD = r"""
mastery odd_one "Estranha" T 3 advance T 3 basic 0 0 "turn start: 2 V" "field: 1 V" "nodus C: 1 V"
mastery odd_two "Outra" C 3 basic 1 1 "now: 1 points per role" "now: 2 C per limit C" "compare: 2 V"
mastery odd_three "Mais" A 3 basic 0 0 "produce 1 T: 1 V" "activate: 1 city" "era end: 3 V per city on the board"
mastery odd_four "Menos" S 3 advance S 3 basic 0 0 "role: 1 V" "era start: 9 V" "pay city ?: 2"
monument odd_five "Torre" lozenge coastal beside T reward TCASPR 9 level T 1 1 0 "now: 2 V" level C 1 1 0 "now: 6 ?"
objective odd_six "Sua" "control odd_five" "cities 3:9" "masteries 3:1 T" "words" "nodi T1"
2 keeps odd_six and odd_five
"""
MOVES = """
1 lays T:VCR at 0,0d / 2 lays C:TTV at 1,0u / 1 lays A:SSS at 0,1u / 2 lays S:RVP at 1,-1d /
1 lays T:TTT at 1,-1u / 1 chooses T / 1 chooses VV / 1 chooses TT / 2 chooses C / 2 chooses CC /
1 chooses TTT / 2 chooses sides / 1 chooses @1,0 / 1 ends / 2 ends / 1 passes / 2 passes /
1 builds at 0,0d / 2 builds at 1,0u / 1 upgrades at 0,0d / 1 builds T / 1 upgrades T1 /
1 develops odd_one / 1 develops odd_two nodi C2 / 2 develops odd_three in 1,0 TTTT /
2 develops odd_four / 1 advances odd_one / 1 raises odd_five at 0,1d+-1,2u open 1,2 /
2 raises odd_five / 1 raises lighthouse / 1 trades T2 for C1 / era effects / era roles / era next /
era objectives / 1 assimilates nothing / era roles because "x" / era next because "x" / 2 passes because "x" /
1 trades T2 for A1 because "x" / 2 builds C because "x" / order 1 2 because "x" /
2 raises gardens because "x" / 2 assimilates odd_one / order 2 1 / 1 adjusts T +5 /
2 adjusts C +5 / 1 adjusts limit T +15 / 1 adjusts influence +23 / 1 holds inventor / 1 holds worker /
1 reactivates 0,0d / 1 reached 4 / rule no_tile pass / rule joins per_side /
rule overflow per_domain / rule no_tile lay / 1 passes / 2 lays C:TTV at 1,0u choosing TTT / 1 produces T9 C9, 2 A3
"""


def check(position: Position) -> None:
    """Everything that the page asks of a position has an answer."""
    assert page(position, {})["stage"]
    assert str(DOMINATIONS.turn(position).action)
    assert all(str(problem) for problem in DOMINATIONS.problems(position))
    assert DOMINATIONS.tally(position).totals == position.points
    assert all(n >= 0 for seat in position.seats for n in (*seat.knowledge.values(), seat.markers))
    check_asked(position)


def check_asked(position: Position) -> None:
    """Whatever is asked can be answered: by every ruling, and by one of the choices at least."""
    answers, accepted = offered_events(position) if position.held else (), []
    for answer in answers:
        with suppress(CompanionError):
            DOMINATIONS.apply(position, answer)
            accepted.append(answer)
    assert bool(accepted) == bool(answers)
    assert all(answer in accepted for answer in answers if isinstance(answer, Ruled))


@pytest.mark.parametrize("seed", range(8))
def test_any_lines_in_any_order_count_or_are_refused_in_words(seed: int) -> None:
    random = Random(seed)
    moves = [line.strip() for line in MOVES.split("/") if line.strip()]
    position = play(2, f"{CARDS}\n{ODD}", options="" if seed % 2 else "unasked")
    counted = 0
    for _line in range(400):
        event = DOMINATIONS.parse(random.choice(moves if random.random() < 0.9 else LINES))
        before = position
        with suppress(CompanionError):
            position = DOMINATIONS.apply(position, event)
        counted += position is not before
        if position is not before:
            check(position)

    assert counted > 30
