import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.picture import Camera
from motionary.picture.figure import PALETTE, _capsules, _convex_hull, figure, planted_foot, shadow
from motionary.picture.mannequin import mannequin_of
from motionary.picture.poses import poses_of
from motionary.picture.primitives import mix
from motionary.rig import reference_skeleton

NUMBERS = st.floats(-50.0, 50.0)


def poses(motion):
    return poses_of(mannequin_of(motion.skeleton), motion, np.arange(motion.n_frames))


def colours(shapes):
    return [shape.fill for shape in shapes]


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=40))
def test_a_convex_hull_holds_all_points_and_turns_one_way(points):
    points = np.array(points)
    hull = _convex_hull(points)
    if len(hull) < 3:
        return  # all in one line

    edges = np.roll(hull, -1, axis=0) - hull
    for corner, edge in zip(hull, edges, strict=True):
        to_points = points - corner
        assert np.all(edge[0] * to_points[:, 1] - edge[1] * to_points[:, 0] >= -1e-6)


@given(centres=st.lists(NUMBERS, min_size=4, max_size=4), radii=st.tuples(st.floats(0.1, 20), st.floats(0.1, 20)))
def test_the_points_of_a_capsule_touch_one_of_its_circles_and_lie_in_none(centres, radii):
    places = np.array(centres).reshape(1, 2, 2)
    outline = _capsules(places, np.array([radii]))[0]
    if np.hypot(*(places[0, 1] - places[0, 0])) < abs(radii[0] - radii[1]) + 1e-6:
        return  # one circle inside the other

    gaps = np.linalg.norm(outline[:, None] - places, axis=2) - np.array(radii)  # (n, 2)

    assert np.abs(gaps).min(axis=1) == pytest.approx(0.0, abs=1e-6)
    assert gaps.min() >= -1e-6


def test_joints_are_drawn_where_the_camera_projects_them(walk):
    found = poses(walk(1))
    camera = Camera(0.4, 0.2, 120.0)
    hand = found.mannequin.skeleton.index("LeftForearm")

    shapes = figure(found, 0, camera, at=(300.0, 400.0))

    place = camera.project(found.nodes[0, hand])[:2] + np.array([300.0, 400.0])
    left = [shape.points for shape in shapes if shape.fill == PALETTE.sides["left"]]
    inside = [np.all(points.min(axis=0) <= place) and np.all(place <= points.max(axis=0)) for points in left]
    assert sum(inside) >= 2  # of upper arm and forearm


def test_left_limbs_are_blue_and_right_ones_orange(star_jump):
    found = poses(star_jump)

    shapes = figure(found, 0, Camera(0.0, 0.1, 100.0), at=(0.0, 0.0))  # from the front: its left is at our right

    mean_x = {
        side: np.mean([shape.points[:, 0].mean() for shape in shapes if shape.fill == PALETTE.sides[side]])
        for side in ("left", "right", "middle")
    }
    assert mean_x["left"] > 15.0
    assert mean_x["right"] < -15.0
    assert abs(mean_x["middle"]) < 2.0


@pytest.mark.parametrize(("azimuth", "first", "last"), [(np.pi / 2, "right", "left"), (-np.pi / 2, "left", "right")])
def test_the_near_side_is_drawn_over_the_far_side(stand, azimuth, first, last):
    found = poses(stand(reference_skeleton(), 1))

    fills = colours(figure(found, 0, Camera(azimuth, 0.1, 100.0), at=(0.0, 0.0)))

    sides = [fill for fill in fills if fill in (PALETTE.sides["left"], PALETTE.sides["right"])]
    assert (sides[0], sides[-1]) == (PALETTE.sides[first], PALETTE.sides[last])


def test_the_nose_is_over_the_face_from_the_front_and_under_the_head_from_behind(stand):
    found = poses(stand(reference_skeleton(), 1))
    nose = mix(PALETTE.sides["middle"], PALETTE.outline, 0.35)

    front, back = (colours(figure(found, 0, Camera(a, 0.1, 100.0), at=(0.0, 0.0))) for a in (0.0, np.pi))

    def last(fills, colour):
        return max(i for i, fill in enumerate(fills) if fill == colour)

    assert last(front, nose) > last(front, PALETTE.sides["middle"])
    assert last(back, nose) < last(back, PALETTE.sides["middle"])


def test_chosen_joints_have_another_colour(walk):
    found = poses(walk(1))
    skeleton = found.mannequin.skeleton
    chosen = [skeleton.index("LeftUpperArm"), skeleton.index("LeftForearm")]

    fills = colours(figure(found, 0, Camera(0.0, 0.1, 100.0), at=(0.0, 0.0), highlight=chosen))

    assert fills.count(PALETTE.highlight) == 2  # upper arm and forearm
    assert PALETTE.highlight not in colours(figure(found, 0, Camera(0.0, 0.1, 100.0), at=(0.0, 0.0)))


def test_the_shadow_of_a_high_hand_lies_on_the_ground_below_it(star_jump):
    found = poses(star_jump)
    camera = Camera(0.0, np.radians(30.0), 100.0)
    foot_parts = found.mannequin.foot_parts("left")

    (print_on_floor, *_) = shadow(found, 0, camera, ground=0.0, at=(0.0, 0.0), parts=foot_parts)
    raised = shadow(found, 0, camera, ground=0.5, at=(0.0, 0.0), parts=foot_parts)

    nodes = found.nodes[0, list(foot_parts[0].nodes)] * [1.0, 0.0, 1.0]
    seen = camera.project(nodes)[:, :2]
    assert print_on_floor.points[:, 0].mean() == pytest.approx(seen[:, 0].mean(), abs=2.0)
    assert print_on_floor.points[:, 1].mean() == pytest.approx(seen[:, 1].mean(), abs=2.0)
    assert raised[0].points - print_on_floor.points == pytest.approx(
        np.broadcast_to([0.0, -50.0 * np.cos(np.radians(30.0))], raised[0].points.shape)
    )


def test_a_planted_foot_leaves_a_print_of_its_side(walk):
    found = poses(walk(1))

    for foot, other in ((0, 1), (1, 0)):
        fills = [
            colours(planted_foot(found, 0, i, Camera(0.0), ground=0.0, at=(0, 0), floor="#ffffff"))
            for i in (foot, other)
        ]
        assert set(fills[0]).isdisjoint(fills[1])
        assert fills[0]
