"""From strengths in every frame to labelled intervals, and where labels contend for the same frames."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, slots=True)
class Claim:
    """An interval of a clip that a label claims; frames at the search rate, labels and examples by number."""

    start: int
    stop: int
    label: int
    strength: float  # the mean over its frames
    example: int  # the one that is nearest in most of its frames
    rival: int = -1  # another label that would be strong enough here, if it were alone
    rival_strength: float = 0.0  # beside this one
    undecided: bool = False  # the rival is too near for either to win


def exclusive_claims(
    strengths: np.ndarray,
    alone: np.ndarray,
    nearest: np.ndarray,
    *,
    free: np.ndarray,
    threshold: float,
    margin: float,
    least_frames: np.ndarray,
) -> list[Claim]:
    """The claims of labels of which a frame has one at most, in order: the strongest has it.

    `strengths` (F, L) are those beside each other, `alone` (F, L) as if there were no others, `nearest` (F, L) the
    examples. Only `free` (F,) frames can be claimed, from `threshold` on. Where the second is not weaker by `margin`,
    the claim is undecided. Claims shorter than the `least_frames` (E,) of their example are none.
    """
    if not strengths.shape[1]:
        return []
    frames = np.arange(len(strengths))
    order = np.argsort(-strengths, axis=1, kind="stable")
    first = order[:, 0]
    second = strengths[frames, order[:, 1]] if strengths.shape[1] > 1 else np.zeros(len(frames))
    strongest = strengths[frames, first]
    undecided = strongest - second < margin
    state = np.where(free & (strongest >= threshold), 2 * first + undecided, -1)
    claims = [
        _claim(
            start,
            stop,
            int(first[start]),
            strengths,
            alone,
            nearest,
            threshold=threshold,
            undecided=bool(undecided[start]),
        )
        for start, stop in _runs(state)
        if state[start] >= 0
    ]
    return _long_enough(claims, least_frames)


def shared_claims(
    alone: np.ndarray, nearest: np.ndarray, *, free: np.ndarray, threshold: float, least_frames: np.ndarray
) -> list[Claim]:
    """The claims of labels that may share frames, by start: unlike those of `exclusive_claims`, they need not win.

    `free` (F, L) says which label may have which frame.
    """
    claims = []
    for label in range(alone.shape[1]):
        state = np.where(free[:, label] & (alone[:, label] >= threshold), label, -1)
        claims += [
            _claim(start, stop, label, alone, alone, nearest, threshold=threshold, undecided=False)
            for start, stop in _runs(state)
            if state[start] >= 0
        ]
    return sorted(_long_enough(claims, least_frames), key=lambda claim: (claim.start, claim.stop, claim.label))


def _claim(
    start: int,
    stop: int,
    label: int,
    strengths: np.ndarray,
    alone: np.ndarray,
    nearest: np.ndarray,
    *,
    threshold: float,
    undecided: bool,
) -> Claim:
    """The claim of a label on frames [start, stop), with its strongest rival."""
    examples = nearest[start:stop, label]
    others = np.where(np.arange(alone.shape[1]) == label, -1.0, alone[start:stop].mean(axis=0))
    rival = int(np.argmax(others))
    contends = undecided or others[rival] >= threshold
    means = strengths[start:stop].mean(axis=0)
    return Claim(
        start,
        stop,
        label,
        float(min(means[label], 1.0)),
        int(np.argmax(np.bincount(examples))),
        rival if contends else -1,
        float(means[rival]) if contends else 0.0,
        undecided,
    )


def _long_enough(claims: list[Claim], least_frames: np.ndarray) -> list[Claim]:
    return [claim for claim in claims if claim.stop - claim.start >= least_frames[claim.example]]


def _runs(state: np.ndarray) -> list[tuple[int, int]]:
    """The intervals in which the state (F,) stays the same."""
    if not len(state):
        return []
    cuts = np.flatnonzero(np.diff(state)) + 1
    bounds = [0, *cuts.tolist(), len(state)]
    return list(pairwise(bounds))
