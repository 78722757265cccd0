"""What a household's next game knows of those before it, by itself."""

from __future__ import annotations

import pytest

from companion.core import notation
from companion.core.errors import NotationError
from companion.core.log import Source
from companion.games.dominion.page.setup import ROOMS
from companion.games.dominion.rules.events import WinnersTold
from companion.games.dominion.rules.history import beginners, draw_wishes, why_they_begin
from companion.games.dominion.rules.kingdom import MOST_AGAIN, KingdomNeed
from companion.games.dominion.rules.position import Position
from companion.games.dominion.text.words import describe
from tests.games.dominion.stories import DOMINION, FIRST_GAME, refusal, session_of, started
from tests.games.stories import tell

FIRST = f"kingdom {FIRST_GAME}"
COUNTED = ("stop", "1 has estate:3 turns:4", "2 has duchy:3 turns:4", "3 has duchy:2 turns:4")


def told(lines: tuple[str, ...], players: int = 3) -> list[str]:
    """What the next game begins with."""
    session = session_of(started(players), lines)
    return [DOMINION.write(event) for event in DOMINION.known([session.earlier])]


def after(lines: tuple[str, ...], players: int = 3, seats: str = "") -> Position:
    """The next game's table, before anything is chosen."""
    start = f"start dominion with {seats}" if seats else started(players)
    position: Position = session_of(start, lines).position
    return position


def test_a_game_that_was_played_is_handed_down() -> None:
    lines = ("2 likes witch", "1 likes bridge", "3 vetoes chapel", "wishes actions", FIRST, "1 starts")

    assert told((*lines, *COUNTED)) == [
        f"played {FIRST_GAME}",
        "favourites bridge witch",
        "wishes actions",
        'won "Blue"',
    ]


def test_a_table_without_history_hands_down_nothing() -> None:
    assert told(()) == []
    assert told((FIRST, "1 vetoes witch")) == []


def test_a_game_never_finished_keeps_the_last_winner() -> None:
    assert told(('won "Red"', FIRST, "1 starts")) == [f"played {FIRST_GAME}", 'won "Red"']
    assert told(('won "Red"', FIRST)) == ['won "Red"']


def test_four_kingdoms_are_remembered() -> None:
    kingdoms = [
        f"played {FIRST_GAME.replace('moat', card)}" for card in ("witch", "bandit", "chapel", "baron")
    ]
    line = told((*kingdoms, FIRST, "1 starts"))

    assert [row.split()[0] for row in line] == ["played"] * 4
    assert "moat" in line[-1]
    assert not any("witch" in row for row in line)


def test_the_last_game_does_not_come_again() -> None:
    position = after(tuple(told((FIRST, "1 starts"))))
    last = set(FIRST_GAME.split())

    assert draw_wishes(position).last == last
    for seed in range(300):
        drawn = DOMINION.draw(position, seed)
        assert drawn is not None
        assert len(last & set(DOMINION.write(drawn).split()[1:])) <= MOST_AGAIN


def test_favourites_come_with_every_draw_of_the_next_game() -> None:
    position = after(tuple(told(("2 likes bridge", "1 likes duke"))))

    for seed in range(100):
        drawn = DOMINION.draw(position, seed)
        assert drawn is not None
        assert {"bridge", "duke"} & set(DOMINION.write(drawn).split()[1:])


def test_a_favourite_can_be_given_up() -> None:
    session = session_of(started(3), ("favourites witch moat", "1 vetoes chapel"))
    assert (
        DOMINION.page(session.position, {"room": "all", "card": "witch"})["set_up"]["allows"]
        == "allows witch"
    )
    session = tell(session, ("allows witch", "allows chapel"))

    assert (session.position.liked, session.position.vetoed) == ({"moat"}, set())
    assert DOMINION.page(session.position, {"room": "all", "card": "witch"})["set_up"]["allows"] == ""


def test_wishes_are_the_last_ones_told() -> None:
    assert after(("wishes nothing",)).wishes == frozenset()
    assert told(("wishes reaction costs",)) == []
    assert told(("wishes nothing",)) == ["wishes nothing"]
    assert after(tuple(told(("wishes actions buys",)))).wishes == {KingdomNeed.ACTIONS, KingdomNeed.BUYS}


@pytest.mark.parametrize(
    ("won", "seats", "begin", "reason"),
    (
        ("", "", (0, 1, 2), "After a game, whoever sits to the left of the winner begins."),
        ('won "Red"', "", (1,), "Red won last time: whoever sits to the left begins."),
        ('won "Green"', "", (0,), "Green won last time: whoever sits to the left begins."),
        # People may sit elsewhere than last time.
        (
            'won "Ana"',
            '"Rui" red, "ana" blue, "Zé" green',
            (2,),
            "Ana won last time: whoever sits to the left begins.",
        ),
        ('won "Red" "Blue"', "", (2,), "Red, Blue shared the last victory: one of the others begins."),
        ('won "Red" "Ana"', "", (1, 2), "Red, Ana shared the last victory: one of the others begins."),
        ('won "Ana"', "", (0, 1, 2), "Ana won last time, and is not at this table: chance decides."),
    ),
)
def test_who_begins_follows_from_who_won(won: str, seats: str, begin: tuple[int, ...], reason: str) -> None:
    """Rulebooks 000, "Preparação", and 003, "Preparación"."""
    position = after((won, FIRST) if won else (FIRST,), seats=seats)

    assert beginners(position) == begin
    assert str(why_they_begin(position)) == reason
    drawn = {DOMINION.write(event) for seed in range(60) if (event := DOMINION.draw(position, seed))}
    assert drawn == {f"{seat + 1} starts" for seat in begin}


