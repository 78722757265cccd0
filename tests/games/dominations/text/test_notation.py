"""Every event in one line, and back; what is no line says so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.dominations.text.words import describe
from tests.games.dominations.stories import (
    AGRICULTURE,
    DOMINATIONS,
    EGYPTIAN,
    FISHING,
    GARDENS,
    LIGHTHOUSE,
    ROMAN,
)

LINES = (
    "order 2 1 3",
    'order 2 1 3 because "we forgot"',
    "1 keeps roman and lighthouse",
    FISHING,
    AGRICULTURE,
    LIGHTHOUSE,
    GARDENS,
    ROMAN,
    EGYPTIAN,
    'mastery forge "Forja" ? 9 needs ? 3 advance T ? basic 0 0 "now: 6 ?" "turn start: \\"by hand\\""',
    'monument wall "Grande Muralha" lozenge coastal beside ? reward TS 10',
    "1 lays T:TCR at 2,-1u",
    "1 lays T:V-R at 2,-1d",
    '1 lays T:TCR at 2,-1u because "an island"',
    "1 produces T4 C1, 2 T2, 3 A1 R2",
    "1 produces -",
    "1 produces -, 2 T1",
    "1 reactivates 2,-1u",
    "1 reactivates T3, 2 T1",
    "1 reactivates -, 2 T1",
    "1 reactivates 2,-1u choosing @1,0 TS",
    '1 lays T:VCR at 2,-1u choosing S because "an island"',
    "1 develops fishing choosing TT",
    "1 passes",
    '1 ends because "we went on"',
    "1 chooses TTS",
    f"1 chooses {'T' * 40}",
    f"1 develops fishing choosing {'S' * 40} @1,0",
    "1 chooses @1,0",
    "rule joins once",
    "1 trades T4 for A2",
    "1 ends",
    "1 builds at 2,-1u",
    "1 builds T",
    "1 upgrades at 2,-1u",
    "1 upgrades T1",
    "1 raises lighthouse",
    "1 raises lighthouse at 2,-1u+2,-1d",
    "1 raises lighthouse at 2,-1u+2,-1d dots TCASPR open 1,3 in 1,0 TCAV",
    "1 raises gardens at @1,0 nodi C1",
    "1 advances fishing",
    "1 develops fishing",
    "1 develops fishing in 0,-1 TCXV",
    "1 develops fishing nodi T1 C2",
    "era effects",
    "era roles",
    "era next",
    "era objectives",
    "1 assimilates nothing",
    "1 assimilates fishing in 1,0 TCAV",
    "1 assimilates advanced fishing",
    "tile T:TCR at 2,-1u",
    "2 has T1 at 2,-1u",
    "piece lighthouse at 2,-1u+2,-1d",
    "piece gardens at @2,-1",
    "cradle TCASPRTCASP-",
    "1 adjusts T +2",
    "1 adjusts limit T -5",
    "1 adjusts influence -1",
    "1 adjusts points +12",
    '1 adjusts markers -1 because "one was lost"',
    "1 holds inventor",
    "nobody holds inventor",
    "rewards lighthouse 1 1 2",
    "rewards lighthouse nobody",
    "1 reached 4",
    "1 missed 4",
    "1 has campfire TCAS",
    "1 redraws",
    '1 redraws because "we forgot"',
    "1 reached 0 goals",
    "1 reached 5 goals",
    "cradle TCASPRVT-?TC",
)


@pytest.mark.parametrize("line", LINES)
def test_every_line_is_written_as_it_was_read(line: str) -> None:
    assert DOMINATIONS.write(DOMINATIONS.parse(line)) == line


@pytest.mark.parametrize("line", LINES)
def test_every_event_is_told_in_words(line: str) -> None:
    assert str(describe(DOMINATIONS.parse(line)).text)


@pytest.mark.parametrize(
    ("line", "expected"),
    (
        ("", "is not a move of Dominations"),
        ("1 lays T:TC at 2,-1u", "is not a move"),
        ("5 passes", "There is no player 5"),
        ("1 lays T:TCR at 222,1u", "is not a move"),
        ("1 produces T1 T2", "names a Domain twice"),
        ("1 produces T0", "“T0” cannot be: of a Domain, 1 to 60 is told"),
        ("1 produces T1 C99", "“C99” cannot be: of a Domain, 1 to 60 is told"),
        ("1 produces T٣", "is not a move"),
        ("1 lays T:TCR at ٢,1u", "is not a move"),
        ("1 adjusts T +٢", "is not a move"),
        ('mastery fishing "F" C ٣ basic 0 0', "is not a move"),
        ("1 develops fishing nodi T5", "from 1 to 4 Nodi"),
        ("1 develops fishing in 99,0 TCAS", "too far from the Campfire"),
        ("1 adjusts limit points +5", "Only Reserves have limits"),
        ('1 reached 3 goals because "tired"', "needs no reason"),
        ('mastery fishing "" C 3 basic 0 0', "title has from 1 to 32"),
        ('mastery fishing "F" C 4 basic 0 0', "value 3, 6 or 9"),
        ('mastery campfire "F" C 3 basic 0 0', "stands for something else"),
        ('monument nothing "F" circle', "stands for something else"),
        ('mastery fishing "F" C 3 basic 99 0', "too much for one side"),
        ('mastery fishing "F" C 3 basic 0 0 "now: lots"', "is no amount"),
        ('mastery fishing "F" C 3 advance C 21 basic 0 0', "Nothing costs more than 20"),
        ('objective roman "R" "influence 45"', "has 5 goals"),
        ('monument tall "T" circle' + " level T 1 1 0" * 9, "8 levels at most"),
    ),
)
def test_a_wrong_line_is_refused_with_what_to_do(line: str, expected: str) -> None:
    with pytest.raises(NotationError, match=expected):
        DOMINATIONS.parse(line)


@given(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(LINES).flatmap(lambda t: st.sampled_from([t[1:], t + " x", t * 2])),
    )
)
@settings(max_examples=300, deadline=None)
def test_no_text_whatever_breaks_the_reader(text: str) -> None:
    try:
        event = DOMINATIONS.parse(text)
    except NotationError:
        return
    assert DOMINATIONS.parse(DOMINATIONS.write(event)) == event


@pytest.mark.parametrize(
    ("line", "meant"),
    (
        ("1 biulds at 0,0u", "1 builds at 2,-1u"),
        ("1 builds at 999,0u", "1 builds at 2,-1u"),
        ("era effekts", "era effects"),
        ("1 xyzzy ends", "1 ends"),
        ("1 has campfire TT", "1 has campfire TCAS"),
        ("1 has T9 at 0,0u", "1 has T1 at 2,-1u"),
        ("1 adjusts limit T 5", "1 adjusts limit T +5"),
        ("1 develops fishing x", "1 develops fishing in 0,-1 TCXV"),
        ("rewards x y", "rewards lighthouse 1 2"),
        ("1 hold inventor", "1 holds inventor"),
    ),
)
def test_a_line_that_is_nearly_one_is_answered_by_an_example(line: str, meant: str) -> None:
    with pytest.raises(NotationError) as refused:
        DOMINATIONS.parse(line)

    told = f"“{line}” is not a move of Dominations. It is written like “{meant}”."
    assert str(refused.value) == told
    assert DOMINATIONS.write(DOMINATIONS.parse(meant)) == meant


@pytest.mark.parametrize("line", ("hello", "1 eats 26", ""))
def test_what_comes_near_nothing_has_no_example(line: str) -> None:
    with pytest.raises(NotationError, match=r"is not a move of Dominations\.$"):
        DOMINATIONS.parse(line)
