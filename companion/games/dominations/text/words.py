"""What people are told: what happened, what the table waits for, what cards do, everybody's board at a terminal.

All of it is `Message` values. `TableNames` says what this table calls its players, cards and territories;
without a table, words name what is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.game import Line, Remark, Turn
from companion.core.message import Message, joined
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.games.dominations.rules import events
from companion.games.dominations.rules.board import NO_DOT, Board, Tile
from companion.games.dominations.rules.box import (
    ANSWER_TEXTS,
    CORRUPTIO,
    CRADLE,
    DOMAIN_NAMES,
    LETTERS,
    QUESTION_TEXTS,
    UNKNOWN,
    Amounts,
    Domain,
    colour_name,
    ruling_told,
    settled,
)
from companion.games.dominations.rules.cards import (
    CardEffect,
    EffectUnit,
    Goal,
    GoalKind,
    GoalPart,
    Measure,
    Trigger,
    card_title,
)
from companion.games.dominations.rules.eras import influence_leader, table_orders
from companion.games.dominations.rules.events import Answered, Event, Plain, TreePlacement
from companion.games.dominations.rules.growth import ALONG
from companion.games.dominations.rules.lattice import Cell, cells_round, parse_point
from companion.games.dominations.rules.position import (
    OF_A_TURN,
    ROLE_NAMES,
    GameStage,
    PendingQuestion,
    Position,
    QuestionKind,
)


@dataclass(frozen=True)
class TableNames:
    """A table that words are said at; without one, they name what is printed."""

    position: Position | None = None
    names: tuple[str, ...] = ()

    def card(self, key: str) -> Message:
        return self.position.title(key) if self.position else card_title(key, key, True)

    def who(self, players: Iterable[int]) -> Message:
        return joined(
            self.names[player] if player < len(self.names) else _("player %(number)d", number=player + 1)
            for player in players
        )

    def territory(self, cell: Cell) -> Message:
        return territory_by_number(self.position.board, cell) if self.position else _("a territory")

    def beside_cell(self, cell: Cell) -> Message | None:
        """What lay beside a place of the map when a territory came there."""
        if self.position is None:
            return None
        board = self.position.board
        own = territory_number(board, cell) or len(board.tiles) + 1
        before = [near for near in cell.neighbours if 0 < territory_number(board, near) < own]
        found = [_("the Cradle")] if any(near in CRADLE for near in cell.neighbours) else []
        told = territory_numbers(board, before)
        return joined((*found, told) if told else found) if found or told else None

    def beside(self, key: str, place: events.Place) -> Message:
        """Where a Monument's piece stands: on a Locus, or beside what its map shows."""
        if self.position is None:
            return _("on the map")
        board = self.position.board
        beside = cells_round(place) if not isinstance(place, events.Lozenge) else sorted(board.beside(key))
        return territory_numbers(board, beside) or _("on the map")

    def choice(self, choice: str) -> Message:
        """An answer: one of several Loci, or Domains."""
        if choice.startswith("@"):
            board = self.position.board if self.position else Board()
            return _(
                "the Locus of %(territories)s",
                territories=territory_numbers(board, cells_round(parse_point(choice))) or "?",
            )
        if set(choice) <= {*LETTERS}:
            return domains_text(choice)
        return _("the sides") if choice == ALONG else self.card(choice.partition("#")[0])


def territory_number(board: Board, cell: Cell) -> int:
    """Territories are counted as they were laid; 0 where none lies."""
    return next((number for number, each in enumerate(board.tiles, 1) if each == cell), 0)


def territory_by_number(board: Board, cell: Cell) -> Message:
    """A territory by its number and its Field: both stand on the map when it is tapped."""
    tile = board.tiles.get(cell)
    if tile is None:
        return _("a territory")
    return _(
        "territory %(number)d (%(field)s)",
        number=territory_number(board, cell),
        field=DOMAIN_NAMES[tile.field],
    )


def territory_numbers(board: Board, cells: Iterable[Cell]) -> Message | None:
    """Several territories by their numbers; nothing where none of them lies on the map."""
    found = sorted(number for cell in cells if (number := territory_number(board, cell)))
    if len(found) == 1:
        return _("territory %(number)d", number=found[0])
    return _("territories %(numbers)s", numbers=", ".join(map(str, found))) if found else None


