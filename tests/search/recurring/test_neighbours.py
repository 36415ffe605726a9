"""Bounds of the nearest as bounds, and the nearest and all within a limit against the definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.recurring.neighbours import Nearest, Neighbours
from motionary.search.recurring.plain import plain_distances
from motionary.search.recurring.windows import WindowOptions, Windows
from search.recurring.made_libraries import libraries


@st.composite
def some_windows(draw) -> Windows:
    options = WindowOptions(
        descriptions=("positions",),
        length=draw(st.sampled_from([2, 7, 20])) / 30.0,
        both_sides=draw(st.booleans()),
        other_clips=draw(st.booleans()),
    )
    windows = Windows.of(draw(libraries()), options)
    return windows if len(windows.grid) else draw(some_windows())


def least(near: Nearest) -> float:
    return float(near.distances.min(initial=np.inf))


@given(windows=some_windows())
def test_bounds_hold_the_nearest_between_them(windows):
    every = np.arange(len(windows.grid))
    everywhere = np.ones(len(windows.table), dtype=bool)

    lower, near = Neighbours.of(windows).bounds(every)

    nearest = np.array([least(plain_distances(windows, window, everywhere)) for window in every])
    assert (lower <= nearest).all()
    assert (near.distances >= nearest).all()
    assert (np.isinf(near.distances) == (near.rows < 0)).all()


@given(windows=some_windows(), share=st.sampled_from([0.0, 0.5, 1.0, 2.0]), seed=st.integers(0, 99))
def test_the_nearest_within_a_limit_is_that_of_the_definition(windows, share, seed):
    rng = np.random.default_rng(seed)
    allowed = rng.random(len(windows.table)) < 0.7
    chosen = np.flatnonzero(rng.random(len(windows.grid)) < 0.5)
    wanted = [plain_distances(windows, window, allowed) for window in chosen]
    limits = np.array([share * min(least(near), 1e9) for near in wanted])

    found = Neighbours.of(windows).nearest(chosen, limits, allowed)

    for k, near in enumerate(wanted):
        if least(near) <= limits[k]:
            first = int(np.argmin(near.distances))
            assert (found.distances[k], found.rows[k]) == (near.distances[first], near.rows[first])
            assert found.mirrored[k] == near.mirrored[first]
        else:
            assert (found.distances[k], found.rows[k]) == (np.inf, -1)


@given(windows=some_windows(), share=st.sampled_from([0.5, 1.0]), seed=st.integers(0, 99))
def test_all_within_a_limit_are_those_of_the_definition(windows, share, seed):
    window = seed % len(windows.grid)
    allowed = np.random.default_rng(seed).random(len(windows.table)) < 0.7
    near = plain_distances(windows, window, allowed)
    limit = share * float(np.median(near.distances)) if len(near.rows) else 1.0
    allowed[slice(*windows.forbidden[window])] = False

    found = Neighbours.of(windows).within(int(windows.grid[window]), limit, allowed)

    wanted = near.at(near.distances <= limit)
    assert found.rows.tolist() == wanted.rows.tolist()
    assert found.distances.tolist() == wanted.distances.tolist()
    assert found.mirrored.tolist() == wanted.mirrored.tolist()
