"""A graph as it was built: what it is made of, and with which options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionary.artefacts import Artefact
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.settings import GraphSettings
from motionary.graph.threshold import Threshold
from motionary.library import LibraryFeatures
from motionary.metrics import cloud_points


@dataclass(frozen=True)
class NotPlayed:
    """Frames [start, stop) at the graph's rate that a graph leaves out, and why."""

    start: int
    stop: int
    why: str


@dataclass(frozen=True, eq=False)
class BuiltGraph:
    """A graph of a bank: pruned to what a walk can take forever, and what it was before."""

    name: str
    graph: MotionGraph
    whole: MotionGraph  # with all transitions up to the threshold
    settings: GraphSettings
    made_by: dict[str, Any]
    threshold: Threshold
    limit: float  # squared distance
    candidates: np.ndarray  # (N,) costs of all candidates
    clips: dict[str, Any]  # the words that say which clips it is of
    artefact: Artefact
    features: LibraryFeatures
    numbers: tuple[int, ...]  # of the clips among the features
    left_out: Mapping[str, Sequence[NotPlayed]]  # what is not played of clips, by their digests

    @property
    def of(self) -> str:
        """Which clips it is of, in words."""
        said = [self.clips["text"], *(f"label {one}" for one in self.clips["labels"])]
        said += [f"name {one}" for one in self.clips["names"]] + list(self.clips.get("segments", ()))
        said = [one for one in said if one]
        return ", ".join(said) or "all clips"

    @cached_property
    def speeds(self) -> np.ndarray:
        """Metres a second (N,) at which the points of the body move on average, in the middle of every transition: the
        mean of source and target."""
        graph, rate = self.graph, self.settings.rate_hz
        used = set(
            graph.ways.clip_of(np.concatenate([graph.transitions["source"], graph.transitions["target"]])).tolist()
        )
        speeds = np.zeros(graph.ways.n_frames)
        for number in used:
            arrays = self.features.of(int(graph.clip_ids[number])).arrays
            points = cloud_points(arrays["positions"], arrays["root"], rate_hz=rate)
            if len(points) > 1:
                moved = np.linalg.norm(np.gradient(points, 1.0 / rate, axis=0), axis=2).mean(axis=1)
                speeds[graph.ways.starts[number] : graph.ways.starts[number + 1]] = moved
        return np.asarray(0.5 * (speeds[graph.transitions["source"]] + speeds[graph.transitions["target"]]))
