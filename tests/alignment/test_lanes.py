"""Distances in vector lanes, as bounds: never above the distance in double precision, and hardly below it."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.pose_tables import KINDS, table
from motionary.alignment import LaneQuery, Poses, dtw_at, dtw_lanes, euclid_at, euclid_lanes, lanes_for
from motionary.alignment.lanes import MOST_WIDE, WIDE, sums_reference

LANES = sys.modules["motionary.alignment.lanes"]


class Case:
    """A table, a query out of it or not, a diagonal form or a root of one, weights of frames, and radii."""

    def __init__(self, rng, kind, *, n_frames, n_rows, n_dimensions, form, widest, varying, own, negative_frames):
        self.table = table(rng, kind, n_rows, n_dimensions)
        start = int(rng.integers(n_rows - n_frames + 1))
        self.query = self.table[start : start + n_frames].astype(np.float64)
        if not own:
            self.query = table(rng, kind, n_frames, n_dimensions) + rng.normal(size=(n_frames, n_dimensions)) * 0.01
        self.frame_weights = rng.choice([0.0, 0.5, 1.0, 2.0, *([-0.7] if negative_frames else [])], size=n_frames)
        self.root = None
        if form == "plain":
            self.form = np.ones(n_dimensions)
        elif form == "root":
            self.root = rng.normal(size=(int(rng.integers(1, n_dimensions + 1)), n_dimensions))
            self.form = self.root
        else:
            choices = [0.0, 1e-3, 1.0, 5.0, *([-1.0, -0.2] if form == "signed" else [])]
            self.form = rng.choice(choices, size=n_dimensions)
        self.radii = np.full(n_frames, widest)
        if varying:
            self.radii = rng.integers(0, widest + 1, size=n_frames)

    @property
    def size(self) -> float:
        """What no sum is above."""
        forms = np.abs(self.form).sum() if self.root is None else (self.root**2).sum()
        return float(
            forms * np.abs(self.frame_weights).sum() * 4 * (np.abs(self.table).max() + np.abs(self.query).max()) ** 2
        )

    @property
    def n_windows(self) -> int:
        return len(self.table) - len(self.query) + 1

    def lane_query(self) -> tuple[LaneQuery, Poses]:
        poses = Poses.of(self.table.T)
        return LaneQuery.of(self.query, self.form, self.frame_weights, poses), poses

    def wanted(self, *, warped: bool) -> np.ndarray:
        """Distances in double precision; a root turns tables first, and then all weights are 1."""
        values, query, weights = self.table.astype(np.float64), self.query, np.outer(self.frame_weights, self.form)
        if self.root is not None:
            values, query = values @ self.root.T, query @ self.root.T
            weights = np.repeat(self.frame_weights[:, None], len(self.root), axis=1)
        places = np.arange(self.n_windows)
        if warped:
            return dtw_at(query, values, places, weights=weights, radius=self.radii)
        return euclid_at(query, values, places, weights=weights)

    def bounds(self, *, warped: bool, limit: float = np.inf, wide: int | None = None) -> np.ndarray:
        lane_query, poses = self.lane_query()
        out = np.full(len(self.table), np.inf, dtype=np.float32)
        spans = np.array([[0, self.n_windows]])
        if warped:
            dtw_lanes(lane_query, poses, spans, radii=self.radii, limit=limit, wide=wide, out=out)
        else:
            euclid_lanes(lane_query, poses, spans, limit=limit, out=out)
        assert (out[self.n_windows :] == np.inf).all()
        return lane_query.lowered(out[: self.n_windows])


def packed(poses: Poses) -> Poses:
    """In two bytes a number, even where that makes bounds loose."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LANES, "PACKED_WITHIN", np.inf)
        return poses.packed()[0]


@st.composite
def cases(draw, *, forms=("plain", "weights", "signed", "root"), lengths=(1, 2, 7, 13, 40, 70)):
    n_frames = draw(st.sampled_from(lengths))
    return Case(
        np.random.default_rng(draw(st.integers(0, 2**32 - 1))),
        draw(st.sampled_from(KINDS)),
        n_frames=n_frames,
        n_rows=n_frames + draw(st.sampled_from([0, 1, 30, 300, 700])),
        n_dimensions=draw(st.sampled_from([1, 3, 8, 19])),
        form=draw(st.sampled_from(forms)),
        widest=draw(st.sampled_from([0, 1, 4, 20, 80])),
        varying=draw(st.booleans()),
        own=draw(st.booleans()),
        negative_frames=draw(st.booleans()),
    )


