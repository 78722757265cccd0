"""The counting board: where its 50 spaces are, read off the print.

It is as wide as six tiles and as high as four. Space 0 lies at its lower right; spaces run left along its lower edge,
up, right along its upper edge, and back in two rows through its middle.
"""

from __future__ import annotations

from itertools import pairwise

from companion.core.photo import Corners, Track

_LINES: tuple[tuple[tuple[int, int], ...], ...] = (
    ((492, 265), (586, 274), (596, 388)),  # 0
    ((470, 280), (492, 385)),  # 1
    ((419, 278), (426, 385)),  # 2
    ((356, 279), (365, 388)),  # 3
    ((304, 278), (305, 385)),  # 4
    ((256, 290), (249, 385)),  # 5
    ((202, 295), (194, 384)),  # 6
    ((151, 299), (136, 382)),  # 7
    ((110, 294), (46, 378), (18, 376)),  # 8
    ((100, 275), (19, 308)),  # 9
    ((94, 238), (14, 255)),  # 10
    ((84, 194), (12, 194)),  # 11
    ((82, 146), (12, 142)),  # 12
    ((86, 105), (12, 91), (11, 11)),  # 13
    ((86, 91), (44, 12)),  # 14
    ((124, 85), (111, 10)),  # 15
    ((159, 80), (161, 9)),  # 16
    ((214, 75), (208, 6)),  # 17
    ((258, 75), (255, 8)),  # 18
    ((300, 75), (306, 6)),  # 19
    ((344, 75), (349, 8)),  # 20
    ((390, 72), (395, 8)),  # 21
    ((432, 70), (448, 8)),  # 22
    ((479, 72), (482, 8)),  # 23
    ((518, 65), (538, 8), (589, 10)),  # 24
    ((526, 70), (588, 46)),  # 25
    ((524, 90), (591, 98), (595, 132)),  # 26
    ((518, 95), (538, 142)),  # 27
    ((482, 91), (482, 154)),  # 28
    ((440, 91), (442, 142)),  # 29
    ((404, 95), (404, 150)),  # 30
    ((364, 102), (359, 158)),  # 31
    ((325, 102), (320, 159)),  # 32
    ((280, 102), (276, 165)),  # 33
    ((235, 102), (235, 165)),  # 34
    ((194, 105), (204, 160)),  # 35
    ((144, 119), (175, 159)),  # 36
    ((108, 150), (168, 171)),  # 37
    ((114, 208), (172, 189)),  # 38
    ((148, 248), (182, 192)),  # 39
    ((200, 260), (212, 192)),  # 40
    ((248, 261), (242, 190)),  # 41
    ((285, 250), (285, 185)),  # 42
    ((328, 249), (332, 185)),  # 43
    ((374, 245), (370, 182)),  # 44
    ((416, 245), (409, 181)),  # 45
    ((456, 245), (452, 180)),  # 46
    ((498, 235), (499, 176)),  # 47
    ((511, 235), (550, 179), (586, 198)),  # 48
    ((512, 244), (589, 229)),  # 49
)
"""The line before each space, in hundredths of a tile: where it ends to the right of who walks along the track, and to
the left; then the corner of the board that the space has, if any."""


def _spaces() -> tuple[Corners, ...]:
    around = pairwise((*_LINES, _LINES[0]))
    outlines = ((*line, after[1], after[0]) for line, after in around)
    return tuple(tuple((x / 100, y / 100) for x, y in outline) for outline in outlines)


TRACK = Track("carcassonne-track", _spaces())
