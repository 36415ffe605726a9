"""Uniform scaling: a query played slower or faster, at every whole number of frames.

For every length p the query is resampled to p frames, as rotations by whoever has them, and compared as it is with
p frames of a candidate; the sum is multiplied by n / p, so that all lengths compete fairly.
"""

from collections.abc import Sequence

import numpy as np

from motionary.alignment.envelopes import Envelope
from motionary.alignment.frame_bounds import keogh_bound
from motionary.errors import UsageError

WHOLE_WITHIN = 1e-9  # n (1 − s) is meant to be whole where it is nearly so


def scaled_lengths(n_frames: int, share: float) -> range:
    """All lengths from ⌈n (1 − s)⌉ to ⌊n (1 + s)⌋; at least one frame, and always n itself."""
    if not 0 <= share < 1:
        raise UsageError(f"scale must be at least 0 and below 1, not {share}")
    least = int(np.ceil(n_frames * (1.0 - share) - WHOLE_WITHIN))
    most = int(np.floor(n_frames * (1.0 + share) + WHOLE_WITHIN))
    return range(max(least, 1), most + 1)


def sampled_frames(n_frames: int, length: int) -> np.ndarray:
    """Where (p,) in n frames the frames of a query resampled to `length` lie: ends on ends, evenly between."""
    if length == 1:
        return np.zeros(1)
    return np.arange(length) * ((n_frames - 1) / (length - 1))


def sampled_rows(values: np.ndarray, length: int) -> np.ndarray:
    """Radii, thresholds or weights (n, ...) of the query resampled to `length` frames: those of the nearest frame.

    They are not blended: a don't-care, or an exclusion, has no middle.
    """
    values = np.asarray(values)
    return values[np.floor(sampled_frames(len(values), length) + 0.5).astype(int)]


def scaled_envelope(envelopes: Sequence[Envelope]) -> Envelope:
    """What candidate frame j may meet at any length: the union of the `query_envelope`s of all resampled queries.

    It has as many frames as the shortest: only those are compared at every length. (The printed envelope covers
    only the largest stretch; and one that follows from the query's own frames alone would not hold for poses that
    were interpolated as rotations.)
    """
    n_frames = min(envelope.n_frames for envelope in envelopes)
    return Envelope(
        np.min([envelope.lower[:n_frames] for envelope in envelopes], axis=0),
        np.max([envelope.upper[:n_frames] for envelope in envelopes], axis=0),
        np.min([envelope.weights[:n_frames] for envelope in envelopes], axis=0),
        np.max([envelope.visits[:n_frames] for envelope in envelopes], axis=0),
    )


def scaled_bound(candidate: np.ndarray, envelope: Envelope, *, n_frames: int, longest: int) -> float:
    """Never above the best length's distance: the bound of the frames that all lengths have, times n / p at its least.

    `envelope` is the `scaled_envelope` of all lengths up to `longest`, `n_frames` the query's own number. Weights
    must not be negative: frames beyond the shortest length could pull the sum down.
    """
    if (envelope.weights < 0).any():
        raise UsageError("a bound for all scales needs weights that are not negative")
    return keogh_bound(candidate[: envelope.n_frames], envelope) * (n_frames / longest)
