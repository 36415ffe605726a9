import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.picture import Camera, Row
from motionary.picture.camera import AZIMUTH_FROM_FACING, view_azimuth
from motionary.picture.scene import scenes_of

ANGLES = st.floats(-7.0, 7.0)


def test_a_point_is_projected_as_the_formula_says():
    camera = Camera(0.0, np.radians(30.0), 100.0)  # looks from +z

    assert camera.project(np.array([1.0, 0.0, 0.0])) == pytest.approx([100.0, 0.0, 0.0])
    assert camera.project(np.array([0.0, 1.0, 0.0])) == pytest.approx([0.0, -86.6025404, 50.0])
    assert camera.project(np.array([0.0, 0.0, 1.0])) == pytest.approx([0.0, 50.0, 86.6025404])


@given(azimuth=ANGLES, elevation=st.floats(-1.5, 1.5))
def test_the_axes_are_orthonormal_and_right_handed(azimuth, elevation):
    axes = Camera(azimuth, elevation).axes

    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


@given(facing=ANGLES)
def test_named_views_show_what_their_names_say(facing):
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])

    seen = {view: Camera(facing + angle, 0.0).project(ahead) for view, angle in AZIMUTH_FROM_FACING.items()}

    assert seen["front"] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    assert seen["back"] == pytest.approx([0.0, 0.0, -1.0], abs=1e-9)
    assert seen["side"] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert seen["other-side"] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-9)
    assert seen["three-quarter"] == pytest.approx([np.sqrt(0.5), 0.0, np.sqrt(0.5)], abs=1e-9)


@given(direction=ANGLES)
def test_a_walk_is_seen_from_the_side_going_right_wherever_it_goes(walk, direction):
    scene = scenes_of([Row(walk(direction=direction))], "auto")[0]

    path = scene.path()[-1]

    assert path[0] > 0.9 * 1.3 * 59 / 30


def test_arms_that_swing_sideways_are_seen_from_the_front(star_jump):
    camera = scenes_of([Row(star_jump)], "auto")[0].camera

    assert abs(camera.azimuth) <= np.radians(45.0)


def test_an_unknown_view_names_the_known_ones():
    with pytest.raises(UsageError, match="'top' is not a view; choose auto, side, three-quarter, front"):
        view_azimuth("top", [])
