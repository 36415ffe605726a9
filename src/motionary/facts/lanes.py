"""The curves of a clip, as many numbers long as a timeline has room for."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.facts.describing import describe
from motionary.plants import FEET


@dataclass(frozen=True, eq=False)
class Lanes:
    """What a clip does in each of B buckets of its frames."""

    n_frames: int
    speed: np.ndarray  # (B,) m/s, the fastest frame of each; NaN where no frame has a speed
    contacts: np.ndarray  # (B, 2) the share of frames in which the left and the right foot stand; (B, 0) without feet

    def as_json(self) -> dict[str, Any]:
        return {
            "frames": self.n_frames,
            "buckets": len(self.speed),
            "speed": [None if np.isnan(speed) else round(speed, 3) for speed in self.speed.tolist()],
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
    )
