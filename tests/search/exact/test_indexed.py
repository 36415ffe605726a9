"""Search through the index against the scan, to the last bit, with every distance and option."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import Unlike, scan
from motionary.search.exact import Index, search
from search.tiny_libraries import library, query_of

KNOWN = descriptions()
DISTANCES = ("euclid", "dtw", "lcss")
KINDS = ("smooth", "ties", "constant", "spikes", "repeated")
DESCRIBED = {  # dimensions as they are; principal components; both beside each other
    "root": ("root",),
    "positions": ("positions",),
    "both": ("root", "positions"),
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
            {name: frames(rng, kind, n, KNOWN[name].n_dimensions) for name in ("root", "positions")}
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
    unlike=st.booleans(),
)
def test_the_index_gives_what_the_scan_gives(
    distance, made, described, options, k, within, mirrored, scale, window, onsets, tolerance, with_itself, unlike
):
    features, segment = made
    if described == "positions" and options in {"negative", "weights", "joints"}:
        described = "both"
    if described == "root":
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
        unlike=(Unlike(query_of(features, segment).example, weight=0.5),) if unlike and segment.n_frames > 1 else (),
        **OPTIONS[options],
    )

    assert told(search(Index(features), query)) == told(scan(features, query))
