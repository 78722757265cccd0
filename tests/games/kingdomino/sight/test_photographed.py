"""What a gallery's likenesses say of a kingdom.

Dominoes once each, one castle, and questions where it is not clear.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from companion.core.photo import GalleryRow, SeenSquares
from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE, SQUARES, parse_square
from companion.games.kingdomino.sight.photo import (
    DoubtReason,
    KingdomReading,
    UnsureSquare,
    describe_photographed,
    find_tilings,
    judge_kingdom,
    read_photo,
)
from companion.games.kingdomino.sight.photographed import KingdominoPhotos
from companion.games.kingdomino.sight.tiling import evidence_of, label_of, square_of, tilings

HALVES = [
    GalleryRow(label_of(n, right), turn) for n in range(1, 49) for right in (False, True) for turn in range(4)
]
KINDS = {row: square_of(row.label) for row in HALVES}


def likeness(
    picture: str, other: Mapping[Cell, Mapping[str, float]] | None = None
) -> dict[Cell, list[float]]:
    """Places drawn in text, each like its own kind of square, and a little like others."""
    rows = [line.split() for line in picture.strip().splitlines()]
    found = {}
    for y, line in enumerate(rows):
        for x, name in enumerate(line):
            kind = None if name == "--" else CASTLE if name == "CC" else parse_square(name)
            halves = [0.9 if KINDS[row] == kind else 0.3 for row in HALVES]
            castle = 0.9 if kind == CASTLE else 0.3
            found[x, y] = [score * (kind is not None) for score in (*halves, castle)]
            for label, score in (other or {}).get((x, y), {}).items():
                wanted = square_of(label)
                found[x, y] = [
                    score if square_of(row.label) == wanted else before
                    for row, before in zip(ALL, found[x, y], strict=True)
                ]
    return found


ALL = [*HALVES, GalleryRow("castle-blue", 0)]
KINGDOM = """
w0 w0 f0 f0 f0
f0 f0 w1 l0 w1
l0 l0 CC g0 w0
g0 g0 s0 s0 f1
w1 s0 w1 m0 w0
"""


def reasons(shown: KingdomReading) -> set[tuple[Cell, str]]:
    return {(one.cell, one.reason) for one in shown.unsure}


def explained(
    scores: Mapping[Cell, list[float]],
    bare: Mapping[Cell, float] | None = None,
    table: Collection[Cell] = (),
    covered: Collection[Cell] = (),
) -> KingdomReading:
    """With all there is in the picture besides what each place looks like."""
    seen = SeenSquares(ALL, scores, bare or {}, table=table, covered=covered)
    (shown,) = KingdominoPhotos().explain([seen])
    assert shown is not None
    return shown


def test_a_clear_picture_is_read_without_a_question() -> None:
    shown = read_photo(ALL, likeness(KINGDOM))

    assert shown is not None
    drawn = {
        (x, y): CASTLE if name == "CC" else parse_square(name)
        for y, line in enumerate(KINGDOM.strip().splitlines())
        for x, name in enumerate(line.split())
    }
    assert (dict(shown.squares), shown.unsure, shown.asks) == (drawn, (), False)
    assert replace(shown, alone=False).asks, "it may be a part of more, or somebody else's"


def test_a_square_that_no_domino_can_bring_gives_way() -> None:
    """Three crowns are on domino 48 alone, whose other half is wheat: there is none beside this place."""
    shown = read_photo(ALL, likeness(KINGDOM, {(3, 0): {"m3": 0.93, "f0": 0.9}}))

    assert shown is not None
    assert shown.squares[3, 0] == parse_square("f0")
    assert [(one.cell, one.reason) for one in shown.unsure] == [((3, 0), DoubtReason.OTHER_KIND)]


def test_two_kinds_that_look_alike_are_asked_about_with_both() -> None:
    shown = read_photo(ALL, likeness(KINGDOM, {(0, 2): {"l0": 0.8, "l1": 0.79}}))

    assert shown is not None
    asked = {one.cell: one for one in shown.unsure}
    assert asked[0, 2] == UnsureSquare(
        (0, 2), (parse_square("l0"), parse_square("l1")), DoubtReason.OTHER_KIND
    )


def test_a_place_without_a_piece_is_asked_about() -> None:
    picture = KINGDOM.replace("w0 w0 f0 f0 f0", "-- -- f0 f0 f0")

    shown = read_photo(ALL, likeness(picture))

    assert shown is not None
    assert {((x, 0), DoubtReason.NO_DOMINO) for x in (0, 1)} <= reasons(shown)
    assert not {(0, 0), (1, 0)} & shown.squares.keys()


def test_a_castle_that_looks_like_nothing_is_where_nothing_else_is() -> None:
    hidden = {(2, 2): {"castle-blue": 0.2}}

    shown = read_photo(ALL, likeness(KINGDOM, hidden))

    assert shown is not None
    assert shown.squares[2, 2] == CASTLE


def test_crowns_behind_a_standing_castle_are_asked_about() -> None:
    """The square behind it looks little like its own kind."""
    hidden = {(2, 2): {"castle-blue": 0.2}, (2, 1): {"w1": 0.58}}

    shown = read_photo(ALL, likeness(KINGDOM, hidden))

    assert shown is not None
    assert ((2, 1), DoubtReason.BESIDE_CASTLE) in reasons(shown)


def test_a_square_that_looks_little_like_its_kind_is_asked_about() -> None:
    shown = read_photo(ALL, likeness(KINGDOM, {(4, 3): {"f1": 0.49}}), bare={(4, 3): 0.75})

    assert shown is not None
    assert reasons(shown) == {((4, 3), DoubtReason.UNLIKE_ITS_KIND)}


def test_a_square_that_looks_less_like_its_kind_than_the_others_do_is_asked_about() -> None:
    """A plain blue sleeve looks 0.55 like a lake; that is enough in a picture where everything looks no better."""
    sleeve = likeness(KINGDOM, {(3, 1): {"l0": 0.55}})
    worse = {cell: [score * 0.8 for score in scores] for cell, scores in likeness(KINGDOM).items()}
    alike = {**worse, (3, 1): sleeve[3, 1]}

    clear, dim = read_photo(ALL, sleeve), read_photo(ALL, alike)

    assert clear is not None
    assert dim is not None
    assert (reasons(clear), reasons(dim)) == ({((3, 1), DoubtReason.UNLIKE_ITS_KIND)}, set())


def test_what_may_lie_on_a_square_may_lie_on_those_beside_it() -> None:
    """And beside those; alone, none of them would be asked about."""
    nearly = {(3, 0): {"f0": 0.75}, (4, 0): {"f0": 0.75}, (0, 4): {"w1": 0.75}}

    alone = read_photo(ALL, likeness(KINGDOM, nearly))
    spread = read_photo(ALL, likeness(KINGDOM, {**nearly, (2, 0): {"f0": 0.55}}))

    assert alone is not None
    assert spread is not None
    assert reasons(alone) == set()
    assert reasons(spread) == {
        ((2, 0), DoubtReason.UNLIKE_ITS_KIND),
        ((3, 0), DoubtReason.BESIDE_DOUBTED),
        ((4, 0), DoubtReason.BESIDE_DOUBTED),
    }


def test_what_looks_like_nothing_is_the_castle_only_where_nothing_else_is_doubtful() -> None:
    hidden = {(2, 2): {"castle-blue": 0.2}}

    shown = read_photo(ALL, likeness(KINGDOM, {**hidden, (4, 4): {"w0": 0.55}}))

    assert shown is not None
    assert reasons(shown) == {((4, 4), DoubtReason.UNLIKE_ITS_KIND), ((2, 2), DoubtReason.MAY_BE_CASTLE)}


def test_all_empty_places_are_one_question() -> None:
    picture = KINGDOM.replace("w0 w0 f0 f0 f0", "-- -- f0 f0 f0")

    shown = read_photo(ALL, likeness(picture, {(4, 3): {"f1": 0.55}}))

    assert shown is not None
    (told,) = describe_photographed(shown, 5, 5, False, str)["doubts"][:1]
    assert [one.cells for one in shown.questions] == [((0, 0), (1, 0)), ((4, 3),)]
    assert (told["cells"], told["question"]) == (
        [[0, 0], [1, 0]],
        "Are these 2 places empty: 1, 1; 2, 1 (column, row)?",
    )


MINE = KINGDOM.replace("w0 w0 f0 f0 f0", "m3 w0 f0 f0 f0")
"""Three crowns are on domino 48 alone, whose other half is wheat."""


def test_what_the_other_half_of_its_domino_tells_is_not_asked() -> None:
    """It may look like nothing at all, and something may lie on it; beside a field of wheat it may be anything."""
    hidden = {(1, 0): {"w0": 0.2}}

    alone = read_photo(ALL, likeness(MINE, hidden))
    told = explained(likeness(MINE, hidden))
    covered = explained(likeness(MINE), covered=[(1, 0)])
    untold = explained(likeness(KINGDOM, hidden))

    assert alone is not None
    assert {cell for cell, _reason in reasons(alone)} == {(1, 0)}
    assert [(one.squares[1, 0], one.unsure) for one in (told, covered)] == [(parse_square("w0"), ())] * 2
    assert told.confidence((1, 0)) > 0.5
    assert {cell for cell, _reason in reasons(untold)} == {(1, 0)}


def test_dominoes_tell_nothing_where_two_in_a_row_are_hidden() -> None:
    hidden = {(3, 0): {"f0": 0.2}, (4, 0): {"f0": 0.2}}

    shown = explained(likeness(MINE, hidden))

    assert {cell for cell, _reason in reasons(shown)} == {(3, 0), (4, 0)}


def test_empty_places_that_show_the_table_are_not_asked_about() -> None:
    """Unless one of them does not, or something else is not clear: a thing on the pieces may have its colour."""
    picture = KINGDOM.replace("w0 w0 f0 f0 f0", "-- -- f0 f0 f0")
    holes, bare = [(0, 0), (1, 0)], dict.fromkeys([(0, 0), (1, 0)], 1.0)
    unclear = {(4, 3): {"f1": 0.55}}

    sure = explained(likeness(picture), bare, table=holes)
    other = explained(likeness(picture), bare, table=holes[:1])
    doubted = explained(likeness(picture, unclear), bare, table=holes)

    assert (sure.asks, sure.squares.keys() & set(holes)) == (False, set())
    assert [one.cells for one in other.questions] == [tuple(holes)]
    assert [one.cells for one in doubted.questions] == [tuple(holes), ((4, 3),)]


def test_empty_places_beside_something_hidden_are_asked_about_though_dominoes_tell_what_it_hides() -> None:
    """One sheet of the table's colour may lie on them all; far from it, an empty place is one."""
    near, far = [(0, 1), (1, 1)], [(0, 4), (1, 4)]
    beside = MINE.replace("f0 f0 w1 l0 w1", "-- -- w1 l0 w1")
    away = MINE.replace("w1 s0 w1 m0 w0", "-- -- w1 m0 w0")

    asked, told = (
        explained(likeness(picture), dict.fromkeys(holes, 1.0), table=holes, covered=[(1, 0)])
        for picture, holes in ((beside, near), (away, far))
    )

    assert [one.cells for one in asked.questions] == [tuple(near)]
    assert not told.asks