@pytest.mark.parametrize("kind", [*KINDS, "nothing"])
def test_packed_poses_are_no_farther_off_than_they_say(kind):
    rng = np.random.default_rng(5)
    values = np.zeros((900, 19)) if kind == "nothing" else table(rng, kind, 900, 19)
    values[:, 3] = 0.0
    poses = Poses.of(values.T)

    result, error = poses.packed()

    off = result.unpacked(0, 900)[:19].T - values
    assert np.linalg.norm(off, axis=1).max() <= error
    is_smaller = kind != "spikes"  # they would make all steps large
    assert (result.z.dtype == np.int16) == is_smaller
    assert error <= 1e-3 * np.linalg.norm(values, axis=1).mean()
    assert is_smaller or result is poses


@pytest.mark.parametrize("warped", [True, False])
@given(case=cases())
def test_packed_poses_are_bounded_as_if_they_were_not(warped, case):
    poses = packed(Poses.of(case.table.T))
    n_dimensions = case.table.shape[1]
    plain = Poses.of(poses.unpacked(0, len(case.table))[:n_dimensions])
    bounds = []
    for some in (poses, plain):
        lane_query = LaneQuery.of(case.query, case.form, case.frame_weights, some)
        out, spans = np.full(len(case.table), np.inf, dtype=np.float32), np.array([[0, case.n_windows]])
        if warped:
            dtw_lanes(lane_query, some, spans, radii=case.radii, out=out)
        else:
            euclid_lanes(lane_query, some, spans, out=out)
        bounds.append(out)

    assert np.array_equal(*bounds)


@pytest.mark.parametrize("warped", [True, False])
@given(case=cases())
def test_bounds_are_never_above_the_distance(warped, case):
    wanted = case.wanted(warped=warped)

    for wide in (None, 64):
        bounds = case.bounds(warped=warped, wide=wide)
        assert np.isfinite(bounds).all()
        # Distances are themselves rounded, by next to nothing, and turning by a root is
        assert (bounds <= wanted + 1e-13 * case.size).all()


@pytest.mark.parametrize("warped", [True, False])
@pytest.mark.parametrize("form", ["plain", "weights", "root"])
def test_bounds_are_hardly_below_the_distance(warped, form):
    rng = np.random.default_rng(1)
    options = {"n_rows": 900, "n_dimensions": 24, "widest": 6, "varying": False, "own": False, "negative_frames": False}
    case = Case(rng, "smooth", n_frames=60, form=form, **options)

    bounds, wanted = case.bounds(warped=warped), case.wanted(warped=warped)

    assert (bounds >= 0.98 * wanted).all()
    assert np.median(bounds / wanted) > 0.9995


@given(case=cases(forms=("plain", "weights", "root")), share=st.sampled_from([0.0, 0.2, 0.9, 1.0, 3.0]))
def test_what_is_left_out_is_above_the_limit(case, share):
    for warped in (True, False):
        wanted = case.wanted(warped=warped)
        limit = share * float(np.median(np.abs(wanted)))
        bounds = case.bounds(warped=warped, limit=limit)

        assert (wanted[~np.isfinite(bounds)] > limit).all()
        assert (bounds[np.isfinite(bounds)] <= wanted[np.isfinite(bounds)] * (1 + 1e-9) + 1e-9).all()


def test_far_windows_are_left_out_at_all():
    rng = np.random.default_rng(5)
    values = np.concatenate([np.zeros((400, 8)), np.full((800, 8), 9.0)]).astype(np.float32)
    poses = Poses.of(values.T)
    lane_query = LaneQuery.of(rng.normal(size=(30, 8)), np.ones(8), np.ones(30), poses)
    spans = np.array([[0, 1171]])
    for warped in (True, False):
        out = np.zeros(1200, dtype=np.float32)
        if warped:
            dtw_lanes(lane_query, poses, spans, radii=np.full(30, 3), limit=3000.0, out=out)
        else:
            euclid_lanes(lane_query, poses, spans, limit=3000.0, out=out)
        assert np.isfinite(out[:300]).all()
        assert np.isinf(out[700:1171]).all()


