"""What recurs in a bank, and what surprises there: from words to motifs and surprises."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from motionary.alignment import Match
from motionary.arguments import check_options, integer
from motionary.bank import Bank, check_is_bank, chosen_clips
from motionary.errors import UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.library import LibraryFeatures, build_features, one_snapshot
from motionary.motion import Segment, oddities
from motionary.requests import ClipFilter
from motionary.search.recurring.finding import find_alone, find_groups
from motionary.search.recurring.motifs import Motif, motif_of
from motionary.search.recurring.plain import plain_alone, plain_groups
from motionary.search.recurring.surprises import Surprise, surprise_of
from motionary.search.recurring.windows import WindowOptions, Windows
from motionary.search.short_clips import on_short_clips

WAYS = ("exact", "scan")
Progress = Callable[[int, int], None]


@one_snapshot
def find_motifs(
    bank: Bank,
    *,
    k: int = 10,
    at_least: int = 2,
    by: str = "exact",
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    features: LibraryFeatures | None = None,
    progress: Progress | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> tuple[Motif, ...]:
    """What recurs in the bank: groups of segments that are alike, the clearest first.

    `options` are the fields of `WindowOptions`: length, hop, joints, radius and so on. Groups have `at_least` so many
    segments. Only clips that `bank.clips(text, labels=labels, names=names)` gives are looked at. `by="scan"` compares
    every window with every other, for the same answer.
    """
    _check(bank, k, by)
    if integer(at_least, "at_least") < 2:
        raise UsageError(f"at_least must be at least 2, not {at_least}")
    asked = _asked(options, called="find_motifs")
    clip_ids = chosen_clips(bank, ClipFilter.of(text, labels, names), to="compare")
    features = features or build_features(bank, progress=progress, message=message)
    _check_length(bank, features, asked, clip_ids, message)
    windows = Windows.of(features, asked, clip_ids=clip_ids)
    if by == "scan":
        groups = plain_groups(windows, k=k, at_least=at_least, progress=progress)
    else:
        groups = find_groups(windows, k=k, at_least=at_least, progress=progress)
    return tuple(_named(bank, motif_of(windows, group)) for group in groups)


@one_snapshot
def find_surprises(
    bank: Bank,
    *,
    k: int = 10,
    skip_odd: bool = False,
    by: str = "exact",
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    features: LibraryFeatures | None = None,
    progress: Progress | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> tuple[Surprise, ...]:
    """What has no near match in the bank: the segments whose nearest is farthest, most surprising first.

    Only other clips count, and distances as they are, unless `options`, the fields of `WindowOptions`, say otherwise.
    Segments with something odd (frozen frames, jumps) tell so, or are left out with `skip_odd`. Clips are chosen as
    for `find_motifs`.
    """
    _check(bank, k, by)
    usual: dict[str, Any] = {"other_clips": True, "rank": "distance"}
    asked = _asked(usual | options, called="find_surprises")
    clip_ids = chosen_clips(bank, ClipFilter.of(text, labels, names), to="compare")
    features = features or build_features(bank, progress=progress, message=message)
    _check_length(bank, features, asked, clip_ids, message)
    windows = Windows.of(features, asked, clip_ids=clip_ids)

    def is_sound(window: int) -> bool:
        return not _odd(bank, windows.segment(int(windows.grid[window])))

    sound = is_sound if skip_odd else None
    if by == "scan":
        alone = plain_alone(windows, k=k, sound=sound, progress=progress)
    else:
        alone = find_alone(windows, k=k, sound=sound, progress=progress)
    return tuple(_told(bank, surprise_of(windows, one)) for one in alone)


def _asked(options: dict[str, Any], *, called: str) -> WindowOptions:
    check_options(options, [one.name for one in fields(WindowOptions)], called=called)
    return WindowOptions(**options)


def _check(bank: Bank, k: int, by: str) -> None:
    check_is_bank(bank)
    if integer(k, "k") < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if by not in WAYS:
        raise UsageError(f"no method named {by!r}; choose from {', '.join(WAYS)}")


def _check_length(
    bank: Bank,
    features: LibraryFeatures,
    asked: WindowOptions,
    clip_ids: set[int] | None,
    message: Callable[[str], None] | None,
) -> None:
    """Raise if there are clips, and all are shorter than a window; say so if many are."""
    lengths = features.n_frames
    if clip_ids is not None:
        lengths = lengths[np.isin(features.clip_ids, list(clip_ids))]
    longest = int(lengths.max(initial=0))
    if 0 < longest < asked.n_frames:
        raise UsageError(
            f"{bank.path}: all these clips are too short for windows of {asked.length:g} s; "
            f"the longest has {longest / SEARCH_RATE_HZ:.1f} s. Use a shorter length"
        )
    n_too_short = int((lengths < asked.n_frames).sum())
    remark = on_short_clips(n_too_short, len(lengths), f"{asked.length:g} s")
    if message is not None and remark:
        message(f"{remark} and left out")


def _named(bank: Bank, motif: Motif) -> Motif:
    """The motif with the names and labels of its clips."""
    labels = Counter(label for match in motif.matches for label in _labels(bank, match.segment))
    by_count = dict(sorted(labels.items(), key=lambda item: (-item[1], item[0])))
    return replace(motif, matches=tuple(_called(bank, match) for match in motif.matches), labels=by_count)


def _told(bank: Bank, surprise: Surprise) -> Surprise:
    """The surprise with the names of its clips, and what is odd in it."""
    return replace(
        surprise,
        clip=bank.clip(surprise.segment.clip_id).name,
        nearest=_called(bank, surprise.nearest),
        odd=_odd(bank, surprise.segment),
    )


def _called(bank: Bank, match: Match) -> Match:
    return replace(match, clip=bank.clip(match.segment.clip_id).name)


def _labels(bank: Bank, segment: Segment) -> set[str]:
    """The labels of a segment: those of its clip, and those of segments that share a frame with it."""
    return {
        label.name
        for label in bank.labels(segment.clip_id)
        if label.start is None or (label.start < segment.stop and segment.start < (label.stop or segment.stop))
    }


def _odd(bank: Bank, segment: Segment) -> tuple[str, ...]:
    """What is odd in some frames of a clip, in words."""
    found = oddities(bank.motion(segment.clip_id))
    return tuple(one.text for one in found if one.start < segment.stop and segment.start < one.stop)
