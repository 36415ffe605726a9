"""The bound of DTW (and, with a radius of 0, of the Euclidean distance) that single frames give.

It bounds the least *sum* of a path, not its mean. With negative weights a path may visit a cell of negative cost
several times, so that a frame counts as often as it can be visited; no partial sum is a bound then.
"""

import numpy as np
from numba import njit

from motionary.alignment.envelopes import Envelope
from motionary.alignment.shapes import frames_array
from motionary.errors import UsageError


def keogh_bound(values: np.ndarray, envelope: Envelope, *, give_up_above: float = np.inf) -> float:
    """Never above DTW: every frame meets at least one of those that its envelope encloses (Keogh 2002).

    `values` are a candidate's frames, in the `query_envelope`. Once the sum is above `give_up_above` it may stop
    there, unless weights are negative.
    """
    values = frames_array(values, "the table")
    if values.shape != envelope.lower.shape:
        raise UsageError(f"{values.shape} frames and dimensions do not fit an envelope of {envelope.lower.shape}")
    if (envelope.weights < 0).any():
        give_up_above = np.inf
    return float(_keogh_bound(values, envelope.lower, envelope.upper, envelope.weights, envelope.visits, give_up_above))


def keogh_bound_reference(values: np.ndarray, envelope: Envelope) -> float:
    """What `keogh_bound` computes, from the definition."""
    nearest = (values - np.clip(values, envelope.lower, envelope.upper)) ** 2
    farthest = np.maximum((values - envelope.lower) ** 2, (values - envelope.upper) ** 2)
    least = np.sum(np.where(envelope.weights >= 0, nearest, farthest) * envelope.weights, axis=1)
    return float(np.sum(np.where(least >= 0, least, least * envelope.visits)))


@njit(cache=True, nogil=True)
def _keogh_bound(values, lower, upper, weights, visits, give_up_above):  # type: ignore[no-untyped-def]
    total = 0.0
    for f in range(values.shape[0]):
        least = 0.0
        for d in range(values.shape[1]):
            below, above = lower[f, d] - values[f, d], values[f, d] - upper[f, d]
            if weights[f, d] >= 0.0:
                gap = max(max(below, above), 0.0)
            else:  # the farther end
                gap = min(below, above)
            least += weights[f, d] * (gap * gap)
        total += least if least >= 0.0 else least * visits[f]
        if total > give_up_above:
            break
    return total
