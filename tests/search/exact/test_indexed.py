"""Search through the index against the scan, to the last bit, with every distance and option."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import Unlike, scan
from motionary.search.exact import Index, search
from motionary.search.examples import Place
from search.tiny_libraries import library, query_of

KNOWN = descriptions()
INDEXED = sys.modules["motionary.search.exact.indexed"]
DISTANCES = ("euclid", "dtw", "lcss")
KINDS = ("smooth", "ties", "constant", "spikes", "repeated")
DESCRIBED = {  # dimensions as they are; principal components; both beside each other
    "root": ("root",),
    "positions": ("positions",),
    "both": ("root", "positions"),
    "learned": ("learned",),  # the same in a mirror
    "learned and root": ("learned", "root"),
}
OPTIONS = {
    "plain": {},
    "weights": {"weights": {"root height": 0.0, "root turning": 3.0, "LeftHand": 4.0, "Head": 0.1}},
    "negative": {"weights": {"root speed left": -0.5, "LeftHand": -1.0}},
    "over time": {"over_time": (1.0, 0.2, 3.0)},
    "over time and through 0": {"over_time": (1.0, -1.0, 2.0)},
    "joints": {"joints": ("root", "LeftHand", "RightHand")},
}


def frames(rng: np.random.Generator, kind: str, n_frames: int, n_dimensions: int) -> np.ndarray:
    if kind == "constant":
        return np.tile(rng.integers(-1, 2, size=n_dimensions), (n_frames, 1)).astype(np.float32)
    if kind == "ties":
        return rng.integers(-1, 2, size=(n_frames, n_dimensions)).astype(np.float32)
    if kind == "repeated":
        return np.tile(rng.normal(size=(7, n_dimensions)), (n_frames // 7 + 1, 1))[:n_frames].astype(np.float32)
    walk = np.cumsum(rng.normal(size=(n_frames, n_dimensions)) * 0.1, axis=0)
    if kind == "spikes":
        walk[rng.integers(0, n_frames, size=2)] = 1e4
    return walk.astype(np.float32)


def made_library(rng, kinds, lengths):
    return library(
        [
            {name: frames(rng, kind, n, KNOWN[name].n_dimensions) for name in ("root", "positions", "learned")}
            for kind, n in zip(kinds, lengths, strict=True)
        ]
    )


@st.composite
def libraries(draw):
    """Some clips, of one frame too, and longer ones, and a segment of one of them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.sampled_from([1, 3, 20, 90, 300]), min_size=1, max_size=4))
    kinds = [draw(st.sampled_from(KINDS)) for _ in lengths]
    features = made_library(rng, kinds, lengths)
    c = draw(st.integers(0, len(lengths) - 1))
    start = draw(st.integers(0, lengths[c] - 1))
    stop = draw(st.integers(start + 1, min(lengths[c], start + 70)))
    return features, Segment(c + 1, start, stop)


def told(result):
    return [(match.as_json(), match.alignment.pairs.tolist()) for match in result.matches]


