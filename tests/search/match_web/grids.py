"""Small grids of distances, smooth and rough, with ties."""

import numpy as np
from hypothesis import strategies as st

from motionary.search.match_web.grid import Cells, Region, valid_cells

REGION = Region(rise=0.5, least_rise=0.02, ceiling=0.8)


@st.composite
def grids(draw: st.DrawFn, largest: int = 14) -> np.ndarray:
    """Values from 0 to 1: whole steps (ties), noise, or valleys along a few slanted lines."""
    shape = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    kind = draw(st.sampled_from(["steps", "noise", "valleys", "flat"]))
    i, j = np.indices(shape)
    if kind == "steps":
        grid = rng.integers(0, 5, shape) / 5
    elif kind == "noise":
        grid = rng.uniform(0.0, 1.0, shape)
    elif kind == "flat":
        grid = np.full(shape, 0.25)
    else:
        slopes, offsets = rng.uniform(0.4, 2.2, 3), rng.uniform(-5, 5, 3)
        grid = np.min([np.abs(j - slope * i - offset) for slope, offset in zip(slopes, offsets, strict=True)], axis=0)
        grid = np.clip(grid / 4 + rng.uniform(0, 0.05, shape), 0.0, 1.0)
    return np.ascontiguousarray(grid, dtype=np.float32)


def valid(grid: np.ndarray) -> Cells:
    return valid_cells(grid, REGION)


@st.composite
def stills(draw: st.DrawFn, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Of both motions: where the still stretch that a frame is in begins and ends, −1 where there is none."""

    def of_one(n_frames: int) -> np.ndarray:
        stretches = np.full((2, n_frames), -1, dtype=np.int32)
        ends = sorted(draw(st.lists(st.integers(0, n_frames), max_size=4)))
        for start, stop in zip(ends[::2], ends[1::2], strict=False):
            stretches[0, start:stop], stretches[1, start:stop] = start, stop
        return stretches

    return of_one(shape[0]), of_one(shape[1])


def same_cells(found: Cells, expected: Cells) -> bool:
    return all(
        np.array_equal(getattr(found, name), getattr(expected, name))
        for name in ("firsts", "columns", "values", "minima")
    )
