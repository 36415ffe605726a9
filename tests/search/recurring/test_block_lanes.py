"""Squares in lanes against their definition, and that no tile is passed over too early."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.alignment import SINGLE
from motionary.search.recurring.block_lanes import TILE, BlockLanes, squares_reference, tile_squares


@st.composite
def points_to_compare(draw) -> tuple[np.ndarray, np.ndarray]:
    """Some points and some others of as many dimensions, of very different sizes, some of them equal."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_dimensions = draw(st.sampled_from([1, 3, 8, 17, 40, 64]))
    sizes = 10.0 ** rng.uniform(-3, 3, size=n_dimensions)
    points = rng.normal(size=(draw(st.sampled_from([1, 63, 64, 65, 150])), n_dimensions)) * sizes
    others = rng.normal(size=(3, n_dimensions)) * sizes
    if draw(st.booleans()):
        points[-1] = others[0]
    return points.astype(np.float32), others.astype(np.float32)


def compared(lanes: BlockLanes, others: np.ndarray, i: int, limit: float) -> list[np.ndarray | None]:
    """The squares of each tile; None where it was passed over."""
    out = np.empty(TILE, dtype=np.float32)
    products, own = lanes.lane_points(others)
    return [
        out.copy()
        if tile_squares(lanes.z, lanes.squares, lanes.edges, products, own, i, t, np.float32(limit), out)
        else None
        for t in range(len(lanes.z))
    ]


@given(case=points_to_compare())
def test_squares_are_those_of_the_definition_up_to_the_slack(case):
    points, others = case
    lanes = BlockLanes.of(points)
    wanted = [squares_reference(points, other, lanes.edges)[-1] for other in others]
    sizes = [(points.astype(float) ** 2).sum(axis=1) + (other.astype(float) ** 2).sum() for other in others]

    for i in range(len(others)):
        found = np.concatenate(compared(lanes, others, i, np.inf))

        slack = 8.0 * (points.shape[1] + 4) * SINGLE * sizes[i]
        assert (np.abs(found[: len(points)] - wanted[i]) <= slack).all()
        assert np.isinf(found[len(points) :]).all()


@given(case=points_to_compare(), share=st.floats(0.0, 1.5))
def test_no_tile_with_a_near_point_is_passed_over(case, share):
    points, others = case
    lanes = BlockLanes.of(points)
    largest = (points.astype(float) ** 2).sum(axis=1).max() + (others.astype(float) ** 2).sum(axis=1).max()
    slack = 8.0 * (points.shape[1] + 4) * SINGLE * largest
    wanted = squares_reference(points, others[0], lanes.edges)
    limit = share * float(np.median(wanted[-1]))

    found = compared(lanes, others, 0, limit + slack)

    for t, squares in enumerate(found):
        own = wanted[:, t * TILE : (t + 1) * TILE]
        assert (np.diff(own, axis=0) >= 0).all()  # what a few dimensions come to is never above the whole
        if (own[-1] <= limit).any():
            assert squares is not None


def test_tiles_of_several_follow_one_another():
    points = np.arange(70 * 9, dtype=np.float32).reshape(70, 9)
    one, other = BlockLanes.of(points), BlockLanes.of(points[::-1])

    both = BlockLanes.joined([one, other])

    assert (both.z == np.concatenate([one.z, other.z])).all()
    assert (both.squares == np.concatenate([one.squares, other.squares])).all()
    assert both.edges.tolist() == [0, 8, 16]
