from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Colour, Player, Setup
from companion.core.log import Filed, FiledAs, Source
from companion.core.session import Session, begin_session
from companion.sessions.json_lines import write_session
from companion.sessions.repository import SessionRepository
from tests.commands.conftest import Companion


def test_an_empty_log_says_so(companion: Companion) -> None:
    assert companion("sessions").out == "There are no games yet.\n"


def test_games_are_listed_with_who_won(
    companion: Companion, store: SessionRepository, played: Session
) -> None:
    store.begin(played)
    running = begin_session(
        "morning2", played.game, Setup((Player("Zé", Colour.GREEN), Player("Bia", Colour.PINK))),
        Source.PAGE, played.entries[0].time.replace(day=2),
    )  # fmt: skip
    store.begin(running)

    said = companion("sessions", "list", "--json")

    assert [(row["id"], row["over"], row["winners"], row["source"]) for row in said.json] == [
        ("morning2", False, [], "page"),
        ("evening1", True, list(played.tally.standing.winners), "page"),
    ]
    assert [player["points"] for player in said.json[1]["players"]] == list(played.tally.totals)
    assert said.json == companion("sessions", "--json").json
    assert companion("sessions").out.splitlines()[0].endswith("Zé 0, Bia 0   not over after 1 entry")
    assert len(companion("sessions", "list", "--limit", "1").out.splitlines()) == 1


def test_games_that_played_themselves_are_listed_when_asked_for(
    companion: Companion, store: SessionRepository, played: Session
) -> None:
    store.begin(played)
    alone = begin_session("demo1", played.game, played.setup, Source.DEMO, played.entries[-1].time)
    taken = begin_session("demo2", played.game, played.setup, Source.DEMO, played.entries[-1].time)
    store.begin(alone)
    store.begin(taken.record(played.entries[1].event, Source.PAGE, played.entries[-1].time))

    def listed(*words: str) -> list[str]:
        return [row["id"] for row in companion("sessions", *words, "--json").json]

    assert listed() == listed("list") == ["demo2", "evening1"]
    assert listed("list", "--limit", "1") == ["demo2"]
    assert listed("list", "--all") == ["demo1", "demo2", "evening1"]


def test_names_are_told_and_the_bin_is_left_out_unless_asked_for(
    companion: Companion, store: SessionRepository, played: Session
) -> None:
    named = Filed(FiledAs.NAMED, "Friday")
    store.begin(played.record(named, Source.PAGE, played.entries[-1].time))
    thrown = begin_session("morning2", played.game, played.setup, Source.PAGE, played.entries[-1].time)
    store.begin(thrown.record(Filed(FiledAs.DELETED), Source.PAGE, played.entries[-1].time))

    rows = companion("sessions", "list", "--all", "--json").json

    assert [(row["id"], row["name"], row["deleted"]) for row in rows] == [
        ("evening1", "Friday", False),
        ("morning2", "", True),
    ]
    (line,) = companion("sessions").out.splitlines()
    assert "kingdomino  “Friday”  Ana" in line


def test_a_log_is_shown_entry_by_entry(
    companion: Companion, store: SessionRepository, played: Session
) -> None:
    store.begin(played)

    said = companion("sessions", "show", "evening1", "--json")

    assert [entry["seq"] for entry in said.json] == [entry.seq for entry in played.entries]
    assert said.json[0]["event"] == 'start kingdomino harmony with "Ana" pink, "Rui" blue'
    assert {entry["counts"] for entry in said.json} == {True}


def test_export_import_export_is_identical(
    companion: Companion,
    home: Path,
    store: SessionRepository,
    played: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store.begin(played)
    exported = companion("sessions", "export", "evening1")
    companion("sessions", "export", "evening1", "-o", "evening1.jsonl")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "another"))

    imported = companion("sessions", "import", "evening1.jsonl", "--json")
    again = companion("sessions", "import", "evening1.jsonl")

    assert imported.json == [{"id": "evening1", "entries": len(played.entries), "imported": True}]
    assert again.out == "Game evening1 was in the log already, to the letter.\n"
    assert companion("sessions", "export", "evening1").out == exported.out
    assert exported.out == (home / "evening1.jsonl").read_text("utf-8")
    assert exported.out == "".join(f"{line}\n" for line in write_session(played))


def test_another_game_of_the_same_name_is_refused(
    companion: Companion, home: Path, store: SessionRepository, played: Session
) -> None:
    store.begin(played)
    content = "".join(f"{line}\n" for line in write_session(played)).replace("Rui", "Rita")
    (home / "other.jsonl").write_text(content, "utf-8")

    said = companion("sessions", "import", "other.jsonl", "--json")

    assert (said.code, said.json[0]["file"]) == (2, "other.jsonl")
    assert said.err.endswith(
        "There is another session “evening1” in the log already. Nothing was imported.\n"
    )


@pytest.mark.parametrize("action", ("show", "export"))
def test_a_game_nobody_knows_is_told(companion: Companion, action: str) -> None:
    said = companion("sessions", action, "nowhere")

    assert (said.code, said.out, said.err) == (2, "", "companion: There is no session “nowhere”.\n")


def test_a_damaged_log_is_a_failure_and_not_the_reader_s_fault(companion: Companion, home: Path) -> None:
    log = home / "data" / "table-companion" / "companion.db"
    log.parent.mkdir(parents=True)
    log.write_bytes(b"this is no database, and it is long enough to be looked at" * 100)

    said = companion("sessions")

    assert (said.code, said.out) == (1, "")
    assert "damaged" in said.err


def test_a_file_that_cannot_be_written_is_told(
    companion: Companion, store: SessionRepository, played: Session
) -> None:
    store.begin(played)

    said = companion("sessions", "export", "evening1", "-o", "no/such/folder.jsonl")

    assert (said.code, said.err) == (
        1,
        "companion: no/such/folder.jsonl cannot be written: No such file or directory.\n",
    )


def test_settings_with_a_mistake_are_told_and_used(companion: Companion, home: Path, played: Session) -> None:
    (home / "mine.toml").write_text('[store]\nfolder = "elsewhere"\n[web]\nprot = 1\n')
    (home / "evening1.jsonl").write_text("".join(f"{line}\n" for line in write_session(played)), "utf-8")

    said = companion("sessions", "import", "evening1.jsonl", "--config", home / "mine.toml")

    assert (said.code, "web.prot" in said.err) == (0, True)
    assert (home / "elsewhere" / "companion.db").is_file()