def half_nodus_text(letter: str) -> Message:
    """A half Nodus in words."""
    if letter == CORRUPTIO:
        return Message("%(text)s", {"text": "Corruptio"})
    return colour_name(letter)


def domains_text(letters: str) -> Message:
    """Domains by their names, each with how often it is meant."""
    found = [Domain(letter) for letter in dict.fromkeys(letters)]
    return joined(
        _("%(count)d %(domain)s", count=letters.count(domain), domain=DOMAIN_NAMES[domain])
        if letters.count(domain) > 1
        else DOMAIN_NAMES[domain]
        for domain in found
    )


TRIGGER_TEXTS: Mapping[Trigger, Message] = {
    Trigger.NOW: _("At once"),
    Trigger.TURN_START: _("At the start of the turn"),
    Trigger.ERA_START: _("At the start of an Era"),
    Trigger.ERA_END: _("At the end of an Era"),
    Trigger.PRODUCE: _("When Knowledge is produced"),
    Trigger.NODUS: _("For each new Nodus"),
    Trigger.FIELD: _("Fields produce more"),
    Trigger.CITY: _("When a City is built or upgraded"),
    Trigger.BUILD: _("When a City is built"),
    Trigger.UPGRADE: _("When a City is upgraded"),
    Trigger.ACTIVATE: _("When a territory activates a City"),
    Trigger.LOCUS: _("When a Locus is closed"),
    Trigger.ROLE: _("For each Role obtained"),
    Trigger.COMPARE: _("Added when Roles are determined"),
    Trigger.PAY: _("Costs less"),
    Trigger.TRADE: _("Trades at a better rate"),
    Trigger.LIMIT: _("Limit of a Reserve"),
}

STANDING_TRIGGERS = (Trigger.PAY, Trigger.TRADE, Trigger.FIELD, Trigger.PRODUCE)
"""What works all the time, and is easily forgotten."""

TARGET_TEXTS: Mapping[str, Message] = {
    "mastery": _("Masteries cost less"),
    "advance": _("Turning Masteries over costs less"),
    "city": _("Cities cost less"),
    "monument": _("Monuments cost less"),
}

UNIT_TEXTS: Mapping[str, Message] = {
    EffectUnit.INFLUENCE: _("Influence"),
    EffectUnit.POINTS: _("points"),
    EffectUnit.CITY: _("of the City's Domain"),
    EffectUnit.FIELD: _("of the Field's Domain"),
    EffectUnit.VESTIGIUM: _("Vestigium"),
    EffectUnit.ONE_DOMAIN: _("Vestigium, all of one Domain"),
    EffectUnit.UNKNOWN: _("of an unknown kind"),
}

MEASURE_TEXTS: Mapping[Measure, Message] = {
    Measure.NODUS: _("Nodus"),
    Measure.NODUS_NOT: _("Nodus of another Domain"),
    Measure.DOMAIN: _("Domain with a Nodus"),
    Measure.CITY: _("own City"),
    Measure.CITY_LEVEL: _("level of own Cities"),
    Measure.BOARD_CITY: _("City on the table"),
    Measure.CONNECTED_CITY: _("connected City (the longest chain)"),
    Measure.MONUMENT_LEVEL: _("own level of Monuments"),
    Measure.BASIC: _("basic Mastery"),
    Measure.ADVANCED: _("turned Mastery"),
    Measure.LEFT: _("Knowledge left"),
    Measure.LIMIT: _("point of the limit"),
    Measure.ROLE: _("Role"),
    Measure.UNKNOWN: _("something unknown"),
}

GOAL_TEXTS: Mapping[GoalKind, Message] = {
    GoalKind.CITIES: _("Cities by level"),
    GoalKind.ADJACENT: _("Cities side by side"),
    GoalKind.APART: _("Groups of Cities"),
    GoalKind.CONTROL: _("Monuments controlled"),
    GoalKind.NODI: _("Nodi"),
    GoalKind.INFLUENCE: _("Influence"),
    GoalKind.MASTERIES: _("Masteries"),
    GoalKind.TEXT: _("Counted by yourselves"),
}


