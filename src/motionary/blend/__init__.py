"""Blends: several motions averaged into one, by weights over time."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.blend.additive import add_motion, difference
    from motionary.blend.aligning import AlignedPair, align, align_grid, clouds_for
    from motionary.blend.blending import (
        Blend,
        BlendedFrames,
        blend,
        blended_frames,
        clock_weights,
        foot_place,
        frame_clock,
        stood_plants,
        write_times,
    )
    from motionary.blend.event_alignment import meet
    from motionary.blend.families import Spoiler
    from motionary.blend.grounding import above_ground, tipped_above_ground
    from motionary.blend.groups import GROUPS, joint_groups
    from motionary.blend.loops import Cycle, Loop, close_loop, find_cycles, uniform_way, unrolled
    from motionary.blend.opposites import without_opposites
    from motionary.blend.poses import BlendedPoses, blend_poses, write_blend, write_mean_pose
    from motionary.blend.registration import Registration, RegistrationOptions, register, without
    from motionary.blend.shared_plants import SharedPlant
    from motionary.blend.sources import BlendSource, cloud_of, moving_alike, one_body
else:
    import_on_use(__name__)

__all__ = [
    "GROUPS",
    "AlignedPair",
    "Blend",
    "BlendSource",
    "BlendedFrames",
    "BlendedPoses",
    "Cycle",
    "Loop",
    "Registration",
    "RegistrationOptions",
    "SharedPlant",
    "Spoiler",
    "above_ground",
    "add_motion",
    "align",
    "align_grid",
    "blend",
    "blend_poses",
    "blended_frames",
    "clock_weights",
    "close_loop",
    "cloud_of",
    "clouds_for",
    "difference",
    "find_cycles",
    "foot_place",
    "frame_clock",
    "joint_groups",
    "meet",
    "moving_alike",
    "one_body",
    "register",
    "stood_plants",
    "tipped_above_ground",
    "uniform_way",
    "unrolled",
    "without",
    "without_opposites",
    "write_blend",
    "write_mean_pose",
    "write_times",
]
