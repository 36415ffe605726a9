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
