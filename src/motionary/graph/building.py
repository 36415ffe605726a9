"""The motion graphs of a bank: building them, opening them, and what there is to say about them."""

from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from typing import Any

import numpy as np

from motionary.arguments import check_is, number, texts
from motionary.artefacts import ArtefactStore, Entry
from motionary.bank import Bank, Clip, check_is_bank
from motionary.errors import NotInBankError, UsageError
from motionary.graph.bank_graph import BuiltGraph
from motionary.graph.candidate_store import KIND, KeptCandidates, choose, kept_candidates
from motionary.graph.motion_graph import TRANSITION, MotionGraph
from motionary.graph.playable import left_out_frames, playable_frames
from motionary.graph.settings import GraphSettings, graph_key
from motionary.graph.threshold import Threshold
from motionary.graph.ways import Ways
from motionary.library import LibraryFeatures, build_features
from motionary.metrics import metric_named, root_ways

MADE_BY_GRAPH = "made by motionary graph"  # a note on what is kept of it
WORDS = ("text", "labels", "names")


def build_graph(
    bank: Bank,
    *,
    settings: GraphSettings | None = None,
    threshold: str | Threshold = "knee",
    dwell_secs: float = 0.0,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    segments: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> BuiltGraph:
    """The motion graph of the bank, or of the clips with all words of `text`, all `labels` and one of `names`; or only
    of `segments` of them, such as `CLIP:START-STOP` or the selection `@NAME`: nothing else is played.

    Its candidates are kept beside the bank; only pairs with new and changed clips are computed. `threshold` says which
    of them become transitions: `knee`, `6cm`, `rank=67` or `3/s`; it and the dwell can be changed without building.
    """
    settings = settings or GraphSettings()
    check_is(settings, GraphSettings, called="settings", meant="GraphSettings")
    words = {"text": text, "labels": labels, "names": names, "segments": segments}
    built = _of_words(bank, settings, threshold, dwell_secs, words, threads, progress, message)
    dwell_secs = built.graph.dwell / built.graph.rate_hz
    store, left_out = (
        ArtefactStore.of(bank),
        {key: [astuple(one) for one in some] for key, some in built.left_out.items()},
    )
    choose(store, built.name, threshold=built.threshold.text, dwell_secs=dwell_secs, left_out=left_out)
    kept = [clip.name for clip in bank.clips() if clip.id in built.graph.clip_ids and _is_result(bank, clip)]
    if kept and message is not None:
        more = f" and {len(kept) - 3} more" if len(kept) > 3 else ""
        message(
            f"the graph also plays kept results: {', '.join(kept[:3])}{more}; choose clips by words, --name, --label "
            "or --segment to leave them out"
        )
    return built


def open_graph(
    bank: Bank,
    name: str | None = None,
    *,
    threshold: str | Threshold | None = None,
    dwell_secs: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> BuiltGraph:
    """The graph of that name (or how it begins), else the one that was built last, brought up to date.

    Another threshold or dwell holds for this time only.
    """
    check_is_bank(bank)
    facts = _known(bank, name)
    made_by = dict(facts["settings"])
    settings = GraphSettings(**(made_by | {"blend_choices": tuple(made_by["blend_choices"])}))
    threshold = facts.get("threshold", Threshold().text) if threshold is None else threshold
    dwell_secs = facts.get("dwell_secs", 0.0) if dwell_secs is None else dwell_secs
    return _of_words(bank, settings, threshold, dwell_secs, facts["clips"], None, progress, message)


def _of_words(
    bank: Bank,
    settings: GraphSettings,
    threshold: str | Threshold,
    dwell_secs: float,
    clips: dict[str, Any],
    threads: int | None,
    progress: Callable[[int, int], None] | None,
    message: Callable[[str], None] | None,
) -> BuiltGraph:
    """The graph of the clips that some words say; what is missing of it is built."""
    check_is_bank(bank)
    metric_named(settings.metric)
    if not 0.0 <= number(dwell_secs, "dwell") <= 60.0:
        raise UsageError(f"a dwell of {dwell_secs:g} s is not possible; it is at least 0")
    chosen_threshold = threshold if isinstance(threshold, Threshold) else Threshold.parsed(threshold)
    words = {"text": clips["text"].strip(), "labels": sorted(set(texts(clips["labels"], "labels")))}
    words |= {"names": sorted(set(texts(clips["names"], "names")))}
    if clips.get("segments"):
        words["segments"] = sorted(set(texts(clips["segments"], "segments")))
    features = build_features(bank, rate_hz=settings.rate_hz, message=message)
    numbers = _numbers(bank, features, words)
    n_frames = int(features.n_frames[list(numbers)].sum())
    made_by = settings.made_by(n_frames)
    key = graph_key(made_by, words)
    kept = kept_candidates(
        ArtefactStore.of(bank, message=message),
        key,
        [features.digests[c] for c in numbers],
        [int(features.n_frames[c]) for c in numbers],
        lambda digest: dict(features.of(int(features.clip_ids[features.digests.index(digest)])).arrays),
        settings,
        made_by=made_by,
        facts={"clips": words},
        threads=threads,
        progress=progress,
        message=message,
    )
    return _built(bank, key, kept, settings, made_by, chosen_threshold, dwell_secs, words, features, numbers)


def graph_names(bank: Bank) -> list[str]:
    """The graphs beside the bank, the one that was built last at the end; those that never led anywhere first."""

    def order(entry: Entry) -> tuple[int, str, str]:
        facts = entry.manifest.facts if entry.manifest else {}
        return int(facts.get("chosen_at", 0)), entry.built_at, entry.key

    entries = [entry for entry in ArtefactStore.of(bank).entries() if entry.kind == KIND.name]
    return [entry.key for entry in sorted(entries, key=order)]


def remove_graphs(bank: Bank, names: str | Sequence[str], *, dry_run: bool = False) -> list[str]:
    """Delete graphs by name, or how the name begins; they can be built again."""
    check_is_bank(bank)
    removed = [_named(bank, name) for name in texts(names, "names")]
    ArtefactStore.of(bank).remove([f"{KIND.name}/{name}" for name in removed], dry_run=dry_run)
    return removed


def _is_result(bank: Bank, clip: Clip) -> bool:
    """Whether a clip was made of others and kept, not imported."""
    return MADE_BY_GRAPH in clip.notes or bank.recipe(clip) is not None


def _known(bank: Bank, name: str | None) -> dict[str, Any]:
    names = graph_names(bank)
    if not names:
        raise NotInBankError(f"{bank.path} has no motion graph; `motionary graph build {bank.path}` makes one")
    key = names[-1] if name is None else _named(bank, name)
    store = ArtefactStore.of(bank)
    found = store.find(KIND, key)
    if found is None:
        versions = {entry.key: entry.version for entry in store.entries() if entry.kind == KIND.name}
        is_other = versions.get(key) not in (None, KIND.version)
        why = "was built by another version of Motionary" if is_other else "is damaged"
        raise NotInBankError(
            f"{bank.path}: the motion graph {key} {why}; `motionary graph build {bank.path}` builds it again, with the "
            "same options"
        )
    return found.facts


def _named(bank: Bank, name: str) -> str:
    names = graph_names(bank)
    found = [one for one in names if name and one.startswith(name)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(found or names) or "none"
    if found:
        raise UsageError(f"{name!r} fits several motion graphs: {there}; give more of the name")
    raise NotInBankError(f"{bank.path} has no motion graph called {name!r}; there are: {there}")


def _numbers(bank: Bank, features: LibraryFeatures, words: dict[str, Any]) -> tuple[int, ...]:
    """The clips of a graph among the features; of copies, one."""
    ids = {clip.id for clip in bank.clips(words["text"], labels=words["labels"], names=words["names"])}
    if words.get("segments"):
        ids &= {segment.clip_id for segment in bank.segments_of(words["segments"])}
    found: dict[str, int] = {}
    for c, clip_id in enumerate(features.clip_ids.tolist()):
        if clip_id in ids:
            found.setdefault(features.digests[c], c)
    if not found:
        raise NotInBankError(
            f"{bank.path}: no clip of a person fits these words, so there is no graph to build. "
            f"`motionary ls {bank.path}` lists clips in the same words"
        )
    return tuple(found.values())


def _built(
    bank: Bank,
    key: str,
    kept: KeptCandidates,
    settings: GraphSettings,
    made_by: dict[str, Any],
    threshold: Threshold,
    dwell_secs: float,
    words: dict[str, Any],
    features: LibraryFeatures,
    numbers: tuple[int, ...],
) -> BuiltGraph:
    rate = settings.rate_hz
    arrays = [features.of(int(features.clip_ids[c])).arrays for c in numbers]
    ways = Ways.joined([root_ways(one["root"], rate_hz=rate) for one in arrays])
    here = {features.digests[c]: number for number, c in enumerate(numbers)}
    places = np.array([here.get(digest, -1) for digest in kept.digests], dtype=np.int64)
    table = kept.table
    if len(table):
        table = table[(places[table["first"]] >= 0) & (places[table["second"]] >= 0)]
    segments = bank.segments_of(words["segments"]) if words.get("segments") else None
    left_out = left_out_frames(bank, features, numbers, kept.artefact.facts.get("left_out", {}))
    allowed = playable_frames(segments, left_out, features, numbers, ways)
    n_frames = ways.n_frames
    if allowed is not None:
        n_frames = int(allowed.sum())
        table = table[_is_within(table, places, ways.starts, allowed)]
    limit = threshold.limit(table["cost"], duration_secs=n_frames / rate)
    chosen = table[table["cost"] <= limit] if len(table) else table
    directed = metric_named(settings.metric).is_directed
    graph = MotionGraph(
        ways,
        _transitions(chosen, places, ways.starts, both_ways=not directed),
        rate,
        round(dwell_secs * rate),
        tuple(int(features.clip_ids[c]) for c in numbers),
        _labels(bank, features, numbers, ways.starts, allowed),
        allowed,
    )
    pruned = graph.pruned()
    built = BuiltGraph(
        key, pruned, graph, settings, made_by, threshold, limit, np.asarray(table["cost"]), words, kept.artefact,
        features, numbers, left_out,
    )  # fmt: skip
    if not pruned.n_transitions:
        raise UsageError(_why_empty(built, table, places, directed))
    return built


def _is_within(table: np.ndarray, places: np.ndarray, starts: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Which candidates (N,) blend only frames that are allowed, on both sides."""
    barred = np.concatenate([[0], np.cumsum(~allowed)])
    found = np.ones(len(table), dtype=bool)
    for motion, frame in (("first", "row"), ("second", "column")):
        middle = starts[places[table[motion]]] + table[frame]
        found &= barred[middle + table["half"] + 1] == barred[middle - table["half"]]
    return found


def _transitions(table: np.ndarray, places: np.ndarray, starts: np.ndarray, *, both_ways: bool) -> np.ndarray:
    one_way = np.zeros(len(table), dtype=TRANSITION)
    if len(table):
        one_way["source"] = starts[places[table["first"]]] + table["row"]
        one_way["target"] = starts[places[table["second"]]] + table["column"]
        one_way["before"] = one_way["after"] = table["half"]
        one_way["cost"] = table["cost"]
    if not both_ways:
        return one_way
    back = one_way.copy()
    back["source"], back["target"] = one_way["target"], one_way["source"]
    return np.concatenate([one_way, back])


def _labels(
    bank: Bank, features: LibraryFeatures, numbers: Sequence[int], starts: np.ndarray, allowed: np.ndarray | None
) -> dict[str, np.ndarray]:
    """The frames of the graph that carry each label; of a graph of segments, those within them."""
    number_of = {int(features.clip_ids[c]): number for number, c in enumerate(numbers)}
    names = sorted({name for clip in bank.clips() if clip.id in number_of for name in clip.labels})
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for name in names:
        for segment in bank.labelled(name):
            if segment.clip_id in number_of:
                n = number_of[segment.clip_id]
                low, high = features.rates[numbers[n]].search_segment(segment.start, segment.stop)
                found[name] += _played(int(starts[n]) + low, int(starts[n]) + high, allowed)
    return {name: np.array(sorted(spans)) for name, spans in found.items() if spans}


def _played(start: int, stop: int, allowed: np.ndarray | None) -> list[tuple[int, int]]:
    """The parts of an interval that may be played."""
    if allowed is None:
        return [(start, stop)]
    edges = start + np.flatnonzero(np.diff(allowed[start:stop].astype(np.int8), prepend=0, append=0))
    return list(zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True))


def _why_empty(built: BuiltGraph, table: np.ndarray, places: np.ndarray, directed: bool) -> str:
    """What is wrong with an empty graph, and what threshold would do."""
    ceiling = built.made_by["ceiling_cm"]
    starts, blend_secs = built.graph.ways.starts, built.settings.blend_secs
    if int(np.diff(starts).max()) <= 2 * built.settings.half(blend_secs):
        return (
            f"{built.of}: every clip is shorter than a blend of {blend_secs:.2g} s, so there is nothing to connect. "
            "Use longer clips, or shorter blends, as with --blend 0.1"
        )
    if not len(table):
        return (
            f"{built.of}: no two frames are nearer than {ceiling:g} cm, so there is nothing to connect. Use a higher "
            f"ceiling, as with --ceiling {2 * ceiling:g}, or more clips"
        )
    costs = np.sort(table["cost"])

    def works(rank: int) -> bool:
        some = _transitions(table[table["cost"] <= costs[rank]], places, starts, both_ways=not directed)
        return bool(replace_transitions(built.whole, some).pruned().n_transitions)

    low, high = 0, len(costs) - 1
    if not works(high):
        return (
            f"{built.of}: no walk can go on forever, even with all {len(costs):,} candidates up to {ceiling:g} cm. "
            f"Use a higher ceiling, as with --ceiling {2 * ceiling:g}, or more clips"
            + (", or a shorter --dwell" if built.graph.dwell else "")
        )
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle + 1, high)
    enough = float(np.ceil(1000.0 * np.sqrt(costs[high])) / 10.0)
    limit = 100.0 * np.sqrt(max(built.limit, 0.0))
    return (
        f"{built.of}: no walk can go on forever with transitions up to {limit:.3g} cm. --threshold {enough:.1f}cm is "
        "the lowest that would do"
    )


def replace_transitions(graph: MotionGraph, transitions: np.ndarray) -> MotionGraph:
    """The graph with other transitions."""
    return replace(graph, transitions=transitions)