def effect_text(effect: CardEffect) -> Message:
    """When a card gives something, and what."""
    return _("%(when)s: %(what)s", when=trigger_text(effect), what=gift_text(effect))


def trigger_text(effect: CardEffect) -> Message:
    found = TARGET_TEXTS[effect.target] if effect.target else TRIGGER_TEXTS[effect.trigger]
    if not effect.about:
        return found
    if effect.trigger is Trigger.PRODUCE:
        return _(
            "For every %(count)d %(domain)s produced",
            count=effect.every,
            domain=_domain_or_unknown(effect.about),
        )
    return _("%(when)s (%(domain)s)", when=found, domain=_domain_or_unknown(effect.about))


def gift_text(effect: CardEffect) -> Message:
    if effect.text:
        return _("“%(text)s”, by hand", text=effect.text)
    given = _given(effect.amount, effect.unit)
    if effect.measure is None:
        return given
    by = MEASURE_TEXTS[effect.measure]
    if effect.of:
        by = _("%(what)s (%(domain)s)", what=by, domain=_domain_or_unknown(effect.of))
    if effect.per > 1:
        return _("%(given)s for every %(count)d × %(what)s", given=given, count=effect.per, what=by)
    return _("%(given)s for each %(what)s", given=given, what=by)


UNITS_WITH_THEIR_OF = (EffectUnit.CITY, EffectUnit.FIELD, EffectUnit.UNKNOWN)
"""Units whose words say "of" themselves: no language adds another."""


def _given(amount: int, unit: str) -> Message:
    """How much of what; points follow their number."""
    if unit == EffectUnit.POINTS and amount:
        return points_text(amount)
    told = str(amount or "?")
    if not unit:
        return Message("%(text)s", {"text": told})
    if unit == EffectUnit.POINTS or unit in UNITS_WITH_THEIR_OF:
        return Message("%(amount)s %(words)s", {"amount": told, "words": UNIT_TEXTS[unit]})
    named = DOMAIN_NAMES[Domain(unit)] if unit in LETTERS else UNIT_TEXTS[unit]
    return _("%(amount)s %(unit)s", amount=told, unit=named)


def points_text(count: int) -> Message:
    return _n("%(count)d point", "%(count)d points", count)


def _domain_or_unknown(letter: str) -> Message:
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else _("unknown Domain")


def goal_text(goal: Goal, title: Callable[[str], Message | str] = str) -> Message:
    """What a goal asks for, a Monument by its printed name; words of its own where no grammar has any."""
    if not goal.parts:
        return _("“%(text)s”, by hand", text=goal.text)
    parts = [_part(goal.kind, part, title) for part in goal.parts]
    told = parts[0]
    for part in parts[1:]:
        told = _("%(first)s, %(next)s", first=told, next=part)
    told = _("%(what)s: %(how_many)s", what=GOAL_TEXTS[goal.kind], how_many=told)
    return told if goal.known else _("%(goal)s (? is not known: by hand)", goal=told)


def _part(kind: GoalKind, part: GoalPart, title: Callable[[str], Message | str]) -> Message:
    match kind:
        case GoalKind.CONTROL if part.key:
            return Message("%(title)s", {"title": title(part.key)})
        case GoalKind.CITIES:
            return _("%(count)d of level %(level)s", count=part.count, level=part.key)
        case GoalKind.NODI:
            return _("%(count)d %(domain)s", count=part.count, domain=_name_or_mark(part.key))
        case GoalKind.MASTERIES:
            names = [_name_or_mark(letter) for letter in part.domains]
            told: Message | str = names[0]
            for name in names[1:]:
                told = _("%(domain)s or %(other)s", domain=told, other=name)
            if part.domains == LETTERS:
                return _("%(count)d of value %(value)s", count=part.count, value=part.key)
            return _(
                "%(count)d of value %(value)s in %(domains)s", count=part.count, value=part.key, domains=told
            )
    return Message("%(count)d", {"count": part.count})


