import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from motionary.search.wpca.warps import half_warp_reference, half_warps


@st.composite
def cases(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, m, d = draw(st.integers(1, 6)), draw(st.integers(1, 10)), draw(st.integers(1, 3))
    size = draw(st.sampled_from([None, 0, 2]))  # whole numbers tie

    def points(k):
        return rng.standard_normal((k, d)) if size is None else rng.integers(0, size + 1, (k, d)).astype(float)

    return points(n), points(m), draw(st.booleans())


def one_half(query, rows, fixed, sign=1):
    """`half_warps` from one end of the rows on, read in either direction."""
    ordered = rows if sign == 1 else rows[::-1]
    return half_warps(
        query,
        rows=np.ascontiguousarray(ordered),
        places=np.array([0 if sign == 1 else len(rows) - 1]),
        scales=np.ones(query.shape[1]),
        sign=sign,
        rooms=np.array([len(rows)]),
        fixed=fixed,
    )


def half_pairs(query, rows, fixed=False, sign=1):
    """The pairs of that half warp, or None."""
    halves = one_half(query, rows, fixed, sign)
    return halves.paths[0, : halves.n_pairs[0]] if np.isfinite(halves.sums[0]) else None


@given(case=cases(), sign=st.sampled_from([1, -1]))
def test_half_warps_have_the_least_sum_of_all_paths(case, sign):
    query, rows, fixed = case
    wanted = half_warp_reference(query, rows, fixed=fixed)

    halves = one_half(query, rows, fixed, sign)

    if wanted is None:
        assert halves.sums[0] == np.inf
        return
    total, _ = wanted
    found = half_pairs(query, rows, fixed, sign)
    assert halves.sums[0] == pytest.approx(total, abs=1e-12)
    assert np.linalg.norm(query[found[:, 0]] - rows[found[:, 1]], axis=1).sum() == pytest.approx(total, abs=1e-12)
    assert halves.n_pairs[0] == len(found)
    assert halves.lengths[0] == found[-1, 1] + 1
    along = halves.costs[0, : len(found)]
    assert along == pytest.approx(np.linalg.norm(query[found[:, 0]] - rows[found[:, 1]], axis=1))
    assert halves.n_bent[0] == (np.diff(found, axis=0).sum(axis=1) == 1).sum()


@given(case=cases())
def test_whole_numbers_tie_and_the_same_path_is_taken(case):
    query, rows, fixed = (np.round(case[0][:, :1]), np.round(case[1][:, :1]), case[2])  # sums are exact
    wanted = half_warp_reference(query, rows, fixed=fixed)

    found = half_pairs(query, rows, fixed=fixed)

    if wanted is None:
        assert found is None
    else:
        assert_array_equal(found, wanted[1])


@given(case=cases())
def test_no_two_bent_steps_follow_each_other(case):
    query, rows, fixed = case
    found = half_pairs(query, rows, fixed=fixed)
    if found is None:
        return

    bent = np.diff(found, axis=0).sum(axis=1) == 1

    assert not (bent[1:] & bent[:-1]).any()
    assert_array_equal(found[0], 0)
    assert found[-1, 0] == len(query) - 1


def test_a_motion_at_half_the_speed_is_followed_all_the_way():
    query = np.arange(10.0)[:, None]
    slow = np.repeat(query, 2, axis=0)

    pairs = half_pairs(query, slow)

    assert (query[pairs[:, 0]] == slow[pairs[:, 1]]).all()


def test_scales_belong_to_the_rows_and_other_columns_do_not_count():
    rng = np.random.default_rng(0)
    query, rows = rng.standard_normal((5, 2)), rng.standard_normal((9, 4)).astype(np.float32)
    scales = np.array([2.0, 0.5])

    halves = half_warps(query, rows=rows, places=np.array([1]), scales=scales, sign=1, rooms=np.array([6]))

    total, _ = half_warp_reference(query, rows[1:7, :2] * scales)
    assert halves.sums[0] == pytest.approx(total)


def test_many_places_are_warped_as_each_alone():
    rng = np.random.default_rng(1)
    query, rows = rng.standard_normal((6, 2)), rng.standard_normal((40, 2))
    places, rooms = np.array([3, 10, 39, 20]), np.array([12, 5, 1, 2])

    together = half_warps(query, rows=rows, places=places, scales=np.ones(2), sign=1, rooms=rooms)

    for i, (place, room) in enumerate(zip(places, rooms, strict=True)):
        wanted = half_warp_reference(query, rows[place : place + room])
        assert together.sums[i] == pytest.approx(np.inf if wanted is None else wanted[0])
