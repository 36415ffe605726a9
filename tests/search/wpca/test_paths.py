import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.wpca.paths import paths_through
from motionary.search.wpca.warps import half_warp_reference


@st.composite
def cases(draw):
    """A query with one to three characteristic frames, two clips, and anchors in them."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, n_rows, cut = draw(st.integers(2, 7)), 24, draw(st.integers(5, 20))
    frames = sorted(draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=min(3, n))))
    anchors = [np.array(sorted(draw(st.sets(st.integers(0, n_rows - 1), max_size=5))), dtype=np.int64) for _ in frames]
    return rng.standard_normal((n, 2)), frames, rng.standard_normal((n_rows, 2)), anchors, cut


def lowest_and_highest(rows, cut, n_rows):
    return np.where(rows < cut, 0, cut), np.where(rows < cut, cut, n_rows)


def naive_ways(query, frames, rows, anchors, cut):
    """The least sum and number of pairs of the paths that end in each last anchor, every path of anchors tried."""
    found = {}

    def onward(stage, chosen, total):
        last = chosen[-1]
        high = cut if last < cut else len(rows)
        if stage == len(frames) - 1:
            half = half_warp_reference(query[frames[-1] :], rows[last:high])
            if half is not None:
                whole = total + half[0] - np.linalg.norm(query[frames[-1]] - rows[last])
                if last not in found or whole < found[last][0]:
                    found[last] = whole, tuple(chosen)
            return
        for place in anchors[stage + 1].tolist():
            if last <= place < high:
                half = half_warp_reference(
                    query[frames[stage] : frames[stage + 1] + 1], rows[last : place + 1], fixed=True
                )
                if half is not None:
                    joint = np.linalg.norm(query[frames[stage]] - rows[last])
                    onward(stage + 1, [*chosen, place], total + half[0] - joint)

    for place in anchors[0].tolist():
        low = 0 if place < cut else cut
        half = half_warp_reference(query[frames[0] :: -1], rows[low : place + 1][::-1])
        if half is not None:
            onward(0, [place], half[0])
    return found


@given(case=cases())
def test_ways_are_the_best_of_all_paths_through_the_anchors(case):
    query, frames, rows, anchors, cut = case
    lows, highs = zip(*(lowest_and_highest(places, cut, len(rows)) for places in anchors), strict=True)

    paths = paths_through(query, frames, rows, anchors, scales=np.ones(2), lows=lows, highs=highs)

    wanted = naive_ways(query, frames, rows, anchors, cut)
    assert paths.anchors[:, -1].tolist() == sorted(wanted)
    for number, places in enumerate(paths.anchors.tolist()):
        total, chosen = wanted[places[-1]]
        assert tuple(places) == chosen
        low, high = (0, cut) if places[0] < cut else (cut, len(rows))
        pairs = paths.path(number)
        costs = np.linalg.norm(query[pairs[:, 0]] - rows[pairs[:, 1]], axis=1)
        assert costs.sum() == pytest.approx(total)
        assert paths.means[number] == pytest.approx(total / len(pairs))
        assert (paths.starts[number], paths.stops[number]) == (pairs[0, 1], pairs[-1, 1] + 1)
        assert low <= pairs[0, 1] <= pairs[-1, 1] < high
        assert (pairs[0, 0], pairs[-1, 0]) == (0, len(query) - 1)
        steps = np.diff(pairs, axis=0)
        assert ((steps >= 0) & (steps <= 1)).all()
        bent = steps.sum(axis=1) == 1
        assert paths.bent_share[number] == pytest.approx(bent.mean() if len(bent) else 0.0)
        nearest = np.sort(costs)[: int(np.ceil(0.8 * len(costs)))]
        assert paths.robust_means[number] == pytest.approx(nearest.mean())
        for frame, place in zip(frames, places, strict=True):
            assert [frame, place] in pairs.tolist()


def test_a_clip_that_is_too_short_has_no_way():
    query, rows = np.zeros((9, 1)), np.zeros((3, 1))
    one = [np.array([1])]

    paths = paths_through(query, [4], rows, one, scales=np.ones(1), lows=[np.array([0])], highs=[np.array([3])])

    assert len(paths.means) == len(paths.robust_means) == 0
