"""Which motions of a registration may be another action after all: they were aligned, but it is not clear that they
fit."""

from collections.abc import Sequence

import numpy as np

from motionary.blend.movements import LIKE_MOVEMENT, movement_likeness, movement_of
from motionary.blend.sources import BlendSource

FAR = 0.12  # metres per pair of frames: nearer motions are not doubted
VERY_FAR = 0.20
FARTHEST = 0.22  # motions farther apart than this are doubted whatever else they have in common
SIGNS = 2  # of those below, from which on a motion is doubted: captures of one action often show one of them
FEET_APART = 0.35  # of the clock at which the feet of two motions may stand at other times
NEARLY = 0.8  # of the slope limit: a warp as steep as this has no room left
AT_LIMIT = 0.3  # of the clock at which a warp may be so steep


def doubts_of(
    sources: Sequence[BlendSource],
    curves: np.ndarray,
    slopes: np.ndarray,
    before: Sequence[int],
    costs: np.ndarray,
    *,
    slope_limit: float,
) -> tuple[str, ...]:
    """What is doubtful, a sentence for each source; `before` and `costs` are those of the registration, `curves` and
    `slopes` (N, U) its warps."""
    found = []
    for i, source in enumerate(sources):
        if before[i] < 0 or costs[i] <= FAR:
            continue
        other = sources[before[i]]
        why = [] if costs[i] <= VERY_FAR else [f"their poses stay {100.0 * costs[i]:.0f} cm apart"]
        if movement_likeness([movement_of(source), movement_of(other)])[0, 1] < LIKE_MOVEMENT:
            why.append("other parts of the body move")
        stands = [_stands(own, curves[k]) for own, k in ((source, i), (other, before[i]))]
        apart = float((stands[0] != stands[1]).mean())
        if apart > FEET_APART:
            why.append(f"their feet disagree for {100.0 * apart:.0f} % of the clock")
        steep = (slopes[i] >= NEARLY * slope_limit) | (slopes[i] <= 1.0 / (NEARLY * slope_limit))
        if steep.mean() > AT_LIMIT:
            why.append(f"the warp is at the slope limit for {100.0 * steep.mean():.0f} % of the clock")
        if len(why) >= SIGNS or costs[i] > FARTHEST:
            found.append(f"{source.name} may be another action than {other.name}: {', '.join(why)}. Check the result")
    return tuple(found)


def _stands(source: BlendSource, frames: np.ndarray) -> np.ndarray:
    """Whether the left and the right foot stand (U, 2) at frames (U,)."""
    standing = np.asarray(source.contacts.any(axis=2))
    return standing[np.clip(np.rint(frames).astype(int), 0, len(standing) - 1)]
