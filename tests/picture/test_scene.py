from dataclasses import replace

import numpy as np
import pytest

from motionary.errors import SkeletonError, UsageError
from motionary.motion import Placement
from motionary.picture import Row
from motionary.picture.aligned import mirrored
from motionary.picture.scene import N_SAMPLES, scenes_of
from motionary.plants import detect_plants
from motionary.rig import reference_skeleton


def test_nothing_to_draw_is_an_error():
    with pytest.raises(UsageError, match="nothing to draw"):
        scenes_of([], "auto")


def test_rows_check_contacts_and_joints(walk):
    with pytest.raises(UsageError, match=r"contacts of shape \(5, 2\) for 6 frames of two feet"):
        Row(walk(6), contacts=np.zeros((5, 2)))
    with pytest.raises(SkeletonError, match="no joint named 'Tail'"):
        Row(walk(6), highlight=("Tail",))


def test_a_row_on_another_clock(walk):
    clock = np.array([0.0, 0.1, 0.3, 0.4, 0.5, 1.0])
    (scene,) = scenes_of([Row(walk(6), clock=clock)], "auto")

    assert scene.duration_secs == 1.0
    assert scene.secs_at(np.array([2, 5])).tolist() == [0.3, 1.0]
    assert scene.frames_at(np.array([0.2, 0.3, 0.75, 9.0])) == pytest.approx([1.5, 2.0, 4.5, 6.0])
    for wrong in (clock[:5], clock[::-1], np.zeros(6)):
        with pytest.raises(UsageError, match="one increasing time for each of 6 frames"):
            Row(walk(6), clock=wrong)


def test_rows_are_seen_from_the_same_side_of_their_bodies(walk):
    first, second = scenes_of([Row(walk()), Row(walk(direction=2.0))], "auto")

    assert second.camera.azimuth - first.camera.azimuth == pytest.approx(2.0)
    assert second.path() == pytest.approx(first.path(), abs=1e-9)
    assert second.extents(second.poses) == pytest.approx(first.extents(first.poses), abs=1e-9)


def test_the_view_is_that_of_the_row_that_sets_it(walk, star_jump):
    (alone,) = scenes_of([Row(star_jump)], "auto")
    together = scenes_of([Row(star_jump), *[Row(walk())] * 3], "auto")
    led = scenes_of([Row(star_jump, sets_view=True), *[Row(walk())] * 3], "auto")

    assert {scene.camera.azimuth for scene in led} == {alone.camera.azimuth}
    assert together[0].camera.azimuth != alone.camera.azimuth


def test_the_view_does_not_depend_on_the_place(walk):
    near, far = walk(), Placement(0.0, 1e5, -3e5).place(walk())

    (one,), (other,) = scenes_of([Row(near)], "auto"), scenes_of([Row(far)], "auto")

    assert one.camera == other.camera
    assert other.path() == pytest.approx(one.path(), abs=1e-6)


@pytest.mark.parametrize(
    ("lift", "ground"), [(0.0, 0.0), (0.05, 0.0), (0.4, 0.0), (-0.1, 0.0), (3.0, 3.0), (-1.0, -1.0)]
)
def test_the_floor_is_at_zero_unless_the_body_is_elsewhere(stand, lift, ground):
    motion = stand(reference_skeleton(), 3)
    lifted = replace(motion, root_positions=motion.root_positions + np.array([0.0, lift, 0.0]))

    assert scenes_of([Row(lifted)], "auto")[0].floor_height == pytest.approx(ground, abs=1e-9)


@pytest.mark.parametrize("lift", [-1.5, -0.2, 0.15, 2.0])
def test_a_detected_floor_is_drawn_where_it_is(stand, lift):
    still = stand(reference_skeleton(), 60)
    lifted = replace(still, root_positions=still.root_positions + np.array([0.0, lift, 0.0]))
    floor = detect_plants(lifted).known_floor

    (scene,) = scenes_of([Row(lifted, floor=floor)], "auto")
    (usual,) = scenes_of([Row(still, floor=detect_plants(still).known_floor)], "auto")

    assert scene.floor_height == pytest.approx(lift, abs=0.01)
    assert scene.extents(scene.poses) == pytest.approx(usual.extents(usual.poses), abs=1e-9)


def test_a_body_far_from_the_detected_floor_stands_on_one_of_its_own(stand):
    still = stand(reference_skeleton(), 60)
    away = replace(still, root_positions=still.root_positions + np.array([0.0, 4.0, 0.0]))

    (scene,) = scenes_of([Row(away, floor=detect_plants(still).known_floor)], "auto")

    assert scene.floor_height == pytest.approx(4.0, abs=0.01)


def test_on_a_floor_that_tilts_a_body_is_as_high_above_it_everywhere(walk):
    level = walk(90)
    floor = detect_plants(level).floor
    slope = np.array([0.02, -0.05])
    up = level.root_positions[:, [0, 2]] @ slope
    tilted = replace(level, root_positions=level.root_positions + np.stack([0 * up, up, 0 * up], axis=1))
    row = Row(tilted, floor=replace(floor, slope=floor.slope + slope))

    (scene,), (usual,) = scenes_of([row], "side"), scenes_of([Row(level, floor=floor)], "side")
    (mirrored_scene,) = scenes_of([mirrored(row)], "side")

    assert np.ptp(up) > 0.1
    assert scene.path() == pytest.approx(usual.path(), abs=1e-9)
    assert scene.extents(scene.poses) == pytest.approx(usual.extents(usual.poses), abs=1e-9)
    heights = (one.poses.centre[:, 1] - one.floor_heights(one.poses.centre) for one in (scene, mirrored_scene))
    assert next(heights) == pytest.approx(next(heights), abs=1e-6)


def test_a_very_long_motion_is_sampled(stand):
    scene = scenes_of([Row(stand(reference_skeleton(), 100_000))], "auto")[0]

    assert len(scene.frames) == N_SAMPLES
    assert scene.frames[[0, -1]].tolist() == [0, 99_999]


def test_extents_reach_from_the_soles_to_the_crown(stand):
    skeleton = reference_skeleton(1.75)

    scene = scenes_of([Row(stand(skeleton, 1))], "front")[0]
    left, right, up, down = scene.extents(scene.poses)[0]

    assert up == pytest.approx(1.75 * np.cos(scene.camera.elevation), rel=0.1)
    assert left == pytest.approx(right)
    assert left == pytest.approx(0.53 * 1.75, rel=0.1)  # the arms are spread
    assert 0.0 <= down < 0.2
