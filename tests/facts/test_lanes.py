"""Curves of a clip, as long as a timeline has room for."""

from itertools import pairwise

import numpy as np
import pytest

from conftest import swaying_body
from motionary.bank import Bank
from motionary.facts import describe, lanes_of
from motionary.feet import score_segments
from motionary.motion import Motion, Skeleton, recording_of


@pytest.fixture
def bank(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("sway", recording_of(swaying_body(n_frames=50)))
        stick = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0, 0], [0, 1, 0]]))
        still = np.tile([1.0, 0, 0, 0], (7, 2, 1))
        moving = np.linspace([1.0, 0, 0], [1.6, 0, 0], 7)
        bank.add("stick", recording_of(Motion(stick, 0.1, moving, still)))
        yield bank


def test_with_a_bucket_for_each_frame_lanes_are_the_curves(bank):
    facts, lanes = describe(bank, "sway"), lanes_of(bank, "sway", n_buckets=1000)

    np.testing.assert_array_equal(lanes.speed, facts.speed)
    np.testing.assert_array_equal(lanes.contacts, facts.contacts)


def test_a_bucket_has_the_fastest_and_the_worst_of_its_frames(bank):
    every, few = lanes_of(bank, "sway", n_buckets=50), lanes_of(bank, "sway", n_buckets=4)

    edges = [0, 12, 25, 37, 50]
    for bucket, (start, stop) in enumerate(pairwise(edges)):
        assert few.speed[bucket] == np.nanmax(every.speed[start:stop])
        assert few.contacts[bucket] == pytest.approx(every.contacts[start:stop].mean(axis=0))
        score = every.score[start:stop]
        worst = score[~np.isnan(score)].max(initial=-1.0)
        assert few.score[bucket] == worst or (np.isnan(few.score[bucket]) and worst == -1.0)
    naturalness = score_segments(bank, ["sway"])[0].naturalness
    worst_parts = np.nanmax(naturalness.curves["plant_error"]), np.nanmax(naturalness.curves["zmp_error"])
    assert max(worst_parts) <= np.nanmax(few.score) <= sum(worst_parts)


def test_what_has_no_feet_has_speed_alone(bank):
    facts = lanes_of(bank, "stick", n_buckets=3).as_json()

    assert facts == {"frames": 7, "buckets": 3, "speed": [1.0] * 3, "score": [None] * 3, "contacts": {}}
