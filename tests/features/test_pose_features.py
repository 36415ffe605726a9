"""Features of whole motions: what every description says of motions that are known by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.moving_bodies import SKELETON, body, wild_body
from motionary.errors import MappingError, UsageError
from motionary.features import computed_descriptions, features_of
from motionary.motion import Motion, Placement, Skeleton, mirror, rotations
from motionary.rig import body_of, mirror_partners, reference_skeleton, root_height, to_reference
from rig.bodies import dance

SECS = np.arange(30)[:, None] / 30


def dimension(features, description: str, name: str) -> np.ndarray:
    """One column, by name."""
    names = [dimension.name for dimension in computed_descriptions()[description].dimensions]
    return features[description][:, names.index(name)]


def same(a, b, within: float = 1e-4) -> None:
    for name in computed_descriptions():
        assert np.allclose(a[name], b[name], atol=within), name


def test_a_standing_body():
    features = features_of(body())

    assert features.n_frames == 30
    assert all(array.dtype == np.float32 and np.isfinite(array).all() for array in features.arrays.values())
    assert np.allclose(dimension(features, "positions", "HeadTop up"), 1.75 * 0.968, atol=0.06)
    assert np.allclose(dimension(features, "positions", "LeftHand left"), 1.75 * 0.43, atol=1e-5)
    assert np.allclose(features["angles"], 0.0)
    assert np.allclose(dimension(features, "root", "root height"), root_height(SKELETON))
    assert np.allclose(features["root"][:, 1:], 0.0)
    assert np.allclose(features["curves"][:, :4], 1.0)
    assert np.allclose(features["curves"][:, 4:], 0.0)


def test_walking_and_turning_left():
    heading = 0.5 * SECS
    way = np.cumsum(np.column_stack([np.sin(heading), 0 * heading, np.cos(heading)]) * (2.0 / 30), axis=0)
    features = features_of(body(root=way, turns={"Hips": heading * (0.0, 1.0, 0.0)}))

    inner = slice(1, -1)
    assert np.allclose(dimension(features, "root", "root speed forward")[inner], 2.0, atol=0.01)
    assert np.allclose(dimension(features, "root", "root speed left")[inner], 0.0, atol=0.02)
    assert np.allclose(dimension(features, "root", "root turning"), 0.5, atol=1e-4)
    assert np.ptp(features["positions"], axis=0).max() < 1e-5  # the frame follows place and heading


def test_leaning_and_bending():
    features = features_of(body(turns={"Hips": (0.4, 0.0, 0.0) + 0 * SECS, "LeftShin": (1.2, 0.0, 0.0) + 0 * SECS}))

    assert np.allclose(dimension(features, "root", "root tilt forward"), 0.4)
    assert np.allclose(dimension(features, "root", "root tilt left"), 0.0, atol=1e-6)
    assert np.allclose(dimension(features, "angles", "LeftShin x"), 1.2)
    left = features_of(body(turns={"Hips": (0.0, 0.0, -0.3) + 0 * SECS}))
    assert np.allclose(dimension(left, "root", "root tilt left"), 0.3)


def test_angles_stay_within_half_a_turn():
    features = features_of(body(turns={"LeftUpperArm": (0.0, 0.0, 1.0) * SECS * 6.0}))

    sizes = np.linalg.norm(features["angles"].reshape(30, -1, 3), axis=-1)
    assert sizes.max() <= np.pi + 1e-6


def test_energy_and_effort():
    at_pace = features_of(body(root=SECS * (0.0, 0.0, 1.5)))
    assert np.allclose(dimension(at_pace, "curves", "energy"), 1.5 * SKELETON.n_joints, rtol=1e-4)
    assert np.allclose(dimension(at_pace, "curves", "effort"), 0.0, atol=1e-2)
    faster = features_of(body(root=0.5 * SECS**2 * (0.0, 0.0, 3.0)))
    assert np.allclose(dimension(faster, "curves", "effort")[2:-2], 3.0 * SKELETON.n_joints, rtol=1e-3)


def test_one_frame_does_not_move():
    features = features_of(wild_body(0, n_frames=1))

    assert features.n_frames == 1
    assert np.array_equal(features["root"][:, 1:4], np.zeros((1, 3)))
    assert np.array_equal(features["curves"][:, 4:], np.zeros((1, 2)))


@given(seed=st.integers(0, 1000), theta=st.floats(-3, 3), x=st.floats(-5, 5))
def test_place_and_heading_do_not_count(seed, theta, x):
    motion = wild_body(seed)

    same(features_of(motion), features_of(Placement(theta, x, -x).place(motion)), within=2e-3)


@given(seed=st.integers(0, 1000))
def test_mirrored_features_are_those_of_the_mirrored_motion(seed):
    motion = wild_body(seed)
    mirrored = mirror(motion, mirror_partners(SKELETON))

    same(features_of(motion).mirrored(), features_of(mirrored), within=2e-3)


def test_upside_down_and_lying_bodies_are_mirrored_too():
    for lean in (1.5, 2.0, 3.0):
        motion = body(turns={"Hips": SECS * (lean, 0.2, 0.1), "LeftUpperArm": SECS * (1.0, 0.5, 0.2)})
        mirrored = mirror(motion, mirror_partners(SKELETON))
        same(features_of(motion).mirrored(), features_of(mirrored), within=2e-3)


def test_the_body_s_size_does_not_count():
    tall, small = dance(height=2.0), dance(height=1.4)
    small = Motion(small.skeleton, small.frame_time, tall.root_positions * 0.7, small.rotations)

    tall_features, small_features = features_of(tall), features_of(small)

    for name in ("positions", "angles", "root"):
        assert np.allclose(tall_features[name], small_features[name], atol=1e-4)


def test_features_are_those_of_the_reference_skeleton():
    motion = to_reference(dance(height=1.9), feet=False)

    same(features_of(dance(height=1.9)), features_of(motion, body_of(reference_skeleton())), within=1e-3)


@pytest.mark.parametrize("every", [2, 4])
def test_features_come_at_the_search_rate(every):
    fine = wild_body(3, n_frames=80, frame_time=1 / (30 * every))
    coarse = Motion(SKELETON, 1 / 30, fine.root_positions[::every], fine.rotations[::every])

    features = features_of(fine)

    same(features, features_of(coarse), within=1e-6)
    assert features.rates.step == every
    assert features_of(fine, rate_hz=30.0 * every).n_frames == fine.n_frames


def test_a_creature_has_no_features():
    worm = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0, 0], [0, 0, 1.0]]))
    with pytest.raises(MappingError):
        features_of(Motion(worm, 1 / 30, np.zeros((2, 3)), np.tile(rotations.IDENTITY, (2, 2, 1))))


def test_an_unknown_description_is_refused():
    with pytest.raises(UsageError, match="no description named 'colours'; choose from positions, angles"):
        features_of(body())["colours"]
