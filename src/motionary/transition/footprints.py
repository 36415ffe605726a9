"""Footprints: the plants of a foot's heel and ball that overlap in time, as one unit of standing."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionary.plants import FEET, PARTS, Plant


@dataclass(frozen=True, eq=False)
class Footprints:
    """The plants of many clips as arrays, grouped: a foot that rolls from heel to toe leaves one footprint.

    Frames count through all clips. Footprints are sorted by clip and start; those of a clip are neighbours.
    """

    points: np.ndarray  # (N,) int32: left heel, left toe, right heel, right toe
    spans: np.ndarray  # (N, 2) int32 frames [start, stop) of each plant
    places: np.ndarray  # (N, 3) world
    groups: np.ndarray  # (G + 1,) int32: the plants of footprint g are [groups[g], groups[g + 1])
    of_clips: np.ndarray  # (C + 1,) int32: the footprints of clip c are [of_clips[c], of_clips[c + 1])

    @property
    def n_footprints(self) -> int:
        return len(self.groups) - 1


def footprints_of(plants: Iterable[Plant], *, first_frame: int = 0) -> list[list[Plant]]:
    """The footprints of one clip: lists of plants of one foot, each overlapping another in time; by start and foot."""
    found: list[tuple[int, int, list[Plant]]] = []
    for number, foot in enumerate(FEET):
        stop = -1
        for plant in sorted((p for p in plants if p.foot == foot), key=lambda p: (p.start, p.stop, p.part)):
            if plant.start < stop:
                found[-1][2].append(plant)
            else:
                found.append((plant.start + first_frame, number, [plant]))
            stop = max(stop, plant.stop)
    return [group for _, _, group in sorted(found, key=lambda item: item[:2])]


def join_footprints(clips: Iterable[tuple[list[list[Plant]], np.ndarray, int]]) -> Footprints:
    """The footprints of clips, each with its points' places over time (F, 4, 3) and its first frame.

    A plant's place is the mean of where its point was: the plants may come from another body than the places.
    """
    points, spans, places, groups, of_clips = [], [], [], [0], [0]
    for footprints, world, first in clips:
        for group in footprints:
            for plant in group:
                point = 2 * FEET.index(plant.foot) + PARTS.index(plant.part)
                points.append(point)
                spans.append((plant.start + first, plant.stop + first))
                places.append(world[plant.start : plant.stop, point].mean(axis=0))
            groups.append(len(points))
        of_clips.append(len(groups) - 1)
    return Footprints(
        np.array(points, dtype=np.int32),
        np.array(spans, dtype=np.int32).reshape(-1, 2),
        np.array(places, dtype=np.float64).reshape(-1, 3),
        np.array(groups, dtype=np.int32),
        np.array(of_clips, dtype=np.int32),
    )
