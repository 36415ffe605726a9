"""Queries and candidates for the tests of distances and bounds, the nasty ones included."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

SHAPES = ("smooth", "ties", "constant", "spikes", "copy")


@dataclass(frozen=True, eq=False)
class Case:
    """A query, a candidate of the same length, weights or thresholds and radii by query frame."""

    query: np.ndarray  # (n, D)
    candidate: np.ndarray  # (n, D)
    weights: np.ndarray  # (n, D)
    thresholds: np.ndarray  # (n, D)
    radii: np.ndarray  # (n,)
    rng: np.random.Generator

    @property
    def n_frames(self) -> int:
        return len(self.query)

    @property
    def slack(self) -> float:
        """What rounding may do to any sum over this case."""
        span = np.abs(self.query).max() + np.abs(self.candidate).max()
        return 1e-12 * (1.0 + self.n_frames**2 * np.abs(self.weights).max() * self.query.shape[1] * span**2)


def table(rng: np.random.Generator, shape: str, n_frames: int, n_dimensions: int) -> np.ndarray:
    """Frames of one kind."""
    if shape == "constant":
        return np.tile(rng.normal(size=n_dimensions), (n_frames, 1))
    if shape == "ties":
        return rng.integers(-2, 3, size=(n_frames, n_dimensions)).astype(float)
    values = np.cumsum(rng.normal(size=(n_frames, n_dimensions)), axis=0)
    if shape == "spikes":
        values[rng.integers(n_frames), rng.integers(n_dimensions)] += rng.choice([-1e3, 1e3])
    return values


@st.composite
def search_cases(draw: DrawFn, *, negative: bool = True, max_frames: int = 12, max_dimensions: int = 4) -> Case:
    """Cases of every kind; with `negative`, some weights are below 0."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_frames, n_dimensions = draw(st.integers(1, max_frames)), draw(st.integers(1, max_dimensions))
    query = table(rng, draw(st.sampled_from(SHAPES[:4])), n_frames, n_dimensions)
    shape = draw(st.sampled_from(SHAPES))
    candidate = query.copy() if shape == "copy" else table(rng, shape, n_frames, n_dimensions)
    signs = [0.0, 0.5, 1.0, 3.0, *((-0.3, -2.0) if negative else ())]
    rows = (n_frames if draw(st.booleans()) else 1, n_dimensions)
    weights = np.broadcast_to(rng.choice(signs, size=rows), query.shape)
    choices = draw(st.sampled_from([(1.0,), (0.0, 1.0), (0.5, np.inf), (-0.5, 1.0, np.inf), (-1.0, -0.3), (-2.0, 2.0)]))
    thresholds = np.array(np.broadcast_to(rng.choice(choices, size=rows), query.shape))
    if np.isinf(thresholds).all():
        thresholds[rng.integers(n_frames), 0] = 0.7
    widest = draw(st.integers(0, 6))
    varying = rng.integers(0, widest + 1, size=n_frames)
    radii = varying if draw(st.booleans()) else np.full(n_frames, widest)
    return Case(query, candidate, np.array(weights), thresholds, radii, rng)


@st.composite
def cuts(draw: DrawFn, n_frames: int) -> np.ndarray:
    """Edges of rectangles over so many frames."""
    inner = draw(st.sets(st.integers(1, n_frames - 1))) if n_frames > 1 else set()
    return np.array([0, *sorted(inner), n_frames])
