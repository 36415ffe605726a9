import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import Motion
from motionary.picture import Ellipse, Polygon, Polyline, SpaceCurve, Text, space_plot
from motionary.picture.space_bodies import APART, AWAY, FREE, bodies_beside, landmarks
from motionary.rig import reference_skeleton


def standing(n_frames):
    skeleton = reference_skeleton()
    turns = np.zeros((n_frames, len(skeleton.names), 4))
    turns[..., 0] = 1.0
    return Motion(skeleton, 1 / 30, np.tile([0.0, 1.0, 0.0], (n_frames, 1)), turns)


@given(seed=st.integers(0, 10**6), n=st.integers(0, 60))
def test_landmarks_are_apart_and_nothing_is_far_from_all(seed, n):
    places = np.random.default_rng(seed).uniform(0, 800, (n, 2))

    chosen = landmarks(places)

    gaps = np.linalg.norm(places[:, None] - places[chosen], axis=-1)  # (n, chosen)
    assert all(gaps[a, i] >= APART for i in range(len(chosen)) for a in chosen if a != chosen[i])
    assert len(chosen) == 9 or n == 0 or gaps.min(axis=1).max() < APART


def test_bodies_stand_beside_their_places_and_not_on_labels():
    page = np.array([[300.0, 300.0], [310.0, 300.0], [600.0, 300.0]])
    label = page[2] + [AWAY, 0.0]

    shapes = bodies_beside([standing(3)], [page], taken=label[None])

    pointers = [shape.points for shape in shapes if isinstance(shape, Polyline)]
    assert len(pointers) == 2
    assert any(isinstance(shape, Polygon) for shape in shapes)
    for place, centre in pointers:
        assert place.tolist() in page.tolist()
        assert np.linalg.norm(centre - label) >= min(FREE, np.linalg.norm(place - label))


def test_a_picture_with_bodies_keeps_to_its_page():
    curve = np.cumsum(np.random.default_rng(0).standard_normal((40, 3)), axis=0)

    drawing = space_plot([SpaceCurve("a", curve, motion=standing(40))], shares=(0.5, 0.25, 0.125))

    assert "1: 50%" in [shape.text for shape in drawing.primitives if isinstance(shape, Text)]
    limbs = np.concatenate([shape.points for shape in drawing.primitives if isinstance(shape, Polygon)])
    assert (limbs >= 0).all()
    assert (limbs <= (drawing.width, drawing.height)).all()


def test_more_curves_than_colours_have_their_own():
    many = [SpaceCurve(str(i), np.full((1, 3), float(i))) for i in range(20)]

    dots = [shape.fill for shape in space_plot(many).primitives if isinstance(shape, Ellipse)]

    assert len(set(dots)) == 20
