"""Smoothed derivatives over time, as balance needs them: low-passed and differentiated in one step.

The low-pass is the zero-lag Butterworth filter that biomechanics uses, second order run forwards and backwards:
H = 1 / (1 + (f/f₀)⁴), with f₀ such that H = 1/√2 at the cutoff (Winter): 6 Hz at 30 frames a second and above; below, a
fifth of the frame rate. Its derivative is cut at 0.9 of the cutoff's period to either side (0.15 s; 5 frames at 30 Hz
and below) and corrected so that cubic curves are differentiated exactly. Nearer to the ends than that, a cubic curve
fitted to the 0.3 s at the end is differentiated instead; motions shorter than that are one such curve, of as high a
degree up to 3 as they have frames for. So a parabola, a body in free fall, is exact in every frame.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np
from numba import njit

from motionary.errors import UsageError

CUTOFF_HZ = 6.0
CUTOFF_OF_RATE = 0.2  # the highest cutoff, as a share of the frame rate
REACH = 0.9  # of the period of the cutoff
DEGREE = 3
N_FREQUENCIES = 4096


@dataclass(frozen=True, eq=False)
class Derivative:
    """A smoothed derivative over a fixed number of frames: for each frame the frames that count, and their weights."""

    order: int  # 1: velocity, 2: acceleration; 0 smooths only
    frame_time: float
    starts: np.ndarray  # (F,) int32, the first frame that counts
    weights: np.ndarray  # (F, W) of the W frames from there

    @property
    def n_frames(self) -> int:
        return len(self.starts)

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """The derivative of `values` (F, ...) over time, of the same shape."""
        values = np.asarray(values, dtype=np.float64)
        if len(values) != self.n_frames:
            raise UsageError(f"a derivative over {self.n_frames} frames cannot take {len(values)}")
        columns = np.ascontiguousarray(values.reshape(len(values), -1))
        out = np.empty_like(columns)
        weigh_frames(columns, self.starts, self.weights, out)
        return out.reshape(values.shape)


def smoothed_derivative(values: np.ndarray, *, order: int, frame_time: float) -> np.ndarray:
    """The derivative of `values` (F, ...) over time: 1 velocity, 2 acceleration, 0 only smoothed."""
    return derivative(order, frame_time=frame_time, n_frames=len(values))(values)


@lru_cache(maxsize=64)
def derivative(order: int, *, frame_time: float, n_frames: int) -> Derivative:
    """The smoothed derivative of an order from 0 to 2 over `n_frames` frames, `frame_time` seconds apart."""
    if order not in (0, 1, 2):
        raise UsageError(f"the order of a derivative must be 0, 1 or 2, not {order}")
    if not (np.isfinite(frame_time) and frame_time > 0):
        raise UsageError(f"a frame time of {frame_time} s is not possible; it must be above 0")
    reach = int(np.ceil(REACH / (_cutoff(frame_time) * frame_time) - 1e-3))
    width = min(2 * reach + 1, n_frames)
    starts = np.clip(np.arange(n_frames) - reach, 0, n_frames - width).astype(np.int32)
    near_end = _polynomial(order, frame_time, width)
    weights = near_end[np.arange(n_frames) - starts]
    if width == 2 * reach + 1:
        weights[reach : n_frames - reach] = _taps(order, frame_time, reach)
    for array in (starts, weights):
        array.flags.writeable = False
    return Derivative(order, frame_time, starts, weights)


def _cutoff(frame_time: float) -> float:
    return min(CUTOFF_HZ, CUTOFF_OF_RATE / frame_time)


def _taps(order: int, frame_time: float, reach: int) -> np.ndarray:
    """The filter's weights: the nearest to its frequency response that are exact on cubic curves."""
    angles = (np.arange(N_FREQUENCIES) + 0.5) * np.pi / N_FREQUENCIES  # radians per frame
    passed = (np.sqrt(2.0) - 1.0) * (angles / (2.0 * np.pi * _cutoff(frame_time) * frame_time)) ** 4
    response = (angles / frame_time) ** order / (1.0 + passed)
    frames = np.arange(-reach, reach + 1)
    waves = (np.cos, np.sin, lambda a: -np.cos(a))[order](np.outer(frames, angles))  # of i^order
    taps = waves @ response / N_FREQUENCIES
    powers = frames[None, :].astype(float) ** np.arange(DEGREE + 1)[:, None]  # (4, 2R + 1)
    wanted = np.zeros(DEGREE + 1)
    wanted[order] = factorial(order) / frame_time**order
    return taps + np.linalg.pinv(powers) @ (wanted - powers @ taps)


def _polynomial(order: int, frame_time: float, n_frames: int) -> np.ndarray:
    """Weights (F, F) that differentiate, in each frame, the cubic curve fitted to all of them."""
    degree = min(DEGREE, n_frames - 1)
    middle, half = 0.5 * (n_frames - 1), max(0.5 * (n_frames - 1), 0.5)
    times = (np.arange(n_frames) - middle) / half
    rows = np.zeros((n_frames, degree + 1))
    for power in range(order, degree + 1):
        rows[:, power] = factorial(power) / factorial(power - order) * times ** (power - order)
    return rows @ np.linalg.pinv(np.vander(times, degree + 1, increasing=True)) / (half * frame_time) ** order


def weigh_frames_reference(values: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What `weigh_frames` computes: the weighted sums (F, C) of the frames that count."""
    width = weights.shape[1]
    return np.stack([row @ values[s : s + width] for s, row in zip(starts, weights, strict=True)])


@njit(cache=True, nogil=True)
def weigh_frames(values, starts, weights, out):  # type: ignore[no-untyped-def]
    """Write into `out` (F, C) the weighted sums of rows of `values` (F, C), three at a time to spare memory."""
    n_frames, n_columns = out.shape
    width = weights.shape[1]
    threes = width - width % 3
    for f in range(n_frames):
        for c in range(n_columns):
            out[f, c] = 0.0
        start = starts[f]
        for i in range(0, threes, 3):
            u, v, w = weights[f, i], weights[f, i + 1], weights[f, i + 2]
            row = start + i
            for c in range(n_columns):
                out[f, c] += u * values[row, c] + v * values[row + 1, c] + w * values[row + 2, c]
        for i in range(threes, width):
            w = weights[f, i]
            for c in range(n_columns):
                out[f, c] += w * values[start + i, c]
