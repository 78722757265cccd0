"""The points of counted decks as lines that say why, and whether any card is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.core.message import message as _
from companion.core.tally import Criterion, Standing, Tally, TallyLine, stand
from companion.games.dominion.rules.cards import ABSENT, CARDS
from companion.games.dominion.rules.kingdom import cards_in_game
from companion.games.dominion.rules.names import card_name
from companion.games.dominion.rules.position import Deck, Position


def tally(position: Position) -> Tally:
    """What the decks counted so far are worth: nobody knows a deck before its player shows it."""
    lines = tuple(
        TallyLine(seat, card_name(card), points, working, (f"{seat + 1}:{card}",), unknown=unknown)
        for seat, deck in enumerate(position.decks)
        if deck
        for card, points, working, unknown in _told_lines(position, deck)
    )
    totals = [sum(line.points for line in lines if line.player == seat) for seat in range(position.players)]
    open = any(line.unknown for line in lines)
    return Tally(position.players, lines, rank(totals, position.turns, position.turns_known, open))


def _told_lines(position: Position, deck: Deck) -> Iterator[tuple[str, int, str, bool]]:
    """The lines of a deck; where only the cards that count were told, Gardens are worth what nobody knows."""
    counted = all(CARDS[id].points for id, count in deck.cards.items() if count and id in CARDS)
    unsized = position.points_only and deck.told is None and counted
    for card, points, working in deck_lines(deck):
        worth = CARDS[card].points if card in CARDS else None
        if unsized and worth and worth.per_cards:
            yield card, 0, "", True
        else:
            yield card, points, working, False


def rank(points: list[int], turns: tuple[int, ...], known: tuple[bool, ...], open: bool = False) -> Standing:
    """Rulebooks 000, "Fim da Partida", and 003, "Final del Juego": after points, whoever had fewer turns.

    Among equals one of whom has a number of turns that nobody knows, turns decide nothing.
    """
    unclear = {total for total, told in zip(points, known, strict=True) if not told}
    fewer = (0 if total in unclear else -count for total, count in zip(points, turns, strict=True))
    return stand(
        (
            Criterion("score", _("more points"), tuple(points)),
            Criterion("turns", _("fewer turns"), tuple(fewer)),
        ),
        open=open,
    )


def deck_lines(deck: Deck) -> Iterator[tuple[str, int, str]]:
    """Each kind of card that is worth something, its points, and the sum behind them."""
    for id, card in {**CARDS, **ABSENT}.items():
        count, worth = deck.cards.get(id, 0), card.points
        if not count or worth is None:
            continue
        if worth.per_cards:
            # Rulebook 000, "Jardins": 37 cards make each of them worth 3.
            lots = deck.size // worth.per_cards
            yield id, count * lots * worth.each, f"{count} × {deck.size} ÷ {worth.per_cards}"
        elif worth.per_card:
            # Rulebook 003, "Duque".
            named = deck.cards.get(worth.per_card, 0)
            yield id, count * named * worth.each, f"{count} × {named}"
        else:
            yield id, count * worth.each, f"{count} × {worth.each}"


def counting_cards(ids: Iterable[str]) -> tuple[str, ...]:
    """Those on which points hang: whatever is worth something, dearest first, and cards that others count."""
    known = [CARDS[id] for id in ids if id in CARDS]
    worth = [card for card in known if card.points]
    named = {card.points.per_card for card in worth if card.points}
    worth += [card for card in known if card.id in named and not card.points]
    return tuple(card.id for card in sorted(worth, key=lambda card: -card.cost))


def unlike_the_log(position: Position, player: int, deck: Deck) -> Mapping[str, int]:
    """Cards of which a counted deck has more or fewer than the log says, and how many those were by the log.

    What may have been passed unseen is no such card.
    """
    owned = position.owned[player]
    if not position.kingdom or not position.decks_known:
        return {}
    more = {id: deck.cards.get(id, 0) - owned.get(id, 0) for id in {**owned, **deck.cards}}
    over = sum(count for count in more.values() if count > 0)
    under = -sum(count for count in more.values() if count < 0)
    if over <= position.received(player) and under <= position.given(player):
        return {}
    return {id: owned.get(id, 0) for id, count in more.items() if count}


def differences(position: Position) -> Mapping[str, int]:
    """How many cards of each kind are missing (or, below 0, too many), once every deck is counted.

    Nothing may get lost: players, supply and trash together are what was set up. In a light game only cards that
    count are compared.
    """
    decks = [deck for deck in position.decks if deck]
    if len(decks) < position.players or not position.kingdom:
        return {}
    before = cards_in_game(position.kingdom, position.players)
    seen = [deck.cards for deck in decks]
    named = {**before, **{id: 0 for cards in (*seen, position.trash) for id in cards if id not in before}}
    found = {
        id: position.supply.get(id, 0) + position.trash.get(id, 0) + sum(cards.get(id, 0) for cards in seen)
        for id in (counting_cards(named) if position.light else named)
    }
    return {id: before.get(id, 0) - count for id, count in found.items() if count != before.get(id, 0)}