def _name_or_mark(letter: str) -> Message | str:
    return DOMAIN_NAMES[Domain(letter)] if letter in LETTERS else letter


STEPS = {
    events.EraStep.EFFECTS: _("the effects at the end of the Era"),
    events.EraStep.ROLES: _("the Roles are determined"),
    events.EraStep.NEXT: _("the next Era begins"),
    events.EraStep.OBJECTIVES: _("the Objectives are counted"),
}

TRACK_NAMES = {
    events.Track.INFLUENCE: _("Influence"),
    events.Track.POINTS: _("points"),
    events.Track.MARKERS: _("City markers"),
}

STAGES = {
    GameStage.GROWTH: _("Lay a territory"),
    GameStage.CONSTRUCTION: _("Build, develop, or end the turn"),
    GameStage.DEVELOPMENT: _("Develop, or end the turn"),
    GameStage.DONE: _("End the turn"),
    GameStage.EFFECTS: _("End of the Era: the effects of cards"),
    GameStage.ASSIMILATION: _("End of the Era: assimilate a Mastery, or nothing"),
    GameStage.ROLES: _("End of the Era: determine the Roles"),
    GameStage.NEXT: _("End of the Era: begin the next one"),
    GameStage.OBJECTIVES: _("End of the game: count the Objectives"),
    GameStage.OVER: _("The game is over"),
}


NOWHERE = TableNames()


def current_action(position: Position) -> Message:
    if position.held:
        return question_text(position, position.held.need)
    if position.stage is GameStage.NEXT and position.governor >= 0:
        return _("End of the Era: the Governor determines the order")
    if table_orders(position):
        return _("Nobody is Governor: choose the order")
    return STAGES[position.stage]


def turn_of(position: Position) -> Turn:
    """Whose turn it is, or who is asked."""
    player: int | None = position.player if position.stage in OF_A_TURN else None
    if position.stage is GameStage.ASSIMILATION:
        player = influence_leader(position)
    if position.stage is GameStage.NEXT and position.governor >= 0:
        player = position.governor
    if position.held:
        player = position.held.need.player if position.held.need.player >= 0 else None
    return Turn(current_action(position), player, position.stage is GameStage.OVER and not position.held)


def question_text(position: Position, need: PendingQuestion) -> Message:
    match need.ask:
        case QuestionKind.RULING:
            return QUESTION_TEXTS[need.about]
        case QuestionKind.CARD:
            return _("Read out the card “%(card)s”", card=position.title(need.about))
        case QuestionKind.ORDER:
            return _("Nobody is Governor: choose the order")
        case QuestionKind.EFFECT:
            return _("Which effect comes first?")
        case QuestionKind.LOCUS:
            return _("Choose which Locus counts")
        case QuestionKind.DOMAINS:
            return _n(
                "Which Domain is the Vestigium?", "Which Domains are the %(count)d Vestigium?", need.count
            )


def amounts_text(found: Amounts) -> Message | str:
    parts = [
        _("%(count)d %(domain)s", count=count, domain=DOMAIN_NAMES[domain]) for domain, count in found.items()
    ]
    return joined(parts) if parts else "–"


def territory_by_colours(tile: Tile) -> Message:
    """A territory by its colours: where it lies is on the map."""
    dots = joined(map(colour_name, tile.dots))
    return _("a territory of %(field)s (%(dots)s)", field=DOMAIN_NAMES[tile.field], dots=dots)


def describe(event: Event, here: TableNames = NOWHERE) -> Remark:
    """Who did what, in words; at a table, by the names that its players, cards and territories have there."""
    player = getattr(event, "player", None)
    if isinstance(event, Answered):
        deed = describe(event.event, here)
        return Remark(_answered(deed.text, event.choices, here), player, where=deed.where, whole=deed.whole)
    text = _deed(event, here)
    if getattr(event, "anew", False):
        text = _("%(deed)s, in a turn of its own", deed=text)
    return Remark(text, player, where=_where(event), whole=_whole(event))


