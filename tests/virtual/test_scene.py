"""Stories of what lies on a table without hardware, and of its picture from above."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.mat import Mat
from companion.core.observation import Face
from companion.virtual.rasterizer import rasterize
from companion.virtual.renderer import (
    MARGIN,
    Renderer,
    Viewpoint,
    furniture_drawables,
    hand_drawables,
    piece_drawables,
)
from companion.virtual.scene import IGNORE, Scene, hand_face
from tests.virtual.counters import SIGHT


@pytest.fixture
def scene() -> Scene:
    return Scene(SIGHT.pieces, 1600, 900)


def test_a_piece_comes_out_of_the_box_and_goes_back(scene: Scene) -> None:
    before = scene.snapshot
    scene.put("disc-0-0", 300, 200, 370)
    lying = scene.snapshot
    scene.remove("disc-0-0")
    after = scene.snapshot

    assert [(one.piece, one.face, one.x, one.y, one.angle) for one in lying.lying] == [
        ("disc-0-0", "disc-0", 300, 200, 10)
    ]
    assert len(lying.aside) == len(before.aside) - 1 == 14
    assert (after.lying, len(after.aside)) == (before.lying, len(before.aside))
    assert before.version < lying.version < after.version


def test_what_stands_stays_on_top_of_what_is_pushed_under_it(scene: Scene) -> None:
    scene.put("disc-0-0", 300, 200)
    scene.put("peg-0", 300, 200)
    scene.put("disc-1-0", 310, 200)

    assert [one.piece for one in scene.snapshot.lying] == ["disc-0-0", "disc-1-0", "peg-0"]


def test_a_piece_stays_within_the_table_and_must_be_known(scene: Scene) -> None:
    scene.put("disc-0-0", -70, 5000)
    found = scene.snapshot.find("disc-0-0")

    assert found is not None
    assert (found.x, found.y) == (0, 900)
    with pytest.raises(KeyError):
        scene.put("castle", 1, 1)
    with pytest.raises(KeyError):
        scene.remove("castle")
    with pytest.raises(ValueError, match="cannot lie"):
        scene.put("disc-0-0", float("nan"), 1)


def test_whoever_drags_a_piece_takes_it_out_of_the_hand(scene: Scene) -> None:
    scene.put("disc-0-0", 300, 200)
    scene.reach(300, 200, 0, 1)
    assert scene.take("disc-0-0")
    scene.put("disc-0-0", 900, 400)

    assert not scene.lay("disc-0-0", 300, 260, 0)
    assert [(one.x, one.y) for one in scene.snapshot.lying] == [(900, 400)]


def test_what_a_hand_holds_moves_with_it_and_is_laid_down(scene: Scene) -> None:
    scene.reach(0, 0, 0, 1)
    scene.take("disc-0-0")
    scene.reach(400, 300, 10, 1, turned=45)
    held = scene.snapshot.hand
    laid = scene.lay("disc-0-0", 402, 301, 45)

    assert held is not None
    assert held.holding is not None
    assert (held.holding.x, held.holding.y, held.holding.angle) == (400, 300, 45)
    assert laid
    assert [(one.x, one.y) for one in scene.snapshot.lying] == [(402, 301)]


def test_drawing_only_what_changed_gives_the_same_picture_as_drawing_all_of_it(scene: Scene) -> None:
    eye = Viewpoint(760, 480, 1300)
    thrifty = Renderer(Mat(), 0.5, 3)
    for number in range(12):
        scene.put(f"disc-{number % 2}-{number % 5}", 500 + 23 * number, 400 + 9 * number, 30 * number)
        scene.put(f"peg-{number % 5}", 500 + 23 * number, 400 + 9 * number)
        scene.reach(300 + 50 * number, 500, 5 * number, 2)
        snapshot, faces = scene.snapshot, scene.faces
        assert snapshot.hand is not None
        things = [
            *furniture_drawables((True, False), number, IGNORE),
            *piece_drawables(snapshot.lying, faces),
        ]
        things += hand_drawables(snapshot.hand, faces)
        little = thrifty.picture(things, eye).copy()

    assert np.array_equal(little, Renderer(Mat(), 0.5, 3).picture(things, eye))


def test_a_piece_is_drawn_where_it_lies(scene: Scene) -> None:
    renderer = Renderer(Mat(), 1.0, 1)
    empty = renderer.picture(()).copy()
    scene.put("disc-0-0", 700.0, 300.0)
    laid = renderer.picture(list(piece_drawables(scene.snapshot.lying, scene.faces)))
    red = (laid[..., 2].astype(int) - empty[..., 2] > 40).nonzero()

    assert (red[1].mean(), red[0].mean()) == pytest.approx((700 + MARGIN - 0.5, 300 + MARGIN - 0.5), abs=0.6)


def test_a_drawing_has_its_size_and_a_limit() -> None:
    face = Face("x", 20, 10, '<rect width="200" height="100" fill="#102030"/>')
    picture = rasterize(face, 2)

    assert (picture.shape, picture[10, 20].tolist()) == ((20, 40, 4), [0x30, 0x20, 0x10, 255])
    assert rasterize(face, 2) is picture
    with pytest.raises(ValueError, match="4096 at most"):
        rasterize(face, 400)
    with pytest.raises(ValueError, match="expected"):
        rasterize(Face("broken", 20, 10, "<g"), 2)


def test_hands_differ_from_person_to_person() -> None:
    assert len({hand_face(seed).drawing for seed in range(12)}) > 6
    assert hand_face(3) == hand_face(3)
