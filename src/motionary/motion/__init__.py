"""Skeletons, motions and what can be said of them in arrays: no files, no bank."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.motion.easing import ease, ease_slope, eased, fades
    from motionary.motion.falling import GRAVITY
    from motionary.motion.heading import headings, is_upright, write_headings
    from motionary.motion.intervals import mask_intervals, mask_of_intervals
    from motionary.motion.kept_angles import keep_angles
    from motionary.motion.mirror import mirror
    from motionary.motion.motion import Motion
    from motionary.motion.oddities import ODDITIES, Oddity, empty_frames, oddities, zero_frames
    from motionary.motion.placement import Placement, placement_onto
    from motionary.motion.placements import Placements, placements_between, root_placements, turn_about_up
    from motionary.motion.rates import SEARCH_RATE_HZ, Rates, at_search_rate
    from motionary.motion.recording import (
        CHANNEL_NAMES,
        ChannelLayout,
        Recording,
        TranslationRule,
        default_layout,
        full_layout,
        our_skeleton,
        recording_of,
    )
    from motionary.motion.rotation_means import extrapolates_too_far, mean_rotation
    from motionary.motion.sampling import write_poses
    from motionary.motion.segment import Segment
    from motionary.motion.skeleton import Skeleton
    from motionary.motion.space import UNITS_METRES, Handedness, Space, Up, unit_metres, unit_name
    from motionary.motion.timing import check_frame_time, even_frames, frame_time_of, join, poses_at, resample
    from motionary.motion.vectors import FORWARD, LEFT, UP, unit
else:
    import_on_use(__name__)

__all__ = [
    "CHANNEL_NAMES",
    "FORWARD",
    "GRAVITY",
    "LEFT",
    "ODDITIES",
    "SEARCH_RATE_HZ",
    "UNITS_METRES",
    "UP",
    "ChannelLayout",
    "Handedness",
    "Motion",
    "Oddity",
    "Placement",
    "Placements",
    "Rates",
    "Recording",
    "Segment",
    "Skeleton",
    "Space",
    "TranslationRule",
    "Up",
    "at_search_rate",
    "check_frame_time",
    "default_layout",
    "ease",
    "ease_slope",
    "eased",
    "empty_frames",
    "even_frames",
    "extrapolates_too_far",
    "fades",
    "frame_time_of",
    "full_layout",
    "headings",
    "is_upright",
    "join",
    "keep_angles",
    "mask_intervals",
    "mask_of_intervals",
    "mean_rotation",
    "mirror",
    "oddities",
    "our_skeleton",
    "placement_onto",
    "placements_between",
    "poses_at",
    "recording_of",
    "resample",
    "root_placements",
    "turn_about_up",
    "unit",
    "unit_metres",
    "unit_name",
    "write_headings",
    "write_poses",
    "zero_frames",
]
