"""Samples of a parametric motion: parameters of many blends, and interpolation of weights between them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.parametric.measures import Parameter

DELTA = 0.1  # how far weights may lie outside of 0 to 1
WIDENED = 0.2  # of the box around the examples' parameters
NEAREST = 12
WEIGHT_STEPS = 8192  # weights of samples are whole numbers of so many parts of 1, as they are stored
VALUE_STEPS = 64  # and parameters of so many parts of their tolerance
MOST_STEPS = 65535


@dataclass(frozen=True, eq=False)
class Samples:
    """Parameters of blends that were tried, and the weights that gave them; the examples are the first."""

    values: np.ndarray  # (S, D) parameters
    weights: np.ndarray  # (S, N)
    scales: np.ndarray  # (D,) tolerances
    turns: np.ndarray  # (D,) 2π for angles, 0 for others

    @property
    def n_bytes(self) -> int:
        """As they are stored."""
        return sum(array.nbytes for array in packed_samples(self))

    def distances(self, point: np.ndarray) -> np.ndarray:
        """(S,) how far the samples are from a point, in tolerances."""
        return np.asarray(np.linalg.norm(differences(self.values, point, self.turns) / self.scales, axis=1))

    def interpolated(self, point: np.ndarray, k: int = NEAREST) -> np.ndarray:
        """Weights (N,) for a point: the mean of its k nearest samples' by 1/D − 1/D_k: always in the region."""
        out = np.empty(self.weights.shape[1])
        room = np.empty((2, min(k, len(self.values))))
        _interpolate(self.values, self.weights, self.scales, self.turns, point, room, out)
        return out

    def interpolated_reference(self, point: np.ndarray, k: int = NEAREST) -> np.ndarray:
        """What `interpolated` computes, from the definition."""
        distances = self.distances(point)
        nearest = np.argsort(distances, kind="stable")[: min(k, len(distances))]
        near = distances[nearest]
        if near[0] == 0.0:
            return self.weights[nearest[0]]
        shares = 1.0 / near - 1.0 / near[-1]
        if shares.sum() <= 0.0:
            shares = np.ones(len(near))
        return np.asarray(shares / shares.sum() @ self.weights[nearest])


