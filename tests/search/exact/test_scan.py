"""The scan against its definition, to the last bit, on tiny libraries of every nasty kind."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import NotInBankError, UsageError
from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import LibrarySegment, Query, Unlike, scan
from motionary.search.examples import Place
from search.tiny_libraries import library, naive_search, query_of

ROOT = descriptions()["root"].n_dimensions
KINDS = ("smooth", "ties", "constant", "copies")
WEIGHTS = {
    "plain": {},
    "some 0": {"root height": 0.0, "root turning": 3.0},
    "some negative": {"root speed left": -0.5, "root": 2.0},
}


def frames(rng: np.random.Generator, kind: str, n_frames: int) -> np.ndarray:
    if kind == "constant":
        return np.tile(rng.integers(-1, 2, size=ROOT), (n_frames, 1)).astype(np.float32)
    if kind == "ties":
        return rng.integers(-1, 2, size=(n_frames, ROOT)).astype(np.float32)
    if kind == "copies":
        return np.tile(np.arange(3.0)[:, None], (n_frames, ROOT))[:n_frames].astype(np.float32)
    return np.cumsum(rng.normal(size=(n_frames, ROOT)), axis=0).astype(np.float32)


@st.composite
def libraries(draw):
    """Some clips, of one frame too, and a segment of one of them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.sampled_from([1, 2, 5, 9, 14]), min_size=1, max_size=4))
    clips = [{"root": frames(rng, draw(st.sampled_from(KINDS)), n)} for n in lengths]
    c = draw(st.integers(0, len(clips) - 1))
    start = draw(st.integers(0, lengths[c] - 1))
    stop = draw(st.integers(start + 1, min(lengths[c], start + 6)))
    return library(clips), Segment(c + 1, start, stop)


def found(result):
    return [
        (match.distance, match.segment.clip_id, match.segment.start, match.segment.n_frames, match.mirrored)
        for match in result.matches
    ]


@pytest.mark.parametrize("distance", ["euclid", "dtw", "lcss"])
@given(
    made=libraries(),
    k=st.sampled_from([1, 3, 1000]),
    weights=st.sampled_from(sorted(WEIGHTS)),
    mirrored=st.sampled_from(["no", "only", "both"]),
    scale=st.sampled_from([0.0, 0.25, 0.6]),
    window=st.sampled_from([0.0, 0.2, 1.0]),
    onsets=st.sampled_from([0.0, 0.5, 0.8, 2.0]),
    with_itself=st.booleans(),
    without=st.lists(st.integers(0, 13), max_size=2),
    unlike=st.lists(st.sampled_from([0.5, 2.0]), max_size=2),
)
def test_the_scan_gives_what_the_definition_gives(
    distance, made, k, weights, mirrored, scale, window, onsets, with_itself, without, unlike
):
    features, segment = made
    others = [clip_id for clip_id in features.clip_ids.tolist() if features.n_frames[features.number(clip_id)] > 1]
    shown = [query_of(features, Segment(clip_id, 0, 2)).example for clip_id in others]
    query = query_of(
        features,
        segment,
        distance=distance,
        descriptions=("root",),
        weights=WEIGHTS[weights],
        window=window,
        tolerance=1.0,
        scale=scale,
        mirrored=mirrored,
        k=k,
        onsets=onsets,
        with_itself=with_itself,
        without=tuple(Place(1 + start % features.n_clips, start) for start in without),
        unlike=tuple(Unlike(example, weight=weight) for example, weight in zip(shown, unlike, strict=False)),
    )

    result = scan(features, query)

    given_weights = WEIGHTS[weights]
    wanted = naive_search(
        features,
        query,
        weights=lambda description, _, name: given_weights.get(description, 1.0) * given_weights.get(name, 1.0),
    )
    assert found(result) == wanted
    for match in result.matches:
        pairs = match.alignment.pairs
        assert pairs[:, 0].max() < segment.n_frames
        assert pairs[:, 1].max() < match.segment.n_frames
        if distance != "lcss":
            assert pairs[0].tolist() == [0, 0]
            assert pairs[-1].tolist() == [segment.n_frames - 1, match.segment.n_frames - 1]
            assert not match.alignment.has_gaps


