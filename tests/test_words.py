"""What the catalogues say reads as their speakers would say it: the glossary's words, counts and agreement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from companion.games.dominations.rules.box import LETTERS
from companion.games.dominations.rules.cards import CardEffect, EffectUnit, Measure, Trigger
from companion.games.dominations.text.words import effect_text
from companion.household.languages import catalogue as spoken
from tests.catalogues import CATALOGUES, FOLDERS, LOCALES, forms, messages, pairs

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"

EVERYWHERE = "every catalogue"
INSTEAD_OF: dict[tuple[str, str], dict[str, str]] = {
    ("pt_BR", EVERYWHERE): {
        r"\bmanual\b": "livro de regras",
        r"\bcompanheiro\b": "o Companion",
        r"\btermin\w+ (o|este) turno": "encerrar o turno",
    },
    ("pt_BR", "dominations"): {
        r"\b(des)?vira(da|r|ndo|)\b": "aprimorar, lado avançado",
        r"\bmelhora(r|ndo|)\b (a|uma) (Cidade|Maestria)": "aprimorar",
        r"\bpressup": "pré-requisito",
        r"\boutro lado\b": "lado avançado",
        r"\blance\b": "jogada",
    },
    ("es", EVERYWHERE): {
        r"\bmanual\b": "reglamento",
        r"\bcompañero\b": "el Companion",
        r"(?<!Table )(?<![Ee]l )(?<!del )(?<!al )(?<!otro )(?<!Un )Companion\b(?!$)": "el Companion",
        r"[«»]": "“ ”",
        r"\b(corrija|léala|impórtelo|úselos|responda|deshaga)\b": "tú",
        r"\b\w{3,}(ad|ed|id) (los|las|el|la)\b": "ustedes",
    },
    ("es", "dominations"): {
        r"\bda(r|n|)(le)? la vuelta\b": "mejorar",
        r"\bpresupone": "requisito previo",
        r"\bprerrequisito": "requisito previo",
        r"\botr[oa] (lado|cara)\b": "lado avanzado",
        r"\bGobernador\b": "Gobernante",
    },
}
"""Words that no catalogue of that language, or of that game in it, has; and the glossary's."""

NEVER_ONE = (
    "%(given)d of one Domain are traded",
    "%(count)d different answers are chosen",
    "%(folder)s has %(count)d pictures",
    "The table is not found: neither its markers",
    "Of %(count)d pictures of other things",
    "%(session)s: %(right)d of",
    "All %(count)d followers",
    "All %(count)d copies",
    "draws up to %(count)d territories",
    "There are only %(count)d territories in the box.",
    "An Objective has %(count)d goals.",
    "A game has %(count)d different kingdom cards.",
    "The game ends with the Provinces",
    "With %(players)d players %(count)d dominoes",
    "%(points)d points more for a",
    "%(seen)d of %(count)d dominoes",
    "%(seen)d new dominoes are seen",
    "Draw the first line",
    "Draw the next line",
    "Clear the table, then draw the first line",
)
"""How sentences begin whose numbers the rules, the box or a bench over many photos never let be 1."""
FIXED = "limit|most|least|fewest|needed|all|squares|size|rows|cards|given"
"""Values that are set once and for all, and never 1."""
NO_NOUN = "mais|más|menos|mm|pixels|píxeles|destes|es"
NAMES = "card|domain|name|names|one|role|title|player|territory|giver|receiver"


def sentences(domain: str, locale: str) -> Iterator[str]:
    return (said for _english, said in pairs(domain, locale))


def wrong_words(said: str, domain: str, locale: str) -> list[str]:
    """The glossary's words that belong into a sentence instead of its own."""
    tables = (INSTEAD_OF[locale, EVERYWHERE], INSTEAD_OF.get((locale, domain), {}))
    return [right for table in tables for wrong, right in table.items() if re.search(wrong, said)]


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_the_words_are_those_of_the_glossary(domain: str, locale: str) -> None:
    found = {
        said: right for said in sentences(domain, locale) if (right := wrong_words(said, domain, locale))
    }

    assert found == {}


@pytest.mark.parametrize(
    ("said", "domain", "locale", "right"),
    (
        ("O manual não diz.", "companion", "pt_BR", ["livro de regras"]),
        ("Mais alguma coisa? Ou termine o turno", "dominion", "pt_BR", ["encerrar o turno"]),
        ("o companheiro conta do modo mais literal", "kingdomino", "pt_BR", ["o Companion"]),
        ("Maestria virada", "dominations", "pt_BR", ["aprimorar, lado avançado"]),
        ("melhora uma Cidade de Ofícios", "dominations", "pt_BR", ["aprimorar"]),
        ("A Maestria que esta carta pressupõe", "dominations", "pt_BR", ["pré-requisito"]),
        ("A carta pode ser virada", "carcassonne", "pt_BR", []),
        ("vuelve a iniciar Companion.", "companion", "es", ["el Companion"]),
        ("una partida de Table Companion", "companion", "es", []),
        ("Revisad los tableros.", "dominations", "es", ["ustedes"]),
        ("da la vuelta a “Pesca”", "dominations", "es", ["mejorar"]),
    ),
)
def test_words_that_are_not_the_glossarys_are_seen(
    said: str, domain: str, locale: str, right: list[str]
) -> None:
    assert wrong_words(said, domain, locale) == right


