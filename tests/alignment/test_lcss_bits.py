"""Common frames in machine words: never fewer than there are, and as many wherever rounding cannot matter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment import MatchTables, Poses, common_at_most, lcss_at, pose_words
from motionary.alignment.lcss import lcss_reference
from motionary.alignment.lcss_bits import WORD, pose_words_reference

KINDS = ("smooth", "ties", "constant", "spikes", "far away", "two places")
THRESHOLDS = {
    "near": (0.3,),
    "none": (0.0,),
    "ties": (1.0,),
    "some do not matter": (0.4, np.inf),
    "excluded": (-0.2, 0.5),
    "excluded or whatever": (-1.0, np.inf),
    "hardly excluded": (-1e-30, 1.0),
    "by frame": (0.1, 1.0, np.inf, -0.3),
}


def table(rng: np.random.Generator, kind: str, n_frames: int, n_dimensions: int) -> np.ndarray:
    values = np.cumsum(rng.normal(size=(n_frames, n_dimensions)) * 0.1, axis=0)
    if kind == "ties":
        values = rng.integers(-2, 3, size=(n_frames, n_dimensions)).astype(float)
    if kind == "constant":
        values = np.tile(rng.integers(-1, 2, size=n_dimensions), (n_frames, 1)).astype(float)
    if kind == "spikes":
        values[rng.integers(n_frames, size=2), rng.integers(n_dimensions)] = rng.choice([-1e4, 1e4])
    if kind == "far away":
        values = rng.integers(-3, 4, size=(n_frames, n_dimensions)) * 1e-3 + 700.0
    if kind == "two places":
        values = values * 0.01 + rng.choice([-40.0, 40.0], size=(n_frames, 1))
    return values.astype(np.float32)


class Case:
    def __init__(self, rng, kind, chosen, *, n_frames, n_rows, n_dimensions, widest, varying, own):
        self.table = table(rng, kind, n_rows, n_dimensions)
        start = int(rng.integers(n_rows - n_frames + 1))
        source = self.table if own else table(rng, kind, n_rows, n_dimensions)
        self.query = source[start : start + n_frames].astype(np.float64)
        rows = n_frames if chosen == "by frame" else 1
        choices = THRESHOLDS[chosen]
        self.thresholds = np.array(np.broadcast_to(rng.choice(choices, size=(rows, n_dimensions)), self.query.shape))
        if np.isinf(self.thresholds).all():
            self.thresholds[0, 0] = 0.3
        self.radii = rng.integers(0, widest + 1, size=n_frames) if varying else np.full(n_frames, widest)

    @property
    def n_windows(self) -> int:
        return len(self.table) - len(self.query) + 1

    def at_most(self, *, error: float = 0.0, spans: np.ndarray | None = None, moved=None) -> np.ndarray:
        tables = MatchTables.of(self.query, self.thresholds, self.radii, error=error)
        poses = Poses.of((self.table if moved is None else moved).T)
        spans = np.array([[0, self.n_windows]]) if spans is None else spans
        out = np.full(len(self.table), -1, dtype=np.int32)
        common_at_most(tables, pose_words(tables, poses, spans), spans, out=out)
        return out[: self.n_windows]

    def wanted(self) -> np.ndarray:
        places = np.arange(self.n_windows)
        return lcss_at(self.query, self.table, places, thresholds=self.thresholds, radius=self.radii)


@st.composite
def cases(draw, *, kinds=KINDS, thresholds=tuple(THRESHOLDS), lengths=(1, 2, 9, 63, 64, 65, 128, 130)):
    n_frames = draw(st.sampled_from(lengths))
    return Case(
        np.random.default_rng(draw(st.integers(0, 2**32 - 1))),
        draw(st.sampled_from(kinds)),
        draw(st.sampled_from(thresholds)),
        n_frames=n_frames,
        n_rows=n_frames + draw(st.sampled_from([0, 1, 40, 300])),
        n_dimensions=draw(st.integers(1, 5)),
        widest=draw(st.sampled_from([0, 1, 7, 64, 200])),
        varying=draw(st.booleans()),
        own=draw(st.booleans()),
    )


@given(case=cases())
def test_counts_are_never_too_small(case):
    assert (case.at_most() >= case.wanted()).all()


@given(case=cases(kinds=("ties", "constant"), thresholds=("near", "some do not matter", "excluded")))
def test_counts_are_right_where_no_number_is_near_a_threshold(case):
    assert case.at_most().tolist() == case.wanted().tolist()


@given(case=cases(kinds=("smooth",), thresholds=("near",), lengths=(65, 130)))
def test_counts_are_nearly_right_in_plain_motion(case):
    assert (case.at_most() - case.wanted()).mean() < 0.05 * len(case.query)


@given(case=cases(lengths=(1, 5, 12)))
def test_counts_are_never_below_the_definition(case):
    start = case.n_windows // 2
    window = case.table[start : start + len(case.query)].astype(np.float64)

    wanted = lcss_reference(case.query, window, case.thresholds, case.radii).n_common

    assert case.wanted()[start] == wanted
    assert case.at_most()[start] >= wanted


@given(case=cases())
def test_words_hold_every_frame_that_matches(case):
    """Numbers exactly at a threshold, and at the edges of a table's steps, among them."""
    tables = MatchTables.of(case.query, case.thresholds, case.radii)
    finite = np.where(np.isfinite(case.thresholds), case.thresholds, 0.0)
    edges = np.concatenate([case.query - finite, case.query + finite, case.table]).astype(np.float32)
    for poses in (edges, np.nextafter(edges, np.float32(np.inf)), np.nextafter(edges, np.float32(-np.inf))):
        words = pose_words(tables, Poses.of(poses.T), np.array([[0, len(poses) - len(case.query) + 1]]))[: len(poses)]
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")[:, : len(case.query)]

        matches = pose_words_reference(case.query, case.thresholds, poses.astype(np.float64))

        assert (bits.astype(bool) | ~matches).all()