@pytest.mark.parametrize("distance", DISTANCES)
@given(
    made=libraries(),
    described=st.sampled_from(sorted(DESCRIBED)),
    options=st.sampled_from(sorted(OPTIONS)),
    k=st.sampled_from([1, 4, None]),
    within=st.sampled_from([None, 0.5]),
    mirrored=st.sampled_from(["no", "only", "both"]),
    scale=st.sampled_from([0.0, 0.1]),
    window=st.sampled_from([0.0, 0.1, 1.0, (0.0, 0.3, 0.1)]),
    onsets=st.sampled_from([0.0, 0.8, 2.0]),
    tolerance=st.sampled_from([0.2, 1.0, 3.0]),
    with_itself=st.booleans(),
    without=st.lists(st.integers(0, 299), max_size=3),
    unlike=st.booleans(),
)
def test_the_index_gives_what_the_scan_gives(
    distance,
    made,
    described,
    options,
    k,
    within,
    mirrored,
    scale,
    window,
    onsets,
    tolerance,
    with_itself,
    without,
    unlike,
):
    features, segment = made
    if described == "positions" and options in {"negative", "weights", "joints"}:
        described = "both"
    if described in {"root", "learned", "learned and root"}:
        options = options if options.startswith(("plain", "over")) else "plain"
    query = query_of(
        features,
        segment,
        distance=distance,
        descriptions=DESCRIBED[described],
        k=k if within is None else k or 3,
        within=within if k is not None else 0.5,
        mirrored=mirrored,
        scale=scale,
        window=window,
        onsets=onsets,
        tolerance=tolerance,
        with_itself=with_itself,
        without=tuple(Place(1 + start % features.n_clips, start) for start in without),
        unlike=(Unlike(query_of(features, segment).example, weight=0.5),) if unlike and segment.n_frames > 1 else (),
        **OPTIONS[options],
    )

    assert told(search(Index(features), query)) == told(scan(features, query))


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("described", sorted(DESCRIBED))
@pytest.mark.parametrize("size", [1e15, 1e17, 1e19, 1e37])
@pytest.mark.parametrize("whose", ["all", "one pose", "the query"])
def test_numbers_beyond_single_precision_are_left_to_the_scan(distance, described, size, whose):
    """Their squares, or sums of them, are more than it can hold."""
    features = made_library(np.random.default_rng(3), ["smooth", "ties", "smooth"], [60, 90, 40])
    for array in features.arrays.values():
        array[{"all": slice(None), "one pose": 77, "the query": slice(0, 20)}[whose]] *= size
    for options in ({}, {"weights": {"root height": -0.5, "LeftHand": -1.0}}, {"scale": 0.1}):
        if options.get("weights") and described != "both":
            continue
        query = query_of(
            features,
            Segment(1, 0, 20),
            distance=distance,
            descriptions=DESCRIBED[described],
            mirrored="both",
            tolerance=2.0,
            k=3,
            **options,
        )
        assert told(search(Index(features), query)) == told(scan(features, query))


def is_right(features, query, **where) -> bool:
    """Whether both ways give the same matches, and count the same windows."""
    found, wanted = search(Index(features), query, **where), scan(features, query, **where)
    assert told(found) == told(wanted)
    assert all(np.isfinite([match.distance, match.mean]).all() for match in found.matches)
    counts = [(each.n_windows, each.n_compared, each.n_clips) for each in (found, wanted)]
    assert counts[0] == counts[1]
    return True


@pytest.fixture(scope="module")
def some():
    return made_library(np.random.default_rng(0), ["smooth"] * 4, [90, 300, 20, 1])


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("described", sorted(DESCRIBED))
def test_where_little_or_nothing_can_be_found(some, distance, described):
    plan = {"distance": distance, "descriptions": DESCRIBED[described]}
    long, short = Segment(2, 0, 250), Segment(4, 0, 1)
    for clip_ids in ([1, 3], [], [77], [4]):
        assert is_right(some, query_of(some, long, **plan), clip_ids=clip_ids)
    assert is_right(some, query_of(some, long, k=100_000, **plan))
    assert is_right(some, query_of(some, short, k=10, **plan))
    assert is_right(some, query_of(some, short, k=100_000, onsets=0.0, **plan))
    assert is_right(some, query_of(some, Segment(1, 0, 30), scale=0.9, mirrored="both", k=3, **plan), clip_ids=[3, 4])


@pytest.mark.parametrize("distance", DISTANCES)
def test_an_empty_library(some, distance):
    nothing = np.zeros(0, dtype=np.int64)
    empty = replace(
        some,
        arrays={name: array[:0] for name, array in some.arrays.items()},
        clip_ids=nothing,
        starts=nothing,
        n_frames=nothing,
        rates=(),
        digests=(),
    )
    for numbers in ({"k": 5}, {"k": None, "within": 0.5}):
        query = query_of(some, Segment(1, 0, 30), distance=distance, with_itself=True, **numbers)
        assert search(Index(empty), query).matches == ()
        assert is_right(empty, query)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("within", [-1e30, -1.0, 0.0, 1e30, np.inf])
