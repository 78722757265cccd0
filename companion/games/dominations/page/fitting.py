"""What was chosen of a card, beside what the card says then: nothing that was chosen is left out without a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.games.dominations.page import told_cards
from companion.games.dominations.page.card_fields import SAY, WORDS, FormField, FormSection, shown_answers
from companion.games.dominations.page.choices import To, Wish
from companion.games.dominations.rules.cards import Card
from companion.games.dominations.rules.effects import WITH_DOMAIN, Measure
from companion.games.dominations.rules.goals import GoalKind


@dataclass(frozen=True)
class FormTrouble:
    """What keeps a card from being read out."""

    text: Message
    in_words: To | None = None
    """Leads to the same form, where people say in words what cannot be counted."""
    field: str = ""
    """Where they write it."""
    draft: Message | None = None
    """What they chose until now, for them to go on with."""
    most: int = 0


def form_troubles(form: Sequence[FormSection], card: Card) -> Iterator[FormTrouble]:
    """Whatever the form shows as chosen, and the card does not say."""
    told, taken = shown_answers(form), told_cards.answers_from_card(card)
    for section in form:
        if missing := _missing(section, told):
            text = _("%(where)s: “%(what)s” is still to be told.", where=section.name, what=joined(missing))
            yield FormTrouble(text)
            continue
        left = [
            field
            for field in section.fields
            if field.chosen and taken.get(field.name, field.untouched) != field.value
        ]
        if left:
            yield _left_out(section, told, left)


def _left_out(section: FormSection, told: Wish, left: Sequence[FormField]) -> FormTrouble:
    own = _of_the_part(section)
    values = {"where": section.name, "what": joined(field.says for field in left)}
    if not any(field in own for field in left):
        return FormTrouble(_("%(where)s: “%(what)s” does not fit what else was chosen.", **values))
    text = _(
        "%(where)s: nothing can count “%(what)s” there. Choose otherwise, or say it in words and do it by hand.",
        **values,
    )
    words = own[-1]
    written = (
        [words] if words.value else [field for field in own[1:] if field.chosen and field.value != WORDS]
    )
    draft = joined(field.value if field is words else field.says for field in written) if written else None
    to = {**{field.name: None for field in own}, **_kept(section.part, told)}
    return FormTrouble(text, to, words.name, draft, words.most)


def _of_the_part(section: FormSection) -> Sequence[FormField]:
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
        return {f"{part}k": GoalKind.TEXT.value}
    trigger, every, about = told_cards.effect_head(told, part)
    return {f"{part}t": trigger, f"{part}e": every or None, f"{part}x": about or None, f"{part}u": WORDS}


def _missing(section: FormSection, told: Wish) -> Sequence[Message]:
    """What an effect or a goal cannot do without, and nobody has told yet."""
    own = _of_the_part(section)
    needed = {*_needed(section.part, told)} if any(field.chosen for field in own) else ()
    return [field.label for field in own if field.name in needed and not field.value]


def _needed(part: str, told: Wish) -> Iterator[str]:
    if told.get(f"{part}k", told.get(f"{part}u")) in (GoalKind.TEXT, WORDS):
        yield f"{SAY}{part}"
    if f"{part}k" in told:
        return
    _counts, about = told_cards.trigger_needs(told, part)
    yield f"{part}t"
    if about:
        yield f"{part}x"
    if told[f"{part}u"] != WORDS:
        yield from (f"{part}n", *(() if told_cards.needs_no_unit(told, part) else (f"{part}u",)))
    if told[f"{part}m"] in WITH_DOMAIN - {Measure.NODUS}:
        yield f"{part}d"
