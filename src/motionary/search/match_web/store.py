"""The files of a match web: three tables that only grow, and a manifest that is written last.

Motions are named by digests, and numbered as they came. The pairs of a motion with itself and with all that came before
it are written together: what the manifest does not count does not exist. The motion with the smaller digest has the
rows of a pair's grid, so that a web does not depend on the order in which its clips came.
"""

import json
import os
import zlib
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from motionary.files import delete_others, locked, put_manifest
from motionary.search.match_web.pair_paths import CELL, PATH, PairPaths

VERSION = 5  # raised whenever what is in the files changes
MANIFEST = "web.json"
BUILT = "built"  # a file that is as old as the last build: searches, too, write the manifest
GONE = "gone-"  # in place of a digest, and behind it the motion's number
TRIES = 5  # to open files that another process replaces meanwhile
DAMAGED = "its files are damaged"
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
class WebManifest:
    """What the files hold, and what it was made by."""

    made_by: dict[str, Any]
    generation: int = 0
    motions: dict[str, int] = field(default_factory=dict)  # digest -> number of frames, in the order they came
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TABLES, 0))
    parts: list[list[list[int]]] = field(
        default_factory=list
    )  # what came with every motion: rows of each table, CRC-32

    def as_json(self) -> dict[str, Any]:
        return {"version": VERSION} | self.__dict__

    def forget(self, gone: Collection[str]) -> None:
        """Motions that come when these are not there are not compared with them: should they return, they are new."""
        self.motions = {
            f"{GONE}{number}" if digest in gone else digest: n_frames
            for number, (digest, n_frames) in enumerate(self.motions.items())
        }


class WebStore:
    """The folder of one web; only one process at a time may write."""

    def __init__(self, folder: Path, made_by: dict[str, Any]) -> None:
        self.folder, self._made_by = folder, made_by

    def path(self, table: str, generation: int) -> Path:
        return self.folder / f"{table}-{generation}.bin"

    def read(self) -> tuple[WebManifest | None, str]:
        """The manifest, or None and what is wrong with it ("" if there is none)."""
        try:
            content = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None, ""
        except (OSError, ValueError):
            return None, "its manifest is damaged"
        try:
            if content.pop("version") != VERSION or content["made_by"] != self._made_by:
                return None, "it is of another version"
            found = WebManifest(**content)
            for table, dtype in TABLES.items():
                if self.path(table, found.generation).stat().st_size < found.counts[table] * dtype.itemsize:
                    return None, f"{self.path(table, found.generation).name} is too short"
            if len(found.parts) != len(found.motions):
                return None, "its checksums are not all there"
            for n, table in enumerate(TABLES):
                if sum(part[n][0] for part in found.parts) != found.counts[table]:
                    return None, "its manifest is damaged"
        except (KeyError, TypeError, AttributeError, IndexError, OSError):
            return None, "it is damaged"
        return found, ""

    def opened(self) -> tuple[tuple[WebManifest, dict[str, np.ndarray]] | None, str]:
        """The manifest and its tables, or None and what is wrong ("" if there is nothing)."""
        for _ in range(TRIES):
            manifest, wrong = self.read()
            if manifest is None:
                return None, wrong
            try:
                tables = self.tables(manifest)
            except FileNotFoundError:  # another process has just put others in their place
                continue
            if not are_consistent(tables, list(manifest.motions.values())):
                return None, DAMAGED
            return (manifest, tables), ""
        return None, "its files are not there"

    def begin(self) -> WebManifest:
        """An empty web, in files of a generation of their own."""
        self.folder.mkdir(parents=True, exist_ok=True)
        numbers = [int(path.stem.partition("-")[2]) for path in self.folder.glob("pairs-*.bin")]
        manifest = WebManifest(self._made_by, generation=max(numbers, default=-1) + 1)
        for table in TABLES:
            self.path(table, manifest.generation).write_bytes(b"")
        return manifest

    def append(
        self, manifest: WebManifest, digest: str, n_frames: int, pairs: Sequence[tuple[int, int, PairPaths]]
    ) -> None:
        """Write what came with a motion: numbers of the motions of a pair, rows first, and its paths."""
        kept = [(rows, columns, pair) for rows, columns, pair in pairs if not pair.is_empty]
        table = np.zeros(len(kept), dtype=PAIR)
        first_path, first_cell = manifest.counts["paths"], manifest.counts["cells"]
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
        self._write(manifest, digest, n_frames, written)

    def _write(self, manifest: WebManifest, digest: str, n_frames: int, written: dict[str, np.ndarray]) -> None:
        """All three tables first: what is written in part, as on a full disk, is not counted and written over later."""
        part = []
        for name, rows_of_table in written.items():
            data = np.ascontiguousarray(rows_of_table).tobytes()
            with self.path(name, manifest.generation).open("r+b") as file:
                file.seek(manifest.counts[name] * TABLES[name].itemsize)
                file.write(data)
                file.flush()
            part.append([len(rows_of_table), zlib.crc32(data)])
        for name, (n_rows, _) in zip(written, part, strict=True):
            manifest.counts[name] += n_rows
        manifest.motions[digest] = n_frames
        manifest.parts.append(part)

    def is_damaged(self, manifest: WebManifest) -> bool:
        """Whether what came with some motion is not what was written."""
        tables = self.tables(manifest)
        for n, (name, table) in enumerate(tables.items()):
            at = 0
            for part in manifest.parts:
                rows, checksum = part[n]
                if zlib.crc32(np.ascontiguousarray(table[at : at + rows]).tobytes()) != checksum:
                    return True
                at += rows
            if at != manifest.counts[name]:
                return True
        return False

    def without(self, manifest: WebManifest, gone: Collection[str]) -> WebManifest:
        """The same web without some motions, in files of a generation of their own; none is left if they do not fit."""
        fewer = self.begin()
        try:
            self._copy(manifest, fewer, gone)
        except OSError:
            for table in TABLES:
                self.path(table, fewer.generation).unlink(missing_ok=True)
            raise
        return fewer

    def _copy(self, manifest: WebManifest, fewer: WebManifest, gone: Collection[str]) -> None:
        tables = self.tables(manifest)
        kept = {digest: n for n, digest in enumerate(d for d in manifest.motions if d not in gone)}
        numbers = [kept.get(digest, -1) for digest in manifest.motions]
        at = 0
        for (digest, n_frames), part in zip(manifest.motions.items(), manifest.parts, strict=True):
            entries = tables["pairs"][at : at + part[0][0]]
            at += part[0][0]
            if digest in gone:
                continue
            pairs = []
            for entry in entries:
                rows, columns = numbers[int(entry["rows"])], numbers[int(entry["columns"])]
                if min(rows, columns) >= 0:
                    paths = slice(int(entry["first_path"]), int(entry["first_path"]) + int(entry["n_paths"]))
                    cells = slice(int(entry["first_cell"]), int(entry["first_cell"]) + int(entry["n_cells"]))
                    pairs.append((rows, columns, PairPaths(tables["paths"][paths], tables["cells"][cells])))
            self.append(fewer, digest, n_frames, pairs)

    def commit(self, manifest: WebManifest) -> None:
        """Put the manifest in its place, after what it counts; delete files of other generations."""
        for table in TABLES:
            with self.path(table, manifest.generation).open("rb") as file:
                os.fsync(file.fileno())
        put_manifest(self.folder / MANIFEST, manifest.as_json())
        delete_others(self.folder, "*.bin", {self.path(table, manifest.generation) for table in TABLES})

    def touch(self) -> None:
        """Make it the web that was built last."""
        with suppress(OSError):
            (self.folder / BUILT).touch()

    def tables(self, manifest: WebManifest) -> dict[str, np.ndarray]:
        """The three tables, memory-mapped."""
        return {table: self._mapped(table, dtype, manifest) for table, dtype in TABLES.items()}

    def _mapped(self, table: str, dtype: np.dtype, manifest: WebManifest) -> np.ndarray:
        if not manifest.counts[table]:
            return np.zeros(0, dtype=dtype)
        path = self.path(table, manifest.generation)
        return np.memmap(path, dtype=dtype, mode="r", shape=(manifest.counts[table],))

    def locked(self) -> AbstractContextManager[None]:
        """While it lasts, nobody else writes; waits for whoever does."""
        return locked(self.folder)