@given(made=libraries(), share=st.floats(0.0, 1.2))
def test_a_threshold_keeps_what_is_near_enough(made, share):
    features, segment = made
    query = query_of(features, segment, descriptions=("root",), k=None, within=1e9, with_itself=True)
    all_matches = scan(features, query).matches
    within = share * max(match.mean for match in all_matches)

    near = scan(features, query_of(features, segment, descriptions=("root",), k=None, within=within, with_itself=True))

    kept = [match.mean for match in near.matches]
    assert all(mean <= within * (1 + 1e-12) for mean in kept)
    assert len(kept) >= sum(match.mean < within * (1 - 1e-12) for match in all_matches)
    both = scan(features, query_of(features, segment, descriptions=("root",), k=1, within=within, with_itself=True))
    assert [match.mean for match in both.matches] == kept[:1]


def hands_library(rng):
    """Two clips: in the second the right hand does, mirrored, what the left one does in the first."""
    positions = descriptions()["positions"]
    first = rng.normal(size=(12, positions.n_dimensions)).astype(np.float32)
    second = rng.normal(size=(12, positions.n_dimensions)).astype(np.float32)
    right = positions.columns(["RightHand"])
    second[:, right] = positions.mirrored(first)[:, right]
    return library([{"positions": first}, {"positions": second}])


def test_chosen_joints_of_a_mirrored_query_are_those_of_the_other_side():
    features = hands_library(np.random.default_rng(1))
    query = query_of(features, Segment(1, 3, 8), joints=("LeftHand",), mirrored="both", k=1)

    (match,) = scan(features, query).matches

    assert (match.segment, match.mirrored, match.mean) == (Segment(2, 3, 8), True, 0.0)


def test_the_mean_is_a_length_that_people_know():
    rows = np.zeros((10, descriptions()["positions"].n_dimensions), dtype=np.float32)
    moved = rows.copy()
    moved[:, 2::3] = 0.05  # every point 5 cm forward
    features = library([{"positions": rows}, {"positions": moved}])

    for distance in ("euclid", "dtw"):
        (match,) = scan(features, query_of(features, Segment(1, 0, 10), distance=distance, k=1)).matches
        assert match.mean == pytest.approx(5.0, rel=1e-6)
        assert match.unit == "cm"
    heavy = query_of(features, Segment(1, 0, 10), weights={"positions": 7.0}, over_time=(1.0, 3.0), k=1)
    assert scan(features, heavy).matches[0].mean == pytest.approx(5.0, rel=1e-6)


def test_a_window_that_varies_along_the_query():
    rng = np.random.default_rng(2)
    features = library([{"root": rng.normal(size=(9, ROOT))}, {"root": rng.normal(size=(30, ROOT))}])
    same = query_of(features, Segment(1, 0, 9), descriptions=("root",), window=0.2)
    along = query_of(features, Segment(1, 0, 9), descriptions=("root",), window=(0.2,) * 9)

    assert found(scan(features, same)) == found(scan(features, along))
    tight, wide = (
        scan(features, query_of(features, Segment(1, 0, 9), descriptions=("root",), window=window)).matches[0].distance
        for window in ((0.0, 0.5, 0.0), (0.0, 1.0, 0.5))
    )
    assert wide <= tight


def test_only_some_clips_and_how_much_was_compared():
    rng = np.random.default_rng(3)
    features = library([{"root": rng.normal(size=(n, ROOT))} for n in (9, 4, 8, 20)])
    query = query_of(features, Segment(1, 0, 5), descriptions=("root",), mirrored="both")

    result = scan(features, query, clip_ids=[2, 3, 77])

    assert {match.segment.clip_id for match in result.matches} == {3}
    assert (result.n_clips, result.n_windows, result.n_compared) == (1, 4, 8)
    assert scan(features, query, clip_ids=[2]).matches == ()


