"""What was chosen of a card, beside what the card says then: nothing that was chosen is left out without a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.core.message import Message, listed
from companion.core.message import message as _
from companion.games.dominations.page import told_cards
from companion.games.dominations.page.card_fields import SAY, WORDS, Field, Section, shown
from companion.games.dominations.page.choices import To, Wish
from companion.games.dominations.rules.cards import Card
from companion.games.dominations.rules.effects import WITH_DOMAIN, Measure
from companion.games.dominations.rules.goals import Kind


@dataclass(frozen=True)
class Trouble:
    """What keeps a card from being read out."""

    text: Message
    in_words: To | None = None
    """Leads to the same form, where people say in words what cannot be counted."""
    field: str = ""
    """Where they write it."""
    draft: Message | None = None
    """What they chose until now, for them to go on with."""
    most: int = 0


def troubles(form: Sequence[Section], card: Card) -> Iterator[Trouble]:
    """Whatever the form shows as chosen, and the card does not say."""
    told, taken = shown(form), told_cards.answers(card)
    for section in form:
        if missing := _missing(section, told):
            text = _("%(where)s: “%(what)s” is still to be told.", where=section.name, what=listed(missing))
            yield Trouble(text)
            continue
        left = [
            field
            for field in section.fields
            if field.chosen and taken.get(field.name, field.untouched) != field.value
        ]
        if left:
            yield _left_out(section, told, left)


def _left_out(section: Section, told: Wish, left: Sequence[Field]) -> Trouble:
    own = _of_the_part(section)
    values = {"where": section.name, "what": listed(field.says for field in left)}
    if not any(field in own for field in left):
        return Trouble(_("%(where)s: “%(what)s” does not fit what else was chosen.", **values))
    text = _(
        "%(where)s: nothing can count “%(what)s” there. Choose otherwise, or say it in words and do it by hand.",
        **values,
    )
    words = own[-1]
    written = (
        [words] if words.value else [field for field in own[1:] if field.chosen and field.value != WORDS]
    )
    draft = listed(field.value if field is words else field.says for field in written) if written else None
    to = {**{field.name: None for field in own}, **_kept(section.part, told)}
    return Trouble(text, to, words.name, draft, words.most)


def _of_the_part(section: Section) -> Sequence[Field]:
    """The fields of the effect or of the goal: first when or what, at last the words."""
    names = [field.name.removeprefix(SAY) for field in section.fields]
    return [
        field
        for field, name in zip(section.fields, names, strict=True)
        if section.part and name.startswith(section.part)
    ]


def _kept(part: str, told: Wish) -> To:
    """What is told of an effect or a goal besides its words."""
    if f"{part}k" in told:
        return {f"{part}k": Kind.TEXT.value}
    trigger, every, about = told_cards.head_of(told, part)
    return {f"{part}t": trigger, f"{part}e": every or None, f"{part}x": about or None, f"{part}u": WORDS}


def _missing(section: Section, told: Wish) -> Sequence[Message]:
    """What an effect or a goal cannot do without, and nobody has told yet."""
    own = _of_the_part(section)
    needed = {*_needed(section.part, told)} if any(field.chosen for field in own) else ()
    return [field.label for field in own if field.name in needed and not field.value]


def _needed(part: str, told: Wish) -> Iterator[str]:
    if told.get(f"{part}k", told.get(f"{part}u")) in (Kind.TEXT, WORDS):
        yield f"{SAY}{part}"
    if f"{part}k" in told:
        return
    _counts, about = told_cards.about(told, part)
    yield f"{part}t"
    if about:
        yield f"{part}x"
    if told[f"{part}u"] != WORDS:
        yield from (f"{part}n", *(() if told_cards.is_bare(told, part) else (f"{part}u",)))
    if told[f"{part}m"] in WITH_DOMAIN - {Measure.NODUS}:
        yield f"{part}d"
