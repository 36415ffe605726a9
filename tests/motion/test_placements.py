import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import UsageError
from motionary.motion import Placement, Placements, placements_between, root_placements
from strategies import motions


@st.composite
def placements(draw, *, n_frames=None):
    n = draw(st.integers(1, 8)) if n_frames is None else n_frames
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return Placements(rng.uniform(-3, 3, n), rng.uniform(-2, 2, (n, 2)))


@given(first=placements(n_frames=5), later=placements(n_frames=5))
def test_they_are_placements_frame_by_frame(first, later):
    points = np.random.default_rng(0).normal(size=(5, 4, 3))

    assert first.apply(points) == pytest.approx(np.array([first[f].apply(points[f]) for f in range(5)]))
    both = first.then(later)
    assert both.apply(points) == pytest.approx(later.apply(first.apply(points)))
    assert first.inverse().apply(first.apply(points)) == pytest.approx(points)


@given(way=placements())
def test_steps_lead_along_the_way_again(way):
    again = Placements.along(way[0], way.steps())

    assert again.thetas == pytest.approx(way.thetas)
    assert again.moves == pytest.approx(way.moves)


@given(way=placements(), moved=placements(n_frames=1))
def test_steps_do_not_know_where_the_way_lies(way, moved):
    everywhere = Placements(np.repeat(moved.thetas, len(way)), np.repeat(moved.moves, len(way), axis=0))

    steps = way.then(everywhere).steps()

    assert steps.thetas == pytest.approx(way.steps().thetas)
    assert steps.moves == pytest.approx(way.steps().moves)


@given(way=placements(), seed=st.integers(0, 99))
def test_placed_points_are_brought_back(way, seed):
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(len(way), 6, 3)), rng.uniform(0.1, 1.0, 6)

    found = placements_between(points, way.apply(points), weights)

    assert found.apply(points) == pytest.approx(way.apply(points))


@given(motion=motions())
def test_the_root_stands_at_its_placements(motion):
    way = root_placements(motion)

    assert way.moves == pytest.approx(motion.root_positions[:, [0, 2]])
    assert isinstance(way[0], Placement)


def test_what_is_no_placement_is_refused():
    with pytest.raises(UsageError, match="do not match"):
        Placements(np.zeros(3), np.zeros((2, 2)))
    with pytest.raises(UsageError, match="not finite"):
        Placements(np.array([np.nan]), np.zeros((1, 2)))
