"""Groups that go on where a motif ends, or lead to it: one action that is longer than its windows is told once."""

from dataclasses import dataclass, field

import numpy as np

from motionary.search.recurring.motifs import Group
from motionary.search.recurring.windows import Windows

UNEVEN = 0.25  # windows: by how much shifts of one group may differ
FAR = 2  # windows: what is shifted by as much is something else


@dataclass(frozen=True, eq=False)
class Told:
    """The motifs so far, each with whatever continues it."""

    windows: Windows
    starts: list[np.ndarray] = field(default_factory=list)  # of each motif: where all its windows begin, ascending

    def add(self, group: Group) -> bool:
        """Whether a group is a motif of its own; if not, it belongs from now on to the first one that it continues."""
        rows = np.array(group.rows(self.windows), dtype=np.int64)
        for number, starts in enumerate(self.starts):
            if self._continues(rows, starts):
                self.starts[number] = np.sort(np.append(starts, rows))
                return False
        self.starts.append(np.sort(rows))
        return True

    def _continues(self, rows: np.ndarray, starts: np.ndarray) -> bool:
        """Whether more than half of the windows at `rows` are shifted by as much from some of the others."""
        n = self.windows.n_frames
        uneven = _uneven(n)
        clips = np.searchsorted(self.windows.firsts, rows, side="right") - 1
        firsts, stops = self.windows.firsts[clips], self.windows.stops[clips]
        for shift in (*range(n, FAR * n), *range(-n, -FAR * n, -1)):
            lowest, highest = np.maximum(rows - shift - uneven, firsts), np.minimum(rows - shift + uneven, stops - 1)
            there = np.searchsorted(starts, lowest) < np.searchsorted(starts, highest, side="right")
            if 2 * there.sum() > len(rows):
                return True
        return False


def continues_reference(windows: Windows, rows: list[int], starts: list[int]) -> bool:
    """What `Told` asks of a group at `rows` and a motif at `starts`, from the definition."""
    n = windows.n_frames

    def is_shifted(row: int, shift: int) -> bool:
        return any(
            windows.owner(row) == windows.owner(start) and abs(row - start - shift) <= _uneven(n) for start in starts
        )

    return any(
        n <= abs(shift) < FAR * n and 2 * sum(is_shifted(row, shift) for row in rows) > len(rows)
        for shift in range(-FAR * n, FAR * n)
    )


def _uneven(n_frames: int) -> int:
    return int(UNEVEN * n_frames + 0.5)
