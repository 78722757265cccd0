"""What is asked in the middle of something, and what is told before the first turn."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.choices import NAME, Choice, Group, Hand, Wish, group, leads
from companion.games.dominations.rules.box import CRADLE, DOMAIN_NAMES, Domain
from companion.games.dominations.rules.events import Chosen, Kept, Ordered, Ruled
from companion.games.dominations.rules.lattice import circle, parse_point
from companion.games.dominations.rules.offers import answers
from companion.games.dominations.rules.position import Ask, Held, Position
from companion.games.dominations.rules.rulings import ANSWER_TEXTS
from companion.games.dominations.text import here, words
from companion.games.dominations.text.here import numbers
from companion.games.dominations.text.notation import write_event


def asked(position: Position, held: Held, wish: Wish) -> Hand:
    """The question, and every answer to it."""
    need = held.need
    title = words.question(position, need)
    match need.ask:
        case Ask.RULING:
            note = _("The rulebook does not say. The answer stands in the log, and holds for the whole game.")
            ruled = (event for event in answers(held) if isinstance(event, Ruled))
            found = (Choice(ANSWER_TEXTS[event.answer], line=write_event(event)) for event in ruled)
            return Hand(title, group(found), (note,))
        case Ask.DOMAINS:
            return _domains(held, wish, title)
        case Ask.LOCUS:
            return Hand(title, group(_loci(position, held)), (_("Their numbers stand on the map."),))
        case Ask.ORDER:
            return order(position, wish, title, None, back=False)
    return Hand(title)


def _loci(position: Position, held: Held) -> Iterator[Choice]:
    """The circles that were closed, by their numbers on the map, and what lies there."""
    for number, choice in enumerate(held.need.choices, 1):
        line = write_event(Chosen(held.need.player, choice))
        if not choice.startswith("@"):
            yield Choice(_("The sides, no Locus"), line=line)
            continue
        lying = numbers(position.board, circle(parse_point(choice)))
        yield Choice(_("Locus %(number)d", number=number), line=line, note=lying)


def _domains(held: Held, wish: Wish, title: Message) -> Hand:
    """Vestigium, one after the other; the last one records them all."""
    need = held.need
    mix = "".join(letter for letter in wish.get("mix", "") if letter in need.choices)[
        : max(0, need.count - 1)
    ]
    choices = []
    for letter in need.choices:
        name, all_told = DOMAIN_NAMES[Domain(letter)], len(mix) + 1 >= need.count
        line = write_event(Chosen(need.player, mix + letter)) if all_told else ""
        choices.append(Choice(name, line=line, to={} if line else leads(mix=mix + letter), domain=letter))
    notes = (
        _(
            "%(told)d of %(count)d: %(letters)s",
            told=len(mix),
            count=need.count,
            letters=here.domains(mix) if mix else "–",
        ),
    )
    same = (
        Choice(
            _("All of %(domain)s", domain=DOMAIN_NAMES[Domain(x)]),
            line=write_event(Chosen(need.player, x * need.count)),
            domain=x,
        )
        for x in need.choices
    )
    rest = group(same, _("All the same"), "grid") if need.count > 1 and not mix else ()
    back = leads() if mix else None
    return Hand(title, (Group(tuple(choices), None, "grid"), *rest), notes if need.count > 1 else (), back)


# ---- before the first turn, and the Governor's order ----


def order(position: Position, wish: Wish, title: Message, do: str | None, back: bool = True) -> Hand:
    """The players in the order in which they are tapped; the last one records it."""
    told = [int(n) - 1 for n in dict.fromkeys(wish.get("order", "")) if n.isdecimal()]
    told = [player for player in told if 0 <= player < position.players]
    left = [player for player in range(position.players) if player not in told]
    choices = []
    for player in left:
        after = (*told, player)
        if len(left) == 2:
            line = write_event(Ordered((*after, *(other for other in left if other != player))))
            choices.append(Choice(NAME, player=player, line=line))
        else:
            choices.append(
                Choice(NAME, player=player, to=leads(do=do, order="".join(str(n + 1) for n in after)))
            )
    note = _("Who is place %(place)d on the Initiative track?", place=len(told) + 1)
    return Hand(title, (Group(tuple(choices), None, "people"),), (note,), leads() if back or told else None)


def preparing(position: Position, folded: bool) -> tuple[Group, ...]:
    """What is told before the first turn."""
    found = [Choice(_("The order of Initiative"), to=leads(do="order"))]
    if not any(position.board.pieces[cell].dots for cell in CRADLE):
        found.append(Choice(_("The dots of the Cradle"), to=leads(do="cradle")))
    missing = [n for n, seat in enumerate(position.seats) if not seat.objective]
    if missing:
        found.append(Choice(_("Objectives and Monuments"), to=leads(do="keep")))
    return (Group(tuple(found), _("Before the first turn"), "pairs", folded=folded),)


def keeping(position: Position, wish: Wish) -> Hand:
    """One Objective and one Monument for each player; cards not read out yet are read out first."""
    seats = position.seats
    missing = [player for player, seat in enumerate(seats) if not seat.objective]
    if not missing:
        return Hand(_("Objectives"), (), (), leads())
    text = wish.get("who", "")
    who = int(text) - 1 if text in {str(n + 1) for n in missing} else missing[0]
    people = (
        Choice(
            NAME,
            player=n,
            to=leads(do="keep", who=str(n + 1), objective=wish.get("objective")),
            chosen=n == who,
        )
        for n in missing
    )
    tabs = Group(tuple(people), None, "people")
    objective = wish.get("objective", "")
    if objective not in position.cards.objectives or objective not in position.taught:
        cards = (key for key in position.cards.objectives if key not in {seat.objective for seat in seats})
        found = [_card(position, key, leads(do="keep", who=str(who + 1), objective=key)) for key in cards]
        new = Choice(_("Another card: read it out"), to=leads(do="card", kind="objective"))
        return Hand(_("Which Objective?"), (tabs, *group(found), Group((new,))), (), leads())
    keys = (key for key in position.cards.monuments if key not in position.sites)
    found = [_card(position, key, None, write_event(Kept(who, objective, key))) for key in keys]
    new = Choice(_("Another card: read it out"), to=leads(do="card", kind="monument"))
    return Hand(_("Which Monument?"), (tabs, *group(found), Group((new,))), (), leads(do="keep"))


def _card(position: Position, key: str, to: object, line: str = "") -> Choice:
    """A card that can be taken, or has to be read out first."""
    kind = "objective" if key in position.cards.objectives else "monument"
    if key not in position.taught:
        asks = _("Not read out yet")
        return Choice(position.title(key), to=leads(do="card", kind=kind, key=key), note=asks)
    return Choice(position.title(key), line=line, to=to or {})  # type: ignore[arg-type]
