"""Building a match web, and keeping its files up to date."""

import errno
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.errors import BankError, UsageError
from motionary.library import LibraryFeatures
from motionary.metrics import AnyMetric, metric_named
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.store import DAMAGED, MANIFEST, VERSION, WebManifest, WebStore, built_at
from motionary.search.match_web.weaving import Weaver
from motionary.search.match_web.web import MatchWeb
from motionary.workers import held_back_interrupts, n_cores

MOST_SAID = 4  # words that say which clips a web is of; others are counted
COMMIT_SECS = 5.0  # after an interruption, no more than this is computed again
MOST_UNUSED = 0.25  # share of the frames
NOT_TO_BE_WRITTEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR}
FOLDER = "web"


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
    store = WebStore(beside / _folder_name(made_by), made_by)
    weaver = Weaver(features, metric, settings, n_threads=threads or n_cores())
    here = {features.digests[clip] for clip in chosen}

    def web(manifest: WebManifest, tables: dict[str, np.ndarray]) -> MatchWeb:
        return _web(features, chosen, metric, settings, manifest, tables, store.folder, words)

    opened, _ = store.opened()
    if opened and not _missing(features, chosen, opened[0]) and not _is_wasteful(here, opened[0]):
        if as_latest:
            store.touch()
        return web(*opened)
    try:
        with store.locked():
            opened, wrong = store.opened()  # which another process may have written meanwhile
            if opened and store.is_damaged(opened[0]):
                opened, wrong = None, DAMAGED
            if wrong:
                tell(f"the match web beside {beside.name.removesuffix('.derived')} is built anew: {wrong}")
            if not opened:
                manifest = store.begin()
            elif _is_wasteful(here, opened[0]):
                manifest = store.without(opened[0], set(opened[0].motions) - here)
            else:
                manifest = opened[0]
            if as_latest:
                store.touch()
            else:
                _tell_what_is_missing(features, chosen, manifest, words, tell)
            _weave(weaver, store, manifest, chosen, progress)
            return web(manifest, store.tables(manifest))
    except OSError as error:
        if error.errno not in NOT_TO_BE_WRITTEN:
            raise _not_written(store, error) from error
        tell(f"the match web cannot be kept in {store.folder} ({error.strerror}); it is made for this time only")
    with tempfile.TemporaryDirectory(prefix="motionary-web-") as passing:  # what is mapped outlives its file's name
        store = WebStore(Path(passing), made_by)
        manifest = store.begin()
        try:
            _weave(weaver, store, manifest, chosen, progress)
        except OSError as error:
            raise _not_written(store, error) from error
        return replace(web(manifest, store.tables(manifest)), folder=None)


def _tell_what_is_missing(
    features: LibraryFeatures,
    chosen: Sequence[int],
    manifest: WebManifest,
    words: dict[str, Any],
    tell: Callable[[str], None],
) -> None:
    n_known = sum(features.digests[clip] in manifest.motions for clip in chosen)
    if 0 < n_known < len(chosen):
        tell(
            f"the match web of {in_words(words)} has {n_known:,} of {len(chosen):,} clips; the others are compared now"
        )


def _not_written(store: WebStore, error: OSError) -> BankError:
    remedy = "; make room and build it again: what is there is kept, and the rest follows"
    return BankError(
        f"{store.folder}: the match web cannot be written ({error.strerror})"
        f"{remedy if error.errno in (errno.ENOSPC, errno.EDQUOT) else ''}"
    )


def kept_web(features: LibraryFeatures, chosen: Sequence[int], folder: Path) -> MatchWeb | None:
    """The web in a folder as it was left, without what has come since; None if it is damaged."""
    made_by = made_by_of(folder)
    opened, _ = WebStore(folder, made_by).opened()
    if opened is None:
        return None
    options = options_of(made_by)
    return _web(features, chosen, options["metric"], options["settings"], *opened, folder, made_by["clips"])


