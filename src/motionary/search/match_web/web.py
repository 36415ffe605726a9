"""A match web: all that is alike in a library, as a network of time alignments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from motionary.artefacts import Table
from motionary.library import LibraryFeatures
from motionary.metrics import AnyMetric
from motionary.motion import Segment
from motionary.search.match_web.pair_paths import PairPaths
from motionary.search.match_web.pieces import Piece
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.views import ENTRY, View, ViewMemory, view_of_tables

MOST_REMEMBERED = 64_000_000  # cells of views, 16 bytes each
NAME_LETTERS = 6


@dataclass(frozen=True, eq=False, repr=False)
class MatchWeb:
    """The web of a library, or of a part of it; its motions are what clips are copies of.

    A motion has the number of the first clip that has it, so that no answer depends on the order in which motions came.
    """

    features: LibraryFeatures  # at the web's rate
    metric: AnyMetric
    settings: WebSettings
    chosen: tuple[int, ...]  # numbers of the clips that it is of
    digests: tuple[str, ...]  # of what is in the tables, in the order in which it came; some may be of no clip
    pairs: np.ndarray  # of store.PAIR
    paths: np.ndarray  # of PATH
    cells: Table  # of CELL
    of: str = "all clips"  # which clips, in words
    folder: Path | None = None  # where it is kept; None if it is not
    seen: dict[Any, LibraryFeatures] = field(
        default_factory=dict
    )  # by states of a bank that it agrees with: its features
    _views: ViewMemory = field(default_factory=lambda: ViewMemory(MOST_REMEMBERED))

    @cached_property
    def clips(self) -> Mapping[int, tuple[int, ...]]:
        """The clips of every motion, by their numbers in the features."""
        known, found = set(self.digests), dict[str, list[int]]()
        for clip in sorted(self.chosen):
            if self.features.digests[clip] in known:
                found.setdefault(self.features.digests[clip], []).append(clip)
        return {copies[0]: tuple(copies) for copies in found.values()}

    @cached_property
    def motions(self) -> Mapping[int, int]:
        """The motion of every clip that the web knows, by the clip's number in the features."""
        return {clip: motion for motion, copies in self.clips.items() for clip in copies}

    def motion_of(self, clip_id: int) -> int | None:
        """The motion of the clip that has this id; None if the web does not know it."""
        clip = int(np.searchsorted(self.features.clip_ids, clip_id))
        is_there = clip < self.features.n_clips and int(self.features.clip_ids[clip]) == clip_id
        return self.motions.get(clip) if is_there else None

    def piece_of(self, segment: Segment) -> Piece | None:
        """Where the web has a segment; None if it does not know its clip."""
        motion = self.motion_of(segment.clip_id)
        if motion is None:
            return None
        rates = self.features.rates[self.features.number(segment.clip_id)]
        return Piece(motion, *rates.search_segment(segment.start, segment.stop))

    @property
    def n_missing(self) -> int:
        """How many of its clips it does not know yet, as after a build that was interrupted."""
        return len(self.chosen) - len(self.motions)

    @property
    def name(self) -> str:
        """What tells it from other webs of its bank; "" if it is not kept."""
        return "" if self.folder is None else name_of_folder(self.folder)

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
        return self._views.view(motion, partial(self._view, motion))

    def _view(self, motion: int) -> View:
        rows, columns = self._sides
        entries = []
        for side, other, turned in ((rows, columns, False), (columns, rows, True)):
            numbers = np.flatnonzero((side == motion) & (other >= 0))
            found = np.zeros(len(numbers), dtype=ENTRY)
            found["other"], found["turned"] = other[numbers], turned
            for name in ("first_path", "n_paths", "first_cell", "n_cells"):
                found[name] = self.pairs[name][numbers]
            entries.append(found)
        chosen = np.concatenate(entries)
        cells = self.cells.touched(chosen["first_cell"], chosen["first_cell"] + chosen["n_cells"])
        return view_of_tables(self.paths, cells, chosen)

    @cached_property
    def _sides(self) -> tuple[np.ndarray, np.ndarray]:
        """The motions (P,) that have the rows and the columns of every pair; −1 for what no clip has."""
        motions = {self.features.digests[motion]: motion for motion in self.clips}
        numbers = np.array([motions.get(digest, -1) for digest in self.digests], dtype=np.int64)
        return numbers[self.pairs["rows"]], numbers[self.pairs["columns"]]

    def __repr__(self) -> str:
        rate = f"{self.rate_hz:g} Hz"
        return f"MatchWeb({self.name!r}, of {self.of}: {len(self.motions)} clips, {self.settings.method}, {rate})"

    def facts(self) -> dict[str, Any]:
        """What there is to say about it, for people and for JSON; what no clip has any more counts as bytes only."""
        here = np.all([side >= 0 for side in self._sides], axis=0)
        are_bridges = self.paths["from_path"][np.repeat(here, self.pairs["n_paths"])] >= 0
        n_bytes = sum(table.nbytes for table in (self.pairs, self.paths, self.cells))
        return {
            "web": self.name,
            "method": self.settings.method,
            "rate_hz": self.rate_hz,
            "metric": self.metric.name,
            "ceiling_cm": self.settings.ceiling_cm,
            "rise_percent": self.settings.rise_percent,
            "of": self.of,
            "clips": len(self.motions),
            "missing": self.n_missing,
            "frames": int(sum(int(self.features.n_frames[clip]) for clip in self.motions)),
            "pairs": int(here.sum()),
            "chains": int((~are_bridges).sum()),
            "bridges": int(are_bridges.sum()),
            "cells": int(self.pairs["n_cells"][here].sum(dtype=np.int64)),
            "bytes": n_bytes,
            "folder": str(self.folder) if self.folder else "",
        }


def name_of_folder(folder: Path) -> str:
    """A web's name: how the digest begins that its folder is called by."""
    return folder.name.rpartition("-")[2][:NAME_LETTERS]
