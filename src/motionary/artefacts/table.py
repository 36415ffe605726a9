"""Tables of an artefact: rows in a file that is known to be as it was written wherever it is touched."""

import os
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from motionary.errors import DamagedArtefactError

BLOCK_BYTES = 1 << 18  # with a checksum each
MOST_KNOWN = 4096  # files whose verified blocks a process remembers

# Which blocks of which files this process has verified: a file that was opened before is not read through again. Files
# are known by what a write to them changes, so that damage done in between is found.
_verified: dict[tuple[object, ...], np.ndarray] = {}
_lock = threading.Lock()
damaged_ids: set[str] = set()  # of artefacts that this process has found damaged: it opens them no more


@dataclass(frozen=True)
class TableEntry:
    """What the manifest says of a table."""

    dtype: np.dtype
    row_shape: tuple[int, ...]
    n_rows: int
    checksums: tuple[int, ...]  # CRC-32 of each block, the last one as far as it is filled

    def __post_init__(self) -> None:
        if self.n_rows < 0 or min(self.row_shape, default=0) < 0 or self.dtype.hasobject:
            raise ValueError("its table is invalid")

    @property
    def row_bytes(self) -> int:
        return self.dtype.itemsize * int(np.prod(self.row_shape, dtype=np.int64))

    @property
    def n_bytes(self) -> int:
        return self.n_rows * self.row_bytes