def differences(values: np.ndarray, point: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Values minus a point, angles by the shorter way round."""
    off = np.asarray(values - point, dtype=float)
    angles = turns > 0.0
    if angles.any():
        off[..., angles] = (off[..., angles] + 0.5 * turns[angles]) % turns[angles] - 0.5 * turns[angles]
    return off


def draw_samples(
    examples: np.ndarray,
    measure: Callable[[np.ndarray], np.ndarray],
    parameters: Sequence[Parameter],
    *,
    n_draws: int = 1000,
    delta: float = DELTA,
    rng: np.random.Generator,
    allowed: Callable[[np.ndarray], np.ndarray] = lambda weights: weights,
) -> Samples:
    """Samples from the examples' parameters (N, D) on (Kovar & Gleicher 2004, sec. 4): blends of d + 1 examples that
    are near a random point, by random weights; kept unless a sample is closer than the tolerance.

    `measure` gives the parameters (D,) of a blend by weights (N,); `allowed` gives the weights to take in their place.
    """
    n_examples, n_dims = examples.shape
    scales = np.array([parameter.tolerance for parameter in parameters])
    turns = np.array([2.0 * np.pi if parameter.wraps else 0.0 for parameter in parameters])
    values, weights = np.zeros((n_examples + n_draws, n_dims)), np.zeros((n_examples + n_draws, n_examples))
    values[:n_examples], weights[:n_examples] = examples, np.eye(n_examples)
    n = n_examples
    low, high = examples.min(axis=0), examples.max(axis=0)
    room = 0.5 * WIDENED * (high - low)
    n_mixed = min(n_dims + 1, n_examples)
    scaled = values / scales
    for _ in range(n_draws):
        point = rng.uniform(low - room, high + room)
        away = np.linalg.norm(differences(examples, point, turns) / scales, axis=1)
        near = np.argpartition(away, n_mixed - 1)[:n_mixed] if n_mixed < n_examples else np.arange(n_examples)
        shares = np.zeros(n_examples)
        shares[rng.permutation(near)] = random_weights(n_mixed, delta, rng)
        shares = _whole_steps(allowed(shares))
        got = measure(shares)
        off = scaled[:n] - got / scales
        if turns.any():
            off = differences(values[:n], got, turns) / scales
        if n and float(np.einsum("ij,ij->i", off, off).min()) < 1.0:
            continue
        values[n], scaled[n], weights[n] = got, got / scales, shares
        n += 1
    low, step = _value_steps(values[:n], scales)
    values[n_examples:n] = low + step * _steps_of(values[n_examples:n], low, step)
    return Samples(values[:n].copy(), weights[:n].copy(), scales, turns)


def packed_samples(samples: Samples) -> tuple[np.ndarray, ...]:
    """The arrays that samples are stored as: the least values (D,) and their steps (D,), values (S, D) in these steps,
    how many examples each uses (S,), which (U,), and their weights, but for the last of each sample: what is left of 1.
    """
    low, step = _value_steps(samples.values, samples.scales)
    rows, used = np.nonzero(samples.weights)
    last = np.append(np.diff(rows) > 0, True)
    shares = np.rint(WEIGHT_STEPS * samples.weights[rows, used])[~last]
    return (
        low,
        step,
        _steps_of(samples.values, low, step).astype(np.uint16),
        np.bincount(rows, minlength=len(samples.values)).astype(np.uint8),
        used.astype(np.uint8 if samples.weights.shape[1] <= 256 else np.uint16),
        shares.astype(np.int16),
    )


def unpacked_samples(
    packed: Sequence[np.ndarray], examples: np.ndarray, scales: np.ndarray, turns: np.ndarray
) -> Samples:
    """The samples that were stored as these arrays; the first are the examples (N, D)."""
    low, step, counted, n_used, used, stored = packed
    values = low + step * counted
    values[: len(examples)] = examples
    weights = np.zeros((len(values), len(examples)))
    rows = np.repeat(np.arange(len(values)), n_used)
    last = np.append(np.diff(rows) > 0, True)
    shares = np.zeros(len(used))
    shares[~last] = stored / WEIGHT_STEPS
    shares[last] = 1.0 - np.bincount(rows, shares, minlength=len(values))
    weights[rows, used] = shares
    return Samples(values, weights, scales, turns)


def _whole_steps(weights: np.ndarray) -> np.ndarray:
    """Weights (N,) in whole steps, that sum to 1."""
    counted = np.rint(WEIGHT_STEPS * weights)
    counted[np.argmax(counted)] += WEIGHT_STEPS - counted.sum()
    return np.asarray(counted / WEIGHT_STEPS)


def _value_steps(values: np.ndarray, scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least values (D,), and the steps (D,) in which values are stored."""
    low = values.min(axis=0)
    return low, np.maximum(scales / VALUE_STEPS, (values.max(axis=0) - low) / MOST_STEPS)


def _steps_of(values: np.ndarray, low: np.ndarray, step: np.ndarray) -> np.ndarray:
    return np.rint((values - low) / step)


def random_weights(n: int, delta: float, rng: np.random.Generator) -> np.ndarray:
    """Weights (n,) from −delta to 1 + delta that sum to 1: each in turn from what is left, the last is the rest."""
    weights, total = np.empty(n), 0.0
    for i in range(n - 1):
        low, high = max(-delta, -delta - total), min(1.0 + delta, 1.0 + delta - total)
        weights[i] = rng.uniform(low, high)
        total += weights[i]
    weights[n - 1] = 1.0 - total
    return weights


@njit(cache=True, nogil=True)
def _interpolate(values, weights, scales, turns, point, room, out):  # type: ignore[no-untyped-def]
    """Blend weights (N,) at a point; `room` (2, k) holds the nearest samples' distances and numbers."""
    n_samples, n_dims = values.shape
    k = room.shape[1]
    n = 0
    for s in range(n_samples):
        square = 0.0
        for d in range(n_dims):
            off = values[s, d] - point[d]
            if turns[d] > 0.0:
                off -= turns[d] * np.floor(off / turns[d] + 0.5)
            off /= scales[d]
            square += off * off
        distance = np.sqrt(square)
        if n == k and distance >= room[0, k - 1]:
            continue
        at = n if n < k else k - 1  # insert in order
        while at > 0 and room[0, at - 1] > distance:
            room[0, at], room[1, at] = room[0, at - 1], room[1, at - 1]
            at -= 1
        room[0, at], room[1, at] = distance, s
        n = min(n + 1, k)
    out[:] = 0.0
    if room[0, 0] == 0.0:
        s = int(room[1, 0])
        for i in range(len(out)):
            out[i] = weights[s, i]
        return
    total = 0.0
    for r in range(k):
        total += 1.0 / room[0, r] - 1.0 / room[0, k - 1]
    for r in range(k):
        share = (1.0 / room[0, r] - 1.0 / room[0, k - 1]) / total if total > 0.0 else 1.0 / k
        s = int(room[1, r])
        for i in range(len(out)):
            out[i] += share * weights[s, i]
