"""Queries that cannot be meant are refused, with what would be right."""

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import LibrarySegment, Query, Unlike, scan
from motionary.search.exact.variants import Comparison
from motionary.search.examples import Place
from search.tiny_libraries import library

EXAMPLE = LibrarySegment(library([{"root": np.zeros((60, 6))}]), Segment(1, 0, 60))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"distance": "dwt"}, "distance must be dtw, euclid or lcss, not 'dwt'"),
        ({"mirrored": "yes"}, "mirrored must be no, only or both, not 'yes'"),
        ({"descriptions": ("poses",)}, "choose from positions, angles, root, curves, gist"),
        ({"descriptions": ("root", "root")}, "each only once"),
        ({"k": None}, "set a number of matches"),
        ({"k": 0}, "k must be at least 1, not 0"),
        ({"within": float("nan")}, "must be a number"),
        ({"within": -3.0}, "within must not be negative"),
        ({"within": 12.0, "distance": "lcss"}, "within must be between 0 and 1 for lcss"),
        ({"within": -0.1, "distance": "lcss"}, "within must be between 0 and 1 for lcss"),
        ({"scale": 1.0}, "must be below 1"),
        ({"onsets": 1e300}, "between 0 and 1000, not 1e\\+300"),
        ({"weights": {"Head": -1e308}}, "weights must be between −1e\\+60 and 1e\\+60, not -1e\\+308"),
        ({"onsets": -0.1}, "onsets must be between 0 and 1000"),
        ({"window": 1.5}, "window must be between 0 and 1, not 1.5"),
        ({"window": ()}, "window must contain at least one number"),
        ({"weights": {"Head": float("inf")}}, "must be between"),
        ({"over_time": (1.0, float("nan"))}, "must be between"),
        ({"tolerance": float("nan")}, "a tolerance must be a number"),
    ],
)
def test_what_cannot_be_asked(options, message):
    with pytest.raises(UsageError, match=message):
        Query(example=EXAMPLE, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": "3"}, "k must be an integer"),
        ({"k": 2.5}, "k must be an integer"),
        ({"within": "near"}, "within must be a number"),
        ({"joints": 5}, "joints must be a list of strings"),
        ({"descriptions": [1]}, "an item of descriptions must be a string"),
        ({"weights": [1.0]}, "weights must be numbers by name"),
        ({"over_time": 2.0}, "over_time must be a list of numbers"),
        ({"window": "10"}, "window must be a list of numbers"),
        ({"tolerances": {"Head": None}}, "tolerances of 'Head' must be a number"),
        ({"scale": "10 %"}, "scale must be a number"),
        ({"onsets": None}, "onsets must be a number"),
        ({"unlike": [EXAMPLE]}, "an item of unlike must be an Unlike"),
        ({"without": [Segment(1, 0, 9)]}, "an item of without must be a Place"),
    ],
)
def test_what_is_of_another_kind(options, message):
    with pytest.raises(UsageError, match=message):
        Query(example=EXAMPLE, **options)


def test_what_is_meant_is_clear_enough():
    query = Query(
        example=EXAMPLE,
        joints="left arm, Head",
        descriptions=["root", "positions"],
        over_time=[1, 2],
        window=np.array([0.1, 0.2]),
        k=np.int64(3),
        without=Place(1, 5),
    )

    assert (query.joints, query.descriptions, query.over_time) == (
        ("left arm", "Head"),
        ("root", "positions"),
        (1.0, 2.0),
    )
    assert (query.window, query.k, query.without) == ((0.1, 0.2), 3, (Place(1, 5),))


def test_an_example_is_none_of_its_parts():
    (match,) = scan(EXAMPLE.features, Query(example=EXAMPLE, descriptions=("root",), k=1, with_itself=True)).matches
    with pytest.raises(UsageError, match="and not a Match; search_bank makes an example of it"):
        Query(example=match)
    with pytest.raises(UsageError, match="and not a int"):
        Unlike(5)


def test_the_least_distance_of_onsets():
    def least(share: float, n_frames: int) -> int:
        return Query(example=EXAMPLE, onsets=share).least_onset(n_frames)

    assert [least(0.8, 60), least(0.8, 61), least(0.0, 60), least(0.8, 1), least(0.7, 10)] == [48, 49, 1, 1, 7]


@pytest.mark.parametrize("weight", [0.0, -1.0, float("inf"), float("nan")])
def test_the_weight_of_what_a_match_must_be_unlike(weight):
    with pytest.raises(UsageError, match="must be above 0"):
        Unlike(EXAMPLE, weight=weight)


def test_unless_told_otherwise_the_gist_is_compared_on_both_sides():
    query = Query(example=EXAMPLE)

    assert (query.descriptions, query.mirrored, query.distance, query.window) == (("gist",), "both", "dtw", 0.1)
    assert not query.weights  # it is weighted as it is described


def test_joints_that_the_gist_leaves_out_are_told_where_to_be_found():
    features = library([{"gist": np.zeros((60, descriptions()["gist"].n_dimensions))}])

    with pytest.raises(UsageError, match="belongs to 'Spine2'; the description 'positions' contains it"):
        Comparison.of(Query(example=LibrarySegment(features, Segment(1, 0, 20)), joints=("Spine2",)))


def test_the_mean_of_the_gist_is_in_centimetres_of_a_joint():
    rows = np.zeros((60, descriptions()["gist"].n_dimensions))
    rows[30:] = 0.03  # each place, activity and turn is off by 3 cm in each of three directions
    features = library([{"gist": rows}])
    query = Query(example=LibrarySegment(features, Segment(1, 0, 20)), distance="euclid", k=None, within=1e6)

    far = next(match for match in scan(features, query).matches if match.segment.start >= 30)

    assert (far.unit, far.mean) == ("cm", pytest.approx(3.0 * 3**0.5, rel=1e-6))


@pytest.mark.parametrize(
    "signed", [{"weights": {"Head": -1.0}}, {"over_time": (1.0, -1.0)}, {"unlike": (Unlike(EXAMPLE),)}]
)
def test_with_negative_weights_means_may_be_asked_to_be_below_0(signed):
    assert Query(example=EXAMPLE, within=-3.0, **signed).within == -3.0
