"""The pictures of the README, taken from a game that is the same every time: `python -m tests.browser.pictures`.

Chromium takes them, ImageMagick's `convert` makes them small; both have to be on the computer.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, sync_playwright

from companion.core.game import Colour, Player, Setup
from companion.core.log import Change, Corrected, Source
from companion.core.session import Session, begin_session
from companion.games import GAMES
from companion.games.dominations.rules.position import GameStage
from companion.sessions.json_lines import import_session
from companion.sessions.repository import SessionRepository
from tests.browser.conftest import FLAGS, find_chromium
from tests.browser.device import NAMES, SIZES, Device
from tests.browser.evenings import COLOURS, next_event
from tests.games.dominations.random_evenings import Evening
from tests.games.dominion.hands import game_of
from tests.soak.running import Running

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LARGEST = 200_000
"""Bytes of one picture."""
SEED, ROUND = 5, 7
TILES = 52
"""Of Carcassonne, on the table."""
INKS = ("red", "blue", "green", "yellow")
LINES = 170
"""Of a game of Dominion."""
TERRITORIES = 26
"""Of Dominations, on the map."""
EVENING = datetime(2026, 10, 9, 20, 15, tzinfo=UTC)


@dataclass(frozen=True)
class Picture:
    """What is photographed, on which device, in which light."""

    name: str
    size: str
    light: str
    of: str
    """Which of the games."""
    show: Callable[[Device, Session], None]


def main(*only: str) -> None:
    """Put one game into a log, as it was in its middle and as it ended, and one of another kind; photograph them."""
    PICTURES.mkdir(exist_ok=True)
    played = (
        play("middle", _in_the_middle),
        play("end", lambda session: session.turn.over),
        play("fields", _fields_to_explain, "carcassonne", INKS),
        play_cards(),
        play_territories(),
    )
    games = {session.id: session for session in played}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = SessionRepository(f"sqlite:///{folder}/data/table-companion/companion.db", GAMES)
        for session in played:
            import_session(store, session)
        store.close()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        running = Running(Path(folder)).start()
        for picture in (picture for picture in ALL if not only or picture.name in only):
            take(browser, running, picture, games[picture.of])
        running.close()
        browser.close()


def play(
    id: str, until: Callable[[Session], bool], game: str = "kingdomino", colours: Sequence[str] = COLOURS
) -> Session:
    """An evening of people who think for a while before each move."""
    random, pace = Random(SEED), Random(SEED)
    players = tuple(Player(name, Colour(colour)) for name, colour in zip(NAMES, colours, strict=True))
    time = EVENING
    session = begin_session(id, GAMES[game], Setup(players), Source.PAGE, time)
    while not until(session):
        time += timedelta(seconds=pace.randint(4, 25))
        session = session.record(next_event(session, random), Source.PAGE, time)
    return session


def play_cards() -> Session:
    """Dominion, in the middle of a turn with six cards played."""
    players = tuple(Player(name, Colour(colour)) for name, colour in zip(NAMES, INKS, strict=True))
    session = begin_session("cards", GAMES["dominion"], Setup(players), Source.PAGE, EVENING)
    for line in islice(game_of(4, SEED).lines(), LINES):
        session = session.record(session.game.parse(line), Source.PAGE, EVENING)
    return session


def play_territories() -> Session:
    """Dominations, as somebody builds in the second Era."""
    evening = Evening(4, SEED)
    found = (
        position.stage is GameStage.CONSTRUCTION and len(position.board.tiles) >= TERRITORIES
        for position in evening.play()
    )
    assert any(found)
    return evening.session


def take(browser: Browser, running: Running, picture: Picture, session: Session) -> None:
    context = browser.new_context(
        viewport=SIZES[picture.size],
        locale="en",
        timezone_id="UTC",
        has_touch=True,
        color_scheme="dark" if picture.light == "evening" else "light",
    )
    device = Device(context.new_page(), running.port, running.pin)
    device.unlock()
    picture.show(device, session)
    device.page.wait_for_load_state("load")
    keep(picture.name, device.page.screenshot(animations="disabled"))
    context.close()


def keep(name: str, taken: bytes) -> None:
    """A palette of 128 colours is enough for drawings, and a quarter of the size."""
    path = PICTURES / f"{name}.png"
    convert = shutil.which("convert") or "magick"
    options = ("png:-", "-dither", "None", "-colors", "128", "-strip", f"png8:{path}")
    subprocess.run([convert, *options], input=taken, check=True)
    assert path.stat().st_size < LARGEST, f"{path} is too large"


def _in_the_middle(session: Session) -> bool:
    position = session.position
    return bool(position.phase.value == "place" and position.round == ROUND and position.placed == 1)


def _fields_to_explain(session: Session) -> bool:
    """Whether most of the tiles lie, and the next one is in hand."""
    position = session.position
    return len(position.board.tiles) >= TILES and position.phase.value == "lay"


def _hold(device: Device, address: str, event: object, written: str) -> None:
    """Hold a domino as that event says."""
    placement = getattr(event, "placement", None)
    assert placement, "nothing to place: choose another seed"
    device.open(f"{address}?at={placement.domino}@{placement.x},{placement.y}")
    while device.held != written:
        before = device.held
        device.tap('.controls a[href*="turn="]')
        device.page.wait_for_selector(f'button[name=event][value*=" lays "]:not([value="{before}"])')


def _placing(device: Device, session: Session) -> None:
    """The domino held where it brings most."""
    event = next_event(session, Random(SEED))
    _hold(device, f"/s/{session.id}", event, session.game.write(event))


def _why(device: Device, session: Session) -> None:
    """The reason that brought somebody most, and where it lies."""
    best = max((line for line in session.tally.lines if line.where), key=lambda line: line.points)
    number = session.tally.of(best.player).index(best)
    device.open(f"/s/{session.id}?why={best.player}.{number}&look={best.player + 1}")


def _field(device: Device, session: Session) -> None:
    """The field that would bring most, tapped on the board."""
    position = session.position
    best = max(
        (count for count in position.outlook if count.kind.value == "field"), key=lambda count: count.points
    )
    device.open(f"/s/{session.id}?about={best.places[0]}")


def _where(device: Device, session: Session) -> None:
    device.open(f"/s/{session.id}?hint=1")


def _correction(device: Device, session: Session) -> None:
    """A domino that lies elsewhere than it was tapped: what the correction would change."""
    seq, event = _other_place(session)
    _hold(device, f"/s/{session.id}/correct/{seq}", event, session.game.write(event))
    device.follow("button[name=event][value*=' lays ']")


def _other_place(session: Session) -> tuple[int, object]:
    """The newest placement that could have been another one, with other points and everything after it the same."""
    for step, position in zip(
        reversed(session.fold.steps), reversed(session.fold.positions[:-1]), strict=True
    ):
        for event in session.game.legal(position) if hasattr(step.event, "placement") else ():
            after = session.record(Corrected((Change(step.seq, event),)), Source.PAGE, EVENING)
            if not after.fold.misfits and after.tally.totals != session.tally.totals:
                return step.seq, event
    raise LookupError("no placement of this game could have been another: choose another seed")


def _table(device: Device, session: Session) -> None:
    device.open(f"/s/{session.id}")


def _result(device: Device, session: Session) -> None:
    device.open(f"/s/{session.id}/result")
    device.find("#result-picture").evaluate("image => image.decode()")


ALL = (
    Picture("table-tablet", "lying", "day", "middle", _placing),
    Picture("why", "lying", "day", "middle", _why),
    Picture("phone", "phone", "day", "middle", _where),
    Picture("correction", "lying", "day", "middle", _correction),
    Picture("evening", "upright", "evening", "middle", _placing),
    Picture("result", "upright", "day", "end", _result),
    Picture("dominion", "lying", "day", "cards", _table),
    Picture("dominations", "lying", "day", "evening", _table),
    Picture("carcassonne", "lying", "day", "fields", _field),
)

if __name__ == "__main__":
    main(*sys.argv[1:])
