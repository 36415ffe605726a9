"""The index as it is stored: whole descriptions in a few integers a pose. Its rows are those of the features."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Draft, Kind
from motionary.library import LibraryFeatures
from motionary.search.exact.projections import AS_THEY_ARE, TRAINING_ROWS, Basis, usual_rows

KIND = Kind("index", version=5, title="the index")
READ_ROWS = 2048
AT_ONCE = 65_536  # rows
N_WIDE = 8  # numbers of a row that have two bytes; half of them, where there are few
FEW = 16
USUAL = 0.999  # share of the numbers in training that steps are made for; rows with larger ones are kept apart
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
    """The parts of an index, and their rows in the store."""

    parts: dict[str, Part]
    n_trained: int  # rows, when bases were trained
    n_rows: int = 0
    artefact: Artefact | None = None

    @property
    def share_apart(self) -> float:
        return max((len(part.apart) for part in self.parts.values()), default=0) / max(1, self.n_rows)

    def rows(self, name: str, first: int, stop: int, out: np.ndarray | None = None) -> np.ndarray:
        """z (K, stop − first) float32 of some rows, in `out` if it is given; raises DamagedArtefactError if they are
        not what was written."""
        assert self.artefact is not None
        return self.parts[name].read(self.artefact.tables[name].rows(first, stop), out)


def found(features: LibraryFeatures, store: ArtefactStore) -> IndexFiles | None:
    """The index of these features, if there is one of all their rows; it may have more, where another process knows of
    more clips."""
    artefact = store.find(KIND, _key(features), inputs=_inputs(features))
    files = None if artefact is None else _files(artefact)
    return files if files is not None and files.n_rows >= features.n_rows else None


def updated(features: LibraryFeatures, draft: Draft) -> IndexFiles:
    """The index of these features, with whatever rows were missing."""
    before = draft.before if draft.before is not None and draft.before.manifest.inputs == _inputs(features) else None
    files = None if before is None else _files(before)
    if files is not None and files.n_rows >= features.n_rows:
        return files
    if files is None or features.n_rows > GROWN * files.n_trained:
        files = _begun(features, draft)
    else:
        draft.resume()
    _append(files, features, draft)
    if files.share_apart > MOST_APART and files.n_trained < files.n_rows:
        files = _begun(features, draft)
        _append(files, features, draft)
    facts = {"n_trained": files.n_trained, "parts": {name: _entry(part) for name, part in files.parts.items()}}
    files.artefact = draft.commit(inputs=_inputs(features), facts=facts)
    return files


def _key(features: LibraryFeatures) -> str:
    return f"{features.rate_hz:g}hz"


def _inputs(features: LibraryFeatures) -> dict[str, Any]:
    return {"features": features.id}


def _files(artefact: Artefact) -> IndexFiles:
    parts = {name: _part(entry) for name, entry in artefact.facts["parts"].items()}
    n_rows = min((len(table) for table in artefact.tables.values()), default=0)
    return IndexFiles(parts, artefact.facts["n_trained"], n_rows, artefact)


def _begun(features: LibraryFeatures, draft: Draft) -> IndexFiles:
    draft.begin()
    parts = {}
    for name, array in features.arrays.items():
        if array.shape[1] > AS_THEY_ARE:
            thinned = array[:: max(1, len(array) // TRAINING_ROWS)]
            basis = Basis.trained(thinned)
            n_wide = basis.n_dimensions // 2 if basis.n_dimensions <= FEW else N_WIDE
            usual = np.quantile(np.abs(basis.exact(usual_rows(thinned))), USUAL, axis=0)
            parts[name] = Part(basis, n_wide, np.maximum(usual, 1e-6) / _largest(n_wide, len(usual)))
    return IndexFiles(parts, features.n_rows)


def _append(files: IndexFiles, features: LibraryFeatures, draft: Draft) -> None:
    """Write the rows that are missing."""
    for name, part in files.parts.items():
        apart = [part.apart]
        for first in range(files.n_rows, features.n_rows, AT_ONCE):
            values = features.arrays[name][first : min(first + AT_ONCE, features.n_rows)]
            z = part.basis.exact(values)
            stored, fits = part.stored(z), part.fits(z)
            off = np.sqrt(((z - part.read(stored).T)[fits] ** 2).sum(axis=1).max(initial=0.0))
            part.error = max(part.error, float(off) * (1.0 + 1e-9) + part.basis.rounding(values))
            apart.append(first + np.flatnonzero(~fits))
            draft.append(name, stored)
        part.apart = np.concatenate(apart)
    files.n_rows = features.n_rows


def _largest(n_wide: int, n_numbers: int) -> np.ndarray:
    """The largest whole number (K,) that each can be."""
    return np.where(np.arange(n_numbers) < n_wide, np.iinfo(np.int16).max, np.iinfo(np.int8).max)


def _entry(part: Part) -> dict[str, Any]:
    assert part.basis.directions is not None
    return {
        "mean": _text(part.basis.mean),
        "directions": _text(part.basis.directions),
        "n_wide": part.n_wide,
        "steps": _text(part.steps),
        "error": part.error,
        "apart": _text(part.apart.astype("<i8")),
    }


def _part(entry: Mapping[str, Any]) -> Part:
    mean = _numbers(entry["mean"], "<f4")
    steps = _numbers(entry["steps"], "<f8")
    directions = _numbers(entry["directions"], "<f8").reshape(len(mean), len(steps))
    apart = _numbers(entry["apart"], "<i8")
    return Part(Basis(mean, directions), int(entry["n_wide"]), steps, float(entry["error"]), apart)


def _text(array: np.ndarray) -> str:
    """To the last bit: the basis must be the one that rows were written with."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def _numbers(text: str, dtype: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype).astype(dtype[1:])
