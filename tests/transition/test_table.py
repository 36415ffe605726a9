from dataclasses import replace

import numpy as np
import pytest

from motionary.blend import blend_poses
from motionary.errors import UsageError
from motionary.motion import rotations
from motionary.naturalness import score
from motionary.transition import ClusterOptions, build_clusters, build_table
from motionary.transition.blending import SCORE, ZMP_ERROR, run_blends
from motionary.transition.body_lanes import body_lanes
from motionary.transition.joining import pool_poses
from motionary.transition.natural_scores import natural_windows, score_windows
from motionary.transition.searching import (
    NONE,
    align_all,
    all_recipes,
    decoded,
    n_blends,
    search_row,
    unaligned,
)
from motionary.transition.sources import gather_windows
from motionary.transition.table import representative_windows
from motionary.transition.workspace import make_workspace
from transition.pools import small_pool

OPTIONS = ClusterOptions(n_clusters=5, n_components=4, n_sample=80)


def test_every_recipe_has_its_own_code():
    recipes, codes = all_recipes(5, 1, 3)

    assert len(recipes) == len(set(codes.tolist())) == 1 + 3 + 6
    for row, code in zip(recipes, codes, strict=True):
        used = [k for k in row if k != NONE][1:-1]
        assert [k for k in decoded(code, 5) if k != NONE] == used
        assert row[0] == 1
        assert [k for k in row if k != NONE][-1] == 3
    assert n_blends(50) == 5_767_350


def test_poses_are_those_of_the_plain_blend():
    """The same sources at the same times, blended by `blend_poses`."""
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    firsts = np.array([(0, 20), (1, int(pool.starts[1]) + 40), (2, int(pool.starts[2]) + 60), (0, 90)])
    windows = gather_windows(pool, lanes, firsts, 30)
    work = make_workspace(31, lanes)

    n = run_blends(
        lanes,
        windows,
        *align_all(windows, 0),
        np.array([[0, 1, 2, 3]]),
        False,
        np.full((1, 2), np.inf),
        np.zeros((1, 8)),
        work,
    )

    times = (work.cells + work.share)[:, :n]
    low, share = work.cells[:, :n], work.share[:, :n]
    roots = np.empty((4, n, 3))
    facing, local = np.empty((4, n)), np.empty((4, n, len(lanes.order), 4))
    for i in range(4):
        motion_turns = np.moveaxis(windows.turns[i], 2, 0)  # (P, J, 4), joints in the order of the lanes
        local[i] = rotations.slerp(motion_turns[low[i]], motion_turns[low[i] + 1], share[i][:, None])
        facing[i] = np.interp(times[i], np.arange(31), windows.facing[i])
        for c in range(3):
            roots[i, :, c] = np.interp(times[i], np.arange(31), windows.roots[i, c])
        about = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), facing[i])
        local[i, :, 0] = rotations.multiply(about, local[i, :, 0])
    plain = blend_poses(roots, local, work.weights[:, :n].T, headings_of_sources=facing)
    np.testing.assert_allclose(plain.root_positions, work.roots[:, :n].T, atol=1e-9)
    np.testing.assert_allclose(plain.headings, work.facing[:n], atol=1e-9)
    mine = np.moveaxis(work.local[:, :, :n], 2, 0)
    angles = np.degrees(rotations.angle_between(plain.rotations[:, 1:], mine[:, 1:]))
    assert angles.max() < 0.5
    assert np.percentile(angles, 99) < 0.05


def test_real_motion_scores_as_naturalness_says():
    """A window blended with itself is itself; its zero-moment point is measured as `naturalness.score` does."""
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    first, context = 40, 20
    windows = gather_windows(pool, lanes, np.array([(0, first)]), 30)
    work, out = make_workspace(31, lanes), np.zeros((1, 8))
    poses = pool_poses(pool, 0, first - context, first + 31 + context)
    motion = poses.motion(pool)

    n = run_blends(
        lanes,
        windows,
        *unaligned(*windows.facing.shape),
        np.array([[0, 0, NONE, NONE]]),
        False,
        np.full((1, 2), np.inf),
        out,
        work,
    )

    expected = score(motion, poses.plants(), body=pool.body).curves["zmp_error"][context : context + 31]
    assert n == 31
    inner = slice(6, 25)  # nearer to the ends, feet may touch the ground by plants outside the window
    np.testing.assert_allclose(work.curve[:31][inner], expected[inner], atol=2e-4)
    assert out[0, ZMP_ERROR] == pytest.approx(np.nanmax(work.curve[:31]))