@given(case=cases(forms=("plain", "weights", "signed")), every=st.sampled_from([2, 5, 100]))
def test_every_so_many_th_frame_is_summed_up(case, every):
    lane_query, poses = case.lane_query()
    out = np.zeros(len(case.table), dtype=np.float32)
    euclid_lanes(lane_query, poses, np.array([[0, case.n_windows]]), every=every, out=out)

    for start in range(0, case.n_windows, 97):
        window = case.table[start : start + len(case.query)][::every].astype(np.float64)
        (wanted,) = sums_reference(case.query[::every], case.form, case.frame_weights[::every], window, None)
        assert out[start] == pytest.approx(wanted, abs=1e-4 * case.size + 1e-30)


@pytest.mark.parametrize("warped", [True, False])
@given(case=cases(lengths=(1, 2, 7, 13)))
def test_lanes_give_what_the_definition_gives(warped, case):
    """Not only what another kernel gives."""
    n_rows = len(case.query) + 5
    case.table = case.table[:n_rows]
    radii = case.radii if warped else None
    wanted = sums_reference(case.query, case.form, case.frame_weights, case.table.astype(np.float64), radii)

    assert case.wanted(warped=warped) == pytest.approx(wanted, abs=1e-12 * case.size)
    assert case.bounds(warped=warped) == pytest.approx(wanted, abs=1e-3 * case.size + 1e-30)


def test_only_windows_in_spans_are_written():
    rng = np.random.default_rng(2)
    poses = Poses.of(rng.normal(size=(5, 900)))
    lane_query = LaneQuery.of(rng.normal(size=(20, 5)), np.ones(5), np.ones(20), poses)
    whole, some = np.full(900, -1.0, dtype=np.float32), np.full(900, -1.0, dtype=np.float32)
    spans = np.array([[3, 4], [50, 50], [60, 500], [700, 881]])

    dtw_lanes(lane_query, poses, np.array([[0, 881]]), radii=np.full(20, 3), out=whole)
    dtw_lanes(lane_query, poses, spans, radii=np.full(20, 3), out=some)

    inside = np.zeros(900, dtype=bool)
    for first, stop in spans:
        inside[first:stop] = True
    assert (some[~inside] == -1.0).all()
    assert np.allclose(some[inside], whole[inside], rtol=1e-6)


@given(
    exponent=st.sampled_from([-36, -30, -19, 0, 15]),
    seed=st.integers(0, 2**32 - 1),
    warped=st.booleans(),
)
def test_numbers_that_single_precision_hardly_holds(exponent, seed, warped):
    """Squares of tiny numbers fall out of single precision: then bounds are 0 or less, and never too large."""
    rng = np.random.default_rng(seed)
    values = (rng.integers(-2, 3, size=(200, 3)) * 10.0**exponent).astype(np.float32)
    poses = Poses.of(values.T)
    query = values[:20].astype(np.float64)
    out = np.zeros(200, dtype=np.float32)
    lane_query = LaneQuery.of(query, np.ones(3), np.ones(20), poses)
    if warped:
        dtw_lanes(lane_query, poses, np.array([[0, 181]]), radii=np.full(20, 2), out=out)
        wanted = dtw_at(query, values, np.arange(181), radius=2)
    else:
        euclid_lanes(lane_query, poses, np.array([[0, 181]]), out=out)
        wanted = euclid_at(query, values, np.arange(181))

    assert (lane_query.lowered(out[:181]) <= wanted).all()


def test_limits_beyond_single_precision_are_no_limits():
    poses = Poses.of(np.ones((2, 300)))
    lane_query = LaneQuery.of(np.zeros((5, 2)), np.ones(2), np.ones(5), poses)
    for limit in (1e30, 1e39, 1e300, np.inf):
        out = np.zeros(300, dtype=np.float32)
        euclid_lanes(lane_query, poses, np.array([[0, 296]]), limit=limit, out=out)
        assert out[0] == pytest.approx(10.0, rel=1e-4)
        assert np.isfinite(lane_query.raised(limit))


def test_a_band_fits_beside_the_lanes():
    for radius in (0, 6, 100, 500, 2000):
        radii = np.array([0, radius])
        assert lanes_for(radii) >= max(WIDE, 2 * radius + 32)
        assert lanes_for(radii) <= MOST_WIDE
        assert lanes_for(radii, least=64) % 64 == 0
