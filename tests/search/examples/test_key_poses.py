"""Key poses with times, and what lies between them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.moving_bodies import body, wild_body
from motionary.errors import UsageError
from motionary.features import features_of
from motionary.motion import Motion, Placement
from motionary.rig import body_headings, body_of, reference_skeleton
from motionary.search.examples import KeyPose, KeyPoses
from motionary.search.examples.key_poses import Posed, heading_at


def steady(n_frames: int = 61, *, turning: float = 0.0) -> Motion:
    """A body that walks forward, turns and raises its left arm, all evenly."""
    share = np.linspace(0.0, 1.0, n_frames)[:, None]
    turns = {"LeftUpperArm": share * (0.0, 0.0, 1.2), "Head": share * (0.4, 0.0, 0.0), "Hips": share * (0, turning, 0)}
    return body(n_frames=n_frames, root=share * (0.3, 0.1, 1.5), turns=turns)


def posed(motion: Motion, frame: int, source: str | int = 1) -> Posed:
    its_body = body_of(motion.skeleton, motion=motion)
    return Posed(motion.slice(frame, frame + 1), its_body, heading_at(motion, its_body, frame), source)


def key_poses(motion: Motion, frames: list[int], secs: list[float]) -> KeyPoses:
    return KeyPoses.of([posed(motion, frame) for frame in frames], secs, rate_hz=30.0, name="keys")


@given(
    inner=st.lists(st.integers(1, 59), max_size=3, unique=True),
    slower=st.sampled_from([1.0, 2.0, 0.5]),
    turning=st.sampled_from([0.0, 1.0]),
)
def test_a_steady_motion_comes_back_from_any_of_its_poses(inner, slower, turning):
    motion = steady(turning=turning)
    frames = [0, *sorted(inner), 60]

    keys = key_poses(motion, frames, [slower * frame / 30 + 0.7 for frame in frames])

    assert (keys.n_frames, keys.place) == (round(60 * slower) + 1, None)
    assert np.allclose(keys.rows(61)["angles"], features_of(motion)["angles"], atol=1e-4)
    assert np.allclose(keys.rows(61)["positions"], features_of(motion)["positions"], atol=1e-4)
    assert np.allclose(keys.rows(61)["root"], features_of(motion)["root"], atol=1e-3)


def test_uneven_times_make_uneven_tempo():
    keys = key_poses(steady(), [0, 30, 60], [0.0, 1.5, 2.0])
    motion = steady(turning=0.0)

    rows = keys.rows(keys.n_frames)["angles"]

    assert keys.n_frames == 61
    assert np.allclose(rows[45], features_of(motion)["angles"][30], atol=1e-5)
    assert np.allclose(rows[15], features_of(motion)["angles"][10], atol=1e-4)
    assert np.allclose(rows[53], features_of(motion)["angles"][30 + 16], atol=1e-4)


def test_a_pose_of_another_clip_is_placed_where_the_last_one_is():
    first, other = steady(turning=1.0), Placement(2.0, 5.0, -3.0).place(wild_body(3))
    poses = [posed(first, 0), posed(first, 60), posed(other, 20, source=2), posed(other, 30, source=2)]

    keys = KeyPoses.of(poses, [0.0, 1.0, 2.0, 3.0], rate_hz=30.0, name="").keys

    headings = body_headings(keys, body_of(reference_skeleton()).body_map)
    ways = np.diff(keys.root_positions, axis=0)
    assert np.allclose(ways[1, [0, 2]], 0.0, atol=1e-9)
    assert headings[2] == pytest.approx(headings[1])
    assert headings[1] - headings[0] == pytest.approx(1.0)  # within a clip it turns as it did
    own = [heading_at(other, poses[2].body, frame) for frame in (20, 30)]
    assert headings[3] - headings[2] == pytest.approx(own[1] - own[0])
    assert np.linalg.norm(ways[2]) == pytest.approx(np.linalg.norm(other.root_positions[30] - other.root_positions[20]))


@pytest.mark.parametrize(
    ("secs", "message"),
    [
        ([0.0], "a single key pose is not enough"),
        ([0.5, 0.2], "must increase, not 0.5, 0.2 s"),
        ([0.5, 0.5], "must increase"),
        ([0.0, 30_000.0], "within 10 minutes"),
        ([-1e308, 1e308], "within 10 minutes"),
        ([0.0, float("inf")], "within 10 minutes"),
        ([0.0, float("nan")], "must increase"),
        ([0.0, 0.01], "fall on a single frame"),
    ],
)
def test_times_that_make_no_motion(secs, message):
    with pytest.raises(UsageError, match=message):
        key_poses(steady(), [10 * i for i in range(len(secs))], secs)


def test_how_a_key_pose_is_written():
    assert KeyPose.parse("walk:30@0.5") == KeyPose("walk", "30", 0.5)
    assert KeyPose.parse("a:b@c:1.5s@2s") == KeyPose("a:b@c", "1.5s", 2.0)
    for text in ("walk:30", "walk@0.5", "walk:30@soon", ":30@1", "walk:@1", ""):
        with pytest.raises(UsageError, match="is not a key pose; write CLIP:FRAME@SECONDS"):
            KeyPose.parse(text)
