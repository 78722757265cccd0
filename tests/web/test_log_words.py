"""The log says where a domino went, and a correction where the same words mean another place."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient

from companion.core.log import Change, Corrected
from companion.core.session import Session, entry_in_words


def smalls(client: FlaskClient, address: str) -> list[str]:
    page = client.get(address).text
    return [unescape(text) for text in re.findall(r"<small>([^<]*)</small>", page)]


def test_every_move_has_its_notation_among_the_details(player: FlaskClient, game: Session) -> None:
    found = smalls(player, f"/s/{game.id}/log?details=1")

    assert smalls(player, f"/s/{game.id}/log") == []
    assert len(found) == 10
    assert found[1] == "1 lays 31 at -1,-1 S"
    assert found[-1] == "line 4 31 39 41"


def test_the_same_words_for_another_place_are_told_apart(player: FlaskClient, game: Session) -> None:
    elsewhere = smalls(player, f"/s/{game.id}/correct?entry=10&event=1 lays 31 at 1,0 E&details=1")
    taken_out = smalls(player, f"/s/{game.id}/correct?entry=10&event=nothing&details=1")

    plain = player.get(f"/s/{game.id}/correct?entry=10&event=1 lays 31 at 1,0 E").text

    assert ("in another way" in plain, "lays 31 at" in re.sub("<input[^>]*>", "", plain)) == (True, False)
    assert elsewhere[-2:] == ["1 lays 31 at -1,-1 S", "1 lays 31 at 1,0 E"]
    assert not any("lays" in text for text in taken_out)


def test_a_reason_is_not_said_twice(player: FlaskClient, game: Session) -> None:
    seq = {"seq": str(game.seq)}
    player.post(
        f"/s/{game.id}/record", data={**seq, "event": "2 discards 39", "overrule": "1", "because": "lost"}
    )

    assert smalls(player, f"/s/{game.id}/log?details=1")[0] == "2 discards 39"


def test_a_correction_is_told_by_its_entries(game: Session) -> None:
    told = [
        str(entry_in_words(game, Corrected(tuple(Change(seq, None) for seq in seqs))))
        for seqs in ((4,), (4, 5))
    ]

    assert told == ["Correction of entry 4", "Correction of entries 4, 5"]
