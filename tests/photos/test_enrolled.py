"""A box taught by ten photos of the virtual table: what could not be read before is read then, or asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.photos.enrolled import taught, worth

pytestmark = pytest.mark.soak


def test_a_box_taught_by_ten_photos_of_the_virtual_table(tmp_path: Path) -> None:
    before, after = (worth(readers, range(1)) for _name, readers in taught(tmp_path))

    assert (before.right, before.silent) == (0, 0)
    assert after.right >= 75, "nearly all of the squares of its four kingdoms"
    assert after.silent == 0
