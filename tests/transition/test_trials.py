import numpy as np

from motionary.transition import ClusterOptions, build_clusters, trials
from motionary.transition.blending import SCORE, run_blends
from motionary.transition.body_lanes import body_lanes
from motionary.transition.searching import NONE, align_all
from motionary.transition.sources import gather_windows
from motionary.transition.trials import blend_rows, trial_scores, try_row, with_direct
from motionary.transition.workspace import make_workspace
from transition.pools import small_pool

OPTIONS = ClusterOptions(n_clusters=3, n_components=3, n_sample=60)
SHORT = np.array([[[1, NONE], [2, NONE]], [[NONE, NONE], [2, 0]], [[0, 1], [1, 0]]], dtype=np.int16)


def test_recipes_become_numbers_of_windows():
    rows = blend_rows(np.array([[NONE, NONE], [2, NONE], [1, 0]]), 0, 7, 10)

    np.testing.assert_array_equal(rows, [[0, 7, NONE, NONE], [0, 12, 7, NONE], [0, 11, 10, 7]])


def test_the_direct_blend_is_always_tried():
    recipes = with_direct(SHORT)

    np.testing.assert_array_equal(recipes[0], [[1, NONE], [NONE, NONE]])
    np.testing.assert_array_equal(recipes[1], SHORT[1])
    np.testing.assert_array_equal(recipes[2], [[0, 1], [NONE, NONE]])


def test_trials_score_blends_between_members_of_the_clusters():
    """Each blend by itself, between the windows that the same generator draws."""
    pool = small_pool()
    clusters, lanes = build_clusters(pool, options=OPTIONS), body_lanes(pool.body, pool.frame_time)
    n_frames = clusters.n_frames

    found = trial_scores(pool, lanes, clusters, 1, SHORT, n=2, rng=np.random.default_rng(5))

    rng = np.random.default_rng(5)
    nearest = np.argmin(clusters.distances[clusters.windows], axis=1)
    members = [clusters.windows[nearest == k] for k in range(3)]
    sources, targets = rng.choice(members[1], 2), [rng.choice(own, 2) for own in members]
    for m in range(2):
        for j in range(3):
            for s, used in enumerate(SHORT[j].tolist()):
                between = [int(clusters.representatives[k]) for k in used if k != NONE]
                firsts = [int(sources[m]), *between, int(targets[j][m])]
                places = np.array([(pool.clip_of(first), first) for first in firsts])
                windows, out = gather_windows(pool, lanes, places, n_frames), np.zeros((1, 8))
                row = np.array([[*range(len(firsts)), *(NONE,) * (4 - len(firsts))]])
                best, work = np.full((1, 2), np.inf), make_workspace(n_frames + 1, lanes)
                run_blends(lanes, windows, *align_all(windows, 0), row, False, best, out, work)
                assert found[m, j, s] == np.sqrt(min(out[0, SCORE], trials.WORST))


def test_the_recipes_that_are_kept_come_best_first_and_are_drawn_by_the_seed():
    pool = small_pool()
    clusters, lanes = build_clusters(pool, options=OPTIONS), body_lanes(pool.body, pool.frame_time)

    recipes, scores = try_row(pool, lanes, clusters, 0, SHORT, seed=3)
    again = try_row(pool, lanes, clusters, 0, SHORT, seed=3)
    others = try_row(pool, lanes, clusters, 0, SHORT, seed=4)

    assert (np.diff(scores, axis=1) >= 0).all()
    np.testing.assert_array_equal(recipes, again[0])
    np.testing.assert_array_equal(scores, again[1])
    assert (scores != others[1]).any()
