"""What has happened on the table since the log's last entry: territories are read, all else is tapped.

Proposals for what is clear, doubts with choices for what is not, contradictions where table and log disagree;
nothing is remembered between readings. `DominationsSight` fulfils `companion.core.observation.Sight` and
`companion.core.tinted.Tinting`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import cycle, islice, product
from math import hypot

from companion.core.errors import IllegalEvent
from companion.core.game import Setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.core.notation import AS_IT_LIES
from companion.core.observation import (
    Area,
    Choice,
    Contradiction,
    Doubt,
    Face,
    Mark,
    Observation,
    PlacedPiece,
    Proposal,
    Reading,
    Tinted,
    bounding_box,
)
from companion.games.dominations.rules.board import NO_DOT, Tile
from companion.games.dominations.rules.box import LETTERS, MARKERS, TILES, VESTIGIUM, Domain
from companion.games.dominations.rules.events import Overrulable, TerritoryLaid, TurnEnded
from companion.games.dominations.rules.lattice import Cell
from companion.games.dominations.rules.moves import apply, next_to_lay
from companion.games.dominations.rules.position import OF_A_TURN, GameStage, Position
from companion.games.dominations.sight import faces
from companion.games.dominations.sight.alignment import (
    SURE_CONFIDENCE,
    AlignedTable,
    CellPose,
    SeenTerritory,
    align,
    cell_centre,
    differing_colours,
    tile_of,
)
from companion.games.dominations.sight.faces import SPOTS
from companion.games.dominations.text.words import current_action

MOST_CONTRADICTIONS = 3
"""More missing territories than that are told together."""
COLOURS_OF_ANOTHER = 2
"""So many colours have to be surely others for a territory to be another one: a single one may be a shadow."""


def contradictions(
    position: Position, placed: AlignedTable, unknown: Sequence[Area], asked: int
) -> Iterator[Contradiction]:
    """Everything that is not as the log has it; so many new territories are asked about."""
    gone = [
        cell
        for cell in reversed(tuple(position.board.tiles))
        if cell not in placed.territories and not _hidden(placed.spreads.get(cell), unknown)
    ]
    if len(gone) > MOST_CONTRADICTIONS:
        text = _n(
            "%(count)d territory is not where it was.",
            "%(count)d territories are not where they were.",
            len(gone),
        )
        yield Contradiction(text)
    else:
        yield from (_gone(position, placed, cell) for cell in gone)
    for cell, one in placed.territories.items():
        known = position.board.tiles.get(cell)
        if known and differing_colours(known, one) >= COLOURS_OF_ANOTHER:
            yield _another(position, one)
    new = [one for cell, one in placed.territories.items() if cell not in position.board.pieces]
    if len(new) > asked and position.stage in OF_A_TURN and not position.held:
        text = _("There are territories on the table that the log does not know: draw them on the map.")
        yield Contradiction(text, new[0].area)


def _hidden(spread: CellPose | None, unknown: Sequence[Area]) -> bool:
    """Whether something lies there that may hide a territory."""
    near = faces.CIRCUMRADIUS
    return spread is not None and any(
        hypot(area.x - spread.x, area.y - spread.y) < near + max(area.width, area.height) / 2
        for area in unknown
    )


def _gone(position: Position, placed: AlignedTable, cell: Cell) -> Contradiction:
    meant, spread = _brought(position, cell), placed.spreads.get(cell)
    side = 2 * faces.CIRCUMRADIUS
    area = Area(spread.x, spread.y, side, side) if spread else None
    return Contradiction(
        _("A territory is not where it was."), area, meant, None, meant.player if meant else None
    )


def _another(position: Position, one: SeenTerritory) -> Contradiction:
    meant = _brought(position, one.cell)
    lies = (
        TerritoryLaid(meant.player, one.tile, one.cell, because=meant.because)
        if meant and one.tile and one.sure
        else None
    )
    text = _("There lies another territory than the log says.")
    return Contradiction(text, one.area, meant, lies, meant.player if meant else None)


def _brought(position: Position, cell: Cell) -> TerritoryLaid | None:
    """The event by which a territory came to lie there, as far as the ledger tells."""
    tile: Tile = position.board.tiles[cell]
    for event in position.overruled:
        if isinstance(event, TerritoryLaid) and (event.tile, event.cell) == (tile, cell):
            return event
    laid = [line.player for line in position.lines if line.produced and line.where == (str(cell),)]
    return TerritoryLaid(laid[0], tile, cell) if laid else None


MOST_NEW = 2
"""A turn brings one territory, and the Worker another."""
MOST_CANDIDATES = 4
"""Territories offered where a colour is not clear."""
SOMETHING_ELSE = Choice((), _("Something else: we tap it"))


def read_table(
    position: Position, observations: Sequence[Observation], unknown: Sequence[Area] = ()
) -> Reading:
    placed = align(position.board, observations)
    if not placed.begun:
        return _nothing_of_the_board(position)
    found = tuple(contradictions(position, placed, unknown, MOST_NEW))
    new = [one for cell, one in placed.territories.items() if cell not in position.board.pieces]
    if not 0 < len(new) <= MOST_NEW or position.held or position.stage not in OF_A_TURN:
        return Reading(contradictions=found, waiting=_waits(position, placed))
    if len(new) > 1:
        return Reading(doubts=_which_first(position, new), contradictions=found)
    proposals, doubts = _laid(position, new[0])
    return Reading(proposals, doubts, found)


def _nothing_of_the_board(position: Position) -> Reading:
    if position.board.tiles:
        return Reading(contradictions=(Contradiction(_("The territories of this game are not to be seen.")),))
    return Reading(waiting=_("Lay the Cradle in the middle of the table."))


def _waits(position: Position, placed: AlignedTable) -> Message:
    if position.held or position.stage is not GameStage.GROWTH:
        return current_action(position)
    if placed.loose:
        return _("A territory touches no other: push it up to them.")
    if not placed.card:
        return _("Lay the card with the colours where the camera sees it.")
    return current_action(position)


def _laid(position: Position, new: SeenTerritory) -> tuple[tuple[Proposal, ...], tuple[Doubt, ...]]:
    """What a new territory says: all of its colours are shown before anything counts."""
    marks, tile = marks_of(new), new.tile

    def doubt(question: Message, *choices: Choice) -> tuple[tuple[Proposal, ...], tuple[Doubt, ...]]:
        return (), (Doubt(question, choices, new.area, marks=marks),)

    if position.stage is not GameStage.GROWTH and _may_be_workers(position) and tile and new.sure:
        ways = (_events(position, new, tile, second=True), _events(position, new, tile))
        return doubt(_("Is this the Worker's second territory?"), *map(Choice, ways), SOMETHING_ELSE)
    if not new.tints:
        question = _("The colours cannot be read without their card: tap them on the map.")
        return doubt(question, Choice((), _("We tap them")))
    if not new.sure or tile is None:
        choices = (Choice(_events(position, new, way)) for way in candidate_tiles(new))
        return doubt(_("Not every colour is seen clearly. Which territory is it?"), *choices, SOMETHING_ELSE)
    events = _events(position, new, tile)
    try:
        now = position
        for event in events:
            now = apply(now, event)
    except IllegalEvent as error:
        stays = (*events[:-1], replace(events[-1], because=AS_IT_LIES.text))
        return doubt(
            _("That is against the rules: %(reason)s", reason=error.message),
            Choice(stays, _("It lies there all the same")),
            Choice((), _("We lay it differently")),
        )
    *before, laid = (Proposal(event, None, 1.0, shown=False) for event in events)
    return (*before, replace(laid, area=new.area, confidence=new.seen.confidence, marks=marks)), ()


def _events(
    position: Position, new: SeenTerritory, tile: Tile, second: bool = False
) -> tuple[Overrulable, ...]:
    """The territory laid, and before it the end of a turn that nobody has told."""
    player = next_to_lay(position)
    if position.stage is GameStage.GROWTH or second or player is None:
        return (TerritoryLaid(position.player, tile, new.cell),)
    return (TurnEnded(position.player), TerritoryLaid(player, tile, new.cell))


def _may_be_workers(position: Position) -> bool:
    worker = "worker" in position.seats[position.player].roles
    return position.stage is GameStage.CONSTRUCTION and position.again and worker


def _which_first(position: Position, new: Sequence[SeenTerritory]) -> tuple[Doubt, ...]:
    """Of several new territories, one was laid first; an unclear one is asked about before that."""
    if unclear := [one for one in new if not one.sure]:
        return _laid(position, unclear[0])[1]
    choices = (Choice(_events(position, one, tile)) for one in new if (tile := one.tile))
    question = _("There is more than one new territory. Which one was laid first?")
    return (Doubt(question, (*choices, SOMETHING_ELSE), bounding_box([one.area for one in new])),)


def candidate_tiles(new: SeenTerritory) -> Iterator[Tile]:
    """What territory it may be, the likeliest first: where a colour is not clear, the next one too."""
    letters = [
        ((tint.letter, 1.0),)
        if tint.confidence >= SURE_CONFIDENCE
        # Without any confidence, the next colour is as likely as the first.
        else ((tint.letter, 1 + tint.confidence), (tint.runner_up, 1 - tint.confidence))
        for tint in new.tints
    ]
    ways = sorted(product(*letters), key=lambda way: -sum(likely for _letter, likely in way))
    found = (tile_of("".join(letter for letter, _likely in way)) for way in ways)
    yield from islice(filter(None, found), MOST_CANDIDATES)


def marks_of(new: SeenTerritory) -> tuple[Mark, ...]:
    """What was read, where; a tap on it leads to where it is put right."""
    letters = "".join(tint.letter for tint in new.tints)
    return tuple(
        Mark(
            x,
            y,
            tint.letter,
            spot.radius,
            tint.confidence < SURE_CONFIDENCE,
            {
                "at": str(new.cell),
                "tier": "map",
                **({"read": f"{letters}{number}"} if len(letters) == 4 else {}),
            },
        )
        for number, ((x, y), tint, spot) in enumerate(zip(new.places, new.tints, SPOTS, strict=False))
    )


CARD_AT = (-560.0, 375.0, 0.0)
"""Where the virtual table has the card: in a corner, out of the way."""
CITY_LEVELS_LAID = (1, 2, 3)
"""How far apart the resources of one of the virtual table's territories are, in the row of Domains."""


