"""How often joints come near half a turn."""

import numpy as np

from features.moving_bodies import body
from motionary.features import features_of, half_turn_shares


def test_shares_of_frames_near_half_a_turn():
    angles = np.zeros((10, 3))
    angles[:4, 2] = np.radians(175.0)
    features = features_of(body(n_frames=10, turns={"LeftUpperArm": angles}))

    shares = half_turn_shares(features["angles"])

    assert shares.pop("LeftUpperArm") == 0.4
    assert set(shares.values()) == {0.0}
