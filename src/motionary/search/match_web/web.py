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
from motionary.search.match_web.views import ENTRY, View, view_of_tables

MOST_REMEMBERED = 64_000_000  # cells of views, 16 bytes each


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
        return PairPaths(paths, self.cells[first_cell : first_cell + int(entry["n_cells"])])

    def view(self, motion: int) -> View:
        """All paths of a motion, as a query of its frames meets them; those that were used last are remembered."""
        found = self._views.pop(motion, None)
        if found is None:
            found = self._view(motion)
        self._views[motion] = found
        while len(self._views) > 1 and sum(len(view.frames) for view in self._views.values()) > MOST_REMEMBERED:
            del self._views[next(iter(self._views))]
        return found

    def _view(self, motion: int) -> View:
        rows, columns = self._sides
        here = np.zeros(len(self.digests), dtype=bool)
        here[list(self.clips)] = True
        entries = []
        for side, other, turned in ((rows, columns, False), (columns, rows, True)):
            numbers = np.flatnonzero(side == motion)
            numbers = numbers[here[other[numbers]]]
            found = np.zeros(len(numbers), dtype=ENTRY)
            found["other"], found["turned"] = other[numbers], turned
            for name in ("first_path", "n_paths", "first_cell", "n_cells"):
                found[name] = self.pairs[name][numbers]
            entries.append(found)
        return view_of_tables(np.asarray(self.paths), np.asarray(self.cells), np.concatenate(entries))

    @cached_property
    def _sides(self) -> tuple[np.ndarray, np.ndarray]:
        return np.ascontiguousarray(self.pairs["rows"]), np.ascontiguousarray(self.pairs["columns"])

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