class DominationsSight:
    """The protocols `companion.core.observation.Sight` and `companion.core.tinted.Tinting`."""

    @property
    def tinted(self) -> Tinted:
        return faces.tinted_territories()

    @cached_property
    def faces(self) -> Sequence[Face]:
        tiles = (faces.territory_face(tile) for tile in faces.territory_faces())
        return (
            faces.blank_territory_face(),
            faces.cradle_face(),
            faces.colour_card_face(),
            *faces.city_faces(),
            *tiles,
        )

    @cached_property
    def pieces(self) -> Mapping[str, Face]:
        numbers = Counter[str]()
        found = {faces.CRADLE_LABEL: faces.cradle_face(), faces.CARD_LABEL: faces.colour_card_face()}
        for tile in virtual_deck():
            label = faces.face_label(tile)
            numbers[label] += 1
            found[f"{label}-{numbers[label]}"] = faces.territory_face(faces.canonical_tile(tile))
        for face in faces.city_faces():
            found |= {f"{face.label}-{n + 1}": face for n in range(MARKERS // 3)}
        return found

    def arrange(self, setup: Setup, position: Position) -> Sequence[PlacedPiece]:
        cradle = PlacedPiece(faces.CRADLE_LABEL, faces.CRADLE_LABEL, 0, 0)
        return (
            cradle,
            PlacedPiece(faces.CARD_LABEL, faces.CARD_LABEL, *CARD_AT),
            *_tiles(position),
            *_cities(setup, position),
        )

    def read(
        self,
        setup: Setup,  # noqa: ARG002  # a territory is nobody's
        position: Position,
        seen: Sequence[Observation],
        unknown: Sequence[Area] = (),
    ) -> Reading:
        return read_table(position, seen, unknown)


def virtual_deck() -> Iterator[Tile]:
    """As many territories as a box has; which ones these are is not known, so that the virtual table has its own."""
    row = LETTERS + VESTIGIUM
    for number, field in zip(range(TILES), cycle(Domain), strict=False):
        step = CITY_LEVELS_LAID[number // len(Domain) % len(CITY_LEVELS_LAID)]
        begin = number // (len(Domain) * len(CITY_LEVELS_LAID)) + LETTERS.index(field)
        dots = "".join(islice(cycle(row), begin, begin + 3 * step, step))
        yield Tile(field, dots if number % 7 else dots[:2] + NO_DOT)


def _tiles(position: Position) -> Iterator[PlacedPiece]:
    numbers = Counter[str]()
    for cell, tile in position.board.tiles.items():
        label = faces.face_label(tile)
        numbers[label] += 1
        angle = faces.DOWN_ANGLE * cell.down + 120 * faces.turns_of_face(tile)
        yield PlacedPiece(f"{label}-{numbers[label]}", label, *_at(cell_centre(cell)), angle % 360)


def _cities(setup: Setup, position: Position) -> Iterator[PlacedPiece]:
    numbers = Counter[str]()
    for city in position.cities:
        if city.cell is not None:
            label = f"{faces.CITY_LABEL}-{setup.players[city.owner].colour}-{city.level}"
            numbers[label] += 1
            yield PlacedPiece(f"{label}-{numbers[label]}", label, *_at(cell_centre(city.cell)))


def _at(place: tuple[float, float]) -> tuple[float, float]:
    """On the table; the Cradle lies in its middle."""
    return place[0] * faces.TERRITORY_SIDE, place[1] * faces.TERRITORY_SIDE
