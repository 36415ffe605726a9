"""The store of derived data beside a bank: features, indices, pose spaces, webs, and whatever is built from clips.

An artefact is a folder `KIND/KEY` with a manifest and a file per table. Rows, once written, never change, so that a
reader's maps stay right while another process appends. The manifest is replaced as a whole and written last: what it
does not name does not exist. Whatever is read was verified by checksums, once per process. Anything can be deleted at
any time; it costs only the time to build it again.
"""

import errno
import fcntl
import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from motionary.artefacts.manifest import NAME, Manifest
from motionary.artefacts.table import Table, TableWriter, damaged_ids
from motionary.bank import Bank, derived_path
from motionary.errors import BankError, DamagedArtefactError, UsageError

T = TypeVar("T")
LOCK = "lock"
CANNOT_WRITE = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR, errno.EISDIR),
    *(errno.ENOSPC, errno.EDQUOT),
}
TRIES = 5  # to open files that another process replaces meanwhile
FORMER = re.compile(r"(features|curves-[0-9a-f]+|poses|web)-v\d+.*")  # folders of earlier versions


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of artefact. Raise `version` whenever the numbers in it, or their layout, change."""

    name: str  # of its folder
    version: int
    title: str  # as messages call it: "the features", "the match web"

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True, eq=False)
class Content:
    """What a job builds: arrays by name, and JSON for whatever is not an array."""

    tables: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Job:
    """Something to build: what it is, what it is built from, and how.

    `inputs` are JSON, mostly digests: an artefact with other inputs is built again. Take everything into them that the
    result depends on, except what `kind.version` stands for.
    """

    kind: Kind
    key: str  # one artefact of a kind is kept under a key; another with other inputs replaces it
    inputs: Any
    build: Callable[[], Content]


@dataclass(frozen=True, eq=False)
class Artefact:
    """Derived data, opened for reading: a snapshot that stays as it is, whatever others write or delete."""

    manifest: Manifest
    tables: Mapping[str, Table]
    folder: Path | None = None  # None: it could not be kept

    @property
    def facts(self) -> dict[str, Any]:
        return self.manifest.facts

    @property
    def id(self) -> str:
        return self.manifest.id

    def array(self, table: str) -> np.ndarray:
        """All rows of a table."""
        return self.tables[table].array


class ArtefactStore:
    """The derived data of one bank.

    >>> KIND = Kind("speeds", version=1, title="the speeds")
    >>> store = ArtefactStore.of(bank)                                      # doctest: +SKIP
    >>> def build() -> Content:
    ...     return Content({"speed": np.arange(3.0)}, {"unit": "m/s"})
    >>> job = Job(KIND, key="walk", inputs=[bank.frames_digest(clip).hex()], build=build)     # doctest: +SKIP
    >>> artefact = store.get(job)                                           # doctest: +SKIP
    >>> artefact.array("speed"), artefact.facts["unit"]                     # doctest: +SKIP

    `get` opens what is kept, or builds and keeps it; damaged data, and data of another version or of other inputs, are
    built again, and `message` is told of damage. Where nothing can be written, the result is used and not kept.
    """

    def __init__(self, folder: Path, *, message: Callable[[str], None] | None = None) -> None:
        self.folder = folder
        self._tell = message or (lambda _: None)

    @classmethod
    def of(cls, bank: Bank, *, message: Callable[[str], None] | None = None) -> "ArtefactStore":
        """The store beside a bank."""
        return cls(bank.derived_path, message=message)

    @classmethod
    def beside(cls, path: Path) -> "ArtefactStore":
        """The store beside the bank at `path`, even if that cannot be opened."""
        return cls(derived_path(path))

    def get(self, job: Job) -> Artefact:
        """The artefact of a job, opened, or built and kept."""
        found = self.find(job.kind, job.key, inputs=job.inputs)
        if found is not None:
            return found
        content = job.build()
        try:
            with self.writing(job.kind, job.key) as draft:
                draft.begin()
                for name, array in content.tables.items():
                    draft.append(name, array)
                return draft.commit(inputs=job.inputs, facts=content.facts)
        except OSError:  # full while it was written
            tables = {name: Table.in_memory(array) for name, array in content.tables.items()}
            manifest = Manifest(
                job.kind.name, job.kind.version, job.key, _plain(job.inputs), _new_id(), facts=dict(content.facts)
            )
            return Artefact(manifest, tables)

    def find(self, kind: Kind, key: str, *, inputs: Any = ...) -> Artefact | None:
        """What is kept of that kind under that key; None if there is nothing, or nothing of these inputs."""
        try:
            found = self._opened(kind, key)
        except DamagedArtefactError as damage:
            self._tell(f"{kind.title} beside the bank will be built again: {damage.problem}")
            return None
        if found is None or found.id in damaged_ids or (inputs is not ... and found.manifest.inputs != _plain(inputs)):
            return None
        return found

    def is_current(self, artefact: Artefact) -> bool:
        """Whether the files beside the bank still are this generation of it, even if rows have come since."""
        if artefact.folder is None:
            return False
        with suppress(DamagedArtefactError):
            manifest = Manifest.read(artefact.folder)
            return manifest is not None and manifest.id == artefact.id
        return False

    @property
    def is_writable(self) -> bool:
        """Whether artefacts can be written here, as far as permissions tell."""
        folder = next(path for path in (self.folder, *self.folder.absolute().parents) if path.exists())
        return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)

    @contextmanager
    def writing(self, kind: Kind, key: str) -> "Iterator[Draft]":
        """While it lasts, nobody else writes this artefact; waits for whoever does.

        Where nothing can be written, the draft goes to a temporary folder that is deleted at the end: what is open
        by then stays readable.
        """
        folder = self._folder(kind, key)
        with ExitStack() as stack:
            try:
                self._delete_former()
                folder.mkdir(parents=True, exist_ok=True)
                lock = stack.enter_context((folder / LOCK).open("wb"))
                fcntl.flock(lock, fcntl.LOCK_EX)
            except OSError as error:
                if error.errno not in CANNOT_WRITE:
                    raise BankError(f"{folder}: {kind.title} cannot be written ({error.strerror})") from error
                self._tell(f"{kind.title} cannot be kept in {folder} ({error.strerror}); built for this time only")
                passing = stack.enter_context(tempfile.TemporaryDirectory(prefix="motionary-"))
                yield stack.enter_context(_closing(Draft(kind, key, Path(passing), None, kept=False)))
                return
            before = None
            with suppress(DamagedArtefactError):
                before = self._opened(kind, key)
            yield stack.enter_context(_closing(Draft(kind, key, folder, before, kept=True)))

    def entries(self) -> list["Entry"]:
        """All that is kept, by kind and key."""
        return sorted((_entry(folder) for folder in _folders(self.folder)), key=lambda one: one.name)

    def remove(self, names: list[str], *, dry_run: bool = False) -> list["Entry"]:
        """Delete artefacts by name: KIND or KIND/KEY, or how the key begins. Returns what was deleted."""
        known = self.entries()
        chosen: dict[str, Entry] = {}
        for name in names:
            found = [
                one for one in known if name in (one.kind, one.name) or ("/" in name and one.name.startswith(name))
            ]
            if not found:
                there = ", ".join(sorted({one.kind for one in known})) or "none"
                raise UsageError(f"no derived data named {name!r}; available: {there}")
            chosen |= {one.name: one for one in found}
        for one in chosen.values() if not dry_run else ():
            with _locked(one.folder):
                shutil.rmtree(one.folder, ignore_errors=True)
        return list(chosen.values())

    def check(self) -> list[str]:
        """What is damaged, in words; all of it is read."""
        remedy = "it will be built again when it is needed, or (webs, graphs, tables) by its `build` command"
        return [f"derived data {one.name}: {problem}; {remedy}" for one in self.entries() if (problem := one.problem())]

    def _opened(self, kind: Kind, key: str) -> Artefact | None:
        """What is kept; raises DamagedArtefactError if it is not what it should be."""
        folder = self._folder(kind, key)
        for _ in range(TRIES):
            manifest = Manifest.read(folder)
            if manifest is None or (manifest.kind, manifest.version) != (kind.name, kind.version):
                return None
            if manifest.key != key:
                raise DamagedArtefactError("it belongs to another key", folder)
            with suppress(FileNotFoundError):  # another process has just begun a new generation
                return _open_tables(manifest, folder)
        raise DamagedArtefactError("its files are missing", folder)

    def _folder(self, kind: Kind, key: str) -> Path:
        _check_name(key)
        return self.folder / kind.name / key

    def _delete_former(self) -> None:
        """Delete what earlier versions of the program kept in another layout."""
        with suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                if FORMER.fullmatch(path.name):
                    shutil.rmtree(path, ignore_errors=True)


def rebuilding(call: Callable[[], T], *, message: Callable[[str], None] | None = None) -> T:
    """What a call gives. Where it meets damaged data, `message` is told, and it is called again: whatever asks the
    store for them then has them built again."""
    met: set[str] = set()
    while True:
        try:
            return call()
        except DamagedArtefactError as damage:
            if str(damage) in met:  # it was given to the call, or is damaged again and again
                raise
            met.add(str(damage))
            if message is not None:
                message(str(damage))


class Draft:
    """An artefact being written: begun anew, or with rows appended to what is there.

    Nothing of it counts before `commit`; after that, more can be appended and committed.
    """

    def __init__(self, kind: Kind, key: str, folder: Path, before: Artefact | None, *, kept: bool) -> None:
        self.kind, self.key, self.folder, self.kept = kind, key, folder, kept
        is_whole = before is not None and before.id not in damaged_ids
        self.before = before if is_whole else None
        self.damaged = None if is_whole else before  # what may be saved from it: see `Table.damaged_blocks`
        self._manifest: Manifest | None = None
        self._writers: dict[str, TableWriter] = {}

    def begin(self) -> None:
        """Begin a new generation, in files of their own."""
        self.close()
        used = [int(path.suffix[1:]) for path in self.folder.iterdir() if path.suffix[1:].isdigit()]
        generation = max(used, default=0) + 1
        self._manifest = Manifest(self.kind.name, self.kind.version, self.key, None, _new_id(), generation)

    def resume(self) -> None:
        """Append to what is there; its rows stay as they are."""
        assert self.before is not None
        self._manifest = self.before.manifest

    @property
    def id(self) -> str:
        assert self._manifest is not None
        return self._manifest.id

    def append(self, table: str, rows: np.ndarray) -> None:
        """Write rows behind those that the table has; the first rows say its type and shape."""
        manifest = self._manifest
        assert manifest is not None, "begin or resume first"
        _check_name(table)
        if table not in self._writers:
            before = manifest.tables.get(table)
            rows = np.asarray(rows)
            dtype, shape = (rows.dtype, rows.shape[1:]) if before is None else (before.dtype, before.row_shape)
            self._writers[table] = TableWriter(manifest.table_path(self.folder, table), dtype, shape, before)
        self._writers[table].append(rows)

    def n_rows(self, table: str) -> int:
        """How many rows a table has by now."""
        assert self._manifest is not None
        if table in self._writers:
            return self._writers[table].n_rows
        return self._manifest.tables[table].n_rows if table in self._manifest.tables else 0

    def commit(self, *, inputs: Any, facts: Mapping[str, Any]) -> Artefact:
        """Make what was written count, in place of what was there; returns it, opened."""
        assert self._manifest is not None
        tables = self._manifest.tables | {name: writer.entry() for name, writer in self._writers.items()}
        built_at = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = replace(self._manifest, inputs=_plain(inputs), facts=dict(facts), tables=tables, built_at=built_at)
        manifest.write(self.folder)
        self._manifest = manifest
        own = {manifest.table_path(self.folder, name) for name in tables}
        for path in self.folder.iterdir():  # who has a file of an older generation open keeps it
            if path.suffix[1:].isdigit() and path not in own:
                with suppress(OSError):
                    path.unlink()
        opened = _open_tables(manifest, self.folder)
        return opened if self.kept else replace(opened, folder=None)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()
        self._writers = {}


@dataclass(frozen=True)
class Entry:
    """One artefact in a list, opened or not."""

    kind: str
    key: str
    folder: Path
    n_bytes: int
    version: int | None = None
    built_at: str = ""
    damage: str = ""  # what is wrong with its manifest
    manifest: Manifest | None = None  # None: it is damaged

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.key}"

    def problem(self) -> str:
        """What is damaged, "" if nothing is; reads all of it."""
        if self.damage:
            return self.damage
        try:
            manifest = Manifest.read(self.folder)
            if manifest is None:
                return ""
            tables = _open_tables(manifest, self.folder).tables
        except DamagedArtefactError as damage:
            return damage.problem
        except OSError as error:
            return f"{Path(error.filename or self.folder).name} is missing"
        wrong = [name for name, table in tables.items() if table.damaged_blocks()]
        return f"{', '.join(wrong)} damaged (checksum mismatch)" if wrong else ""

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "key": self.key,
            "bytes": self.n_bytes,
            "version": self.version,
            "built_at": self.built_at,
        }


def _open_tables(manifest: Manifest, folder: Path) -> Artefact:
    try:
        tables = {
            name: Table.opened(manifest.table_path(folder, name), entry, owner=manifest.id)
            for name, entry in manifest.tables.items()
        }
    except DamagedArtefactError as damage:
        raise DamagedArtefactError(damage.problem, folder) from damage
    except ValueError as error:  # sizes that cannot be
        raise DamagedArtefactError("its manifest is damaged", folder) from error
    return Artefact(manifest, tables, folder)


def _folders(beside: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError, NotADirectoryError):
        for kind in beside.iterdir():
            if kind.is_dir():
                yield from (key for key in kind.iterdir() if (key / NAME).is_file())


def _entry(folder: Path) -> Entry:
    n_bytes = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    kind, key = folder.parent.name, folder.name
    try:
        manifest = Manifest.read(folder)
    except DamagedArtefactError as damage:
        return Entry(kind, key, folder, n_bytes, damage=damage.problem)
    if manifest is None:
        return Entry(kind, key, folder, n_bytes)
    wrong = "" if (manifest.kind, manifest.key) == (kind, key) else "it belongs to another key"
    return Entry(kind, key, folder, n_bytes, manifest.version, manifest.built_at, wrong, None if wrong else manifest)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _closing(draft: Draft) -> Iterator[Draft]:
    try:
        yield draft
    finally:
        draft.close()


def _plain(content: Any) -> Any:
    """As it will be when it comes back from JSON."""
    return json.loads(json.dumps(content))


def _new_id() -> str:
    return secrets.token_hex(8)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[\w-][\w.-]*", name, re.ASCII):
        raise ValueError(f"{name!r} cannot name a part of an artefact")
