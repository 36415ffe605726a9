"""Rows that are mirrored, and moved in time."""

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.alignment import Alignment, Match
from motionary.motion import Segment
from motionary.picture import Row
from motionary.picture.aligned import aligned, mirrored


def match(pairs, *, n_query: int, n_match: int) -> Match:
    alignment = Alignment(np.array(pairs))
    return Match(Segment(1, 0, 2), 0.0, 0.0, "cm", "dtw", alignment, n_query, 30.0, scale=n_match / n_query)


def test_a_mirrored_row_shows_the_other_side():
    motion = wild_body(1)
    contacts = np.zeros((motion.n_frames, 2), dtype=bool)
    contacts[:10, 0] = True

    row = mirrored(Row(motion, title="wild", contacts=contacts))

    left, right = (motion.skeleton.index(side + "Hand") for side in ("Left", "Right"))
    assert np.allclose(row.motion.positions_world[:, left], motion.positions_world[:, right] * (-1, 1, 1))
    assert row.contacts is not None
    assert row.contacts[:10, 1].all()
    assert not row.contacts[:, 0].any()
    assert row.title == "wild (mirrored)"
    assert mirrored(Row(motion)).contacts is None


def test_what_goes_together_stands_at_the_same_time():
    """A match whose second half runs twice as fast as the query's."""
    pairs = [(i, i) for i in range(10)] + [(i, 10 + (i - 10) // 2) for i in range(10, 20)]
    row = Row(wild_body(1, n_frames=15))

    clock = aligned(row, match(pairs, n_query=20, n_match=15)).clock

    assert clock is not None
    assert clock[:9] * 30 == pytest.approx(np.arange(9))
    assert np.diff(clock[10:14]) * 30 == pytest.approx(2.0)
    assert clock[-1] * 30 == pytest.approx(19)


def test_a_match_at_its_own_rate_and_gaps_of_lcss():
    row = Row(wild_body(1, n_frames=40, frame_time=1 / 60))
    pairs = np.array([(2, 3), (10, 11), (19, 19)])

    clock = aligned(row, match(pairs, n_query=20, n_match=20)).clock

    assert clock is not None
    assert len(clock) == 40
    assert (np.diff(clock) > 0).all()
    assert clock[[22, 38]] * 30 == pytest.approx([10, 19], abs=0.5)


def test_single_frames_stay():
    row = Row(wild_body(1, n_frames=1))

    assert aligned(row, match([(0, 0)], n_query=1, n_match=1)) is row
