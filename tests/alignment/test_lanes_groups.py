"""Bounds from groups of poses: what the definition says, and never above the distance of any window."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.pose_tables import KINDS, table
from motionary.alignment import GROUP, GroupBands, LaneQuery, PoseGroups, dtw_at, group_lanes
from motionary.alignment.lanes_groups import group_sums_reference


class Case:
    """A table, a query out of it or not, weights of dimensions and frames, and radii."""

    def __init__(self, rng, kind, *, n_frames, n_rows, n_dimensions, weighted, widest, varying, own):
        self.table = table(rng, kind, n_rows, n_dimensions)
        start = int(rng.integers(n_rows - n_frames + 1))
        self.query = self.table[start : start + n_frames].astype(np.float64)
        if not own:
            self.query = table(rng, kind, n_frames, n_dimensions) + rng.normal(size=(n_frames, n_dimensions)) * 0.01
        self.form, self.frame_weights = np.ones(n_dimensions), np.ones(n_frames)
        if weighted:
            self.form = rng.choice([0.0, 1e-3, 1.0, 5.0], size=n_dimensions)
            self.frame_weights = rng.choice([0.0, 0.5, 1.0], size=n_frames)
        self.radii = rng.integers(0, widest + 1, size=n_frames) if varying else np.full(n_frames, widest)

    @property
    def groups(self) -> PoseGroups:
        return PoseGroups.of(lambda first, stop: self.table[first:stop], len(self.table), self.table.shape[1])

    @property
    def n_windows(self) -> int:
        return len(self.table) - len(self.query) + 1

    def bounds(self, spans: np.ndarray) -> np.ndarray:
        """Bounds (G,) of the sums, less what the error of the means may have added."""
        groups = self.groups
        lane_query = LaneQuery.of(self.query, self.form, np.ones(len(self.query)), groups.means)
        bands = GroupBands.of(self.query * np.sqrt(self.form), self.frame_weights, self.radii)
        out = np.full(groups.n_groups, np.inf, dtype=np.float32)
        group_lanes(lane_query, groups, bands, spans, least=self.form.min(), largest=self.form.max(), out=out)
        slack = np.sqrt(len(self.query) * self.form.max()) * groups.error
        return np.maximum(np.sqrt(np.maximum(lane_query.lowered(out), 0.0)) - slack, 0.0) ** 2


@st.composite
def cases(draw, *, weighted=None):
    n_frames = draw(st.sampled_from([8, 9, 13, 40, 71]))
    return Case(
        np.random.default_rng(draw(st.integers(0, 2**32 - 1))),
        draw(st.sampled_from(KINDS)),
        n_frames=n_frames,
        n_rows=n_frames + draw(st.sampled_from([0, 1, 30, 300, 1500])),
        n_dimensions=draw(st.sampled_from([1, 3, 8, 19])),
        weighted=draw(st.booleans()) if weighted is None else weighted,
        widest=draw(st.sampled_from([0, 1, 4, 20, 80])),
        varying=draw(st.booleans()),
        own=draw(st.booleans()),
    )


@given(case=cases())
def test_bounds_of_groups_are_never_above_the_distance(case):
    weights = np.outer(case.frame_weights, case.form)
    wanted = dtw_at(
        *(case.query, case.table.astype(np.float64), np.arange(case.n_windows)), weights=weights, radius=case.radii
    )

    bounds = case.bounds(np.array([[0, -(-case.n_windows // GROUP)]]))

    assert np.isfinite(bounds[: -(-case.n_windows // GROUP)]).all()
    size = weights.sum() * (np.abs(case.table).max() + np.abs(case.query).max()) ** 2
    assert (bounds[np.arange(case.n_windows) // GROUP] <= wanted + 1e-13 * size).all()


@given(case=cases(weighted=False))
def test_bounds_of_groups_are_what_the_definition_says(case):
    wanted = group_sums_reference(case.query, case.frame_weights, case.table.astype(np.float64), case.radii)
    n_begun = len(wanted) - len(case.query) // GROUP + 1
    lost = 1e-5 * len(case.query) * case.table.shape[1] * (np.abs(case.table).max() + np.abs(case.query).max()) ** 2

    bounds = case.bounds(np.array([[0, n_begun]]))

    assert (bounds[:n_begun] >= wanted[:n_begun] - lost).all()
    assert (bounds[:n_begun] <= wanted[:n_begun] * (1.0 + 1e-12) + 1e-13 * lost).all()


def test_only_what_is_asked_for_is_bounded():
    case = Case(
        *(np.random.default_rng(1), "smooth"),
        n_frames=40,
        n_rows=3000,
        n_dimensions=8,
        weighted=True,
        widest=4,
        varying=False,
        own=True,
    )
    whole = case.bounds(np.array([[0, 700]]))

    some = case.bounds(np.array([[3, 5], [100, 600]]))

    asked = np.zeros(750, dtype=bool)
    asked[3:5] = asked[100:600] = True
    assert np.array_equal(some[asked], whole[asked])
    assert np.isinf(some[~asked]).all()


def test_numbers_that_single_precision_cannot_hold_are_refused():
    poses = np.random.default_rng(2).normal(size=(100, 3))
    poses[50] = 1e17
    groups = PoseGroups.of(lambda first, stop: poses[first:stop], 100, 3)
    query = LaneQuery.of(poses[:20], np.ones(3), np.ones(20), groups.means)
    bands = GroupBands.of(poses[:20], np.ones(20), np.full(20, 2))

    with pytest.raises(FloatingPointError):
        group_lanes(query, groups, bands, np.array([[0, 20]]), largest=1e6, out=np.zeros(25, dtype=np.float32))
