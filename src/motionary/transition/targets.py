"""The best of many targets: any frame with a label, any way out of one segment and into the next.

What the table promises for representatives tells kinds of motion apart, but not the frames of one kind, which differ
far more. So the direct blends of those that it promises most of are scored, and only the best is made in full.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.transition.making import Maker, Transition
from motionary.transition.requests import Frame, MakeOptions

N_TRIED = 12  # pairs of frames whose direct blends are scored, of all that the table knows
ENTRY_SECS = 0.2  # between frames at which a segment may be entered
ENTRY_SHARE = 0.4  # of a segment: later nobody enters it


@dataclass(frozen=True)
class Stop:
    """Frames [start, stop) of a clip of the pool, counted from the clip's first."""

    clip: int
    start: int
    stop: int

    @property
    def n_frames(self) -> int:
        return self.stop - self.start


def entries(stops: Sequence[Stop], *, every: int = 6) -> list[Frame]:
    """Frames at which segments may be entered: their first, and some more of their first part."""
    frames = []
    for stop in stops:
        last = stop.start + max(int(ENTRY_SHARE * stop.n_frames), 1)
        frames += [Frame(stop.clip, frame) for frame in range(stop.start, last, every)]
    return frames


def promised(
    maker: Maker, sources: Sequence[Frame], targets: Sequence[Frame], kinds: np.ndarray | None = None
) -> np.ndarray:
    """The scores (S, T) that the table promises for transitions between frames; `kinds` as in `kinds_before`."""
    outs, ins = _kinds(maker, sources, 0), kinds_before(maker, targets) if kinds is None else kinds
    return np.asarray(maker.table.least[np.ix_(outs, ins)], dtype=np.float64)


def kinds_before(maker: Maker, targets: Sequence[Frame]) -> np.ndarray:
    """The representatives (T,) nearest to the seconds before frames."""
    return _kinds(maker, targets, -maker.n_frames)


def _kinds(maker: Maker, frames: Sequence[Frame], later: int) -> np.ndarray:
    """The representatives (N,) nearest to the windows that begin so much later than frames."""
    clips = np.array([frame.clip for frame in frames])
    own = np.array([frame.frame for frame in frames])
    return maker.blender.representatives(clips, maker.pool.starts[clips] + own + later)


def best_target(
    maker: Maker,
    source: Frame,
    targets: Sequence[Frame],
    *,
    options: MakeOptions,
    kinds: np.ndarray | None = None,
    n_tried: int = N_TRIED,
) -> Transition:
    """The best transition from a frame to one of these, as `best_pair`."""
    return best_pair(maker, [source], targets, options=options, kinds=kinds, n_tried=n_tried)


def best_pair(
    maker: Maker,
    sources: Sequence[Frame],
    targets: Sequence[Frame],
    *,
    options: MakeOptions,
    kinds: np.ndarray | None = None,
    n_tried: int = N_TRIED,
    n_made: int = 1,
) -> Transition:
    """The transition from one of some frames to one of others: of the `n_tried` pairs that the table promises most of,
    the `n_made` whose direct blends are best are made in full, and the best of these is taken.

    `kinds` are the targets' (`kinds_before`), if they are known already.
    """
    if not sources or not targets:
        raise UsageError("a transition needs a frame to start from and one to lead to")
    if options.method == "table":
        scores = promised(maker, sources, targets, kinds).reshape(-1)
    else:
        scores = np.zeros(len(sources) * len(targets))
    numbers = likeliest(scores, n_tried)
    numbers = numbers[np.argsort(scores[numbers], kind="stable")]  # so that worse ones are given up early
    tried = [divmod(number, len(targets)) for number in numbers.tolist()]
    if len(tried) > n_made:
        direct = maker.blender.direct_scores(sources, targets, tried, best_only=n_made == 1)
        tried = [tried[k] for k in np.argsort(direct, kind="stable")[:n_made].tolist()]
    blends = [maker.blender.blend(sources[i], targets[j], options=options) for i, j in tried]
    best = int(np.argmin([one.score.score for one in blends]))
    return maker.finish(blends[best], options=options)


def likeliest(scores: np.ndarray, n: int) -> np.ndarray:
    """The n places of the least scores, in order; of those that tie for the last, some evenly spread."""
    if len(scores) <= n:
        return np.arange(len(scores))
    last = np.partition(scores, n - 1)[n - 1]
    below, ties = np.flatnonzero(scores < last), np.flatnonzero(scores == last)
    spread = (np.arange(n - len(below)) * len(ties)) // (n - len(below))
    return np.sort(np.concatenate([below, ties[spread]]))
