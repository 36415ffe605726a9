"""The bodies of clips: what all measures of feet and weight start from."""

from dataclasses import dataclass

from motionary.bank import Bank, Clip
from motionary.motion import Motion, Segment
from motionary.plants import Plant, detect_plants
from motionary.rig import Body, body_of


@dataclass(frozen=True, eq=False)
class Standing:
    """A clip with its body and its foot plants."""

    clip: Clip
    motion: Motion
    body: Body
    plants: tuple[Plant, ...]
    stored: bool  # whether the plants were in the bank, or detected just now

    def within(self, segment: Segment) -> tuple[Motion, tuple[Plant, ...]]:
        """The motion and the plants of a segment, both counted from its first frame; plants are cut at its ends."""
        plants = [
            Plant(
                plant.foot,
                plant.part,
                max(plant.start, segment.start) - segment.start,
                min(plant.stop, segment.stop) - segment.start,
                plant.place,
                plant.origin,
            )
            for plant in self.plants
            if plant.start < segment.stop and plant.stop > segment.start
        ]
        return self.motion.slice(segment.start, segment.stop), tuple(plants)


def standing_clip(bank: Bank, clip: Clip) -> Standing:
    """A clip, its body, and its plants: those of the bank, else detected in the whole clip."""
    motion = bank.motion(clip.id)
    body = body_of(motion.skeleton, body_map=bank.body_map(clip), motion=motion)
    kept = bank.plants_origin(clip) is not None
    return Standing(clip, motion, body, tuple(bank.plants(clip)) if kept else detect_plants(motion, body).plants, kept)
