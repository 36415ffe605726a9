"""Envelopes: what a frame may meet, above all where radii differ by query frame."""

import numpy as np
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import query_envelope
from motionary.alignment.envelopes import query_envelope_reference

NAMES = ("lower", "upper", "weights", "visits")


@given(case=search_cases())
def test_an_envelope_is_its_definition(case):
    envelope = query_envelope(case.query, weights=case.weights, radius=case.radii)

    reference = query_envelope_reference(case.query, case.weights, case.radii)
    for name in NAMES:
        assert np.array_equal(getattr(envelope, name), getattr(reference, name)), name


@given(case=search_cases())
def test_radius_0_encloses_the_query_alone(case):
    envelope = query_envelope(case.query, weights=case.weights)

    assert np.array_equal(envelope.lower, case.query)
    assert np.array_equal(envelope.upper, case.query)
    assert np.array_equal(envelope.weights, case.weights)
    assert (envelope.visits == 1).all()


def test_slip_the_radius_belongs_to_the_query_frame():
    """R_j = {i : |i − j| ≤ δ_i}; the frames within δ_j of j are others, and need not enclose what frame j meets."""
    query, radii = np.arange(4.0)[:, None], np.array([3, 0, 0, 0])

    envelope = query_envelope(query, radius=radii)

    assert envelope.lower[:, 0].tolist() == [0.0, 0.0, 0.0, 0.0]
    assert envelope.upper[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0]
    assert envelope.visits.tolist() == [1, 2, 2, 2]  # frame 3 may meet frames 0 and 3, and none between
