"""The points of a position as lines that say why: which territory, what of it counted, by which ruling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.tally import Criterion, Tally, TallyLine, stand
from companion.games.dominations.rules.box import ANSWER_TEXTS, LETTERS, RULED, VESTIGIUM, Domain
from companion.games.dominations.rules.events import Track
from companion.games.dominations.rules.lattice import parse_cell
from companion.games.dominations.rules.position import GameStage, LedgerLine, Missing, Position
from companion.games.dominations.text.words import territory_by_number, territory_numbers

_CITIES = re.compile(rf"([{LETTERS}])(\d+)")


def reason_now(position: Position, line: LedgerLine) -> Message:
    """The whole reason; the Era is told where it is another one."""
    told = reason_sentence(position, line)
    if line.without is Missing.CRADLE:
        told = _("%(why)s, without the Cradle's dots", why=told)
    if line.without is Missing.PIECE:
        told = _("%(why)s, without the Monument's resources", why=told)
    if line.era != position.era:
        told = _("%(why)s, in Era %(era)d", why=told, era=line.era)
    return with_rulings(line, told)


def reason_then(line: LedgerLine) -> Message:
    """The reason, its Era and its rulings, beside those of other Eras."""
    return with_rulings(line, _("%(why)s, in Era %(era)d", why=line.why, era=line.era))


def with_rulings(line: LedgerLine, told: Message) -> Message:
    for question, answer in line.rulings:
        words = ANSWER_TEXTS[answer]
        told = _("%(why)s (ruling, %(about)s: %(answer)s)", why=told, about=RULED[question], answer=words)
    return told


def reason_sentence(position: Position, line: LedgerLine) -> Message:
    """Which territory brought it, and what of the territory; or the reason as it stands in the ledger."""
    board = position.board
    lying = [place for place in line.where if parse_cell(place) in board.tiles]
    if not lying:
        return line.why
    if not line.produced or not line.working:
        return _(
            "%(why)s: %(places)s", why=line.why, places=territory_numbers(board, map(parse_cell, lying)) or ""
        )
    place = territory_by_number(board, parse_cell(lying[0]))
    closed = line.why.text == "Locus"
    told = _("Locus of %(territory)s", territory=place) if closed else Message(_TERRITORY.text, place.values)
    return _("%(why)s: %(parts)s", why=told, parts=produced_parts(line))


_TERRITORY = _("Territory %(number)d (%(field)s)")


def produced_parts(line: LedgerLine) -> Message:
    """What came together: the Field, the resources, concentration, own Cities, and what is beyond these."""
    told: Message | None = None
    for part in _parts(line):
        told = part if told is None else _("%(first)s + %(next)s", first=told, next=part)
    return told or Message("%(count)d", {"count": line.amount + line.lost})


def _parts(line: LedgerLine) -> Iterator[Message]:
    field, *rest = line.working.split(" + ")
    cities = {letter: int(n) for part in rest for letter, n in _CITIES.findall(part)}
    resources, concentration = ([part for part in rest if not _CITIES.match(part)] + ["", ""])[:2]
    domain = line.unit.value
    counts = (
        (_("Field %(count)d"), int(field == domain)),
        (_("resources %(count)d"), resources.count(domain)),
        (_("concentration %(count)d"), concentration.count(domain)),
        (_("own Cities %(count)d"), cities.get(domain, 0)),
    )
    beyond = line.amount + line.lost - sum(count for _text, count in counts)
    more = _("Vestigium and cards %(count)d") if VESTIGIUM in resources else _("Roles and cards %(count)d")
    for text, count in (*counts, (more, beyond)):
        if count > 0:
            yield Message(text.text, {"count": count})


def shown_working(line: LedgerLine) -> str:
    """How the number is reckoned, where the sentence does not say it."""
    told = line.produced and isinstance(line.unit, Domain) and line.where
    return "" if told else line.working


_UNTOLD = {
    Missing.CRADLE: _("territories beside the Cradle, without its dots"),
    Missing.PIECE: _("territories beside a Monument, without its resources"),
    Missing.CITY: _("Exchange of Cities that have no place on the map"),
}


def _left_out(position: Position) -> Iterator[TallyLine]:
    """What the points at the end may depend on, and nobody has told or the companion cannot count."""
    if position.stage is not GameStage.OVER:
        return
    for player in range(position.players):
        for missing, reason in _UNTOLD.items():
            if any((line.player, line.without) == (player, missing) for line in position.lines):
                yield TallyLine(player, reason, 0, unknown=True)
        for key in dict.fromkeys(due.key for due in position.uncounted if due.player == player):
            told = _("%(card)s, counted by hand", card=position.title(key))
            yield TallyLine(player, told, 0, unknown=True)


def tally(position: Position) -> Tally:
    """Everything on the Victory track; rulebook 004: most points win, and a tie goes to whoever is nearer the first."""
    lines = tuple(
        TallyLine(
            line.player, reason_then(line), line.amount, line.working, line.where, line.without is not None
        )
        for line in position.lines
        if line.unit is Track.POINTS
    )
    untold = any(line.without is Missing.GOALS for line in position.lines)
    nearer = tuple(position.players - position.order.index(player) for player in range(position.players))
    criteria = [
        Criterion("score", _("points"), position.points),
        Criterion("initiative", _("Initiative"), nearer),
    ]
    return Tally(position.players, (*lines, *_left_out(position)), stand(criteria, open=untold))
