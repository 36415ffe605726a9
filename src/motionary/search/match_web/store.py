"""A match web as it is stored: three tables that only grow.

Motions are named by digests, and numbered as they came. The pairs of a motion with itself and with all that came before
it are written together. The motion with the smaller digest has the rows of a pair's grid, so that a web does not depend
on the order in which its clips came.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motionary.artefacts import Artefact, Draft, Kind
from motionary.search.match_web.pair_paths import CELL, PATH, PairPaths

KIND = Kind("web", version=6, title="the match web")
GONE = "gone-"  # in place of a digest, and behind it the motion's number
PAIR = np.dtype(
    [
        ("rows", "<i4"),
        ("columns", "<i4"),
        ("first_path", "<i8"),
        ("first_cell", "<i8"),
        ("n_paths", "<i4"),
        ("n_cells", "<i4"),
    ]
)
TABLES = {"pairs": PAIR, "paths": PATH, "cells": CELL}


@dataclass
class WebLedger:
    """Which motions a web is of, and how many rows of each table came with every motion."""

    motions: dict[str, int] = field(default_factory=dict)  # digest -> number of frames, in the order they came
    parts: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, artefact: Artefact) -> "WebLedger":
        return cls(dict(artefact.facts["motions"]), [list(part) for part in artefact.facts["parts"]])

    def as_json(self) -> dict[str, Any]:
        return {"motions": self.motions, "parts": self.parts}

    def forget(self, gone: Collection[str]) -> None:
        """Motions that come when these are not there are not compared with them: should they return, they are new."""
        self.motions = {
            f"{GONE}{number}" if digest in gone else digest: n_frames
            for number, (digest, n_frames) in enumerate(self.motions.items())
        }

    def append(self, draft: Draft, digest: str, n_frames: int, pairs: Sequence[tuple[int, int, PairPaths]]) -> None:
        """Write what came with a motion: numbers of the motions of a pair, rows first, and its paths."""
        kept = [(rows, columns, pair) for rows, columns, pair in pairs if not pair.is_empty]
        table = np.zeros(len(kept), dtype=PAIR)
        first_path, first_cell = draft.n_rows("paths"), draft.n_rows("cells")
        for entry, (rows, columns, pair) in zip(table, kept, strict=True):
            entry["rows"], entry["columns"], entry["n_paths"] = rows, columns, len(pair.paths)
            entry["n_cells"] = len(pair.cells)
            entry["first_path"], entry["first_cell"] = first_path, first_cell
            first_path, first_cell = first_path + len(pair.paths), first_cell + len(pair.cells)
        written = {
            "pairs": table,
            "paths": np.concatenate([np.zeros(0, dtype=PATH), *(pair.paths for _, _, pair in kept)]),
            "cells": np.concatenate([np.zeros(0, dtype=CELL), *(pair.cells for _, _, pair in kept)]),
        }
        for name, rows_of_table in written.items():
            draft.append(name, rows_of_table)
        self.motions[digest] = n_frames
        self.parts.append([len(rows_of_table) for rows_of_table in written.values()])

    def damaged(self, artefact: Artefact) -> set[str]:
        """The motions of which something does not match its checksum."""
        ends = np.cumsum(np.array(self.parts, dtype=np.int64).reshape(-1, len(TABLES)), axis=0)
        found: set[str] = set()
        for n, name in enumerate(TABLES):
            for first, stop in artefact.tables[name].damaged_blocks():
                touched = (ends[:, n] > first) & (ends[:, n] - [part[n] for part in self.parts] < stop)
                found |= {digest for digest, is_touched in zip(self.motions, touched, strict=True) if is_touched}
        return found


def begun(draft: Draft) -> WebLedger:
    """An empty web."""
    draft.begin()
    for name, dtype in TABLES.items():
        draft.append(name, np.zeros(0, dtype=dtype))
    return WebLedger()


def copied(draft: Draft, artefact: Artefact, ledger: WebLedger, gone: Collection[str]) -> WebLedger:
    """The same web without some motions, begun anew."""
    fewer, tables = begun(draft), artefact.tables
    kept = {digest: n for n, digest in enumerate(d for d in ledger.motions if d not in gone)}
    numbers = [kept.get(digest, -1) for digest in ledger.motions]
    at = 0
    for (digest, n_frames), part in zip(ledger.motions.items(), ledger.parts, strict=True):
        first, at = at, at + part[0]
        if digest in gone:
            continue
        pairs = []
        for entry in tables["pairs"].rows(first, at):
            rows, columns = numbers[int(entry["rows"])], numbers[int(entry["columns"])]
            if min(rows, columns) >= 0:
                first_path, first_cell = int(entry["first_path"]), int(entry["first_cell"])
                paths = tables["paths"].rows(first_path, first_path + int(entry["n_paths"]))
                cells = tables["cells"].rows(first_cell, first_cell + int(entry["n_cells"]))
                pairs.append((rows, columns, PairPaths(paths, cells)))
        fewer.append(draft, digest, n_frames, pairs)
    return fewer
