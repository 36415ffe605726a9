import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.transition import Frame, MakeOptions
from motionary.transition.standing import (
    sources_stand,
    sources_stand_reference,
    stand_longer,
    stand_longer_reference,
)
from transition.test_making import small_maker
from transition.test_planting import made_up_blends

LEFT_HEEL, RIGHT_HEEL = 0, 2


@given(blend=made_up_blends())
def test_sources_stand_where_their_plants_say(blend):
    windows, which, n_sources, n, work = blend
    stands = np.zeros(n, dtype=np.bool_)

    sources_stand(windows, which, n_sources, n, work, stands)

    np.testing.assert_array_equal(stands, sources_stand_reference(*blend))


@given(st.integers(0, 2**32 - 1), st.integers(3, 40), st.integers(0, 6))
def test_plants_go_on_as_the_definition_says(seed, n, n_pieces):
    rng = np.random.default_rng(seed)
    points = rng.integers(4, size=n_pieces)
    starts = rng.integers(n - 2, size=n_pieces)
    spans = np.stack([starts, np.minimum(starts + rng.integers(2, 9, n_pieces), n)], axis=1)
    places = np.round(rng.normal(0.0, 0.08, (n_pieces, 3)), 1)  # some of them the same
    stands, soles = rng.random(n) < 0.7, np.round(rng.normal(0.0, 0.08, (n, 6, 3)), 1)
    before = spans.copy()

    found = stand_longer(points, spans, places, stands, soles)

    np.testing.assert_array_equal(found, stand_longer_reference(points, spans, places, stands, soles))
    np.testing.assert_array_equal(spans, before)


@pytest.mark.parametrize(("n_standing", "expected"), [(6, [[0, 9], [12, 20]]), (3, [[0, 6], [12, 20]])])
def test_a_gap_is_closed_if_sources_stand_in_most_of_it(n_standing, expected):
    """Frames [6, 12) are free. The left heel has to be elsewhere from 15 on, so it can stay until 9 at most."""
    points, places = np.array([LEFT_HEEL, RIGHT_HEEL, LEFT_HEEL]), np.array([[0.0, 0.0, 0.0], [9, 0, 0], [5, 0, 0]])
    spans = np.array([[0, 6], [12, 20], [15, 20]])
    stands = np.arange(20) < 6 + n_standing
    soles = np.zeros((20, 6, 3))  # the right heel is out of reach

    longer = stand_longer(points, spans, places, stands, soles)

    assert longer[:2].tolist() == expected
    assert longer[2].tolist() == [15, 20]


def test_a_blend_has_the_plants_that_go_on():
    maker, drawn = small_maker(), np.random.default_rng(2).integers([0, 20, 0, 40], [3, 110, 3, 140], size=(30, 4))
    free = []

    for a, b, c, d in drawn.tolist():
        poses = maker.make(Frame(a, b), Frame(c, d), options=MakeOptions(lead_secs=0.0)).blend
        planted = np.zeros(poses.n_frames, dtype=np.bool_)
        for start, stop in poses.spans.tolist():
            planted[start:stop] = True
        free.append(~planted)

    assert np.concatenate(free).mean() < 0.13  # 0.145 as they were chosen
