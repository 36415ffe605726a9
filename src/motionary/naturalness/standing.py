"""Plants as arrays, for kernels: which point of the soles stands when, and where."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from motionary.dynamics import checked_contacts
from motionary.errors import UsageError
from motionary.motion import Motion
from motionary.plants import FEET, Plant
from motionary.rig import Body

POINTS = tuple((foot, part) for foot in FEET for part in ("heel", "toe"))


@dataclass(frozen=True, eq=False)
class Standing:
    """Where the soles of a motion of `n_frames` frames stand: N plants of heel or toe."""

    n_frames: int
    points: np.ndarray  # (N,) int32: left heel, left toe, right heel, right toe
    spans: np.ndarray  # (N, 2) int32 frames [start, stop)
    places: np.ndarray  # (N, 3) world

    def __post_init__(self) -> None:
        for name, dtype, shape in (("points", np.int32, ()), ("spans", np.int32, (2,)), ("places", np.float64, (3,))):
            array = np.array(getattr(self, name), dtype=dtype).reshape(-1, *shape)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if not len(self.points) == len(self.spans) == len(self.places):
            raise UsageError("every plant needs a point, an interval and a position")
        if np.any((self.points < 0) | (self.points > 3)):
            raise UsageError("the point of a plant must be 0 to 3: left heel, left toe, right heel, right toe")
        wrong = (self.spans[:, 0] < 0) | (self.spans[:, 0] >= self.spans[:, 1]) | (self.spans[:, 1] > self.n_frames)
        if np.any(wrong):
            start, stop = self.spans[int(np.argmax(wrong))]
            raise UsageError(f"a plant over frames [{start}, {stop}) is outside a motion of {self.n_frames} frames")
        if not np.isfinite(self.places).all():
            raise UsageError("a plant has a place that is not a finite number")

    @property
    def contacts(self) -> np.ndarray:
        """Whether heel and toe of the left and right foot stand (F, 2, 2)."""
        contacts = np.zeros((self.n_frames, 4), dtype=np.bool_)
        for point, (start, stop) in zip(self.points, self.spans, strict=True):
            contacts[start:stop, point] = True
        return contacts.reshape(-1, 2, 2)


def standing_by_plants(plants: Iterable[Plant], n_frames: int) -> Standing:
    """The plants of a motion as arrays."""
    known = list(plants)
    return Standing(
        n_frames,
        np.array([POINTS.index((plant.foot, plant.part)) for plant in known]),
        np.array([(plant.start, plant.stop) for plant in known]),
        np.array([plant.place for plant in known]),
    )


def standing_by_contacts(contacts: np.ndarray, motion: Motion, body: Body) -> Standing:
    """The plants made by contacts (F, 2, 2) of [left, right] × [heel, toe], each at the mean of its point's places."""
    flat = checked_contacts(contacts, motion.n_frames).reshape(-1, 4)
    world = body.feet.world(motion).reshape(-1, 4, 3)
    points, spans, places = [], [], []
    for point in range(4):
        stands = np.concatenate([[False], flat[:, point], [False]])
        edges = np.flatnonzero(stands[1:] != stands[:-1]).tolist()
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            points.append(point)
            spans.append((start, stop))
            places.append(world[start:stop, point].mean(axis=0))
    return Standing(motion.n_frames, np.array(points), np.array(spans), np.array(places))


def plants_within(plants: Iterable[Plant], start: int, stop: int) -> list[Plant]:
    """The plants of frames [start, stop) as those of a motion that begins there; cut where they go beyond."""
    return [
        replace(plant, start=max(plant.start, start) - start, stop=min(plant.stop, stop) - start)
        for plant in plants
        if plant.start < stop and plant.stop > start
    ]
