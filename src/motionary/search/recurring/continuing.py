"""Groups that go on where a motif ends, or lead to it: one action that is longer than its windows is told once."""

import numpy as np

from motionary.search.recurring.windows import Windows

APART = 0.5  # windows: how far there may be between one window and the next of the same action
UNEVEN = 0.125  # windows: by how much shifts of one group may differ


class Told:
    """The motifs so far, and whatever continues them."""

    def __init__(self, windows: Windows) -> None:
        self.windows = windows
        self.sizes: list[int] = []  # of each group
        self.starts = np.zeros(0, dtype=np.int64)  # where all their windows begin, ascending
        self.groups = np.zeros(0, dtype=np.int64)  # which group each of these belongs to

    def add(self, rows: list[int]) -> list[int]:
        """Those windows of a group by which it continues one before: only they are told then. None of them if it is a
        motif of its own, and all are told."""
        given = np.array(rows, dtype=np.int64)
        continuing = given[self._continuing(given)]
        self._tell(continuing if len(continuing) else given)
        return [int(row) for row in continuing]

    def _continuing(self, rows: np.ndarray) -> np.ndarray:
        """Which of the windows at `rows` continue the first group that so many of them continue."""
        uneven = _uneven(self.windows.n_frames)
        who, groups, differences = self._differences(rows)
        for group in np.unique(groups).tolist():
            own = groups == group
            # Windows of a group share no frames: at one shift, each corresponds to one of the other group at most
            needed = max(len(rows), self.sizes[group]) // 2 + 1
            shift = _commonest(differences[own], _shifts(self.windows.n_frames), uneven, needed)
            if shift is not None:
                return np.asarray(who[own & (np.abs(differences - shift) <= uneven)])
        return who[:0]

    def _differences(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How far windows at `rows` are behind those in the same clip that are told, as far as any shift may reach:
        which of the rows, which group, and the difference."""
        n = self.windows.n_frames
        reach = int(_shifts(n).max()) + _uneven(n)
        clips = np.searchsorted(self.windows.firsts, rows, side="right") - 1
        firsts = np.searchsorted(self.starts, np.maximum(rows - reach, self.windows.firsts[clips]))
        last = np.minimum(rows + reach, self.windows.stops[clips] - 1)
        counts = np.searchsorted(self.starts, last, side="right") - firsts
        who = np.repeat(np.arange(len(rows)), counts)
        at = np.arange(len(who)) + np.repeat(firsts - (np.cumsum(counts) - counts), counts)
        return who, self.groups[at], rows[who] - self.starts[at]

    def _tell(self, rows: np.ndarray) -> None:
        rows = np.sort(rows)
        at = np.searchsorted(self.starts, rows)
        self.starts = np.insert(self.starts, at, rows)
        self.groups = np.insert(self.groups, at, len(self.sizes))
        self.sizes.append(len(rows))


def continuing_reference(windows: Windows, rows: list[int], told: list[list[int]]) -> list[int]:
    """What `Told.add` gives for a group at `rows` after those at `told`, from the definition."""
    n = windows.n_frames
    shifts = [shift for size in range(n, n + n // 2 + 1) for shift in (size, -size)]

    def is_shifted(row: int, start: int, shift: int) -> bool:
        return windows.owner(row) == windows.owner(start) and abs(row - start - shift) <= n // 8

    for starts in told:
        most: tuple[list[int], list[int]] = ([], [])
        for shift in shifts:
            behind = [row for row in rows if any(is_shifted(row, start, shift) for start in starts)]
            before = [start for start in starts if any(is_shifted(row, start, shift) for row in rows)]
            if len(behind) > len(most[0]):
                most = behind, before
        if 2 * len(most[0]) > len(rows) and 2 * len(most[1]) > len(starts):
            return most[0]
    return []


def _shifts(n_frames: int) -> np.ndarray:
    """By how much one group may be behind another, in the order in which they are tried."""
    sizes = np.arange(n_frames, n_frames + int(APART * n_frames) + 1)
    return np.stack([sizes, -sizes], axis=1).ravel()


def _uneven(n_frames: int) -> int:
    return int(UNEVEN * n_frames)


def _commonest(differences: np.ndarray, shifts: np.ndarray, uneven: int, needed: int) -> int | None:
    """The first of the shifts that most of the differences are near; None if they are fewer than needed."""
    if len(differences) < needed:
        return None
    differences = np.sort(differences)
    counts = np.searchsorted(differences, shifts + uneven, side="right") - np.searchsorted(differences, shifts - uneven)
    best = int(np.argmax(counts))
    return int(shifts[best]) if counts[best] >= needed else None
