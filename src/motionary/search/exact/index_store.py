"""The files of an index: whole descriptions in a few whole numbers a pose, beside the features they come from.

Rows are those of the features, in the same order, and only grow; the manifest is written last and says how many
count. Checksums, one for each block of rows and one for the manifest, tell damage. Whatever is wrong, the files can be
made anew.
"""

import base64
import json
import os
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from motionary.features import LibraryFeatures
from motionary.files import delete_others, put_manifest
from motionary.search.exact.shadows import AS_THEY_ARE, TRAINING_ROWS, Basis, usual_rows

VERSION = 4
MANIFEST = "index.json"
READ_ROWS = 2048
BLOCK_ROWS = 65_536  # with a checksum of their own
N_WIDE = 8  # numbers of a row that have two bytes; half of them, where there are few
FEW = 16
USUAL = 0.999  # share of the numbers in training that steps are made for; rows with larger ones are kept apart
N_SAMPLED = 64  # rows of the features that the manifest knows them by, besides their id
GROWN = 4  # times as many rows as in training: then the basis is trained anew
MOST_APART = 0.1  # share of the rows: if more are unlike those in training, too


@dataclass(eq=False)
class Part:
    """One description: its basis, the size of a step of every number, and how far off all numbers of a row can be.

    The first numbers of a row, which vary most, have two bytes each, and the others one. A few rows have numbers that
    are too large for that: they have to be taken from the features.
    """

    basis: Basis
    n_wide: int
    steps: np.ndarray  # (K,) float64
    error: float = 0.0
    checksums: list[int] = field(default_factory=list)
    apart: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # rows that do not fit, ascending

    @property
    def row_type(self) -> np.dtype[np.void]:
        return np.dtype([("wide", "<i2", (self.n_wide,)), ("narrow", "i1", (len(self.steps) - self.n_wide,))])

    def stored(self, z: np.ndarray) -> np.ndarray:
        """Rows as they are written, from z (F, K)."""
        largest = _largest(self.n_wide, len(self.steps))
        whole = np.clip(np.round(z / self.steps), -largest, largest)
        rows = np.empty(len(z), dtype=self.row_type)
        rows["wide"], rows["narrow"] = whole[:, : self.n_wide], whole[:, self.n_wide :]
        return rows

    def fits(self, z: np.ndarray) -> np.ndarray:
        """Which rows (F,) of z (F, K) are about what will be read again."""
        return np.asarray((np.abs(z) <= self.steps * _largest(self.n_wide, len(self.steps))).all(axis=1))

    def read(self, rows: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """z (K, F) float32; in `out`, where there is room for it already."""
        z = np.empty((len(self.steps), len(rows)), dtype=np.float32) if out is None else out
        steps = self.steps.astype(np.float32)[:, None]
        for first in range(0, len(rows), READ_ROWS):  # that the cache holds, however the rows lie
            some = rows[first : first + READ_ROWS]
            there = z[:, first : first + READ_ROWS]
            there[: self.n_wide], there[self.n_wide :] = some["wide"].T, some["narrow"].T
            there *= steps
        return z


@dataclass(eq=False)
class IndexFiles:
    """What is on the disk."""

    folder: Path
    generation: int  # of the features
    features_id: str
    n_trained: int  # rows, when bases were trained
    n_rows: int
    parts: dict[str, Part]
    checksum: int = 0  # of the manifest

    @property
    def share_apart(self) -> float:
        return max((len(part.apart) for part in self.parts.values()), default=0) / max(1, self.n_rows)

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.{self.generation}.{self.n_trained}.rows"  # others may have older ones open

    def rows(self, name: str, first: int, stop: int, out: np.ndarray | None = None) -> np.ndarray:
        """z (K, stop − first) float32 of some rows, in `out` if it is given; raises DamagedIndexError if they are not
        what was written."""
        part = self.parts[name]
        row_type = part.row_type
        start, end = first // BLOCK_ROWS * BLOCK_ROWS, min(-(-stop // BLOCK_ROWS) * BLOCK_ROWS, self.n_rows)
        try:
            stored = np.fromfile(self.path(name), row_type, count=end - start, offset=start * row_type.itemsize)
        except OSError as error:
            raise DamagedIndexError(f"{self.path(name)} cannot be read ({error.strerror})") from error
        if len(stored) != end - start:
            raise DamagedIndexError(f"{self.path(name)} is too short")
        for block in range(start, end, BLOCK_ROWS):
            if _checksum(stored[block - start : block - start + BLOCK_ROWS]) != part.checksums[block // BLOCK_ROWS]:
                raise DamagedIndexError(f"{self.path(name)} is damaged")
        return part.read(stored[first - start : stop - start], out)

    def give_up(self) -> None:
        """Have the files made anew by whoever builds the index next, unless somebody has done so already."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            if json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))["checksum"] == self.checksum:
                (self.folder / MANIFEST).unlink()


class DamagedIndexError(Exception):
    """The files are not what they were when they were written."""


def updated(features: LibraryFeatures, folder: Path) -> tuple[IndexFiles, str]:
    """The files for these features, with whatever rows were missing, and why they were made anew, if they were.

    They may have more rows, where another process knows of more clips.
    """
    files, wrong = read(features, folder)
    if files is not None and files.n_rows >= features.n_rows:
        return files, ""
    if files is None or features.n_rows > GROWN * files.n_trained:
        files = _begun(features, folder)
    _append(files, features)
    if files.share_apart > MOST_APART and files.n_trained < files.n_rows:
        files = _begun(features, folder)
        _append(files, features)
    _commit(files, features)
    return files, wrong


def read(features: LibraryFeatures, folder: Path) -> tuple[IndexFiles | None, str]:
    """What is there, or None and what is wrong with it ("" if there is nothing)."""
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError):
        return None, "its manifest is damaged"
    try:
        if content["version"] != VERSION:
            return None, "it is of another version"
        checksum = content.pop("checksum")
        if checksum != _checksum_of(content):
            return None, "its manifest is damaged"
        parts = {name: _part(entry) for name, entry in content["parts"].items()}
        counts = (content["n_trained"], content["n_rows"])
        files = IndexFiles(folder, content["generation"], content["features_id"], *counts, parts, checksum)
        if (files.generation, files.features_id) != (features.generation, features.id):
            return None, ""  # the features were begun anew, which they have said themselves
        if files.n_rows > features.n_rows:
            if not features.id:  # so that nothing but all rows tells whose they are
                return None, ""
        elif content["sample"] != _sample(features, files.parts, files.n_rows):
            return None, "it was built from other features"
        for name, part in parts.items():
            if files.path(name).stat().st_size < files.n_rows * part.row_type.itemsize:
                return None, f"{files.path(name).name} is too short"
            if part.basis.directions is None or len(part.basis.mean) != features.arrays[name].shape[1]:
                return None, "its bases do not fit the features"
            if len(part.checksums) != -(-files.n_rows // BLOCK_ROWS):
                return None, "its checksums are not all there"
    except (KeyError, TypeError, ValueError, AttributeError, OSError):
        return None, "it is damaged"
    return files, ""


def _begun(features: LibraryFeatures, folder: Path) -> IndexFiles:
    parts = {}
    for name, array in features.arrays.items():
        if array.shape[1] > AS_THEY_ARE:
            thinned = array[:: max(1, len(array) // TRAINING_ROWS)]
            basis = Basis.trained(thinned)
            n_wide = basis.n_dimensions // 2 if basis.n_dimensions <= FEW else N_WIDE
            usual = np.quantile(np.abs(basis.exact(usual_rows(thinned))), USUAL, axis=0)
            parts[name] = Part(basis, n_wide, np.maximum(usual, 1e-6) / _largest(n_wide, len(usual)))
    return IndexFiles(folder, features.generation, features.id, features.n_rows, 0, parts)


def _append(files: IndexFiles, features: LibraryFeatures) -> None:
    """Write the rows that are missing, whole blocks at a time; the last block, not yet full, is written again."""
    files.folder.mkdir(parents=True, exist_ok=True)
    start, stop = files.n_rows // BLOCK_ROWS * BLOCK_ROWS, features.n_rows
    for name, part in files.parts.items():
        del part.checksums[start // BLOCK_ROWS :]
        apart = [part.apart[part.apart < start]]
        path = files.path(name)
        with path.open("r+b" if path.exists() else "w+b") as file:  # what counts already stays readable
            file.seek(start * part.row_type.itemsize)
            for first in range(start, stop, BLOCK_ROWS):
                values = features.arrays[name][first : min(first + BLOCK_ROWS, stop)]
                z = part.basis.exact(values)
                stored, fits = part.stored(z), part.fits(z)
                off = np.sqrt(((z - part.read(stored).T)[fits] ** 2).sum(axis=1).max(initial=0.0))
                part.error = max(part.error, float(off) * (1.0 + 1e-9) + part.basis.rounding(values))
                apart.append(first + np.flatnonzero(~fits))
                part.checksums.append(_checksum(stored))
                file.write(stored.tobytes())
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
        part.apart = np.concatenate(apart)
    files.n_rows = stop


def _commit(files: IndexFiles, features: LibraryFeatures) -> None:
    """Put the manifest in its place; delete what belongs to other generations."""
    content = {
        "version": VERSION,
        "generation": files.generation,
        "features_id": files.features_id,
        "n_trained": files.n_trained,
        "n_rows": files.n_rows,
        "sample": _sample(features, files.parts, files.n_rows),
        "parts": {name: _entry(part) for name, part in files.parts.items()},
    }
    files.checksum = _checksum_of(content)
    put_manifest(files.folder / MANIFEST, {**content, "checksum": files.checksum})
    delete_others(files.folder, "*.rows", {files.path(name) for name in files.parts})


def _largest(n_wide: int, n_numbers: int) -> np.ndarray:
    """The largest whole number (K,) that each can be."""
    return np.where(np.arange(n_numbers) < n_wide, np.iinfo(np.int16).max, np.iinfo(np.int8).max)


def _checksum(rows: np.ndarray) -> int:
    return zlib.crc32(np.ascontiguousarray(rows).view(np.uint8).data)


def _checksum_of(content: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(content, sort_keys=True).encode())


def _sample(features: LibraryFeatures, names: Iterable[str], n_rows: int) -> int:
    """A number that features with other rows hardly have."""
    rows = np.unique(np.linspace(0, n_rows - 1, N_SAMPLED).astype(int))
    return zlib.crc32(b"".join(np.ascontiguousarray(features.arrays[name][rows]).tobytes() for name in sorted(names)))


def _entry(part: Part) -> dict[str, Any]:
    assert part.basis.directions is not None
    return {
        "mean": _text(part.basis.mean),
        "directions": _text(part.basis.directions),
        "n_wide": part.n_wide,
        "steps": _text(part.steps),
        "error": part.error,
        "checksums": part.checksums,
        "apart": _text(part.apart.astype("<i8")),
    }


def _part(entry: Mapping[str, Any]) -> Part:
    mean = _numbers(entry["mean"], "<f4")
    steps = _numbers(entry["steps"], "<f8")
    directions = _numbers(entry["directions"], "<f8").reshape(len(mean), len(steps))
    checksums = [int(each) for each in entry["checksums"]]
    apart = _numbers(entry["apart"], "<i8")
    return Part(Basis(mean, directions), int(entry["n_wide"]), steps, float(entry["error"]), checksums, apart)


def _text(array: np.ndarray) -> str:
    """To the last bit: the basis must be the one that rows were written with."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def _numbers(text: str, dtype: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype).astype(dtype[1:])
