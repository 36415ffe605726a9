"""Which frames a graph may play: those of its segments, but no T-poses and missing capture, and none beside a jump."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.graph.bank_graph import NotPlayed
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.ways import Ways
from motionary.library import LibraryFeatures
from motionary.motion import Segment, mask_intervals, oddities


def playable_frames(
    segments: Sequence[Segment] | None,
    left_out: Mapping[str, Sequence[NotPlayed]],
    features: LibraryFeatures,
    numbers: Sequence[int],
    ways: Ways,
) -> np.ndarray | None:
    """The frames (F,) of the graph that may be played; None for all. Without segments, whole clips are played, except
    for what is `left_out` of them, by their digests."""
    places = {int(features.clip_ids[c]): number for number, c in enumerate(numbers)}
    allowed = np.full(ways.n_frames, segments is None)
    for segment in segments or ():
        if segment.clip_id in places:
            number = places[segment.clip_id]
            low, high = features.rates[numbers[number]].search_segment(segment.start, segment.stop)
            allowed[ways.starts[number] + low : ways.starts[number] + high] = True
    for number, c in enumerate(numbers):
        of_clip = allowed[ways.starts[number] : ways.starts[number + 1]]
        for span in left_out.get(features.digests[c], ()):
            of_clip[span.start : span.stop] = False
    return None if allowed.all() else allowed


def left_out_frames(
    bank: Bank, features: LibraryFeatures, numbers: Sequence[int], known: Mapping[str, Sequence[Sequence[Any]]]
) -> dict[str, list[NotPlayed]]:
    """What is left out of clips, by their digests; `known` is what an earlier build has found."""
    places = {int(features.clip_ids[c]): c for c in numbers}
    found = {}
    for clip in bank.clips():
        if clip.id in places and clip.notes:  # what is odd in a clip was noted when it was imported
            digest, step = features.digests[places[clip.id]], features.rates[places[clip.id]].step
            spans = known.get(digest)
            found[digest] = not_played(bank, clip.id, step) if spans is None else [NotPlayed(*span) for span in spans]
    return found


def not_played(bank: Bank, clip_id: int, step: Fraction) -> list[NotPlayed]:
    """The frames of a clip that show no motion, and those on both sides of a jump of its root; `step` frames of the
    clip lie between two of the graph."""
    found = []
    for oddity in oddities(bank.motion(clip_id)):
        if oddity.is_empty:  # nor what lies between these frames and their neighbours
            found.append(NotPlayed(max(floor((oddity.start - 1) / step) + 1, 0), ceil(oddity.stop / step), oddity.text))
        elif oddity.kind == "root jump":
            found.append(NotPlayed(floor(oddity.start / step), ceil((oddity.stop - 1) / step) + 1, oddity.text))
    return found


def playable_intervals(graph: MotionGraph, clip: int) -> list[list[int]]:
    """The frames [start, stop) of a clip of the graph, by its number, that can be played without a break."""
    low, high = (int(graph.ways.starts[n]) for n in (clip, clip + 1))
    mask = np.ones(high - low, dtype=bool) if graph.allowed is None else graph.allowed[low:high]
    intervals: list[list[int]] = mask_intervals(mask).tolist()
    return intervals
