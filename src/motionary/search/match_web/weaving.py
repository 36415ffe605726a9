"""Weaving: the paths of a motion with itself and with others, by whichever build."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from motionary.library import LibraryFeatures
from motionary.metrics import AnyMetric
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.pair_paths import PairPaths
from motionary.search.match_web.pyramid import pyramid_pair, sparse_pair
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.web_motion import WebMotion, web_motion

Pair = tuple[int, int, PairPaths]  # numbers of the motions with the rows and with the columns, and their paths
WAYS = {"dense": dense_pair, "pyramid": pyramid_pair, "sparse": sparse_pair}
AT_ONCE = 16  # pairs that a thread takes in one go, at most


class Weaver:
    """Describes motions once, and compares them in several threads: kernels let go of the interpreter."""

    def __init__(self, features: LibraryFeatures, metric: AnyMetric, settings: WebSettings, *, n_threads: int) -> None:
        self.features, self.metric, self.settings = features, metric, settings
        self._n_threads = n_threads
        self._clips = {digest: c for c, digest in reversed(list(enumerate(features.digests)))}
        self._motions: dict[str, WebMotion] = {}

    def motion(self, digest: str) -> WebMotion:
        """A motion as builds see it."""
        if digest not in self._motions:
            clip_id = int(self.features.clip_ids[self._clips[digest]])
            self._motions[digest] = web_motion(
                self.features.of(clip_id).arrays,
                metric=self.metric,
                settings=self.settings,
                rate_hz=self.features.rate_hz,
            )
        return self._motions[digest]

    def pairs_of(self, digest: str, before: Sequence[str], check_interrupt: Callable[[], None]) -> list[Pair]:
        """The paths of a motion with itself and all that came before it and are still there; no pair without paths."""
        numbers = {other: number for number, other in enumerate([*before, digest])}
        others = [other for other in (*before, digest) if other in self._clips]
        for other in others:
            self.motion(other)

        def woven(some: Sequence[str]) -> list[Pair]:
            found = []
            for other in some:
                rows, columns = sorted((digest, other))
                pair = self.pair(rows, columns)
                if not pair.is_empty:
                    found.append((numbers[rows], numbers[columns], pair))
            return found

        results = []
        at_once = max(1, min(AT_ONCE, len(others) // (8 * self._n_threads)))
        with ThreadPoolExecutor(self._n_threads) as pool:
            try:
                for result in pool.map(woven, [others[n : n + at_once] for n in range(0, len(others), at_once)]):
                    results.extend(result)
                    check_interrupt()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return results

    def pair(self, rows: str, columns: str) -> PairPaths:
        """The paths of one pair of motions."""
        return WAYS[self.settings.method](self.motion(rows), self.motion(columns), with_itself=rows == columns)
