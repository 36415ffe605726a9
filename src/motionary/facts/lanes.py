"""The curves of a clip, as many numbers long as a timeline has room for."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.facts.describing import ClipFacts, describe
from motionary.feet import score_segments
from motionary.plants import FEET


@dataclass(frozen=True, eq=False)
class Lanes:
    """What a clip does in each of B buckets of its frames."""

    n_frames: int
    speed: np.ndarray  # (B,) m/s, the fastest frame of each; NaN where no frame has a speed
    contacts: np.ndarray  # (B, 2) the share of frames in which the left and the right foot stand; (B, 0) without feet
    score: np.ndarray  # (B,) metres, the worst frame of each: plant error plus ZMP error; NaN where there is neither

    def as_json(self) -> dict[str, Any]:
        return {
            "frames": self.n_frames,
            "buckets": len(self.speed),
            "speed": _rounded(self.speed),
            "score": _rounded(100.0 * self.score),
            "contacts": {foot: np.round(share, 3).tolist() for foot, share in zip(FEET, self.contacts.T, strict=False)},
        }


def lanes_of(bank: Bank, clip: str | int, *, n_buckets: int) -> Lanes:
    """The lanes of a clip; never more buckets than frames. Bucket b begins at frame floor(b · frames / buckets)."""
    facts = describe(bank, clip)
    n_frames = facts.clip.n_frames
    edges = np.arange(min(n_buckets, n_frames)) * n_frames // min(n_buckets, n_frames)
    counts = np.diff(edges, append=n_frames)
    return Lanes(
        n_frames,
        np.fmax.reduceat(facts.speed.astype(float), edges),
        np.add.reduceat(facts.contacts.astype(float), edges, axis=0) / counts[:, None],
        np.fmax.reduceat(_score_over_time(bank, facts), edges),
    )


def _score_over_time(bank: Bank, facts: ClipFacts) -> np.ndarray:
    """What each frame (F,) adds to the clip's score, in metres; NaN for what has no body."""
    if facts.unmapped:
        return np.full(facts.clip.n_frames, np.nan)
    curves = score_segments(bank, [facts.clip.segment])[0].naturalness.curves
    both = np.stack([curves["plant_error"], curves["zmp_error"]])
    return np.where(np.isnan(both).all(axis=0), np.nan, np.nansum(both, axis=0))


def _rounded(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(value, 3) for value in values.tolist()]