def test_thresholds_beyond_all_distances(some, distance, within):
    weights = {"LeftHand": -1.0} if within < 0 else {}  # else nothing can be below 0
    if distance == "lcss":
        within = min(max(within, 0.0), 1.0)
    for k in (5, None):
        plan = {"distance": distance, "k": k, "within": within, "weights": weights, "with_itself": True}
        assert is_right(some, query_of(some, Segment(2, 0, 50), **plan))


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize(
    "weights",
    [
        {"positions": 1e60},
        {"positions": 1e-60},
        {"positions": 1e-300},
        {"LeftHand": 1e30},
        {"LeftHand": 1e-30},
        {"arms": 1e-13, "legs": 1e-9},
        {"arms": 0.0, "legs": 1e12},
        {"Head up": -1e-20},
        {"Head up": -1e20},
    ],
    ids=str,
)
def test_weights_of_any_size(some, distance, weights):
    assert is_right(some, query_of(some, Segment(2, 0, 50), distance=distance, weights=weights, k=4))


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_short_version_may_leave_out_the_only_frame_that_counts(some, distance):
    along = (0.0,) * 4 + (1.0,) + (0.0,) * 5
    assert is_right(some, query_of(some, Segment(2, 0, 10), distance=distance, over_time=along, scale=0.5, k=4))


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("kind", ["far away", "one wild pose", "two places"])
def test_numbers_that_single_precision_takes_hard(distance, kind):
    rng = np.random.default_rng(6)
    features = made_library(rng, ["smooth"] * 3, [200, 300, 90])
    for array in features.arrays.values():
        if kind == "one wild pose":
            array[250] = 1e4
        else:
            far = 1000.0 if kind == "far away" else rng.choice([-40.0, 40.0], size=(len(array), 1))
            array[:] = far + np.round(array * 1e3) * 1e-3
    for tolerance in (0.2, 2.0):
        plan = {"descriptions": ("root", "positions"), "tolerance": tolerance, "k": 5}
        assert is_right(features, query_of(features, Segment(2, 0, 60), distance=distance, **plan))
        assert is_right(features, query_of(features, Segment(2, 20, 80), distance=distance, joints=("Head",), **plan))


def test_very_long_queries():
    features = made_library(np.random.default_rng(7), ["smooth"] * 2, [900, 700])
    for window in (0.2, 1.0):
        assert is_right(features, query_of(features, Segment(1, 100, 700), descriptions=("root",), window=window, k=3))


@pytest.mark.thorough
def test_where_too_many_windows_are_near_enough_the_scan_answers(some, monkeypatch):
    plan = {"descriptions": ("root",), "scale": 0.1, "onsets": 0.0}
    queries = [
        query_of(some, Segment(2, 0, 50), distance=distance, **numbers, **plan)
        for distance in DISTANCES
        for numbers in (
            {"k": None, "within": 1.0 if distance == "lcss" else 1e9},
            {"k": 100_000},
            {"k": 3},
            {"k": 3, "weights": {"root tilt left": -1.0}},
        )
    ]
    wanted = [told(scan(some, query)) for query in queries]
    for most in (0, 100, 1000):
        monkeypatch.setattr(INDEXED, "MOST_FOUND", most)
        assert [told(search(Index(some), query)) for query in queries] == wanted


def test_an_interrupt_ends_a_search(some, monkeypatch):
    index, query = Index(some), query_of(some, Segment(2, 0, 50))

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(sys.modules["motionary.search.exact.candidates"], "measured", interrupt)
        with pytest.raises(KeyboardInterrupt):
            search(index, query)

    assert told(search(index, query)) == told(scan(some, query))  # what it has kept is right
