"""The questions about a table of Carcassonne, each with the answers people are most likely to give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.game import Setup
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import Area, Choice, Doubt, bounding_box
from companion.games.carcassonne.rules.board import Placement
from companion.games.carcassonne.rules.events import Event, FollowerPlaced, TileLaid
from companion.games.carcassonne.sight.asking import (
    as_it_lies,
    choice_of_no_follower,
    choice_of_something_else,
    choices_of_parts,
    choices_of_tiles,
    choices_of_ways,
)
from companion.games.carcassonne.sight.seen import SeenFollower, SeenTile
from companion.games.carcassonne.text.words import PLACES_A_FOLLOWER, feature_kind


@dataclass(frozen=True)
class Questions:
    """What is asked in the turn of one player."""

    setup: Setup
    player: int

    @property
    def _name(self) -> str:
        return self.setup.players[self.player].name

    def which_tile_was_first(self, tiles: Sequence[SeenTile]) -> Doubt:
        question = _("There is more than one new tile. Which one is from %(name)s?", name=self._name)
        choices = choices_of_tiles(self.player, tiles)
        return self._doubt(question, *choices, area=bounding_box([tile.area for tile in tiles]))

    def which_tile(self, tile: SeenTile, ways: Sequence[Placement]) -> Doubt:
        question = _("The new tile is not seen clearly. Which one is it?")
        choices = choices_of_ways(self.player, tile, ways)
        return self._doubt(question, *choices, choice_of_something_else(), area=tile.area)

    def whose_tile(self, tile: SeenTile, owner: int) -> Doubt:
        other = self.setup.players[owner].name
        question = _(
            "It is the turn of %(name)s, but the follower on the new tile is one of %(owner)s. Whose tile is it?",
            name=self._name,
            owner=other,
        )
        lies = as_it_lies(TileLaid(owner, tile.placement))
        laid = Choice((lies,), _("%(owner)s laid it, out of turn", owner=other))
        return self._doubt(question, laid, Choice((), _("We put that right")), area=tile.area)

    def whether_one_is_hidden(self, tile: SeenTile, parts: Sequence[str]) -> Doubt:
        question = _("The new tile is not seen clearly. Is a follower of %(name)s on it?", name=self._name)
        return self._none_or(question, tile, parts)

    def whether_it_stands_here(self, tile: SeenTile, parts: Sequence[str]) -> Doubt:
        question = _(
            "A follower of %(name)s stands between two tiles. Is it on the new one?", name=self._name
        )
        return self._none_or(question, tile, parts)

    def _none_or(self, question: Message, tile: SeenTile, parts: Sequence[str]) -> Doubt:
        choices = choices_of_parts(self.player, tile, parts)
        return self._doubt(question, choice_of_no_follower(self.player), *choices, area=tile.area)

    def which_follower(self, tile: SeenTile, figures: Sequence[SeenFollower]) -> Doubt:
        question = _(
            "More than one follower of %(name)s is on the new tile. Which one was placed?", name=self._name
        )
        parts = list(dict.fromkeys(figure.parts[0] for figure in figures))
        choices = choices_of_parts(self.player, tile, parts)
        return self._doubt(question, *choices, choice_of_something_else(), area=tile.area)

    def where_it_stands(self, tile: SeenTile, figure: SeenFollower, parts: Sequence[str]) -> Doubt:
        question = _("Where does the follower of %(name)s stand?", name=self._name)
        choices = choices_of_parts(self.player, tile, parts)
        return self._doubt(question, *choices, choice_of_something_else(), area=figure.area)

    def whether_it_was_placed(self, figure: SeenFollower, event: FollowerPlaced) -> Doubt:
        question = _(
            "A follower is not seen clearly: %(name)s %(what)s?",
            name=self._name,
            what=PLACES_A_FOLLOWER[feature_kind(event.segment)],
        )
        yes = Choice((event,), _("Yes"))
        return self._doubt(
            question, yes, choice_of_no_follower(self.player), choice_of_something_else(), area=figure.area
        )

    def whether_it_stays(self, event: Event, area: Area | None, reason: Message) -> Doubt:
        """Something is against the rules."""
        lies = as_it_lies(event)
        choices = [Choice((lies,), _("It lies there all the same"))] if lies else []
        question = _("That is against the rules: %(reason)s", reason=reason)
        return self._doubt(question, *choices, Choice((), _("We lay it differently")), area=area)

    def _doubt(self, question: Message, *choices: Choice, area: Area | None) -> Doubt:
        return Doubt(question, choices, area, self.player)
