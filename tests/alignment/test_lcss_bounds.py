"""Bounds of LCSS never promise less than there is; what the seed printed does."""

import numpy as np
import pytest
from hypothesis import given

from alignment.search_cases import search_cases
from motionary.alignment import MatchEnvelope, lcss, lcss_bound, match_envelope
from motionary.alignment.lcss_bounds import lcss_bound_reference, match_envelope_reference
from motionary.errors import UsageError

EDGES = ("lower", "upper", "hole_lower", "hole_upper")


def of(*values: float) -> np.ndarray:
    """One dimension over time."""
    return np.array(values)[:, None]


@given(case=search_cases())
def test_the_match_envelope_is_its_definition(case):
    envelope = match_envelope(case.query, thresholds=case.thresholds, radius=case.radii)
    reference = match_envelope_reference(case.query, case.thresholds, case.radii)

    assert envelope.n_counted == reference.n_counted
    for name in EDGES:
        assert np.allclose(getattr(envelope, name), getattr(reference, name), rtol=1e-12, atol=1e-12)


@given(case=search_cases())
def test_lcss_bound_is_exact_and_never_promises_less_than_lcss(case):
    envelope = match_envelope(case.query, thresholds=case.thresholds, radius=case.radii)

    bound = lcss_bound(case.candidate, envelope)

    assert bound == lcss_bound_reference(case.candidate, envelope)
    found = lcss(case.query, case.candidate, thresholds=case.thresholds, radius=case.radii)
    assert bound.n_common >= found.n_common
    assert bound.distance <= found.distance


@given(case=search_cases())
def test_values_on_the_threshold_survive_rounding(case):
    """q − ε, rounded, may lie beyond a c with |q − c| ≤ ε, rounded."""
    thresholds = np.abs(np.where(np.isinf(case.thresholds), 0.1, case.thresholds))
    for signed in (thresholds, -thresholds):
        for candidate in (case.query + thresholds, case.query - thresholds, np.nextafter(case.query + thresholds, 9e9)):
            envelope = match_envelope(case.query, thresholds=signed)
            found = lcss(case.query, candidate, thresholds=signed)
            assert lcss_bound(candidate, envelope).n_common >= found.n_common


def test_slip_the_upper_envelope_is_a_maximum():
    query, candidate, thresholds = of(0.0, 2.0), of(2.4, 2.4), np.array([0.5])
    envelope = match_envelope(query, thresholds=thresholds, radius=1)
    lowest = np.minimum(envelope.upper, 0.5)
    printed = MatchEnvelope(envelope.lower, lowest, envelope.hole_lower, envelope.hole_upper, 2)

    found = lcss(query, candidate, thresholds=thresholds, radius=1)

    assert found.n_common == 1
    assert lcss_bound(candidate, envelope).n_common >= found.n_common > lcss_bound(candidate, printed).n_common


def test_slip_the_bound_counts_frames_not_frames_and_dimensions():
    query, candidate = np.zeros((2, 3)), np.array([[0.0, 0.0, 9.0], [0.0, 9.0, 0.0]])

    bound = lcss_bound(candidate, match_envelope(query, thresholds=np.full(3, 0.5)))

    assert bound.n_common == 0  # though 4 of 6 values could match


def test_slip_exclusion_is_ruled_out_by_the_intersection_only():
    """Frame 0 excludes what is near 0, frame 1 what is near 4: 0 may match the one and 4 the other."""
    query, thresholds = of(0.0, 4.0), np.array([-1.0])
    envelope = match_envelope(query, thresholds=thresholds, radius=1)
    assert (envelope.hole_lower > envelope.hole_upper).all()  # nothing is excluded by both

    candidate = of(4.0, 0.0)
    found = lcss(query, candidate, thresholds=thresholds, radius=1)

    assert found.n_common == 2
    assert lcss_bound(candidate, envelope).n_common == 2
    union = MatchEnvelope(envelope.lower, envelope.upper, of(-1.0, -1.0), of(5.0, 5.0), 2)
    assert lcss_bound(candidate, union).n_common == 0  # so the union is no bound


def test_exclusions_that_agree_rule_out():
    envelope = match_envelope(of(0.0, 0.5), thresholds=np.array([-1.0]), radius=1)

    assert lcss_bound(of(0.2, 0.2), envelope).n_common == 0
    assert lcss_bound(of(0.2, 1.2), envelope).n_common == 1


def test_what_does_not_fit_is_refused():
    with pytest.raises(UsageError, match="nothing would be compared"):
        match_envelope(of(0.0), thresholds=np.array([np.inf]))
    with pytest.raises(UsageError, match="do not fit an envelope"):
        lcss_bound(of(0.0), match_envelope(of(0.0, 1.0), thresholds=np.array([1.0])))
