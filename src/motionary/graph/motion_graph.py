"""The motion graph: clips, and transitions from frame to frame that a walk can take forever."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from motionary.errors import UsageError
from motionary.graph.components import Departures, departures, largest_component, next_departures, within_components
from motionary.graph.ways import Ways, blend_moves

TRANSITION = np.dtype(
    [
        ("source", "<i4"),  # the frames of the library that are alike, in the middle of the blend
        ("target", "<i4"),
        ("before", "<i2"),  # frames of the blend before and after them
        ("after", "<i2"),
        ("cost", "<f4"),  # squared distance, in m²
    ]
)


@dataclass(frozen=True, eq=False)
class MotionGraph:
    """Frames of clips, and transitions between them, in the order of their departures.

    A transition departs from frame source − before, which is the source's pose still, and arrives at frame
    target + after, which is the target's. Between them both are blended. Who has arrived stays for `dwell` frames.
    """

    ways: Ways
    transitions: np.ndarray  # (N,) of TRANSITION
    rate_hz: float
    dwell: int = 0  # frames
    clip_ids: Sequence[int] = ()
    labels: Mapping[str, np.ndarray] = field(default_factory=dict)  # frames (n, 2) [start, stop) of every label
    allowed: np.ndarray | None = None  # (F,) bool: frames that may be played; None for all

    def __post_init__(self) -> None:
        given = self.transitions
        order = np.lexsort((given["after"], given["before"], given["target"], self.departs_of(given)))
        object.__setattr__(self, "transitions", self.transitions[order])

    @staticmethod
    def departs_of(transitions: np.ndarray) -> np.ndarray:
        return np.asarray(transitions["source"].astype(np.int64) - transitions["before"])

    @property
    def n_transitions(self) -> int:
        return len(self.transitions)

    @cached_property
    def departs(self) -> np.ndarray:
        """(N,) ascending."""
        return self.departs_of(self.transitions)

    @cached_property
    def arrives(self) -> np.ndarray:
        return np.asarray(self.transitions["target"].astype(np.int64) + self.transitions["after"])

    @cached_property
    def lengths(self) -> np.ndarray:
        """Steps (N,) from departure to arrival."""
        return np.asarray(self.transitions["before"].astype(np.int64) + self.transitions["after"])

    @cached_property
    def costs(self) -> np.ndarray:
        return self.transitions["cost"].astype(np.float64)

    @cached_property
    def clip_stops(self) -> np.ndarray:
        """Where (F,) what plays on from a frame ends: the end of its clip, or of what may be played."""
        stops = self.ways.clip_stops()
        if self.allowed is not None:
            frames = np.arange(self.ways.n_frames)
            barred = np.where(self.allowed, self.ways.n_frames, frames)
            stops = np.minimum(stops, np.minimum.accumulate(barred[::-1])[::-1])
        return stops

    @cached_property
    def first_departures(self) -> np.ndarray:
        """The first departure (F,) not before a frame that can be played up to; −1 if there is none."""
        return next_departures(self.departs, np.arange(self.ways.n_frames), self.clip_stops)

    @cached_property
    def choices(self) -> Departures:
        return departures(self.departs, self.arrives, self.clip_stops, dwell=self.dwell)

    @cached_property
    def moves(self) -> tuple[np.ndarray, np.ndarray]:
        """Turns and moves of all transitions, seen from their departures."""
        return blend_moves(self.ways, self.departs, self.arrives, self.lengths)

    @property
    def duration_secs(self) -> float:
        return (self.ways.n_frames if self.allowed is None else int(self.allowed.sum())) / self.rate_hz

    def scaled(self, factor: float) -> "MotionGraph":
        """The same for a body of another size."""
        return self if factor == 1.0 else replace(self, ways=self.ways.scaled(factor))

    def with_transitions(self, which: np.ndarray) -> "MotionGraph":
        """The same clips with some of the transitions."""
        return replace(self, transitions=self.transitions[which])

    def restricted(self, allowed: np.ndarray) -> "MotionGraph":
        """The part that plays only frames that are allowed (F,), blends included; dead ends are left in it."""
        barred = np.concatenate([[0], np.cumsum(~allowed)])
        departs, arrives, lengths = self.departs, self.arrives, self.lengths
        touched = barred[departs + lengths + 1] - barred[departs] + barred[arrives + 1] - barred[arrives - lengths]
        kept = self.with_transitions(touched == 0)
        return replace(kept, allowed=allowed if self.allowed is None else allowed & self.allowed)

    def numbers_of(self, part: "MotionGraph") -> np.ndarray:
        """The numbers (N,) that the transitions of a part of this graph have in it."""
        mine, others = (
            graph.transitions["source"].astype(np.int64) * self.ways.n_frames + graph.transitions["target"]
            for graph in (self, part)
        )
        order = np.argsort(mine, kind="stable")
        return np.asarray(order[np.searchsorted(mine[order], others)])

    def pruned(self) -> "MotionGraph":
        """Without dead ends: the largest part in which every transition leads back to every other."""
        return self.with_transitions(largest_component(self.choices))

    def components(self) -> list[int]:
        """Numbers of transitions of all strong components, the largest first."""
        inside, component = within_components(self.choices)
        counts = np.bincount(component[inside]) if inside.any() else np.zeros(0, dtype=int)
        return sorted(counts[counts > 0].tolist(), reverse=True)

    def labelled(self, label: str) -> np.ndarray:
        """Which frames (F,) carry a label."""
        if label not in self.labels:
            known = ", ".join(sorted(self.labels)) or "none"
            raise UsageError(f"nothing in this graph is labelled {label!r}; there are: {known}")
        mask = np.zeros(self.ways.n_frames, dtype=bool)
        for start, stop in self.labels[label]:
            mask[start:stop] = True
        return mask
