"""Pools and tables as artefacts: kept beside the bank, row by row."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Content, Draft, Entry, Job, Kind, rebuilding
from motionary.errors import DamagedArtefactError, UsageError
from motionary.rig import body_of, reference_skeleton
from motionary.transition.clusters import ClusterOptions, Clusters, build_clusters
from motionary.transition.footprints import Footprints
from motionary.transition.pool import RATE_HZ, Pool, Source, join_parts, pooled
from motionary.transition.table import TransitionTable, build_table, start_table
from motionary.transition.trials import N_KEPT

POOL = Kind("transition-pool", version=1, title="the motions for transitions")
TABLE = Kind("transition-table", version=5, title="the table of transitions")
FEW_CLIPS = 8
Progress = Callable[[int, int, str], None]
Message = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Wanted:
    """The clips that a pool is made of: what names each (id, name, digest), and how to load them all."""

    clips: list[tuple[int, str, str]]
    load: Callable[[], Iterable[Source]]  # clips without a body are left out


def kept_pool(store: ArtefactStore, wanted: Wanted) -> tuple[Pool, str]:
    """The pool of these clips and its key, from the store or built now."""
    inputs = [list(clip) for clip in wanted.clips]
    key = f"{RATE_HZ:g}hz-{hashlib.sha256(json.dumps([clip[0] for clip in inputs]).encode()).hexdigest()[:10]}"

    def build() -> Content:
        body = body_of(reference_skeleton())
        parts = [pooled(source, body, 1.0 / RATE_HZ) for source in wanted.load()]
        return _content(join_parts(parts, body, 1.0 / RATE_HZ), inputs)

    job = Job(POOL, key, inputs, build)
    return _opened_pool(store.get(job)), key


def pool_with(store: ArtefactStore, wanted: Wanted) -> Pool:
    """A pool that has these clips, and maybe others: one that is kept already, or one made for them.

    A pool of a few clips is not kept: it is made anew as quickly.
    """
    digests = {clip_id: digest for clip_id, _, digest in wanted.clips}
    for entry in sorted((one for one in store.entries() if one.kind == POOL.name), key=lambda one: one.n_bytes):
        kept = store.find(POOL, entry.key)
        if kept is not None and all(kept.facts["digests"].get(str(i)) == d for i, d in digests.items()):
            with suppress(DamagedArtefactError):  # it is built again by whoever builds its table again
                pool = _opened_pool(kept)
                if digests.keys() <= set(pool.clip_ids.tolist()):
                    return pool
    if len(digests) > FEW_CLIPS:
        return kept_pool(store, wanted)[0]
    body = body_of(reference_skeleton())
    return join_parts([pooled(source, body, 1.0 / RATE_HZ) for source in wanted.load()], body, 1.0 / RATE_HZ)


def keep_table(
    store: ArtefactStore,
    wanted: Wanted,
    *,
    secs: float,
    options: ClusterOptions,
    exhaustive: bool = False,
    named: str = "",
    progress: Progress | None = None,
    message: Message | None = None,
) -> tuple[Pool, TransitionTable]:
    """The table of transitions of `secs` among these clips, from the store, or built now, row by row.

    What is built is kept after every row: when interrupted, the same call goes on from there. What is damaged is built
    again, and `message` is told of it.
    """

    def keep() -> tuple[Pool, TransitionTable]:
        return _keep_table(
            store, wanted, secs=secs, options=options, exhaustive=exhaustive, named=named, progress=progress
        )

    return rebuilding(keep, message=message)


def _keep_table(
    store: ArtefactStore,
    wanted: Wanted,
    *,
    secs: float,
    options: ClusterOptions,
    exhaustive: bool,
    named: str,
    progress: Progress | None,
) -> tuple[Pool, TransitionTable]:
    pool, pool_key = kept_pool(store, wanted)
    n_frames = max(2, round(secs / pool.frame_time))
    key = f"{n_frames * pool.frame_time:.3f}s-{pool_key}".replace(" ", "")
    asked = [options.n_clusters, options.n_components, options.n_sample, options.n_windows, options.seed]
    inputs = [pool_key, _pool_id(store, pool_key), n_frames, asked]
    facts = {"pool": pool_key, "secs": secs, "n_frames": n_frames, "options": asked, "of": named or "all clips"}
    with store.writing(TABLE, key) as draft:
        before = draft.before
        if before is not None and before.manifest.inputs == json.loads(json.dumps(inputs)):
            draft.resume()
            table = opened_table(before)
        else:
            draft.begin()
            clusters = build_clusters(pool, secs=secs, options=options)
            table = start_table(pool, clusters)
            _write_start(draft, table)
            draft.commit(inputs=inputs, facts=facts | {"sigma": clusters.sigma, "finished": 0})
        facts["sigma"] = table.clusters.sigma

        def keep(now: TransitionTable) -> None:
            row = int(np.flatnonzero(np.isfinite(now.scores).all(axis=(1, 2)))[-1])
            draft.append("scores", now.scores[row : row + 1])
            draft.append("intermediaries", now.intermediaries[row : row + 1])
            draft.commit(inputs=inputs, facts=facts | {"finished": now.n_finished})

        table = build_table(
            pool, table.clusters, exhaustive=exhaustive, begun=table, seed=options.seed, progress=progress, keep=keep
        )
    return pool, table


def find_table(
    store: ArtefactStore, secs: float, *, digests: Mapping[int, str], bank_path: object
) -> tuple[Pool, TransitionTable]:
    """The finished table of transitions of `secs` that was built last, and its pool; raises if there is none. Damaged
    ones are passed over.

    `digests` name the motion of every clip as it is now: a table of clips that have changed is not used.
    """
    n_frames = max(2, round(secs * RATE_HZ))
    prefix = f"{n_frames / RATE_HZ:.3f}s-"
    again = f"`motionary transition table build {bank_path} --secs {secs:g}`"
    entries = [one for one in store.entries() if one.kind == TABLE.name and one.key.startswith(prefix)]
    unfinished: UsageError | None = None
    damages: list[str] = []
    looking = ArtefactStore(store.folder, message=damages.append)
    for entry in sorted(entries, key=lambda one: one.built_at, reverse=True):
        found = looking.find(TABLE, entry.key)
        kept = looking.find(POOL, found.facts["pool"]) if found is not None else None
        if found is None or kept is None:
            continue
        try:
            table, pool = opened_table(found), _opened_pool(kept)
        except DamagedArtefactError as damage:
            damages.append(damage.problem)
            again = _again(found, bank_path)
            continue
        if not table.complete:
            unfinished = unfinished or UsageError(
                f"{bank_path}: the table of transitions of {secs:g} s is not finished; {_again(found, bank_path)} goes "
                "on with it"
            )
            continue
        for clip_id, name in zip(kept.array("clip-ids").tolist(), kept.facts["names"], strict=True):
            if digests.get(clip_id) != kept.facts["digests"][str(clip_id)]:
                what = "has changed" if clip_id in digests else "is not in the bank any more"
                raise UsageError(
                    f"{bank_path}: {name} {what} since the table of transitions was built; {_again(found, bank_path)} "
                    "brings it up to date"
                )
        return pool, table
    if unfinished is None and damages:
        raise UsageError(f"{bank_path}: the table of transitions of {secs:g} s is damaged; {again} builds it again")
    raise unfinished or UsageError(f"{bank_path}: no table of transitions of {secs:g} s; {again} makes one")


def _again(kept: Artefact, bank_path: object) -> str:
    """The command that builds a table again, or goes on with it."""
    n_clusters, *_, seed = kept.facts["options"]
    words = ["motionary transition table build", str(bank_path), f"--secs {kept.facts['secs']:g} -k {n_clusters}"]
    words += [f"--seed {seed}"] if seed else []
    of = kept.facts["of"]
    return f"`{' '.join(words)}`" + ("" if of == "all clips" else f", with the words and labels as before ({of}),")


def facts_of_tables(store: ArtefactStore, *, message: Message | None = None) -> list[dict[str, Any]]:
    """What is known of each table of transitions, the last one built last; damaged ones are told and left out."""
    facts = []
    tell = message or (lambda _: None)
    for entry in sorted((one for one in store.entries() if one.kind == TABLE.name), key=lambda one: one.built_at):
        try:
            found = store.find(TABLE, entry.key)
            table = None if found is None else opened_table(found)
        except DamagedArtefactError as damage:
            tell(f"the table of transitions {entry.key} is left out: {damage.problem}; build it again")
            continue
        if found is None or table is None:
            continue
        done = int(np.isfinite(table.scores).all(axis=(1, 2)).sum())
        kept = store.find(POOL, found.facts["pool"])
        facts.append(
            {
                "table": entry.key,
                "of": found.facts["of"],
                "secs": found.facts["secs"],
                "clips": 0 if kept is None else len(kept.facts["names"]),
                "frames": len(table.clusters.distances),
                "representatives": table.n_representatives,
                "rows": done,
                "separation": round(float(table.clusters.separation().mean()), 4),
                "threshold_cm": round(100.0 * table.threshold, 3),
                "score_median_cm": round(100.0 * float(np.median(table.least)), 3) if table.complete else None,
                "under_threshold": round(float(np.mean(table.least <= table.threshold)), 4) if done else None,
                "finished": found.facts["finished"],
                "table_bytes": table.n_bytes,
                "bytes_a_frame": table.bytes_a_frame,
                "built_at": entry.built_at,
            }
        )
    return facts


def delete_tables(store: ArtefactStore, names: Sequence[str], *, dry_run: bool = False) -> list[Entry]:
    """Delete tables of transitions, by how their names begin; the pools that none of those left uses go, too."""
    removed = store.remove([f"{TABLE.name}/{name}" for name in names], dry_run=dry_run)
    gone = {one.key for one in removed}
    left = [one.key for one in store.entries() if one.kind == TABLE.name and one.key not in gone]
    pools = [one for one in store.entries() if one.kind == POOL.name and not any(one.key in key for key in left)]
    return removed + (store.remove([one.name for one in pools], dry_run=dry_run) if pools else [])


def opened_table(kept: Artefact) -> TransitionTable:
    """A table from what is kept; rows that are not there yet have no scores."""
    n = len(kept.array("representatives"))
    scores = np.full((n, n, N_KEPT), np.nan, dtype=np.float32)
    intermediaries = np.full((n, n, N_KEPT, 2), -1, dtype=np.int16)
    if "scores" in kept.tables:
        done = len(kept.array("scores"))
        scores[:done], intermediaries[:done] = kept.array("scores"), kept.array("intermediaries")
    clusters = Clusters(
        int(kept.facts["n_frames"]),
        kept.array("windows"),
        kept.array("members"),
        kept.array("representatives"),
        kept.array("distances"),
        float(kept.facts.get("sigma", 0.0)),
    )
    return TransitionTable(
        clusters, scores, intermediaries, kept.array("natural"), kept.array("thresholds"), int(kept.facts["finished"])
    )


def _write_start(draft: Draft, table: TransitionTable) -> None:
    clusters = table.clusters
    for name, array in (
        ("windows", clusters.windows),
        ("members", clusters.members),
        ("representatives", clusters.representatives),
        ("distances", clusters.distances),
        ("natural", table.natural),
        ("thresholds", table.thresholds),
    ):
        draft.append(name, array)


def _content(pool: Pool, inputs: list[Any]) -> Content:
    prints = pool.footprints
    return Content(
        {
            "clip-ids": pool.clip_ids,
            "starts": pool.starts,
            "roots": pool.roots,
            "headings": pool.headings,
            "turns": pool.turns,
            "floors": pool.floors,
            "points": prints.points,
            "spans": prints.spans,
            "places": prints.places,
            "groups": prints.groups,
            "of-clips": prints.of_clips,
        },
        {"names": list(pool.names), "frame_time": pool.frame_time, "digests": {str(i): d for i, _, d in inputs}},
    )


def _opened_pool(kept: Artefact) -> Pool:
    array = kept.array
    prints = Footprints(array("points"), array("spans"), array("places"), array("groups"), array("of-clips"))
    return Pool(
        body_of(reference_skeleton()),
        float(kept.facts["frame_time"]),
        array("clip-ids"),
        tuple(kept.facts["names"]),
        array("starts"),
        array("roots"),
        array("headings"),
        array("turns"),
        array("floors"),
        prints,
    )


def _pool_id(store: ArtefactStore, key: str) -> str:
    found = store.find(POOL, key)
    return "" if found is None else found.id