def _answered(deed: Message, words: Sequence[str], here: TableNames) -> Message:
    """What was done, with the answers and the rulings that it brought along."""
    if choices := [here.choice(word) for word in words if not settled(word)]:
        deed = _("%(deed)s, choosing %(choice)s", deed=deed, choice=joined(choices))
    for ruling in filter(None, map(settled, words)):
        deed = _("%(deed)s (%(ruling)s)", deed=deed, ruling=ruling_told(*ruling))
    return deed


def _where(event: Plain) -> tuple[str, ...]:
    """The territory that an event is about, as the map marks it."""
    cell = getattr(event, "cell", None)
    return (str(cell),) if cell is not None else ()


def _whole(event: Plain) -> bool:
    """The words leave out where on the map or in a Tree something lies, which City rises, and what a card says."""
    if isinstance(
        event, events.TerritoryLaid | events.TileTold | events.CityTold | events.MonumentTold | events.Taught
    ):
        return False
    nowhere = isinstance(event, events.Upgraded) and event.cell is None
    placed = getattr(event, "place", None) or getattr(event, "planting", TreePlacement()) != TreePlacement()
    return not (nowhere or placed)


def _deed(event: Plain, here: TableNames) -> Message:
    match event:
        case events.TerritoryLaid(tile=tile, cell=cell):
            beside = here.beside_cell(cell)
            if beside is None:
                return _("lays %(tile)s", tile=territory_by_colours(tile))
            return _("lays %(tile)s beside %(place)s", tile=territory_by_colours(tile), place=beside)
        case events.Produced(amounts=found, old=old):
            deed = _("reactivates a territory: %(amounts)s") if old else _("lays a territory: %(amounts)s")
            return _with_exchange(Message(deed.text, {"amounts": amounts_text(found)}), event, here)
        case events.Reactivated(cell=cell):
            return _("reactivates %(territory)s", territory=here.territory(cell))
        case events.Passed():
            return _("lays no territory")
        case events.Traded(give=give, given=given, get=get, got=got):
            return _(
                "trades %(given)s for %(got)s",
                given=amounts_text({give: given}),
                got=amounts_text({get: got}),
            )
        case events.Built(cell=None, domain=domain):
            return _("builds a City of %(domain)s", domain=_domain(domain))
        case events.Built(cell=Cell() as cell):
            return _("builds a City on %(territory)s", territory=here.territory(cell))
        case events.Upgraded(cell=None, domain=domain):
            return _("upgrades a City of %(domain)s", domain=_domain(domain))
        case events.Upgraded(cell=Cell() as cell):
            return _("upgrades the City on %(territory)s", territory=here.territory(cell))
        case events.TurnEnded():
            return _("ends the turn")
        case events.Redrawn():
            return _("draws territories again")
        case events.Contributed(monument=key):
            return _("builds on the Monument “%(card)s”", card=here.card(key))
        case events.Developed(key=key):
            return _("develops “%(card)s”", card=here.card(key))
        case events.Advanced(key=key):
            return _("turns “%(card)s” over", card=here.card(key))
        case events.Assimilated(key=""):
            return _("assimilates nothing")
        case events.Assimilated(key=key):
            return _("assimilates “%(card)s”", card=here.card(key))
        case events.CardsKept(objective=objective, monument=monument):
            cards = {"objective": here.card(objective), "monument": here.card(monument)}
            return _("keeps “%(objective)s” and “%(monument)s”", **cards)
        case events.Taught(card):
            return _("The card “%(card)s” is read out", card=card.title)
        case events.MonumentTold(monument=key, place=place):
            return _("The piece of “%(card)s”: %(where)s", card=here.card(key), where=here.beside(key, place))
        case events.Rewarded(monument=key, owners=()):
            return _("“%(card)s” rewards nobody's City", card=here.card(key))
        case events.Rewarded(monument=key, owners=owners):
            return _(
                "“%(card)s” rewards Cities of %(players)s", card=here.card(key), players=here.who(owners)
            )
        case events.CampfireTold(halves=halves):
            return _("has the Campfire card %(halves)s", halves=joined(map(half_nodus_text, halves)))
        case events.Ordered(order):
            return _("The order is %(order)s", order=here.who(order))
        case events.Ruled(about, answer):
            asked = QUESTION_TEXTS.get(about, Message("%(text)s", {"text": about}))
            return _("%(question)s %(answer)s", question=asked, answer=ANSWER_TEXTS.get(answer, answer))
        case events.AnswerChosen(choice=choice):
            return _("chooses %(choice)s", choice=here.choice(choice))
        case events.StepTaken(step):
            return _("End of the Era: %(step)s", step=STEPS[step])
        case events.Achieved(goal=goal, reached=True):
            return _("has reached goal %(goal)d", goal=goal)
        case events.Achieved(goal=goal):
            return _("has missed goal %(goal)d", goal=goal)
        case events.GoalsTold(count=count):
            return _n("has reached %(count)d goal", "has reached %(count)d goals", count)
        case events.Adjusted(track=track, amount=amount, limit=limit):
            named = DOMAIN_NAMES[track] if isinstance(track, Domain) else TRACK_NAMES[track]
            change = _("%(track)s %(amount)s", track=named, amount=f"{amount:+d}")
            return (
                _("sets a limit right: %(change)s", change=change)
                if limit
                else _("sets right: %(change)s", change=change)
            )
        case events.RoleTold(role=role, player=None):
            return _("Nobody has the Role %(role)s", role=ROLE_NAMES.get(role, role))
        case events.RoleTold(role=role):
            return _("has the Role %(role)s", role=ROLE_NAMES.get(role, role))
        case events.TileTold(tile=tile):
            return _("On the map: %(tile)s", tile=territory_by_colours(tile))
        case events.CityTold(cell=cell):
            return _("has a City on %(territory)s", territory=here.territory(cell))
        case events.CradleTold(dots) if {*dots} == {UNKNOWN}:
            return _("Nobody knows the dots of the Cradle")
        case events.CradleTold(dots) if {*dots} == {NO_DOT}:
            return _("The Cradle has no dots")
        case events.CradleTold(dots):
            return _("The dots of the Cradle are %(dots)s", dots=joined(map(colour_name, dots)))
    raise TypeError(event)


