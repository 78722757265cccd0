"""Every game of the house has its words in one catalogue: those of Dominion are said as Dominion says them."""

from __future__ import annotations

from gettext import GNUTranslations
from pathlib import Path

import pytest

from companion.games.dominion.game import Dominion
from companion.household.languages import catalogue


@pytest.mark.parametrize("language", ("pt-BR", "es"))
def test_no_other_game_says_what_dominion_says_differently(language: str) -> None:
    folder = Path(Dominion.folder) / "translations" / language.replace("-", "_") / "LC_MESSAGES"
    with (folder / "dominion.mo").open("rb") as file:
        own = GNUTranslations(file)
    ids = [id for id in vars(own)["_catalog"] if isinstance(id, str) and id]
    words = catalogue(language)

    assert len(ids) > 300
    assert [id for id in ids if words.gettext(id) != own.gettext(id)] == []
