"""Results for other programs: a table (CSV) for spreadsheets, and plays for the app BG Stats.

BG Stats documents one play as JSON behind a link, https://app.bgstatsapp.com/createPlay.html?data=…: whoever
taps it has it in their own app. A file of many plays has the same objects in a list, for programs that people write:
the app documents none.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from io import StringIO
from typing import Any
from urllib.parse import quote

from companion.core.game import AnyGame, name_key
from companion.core.message import Message
from companion.sessions.index import SessionSummary

BG_STATS_LINK = "https://app.bgstatsapp.com/createPlay.html?data="

BGG_IDS: Mapping[str, int] = {"carcassonne": 822, "kingdomino": 204583, "dominion": 36218}
"""Numbers of boardgamegeek.com; a game without one is found by its name."""

SOURCE = "Table Companion"

COLUMNS = (
    *("session", "name", "game", "began", "ended", "minutes", "options"),
    *("seat", "player", "colour", "points", "rank", "won", "turns", "seconds"),
)

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for the beginning of a formula."""


def csv_table(summaries: Iterable[SessionSummary]) -> str:
    """A row for each player of each session that counts, the newest session first; times are UTC."""
    written = StringIO("\ufeff")  # by this mark spreadsheets read accents right
    written.seek(1)
    rows = csv.writer(written)
    rows.writerow(COLUMNS)
    for one in summaries:
        if not one.counts:
            continue
        head = (
            *(one.id, _plain(one.filing.name), one.game, _time(one.began), _time(one.ended)),
            *(_minutes(one), " ".join(sorted(one.options))),
        )
        for seat, result in enumerate(one.results, start=1):
            player = (_plain(result.player.name), result.player.colour.value)
            won, thought = int(result.won), round(result.thought.total_seconds())
            rows.writerow((*head, seat, *player, result.points, result.rank, won, result.turns, thought))
    return written.getvalue()


def bg_stats_play(summary: SessionSummary, game: AnyGame, say: Callable[[Message], str]) -> dict[str, Any]:
    """The session as BG Stats documents a play that comes from elsewhere."""
    options = [say(option.name) for option in game.options if option.key in summary.options]
    return {
        "sourceName": SOURCE,
        "sourcePlayId": summary.id,
        "playDate": f"{summary.began.astimezone():%Y-%m-%d %H:%M:%S}",
        "durationMin": _minutes(summary),
        "board": ", ".join(options),
        "comments": summary.filing.name,
        "game": {
            "name": str(game.name),
            "bggId": BGG_IDS.get(game.key, 0),
            "sourceGameId": game.key,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": result.player.name,
                "sourcePlayerId": name_key(result.player.name),
                "score": result.points,
                "rank": result.rank,
                "winner": result.won,
                "startPlayer": seat == summary.first,
                "role": "",
            }
            for seat, result in enumerate(summary.results)
        ],
    }


def bg_stats_link(play: Mapping[str, Any]) -> str:
    """What a device opens with BG Stats, if it has it."""
    return BG_STATS_LINK + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")))


def _minutes(summary: SessionSummary) -> int:
    """How long it was played, breaks left out; what was counted at the end only has no time."""
    return round(summary.lasted.total_seconds() / 60)


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def _plain(text: str) -> str:
    """Text that a spreadsheet takes for text."""
    return f"'{text}" if text.startswith(FORMULA) else text