@given(case=cases(), error=st.sampled_from([1e-4, 0.01, 0.5]), seed=st.integers(0, 2**32 - 1))
def test_poses_that_are_a_little_off_have_no_fewer(case, error, seed):
    rng = np.random.default_rng(seed)
    moved = case.table.astype(np.float64) + rng.choice([-error, 0.0, error], size=case.table.shape)

    assert (case.at_most(error=error, moved=moved) >= case.wanted()).all()


def test_only_windows_in_spans_are_counted():
    options = {"n_frames": 70, "n_rows": 900, "n_dimensions": 2, "widest": 5, "varying": False, "own": True}
    case = Case(np.random.default_rng(3), "ties", "near", **options)
    spans = np.array([[2, 3], [40, 300], [310, 311], [500, 831]])
    inside = np.zeros(case.n_windows, dtype=bool)
    for first, stop in spans:
        inside[first:stop] = True

    some = case.at_most(spans=spans)

    assert some[inside].tolist() == case.at_most()[inside].tolist()
    assert (some[~inside] == -1).all()


def test_carries_go_through_all_words():
    """Equal frames everywhere: the longest subsequence is all of them, through every word."""
    for n_frames in (WORD - 1, WORD, WORD + 1, 2 * WORD, 2 * WORD + 1, 3 * WORD + 7):
        tables = MatchTables.of(np.zeros((n_frames, 1)), np.ones((n_frames, 1)), np.full(n_frames, n_frames))
        spans, out = np.array([[0, 300]]), np.zeros(300 + n_frames - 1, dtype=np.int32)
        common_at_most(tables, pose_words(tables, Poses.of(np.zeros((1, len(out)))), spans), spans, out=out)
        assert (out[:300] == n_frames).all()


def test_frames_of_which_nothing_matters_do_not_count():
    thresholds = np.full((100, 2), 0.5)
    thresholds[30:] = np.inf
    tables = MatchTables.of(np.zeros((100, 2)), thresholds, np.full(100, 100))
    out = np.zeros(200, dtype=np.int32)
    spans = np.array([[0, 101]])
    common_at_most(tables, pose_words(tables, Poses.of(np.zeros((2, 200))), spans), spans, out=out)

    assert (out[:101] == 30).all()


@pytest.mark.parametrize("value", [0.1, 1.1, 1000.3, -0.7])
def test_a_threshold_of_nothing_still_matches_what_is_equal(value):
    query = np.full((3, 1), np.float32(value), dtype=np.float64)
    tables = MatchTables.of(query, np.zeros((3, 1)), np.zeros(3, dtype=int))
    out = np.zeros(3, dtype=np.int32)
    spans = np.array([[0, 1]])
    common_at_most(tables, pose_words(tables, Poses.of(query.T), spans), spans, out=out)

    assert out[0] == 3
