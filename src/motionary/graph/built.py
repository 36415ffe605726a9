"""A graph as it was built: what it is made of, and with which options."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.artefacts import Artefact
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.settings import GraphSettings
from motionary.graph.threshold import Threshold
from motionary.library import LibraryFeatures


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

    @property
    def of(self) -> str:
        """Which clips it is of, in words."""
        said = [self.clips["text"], *(f"label {one}" for one in self.clips["labels"])]
        said = [one for one in (*said, *(f"name {one}" for one in self.clips["names"])) if one]
        return ", ".join(said) or "all clips"