def test_dominoes_that_may_lie_otherwise_are_asked_about() -> None:
    """Whatever each square looks like by itself: the next best way to lay the dominoes is hardly worse."""
    a, b = parse_square("w0"), parse_square("f0")
    found = find_tilings(ALL, likeness(KINGDOM))
    best = found.tilings[0]
    other = replace(best, squares={**best.squares, (0, 0): b}, likely=best.likely - 0.04)

    shown = judge_kingdom(replace(found, tilings=(best, other)))

    assert shown is not None
    assert shown.unsure == (UnsureSquare((0, 0), (a, b), DoubtReason.OTHER_TILING),)


def test_no_domino_is_used_twice() -> None:
    """Domino 48 is the only one with three crowns; a second square of that kind has to be something else."""
    picture = "m3 w0 CC w0 m3\ns0 s0 w0 w0 --"

    found = tilings(evidence_of(ALL, likeness(picture, {(4, 0): {"m3": 0.9, "m2": 0.85}})))

    crowns = [sum(square.crowns == 3 for square in tiling.squares.values()) for tiling in found]
    assert set(crowns) <= {0, 1}


def test_a_kingdom_that_is_no_square_may_lack_a_row() -> None:
    picture = "\n".join(KINGDOM.strip().splitlines()[:4]).replace("f1", "--")

    shown = read_photo(ALL, likeness(picture))

    assert shown is not None
    assert (shown.whole, shown.asks) == (False, True)


