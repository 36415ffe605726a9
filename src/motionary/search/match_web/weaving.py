"""Weaving: the paths of a motion with itself and with others, by whichever build."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from motionary.features import LibraryFeatures
from motionary.metrics import AnyMetric
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.pair_paths import PairPaths
from motionary.search.match_web.pyramid import pyramid_pair
from motionary.search.match_web.settings import WebSettings

Pair = tuple[int, int, PairPaths]  # numbers of the motions with the rows and with the columns, and their paths
WAYS = {"dense": dense_pair, "pyramid": pyramid_pair}


class Weaver:
    """Describes motions once, and compares them in several threads: kernels let go of the interpreter."""

    def __init__(self, features: LibraryFeatures, metric: AnyMetric, settings: WebSettings, *, n_threads: int) -> None:
        self.features, self.metric, self.settings = features, metric, settings
        self._n_threads = n_threads
        self._clips = {digest: c for c, digest in reversed(list(enumerate(features.digests)))}
        self._described: dict[str, Any] = {}

    def described(self, digest: str) -> Any:
        """A motion as the metric sees it."""
        if digest not in self._described:
            clip_id = int(self.features.clip_ids[self._clips[digest]])
            arrays = self.features.of(clip_id).arrays
            self._described[digest] = self.metric.describe(arrays, rate_hz=self.features.rate_hz)
        return self._described[digest]

    def n_frames(self, digest: str) -> int:
        return int(self.features.n_frames[self._clips[digest]])

    def pairs_of(self, digest: str, before: Sequence[str], check_interrupt: Callable[[], None]) -> list[Pair]:
        """The paths of a motion with itself and with all that came before it and are still there."""
        numbers = {other: number for number, other in enumerate([*before, digest])}
        others = [other for other in (*before, digest) if other in self._clips]
        for other in others:
            self.described(other)

        def woven(other: str) -> Pair:
            rows, columns = sorted((digest, other))
            return numbers[rows], numbers[columns], self.pair(rows, columns)

        results = []
        with ThreadPoolExecutor(self._n_threads) as pool:
            try:
                for result in pool.map(woven, others):
                    results.append(result)
                    check_interrupt()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return results

    def pair(self, rows: str, columns: str) -> PairPaths:
        """The paths of one pair of motions."""
        return WAYS[self.settings.method](
            self.metric,
            self.described(rows),
            self.described(columns),
            shape=(self.n_frames(rows), self.n_frames(columns)),
            settings=self.settings,
            rate_hz=self.features.rate_hz,
            with_itself=rows == columns,
        )