def test_the_distance_with_a_negative_example_is_a_sum_of_two_with_signs():
    rng = np.random.default_rng(5)
    features = library([{"root": rng.normal(size=(n, ROOT))} for n in (9, 20, 30)])
    options = {"descriptions": ("root",), "distance": "euclid", "k": None, "within": 1e9, "onsets": 0.0}
    options |= {"with_itself": True, "weights": {"root height": 3.0}}
    plain, other = (query_of(features, Segment(clip, 1, 8), **options) for clip in (1, 2))

    def places(query):
        return {(match.segment.clip_id, match.segment.start): match.distance for match in scan(features, query).matches}

    alone = places(plain), places(other)
    together = places(query_of(features, Segment(1, 1, 8), unlike=(Unlike(other.example, weight=0.75),), **options))

    assert together == pytest.approx({place: alone[0][place] - 0.75 * alone[1][place] for place in alone[0]})


def test_chunks_change_nothing(monkeypatch):
    rng = np.random.default_rng(4)
    features = library([{"root": rng.normal(size=(n, ROOT))} for n in (9, 4, 8, 20, 1)])
    query = query_of(features, Segment(1, 0, 5), descriptions=("root",), k=50)
    whole = found(scan(features, query))

    monkeypatch.setattr(sys.modules["motionary.search.exact.scan"], "CHUNK_FRAMES", 10)

    assert found(scan(features, query)) == whole


def test_a_dimension_at_rest_may_differ_a_little_under_lcss():
    rows = np.zeros((8, ROOT))
    features = library([{"root": rows}, {"root": rows + 0.004}, {"root": rows + 0.006}])

    result = scan(features, query_of(features, Segment(1, 0, 8), descriptions=("root",), distance="lcss"))

    assert [(match.segment.clip_id, match.distance) for match in result.matches] == [(2, 0.0)]


def test_excluded_and_dont_care_dimensions_under_lcss():
    rows = np.zeros((8, ROOT))
    away = rows.copy()
    away[:, 3] = 1.0
    features = library([{"root": rows}, {"root": rows}, {"root": away}])
    query = {"segment": Segment(1, 0, 8), "descriptions": ("root",), "distance": "lcss"}

    unlike = scan(features, query_of(features, **query, tolerances={"root turning": -1.0}))
    whatever = scan(features, query_of(features, **query, tolerances={"root turning": np.inf}))

    assert [match.segment.clip_id for match in unlike.matches] == [3]
    assert [match.segment.clip_id for match in whatever.matches] == [2, 3]


def test_what_cannot_be_asked():
    features = library([{"root": np.zeros((8, ROOT))}])
    segment = Segment(1, 0, 8)
    with pytest.raises(UsageError, match="all weights are 0"):
        scan(features, query_of(features, segment, descriptions=("root",), weights={"root": 0.0}))
    with pytest.raises(UsageError, match="belongs to 'Tail'; there are Hips"):
        scan(features, query_of(features, segment, descriptions=("root",), joints=("Tail",)))
    with pytest.raises(UsageError, match="all tolerances are infinite"):
        scan(features, query_of(features, segment, descriptions=("root",), distance="lcss", tolerance=np.inf))
    with pytest.raises(UsageError, match="search the bank"):
        scan(features, Query(example=LibrarySegment(features, segment), descriptions=("root",), scale=0.5))
    with pytest.raises(NotInBankError, match="clip #9 has no features"):
        scan(features, query_of(features, Segment(9, 0, 8), descriptions=("root",)))


def test_a_place_that_is_left_out_takes_no_neighbours_along():
    """The window at 13 is nearest, and too near to what is left out; that at 15 is not, and is a match."""
    heights = np.full(40, 9.0)
    heights[[0, 1, 13, 14, 15, 16]] = [0, 0, 0, 0, 1, 1]
    features = library([{"root": np.tile(heights[:, None], (1, ROOT)).astype(np.float32)}])
    query = query_of(features, Segment(1, 0, 2), distance="euclid", descriptions=("root",), k=1, onsets=2.0)

    assert [match.segment.start for match in scan(features, query).matches] == [13]
    assert [m.segment.start for m in scan(features, replace(query, without=(Place(1, 11),))).matches] == [15]
