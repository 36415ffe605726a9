"""What parts and frames add is what the distance is made of, for every distance, side and length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment import Alignment
from motionary.errors import UsageError
from motionary.features import Rates, descriptions
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search import LibrarySegment, Query, Unlike, scan
from motionary.search.exact import Comparison
from motionary.search.explain import TIMING, explained, lcss_added, sum_added
from search.tiny_libraries import library, query_of

ROOT = descriptions()["root"]
POSITIONS = descriptions()["positions"]
PLAIN = {"descriptions": ("positions",), "mirrored": "no"}


def wandering(rng: np.random.Generator, n_frames: int, n_dimensions: int) -> np.ndarray:
    return np.cumsum(rng.normal(size=(n_frames, n_dimensions)), axis=0).astype(np.float32)


@given(
    seed=st.integers(0, 2**32 - 1),
    distance=st.sampled_from(["euclid", "dtw", "lcss"]),
    mirrored=st.sampled_from(["no", "only", "both"]),
    scale=st.sampled_from([0.0, 0.3]),
    weights=st.sampled_from([{}, {"root turning": -0.5}, {"root height": 0.0}]),
    unlike=st.booleans(),
)
def test_what_parts_and_phases_add_is_the_distance(seed, distance, mirrored, scale, weights, unlike):
    rng = np.random.default_rng(seed)
    features = library([{"root": wandering(rng, n, ROOT.n_dimensions)} for n in (12, 20, 9)])
    query = query_of(
        features,
        Segment(1, 2, 9),
        distance=distance,
        descriptions=("root",),
        weights=weights,
        window=0.3,
        tolerance=2.0,
        scale=scale,
        mirrored=mirrored,
        unlike=(Unlike(query_of(features, Segment(2, 0, 7)).example, ("root height",)),) if unlike else (),
        k=5,
    )
    matches = scan(features, query).matches

    for match, explanation in zip(matches, explained(features, query, matches), strict=True):
        assert explanation.match is match
        assert explanation.by_part.sum() == pytest.approx(match.distance, rel=1e-12, abs=1e-12)
        assert explanation.by_phase().sum() == pytest.approx(match.distance, rel=1e-12, abs=1e-12)
        assert sum(explanation.as_json()["parts"].values()) == pytest.approx(match.distance, rel=1e-12, abs=1e-12)
        assert np.abs(explanation.shares(explanation.by_part)).sum() == pytest.approx(1.0 if match.distance else 0.0)


@pytest.mark.parametrize("distance", ["euclid", "dtw"])
def test_summed_along_the_path_it_is_the_distance_to_the_last_bit(distance):
    rng = np.random.default_rng(5)
    features = library([{"positions": wandering(rng, n, POSITIONS.n_dimensions)} for n in (30, 40)])
    query = query_of(features, Segment(1, 0, 20), distance=distance, window=0.2, onsets=0.1, **PLAIN)
    variant = Comparison.of(query).variant(20, mirrored=False)

    for match in scan(features, query).matches:
        start = match.segment.start
        candidate = features.of(match.segment.clip_id)["positions"][start : start + 20].astype(np.float64)
        total = 0.0
        for pair in match.alignment.pairs:
            added = sum_added(variant, candidate, Alignment(pair[None]))[pair[0]]
            total += np.cumsum(added)[-1]  # from the first dimension to the last
        assert total == match.distance


def test_one_joint_that_is_off_explains_all():
    rows = np.zeros((10, POSITIONS.n_dimensions), dtype=np.float32)
    off = rows.copy()
    off[5:, POSITIONS.columns(["LeftHand up"])] = 0.3
    features = library([{"positions": rows}, {"positions": off}])

    (found,) = explained(
        features, query := query_of(features, Segment(1, 0, 10), k=1, **PLAIN), scan(features, query).matches
    )

    parts = dict(zip(found.parts, found.shares(found.by_part), strict=True))
    assert {part: share for part, share in parts.items() if share} == {"LeftHand": 1.0}
    assert found.shares(found.by_phase(2)).tolist() == [0.0, 1.0]
    hand = found.sizes[:, found.parts.index("LeftHand")]
    assert hand == pytest.approx([0.0] * 5 + [30.0 / np.sqrt(2)] * 5, rel=1e-6)  # the hand is two points


def test_a_mirrored_match_is_explained_by_the_query_s_own_sides():
    rows = wandering(np.random.default_rng(0), 8, POSITIONS.n_dimensions)
    off = rows.copy()
    off[:, POSITIONS.columns(["LeftToe up"])] += 0.3
    features = library([{"positions": rows}, {"positions": POSITIONS.mirrored(off)}])
    query = query_of(features, Segment(1, 0, 8), k=1, mirrored="both", descriptions=("positions",))

    (found,) = explained(features, query, scan(features, query).matches)

    assert found.match.mirrored
    assert found.parts[int(np.argmax(found.by_part))] == "LeftToe"


def test_lcss_tells_what_hinders_and_what_only_comes_at_another_time():
    rows = np.zeros((6, ROOT.n_dimensions), dtype=np.float32)
    rows[:, [0, 3, 4]] = np.arange(6.0)[:, None]
    other = rows.copy()
    other[[1, 2]] = other[[2, 1]]  # two poses change places
    other[4, [1, 2]] = 9.0  # and in one, two dimensions are off
    features = library([{"root": rows}, {"root": other}])
    query = query_of(
        features, Segment(1, 0, 6), distance="lcss", descriptions=("root",), window=0.17, tolerance=0.1, k=1
    )

    (found,) = explained(features, query, scan(features, query).matches)

    added = dict(zip(found.parts, found.by_part, strict=True))
    assert found.match.distance == pytest.approx(2 / 6)
    assert added.pop(TIMING) == pytest.approx(1 / 6)
    assert {part: round(6 * share, 9) for part, share in added.items() if share} == {
        "root speed forward": 0.5,
        "root speed left": 0.5,
    }
    assert found.sizes.sum() == pytest.approx(2.0)


def test_frames_that_do_not_count_add_nothing():
    rows = np.arange(4.0)[:, None] + np.zeros((1, ROOT.n_dimensions))
    features = library([{"root": rows.astype(np.float32)}, {"root": (rows + 50.0).astype(np.float32)}])
    query = query_of(features, Segment(1, 0, 4), distance="lcss", descriptions=("root",), over_time=(1.0, 0.0))
    variant = Comparison.of(query).variant(4, mirrored=False)

    added = lcss_added(variant, rows + 50.0, Alignment(np.zeros((0, 2))))

    assert added.sum(axis=1) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.0])


def test_clips_with_few_frames_a_second_are_explained_too():
    rng = np.random.default_rng(1)
    slow = Rates.of(24, frame_time=1 / 15)
    made = library([{"root": wandering(rng, 20, ROOT.n_dimensions)}])
    features = LibraryFeatures(
        {"root": np.concatenate([made.arrays["root"], wandering(rng, slow.n_search_frames, ROOT.n_dimensions)])},
        np.array([1, 2]),
        np.array([0, 20]),
        np.array([20, slow.n_search_frames]),
        (made.rates[0], slow),
        ("a", "b"),
        (),
        30.0,
    )
    query = Query(example=LibrarySegment(features, Segment(1, 0, 7)), descriptions=("root",), k=30, onsets=0.0)
    matches = scan(features, query).matches

    found_all = explained(features, query, matches)

    assert len({(match.segment.start, match.segment.stop) for match in matches if match.segment.clip_id == 2}) > 5
    for match, found in zip(matches, found_all, strict=True):
        assert found.added.sum() == pytest.approx(match.distance, rel=1e-12)


def test_what_was_found_by_another_query_cannot_be_explained():
    rng = np.random.default_rng(2)
    features = library([{"root": wandering(rng, 30, ROOT.n_dimensions)}])
    one, other = (query_of(features, Segment(1, s, s + 8), descriptions=("root",)) for s in (0, 9))

    with pytest.raises(UsageError, match="is no match of this query"):
        explained(features, other, scan(features, one).matches)
