"""What is printed on cards and pieces, and what broke a rule, told by tapping alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from companion.games.dominations.page.elements import Action, To
from companion.games.dominations.page.presenter import page
from companion.games.dominations.rules.moves import apply
from companion.games.dominations.rules.position import Position
from companion.games.dominations.text.notation import parse_event
from tests.games.dominations.crawling import offers, refused
from tests.games.dominations.stories import CARDS, play, refusal, rich

COAST = 'monument harbour "Porto" lozenge coastal reward TS 10 level T 5 5 0'
LAID = "1 lays T:TTC at 0,0d\n"


@dataclass
class Finger:
    """Somebody who taps on from a page to the next."""

    position: Position
    wish: dict[str, str] = field(default_factory=dict)
    taps: int = 0

    def choices(self) -> list[Action]:
        return [*offers(page(self.position, self.wish))]

    def tap(self, *texts: str) -> str:
        """Tap these, one after the other; the line that the last one records, if it does."""
        line = ""
        for text in texts:
            found = [c for c in self.choices() if text in (c.domain, str(c.text), c.against)]
            assert found, (text, [str(c.text) for c in self.choices()])
            line, self.taps = found[0].line, self.taps + 1
            self.go(found[0].to)
            if found[0].against:
                self.wish["against"] = found[0].against
        return line

    def go(self, to: To) -> None:
        against = {key: value for key, value in self.wish.items() if key == "against"}
        self.wish = {**{key: value for key, value in to.items() if value is not None}, **against}

    def tap_map(self, place: str) -> None:
        found = {target.place: target for target in page(self.position, self.wish)["targets"]}
        self.taps += 1
        self.go(found[place].to)

    def spots(self) -> dict[str, To]:
        return {place.spot: place.to for place in page(self.position, self.wish)["hand"].tree.spots}

    def tap_tree(self, spot: str) -> None:
        self.taps += 1
        self.go(self.spots()[spot])


def test_a_card_is_laid_into_the_tree_by_touch() -> None:
    position = play(2, f"{CARDS}\n{rich(1, 'C9')}\n1 has campfire TCAS\n{LAID}")
    finger = Finger(position, {"do": "mastery", "key": "fishing"})

    finger.tap("Show its place in the Tree")
    finger.tap_tree("1,0")
    line = finger.tap("T", "X", "V", "C")

    assert line == "1 develops fishing in 1,0 TXVC"
    assert [str(nodus.domain) for nodus in apply(position, parse_event(line)).seats[0].tree.nodi] == ["C"]


def test_beside_a_card_only_what_meets_it_is_offered() -> None:
    position = play(2, f"{CARDS}\n{rich(1, 'C9')}\n1 has campfire TCAS\n{LAID}")
    wish = {"do": "mastery", "key": "fishing", "spot": "1,0", "half": "TXV"}

    assert [choice.domain for choice in Finger(position, wish).choices()] == ["C", "V"]
    assert len(Finger(position, {**wish, "against": "1"}).choices()) == 9


def test_a_place_beside_corruptio_is_offered_only_against_the_rules() -> None:
    story = f"{CARDS}\n{rich(1, 'C20')}\n{LAID}1 develops fishing in 1,0 TXTC\n1 ends\n2 passes\n1 passes"
    finger = Finger(play(2, story), {"do": "mastery", "key": "agriculture"})

    assert "2,0" not in finger.spots()
    finger.wish = {**finger.wish, "against": "1"}
    assert "2,0" in finger.spots()


def test_a_tree_whose_places_are_told_asks_for_the_next_place_at_once() -> None:
    story = f"{CARDS}\n{rich(1, 'C20')}\n{LAID}1 develops fishing in 0,-1 CCCC\n1 ends\n2 passes\n1 passes"
    finger = Finger(play(2, story), {"do": "mastery", "key": "agriculture"})

    finger.tap_tree("1,-1")
    assert finger.tap("C", "C", "C", "C") == "1 develops agriculture in 1,-1 CCCC"
    assert finger.taps == 5


def test_the_campfires_half_nodi_are_told_by_touch() -> None:
    position = play(2, LAID)
    finger = Finger(position, {"do": "campfire", "who": "2"})

    line = finger.tap("T", "C", "X", "V")

    assert line == "2 has campfire TCXV"
    assert page(apply(position, parse_event(line)), {"look": "2"})["look"]["tree"].cards[0].halves


def test_a_coast_and_its_resources_are_told_by_touch() -> None:
    story = f"{CARDS}\n{COAST}\n1 keeps roman and harbour\n{rich(1, 'T9')}\n{LAID}"
    finger = Finger(play(2, story), {"do": "monument", "key": "harbour"})

    finger.tap_map("0,1u")
    finger.tap_map("0,1d")
    assert [name for _x, _y, name in page(finger.position, finger.wish)["marked"]] == ["1", "2", "3", "4"]
    finger.tap("2", "3", "Only these sides", "T", "C", "A", "S", "P", "R")
    line = finger.tap("Taken, its Nodi are not told yet")

    assert line == "1 raises harbour at 0,1u+0,1d dots TCASPR open 2,3"
    assert refusal(2, story, line) == ""


def test_a_piece_whose_print_nobody_tells_still_stands() -> None:
    story = f"{CARDS}\n{COAST}\n1 keeps roman and harbour\n{rich(1, 'T9')}\n{LAID}"
    wish = {"do": "monument", "key": "harbour", "at": "0,1u", "at2": "0,1d"}
    finger = Finger(play(2, story), wish)

    finger.tap("All sides, or nobody can tell", "Nobody can tell")

    assert finger.tap("Taken, its Nodi are not told yet") == "1 raises harbour at 0,1u+0,1d dots ??????"


def test_which_monument_is_asked_before_the_map_and_its_place_on_it() -> None:
    position = play(2, f"{CARDS}\n1 lays T:TTT at 0,0d")

    assert [page(position, wish)["map_first"] for wish in ({"do": "monument"}, {"do": "piece"})] == [
        False,
        False,
    ]
    assert page(position, {"do": "piece", "key": "gardens"})["map_first"]


def test_the_cradles_dots_are_told_by_touch() -> None:
    position = play(2)
    finger = Finger(position, {"do": "cradle"})

    line = finger.tap(*"TCASPRTCASPR")

    assert line == "cradle TCASPRTCASPR"
    assert "do=cradle" not in str(
        [choice.to for choice in Finger(apply(position, parse_event(line))).choices()]
    )


BEGUN = f"tile A:TTT at 1,0u\n{CARDS}\n1 lays A:SSC at 0,0d\n"
RICH = rich(1, "A15 C9")
BUILT = "Build a City here"
AGAINST = (
    ("a second City", f"{RICH}\n1 builds at 0,0d", {"at": "1,0u"}, BUILT, "1 builds at 1,0u"),
    ("a City that is not paid", "", {"at": "0,0d"}, BUILT, "1 builds at 0,0d"),
    ("somebody else's turn", rich(2, "A9"), {"against": "2", "at": "0,0d"}, BUILT, "2 builds at 0,0d"),
    ("a second territory", "", {"do": "lay", "at": "0,1u", "col": "TTT"}, "T", "1 lays T:TTT at 0,1u"),
    ("nothing beside it", "", {"do": "lay", "at": "2,0u", "col": "TTT"}, "T", "1 lays T:TTT at 2,0u"),
)


@pytest.mark.parametrize(("_what", "before", "wish", "text", "expected"), AGAINST)
def test_what_the_rules_forbid_is_told_by_touch(
    _what: str, before: str, wish: dict[str, str], text: str, expected: str
) -> None:
    finger = Finger(play(2, BEGUN + before), {"against": "1", **wish})

    line = finger.tap(text)

    assert line == expected
    assert refusal(2, BEGUN + before, line) != ""
    assert apply(finger.position, parse_event(f'{line} because "it was late"')).overruled


def test_a_second_mastery_is_told_against_the_rules() -> None:
    story = f"{BEGUN}{RICH}\n1 develops fishing"
    finger = Finger(play(2, story), {})

    finger.wish = {"against": "1"}
    line = finger.tap("A Mastery", "Agricultura", "Taken, its Nodi are not told yet")

    assert line == "1 develops agriculture"
    assert refusal(2, story, line) == "Only one Mastery is developed or turned over in a turn."


def test_every_button_against_the_rules_can_be_recorded_with_a_reason() -> None:
    story = f"{CARDS}\n1 keeps roman and lighthouse\n{rich(1, 'C9 T9')}\n{LAID}"
    for player in ("1", "2"):
        position = play(2, story)
        places: tuple[dict[str, str], ...] = ({"at": "0,0d"}, {"at": "1,0u"}, {"at": "9,9u"})
        for wish in (
            {},
            {"do": "lay"},
            {"do": "mastery"},
            {"do": "invent", "at": "0,0d"},
            {"do": "city"},
            *places,
        ):
            for choice in Finger(position, {"against": player, **wish}).choices():
                if choice.line:
                    after = apply(position, parse_event(f'{choice.line} because "why not"'))
                    assert after.held is None, choice.line


def test_what_is_printed_is_never_offered_where_the_rules_refuse_it() -> None:
    story = f"{CARDS}\n{COAST}\n1 keeps roman and harbour\n{rich(1, 'T9 C9')}\n1 has campfire TCAS\n{LAID}"

    assert refused(play(2, story), pages=120) == []
