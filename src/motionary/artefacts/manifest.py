"""The manifest of an artefact: what it is, what it was built from, and what its files hold."""

import json
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from motionary.artefacts.table import BLOCK_BYTES, TableEntry
from motionary.errors import DamagedArtefactError

FORMAT = b"motionary artefact 1 "
NAME = "manifest"


@dataclass(frozen=True)
class Manifest:
    """All that is known of an artefact without opening its tables."""

    kind: str
    version: int
    key: str
    inputs: Any  # JSON: what it was built from
    id: str  # random, new with every generation: what is built from this artefact names it among its inputs
    generation: int = 0
    built_at: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # JSON: whatever the kind has to remember besides tables
    tables: dict[str, TableEntry] = field(default_factory=dict)

    @property
    def n_bytes(self) -> int:
        return sum(entry.n_bytes for entry in self.tables.values())

    def table_path(self, folder: Path, table: str) -> Path:
        return folder / f"{table}.{self.generation}"

    def write(self, folder: Path) -> None:
        """Put it in its place; after a power cut, too, the old one or the new one is there."""
        content = self.__dict__ | {"tables": {name: _as_json(entry) for name, entry in self.tables.items()}}
        data = json.dumps(content, ensure_ascii=False).encode()
        part = folder / f"{NAME}.part"
        with part.open("wb") as file:
            file.write(FORMAT + f"{zlib.crc32(data):08x}\n".encode() + data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, folder / NAME)

    @classmethod
    def read(cls, folder: Path) -> "Manifest | None":
        """The manifest in a folder, or None if there is none; raises DamagedArtefactError if it is not one of ours."""
        try:
            line, _, data = (folder / NAME).read_bytes().partition(b"\n")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise DamagedArtefactError(f"its manifest cannot be read ({error.strerror})", folder) from error
        if line != FORMAT + f"{zlib.crc32(data):08x}".encode():
            raise DamagedArtefactError("its manifest is damaged", folder)
        try:
            content = json.loads(data)
            tables = {name: _of_json(entry) for name, entry in content.pop("tables").items()}
            return cls(**content, tables=tables)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise DamagedArtefactError("its manifest is damaged", folder) from error


def _as_json(entry: TableEntry) -> dict[str, Any]:
    descr = np.lib.format.dtype_to_descr(entry.dtype)
    return {
        "dtype": descr,
        "row_shape": list(entry.row_shape),
        "n_rows": entry.n_rows,
        "checksums": list(entry.checksums),
    }


def _of_json(content: dict[str, Any]) -> TableEntry:
    descr = content["dtype"]
    if not isinstance(descr, str):  # JSON has no tuples
        descr = [(name, kind, tuple(shape[0])) if shape else (name, kind) for name, kind, *shape in descr]
    entry = TableEntry(
        np.dtype(descr),
        tuple(int(n) for n in content["row_shape"]),
        int(content["n_rows"]),
        tuple(int(c) for c in content["checksums"]),
    )
    if len(entry.checksums) != -(-entry.n_bytes // BLOCK_BYTES):
        raise ValueError("checksums are missing")
    return entry