def built_at(folder: Path) -> int:
    """When the web in a folder was last built, in nanoseconds."""
    for name in (BUILT, MANIFEST):
        with suppress(OSError):
            return (folder / name).stat().st_mtime_ns
    return 0


def are_consistent(tables: dict[str, np.ndarray], n_frames: Sequence[int]) -> bool:
    """Whether pairs, paths and cells follow one another without gaps, and all that they name is there.

    It takes no longer than reading the smaller tables does. What is in a cell is told by checksums alone.
    """
    pairs, paths = tables["pairs"], tables["paths"]
    return bool(_are_consistent(pairs, paths, len(tables["cells"]), np.array(n_frames, dtype=np.int64)))


@njit(cache=True, nogil=True)
def _are_consistent(pairs, paths, n_cells, n_frames):  # type: ignore[no-untyped-def]
    path, cell = 0, 0
    for k in range(len(pairs)):
        pair = pairs[k]
        rows, columns, n_paths = pair["rows"], pair["columns"], pair["n_paths"]
        if not (0 <= rows < len(n_frames) and 0 <= columns < len(n_frames)):
            return False
        if pair["first_path"] != path or pair["first_cell"] != cell or not 0 < n_paths <= len(paths) - path:
            return False
        for n in range(path, path + n_paths):
            one = paths[n]
            if not (0 <= one["row"] < n_frames[rows] and 0 <= one["column"] < n_frames[columns] and one["n_cells"] > 0):
                return False
            if not (-1 <= one["from_path"] < n_paths and -1 <= one["to_path"] < n_paths):
                return False
            if (one["from_path"] < 0) != (one["to_path"] < 0):
                return False
            cell += one["n_cells"]
        path += n_paths
        if cell - pair["first_cell"] != pair["n_cells"]:
            return False
    return path == len(paths) and cell == n_cells
