"""The candidates of a graph, kept beside the bank: they follow the clips that come and go."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Draft, Kind
from motionary.graph.blend_lengths import best_halves
from motionary.graph.candidates import Candidates, Margins
from motionary.graph.dense import dense_candidates
from motionary.graph.settings import GraphSettings
from motionary.graph.sparse import EVERY_SECS, SparseMotion, sparse_candidates
from motionary.metrics import AnyMetric, Window, metric_named
from motionary.workers import held_back_interrupts, n_cores

KIND = Kind("graph", version=1, title="the motion graph")
CANDIDATE = np.dtype(
    [("first", "<i4"), ("second", "<i4"), ("row", "<i4"), ("column", "<i4"), ("half", "<i2"), ("cost", "<f4")]
)
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
    missing = [digest for digest in digests if digest not in set(motions)]
    n_old = len(motions)
    if message and motions and missing:
        message(f"the graph has {n_old:,} of {n_old + len(missing):,} clips; the others are compared now")
    motions += missing
    half = settings.half(settings.blend_secs)
    metric = metric_named(settings.metric, window=Window(half, half))
    every = max(1, round(EVERY_SECS * settings.rate_hz)) if made_by["method"] == "sparse" else 0
    known: dict[int, SparseMotion] = {}

    def motion(number: int) -> SparseMotion:
        if number not in known:
            digest = motions[number]
            described = metric.describe(describe(digest), rate_hz=settings.rate_hz)
            known[number] = SparseMotion(metric, described, lengths[digest], every)
        return known[number]

    def commit(n_done: int) -> Artefact:
        return draft.commit(inputs=inputs, facts=facts | {"motions": motions[:n_done], "settings": made_by})

    margins = Margins(half, half, (made_by["ceiling_cm"] / 100.0) ** 2)
    lengths_of_blends = _Lengths(metric, settings, describe, motions)
    total = sum(n + 1 for n in range(n_old, len(motions)))
    done, committed, finished = 0, time.monotonic(), n_old
    try:
        with held_back_interrupts() as check_interrupt, ThreadPoolExecutor(threads or n_cores()) as pool:
            for number in range(n_old, len(motions)):
                every_one = [motion(n) for n in range(number + 1)]
                found = list(_found(every_one, number, metric, margins, settings, pool, threads or n_cores()))
                check_interrupt()
                rows = lengths_of_blends.table(found)
                draft.append("candidates", rows)
                finished, done = number + 1, done + number + 1
                if progress:
                    progress(done, total)
                if time.monotonic() - committed > COMMIT_SECS:
                    commit(finished)
                    committed = time.monotonic()
    finally:
        artefact = commit(finished)
    return artefact


def _found(
    motions: Sequence[SparseMotion],
    number: int,
    metric: AnyMetric,
    margins: Margins,
    settings: GraphSettings,
    pool: ThreadPoolExecutor,
    n_threads: int,
) -> Iterator[tuple[int, int, Candidates]]:
    """The candidates of a motion with itself and all before it, shared among threads."""
    options: dict[str, Any] = {
        "margins": margins, "reach": settings.apart, "off_diagonal": max(settings.apart, 2 * margins.before + 1),
    }  # fmt: skip
    if not motions[number].every:
        described = [one.described for one in motions]
        lengths = [one.n_frames for one in motions]
        yield from dense_candidates(described, metric, lengths=lengths, firsts=[number], **options)
        return
    motions[number].coarse  # noqa: B018 (described once, before threads need it)
    bounds = np.linspace(0, number + 1, min(n_threads, number + 1) + 1).astype(int)
    parts = [range(low, high) for low, high in pairwise(bounds) if high > low]
    results = pool.map(lambda part: list(sparse_candidates(motions, number, part, **options)), parts)
    for result in results:
        yield from result


class _Lengths:
    """Chooses the length of every candidate's blend."""

    def __init__(self, metric: AnyMetric, settings: GraphSettings, describe: Describe, motions: list[str]) -> None:
        self._metric, self._settings, self._describe, self._motions = metric, settings, describe, motions
        self._known: dict[tuple[int, int], Any] = {}

    def table(self, found: Sequence[tuple[int, int, Candidates]]) -> np.ndarray:
        tables = [np.zeros(0, dtype=CANDIDATE)]
        for first, second, cells in found:
            table = np.zeros(len(cells), dtype=CANDIDATE)
            table["first"], table["second"] = first, second
            table["row"], table["column"], table["cost"] = cells.rows, cells.columns, cells.costs
            table["half"] = self._halves(first, second, cells)
            tables.append(table)
        return np.concatenate(tables)

    def _halves(self, first: int, second: int, cells: Candidates) -> np.ndarray:
        own = self._settings.half(self._settings.blend_secs)
        halves = self._settings.halves
        if len(halves) == 1 or not len(cells):
            return np.full(len(cells), own)
        distances = np.empty((len(halves), len(cells)), dtype=np.float32)
        lengths = []
        for n, half in enumerate(halves):
            metric = metric_named(self._settings.metric, window=Window(half, half))
            sides = [self._described(metric, number, half) for number in (first, second)]
            lengths = [side[1] for side in sides]
            distances[n] = metric.cells(sides[0][0], sides[1][0], cells.rows, cells.columns)
        return best_halves(distances, halves, cells.rows, cells.columns, lengths[0], lengths[1], usual=own)

    def _described(self, metric: AnyMetric, number: int, half: int) -> tuple[Any, int]:
        if (number, half) not in self._known:
            features = self._describe(self._motions[number])
            described = metric.describe(features, rate_hz=self._settings.rate_hz)
            self._known[number, half] = described, len(features["root"])
        return self._known[number, half]