def test_what_looks_like_nothing_is_no_kingdom() -> None:
    flat = {(x, y): [0.4] * len(ALL) for x in range(5) for y in range(5)}

    assert (read_photo(ALL, flat), read_photo(ALL, {})) == (None, None)


def test_a_gallery_that_knows_kinds_of_squares_but_no_halves() -> None:
    rows = [*(GalleryRow(str(square), 0) for square in sorted(SQUARES)), GalleryRow("castle-blue", 0)]
    names = [line.split() for line in KINGDOM.strip().splitlines()]
    seen = {
        (x, y): [0.9 if row.label in (name, "castle-blue" if name == "CC" else "") else 0.3 for row in rows]
        for y, line in enumerate(names)
        for x, name in enumerate(line)
    }

    shown = read_photo(rows, seen)

    assert shown is not None
    assert (shown.squares[2, 2], shown.squares[1, 4], shown.unsure) == (CASTLE, parse_square("s0"), ())


def test_a_square_of_places_that_no_kingdom_ends_as_may_lack_rows() -> None:
    """Kingdoms that took every domino have five or seven rows; others are asked about as a whole."""
    picture = "w0 w0 f0 f0\nf0 f0 w1 l0\nl0 l0 CC w0\ng0 g0 -- s0"

    shown = read_photo(ALL, likeness(picture))

    assert shown is not None
    assert (shown.whole, shown.asks) == (False, True)


def test_what_dominoes_hardly_explain_is_no_kingdom() -> None:
    """Each square is like its kind, but so many mines with two crowns are in no box."""
    crowded = likeness(KINGDOM.replace("w0 w0 f0 f0 f0", "m2 m2 m2 m2 m2"))

    assert round(find_tilings(ALL, crowded).strain, 2) == -0.07
    assert read_photo(ALL, crowded) is None
