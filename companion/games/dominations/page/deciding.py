"""What is asked in the middle of something, and what is told before the first turn."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.page.choices import (
    PLAYER_NAME,
    Action,
    ActionGroup,
    ActionPanel,
    Wish,
    action_group,
    leads,
)
from companion.games.dominations.rules.box import CRADLE, DOMAIN_NAMES, Domain
from companion.games.dominations.rules.events import AnswerChosen, CardsKept, Ordered, Ruled
from companion.games.dominations.rules.lattice import cells_round, parse_point
from companion.games.dominations.rules.offers import possible_answers
from companion.games.dominations.rules.position import HeldEvent, Position, QuestionKind
from companion.games.dominations.rules.rulings import ANSWER_TEXTS
from companion.games.dominations.text import here, words
from companion.games.dominations.text.here import territory_numbers
from companion.games.dominations.text.notation import write_event


def answer_panel(position: Position, held: HeldEvent, wish: Wish) -> ActionPanel:
    """The question, and every answer to it."""
    need = held.need
    title = words.question_text(position, need)
    match need.ask:
        case QuestionKind.RULING:
            note = _("The rulebook does not say. The answer stands in the log, and holds for the whole game.")
            ruled = (event for event in possible_answers(held) if isinstance(event, Ruled))
            found = (Action(ANSWER_TEXTS[event.answer], line=write_event(event)) for event in ruled)
            return ActionPanel(title, action_group(found), (note,))
        case QuestionKind.DOMAINS:
            return _domains(held, wish, title)
        case QuestionKind.LOCUS:
            return ActionPanel(
                title, action_group(_loci(position, held)), (_("Their numbers stand on the map."),)
            )
        case QuestionKind.ORDER:
            return order_panel(position, wish, title, None, back=False)
    return ActionPanel(title)


def _loci(position: Position, held: HeldEvent) -> Iterator[Action]:
    """The circles that were closed, by their numbers on the map, and what lies there."""
    for number, choice in enumerate(held.need.choices, 1):
        line = write_event(AnswerChosen(held.need.player, choice))
        if not choice.startswith("@"):
            yield Action(_("The sides, no Locus"), line=line)
            continue
        lying = territory_numbers(position.board, cells_round(parse_point(choice)))
        yield Action(_("Locus %(number)d", number=number), line=line, note=lying)


def _domains(held: HeldEvent, wish: Wish, title: Message) -> ActionPanel:
    """Vestigium, one after the other; the last one records them all."""
    need = held.need
    mix = "".join(letter for letter in wish.get("mix", "") if letter in need.choices)[
        : max(0, need.count - 1)
    ]
    choices = []
    for letter in need.choices:
        name, all_told = DOMAIN_NAMES[Domain(letter)], len(mix) + 1 >= need.count
        line = write_event(AnswerChosen(need.player, mix + letter)) if all_told else ""
        choices.append(Action(name, line=line, to={} if line else leads(mix=mix + letter), domain=letter))
    notes = (
        _(
            "%(told)d of %(count)d: %(letters)s",
            told=len(mix),
            count=need.count,
            letters=here.domains_text(mix) if mix else "–",
        ),
    )
    same = (
        Action(
            _("All of %(domain)s", domain=DOMAIN_NAMES[Domain(x)]),
            line=write_event(AnswerChosen(need.player, x * need.count)),
            domain=x,
        )
        for x in need.choices
    )
    rest = action_group(same, _("All the same"), "grid") if need.count > 1 and not mix else ()
    back = leads() if mix else None
    return ActionPanel(
        title, (ActionGroup(tuple(choices), None, "grid"), *rest), notes if need.count > 1 else (), back
    )


# ---- before the first turn, and the Governor's order ----


def order_panel(
    position: Position, wish: Wish, title: Message, do: str | None, back: bool = True
) -> ActionPanel:
    """The players in the order in which they are tapped; the last one records it."""
    told = [int(n) - 1 for n in dict.fromkeys(wish.get("order", "")) if n.isdecimal()]
    told = [player for player in told if 0 <= player < position.players]
    left = [player for player in range(position.players) if player not in told]
    choices = []
    for player in left:
        after = (*told, player)
        if len(left) == 2:
            line = write_event(Ordered((*after, *(other for other in left if other != player))))
            choices.append(Action(PLAYER_NAME, player=player, line=line))
        else:
            choices.append(
                Action(PLAYER_NAME, player=player, to=leads(do=do, order="".join(str(n + 1) for n in after)))
            )
    note = _("Who is place %(place)d on the Initiative track?", place=len(told) + 1)
    return ActionPanel(
        title, (ActionGroup(tuple(choices), None, "people"),), (note,), leads() if back or told else None
    )


def preparation_groups(position: Position, folded: bool) -> tuple[ActionGroup, ...]:
    """What is told before the first turn."""
    found = [Action(_("The order of Initiative"), to=leads(do="order"))]
    if not any(position.board.pieces[cell].dots for cell in CRADLE):
        found.append(Action(_("The dots of the Cradle"), to=leads(do="cradle")))
    missing = [n for n, seat in enumerate(position.seats) if not seat.objective]
    if missing:
        found.append(Action(_("Objectives and Monuments"), to=leads(do="keep")))
    return (ActionGroup(tuple(found), _("Before the first turn"), "pairs", folded=folded),)


def keeping_panel(position: Position, wish: Wish) -> ActionPanel:
    """One Objective and one Monument for each player; cards not read out yet are read out first."""
    seats = position.seats
    missing = [player for player, seat in enumerate(seats) if not seat.objective]
    if not missing:
        return ActionPanel(_("Objectives"), (), (), leads())
    text = wish.get("who", "")
    who = int(text) - 1 if text in {str(n + 1) for n in missing} else missing[0]
    people = (
        Action(
            PLAYER_NAME,
            player=n,
            to=leads(do="keep", who=str(n + 1), objective=wish.get("objective")),
            chosen=n == who,
        )
        for n in missing
    )
    tabs = ActionGroup(tuple(people), None, "people")
    objective = wish.get("objective", "")
    if objective not in position.cards.objectives or objective not in position.taught:
        cards = (key for key in position.cards.objectives if key not in {seat.objective for seat in seats})
        found = [
            _card_choice(position, key, leads(do="keep", who=str(who + 1), objective=key)) for key in cards
        ]
        new = Action(_("Another card: read it out"), to=leads(do="card", kind="objective"))
        return ActionPanel(
            _("Which Objective?"), (tabs, *action_group(found), ActionGroup((new,))), (), leads()
        )
    keys = (key for key in position.cards.monuments if key not in position.sites)
    found = [_card_choice(position, key, None, write_event(CardsKept(who, objective, key))) for key in keys]
    new = Action(_("Another card: read it out"), to=leads(do="card", kind="monument"))
    return ActionPanel(
        _("Which Monument?"), (tabs, *action_group(found), ActionGroup((new,))), (), leads(do="keep")
    )


def _card_choice(position: Position, key: str, to: object, line: str = "") -> Action:
    """A card that can be taken, or has to be read out first."""
    kind = "objective" if key in position.cards.objectives else "monument"
    if key not in position.taught:
        asks = _("Not read out yet")
        return Action(position.title(key), to=leads(do="card", kind=kind, key=key), note=asks)
    return Action(position.title(key), line=line, to=to or {})  # type: ignore[arg-type]