class Table:
    """Rows (n_rows, …) of one table; whatever is read from it was verified first, once per process and block.

    `rows` and `array` give views of the mapped file. Raises DamagedArtefactError where the file is not what was
    written.
    """

    def __init__(
        self, entry: TableEntry, data: np.ndarray, verified: np.ndarray, path: Path | None = None, owner: str = ""
    ) -> None:
        self.entry, self._data, self._verified, self._path, self._owner = entry, data, verified, path, owner

    @classmethod
    def opened(cls, path: Path, entry: TableEntry, *, owner: str = "") -> "Table":
        """The table in a file of the artefact with the id `owner`.

        Raises DamagedArtefactError if the file is too short, OSError if it is not there.
        """
        shape = (entry.n_rows, *entry.row_shape)
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_size < entry.n_bytes:
                raise DamagedArtefactError(f"{path.name} is truncated")
            if entry.n_bytes == 0:
                return cls(entry, np.zeros(shape, entry.dtype), np.ones(0, dtype=bool))
            mapped = np.memmap(file, entry.dtype, mode="r", shape=shape)
        key = (status.st_dev, status.st_ino, status.st_mtime_ns, entry.checksums)
        with _lock:
            if len(_verified) > MOST_KNOWN:
                _verified.clear()
            verified = _verified.setdefault(key, np.zeros(len(entry.checksums), dtype=bool))
        # A plain view of the map: rows of it are taken by the thousand
        return cls(entry, np.asarray(mapped), verified, path, owner)

    @classmethod
    def in_memory(cls, array: np.ndarray) -> "Table":
        """A table that is not kept; its rows need no verifying."""
        array = np.ascontiguousarray(array)
        array.flags.writeable = False
        entry = TableEntry(array.dtype, array.shape[1:], len(array), ())
        return cls(entry, array, np.ones(0, dtype=bool))

    @property
    def shape(self) -> tuple[int, ...]:
        return self._data.shape

    @property
    def nbytes(self) -> int:
        return self._data.nbytes

    @property
    def dtype(self) -> np.dtype:
        return self._data.dtype

    def __len__(self) -> int:
        return len(self._data)

    @property
    def array(self) -> np.ndarray:
        """All rows."""
        return self.rows(0, len(self._data))

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype=dtype, copy=copy)

    def __getitem__(self, index: Any) -> np.ndarray:
        """Rows as from an array (n_rows, …); only what is taken is verified."""
        if isinstance(index, slice) and index.step is None:
            first, stop, _ = index.indices(len(self._data))
            return self.rows(first, max(first, stop))
        if isinstance(index, np.ndarray) and index.dtype.kind == "i" and index.ndim == 1:
            if not self._verified.all():
                positive = np.where(index < 0, index + len(self._data), index)
                self.touched(positive, positive + 1)
        else:
            self.verify()
        return np.asarray(self._data[index])

    def rows(self, first: int, stop: int) -> np.ndarray:
        """Rows [first, stop)."""
        self.verify(first, stop)
        return self._data[first:stop]

    def touched(self, firsts: np.ndarray | Sequence[int], stops: np.ndarray | Sequence[int]) -> np.ndarray:
        """The whole table, of which only rows [first, stop) of these spans may be read: only they are verified."""
        if not self._verified.all():
            size = self.entry.row_bytes
            low = np.asarray(firsts, dtype=np.int64) * size // BLOCK_BYTES
            high = -(-np.asarray(stops, dtype=np.int64) * size // BLOCK_BYTES)
            steps = np.zeros(len(self._verified) + 1, dtype=np.int64)
            np.add.at(steps, np.minimum(low, len(steps) - 1), 1)
            np.add.at(steps, np.minimum(high, len(steps) - 1), -1)
            wanted = np.cumsum(steps[:-1]) > 0
            for block in np.flatnonzero(wanted & ~self._verified).tolist():
                self._verify_block(block)
        return self._data

    def verify(self, first: int = 0, stop: int | None = None) -> None:
        """Raise DamagedArtefactError unless rows [first, stop) are what was written."""
        size = self.entry.row_bytes
        stop = len(self._data) if stop is None else min(stop, len(self._data))
        low, high = first * size // BLOCK_BYTES, -(-stop * size // BLOCK_BYTES)
        some = self._verified[low:high]
        if not some.all():
            for block in (low + np.flatnonzero(~some)).tolist():
                self._verify_block(block)

    def damaged_blocks(self) -> list[tuple[int, int]]:
        """Rows [first, stop) that damaged blocks reach into; all blocks are read, verified before or not."""
        size = max(1, self.entry.row_bytes)
        found = []
        for block, checksum in enumerate(self.entry.checksums):
            if zlib.crc32(self._block(block)) != checksum:
                start, end = block * BLOCK_BYTES, min((block + 1) * BLOCK_BYTES, self.entry.n_bytes)
                found.append((start // size, -(-end // size)))
        return found

    def _block(self, block: int) -> memoryview:
        flat = self._data.reshape(-1).view(np.uint8)
        return flat[block * BLOCK_BYTES : min((block + 1) * BLOCK_BYTES, self.entry.n_bytes)].data

    def _verify_block(self, block: int) -> None:
        if zlib.crc32(self._block(block)) != self.entry.checksums[block]:
            assert self._path is not None
            damaged_ids.add(self._owner)
            raise DamagedArtefactError(f"{self._path.name} does not match its checksum", folder=self._path.parent)
        self._verified[block] = True


class TableWriter:
    """Appends rows to the file of a table and keeps the checksums of its blocks."""

    def __init__(self, path: Path, dtype: np.dtype, row_shape: tuple[int, ...], before: TableEntry | None) -> None:
        self.dtype, self.row_shape = dtype, row_shape
        self.n_rows = 0 if before is None else before.n_rows
        self._file = path.open("w+b" if before is None else "r+b")
        self._full: list[int] = []
        self._open, self._n_open = 0, 0  # CRC-32 and bytes of the last block, which is not full
        if before is not None:
            n_full = before.n_bytes // BLOCK_BYTES
            self._full = list(before.checksums[:n_full])
            self._n_open = before.n_bytes - n_full * BLOCK_BYTES
            self._open = before.checksums[n_full] if self._n_open else 0
            self._file.seek(before.n_bytes)  # what a killed process wrote behind it is overwritten

    def append(self, rows: np.ndarray) -> None:
        """Write rows (N, …) behind those that are there."""
        rows = np.ascontiguousarray(rows, dtype=self.dtype)
        if rows.shape[1:] != self.row_shape:
            raise ValueError(f"rows of shape {rows.shape[1:]} for a table of {self.row_shape}")
        data = rows.reshape(-1).view(np.uint8).data if rows.size else memoryview(b"")
        self._file.write(data)
        while len(data):
            taken = data[: BLOCK_BYTES - self._n_open]
            self._open, self._n_open = zlib.crc32(taken, self._open), self._n_open + len(taken)
            data = data[len(taken) :]
            if self._n_open == BLOCK_BYTES:
                self._full.append(self._open)
                self._open, self._n_open = 0, 0
        self.n_rows += len(rows)

    def entry(self) -> TableEntry:
        """What the manifest is to say, once all that was written is on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())  # or a power cut could leave a file of the right size, full of zeros
        checksums = (*self._full, self._open) if self._n_open else tuple(self._full)
        return TableEntry(self.dtype, self.row_shape, self.n_rows, checksums)

    def close(self) -> None:
        self._file.close()
