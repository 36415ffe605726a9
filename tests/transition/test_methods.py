import numpy as np
import pytest

from motionary.motion import rotations
from motionary.transition.body_lanes import body_lanes
from motionary.transition.methods import inertialise, inertialise_reference
from motionary.transition.searching import unaligned
from motionary.transition.sources import gather_windows
from motionary.transition.workspace import make_workspace
from transition.pools import small_pool

N_FRAMES = 30


@pytest.mark.parametrize("seed", range(8))
def test_inertialisation_is_that_of_the_definition(seed):
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    rng = np.random.default_rng(seed)
    clips = rng.integers(3, size=2)
    firsts = np.stack([clips, pool.starts[clips] + rng.integers(110, size=2)], axis=1)
    windows = gather_windows(pool, lanes, firsts, N_FRAMES)
    work = make_workspace(N_FRAMES + 1, lanes)

    n = int(inertialise(lanes, windows, *unaligned(2, N_FRAMES + 1), work))

    roots, facing, turned = inertialise_reference(windows)
    assert n == N_FRAMES + 1
    np.testing.assert_allclose(work.roots[:, :n], roots, atol=1e-9)
    np.testing.assert_allclose(work.facing[:n], facing, atol=1e-9)
    found, expected = (np.moveaxis(one, 1, 2) for one in (work.local[:, :, :n], turned))
    assert rotations.angle_between(found, expected).max() < 1e-6


def test_inertialisation_starts_with_the_source_s_pose_and_velocity_and_ends_as_the_target():
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    windows = gather_windows(pool, lanes, np.array([(0, 40), (1, int(pool.starts[1]) + 60)]), N_FRAMES)

    roots, _, turned = inertialise_reference(windows)

    source, target = windows.turns[:2]
    angles = [rotations.angle_between(turned[..., k], source[..., k]).max() for k in (0, 1)]
    assert angles[0] < 1e-9
    assert angles[1] < 0.1 * rotations.angle_between(source[..., 0], target[..., 0]).max()
    assert rotations.angle_between(turned[..., -1], target[..., -1]).max() < 1e-9
    assert roots[1, [0, -1]] == pytest.approx([windows.roots[0, 1, 0], windows.roots[1, 1, -1]])


def test_a_joint_does_not_jump_where_its_source_passes_the_opposite_of_its_target():
    """Between the first two frames the shorter way from the target to the source changes."""
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    windows = gather_windows(pool, lanes, np.array([(0, 40), (1, int(pool.starts[1]) + 60)]), N_FRAMES)
    joint, angles = 5, np.radians(179.0 + 2.0 * np.arange(N_FRAMES + 1))
    axis = np.array([0.0, 0.6, 0.8])
    turns = rotations.continuous(rotations.from_rotation_vector(angles[:, None] * axis))
    windows.turns[0, joint] = rotations.multiply(turns, windows.turns[1, joint].T).T
    work = make_workspace(N_FRAMES + 1, lanes)

    n = int(inertialise(lanes, windows, *unaligned(2, N_FRAMES + 1), work))

    found = work.local[joint, :, :n].T
    np.testing.assert_allclose(
        rotations.angle_between(found, np.moveaxis(inertialise_reference(windows)[2][joint], 0, 1)), 0.0, atol=1e-6
    )
    assert np.degrees(rotations.angle_between(found[1:], found[:-1])).max() < 30.0