def test_early_rejection_finds_the_same_table():
    pool = small_pool()
    clusters = build_clusters(pool, options=replace(OPTIONS, n_clusters=7))  # more recipes than are tried

    exhaustive = build_table(pool, clusters, exhaustive=True)
    pruned = build_table(pool, clusters)

    assert exhaustive.n_finished == n_blends(7)
    assert pruned.n_finished < exhaustive.n_finished
    np.testing.assert_array_equal(pruned.scores, exhaustive.scores)
    np.testing.assert_array_equal(pruned.intermediaries, exhaustive.intermediaries)


@pytest.mark.parametrize("n_best", [1, 4, 40])  # there are 26 recipes
@pytest.mark.parametrize(
    "firsts",
    [
        [(0, 79), (0, 19), (1, 251), (1, 156), (1, 156), (1, 251), (1, 156)],
        [(0, 100), (2, 367), (0, 18), (1, 206), (0, 18), (2, 367), (0, 18)],
    ],
)
def test_early_rejection_keeps_blends_that_score_the_same(firsts, n_best):
    """Some windows are there several times: of equal blends, the first wins, whichever is tried first."""
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    windows = gather_windows(pool, lanes, np.array(firsts), 20)

    exhaustive, pruned = (search_row(lanes, windows, 0, exhaustive=every, n_best=n_best) for every in (True, False))

    np.testing.assert_array_equal(pruned[0], exhaustive[0])
    np.testing.assert_array_equal(pruned[1], exhaustive[1])


def test_the_best_recipes_are_those_of_a_plain_search():
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    windows = representative_windows(pool, lanes, build_clusters(pool, options=OPTIONS))
    recipes, codes = all_recipes(5, 1, 3)
    out = np.zeros((len(recipes), 8))
    best = np.full((1, 2), np.inf)
    run_blends(lanes, windows, *align_all(windows, 1), recipes, False, best, out, make_workspace(31, lanes))
    order = np.lexsort((codes, out[:, SCORE]))[:6]

    scores, found, _ = search_row(lanes, windows, 1, exhaustive=False, n_best=6)

    np.testing.assert_array_equal(scores[3], out[order, SCORE])
    np.testing.assert_array_equal(found[3], [decoded(code, 5) for code in codes[order]])


@pytest.mark.parametrize("n_clusters", [1, 2, 3])
def test_a_few_representatives_make_a_table(n_clusters):
    pool = small_pool()

    table = build_table(pool, build_clusters(pool, options=replace(OPTIONS, n_clusters=n_clusters)))

    assert table.complete
    assert table.least.shape == (n_clusters, n_clusters)
    assert (table.intermediaries < n_clusters).all()


def test_any_number_of_threads_finds_the_same():
    pool = small_pool()
    clusters = build_clusters(pool, options=OPTIONS)
    lanes = body_lanes(pool.body, pool.frame_time)
    windows = representative_windows(pool, lanes, clusters)

    alone, several = (search_row(lanes, windows, 2, exhaustive=False, n_threads=n) for n in (1, 3))

    np.testing.assert_array_equal(alone[0], several[0])
    np.testing.assert_array_equal(alone[1], several[1])
    assert alone[2] == several[2]


def test_a_table_goes_on_where_it_was_interrupted():
    pool = small_pool()
    clusters = build_clusters(pool, options=OPTIONS)
    whole = build_table(pool, clusters)
    begun = []

    class Interrupted(Exception):
        pass

    def interrupt(done: int, _total: int, _what: str) -> None:
        if done == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        build_table(pool, clusters, keep=begun.append, progress=interrupt)
    assert not begun[-1].complete
    with pytest.raises(UsageError, match="is not finished"):
        begun[-1].recipes(4, 4)
    rest = build_table(pool, clusters, begun=begun[-1])

    np.testing.assert_array_equal(rest.scores, whole.scores)
    np.testing.assert_array_equal(rest.intermediaries, whole.intermediaries)


def test_natural_motion_has_small_plant_errors():
    pool = small_pool()

    natural = score_windows(pool, natural_windows(pool, 30, n=40, rng=np.random.default_rng(0)), 30)

    assert natural.shape == (40, 4)
    np.testing.assert_allclose(natural[:, 0], natural[:, 1:].sum(axis=1))
    assert np.median(natural[:, 1]) < 0.01
