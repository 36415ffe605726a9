"""What is compared, with which weights, windows and tolerances, at each length and on each side."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import Unlike, scan
from motionary.search.exact.variants import Comparison
from search.tiny_libraries import library, query_of, stretched

RNG = np.random.default_rng(0)
ROWS = {name: RNG.normal(size=(10, found.n_dimensions)).astype(np.float32) for name, found in descriptions().items()}
OTHER = {name: RNG.normal(size=(14, found.n_dimensions)).astype(np.float32) for name, found in descriptions().items()}
LIBRARY = library([ROWS, OTHER])


def comparison(**options) -> Comparison:
    return Comparison.of(query_of(LIBRARY, Segment(1, 0, 10), **options))


def variants(**options):
    return list(comparison(**options).variants())


def test_weights_of_description_part_and_dimension_multiply():
    (variant,) = variants(
        descriptions=("root", "positions"),
        joints=("Hips", "LeftHand"),
        weights={"root": 2.0, "root height": 3.0, "root turning": 0.0, "LeftHand": 5.0},
        over_time=(1.0, 2.0),
    )

    (first, root), (second, positions) = variant.columns
    assert (first, second) == ("root", "positions")
    assert root.tolist() == [0, 1, 2, 4, 5]
    assert positions.tolist() == descriptions()["positions"].columns(["LeftHand"]).tolist()
    assert variant.weights[0].tolist() == [6.0, 2.0, 2.0, 2.0, 2.0] + [5.0] * len(positions)
    assert np.allclose(variant.weights[-1], 2 * variant.weights[0])
    assert np.array_equal(variant.rows[:, 0], ROWS["root"][:, 0])


def test_lengths_come_by_nearness_and_each_side_by_side():
    found = variants(scale=0.2, mirrored="both", joints=("LeftHand",), window=0.25)

    assert [variant.n_frames for variant in found[::2]] == [10, 9, 11, 8, 12]
    assert [variant.mirrored for variant in found[:2]] == [False, True]
    assert all(variant.radii.tolist() == [3] * variant.n_frames for variant in found)  # 2.5 goes up
    positions = descriptions()["positions"]
    assert found[1].columns[0][1].tolist() == positions.columns(["RightHand"]).tolist()
    assert np.array_equal(found[1].rows, positions.mirrored(ROWS["positions"])[:, positions.columns(["RightHand"])])


def test_windows_along_the_query_are_spread_evenly():
    radii = [comparison(window=window).radii.tolist() for window in ((0.0, 0.9), (0.5, 0.0, 0.5), 0.3)]

    assert radii == [list(range(10)), [5, 4, 3, 2, 1, 1, 2, 3, 4, 5], [3] * 10]
    assert comparison(window=tuple(np.arange(10) / 10)).radii.tolist() == list(range(10))


def test_rows_of_candidates_are_cut_out_in_the_same_dimensions():
    (variant,) = variants(descriptions=("root", "curves"), weights={"curves": 0.0, "root height": 0.0})

    table = variant.table(ROWS, np.array([[0, 2], [7, 10]]))

    assert np.array_equal(table, ROWS["root"][[0, 1, 7, 8, 9], 1:])


def test_tolerances_are_shares_of_the_querys_deviations():
    found = comparison(
        descriptions=("root",),
        weights={"root height": 0.0},
        tolerance=0.5,
        tolerances={"root turning": -2.0, "root tilt left": np.inf},
    ).thresholds[0]

    deviations = ROWS["root"].astype(float).std(axis=0)
    assert found[[0, 5]].tolist() == [np.inf, np.inf]
    assert found[[1, 2, 4]] == pytest.approx(0.5 * deviations[[1, 2, 4]])
    assert found[3] == pytest.approx(-deviations[3])


def test_limits_and_means_say_the_same():
    for options in ({}, {"descriptions": ("angles", "root")}, {"descriptions": ("curves",)}):
        found = comparison(within=7.5, **options)
        assert found.mean(found.limit) == pytest.approx(7.5)
    assert comparison(within=-2.0, weights={"positions": -1.0}).limit < 0
    assert comparison().limit == np.inf
    assert comparison(within=0.25, distance="lcss").limit == 0.25
    units = [comparison(descriptions=(name,)).unit for name in ("positions", "angles", "root", "curves")]
    assert units == ["cm", "°", "", ""]


def test_what_a_match_must_be_unlike_comes_once_more_with_its_own_rows():
    unlike = Unlike(query_of(LIBRARY, Segment(2, 2, 9)).example, joints=("LeftHand",), weight=0.25)
    options = {"joints": ("Head",), "weights": {"LeftHand": 2.0}, "over_time": (1.0, 3.0), "unlike": (unlike,)}
    plain, mirrored = variants(mirrored="both", **options)

    positions = descriptions()["positions"]
    head, left, right = (positions.columns([joint]) for joint in ("Head", "LeftHand", "RightHand"))
    other = stretched({"positions": OTHER["positions"][2:9]}, 10)["positions"]
    assert [block.tolist() for _, block in plain.columns] == [head.tolist(), left.tolist()]
    assert np.array_equal(plain.rows, np.concatenate([ROWS["positions"][:, head], other[:, left]], axis=1))
    assert plain.weights[0].tolist() == [1.0] * len(head) + [-0.5] * len(left)
    assert np.allclose(plain.weights[-1], 3 * plain.weights[0])
    assert [block.tolist() for _, block in mirrored.columns] == [head.tolist(), right.tolist()]
    assert np.array_equal(mirrored.rows[:, len(head) :], positions.mirrored(other)[:, right])


def test_under_lcss_what_is_near_such_an_example_is_excluded():
    example = query_of(LIBRARY, Segment(2, 0, 12)).example  # of its own length: it is what its own frames say
    for tolerance in (0.5, 0.0):
        found = comparison(unlike=(Unlike(example),), tolerance=tolerance, distance="lcss").thresholds[0]
        here, there = np.split(found, 2)
        assert here == pytest.approx(tolerance * ROWS["positions"].astype(float).std(axis=0))
        assert -there == pytest.approx(tolerance * OTHER["positions"][:12].astype(float).std(axis=0))
        assert (there < 0).all()
    found = comparison(unlike=(Unlike(example),), tolerances={"Head": np.inf}).thresholds[0]
    assert np.isinf(found).sum() == 2 * len(descriptions()["positions"].columns(["Head"]))


@given(
    distance=st.floats(allow_nan=False, allow_infinity=False),
    description=st.sampled_from(["root", "positions", "angles"]),
    weight=st.sampled_from([1.0, 0.3, 1e-30, 1e9]),
)
@example(0.0, "root", 1e9)
@example(5e-324, "positions", 1e9)
@example(-1e308, "angles", 1e-30)
def test_what_a_mean_lets_pass_is_all_with_that_mean(distance, description, weight):
    plan = {"descriptions": (description,), "weights": {description: float(np.copysign(weight, distance))}}
    with np.errstate(over="ignore"):
        mean = comparison(**plan).mean(distance)
        limited = comparison(within=mean, **plan)

        assert distance <= limited.limit
        assert limited.mean(limited.limit) <= mean
        if limited.limit < np.finfo(float).max:
            assert limited.mean(np.nextafter(limited.limit, np.inf)) > mean


def test_nothing_is_within_less_than_everything():
    assert comparison(within=-np.inf, weights={"positions": -1.0}).limit == -np.inf
    assert comparison(within=np.inf).limit == np.finfo(float).max
    assert comparison(within=0.0).mean(comparison(within=0.0).limit) == 0.0
    assert comparison(within=0.25, distance="lcss").limit == 0.25
    assert comparison().limit == np.inf


@pytest.mark.parametrize("distance", ["euclid", "dtw", "lcss"])
def test_the_mean_of_a_match_as_threshold_keeps_it(distance):
    """Each of many: squares of roots are often a little less than what the roots were taken of."""
    query = query_of(
        LIBRARY, Segment(1, 0, 4), distance=distance, k=100, onsets=0.0, descriptions=("angles",), tolerance=9.0
    )
    matches = scan(LIBRARY, query).matches
    assert len(matches) > 10
    for rank, match in enumerate(matches):
        within = match.distance if distance == "lcss" else match.mean
        kept = scan(LIBRARY, replace(query, k=None, within=within)).matches
        assert match.segment in [found.segment for found in kept[: rank + 1]]
