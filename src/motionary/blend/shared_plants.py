"""Foot plants that correspond: one interval for all sources on their common clock."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.alignment import Warp
from motionary.motion import mask_intervals
from motionary.plants import FEET, PARTS, Foot, FootPart, Plant

MOST = 0.5  # of the sources must plant a foot for the blend to plant it
PER_FRAME = 4  # places on the clock, for each of its frames, at which sources are asked


@dataclass(frozen=True, slots=True)
class SharedPlant:
    """A heel or toe that stands in most sources, from `start` to `stop` on their common clock."""

    foot: Foot
    part: FootPart
    start: float
    stop: float
    n_sources: int  # that plant it


def shared_plants(
    plants: Sequence[Sequence[Plant]], warps: Sequence[Warp], n_frames: int
) -> tuple[tuple[SharedPlant, ...], list[list[Plant]]]:
    """The plants that most sources have, and for each source those that have no partner.

    `warps` lead from the clock, 0 to `n_frames` − 1, to the sources' frames. A shared plant begins and ends where its
    plants do on average; one that begins (or ends) with the motion in most sources does so in the blend.
    """
    clock = np.arange(0, (n_frames - 1) * PER_FRAME + 1) / PER_FRAME
    spans = [_on_clock(own, warp) for own, warp in zip(plants, warps, strict=True)]
    partnered: list[set[int]] = [set() for _ in plants]
    found = []
    for foot in FEET:
        for part in PARTS:
            votes = np.zeros(len(clock))
            for own, span in zip(plants, spans, strict=True):
                standing = np.zeros(len(clock), dtype=bool)
                for plant, (start, stop) in zip(own, span, strict=True):
                    if (plant.foot, plant.part) == (foot, part):
                        standing |= (clock >= start) & (clock < stop)
                votes += standing
            for low, high in mask_intervals(votes > MOST * len(plants)):
                first, last = clock[low], clock[min(high, len(clock) - 1)]
                starts, stops = [], []
                for i, (own, span) in enumerate(zip(plants, spans, strict=True)):
                    inside = [
                        k
                        for k, plant in enumerate(own)
                        if (plant.foot, plant.part) == (foot, part)
                        and min(span[k][1], last) - max(span[k][0], first) > 0.25 * (last - first)
                    ]
                    partnered[i].update(inside)
                    if inside:
                        starts.append(min(span[k][0] for k in inside))
                        stops.append(max(span[k][1] for k in inside))
                if not starts:
                    continue
                start = 0.0 if np.median(starts) <= 0.0 else float(np.mean(starts))
                stop = float(n_frames) if np.median(stops) >= n_frames - 1 else float(np.mean(stops))
                if stop > start:
                    found.append(SharedPlant(foot, part, max(start, 0.0), min(stop, float(n_frames)), len(starts)))
    lone = [[plant for k, plant in enumerate(own) if k not in partnered[i]] for i, own in enumerate(plants)]
    return tuple(_apart(found)), lone


def _on_clock(plants: Sequence[Plant], warp: Warp) -> list[tuple[float, float]]:
    back = warp.inverse()
    spans = back(np.array([(p.start, p.stop) for p in plants], dtype=float).reshape(-1, 2))
    return [(float(start), float(stop)) for start, stop in spans]


def _apart(plants: list[SharedPlant]) -> list[SharedPlant]:
    """Plants of one foot's part that overlap after averaging are cut where they meet."""
    kept: list[SharedPlant] = []
    for plant in sorted(plants, key=lambda p: (p.foot, p.part, p.start, p.stop)):
        last = kept[-1] if kept else None
        if last and (last.foot, last.part) == (plant.foot, plant.part) and plant.start < last.stop:
            middle = 0.5 * (plant.start + last.stop)
            kept[-1] = SharedPlant(last.foot, last.part, last.start, middle, last.n_sources)
            plant = SharedPlant(plant.foot, plant.part, middle, max(plant.stop, middle), plant.n_sources)
        if plant.stop > plant.start:
            kept.append(plant)
    return sorted(kept, key=lambda p: (p.start, p.foot, p.part))
