"""Where people stay while they record: setting a board right, or drawing what lies there, until they say it is done."""

from __future__ import annotations

from companion.games.dominations.page.choices import WISHES, Wish
from companion.games.dominations.page.growing import OLD

CHECK = "check"


def room(wish: Wish) -> str:
    """Where the next page begins, whatever is recorded on this one."""
    if CHECK in wish:
        return f"{CHECK}{wish[CHECK]}"
    return OLD if wish.get("do") == OLD else ""


def entered(wish: Wish) -> Wish:
    """The wishes of whoever has recorded something and stays; any other wish leads out of there."""
    stays = wish.get("room", "")
    if wish.keys() & {*WISHES} != {"room"}:
        return wish
    if stays.startswith(CHECK):
        return {**wish, CHECK: stays.removeprefix(CHECK)}
    return {**wish, "do": OLD} if stays == OLD else wish
