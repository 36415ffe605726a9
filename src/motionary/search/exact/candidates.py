"""Candidates: windows that may be matches, each with the best that is known of it, until it is clear which are."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionary.search.exact.bounding import bounds_at, gathered, pieces
from motionary.search.exact.measuring import measured
from motionary.search.exact.onsets import beside, ranked, separated
from motionary.search.exact.plan import SearchPlan

SEEN, BEYOND, BOUNDED, MEASURED = 0, 1, 2, 3  # how well a window is known; beyond: no more than that it is so far
N_FIRST = 4  # windows for every start that a match keeps others away from: from these as many are taken as are wanted
FIRST_MORE = 64  # windows that are measured besides those that would be matches, where bounds do not tell them apart
ROOM = 1e-3  # of the distance of the farthest match: windows so much farther are bounded, so as not to tie with it
MORE = 4  # times as many the next time, so that useless bounds cost little more than no bounds


@dataclass(frozen=True, eq=False)
class Candidates:
    """Windows that may be matches, by clip, start and variant.

    Keys and ties are distances once a window is measured, and bounds before.
    """

    variants: np.ndarray  # (N,)
    clips: np.ndarray  # (N,)
    starts: np.ndarray  # (N,)
    rows: np.ndarray  # (N,)
    keys: np.ndarray  # (N,)
    ties: np.ndarray  # (N,)
    levels: np.ndarray  # (N,)

    @classmethod
    def of(cls, plan: SearchPlan, found: Iterable[tuple[int, np.ndarray, np.ndarray]], *, tie: float) -> "Candidates":
        """From variants with rows and bounds."""
        parts = [(*(np.zeros(0, dtype=np.int32),) * 3, np.zeros(0, dtype=np.int64), np.zeros(0))]
        for number, rows, keys in found:
            which, clips, starts = plan.places.windows(rows, plan.variants[number].n_frames)
            kept = np.flatnonzero(~plan.is_left_out(clips, starts))
            which, numbers = which[kept], np.full(len(kept), number, dtype=np.int32)
            parts.append(
                (numbers, clips[kept].astype(np.int32), starts[kept].astype(np.int32), rows[which], keys[which])
            )
        variants, clips, starts, rows, keys = (np.concatenate([part[column] for part in parts]) for column in range(5))
        order = np.lexsort((variants, starts, clips))
        known = (np.full(len(order), tie), np.full(len(order), SEEN, dtype=np.int8))
        return cls(variants[order], clips[order], starts[order], rows[order], keys[order], *known)

    def __len__(self) -> int:
        return len(self.keys)

    def n_known(self, level: int) -> int:
        """How many are known so well, or better."""
        return int((self.levels >= level).sum())

    def taken(self, plan: SearchPlan, *, most: int | None) -> np.ndarray:
        """What would be matches, best first, were all bounds distances."""
        wanted = np.flatnonzero((self.keys <= plan.comparison.limit) & (self.keys < np.inf))
        n_first = len(wanted) if most is None else N_FIRST * most * plan.least_onset
        if n_first < len(wanted):
            keys = self.keys[wanted]
            found = self._separated(plan, wanted[keys <= np.partition(keys, n_first)[n_first]], most)
            if len(found) == most:
                return found
        return self._separated(plan, wanted, most)

    def settle(self, plan: SearchPlan) -> np.ndarray:
        """The matches among these windows.

        It is over when all that are taken are measured: whatever is not is no nearer than its bound, and so comes
        later, or is too near to a better one.
        """
        k, n_more, room = plan.query.k, 0, ROOM
        if k is not None:
            self.bound(plan, self._unbounded(self.taken(plan, most=2 * k)))
        while True:
            farthest = self._farthest(plan)
            near = self._unbounded(np.flatnonzero(self.keys <= farthest))
            if len(near):
                beyond = max(farthest + room * abs(farthest), np.nextafter(farthest, np.inf))
                room *= MORE  # the farthest match may turn out to be farther, but hardly often
                self.bound(plan, near, limit=np.inf if plan.query.distance == "lcss" else beyond)
                continue
            taken = self.taken(plan, most=k)
            unbounded = self._unbounded(taken)
            if len(unbounded):
                self.bound(plan, unbounded)
                continue
            unsure = taken[self.levels[taken] == BOUNDED]
            if len(unsure) == 0:
                return taken
            self.measure(plan, np.union1d(unsure, self._waiting(plan, taken, n_more)))
            n_more = MORE * n_more or FIRST_MORE

    def bound(self, plan: SearchPlan, windows: np.ndarray, *, limit: float = np.inf) -> None:
        """Bound these windows in all dimensions, or say that they are beyond `limit`.

        With LCSS it is what decides between equal ones that is bounded.
        """
        bounded = self.ties if plan.query.distance == "lcss" else self.keys
        for number, some in self._by_variant(windows):
            variant = plan.variants[number]
            rows, back = np.unique(self.rows[some], return_inverse=True)
            bounds = bounds_at(
                *(plan.index.features, variant, plan.weightings[number], rows),
                warped=plan.is_warped,
                longer=plan.longer(variant),
                limit=limit,
            )
            bounded[some] = np.maximum(bounded[some], bounds[back])
            self.levels[some] = np.where((bounds[back] < limit) | (limit == np.inf), BOUNDED, BEYOND)

    def measure(self, plan: SearchPlan, windows: np.ndarray) -> None:
        """Measure these windows as the scan does."""
        for number, some in self._by_variant(windows):
            variant = plan.variants[number]
            rows, back = np.unique(self.rows[some], return_inverse=True)
            distances, ties = np.empty(len(rows)), np.empty(len(rows))
            for first, stop in pieces(rows, variant.n_frames):
                table, at, _ = gathered(plan.index.features, variant, rows[first:stop])
                distances[first:stop], ties[first:stop] = measured(plan.comparison, variant, table, at)
            self.keys[some], self.ties[some] = distances[back], ties[back]
            self.levels[some] = MEASURED

    def _separated(self, plan: SearchPlan, windows: np.ndarray, most: int | None) -> np.ndarray:
        clips, starts = self.clips[windows], self.starts[windows]
        order = ranked(clips, starts, self.keys[windows], self.ties[windows])
        return windows[separated(order, clips, starts, least=plan.least_onset, most=most)]

    def _farthest(self, plan: SearchPlan) -> float:
        """How far the k-th match is, going by the windows that are bounded already: hardly farther than in truth."""
        k, limit = plan.query.k, plan.comparison.limit
        if k is None:
            return limit
        taken = self._separated(plan, np.flatnonzero((self.levels >= BOUNDED) & (self.keys <= limit)), k)
        return float(self.keys[taken[-1]]) if len(taken) == k else limit

    def _waiting(self, plan: SearchPlan, taken: np.ndarray, most: int) -> np.ndarray:
        """The nearest windows, at most so many, that are not measured and may yet be taken: before the last one of
        those that now would be, and beside none that is sure to be."""
        is_open = self.levels == BOUNDED
        if len(taken) == plan.query.k:
            is_open &= self.keys <= self.keys[taken[-1]]
        n_sure = int((self.levels[taken] == MEASURED).argmin())  # all before the first that is not measured
        is_open &= ~beside(taken[:n_sure], self.clips, self.starts, least=plan.least_onset)
        waiting = np.flatnonzero(is_open)
        if len(waiting) > most:
            waiting = waiting[np.argsort(self.keys[waiting], kind="stable")[:most]]
        return waiting

    def _by_variant(self, windows: np.ndarray) -> list[tuple[int, np.ndarray]]:
        variants = self.variants[windows]
        return [(int(number), windows[variants == number]) for number in np.unique(variants)]

    def _unbounded(self, windows: np.ndarray) -> np.ndarray:
        return windows[self.levels[windows] < BOUNDED]