def counted_as_many(said: str) -> list[str]:
    """Numbers that may be 1, and are followed by a plural."""
    return [found.group() for found in re.finditer(rf"%\((?!{FIXED})\w+\)d (?!(?:{NO_NOUN})\b)\w+s\b", said)]


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_one_is_said_in_the_singular(domain: str, locale: str) -> None:
    """What is counted is said in both numbers, or so that its number does not matter."""
    said_of_one = [
        (english[0], said)
        for message in messages(domain, locale)
        for english, said in [(forms(message.id), forms(message.string)[0])]
        if counted_as_many(said) and not english[0].startswith(NEVER_ONE)
    ]

    assert said_of_one == []


@pytest.mark.parametrize(
    ("said", "seen"),
    (
        ("%(count)d pontos", ["%(count)d pontos"]),
        ("Influência: %(laps)d voltas, casa %(place)d", ["%(laps)d voltas"]),
        ("%(count)d ponto", []),
        ("%(count)d a mais", []),
        ("Níveis adquiridos: %(count)d", []),
        ("no máximo %(limit)d letras", []),
    ),
)
def test_plurals_said_of_one_are_seen(said: str, seen: list[str]) -> None:
    assert counted_as_many(said) == seen


AGREEING = re.compile(
    rf"(?<!\bde )(?<!\w “)%\((?:{NAMES})\)s”?"
    r"(?:,| (?:está|foi|é|ficou|não está|não é|fue|es|no está|no es|ha sido|queda)) "
    r"\w+(?:[dt]|ei|ch|ll|rt)[oa]s?\b"
)
"""A word that is masculine or feminine for the sake of a name, whose gender nobody knows."""


def agrees_with_a_name(said: str) -> bool:
    return bool(AGREEING.search(said))


@pytest.mark.parametrize(("domain", "locale"), CATALOGUES)
def test_nothing_agrees_with_a_name(domain: str, locale: str) -> None:
    assert [said for said in sentences(domain, locale) if agrees_with_a_name(said)] == []


@pytest.mark.parametrize(
    ("said", "seen"),
    (
        ("%(domain)s está cheio: o que passar de 20 traz um ponto", True),
        ("“%(card)s” foi lida: agora a mesa a conhece.", True),
        ("%(card)s, contada à mão", True),
        ("Carta lida: “%(card)s”. Agora a mesa a conhece.", False),
        ("Es el turno de %(name)s.", False),
    ),
)
def test_words_that_agree_with_a_name_are_seen(said: str, seen: bool) -> None:
    assert agrees_with_a_name(said) is seen


def test_a_sentence_is_said_alike_in_whichever_catalogue_it_stands() -> None:
    """The house's catalogue is asked first, then those of the games: what stands in a later one is never said."""
    said: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for locale, domain in product(LOCALES, FOLDERS):
        for message in messages(domain, locale):
            said.setdefault((locale, forms(message.id)[0]), set()).add(forms(message.string))

    assert {asked: ways for asked, ways in said.items() if len({way[-1] for way in ways}) > 1} == {}


def effects() -> Iterator[CardEffect]:
    """Every shape that an effect of Dominations can have, with what nobody knows among it."""
    for amount, unit, measure, per in product((0, 1, 2), (LETTERS[0], *EffectUnit), (None, *Measure), (1, 2)):
        for of in ("", LETTERS[3], "?"):
            yield CardEffect(Trigger.NOW, amount=amount, unit=unit, measure=measure, per=per, of=of)
    for trigger, about in product(Trigger, ("", LETTERS[0], "?")):
        yield CardEffect(trigger, about=about, every=2, amount=1, unit=LETTERS[1])


CLASHES = re.compile(
    r"\b(?:de|do|da|del|em|en|por|para) (?:de|do|da|del|por)\b"
    r"|\b1 (?!mais\b|más\b|menos\b)\w+s\b|\b[02] (?:ponto|punto)\b|%\(",
)
"""Two prepositions in a row, a number that is not that of its noun, and a value that was not put in."""


@pytest.mark.parametrize("locale", LOCALES)
def test_what_a_card_does_is_put_together_grammatically(locale: str) -> None:
    words = spoken(locale.replace("_", "-"))
    told = {effect_text(effect).say(words) for effect in effects()}

    assert len(told) > 500
    assert [text for text in told if CLASHES.search(text)] == []


@pytest.mark.parametrize(
    "said", ("A cada 2 de do que ninguém disse produzido", "Na hora: 1 pontos", "Por cada 2 de del Dominio")
)
def test_clashing_words_are_seen(said: str) -> None:
    assert CLASHES.search(said)


def test_the_glossary_has_every_word_that_is_asked_for() -> None:
    told = GLOSSARY.read_text("utf-8").casefold()
    asked = {word for table in INSTEAD_OF.values() for right in table.values() for word in right.split(", ")}

    assert {word for word in asked if word.casefold() not in told} == set()
