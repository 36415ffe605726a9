import numpy as np
from hypothesis import given

from motionary.search.match_web.corridor import corridor, parts, rectangle_at
from search.match_web.corridors import corridors, paths


@given(corridors())
def test_parts_are_what_steps_lead_through(case):
    grid, rectangles, *_ = case
    of = np.full(grid.shape, -1)
    for n, (r0, r1, c0, c1) in enumerate(rectangles):
        of[r0:r1, c0:c1] = n
        for row, column in ((r0, c0), (r1 - 1, c1 - 1)):
            if r0 < r1 and c0 < c1:
                assert rectangle_at(rectangles, row, column) == n
    expected = np.arange(len(rectangles))
    for up, right in ((1, 0), (0, 1), (1, 1)):
        below = of[: grid.shape[0] - up, : grid.shape[1] - right]
        above = of[up:, right:]
        for a, b in np.unique(np.stack([below, above], axis=-1).reshape(-1, 2), axis=0):
            if a >= 0 and b >= 0:
                ends = expected[a], expected[b]
                expected[np.isin(expected, ends)] = min(ends)

    assert np.array_equal(parts(rectangles), expected)


def test_a_corridor_holds_its_paths_and_what_is_around_them():
    rows, columns = np.array([3, 4, 5], dtype=np.int32), np.array([2, 3, 3], dtype=np.int32)

    found = corridor(paths(rows, columns, np.array([0, 3])), 6, (80, 50), reach=2)

    inside = np.zeros((80, 50), dtype=bool)
    for r0, r1, c0, c1 in found:
        assert not inside[r0:r1, c0:c1].any()  # no cell twice
        inside[r0:r1, c0:c1] = True
    for row, column in zip(rows * 6, columns * 6, strict=True):
        assert inside[row - 6 : row + 7, column - 6 : column + 7].all()
    assert inside[3 * 6 - 12, 2 * 6 - 12]  # beyond its ends
    assert inside[5 * 6 + 12, 3 * 6 + 12]
    assert inside.mean() < 0.5


def test_no_paths_have_no_corridor():
    nothing = np.zeros(0, dtype=np.int32)

    rectangles = corridor(paths(nothing, nothing, np.array([0])), 3, (20, 30), reach=1)

    assert len(rectangles) == 0
    assert len(parts(rectangles)) == 0
