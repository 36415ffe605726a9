"""The candidates of a graph, kept beside the bank: they follow the clips that come and go."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Draft, Kind
from motionary.graph.blend_lengths import chosen_halves
from motionary.graph.candidates import CANDIDATE, Margins
from motionary.graph.dense import DenseLibrary, dense_candidates
from motionary.graph.settings import GraphSettings
from motionary.graph.sparse import sparse_candidates, sparse_library
from motionary.metrics import Window, metric_named, pair_frames
from motionary.workers import held_back_interrupts, n_cores

KIND = Kind("graph", version=3, title="the motion graph")
AT_ONCE = 8  # motions that threads share among them
COMMIT_SECS = 10.0  # after an interruption, no more than this is computed again
MOST_UNUSED = 0.25  # of the candidates: when more belong to clips that are gone, they are dropped
Describe = Callable[[str], dict[str, np.ndarray]]  # the pose descriptions of a motion, by its digest


@dataclass(frozen=True, eq=False)
class KeptCandidates:
    """The candidates of some motions, by their digests."""

    digests: tuple[str, ...]
    table: np.ndarray  # (N,) of CANDIDATE; numbers of motions are places among the digests
    artefact: Artefact


def kept_candidates(
    store: ArtefactStore,
    key: str,
    digests: Sequence[str],
    lengths: Sequence[int],
    describe: Describe,
    settings: GraphSettings,
    *,
    made_by: dict[str, Any],
    facts: dict[str, Any],
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> KeptCandidates:
    """The candidates of all pairs of motions; only those of motions that are new are computed.

    When interrupted, what was computed is kept, and the next call goes on from there.
    """
    inputs = {"made_by": made_by}
    found = store.find(KIND, key, inputs=inputs)
    if found is not None and set(digests) <= set(found.facts["motions"]) and not _is_wasteful(found, digests):
        return KeptCandidates(tuple(found.facts["motions"]), found.array("candidates"), found)
    with store.writing(KIND, key) as draft:
        before = draft.before
        facts = facts | kept_choice(before)
        motions: list[str] = []
        if before is not None and before.manifest.inputs == inputs and "candidates" in before.tables:
            if _is_wasteful(before, digests) or set(before.facts["motions"]) - set(digests):
                motions = _copied(draft, before, set(digests))
            else:
                draft.resume()
                motions = list(before.facts["motions"])
        else:
            draft.begin()
            draft.append("candidates", np.zeros(0, dtype=CANDIDATE))
        artefact = _append_missing(
            draft, motions, digests, dict(zip(digests, lengths, strict=True)), describe, settings,
            inputs=inputs, made_by=made_by, facts=facts, threads=threads, progress=progress, message=message,
        )  # fmt: skip
        return KeptCandidates(tuple(artefact.facts["motions"]), np.array(artefact.array("candidates")), artefact)


def choose(store: ArtefactStore, key: str, *, threshold: str, dwell_secs: float, left_out: Mapping[str, Any]) -> None:
    """Remember that this graph was built last, with what, and what it leaves out of clips, if it is kept at all."""
    with store.writing(KIND, key) as draft:
        if draft.before is None:
            return
        before = draft.before.manifest
        chosen = {
            "threshold": threshold,
            "dwell_secs": dwell_secs,
            "chosen_at": time.time_ns(),
            "left_out": dict(left_out),
        }
        draft.resume()
        draft.commit(inputs=before.inputs, facts=before.facts | chosen)


def kept_choice(found: Artefact | None) -> dict[str, Any]:
    """What is remembered of the last build."""
    facts = {} if found is None else found.facts
    return {name: facts[name] for name in ("threshold", "dwell_secs", "chosen_at", "left_out") if name in facts}


def _is_wasteful(found: Artefact, digests: Iterable[str]) -> bool:
    here = set(digests)
    gone = [number for number, digest in enumerate(found.facts["motions"]) if digest not in here]
    if not gone:
        return False
    table = found.array("candidates")
    unused = np.isin(table["first"], gone) | np.isin(table["second"], gone)
    return bool(unused.mean() > MOST_UNUSED) if len(table) else True


def _copied(draft: Draft, before: Artefact, here: set[str]) -> list[str]:
    """Begin anew with what belongs to motions that are still there."""
    known = before.facts["motions"]
    motions = [digest for digest in known if digest in here]
    numbers = np.array([motions.index(digest) if digest in here else -1 for digest in known], dtype=np.int32)
    table = np.array(before.array("candidates"))
    if len(table):
        table["first"], table["second"] = numbers[table["first"]], numbers[table["second"]]
        table = table[(table["first"] >= 0) & (table["second"] >= 0)]
    draft.begin()
    draft.append("candidates", table)
    return motions


def _append_missing(
    draft: Draft,
    motions: list[str],
    digests: Sequence[str],
    lengths: dict[str, int],
    describe: Describe,
    settings: GraphSettings,
    *,
    inputs: dict[str, Any],
    made_by: dict[str, Any],
    facts: dict[str, Any],
    threads: int | None,
    progress: Callable[[int, int], None] | None,
    message: Callable[[str], None] | None,
) -> Artefact:
    known = set(motions)
    missing = [digest for digest in digests if digest not in known]
    n_old = len(motions)
    if message and motions and missing:
        message(f"the graph has {n_old:,} of {n_old + len(missing):,} clips; the others are compared now")
    if not missing:
        return draft.commit(inputs=inputs, facts=facts | {"motions": motions, "settings": made_by})
    motions += missing

    def commit(n_done: int) -> Artefact:
        return draft.commit(inputs=inputs, facts=facts | {"motions": motions[:n_done], "settings": made_by})

    n_threads = threads or n_cores()
    # of every motion: it is compared with itself and all before it
    so_far = np.cumsum([lengths[digest] for digest in motions])
    work = np.cumsum([lengths[digest] * int(so_far[n]) for n, digest in enumerate(motions)])
    at_first = int(work[n_old - 1]) if n_old else 0
    committed, finished = time.monotonic(), n_old
    try:
        with held_back_interrupts() as check_interrupt, ThreadPoolExecutor(n_threads) as pool:
            of_motions = [lengths[digest] for digest in motions]

            def described(number: int) -> dict[str, np.ndarray]:
                check_interrupt()
                return describe(motions[number])

            order = np.argsort(np.argsort(np.array(motions)))  # by digests: the same whatever was there first
            comparison = Comparison(of_motions, described, settings, made_by, check_interrupt, order=order)
            for start in range(n_old, len(motions), AT_ONCE):
                batch = range(start, min(start + AT_ONCE, len(motions)))
                for number, table in zip(batch, comparison.tables(batch, pool, n_threads), strict=True):
                    draft.append("candidates", table)
                    finished = number + 1
                    if progress:
                        progress(int(work[number]) - at_first, int(work[-1]) - at_first)
                check_interrupt()
                if time.monotonic() - committed > COMMIT_SECS:
                    commit(finished)
                    committed = time.monotonic()
    finally:
        artefact = commit(finished)
    return artefact


class Comparison:
    """Compares motions with those before them.

    `order` says which of two motions comes first in their candidates, so that these are the same to the last bit
    whichever was there before; without it, the first one does.
    """

    def __init__(
        self,
        lengths: Sequence[int],
        features: Callable[[int], dict[str, np.ndarray]],
        settings: GraphSettings,
        made_by: dict[str, Any],
        check_interrupt: Callable[[], None] = lambda: None,
        *,
        order: np.ndarray | None = None,
    ) -> None:
        order = np.arange(len(lengths)) if order is None else order
        half = settings.half(settings.blend_secs)
        window, rate, padding = Window(half, half), settings.rate_hz, max(settings.halves)
        metric = metric_named(settings.metric, window=window)
        self._settings, self._usual = settings, half
        self._options: dict[str, Any] = {
            "margins": Margins(half, half, (made_by["ceiling_cm"] / 100.0) ** 2),
            "reach": settings.apart,
            "off_diagonal": max(settings.apart, 2 * half + 1),
            "check_interrupt": check_interrupt,
        }
        if made_by["method"] == "sparse":
            library = sparse_library(
                settings.metric, window, features, len(lengths), rate_hz=rate, padding=padding, order=order
            )
            self.frames = library.frames
            self._candidates = partial(sparse_candidates, library)
        else:
            every_one = [features(number) for number in range(len(lengths))]
            self.frames = pair_frames(metric, every_one, rate_hz=rate, padding=padding)
            described = [metric.describe(one, rate_hz=rate) for one in every_one]
            self._candidates = partial(dense_candidates, DenseLibrary(described, metric, self.frames, window, order))

    def tables(self, seconds: range, pool: ThreadPoolExecutor, n_threads: int) -> Iterator[np.ndarray]:
        """The candidates of some motions with themselves and those before them, a table of each."""
        n_parts = -(-n_threads // len(seconds))
        tasks = [
            (second, range(low, high))
            for second in seconds
            for low, high in pairwise(np.linspace(0, second + 1, n_parts + 1).astype(int).tolist())
        ]
        results = pool.map(lambda task: self.table(*task), tasks)
        for _ in seconds:
            yield np.concatenate([next(results) for _ in range(n_parts)])

    def table(self, second: int, firsts: range | None = None) -> np.ndarray:
        """The candidates of a motion with itself and those before it, and how long their blends are."""
        table = self._candidates(second, firsts, **self._options)
        table["half"] = chosen_halves(self.frames, table, self._settings.halves, usual=self._usual)
        return table
