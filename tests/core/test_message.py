"""Sentences keep their values apart from the language they are said in."""

from __future__ import annotations

import gettext

import pytest

from companion.core.message import ENGLISH, Message, collation_key, message, plural

WORDS = {
    "Forest": "Floresta",
    "%(terrain)s is taken": "%(terrain)s está ocupada",
    "Domino %(domino)d, player %(player)d": "O jogador %(player)d e o dominó %(domino)d",
    "A line has %(count)d domino": "Uma fila tem %(count)d dominó",
    "A line has %(count)d dominoes": "Uma fila tem %(count)d dominós",
}


class Portuguese:
    """A catalogue small enough to read."""

    def gettext(self, message: str, /) -> str:
        return WORDS.get(message, message)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        # As in Brazil: none is singular as well.
        return self.gettext(singular if n < 2 else plural)


def test_a_sentence_is_said_in_english_unless_asked_otherwise() -> None:
    assert str(message("The game is over")) == "The game is over"
    assert message("The game is over").say(ENGLISH) == "The game is over"


def test_a_sentence_without_values_may_have_a_percent_sign() -> None:
    assert str(message("100% sure")) == "100% sure"


def test_values_are_filled_in_by_name_so_that_a_language_can_turn_them_around() -> None:
    turned = message("Domino %(domino)d, player %(player)d", domino=7, player=2)

    assert str(turned) == "Domino 7, player 2"
    assert turned.say(Portuguese()) == "O jogador 2 e o dominó 7"


def test_a_sentence_within_a_sentence_is_said_in_the_same_language() -> None:
    nested = message("%(terrain)s is taken", terrain=message("Forest"))

    assert str(nested) == "Forest is taken"
    assert nested.say(Portuguese()) == "Floresta está ocupada"


@pytest.mark.parametrize(
    ("count", "english", "portuguese"),
    (
        (0, "A line has 0 dominoes", "Uma fila tem 0 dominó"),
        (1, "A line has 1 domino", "Uma fila tem 1 dominó"),
        (2, "A line has 2 dominoes", "Uma fila tem 2 dominós"),
    ),
)
def test_each_language_decides_which_counts_are_one(count: int, english: str, portuguese: str) -> None:
    counted = plural("A line has %(count)d domino", "A line has %(count)d dominoes", count)

    assert str(counted) == english
    assert counted.say(Portuguese()) == portuguese


def test_a_value_is_never_taken_for_a_pattern() -> None:
    assert str(message("%(name)s plays", name="100 %(domino)d")) == "100 %(domino)d plays"


def test_a_catalogue_of_gettext_is_a_translator() -> None:
    assert message("Forest").say(gettext.NullTranslations()) == "Forest"


def test_messages_are_equal_when_they_say_the_same() -> None:
    assert message("Domino %(domino)d", domino=7) == Message("Domino %(domino)d", {"domino": 7})
    assert message("Domino %(domino)d", domino=7) != message("Domino %(domino)d", domino=8)


def test_words_are_sorted_as_people_sort_them() -> None:
    names = ["Zoë", "Ñandú", "Água", "abacaxi", "nuez", "Ana", "ano", "Égide", "fada"]

    assert sorted(names, key=collation_key) == [
        *("abacaxi", "Água", "Ana", "ano", "Égide", "fada", "nuez", "Ñandú", "Zoë"),
    ]