def test_a_shared_victory_is_told_with_both_names() -> None:
    counted = ("stop", "1 has duchy:2 turns:4", "2 has duchy:2 turns:4", "3 has duchy:1 turns:4")

    assert told((FIRST, "1 starts", *counted))[-1] == 'won "Red" "Blue"'


def test_what_was_handed_down_comes_before_the_game() -> None:
    session = session_of(started(3), (FIRST, "1 starts"))

    for line in (f"played {FIRST_GAME}", "favourites witch", 'won "Red"', "allows witch", "1 vetoes nothing"):
        assert refusal(session, line) == "The game has begun already."


@pytest.mark.parametrize("name", ('"', "a because b", "Zé Ninguém", "won\\", "n" * 24))
def test_any_name_of_a_winner_is_read_again(name: str) -> None:
    event = DOMINION.parse(f"won {notation.quote(name)} {notation.quote('Ana')}")

    assert DOMINION.parse(DOMINION.write(event)) == event == WinnersTold((name, "Ana"))


@pytest.mark.parametrize("line", ("won", "won Red", 'won "Red', "favourites", "favourites nobody", "allows"))
def test_half_a_line_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        notation.parse_entry(DOMINION, line)


def test_everybody_may_veto_one_of_the_ten() -> None:
    session = session_of(started(3), (FIRST,))
    asked = []
    for line in ("1 vetoes mine", "2 vetoes nothing", "3 vetoes market"):
        veto = DOMINION.page(session.position, {"room": "veto"})["set_up"]["veto"]
        asked.append(veto.player)
        assert line in (*(card.tap for card in veto.cards), veto.none)
        session = tell(session, (line,))
    veto = DOMINION.page(session.position, {"room": "veto"})["set_up"]["veto"]
    assert (asked, veto.player) == ([0, 1, 2], None)
    ten = tell(session, (veto.exchanged,)).position.kingdom

    assert set(FIRST_GAME.split()) - {"mine", "market"} < set(ten)
    assert len(ten) == 10


def test_two_vetoed_cards_are_exchanged_one_after_the_other() -> None:
    session = session_of(started(3), (FIRST, "1 vetoes mine", "2 vetoes market"))
    for gone in ("market", "mine"):
        view = DOMINION.page(session.position, {})["set_up"]
        assert view["pointed"].id == gone
        session = tell(session, (view["swaps"][0].event,))

    assert not {"mine", "market"} & set(session.position.kingdom)
    assert refusal(session, f"swap {session.position.kingdom[0]} mine") == "Mine was vetoed."


def test_ten_cards_are_chosen_freely() -> None:
    session, wish = session_of(started(3), ("2 vetoes witch",)), {"room": "pick"}
    wanted = "bridge duke moat village throne_room pawn market chapel gardens sentry".split()
    for count, card in enumerate(wanted):
        free = DOMINION.page(session.position, wish)["set_up"]["free"]
        assert (free.count, free.event) == (count, "")
        wish = {"room": "pick", "ten": next(pick.tap for pick in free.picks if pick.id == card)}
    free = DOMINION.page(session.position, wish)["set_up"]["free"]
    assert len(wish["ten"]) <= 100
    assert {pick.id for pick in free.picks if pick.on} == set(wanted)
    # Eleven cannot be, a vetoed card neither; one of the ten can be put back.
    assert {pick.id for pick in free.picks if pick.tap} == set(wanted)
    session = tell(session, (free.event,))

    assert set(session.position.kingdom) == set(wanted)
    assert DOMINION.page(session.position, wish)["set_up"]["free"].chosen


def test_a_vetoed_card_cannot_be_picked() -> None:
    position = session_of(started(3), ("2 vetoes witch",)).position
    every = "".join(f"{place:03}" for place in range(51))
    free = DOMINION.page(position, {"room": "pick"})["set_up"]["free"]

    assert [(pick.id, pick.tap) for pick in free.picks if pick.mark == "vetoed"] == [("witch", "")]
    assert len(free.picks) == 51
    assert "witch" not in DOMINION.page(position, {"room": "pick", "ten": every})["set_up"]["free"].event


def test_chance_fills_up_what_people_picked() -> None:
    position = session_of(started(3), (f"played {FIRST_GAME}",)).position
    free = DOMINION.page(position, {"room": "pick", "ten": "000025"})["set_up"]["free"]
    picked = {pick.id for pick in free.picks if pick.on}

    assert len(picked) == 2
    assert picked < set(free.filled.split()[1:])
    assert len(free.filled.split()) == 11


@pytest.mark.parametrize("ten", ("0", "99", "abc", "999999", "00", "000000", "1e3", "-01", "0010a"))
def test_any_wish_for_ten_shows_the_cards(ten: str) -> None:
    position = session_of(started(2), ()).position
    free = DOMINION.page(position, {"room": "pick", "ten": ten})["set_up"]["free"]

    assert free.count <= 1
    assert DOMINION.page(position, {"room": "veto"})["set_up"]["room"] == ROOMS[0]


def test_lines_say_what_was_handed_down() -> None:
    lines = ("favourites witch", "favourites nothing", "allows witch", 'won "Ana" "Rui"', "2 vetoes nothing")
    words = [str(describe(DOMINION.parse(line)).text) for line in lines]

    assert words == [
        "Favourites: Witch",
        "No favourites",
        "Neither vetoed nor a favourite: Witch",
        "Won the last game: Ana, Rui",
        "vetoes nothing",
    ]
    assert session_of(started(2), ("1 vetoes nothing",)).entries[-1].source is Source.COMMAND
