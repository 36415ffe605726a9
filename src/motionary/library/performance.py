"""Performances: motions of a bank together with their bodies and foot plants."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionary.bank import Bank, Clip
from motionary.errors import MappingError
from motionary.motion import Motion, Segment
from motionary.plants import Floor, FootPlants, Plant, contacts_of_plants, detect_plants, part_contacts_of_plants
from motionary.rig import Body, body_of


@dataclass(frozen=True, eq=False, repr=False)
class Performance:
    """A segment of a clip with its body, its foot plants and its foot contacts.

    One rule says which plants a clip has, for every command: those that the bank keeps for it, even if they are none;
    otherwise those detected in the whole clip. Body and plants are always those of the whole clip, so that a foot that
    stands in the clip stands in each of its segments. Frames are counted from the start of the segment.
    """

    clip: Clip
    segment: Segment
    motion: Motion  # of the segment
    clip_motion: Motion
    body_or_why: Body | MappingError  # why there is no body: the skeleton is not that of a person
    plants_origin: str | None  # "hand", "detected", …: of the plants that the bank keeps; None if it keeps none
    kept_plants: tuple[Plant, ...] = ()  # in frames of the clip

    def __repr__(self) -> str:
        return f"Performance({self.clip.name}:{self.segment.start}-{self.segment.stop})"

    @property
    def has_body(self) -> bool:
        """Whether the skeleton is that of a person; without one, only plants that the bank keeps can be had."""
        return isinstance(self.body_or_why, Body)

    @property
    def body(self) -> Body:
        """The clip's body; raises MappingError if the skeleton is not that of a person."""
        if isinstance(self.body_or_why, Body):
            return self.body_or_why
        raise self.body_or_why

    @cached_property
    def clip_plants(self) -> tuple[Plant, ...]:
        """The plants of the whole clip, in its frames; detected when first asked for, unless they are kept."""
        if self.plants_origin is not None:
            return self.kept_plants
        return self._detected.plants

    @cached_property
    def floor(self) -> Floor | None:
        """The floor that the feet tell in the whole clip; None if they do not rest, or there is no body."""
        return self._detected.known_floor if self.has_body else None

    @cached_property
    def _detected(self) -> FootPlants:
        return detect_plants(self.clip_motion, self.body)

    @cached_property
    def plants(self) -> tuple[Plant, ...]:
        """The plants within the segment, cut at its ends."""
        start, stop = self.segment.start, self.segment.stop
        if (start, stop) == (0, self.clip.n_frames):
            return self.clip_plants
        return tuple(
            replace(plant, start=max(plant.start, start) - start, stop=min(plant.stop, stop) - start)
            for plant in self.clip_plants
            if plant.start < stop and plant.stop > start
        )

    @property
    def contacts(self) -> np.ndarray:
        """Whether heels and toes stand (F, 2, 2); [left, right] by [heel, toe]."""
        return part_contacts_of_plants(self.plants, self.motion.n_frames)

    @property
    def foot_contacts(self) -> np.ndarray:
        """Whether the left and the right foot stand (F, 2), on heel or toe."""
        return contacts_of_plants(self.plants, self.motion.n_frames)

    def within(self, segment: Segment) -> "Performance":
        """The performance of another segment (in frames of the clip); nothing is read or detected twice."""
        if segment.clip_id != self.clip.id or segment.stop > self.clip.n_frames:
            raise ValueError(f"{segment} is not a segment of clip #{self.clip.id}")
        part = replace(self, segment=segment, motion=_cut(self.clip_motion, segment))
        if "_detected" in self.__dict__:
            part.__dict__["_detected"] = self._detected
        return part


def performance(bank: Bank, segment: Clip | Segment | str | int) -> Performance:
    """A clip or segment of the bank with its body, plants and contacts.

    >>> walk = performance(bank, "walk:30-90")     # doctest: +SKIP
    >>> walk.motion.n_frames, walk.body, walk.plants, walk.contacts.shape     # doctest: +SKIP
    """
    wanted = segment.segment if isinstance(segment, Clip) else bank.segment_of(segment)
    clip = segment if isinstance(segment, Clip) else bank.clip(wanted.clip_id)
    motion = bank.motion(clip.segment)
    try:
        # Without a user's map, bodies are known by their skeletons: each is measured once
        own_map = bank.body_map(clip) if bank.has_user_map(clip) else None
        body: Body | MappingError = body_of(motion.skeleton, body_map=own_map, motion=motion)
    except MappingError as error:
        body = error
    origin = bank.plants_origin(clip)
    kept = () if origin is None else tuple(bank.plants(clip))
    return Performance(clip, wanted, _cut(motion, wanted), motion, body, origin, kept)


def _cut(motion: Motion, segment: Segment) -> Motion:
    is_whole = (segment.start, segment.stop) == (0, motion.n_frames)
    return motion if is_whole else motion.slice(segment.start, segment.stop)
