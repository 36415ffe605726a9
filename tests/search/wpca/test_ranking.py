import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from motionary.search.wpca.paths import Paths
from motionary.search.wpca.ranking import apart, degenerate, scores


def paths(bent, n_steps, costs):
    costs = np.array(costs, dtype=float)
    none = np.zeros(len(costs), dtype=int)
    counted = np.where(np.isfinite(costs), costs, 0).sum(axis=1) / np.isfinite(costs).sum(axis=1)
    pairs = np.zeros((*costs.shape, 2), dtype=int)
    return Paths(none[:, None], none, none + 1, counted, np.array(bent), np.array(n_steps), pairs, costs)


def test_scores():
    two = paths([[0.5, 0.0], [0.0, 0.0]], [[10, 10], [10, 10]], [[1, 1, 1, 1, 1], [1, 1, 1, 1, 6]])

    assert_allclose(scores(two, "mean"), [1, 2])
    assert_allclose(scores(two, "even"), [1.25, 2])
    assert_allclose(scores(two, "robust"), [1, 1])


def test_a_part_at_the_slope_limit_is_degenerate_unless_it_is_too_short_to_tell():
    made = paths([[0.5, 0.0], [0.3, 0.3], [0.5, 0.0], [0.0, 0.5]], [[20, 5], [20, 5], [4, 20], [5, 20]], [[1.0]] * 4)

    assert degenerate(made).tolist() == [True, False, False, True]


@given(
    segments=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 30), st.integers(1, 12)), max_size=20),
    overlap=st.sampled_from([0.0, 0.2, 0.5, 1.0]),
)
def test_taken_segments_are_apart_and_the_others_lie_on_them(segments, overlap):
    clips, starts, lengths = (np.array([s[i] for s in segments], dtype=int) for i in range(3))
    stops = starts + lengths

    def lie_on_each_other(a, b):
        common = min(stops[a], stops[b]) - max(starts[a], starts[b])
        return clips[a] == clips[b] and common > overlap * min(lengths[a], lengths[b])

    taken = apart(np.arange(len(segments)), clips, starts, stops, overlap=overlap, most=None)

    assert not any(lie_on_each_other(a, b) for a in taken for b in taken if a != b)
    for other in set(range(len(segments))) - set(taken):
        assert any(lie_on_each_other(other, better) for better in taken if better < other)
    assert apart(np.arange(len(segments)), clips, starts, stops, overlap=overlap, most=2) == taken[:2]
