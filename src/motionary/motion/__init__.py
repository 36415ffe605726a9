"""Skeletons, motions and what can be said of them in arrays: no files, no bank."""

from motionary.motion.falling import GRAVITY
from motionary.motion.mirror import mirror
from motionary.motion.motion import Motion
from motionary.motion.oddities import Oddity, oddities
from motionary.motion.placement import Placement, headings, placement_onto
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
from motionary.motion.segment import Segment
from motionary.motion.skeleton import Skeleton
from motionary.motion.space import UNITS_METRES, Handedness, Space, Up, unit_metres, unit_name
from motionary.motion.timing import check_frame_time, even_frames, frame_time_of, join, poses_at, resample
from motionary.motion.vectors import FORWARD, LEFT, UP, unit

__all__ = [
    "CHANNEL_NAMES",
    "FORWARD",
    "GRAVITY",
    "LEFT",
    "UNITS_METRES",
    "UP",
    "ChannelLayout",
    "Handedness",
    "Motion",
    "Oddity",
    "Placement",
    "Recording",
    "Segment",
    "Skeleton",
    "Space",
    "TranslationRule",
    "Up",
    "check_frame_time",
    "default_layout",
    "even_frames",
    "frame_time_of",
    "full_layout",
    "headings",
    "join",
    "mirror",
    "oddities",
    "our_skeleton",
    "placement_onto",
    "poses_at",
    "recording_of",
    "resample",
    "unit",
    "unit_metres",
    "unit_name",
]