def folders(beside: Path) -> list[Path]:
    """The folders of all webs, the one that was built last at the end."""
    found = [path.parent for path in beside.glob(f"{FOLDER}-v{VERSION}-*/{MANIFEST}")]
    return sorted(found, key=lambda folder: (built_at(folder), folder))


def made_by_of(folder: Path) -> dict[str, Any]:
    try:
        made_by = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["made_by"]
        _options_but_metric(made_by)
        str(made_by["metric"])
    except (OSError, ValueError, KeyError, TypeError, UsageError) as error:
        raise BankError(f"{folder}: the match web is damaged; delete the folder and build it again") from error
    return dict(made_by)


def options_of(made_by: dict[str, Any]) -> dict[str, Any]:
    """What `build_web` was told."""
    return _options_but_metric(made_by) | {"metric": metric_named(made_by["metric"])}


def _options_but_metric(made_by: dict[str, Any]) -> dict[str, Any]:
    return {"settings": WebSettings(**made_by["settings"]), "rate_hz": made_by["rate_hz"], **made_by["clips"]}


def _weave(
    weaver: Weaver,
    store: WebStore,
    manifest: WebManifest,
    chosen: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> None:
    """Append what is missing, motion by motion, and commit now and then."""
    missing = _missing(weaver.features, chosen, manifest)
    if missing:
        manifest.forget(set(manifest.motions) - {weaver.features.digests[clip] for clip in chosen})
    total = sum(len(manifest.motions) + n + 1 for n in range(len(missing)))
    done = 0
    committed = time.monotonic()
    try:
        with held_back_interrupts() as check_interrupt:
            for clip in missing:
                digest = weaver.features.digests[clip]
                woven = weaver.pairs_of(digest, list(manifest.motions), check_interrupt)
                store.append(manifest, digest, int(weaver.features.n_frames[clip]), woven)
                done += len(manifest.motions)
                if progress:
                    progress(done, total)
                if time.monotonic() - committed > COMMIT_SECS:
                    store.commit(manifest)
                    committed = time.monotonic()
                check_interrupt()
    finally:
        if manifest.motions or not missing:  # what fails before its first motion leaves no web behind
            store.commit(manifest)


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
        "features": f"{features.rate_hz:g}hz" if features.is_kept else "",
        "clips": words,
    }


def _folder_name(made_by: dict[str, Any]) -> str:
    digest = hashlib.blake2b(json.dumps(made_by, sort_keys=True).encode(), digest_size=6).hexdigest()
    return f"{FOLDER}-v{VERSION}-{made_by['settings']['method']}-{made_by['rate_hz']:g}hz-{digest}"


def _missing(features: LibraryFeatures, chosen: Sequence[int], manifest: WebManifest) -> list[int]:
    """Clips of which the web knows nothing; of copies, one."""
    unknown = {features.digests[c]: c for c in reversed(chosen) if features.digests[c] not in manifest.motions}
    return sorted(unknown.values())


def _is_wasteful(here: Collection[str], manifest: WebManifest) -> bool:
    """Whether too much of the web is of motions that no clip has any more; then it is written without them."""
    frames = np.array([[n_frames, n_frames * (digest in here)] for digest, n_frames in manifest.motions.items()])
    return bool(len(frames)) and frames[:, 1].sum() ** 2 < (1.0 - MOST_UNUSED) * float(frames[:, 0].sum()) ** 2


def _web(
    features: LibraryFeatures,
    chosen: Sequence[int],
    metric: AnyMetric,
    settings: WebSettings,
    manifest: WebManifest,
    tables: dict[str, np.ndarray],
    folder: Path,
    words: dict[str, Any],
) -> MatchWeb:
    return MatchWeb(
        features,
        metric,
        settings,
        tuple(chosen),
        tuple(manifest.motions),
        tables["pairs"],
        tables["paths"],
        tables["cells"],
        in_words(words),
        folder,
    )
