"""Building the match web of a bank, or of a part of it, and keeping it up to date."""

import errno
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError
from motionary.features import SEARCH_RATE_HZ, LibraryFeatures, build_features
from motionary.metrics import AnyMetric, PointCloudMetric
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.store import VERSION, WebManifest, WebStore
from motionary.search.match_web.weaving import Weaver
from motionary.search.match_web.web import MatchWeb
from motionary.workers import held_back_interrupts, n_cores

COMMIT_SECS = 5.0  # after an interruption, no more than this is computed again
MOST_UNUSED = 0.25  # share of the frames
NOT_TO_BE_WRITTEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR, errno.ENOSPC}
FOLDER = "web"


def build_web(
    bank: Bank,
    *,
    settings: WebSettings | None = None,
    rate_hz: float = SEARCH_RATE_HZ,
    metric: AnyMetric | None = None,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> MatchWeb:
    """The match web of the bank, or of the clips that `bank.clips(text, labels=labels, names=names)` gives.

    It is kept beside the bank, in a folder that can be deleted at any time. Only pairs with new and changed clips are
    computed; `progress` is told how many pairs are done, of how many. When interrupted, what was computed is kept, and
    the next call goes on from there. Where nothing can be written, the web is made for this time only.
    """
    tell = message or (lambda _: None)
    settings, metric = settings or WebSettings(), metric or PointCloudMetric()
    features = build_features(bank, rate_hz=rate_hz, message=message)
    words = _words(text, labels, names)
    chosen = _chosen(bank, features, words)
    made_by = _made_by(settings, metric, features, words)
    store = WebStore(bank.derived_path / _folder_name(made_by), made_by)
    weaver = Weaver(features, metric, settings, n_threads=threads or n_cores())
    manifest, _ = store.read()
    if manifest is not None and not _missing(features, chosen, manifest) and not _is_wasteful(features, manifest):
        return _web(weaver, manifest, store)
    try:
        with store.locked():
            manifest, wrong = store.read()  # which another process may have written meanwhile
            if wrong:
                tell(f"the match web beside {bank.path} is built anew: {wrong}")
            if manifest is None or _is_wasteful(features, manifest):
                manifest = store.begin()
            _weave(weaver, store, manifest, chosen, progress)
            return _web(weaver, manifest, store)
    except OSError as error:
        if error.errno not in NOT_TO_BE_WRITTEN:
            raise BankError(f"{store.folder}: the match web cannot be written ({error.strerror})") from error
        tell(f"the match web cannot be kept in {store.folder} ({error.strerror}); it is made for this time only")
    return _passing_web(weaver, chosen, progress)


def latest_web(bank: Bank, *, message: Callable[[str], None] | None = None, **options: Any) -> MatchWeb:
    """The web that was built last, brought up to date; `options` are those of `build_web` that are not kept with it."""
    found = sorted(webs(bank), key=lambda folder: (folder / "web.json").stat().st_mtime_ns)
    if not found:
        raise NotInBankError(
            f"{bank.path} has no match web. `motionary web build {bank.path}` makes one; searches keep it up to date"
        )
    made_by = json.loads((found[-1] / "web.json").read_text(encoding="utf-8"))["made_by"]
    words = made_by["clips"]
    metric = PointCloudMetric.named(made_by["metric"])
    return build_web(
        bank,
        settings=WebSettings(**made_by["settings"]),
        rate_hz=made_by["rate_hz"],
        metric=metric,
        text=words["text"],
        labels=words["labels"],
        names=words["names"],
        message=message,
        **options,
    )


def webs(bank: Bank) -> list[Path]:
    """The folders of all webs beside the bank."""
    return sorted(path.parent for path in bank.derived_path.glob(f"{FOLDER}-v{VERSION}-*/web.json"))


def _weave(
    weaver: Weaver,
    store: WebStore,
    manifest: WebManifest,
    chosen: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> None:
    """Append what is missing, motion by motion, and commit now and then."""
    missing = _missing(weaver.features, chosen, manifest)
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
        store.commit(manifest)


def _passing_web(weaver: Weaver, chosen: Sequence[int], progress: Callable[[int, int], None] | None) -> MatchWeb:
    with tempfile.TemporaryDirectory(prefix="motionary-web-") as passing:  # what is mapped outlives its file's name
        store = WebStore(Path(passing), {})
        manifest = store.begin()
        _weave(weaver, store, manifest, chosen, progress)
        return replace(_web(weaver, manifest, store), folder=None)


def _words(text: str, labels: str | Sequence[str], names: str | Sequence[str]) -> dict[str, Any]:
    lists = ([given] if isinstance(given, str) else list(given) for given in (labels, names))
    return dict(zip(("text", "labels", "names"), (text.strip(), *lists), strict=True))


def _chosen(bank: Bank, features: LibraryFeatures, words: dict[str, Any]) -> list[int]:
    """Numbers of the clips that are woven in."""
    if not any(words.values()):
        return list(range(features.n_clips))
    ids = {clip.id for clip in bank.clips(words["text"], labels=words["labels"], names=words["names"])}
    found = [c for c, clip_id in enumerate(features.clip_ids.tolist()) if clip_id in ids]
    if not found:
        raise NotInBankError(
            f"{bank.path}: no clip has all these words, labels and names. "
            f"`motionary ls {bank.path}` lists clips in the same words"
        )
    return found


def _made_by(
    settings: WebSettings, metric: AnyMetric, features: LibraryFeatures, words: dict[str, Any]
) -> dict[str, Any]:
    return {
        "settings": settings.as_json(),
        "metric": metric.name,
        "rate_hz": features.rate_hz,
        "features": features.folder.name if features.folder else "",
        "clips": words,
    }


def _folder_name(made_by: dict[str, Any]) -> str:
    digest = hashlib.blake2b(json.dumps(made_by, sort_keys=True).encode(), digest_size=6).hexdigest()
    return f"{FOLDER}-v{VERSION}-{made_by['settings']['method']}-{made_by['rate_hz']:g}hz-{digest}"


def _missing(features: LibraryFeatures, chosen: Sequence[int], manifest: WebManifest) -> list[int]:
    """Clips of which the web knows nothing; of copies, one."""
    unknown = {features.digests[c]: c for c in reversed(chosen) if features.digests[c] not in manifest.motions}
    return sorted(unknown.values())


def _is_wasteful(features: LibraryFeatures, manifest: WebManifest) -> bool:
    """Whether too much of the web is of motions that are no longer there; then it is woven anew."""
    here = set(features.digests)
    frames = np.array([[n_frames, n_frames * (digest in here)] for digest, n_frames in manifest.motions.items()])
    return bool(len(frames)) and frames[:, 1].sum() ** 2 < (1.0 - MOST_UNUSED) * float(frames[:, 0].sum()) ** 2


def _web(weaver: Weaver, manifest: WebManifest, store: WebStore) -> MatchWeb:
    tables = store.tables(manifest)
    return MatchWeb(
        weaver.features,
        weaver.metric,
        weaver.settings,
        tuple(manifest.motions),
        tables["pairs"],
        tables["paths"],
        tables["cells"],
        store.folder,
    )
