"""What the distances refuse, and how they say it."""

import numpy as np
import pytest

from motionary.alignment import dtw, euclid, lcss, query_envelope
from motionary.errors import UsageError

FRAMES = np.zeros((3, 2))


@pytest.mark.parametrize(
    ("query", "candidate", "options", "words"),
    [
        (np.zeros(3), FRAMES, {}, r"the query of shape \(3,\) is not a table of frames and dimensions"),
        (np.zeros((0, 2)), FRAMES, {}, r"the query of shape \(0, 2\)"),
        (FRAMES, np.full((3, 2), np.nan), {}, "the candidate contains a value that is not finite"),
        (FRAMES, np.zeros((4, 2)), {}, "a query of 3 frames and 2 dimensions cannot be compared with a candidate of 4"),
        (FRAMES, FRAMES, {"weights": np.ones(3)}, r"weights of shape \(3,\) fit neither 2 dimensions nor frames"),
        (FRAMES, FRAMES, {"weights": np.array([1.0, np.inf])}, "weights must be finite numbers"),
        (FRAMES, FRAMES, {"radius": -1}, "a window must be an integer of at least 0"),
        (FRAMES, FRAMES, {"radius": 1.5}, "a window must be an integer"),
        (FRAMES, FRAMES, {"radius": np.array([1, 2])}, "or one for each of the 3 frames"),
    ],
)
def test_what_cannot_be_compared_is_refused(query, candidate, options, words):
    with pytest.raises(UsageError, match=words):
        dtw(query, candidate, **options)


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_thresholds_are_numbers_or_infinite(bad):
    with pytest.raises(UsageError, match="a threshold must be a number; inf"):
        lcss(FRAMES, FRAMES, thresholds=np.array([1.0, bad]))


def test_single_precision_and_views_are_welcome():
    values = np.arange(24, dtype=np.float32).reshape(6, 4)[::2, ::2]

    assert euclid(values, values + np.float32(1.0)) == values.size
    assert query_envelope(values, radius=100).visits.tolist() == [3, 3, 3]
