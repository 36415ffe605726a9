import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from motionary.search.spreading.claims import Claim, exclusive_claims, shared_claims

RULES = {"threshold": 0.5, "margin": 0.1, "least_frames": np.ones(2)}


def claims(strengths, alone=None, free=None, nearest=None, **rules):
    strengths = np.array(strengths, dtype=float)
    return exclusive_claims(
        strengths,
        strengths if alone is None else np.array(alone),
        np.zeros(strengths.shape, dtype=int) if nearest is None else np.array(nearest),
        free=np.ones(len(strengths), dtype=bool) if free is None else np.array(free),
        **RULES | rules,
    )


def test_the_strongest_label_has_the_frame_and_a_run_is_one_claim():
    found = claims([[0.9, 0.1], [0.7, 0.1], [0.2, 0.8], [0.4, 0.3]])

    assert found == [Claim(0, 2, 0, pytest.approx(0.8), 0), Claim(2, 3, 1, pytest.approx(0.8), 0)]


def test_what_is_taken_is_never_claimed():
    assert [(one.start, one.stop) for one in claims([[0.9]] * 5, free=[True, False, False, True, True])] == [
        (0, 1),
        (3, 5),
    ]


def test_a_rival_that_is_as_strong_leaves_it_undecided():
    found = claims([[0.55, 0.45], [0.9, 0.1]], alone=[[0.8, 0.7], [0.9, 0.3]], margin=0.2)

    assert [(one.undecided, one.rival, one.rival_strength) for one in found] == [(True, 1, 0.45), (False, -1, 0.0)]


def test_a_weaker_label_that_would_do_alone_is_told_as_a_rival():
    found = claims([[0.7, 0.3]], alone=[[0.9, 0.6]])

    assert found == [Claim(0, 1, 0, 0.7, 0, rival=1, rival_strength=0.3)]


def test_slivers_are_none():
    nearest = np.array([[0], [1], [1]])

    assert [one.stop for one in claims([[0.9]] * 3, nearest=nearest, least_frames=np.array([1.0, 4.0]))] == []
    assert [one.example for one in claims([[0.9]] * 3, nearest=nearest, least_frames=np.array([9.0, 3.0]))] == [1]


def test_labels_that_may_share_frames_are_judged_alone():
    alone = np.array([[0.9, 0.2], [0.8, 0.7], [0.1, 0.7]])
    free = np.array([[True, True], [True, True], [True, False]])

    found = shared_claims(alone, np.zeros((3, 2), dtype=int), free=free, threshold=0.5, least_frames=np.ones(1))

    assert [(one.start, one.stop, one.label, one.rival, one.undecided) for one in found] == [
        (0, 2, 0, -1, False),
        (1, 2, 1, 0, False),
    ]


@pytest.mark.parametrize("n_frames", [0, 3])
def test_where_nothing_is_there_is_no_claim(n_frames):
    assert claims(np.zeros((n_frames, 0))) == claims(np.zeros((n_frames, 2))) == []


@given(arrays.arrays(float, (10, 3), elements=st.floats(0, 0.33)), st.floats(0.05, 0.9), st.floats(0, 0.3))
def test_every_frame_is_claimed_once_and_by_its_strongest(strengths, threshold, margin):
    strengths = strengths * 3 / max(1.0, strengths.sum(axis=1).max() * 3)
    found = claims(strengths, threshold=threshold, margin=margin)

    owner = np.full(10, -1)
    for one in found:
        assert (owner[one.start : one.stop] == -1).all()
        owner[one.start : one.stop] = one.label
        assert one.strength >= threshold - 1e-12
        gap = np.sort(strengths[one.start : one.stop], axis=1)
        assert one.undecided == bool((gap[:, -1] - gap[:, -2] < margin).all())
    strongest = np.where(strengths.max(axis=1) >= threshold, strengths.argmax(axis=1), -1)
    np.testing.assert_array_equal(owner, strongest)
