"""Where people stay while they record: setting a board right, or drawing what lies there, until they say it is done."""

from __future__ import annotations

from companion.games.dominations.page.choices import WISHES, Wish
from companion.games.dominations.page.growing import DRAW_OLD

CHECK_ROOM = "check"


def room_of(wish: Wish) -> str:
    """Where the next page begins, whatever is recorded on this one."""
    if CHECK_ROOM in wish:
        return f"{CHECK_ROOM}{wish[CHECK_ROOM]}"
    return DRAW_OLD if wish.get("do") == DRAW_OLD else ""


def on_entering(wish: Wish) -> Wish:
    """The wishes of whoever has recorded something and stays; any other wish leads out of there."""
    stays = wish.get("room", "")
    if wish.keys() & {*WISHES} != {"room"}:
        return wish
    if stays.startswith(CHECK_ROOM):
        return {**wish, CHECK_ROOM: stays.removeprefix(CHECK_ROOM)}
    return {**wish, "do": DRAW_OLD} if stays == DRAW_OLD else wish