def _with_exchange(deed: Message, event: events.Produced, here: TableNames) -> Message:
    """Everybody who gained by a territory, with how much."""
    gained = [
        _("%(player)s %(amounts)s", player=here.who((player,)), amounts=amounts_text(found))
        for player, found in event.others
    ]
    return _("%(deed)s; Exchange: %(gained)s", deed=deed, gained=joined(gained)) if gained else deed


def _domain(domain: Domain | None) -> Message | str:
    return DOMAIN_NAMES[domain] if domain else "?"


def boards(position: Position) -> Sequence[Mapping[str, Any]]:
    return [_board(position, player) for player in range(position.players)]


def _board(position: Position, player: int) -> Mapping[str, Any]:
    seat = position.seats[player]
    return {
        "knowledge": {domain.value: amount for domain, amount in seat.knowledge.items()},
        "limits": {domain.value: limit for domain, limit in seat.limits.items()},
        "influence": seat.influence,
        "markers": seat.markers,
        "cities": [
            {
                "domain": city.domain.value,
                "level": city.level,
                "place": str(city.cell) if city.cell else None,
            }
            for city in position.cities_of(player)
        ],
        "roles": list(seat.roles),
        "cards": [
            {"card": card.key, "level": card.level, "advanced": card.advanced} for card in seat.tree.cards[1:]
        ],
    }


def tell_board(board: Mapping[str, Any]) -> Iterator[Line]:
    """Reserves with their limits, Influence, Cities and Roles; a line each."""
    reserves = (
        _(
            "%(domain)s %(reserve)s",
            domain=DOMAIN_NAMES[Domain(letter)],
            reserve=f"{have}/{board['limits'][letter]}",
        )
        for letter, have in board["knowledge"].items()
    )
    cities = [
        _("%(domain)s %(level)d", domain=DOMAIN_NAMES[Domain(city["domain"])], level=city["level"])
        for city in board["cities"]
    ]
    yield "      ", joined(reserves)
    yield "      ", _("Influence"), f" {board['influence']}"
    if cities:
        yield "      ", _("Cities: %(cities)s", cities=joined(cities))
    for role in board["roles"]:
        yield "      ", ROLE_NAMES[role]
