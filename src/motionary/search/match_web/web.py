"""A match web: all that is alike in a library, as a network of time alignments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from motionary.features import LibraryFeatures
from motionary.metrics import AnyMetric
from motionary.search.match_web.pair_paths import PairPaths
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.views import View, view_of


@dataclass(frozen=True, eq=False)
class MatchWeb:
    """The web of a library; its motions are what clips are copies of."""

    features: LibraryFeatures  # at the web's rate
    metric: AnyMetric
    settings: WebSettings
    digests: tuple[str, ...]  # of the motions, by their numbers; some may no longer be in the library
    pairs: np.ndarray  # of store.PAIR
    paths: np.ndarray  # of PATH
    cells: np.ndarray  # of CELL
    of: str = "all clips"  # which clips, in words
    folder: Path | None = None  # where it is kept; None if it is not
    _views: dict[int, View] = field(default_factory=dict)

    @cached_property
    def motions(self) -> Mapping[int, int]:
        """The number of the motion of every clip that the web knows, by the clip's number in the features."""
        numbers = {digest: number for number, digest in enumerate(self.digests)}
        return {c: numbers[digest] for c, digest in enumerate(self.features.digests) if digest in numbers}

    @cached_property
    def clips(self) -> Mapping[int, list[int]]:
        """The clips of every motion, by their numbers in the features; motions that no clip has are not there."""
        found: dict[int, list[int]] = {}
        for clip, motion in self.motions.items():
            found.setdefault(motion, []).append(clip)
        return found

    @property
    def rate_hz(self) -> float:
        return self.features.rate_hz

    def pair(self, number: int) -> PairPaths:
        """The web of one pair, by its number."""
        entry = self.pairs[number]
        first = int(entry["first_path"])
        paths = self.paths[first : first + int(entry["n_paths"])]
        first_cell = int(entry["first_cell"])
        return PairPaths(paths, self.cells[first_cell : first_cell + int(paths["n_cells"].sum())])

    def view(self, motion: int) -> View:
        """All paths of a motion, as a query of its frames meets them."""
        if motion not in self._views:
            parts = []
            for number in np.flatnonzero((self.pairs["rows"] == motion) | (self.pairs["columns"] == motion)):
                rows, columns = int(self.pairs[number]["rows"]), int(self.pairs[number]["columns"])
                if rows == motion and columns in self.clips:
                    parts.append((columns, self.pair(int(number)), False))
                if columns == motion and rows in self.clips:
                    parts.append((rows, self.pair(int(number)), True))
            self._views[motion] = view_of(parts)
        return self._views[motion]

    def facts(self) -> dict[str, Any]:
        """What there is to say about it, for people and for JSON."""
        bridges = self.paths["from_path"] >= 0
        n_bytes = sum(table.nbytes for table in (self.pairs, self.paths, self.cells))
        return {
            "method": self.settings.method,
            "rate_hz": self.rate_hz,
            "metric": self.metric.name,
            "ceiling_cm": 100.0 * self.settings.ceiling,
            "of": self.of,
            "clips": len(self.motions),
            "frames": int(sum(int(self.features.n_frames[clip]) for clip in self.motions)),
            "pairs": len(self.pairs),
            "chains": int((~bridges).sum()),
            "bridges": int(bridges.sum()),
            "cells": len(self.cells),
            "bytes": n_bytes,
            "folder": str(self.folder) if self.folder else "",
        }
