import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.dynamics.support import (
    polygon_distance,
    polygon_distance_reference,
    support,
    touching,
    touching_reference,
)
from motionary.errors import UsageError
from motionary.motion import Motion, rotations
from motionary.rig import body_of, reference_skeleton, root_height

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])


def standing() -> Motion:
    skeleton = reference_skeleton()
    turned = np.tile(rotations.IDENTITY, (1, skeleton.n_joints, 1))
    return Motion(skeleton, 1 / 60, np.array([[0.0, root_height(skeleton), 0.0]]), turned)


@pytest.mark.parametrize(
    ("point", "distance"),
    [((0.5, 0.2), 0.0), ((1.0, 0.5), 0.0), ((1.0, 1.0), 0.0), ((2.0, 0.5), 1.0), ((2.0, 2.0), np.sqrt(2.0))],
)
def test_distances_from_a_square(point, distance):
    assert polygon_distance(np.array(point), SQUARE) == pytest.approx(distance)


def test_a_polygon_may_be_a_point_or_a_line():
    point, far = np.array([3.0, 4.0]), np.zeros(2)

    assert polygon_distance(far, point[None]) == pytest.approx(5.0)
    assert polygon_distance(far, np.array([point, point])) == pytest.approx(5.0)
    line = np.array([[1.0, 1.0], [3.0, 1.0], [2.0, 1.0]])
    assert polygon_distance(far, line) == pytest.approx(np.sqrt(2.0))
    assert polygon_distance(np.array([2.5, 1.0]), line) == 0.0
    assert polygon_distance(np.array([5.0, 1.0]), line) == pytest.approx(2.0)  # on the line, but beyond its end


coordinates = st.one_of(st.integers(-2, 2).map(float), st.floats(-2.0, 2.0, allow_subnormal=False))


@given(
    point=st.tuples(coordinates, coordinates).map(np.array),
    corners=st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=12).map(np.array),
)
def test_the_hull_is_as_far_as_its_triangles_and_lines(point, corners):
    before = corners.copy()

    assert polygon_distance(point, corners) == pytest.approx(polygon_distance_reference(point, corners), abs=1e-7)
    assert np.array_equal(corners, before)


def test_a_standing_body_stands_on_both_soles():
    motion = standing()
    body = body_of(motion.skeleton)
    contacts = np.ones((1, 2, 2), dtype=bool)

    ground = support(motion, body, contacts)

    assert ground.standing.all()
    x, z = ground.corners[0].T
    half_stance = 0.05 * 1.75
    assert (x.min(), x.max()) == pytest.approx((-half_stance - 0.04, half_stance + 0.04))
    assert z.min() == pytest.approx(-0.030 * 1.75)  # heels
    assert z.max() == pytest.approx((0.082 + 0.040) * 1.75, abs=2e-3)  # tips of the toes
    assert 0.0 <= ground.height[0] < 0.01


def test_only_what_touches_the_ground_carries():
    motion = standing()
    contacts = np.zeros((1, 2, 2), dtype=bool)
    contacts[0, 1, 1] = True  # the ball of the right foot, and its toes with it

    ground = support(motion, body_of(motion.skeleton), contacts)

    assert np.flatnonzero(ground.standing[0]).tolist() == [6, 7, 10, 11]
    assert np.all(ground.corners[0, ground.standing[0], 0] < 0.0)
    nothing = support(motion, body_of(motion.skeleton), np.zeros((1, 2, 2), dtype=bool))
    assert np.isnan(nothing.height[0])
    assert np.isnan(nothing.distances(np.zeros((1, 2)))[0])


def test_a_foot_on_its_side_has_no_width_but_a_place():
    motion = standing()
    rolled = np.array(motion.rotations)
    rolled[0, 0] = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.pi / 2)
    motion = Motion(motion.skeleton, 1 / 60, motion.root_positions, rolled)

    corners = support(motion, body_of(motion.skeleton), np.ones((1, 2, 2), dtype=bool)).corners

    assert np.isfinite(corners).all()


@pytest.mark.parametrize("contacts", [np.ones((1, 2), bool), np.ones((2, 2, 2), bool), np.ones((1, 2, 2))])
def test_other_contacts_are_refused(contacts):
    motion = standing()

    with pytest.raises(UsageError, match=r"contacts must be \(1, 2, 2\) of bool"):
        support(motion, body_of(motion.skeleton), contacts)


def test_a_foot_touches_the_ground_a_little_longer_than_it_stands():
    motion = standing()
    root = np.tile(motion.root_positions, (12, 1))
    root[:, 0] = [0.3, 0.04, 0.02, 0.0, 0.0, 0.0, 0.02, 0.04, 0.06, 0.08, 0.3, 0.03]
    motion = Motion(motion.skeleton, 1 / 60, root, np.tile(motion.rotations, (12, 1, 1)))
    contacts = np.zeros((12, 2, 2), dtype=bool)
    contacts[3:6, 0, 1] = True

    grown = touching(motion, body_of(motion.skeleton), contacts)

    assert np.flatnonzero(grown[:, 0, 1]).tolist() == [1, 2, 3, 4, 5, 6, 7]  # 5 cm, and not again once it left
    assert grown.sum() == 7


@given(seed=st.integers(0, 10_000), n_frames=st.integers(1, 40), near=st.floats(0.0, 0.5))
def test_touches_are_as_the_definition_says(seed, n_frames, near):
    rng = np.random.default_rng(seed)
    motion = standing()
    root = np.cumsum(rng.normal(0.0, 0.05, (n_frames, 3)), axis=0)
    motion = Motion(motion.skeleton, 1 / 60, root, np.tile(motion.rotations, (n_frames, 1, 1)))
    body = body_of(motion.skeleton)
    contacts = rng.random((n_frames, 2, 2)) < 0.2

    grown = touching(motion, body, contacts, near=near)

    points = body.feet.world(motion).reshape(-1, 4, 3)
    wanted = touching_reference(points, contacts.reshape(-1, 4), near)
    assert np.array_equal(grown.reshape(-1, 4), wanted)
