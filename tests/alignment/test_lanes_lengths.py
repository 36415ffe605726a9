"""One look for many lengths, in lanes, by its definition: nothing near enough is left out, and hardly more kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment import LaneQuery, Poses, lengths_lanes
from motionary.alignment.lanes_lengths import lengths_reference


def costs_of(query: np.ndarray, z: np.ndarray, weights: np.ndarray, off: np.ndarray) -> np.ndarray:
    """(n, F), from the definition."""
    return weights[:, None] * ((z[None] - query[:, None]) ** 2).sum(axis=2) - off[:, None]


@given(
    seed=st.integers(0, 2**32 - 1),
    n_frames=st.sampled_from([1, 2, 5, 30, 61]),
    n_rows=st.sampled_from([12, 70, 300, 700]),
    shortest=st.sampled_from([1, 6, 12]),
    n_lengths=st.sampled_from([1, 3, 13]),
    widest=st.sampled_from([0, 1, 3, 9, 70]),
    off=st.sampled_from([0.0, 0.3, 1e30]),
    share=st.sampled_from([0.3, 0.9, 1.1]),
)
def test_nothing_near_enough_is_left_out(seed, n_frames, n_rows, shortest, n_lengths, widest, off, share):
    rng = np.random.default_rng(seed)
    z = np.cumsum(rng.normal(size=(n_rows, 3)), axis=0).astype(np.float32)
    query = np.cumsum(rng.normal(size=(n_frames, 3)), axis=0)
    weights = rng.choice([0.0, 0.5, 1.0, 2.0], size=n_frames)
    taken_off = np.where(rng.random(n_frames) < 0.2, off, 0.0)
    middles = np.sort(rng.integers(0, n_frames, size=shortest + n_lengths - 1))
    reach = np.stack([np.maximum(middles - widest, 0), np.minimum(middles + widest + 1, n_frames)], axis=1)
    costs = costs_of(query, z.astype(np.float64), weights, taken_off)
    limits = (
        np.sort(rng.random(n_lengths)) * share * shortest * max(float(np.median(costs[weights > 0])), 0.0)
        if (weights.any() and off < 1)
        else np.zeros(n_lengths)
    )
    poses = Poses.of(z.T)
    lane_query = LaneQuery.of(query, np.ones(3), weights, poses).less(taken_off)
    out = np.ones(n_rows, dtype=bool)

    raised = np.array([lane_query.raised(limit) for limit in limits])
    spans = np.array([[0, n_rows - shortest + 1]])
    lengths_lanes(lane_query, poses, spans, reach=reach, limits=raised, out=out)

    found = out[: spans[0, 1]]
    assert found[lengths_reference(costs, reach=reach, limits=limits)].all()
    # Windows at the end go on over what is no pose: only those that are whole at every length can be compared both ways
    whole = np.arange(len(found)) + len(reach) <= n_rows
    loose = 1e-4 * (1.0 + float(np.abs(costs[costs > -1e20]).max(initial=0.0))) * len(reach)
    kept = lengths_reference(costs, reach=reach, limits=limits * 1.001 + loose)
    assert not found[whole & ~kept].any()
