"""What is around a pose: by hand, from the definition, and in a mirror."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from features.moving_bodies import body, wild_body
from motionary.features import features_of, surroundings
from motionary.features.surroundings import FAR, NEAR, means_around, surroundings_layout
from motionary.motion import mirror
from motionary.rig import mirror_partners


def reference(arrays, rate_hz: float) -> np.ndarray:
    """Frame by frame, from the definition."""
    layout = surroundings_layout()
    values = np.concatenate([arrays["gist"], arrays["root"], arrays["curves"][:, :4]], axis=1).astype(np.float64)
    poses, n_frames = values[:, layout.posed], len(values)
    speeds = np.gradient(poses, 1.0 / rate_hz, axis=0)

    def around(rows, frame, reach):
        return rows[max(0, frame - reach) : frame + reach + 1]

    rows = []
    for f in range(n_frames):
        smooth = [around(poses, at, 4).mean(axis=0) for at in (max(f - 10, 0), f, min(f + 10, n_frames - 1))]
        rows.append(
            np.concatenate(
                [
                    values[f, layout.now],
                    around(values, f, NEAR).mean(axis=0),
                    around(values, f, FAR).mean(axis=0),
                    np.log2(0.02 + around(poses, f, FAR).std(axis=0)),
                    np.log2(0.1 + np.sqrt((around(speeds, f, FAR) ** 2).mean(axis=0))),
                    smooth[2] - smooth[0],
                    smooth[2] + smooth[0] - 2 * smooth[1],
                ]
            )
        )
    return np.array(rows)


@pytest.mark.parametrize("n_frames", [2, 12, 50])
def test_surroundings_are_those_of_the_definition(n_frames):
    arrays = features_of(wild_body(1, n_frames=n_frames)).arrays

    assert_allclose(surroundings(arrays, rate_hz=30.0), reference(arrays, 30.0), atol=2e-5)


def test_a_mirror_swaps_columns_and_signs():
    motion = wild_body(2, n_frames=45)
    layout = surroundings_layout()

    own = surroundings(features_of(motion).arrays, rate_hz=30.0)
    other = surroundings(features_of(mirror(motion, mirror_partners(motion.skeleton))).arrays, rate_hz=30.0)

    assert_allclose(own[:, layout.mirror_columns] * layout.mirror_signs, other, atol=1e-4)
    assert_array_equal(layout.mirror_columns[layout.mirror_columns], np.arange(len(layout.mirror_columns)))


def test_a_pose_that_is_held_does_not_change():
    found = surroundings(features_of(body(n_frames=40)).arrays, rate_hz=30.0)

    assert_allclose(found, np.tile(found[0], (40, 1)), atol=1e-6)
    assert_allclose(found[:, -96:], 0.0, atol=1e-6)  # change, and turning back


def test_one_frame_is_enough():
    found = surroundings(features_of(body(n_frames=1)).arrays, rate_hz=30.0)

    assert found.shape == (1, len(surroundings_layout().mirror_columns))
    assert np.isfinite(found).all()


def test_means_are_over_the_frames_that_there_are():
    assert_allclose(means_around(np.array([[0.0], [2.0], [7.0]]), 1), [[1.0], [3.0], [4.5]])
