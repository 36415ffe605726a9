"""Rows of features in files that only grow: one file per description, and a manifest that says what they hold.

Rows, once written, never change, so that a reader's memory maps stay right while another process adds clips. The
manifest is replaced as a whole and written last: what it does not name does not exist. When too many rows are no
longer needed, or the files are not what the manifest says, a new generation of files is begun and the old one
deleted; readers that have it open keep it.
"""

import json
import os
import secrets
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from motionary.features.pose_features import descriptions
from motionary.files import delete_others, locked, put_manifest

VERSION = 2  # of the features: raised whenever any number in them changes
MANIFEST = "manifest.json"
ROW_TYPE = np.dtype("<f4")


@dataclass
class Manifest:
    """Which rows of the files are whose; motions are named by the digest of all that features are computed from."""

    rate_hz: float
    generation: int = 0
    id: str = ""  # a random one for every generation, wherever it is: what is built from its rows is known by it
    n_rows: int = 0
    rows: dict[str, tuple[int, int]] = field(default_factory=dict)  # digest -> first row, number of rows
    left_out: dict[str, str] = field(default_factory=dict)  # digest -> why there are none

    @property
    def n_used_rows(self) -> int:
        return sum(n_rows for _, n_rows in self.rows.values())

    def as_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "rate_hz": self.rate_hz,
            "dimensions": _dimension_table(),
            "generation": self.generation,
            "id": self.id,
            "n_rows": self.n_rows,
            "rows": {digest: list(span) for digest, span in self.rows.items()},
            "left_out": self.left_out,
        }


class FeatureStore:
    """The folder with the files of one search rate; only one process at a time may write."""

    def __init__(self, folder: Path, rate_hz: float) -> None:
        self.folder = folder
        self.rate_hz = rate_hz

    def read(self) -> tuple[Manifest | None, str]:
        """The manifest, or None and what is wrong with it ("" if there is none)."""
        try:
            content = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None, ""
        except (OSError, ValueError):
            return None, "their manifest is damaged"
        try:
            if content["version"] != VERSION:
                return None, "they are of another version"
            if (content["rate_hz"], content["dimensions"]) != (self.rate_hz, _dimension_table()):
                return None, "they are of another version"
            rows = {digest: (int(start), int(n_rows)) for digest, (start, n_rows) in content["rows"].items()}
            manifest = Manifest(
                self.rate_hz,
                int(content["generation"]),
                str(content.get("id", "")),  # which the first manifests did without
                int(content["n_rows"]),
                rows,
                dict(content["left_out"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            return None, "their manifest is damaged"
        if any(start < 0 or n_rows < 1 or start + n_rows > manifest.n_rows for start, n_rows in rows.values()):
            return None, "their manifest is damaged"
        for name, description in descriptions().items():
            needed = manifest.n_rows * description.n_dimensions * ROW_TYPE.itemsize
            path = self.path(name, manifest.generation)
            if not path.is_file() or path.stat().st_size < needed:
                return None, f"{path.name} is missing or cut off"
        return manifest, ""

    def arrays(self, manifest: Manifest) -> dict[str, np.ndarray]:
        """The rows (n_rows, D) of every description, memory-mapped."""
        found: dict[str, np.ndarray] = {}
        for name, description in descriptions().items():
            shape = (manifest.n_rows, description.n_dimensions)
            if manifest.n_rows == 0:  # nothing can be mapped
                found[name] = np.zeros(shape, dtype=ROW_TYPE)
            else:
                mapped = np.memmap(self.path(name, manifest.generation), ROW_TYPE, mode="r", shape=shape)
                found[name] = np.asarray(mapped)  # a plain view: rows of it are taken by the thousand
        return found

    def path(self, name: str, generation: int) -> Path:
        """The file of a description."""
        return self.folder / f"{name}.{generation}.f32"

    def locked(self) -> AbstractContextManager[None]:
        """While it lasts, nobody else writes; waits for whoever does."""
        return locked(self.folder)

    def begin(self) -> Manifest:
        """The manifest of a new, empty generation."""
        used = [int(path.suffixes[-2][1:]) for path in self.folder.glob("*.*.f32") if path.suffixes[-2][1:].isdigit()]
        return Manifest(self.rate_hz, generation=max(used, default=0) + 1, id=secrets.token_hex(8))

    def compacted(self, manifest: Manifest) -> Manifest:
        """A new generation with the rows in use only, in their order."""
        fresh = self.begin()
        old = self.arrays(manifest)
        with Appender(self, fresh) as appender:
            for digest, (start, n_rows) in sorted(manifest.rows.items(), key=lambda item: item[1]):
                appender.append(digest, {name: array[start : start + n_rows] for name, array in old.items()})
        fresh.left_out = dict(manifest.left_out)
        return fresh

    def commit(self, manifest: Manifest) -> None:
        """Put the manifest in its place; delete the files of other generations."""
        put_manifest(self.folder / MANIFEST, manifest.as_json())
        delete_others(self.folder, "*.f32", {self.path(name, manifest.generation) for name in descriptions()})


class Appender:
    """Writes rows behind those that the manifest names, and names them in it."""

    def __init__(self, store: FeatureStore, manifest: Manifest) -> None:
        self.manifest = manifest
        self._files: dict[str, IO[bytes]] = {}
        self._store = store

    def __enter__(self) -> "Appender":
        for name, description in descriptions().items():
            path = self._store.path(name, self.manifest.generation)
            file = self._files[name] = path.open("r+b" if path.exists() else "w+b")
            # What a killed process wrote behind the last row is overwritten
            file.seek(self.manifest.n_rows * description.n_dimensions * ROW_TYPE.itemsize)
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.close()

    def append(self, digest: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Write the rows (F, D) of one motion."""
        n_rows = len(next(iter(arrays.values())))
        for name, file in self._files.items():
            file.write(np.ascontiguousarray(arrays[name], dtype=ROW_TYPE).data)
        self.manifest.n_rows += n_rows  # first: an interruption here leaves rows without an owner, which is no harm
        self.manifest.rows[digest] = (self.manifest.n_rows - n_rows, n_rows)

    def flush(self) -> None:
        """Make sure that what was written is on the disk."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())


def _dimension_table() -> dict[str, list[list[object]]]:
    return {
        name: [[d.name, d.unit, d.part, d.mirror, d.mirror_sign] for d in description.dimensions]
        for name, description in descriptions().items()
    }
