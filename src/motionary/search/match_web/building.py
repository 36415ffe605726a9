"""Building a match web, and keeping its files up to date."""

import errno
import hashlib
import json
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Draft
from motionary.errors import BankError
from motionary.library import LibraryFeatures
from motionary.metrics import AnyMetric, metric_named
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.store import KIND, WebLedger, begun, copied
from motionary.search.match_web.weaving import Weaver
from motionary.search.match_web.web import MatchWeb
from motionary.workers import held_back_interrupts, n_cores

MOST_SAID = 4  # words that say which clips a web is of; others are counted
COMMIT_SECS = 5.0  # after an interruption, no more than this is computed again
MOST_UNUSED = 0.25  # share of the frames
BUILT = "built"  # a file that is as old as the last build: searches, too, write the manifest


def woven_web(
    features: LibraryFeatures,
    chosen: Sequence[int],
    *,
    beside: Path,
    settings: WebSettings,
    metric: AnyMetric,
    words: dict[str, Any],
    threads: int | None = None,
    as_latest: bool = True,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> MatchWeb:
    """The web of the `chosen` clips, by their numbers, in a folder below `beside` that is named by all it is made by.

    Only what is missing there is computed. `words` say which clips are chosen. The one that is made `as_latest` is
    what searches use from then on.
    """
    tell = message or (lambda _: None)
    made_by = _made_by(settings, metric, features, words)
    store, key = ArtefactStore(beside, message=message), _key(made_by)
    here = {features.digests[clip] for clip in chosen}

    def web(artefact: Artefact) -> MatchWeb:
        return _web(features, chosen, metric, settings, artefact, words)

    found = store.find(KIND, key, inputs=made_by)
    if found is not None:
        ledger = WebLedger.of(found)
        if not _missing(features, chosen, ledger) and not _is_wasteful(here, ledger):
            if as_latest:
                _touch(found.folder)
            return web(found)
    weaver = Weaver(features, metric, settings, n_threads=threads or n_cores())
    try:
        with store.writing(KIND, key) as draft:
            ledger = _continued(draft, made_by, here)
            if as_latest:
                _touch(draft.folder)
            else:
                _tell_what_is_missing(features, chosen, ledger, words, tell)
            return web(_weave(weaver, draft, ledger, made_by, chosen, progress))
    except OSError as error:
        remedy = "; free some space and run the command again: it continues where it stopped"
        raise BankError(
            f"{beside}: the match web cannot be written ({error.strerror})"
            f"{remedy if error.errno in (errno.ENOSPC, errno.EDQUOT) else ''}"
        ) from error


def _continued(draft: Draft, made_by: dict[str, Any], here: Collection[str]) -> WebLedger:
    """What is there, to be appended to; begun anew without what is damaged, or much that no clip has any more."""
    before = draft.before or draft.damaged
    if before is None or before.manifest.inputs != made_by:
        return begun(draft)
    ledger = WebLedger.of(before)
    gone = set() if before is draft.before else ledger.damaged(before)
    if _is_wasteful(here, ledger):
        gone |= set(ledger.motions) - set(here)
    if gone or before is not draft.before:
        return copied(draft, before, ledger, gone)
    draft.resume()
    return ledger


def _tell_what_is_missing(
    features: LibraryFeatures,
    chosen: Sequence[int],
    ledger: WebLedger,
    words: dict[str, Any],
    tell: Callable[[str], None],
) -> None:
    n_known = sum(features.digests[clip] in ledger.motions for clip in chosen)
    if 0 < n_known < len(chosen):
        tell(
            f"the match web of {in_words(words)} has {n_known:,} of {len(chosen):,} clips; the others are compared now"
        )


def kept_web(
    store: ArtefactStore, features: LibraryFeatures, chosen: Sequence[int], made_by: dict[str, Any]
) -> MatchWeb | None:
    """The web that was made so, as it was left, without what has come since; None if it is not there or damaged."""
    found = store.find(KIND, _key(made_by), inputs=made_by)
    if found is None:
        return None
    options = options_of(made_by)
    return _web(features, chosen, options["metric"], options["settings"], found, made_by["clips"])


def built_at(folder: Path) -> int:
    """When the web in a folder was last built, in nanoseconds."""
    for name in (BUILT, "manifest"):
        with suppress(OSError):
            return (folder / name).stat().st_mtime_ns
    return 0


def _touch(folder: Path | None) -> None:
    """Make it the web that was built last."""
    if folder is not None:
        with suppress(OSError):
            (folder / BUILT).touch()


def options_of(made_by: dict[str, Any]) -> dict[str, Any]:
    """What `build_web` was told."""
    settings, metric = WebSettings(**made_by["settings"]), metric_named(made_by["metric"])
    return {"settings": settings, "rate_hz": made_by["rate_hz"], **made_by["clips"], "metric": metric}


def _weave(
    weaver: Weaver,
    draft: Draft,
    ledger: WebLedger,
    made_by: dict[str, Any],
    chosen: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> Artefact:
    """Append what is missing, motion by motion, and commit now and then."""
    missing = _missing(weaver.features, chosen, ledger)
    if missing:
        ledger.forget(set(ledger.motions) - {weaver.features.digests[clip] for clip in chosen})
    lengths = [int(weaver.features.n_frames[clip]) for clip in missing]
    total = sum(len(ledger.motions) + n + 1 for n in range(len(missing)))
    done = shares_done(lengths, sum(ledger.motions.values()))
    committed = time.monotonic()

    def commit() -> Artefact:
        return draft.commit(inputs=made_by, facts=ledger.as_json())

    try:
        with held_back_interrupts() as check_interrupt:
            for n, clip in enumerate(missing):
                digest = weaver.features.digests[clip]
                woven = weaver.pairs_of(digest, list(ledger.motions), check_interrupt)
                ledger.append(draft, digest, lengths[n], woven)
                if progress:
                    progress(int(done[n] * total), total)
                if time.monotonic() - committed > COMMIT_SECS:
                    commit()
                    committed = time.monotonic()
                check_interrupt()
    except OSError:
        raise  # tables may be written in part: what was committed before stays
    except BaseException:
        if ledger.motions:  # what fails before its first motion leaves no web behind
            commit()
        raise
    return commit()


def shares_done(lengths: Sequence[int], n_known: int) -> np.ndarray:
    """The share (M,) of all the work that is done with each motion: it is compared with itself and all before it, frame
    by frame, of which `n_known` were there at the start."""
    frames = np.asarray(lengths, dtype=float)
    work = np.cumsum(frames * (n_known + np.cumsum(frames)))
    return np.asarray(work / work[-1]) if len(work) else work


def in_words(words: dict[str, Any]) -> str:
    """Which clips a web is of."""
    said = [words["text"], *(f"label {one}" for one in words["labels"]), *(f"name {one}" for one in words["names"])]
    said = [one for one in said if one]
    if len(said) > MOST_SAID:
        return f"{', '.join(said[: MOST_SAID - 1])} and {len(said) - MOST_SAID + 1} more"
    return ", ".join(said) or "all clips"


def _made_by(
    settings: WebSettings, metric: AnyMetric, features: LibraryFeatures, words: dict[str, Any]
) -> dict[str, Any]:
    return {
        "settings": settings.as_json(),
        "metric": metric.name,
        "rate_hz": features.rate_hz,
        "clips": words,
    }


def _key(made_by: dict[str, Any]) -> str:
    digest = hashlib.blake2b(json.dumps(made_by, sort_keys=True).encode(), digest_size=6).hexdigest()
    return f"{made_by['settings']['method']}-{made_by['rate_hz']:g}hz-{digest}"


def _missing(features: LibraryFeatures, chosen: Sequence[int], ledger: WebLedger) -> list[int]:
    """Clips of which the web knows nothing; of copies, one."""
    unknown = {features.digests[c]: c for c in reversed(chosen) if features.digests[c] not in ledger.motions}
    return sorted(unknown.values())


def _is_wasteful(here: Collection[str], ledger: WebLedger) -> bool:
    """Whether too much of the web is of motions that no clip has any more; then it is written without them."""
    frames = np.array([[n_frames, n_frames * (digest in here)] for digest, n_frames in ledger.motions.items()])
    return bool(len(frames)) and frames[:, 1].sum() ** 2 < (1.0 - MOST_UNUSED) * float(frames[:, 0].sum()) ** 2


def _web(
    features: LibraryFeatures,
    chosen: Sequence[int],
    metric: AnyMetric,
    settings: WebSettings,
    artefact: Artefact,
    words: dict[str, Any],
) -> MatchWeb:
    return MatchWeb(
        features,
        metric,
        settings,
        tuple(chosen),
        tuple(artefact.facts["motions"]),
        artefact.array("pairs"),
        artefact.array("paths"),
        artefact.tables["cells"],
        in_words(words),
        artefact.folder,
    )
