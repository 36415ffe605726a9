"""Segments of the library as examples."""

import numpy as np
import pytest

from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment
from motionary.search import LibrarySegment
from motionary.search.examples import Place
from search.tiny_libraries import library

FEATURES = library([{"root": np.zeros((9, 6))}, {"root": np.arange(60.0).reshape(10, 6)}], first_id=4)


def test_it_knows_its_rows_and_its_place():
    example = LibrarySegment(FEATURES, Segment(5, 2, 6))

    assert (example.n_frames, example.place) == (4, Place(5, 2))
    assert np.array_equal(example.rows(4)["root"], FEATURES.of(5)["root"][2:6])


def test_features_alone_do_not_tell_what_is_between_frames():
    example = LibrarySegment(FEATURES, Segment(5, 2, 6))

    with pytest.raises(UsageError, match="poses between frames; search the bank"):
        example.rows(5)
    with pytest.raises(UsageError, match="contain no poses"):
        example.poses(4)
    played = LibrarySegment(FEATURES, Segment(5, 2, 6), lambda length: {"root": np.ones((length, 6))})
    assert played.rows(5)["root"].shape == (5, 6)
    assert played.rows(4)["root"].max() > 1  # as it is kept


def test_a_clip_that_is_not_there():
    with pytest.raises(NotInBankError, match="clip #9 has no features"):
        LibrarySegment(FEATURES, Segment(9, 0, 5)).rows(5)
