from dataclasses import replace

import numpy as np
import pytest

from blend.made_sources import reach
from motionary.blend import BlendSource, blend, register, without_opposites
from motionary.motion import rotations

PART = "RightFoot"


def turning(angles_deg: np.ndarray, *, name: str) -> BlendSource:
    """A reach in which the right foot is turned about its own axis."""
    source = reach(0.0, n_frames=len(angles_deg), name=name)
    joint = source.motion.skeleton.index(PART)
    turns = np.array(source.motion.rotations)
    turns[:, joint] = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(angles_deg))
    return replace(source, motion=replace(source.motion, rotations=rotations.continuous(turns)))


def flip(n_frames: int = 60) -> np.ndarray:
    """0, up to 200 and back within a fifth of a second: past the opposite of a foot that rests."""
    t = np.arange(n_frames) - 30.0
    return 200.0 * np.exp(-0.5 * (t / 2.0) ** 2)


def steps_deg(made, joint: int) -> np.ndarray:
    turned = made.motion.rotations[:, joint]
    return np.degrees(rotations.angle_between(turned[:-1], turned[1:]))


@pytest.mark.parametrize("weights", [[0.6, 0.4], [0.5, 0.5], [0.5, 0.3, 0.2], [0.4, 0.35, 0.25]])
def test_a_joint_does_not_jump_where_a_source_passes_the_opposite_of_the_others(weights):
    """The last source flips its foot; in the last case, the two that rest have most of the weight together."""
    others = [turning(np.full(60, 10.0 * i), name=f"rests {i}") for i in range(len(weights) - 1)]
    sources = [*others, turning(flip(), name="flips")]
    if weights[0] == 0.4:
        sources, weights = [sources[-1], *others], weights
    registration = register(sources)
    joint = registration.body.skeleton.index(PART)

    made = blend(registration, weights, clean_up=False)

    assert steps_deg(made, joint).max() < 15.0  # the flip itself turns by 60
    turned = np.degrees(rotations.angle_between(made.motion.rotations[:, joint], rotations.IDENTITY))
    assert turned.max() < 40.0


def test_a_third_source_that_passes_no_opposite_does_not_hide_two_that_do():
    def smooth(first: float, frames: float) -> np.ndarray:
        share = np.clip((np.arange(60.0) - first) / frames, 0.0, 1.0)
        return share * share * (3.0 - 2.0 * share)

    angles = (-150.0 * smooth(10.0, 40.0) - 20.0 * smooth(35.0, 10.0), np.full(60, 23.0), np.full(60, -14.0))
    registration = register([turning(own, name=f"{n}") for n, own in enumerate(angles)])
    joint = registration.body.skeleton.index(PART)

    made = blend(registration, [0.46, 0.37, 0.17], clean_up=False)

    assert steps_deg(made, joint).max() < 15.0  # 135 by the shorter way


def test_a_weight_a_little_below_0_somewhere_leaves_the_rest_protected():
    registration = register([turning(np.zeros(60), name="rests"), turning(flip(), name="flips")])
    joint = registration.body.skeleton.index(PART)

    made = blend(registration, [[1.02, -0.02], [0.55, 0.45], [0.55, 0.45]], clean_up=False)

    assert steps_deg(made, joint).max() < 30.0  # 150 by the shorter way


def test_sources_far_apart_that_never_pass_each_others_opposite_count_as_ever():
    registration = register([turning(np.zeros(60), name="rests"), turning(np.full(60, 170.0), name="turned")])
    joint = registration.body.skeleton.index(PART)

    made = blend(registration, [0.5, 0.5], clean_up=False)

    turned = np.degrees(rotations.angle_between(made.motion.rotations[:, joint], rotations.IDENTITY))
    np.testing.assert_allclose(turned, 85.0, atol=1e-6)


def test_a_blend_that_changes_over_to_a_source_ends_as_that_source_does():
    late = 200.0 / (1.0 + np.exp(-(np.arange(60.0) - 56.0)))
    registration = register([turning(np.zeros(60), name="rests"), turning(late, name="turns away")])
    joint = registration.body.skeleton.index(PART)

    made = blend(registration, [[1.0, 0.0], [0.0, 1.0]], clean_up=False)

    last = registration.sources[1].motion.rotations[-1, joint]
    assert np.degrees(rotations.angle_between(made.motion.rotations[-1, joint], last)) < 1e-6


def test_weights_stay_as_they_are_where_no_mean_jumps():
    sources = [reach(-30.0).motion.rotations, reach(40.0).motion.rotations]
    weights = np.full((1, 60, 2), 0.5)
    groups = np.zeros(sources[0].shape[1], dtype=np.int64)

    shares, of_joint = without_opposites(np.stack(sources), np.zeros((2, 60)), weights, groups, frame_time=1 / 30)

    assert shares is weights
    np.testing.assert_array_equal(of_joint, groups)


def test_the_weights_of_a_joint_that_would_jump_sum_to_1():
    sources = [turning(np.zeros(60), name="rests").motion, turning(flip(), name="flips").motion]
    weights = np.tile([0.7, 0.3], (1, 60, 1))
    joint = sources[0].skeleton.index(PART)
    groups = np.zeros(sources[0].skeleton.n_joints, dtype=np.int64)

    shares, of_joint = without_opposites(
        np.stack([motion.rotations for motion in sources]), np.zeros((2, 60)), weights, groups, frame_time=1 / 30
    )

    assert len(shares) == 2
    assert np.flatnonzero(of_joint).tolist() == [joint]
    np.testing.assert_allclose(shares.sum(axis=2), 1.0, atol=1e-12)
    np.testing.assert_array_equal(shares[1, [0, 59]], weights[0, [0, 59]])
    assert shares[1, 30, 1] == 0.0
