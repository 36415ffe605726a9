"""The best of many targets: any frame with a label, any way out of one segment and into the next."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.transition.making import Maker, Transition
from motionary.transition.requests import Frame, MakeOptions

N_TRIED = 3  # targets that are blended, of all that the table knows
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


def promised(maker: Maker, sources: Sequence[Frame], targets: Sequence[Frame]) -> np.ndarray:
    """The scores (S, T) that the table promises for transitions between frames."""
    outs, ins = _representatives(maker, sources, 0), _representatives(maker, targets, -maker.n_frames)
    return np.asarray(maker.table.scores[np.ix_(outs, ins)], dtype=np.float64)


def _representatives(maker: Maker, frames: Sequence[Frame], later: int) -> np.ndarray:
    """The representatives (N,) nearest to the windows that begin so much later than frames."""
    clips = np.array([frame.clip for frame in frames])
    own = np.array([frame.frame for frame in frames])
    return maker.blender.representatives(clips, maker.pool.starts[clips] + own + later)


def best_target(
    maker: Maker, source: Frame, targets: Sequence[Frame], *, options: MakeOptions, n_tried: int = N_TRIED
) -> Transition:
    """The best transition from a frame to one of these: those that the table promises most of are made."""
    return best_pair(maker, [source], targets, options=options, n_tried=n_tried)


def best_pair(
    maker: Maker,
    sources: Sequence[Frame],
    targets: Sequence[Frame],
    *,
    options: MakeOptions,
    n_tried: int = N_TRIED,
) -> Transition:
    """The best transition from one of some frames to one of others."""
    if not sources or not targets:
        raise UsageError("a transition needs a frame to start from and one to lead to")
    if options.method == "table":
        scores = promised(maker, sources, targets)
    else:
        scores = np.zeros((len(sources), len(targets)))
    order = np.argsort(scores, axis=None, kind="stable")[:n_tried]
    tried = [(sources[number // len(targets)], targets[number % len(targets)]) for number in order.tolist()]
    blends = [maker.blender.blend(source, target, options=options) for source, target in tried]
    best = int(np.argmin([one.score.score for one in blends]))
    return maker.finish(blends[best], options=options)
