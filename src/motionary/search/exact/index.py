"""The index of a library: its features, and the projections that searches look through first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np

from motionary.alignment import GROUP, PoseGroups, Poses
from motionary.errors import DamagedArtefactError
from motionary.library import LibraryFeatures
from motionary.search.exact.grouping import GroupedRows
from motionary.search.exact.index_store import IndexFiles
from motionary.search.exact.projections import AS_THEY_ARE, Basis, Columns, Projection

MOST_BYTES = 1 << 30  # of projections in memory; larger libraries are looked through in parts
PART_ROWS = 1 << 20
CAST_ROWS = 1 << 14  # that the cache holds

_Kept = TypeVar("_Kept", Projection, GroupedRows)


@dataclass(frozen=True, eq=False, repr=False)
class Index:
    """What a search goes through. It answers for the features that it was built from, and keeps projections in memory.

    All the memory it holds is that of the projections last used, at most `most_bytes`, and while a library is looked
    through in parts, one part. Several threads may search at once; one at a time casts projections.
    """

    features: LibraryFeatures
    files: IndexFiles | None = None  # None: nothing is kept beside the bank
    most_bytes: int = MOST_BYTES
    message: Callable[[str], None] = lambda _: None  # told when files turn out to be damaged
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _damaged: set[str] = field(default_factory=set)
    _with_learned: list["Index"] = field(default_factory=list)  # one, once somebody has asked for it
    _projections: OrderedDict[object, Projection | GroupedRows] = field(default_factory=OrderedDict)
    _bases: dict[object, Basis] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Index({self.features!r})"

    @property
    def n_rows(self) -> int:
        return self.features.n_rows

    @property
    def held_bytes(self) -> int:
        """The memory of the projections that it keeps."""
        return sum(projection.n_bytes for projection in list(self._projections.values()))

    def with_learned(self, features: Callable[[], LibraryFeatures]) -> "Index":
        """This index, with the description that was learned from the library; `features` gives it the first time."""
        if self.features.network is not None:
            return self
        with self._lock:
            if not self._with_learned:
                self._with_learned.append(Index(features(), self.files, self.most_bytes, self.message))
            return self._with_learned[0]

    def projections(
        self,
        columns: Columns,
        n_frames: int,
        *,
        plain: bool = False,
        wanted: Callable[[int, int], bool] = lambda _first, _stop: True,
    ) -> Iterator[Projection]:
        """Projections in which all windows of up to `n_frames` can be seen, one after the other; `plain`: with all
        dimensions. Every window begins in one of them; parts [first, stop) that nobody wants are left out."""
        whole = self._whole(columns, plain)
        if whole is not None:
            yield whole
            return
        for first in range(0, self.n_rows, PART_ROWS):
            last = min(first + PART_ROWS, self.n_rows)
            if wanted(first, last):
                yield self._cast(columns, first, last, n_frames, plain)

    def groups(
        self, columns: Columns, n_frames: int, *, wanted: Callable[[int, int], bool] = lambda _first, _stop: True
    ) -> Iterator[GroupedRows]:
        """Groups of poses, with all dimensions, in which all windows of up to `n_frames` can be seen, as above."""
        whole = self._whole_groups(columns)
        if whole is not None:
            yield whole
            return
        step = max(GROUP, PART_ROWS // GROUP * GROUP)
        for first in range(0, self.n_rows, step):
            last = min(first + step, self.n_rows)
            if wanted(first, last):
                yield self._grouped(columns, first, last, n_frames)

    def _whole(self, columns: Columns, plain: bool) -> Projection | None:
        """The projection of the whole library, known already or not; None if it is too large to be kept."""
        key = (plain, tuple((name, part.tobytes()) for name, part in columns))
        with self._lock:
            n_dimensions = sum(self._basis(name, part, plain).n_dimensions for name, part in columns)
            return self._kept(
                key,
                4 * n_dimensions * self.n_rows,
                lambda: self._cast(columns, 0, self.n_rows, 1, plain, pack=not plain),
            )

    def _whole_groups(self, columns: Columns) -> GroupedRows | None:
        """The groups of the whole library, likewise."""
        key = ("groups", tuple((name, part.tobytes()) for name, part in columns))
        with self._lock:
            n_bytes = 4 * sum(len(part) for _, part in columns) * (self.n_rows // GROUP)
            return self._kept(key, n_bytes, lambda: self._grouped(columns, 0, self.n_rows, 1))

    def _kept(self, key: object, n_bytes: int, make: Callable[[], _Kept]) -> _Kept | None:
        """What is kept by that key, made if it is not there; None if it has more bytes than are kept."""
        if key in self._projections:
            self._projections.move_to_end(key)
            return cast(_Kept, self._projections[key])
        if n_bytes > self.most_bytes:
            return None
        made = self._projections[key] = make()
        while self.held_bytes > self.most_bytes:
            self._projections.popitem(last=False)
        return made

    def _basis(self, name: str, columns: np.ndarray, plain: bool) -> Basis:
        key = (name, columns.tobytes(), plain)
        if key not in self._bases:
            array = self.features.arrays[name]
            if plain or len(columns) <= AS_THEY_ARE:
                self._bases[key] = Basis.plain(array[:: _thin(len(array)), columns])
            elif self._is_stored(name, columns):
                assert self.files is not None
                self._bases[key] = self.files.parts[name].basis
            else:
                self._bases[key] = Basis.trained(array[:: _thin(len(array)), columns])
        return self._bases[key]

    def _is_stored(self, name: str, columns: np.ndarray) -> bool:
        if self.files is None or name not in self.files.parts or name in self._damaged:
            return False
        return np.array_equal(columns, np.arange(self.features.arrays[name].shape[1]))

    def _cast(
        self, columns: Columns, first: int, last: int, n_frames: int, plain: bool, *, pack: bool = False
    ) -> Projection:
        stop = min(last + n_frames - 1, self.n_rows)
        with self._lock:
            bases = tuple(self._basis(name, part, plain) for name, part in columns)
            poses = Poses.empty(sum(basis.n_dimensions for basis in bases), stop - first)
            k, square = 0, 0.0
            for (name, part), basis in zip(columns, bases, strict=True):
                z = poses.z[k : k + basis.n_dimensions, : stop - first]
                square += self._cast_part(name, part, basis, first, z) ** 2
                k += basis.n_dimensions
        projection = Projection(poses, first, last, bases, float(np.sqrt(square)))
        return projection.packed() if pack else projection

    def _grouped(self, columns: Columns, first: int, last: int, n_frames: int) -> GroupedRows:
        stop = min(last + n_frames - 1, self.n_rows)
        with self._lock:
            bases = tuple(self._basis(name, part, plain=True) for name, part in columns)

            def rows(start: int, end: int) -> np.ndarray:
                tables = [self.features.arrays[name][first + start : first + end][:, part] for name, part in columns]
                return np.concatenate(
                    [basis.projection(table) for basis, table in zip(bases, tables, strict=True)], axis=1
                )

            groups = PoseGroups.of(rows, stop - first, sum(len(part) for _, part in columns)).packed()
        return GroupedRows(groups, Projection(groups.means, first, last, bases, groups.error))

    def _cast_part(self, name: str, columns: np.ndarray, basis: Basis, first: int, z: np.ndarray) -> float:
        """Fill z (K, F) with one description's rows from `first` on; gives back how far off they can be."""
        stop = first + z.shape[1]
        if self.files is not None and basis.directions is not None and self._is_stored(name, columns):
            try:
                self.files.rows(name, first, stop, out=z)
                return max(self.files.parts[name].error, self._cast_apart(name, basis, first, z))
            except DamagedArtefactError as error:
                self._damaged.add(name)
                self.message(f"the index is not used in this search: {error}")
        error_of_all = 0.0
        for start in range(first, stop, CAST_ROWS):
            end = min(start + CAST_ROWS, stop)
            values = np.ascontiguousarray(self.features.arrays[name][start:end][:, columns])
            z[:, start - first : end - first] = basis.projection(values).T
            error_of_all = max(error_of_all, basis.rounding(values))
        return error_of_all

    def _cast_apart(self, name: str, basis: Basis, first: int, z: np.ndarray) -> float:
        """Put in the rows that the files cannot hold."""
        assert self.files is not None
        apart = self.files.parts[name].apart
        rows = apart[np.searchsorted(apart, first) : np.searchsorted(apart, first + z.shape[1])]
        values = np.ascontiguousarray(self.features.arrays[name][rows])
        z[:, rows - first] = basis.projection(values).T
        return basis.rounding(values)


def _thin(n_rows: int) -> int:
    return max(1, n_rows // 50_000)
